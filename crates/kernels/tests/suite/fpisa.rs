//! R-FPI, R-LOG: planes of registers at every level, against the scalar reference one register at a
//! time.

use crate::tensors::in_order;
use netfold_kernels::{FPISA_REGISTER_BYTES, Kernels, add_by_table};
use netfold_num::fpisa::{Adder, Flags, Register, Rounding};
use netfold_num::logtable;
use netfold_num::{ByteOrder, ElementType};
use proptest::prelude::*;

const ADDERS: [(ElementType, Adder); 6] = [
    (ElementType::F32, Adder::FP32),
    (ElementType::F32, Adder::FP32_A),
    (ElementType::F16, Adder::FP16),
    (ElementType::F16, Adder::FP16_A),
    (ElementType::Bf16, Adder::BF16),
    (ElementType::Bf16, Adder::BF16_A),
];

/// Operands as they are hard: any bits, and exponents close to each other, so that mantissas
/// cancel, grow and overflow.
fn operand() -> impl Strategy<Value = u32> {
    let near = (any::<u32>(), 0..12u32)
        .prop_map(|(bits, exponent)| (bits & 0x807F_FFFF) | (120 + exponent) << 23);
    prop_oneof![
        2 => any::<u32>(),
        6 => near,
        1 => prop::sample::select(vec![0, 0x8000_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 1, 0x807F_FFFF, 0x7F7F_FFFF]),
    ]
}

/// The pattern of an operand in a lane's type: the upper half is what is varied for the shorter
/// ones, too.
fn pattern(lane: ElementType, operand: u32) -> u32 {
    match lane {
        ElementType::F32 => operand,
        ElementType::Bf16 => operand >> 16,
        // Five bits of exponent around their middle.
        _ => (operand >> 16 & 0x8000) | ((operand >> 23 & 0x1F) << 10) | (operand >> 13 & 0x3FF),
    }
}

fn lanes(lane: ElementType, order: ByteOrder, patterns: &[u32]) -> Vec<u8> {
    in_order(
        lane,
        order,
        patterns
            .iter()
            .flat_map(|pattern| pattern.to_le_bytes()[..lane.bytes()].to_vec())
            .collect(),
    )
}

/// The registers of the reference, as the kernels keep them.
fn planes(registers: &[Register]) -> Vec<u8> {
    let mantissas = registers
        .iter()
        .flat_map(|register| i32::try_from(register.mantissa).expect("32 bits").to_ne_bytes());
    let exponents = registers.iter().map(|register| register.exponent);
    mantissas
        .chain(exponents)
        .chain(registers.iter().map(|register| register.flags.to_bits()))
        .collect()
}

/// The kernels at every level, for lanes in either order (R-NUM-19).
fn variants() -> impl Iterator<Item = (Kernels, ByteOrder)> {
    Kernels::available().flat_map(|kernels| ByteOrder::ALL.map(|order| (kernels, order)))
}

/// One more step by the kernels at every level, from registers of the reference to registers of the
/// reference.
fn check_step(
    lane: ElementType,
    adder: Adder,
    before: Option<&[Register]>,
    patterns: &[u32],
    after: &[Register],
) {
    let expected = planes(after);
    let read: Vec<u32> =
        after.iter().map(|register| adder.read(register, Rounding::TowardZero)).collect();
    for (kernels, order) in variants() {
        let (input, read) = (lanes(lane, order, patterns), lanes(lane, order, &read));
        let mut registers = before.map_or_else(|| vec![0xAA; expected.len()], planes);
        let overflow = kernels.add_to_registers(
            lane,
            order,
            adder.variant(),
            before.is_none(),
            &mut registers,
            &input,
        );
        assert!(
            registers == expected,
            "{lane} {order} {} {}",
            adder.variant().name(),
            kernels.level()
        );
        assert_eq!(overflow, after.iter().position(Register::overflowed));
        let mut result = vec![0xAA; input.len()];
        kernels.read_registers(lane, order, &registers, &mut result);
        assert!(result == read, "{lane} {order} {} {}", adder.variant().name(), kernels.level());
    }
}

