//! Lanes of FP32 values, each with a module of FPISA that adds it to the sum of its slot's copy
//! (R-PISA-35 to 38).

use super::{Chunk, Lanes};
use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::program::{
    BinOp, FieldId, Gress, HeaderId, Intrinsic, Match, Operand, Pattern, StateId, Transition,
};
use crate::programs::fpisa::module::{Module, Places, Shared};
use crate::programs::fpisa::{Variant, flag, operation};
use crate::programs::frame::Frame;
use crate::programs::outcome;
use crate::programs::switchml::{LANES_STAGE, Meta, SwitchMl};

/// The reason of a report to the control plane: with the packet's value a sum has overflowed
/// (R-FPI-9).
pub const OVERFLOW: u64 = 2;

/// The parts of a program of floats beside the headers of its lanes.
#[derive(Clone, Debug)]
pub struct Floats {
    shared: Shared,
    modules: Vec<Module>,
    /// Parts of sums on their way through replication, and for how many lanes they stand. It never
    /// leaves the switch.
    found: HeaderId,
    /// Flags of a sum that has been read, by module.
    flags: Vec<FieldId>,
    /// Of `fpisa-a`: by module, whether an addition has overflowed; and the lane of the first that
    /// has.
    overflowed: Vec<FieldId>,
    lane: Option<FieldId>,
}

/// The header of the parts of sums, which stands before the lanes (R-PISA-36).
pub struct Found {
    pub header: HeaderId,
    /// Exponent and flags of each lane.
    parts: Vec<[FieldId; 2]>,
}

impl Found {
    /// Declares it for so many lanes.
    pub fn declare(builder: &mut Builder, lanes: u32) -> Self {
        let names: Vec<_> =
            (0..lanes).map(|lane| [format!("exponent{lane}"), format!("flags{lane}")]).collect();
        let parts = names.iter().flat_map(|[exponent, flags]| [(&**exponent, 16), (&**flags, 8)]);
        let fields: Vec<_> = [("lanes", 8)].into_iter().chain(parts).collect();
        let header = builder.header("found", &fields);
        let parts = names.iter().map(|names| names.each_ref().map(|name| builder.of(header, name)));
        Self { parts: parts.collect(), header }
    }
}

/// A lane: its value, the field that says whether it is there, and the one that says, behind
/// replication, whether its sum has been read.
pub type Lane = (FieldId, FieldId, FieldId);

impl Floats {
    /// Declares a header for each lane, so that they are taken in one by one: they are few, and a
    /// lane's module has its number.
    pub fn declare(
        builder: &mut Builder,
        config: &SwitchMl,
        variant: Variant,
        copy: FieldId,
    ) -> Lanes {
        let count = u32::from(config.lanes_of_pipeline());
        let found = Found::declare(builder, count);
        let mut chunks = Vec::new();
        for lane in 0..count {
            let header = builder.header(&format!("lane{lane}"), &[("value", 32)]);
            let fields = vec![builder.of(header, "value")];
            chunks.push(Chunk { header, bit: None, fields });
        }
        let lane = |chunk: &Chunk| {
            let valid = builder.valid(chunk.header);
            (chunk.fields[0], valid, valid)
        };
        let lanes: Vec<_> = chunks.iter().map(lane).collect();
        let op = builder.meta("sums_are", 8);
        let shared = Shared { variant, words: config.words(), op, index: copy, stage: LANES_STAGE };
        let floats = Self::over(builder, shared, &found, &lanes);
        Lanes { count, chunks, shown: Vec::new(), floats: Some(floats) }
    }

    /// Declares a module for each of these lanes.
    pub fn over(builder: &mut Builder, shared: Shared, found: &Found, lanes: &[Lane]) -> Self {
        let (mut modules, mut overflowed) = (Vec::new(), Vec::new());
        for ((number, (value, there, reads)), parts) in (0..).zip(lanes).zip(&found.parts) {
            if shared.variant == Variant::Approximate {
                overflowed.push(builder.meta(&format!("overflowed{number}"), 1));
            }
            let [exponent, flags] = *parts;
            let places = Places {
                value: *value,
                sum: *value,
                exponent,
                mantissa: *value,
                flags,
                overflowed: overflowed.last().copied(),
                there: *there,
                reading: (*reads, 1),
            };
            modules.push(Module::declare(builder, number, places));
        }
        let flags = found.parts.iter().map(|[_, flags]| *flags).collect();
        let lane = (!overflowed.is_empty()).then(|| builder.meta("lane", 16));
        Self { shared, modules, found: found.header, flags, overflowed, lane }
    }

