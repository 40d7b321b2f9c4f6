//! SwitchML with netfold's rounds (NSDI 2021, sections 4.5 and 5, appendix B): sums of 32-bit integers, slots with a shadow copy.
//!
//! Stage 0 finds the job, the slot's words and the worker; stage 1 says what the packet is (R-PISA-11), stage 2 counts; then come the lanes, four pairs
//! to a stage, and last what becomes of the packet. A packet with more lanes than a pipeline folds goes through several, each with registers of its own.

use netfold_num::{ElementType, Exponent, Operation};

use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, ArrayId, BinOp, FieldId, Gress, Half, Match, Op, Operand, Output, Part, Pattern, Program, Relation, When,
    Word,
};
use crate::programs::egress;
use crate::programs::frame::{Around, Frame, FrameConfig, flags};
use crate::programs::lanes::Lanes;
use crate::programs::outcome;

/// What an access to `last` says of a packet: [`Output::Outcome`] of (behind, equal).
pub(crate) mod age {
    pub const OLD: u64 = 1;
    pub const NEW: u64 = 2;
    pub const REPEATED: u64 = 4;
}

/// What an access to `round` says: [`Output::Outcome`] of (starts, agrees).
pub(crate) mod round {
    pub const DIFFERS: u64 = 1;
    pub const STARTS: u64 = 2;
    pub const AGREES: u64 = 4;
    /// It starts a round, and what was there before happens to have its digest.
    pub const STARTS_ALIKE: u64 = 8;
}

/// In `count`: two calls met in this copy. It is never complete again.
pub(crate) const BROKEN: u64 = 0xFFFF;

/// Bytes of UDP's header and the netfold header.
pub(crate) const HEADERS_BYTES: u64 = 8 + netfold_wire::HEADER_BYTES as u64;

/// What the program is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchMl {
    /// Lanes of a full packet: a power of two, at least 2, times `pipelines`.
    pub elements: u16,
    /// Pipelines that a packet goes through, 1 to 4; each folds an equal part of the lanes.
    pub pipelines: u16,
    /// Slots of all jobs together.
    pub slots: u32,
    /// Workers of a job that uses all slots; one with fewer slots can have more.
    pub workers: u32,
    /// Frames and ports.
    pub frame: FrameConfig,
}

impl SwitchMl {
    /// 512 slots for 32 workers; 64 lanes to a pipeline, and as many pipelines as it takes.
    pub fn new(elements: u16) -> Self {
        let pipelines = elements.div_ceil(64);
        Self { elements, pipelines, slots: 512, workers: 32, frame: FrameConfig::new(pipelines) }
    }

    /// The program.
    pub fn program(&self) -> Program {
        build(self)
    }
}

/// Metadata of the program.
pub(crate) struct Meta {
    pub phase: FieldId,
    pub ok: [FieldId; 6],
    pub key: FieldId,
    pub digest: FieldId,
    pub copy: FieldId,
    pub word: FieldId,
    pub others: FieldId,
    pub alone: FieldId,
    pub group: FieldId,
    pub relay: FieldId,
    pub port: FieldId,
    pub to_all: FieldId,
    pub foreign: FieldId,
    pub rest: FieldId,
    pub age: FieldId,
    pub round: FieldId,
    /// The round's first worker, and this one, as wide as a register's number.
    pub first: FieldId,
    pub sender: FieldId,
    pub left: FieldId,
    pub filled: FieldId,
    pub largest: FieldId,
}

/// The six checks of stage 0, by the name of their field.
const CHECKS: [&str; 6] =
    ["known_shape", "known_exponents", "known_seal", "known_job", "known_member", "known_delivery"];

impl Meta {
    fn declare(builder: &mut Builder) -> Self {
        Self {
            phase: builder.meta("phase", 2),
            ok: CHECKS.map(|name| builder.meta(name, 1)),
            key: builder.meta("key", 32),
            digest: builder.meta("digest", 32),
            copy: builder.meta("copy", 32),
            word: builder.meta("word", 32),
            others: builder.meta("others", 16),
            alone: builder.meta("alone", 1),
            group: builder.meta("members_group", 16),
            relay: builder.meta("relay_group", 16),
            port: builder.meta("member_port", 16),
            to_all: builder.meta("to_all", 1),
            foreign: builder.meta("foreign", 16),
            rest: builder.meta("rest", 16),
            age: builder.meta("age", 4),
            round: builder.meta("round_is", 4),
            first: builder.meta("first_worker", 32),
            sender: builder.meta("sender", 32),
            left: builder.meta("left", 16),
            filled: builder.meta("was_filled", 8),
            largest: builder.meta("largest_exponent", 16),
        }
    }
}

