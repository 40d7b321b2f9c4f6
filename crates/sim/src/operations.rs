//! Operations of users in simulations (R-OP): written in Rust, so that no simulation needs a
//! compiler. What runs modules is tested with WebAssembly; here it is where operands meet, in which
//! order, and how often a result is mapped or a request answered.

use std::collections::BTreeMap;
use std::sync::Arc;

use netfold_management::fold_by;
use netfold_num::UserOperation;
use netfold_switch::{OperationLoader, Operations, TrapCause, TypedFold, TypedOperation, Usage};
use netfold_worker::UserFold;

/// An operation of a user that a simulated job may have. Its elements are numbers of 32 bits that
/// wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleOperation {
    /// The sum s, which is sent as 3 s + 1.
    MappedSum,
    /// The sum, which traps where it does not fit.
    CheckedSum,
    /// The composition of lines x -> a x + b, the left operand's first: associative, and not
    /// commutative.
    Lines,
    /// The same, of which 3 a + 1 and 5 b + 2 are sent.
    MappedLines,
    /// The difference: neither associative nor commutative.
    Difference,
    /// The sum of numbers that travel otherwise (R-OP-30): x is decoded to 3 x + 1, and the sum is
    /// encoded as half of it, without its last bit.
    Coded,
    /// Counters, which outlive calls: a request names one and has a number for it, and the reply
    /// has the counter's value before that, and the rank (R-OP-32).
    Counters,
}

impl SampleOperation {
    /// Every operation.
    pub const ALL: [Self; 7] = [
        Self::MappedSum,
        Self::CheckedSum,
        Self::Lines,
        Self::MappedLines,
        Self::Difference,
        Self::Coded,
        Self::Counters,
    ];

    /// Bytes of the counters, for an admission.
    const STATE_BYTES: u64 = 1 << 10;

    /// Its name, which is its module, too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MappedSum => "mapped-sum",
            Self::CheckedSum => "checked-sum",
            Self::Lines => "lines",
            Self::MappedLines => "mapped-lines",
            Self::Difference => "difference",
            Self::Coded => "coded",
            Self::Counters => "counters",
        }
    }

    /// Returns the operation with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// Numbers of an element.
    pub(crate) const fn numbers(self) -> usize {
        match self {
            Self::MappedSum | Self::CheckedSum | Self::Difference | Self::Coded => 1,
            Self::Lines | Self::MappedLines => 2,
            Self::Counters => 3,
        }
    }

    /// Returns the fold by the operation, which has this number in its job.
    pub fn fold(self, number: UserOperation) -> UserFold {
        fold_by(number, &self)
    }

    /// Folds an element into the accumulator.
    fn combine(self, left: &mut [u32], right: &[u32]) -> Result<(), TrapCause> {
        match (self, left, right) {
            (Self::CheckedSum, [left], [right]) => {
                *left = left.checked_add(*right).ok_or(TrapCause::Arithmetic)?;
            }
            (Self::MappedSum | Self::Coded, [left], [right]) => *left = left.wrapping_add(*right),
            (Self::Difference, [left], [right]) => *left = left.wrapping_sub(*right),
            (_, [a, b], [c, d]) => {
                (*a, *b) = (a.wrapping_mul(*c), c.wrapping_mul(*b).wrapping_add(*d));
            }
            _ => unreachable!("operands are elements"),
        }
        Ok(())
    }

    fn decode(self, wire: &mut [u32]) {
        if self.has_codec() {
            wire.iter_mut().for_each(|number| *number = number.wrapping_mul(3).wrapping_add(1));
        }
    }

    fn encode(self, result: &mut [u32]) {
        if self.has_codec() {
            result.iter_mut().for_each(|number| *number >>= 1);
        }
    }

    fn map_element(self, result: &mut [u32]) {
        for (at, number) in result.iter_mut().enumerate() {
            let (factor, more) = if at == 0 { (3, 1) } else { (5, 2) };
            *number = number.wrapping_mul(factor).wrapping_add(more);
        }
    }
}

/// Returns the operations of a job.
pub(crate) fn operations(of: &[SampleOperation]) -> Operations {
    let all = of.iter().map(|operation| Arc::new(*operation) as Arc<dyn TypedOperation>);
    Operations::new(all).expect("there are no more than a job has")
}

