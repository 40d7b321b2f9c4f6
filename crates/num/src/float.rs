//! The narrow float formats, with one NaN each.
//!
//! Widening is exact. Narrowing rounds to nearest, ties to even, and overflows to infinity. A NaN
//! narrows to the canonical one of the format (R-NUM-1), so that results do not depend on what a
//! processor does with payloads.

use half::{bf16, f16};

/// The `f32` with the value of an `f16` pattern.
pub const fn f16_to_f32(bits: u16) -> f32 {
    f16::from_bits(bits).to_f32_const()
}

/// The `f16` pattern nearest to an `f32`.
pub const fn f16_from_f32(x: f32) -> u16 {
    if x.is_nan() { f16::NAN.to_bits() } else { f16::from_f32_const(x).to_bits() }
}

/// The `f32` with the value of a `bf16` pattern.
pub const fn bf16_to_f32(bits: u16) -> f32 {
    bf16::from_bits(bits).to_f32_const()
}

/// The `bf16` pattern nearest to an `f32`.
pub const fn bf16_from_f32(x: f32) -> u16 {
    if x.is_nan() { bf16::NAN.to_bits() } else { bf16::from_f32_const(x).to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_nans_are_the_quiet_positive_ones() {
        // R-NUM-1
        assert_eq!(f32::NAN.to_bits(), 0x7FC0_0000);
        assert_eq!(f64::NAN.to_bits(), 0x7FF8_0000_0000_0000);
        assert_eq!(f16_from_f32(f32::from_bits(0xFF80_0001)), 0x7E00);
        assert_eq!(bf16_from_f32(f32::from_bits(0xFF80_0001)), 0x7FC0);
    }

    #[test]
    fn narrowing_undoes_widening() {
        for bits in 0..=u16::MAX {
            let (half, brain) = (f16_to_f32(bits), bf16_to_f32(bits));
            assert_eq!(f16_from_f32(half), if half.is_nan() { 0x7E00 } else { bits });
            assert_eq!(bf16_from_f32(brain), if brain.is_nan() { 0x7FC0 } else { bits });
        }
    }
}
