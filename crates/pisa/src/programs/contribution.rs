//! The state of a contribution, and the number of those that its round waits for (R-PISA-11,
//! R-PISA-13): registers that each SwitchML program has.

use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, ArrayId, FieldId, Gress, Half, Match, Operand, Output, Pattern, Relation, When, Word,
};
use crate::programs::frame::flags;

/// Outputs of an access to `last` about a packet: [`Output::Outcome`] of (behind, equal).
pub(crate) mod age {
    pub const OLD: u64 = 1;
    pub const NEW: u64 = 2;
    pub const REPEATED: u64 = 4;
}

/// Outputs of an access to `round`: [`Output::Outcome`] of (starts, agrees).
pub(crate) mod round {
    pub const DIFFERS: u64 = 1;
    pub const STARTS: u64 = 2;
    pub const AGREES: u64 = 4;
    /// It starts a round, and what was there before happens to have its digest.
    pub const STARTS_ALIKE: u64 = 8;
}

/// In `count`: two calls met in this copy. It is never complete again.
pub(crate) const BROKEN: u64 = 0xFFFF;

/// Fields that the arrays of a round look at, and fields in which they describe a contribution
/// (R-PISA-11, R-PISA-13).
#[derive(Clone, Copy)]
pub(crate) struct Contribution {
    pub key: FieldId,
    pub digest: FieldId,
    pub copy: FieldId,
    pub word: FieldId,
    pub sender: FieldId,
    pub others: FieldId,
    pub age: FieldId,
    pub round: FieldId,
    pub first: FieldId,
    pub left: FieldId,
    pub largest: FieldId,
}

/// Words of the arrays: of `last`, and of those with one for each copy.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub last: u32,
    pub copies: u32,
}

/// A condition that has to hold before a table is looked at: it adds the gates to the table.
pub(crate) type Gated<'g> = &'g dyn Fn(TableSpec) -> TableSpec;

/// Decides what the packet is, from three registers that each say so by themselves (R-PISA-11).
/// `flag` is the field that marks queries, in a program that has them.
pub(crate) fn decide(
    builder: &mut Builder,
    stage: usize,
    sizes: Sizes,
    meta: &Contribution,
    flag: Option<FieldId>,
    folded: Gated<'_>,
) {
    let copies = sizes.copies;
    let last = builder.array(
        "last",
        Word::Single(32),
        sizes.last,
        "The latest round of each worker in each slot (R-PISA-11).",
    );
    let round = builder.array(
        "round",
        Word::Pair,
        copies,
        "The round that each copy holds, and what it agrees on (R-SLOT-7).",
    );
    let first = builder.array(
        "first",
        Word::Pair,
        copies,
        "The same round, and the worker that started it.",
    );

    let with_query = |name: &str, doc: &str, change: AccessSpec, look: AccessSpec| {
        let mut table = folded(TableSpec::new(name, stage, doc))
            .action(ActionSpec::new("contribute").access(change));
        if let Some(flag) = flag {
            let query = Pattern::Masked(flags::QUERY, flags::QUERY);
            table = table.key(flag, Match::Ternary).action(ActionSpec::new("ask").access(look));
            return table.entry(&[query], "ask", &[]).entry(&[Pattern::Any], "contribute", &[]);
        }
        table.otherwise("contribute")
    };
    let compare = |access: AccessSpec| access.compare(Half::Lo, Relation::Behind, meta.key);
    let ask = compare(AccessSpec::new(last, meta.word))
        .compare(Half::Lo, Relation::Equal, meta.key)
        .output(meta.age, Output::Outcome);
    let contribute = ask.clone().update(Half::Lo, When::FIRST, AluOp::Set, meta.key);
    let ages = with_query(
        "ages",
        "R-PISA-11: new, repeated, or older than what the worker has sent for the slot.",
        contribute,
        ask,
    );
    let ask = compare(AccessSpec::new(round, meta.copy))
        .compare(Half::Hi, Relation::Equal, meta.digest)
        .output(meta.round, Output::Outcome);
    let contribute = ask.clone().update(Half::Lo, When::FIRST, AluOp::Set, meta.key).update(
        Half::Hi,
        When::FIRST,
        AluOp::Set,
        meta.digest,
    );
    let starts = with_query(
        "starts",
        "R-SLOT-2, R-SLOT-7: it starts a round, agrees with the one that is there, or does not.",
        contribute,
        ask,
    );
    let ask = compare(AccessSpec::new(first, meta.copy)).output(meta.first, Output::Old(Half::Hi));
    let contribute = ask.clone().update(Half::Lo, When::FIRST, AluOp::Set, meta.key).update(
        Half::Hi,
        When::FIRST,
        AluOp::Set,
        meta.sender,
    );
    let starters = with_query(
        "starters",
        "R-SLOT-7: the worker that a mismatch is reported with.",
        contribute,
        ask,
    );
    for table in [ages, starts, starters] {
        builder.table(Gress::Ingress, table);
    }
}

/// Any flags, and any kind of round.
pub(crate) const ANY_KIND: [Pattern; 2] = [Pattern::Any; 2];

/// Tables that look at the state of a contribution.
pub(crate) struct Keyed<'k> {
    pub stage: usize,
    pub folded: Gated<'k>,
    /// Flags and order of the round's kind, where there are queries and kinds.
    pub kind: Option<[FieldId; 2]>,
}

