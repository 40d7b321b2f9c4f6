//! The wider formats: random folds against the same model, operands far apart, and what the paper
//! says in figures.

extern crate std;

use super::exact::{Model, round};
use crate::fpisa::{
    Adder, Flags, Format, FormatError, Register, Rounding, Step, Variant, WidthError,
};
use proptest::prelude::*;
use std::vec::Vec;

/// An adder, a unit for its [`Model`], and finite operands whose exponents lie within what that
/// unit can hold.
pub fn folds(operands: usize) -> impl Strategy<Value = (Adder, i32, Vec<u32>)> {
    let format =
        prop::sample::select(std::vec![Format::FP32, Format::FP16, Format::BF16, Format::TF32]);
    let variant = prop::sample::select(Variant::ALL.to_vec());
    (format, variant, prop_oneof![Just(32), 25u32..=64], 0u32..=4, 0u32..=255, 1u32..=96)
        .prop_map(|(format, variant, register_bits, guard_bits, top, spread)| {
            let mantissa_bits = format.mantissa_bits();
            let guard_bits = guard_bits.min(register_bits - 2 - mantissa_bits);
            let adder = Adder::new(format, variant, register_bits, guard_bits).unwrap();
            let top = top.min((1 << format.exponent_bits()) - 2);
            // The model's sums stay below 2^120 units: register, mantissa, guard bits and the room
            // below them.
            let spread = spread.min(116 - register_bits - mantissa_bits - guard_bits);
            let bottom = top.saturating_sub(spread);
            (adder, bottom, top)
        })
        .prop_flat_map(move |(adder, bottom, top)| {
            let format = adder.format();
            let mantissa_bits = format.mantissa_bits();
            let fraction =
                prop_oneof![Just(0), Just((1 << mantissa_bits) - 1), 0u32..1 << mantissa_bits];
            let pattern = (any::<bool>(), bottom..=top, fraction).prop_map(
                move |(negative, exponent, fraction)| {
                    u32::from(negative) << (format.bits() - 1)
                        | exponent << mantissa_bits
                        | fraction
                },
            );
            let lowest = bottom.max(1) as i32
                - format.bias()
                - mantissa_bits as i32
                - adder.guard_bits() as i32;
            let base = lowest - mantissa_bits as i32 - 2;
            (Just(adder), Just(base), prop::collection::vec(pattern, 1..=operands))
        })
}

proptest! {
    #[test]
    fn folds_are_what_exact_arithmetic_says((adder, base, operands) in folds(24)) {
        let (mut register, mut model) = (Register::EMPTY, Model::new(adder, base));
        for &bits in &operands {
            let step = adder.add(&mut register, bits);
            prop_assert_eq!((step.movement, step.overflow), model.add(bits));
            prop_assert_eq!(i128::from(register.mantissa), model.mantissa());
            prop_assert_eq!(i32::from(register.exponent), model.exponent);
            let settled = Register { flags: Flags::NONE, ..register };
            for rounding in Rounding::ALL {
                let expected = round(adder.format(), model.value, base, rounding);
                prop_assert_eq!(adder.read(&settled, rounding), expected, "{:?} {:?}", register, rounding);
            }
        }
        prop_assert_eq!(adder.fold(operands.iter().copied()), register);
    }

    #[test]
    fn bits_above_the_format_are_not_looked_at(a: u32, b: u32) {
        for (_, format) in Format::NAMED {
            let mask = u32::MAX >> (32 - format.bits());
            prop_assert_eq!(format.extract(a), format.extract(a & mask));
            prop_assert_eq!(format.multiply(a, b, Rounding::TowardZero), format.multiply(a & mask, b & mask, Rounding::TowardZero));
            prop_assert_eq!(format.minimum(a, b), format.minimum(a & mask, b & mask));
            prop_assert_eq!(format.maximum(a, b), format.maximum(a & mask, b & mask));
        }
    }
}

fn fold(adder: &Adder, operands: &[f32]) -> Register {
    adder.fold(operands.iter().map(|x| x.to_bits()))
}

