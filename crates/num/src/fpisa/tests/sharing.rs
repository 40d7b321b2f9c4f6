//! Block floating point (R-FPI-19).

extern crate std;

use super::exact::value;
use crate::fpisa::{Adder, Element, Flags, Format, Movement, Rounding, Shared, Variant};
use proptest::prelude::*;

fn adder() -> impl Strategy<Value = Adder> {
    (prop::sample::select(Variant::ALL.to_vec()), 0u32..=4).prop_map(|(variant, guard_bits)| {
        Adder::new(Format::BF16, variant, 32, guard_bits).unwrap()
    })
}

/// A finite bfloat16 with an exponent within 24 of 1's.
fn element() -> impl Strategy<Value = u32> {
    prop_oneof![
        8 => (0u32..2, 103u32..=151, 0u32..128).prop_map(|(sign, exponent, fraction)| sign << 15 | exponent << 7 | fraction),
        1 => Just(0)
    ]
}

proptest! {
    #[test]
    fn a_block_of_one_is_a_register(adder in adder(), operands in prop::collection::vec(any::<u16>(), 1..20)) {
        let mut block = Shared::<[Element; 1]>::EMPTY;
        for &bits in &operands {
            let _ = adder.add_shared(&mut block, &adder.share(&[u32::from(bits)], [Element::ZERO]));
        }
        let register = adder.fold(operands.iter().map(|&bits| u32::from(bits)));
        prop_assert!(block.registers().eq([register]));
    }

    #[test]
    fn a_block_floors_each_element_within_the_bound(
        guard_bits in 0u32..=4, blocks in prop::collection::vec(prop::array::uniform4(element()), 1..12)
    ) {
        let adder = Adder::new(Format::BF16, Variant::Full, 40, guard_bits).unwrap();
        let mut register = Shared::EMPTY;
        for block in &blocks {
            let block = adder.share(block, [Element::ZERO; 4]);
            prop_assert!(!adder.add_shared(&mut register, &block).overflow);
        }
        // Below the last place of every element that is not zero, guard bits included.
        let base = -40;
        let largest = blocks.iter().flatten().map(|&bits| if bits == 0 { 0 } else { bits >> 7 & 0xFF }).max().unwrap();
        let power = |exponent: u32| exponent as i32 - 127 - 7 - guard_bits as i32 - base;
        for index in 0..4 {
            let exact: i128 = blocks.iter().map(|block| block[index]).filter(|&bits| bits != 0).map(|bits| value(Format::BF16, bits, base)).sum();
            let held = i128::from(register.elements[index].mantissa) << power(u32::from(register.exponent).max(103));
            let shifts = 2 * blocks.len() as i128 - 1;
            prop_assert!((0..shifts << power(largest.max(103))).contains(&(exact - held)) || exact == held);
        }
    }
}

#[test]
fn elements_share_what_moves_and_nothing_else() {
    let adder = Adder::new(Format::FP32, Variant::Approximate, 32, 0).unwrap();
    let bits = |block: [f32; 3]| adder.share(&block.map(f32::to_bits), [Element::ZERO; 3]);
    let mut register = Shared::EMPTY;
    assert_eq!(
        adder.add_shared(&mut register, &bits([1.0, 0.5, f32::NAN])).movement,
        Movement::First
    );
    let mantissas = register.elements.map(|element| element.mantissa);
    assert_eq!(mantissas, [1 << 23, 1 << 22, 0], "one exponent for all");
    assert_eq!(
        adder.add_shared(&mut register, &bits([128.0, 0.25, 0.0])).movement,
        Movement::IncomingLeft
    );
    assert_eq!(
        adder.add_shared(&mut register, &bits([0.0, 0.0, f32::INFINITY])).movement,
        Movement::Special
    );
    assert_eq!(adder.add_shared(&mut register, &bits([0.0; 3])).movement, Movement::Zero);
    let read: std::vec::Vec<f32> = register
        .registers()
        .map(|register| f32::from_bits(adder.read(&register, Rounding::TowardZero)))
        .collect();
    assert_eq!(read[..2], [129.0, 0.75]);
    assert!(read[2].is_nan());
    // 129 + 128 needs the sign bit of the first mantissa.
    let step = adder.add_shared(&mut register, &bits([128.0, 0.0, 0.0]));
    assert!(step.overflow);
    let overflowed = register.elements.map(|element| element.flags.contains(Flags::OVERFLOW));
    assert_eq!(overflowed, [true, false, false]);
}
