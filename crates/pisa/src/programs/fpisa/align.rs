//! Align and add (R-FPI-5 to 9): the exponent's register, the distance, the shift, and the
//! mantissa's register.

use super::module::{HEADROOM, MANTISSA_BITS, Module, SIGN, Shared, below_zero};
use super::{Variant, operation};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, BinOp, Gress, Half, Match, Operand, Output, Pattern, Relation, Shift, When, Word,
};

/// Returns the outcomes of (below zero, beyond the limit) by which an addition shows that it has
/// overflowed, each with the sign of its operand: no and yes for one that is not negative, yes and
/// yes for one that is. If the sum has the other sign, the comparison with the limit means nothing.
pub(super) fn overflows(shared: &Shared) -> Vec<(u64, Pattern)> {
    match shared.variant {
        Variant::Approximate => {
            vec![(4, Pattern::Masked(0, SIGN)), (8, Pattern::Masked(SIGN, SIGN))]
        }
        Variant::Full => Vec::new(),
    }
}

/// Second stage: the larger exponent, or for `fpisa-a` the sum's own as long as the headroom
/// reaches. Third stage: the distance.
pub(super) fn exponent(builder: &mut Builder, shared: &Shared, module: &Module) {
    let meta = &module.meta;
    let doc = "Exponents of the sums (R-FPI-2).";
    let array =
        builder.array(&format!("exponent{}", module.number), Word::Single(16), shared.words, doc);
    let access = || AccessSpec::new(array, shared.index);
    let reach = match shared.variant {
        Variant::Approximate => HEADROOM,
        Variant::Full => 0,
    };
    let begin = access()
        .update(Half::Lo, When::ALWAYS, AluOp::Set, meta.incoming)
        .output(meta.stored, Output::New(Half::Lo));
    let raise = access()
        .compare_plus(Half::Lo, Relation::Behind, meta.incoming, reach)
        .update(Half::Lo, When::FIRST, AluOp::Set, meta.incoming)
        .output(meta.stored, Output::Old(Half::Lo));
    let read = access().output(module.at.exponent, Output::Old(Half::Lo));
    let (any, is) = (Pattern::Any, Pattern::Is);
    let table = TableSpec::new(
        &format!("exponents{}", module.number),
        shared.stage + 1,
        "R-FPI-5 to 7: whose exponent the sum has.",
    )
    .key(shared.op, Match::Ternary)
    .key(meta.adds, Match::Ternary)
    .action(ActionSpec::new("begin").access(begin))
    .action(ActionSpec::new("raise").access(raise))
    .action(ActionSpec::new("read").access(read))
    .entry(&[is(operation::FIRST), any], "begin", &[])
    .entry(&[is(operation::ADD), is(1)], "raise", &[])
    .entry(&[is(operation::READ), any], "read", &[]);
    builder.table(Gress::Ingress, table);
    let mut distance =
        ActionSpec::new("subtract").binary(meta.distance, BinOp::Sub, meta.incoming, meta.stored);
    if shared.variant == Variant::Full {
        distance = distance.binary(meta.back, BinOp::Sub, meta.stored, meta.incoming);
    }
    let table = TableSpec::new(
        &format!("distance{}", module.number),
        shared.stage + 2,
        "How far the two exponents are apart.",
    )
    .action(distance)
    .otherwise("subtract");
    builder.table(Gress::Ingress, table);
}

/// Fourth stage: the operand moves (R-FPI-6 to 8). Without shifts by a field that is an action for
/// each distance.
pub(super) fn shift(builder: &mut Builder, shared: &Shared, module: &Module) {
    let meta = &module.meta;
    let negative = Pattern::Range(0x8000, 0xFFFF);
    let mut table = TableSpec::new(
        &format!("align{}", module.number),
        shared.stage + 3,
        "R-FPI-6 to 8: the operand moves under the sum's exponent.",
    )
    .key(meta.distance, Match::Range);
    match shared.variant {
        Variant::Full => {
            let right = ActionSpec::new("right")
                .shift(meta.shifted, Shift::RightSigned, meta.signed, meta.back)
                .put(meta.stored_by, 0);
            let stay = ActionSpec::new("stay")
                .set(meta.shifted, meta.signed)
                .set(meta.stored_by, meta.distance);
            table =
                table.action(right).action(stay).entry(&[negative], "right", &[]).otherwise("stay");
        }
        Variant::Approximate => {
            // A mantissa has 24 bits and a sign: by 24 and more, the sign is left.
            let most = u64::from(MANTISSA_BITS) + 1;
            for by in 1..=most {
                let name = format!("right{by}");
                let action = ActionSpec::new(&name).shift(
                    meta.shifted,
                    Shift::RightSigned,
                    meta.signed,
                    Operand::Const(by),
                );
                let last = 0x1_0000 - by;
                let range = Pattern::Range(if by == most { 0x8000 } else { last }, last);
                table = table.action(action).entry(&[range], &name, &[]);
            }
            for by in 1..=u64::from(HEADROOM) {
                let name = format!("left{by}");
                let action = ActionSpec::new(&name).shift(
                    meta.shifted,
                    Shift::Left,
                    meta.signed,
                    Operand::Const(by),
                );
                table = table.action(action).entry(&[Pattern::Range(by, by)], &name, &[]);
            }
            table = table
                .action(ActionSpec::new("stay").set(meta.shifted, meta.signed))
                .otherwise("stay");
        }
    }
    builder.table(Gress::Ingress, table);
    if shared.variant == Variant::Approximate {
        limit(builder, shared, module);
    }
}

