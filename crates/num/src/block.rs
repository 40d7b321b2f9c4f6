//! Block fixed point: a float times a factor that a whole block shares, rounded to an integer that
//! the switch can add.
//!
//! SwitchML, section 4.6 and appendix E. `spec/numerics.md` derives the bounds (R-NUM-10,
//! R-NUM-12).

use crate::{ElementType, Exponent, MAX_WORKERS};
use core::fmt;

/// The factor of one block, the same at every worker (R-NUM-8).
///
/// With n workers and the agreed exponent m, the factor is f = (2^31 - 1) / (n * 2^m). A sum of n
/// quantised elements never leaves `i32` (R-NUM-10), and times 1/f it is within n/f of the exact
/// sum (R-NUM-12; appendix E, theorem 1). Where lanes are of f16, f is a power of two (R-NUM-20).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    factor: f64,
    inverse: f64,
    limit: i32,
    lane: ElementType,
}

/// There is no scale for these workers and this exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScaleError {
    /// The number of workers is not between 1 and [`MAX_WORKERS`].
    Workers(u16),
    /// The exponent is [`Exponent::SPECIAL`] or [`Exponent::UNKNOWN`]: the round that settles it
    /// comes first.
    NotAgreed(Exponent),
}

impl fmt::Display for ScaleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Workers(n) => write!(f, "a block cannot be scaled for {n} workers; give 1 to {MAX_WORKERS}"),
            Self::NotAgreed(Exponent::SPECIAL) => {
                f.write_str("the block holds a NaN or an infinity; run a Classes round before it is quantised")
            }
            Self::NotAgreed(_) => {
                f.write_str("the block's exponent is not agreed yet; run an Exponents round before it is quantised")
            }
        }
    }
}

impl core::error::Error for ScaleError {}

impl Scale {
    /// The scale for n = `workers` and an agreed exponent (R-NUM-8). Under [`Exponent::ZERO`]
    /// everything quantises to 0 and comes back as 0.
    ///
    /// # Errors
    /// [`ScaleError`], if the exponent is special or unknown, or `workers` is 0 or above
    /// [`MAX_WORKERS`].
    #[inline]
    pub const fn new(workers: u16, exponent: Exponent) -> Result<Self, ScaleError> {
        Self::of_lane(ElementType::I32, workers, exponent)
    }

    /// The scale of lanes of f16 (R-NUM-20): all of it powers of two, so that nothing here rounds.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub const fn of_halves(workers: u16, exponent: Exponent) -> Result<Self, ScaleError> {
        Self::of_lane(ElementType::F16, workers, exponent)
    }

    const fn of_lane(
        lane: ElementType,
        workers: u16,
        exponent: Exponent,
    ) -> Result<Self, ScaleError> {
        if workers == 0 || workers > MAX_WORKERS {
            return Err(ScaleError::Workers(workers));
        }
        let n = workers as f64;
        // 30 - c, c being the logarithm of n, rounded up.
        let places = HALF_SUM_BITS - (u16::BITS - (workers - 1).leading_zeros()) as i16;
        let halves = matches!(lane, ElementType::F16);
        let (factor, inverse) = match exponent.power() {
            Some(power) if halves => (power_of_two(places - power), power_of_two(power - places)),
            // Multiplying by a power of two is exact here, so both are rounded once, by the
            // division.
            Some(power) => (
                i32::MAX as f64 / n * power_of_two(-power),
                n * power_of_two(power) / i32::MAX as f64,
            ),
            None if matches!(exponent, Exponent::ZERO) => (0.0, 0.0),
            None => return Err(ScaleError::NotAgreed(exponent)),
        };
        let limit = if halves { 1 << places } else { i32::MAX / workers as i32 };
        Ok(Self { factor, inverse, limit, lane })
    }

    /// The type of a lane that travels: `i32`, or `f16` that stands for one
    /// ([`half_of_sum`](crate::half_of_sum)).
    pub const fn lane(&self) -> ElementType {
        self.lane
    }

    /// f, in units per one: 0 under [`Exponent::ZERO`].
    #[inline]
    pub const fn factor(&self) -> f64 {
        self.factor
    }

    /// Returns 1/f: the value of one unit, 0 under [`Exponent::ZERO`].
    pub const fn inverse(&self) -> f64 {
        self.inverse
    }

    /// The largest magnitude of a quantised element: floor((2^31 - 1) / n), and 2^(30 - c) for
    /// lanes of f16, c being log2 n, rounded up.
    #[inline]
    pub const fn limit(&self) -> i32 {
        self.limit
    }

    /// Returns the value of one unit in an average over `divisor` summands, `inverse` / `divisor`
    /// (R-NUM-11). A plain sum has the divisor 1.
    ///
    /// # Panics
    /// If `divisor` is 0.
    #[inline]
    pub const fn unit(&self, divisor: u32) -> f64 {
        assert!(divisor != 0, "the divisor of an average is 0");
        self.inverse / divisor as f64
    }

    /// The integer that an element becomes: f * x, to the nearest one, ties to even, within the
    /// limit (R-NUM-9). It is the lane, or what a lane of f16 stands for.
    ///
    /// NaN and infinity quantise to 0: what they mean travels in a Classes round
    /// ([`class_of`](crate::class_of)).
    pub const fn quantise(&self, x: f32) -> i32 {
        if !x.is_finite() {
            return 0;
        }
        // The limit is an integer, so it is the same to clamp before rounding or after.
        let limit = self.limit as f64;
        round_ties_even((x as f64 * self.factor).clamp(-limit, limit))
    }

    /// The element that a sum of lanes stands for, in an average over `divisor` (R-NUM-11). It is
    /// infinite where an IEEE sum would overflow.
    ///
    /// # Panics
    /// If `divisor` is 0.
    pub const fn dequantise(&self, sum: i32, divisor: u32) -> f32 {
        (sum as f64 * self.unit(divisor)) as f32
    }
}

/// The power of two that no sum of n elements exceeds, in lanes of f16 (R-NUM-24).
const HALF_SUM_BITS: i16 = 30;

/// The integer nearest to a value that fits `i32`, ties to even.
pub(crate) const fn round_ties_even(value: f64) -> i32 {
    let truncated = value as i32;
    let rest = (value - truncated as f64).abs();
    let away = rest > 0.5 || (rest == 0.5 && truncated % 2 != 0);
    if !away {
        truncated
    } else if value < 0.0 {
        truncated - 1
    } else {
        truncated + 1
    }
}

/// 2^power, for the normal range of `f64`.
const fn power_of_two(power: i16) -> f64 {
    f64::from_bits(((1023 + power) as u64) << 52)
}

#[cfg(test)]
mod tests;
