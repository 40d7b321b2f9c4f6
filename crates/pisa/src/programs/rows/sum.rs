//! Sums by key (R-PISA-86): a slot's key in one access, and then FPISA's module.

use super::{Frame, Judgement, operation};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{AluOp, Gress, Half, Match, Operand, Output, Pattern, Relation, When, Word};
use crate::programs::fpisa::Variant;
use crate::programs::fpisa::module::{Module, Places, Shared};
use crate::programs::fpisa::operation as sum;

/// Outcomes of the comparison of a slot's key: with the row's, and with 0.
mod key {
    pub const OTHER: u64 = 1;
    pub const SAME: u64 = 2;
    pub const FREE: u64 = 4;
}

pub(super) fn slots(builder: &mut Builder, frame: &Frame, words: u32) -> Judgement {
    let (slot, op) = (builder.meta("slot", 4), builder.meta("sum", 8));
    let doc = "Keys of the slots (R-QRY-18); 0 where one is free.";
    let array = builder.array("keys", Word::Single(32), words, doc);
    let take = AccessSpec::new(array, frame.index)
        .compare(Half::Lo, Relation::Equal, frame.key)
        .compare(Half::Lo, Relation::Equal, Operand::Const(0))
        // The second condition alone: the slot is free.
        .update(Half::Lo, When(0b0100), AluOp::Set, frame.key)
        .output(slot, Output::Outcome);
    let table = TableSpec::new("take", 0, "R-QRY-18: the slot of the row's key.")
        .key(frame.op, Match::Exact)
        .action(ActionSpec::new("take").access(take))
        .entry(&[Pattern::Is(operation::ROW)], "take", &[]);
    builder.table(Gress::Ingress, table);
    let (is, any) = (Pattern::Is, Pattern::Any);
    let table = TableSpec::new("begin", 1, "R-QRY-18: the row begins a sum, or is added to one.")
        .key(frame.op, Match::Ternary)
        .key(slot, Match::Ternary)
        .action(ActionSpec::new("is").param("sum", 8).set(op, Operand::Param(0)))
        .entry(&[is(operation::READ), any], "is", &[sum::READ])
        .entry(&[any, is(key::SAME)], "is", &[sum::ADD])
        .entry(&[any, is(key::FREE)], "is", &[sum::FIRST]);
    builder.table(Gress::Ingress, table);
    let of = |name| builder.of(frame.row, name);
    let places = Places {
        value: frame.code,
        sum: frame.code,
        exponent: of("exponent"),
        mantissa: of("mantissa"),
        flags: of("flags"),
        there: builder.valid(frame.row),
        overflowed: None,
        reading: (frame.op, operation::READ),
    };
    let module = Module::declare(builder, 0, places);
    let (variant, index) = (Variant::Full, frame.index);
    let shared = Shared { variant, words, op, index, stage: 2 };
    module.take(builder, &shared);
    module.fold(builder, &shared);
    module.read(builder, &shared);
    let cases =
        vec![(vec![is(operation::ROW), is(key::OTHER)], "forward"), (vec![any, any], "give_back")];
    Judgement { stage: 2, keys: vec![frame.op, slot], cases }
}