/// The adders of 16-bit floats.
fn halves() -> impl Iterator<Item = (ElementType, Adder)> {
    ADDERS.into_iter().filter(|(lane, _)| lane.bytes() == 2)
}

fn added(adder: Adder, before: &[Register], patterns: &[u32]) -> Vec<Register> {
    let mut after = before.to_vec();
    for (register, pattern) in after.iter_mut().zip(patterns) {
        let _ = adder.add(register, *pattern);
    }
    after
}

#[test]
fn every_half_alone_and_after_each_of_some() {
    // Zeros, the ends of the subnormal, normal and special ranges of either format, and numbers
    // between them: exponents that are equal, near, and further apart than any shift; mantissas of
    // one bit, of all bits, and cancelling.
    const FIRST: [u16; 26] = [
        0x0000, 0x8000, 0x0001, 0x8001, 0x007F, 0x0080, 0x03FF, 0x0400, 0x07FF, 0x3C00, 0xBC00,
        0x3C01, 0x3F80, 0xBF81, 0x5555, 0xAAAA, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E01, 0x7F7F,
        0xFF7F, 0x7F80, 0xFF80, 0x7FC1,
    ];
    let patterns: Vec<u32> = (0..=u16::MAX).map(u32::from).collect();
    for (lane, adder) in halves() {
        let empty = vec![Register::EMPTY; patterns.len()];
        check_step(lane, adder, None, &patterns, &added(adder, &empty, &patterns));
        for first in FIRST {
            let before = added(adder, &empty, &vec![first.into(); patterns.len()]);
            check_step(lane, adder, Some(&before), &patterns, &added(adder, &before, &patterns));
        }
    }
}

#[test]
fn every_pair_of_exponents_and_signs_with_mantissas_at_the_edges() {
    // What a step decides depends on exponents, signs and on whether a mantissa is zero; what it
    // loses on the lowest and the highest bits.
    for (lane, adder) in halves() {
        let mantissa_bits = adder.format().mantissa_bits();
        let fractions = [0, 1, (1 << mantissa_bits) - 1];
        let patterns: Vec<u32> = (0..1u32 << (16 - mantissa_bits))
            .flat_map(|upper| fractions.map(|fraction| upper << mantissa_bits | fraction))
            .collect();
        let (a, b): (Vec<u32>, Vec<u32>) =
            patterns.iter().flat_map(|&a| patterns.iter().map(move |&b| (a, b))).unzip();
        let before = added(adder, &vec![Register::EMPTY; a.len()], &a);
        let after = added(adder, &before, &b);
        check_step(lane, adder, Some(&before), &b, &after);
        // The third finds registers that are zero under an exponent, and mantissas that are longer
        // than an operand's.
        check_step(lane, adder, Some(&after), &a, &added(adder, &after, &a));
    }
}

#[test]
fn every_combination_of_flags_reads_as_the_reference() {
    // R-FPI-10: an infinity outweighs an overflow, NaN and both infinities outweigh all.
    for (lane, adder) in ADDERS {
        let registers: Vec<Register> = (0..16u8)
            .flat_map(|flags| {
                [-3, 0, 5].map(|mantissa| Register {
                    exponent: 9,
                    mantissa,
                    flags: Flags::from_bits(flags),
                })
            })
            .collect();
        let expected: Vec<u32> =
            registers.iter().map(|register| adder.read(register, Rounding::TowardZero)).collect();
        for (kernels, order) in variants() {
            let mut read = vec![0; registers.len() * lane.bytes()];
            kernels.read_registers(lane, order, &planes(&registers), &mut read);
            assert_eq!(read, lanes(lane, order, &expected), "{lane} {order} {}", kernels.level());
        }
    }
}

