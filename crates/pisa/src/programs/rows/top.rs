//! Top-N: by thresholds (R-PISA-81), and by a matrix (R-PISA-82).

use super::{Frame, Judgement};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, BinOp, FieldId, Gress, Half, Match, Operand, Output, Pattern, Relation, When, Word,
};

/// The bit that makes signed numbers compare as unsigned ones.
pub(super) const SIGN: u64 = 1 << 31;

/// Counters that a stage has room for beside each other.
const BESIDE: usize = 4;

/// R-PISA-81: the first rows give the smallest code; later ones are counted above thresholds.
pub(super) fn thresholds(
    builder: &mut Builder,
    frame: &Frame,
    n: u32,
    width: u8,
    step: u32,
) -> Judgement {
    let none = builder.meta("none", 16);
    let (seen, smallest) = (builder.meta("seen", 32), builder.meta("smallest", 32));
    let (lowest, unsigned) = (builder.meta("lowest", 32), builder.meta("unsigned", 32));
    let doc = "Rows that came, up to N.";
    let rows = builder.array("rows", Word::Single(32), 1, doc);
    let count = AccessSpec::new(rows, none)
        .compare(Half::Lo, Relation::Behind, Operand::Const(n.into()))
        .update(Half::Lo, When::FIRST, AluOp::Add, Operand::Const(1))
        .output(seen, Output::Old(Half::Lo));
    let count = ActionSpec::new("count").access(count).binary(
        unsigned,
        BinOp::Xor,
        frame.code,
        Operand::Const(SIGN),
    );
    let count = TableSpec::new("count", 1, "R-QRY-7: the first N rows.").action(count);
    builder.table(Gress::Ingress, count.otherwise("count"));
    let doc = "The smallest code of the first N rows: t_0.";
    let codes = builder.array("smallest", Word::Single(32), 1, doc);
    let read = AccessSpec::new(codes, none).output(smallest, Output::Old(Half::Lo));
    let begin = AccessSpec::new(codes, none).update(Half::Lo, When::ALWAYS, AluOp::Set, frame.code);
    let lower =
        AccessSpec::new(codes, none).update(Half::Lo, When::ALWAYS, AluOp::MinSigned, frame.code);
    let table = TableSpec::new("lower", 2, "R-QRY-7: t_0.")
        .key(seen, Match::Ternary)
        .action(ActionSpec::new("read").access(read))
        .action(ActionSpec::new("begin").access(begin))
        .action(ActionSpec::new("lower").access(lower))
        .entry(&[Pattern::Is(n.into())], "read", &[])
        .entry(&[Pattern::Is(0)], "begin", &[])
        .entry(&[Pattern::Any], "lower", &[]);
    builder.table(Gress::Ingress, table);
    let action =
        ActionSpec::new("lowest").binary(lowest, BinOp::Xor, smallest, Operand::Const(SIGN));
    let table = TableSpec::new("lowest", 3, "t_0 as an unsigned number.").action(action);
    builder.table(Gress::Ingress, table.otherwise("lowest"));
    let keys = above(builder, [lowest, unsigned, seen, none], [n, step], width);
    let all = vec![Pattern::Any; keys.len()];
    let with = |places: &[(usize, Pattern)]| {
        let mut patterns = all.clone();
        places.iter().for_each(|(at, pattern)| patterns[*at] = *pattern);
        patterns
    };
    // The first key is `seen`, the second 0 if the code is at least t_0, then the counters of those
    // thresholds that it is below.
    let full = Pattern::Is(n.into());
    let judged = (2..keys.len()).map(|at| (with(&[(0, full), (at, full)]), "give_back"));
    let above = (with(&[(0, full), (1, Pattern::Is(0))]), "forward");
    let below = (with(&[(0, full)]), "give_back");
    let cases = judged.chain([above, below]).collect();
    let stage = 6 + usize::from(width).div_ceil(BESIDE);
    Judgement { stage, keys, cases }
}

