//! SwitchML with netfold's rounds (NSDI 2021, sections 4.5 and 5, appendix B): sums of 32-bit
//! integers, or of floats by FPISA, in slots with a shadow copy.
//!
//! Stage 0 finds the job, the slot's words and the worker; stage 1 says what the packet is
//! (R-PISA-11), stage 2 counts; then come the lanes, four pairs to a stage, and last what becomes
//! of the packet. A packet with more lanes than a pipeline folds goes through several, each with
//! registers of its own.

use netfold_num::{ByteOrder, Exponent, Operation, Protocol};

use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, BinOp, Crc, FieldId, Gress, Half, Match, Operand, Output, Part, Pattern, Program, When,
    Word,
};
use crate::programs::Arithmetic;
use crate::programs::contribution::{
    ANY_KIND, Contribution, Keyed, Sizes, age, counts, decide, largests, peek, round,
};
use crate::programs::egress;
use crate::programs::fpisa::Variant;
use crate::programs::frame::{Frame, FrameConfig, flags, forward};
use crate::programs::lanes::Lanes;
use crate::programs::lanes::floats::Floats;
use crate::programs::outcome;

/// Width of the number of a copy: there are at most 2^15 slots.
const COPY_BITS: u32 = 16;

/// Bytes of UDP's header and the netfold header.
pub(crate) const HEADERS_BYTES: u64 = 8 + netfold_wire::HEADER_BYTES as u64;

/// The parameters of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchMl {
    /// The type of lanes, and the way in which they are added.
    pub arithmetic: Arithmetic,
    /// The way in which slots are used again.
    pub protocol: Protocol,
    /// The order of a lane's bytes in packets: little-endian where the parser converts
    /// (R-PISA-39).
    pub byte_order: ByteOrder,
    /// Lanes of a full packet, at least 1.
    pub elements: u16,
    /// Pipelines that a packet goes through, 1 to 4; each folds an equal part of the lanes, and the
    /// last one what is left of them.
    pub pipelines: u16,
    /// Slots of all jobs together.
    pub slots: u32,
    /// Workers of a job that uses all slots; one with fewer slots can have more.
    pub workers: u32,
    /// Frames and ports.
    pub frame: FrameConfig,
}

impl SwitchMl {
    /// Integers: 512 slots for 32 workers; 64 lanes to a pipeline, and as many pipelines as it
    /// takes.
    pub fn new(elements: u16) -> Self {
        Self::with(Arithmetic::Block, elements)
    }

    /// The same in any arithmetic, with as many lanes to a pipeline as it has room for.
    pub fn with(arithmetic: Arithmetic, elements: u16) -> Self {
        let pipelines = elements.div_ceil(arithmetic.lanes());
        let (protocol, byte_order) = (Protocol::Shadow, ByteOrder::Network);
        let frame = FrameConfig::new(pipelines);
        let (slots, workers) = (512, 32);
        Self { arithmetic, protocol, byte_order, elements, pipelines, slots, workers, frame }
    }

    /// Words of an array of lanes: one for each copy that has lanes (R-ACK-2).
    pub(crate) const fn words(&self) -> u32 {
        match self.protocol {
            Protocol::Shadow => 2 * self.slots,
            Protocol::Acked => self.slots,
        }
    }

