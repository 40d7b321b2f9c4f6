//! Features put on integers of a few bits (R-GLM-19, R-GLM-20).

use crate::Kernels;
use netfold_kernels::PlainKernel;

/// Values, and the grid of each: value i is on integer `(value - low) / span * scale`. All are as
/// long.
#[derive(Clone, Copy, Debug)]
pub struct OnGrid<'a> {
    /// Finite.
    pub values: &'a [f32],
    /// The value that is 0 on the grid.
    pub low: &'a [f32],
    /// The length of `scale` integers on the grid, above 0.
    pub span: &'a [f32],
    /// Added before rounding down: 0 to below 1.
    pub shift: &'a [f64],
}

/// Values that are 0 where their grids are, and the grid of each: value i is on integer
/// `value / span * scale`. Both are as long.
#[derive(Clone, Copy, Debug)]
pub struct Scaled<'a> {
    /// Finite.
    pub values: &'a [f32],
    /// The length of `scale` integers on the grid, above 0.
    pub span: &'a [f32],
    /// The choice between two integers.
    pub rounding: Between<'a>,
}

/// Rounding of a value between two integers.
#[derive(Clone, Copy, Debug)]
pub enum Between<'a> {
    /// The lower one.
    Below,
    /// The nearer one, and the upper one of two that are as near.
    Nearest,
    /// The one below the value and this, 0 to below 1; as long as the values.
    Shifted(&'a [f64]),
}

/// The integers of a grid.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Number of integers to a span: a power of two.
    pub scale: f64,
    /// The least one, from -2^31 on.
    pub least: i64,
    /// The largest one, below 2^32.
    pub most: i64,
}

impl Kernels {
    /// The integers of values: `floor((value - low) / span * scale + shift)` in f64, each operation
    /// rounded once, and not beyond the grid's ends. They are the lower 32 bits of two's
    /// complement.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn to_levels(self, of: OnGrid<'_>, ends: Ends, levels: &mut [u32]) {
        self.level().run(ToLevels { of, ends, levels });
    }

    /// As [`to_levels`](Self::to_levels) with lows of 0, but that `value / span` is rounded to f32;
    /// without a shift the rest is exact. It takes integers of 8 bits.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn scaled_to_levels(self, of: Scaled<'_>, ends: Ends, levels: &mut [u8]) {
        self.level().run(ScaledToLevels { of, ends, levels });
    }
}

struct ToLevels<'a> {
    of: OnGrid<'a>,
    ends: Ends,
    levels: &'a mut [u32],
}

/// 2^52 + 2^51: a number below 2^51 that it is added to is rounded to an integer, whose two's
/// complement is in the lower bits of the sum.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

impl PlainKernel for ToLevels<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { of: OnGrid { values, low, span, shift }, ends, levels } = self;
        let count = levels.len();
        let same = [values.len(), low.len(), span.len(), shift.len()] == [count; 4];
        assert!(same, "a low, a span, a shift and an integer for each value");
        let (scale, least, most) = (ends.scale, ends.least as f64, ends.most as f64);
        for index in 0..count {
            let x = (f64::from(values[index]) - f64::from(low[index])) / f64::from(span[index])
                * scale
                + shift[index];
            levels[index] = below(x, least, most);
        }
    }
}

/// The integer below a number, not beyond the ends: the lower 32 bits of two's complement.
#[inline(always)]
fn below(x: f64, least: f64, most: f64) -> u32 {
    // The ends are integers, so that it is the same before rounding as after it. Comparisons, since
    // `f64::max` would look for NaN, which is not here.
    let x = if x < least { least } else { x };
    let x = if x > most { most } else { x };
    // To the nearest integer first, and one down where that was up: SSE2 has no rounding down.
    let sum = x + TO_INTEGER;
    let up = u32::from(sum - TO_INTEGER > x);
    (sum.to_bits() as u32).wrapping_sub(up)
}

struct ScaledToLevels<'a> {
    of: Scaled<'a>,
    ends: Ends,
    levels: &'a mut [u8],
}

/// 2^23 + 2^22: as [`TO_INTEGER`], for numbers below 2^22 in f32.
const TO_SHORT_INTEGER: f32 = 12_582_912.0;

impl PlainKernel for ScaledToLevels<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { of: Scaled { values, span, rounding }, ends, levels } = self;
        let count = levels.len();
        assert!([values.len(), span.len()] == [count; 2], "a span and an integer for each value");
        if let Between::Shifted(shift) = rounding {
            assert!(shift.len() == count, "a shift for each value");
            let (least, most) = (ends.least as f64, ends.most as f64);
            for index in 0..count {
                let x = f64::from(values[index] / span[index]) * ends.scale + shift[index];
                levels[index] = below(x, least, most) as u8;
            }
            return;
        }
        // Twice the integer, rounded down, is odd where what is cut off is a half and more.
        let (twice, half) =
            (2.0 * ends.scale as f32, u32::from(matches!(rounding, Between::Nearest)));
        let (least, most) = (2.0 * ends.least as f32, 2.0 * ends.most as f32);
        for index in 0..count {
            let x = values[index] / span[index] * twice;
            let x = if x < least { least } else { x };
            let x = if x > most { most } else { x };
            let sum = x + TO_SHORT_INTEGER;
            let up = u32::from(sum - TO_SHORT_INTEGER > x);
            levels[index] = ((sum.to_bits() - up + half) >> 1) as u8;
        }
    }
}
