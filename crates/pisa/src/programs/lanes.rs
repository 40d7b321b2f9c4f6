//! The lanes of a packet: headers of falling sizes, so that a block of any length can be parsed,
//! and registers that fold them. Floats have modules instead.

pub mod floats;

use self::floats::Floats;
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, FieldId, Gress, Half, HeaderId, Match, Output, Pattern, StateId, Transition, When, Word,
};
use crate::programs::Arithmetic;
use crate::programs::switchml::SwitchMl;

/// Lanes that one pipeline folds, and their registers: a pair for two lanes.
///
/// A packet's lanes are parsed as headers of L/2, L/4, .. 2, 1 and 1 lanes: a full packet has them
/// all, a shorter one those of its length's bits. The first half goes to the first numbers of the
/// pairs, the rest to the second ones. A pass gives back one number of each pair.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// Lanes of a full packet in one pipeline, L.
    pub count: u32,
    /// All headers in the order in which they travel. Of integers, the first half and then the
    /// second in falling sizes; of floats, one for each lane.
    pub chunks: Vec<Chunk>,
    /// Of integers, for each header, whether a pass has it leave with what was read.
    pub shown: Vec<FieldId>,
    /// The modules that add the lanes, if they are floats.
    pub floats: Option<Floats>,
}

/// A header of lanes.
#[derive(Clone, Debug)]
pub struct Chunk {
    pub header: HeaderId,
    /// The bit of a length that says that the header is there; `None` for the last, which only a
    /// full packet has.
    pub bit: Option<u32>,
    pub fields: Vec<FieldId>,
}

impl Lanes {
    /// Declares the headers of lanes that are added where `copy` says.
    pub fn declare(builder: &mut Builder, config: &SwitchMl, copy: FieldId) -> Self {
        match config.arithmetic {
            Arithmetic::Block => Self::integers(builder, config.lanes_of_pipeline().into()),
            Arithmetic::Fpisa(variant) => Floats::declare(builder, config, variant, copy),
        }
    }

    fn integers(builder: &mut Builder, count: u32) -> Self {
        let mut chunk = |size: u32, bit: Option<u32>, name: String| {
            let names: Vec<String> = (0..size).map(|lane| format!("lane{lane}")).collect();
            let fields: Vec<(&str, u32)> = names.iter().map(|name| (name.as_str(), 32)).collect();
            let header = builder.header(&name, &fields);
            let fields = names.iter().map(|name| builder.of(header, name)).collect();
            Chunk { header, bit, fields }
        };
        let mut chunks = Vec::new();
        let mut size = count / 2;
        while size > 0 {
            chunks.push(chunk(size, Some(size), format!("lanes_{size}")));
            size /= 2;
        }
        chunks.push(chunk(1, None, "lanes_last".into()));
        let shown = (0..chunks.len()).map(|at| builder.meta(&format!("shown{at}"), 1)).collect();
        Self { count, chunks, shown, floats: None }
    }

    /// Pairs of integers: the fields of the first number and of the second.
    fn pairs(&self) -> impl Iterator<Item = (FieldId, FieldId)> {
        let fields = || self.chunks.iter().flat_map(|chunk| &chunk.fields).copied();
        fields().zip(fields().skip(self.count as usize / 2))
    }

    /// Returns whether the pass that adds gives back what it has added: half of a pipeline's
    /// integers (R-PISA-14), and no float (R-PISA-35).
    pub fn come_back(&self) -> bool {
        self.floats.is_none()
    }

    /// Passes that give back all lanes of a pipeline.
    pub fn reads(&self) -> u64 {
        if self.come_back() { 2 } else { 1 }
    }

