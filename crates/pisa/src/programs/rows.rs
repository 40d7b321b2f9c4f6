//! Programs of queries in a pipeline (R-PISA-80 to 87; FPISA, section 6; Cheetah): a packet is a
//! row, and leaves to the master, or goes back to its worker if it is dropped or absorbed.

mod bloom;
mod cache;
mod filter;
mod sum;
mod top;

use netfold_num::Comparison;

use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::control::Control;
use crate::program::{
    Array, ArrayId, FieldId, Gress, HeaderId, Intrinsic, Match, Operand, Pattern, Program, StateId,
    Transition,
};
use crate::programs::fpisa::ETHER_TYPE;

/// Operations that a packet asks for.
pub mod operation {
    /// The row is judged.
    pub const ROW: u64 = 2;
    /// The row belongs to the build side of a join.
    pub const BUILD: u64 = 4;
    /// The row's code becomes what the slot's sum reads as.
    pub const READ: u64 = super::super::fpisa::operation::READ;
}

/// Verdicts, as a packet carries them when it leaves.
pub mod verdict {
    /// It goes to the master.
    pub const FORWARDED: u64 = 1;
    /// It goes back: dropped, absorbed, or an answer.
    pub const RETURNED: u64 = 2;
}

/// The program of a query, with as many cells as a stage of its own each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsKind {
    /// Rows that satisfy comparisons with constants (R-QRY-6).
    Filter {
        /// Comparisons, 1 to 6.
        width: u8,
    },
    /// The n rows with the largest codes, by thresholds after the first (R-QRY-7).
    Thresholds {
        /// Rows of the answer.
        n: u32,
        /// Thresholds, 1 to 12.
        width: u8,
        /// The distance of two thresholds: 2^23 doubles an f32.
        step: u32,
    },
    /// The rows with the largest codes, of 31 bits, by a matrix (R-QRY-8), with ties kept.
    Matrix {
        /// Cells of a row of the matrix.
        width: u8,
    },
    /// Different keys (R-QRY-11), first in, first out.
    Distinct {
        /// Keys of a row.
        width: u8,
    },
    /// The largest code of each key (R-QRY-12), with ties kept.
    Extreme {
        /// Keys of a row.
        width: u8,
    },
    /// A Bloom filter (R-QRY-13); rows of the build side are dropped.
    Bloom,
    /// Sums of f32 by key (R-QRY-18), by FPISA with its extensions.
    Sum,
}

/// The parameters of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowsProgram {
    /// The program of the query.
    pub kind: RowsKind,
    /// Rows of the matrix or cache, words of the filter, or slots: a power of two up to 65536.
    pub rows: u32,
    /// The port that leads back into the pipeline.
    pub loopback: u16,
}

/// Headers and metadata that all programs have.
#[derive(Clone, Copy, Debug)]
struct Frame {
    ethernet: HeaderId,
    bridge: HeaderId,
    row: HeaderId,
    op: FieldId,
    verdict: FieldId,
    index: FieldId,
    key: FieldId,
    code: FieldId,
    /// 1 in the second pass.
    again: FieldId,
    /// The port of the worker, and that of the master.
    worker: FieldId,
    master: FieldId,
}

/// The fields by which a row is judged in the end, and their patterns; the first that matches
/// holds.
struct Judgement {
    stage: usize,
    keys: Vec<FieldId>,
    cases: Vec<(Vec<Pattern>, &'static str)>,
}

impl RowsProgram {
    /// Returns the program with 1024 rows.
    pub const fn new(kind: RowsKind) -> Self {
        Self { kind, rows: 1024, loopback: 68 }
    }

