//! Groups of one element: the scalar twin of the vectors, and what runs where there are none. Without branches, so that the compiler can
//! vectorise the loop over the groups for its target.

use super::Simd;
use crate::float::{Bf16, F16, Float, canonical};

/// What every processor has.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Simd<1> for Portable {
    type Floats = f32;
    type Integers = i32;

    #[inline(always)]
    fn load_f32(self, from: &[[u8; 4]; 1]) -> f32 {
        f32::from_ne_bytes(from[0])
    }
    #[inline(always)]
    fn load_f16(self, from: &[[u8; 2]; 1]) -> f32 {
        F16::from_ne(from[0]).widen()
    }
    #[inline(always)]
    fn load_bf16(self, from: &[[u8; 2]; 1]) -> f32 {
        Bf16::from_ne(from[0]).widen()
    }
    #[inline(always)]
    fn load_i32(self, from: &[[u8; 4]; 1]) -> i32 {
        i32::from_le_bytes(from[0])
    }

    #[inline(always)]
    fn store_f32(self, x: f32, to: &mut [[u8; 4]; 1]) {
        to[0] = x.to_ne_bytes();
    }
    #[inline(always)]
    fn store_f16(self, x: f32, to: &mut [[u8; 2]; 1]) {
        to[0] = F16::narrow(x).to_ne();
    }
    #[inline(always)]
    fn store_bf16(self, x: f32, to: &mut [[u8; 2]; 1]) {
        to[0] = Bf16::narrow(x).to_ne();
    }
    #[inline(always)]
    fn store_i32(self, integer: i32, to: &mut [[u8; 4]; 1]) {
        to[0] = integer.to_le_bytes();
    }

    #[inline(always)]
    fn sum(self, a: f32, b: f32) -> f32 {
        canonical(a + b)
    }
    #[inline(always)]
    fn product(self, a: f32, b: f32) -> f32 {
        canonical(a * b)
    }
    #[inline(always)]
    fn quotient(self, dividend: f32, divisor: f32) -> f32 {
        canonical(dividend / divisor)
    }

    #[inline(always)]
    fn quantise(self, x: f32, factor: f64, limit: f64) -> i32 {
        let finite = if x.is_finite() { x } else { 0.0 };
        let scaled = f64::from(finite) * factor;
        // The limit is an integer, so it is the same to clamp before rounding or after.
        let low = if scaled < -limit { -limit } else { scaled };
        let clamped = if low > limit { limit } else { low };
        (clamped + super::ROUND).to_bits() as i32
    }
    #[inline(always)]
    fn dequantise(self, sum: i32, unit: f64) -> f32 {
        (f64::from(sum) * unit) as f32
    }
    #[inline(always)]
    fn order(self, x: f32, nan: i32) -> i32 {
        if x.is_nan() { nan } else { invert_negative(x.to_bits() as i32) }
    }
    #[inline(always)]
    fn restore(self, key: i32) -> f32 {
        canonical(f32::from_bits(invert_negative(key) as u32))
    }
}

/// Inverts the lower 31 bits of a negative number; its own inverse.
#[inline(always)]
fn invert_negative(bits: i32) -> i32 {
    bits ^ ((bits >> 31) & i32::MAX)
}
