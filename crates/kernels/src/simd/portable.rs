//! Groups of one element: the scalar twin of the vectors, which also runs on processors without
//! them. It has no branches, so that the compiler can vectorise the loop over the groups for its
//! target.

use super::Simd;
use crate::float::{Bf16, F16, Float, canonical};

/// The operations that every processor has.
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
    fn load_first_f32(self, from: &[[u8; 4]]) -> f32 {
        from.first().map_or(0.0, |x| f32::from_ne_bytes(*x))
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
    fn store_first_f32(self, x: f32, to: &mut [[u8; 4]]) {
        if let Some(first) = to.first_mut() {
            *first = x.to_ne_bytes();
        }
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
    fn splat_f32(self, x: f32) -> f32 {
        x
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
    fn to_integers(self, x: f32) -> i32 {
        let finite = if x.is_finite() { x } else { 0.0 };
        (f64::from(finite) + super::ROUND).to_bits() as i32
    }
    #[inline(always)]
    fn to_floats(self, integer: i32) -> f32 {
        integer as f32
    }
    #[inline(always)]
    fn order(self, x: f32, nan: i32) -> i32 {
        if x.is_nan() { nan } else { invert_negative(x.to_bits() as i32) }
    }
    #[inline(always)]
    fn restore(self, key: i32) -> f32 {
        canonical(f32::from_bits(invert_negative(key) as u32))
    }

    #[inline(always)]
    fn load_u8(self, from: &[u8; 1]) -> i32 {
        from[0].into()
    }
    #[inline(always)]
    fn load_i16(self, from: &[[u8; 2]; 1]) -> i32 {
        i16::from_le_bytes(from[0]).into()
    }
    #[inline(always)]
    fn store_u8(self, integer: i32, to: &mut [u8; 1]) {
        to[0] = integer as u8;
    }
    #[inline(always)]
    fn store_u16(self, integer: i32, to: &mut [[u8; 2]; 1]) {
        to[0] = (integer as u16).to_le_bytes();
    }

    #[inline(always)]
    fn splat(self, integer: i32) -> i32 {
        integer
    }
    #[inline(always)]
    fn plus(self, a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn minus(self, a: i32, b: i32) -> i32 {
        a.wrapping_sub(b)
    }
    #[inline(always)]
    fn and(self, a: i32, b: i32) -> i32 {
        a & b
    }
    #[inline(always)]
    fn or(self, a: i32, b: i32) -> i32 {
        a | b
    }
    #[inline(always)]
    fn xor(self, a: i32, b: i32) -> i32 {
        a ^ b
    }
    #[inline(always)]
    fn unless(self, mask: i32, a: i32) -> i32 {
        !mask & a
    }
    #[inline(always)]
    fn select(self, mask: i32, a: i32, b: i32) -> i32 {
        (mask & a) | (!mask & b)
    }
    #[inline(always)]
    fn larger(self, a: i32, b: i32) -> i32 {
        a.max(b)
    }
    #[inline(always)]
    fn smaller_unsigned(self, a: i32, b: i32) -> i32 {
        (a as u32).min(b as u32) as i32
    }
    #[inline(always)]
    fn equal(self, a: i32, b: i32) -> i32 {
        -i32::from(a == b)
    }
    #[inline(always)]
    fn above(self, a: i32, b: i32) -> i32 {
        -i32::from(a > b)
    }
    #[inline(always)]
    fn left(self, a: i32, by: i32) -> i32 {
        if (by as u32) < 32 { a << by } else { 0 }
    }
    #[inline(always)]
    fn right_unsigned(self, a: i32, by: i32) -> i32 {
        if (by as u32) < 32 { (a as u32 >> by) as i32 } else { 0 }
    }
    #[inline(always)]
    fn right(self, a: i32, by: i32) -> i32 {
        a >> (by as u32).min(31)
    }
    #[inline(always)]
    fn with_sign(self, a: i32, sign: i32) -> i32 {
        let negative = sign >> 31;
        (a ^ negative).wrapping_sub(negative)
    }
    #[inline(always)]
    fn truncated(self, a: i32) -> i32 {
        // An `f32` holds 24 bits from the leading one down. Where there are more, the next one is
        // what decides about rounding: it goes. 2^31 is a negative integer here.
        let converted = (a & !(a as u32 >> 24) as i32) as f32;
        converted.abs().to_bits() as i32
    }
    #[inline(always)]
    fn any_negative(self, a: i32) -> bool {
        a < 0
    }
}

/// Inverts the lower 31 bits of a negative number; its own inverse.
#[inline(always)]
fn invert_negative(bits: i32) -> i32 {
    bits ^ ((bits >> 31) & i32::MAX)
}
