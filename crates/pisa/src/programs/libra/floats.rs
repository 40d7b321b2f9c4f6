//! Rows of FP32 values, which a module of FPISA-A adds up (R-PISA-77).

use super::frame::{Frame, mark};
use super::guard::Verdict;
use super::lanes::Register;
use super::{Libra, what};
use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::program::{Gress, Match, Pattern};
use crate::programs::fpisa::module::{Module, Places, Shared};
use crate::programs::fpisa::{Variant, operation};

/// The module of the one register.
#[derive(Clone, Debug)]
pub(super) struct Adder {
    shared: Shared,
    module: Module,
}

impl Adder {
    /// Ingress from the register's stage of sums on.
    pub fn declare(
        builder: &mut Builder,
        config: &Libra,
        frame: &Frame,
        verdict: &Verdict,
        register: Register,
    ) -> Self {
        let found = frame.found[0];
        let [exponent, flags] = ["exponent", "flags"].map(|name| builder.of(frame.bridge, name));
        let places = Places {
            value: register.lane.value,
            sum: found.value,
            exponent,
            mantissa: found.value,
            flags,
            there: register.lane.owner,
            overflowed: None,
            reading: (builder.valid(found.row), 1),
        };
        let shared = Shared {
            variant: Variant::Approximate,
            words: config.words,
            op: builder.meta("sums_are", 8),
            index: register.lane.index,
            stage: register.sum_stage(),
        };
        let own = Self { shared, module: Module::declare(builder, 0, places) };
        own.choose(builder, config, frame, verdict, register);
        own.module.take(builder, &shared);
        own.module.fold(builder, &shared);
        own
    }

    /// R-PISA-77: a push that is new and a first load begin a sum, or are added to it.
    fn choose(
        &self,
        builder: &mut Builder,
        config: &Libra,
        frame: &Frame,
        verdict: &Verdict,
        register: Register,
    ) {
        let Shared { op, stage, .. } = self.shared;
        let lane = register.lane;
        let read = ActionSpec::new("read").put(op, operation::READ);
        let read = register.shows(builder, config, frame, read);
        let doc = "R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.";
        let mut table = TableSpec::new("fold0", stage, doc)
            .when(lane.owner, 1)
            .key(frame.what, Match::Ternary)
            .key(lane.marks, Match::Ternary)
            .action(ActionSpec::new("begin").put(op, operation::FIRST))
            .action(ActionSpec::new("add").put(op, operation::ADD))
            .action(read);
        for key in &verdict.keys {
            table = table.key(*key, Match::Ternary);
        }
        let row =
            |what, marks, verdict: &[Pattern]| [&[Pattern::Is(what), marks], verdict].concat();
        let all = verdict.any();
        let pushes = verdict.new.iter().map(|new| (what::PUSH, new)).chain([(what::FOLD, &all)]);
        for (what, verdict) in pushes {
            table = table
                .entry(&row(what, Pattern::Masked(0, mark::BEGUN), verdict), "begin", &[])
                .entry(&row(what, Pattern::Any, verdict), "add", &[]);
        }
        for load in [what::LOAD, what::LOAD_ON] {
            table = table.entry(&row(load, Pattern::Is(0), &all), "begin", &[]).entry(
                &row(load, Pattern::Is(mark::BEGUN), &all),
                "add",
                &[],
            );
        }
        let loaded = Pattern::Masked(mark::LOADED, mark::LOADED);
        builder.table(Gress::Ingress, table.entry(&row(what::PULL, loaded, &all), "read", &[]));
    }

    /// Behind replication: the value that the sum reads as.
    pub fn read(&self, builder: &mut Builder) {
        self.module.read(builder, &self.shared);
    }
}
