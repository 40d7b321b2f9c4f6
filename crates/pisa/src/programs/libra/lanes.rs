//! Registers: each takes the first pair of a packet that is its own, and adds its row or reads the
//! sum (R-PISA-72, R-PISA-73).

use super::floats;
use super::frame::Frame;
use super::guard::{self, Verdict};
use super::logtable::{self, Lock, Tables};
use super::{Libra, Sums, what};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, ArrayId, BinOp, FieldId, Gress, Half, Match, Operand, Output, Part, Pattern, When, Word,
};

/// Registers that a stage serves: a pair is taken by one of thirteen actions for each.
const IN_A_STAGE: usize = 2;

/// The stage in which the first registers take their pairs.
const FIRST: usize = 1;

/// Stages from the one that takes a pair to those that look whether it is loaded, and touch its
/// sum. The fields between them are free for other registers then.
const LOADED: usize = 1;
const SUM: usize = 2;

/// The fields of a pair on its way from the packet to a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    /// The register that has it, from 1.
    pub owner: FieldId,
    pub index: FieldId,
    pub value: FieldId,
    /// Bits of the row beside its value: see [`super::frame::mark`].
    pub marks: FieldId,
}

/// One of the registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Register {
    number: usize,
    pub lane: Lane,
    pub marks: ArrayId,
    /// The sums, unless a module of FPISA has them.
    pub sums: Option<ArrayId>,
}

/// The registers of a program.
#[derive(Clone, Debug)]
pub(super) struct Registers {
    /// The stage behind the last that takes a pair.
    pub behind: usize,
    adder: Adder,
}

/// The adder of a register's sums.
#[derive(Clone, Debug)]
enum Adder {
    /// The array itself, which adds integers.
    Array,
    Fpisa(floats::Adder),
    Tables(Tables),
}

impl Registers {
    /// Behind replication: puts the float together that was read, or looks a sum up.
    pub fn egress(&self, builder: &mut Builder) {
        match &self.adder {
            Adder::Array => {}
            Adder::Fpisa(adder) => adder.read(builder),
            Adder::Tables(tables) => tables.egress(builder),
        }
    }

    /// Returns the fields of a pass that takes a row's lock, if there are locks.
    pub fn lock(&self) -> Option<Lock> {
        match &self.adder {
            Adder::Tables(tables) => Some(tables.lock),
            Adder::Array | Adder::Fpisa(_) => None,
        }
    }
}

impl Register {
    /// The stage that takes its pair.
    const fn stage(self) -> usize {
        FIRST + self.number / IN_A_STAGE
    }

    /// The owner of its lane.
    const fn owner(self) -> u64 {
        self.number as u64 + 1
    }

    /// Its bit among those of its half: stages write one field for each of the registers that they
    /// serve.
    const fn bit(self) -> u64 {
        1 << (self.number / IN_A_STAGE)
    }

    /// The stage that touches its sum.
    pub const fn sum_stage(self) -> usize {
        self.stage() + SUM
    }

    /// Shows the pair that has been read in the answer. A hash unit puts the rank together, so that
    /// no instruction moves it (R-PISA-78).
    pub fn shows(
        self,
        builder: &Builder,
        config: &Libra,
        frame: &Frame,
        action: ActionSpec,
    ) -> ActionSpec {
        let pair = frame.found[self.number];
        let found = self.half(builder, frame, ["found_even", "found_odd"]);
        let own = Part::Const { value: self.number as u64, bits: config.register_bits() };
        let above = builder.bits(pair.low) - config.index_bits() - config.register_bits();
        let above = Part::Const { value: 0, bits: above };
        let low = [above, builder.whole(self.lane.index), own];
        let low: Vec<Part> =
            low.into_iter().filter(|part| !matches!(part, Part::Const { bits: 0, .. })).collect();
        action
            .put(builder.valid(pair.rank), 1)
            .put(builder.valid(pair.row), 1)
            .put(pair.high, 0)
            .concat(pair.low, &low)
            .binary(found, BinOp::Or, found, Operand::Const(self.bit()))
    }

    /// A field of the bridge that the even registers, or the odd ones, have for themselves.
    fn half(self, builder: &Builder, frame: &Frame, names: [&str; IN_A_STAGE]) -> FieldId {
        builder.of(frame.bridge, names[self.number % IN_A_STAGE])
    }
}

/// Ingress from stage 1 on.
pub(super) fn fold(
    builder: &mut Builder,
    config: &Libra,
    frame: &Frame,
    verdict: &Verdict,
) -> Registers {
    let registers = declare(builder, config);
    let tables = (config.sums == Sums::LogTable).then(|| Tables::declare(builder, frame));
    tables.iter().for_each(|tables| tables.resume(builder, registers[0]));
    let last = FIRST + (registers.len() - 1) / IN_A_STAGE;
    for stage in FIRST..=last + SUM {
        let at = |behind: usize| {
            registers.iter().filter(move |register| register.stage() + behind == stage)
        };
        at(SUM).for_each(|register| sum(builder, config, frame, verdict, *register));
        at(LOADED).for_each(|register| loaded(builder, config, frame, *register));
        at(0).for_each(|register| take(builder, frame, *register));
        match stage {
            1 => guard::admit(builder, frame, verdict),
            2 => guard::record(builder, config, frame, verdict),
            _ => {}
        }
    }
    let adder = match (config.sums, tables) {
        (Sums::FpisaA, _) => {
            Adder::Fpisa(floats::Adder::declare(builder, config, frame, verdict, registers[0]))
        }
        (_, Some(tables)) => {
            tables.ingress(builder, config, frame, verdict, registers[0]);
            Adder::Tables(tables)
        }
        _ => Adder::Array,
    };
    let behind = if config.sums == Sums::LogTable { logtable::KNOWN } else { last + 1 };
    Registers { behind, adder }
}

