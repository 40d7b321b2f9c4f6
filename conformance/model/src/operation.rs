//! An operation of a user in a model (R-OP): neither associative nor commutative, with a map, so
//! that a result tells the order of its operands, and how often it was mapped.

use netfold_num::UserOperation;
use netfold_switch::{TrapCause, TypedFold, TypedOperation, Usage};
use netfold_worker::{FoldTraits, Reduction, UserFold};

/// 31 times the left number, plus the right one; 7 more where the result is mapped. The map traps
/// if the fold lacks an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ordered {
    /// Operands of every round.
    pub(crate) operands: usize,
}

impl Ordered {
    const NAME: &str = "ordered";

    /// Returns the fold by it, as the job's only operation.
    pub(crate) fn reduction() -> Reduction {
        let number = UserOperation::new(0).expect("a job has an operation 0");
        let fold = UserFold::new(number, Self::NAME, 4, None);
        Reduction::User(fold.with(FoldTraits { has_map: true, ..*fold.traits() }))
    }

    /// Returns the mapped fold of numbers in this order; `None` of none.
    pub(crate) fn result(numbers: impl Iterator<Item = u32>) -> Option<u32> {
        numbers.reduce(Self::combine).map(Self::mapped)
    }

    fn combine(left: u32, right: u32) -> u32 {
        left.wrapping_mul(31).wrapping_add(right)
    }

    fn mapped(number: u32) -> u32 {
        number.wrapping_add(7)
    }
}

impl TypedOperation for Ordered {
    fn hash(&self) -> [u8; 32] {
        [1; 32]
    }

    fn name(&self) -> &str {
        Self::NAME
    }

    fn module(&self) -> &[u8] {
        &[]
    }

    fn element_bytes(&self) -> usize {
        4
    }

    fn batch_bytes(&self) -> usize {
        1 << 16
    }

    fn any_order(&self) -> bool {
        false
    }

    fn is_associative(&self) -> bool {
        false
    }

    fn has_map(&self) -> bool {
        true
    }

    fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause> {
        Ok(Box::new(*self))
    }
}

impl TypedFold for Ordered {
    fn fold(
        &mut self,
        accumulator: &mut [u8],
        operands: &mut dyn Iterator<Item = &[u8]>,
        complete: bool,
    ) -> Result<(), TrapCause> {
        let mut folded = 1;
        for operand in operands.inspect(|_| folded += 1) {
            for (left, right) in accumulator.as_chunks_mut().0.iter_mut().zip(operand.as_chunks().0)
            {
                let (own, other) = (u32::from_le_bytes(*left), u32::from_le_bytes(*right));
                *left = Self::combine(own, other).to_le_bytes();
            }
        }
        if complete && folded != self.operands {
            return Err(TrapCause::Arithmetic);
        }
        if complete {
            for number in accumulator.as_chunks_mut().0 {
                *number = Self::mapped(u32::from_le_bytes(*number)).to_le_bytes();
            }
        }
        Ok(())
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}