    /// Parser states that take as many lanes as `length` says, at most all of one pipeline's.
    pub fn parse(
        &self,
        builder: &mut Builder,
        pass: &str,
        length: FieldId,
        length_bits: u32,
    ) -> StateId {
        if self.floats.is_some() {
            return floats::parse(builder, &self.chunks, pass, length);
        }
        let entry = builder.state(&format!("{pass}_lanes"), &[]);
        let all: Vec<HeaderId> = self.chunks.iter().map(|chunk| chunk.header).collect();
        let full = builder.state(&format!("{pass}_all_lanes"), &all);
        let end = builder.state(&format!("{pass}_end"), &[]);
        let mut next = end;
        for chunk in self.chunks.iter().rev() {
            let Some(bit) = chunk.bit else { continue };
            let bit = u64::from(bit);
            let take = builder.state(&format!("{pass}_take_{bit}"), &[chunk.header]);
            builder.leads(take, Transition::To(next));
            let look = builder.state(&format!("{pass}_look_{bit}"), &[]);
            builder.selects(look, length, &[(Pattern::Masked(bit, bit), take)], Some(next));
            next = look;
        }
        let longer = (self.count.trailing_zeros()..length_bits)
            .map(|bit| (Pattern::Masked(1 << bit, 1 << bit), full));
        builder.selects(entry, length, &longer.collect::<Vec<_>>(), Some(next));
        entry
    }

    /// A register array for each pair, four to a stage, and the table that uses it: `entries` say
    /// which of the actions `skip`, `set`, `add`, `read_low` and `read_high`. For floats,
    /// [`Floats::choose`].
    pub fn fold(
        &self,
        builder: &mut Builder,
        stage: usize,
        size: u32,
        index: FieldId,
        keys: &[(FieldId, Match)],
        entries: &[(Vec<Pattern>, &'static str)],
    ) {
        if let Some(floats) = &self.floats {
            return floats.choose(builder, keys, entries);
        }
        for (at, (low, high)) in self.pairs().enumerate() {
            let pair = Pair { low, high, gives_high: high };
            pair.fold(builder, at, stage + at / 4, size, index, keys, entries);
        }
    }

    /// Stages that the registers take.
    pub fn stages(&self) -> usize {
        self.floats.as_ref().map_or((self.count as usize / 2).div_ceil(4), Floats::stages)
    }
}

/// Two lanes, which share the words of an array.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The lane of the first numbers. It is given back here.
    pub low: FieldId,
    /// The lane of the second numbers.
    pub high: FieldId,
    /// The field in which the second lane is given back.
    pub gives_high: FieldId,
}

impl Pair {
    /// The register array of pair number `at`, and the table that uses it: see [`Lanes::fold`].
    #[expect(
        clippy::too_many_arguments,
        reason = "what is folded, where, and when; each is one thing"
    )]
    pub fn fold(
        self,
        builder: &mut Builder,
        at: usize,
        stage: usize,
        size: u32,
        index: FieldId,
        keys: &[(FieldId, Match)],
        entries: &[(Vec<Pattern>, &'static str)],
    ) {
        let Self { low, high, gives_high } = self;
        let name = format!("pair{at}");
        let array =
            builder.array(&name, Word::Pair, size, "Two lanes of each copy of a slot (R-SLOT-2).");
        let both = |op| {
            AccessSpec::new(array, index)
                .update(Half::Lo, When::ALWAYS, op, low)
                .update(Half::Hi, When::ALWAYS, op, high)
                .output(gives_high, Output::New(Half::Hi))
        };
        let read = |half, to| AccessSpec::new(array, index).output(to, Output::Old(half));
        let doc = "R-SLOT-2: the first lanes overwrite, later ones are added; a pass gives back one of the two.";
        let mut table = TableSpec::new(&format!("fold{at}"), stage, doc)
            .action(ActionSpec::new("skip"))
            .action(ActionSpec::new("set").access(both(AluOp::Set)))
            .action(ActionSpec::new("add").access(both(AluOp::Add)))
            .action(ActionSpec::new("read_low").access(read(Half::Lo, low)))
            .action(ActionSpec::new("read_high").access(read(Half::Hi, gives_high)));
        for (field, how) in keys {
            table = table.key(*field, *how);
        }
        for (patterns, action) in entries {
            table = table.entry(patterns, action, &[]);
        }
        builder.table(Gress::Ingress, table);
    }
}
