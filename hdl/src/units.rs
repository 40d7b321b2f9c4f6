//! The units: where they are, with which parameters they are tested and sized, and what the paper
//! says of them.

use crate::vectors::chain::Chains;
use crate::vectors::control::Packets;
use crate::vectors::element::Elements;
use crate::vectors::fold::Sums;
use crate::vectors::streams::{Copies, Headers, Payloads};
use crate::vectors::{Vectors, stateful, stateless};

/// The tests of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tests {
    /// A stateless ALU, whose results come so many cycles later.
    Stateless {
        /// Its kind.
        kind: stateless::Kind,
        /// Cycles from operands to result.
        latency: u32,
    },
    /// A stateful ALU.
    Stateful(stateful::Kind),
    /// FPISA's addition from several units.
    Fold,
    /// A processing element of an array.
    Element {
        /// Set if it has the unit for floats.
        floats: bool,
    },
    /// Three units of an array in a pipeline.
    Chain,
    /// The collective control unit.
    Control,
    /// The multicast engine.
    Multicast,
    /// The parser of payloads.
    Parser,
    /// The deparser.
    Deparser,
}

/// A unit with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Its name in messages and tables.
    pub name: &'static str,
    /// Its module, and the folder that it is in.
    pub module: &'static str,
    /// Parameters other than the module's own defaults.
    pub parameters: &'static [(&'static str, u32)],
    /// Its tests.
    pub tests: Tests,
    /// The reference of its size, if it is sized.
    pub sized: Option<Sizing>,
}

/// The reference that a unit's size is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Sizing {
    /// The name of the unit that it is compared with; its own, if it is the default.
    pub default: &'static str,
    /// The column of table 1 for a unit of this sort, if it is FPISA's.
    pub paper: Option<Paper>,
}

/// A column of table 1 (FPISA, section 4.2).
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Area in square micrometres.
    pub area: f64,
    /// The least delay in picoseconds.
    pub delay: f64,
}

const DEFAULT_ALU: Paper = Paper { area: 505.4, delay: 133.0 };
const FPISA_ALU: Paper = Paper { area: 618.6, delay: 135.0 };
const DEFAULT_RAW: Paper = Paper { area: 468.8, delay: 133.0 };
const FPISA_RSAW: Paper = Paper { area: 633.0, delay: 151.0 };
const ALU_AND_FPU: Paper = Paper { area: 3837.7, delay: 136.0 };

const fn stateless(width: u32, shift_by_field: bool) -> Tests {
    Tests::Stateless { kind: stateless::Kind { width, shift_by_field, float: false }, latency: 1 }
}

const fn with_adder(latency: u32) -> Tests {
    Tests::Stateless {
        kind: stateless::Kind { width: 32, shift_by_field: false, float: true },
        latency,
    }
}

const fn stateful(width: u32, lean: bool, shift: bool) -> Tests {
    Tests::Stateful(stateful::Kind { width, lean, shift })
}

const fn sized(default: &'static str, paper: Paper) -> Option<Sizing> {
    Some(Sizing { default, paper: Some(paper) })
}

/// A unit that stands for itself.
const fn alone(name: &'static str, tests: Tests) -> Unit {
    unit(name, name, NONE, tests, Some(Sizing { default: name, paper: None }))
}

/// R-HDL-10.
const LEAN: &[(&str, u32)] = &[("CONDITIONS", 1), ("UPDATES", 1), ("LOGIC", 0)];

const NONE: &[(&str, u32)] = &[];

const fn unit(
    name: &'static str,
    module: &'static str,
    parameters: &'static [(&'static str, u32)],
    tests: Tests,
    sized: Option<Sizing>,
) -> Unit {
    Unit { name, module, parameters, tests, sized }
}

/// Every unit, in the order of the paper's table, and then those that it has not.
pub const ALL: [Unit; 19] = [
    unit("alu", "alu", NONE, stateless(32, false), sized("alu", DEFAULT_ALU)),
    unit("alu_fpisa", "alu_fpisa", NONE, stateless(32, true), sized("alu", FPISA_ALU)),
    unit("raw", "raw", NONE, stateful(32, false, false), sized("raw", DEFAULT_RAW)),
    unit("rsaw", "rsaw", NONE, stateful(32, false, true), sized("raw", FPISA_RSAW)),
    unit("alu_fpu", "alu_fpu", NONE, with_adder(1), sized("alu", ALU_AND_FPU)),
    unit("raw, lean", "raw", LEAN, stateful(32, true, false), sized("raw, lean", DEFAULT_RAW)),
    unit("rsaw, lean", "rsaw", LEAN, stateful(32, true, true), sized("raw, lean", FPISA_RSAW)),
    unit(
        "alu_fpu, 4 stages",
        "alu_fpu",
        &[("STAGES", 4)],
        with_adder(4),
        sized("alu", ALU_AND_FPU),
    ),
    unit("alu, 16 bits", "alu", &[("WIDTH", 16)], stateless(16, false), None),
    unit("alu_fpisa, 8 bits", "alu_fpisa", &[("WIDTH", 8)], stateless(8, true), None),
    unit("rsaw, 16 bits", "rsaw", &[("WIDTH", 16)], stateful(16, false, true), None),
    unit("fold", "fold", NONE, Tests::Fold, None),
    alone("element", Tests::Element { floats: false }),
    unit(
        "element, floats",
        "element",
        &[("FLOATS", 1)],
        Tests::Element { floats: true },
        Some(Sizing { default: "element", paper: None }),
    ),
    unit("chain", "chain", NONE, Tests::Chain, None),
    alone("control", Tests::Control),
    alone("multicast", Tests::Multicast),
    alone("parser", Tests::Parser),
    alone("deparser", Tests::Deparser),
];

impl Unit {
    /// The unit with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|unit| unit.name == name)
    }

    /// Returns whether it is one of an array and what is around it (ACiS), not of a pipeline.
    pub const fn is_of_array(&self) -> bool {
        !matches!(self.tests, Tests::Stateless { .. } | Tests::Stateful(_) | Tests::Fold)
    }

    /// The name as a file's.
    pub fn file_name(&self) -> String {
        self.name.replace(", ", "-").replace(' ', "-")
    }

    /// Operations for it.
    pub fn vectors(&self, seed: u64) -> Box<dyn Vectors> {
        match self.tests {
            Tests::Stateless { kind, .. } => Box::new(stateless::Stateless::new(kind, seed)),
            Tests::Stateful(kind) => Box::new(stateful::Stateful::new(kind, seed)),
            Tests::Fold => Box::new(Sums::new(seed)),
            Tests::Element { floats } => Box::new(Elements::new(floats, seed)),
            Tests::Chain => Box::new(Chains::new(seed)),
            Tests::Control => Box::new(Packets::new(seed)),
            Tests::Multicast => Box::new(Copies::new(seed)),
            Tests::Parser => Box::new(Headers::new(seed)),
            Tests::Deparser => Box::new(Payloads::new(seed)),
        }
    }

    /// Returns the definitions that its bench is compiled with.
    pub fn definitions(&self) -> Vec<String> {
        match self.tests {
            Tests::Stateless { latency, .. } => vec![format!("-DLATENCY={latency}")],
            Tests::Stateful(kind) => vec![format!("-DWIDTH={}", kind.width)],
            _ => Vec::new(),
        }
    }
}
