//! R-FPI, R-LOG: planes of registers at every level, against the scalar reference one register at a time.

use netfold_kernels::{FPISA_REGISTER_BYTES, Kernels, add_by_table};
use netfold_num::ElementType;
use netfold_num::fpisa::{Adder, Flags, Register, Rounding};
use netfold_num::logtable;
use proptest::prelude::*;

const ADDERS: [(ElementType, Adder); 6] = [
    (ElementType::F32, Adder::FP32),
    (ElementType::F32, Adder::FP32_A),
    (ElementType::F16, Adder::FP16),
    (ElementType::F16, Adder::FP16_A),
    (ElementType::Bf16, Adder::BF16),
    (ElementType::Bf16, Adder::BF16_A),
];

/// Operands as they are hard: any bits, and exponents close to each other, so that mantissas cancel, grow and overflow.
fn operand() -> impl Strategy<Value = u32> {
    let near = (any::<u32>(), 0..12u32).prop_map(|(bits, exponent)| (bits & 0x807F_FFFF) | (120 + exponent) << 23);
    prop_oneof![
        2 => any::<u32>(),
        6 => near,
        1 => prop::sample::select(vec![0, 0x8000_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 1, 0x807F_FFFF, 0x7F7F_FFFF]),
    ]
}

/// The pattern of an operand in a lane's type: the upper half is what is varied for the shorter ones, too.
fn pattern(lane: ElementType, operand: u32) -> u32 {
    match lane {
        ElementType::F32 => operand,
        ElementType::Bf16 => operand >> 16,
        // Five bits of exponent around their middle.
        _ => (operand >> 16 & 0x8000) | ((operand >> 23 & 0x1F) << 10) | (operand >> 13 & 0x3FF),
    }
}

fn lanes(lane: ElementType, patterns: &[u32]) -> Vec<u8> {
    patterns.iter().flat_map(|pattern| pattern.to_le_bytes()[..lane.bytes()].to_vec()).collect()
}

proptest! {
    /// Every register after every step, the first overflow, and what the registers read as.
    #[test]
    fn registers_are_those_of_the_reference(
        which in 0..ADDERS.len(),
        operands in prop::collection::vec(prop::collection::vec(operand(), 70), 1..12),
        count in 0..=70usize,
        dirt: u8,
    ) {
        let (lane, adder) = ADDERS[which];
        for kernels in Kernels::available() {
            let mut registers = vec![dirt; count * FPISA_REGISTER_BYTES + 3];
            let mut expected = vec![Register::EMPTY; count];
            for (step, operands) in operands.iter().enumerate() {
                let patterns: Vec<u32> = operands[..count].iter().map(|operand| pattern(lane, *operand)).collect();
                let overflow = kernels.add_to_registers(lane, adder.variant(), step == 0, &mut registers, &lanes(lane, &patterns));
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
                kernels.read_registers(lane, &mut registers, &mut read);
                let expected: Vec<u32> = expected.iter().map(|register| adder.read(register, Rounding::TowardZero)).collect();
                prop_assert_eq!(read, lanes(lane, &expected), "{} step {}", kernels.level(), step);
            }
            prop_assert_eq!(&registers[count * FPISA_REGISTER_BYTES..], &[dirt; 3]);
        }
    }

    #[test]
    fn tables_are_those_of_the_reference(pairs in prop::collection::vec((operand(), operand()), 0..40)) {
        let (a, b): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
        let mut acc = lanes(ElementType::F32, &a);
        add_by_table(&mut acc, &lanes(ElementType::F32, &b));
        let expected: Vec<u32> = pairs.iter().map(|&(a, b)| logtable::add(a, b)).collect();
        prop_assert_eq!(acc, lanes(ElementType::F32, &expected));
    }
}