impl TypedOperation for SampleOperation {
    fn hash(&self) -> [u8; 32] {
        let mut hash = [0; 32];
        hash[..self.name().len()].copy_from_slice(self.name().as_bytes());
        hash
    }

    fn name(&self) -> &str {
        (*self).name()
    }

    fn module(&self) -> &[u8] {
        (*self).name().as_bytes()
    }

    fn element_bytes(&self) -> usize {
        4 * self.numbers()
    }

    fn batch_bytes(&self) -> usize {
        64 * 1024
    }

    fn any_order(&self) -> bool {
        matches!(self, Self::MappedSum | Self::CheckedSum)
    }

    fn is_associative(&self) -> bool {
        !matches!(self, Self::Difference | Self::Coded)
    }

    fn has_map(&self) -> bool {
        matches!(self, Self::MappedSum | Self::MappedLines)
    }

    fn has_codec(&self) -> bool {
        *self == Self::Coded
    }

    fn state_bytes(&self) -> Option<u64> {
        self.answers().then_some(Self::STATE_BYTES)
    }

    fn answers(&self) -> bool {
        *self == Self::Counters
    }

    fn folds(&self) -> bool {
        !self.answers()
    }

    fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause> {
        let (usage, counters) = (Usage::default(), BTreeMap::new());
        Ok(Box::new(Running { operation: *self, counters, usage }))
    }
}

/// An operation at one shard.
#[derive(Debug)]
struct Running {
    operation: SampleOperation,
    /// The counters, by their names.
    counters: BTreeMap<u32, u32>,
    usage: Usage,
}

impl TypedFold for Running {
    fn fold(
        &mut self,
        accumulator: &mut [u8],
        operands: &mut dyn Iterator<Item = &[u8]>,
        complete: bool,
    ) -> Result<(), TrapCause> {
        let operation = self.operation;
        let bytes = operation.element_bytes();
        // Elements are numbers until all is done, since encoding may lose something.
        let decoded = |wire: &[u8]| -> Vec<Vec<u32>> {
            let element = |wire: &[u8]| {
                let mut element = numbers(wire);
                operation.decode(&mut element);
                element
            };
            wire.chunks_exact(bytes).map(element).collect()
        };
        let mut folded = decoded(accumulator);
        for operand in operands {
            self.usage.calls += 1;
            self.usage.bytes += operand.len() as u64;
            for (left, right) in folded.iter_mut().zip(decoded(operand)) {
                operation.combine(left, &right).inspect_err(|_| self.usage.traps += 1)?;
            }
        }
        if complete && operation.has_map() {
            self.usage.calls += 1;
            folded.iter_mut().for_each(|element| operation.map_element(element));
        }
        for (place, element) in accumulator.chunks_exact_mut(bytes).zip(&mut folded) {
            operation.encode(element);
            write(place, element);
        }
        Ok(())
    }

    fn answer(&mut self, request: &mut [u8], rank: u16) -> Result<(), TrapCause> {
        self.usage.calls += 1;
        for element in request.chunks_exact_mut(self.operation.element_bytes()) {
            let [name, number, _] = numbers(element)[..] else { return Err(TrapCause::Other) };
            let counter = self.counters.entry(name).or_default();
            write(element, &[name, *counter, rank.into()]);
            *counter = counter.wrapping_add(number);
        }
        Ok(())
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}

fn numbers(element: &[u8]) -> Vec<u32> {
    let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    element.as_chunks().0.iter().map(number).collect()
}

fn write(element: &mut [u8], numbers: &[u32]) {
    for (bytes, number) in element.as_chunks_mut().0.iter_mut().zip(numbers) {
        *bytes = number.to_le_bytes();
    }
}

/// Admits the operations of simulations.
#[derive(Debug)]
pub(crate) struct SampleLoader;

impl OperationLoader for SampleLoader {
    fn load(
        &self,
        module: &[u8],
        _signature: Option<&[u8]>,
    ) -> Result<Arc<dyn TypedOperation>, String> {
        let found = str::from_utf8(module).ok().and_then(SampleOperation::named);
        match found {
            Some(operation) => Ok(Arc::new(operation)),
            None => Err("it is not one of simulations".into()),
        }
    }

    fn trapped(&self, _hash: [u8; 32], _cause: TrapCause) {}
}
