//! The error of a sum: R-FPI-14 to 18, against the exact sum.

extern crate std;

use super::exact::{Model, value};
use super::wide::folds;
use crate::fpisa::{Adder, Format, Movement, Register, Rounding, Variant};
use proptest::prelude::*;

proptest! {
    #[test]
    fn sums_are_within_their_bounds((adder, base, operands) in folds(40)) {
        let (mut register, mut model) = (Register::EMPTY, Model::new(adder, base));
        let format = adder.format();
        let mut exact = 0;
        for &bits in &operands {
            if adder.add(&mut register, bits).overflow {
                return Ok(());
            }
            model.add(bits);
            exact += value(format, bits, base);
        }
        // R-FPI-14 and 15: what is missing is what right shifts floored and what was overwritten.
        let largest = operands.iter().map(|&bits| i32::from(format.extract(bits).exponent)).max().unwrap();
        let (shifts, unit) = (operands.len() as i128 - 1, model.unit(largest));
        let floored = exact - model.dropped - model.value;
        prop_assert!(floored >= 0 && (floored < shifts * unit || floored == 0), "{} of {}", floored, unit);
        if adder.variant() == Variant::Full {
            prop_assert_eq!(model.dropped, 0);
        }
        // R-FPI-18, for results within the range: half of their last place.
        let read = adder.read(&register, Rounding::NearestEven);
        if (1..=format.largest()).contains(&(read & (u32::MAX >> (33 - format.bits())))) {
            let exponent = i32::from(format.extract(read).exponent);
            let last_place = model.unit(exponent) << adder.guard_bits();
            let error = (value(format, read, base) - model.value).abs();
            prop_assert!(2 * error <= last_place, "{:#x}: {} of {}", read, error, last_place);
        }
    }

    #[test]
    fn an_overwrite_drops_no_more_than_the_operand((adder, base, operands) in folds(24)) {
        // R-FPI-15
        let (mut register, mut model) = (Register::EMPTY, Model::new(adder, base));
        let (mut held, mut moved_left) = (0, false);
        for &bits in &operands {
            let dropped = model.dropped;
            if adder.add(&mut register, bits).overflow {
                return Ok(());
            }
            let (movement, _) = model.add(bits);
            // 2^(x - B): the leading one of the operand, were it normal.
            let leading = model.unit(model.exponent) << (adder.format().mantissa_bits() + adder.guard_bits());
            let dropped = (model.dropped - dropped).abs();
            prop_assert!(dropped <= leading);
            match movement {
                Movement::Overwritten => {
                    prop_assert!(moved_left || dropped < held * (leading >> adder.headroom()));
                    (held, moved_left) = (1, false);
                }
                Movement::First => (held, moved_left) = (1, false),
                Movement::IncomingLeft => moved_left = true,
                _ => held += 1,
            }
        }
    }

    #[test]
    fn the_order_of_two_matters_only_to_the_approximate_variant((adder, _, operands) in folds(2)) {
        // R-FPI-17
        if adder.variant() == Variant::Full && !adder.fold(operands.iter().copied()).overflowed() {
            let forward = adder.fold(operands.iter().copied());
            prop_assert_eq!(forward, adder.fold(operands.iter().rev().copied()));
        }
    }

    #[test]
    fn near_exponents_leave_room_in_the_approximate_variant(
        spread in 0u32..=7, top in 8u32..=254, negative: bool, picks in prop::collection::vec((0u32..=7, 0u32..1 << 23), 128)
    ) {
        // R-FPI-16: 2^(H - s) operands of one sign, the worst case, with exponents within s.
        let operands = picks.iter().take(1 << (7 - spread)).map(|&(below, fraction)| {
            u32::from(negative) << 31 | (top - below.min(spread)) << 23 | fraction
        });
        prop_assert!(!Adder::FP32_A.fold(operands).overflowed());
    }
}

#[test]
fn the_capacity_is_sharp() {
    // R-FPI-16: that many of the largest operands fit, of either sign, and one more does not if it
    // is positive.
    for (format, register_bits, guard_bits) in [
        (Format::FP32, 32, 0),
        (Format::FP32, 32, 3),
        (Format::FP16, 16, 0),
        (Format::BF16, 16, 2),
        (Format::E4M3, 8, 0),
        (Format::E5M2, 16, 4),
    ] {
        let adder = Adder::new(format, Variant::Full, register_bits, guard_bits).unwrap();
        let capacity = adder.capacity();
        assert!(capacity >= 1 << adder.headroom());
        // The largest mantissa; under the top exponent it would be a NaN in some formats.
        let largest = 2 << format.mantissa_bits() | ((1 << format.mantissa_bits()) - 1);
        for bits in [largest, largest | 1 << (format.bits() - 1)] {
            let full = adder.fold((0..capacity).map(|_| bits));
            assert!(!full.overflowed(), "{adder:?}");
        }
        assert!(adder.fold((0..=capacity).map(|_| largest)).overflowed(), "{adder:?}");
    }
    assert_eq!(Adder::FP32.capacity(), 128, "section 3.3");
}

#[test]
fn two_operands_overflow_the_approximate_variant() {
    // R-FPI-16: the largest mantissa, and one seven exponents higher.
    let operands = [f32::from_bits(0x3FFF_FFFF), f32::from_bits(0x437F_FFFF)].map(f32::to_bits);
    assert!(Adder::FP32_A.fold(operands).overflowed());
    assert!(!Adder::FP32.fold(operands).overflowed());
}

#[test]
fn a_register_of_64_bits_overflows_as_others_do() {
    // R-FPI-9: two of 2^62.. make more than 2^63 - 1; the third operand does not clear the flag.
    let adder = Adder::new(Format::FP32, Variant::Approximate, 64, 0).unwrap();
    let large = 1.75 * 2f32.powi(39);
    let mut register = adder.fold([1.0, large].map(f32::to_bits));
    assert_eq!((register.mantissa, register.overflowed()), ((7 << 60) + (1 << 23), false));
    assert!(adder.add(&mut register, large.to_bits()).overflow);
    assert_eq!(register.mantissa, (7i64 << 61) + (1 << 23), "wrapped around");
    assert!(!adder.add(&mut register, 1f32.to_bits()).overflow);
    assert!(register.overflowed());
}