    /// Lanes of each pipeline (R-PISA-19): integers come in pairs, and are parsed by the bits of a
    /// length.
    pub(crate) fn lanes_of_pipeline(&self) -> u16 {
        let share = self.elements.div_ceil(self.pipelines);
        match self.arithmetic {
            Arithmetic::Block => share.next_power_of_two().max(2),
            Arithmetic::Fpisa(_) => share,
        }
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
    fn contribution(&self) -> Contribution {
        let Self {
            key, digest, copy, word, sender, others, age, round, first, left, largest, ..
        } = *self;
        Contribution { key, digest, copy, word, sender, others, age, round, first, left, largest }
    }

    fn declare(builder: &mut Builder, config: &SwitchMl) -> Self {
        // As wide as a slot's number, to which what comes before it is added, wherever that is wide
        // enough.
        let word_bits = if config.slots * config.workers <= 1 << 16 { 16 } else { 32 };
        Self {
            phase: builder.meta("phase", 2),
            ok: CHECKS.map(|name| builder.meta(name, 1)),
            key: builder.meta("key", 32),
            digest: builder.meta("digest", 32),
            copy: builder.meta("copy", COPY_BITS),
            word: builder.meta("word", word_bits),
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
    let (name, lanes) = match config.arithmetic {
        Arithmetic::Block => ("switchml", "lanes of 32 bits"),
        Arithmetic::Fpisa(Variant::Approximate) => ("switchml_fpisa_a", "lanes of FP32 by FPISA-A"),
        Arithmetic::Fpisa(Variant::Full) => ("switchml_fpisa", "lanes of FP32 by FPISA"),
    };
    let (name, protocol) = match config.protocol {
        Protocol::Shadow => (name.to_owned(), "SwitchML with netfold's rounds"),
        Protocol::Acked => (format!("{name}_acked"), "P4SGD's protocol with netfold's rounds"),
    };
    let title = format!(
        "{protocol}: {} {lanes}, {} pipeline(s), {} slots, {} workers.",
        config.elements, config.pipelines, config.slots, config.workers
    );
    let mut builder = Builder::new(
        &name,
        &[&title, "Rules: R-PKT and R-SLOT in spec/protocol.md, R-PISA in spec/pisa.md."],
    );
    builder.state("start", &[]);
    let frame = Frame::declare(&mut builder);
    let meta = Meta::declare(&mut builder, config);
    let lanes = Lanes::declare(&mut builder, config, meta.copy);
    let headers = lanes.chunks.iter().map(|chunk| chunk.header);
    headers.for_each(|header| builder.byte_order(header, config.byte_order));
    let elements = frame.field(&builder, "elements");
    let first = lanes.parse(&mut builder, "first", elements, 16);
    let again = lanes.parse(&mut builder, "again", frame.bridge.rest, 16);
    frame.parse(&mut builder, &config.frame, meta.phase, [first, again]);
    let leaving = frame.parse_leaving(&mut builder);
    if let Some(floats) = &lanes.floats {
        floats.parse_leaving(&mut builder, &lanes.chunks, leaving);
    }
    identify(&mut builder, config, &frame, &meta, &lanes);
    let sizes = Sizes { last: config.slots * config.workers, copies: 2 * config.slots };
    let (contribution, flag) = (meta.contribution(), frame.field(&builder, "flags"));
    let gated = |table| folded(table, &meta);
    decide(&mut builder, 1, sizes, &contribution, Some(flag), &gated);
    count(&mut builder, config, &frame, &meta);
    if let Some(floats) = &lanes.floats {
        floats.tell(&mut builder, config, &frame, &meta);
        fold(&mut builder, config, &frame, &meta, &lanes);
        floats.show(&mut builder, config, &frame, &meta, &lanes.chunks);
        floats.fold(&mut builder);
    } else {
        outcome::show_lanes(&mut builder, config, &frame, &meta, &lanes);
        fold(&mut builder, config, &frame, &meta, &lanes);
        outcome::hide_lanes(&mut builder, &frame, &lanes);
    }
    outcome::outcome(&mut builder, config, &frame, &meta, &lanes);
    egress::leave(&mut builder, &frame);
    if let Some(floats) = &lanes.floats {
        let ours = builder.valid(frame.netfold);
        floats.withhold(&mut builder, ours);
        floats.leave(&mut builder);
    }
    let report = ["job", "epoch", "slot", "position"].map(|name| frame.field(&builder, name));
    // The packet that is reported may be a result already, which is from nobody.
    let lane = lanes.floats.as_ref().and_then(Floats::report);
    builder.report(
        &report.into_iter().chain([meta.sender, meta.first]).chain(lane).collect::<Vec<_>>(),
    );
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
    let mut shapes = TableSpec::new(
        "shapes",
        0,
        "R-PKT-1, R-PKT-2: lanes of the one type, that are summed, and a length that fits; or none.",
    )
    .key(flag, Match::Ternary)
    .key(field("element_type"), Match::Ternary)
    .key(field("operation"), Match::Ternary)
    .key(elements, Match::Range)
    .key(udp_length, Match::Ternary)
    .action(pass(shape));
    let kind = [config.arithmetic.element_type().to_wire(), Operation::Sum.to_wire()];
    let kind = kind.map(|number| Pattern::Is(number.into()));
    let whole = u64::from(config.elements);
    let without = [
        Pattern::Masked(flags::EMPTY, flags::EMPTY),
        kind[0],
        kind[1],
        Pattern::Range(0, whole),
        Pattern::Is(HEADERS_BYTES),
    ];
    // R-PISA-24: an acknowledgement brings no lanes.
    let acked = config.protocol == Protocol::Acked;
    let of_pool = |shape: [Pattern; 5], pool| {
        shape.into_iter().chain(acked.then_some(pool)).collect::<Vec<_>>()
    };
    if acked {
        shapes = shapes.key(field("pool"), Match::Ternary);
    }
    shapes = shapes.entry(&of_pool(without, Pattern::Any), "pass", &[]);
    for count in 0..=whole {
        let length = HEADERS_BYTES + 4 * count;
        let (brings, count) = (Pattern::Masked(0, flags::EMPTY), Pattern::Range(count, count));
        let with = [brings, kind[0], kind[1], count, Pattern::Is(length)];
        shapes = shapes.entry(&of_pool(with, Pattern::Is(0)), "pass", &[]);
    }

    let known = known_exponents(field("exponent"), field("next_exponent"), exponents);
    let sealed = TableSpec::new(
        "sealed",
        0,
        "R-PKT-3: `transport`; a pipeline computes no digest of lanes.",
    )
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
            .param("first", COPY_BITS)
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
    let word_bits = builder.bits(meta.word);
    let members = TableSpec::new(
        "members",
        0,
        "R-SLOT-9: the worker's word for the slot, and the port that leads to it.",
    )
    .key(job, Match::Exact)
    .key(worker, Match::Exact)
    .action(
        ActionSpec::new("know")
            .param("first", word_bits)
            .param("port", 16)
            .binary(meta.word, BinOp::Add, Operand::Param(0), slot)
            .set(meta.port, Operand::Param(1))
            .put(member, 1),
    )
    .room(2048);
    let deliveries = TableSpec::new(
        "deliveries",
        0,
        "R-SLOT-9: the result is for everyone, or for a worker that there is.",
    )
    .key(job, Match::Exact)
    .key(deliver, Match::Exact)
    .action(ActionSpec::new("everyone").put(delivery, 1).put(meta.to_all, 1))
    .action(ActionSpec::new("one").put(delivery, 1))
    .room(2048);
    let names = [
        "position",
        "kind",
        "call",
        "element_type",
        "operation",
        "elements",
        "exponent",
        "delivery",
    ];
    let agreed = names.map(|name| builder.whole(field(name)));
    let bits = |field, bits| Part::Bits { field, low: 0, bits };
    let number = match config.protocol {
        Protocol::Shadow => vec![bits(position, 30), bits(frame.order, 2)],
        // R-PISA-24: an acknowledgement comes behind what it acknowledges.
        Protocol::Acked => vec![bits(position, 29), bits(frame.order, 2), bits(field("pool"), 1)],
    };
    let rounds = TableSpec::new("rounds", 0, "R-SLOT-8, R-PISA-11: rounds as serial numbers.")
        .action(
            ActionSpec::new("number")
                .concat(meta.key, &number)
                .binary(meta.foreign, BinOp::Xor, worker, deliver)
                .set(meta.sender, worker),
        )
        .otherwise("number");
    let digests = TableSpec::new("digests", 0, "R-SLOT-7, R-PISA-12: what contributions agree on.")
        .action(ActionSpec::new("digest").crc32(meta.digest, Crc::Ethernet, &agreed))
        .otherwise("digest");
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
    let (first_rest, again_rest) =
        (rest(0, elements, "first_rest"), rest(1, frame.bridge.rest, "again_rest"));
    let bridge = frame.bridge;
    let forward = forward(0, builder.of(frame.ethernet, "dst"), bridge.valid, bridge.mode);
    let forward = forward.when(builder.valid(frame.netfold), 0);
    for table in [
        shapes, known, sealed, jobs, members, deliveries, rounds, digests, first_rest, again_rest,
        forward,
    ] {
        builder.table(Gress::Ingress, table);
    }
}

/// R-NUM-7: the exponents that there are, as 16-bit patterns.
pub(crate) fn known_exponents(exponent: FieldId, next: FieldId, known: FieldId) -> TableSpec {
    let wire = |exponent: Exponent| u64::from(exponent.to_wire() as u16);
    let possible = [
        Pattern::Range(wire(Exponent::SMALLEST), 0xFFFF),
        Pattern::Range(0, wire(Exponent::LARGEST)),
        Pattern::Range(wire(Exponent::SPECIAL), wire(Exponent::UNKNOWN)),
        Pattern::Range(wire(Exponent::ZERO), wire(Exponent::ZERO)),
    ];
    let table = TableSpec::new("exponents", 0, "R-PKT-1, R-NUM-7: exponents that there are.")
        .key(exponent, Match::Range)
        .key(next, Match::Range)
        .action(ActionSpec::new("pass").put(known, 1));
    let both = possible.into_iter().flat_map(|one| possible.map(|other| [one, other]));
    both.fold(table, |table, patterns| table.entry(&patterns, "pass", &[]))
}

/// Looked at only for contributions and queries that belong to a job.
fn folded(table: TableSpec, meta: &Meta) -> TableSpec {
    meta.ok.into_iter().fold(table, |table, field| table.when(field, 1)).unless(meta.phase, 2)
}

/// Stage 2: the number of contributions that are left, the presence of lanes, and the largest
/// exponent.
fn count(builder: &mut Builder, config: &SwitchMl, frame: &Frame, meta: &Meta) {
    use self::{age::*, round::*};
    let (flag, next) = (frame.field(builder, "flags"), frame.field(builder, "next_exponent"));
    let (contribution, copies) = (meta.contribution(), 2 * config.slots);
    let gated = |table| folded(table, meta);
    let keyed = Keyed { stage: 2, folded: &gated, kind: Some([flag, frame.order]) };
    counts(builder, copies, &contribution, &keyed);
    let filled = builder.array(
        "filled",
        Word::Single(8),
        copies,
        "Whether lanes have been written in this round.",
    );

    let put = |value, output| {
        let access = AccessSpec::new(filled, meta.copy).update(
            Half::Lo,
            When::ALWAYS,
            AluOp::Set,
            Operand::Const(value),
        );
        access.output(meta.filled, output)
    };
    let fills = keyed
        .table("fills", "R-SLOT-2: whether these are the round's first lanes.", &contribution)
        .action(ActionSpec::new("skip"))
        .action(ActionSpec::new("mark").access(put(1, Output::Old(Half::Lo))))
        .action(ActionSpec::new("wipe").access(put(0, Output::New(Half::Lo))))
        .action(ActionSpec::new("peek").access(peek(filled, meta.copy, meta.filled)));
    let mut fills = keyed.unchanged(fills);
    // Exponents rounds have no lanes, whatever they bring.
    let with_lanes = [Pattern::Masked(0, flags::EMPTY), Pattern::Masked(2, 2)];
    let new = |round, kind| keyed.patterns(Pattern::Is(NEW), Pattern::Is(round), kind);
    for start in [STARTS, STARTS_ALIKE] {
        fills = fills.entry(&new(start, with_lanes), "mark", &[]).entry(
            &new(start, ANY_KIND),
            "wipe",
            &[],
        );
    }
    let fills = fills.entry(&new(AGREES, with_lanes), "mark", &[]).entry(
        &new(AGREES, ANY_KIND),
        "peek",
        &[],
    );
    builder.table(Gress::Ingress, fills);
    largests(builder, copies, &contribution, next, &keyed);
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
    let contribution =
        |round, filled, left| vec![consume, any, is(NEW), is(round), brings, values, filled, left];
    let mut entries = vec![
        (contribution(STARTS, any, any), "set"),
        (contribution(STARTS_ALIKE, any, any), "set"),
        // R-PISA-13: nothing is added to a round that is complete.
        (contribution(AGREES, any, is(0)), "skip"),
        (contribution(AGREES, is(0), any), "set"),
        (contribution(AGREES, is(1), any), "add"),
    ];
    let window = |step| vec![is(2), step, any, any, any, any, any, any];
    if lanes.come_back() {
        // R-SLOT-3: the last contribution has no lanes, and the result has. R-SLOT-4: the result
        // once more.
        let no_query = Pattern::Masked(0, flags::QUERY);
        entries.push((
            vec![consume, any, is(NEW), is(AGREES), no_query, any, is(1), is(1)],
            "read_high",
        ));
        entries.push((
            vec![consume, any, is(REPEATED), any, no_query, any, is(1), is(0)],
            "read_high",
        ));
        entries.push((window(Pattern::Masked(0, 1)), "read_low"));
        entries.push((window(Pattern::Masked(1, 1)), "read_high"));
    } else {
        entries.push((window(any), "read"));
    }
    lanes.fold(builder, LANES_STAGE, config.words(), meta.copy, &keys, &entries);
}
