//! A Bloom filter (R-PISA-85): the packet brings the word's index and the key's bits.

use super::{Frame, Judgement, operation};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{AluOp, BinOp, Gress, Half, Match, Output, Pattern, When, Word};

pub(super) fn words(builder: &mut Builder, frame: &Frame, words: u32) -> Judgement {
    let sealed = builder.meta("sealed", 1);
    let mut keys = vec![frame.op, sealed];
    for name in ["high", "low"] {
        let mask = builder.of(frame.row, &format!("mask_{name}"));
        let mut meta = |what: &str| builder.meta(&format!("{what}_{name}"), 32);
        let (word, both, missing) = (meta("word"), meta("both"), meta("missing"));
        let doc = "Half of the words of the filter (R-QRY-13).";
        let array = builder.array(&format!("bloom_{name}"), Word::Single(32), words, doc);
        let build =
            AccessSpec::new(array, frame.index).update(Half::Lo, When::ALWAYS, AluOp::Or, mask);
        let probe = AccessSpec::new(array, frame.index).output(word, Output::Old(Half::Lo));
        let table = TableSpec::new(&format!("filter_{name}"), 1, "R-QRY-13: set, or look.")
            .key(frame.op, Match::Exact)
            .action(ActionSpec::new("build").access(build))
            .action(ActionSpec::new("probe").access(probe))
            .entry(&[Pattern::Is(operation::BUILD)], "build", &[])
            .entry(&[Pattern::Is(operation::ROW)], "probe", &[]);
        builder.table(Gress::Ingress, table);
        let action = ActionSpec::new("both").binary(both, BinOp::And, word, mask);
        let doc = "The key's bits that are set.";
        let table = TableSpec::new(&format!("both_{name}"), 2, doc).action(action);
        builder.table(Gress::Ingress, table.otherwise("both"));
        let action = ActionSpec::new("missing").binary(missing, BinOp::Xor, both, mask);
        let doc = "Those that are not.";
        let table = TableSpec::new(&format!("missing_{name}"), 3, doc).action(action);
        builder.table(Gress::Ingress, table.otherwise("missing"));
        keys.push(missing);
    }
    let seal = TableSpec::new("seal", 0, "R-QRY-13: the control plane seals the filter.")
        .key(frame.op, Match::Exact)
        .action(ActionSpec::new("sealed").put(sealed, 1))
        .room(1);
    builder.table(Gress::Ingress, seal);
    let (any, is) = (Pattern::Any, Pattern::Is);
    let cases = vec![
        (vec![is(operation::BUILD), any, any, any], "give_back"),
        (vec![any, is(0), any, any], "forward"),
        (vec![any, any, is(0), is(0)], "forward"),
        (vec![any, any, any, any], "give_back"),
    ];
    Judgement { stage: 4, keys, cases }
}