#[test]
fn what_is_far_below_floors_to_nothing_or_to_one_unit() {
    // R-FPI-8: in both variants, and from either side in `fpisa`.
    let tiny = f32::from_bits(1);
    for (operands, mantissa) in
        [([1.0, tiny], 1 << 23), ([1.0, -tiny], (1 << 23) - 1), ([-1.0, tiny], -(1 << 23))]
    {
        for adder in [Adder::FP32, Adder::FP32_A] {
            assert_eq!(fold(&adder, &operands).mantissa, mantissa);
        }
        assert_eq!(fold(&Adder::FP32, &[operands[1], operands[0]]).mantissa, mantissa);
    }
    let wide = Adder::new(Format::FP32, Variant::Full, 64, 0).unwrap();
    assert_eq!(fold(&wide, &[f32::MAX, -tiny]).mantissa, (1 << 24) - 2);
    assert_eq!(fold(&wide, &[-tiny, f32::MAX]).mantissa, (1 << 24) - 2);
}

#[test]
fn an_overwrite_forgets_a_register_that_had_grown() {
    // R-FPI-15: exponents decide, not values.
    let operands = [1.0, 254.0, 256.0];
    let read =
        |adder: Adder| f32::from_bits(adder.read(&fold(&adder, &operands), Rounding::TowardZero));
    assert_eq!(read(Adder::FP32_A), 256.0);
    assert_eq!(read(Adder::FP32), 511.0);
}

#[test]
fn what_leaves_the_range_is_infinite_in_every_mode() {
    // R-FPI-12
    for rounding in Rounding::ALL {
        let read = |operands: &[f32]| Adder::FP32.read(&fold(&Adder::FP32, operands), rounding);
        assert_eq!(read(&[f32::MAX, f32::MAX]), f32::INFINITY.to_bits());
        assert_eq!(read(&[f32::MIN, f32::MIN]), f32::NEG_INFINITY.to_bits());
        assert_eq!(
            read(&[f32::MAX, f32::MAX, f32::MIN]),
            f32::MAX.to_bits(),
            "a register has no such range"
        );
        let bits = |pattern: u32| f32::from_bits(pattern);
        assert_eq!(
            read(&[bits(0x0080_0000), -bits(0x0080_0001)]),
            0x8000_0001,
            "gradual underflow"
        );
    }
}

#[test]
fn the_widths_are_checked() {
    assert_eq!(Format::new(1, 3, crate::fpisa::Encoding::Ieee), Err(FormatError::ExponentBits(1)));
    assert_eq!(
        Format::new(8, 24, crate::fpisa::Encoding::Ieee),
        Err(FormatError::MantissaBits(24))
    );
    assert_eq!(Adder::new(Format::FP32, Variant::Full, 65, 0), Err(WidthError::TooWide(65)));
    let narrow = WidthError::TooNarrow { register_bits: 27, needed: 28 };
    assert_eq!(Adder::new(Format::FP32, Variant::Full, 27, 3), Err(narrow));
    let overflowing = WidthError::TooNarrow { register_bits: 32, needed: u32::MAX };
    assert_eq!(Adder::new(Format::FP32, Variant::Full, 32, u32::MAX), Err(overflowing));
    // Section 4.3.
    assert_eq!(Adder::FP32_A.headroom(), 7);
    for (name, format) in Format::NAMED {
        assert_eq!(Format::from_name(name), Some(format));
        assert_eq!(
            Format::new(format.exponent_bits(), format.mantissa_bits(), format.encoding()),
            Ok(format)
        );
    }
    assert_eq!(Variant::from_name("fpisa-a"), Some(Variant::Approximate));
    assert_eq!((Variant::from_name("FPISA"), Format::from_name("fp8")), (None, None));
}

#[test]
fn a_hostile_register_reads_without_a_panic() {
    for exponent in [0, 1, 255] {
        for mantissa in [i64::MIN, -1, 0, 1, i64::MAX] {
            for guard_bits in [0, 39] {
                let adder = Adder::new(Format::FP32, Variant::Full, 64, guard_bits).unwrap();
                let mut register = Register { exponent, mantissa, flags: Flags::NONE };
                for rounding in Rounding::ALL {
                    adder.read(&register, rounding);
                }
                let Step { .. } = adder.add(&mut register, u32::MAX >> 2);
            }
        }
    }
}
