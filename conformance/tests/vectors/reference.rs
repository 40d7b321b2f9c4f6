//! The scalar reference: registers, movements and results.

use netfold_num::fpisa::{Movement, Register, Rounding};

use crate::{Vector, read};

/// The vectors' word for a movement.
fn word(movement: Movement) -> &'static str {
    match movement {
        Movement::Zero => "zero",
        Movement::Special => "special",
        Movement::First => "first",
        Movement::IncomingRight => "in>>",
        Movement::StoredRight => "reg>>",
        Movement::IncomingLeft => "in<<",
        Movement::Overwritten => "overwrite",
    }
}

fn check(index: usize, vector: &Vector) {
    let adder = vector.adder();
    let mut register = Register::EMPTY;
    let mut steps = Vec::new();
    for &bits in &vector.inputs {
        let step = adder.add(&mut register, bits);
        steps.push(word(step.movement));
        assert_eq!(
            step.overflow,
            register.overflowed(),
            "vector {index}: overflow is told at the step that does it"
        );
        if step.overflow {
            break;
        }
    }
    assert_eq!(steps, vector.steps, "vector {index}: steps");
    assert_eq!(register.overflowed(), vector.overflow, "vector {index}: overflow");
    assert_eq!(
        (register.exponent, register.mantissa),
        (vector.register.0, vector.mantissa()),
        "vector {index}"
    );
    assert_eq!(
        adder.read(&register, Rounding::TowardZero),
        vector.expected(),
        "vector {index}: result"
    );
}

#[test]
fn the_reference_agrees_with_an_independent_program() {
    for (index, vector) in read().iter().flatten().enumerate() {
        check(index, vector);
    }
}
