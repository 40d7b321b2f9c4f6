//! Checks of samples of linear models: for values that are not finite or below 0, and for indices
//! that do not rise. A check looks at all of them, without an early end, so that the compiler makes
//! vectors of it: it is seldom that something is wrong.

use crate::Kernels;
use netfold_kernels::PlainKernel;

/// Findings among values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// A value is NaN or infinite.
    pub not_finite: bool,
    /// A value is below 0.
    pub below_zero: bool,
}

impl Kernels {
    /// Looks through values.
    pub fn look_through(self, values: &[f32]) -> Found {
        self.level().run(LookThrough { values })
    }

    /// Counts the numbers that are not above the one before.
    pub fn falls(self, numbers: &[u32]) -> usize {
        self.level().run(Falls { numbers })
    }
}

struct LookThrough<'a> {
    values: &'a [f32],
}

impl PlainKernel for LookThrough<'_> {
    type Output = Found;

    #[inline(always)]
    fn run(self) -> Found {
        let (mut not_finite, mut below_zero) = (0, 0);
        for value in self.values {
            not_finite |= u32::from(!value.is_finite());
            below_zero |= u32::from(*value < 0.0);
        }
        Found { not_finite: not_finite != 0, below_zero: below_zero != 0 }
    }
}

struct Falls<'a> {
    numbers: &'a [u32],
}

/// Numbers whose falls are counted in 32 bits, as wide as they are.
const BLOCK: usize = 1 << 16;

impl PlainKernel for Falls<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let after = self.numbers.get(1..).unwrap_or_default();
        let blocks = self.numbers.chunks(BLOCK).zip(after.chunks(BLOCK));
        let falls = blocks.map(|(before, after)| {
            let pairs = before.iter().zip(after);
            pairs.fold(0, |falls, (before, after)| falls + u32::from(after <= before))
        });
        falls.map(|falls| falls as usize).sum()
    }
}