fn build(config: &SwitchMl) -> Program {
    let title = format!(
        "SwitchML with netfold's rounds: {} lanes of 32 bits, {} pipeline(s), {} slots, {} workers.",
        config.elements, config.pipelines, config.slots, config.workers
    );
    let mut builder =
        Builder::new("switchml", &[&title, "Rules: R-PKT and R-SLOT in spec/protocol.md, R-PISA in spec/pisa.md."]);
    builder.state("start", &[]);
    let frame = Frame::declare(&mut builder);
    let meta = Meta::declare(&mut builder);
    let lanes = Lanes::declare(&mut builder, u32::from(config.elements / config.pipelines));
    let elements = frame.field(&builder, "elements");
    let first = lanes.parse(&mut builder, "first", elements, 16);
    let again = lanes.parse(&mut builder, "again", frame.bridge.rest, 16);
    frame.parse(&mut builder, &config.frame, meta.phase, [first, again]);
    frame.parse_leaving(&mut builder);
    identify(&mut builder, config, &frame, &meta, &lanes);
    decide(&mut builder, config, &frame, &meta);
    count(&mut builder, config, &frame, &meta);
    fold(&mut builder, config, &frame, &meta, &lanes);
    outcome::show_lanes(&mut builder, config, &frame, &meta, &lanes);
    outcome::outcome(&mut builder, config, &frame, &meta, &lanes);
    egress::leave(&mut builder, &frame);
    let report = ["job", "epoch", "slot", "position", "worker"].map(|name| frame.field(&builder, name));
    builder.report(&[&report[..], &[meta.first]].concat());
    builder.finish()
}

