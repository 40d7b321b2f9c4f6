//! Rows of FP32 values that Libra's tables add up (section 3.5; R-LOG, R-PISA-79).
//!
//! A sum is read in one pass and written in the next. Between the two its row is locked, and the
//! tables are looked up: in egress first, and then before the registers are reached again.

mod addition;

use netfold_num::logtable::{self, Lookup};

use super::frame::{Busy, Frame};
use super::guard::Verdict;
use super::lanes::Register;
use super::{Libra, what};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::control::Control;
use crate::program::{
    AluOp, ArrayId, FieldId, Gress, Half, Match, Operand, Output, Part, Pattern, Program, When,
    Word,
};

/// Stages of ingress: the lock, the flags of loaded rows, the sums.
const LOCK: usize = 3;
const LOADED: usize = 5;
const SUM: usize = 6;

/// The stage in which it is known what a pass has done.
pub(super) const KNOWN: usize = SUM;

/// The arrays of the tables that are looked up, with what is in them. Both operands need those of a
/// logarithm.
pub const LOOKUPS: [(&str, Lookup); 11] = [
    ("log_m_x", Lookup::LogOfM),
    ("log_m_y", Lookup::LogOfM),
    ("log_dm_x", Lookup::LogOfDm),
    ("log_dm_y", Lookup::LogOfDm),
    ("log_m_ln_2_x", Lookup::LogOfMLn2),
    ("log_m_ln_2_y", Lookup::LogOfMLn2),
    ("exp_x", Lookup::Exp),
    ("exp_y", Lookup::Exp),
    ("mi", Lookup::Mi),
    ("difference", Lookup::Difference),
    ("final_exp", Lookup::FinalExp),
];

/// The steps that fill the tables.
pub(super) fn fill(program: &Program) -> impl Iterator<Item = Control> + '_ {
    LOOKUPS.into_iter().filter_map(|(name, lookup)| {
        let values = logtable::entries(lookup).map(u64::from).collect();
        Some(Control::Fill { array: program.array_named(name)?, values })
    })
}

/// Fields of a pass that takes a row's lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lock {
    /// 1 if the pass needs the row's lock.
    pub tried: FieldId,
    /// 0 if it was free.
    pub held: FieldId,
}

/// The fields of an addition by tables.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub lock: Lock,
    /// The sum that is to be written.
    sum: FieldId,
    /// Between passes: the operands, the one of larger magnitude first, its logarithm, the
    /// difference of both, and what the tables have for that. The sum and the row that is added
    /// come to egress in the places of the two logarithms.
    x: FieldId,
    y: FieldId,
    log: FieldId,
    apart: FieldId,
    mi: FieldId,
    drop: FieldId,
    row: FieldId,
    busy: FieldId,
    storing: FieldId,
}

impl Tables {
    pub fn declare(builder: &mut Builder, frame: &Frame) -> Self {
        let of = |name| builder.of(frame.bridge, name);
        let [x, y, log, apart] = ["x", "y", "log", "apart"].map(of);
        let [mi, drop, row] = ["mi", "drop", "row_at"].map(of);
        let Busy { carried: busy, storing } = frame.busy.expect("the bridge has room for it");
        let lock = Lock { tried: builder.meta("tried", 1), held: builder.meta("held", 8) };
        let sum = builder.meta("new_sum", 32);
        Self { lock, sum, x, y, log, apart, mi, drop, row, busy, storing }
    }

    /// Stage 0, before a pair is taken.
    pub fn resume(&self, builder: &mut Builder, register: Register) {
        let here = While { gress: Gress::Ingress, busy: self.storing };
        here.run(builder, ("resume", 0), "R-PISA-79: the row that is locked.", |action| {
            action.slice(register.lane.index, self.row, 0)
        });
    }

    /// Ingress: the second half of an addition, and then the row's lock, flag and sum.
    pub fn ingress(
        &self,
        builder: &mut Builder,
        config: &Libra,
        frame: &Frame,
        verdict: &Verdict,
        register: Register,
    ) {
        self.end(builder);
        self.locks(builder, config, frame, verdict, register);
        self.marks(builder, frame, register);
        self.sums(builder, config, frame, register);
    }

    /// R-PISA-79: a row that is to be changed is locked, and freed in the pass that changes it.
    fn locks(
        &self,
        builder: &mut Builder,
        config: &Libra,
        frame: &Frame,
        verdict: &Verdict,
        register: Register,
    ) {
        let Lock { tried, held } = self.lock;
        let lane = register.lane;
        let doc = "1 while a row's sum is on its way (R-PISA-79).";
        let array = builder.array("locks", Word::Single(8), config.words, doc);
        let write = |value| {
            let access = AccessSpec::new(array, lane.index);
            access.update(Half::Lo, When::ALWAYS, AluOp::Set, Operand::Const(value))
        };
        let take = write(1).output(held, Output::Old(Half::Lo));
        let mut table = TableSpec::new("lock", LOCK, "R-PISA-79: one pass at a time has a row.")
            .key(frame.what, Match::Ternary)
            .key(lane.owner, Match::Ternary)
            .action(ActionSpec::new("take").put(tried, 1).access(take))
            .action(ActionSpec::new("free").access(write(0)));
        for key in &verdict.keys {
            table = table.key(*key, Match::Ternary);
        }
        let is = Pattern::Is;
        let all = verdict.any();
        let row = |what, owner, verdict: &[Pattern]| [&[is(what), owner], verdict].concat();
        for new in &verdict.new {
            table = table.entry(&row(what::PUSH, is(1), new), "take", &[]);
        }
        for what in [what::FOLD, what::LOAD, what::LOAD_ON] {
            table = table.entry(&row(what, is(1), &all), "take", &[]);
        }
        for what in [what::STORE, what::STORE_LOAD] {
            table = table.entry(&row(what, Pattern::Any, &all), "free", &[]);
        }
        builder.table(Gress::Ingress, table);
    }