/// Fifth stage, for `fpisa-a`: the largest or smallest sum for which the addition fits (R-FPI-9).
fn limit(builder: &mut Builder, shared: &Shared, module: &Module) {
    let meta = &module.meta;
    let below = |name: &str, most: u64| {
        ActionSpec::new(name).binary(meta.limit, BinOp::Sub, Operand::Const(most), meta.shifted)
    };
    let table = TableSpec::new(
        &format!("limit{}", module.number),
        shared.stage + 4,
        "R-FPI-9: beyond this the sum does not fit.",
    )
    .when(shared.op, operation::ADD)
    .key(meta.shifted, Match::Ternary)
    .action(below("of_largest", 0x7FFF_FFFF))
    .action(below("of_smallest", 0x8000_0000))
    .entry(&[Pattern::Masked(SIGN, SIGN)], "of_smallest", &[])
    .otherwise("of_largest");
    builder.table(Gress::Ingress, table);
}

/// The mantissa's register (R-FPI-5 to 9).
pub(super) fn add(builder: &mut Builder, shared: &Shared, module: &Module) {
    let meta = &module.meta;
    let doc = "Mantissas of the sums (R-FPI-2).";
    let array =
        builder.array(&format!("mantissa{}", module.number), Word::Single(32), shared.words, doc);
    let access = || AccessSpec::new(array, shared.index);
    let begin = access().update(Half::Lo, When::ALWAYS, AluOp::Set, meta.shifted);
    let read = access().output(module.at.mantissa, Output::Old(Half::Lo));
    let (any, is) = (Pattern::Any, Pattern::Is);
    let mut table = TableSpec::new(
        &format!("add{}", module.number),
        shared.add_stage(),
        "R-FPI-5 to 9: replace, or add.",
    )
    .key(shared.op, Match::Ternary)
    .key(meta.adds, Match::Ternary)
    .key(meta.distance, Match::Range)
    .key(meta.shifted, Match::Ternary)
    .action(ActionSpec::new("begin").access(begin))
    .action(ActionSpec::new("read").access(read))
    .entry(&[is(operation::FIRST), any, any, any], "begin", &[])
    .entry(&[is(operation::READ), any, any, any], "read", &[]);
    let adds = [is(operation::ADD), is(1)];
    table = match shared.variant {
        Variant::Full => {
            let op = AluOp::ShiftAdd { by: meta.stored_by };
            let add = access().update(Half::Lo, When::ALWAYS, op, meta.shifted);
            table.action(ActionSpec::new("add").access(add)).entry(
                &[adds[0], adds[1], any, any],
                "add",
                &[],
            )
        }
        Variant::Approximate => {
            let add = |relation| {
                below_zero(access())
                    .compare(Half::Lo, relation, meta.limit)
                    .update(Half::Lo, When::ALWAYS, AluOp::Add, meta.shifted)
                    .output(meta.added, Output::Outcome)
            };
            let far = Pattern::Range(u64::from(HEADROOM) + 1, 0x7FFF);
            let minus = Pattern::Masked(SIGN, SIGN);
            table
                .action(ActionSpec::new("add_up").access(add(Relation::Ahead)))
                .action(ActionSpec::new("add_down").access(add(Relation::Behind)))
                .entry(&[adds[0], adds[1], far, any], "begin", &[])
                .entry(&[adds[0], adds[1], any, minus], "add_down", &[])
                .entry(&[adds[0], adds[1], any, any], "add_up", &[])
        }
    };
    builder.table(Gress::Ingress, table);
}