/// Stage 0: everything that needs nothing but the header.
fn identify(builder: &mut Builder, config: &SwitchMl, frame: &Frame, meta: &Meta, lanes: &Lanes) {
    let [shape, exponents, seal, job_known, member, delivery] = meta.ok;
    let field = |name: &str| frame.field(builder, name);
    let (job, worker, slot, deliver, elements) =
        (field("job"), field("worker"), field("slot"), field("delivery"), field("elements"));
    let (flag, position) = (field("flags"), field("position"));
    let udp_length = builder.of(frame.udp, "length");

    let pass = |to| ActionSpec::new("pass").put(to, 1);
    let mut shapes =
        TableSpec::new("shapes", 0, "R-PKT-1, R-PKT-2: lanes of i32 that are summed, and a length that fits; or none.")
            .key(flag, Match::Ternary)
            .key(field("element_type"), Match::Ternary)
            .key(field("operation"), Match::Ternary)
            .key(elements, Match::Range)
            .key(udp_length, Match::Ternary)
            .action(pass(shape));
    let (i32_lanes, sum) = (u64::from(ElementType::I32.to_wire()), u64::from(Operation::Sum.to_wire()));
    let kind = [Pattern::Is(i32_lanes), Pattern::Is(sum)];
    let whole = u64::from(config.elements);
    let without = [
        Pattern::Masked(flags::EMPTY, flags::EMPTY),
        kind[0],
        kind[1],
        Pattern::Range(0, whole),
        Pattern::Is(HEADERS_BYTES),
    ];
    shapes = shapes.entry(&without, "pass", &[]);
    for count in 0..=whole {
        let length = HEADERS_BYTES + 4 * count;
        let with =
            [Pattern::Masked(0, flags::EMPTY), kind[0], kind[1], Pattern::Range(count, count), Pattern::Is(length)];
        shapes = shapes.entry(&with, "pass", &[]);
    }

    // R-NUM-7: the exponents that there are, as 16-bit patterns.
    let wire = |exponent: Exponent| u64::from(exponent.to_wire() as u16);
    let possible = [
        Pattern::Range(wire(Exponent::SMALLEST), 0xFFFF),
        Pattern::Range(0, wire(Exponent::LARGEST)),
        Pattern::Range(wire(Exponent::SPECIAL), wire(Exponent::UNKNOWN)),
        Pattern::Range(wire(Exponent::ZERO), wire(Exponent::ZERO)),
    ];
    let mut known = TableSpec::new("exponents", 0, "R-PKT-1, R-NUM-7: exponents that there are.")
        .key(field("exponent"), Match::Range)
        .key(field("next_exponent"), Match::Range)
        .action(pass(exponents));
    for one in possible {
        for other in possible {
            known = known.entry(&[one, other], "pass", &[]);
        }
    }
    let sealed = TableSpec::new("sealed", 0, "R-PKT-3: `transport`; a pipeline computes no digest of lanes.")
        .key(field("integrity"), Match::Exact)
        .action(pass(seal))
        .entry(&[Pattern::Is(0)], "pass", &[]);
    let jobs = TableSpec::new(
        "jobs",
        0,
        "R-PKT-4, R-SLOT-9: the words of the slot's copy, for a job and a slot that there are.",
    )
    .key(job, Match::Ternary)
    .key(field("epoch"), Match::Ternary)
    .key(field("pool"), Match::Ternary)
    .key(slot, Match::Range)
    .action(
        ActionSpec::new("find")
            .param("first", 32)
            .param("others", 16)
            .param("alone", 1)
            .param("group", 16)
            .param("relay", 16)
            .binary(meta.copy, BinOp::Add, Operand::Param(0), slot)
            .set(meta.others, Operand::Param(1))
            .set(meta.alone, Operand::Param(2))
            .set(meta.group, Operand::Param(3))
            .set(meta.relay, Operand::Param(4))
            .put(job_known, 1),
    )
    .room(128);
    let members =
        TableSpec::new("members", 0, "R-SLOT-9: the worker's word for the slot, and the port that leads to it.")
            .key(job, Match::Exact)
            .key(worker, Match::Exact)
            .action(
                ActionSpec::new("know")
                    .param("first", 32)
                    .param("port", 16)
                    .binary(meta.word, BinOp::Add, Operand::Param(0), slot)
                    .set(meta.port, Operand::Param(1))
                    .put(member, 1),
            )
            .room(2048);
    let deliveries =
        TableSpec::new("deliveries", 0, "R-SLOT-9: the result is for everyone, or for a worker that there is.")
            .key(job, Match::Exact)
            .key(deliver, Match::Exact)
            .action(ActionSpec::new("everyone").put(delivery, 1).put(meta.to_all, 1))
            .action(ActionSpec::new("one").put(delivery, 1))
            .room(2048);
    let names = ["position", "kind", "call", "element_type", "operation", "elements", "exponent", "delivery"];
    let crc = Op::Crc32 { to: meta.digest, from: names.map(field).to_vec() };
    let rounds = TableSpec::new(
        "rounds",
        0,
        "R-SLOT-8, R-PISA-11: rounds as serial numbers. R-SLOT-7, R-PISA-12: what they agree on.",
    )
    .action(
        ActionSpec::new("number")
            .concat(
                meta.key,
                &[Part::Bits { field: position, low: 0, bits: 30 }, Part::Bits { field: frame.order, low: 0, bits: 2 }],
            )
            .op(crc)
            .binary(meta.foreign, BinOp::Xor, worker, deliver)
            .set(meta.sender, worker),
    )
    .otherwise("number");
    let rest = |phase, from: FieldId, name: &str| {
        TableSpec::new(name, 0, "Lanes that are left for the pipelines to come.")
            .when(meta.phase, phase)
            .action(ActionSpec::new("leave").binary(
                meta.rest,
                BinOp::SaturatingSub,
                from,
                Operand::Const(u64::from(lanes.count)),
            ))
            .otherwise("leave")
    };
    let (first_rest, again_rest) = (rest(0, elements, "first_rest"), rest(1, frame.bridge.rest, "again_rest"));
    let forward = TableSpec::new("forward", 0, "Other traffic goes where it is addressed.")
        .when(builder.valid(frame.netfold), 0)
        .key(builder.of(frame.ethernet, "dst"), Match::Exact)
        .action(
            ActionSpec::new("send")
                .param("port", 16)
                .set(crate::program::Intrinsic::EgressPort.field(), Operand::Param(0))
                .put(frame.bridge.valid, 1)
                .put(frame.bridge.mode, Around::OTHER),
        )
        .action(
            ActionSpec::new("flood")
                .param("group", 16)
                .set(crate::program::Intrinsic::Group.field(), Operand::Param(0))
                .put(frame.bridge.valid, 1)
                .put(frame.bridge.mode, Around::OTHER),
        )
        .action(ActionSpec::new("refuse").put(crate::program::Intrinsic::Drop.field(), 1))
        .otherwise("refuse")
        .room(1024);
    for table in [shapes, known, sealed, jobs, members, deliveries, rounds, first_rest, again_rest, forward] {
        builder.table(Gress::Ingress, table);
    }
}

/// Looked at only for contributions and queries that belong to a job.
fn folded(table: TableSpec, meta: &Meta) -> TableSpec {
    meta.ok.into_iter().fold(table, |table, field| table.when(field, 1)).unless(meta.phase, 2)
}

