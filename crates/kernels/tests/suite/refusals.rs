//! Inputs that the kernels refuse, and the errors that say so.

use netfold_kernels::{self as kernels, Quantised};
use netfold_num::fpisa::Variant;
use netfold_num::{ByteOrder, ElementType, Exponent, Operation, Scale};

fn scale() -> Scale {
    Scale::new(2, Exponent::ZERO).expect("zero is an agreed exponent")
}

#[test]
#[should_panic(expected = "one lane of input for each lane of the slot")]
fn a_packet_that_is_shorter_than_its_slot() {
    kernels::fold(ElementType::I32, Operation::Sum, ByteOrder::Network, &mut [0; 8], &[0; 4]);
}

#[test]
#[should_panic(expected = "a buffer of 6 bytes is not a whole number of 4-byte elements")]
fn half_a_lane() {
    kernels::fold(ElementType::F32, Operation::Copy, ByteOrder::Little, &mut [0; 6], &[0; 6]);
}

#[test]
#[should_panic(expected = "lanes of f16 are not added as they are")]
fn quantised_lanes_of_f16() {
    let scale = Scale::of_halves(2, Exponent::ZERO).expect("two workers");
    let elements = Quantised { element_type: ElementType::F32, elements: &[0; 4], scale };
    elements.add(&mut [0; 2]);
}

#[test]
#[should_panic(expected = "one lane for each element")]
fn lanes_of_another_length() {
    kernels::quantise(ElementType::F16, &[0; 4], &scale(), &mut [0; 4]);
}

#[test]
#[should_panic(expected = "one lane for each element")]
fn swapped_lanes_of_another_length() {
    kernels::to_wire(ElementType::F32, ByteOrder::Network, &[0; 8], &mut [0; 4]);
}

#[test]
#[should_panic(expected = "FPISA adds f32, f16 and bf16, not f64")]
fn registers_of_a_type_without_an_adder() {
    kernels::add_to_registers(
        ElementType::F64,
        ByteOrder::Little,
        Variant::Full,
        true,
        &mut [0; 6],
        &[0; 8],
    );
}

#[test]
#[should_panic(expected = "blocks of as many elements as their sum")]
fn a_sum_of_blocks_of_another_length() {
    kernels::sum_blocks(&|| std::iter::once(&[0; 8][..]), 2, 1, &mut [0; 4]);
}

#[test]
#[should_panic(expected = "elements of f64 travel as they are")]
fn a_type_without_a_block_form() {
    kernels::exponent(ElementType::F64, &[0; 8]);
}

#[test]
#[should_panic(expected = "elements of i32 travel as they are")]
fn an_average_of_integers() {
    kernels::divide(ElementType::I32, &mut [0; 4], 2);
}

#[test]
#[should_panic(expected = "only min and max order their lanes")]
fn an_ordered_sum() {
    kernels::to_ordered(ElementType::F32, Operation::Sum, &[], &mut []);
}

#[test]
#[should_panic(expected = "the divisor of an average is 0")]
fn an_average_of_nothing() {
    kernels::dequantise(ElementType::F32, &[], &scale(), 0, &mut []);
}
