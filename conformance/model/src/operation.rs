//! An operation of a user in a model (R-OP): not commutative, with a map, so that a result tells
//! the order of its operands, and how often it was mapped.

use netfold_num::UserOperation;
use netfold_switch::{TrapCause, TypedFold, TypedOperation, Usage};
use netfold_worker::{FoldTraits, Reduction, UserFold};

/// 31 times the left number, plus the right one; or, where it is associative, the composition of
/// lines, the left one first. The result is mapped to 7 more, which traps if the fold lacks an
/// operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ordered {
    /// Operands of every round.
    pub(crate) operands: usize,
    /// It is associative, for jobs with leaves (R-OP-13).
    pub(crate) associative: bool,
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
    pub(crate) fn result(mut numbers: impl Iterator<Item = u32>, associative: bool) -> Option<u32> {
        let folded = if associative {
            // A line is known from its values at 0 and at 1.
            let first = Self::line(numbers.next()?);
            let at = |values: [u32; 2], (a, b): (u32, u32)| {
                values.map(|x| a.wrapping_mul(x).wrapping_add(b))
            };
            let [zero, one] = numbers.map(Self::line).fold(at([0, 1], first), at);
            Self::number(one.wrapping_sub(zero), zero)
        } else {
            let next = |left: u32, right| left.wrapping_mul(31).wrapping_add(right);
            numbers.reduce(next)?
        };
        Some(Self::mapped(folded))
    }

    /// The line x -> a x + b of a number, modulo 2^16; a is odd, so that nothing is lost.
    fn line(number: u32) -> (u32, u32) {
        (number >> 16 | 1, number & 0xFFFF)
    }

    fn number(a: u32, b: u32) -> u32 {
        a << 16 | b & 0xFFFF
    }

    fn combine(self, left: u32, right: u32) -> u32 {
        if !self.associative {
            return left.wrapping_mul(31).wrapping_add(right);
        }
        let ((a, b), (c, d)) = (Self::line(left), Self::line(right));
        Self::number(a.wrapping_mul(c), c.wrapping_mul(b).wrapping_add(d))
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
        self.associative
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
                *left = self.combine(own, other).to_le_bytes();
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
