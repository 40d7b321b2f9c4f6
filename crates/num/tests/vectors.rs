//! FPISA against folds that an independent program computed: registers, movements and results, bit for bit.
//!
//! The vectors are not part of the repository. They are looked for beside a checkout, in `../shared/vectors/fpisa.json`; without them the
//! test says that it checks nothing.

use netfold_num::fpisa::{Adder, Format, Movement, Register, Rounding, Variant};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Vector {
    format: String,
    variant: String,
    register_bits: u32,
    inputs: Vec<u32>,
    /// Exponent and mantissa after the last step; the mantissa of a sum that overflows is not wrapped around.
    register: (u8, i64),
    /// `None` after an overflow, which ends the fold.
    result: Option<u32>,
    overflow: bool,
    steps: Vec<String>,
}

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
    let variant = if vector.variant == "full" { Variant::Full } else { Variant::Approximate };
    let format = Format::from_name(&vector.format).expect("a format with a name");
    let adder = Adder::new(format, variant, vector.register_bits, 0).expect("a register wide enough");
    let mut register = Register::EMPTY;
    let mut steps = Vec::new();
    for &bits in &vector.inputs {
        let step = adder.add(&mut register, bits);
        steps.push(word(step.movement));
        assert_eq!(step.overflow, register.overflowed(), "vector {index}: overflow is told at the step that does it");
        if step.overflow {
            break;
        }
    }
    assert_eq!(steps, vector.steps, "vector {index}: steps");
    assert_eq!(register.overflowed(), vector.overflow, "vector {index}: overflow");
    let modulus = 1i128 << vector.register_bits;
    let beyond = i128::from(register.mantissa) - i128::from(vector.register.1);
    assert_eq!(register.exponent, vector.register.0, "vector {index}: exponent");
    assert_eq!(if vector.overflow { beyond % modulus } else { beyond }, 0, "vector {index}: mantissa");
    let expected = vector.result.unwrap_or(format.nan());
    assert_eq!(adder.read(&register, Rounding::TowardZero), expected, "vector {index}: result");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the vectors are a file; the crate itself reads none")]
fn folds_agree_with_an_independent_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/fpisa.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: no vectors at {}; FPISA is checked against the exact references only", path.display());
        return;
    };
    let vectors: Vec<Vector> = serde_json::from_str(&text).expect("the vectors' layout");
    assert_eq!(vectors.len(), 360, "the file has all vectors");
    for (index, vector) in vectors.iter().enumerate() {
        check(index, vector);
    }
}