/// Stage 1: what the packet is, from three registers that each say so by themselves (R-PISA-11).
fn decide(builder: &mut Builder, config: &SwitchMl, frame: &Frame, meta: &Meta) {
    let flag = frame.field(builder, "flags");
    let copies = 2 * config.slots;
    let last = builder.array(
        "last",
        Word::Single(32),
        config.slots * config.workers,
        "The latest round of each worker in each slot (R-PISA-11).",
    );
    let round =
        builder.array("round", Word::Pair, copies, "The round that each copy holds, and what it agrees on (R-SLOT-7).");
    let first = builder.array("first", Word::Pair, copies, "The same round, and the worker that started it.");

    let with_query = |name: &str, doc: &str, change: AccessSpec, look: AccessSpec| {
        folded(TableSpec::new(name, 1, doc), meta)
            .key(flag, Match::Ternary)
            .action(ActionSpec::new("contribute").access(change))
            .action(ActionSpec::new("ask").access(look))
            .entry(&[Pattern::Masked(flags::QUERY, flags::QUERY)], "ask", &[])
            .otherwise("contribute")
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
    let starters = with_query("starters", "R-SLOT-7: the worker that a mismatch is reported with.", contribute, ask);
    for table in [ages, starts, starters] {
        builder.table(Gress::Ingress, table);
    }
}

/// Stage 2: how many are left, whether there are lanes, and the largest exponent.
fn count(builder: &mut Builder, config: &SwitchMl, frame: &Frame, meta: &Meta) {
    let flag = frame.field(builder, "flags");
    let next = frame.field(builder, "next_exponent");
    let copies = 2 * config.slots;
    let count = builder.array(
        "count",
        Word::Single(16),
        copies,
        "Workers that a round waits for; 0xFFFF where two calls have met (R-SLOT-1, R-SLOT-7).",
    );
    let filled = builder.array("filled", Word::Single(8), copies, "Whether lanes have been written in this round.");
    let largest =
        builder.array("largest", Word::Single(16), copies, "The largest `next_exponent` of the round (R-SLOT-5).");

    let zero = |array: ArrayId| AccessSpec::new(array, meta.copy).compare(Half::Lo, Relation::Equal, Operand::Const(0));
    let broken = Operand::Const(BROKEN);
    let old = Output::Old(Half::Lo);
    let open = zero(count)
        .update(Half::Lo, When::FIRST, AluOp::Set, meta.others)
        .update(Half::Lo, When::NOT_FIRST, AluOp::Set, broken)
        .output(meta.left, old);
    let join = zero(count)
        .compare(Half::Lo, Relation::Behind, Operand::Const(0))
        .update(Half::Lo, When::NEITHER, AluOp::Sub, Operand::Const(1))
        .output(meta.left, old);
    let clash = zero(count).update(Half::Lo, When::NOT_FIRST, AluOp::Set, broken).output(meta.left, old);
    let peek = |array, to| AccessSpec::new(array, meta.copy).output(to, old);
    let put = |array, op, with: Operand, to, output| {
        AccessSpec::new(array, meta.copy).update(Half::Lo, When::ALWAYS, op, with).output(to, output)
    };

    use self::{age::*, round::*};
    let (any, new) = (Pattern::Any, Pattern::Is(NEW));
    let asks = Pattern::Masked(flags::QUERY, flags::QUERY);
    let starting = [STARTS, STARTS_ALIKE].map(Pattern::Is);
    let keyed = |name: &str, doc: &str| {
        folded(TableSpec::new(name, 2, doc), meta)
            .key(meta.age, Match::Ternary)
            .key(meta.round, Match::Ternary)
            .key(flag, Match::Ternary)
            .key(frame.order, Match::Ternary)
    };
    let old_packet = [Pattern::Is(OLD), any, any, any];
    let query = [any, any, asks, any];
    let repeated = [Pattern::Is(REPEATED), any, any, any];
    let mut counts = keyed(
        "counts",
        "R-SLOT-1, R-SLOT-3: the round is complete when nobody is left. R-SLOT-7: it never is where two calls met.",
    )
    .action(ActionSpec::new("skip"))
    .action(ActionSpec::new("open").access(open))
    .action(ActionSpec::new("join").access(join))
    .action(ActionSpec::new("clash").access(clash))
    .action(ActionSpec::new("peek").access(peek(count, meta.left)))
    .entry(&old_packet, "skip", &[])
    .entry(&query, "peek", &[])
    .entry(&repeated, "peek", &[]);
    let lanes = Pattern::Masked(0, flags::EMPTY);
    // Exponents rounds have no lanes, whatever they bring.
    let with_values = Pattern::Masked(2, 2);
    let mut fills = keyed("fills", "R-SLOT-2: whether these are the round's first lanes.")
        .action(ActionSpec::new("skip"))
        .action(ActionSpec::new("mark").access(put(filled, AluOp::Set, Operand::Const(1), meta.filled, old)))
        .action(ActionSpec::new("wipe").access(put(
            filled,
            AluOp::Set,
            Operand::Const(0),
            meta.filled,
            Output::New(Half::Lo),
        )))
        .action(ActionSpec::new("peek").access(peek(filled, meta.filled)))
        .entry(&old_packet, "skip", &[])
        .entry(&query, "peek", &[])
        .entry(&repeated, "peek", &[]);
    let new_value = Output::New(Half::Lo);
    let mut exponents = keyed("largests", "R-SLOT-5: the maximum, from the first contribution on.")
        .action(ActionSpec::new("skip"))
        .action(ActionSpec::new("begin").access(put(largest, AluOp::Set, next.into(), meta.largest, new_value)))
        .action(ActionSpec::new("raise").access(put(largest, AluOp::MaxSigned, next.into(), meta.largest, new_value)))
        .action(ActionSpec::new("peek").access(peek(largest, meta.largest)))
        .entry(&old_packet, "skip", &[])
        .entry(&query, "peek", &[])
        .entry(&repeated, "peek", &[]);
    for start in starting {
        counts = counts.entry(&[new, start, any, any], "open", &[]);
        fills = fills.entry(&[new, start, lanes, with_values], "mark", &[]).entry(&[new, start, any, any], "wipe", &[]);
        exponents = exponents.entry(&[new, start, any, any], "begin", &[]);
    }
    let agrees = Pattern::Is(AGREES);
    counts =
        counts.entry(&[new, agrees, any, any], "join", &[]).entry(&[new, Pattern::Is(DIFFERS), any, any], "clash", &[]);
    fills = fills.entry(&[new, agrees, lanes, with_values], "mark", &[]).entry(&[new, agrees, any, any], "peek", &[]);
    exponents = exponents.entry(&[new, agrees, any, any], "raise", &[]);
    for table in [counts, fills, exponents] {
        builder.table(Gress::Ingress, table);
    }
}

/// The first stage with lanes.
pub(crate) const LANES_STAGE: usize = 3;

/// Stages 3 and on: the lanes.
fn fold(builder: &mut Builder, config: &SwitchMl, frame: &Frame, meta: &Meta, lanes: &Lanes) {
    use self::{age::*, round::*};
    let flag = frame.field(builder, "flags");
    let keys = [
        (meta.phase, Match::Ternary),
        (frame.bridge.step, Match::Ternary),
        (meta.age, Match::Ternary),
        (meta.round, Match::Ternary),
        (flag, Match::Ternary),
        (frame.order, Match::Ternary),
        (meta.filled, Match::Ternary),
        (meta.left, Match::Ternary),
    ];
    let (any, is) = (Pattern::Any, Pattern::Is);
    let consume = Pattern::Masked(0, 2);
    let (brings, values) = (Pattern::Masked(0, flags::EMPTY), Pattern::Masked(2, 2));
    let contribution = |round, filled, left| vec![consume, any, is(NEW), is(round), brings, values, filled, left];
    let mut entries = vec![
        (contribution(STARTS, any, any), "set"),
        (contribution(STARTS_ALIKE, any, any), "set"),
        // R-PISA-13: nothing is added to a round that is complete.
        (contribution(AGREES, any, is(0)), "skip"),
        (contribution(AGREES, is(0), any), "set"),
        (contribution(AGREES, is(1), any), "add"),
    ];
    // R-SLOT-3: the last contribution has no lanes, and the result has. R-SLOT-4: the result once more.
    let no_query = Pattern::Masked(0, flags::QUERY);
    entries.push((vec![consume, any, is(NEW), is(AGREES), no_query, any, is(1), is(1)], "read_high"));
    entries.push((vec![consume, any, is(REPEATED), any, no_query, any, is(1), is(0)], "read_high"));
    let window = |odd| vec![is(2), Pattern::Masked(odd, 1), any, any, any, any, any, any];
    entries.push((window(0), "read_low"));
    entries.push((window(1), "read_high"));
    lanes.fold(builder, LANES_STAGE, 2 * config.slots, meta.copy, &keys, &entries);
}
