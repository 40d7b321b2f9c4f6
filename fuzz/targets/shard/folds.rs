//! Operations of users for a shard: one of each kind that it treats in a way of its own. They hold
//! the switch to what it promises to operations.

use std::sync::Arc;

use netfold_switch::{Operations, TrapCause, TypedFold, TypedOperation, Usage};

/// An operand that begins with this byte traps.
pub const POISON: u8 = 0xDD;

/// Most bytes of an operand.
const BATCH_BYTES: usize = 24;

/// Adds bytes.
#[derive(Clone, Debug)]
struct Adder {
    number: u8,
    element_bytes: usize,
    any_order: bool,
    has_map: bool,
    has_codec: bool,
    state_bytes: Option<u64>,
    answers: bool,
    usage: Usage,
}

/// Returns the operations of a job: numbers 0 to 4. Those of a leaf are associative, and encode
/// nothing.
pub fn operations(leaf: bool) -> Operations {
    let plain = Adder {
        number: 0,
        element_bytes: 1,
        any_order: true,
        has_map: false,
        has_codec: false,
        state_bytes: None,
        answers: false,
        usage: Usage::default(),
    };
    let all = [
        plain.clone(),
        Adder { number: 1, element_bytes: 4, any_order: false, ..plain.clone() },
        Adder { number: 2, element_bytes: 3, has_map: true, ..plain.clone() },
        Adder { number: 3, any_order: false, has_codec: !leaf, ..plain.clone() },
        Adder { number: 4, answers: true, state_bytes: Some(40), ..plain },
    ];
    let all = all.map(|one| Arc::new(one) as Arc<dyn TypedOperation>);
    Operations::new(all).expect("a job has as many")
}

impl TypedOperation for Adder {
    fn hash(&self) -> [u8; 32] {
        [self.number; 32]
    }

    fn name(&self) -> &str {
        "adder"
    }

    fn module(&self) -> &[u8] {
        &[]
    }

    fn element_bytes(&self) -> usize {
        self.element_bytes
    }

    fn batch_bytes(&self) -> usize {
        BATCH_BYTES
    }

    fn any_order(&self) -> bool {
        self.any_order
    }

    fn is_associative(&self) -> bool {
        !self.has_codec
    }

    fn has_map(&self) -> bool {
        self.has_map
    }

    fn has_codec(&self) -> bool {
        self.has_codec
    }

    fn state_bytes(&self) -> Option<u64> {
        self.state_bytes
    }

    fn answers(&self) -> bool {
        self.answers
    }

    fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause> {
        Ok(Box::new(self.clone()))
    }
}

impl Adder {
    /// Holds an operand to what the switch promises: whole elements, no more than a batch has.
    fn check(&self, operand: &[u8]) -> Result<(), TrapCause> {
        assert!(operand.len().is_multiple_of(self.element_bytes));
        assert!(operand.len() <= BATCH_BYTES);
        if operand.first() == Some(&POISON) { Err(TrapCause::Arithmetic) } else { Ok(()) }
    }
}

impl TypedFold for Adder {
    fn fold(
        &mut self,
        accumulator: &mut [u8],
        operands: &mut dyn Iterator<Item = &[u8]>,
        complete: bool,
    ) -> Result<(), TrapCause> {
        self.check(accumulator)?;
        // A trap leaves the accumulator as it was.
        let mut folded = accumulator.to_vec();
        for operand in operands {
            assert_eq!(operand.len(), folded.len());
            self.check(operand)?;
            self.usage.calls += 1;
            folded.iter_mut().zip(operand).for_each(|(left, right)| *left ^= right);
        }
        if complete && (self.has_map || self.has_codec) {
            folded.iter_mut().for_each(|byte| *byte = !*byte);
        }
        accumulator.copy_from_slice(&folded);
        Ok(())
    }

    fn answer(&mut self, request: &mut [u8], rank: u16) -> Result<(), TrapCause> {
        assert!(self.answers, "it has requests only if it answers them");
        self.check(request)?;
        request.fill(rank as u8);
        Ok(())
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}