    /// Returns the program. The table `ports` finds the ports of worker and master by the worker's
    /// Ethernet address.
    pub fn program(&self) -> Program {
        let (name, title) = self.title();
        let rules = "Rules: R-QRY in spec/query.md, R-PISA-80 to 87 in spec/pisa.md.";
        let mut builder = Builder::new(name, &[&title, rules]);
        let start = builder.state("start", &[]);
        let frame = self.parse(&mut builder, start);
        let judgement = match self.kind {
            RowsKind::Filter { width } => filter::comparisons(&mut builder, &frame, width),
            RowsKind::Thresholds { n, width, step } => {
                top::thresholds(&mut builder, &frame, n, width, step)
            }
            RowsKind::Matrix { width } => top::matrix(&mut builder, &frame, self.rows, width),
            RowsKind::Distinct { width } => {
                cache::cells(&mut builder, &frame, self.rows, width, false)
            }
            RowsKind::Extreme { width } => {
                cache::cells(&mut builder, &frame, self.rows, width, true)
            }
            RowsKind::Bloom => bloom::words(&mut builder, &frame, self.rows),
            RowsKind::Sum => sum::slots(&mut builder, &frame, self.rows),
        };
        self.judge(&mut builder, &frame, judgement);
        builder.finish()
    }

    /// Returns the control plane's steps: registers to 0 (R-PISA-5), and the ports of workers, by
    /// their Ethernet addresses, and of the master.
    pub fn controls(
        &self,
        program: &Program,
        workers: impl IntoIterator<Item = (u16, u64)>,
        master: u16,
    ) -> Vec<Control> {
        let clear = |(at, array): (usize, &Array)| Control::Clear {
            array: ArrayId(at),
            first: 0,
            words: array.size,
        };
        let route = |(port, mac): (u16, u64)| Control::Insert {
            table: "ports",
            patterns: vec![Pattern::Is(mac)],
            action: "route",
            values: vec![port.into(), master.into()],
        };
        let cleared = program.arrays.iter().enumerate().map(clear);
        cleared.chain(workers.into_iter().map(route)).collect()
    }

    /// Returns the step that seals a Bloom filter (R-QRY-13).
    pub fn seal(&self) -> Control {
        let patterns = vec![Pattern::Is(operation::ROW)];
        Control::Insert { table: "seal", patterns, action: "sealed", values: vec![] }
    }

    /// Returns the steps that give a filter its constants and its truth table, whose bit k is for
    /// the rows for which the comparisons that are the bits of k hold (R-QRY-6, R-PISA-87).
    pub fn filter(&self, comparisons: &[(Comparison, i32)], truth: u64) -> Vec<Control> {
        filter::controls(comparisons, truth)
    }

    fn title(&self) -> (&'static str, String) {
        let rows = self.rows;
        match self.kind {
            RowsKind::Filter { width } => {
                ("filter", format!("A filter of a query, by {width} comparisons."))
            }
            RowsKind::Thresholds { n, width, .. } => {
                ("top_thresholds", format!("Top {n} of a query, by {width} thresholds."))
            }
            RowsKind::Matrix { width } => {
                ("top_matrix", format!("Top rows of a query, by a matrix of {rows} x {width}."))
            }
            RowsKind::Distinct { width } => {
                ("distinct", format!("Different keys of a query, {rows} x {width} cached."))
            }
            RowsKind::Extreme { width } => {
                ("group_extreme", format!("Largest codes by key, {rows} x {width} cached."))
            }
            RowsKind::Bloom => ("bloom_join", format!("A Bloom filter of {rows} words.")),
            RowsKind::Sum => ("group_sum", format!("Sums of FP32 by key, {rows} slots, FPISA.")),
        }
    }

