//! FPISA against folds that an independent program computed, bit for bit: the scalar reference, the
//! kernels at every level, and the switch.
//!
//! The vectors are not part of the repository. They are looked for beside a checkout, in
//! `../shared/vectors/fpisa.json`; without them the tests say that they check nothing.

mod kernels;
mod reference;
mod switch;

use netfold_num::ElementType;
use netfold_num::fpisa::{Adder, Format, Variant};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// One fold.
#[derive(Clone, Deserialize)]
struct Vector {
    format: String,
    variant: String,
    register_bits: u32,
    inputs: Vec<u32>,
    /// Exponent and mantissa after the last step; the mantissa of a sum that overflows is not
    /// wrapped around.
    register: (u8, i64),
    /// `None` after an overflow, which ends the fold.
    result: Option<u32>,
    overflow: bool,
    steps: Vec<String>,
}

impl Vector {
    fn adder(&self) -> Adder {
        let variant = if self.variant == "full" { Variant::Full } else { Variant::Approximate };
        let format = Format::from_name(&self.format).expect("a format with a name");
        Adder::new(format, variant, self.register_bits, 0).expect("a register wide enough")
    }

    /// The pattern that the register reads as, NaN after an overflow (R-FPI-10).
    fn expected(&self) -> u32 {
        self.result.unwrap_or(self.adder().format().nan())
    }

    /// The register's mantissa as it is kept: wrapped around at its width.
    fn mantissa(&self) -> i64 {
        let unused = 64 - self.register_bits;
        self.register.1 << unused >> unused
    }

    /// Returns the step that overflows. In most vectors no step does.
    fn overflows_at(&self) -> Option<usize> {
        self.overflow.then(|| self.steps.len() - 1)
    }
}

/// Vectors that can be folded side by side: of one format, variant and number of operands, in a
/// register of 32 bits.
struct Batch {
    lane: ElementType,
    adder: Adder,
    vectors: Vec<Vector>,
}

impl Batch {
    fn steps(&self) -> usize {
        self.vectors[0].inputs.len()
    }

    /// The operands of a step, as lanes of a packet in little-endian order.
    fn lanes(&self, step: usize) -> Vec<u8> {
        self.bytes(self.vectors.iter().map(|vector| vector.inputs[step]))
    }

    /// The lanes of the sums.
    fn expected(&self) -> Vec<u8> {
        self.bytes(self.vectors.iter().map(Vector::expected))
    }

    fn bytes(&self, patterns: impl Iterator<Item = u32>) -> Vec<u8> {
        patterns.flat_map(|pattern| pattern.to_le_bytes()[..self.lane.bytes()].to_vec()).collect()
    }
}

/// Lanes, each with its bytes reversed: from either byte order to the other (R-NUM-19).
fn reversed(lane: ElementType, lanes: &[u8]) -> Vec<u8> {
    lanes.chunks_exact(lane.bytes()).flat_map(|lane| lane.iter().rev()).copied().collect()
}

/// All vectors, in batches; those of other formats or registers, which neither kernels nor switch
/// have, are left out.
fn batches(vectors: &[Vector]) -> Vec<Batch> {
    let mut batches: BTreeMap<_, Batch> = BTreeMap::new();
    for vector in vectors.iter().filter(|vector| vector.register_bits == 32) {
        let lane = match vector.format.as_str() {
            "fp32" => ElementType::F32,
            "fp16" => ElementType::F16,
            "bf16" => ElementType::Bf16,
            _ => continue,
        };
        let alike = (vector.format.clone(), vector.variant.clone(), vector.inputs.len());
        let batch = Batch { lane, adder: vector.adder(), vectors: Vec::new() };
        batches.entry(alike).or_insert(batch).vectors.push(vector.clone());
    }
    batches.into_values().collect()
}

/// The vectors; `None`, with a word about it, where the file is not.
fn read() -> Option<Vec<Vector>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors/fpisa.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!(
            "SKIPPED: no vectors at {}; FPISA is checked against the exact references only",
            path.display()
        );
        return None;
    };
    let vectors: Vec<Vector> = serde_json::from_str(&text).expect("the vectors' layout");
    assert_eq!(vectors.len(), 360, "the file has all vectors");
    Some(vectors)
}
