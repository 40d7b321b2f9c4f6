//! Features put on integers of a few bits (R-GLM-19, R-GLM-20).

use crate::Kernels;
use crate::dispatch::{Kernel, run};
use crate::simd::Simd;

/// Values, and the grid of each: value i is on integer `(value - low) / span * scale`. All are as long.
#[derive(Clone, Copy, Debug)]
pub struct OnGrid<'a> {
    /// Finite.
    pub values: &'a [f32],
    /// What is 0 on the grid.
    pub low: &'a [f32],
    /// What is `scale` integers long, above 0.
    pub span: &'a [f32],
    /// Added before rounding down: 0 to below 1.
    pub shift: &'a [f64],
}

/// Values that are 0 where their grids are, and what makes integers of them: value i is on integer `value * factor`. All are as long.
#[derive(Clone, Copy, Debug)]
pub struct Scaled<'a> {
    /// Finite.
    pub values: &'a [f32],
    /// What [`Ends::factor`] gives for the span of each.
    pub factors: &'a [f64],
    /// Added before rounding to nearest, -1/2 to below 1/2: 1/2 less than what is added before rounding down.
    pub shift: &'a [f64],
}

/// The integers of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// How many there are to a span: a power of two.
    pub scale: f64,
    /// The least one, from -2^31 on.
    pub least: i64,
    /// The largest one, below 2^32.
    pub most: i64,
}

impl Ends {
    /// What a value is multiplied with to be on an integer, as [`Scaled`] has it.
    pub fn factor(self, span: f32) -> f64 {
        let factor = self.scale / f64::from(span);
        // Where there are no integers below 0, values below it do not matter.
        if self.least < 0 { factor } else { factor * (1.0 + ABOVE) }
    }
}

impl Kernels {
    /// The integers of values: `floor((value - low) / span * scale + shift)` in f64, each operation rounded once, and not beyond the grid's ends. They are the lower 32 bits of two's
    /// complement.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn to_levels(self, of: OnGrid<'_>, ends: Ends, levels: &mut [u32]) {
        run(self.level(), ToLevels { of, ends, levels });
    }

    /// As [`to_levels`](Self::to_levels) with lows of 0, but with a multiplication where that divides. It takes integers of 8 bits. The integers are the same for shifts of -1/2 and 0, and for any other where
    /// what is rounded is not within 2^-31 of the middle between two integers.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn scaled_to_levels(self, of: Scaled<'_>, ends: Ends, levels: &mut [u8]) {
        run(self.level(), ScaledToLevels { of, ends, levels });
    }
}

struct ToLevels<'a> {
    of: OnGrid<'a>,
    ends: Ends,
    levels: &'a mut [u32],
}

/// 2^52 + 2^51: a number below 2^51 that it is added to is rounded to an integer, whose two's complement is in the lower bits of the sum.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

impl Kernel for ToLevels<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, _simd: impl Simd<G>) {
        let Self { of: OnGrid { values, low, span, shift }, ends, levels } = self;
        let count = levels.len();
        let same = [values.len(), low.len(), span.len(), shift.len()] == [count; 4];
        assert!(same, "a low, a span, a shift and an integer for each value");
        let (scale, least, most) = (ends.scale, ends.least as f64, ends.most as f64);
        for index in 0..count {
            let x = (f64::from(values[index]) - f64::from(low[index])) / f64::from(span[index]) * scale + shift[index];
            // The ends are integers, so that it is the same before rounding as after it. Comparisons, since `f64::max` would look for NaN, which is not here.
            let x = if x < least { least } else { x };
            let x = if x > most { most } else { x };
            // To the nearest integer first, and one down where that was up: SSE2 has no rounding down.
            let sum = x + TO_INTEGER;
            let up = u32::from(sum - TO_INTEGER > x);
            levels[index] = (sum.to_bits() as u32).wrapping_sub(up);
        }
    }
}

struct ScaledToLevels<'a> {
    of: Scaled<'a>,
    ends: Ends,
    levels: &'a mut [u8],
}

/// By how much a product is made larger. Factor and product are rounded, and are off by 2^-52 of it at most, so that one that should be an integer or half of one, of which the shift makes
/// an integer, may be just below it: with this it is not. None gets there that should not: a quotient of two f32, times a power of two, that is not such a number c itself differs from it by 2^-26 at
/// least. (Its numerator less c times its denominator is a whole number of quarters of the denominator's last place, which has 24 bits.) For |c| up to 2^8 that is more than 2^-32.
const ABOVE: f64 = 1.0 / (1u64 << 40) as f64;

impl Kernel for ScaledToLevels<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, _simd: impl Simd<G>) {
        let Self { of: Scaled { values, factors, shift }, ends, levels } = self;
        let count = levels.len();
        assert!(
            [values.len(), factors.len(), shift.len()] == [count; 3],
            "a factor, a shift and an integer for each value"
        );
        let (values, factors, shift) = (&values[..count], &factors[..count], &shift[..count]);
        let (least, most) = (ends.least as f64, ends.most as f64);
        // Rounding down is rounding what is 1/2 less to nearest: it is halfway between integers only where a product is 0, and then it becomes 0, too, which is even.
        let rounded = |x: f64| {
            let x = if x < least { least } else { x };
            let x = if x > most { most } else { x };
            (x + TO_INTEGER).to_bits() as u8
        };
        if ends.least < 0 {
            for index in 0..count {
                let x = f64::from(values[index]) * factors[index];
                levels[index] = rounded(x + x.abs() * ABOVE + shift[index]);
            }
        } else {
            for index in 0..count {
                levels[index] = rounded(f64::from(values[index]) * factors[index] + shift[index]);
            }
        }
    }
}