    /// Returns the field that the control plane is told with a report, beside those that it is told
    /// of integers: the lane that has overflowed.
    pub fn report(&self) -> Option<FieldId> {
        self.lane
    }

    /// Returns the bit that says whether sums are read in this pass.
    pub fn found(&self, builder: &Builder) -> FieldId {
        builder.valid(self.found)
    }

    /// Stages up to that of the flags, after which a sum is as it stays.
    pub fn stages(&self) -> usize {
        self.shared.flags_stage() - self.shared.stage
    }

    /// The modules' first stage: what the pass does with the sums, which `entries` say as one of
    /// the actions `skip`, `set`, `add` and `read`; and the values, taken apart.
    pub fn choose(
        &self,
        builder: &mut Builder,
        keys: &[(FieldId, Match)],
        entries: &[(Vec<Pattern>, &'static str)],
    ) {
        let Shared { op, stage, .. } = self.shared;
        let doc = "R-SLOT-2: the first lanes begin sums, later ones are added. R-PISA-35: a pass adds or reads.";
        let mut table = TableSpec::new("folds", stage, doc)
            .action(ActionSpec::new("skip"))
            .action(ActionSpec::new("set").put(op, operation::FIRST))
            .action(ActionSpec::new("add").put(op, operation::ADD))
            .action(ActionSpec::new("read").put(op, operation::READ));
        for (field, how) in keys {
            table = table.key(*field, *how);
        }
        for (patterns, action) in entries {
            table = table.entry(patterns, action, &[]);
        }
        builder.table(Gress::Ingress, table);
        self.modules.iter().for_each(|module| module.take(builder, &self.shared));
    }

    /// Shows the header of the values that egress puts together, before anything is written to it
    /// (R-PISA-1, R-PISA-36).
    pub fn tell(&self, builder: &mut Builder, config: &SwitchMl, frame: &Frame, meta: &Meta) {
        let count = self.modules.len() as u64;
        let (found, lanes) = (builder.valid(self.found), builder.of(self.found, "lanes"));
        let doc = "R-PISA-36: how many sums egress puts together.";
        let mut told = keyed(builder, frame, meta, "tell", LANES_STAGE - 1, doc)
            .action(ActionSpec::new("none").put(found, 1).put(lanes, 0))
            .action(
                ActionSpec::new("some")
                    .param("lanes", 8)
                    .put(found, 1)
                    .set(lanes, Operand::Param(0)),
            )
            .otherwise("none");
        for part in 0..u64::from(config.pipelines) {
            for lane in 0..count {
                let reaching = part * count + lane + 1;
                let last = if lane + 1 == count { 0xFFFF } else { reaching };
                told = told.entry(&window(part, reaching, last), "some", &[lane + 1]);
            }
        }
        builder.table(Gress::Ingress, told);
    }

    /// Shows the lanes that leave this pass: those that it has read, as far as the block has them.
    /// The table comes behind those that look at values that have come, and before those that put
    /// sums in their place.
    pub fn show(
        &self,
        builder: &mut Builder,
        config: &SwitchMl,
        frame: &Frame,
        meta: &Meta,
        chunks: &[Chunk],
    ) {
        let (stage, count) = (self.shared.stage + 2, chunks.len() as u64);
        let parts = u64::from(config.pipelines);
        for (lane, chunk) in (0..).zip(chunks) {
            let valid = builder.valid(chunk.header);
            let doc = "Lanes that the packet has behind this pass (R-PISA-35).";
            let table = keyed(builder, frame, meta, &format!("show{lane}"), stage, doc)
                .action(ActionSpec::new("show").put(valid, 1))
                .action(ActionSpec::new("hide").put(valid, 0))
                .otherwise("hide");
            let reaching = |part: u64| window(part, part * count + lane + 1, 0xFFFF);
            let table =
                (0..parts).fold(table, |table, part| table.entry(&reaching(part), "show", &[]));
            builder.table(Gress::Ingress, table);
        }
        if let Some(lane) = self.lane.filter(|_| parts > 1) {
            let doc = "The number of a pipeline's first lane, as long as the packet's step says which pipeline it is.";
            let table = TableSpec::new("first_lane", stage, doc)
                .key(meta.phase, Match::Ternary)
                .key(frame.bridge.step, Match::Ternary)
                .action(ActionSpec::new("count").param("lanes", 16).set(lane, Operand::Param(0)));
            let counted = |table: TableSpec, part| {
                table.entry(&outcome::pass(part), "count", &[part * count])
            };
            builder.table(Gress::Ingress, (0..parts).fold(table, counted));
        }
    }

    /// The sums.
    pub fn fold(&self, builder: &mut Builder) {
        self.modules.iter().for_each(|module| module.fold(builder, &self.shared));
    }

    /// The last stage: R-PISA-37. It comes behind the tables that decide where the packet goes, and
    /// is for packets for which this field is 1.
    pub fn withhold(&self, builder: &mut Builder, ours: FieldId) {
        let Some(lane) = self.lane else { return };
        let [drop, report] = [Intrinsic::Drop, Intrinsic::Report].map(Intrinsic::field);
        let doc = "R-FPI-9: an overflow is reported, and no sum that has overflowed is sent.";
        let mut table = TableSpec::new("overflows", self.shared.last_stage(), doc)
            .when(ours, 1)
            .key(self.shared.op, Match::Ternary)
            .action(
                ActionSpec::new("overflow")
                    .param("module", 16)
                    .binary(lane, BinOp::Add, lane, Operand::Param(0))
                    .put(drop, 1)
                    .put(report, OVERFLOW),
            )
            .action(ActionSpec::new("withhold").put(drop, 1));
        let keys: Vec<_> = self.overflowed.iter().chain(&self.flags).copied().collect();
        for key in &keys {
            table = table.key(*key, Match::Ternary);
        }
        let only = |op, at: usize, pattern| {
            let mut patterns = vec![Pattern::Any; keys.len()];
            patterns[at] = pattern;
            [vec![Pattern::Is(op)], patterns].concat()
        };
        let count = self.modules.len();
        let flagged = Pattern::Masked(flag::OVERFLOW, flag::OVERFLOW);
        for module in 0..count {
            table = table.entry(
                &only(operation::ADD, module, Pattern::Is(1)),
                "overflow",
                &[module as u64],
            );
        }
        for module in 0..count {
            table = table.entry(&only(operation::READ, count + module, flagged), "withhold", &[]);
        }
        builder.table(Gress::Ingress, table);
    }

    /// Behind replication: sums that have been read are put together, and their parts taken out.
    pub fn leave(&self, builder: &mut Builder) {
        self.modules.iter().for_each(|module| module.read(builder, &self.shared));
        let found = builder.valid(self.found);
        let strip = TableSpec::new(
            "strip_found",
            self.shared.last_stage(),
            "R-PISA-36: what sums were put together from.",
        )
        .when(found, 1)
        .action(ActionSpec::new("strip").put(found, 0))
        .otherwise("strip");
        builder.table(Gress::Egress, strip);
    }

    /// The parser before egress: behind the other headers come the parts of the sums that have been
    /// read, and the sums' lanes.
    pub fn parse_leaving(&self, builder: &mut Builder, chunks: &[Chunk], headers: StateId) {
        let found = builder.state("leaving_found", &[self.found]);
        builder.leads(headers, Transition::To(found));
        let lanes = parse(builder, chunks, "leaving", builder.of(self.found, "lanes"));
        builder.leads(found, Transition::To(lanes));
    }
}

/// A table that looks at the pass, and at the lanes of the block.
fn keyed(
    builder: &Builder,
    frame: &Frame,
    meta: &Meta,
    name: &str,
    stage: usize,
    doc: &str,
) -> TableSpec {
    TableSpec::new(name, stage, doc)
        .when(builder.valid(frame.netfold), 1)
        .key(meta.phase, Match::Ternary)
        .key(frame.bridge.step, Match::Ternary)
        .key(frame.field(builder, "elements"), Match::Range)
}

/// A pass that reads this pipeline's lanes, of blocks that are so long.
const fn window(part: u64, from: u64, to: u64) -> [Pattern; 3] {
    [Pattern::Is(2), Pattern::Is(part), Pattern::Range(from, to)]
}

/// Parser states that take as many lanes as `length` says, at most all.
pub fn parse(builder: &mut Builder, chunks: &[Chunk], pass: &str, length: FieldId) -> StateId {
    let end = builder.state(&format!("{pass}_end"), &[]);
    chunks.iter().enumerate().rev().fold(end, |next, (lane, chunk)| {
        let take = builder.state(&format!("{pass}_take_{lane}"), &[chunk.header]);
        builder.leads(take, Transition::To(next));
        let look = builder.state(&format!("{pass}_look_{lane}"), &[]);
        builder.selects(look, length, &[(Pattern::Is(lane as u64), end)], Some(take));
        look
    })
}
