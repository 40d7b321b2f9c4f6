//! Comparisons with constants, and a truth table (R-PISA-87).

use netfold_num::Comparison;

use super::top::SIGN;
use super::{Frame, Judgement, operation};
use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::control::Control;
use crate::program::{BinOp, Gress, Match, Operand, Pattern};

/// Comparisons at most, by the bits of the truth table (R-QRY-6).
pub(super) const MOST: usize = 6;

/// Columns of a row, one for each comparison.
pub(super) const COLUMNS: [(&str, u32); MOST] = [
    ("column0", 32),
    ("column1", 32),
    ("column2", 32),
    ("column3", 32),
    ("column4", 32),
    ("column5", 32),
];

/// Relations of a column to its constant, as the program has them.
const EQUAL: u64 = 0;
const LESS: u64 = 1;
const GREATER: u64 = 2;

pub(super) fn comparisons(builder: &mut Builder, frame: &Frame, width: u8) -> Judgement {
    let mut bias = ActionSpec::new("bias");
    let mut load = ActionSpec::new("load");
    let mut compare = ActionSpec::new("compare");
    let mut relations = Vec::new();
    for (number, (name, _)) in COLUMNS.iter().take(width.into()).enumerate() {
        let column = builder.of(frame.row, name);
        let mut meta = |name: &str, bits| builder.meta(&format!("{name}{number}"), bits);
        let (unsigned, constant) = (meta("unsigned", 32), meta("constant", 32));
        let (under, over, relation) = (meta("under", 32), meta("over", 32), meta("relation", 2));
        bias = bias.binary(unsigned, BinOp::Xor, column, Operand::Const(SIGN));
        load = load.param(&format!("constant{number}"), 32).set(constant, Operand::Param(number));
        compare = compare.binary(under, BinOp::SaturatingSub, constant, unsigned).binary(
            over,
            BinOp::SaturatingSub,
            unsigned,
            constant,
        );
        relations.push((under, over, relation));
    }
    let table = TableSpec::new("bias", 0, "Columns as unsigned numbers.").action(bias);
    builder.table(Gress::Ingress, table.otherwise("bias"));
    let table = TableSpec::new("constants", 0, "R-QRY-6: the constants, as unsigned numbers.")
        .key(frame.op, Match::Exact)
        .action(load)
        .room(1);
    builder.table(Gress::Ingress, table);
    let table = TableSpec::new("compare", 1, "0 if a column is not below, or not above.");
    builder.table(Gress::Ingress, table.action(compare).otherwise("compare"));
    let kept = builder.meta("kept", 1);
    let mut truth = TableSpec::new("truth", 3, "R-QRY-6: what the truth table forwards.");
    for (number, (under, over, relation)) in relations.into_iter().enumerate() {
        let doc = "The relation of a column to its constant.";
        let table = TableSpec::new(&format!("relation{number}"), 2, doc)
            .key(under, Match::Ternary)
            .key(over, Match::Ternary)
            .action(ActionSpec::new("equal").put(relation, EQUAL))
            .action(ActionSpec::new("less").put(relation, LESS))
            .action(ActionSpec::new("greater").put(relation, GREATER))
            .entry(&[Pattern::Is(0), Pattern::Is(0)], "equal", &[])
            .entry(&[Pattern::Any, Pattern::Is(0)], "less", &[])
            .otherwise("greater");
        builder.table(Gress::Ingress, table);
        truth = truth.key(relation, Match::Exact);
    }
    let keep = ActionSpec::new("keep").put(kept, 1);
    let truth = truth.action(keep).room(3_u32.pow(width.into()));
    builder.table(Gress::Ingress, truth);
    let cases = vec![(vec![Pattern::Is(0)], "give_back")];
    Judgement { stage: 4, keys: vec![kept], cases }
}

/// Returns the control plane's steps for these comparisons and this truth table: the constants, and
/// each combination of relations for which a row is forwarded.
pub(super) fn controls(comparisons: &[(Comparison, i32)], truth: u64) -> Vec<Control> {
    let biased = |(_, constant): &(Comparison, i32)| u64::from(*constant as u32) ^ SIGN;
    let constants = Control::Insert {
        table: "constants",
        patterns: vec![Pattern::Is(operation::ROW)],
        action: "load",
        values: comparisons.iter().map(biased).collect(),
    };
    let all = (0..3_u64.pow(comparisons.len() as u32)).map(|mut number| {
        let mut next = || {
            let relation = number % 3;
            number /= 3;
            relation
        };
        comparisons.iter().map(|_| next()).collect::<Vec<_>>()
    });
    let forwards = |relations: &Vec<u64>| {
        let mut bit = 0;
        for (at, ((comparison, _), relation)) in comparisons.iter().zip(relations).enumerate() {
            let column = match *relation {
                LESS => -1,
                EQUAL => 0,
                _ => 1,
            };
            bit |= usize::from(comparison.holds(column, 0)) << at;
        }
        truth >> bit & 1 == 1
    };
    let keep = |relations: Vec<u64>| Control::Insert {
        table: "truth",
        patterns: relations.into_iter().map(Pattern::Is).collect(),
        action: "keep",
        values: vec![],
    };
    std::iter::once(constants).chain(all.filter(forwards).map(keep)).collect()
}
