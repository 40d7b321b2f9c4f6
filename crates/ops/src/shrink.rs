//! Smaller operands that disprove the same claim.

use crate::claims::{Bench, Claim, Counterexample};
use crate::declaration::Scope;
use crate::draw::bounds;
use crate::element::Value;
use crate::trap::Trapped;

/// Attempts to make a counterexample smaller.
const ATTEMPTS: u32 = 2000;

/// Makes a counterexample smaller, as long as it still is one: fewer elements, then scalars closer
/// to 0.
pub(crate) fn shrink(
    bench: &mut Bench<'_>,
    mut found: Counterexample,
) -> Result<Counterexample, Trapped> {
    let mut attempts = 0;
    loop {
        let mut smaller = None;
        for operands in candidates(bench, &found) {
            attempts += 1;
            if attempts > ATTEMPTS {
                return Ok(found);
            }
            smaller = bench.attempt(found.claim, operands)?;
            if smaller.is_some() {
                break;
            }
        }
        match smaller {
            Some(smaller) => found = smaller,
            None => return Ok(found),
        }
    }
}

/// Operands that are smaller than those of a counterexample in one respect.
fn candidates(bench: &Bench<'_>, found: &Counterexample) -> Vec<Vec<Vec<u8>>> {
    let declaration = bench.declaration;
    let element = declaration.element.bytes();
    let count = found.operands[0].len() / element;
    let mut candidates = Vec::new();
    let sequences =
        matches!(declaration.scope, Scope::Message { .. }) || found.claim == Claim::Elements;
    if sequences && count > 1 {
        let cut = |from: usize, to: usize| {
            let cut = |operand: &Vec<u8>| operand[from * element..to * element].to_vec();
            found.operands.iter().map(cut).collect::<Vec<_>>()
        };
        candidates.push(cut(0, count / 2));
        candidates.push(cut(count / 2, count));
        candidates.push(cut(0, count - 1));
        candidates.push(cut(1, count));
    }
    for (which, operand) in found.operands.iter().enumerate() {
        for (field, range) in declaration.element.fields().iter().zip(&declaration.ranges) {
            for at in
                (0..count).flat_map(|index| field.offsets().map(move |at| index * element + at))
            {
                let value = field.scalar.read(&operand[at..]);
                for simpler in simpler(value) {
                    let allowed = match (simpler, range) {
                        (Value::Float(float), Some(range)) => range.contains(&float),
                        (Value::Integer(integer), range) => {
                            let (low, high) = bounds(field.scalar, range.as_ref());
                            (low..=high).contains(&integer)
                        }
                        (Value::Float(_), None) => true,
                    };
                    if allowed {
                        let mut operands = found.operands.clone();
                        field.scalar.write(simpler, &mut operands[which][at..]);
                        candidates.push(operands);
                    }
                }
            }
        }
    }
    candidates
}

/// Values closer to 0, the closest first, each of which can be made no simpler without end.
fn simpler(value: Value) -> Vec<Value> {
    match value {
        Value::Integer(integer) => [0, 1, -1, integer / 2, integer - integer.signum()]
            .into_iter()
            .filter(|other| rank(*other) < rank(integer))
            .map(Value::Integer)
            .collect(),
        Value::Float(float) => [0.0, 1.0, -1.0, float.trunc(), (float / 2.0).trunc()]
            .into_iter()
            .filter(|other| simplicity(*other) < simplicity(float))
            .map(Value::Float)
            .collect(),
    }
}

/// Order of integers by how simple they are.
fn rank(integer: i128) -> (u128, bool) {
    (integer.unsigned_abs(), integer < 0)
}

/// Order of floats by how simple they are: whole numbers first.
fn simplicity(float: f64) -> (bool, u64, bool) {
    (float.fract() != 0.0, float.abs().to_bits(), float.is_sign_negative())
}
