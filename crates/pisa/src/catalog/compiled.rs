//! The stages in which Tofino's compiler puts the programs under `p4/tna`.

use super::Request;

/// The version of the compiler, as its manifest has it: p4c's open back end for Tofino.
pub const COMPILER: &str = "9.13.4";

/// A compiled program: its file's name without the end, the compiler's target, and the stages that
/// have tables of ingress and of egress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The file's name without the end.
    pub stem: &'static str,
    /// The compiler's target, `tofino` or `tofino2`.
    pub target: &'static str,
    /// Stages with tables of ingress.
    pub ingress: usize,
    /// Stages with tables of egress.
    pub egress: usize,
}

/// The programs under `p4/tna`, which are for 8 workers and 128 slots.
pub const COMPILED: &[Compiled] = &[
    row("fpisa_a_1", "tofino", [7, 3]),
    row("fpisa_a_1", "tofino2", [7, 3]),
    row("p4sgd_8", "tofino", [5, 0]),
    row("p4sgd_8", "tofino2", [5, 0]),
    row("switchml_256", "tofino", [11, 2]),
    row("switchml_256", "tofino2", [17, 2]),
    row("switchml_64", "tofino", [11, 2]),
    row("switchml_64", "tofino2", [17, 2]),
    row("switchml_acked_64", "tofino", [11, 2]),
    row("switchml_acked_64", "tofino2", [17, 2]),
    row("switchml_fpisa_a_1", "tofino", [11, 3]),
    row("switchml_fpisa_a_1", "tofino2", [15, 3]),
    row("switchml_fpisa_a_4", "tofino", [11, 3]),
    row("switchml_fpisa_a_4", "tofino2", [15, 3]),
    row("switchml_roce_256", "tofino", [12, 12]),
    row("switchml_roce_256", "tofino2", [14, 12]),
    row("switchml_roce_64", "tofino", [12, 12]),
    row("switchml_roce_64", "tofino2", [14, 12]),
];

const fn row(stem: &'static str, target: &'static str, stages: [usize; 2]) -> Compiled {
    let [ingress, egress] = stages;
    Compiled { stem, target, ingress, egress }
}

impl Request {
    /// The stages of the program under `p4/tna` with these lanes, in this arithmetic and protocol,
    /// for each of the compiler's targets; none if it is not there.
    pub fn compiled(self) -> impl Iterator<Item = &'static Compiled> {
        let stem = self.file_stem();
        COMPILED.iter().filter(move |one| !self.one_pipeline && one.stem == stem)
    }
}
