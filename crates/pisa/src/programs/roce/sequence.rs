//! The sender of a packet, and the check that it continues its message (R-PISA-51 to 54).

use super::frame::{Frame, opcode, udp_length};
use super::{Meta, Roce, icrc};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, BinOp, Crc, FieldId, Gress, Half, Match, Operand, Output, Part, Pattern, Relation, When,
    Word,
};
use crate::programs::frame::forward;
use crate::programs::switchml::known_exponents;

/// The lower bits of BTH's second byte: padding, and the version of the header.
const PADDING_AND_VERSION: u64 = 0x3F;

/// Packets that a message has left, this one counted, as a negative number: -1 for the last, and 0
/// where no packet is left.
const LAST: u64 = (-1_i32) as u32 as u64;
const LAST_BUT_ONE: u64 = (-2_i32) as u32 as u64;

/// The step from one PSN to the next: numbers of 24 bits stand in the upper bits of 32, and wrap
/// there.
const NEXT: u32 = 1 << 8;

/// Stage 0: everything that needs nothing but the header.
pub(super) fn identify(builder: &mut Builder, config: &Roce, frame: &Frame, meta: &Meta) {
    let [pair, shape, exponents] = meta.known;
    let of = meta.contribution;
    let [base_slot, round, length] =
        ["slot", "round", "length"].map(|name| builder.of(frame.reth, name));
    let (dest_qp, udp) = (builder.of(frame.bth, "dest_qp"), builder.of(frame.udp, "length"));
    let (from, to) = (builder.of(frame.ipv4, "src"), builder.of(frame.ipv4, "dst"));
    let psn = builder.of(frame.bth, "psn");

    let carry = TableSpec::new("carry", 0, "What is carried from pass to pass.")
        .action(ActionSpec::new("carry").put(frame.bridge.valid, 1))
        .otherwise("carry");
    let mut shapes =
        TableSpec::new("shapes", 0, "R-PISA-50: a whole payload, or none; no padding.")
            .key(frame.opcode, Match::Ternary)
            .key(builder.of(frame.bth, "flags"), Match::Ternary)
            .key(udp, Match::Ternary)
            .key(length, Match::Ternary)
            .action(ActionSpec::new("pass").put(shape, 1));
    let unpadded = Pattern::Masked(0, PADDING_AND_VERSION);
    for code in opcode::ALL {
        for payload in
            [config.payload(), 0].into_iter().take(if code == opcode::ONLY { 2 } else { 1 })
        {
            let length = if code == opcode::ONLY { Pattern::Is(payload) } else { Pattern::Any };
            let whole = Pattern::Is(udp_length(code, payload));
            shapes = shapes.entry(&[Pattern::Is(code), unpadded, whole, length], "pass", &[]);
        }
    }
    let immediate = ["exponent", "next_exponent"].map(|name| builder.of(frame.immediate, name));
    let there = builder.valid(frame.immediate);
    let known = known_exponents(immediate[0], immediate[1], exponents).when(there, 1);
    let none = TableSpec::new("no_exponents", 0, "Only the last packet of a message has some.")
        .when(there, 0)
        .action(ActionSpec::new("pass").put(exponents, 1))
        .otherwise("pass");
    let pairs = TableSpec::new(
        "queue_pairs",
        0,
        "R-PISA-52: the worker, its message, and where it is answered.",
    )
    .key(to, Match::Exact)
    .key(dest_qp, Match::Exact)
    .key(from, Match::Exact)
    .action(
        ActionSpec::new("know")
            .param("first", config.word_bits())
            .param("message", 16)
            .param("worker", 16)
            .param("port", 16)
            .param("others", 16)
            .param("alone", 1)
            .param("group", 16)
            .binary(of.word, BinOp::Add, Operand::Param(0), base_slot)
            .set(meta.message, Operand::Param(1))
            .set(of.sender, Operand::Param(2))
            .set(meta.port, Operand::Param(3))
            .set(of.others, Operand::Param(4))
            .set(meta.alone, Operand::Param(5))
            .set(meta.group, Operand::Param(6))
            .put(pair, 1),
    )
    .room(config.messages);
    let jobs = TableSpec::new(
        "jobs",
        0,
        "R-PISA-51, R-PISA-53: the copy of a message's first slot, and its packets.",
    )
    .when(builder.valid(frame.reth), 1)
    .unless(meta.phase, 2)
    .key(dest_qp, Match::Ternary)
    .key(frame.opcode, Match::Ternary)
    .key(round, Match::Ternary)
    .key(base_slot, Match::Range)
    .key(length, Match::Ternary)
    .action(
        ActionSpec::new("find")
            .param("first", 16)
            .param("place", 32)
            .binary(of.copy, BinOp::Add, Operand::Param(0), base_slot)
            .set(meta.place, Operand::Param(1)),
    )
    .room(512);
    let above = |field, bits| [builder.whole(field), Part::Const { value: 0, bits }];
    let doc = "R-PISA-51: the round. R-PISA-53: the PSN. Both in upper bits, so that they wrap as registers do.";
    let number = ActionSpec::new("number")
        .concat(of.key, &above(round, 16))
        .concat(meta.number, &above(psn, 8));
    let numbers = TableSpec::new("numbers", 0, doc).action(number).otherwise("number");
    let lanes = frame.window().iter().map(|header| builder.valid(*header));
    let resume = ActionSpec::new("resume").set(of.copy, frame.bridge.copy);
    let resume = TableSpec::new("resume", 0, "A result that gathers its lanes: R-PISA-59.")
        .when(meta.phase, 2)
        .action(lanes.fold(resume, |action, lanes| action.put(lanes, 1)))
        .otherwise("resume");
    let begin = TableSpec::new("begin", 0, "R-PISA-59: an ICRC of 0 behind the last lanes.")
        .unless(meta.phase, 2)
        .action(ActionSpec::new("begin").put(frame.bridge.crc, icrc::END))
        .otherwise("begin");
    for table in [carry, begin, shapes, known, none, pairs, jobs, resume, numbers] {
        builder.table(Gress::Ingress, table);
    }
    // In stage 1 hash units bring the words of four arrays, and 32 bits more.
    for code in [opcode::FIRST, opcode::ONLY] {
        let table = agreement(builder, frame, of.digest, 0, code);
        builder.table(Gress::Ingress, table);
    }
    sequence(builder, config, frame, meta);
    let bridge = frame.bridge;
    let forward =
        forward(1, builder.of(frame.ethernet, "dst"), bridge.valid, bridge.mode).when(pair, 0);
    let [middle, last] =
        [opcode::MIDDLE, opcode::LAST].map(|code| agreement(builder, frame, of.digest, 1, code));
    for table in [middle, last, forward] {
        builder.table(Gress::Ingress, table);
    }
}

