//! The lanes of a packet: headers of falling sizes, so that a block of any length can be parsed, and registers that fold them.

use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{AluOp, FieldId, Gress, Half, HeaderId, Match, Output, Pattern, StateId, Transition, When, Word};

/// Lanes that one pipeline folds, and their registers: a pair for two lanes.
///
/// A packet's lanes are parsed as headers of L/2, L/4, .. 2, 1 and 1 lanes: a full packet has them all, a shorter one those of its length's bits. The first
/// half goes to the first numbers of the pairs, the rest to the second ones. A pass gives back one number of each pair.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// Lanes of a full packet in one pipeline, L.
    pub count: u32,
    /// The first half: lanes and their header.
    pub low: Chunk,
    /// The second half, in headers of falling sizes.
    pub high: Vec<Chunk>,
}

/// A header of lanes.
#[derive(Clone, Debug)]
pub struct Chunk {
    pub header: HeaderId,
    /// The bit of a length that says that the header is there; `None` for the last, which only a full packet has.
    pub bit: Option<u32>,
    pub fields: Vec<FieldId>,
}

impl Lanes {
    /// Declares the headers.
    pub fn declare(builder: &mut Builder, count: u32) -> Self {
        let mut chunk = |size: u32, bit: Option<u32>, name: String| {
            let names: Vec<String> = (0..size).map(|lane| format!("lane{lane}")).collect();
            let fields: Vec<(&str, u32)> = names.iter().map(|name| (name.as_str(), 32)).collect();
            let header = builder.header(&name, &fields);
            let fields = names.iter().map(|name| builder.of(header, name)).collect();
            Chunk { header, bit, fields }
        };
        let half = count / 2;
        let low = chunk(half, Some(half), format!("lanes_{half}"));
        let mut high = Vec::new();
        let mut size = half / 2;
        while size > 0 {
            high.push(chunk(size, Some(size), format!("lanes_{size}")));
            size /= 2;
        }
        high.push(chunk(1, None, "lanes_last".into()));
        Self { count, low, high }
    }

    /// All headers in the order in which they travel.
    pub fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        std::iter::once(&self.low).chain(&self.high)
    }

    /// Pairs of lanes: the fields of the first number and of the second.
    pub fn pairs(&self) -> impl Iterator<Item = (FieldId, FieldId)> {
        self.low.fields.iter().copied().zip(self.high.iter().flat_map(|chunk| &chunk.fields).copied())
    }

    /// Parser states that take as many lanes as `length` says, at most all of one pipeline's.
    pub fn parse(&self, builder: &mut Builder, pass: &str, length: FieldId, length_bits: u32) -> StateId {
        let entry = builder.state(&format!("{pass}_lanes"), &[]);
        let all: Vec<HeaderId> = self.chunks().map(|chunk| chunk.header).collect();
        let full = builder.state(&format!("{pass}_all_lanes"), &all);
        let end = builder.state(&format!("{pass}_end"), &[]);
        let mut next = end;
        for chunk in self.chunks().collect::<Vec<_>>().into_iter().rev() {
            let Some(bit) = chunk.bit else { continue };
            let bit = u64::from(bit);
            let take = builder.state(&format!("{pass}_take_{bit}"), &[chunk.header]);
            builder.leads(take, Transition::To(next));
            let look = builder.state(&format!("{pass}_look_{bit}"), &[]);
            builder.selects(look, length, &[(Pattern::Masked(bit, bit), take)], Some(next));
            next = look;
        }
        let longer = (self.count.trailing_zeros()..length_bits).map(|bit| (Pattern::Masked(1 << bit, 1 << bit), full));
        builder.selects(entry, length, &longer.collect::<Vec<_>>(), Some(next));
        entry
    }

    /// A register array for each pair, four to a stage, and the table that uses it: `entries` say which of the actions `skip`, `set`, `add`, `read_low` and `read_high`.
    pub fn fold(
        &self,
        builder: &mut Builder,
        stage: usize,
        size: u32,
        index: FieldId,
        keys: &[(FieldId, Match)],
        entries: &[(Vec<Pattern>, &'static str)],
    ) {
        for (at, (low, high)) in self.pairs().enumerate() {
            let name = format!("pair{at}");
            let array = builder.array(&name, Word::Pair, size, "Two lanes of each copy of a slot (R-SLOT-2).");
            let both = |op| {
                AccessSpec::new(array, index)
                    .update(Half::Lo, When::ALWAYS, op, low)
                    .update(Half::Hi, When::ALWAYS, op, high)
                    .output(high, Output::New(Half::Hi))
            };
            let read = |half, to| AccessSpec::new(array, index).output(to, Output::Old(half));
            let doc = "R-SLOT-2: the first lanes overwrite, later ones are added; a pass gives back one of the two.";
            let mut table = TableSpec::new(&format!("fold{at}"), stage + at / 4, doc)
                .action(ActionSpec::new("skip"))
                .action(ActionSpec::new("set").access(both(AluOp::Set)))
                .action(ActionSpec::new("add").access(both(AluOp::Add)))
                .action(ActionSpec::new("read_low").access(read(Half::Lo, low)))
                .action(ActionSpec::new("read_high").access(read(Half::Hi, high)));
            for (field, how) in keys {
                table = table.key(*field, *how);
            }
            for (patterns, action) in entries {
                table = table.entry(patterns, action, &[]);
            }
            builder.table(Gress::Ingress, table);
        }
    }

    /// Stages that the registers take.
    pub fn stages(&self) -> usize {
        (self.count as usize / 2).div_ceil(4)
    }
}
