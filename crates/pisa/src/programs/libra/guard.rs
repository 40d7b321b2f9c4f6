//! Checks before the rows: the worker is known, and the push is new (R-PISA-71, R-PISA-74 to 76).

use netfold_wire::TableFlags;

use super::frame::Frame;
use super::{Guard, Libra, what};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, BinOp, Crc, FieldId, Gress, Half, Intrinsic, Match, Operand, Output, Part, Pattern,
    Relation, When, Word,
};
use crate::programs::frame::forward;

/// The reason of a report that tells the CPU of a push, for its record (R-PISA-75).
pub const RECORD: u64 = 1;

/// The stage of the record.
const RECORDED: usize = 2;

/// Bits of a push's number that say which register of a window it is in.
const WINDOW_BITS: u32 = netfold_wire::WINDOW.trailing_zeros();

/// [`Output::Outcome`] where the first condition holds, and where none does.
const HOLDS: u64 = 2;

/// Metadata about who asks, and the verdict on a push.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// Fields that tell whether a push is new, from the stage behind [`RECORDED`] on.
    pub keys: Vec<FieldId>,
    /// Their patterns where it is.
    pub new: Vec<Vec<Pattern>>,
    /// The same where the CPU has to decide; none with other guards.
    pub asked: Option<Vec<Pattern>>,
    /// The port that the request came from.
    pub port: FieldId,
    member: FieldId,
    known: FieldId,
    placed: FieldId,
    place: Place,
}

/// The words of the record that a push has.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// A register of a window, and the push's number as it stands there.
    Window { number: FieldId, at: FieldId },
    /// A push's hash, and a word of each array of the filter.
    Filter { hashed: FieldId, at: [FieldId; 2], words: u32 },
    /// The CPU has it.
    Elsewhere,
}

impl Verdict {
    pub fn declare(builder: &mut Builder, config: &Libra, frame: &Frame) -> Self {
        let port = builder.meta("port", 16);
        let member = builder.meta("member", 8);
        let (known, placed) = (builder.meta("known", 1), builder.meta("placed", 1));
        let (any, is) = (Pattern::Any, Pattern::Is);
        let flags = builder.of(frame.table, "flags");
        let again = u64::from(TableFlags::REPEATED.0);
        let (keys, new, asked, place) = match config.guard {
            Guard::Windows => {
                let (number, at) = (builder.meta("number", 32), builder.meta("place", 16));
                let place = Place::Window { number, at };
                (vec![builder.meta("fresh", 4)], vec![vec![is(HOLDS)]], None, place)
            }
            Guard::Cpu { .. } => {
                (vec![flags], vec![vec![is(0)]], Some(vec![is(again)]), Place::Elsewhere)
            }
            Guard::Bloom { words } => {
                let bits = words.trailing_zeros();
                let at = [0, 1].map(|at| builder.meta(&format!("place{at}"), bits));
                let place = Place::Filter { hashed: builder.meta("hashed", 32), at, words };
                let keys = vec![flags, builder.meta("was0", 8), builder.meta("was1", 8)];
                let new = vec![vec![is(0), any, any], vec![any, is(0), any], vec![any, any, is(0)]];
                (keys, new, None, place)
            }
        };
        Self { keys, new, asked, port, member, known, placed, place }
    }

    /// Patterns of anything.
    pub fn any(&self) -> Vec<Pattern> {
        vec![Pattern::Any; self.keys.len()]
    }
}

/// Stage 0: who asks, and what is to do.
pub(super) fn begin(builder: &mut Builder, config: &Libra, frame: &Frame, verdict: &Verdict) {
    let of = |name| builder.of(frame.table, name);
    let (job, epoch, worker, pairs) = (of("job"), of("epoch"), of("worker"), of("pairs"));
    let sequence = of("sequence");
    let (dst, src) = (builder.of(frame.ethernet, "dst"), builder.of(frame.ethernet, "src"));
    let bridge = |name| builder.of(frame.bridge, name);
    let (even, odd, mode) = (bridge("even"), bridge("odd"), bridge("mode"));
    let carried = builder.valid(frame.bridge);
    let members = TableSpec::new("members", 0, "R-KEY-2: a worker of the job, in its epoch.")
        .unless(frame.what, what::OTHER)
        .key(job, Match::Exact)
        .key(epoch, Match::Exact)
        .key(worker, Match::Exact)
        .action(
            ActionSpec::new("find")
                .param("member", 8)
                .set(verdict.member, Operand::Param(0))
                .put(verdict.known, 1),
        )
        .room(config.workers.into());
    let senders = TableSpec::new("senders", 0, "R-KEY-2: the port that the answer goes to.")
        .unless(frame.what, what::OTHER)
        .key(src, Match::Exact)
        .action(
            ActionSpec::new("answer_by")
                .param("port", 16)
                .set(verdict.port, Operand::Param(0))
                .put(verdict.placed, 1),
        )
        .room(1024);
    let begin = ActionSpec::new("begin")
        .param("pairs", 16)
        .put(carried, 1)
        .set(even, Operand::Param(0))
        .set(odd, Operand::Param(0));
    let begin = match verdict.place {
        // Register i of a window holds the number before i at first (R-KEY-3), and 0 here: numbers
        // stand there with one window more, and without the bits that are the register's own.
        Place::Window { number, .. } => {
            begin.binary(number, BinOp::Add, sequence, Operand::Const(1 << WINDOW_BITS))
        }
        _ => begin,
    };
    let doc = "R-PISA-72: the pairs that are left, a bit for each.";
    let begins = TableSpec::new("begin", 0, doc)
        .unless(frame.what, what::OTHER)
        .when(frame.first, 1)
        .key(pairs, Match::Exact)
        .action(begin);
    let begins = (0..=u64::from(config.pairs)).fold(begins, |table, pairs| {
        table.entry(&[Pattern::Is(pairs)], "begin", &[(1 << pairs) - 1])
    });
    let other = forward(0, dst, carried, mode).when(frame.what, what::OTHER);
    for table in [members, senders, begins, other] {
        builder.table(Gress::Ingress, table);
    }
    if let Place::Filter { hashed, .. } = verdict.place {
        let parts = [job, worker, sequence].map(|field| builder.whole(field));
        let doc = "R-PISA-76: which words of the filter a push has.";
        let table = TableSpec::new("hash", 0, doc)
            .key(frame.first, Match::Exact)
            .action(ActionSpec::new("hash").crc32(hashed, Crc::Ethernet, &parts))
            .entry(&[Pattern::Is(1)], "hash", &[]);
        builder.table(Gress::Ingress, table);
    }
}