    /// R-KEY-12: whether the row is loaded; a load that has the lock sets it.
    fn marks(&self, builder: &mut Builder, frame: &Frame, register: Register) {
        let Lock { tried, held } = self.lock;
        let lane = register.lane;
        let access = AccessSpec::new(register.marks, lane.index)
            .update(Half::Lo, When::ALWAYS, AluOp::Or, frame.marks)
            .output(lane.marks, Output::Old(Half::Lo));
        let (any, is) = (Pattern::Any, Pattern::Is);
        let mut table = TableSpec::new("load0", LOADED, "R-KEY-12: whether the row was loaded.")
            .when(lane.owner, 1)
            .key(frame.what, Match::Ternary)
            .key(tried, Match::Ternary)
            .key(held, Match::Ternary)
            .action(ActionSpec::new("touch").access(access))
            .entry(&[is(what::PULL), any, any], "touch", &[]);
        for load in [what::LOAD, what::LOAD_ON] {
            table = table.entry(&[is(load), is(1), is(0)], "touch", &[]);
        }
        builder.table(Gress::Ingress, table);
    }

    /// The sum: fetched with the pair's row for the addition, written, or read for a pull.
    fn sums(&self, builder: &mut Builder, config: &Libra, frame: &Frame, register: Register) {
        let Some(sums) = register.sums else { return };
        let Lock { tried, held } = self.lock;
        let lane = register.lane;
        let access = || AccessSpec::new(sums, lane.index);
        let above = builder.bits(self.row) - config.index_bits();
        let above = (above > 0).then_some(Part::Const { value: 0, bits: above });
        let row: Vec<Part> = above.into_iter().chain([builder.whole(lane.index)]).collect();
        let kept = While { gress: Gress::Ingress, busy: tried };
        let doc = "R-PISA-79: the row, for the next pass.";
        kept.run(builder, ("keep_row", LOADED), doc, |action| action.concat(self.row, &row));
        let fetch = |name: &str, operand: Operand| {
            let read = access().output(self.log, Output::Old(Half::Lo));
            ActionSpec::new(name).set(self.apart, operand).access(read)
        };
        let write = access().update(Half::Lo, When::ALWAYS, AluOp::Set, self.sum);
        let found = access().output(frame.found[0].value, Output::Old(Half::Lo));
        let show = register.shows(builder, config, frame, ActionSpec::new("read")).access(found);
        let (any, is) = (Pattern::Any, Pattern::Is);
        let doc = "R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.";
        let mut table = TableSpec::new("fold0", SUM, doc)
            .key(frame.what, Match::Ternary)
            .key(tried, Match::Ternary)
            .key(held, Match::Ternary)
            .key(lane.marks, Match::Ternary)
            .action(fetch("fetch", lane.value.into()))
            .action(fetch("fetch_loaded", Operand::Const(0)))
            .action(ActionSpec::new("store").access(write))
            .action(show);
        for push in [what::PUSH, what::FOLD] {
            table = table.entry(&[is(push), is(1), is(0), any], "fetch", &[]);
        }
        for load in [what::LOAD, what::LOAD_ON] {
            table = table.entry(&[is(load), is(1), is(0), is(0)], "fetch", &[]).entry(
                &[is(load), is(1), is(0), any],
                "fetch_loaded",
                &[],
            );
        }
        for store in [what::STORE, what::STORE_LOAD] {
            table = table.entry(&[is(store), any, any, any], "store", &[]);
        }
        let table = table.entry(&[is(what::PULL), any, any, is(1)], "read", &[]);
        builder.table(Gress::Ingress, table);
    }
}

/// The array of a table that is looked up.
fn array_of(builder: &mut Builder, name: &str) -> ArrayId {
    let (_, lookup) =
        LOOKUPS.into_iter().find(|(own, _)| *own == name).expect("a table of R-LOG-1");
    let size = logtable::entries(lookup).count() as u32;
    builder.array(name, Word::Single(16), size, "A table of R-LOG, which the control plane fills.")
}

/// A part of a program in which a row is locked.
#[derive(Clone, Copy, Debug)]
struct While {
    gress: Gress,
    /// 1 there.
    busy: FieldId,
}

impl While {
    /// Adds a table that always does this.
    fn run(
        self,
        builder: &mut Builder,
        (name, stage): (&str, usize),
        doc: &str,
        action: impl FnOnce(ActionSpec) -> ActionSpec,
    ) {
        let table = TableSpec::new(name, stage, doc)
            .when(self.busy, 1)
            .action(action(ActionSpec::new("run")))
            .otherwise("run");
        builder.table(self.gress, table);
    }

    /// Looks a table up.
    fn look_up(
        self,
        builder: &mut Builder,
        (name, stage): (&str, usize),
        key: FieldId,
        to: FieldId,
    ) {
        let array = array_of(builder, name);
        let access = AccessSpec::new(array, key).output(to, Output::Old(Half::Lo));
        let name = format!("look_up_{name}");
        self.run(builder, (&name, stage), "R-LOG-1: an entry.", |action| action.access(access));
    }
}