#[test]
fn every_exponent_and_leading_bit_reads_as_the_reference() {
    for (lane, adder) in ADDERS {
        let magnitudes = (0..=31).flat_map(|bit| {
            let power = 1i64 << bit;
            [power, power + 1, power - 1, power | power >> 1, power / 3 * 2]
        });
        let mantissas = magnitudes
            .flat_map(|magnitude| [magnitude, -magnitude])
            .filter(|m| i32::try_from(*m).is_ok());
        // Exponents that operands have, and that of an empty register.
        let exponents = 0..(1u32 << adder.format().exponent_bits()) - 1;
        let registers: Vec<Register> = mantissas
            .flat_map(|mantissa| exponents.clone().map(move |exponent| (mantissa, exponent as u8)))
            .map(|(mantissa, exponent)| Register { exponent, mantissa, flags: Flags::NONE })
            .filter(|register| register.exponent > 0 || register.mantissa == 0)
            .collect();
        let expected: Vec<u32> =
            registers.iter().map(|register| adder.read(register, Rounding::TowardZero)).collect();
        for (kernels, order) in variants() {
            let mut read = vec![0; registers.len() * lane.bytes()];
            kernels.read_registers(lane, order, &planes(&registers), &mut read);
            assert!(read == lanes(lane, order, &expected), "{lane} {order} {}", kernels.level());
        }
    }
}

proptest! {
    /// Every register after every step, the first overflow, and the floats that the registers read
    /// as.
    #[test]
    fn registers_are_those_of_the_reference(
        which in 0..ADDERS.len(),
        operands in prop::collection::vec(prop::collection::vec(operand(), 70), 1..12),
        count in 0..=70usize,
        dirt: u8,
    ) {
        let (lane, adder) = ADDERS[which];
        for (kernels, order) in variants() {
            let mut registers = vec![dirt; count * FPISA_REGISTER_BYTES + 3];
            let mut expected = vec![Register::EMPTY; count];
            for (step, operands) in operands.iter().enumerate() {
                let patterns: Vec<u32> = operands[..count].iter().map(|operand| pattern(lane, *operand)).collect();
                let input = lanes(lane, order, &patterns);
                let overflow = kernels.add_to_registers(lane, order, adder.variant(), step == 0, &mut registers, &input);
                for (register, pattern) in expected.iter_mut().zip(&patterns) {
                    let _ = adder.add(register, *pattern);
                }
                prop_assert_eq!(overflow, expected.iter().position(Register::overflowed));
                for (index, register) in expected.iter().enumerate() {
                    let mantissa = i32::from_ne_bytes(registers[4 * index..][..4].try_into().expect("four bytes"));
                    let (exponent, flags) = (registers[4 * count + index], registers[5 * count + index]);
                    prop_assert_eq!((i64::from(mantissa), exponent), (register.mantissa, register.exponent), "{} lane {}", kernels.level(), index);
                    prop_assert_eq!(Flags::from_bits(flags), register.flags);
                }
                let mut read = vec![0; count * lane.bytes()];
                kernels.read_registers(lane, order, &registers, &mut read);
                let expected: Vec<u32> = expected.iter().map(|register| adder.read(register, Rounding::TowardZero)).collect();
                prop_assert_eq!(read, lanes(lane, order, &expected), "{} {} step {}", kernels.level(), order, step);
            }
            prop_assert_eq!(&registers[count * FPISA_REGISTER_BYTES..], &[dirt; 3]);
        }
    }

    #[test]
    fn tables_are_those_of_the_reference(pairs in prop::collection::vec((operand(), operand()), 0..40)) {
        let (a, b): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
        let expected: Vec<u32> = pairs.iter().map(|&(a, b)| logtable::add(a, b)).collect();
        for order in ByteOrder::ALL {
            let mut acc = lanes(ElementType::F32, order, &a);
            add_by_table(order, &mut acc, &lanes(ElementType::F32, order, &b));
            prop_assert_eq!(acc, lanes(ElementType::F32, order, &expected));
        }
    }
}
