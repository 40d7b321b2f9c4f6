//! Inputs: numbers that make a fold hard, and for which the oracle knows the answer.

use half::{bf16, f16};
use netfold_num::{Arithmetic, ElementType, Operation, Overflow};
use netfold_wire::WorkerId;
use netfold_worker::{Call, Plan};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

use crate::fabric::Setup;

/// Each worker's input of a call.
pub(crate) fn draw(rng: &mut Pcg64Mcg, setup: &Setup, call: &Call) -> Vec<Vec<u8>> {
    let style = Style::draw(rng, setup, call);
    (0..setup.workers)
        .map(|rank| {
            let plan = Plan::new(
                *call,
                setup.terms.arithmetic,
                setup.workers,
                WorkerId(rank),
                setup.payload_bytes,
            )
            .expect("a call of the job");
            let (elements, _) = plan.input_output_elements();
            (0..elements).flat_map(|_| style.element(rng)).collect()
        })
        .collect()
}

/// The kind of elements that a call has.
struct Style {
    element_type: ElementType,
    numbers: Numbers,
    /// Share of elements that are NaN or infinite.
    special: f64,
    /// Share of zeros.
    zero: f64,
}

enum Numbers {
    /// Any bits: integers, and bytes that are only moved.
    Any,
    /// Any finite float: minimum, maximum, and block sums, which may overflow.
    AnyFinite,
    /// Magnitudes up to a power of two, spread over some powers below it.
    Spread { power: i32, powers: i32 },
    /// Positive, and between half of a power of two and that.
    OnePower(i32),
    /// 1, or seven powers above: the most by which FPISA-A shifts an `f32` to the left, where two
    /// of those overflow, and so does one beside a 1.
    FewAndMany,
    /// Close to 1, of either sign, so that products neither overflow nor underflow.
    NearOne,
}

impl Style {
    fn draw(rng: &mut Pcg64Mcg, setup: &Setup, call: &Call) -> Self {
        let element_type = call.element_type;
        let operation =
            if call.collective.only_moves() { Operation::Copy } else { call.reduction.operation() };
        let numbers = match (operation, setup.terms.arithmetic) {
            _ if !element_type.is_float() => Numbers::Any,
            (Operation::Product, _) => Numbers::NearOne,
            (Operation::Min | Operation::Max, _) => Numbers::AnyFinite,
            (_, Arithmetic::Block) if rng.random_bool(0.2) => Numbers::AnyFinite,
            // FPISA-A overwrites what is far smaller, and two numbers may overflow (R-FPI-15,
            // R-FPI-16). Of one power and one sign, 64 and their partial sums do neither.
            (_, Arithmetic::FpisaA) if setup.terms.overflow == Overflow::Native => {
                Numbers::FewAndMany
            }
            (_, Arithmetic::FpisaA) => Numbers::OnePower(rng.random_range(-10..=8)),
            _ => {
                // 64 of the largest stay below half of what f16 holds.
                let power = if element_type == ElementType::F16 { -14..=8 } else { -120..=100 };
                Numbers::Spread { power: rng.random_range(power), powers: rng.random_range(1..=30) }
            }
        };
        let special = if rng.random_bool(0.25) { rng.random_range(0.0..0.3) } else { 0.0 };
        let zero = if rng.random_bool(0.25) { rng.random_range(0.0..=1.0) } else { 0.0 };
        Self { element_type, numbers, special, zero }
    }

    /// An element's bytes.
    fn element(&self, rng: &mut Pcg64Mcg) -> Vec<u8> {
        let bytes = self.element_type.bytes();
        if !self.element_type.is_float() {
            return (0..bytes).map(|_| rng.random()).collect();
        }
        if rng.random_bool(self.special) {
            let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
            return encode(self.element_type, *special.choose(rng).expect("there are specials"));
        }
        if rng.random_bool(self.zero) {
            return encode(self.element_type, if rng.random_bool(0.5) { 0.0 } else { -0.0 });
        }
        let sign = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        match self.numbers {
            Numbers::Any | Numbers::AnyFinite => loop {
                let mut element = [0; 8];
                rng.fill(&mut element[..bytes]);
                if crate::oracle::float(self.element_type, element).is_finite() {
                    return element[..bytes].to_vec();
                }
            },
            Numbers::Spread { power, powers } => {
                let power = power - rng.random_range(0..powers);
                encode(
                    self.element_type,
                    sign * rng.random_range(0.5..=1.0) * f64::exp2(power.into()),
                )
            }
            Numbers::OnePower(power) => {
                encode(self.element_type, rng.random_range(0.5..=1.0) * f64::exp2(power.into()))
            }
            Numbers::FewAndMany => {
                encode(self.element_type, if rng.random_bool(0.3) { 255.5 } else { 1.0 })
            }
            Numbers::NearOne => encode(self.element_type, sign * rng.random_range(0.9..1.1)),
        }
    }
}

fn encode(element_type: ElementType, number: f64) -> Vec<u8> {
    match element_type {
        ElementType::F16 => f16::from_f64(number).to_ne_bytes().to_vec(),
        ElementType::Bf16 => bf16::from_f64(number).to_ne_bytes().to_vec(),
        ElementType::F32 => (number as f32).to_ne_bytes().to_vec(),
        _ => number.to_ne_bytes().to_vec(),
    }
}