fn declare(builder: &mut Builder, config: &Libra) -> Vec<Register> {
    let lanes: Vec<Lane> = (0..SUM * IN_A_STAGE)
        .map(|at| Lane {
            owner: builder.meta(&format!("owner{at}"), 8),
            index: builder.meta(&format!("at{at}"), config.index_bits()),
            value: builder.meta(&format!("value{at}"), 32),
            marks: builder.meta(&format!("loaded{at}"), 8),
        })
        .collect();
    let register = |number: usize| {
        let array = |builder: &mut Builder, name: &str, word, doc: &str| {
            builder.array(&format!("{name}{number}"), word, config.words, doc)
        };
        Register {
            number,
            lane: lanes[number % lanes.len()],
            marks: array(builder, "is_loaded", Word::Single(8), "R-KEY-12: 1 if it is loaded."),
            sums: (config.sums != Sums::FpisaA).then(|| {
                array(builder, "sum", Word::Single(32), "R-HOT-6: the value of each row.")
            }),
        }
    };
    (0..config.registers.into()).map(register).collect()
}

/// R-PISA-72: the first of the pairs that are left which belongs to this register.
fn take(builder: &mut Builder, frame: &Frame, register: Register) {
    let lane = register.lane;
    let left = register.half(builder, frame, ["even", "odd"]);
    let name = format!("take{}", register.number);
    let doc = "R-HOT-6, R-PISA-72: the first pair that is left of this register.";
    let mut table = TableSpec::new(&name, register.stage(), doc)
        .unless(frame.what, what::OTHER)
        .key(left, Match::Ternary);
    if let Some(busy) = frame.busy {
        table = table.unless(busy.storing, 1);
    }
    let registers: Vec<FieldId> = frame.asked.iter().filter_map(|pair| pair.register).collect();
    for field in &registers {
        table = table.key(*field, Match::Ternary);
    }
    for (at, pair) in frame.asked.iter().enumerate() {
        let action = format!("take_pair{at}");
        let bit = 1 << at;
        let mut patterns = vec![Pattern::Masked(bit, bit)];
        patterns.extend((0..registers.len()).map(|other| match other == at {
            true => Pattern::Is(register.number as u64),
            false => Pattern::Any,
        }));
        table = table
            .action(
                ActionSpec::new(&action)
                    .put(lane.owner, register.owner())
                    .set(lane.index, pair.index)
                    .set(lane.value, pair.value)
                    .binary(left, BinOp::And, left, Operand::Const(0xFFFF & !bit)),
            )
            .entry(&patterns, &action, &[]);
    }
    builder.table(Gress::Ingress, table);
}

/// R-KEY-12: whether the row is loaded; a load sets it. A float is marked when its sum begins.
fn loaded(builder: &mut Builder, config: &Libra, frame: &Frame, register: Register) {
    if config.sums == Sums::LogTable {
        return;
    }
    let lane = register.lane;
    let access = AccessSpec::new(register.marks, lane.index)
        .update(Half::Lo, When::ALWAYS, AluOp::Or, frame.marks)
        .output(lane.marks, Output::Old(Half::Lo));
    let name = format!("load{}", register.number);
    let doc = "R-KEY-12: whether the row has been loaded.";
    let table = TableSpec::new(&name, register.stage() + LOADED, doc)
        .when(lane.owner, register.owner())
        .key(frame.what, Match::Exact)
        .action(ActionSpec::new("touch").access(access));
    let pushes: &[u64] = if config.sums == Sums::FpisaA { &[what::PUSH, what::FOLD] } else { &[] };
    let table = [what::LOAD, what::LOAD_ON, what::PULL]
        .iter()
        .chain(pushes)
        .fold(table, |table, one| table.entry(&[Pattern::Is(*one)], "touch", &[]));
    builder.table(Gress::Ingress, table);
}

/// R-PISA-73: a row is added, or its sum read into the answer, at the place of its register. The
/// array gives the sum to the answer, so that no instruction moves it (R-PISA-78).
fn sum(
    builder: &mut Builder,
    config: &Libra,
    frame: &Frame,
    verdict: &Verdict,
    register: Register,
) {
    let Some(sums) = register.sums.filter(|_| config.sums == Sums::Integers) else { return };
    let lane = register.lane;
    let access = || AccessSpec::new(sums, lane.index);
    let add = access().update(Half::Lo, When::ALWAYS, AluOp::Add, lane.value);
    let pair = frame.found[register.number];
    let read = access().output(pair.value, Output::Old(Half::Lo));
    let show = register.shows(builder, config, frame, ActionSpec::new("read")).access(read);
    let name = format!("fold{}", register.number);
    let doc = "R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.";
    let mut table = TableSpec::new(&name, register.stage() + SUM, doc)
        .when(lane.owner, register.owner())
        .key(frame.what, Match::Ternary)
        .key(lane.marks, Match::Ternary);
    for key in &verdict.keys {
        table = table.key(*key, Match::Ternary);
    }
    table = table.action(ActionSpec::new("add").access(add)).action(show);
    let (any, is) = (Pattern::Any, Pattern::Is);
    let row = |what, loaded, verdict: &[Pattern]| [&[is(what), loaded], verdict].concat();
    for new in &verdict.new {
        table = table.entry(&row(what::PUSH, any, new), "add", &[]);
    }
    table = table
        .entry(&row(what::FOLD, any, &verdict.any()), "add", &[])
        .entry(&row(what::LOAD, is(0), &verdict.any()), "add", &[])
        .entry(&row(what::LOAD_ON, is(0), &verdict.any()), "add", &[])
        .entry(&row(what::PULL, is(1), &verdict.any()), "read", &[]);
    builder.table(Gress::Ingress, table);
}