    fn parse(&self, builder: &mut Builder, start: StateId) -> Frame {
        builder.loopbacks(&[self.loopback]);
        let bridge = builder.header("bridge", &[("mode", 8), ("again", 8)]);
        let ethernet = builder.header("ethernet", &[("dst", 48), ("src", 48), ("ether_type", 16)]);
        let common = [("op", 8), ("verdict", 8), ("index", 16), ("key", 32), ("code", 32)];
        let own: &[(&str, u32)] = match self.kind {
            RowsKind::Filter { width } => &filter::COLUMNS[..width.into()],
            RowsKind::Bloom => &[("mask_high", 32), ("mask_low", 32)],
            RowsKind::Sum => &[("exponent", 16), ("mantissa", 32), ("flags", 8)],
            _ => &[],
        };
        let row = builder.header("row", &[&common[..], own].concat());
        let of = |name| builder.of(row, name);
        let (op, verdict, index, key, code) =
            (of("op"), of("verdict"), of("index"), of("key"), of("code"));
        let (again, worker, master) =
            (builder.meta("again", 1), builder.meta("worker", 16), builder.meta("master", 16));
        let frame =
            Frame { ethernet, bridge, row, op, verdict, index, key, code, again, worker, master };
        self.states(builder, &frame, start);
        let ports = TableSpec::new("ports", 0, "The ports of a row's worker and of the master.")
            .key(builder.of(ethernet, "src"), Match::Exact)
            .action(
                ActionSpec::new("route")
                    .param("worker", 16)
                    .param("master", 16)
                    .set(worker, Operand::Param(0))
                    .set(master, Operand::Param(1))
                    .put(builder.valid(bridge), 1),
            )
            .action(ActionSpec::new("refuse").put(Intrinsic::Drop.field(), 1))
            .otherwise("refuse")
            .room(1024);
        builder.table(Gress::Ingress, ports);
        frame
    }

    /// R-PISA-80: rows of operations that the program has, with an index that is there.
    fn states(&self, builder: &mut Builder, frame: &Frame, start: StateId) {
        let row = builder.state("parse_row", &[frame.row]);
        let fresh = builder.state("parse_ethernet", &[frame.ethernet]);
        let around = builder.state("parse_again", &[frame.bridge, frame.ethernet, frame.row]);
        builder.sets(around, frame.again, 1);
        let is_around = Intrinsic::Around.field();
        builder.selects(start, is_around, &[(Pattern::Is(1), around)], Some(fresh));
        let ether_type = builder.of(frame.ethernet, "ether_type");
        builder.selects(fresh, ether_type, &[(Pattern::Is(ETHER_TYPE.into()), row)], None);
        let known = builder.state("known", &[]);
        let beyond = Pattern::Masked(0, 0xFFFF & !(u64::from(self.rows) - 1));
        let ops: &[u64] = match self.kind {
            RowsKind::Bloom => &[operation::ROW, operation::BUILD],
            RowsKind::Sum => &[operation::ROW, operation::READ],
            _ => &[operation::ROW],
        };
        let cases = ops.iter().map(|op| (vec![Pattern::Is(*op), beyond], known)).collect();
        let on = vec![frame.op, frame.index];
        builder.leads(row, Transition::Select { on, cases, otherwise: None });
        let leaving = builder.state("leaving", &[frame.bridge, frame.ethernet, frame.row]);
        builder.egress_parser(leaving);
    }

    /// The last stage of ingress: the row leaves to the master, goes back, or around once more.
    fn judge(&self, builder: &mut Builder, frame: &Frame, judgement: Judgement) {
        let Judgement { stage, keys, cases } = judgement;
        let mode = builder.of(frame.bridge, "mode");
        let port = Intrinsic::EgressPort.field();
        let leave = |name, verdict, to: FieldId| {
            ActionSpec::new(name).put(frame.verdict, verdict).put(mode, 0).set(port, to)
        };
        let mut table = TableSpec::new("judge", stage, "R-QRY-4: the verdict on the row.");
        for key in keys {
            table = table.key(key, Match::Ternary);
        }
        table = table.action(leave("forward", verdict::FORWARDED, frame.master)).action(leave(
            "give_back",
            verdict::RETURNED,
            frame.worker,
        ));
        if matches!(self.kind, RowsKind::Distinct { .. } | RowsKind::Extreme { .. }) {
            let around = ActionSpec::new("around").put(port, self.loopback.into()).put(mode, 1);
            table = table.action(around);
        }
        for (patterns, action) in cases {
            table = table.entry(&patterns, action, &[]);
        }
        builder.table(Gress::Ingress, table.otherwise("forward"));
        let strip = TableSpec::new("strip", 0, "The bridge is removed where a row leaves.")
            .key(mode, Match::Exact)
            .action(ActionSpec::new("strip").put(builder.valid(frame.bridge), 0))
            .entry(&[Pattern::Is(0)], "strip", &[]);
        builder.table(Gress::Egress, strip);
    }
}
