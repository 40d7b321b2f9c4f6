//! Integers of a block as f16: 16 bits on the wire, 32 in the slot (R-NUM-20 to R-NUM-25).
//!
//! SwitchML, section 4.6: "the switch converts each 16-bit floating-point value in the incoming
//! packets into a fixed-point value and then performs aggregation. When generating responses, the
//! switch converts fixed-point values back into floating-point values."

use crate::block::round_ties_even;
use crate::{f16_from_f32, f16_to_f32};

/// The value of one of the integers in an f16, 2^-15.
pub const HALF_UNIT: f64 = 1.0 / (1u32 << 15) as f64;

/// The integer that a lane of f16 stands for (R-NUM-21): in units of 2^-15, to the nearest one,
/// ties to even. NaN and infinity stand for 0.
pub const fn sum_of_half(lane: u16) -> i32 {
    let x = f16_to_f32(lane);
    if x.is_finite() { round_ties_even(x as f64 / HALF_UNIT) } else { 0 }
}

/// The f16 that stands for a sum of integers (R-NUM-20): rounded to `f32`, then to `f16`.
pub const fn half_of_sum(sum: i32) -> u16 {
    f16_from_f32((sum as f64 * HALF_UNIT) as f32)
}

#[cfg(test)]
mod tests;
