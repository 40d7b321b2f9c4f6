//! Comparison, conversion, multiplication, logarithm and square root.

extern crate std;

use super::exact::{is_special, round, value};
use crate::fpisa::multiply::by_quarter_squares;
use crate::fpisa::{
    Format, LOG2_TABLE_BYTES, QUARTER_SQUARES_BYTES, Rounding, SQUARE_ROOT_TABLE_BYTES,
};
use crate::{Fold, Operation, bf16_to_f32, f16_from_f32, f16_to_f32};
use half::{bf16, f16};
use proptest::prelude::*;
use std::cmp::Ordering;

const SHORT: [Format; 2] = [Format::E4M3, Format::E5M2];
const UP_TO_TEN: [Format; 5] =
    [Format::FP16, Format::BF16, Format::TF32, Format::E4M3, Format::E5M2];

/// The value of any pattern, NaN and infinities included.
fn float(format: Format, bits: u32) -> f64 {
    let negative = bits >> (format.bits() - 1) & 1 == 1;
    if is_special(format, bits) {
        let infinite = format.infinity() == Some(bits & (u32::MAX >> (33 - format.bits())));
        return if !infinite {
            f64::NAN
        } else if negative {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
    }
    // In units of 2^-149, and not in one step, which would leave the range of `f64`.
    let lowest = 1 - format.bias() - format.mantissa_bits() as i32;
    let exponent =
        ((bits >> format.mantissa_bits()) & ((1 << format.exponent_bits()) - 1)).max(1) as i32;
    let magnitude =
        value(format, bits, lowest + exponent - 1).abs() as f64 * 2f64.powi(lowest + exponent - 1);
    if negative { -magnitude } else { magnitude }
}

/// The patterns that stand for the value of an `f64` in a format: all NaN are one.
fn check(format: Format, got: u32, expected: f64) {
    if expected.is_nan() || (expected.is_infinite() && format.infinity().is_none()) {
        assert_eq!(got, format.nan());
    } else {
        assert_eq!(float(format, got).to_bits(), expected.to_bits());
    }
}

#[test]
fn integers_order_all_short_floats() {
    // R-FPI-20
    for format in SHORT {
        for a in 0..256 {
            for b in 0..256 {
                let (x, y) = (float(format, a), float(format, b));
                let expected = if x.is_nan() || y.is_nan() { None } else { Some(x.total_cmp(&y)) };
                assert_eq!(format.compare(a, b), expected);
                let smaller = expected
                    .map_or(f64::NAN, |order| if order == Ordering::Greater { y } else { x });
                let larger = expected
                    .map_or(f64::NAN, |order| if order == Ordering::Greater { x } else { y });
                check(format, format.minimum(a, b), smaller);
                check(format, format.maximum(a, b), larger);
            }
        }
    }
}

#[test]
fn all_products_of_short_floats_round_once() {
    // R-FPI-21. The exact product is a multiple of the square of the smallest subnormal.
    for format in SHORT {
        let lowest = 1 - format.bias() - format.mantissa_bits() as i32;
        let base = 2 * lowest - format.mantissa_bits() as i32 - 2;
        for a in 0..256 {
            for b in 0..256 {
                for rounding in Rounding::ALL {
                    let got = format.multiply(a, b, rounding);
                    let product = float(format, a) * float(format, b);
                    if !product.is_finite() || product == 0.0 {
                        check(format, got, product);
                        continue;
                    }
                    let exact = value(format, a, lowest) * value(format, b, lowest);
                    let expected = round(format, exact << (2 * lowest - base), base, rounding);
                    assert_eq!(got, expected, "{a:#x} * {b:#x}, {rounding:?}");
                }
            }
        }
    }
}

#[test]
fn quarter_squares_multiply_all_mantissas() {
    for m in 0..2048u32 {
        for n in 0..2048 {
            assert_eq!(by_quarter_squares(m, n), u64::from(m * n));
        }
    }
    assert_eq!(QUARTER_SQUARES_BYTES, 16 << 10);
}

#[test]
fn roots_are_correctly_rounded_up_to_ten_mantissa_bits() {
    // R-FPI-23. The exact root is at least 2^-24 of its value away from where rounding changes, so
    // the root in `f64` rounds alike.
    for format in UP_TO_TEN {
        for bits in 0..1 << format.bits() {
            let x = float(format, bits);
            let got = format.square_root(bits);
            if !(x > 0.0 && x.is_finite()) {
                check(format, got, x.sqrt());
                continue;
            }
            let root = x.sqrt();
            let (exponent, base) = (root.log2().floor() as i32, root.log2().floor() as i32 - 52);
            let exact = (root * 2f64.powi(52 - exponent)) as i128;
            assert_eq!(got, round(format, exact, base, Rounding::NearestEven), "{x:e}");
        }
    }
    assert_eq!(SQUARE_ROOT_TABLE_BYTES, 2049 * 4);
}

#[test]
fn logarithms_are_within_half_a_unit_up_to_ten_mantissa_bits() {
    // R-FPI-22; the oracle's own error is far below 2^-40.
    let bound = 2f64.powi(-17) + 2f64.powi(-30) + 2f64.powi(-40);
    for format in UP_TO_TEN {
        for bits in 0..1 << format.bits() {
            let x = float(format, bits);
            match format.log2(bits) {
                Some(logarithm) => {
                    assert!((f64::from(logarithm) / 65536.0 - x.log2()).abs() <= bound, "{x:e}")
                }
                None => assert!(!(x > 0.0 && x.is_finite())),
            }
        }
    }
    assert_eq!(LOG2_TABLE_BYTES, 1025 * 4);
}

fn check_wide_functions(bits: u32) {
    let x = f64::from(f32::from_bits(bits));
    let logarithm = f64::from(Format::FP32.log2(bits).expect("the operand is positive")) / 65536.0;
    let bound = 2f64.powi(-11) / core::f64::consts::LN_2 + 2f64.powi(-17) + 2f64.powi(-30);
    assert!((logarithm - x.log2()).abs() <= bound, "{x:e}");
    assert!(bound < 7.13e-4);
    let root = f64::from(f32::from_bits(Format::FP32.square_root(bits)));
    let bound = 2f64.powi(-12) + 2f64.powi(-22) + 2f64.powi(-24);
    assert!((root / x.sqrt() - 1.0).abs() <= bound, "{x:e}");
}

#[test]
fn functions_of_fp32_are_within_their_bounds_at_the_edges_of_every_step() {
    // R-FPI-22, R-FPI-23: around each entry, and where the nearest entry changes, in an even and an
    // odd exponent.
    for exponent in [127u32, 128] {
        for step in 0..1024u32 {
            for offset in [0, 1, 4095, 4096, 4097, 8191] {
                check_wide_functions(exponent << 23 | step << 13 | offset);
            }
        }
    }
    for bits in [1, 2, 3, 0x007F_FFFF, 0x0080_0000, 0x7F7F_FFFF] {
        check_wide_functions(bits);
    }
}

#[test]
fn sixteen_bits_widen_as_the_formats_say() {
    for bits in 0..=u16::MAX {
        for (format, expected) in
            [(Format::FP16, f16_to_f32(bits)), (Format::BF16, bf16_to_f32(bits))]
        {
            let got = format.convert(u32::from(bits), Format::FP32, Rounding::TowardZero);
            assert_eq!(got, if expected.is_nan() { 0x7FC0_0000 } else { expected.to_bits() });
            assert_eq!(
                format.convert(u32::from(bits), format, Rounding::TowardPositive),
                if expected.is_nan() { format.nan() } else { u32::from(bits) }
            );
        }
    }
}

proptest! {
    #[test]
    fn products_of_jobs_are_those_of_the_tables(a: u32, b: u32) {
        // R-NUM-2: a switch multiplies floats as R-FPI-21 does, to nearest even.
        let product = |format: Format| format.multiply(a, b, Rounding::NearestEven);
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        prop_assert_eq!(x.fold(Operation::Product, y).to_bits(), product(Format::FP32));
        let halves = [a, b].map(|bits| f16::from_bits(bits as u16));
        let folded = halves[0].fold(Operation::Product, halves[1]).to_bits();
        prop_assert_eq!(u32::from(folded), product(Format::FP16));
        let short = [a, b].map(|bits| bf16::from_bits(bits as u16));
        let exact = short.map(f64::from).iter().product::<f64>().abs();
        // Below, FP32 rounds first (R-NUM-4).
        if exact.is_nan() || exact == 0.0 || exact >= f64::from(f32::MIN_POSITIVE) {
            let folded = short[0].fold(Operation::Product, short[1]).to_bits();
            prop_assert_eq!(u32::from(folded), product(Format::BF16));
        }
    }

    #[test]
    fn fp32_narrows_to_nearest(bits: u32) {
        let nearest = u32::from(f16_from_f32(f32::from_bits(bits)));
        prop_assert_eq!(Format::FP32.convert(bits, Format::FP16, Rounding::NearestEven), nearest);
    }

    #[test]
    fn fp32_multiplies_as_ieee_says(a: u32, b: u32) {
        let product = f32::from_bits(a) * f32::from_bits(b);
        let expected = if product.is_nan() { 0x7FC0_0000 } else { product.to_bits() };
        prop_assert_eq!(Format::FP32.multiply(a, b, Rounding::NearestEven), expected);
    }

    #[test]
    fn sixteen_bits_multiply_as_exact_arithmetic_says(a: u16, b: u16) {
        // `f64` holds every product of two; its range is wide enough for both formats.
        for format in [Format::FP16, Format::BF16] {
            let (a, b) = (u32::from(a), u32::from(b));
            let product = float(format, a) * float(format, b);
            for rounding in Rounding::ALL {
                let got = format.multiply(a, b, rounding);
                if !product.is_finite() || product == 0.0 {
                    check(format, got, product);
                } else {
                    let power = product.abs().log2().floor() as i32;
                    let exact = (product * 2f64.powi(60 - power)) as i128;
                    prop_assert_eq!(got, round(format, exact, power - 60, rounding));
                }
            }
        }
    }

    #[test]
    fn functions_of_fp32_are_within_their_bounds(bits in 1u32..0x7F80_0000) {
        check_wide_functions(bits);
    }
}
