//! Cached keys: distinct, and the largest code of each (R-PISA-83, R-PISA-84).

use super::{Frame, Judgement};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, BinOp, FieldId, Gress, Half, Match, Output, Pattern, Relation, When, Word,
};

/// [`Output::Outcome`] where the first condition holds.
const HOLDS: u64 = 2;

/// A cell: whether it has the key, and how the code compares with its own.
struct Cell {
    hit: FieldId,
    /// 0 if the code is at least the cached one.
    behind: Option<FieldId>,
}

/// The cells of a row: a first pass looks for the key, a second one moves every cell on.
pub(super) fn cells(
    builder: &mut Builder,
    frame: &Frame,
    rows: u32,
    width: u8,
    with_codes: bool,
) -> Judgement {
    let (mut key, mut code) = (frame.key, frame.code);
    let mut cells = Vec::new();
    for number in 0..width {
        let stage = 1 + usize::from(number);
        let hit = builder.meta(&format!("hit{number}"), 4);
        let moved = builder.meta(&format!("key_out{number}"), 32);
        let doc = "Keys of a cell of each row (R-QRY-11); 0 where there is none.";
        let array = builder.array(&format!("keys{number}"), Word::Single(32), rows, doc);
        let look = AccessSpec::new(array, frame.index)
            .compare(Half::Lo, Relation::Equal, frame.key)
            .output(hit, Output::Outcome);
        let move_on = AccessSpec::new(array, frame.index)
            .update(Half::Lo, When::ALWAYS, AluOp::Set, key)
            .output(moved, Output::Old(Half::Lo));
        let table = TableSpec::new(&format!("key{number}"), stage, "R-PISA-83: look, or move on.")
            .key(frame.again, Match::Exact)
            .action(ActionSpec::new("look").access(look))
            .action(ActionSpec::new("move_on").access(move_on))
            .entry(&[Pattern::Is(0)], "look", &[])
            .entry(&[Pattern::Is(1)], "move_on", &[]);
        builder.table(Gress::Ingress, table);
        key = moved;
        let behind = with_codes.then(|| {
            let (behind, moved) = codes(builder, frame, [number.into(), rows], hit, code);
            code = moved;
            behind
        });
        cells.push(Cell { hit, behind });
    }
    judgement(frame, &cells, width)
}

/// The code of a cell, a stage behind its key. Returns the field that compares, and the code that
/// moves on.
fn codes(
    builder: &mut Builder,
    frame: &Frame,
    [number, rows]: [u32; 2],
    hit: FieldId,
    incoming: FieldId,
) -> (FieldId, FieldId) {
    let stage = 2 + number as usize;
    let mut meta = |name: &str| builder.meta(&format!("{name}{number}"), 32);
    let (largest, behind, moved) = (meta("largest"), meta("behind"), meta("code_out"));
    let doc = "Largest codes of a cell's keys (R-QRY-12).";
    let array = builder.array(&format!("codes{number}"), Word::Single(32), rows, doc);
    let compare = AccessSpec::new(array, frame.index)
        .update(Half::Lo, When::ALWAYS, AluOp::MaxSigned, frame.code)
        .output(largest, Output::New(Half::Lo));
    let move_on = AccessSpec::new(array, frame.index)
        .update(Half::Lo, When::ALWAYS, AluOp::Set, incoming)
        .output(moved, Output::Old(Half::Lo));
    let doc = "R-PISA-84: the larger code stays, or codes move on.";
    let table = TableSpec::new(&format!("code{number}"), stage, doc)
        .key(frame.again, Match::Ternary)
        .key(hit, Match::Ternary)
        .action(ActionSpec::new("compare").access(compare))
        .action(ActionSpec::new("move_on").access(move_on))
        .entry(&[Pattern::Is(1), Pattern::Any], "move_on", &[])
        .entry(&[Pattern::Is(0), Pattern::Is(HOLDS)], "compare", &[]);
    builder.table(Gress::Ingress, table);
    let doc = "R-PISA-84: 0 if the code is the largest now.";
    let table = TableSpec::new(&format!("behind{number}"), stage + 1, doc)
        .action(ActionSpec::new("differ").binary(behind, BinOp::Xor, largest, frame.code))
        .otherwise("differ");
    builder.table(Gress::Ingress, table);
    (behind, moved)
}

/// A row whose key is there is dropped, unless its code is the largest; one whose key is new goes
/// around, and then to the master. No cell has the key 0.
fn judgement(frame: &Frame, cells: &[Cell], width: u8) -> Judgement {
    let codes = cells.iter().any(|cell| cell.behind.is_some());
    let mut keys = vec![frame.again, frame.key];
    keys.extend(cells.iter().map(|cell| cell.hit));
    keys.extend(cells.iter().filter_map(|cell| cell.behind));
    let any = vec![Pattern::Any; keys.len()];
    let with = |places: &[(usize, Pattern)]| {
        let mut patterns = any.clone();
        places.iter().for_each(|(at, pattern)| patterns[*at] = *pattern);
        patterns
    };
    let mut cases =
        vec![(with(&[(0, Pattern::Is(1))]), "forward"), (with(&[(1, Pattern::Is(0))]), "forward")];
    for at in 0..cells.len() {
        let hit = (2 + at, Pattern::Is(HOLDS));
        if codes {
            let largest = (2 + cells.len() + at, Pattern::Is(0));
            cases.push((with(&[hit, largest]), "forward"));
        }
        cases.push((with(&[hit]), "give_back"));
    }
    cases.push((any.clone(), "around"));
    let stage = 1 + usize::from(width) + if codes { 2 } else { 0 };
    Judgement { stage, keys, cases }
}