/// Stage 1, behind everything else of it: a stranger's packet goes no further, and a push is about
/// to meet its record.
pub(super) fn admit(builder: &mut Builder, frame: &Frame, verdict: &Verdict) {
    let strangers = TableSpec::new("strangers", 1, "R-KEY-2: of workers and servers alone.")
        .unless(frame.what, what::OTHER)
        .key(verdict.known, Match::Ternary)
        .key(verdict.placed, Match::Ternary)
        .action(ActionSpec::new("admit"))
        .action(
            ActionSpec::new("refuse").put(frame.what, what::OTHER).put(Intrinsic::Drop.field(), 1),
        )
        .entry(&[Pattern::Is(1), Pattern::Is(1)], "admit", &[])
        .otherwise("refuse");
    builder.table(Gress::Ingress, strangers);
    let place = ActionSpec::new("place");
    let (place, doc) = match verdict.place {
        Place::Window { number, at } => {
            let sequence = builder.of(frame.table, "sequence");
            let own = Part::Bits { field: sequence, low: 0, bits: WINDOW_BITS };
            let parts = [builder.whole(verdict.member), own];
            let upper = Operand::Const(u64::from(u32::MAX << WINDOW_BITS));
            let place = place.concat(at, &parts).binary(number, BinOp::And, number, upper);
            (place, "R-KEY-3: the register of the window.")
        }
        Place::Filter { hashed, at: [first, second], .. } => {
            (place.slice(first, hashed, 0).slice(second, hashed, 16), "R-PISA-76: a word of each.")
        }
        Place::Elsewhere => return,
    };
    let table = TableSpec::new("place", 1, doc).key(frame.first, Match::Exact).action(place);
    builder.table(Gress::Ingress, table.entry(&[Pattern::Is(1)], "place", &[]));
}

/// Stage 2: the record.
pub(super) fn record(builder: &mut Builder, config: &Libra, frame: &Frame, verdict: &Verdict) {
    match verdict.place {
        Place::Window { number, at } => {
            let size = config.window_words();
            let doc = "The last number that was taken, of each register of a window (R-KEY-3).";
            let array = builder.array("windows", Word::Single(32), size, doc);
            let access = AccessSpec::new(array, at)
                .compare(Half::Lo, Relation::Behind, number)
                .update(Half::Lo, When::FIRST, AluOp::Set, number)
                .output(verdict.keys[0], Output::Outcome);
            let doc = "R-KEY-3, R-KEY-4: new if its number is newer, in one touch.";
            touch(builder, frame, "window", doc, access);
        }
        Place::Elsewhere => {
            let flags = verdict.keys[0];
            let told = ["job", "worker", "sequence"].map(|name| builder.of(frame.table, name));
            builder.report(&told);
            let doc = "R-PISA-75: the CPU is told of each push that is folded.";
            let table = TableSpec::new("record", RECORDED, doc)
                .when(frame.what, what::PUSH)
                .key(flags, Match::Exact)
                .action(ActionSpec::new("tell").put(Intrinsic::Report.field(), RECORD))
                .entry(&[Pattern::Is(0)], "tell", &[]);
            builder.table(Gress::Ingress, table);
        }
        Place::Filter { at, words, .. } => {
            for (number, (place, was)) in at.into_iter().zip(&verdict.keys[1..]).enumerate() {
                let doc = "Set for each push that was taken (R-PISA-76).";
                let array = builder.array(&format!("bloom{number}"), Word::Single(8), words, doc);
                let access = AccessSpec::new(array, place)
                    .update(Half::Lo, When::ALWAYS, AluOp::Set, Operand::Const(1))
                    .output(*was, Output::Old(Half::Lo));
                let doc = "R-PISA-76: whether it was set before.";
                touch(builder, frame, &format!("filter{number}"), doc, access);
            }
        }
    }
}

/// A table that touches the record for a push in its first pass.
fn touch(builder: &mut Builder, frame: &Frame, name: &str, doc: &str, access: AccessSpec) {
    let table = TableSpec::new(name, RECORDED, doc)
        .when(frame.what, what::PUSH)
        .action(ActionSpec::new("touch").access(access))
        .otherwise("touch");
    builder.table(Gress::Ingress, table);
}
