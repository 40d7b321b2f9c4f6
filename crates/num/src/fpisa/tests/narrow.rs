//! The 8-bit formats, exhaustively.

extern crate std;

use super::exact::{Model, is_special, round, value};
use crate::fpisa::{Adder, Flags, Format, Movement, Register, Rounding, Variant};
use std::collections::BTreeSet;
use std::vec::Vec;

const FORMATS: [Format; 2] = [Format::E4M3, Format::E5M2];

/// Headroom and guard bits, and whether the largest register is meant instead: without room, with
/// little, with plenty.
fn adders(format: Format, variant: Variant) -> Vec<Adder> {
    let significant = format.mantissa_bits() + 2;
    let widths = [(significant, 0), (significant + 3, 0), (significant + 4, 2), (32, 0), (64, 5)];
    widths.map(|(bits, guard_bits)| Adder::new(format, variant, bits, guard_bits).unwrap()).to_vec()
}

/// A unit that divides every value, with room for what [`round`] needs.
fn base(adder: &Adder) -> i32 {
    let format = adder.format();
    1 - format.bias() - 2 * (format.mantissa_bits() as i32 + 1) - adder.guard_bits() as i32
}

/// Adds to register and model alike, and compares them.
fn step(adder: &Adder, register: &mut Register, model: &mut Model, bits: u32) {
    let flags = register.flags;
    let before = *register;
    let step = adder.add(register, bits);
    if is_special(adder.format(), bits) {
        assert_eq!((step.movement, step.overflow), (Movement::Special, false));
        assert_eq!((register.exponent, register.mantissa), (before.exponent, before.mantissa));
        return;
    }
    assert_eq!(
        (step.movement, step.overflow),
        model.add(bits),
        "{before:?} + {bits:#x} in {adder:?}"
    );
    assert_eq!(
        i128::from(register.mantissa),
        model.mantissa(),
        "{before:?} + {bits:#x} in {adder:?}"
    );
    assert_eq!(i32::from(register.exponent), model.exponent, "{before:?} + {bits:#x} in {adder:?}");
    let overflow = if step.overflow { Flags::OVERFLOW } else { Flags::NONE };
    assert_eq!(register.flags, flags.union(overflow));
}

fn model_of(adder: &Adder, register: &Register) -> Model {
    let mut model = Model::new(*adder, base(adder));
    if register.mantissa != 0 {
        model.value = i128::from(register.mantissa) * model.unit(i32::from(register.exponent));
    }
    model.exponent = i32::from(register.exponent);
    model
}

/// Every register that two operands lead to, each checked on the way, without flags.
fn after_pairs(adder: &Adder) -> BTreeSet<(u8, i64)> {
    let mut registers = BTreeSet::new();
    for first in 0..256 {
        for second in 0..256 {
            let (mut register, mut model) = (Register::EMPTY, Model::new(*adder, base(adder)));
            step(adder, &mut register, &mut model, first);
            step(adder, &mut register, &mut model, second);
            registers.insert((register.exponent, register.mantissa));
        }
    }
    registers
}

fn check_reads(adder: &Adder, registers: &BTreeSet<(u8, i64)>) {
    for &(exponent, mantissa) in registers {
        let register = Register { exponent, mantissa, flags: Flags::NONE };
        let exact = model_of(adder, &register).value;
        for rounding in Rounding::ALL {
            let expected = round(adder.format(), exact, base(adder), rounding);
            assert_eq!(
                adder.read(&register, rounding),
                expected,
                "{register:?}, {rounding:?} in {adder:?}"
            );
        }
    }
}

#[test]
fn every_pair_folds_and_reads_as_exact_arithmetic_says() {
    // R-FPI-3, R-FPI-5 to 13
    for format in FORMATS {
        for variant in Variant::ALL {
            for adder in adders(format, variant) {
                check_reads(&adder, &after_pairs(&adder));
            }
        }
    }
}

#[test]
fn every_triple_folds_and_reads_as_exact_arithmetic_says() {
    // What a third operand does depends on the register only, so every register that a pair leads
    // to stands for all pairs that do.
    for format in FORMATS {
        for variant in Variant::ALL {
            for adder in &adders(format, variant)[1..3] {
                let mut registers = BTreeSet::new();
                for (exponent, mantissa) in after_pairs(adder) {
                    for third in 0..256 {
                        let mut register = Register { exponent, mantissa, flags: Flags::NONE };
                        let mut model = model_of(adder, &register);
                        step(adder, &mut register, &mut model, third);
                        registers.insert((register.exponent, register.mantissa));
                    }
                }
                check_reads(adder, &registers);
            }
        }
    }
}

#[test]
fn flags_settle_a_read() {
    // R-FPI-4, R-FPI-10
    for format in FORMATS {
        let adder = Adder::new(format, Variant::Full, 32, 0).unwrap();
        let infinity = format.infinity().unwrap_or(format.nan());
        let negative = if format.infinity().is_some() { infinity | 0x80 } else { infinity };
        for bits in 0..16 {
            let flags = Flags::from_bits(bits);
            let has = |flag: Flags| flags.contains(flag);
            let expected = match (
                has(Flags::NAN),
                has(Flags::POSITIVE_INFINITY),
                has(Flags::NEGATIVE_INFINITY),
            ) {
                (true, ..) | (_, true, true) => format.nan(),
                (_, true, false) => infinity,
                (_, false, true) => negative,
                _ if has(Flags::OVERFLOW) => format.nan(),
                _ => 0x11,
            };
            let (exponent, fraction) =
                (0x11 >> format.mantissa_bits(), 0x11 & ((1 << format.mantissa_bits()) - 1));
            let mantissa = fraction + (1 << format.mantissa_bits());
            let register = Register { exponent, mantissa, flags };
            assert_eq!(
                adder.read(&register, Rounding::TowardZero),
                expected,
                "{format:?} {flags:?}"
            );
        }
    }
}

#[test]
fn special_operands_set_their_flag() {
    // R-FPI-1, R-FPI-4
    for (format, bits, expected) in [
        (Format::E5M2, 0x7C, Flags::POSITIVE_INFINITY),
        (Format::E5M2, 0xFC, Flags::NEGATIVE_INFINITY),
        (Format::E5M2, 0x7D, Flags::NAN),
        (Format::E5M2, 0xFF, Flags::NAN),
        (Format::E4M3, 0x7F, Flags::NAN),
        (Format::E4M3, 0xFF, Flags::NAN),
        (Format::E4M3, 0x7E, Flags::NONE),
        (Format::E4M3, 0x78, Flags::NONE),
    ] {
        assert_eq!(format.extract(bits).flags, expected, "{bits:#x}");
    }
    // OCP 8-bit floating point, table 1.
    let (e4m3, e5m2) = (Format::E4M3, Format::E5M2);
    assert_eq!((value(e4m3, e4m3.largest(), 0), value(e5m2, e5m2.largest(), 0)), (448, 57344));
}