impl Keyed<'_> {
    pub fn table(&self, name: &str, doc: &str, meta: &Contribution) -> TableSpec {
        let table = (self.folded)(TableSpec::new(name, self.stage, doc));
        let table = table.key(meta.age, Match::Ternary).key(meta.round, Match::Ternary);
        self.kind.iter().flatten().fold(table, |table, field| table.key(*field, Match::Ternary))
    }

    pub fn patterns(&self, age: Pattern, round: Pattern, kind: [Pattern; 2]) -> Vec<Pattern> {
        [age, round].into_iter().chain(kind.into_iter().filter(|_| self.kind.is_some())).collect()
    }

    /// Adds the entries of packets that change nothing: old ones, queries and repeated ones.
    pub fn unchanged(&self, table: TableSpec) -> TableSpec {
        let any = Pattern::Any;
        let mut table =
            table.entry(&self.patterns(Pattern::Is(age::OLD), any, ANY_KIND), "skip", &[]);
        if self.kind.is_some() {
            let asks = [Pattern::Masked(flags::QUERY, flags::QUERY), any];
            table = table.entry(&self.patterns(any, any, asks), "peek", &[]);
        }
        table.entry(&self.patterns(Pattern::Is(age::REPEATED), any, ANY_KIND), "peek", &[])
    }
}

/// Looks at a number of the copy.
pub(crate) fn peek(array: ArrayId, copy: FieldId, to: FieldId) -> AccessSpec {
    AccessSpec::new(array, copy).output(to, Output::Old(Half::Lo))
}

/// Counts the contributions that are left (R-PISA-13).
pub(crate) fn counts(builder: &mut Builder, copies: u32, meta: &Contribution, keyed: &Keyed<'_>) {
    use self::{age::*, round::*};
    let count = builder.array(
        "count",
        Word::Single(16),
        copies,
        "Workers that a round waits for; 0xFFFF where two calls have met (R-SLOT-1, R-SLOT-7).",
    );
    let zero =
        AccessSpec::new(count, meta.copy).compare(Half::Lo, Relation::Equal, Operand::Const(0));
    let broken = Operand::Const(BROKEN);
    let old = Output::Old(Half::Lo);
    let open = zero
        .clone()
        .update(Half::Lo, When::FIRST, AluOp::Set, meta.others)
        .update(Half::Lo, When::NOT_FIRST, AluOp::Set, broken)
        .output(meta.left, old);
    let join = zero
        .clone()
        .compare(Half::Lo, Relation::Behind, Operand::Const(0))
        .update(Half::Lo, When::NEITHER, AluOp::Sub, Operand::Const(1))
        .output(meta.left, old);
    let clash = zero.update(Half::Lo, When::NOT_FIRST, AluOp::Set, broken).output(meta.left, old);
    let counts = keyed
        .table(
            "counts",
            "R-SLOT-1, R-SLOT-3: the round is complete when nobody is left. R-SLOT-7: it never is where two calls met.",
            meta,
        )
        .action(ActionSpec::new("skip"))
        .action(ActionSpec::new("open").access(open))
        .action(ActionSpec::new("join").access(join))
        .action(ActionSpec::new("clash").access(clash))
        .action(ActionSpec::new("peek").access(peek(count, meta.copy, meta.left)));
    let mut counts = keyed.unchanged(counts);
    for (round, action) in
        [(STARTS, "open"), (STARTS_ALIKE, "open"), (AGREES, "join"), (DIFFERS, "clash")]
    {
        counts = counts.entry(
            &keyed.patterns(Pattern::Is(NEW), Pattern::Is(round), ANY_KIND),
            action,
            &[],
        );
    }
    builder.table(Gress::Ingress, counts);
}

/// The largest `next` of a round.
pub(crate) fn largests(
    builder: &mut Builder,
    copies: u32,
    meta: &Contribution,
    next: FieldId,
    keyed: &Keyed<'_>,
) {
    use self::{age::*, round::*};
    let largest = builder.array(
        "largest",
        Word::Single(16),
        copies,
        "The largest `next_exponent` of the round (R-SLOT-5).",
    );
    let put = |op| {
        let access = AccessSpec::new(largest, meta.copy).update(Half::Lo, When::ALWAYS, op, next);
        access.output(meta.largest, Output::New(Half::Lo))
    };
    let exponents = keyed
        .table("largests", "R-SLOT-5: the maximum, from the first contribution on.", meta)
        .action(ActionSpec::new("skip"))
        .action(ActionSpec::new("begin").access(put(AluOp::Set)))
        .action(ActionSpec::new("raise").access(put(AluOp::MaxSigned)))
        .action(ActionSpec::new("peek").access(peek(largest, meta.copy, meta.largest)));
    let mut exponents = keyed.unchanged(exponents);
    for (round, action) in [(STARTS, "begin"), (STARTS_ALIKE, "begin"), (AGREES, "raise")] {
        exponents = exponents.entry(
            &keyed.patterns(Pattern::Is(NEW), Pattern::Is(round), ANY_KIND),
            action,
            &[],
        );
    }
    builder.table(Gress::Ingress, exponents);
}