/// Returns the table for the digest of the values that a round agrees on, in packets of one opcode.
/// Each opcode has a table, since each takes all that hash units bring to one.
fn agreement(
    builder: &Builder,
    frame: &Frame,
    digest: FieldId,
    stage: usize,
    code: u64,
) -> TableSpec {
    let doc = "R-PISA-54, R-SLOT-7: what the packets of a round agree on.";
    let table = TableSpec::new(&format!("agreed_{}", opcode::name(code)), stage, doc)
        .when(frame.opcode, code);
    let pair = builder.of(frame.bth, "dest_qp");
    if code == opcode::MIDDLE {
        return table.action(ActionSpec::new("digest").set(digest, pair)).otherwise("digest");
    }
    let mut fields = vec![pair, frame.opcode];
    if opcode::has_address(code) {
        fields.extend(["offset", "length"].map(|name| builder.of(frame.reth, name)));
    }
    if opcode::has_immediate(code) {
        fields.push(builder.of(frame.immediate, "exponent"));
    }
    let agreed: Vec<_> = fields.into_iter().map(|field| builder.whole(field)).collect();
    table
        .action(ActionSpec::new("digest").crc32(digest, Crc::Ethernet, &agreed))
        .otherwise("digest")
}

/// Stage 1: the packet goes on with its message or not, and where it belongs. Only `expected`
/// decides.
fn sequence(builder: &mut Builder, config: &Roce, frame: &Frame, meta: &Meta) {
    let of = meta.contribution;
    let words = config.messages;
    let expected = builder.array(
        "expected",
        Word::Pair,
        words,
        "The PSN of the packet before, times 256, and the packets that are left of its message, negative (R-PISA-53).",
    );
    let copies = builder.array(
        "message_copy",
        Word::Single(16),
        words,
        "The copy that the latest packet belongs to.",
    );
    let word = builder.array(
        "message_word",
        Word::Single(config.word_bits()),
        words,
        "The word of `last` that belongs to it.",
    );
    let round =
        builder.array("message_round", Word::Single(32), words, "The round of the message.");
    let by_opcode = |name: &str, doc: &str| {
        let table = meta
            .known
            .into_iter()
            .fold(TableSpec::new(name, 1, doc), |table, known| table.when(known, 1));
        table.unless(meta.phase, 2).key(frame.opcode, Match::Exact)
    };
    let access = |array| AccessSpec::new(array, meta.message);
    let begin = access(expected)
        .update(Half::Lo, When::ALWAYS, AluOp::Set, meta.number)
        .update(Half::Hi, When::ALWAYS, AluOp::Set, meta.place)
        .output(meta.place, Output::New(Half::Hi));
    // The second condition: what is left before this packet. Where one of the two does not hold,
    // nothing is left.
    let both = When(0b1000);
    let go_on = |left, relation| {
        access(expected)
            .compare_plus(Half::Lo, Relation::Equal, meta.number, NEXT)
            .compare(Half::Hi, relation, Operand::Const(left))
            .update(Half::Lo, both, AluOp::Set, meta.number)
            .update(Half::Hi, both, AluOp::Add, Operand::Const(1))
            .update(Half::Hi, When(0b0111), AluOp::Set, Operand::Const(0))
            .output(meta.place, Output::New(Half::Hi))
    };
    let begins = |table: TableSpec| {
        [opcode::FIRST, opcode::ONLY]
            .into_iter()
            .fold(table, |table, code| table.entry(&[Pattern::Is(code)], "begin", &[]))
    };
    let doc = "R-PISA-53: UC takes a packet that begins a message, and one that goes on with it.";
    let table = by_opcode("sequence", doc)
        .action(ActionSpec::new("begin").access(begin))
        .action(ActionSpec::new("middle").access(go_on(LAST_BUT_ONE, Relation::Behind)))
        .action(ActionSpec::new("last").access(go_on(LAST_BUT_ONE, Relation::Equal)))
        .entry(&[Pattern::Is(opcode::MIDDLE)], "middle", &[])
        .entry(&[Pattern::Is(opcode::LAST)], "last", &[]);
    builder.table(Gress::Ingress, begins(table));
    for (name, array, field, step) in [
        ("copies", copies, of.copy, 1),
        ("words", word, of.word, 1),
        ("message_rounds", round, of.key, 0),
    ] {
        let begin = access(array)
            .update(Half::Lo, When::ALWAYS, AluOp::Set, field)
            .output(field, Output::New(Half::Lo));
        let go_on = match step {
            0 => access(array).output(field, Output::Old(Half::Lo)),
            step => access(array)
                .update(Half::Lo, When::ALWAYS, AluOp::Add, Operand::Const(step))
                .output(field, Output::New(Half::Lo)),
        };
        let doc =
            "R-PISA-51: a message's packets belong to slots one after the other, and to one round.";
        let mut table = by_opcode(name, doc)
            .action(ActionSpec::new("begin").access(begin))
            .action(ActionSpec::new("go_on").access(go_on));
        for code in [opcode::MIDDLE, opcode::LAST] {
            table = table.entry(&[Pattern::Is(code)], "go_on", &[]);
        }
        builder.table(Gress::Ingress, begins(table));
    }
}

/// The place of a message's first packet, of so many.
pub(super) const fn place(packets: u64) -> u64 {
    LAST.wrapping_sub(packets - 1) & u32::MAX as u64
}
