//! The resources that a program takes of a target, beside the figures that its paper gives.

use crate::program::Program;
use crate::schedule::{Stages, scheduled};
use crate::target::Target;
use crate::usage::{StageUsage, Usage};

/// Bytes around the headers and lanes of a packet on the wire: preamble, Ethernet header, frame
/// check, gap between frames; IPv4 and UDP.
pub const FRAME_BYTES: u32 = 8 + 14 + 4 + 12 + 20 + 8;

/// The line of the blocks that register arrays are in.
pub const REGISTER_BLOCKS: &str = "SRAM blocks of registers";

/// The line of both crossbars together.
pub const INPUT_CROSSBAR: &str = "input crossbar bytes";

/// The line of the buses that bring found entries to actions.
pub const RESULT_BUSES: &str = "result buses";

/// The line of the bits that hash units bring.
pub const HASH_BITS: &str = "hash bits";

/// One line of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The resource that is counted.
    pub what: String,
    /// Its amount in the whole program.
    pub total: f64,
    /// Its amount in the stage that has most of it, if it belongs to stages.
    pub most: Option<f64>,
    /// Share of what the target has, of the total and in that stage, if it has limits.
    pub share: Option<(f64, f64)>,
}

/// A figure beside that of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The quantity that is compared.
    pub what: String,
    /// The program's figure.
    pub here: String,
    /// The paper's, with the section.
    pub published: String,
    /// The reason why they differ; empty where they do not.
    pub why: String,
}

/// The resources that a program takes of a target.
#[derive(Clone, Debug)]
pub struct Report {
    /// The program.
    pub program: String,
    /// The target.
    pub target: &'static str,
    /// Stages that are used, those of ingress and of egress laid over each other.
    pub stages: usize,
    /// The same, ingress and egress apart.
    pub placed: Stages,
    /// The stages that a compiler needs, which moves tables to the earliest stage (R-PISA-41).
    pub scheduled: Stages,
    /// Bytes of all register arrays.
    pub register_bytes: u64,
    /// Resource by resource.
    pub lines: Vec<Line>,
}

impl Report {
    /// Returns the resources that `program` takes of `target`; of one without limits, in the units
    /// of a Tofino-like switch.
    pub fn of(program: &Program, target: &Target) -> Self {
        let usage = Usage::of(program, target);
        let limits = target.limits;
        let stages = usage.stages.len();
        type Of = fn(&StageUsage) -> u32;
        let line = |what: &str, of: Of, limit: Option<u32>| {
            let (total, most) = (usage.total(of), usage.most(of));
            let all_stages = limits.map_or(1, |limits| limits.stages as u32);
            let share = limit.map(|limit| {
                (
                    f64::from(total) / f64::from(limit * all_stages),
                    f64::from(most) / f64::from(limit),
                )
            });
            Line { what: what.into(), total: total.into(), most: Some(most.into()), share }
        };
        let mut lines = vec![
            line("SRAM blocks", |stage| stage.sram_blocks, limits.map(|limits| limits.sram_blocks)),
            line(
                REGISTER_BLOCKS,
                |stage| stage.register_blocks,
                limits.map(|limits| limits.register_blocks),
            ),
            line("TCAM blocks", |stage| stage.tcam_blocks, limits.map(|limits| limits.tcam_blocks)),
            line(
                "stateful ALUs",
                |stage| stage.stateful_alus,
                limits.map(|limits| limits.stateful_alus),
            ),
            line("VLIW slots", |stage| stage.vliw_slots, limits.map(|limits| limits.vliw_slots)),
            line("tables", |stage| stage.tables, limits.map(|limits| limits.tables)),
            line(
                "crossbar bytes",
                |stage| stage.crossbar_bytes,
                limits.map(|limits| limits.crossbar_bytes),
            ),
            line(
                "ternary crossbar bytes",
                |stage| stage.ternary_crossbar_bytes,
                limits.map(|limits| limits.ternary_crossbar_bytes),
            ),
        ];
        let crossbar = limits.map(|limits| limits.crossbar_bytes + limits.ternary_crossbar_bytes);
        lines.extend([
            line(INPUT_CROSSBAR, StageUsage::input_crossbar_bytes, crossbar),
            line(
                RESULT_BUSES,
                |stage| stage.result_buses,
                limits.map(|limits| limits.result_buses),
            ),
            line(HASH_BITS, |stage| stage.hash_bits, limits.map(|limits| limits.hash_bits)),
        ]);
        let bits = f64::from(usage.header_vector_bits);
        let share = limits.map(|limits| bits / f64::from(limits.header_vector_bits));
        lines.push(Line {
            what: "header vector bits".into(),
            total: bits,
            most: None,
            share: share.map(|share| (share, share)),
        });
        Self {
            program: program.name.clone(),
            target: target.name,
            stages,
            placed: Stages::of(program),
            scheduled: Stages::of(&scheduled(program, target)),
            register_bytes: usage.register_bytes,
            lines,
        }
    }
}

/// Share of the line rate that is lanes, for packets of so many lanes of 4 bytes with so many bytes
/// of headers behind UDP.
pub fn goodput(elements: u32, header_bytes: u32) -> f64 {
    let lanes = f64::from(4 * elements);
    lanes / (lanes + f64::from(FRAME_BYTES + header_bytes))
}