/// Stages 4 and on: thresholds, and the counters of those that the code is below. Returns the keys
/// of the judgement.
fn above(
    builder: &mut Builder,
    [lowest, unsigned, seen, none]: [FieldId; 4],
    [n, step]: [u32; 2],
    width: u8,
) -> Vec<FieldId> {
    let under = builder.meta("under", 32);
    let action = ActionSpec::new("compare").binary(under, BinOp::SaturatingSub, lowest, unsigned);
    let table = TableSpec::new("under", 4, "0 if the code is at least t_0.").action(action);
    builder.table(Gress::Ingress, table.otherwise("compare"));
    let mut keys = vec![seen, under];
    for number in 1..=u32::from(width) {
        let mut meta = |name: &str| builder.meta(&format!("{name}{number}"), 32);
        let (threshold, under, counter) = (meta("threshold"), meta("under"), meta("counter"));
        let distance = Operand::Const((number.wrapping_mul(step)).into());
        let action = ActionSpec::new("add").binary(threshold, BinOp::Add, lowest, distance);
        let doc = "R-QRY-7: a doubling step above the one before.";
        let table = TableSpec::new(&format!("threshold{number}"), 4, doc).action(action);
        builder.table(Gress::Ingress, table.otherwise("add"));
        let action =
            ActionSpec::new("compare").binary(under, BinOp::SaturatingSub, threshold, unsigned);
        let doc = "0 if the code is at least the threshold.";
        let table = TableSpec::new(&format!("under{number}"), 5, doc).action(action);
        builder.table(Gress::Ingress, table.otherwise("compare"));
        let doc = "Rows of at least the threshold, up to N.";
        let array = builder.array(&format!("above{number}"), Word::Single(32), 1, doc);
        let add = AccessSpec::new(array, none)
            .compare(Half::Lo, Relation::Behind, Operand::Const(n.into()))
            .update(Half::Lo, When::FIRST, AluOp::Add, Operand::Const(1));
        let read = AccessSpec::new(array, none).output(counter, Output::Old(Half::Lo));
        let stage = 6 + (number as usize - 1) / BESIDE;
        let table = TableSpec::new(&format!("above{number}"), stage, "R-QRY-7: count, or read.")
            .when(seen, n.into())
            .key(under, Match::Ternary)
            .action(ActionSpec::new("add").access(add))
            .action(ActionSpec::new("read").access(read))
            .entry(&[Pattern::Is(0)], "add", &[])
            .entry(&[Pattern::Any], "read", &[]);
        builder.table(Gress::Ingress, table);
        keys.push(counter);
    }
    keys
}

/// R-PISA-82: rolling minima, three stages for each cell. Two arrays have the same numbers: one
/// gives back the old one, the other the new one.
pub(super) fn matrix(builder: &mut Builder, frame: &Frame, rows: u32, width: u8) -> Judgement {
    let (carried, displaced) = (builder.meta("carried", 32), builder.meta("displaced", 8));
    let first = TableSpec::new("carry", 0, "R-QRY-8: the code goes from cell to cell.")
        .action(ActionSpec::new("carry").set(carried, frame.code))
        .otherwise("carry");
    builder.table(Gress::Ingress, first);
    for number in 0..usize::from(width) {
        let stage = 1 + 3 * number;
        let mut outputs = [("old", Output::Old(Half::Lo)), ("new", Output::New(Half::Lo))].map(
            |(name, output)| {
                let field = builder.meta(&format!("{name}{number}"), 32);
                let doc = "A cell of each row: its largest codes (R-QRY-8).";
                let array =
                    builder.array(&format!("cell_{name}{number}"), Word::Single(32), rows, doc);
                let access = AccessSpec::new(array, frame.index)
                    .update(Half::Lo, When::ALWAYS, AluOp::MaxSigned, carried)
                    .output(field, output);
                let name = format!("cell_{name}{number}");
                let table = TableSpec::new(&name, stage, "R-QRY-8: the larger one stays.")
                    .action(ActionSpec::new("exchange").access(access))
                    .otherwise("exchange");
                builder.table(Gress::Ingress, table);
                field
            },
        );
        let differs = builder.meta(&format!("differs{number}"), 32);
        let [old, new] = &mut outputs;
        let action = ActionSpec::new("differ").binary(differs, BinOp::Xor, *new, carried);
        let doc = "0 if the code has taken the cell's place.";
        let table = TableSpec::new(&format!("differ{number}"), stage + 1, doc).action(action);
        builder.table(Gress::Ingress, table.otherwise("differ"));
        let action = ActionSpec::new("go_on").set(carried, *old).put(displaced, 1);
        let doc = "R-QRY-8: what was there goes on.";
        let table = TableSpec::new(&format!("go_on{number}"), stage + 2, doc)
            .key(differs, Match::Ternary)
            .action(action)
            .entry(&[Pattern::Is(0)], "go_on", &[]);
        builder.table(Gress::Ingress, table);
    }
    let cases = vec![(vec![Pattern::Is(1)], "forward"), (vec![Pattern::Any], "give_back")];
    Judgement { stage: 1 + 3 * usize::from(width), keys: vec![displaced], cases }
}
