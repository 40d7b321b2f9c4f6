//! SwitchML over RoCE v2, unreliable connected (NSDI 2021, section 5 and appendix B; R-PISA-50 to
//! 60): messages of several packets, each a contribution to a slot.
//!
//! Stage 0 finds queue pair and slot, stage 1 says whether a packet goes on with its message; then
//! it is what it is in SwitchML's program: stage 2 says what the contribution is, stage 3 counts,
//! and then come the lanes. What becomes of the packet needs no lanes and is decided beside the
//! last ones. Egress addresses each copy, and chooses header bits that make its ICRC right.

mod floats;
mod frame;
mod icrc;
mod job;
mod reply;
mod sequence;

use self::frame::{Frame, LANE_BYTES, LAST_LANES};
use crate::builder::Builder;
use crate::program::{FieldId, Match, Pattern, Program};
use crate::programs::contribution::{
    Contribution, Keyed, Sizes, age, counts, decide, largests, round,
};
use crate::programs::fpisa::Variant;
use crate::programs::lanes::Pair;
use crate::programs::lanes::floats::Floats;
use crate::programs::{Arithmetic, FrameConfig};

pub(crate) use self::frame::{BTH_BYTES, ICRC_BYTES, IMMEDIATE_BYTES, RETH_BYTES};
pub use self::frame::{UDP_PORT, opcode};
pub use self::job::{Job, Worker};

/// The parameters of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roce {
    /// The type of lanes, and the way in which they are added. Floats are in one pipeline.
    pub arithmetic: Arithmetic,
    /// Lanes of a packet. Integers come in windows of one size ([`Roce::has_equal_windows`]).
    pub elements: u16,
    /// Pipelines that a packet goes through, 1 to 4; each folds an equal part of the lanes.
    pub pipelines: u16,
    /// Slots of all jobs together.
    pub slots: u32,
    /// Workers of a job that uses all slots.
    pub workers: u32,
    /// Queue pairs of all workers together.
    pub messages: u32,
    /// Most packets of a message, up to 128: one where a packet is no path MTU (R-PISA-50).
    pub packets: u16,
    /// For each pipeline, the port that leads back into it.
    pub loopbacks: Vec<u16>,
}

/// Packets of a message in section 5.
const USUAL_PACKETS: u16 = 16;

/// Returns the packets of a message whose packets have so many lanes: several where these are a
/// path MTU of InfiniBand's, 256, 512 or 1024 bytes.
pub(crate) const fn packets(elements: u16) -> u16 {
    if matches!(elements, 64 | 128 | 256) { USUAL_PACKETS } else { 1 }
}

impl Roce {
    /// Integers: 512 slots for 32 workers, with queue pairs for as many messages as use all slots;
    /// 64 lanes to a pipeline.
    pub fn new(elements: u16) -> Self {
        Self::with(Arithmetic::Block, elements)
    }

    /// The same in any arithmetic.
    pub fn with(arithmetic: Arithmetic, elements: u16) -> Self {
        let pipelines = match arithmetic {
            Arithmetic::Block => elements.div_ceil(arithmetic.lanes()).max(1),
            Arithmetic::Fpisa(_) => 1,
        };
        let loopbacks = FrameConfig::new(pipelines).loopbacks;
        let (slots, workers, messages, packets) = (0, 0, 0, packets(elements));
        Self { arithmetic, elements, pipelines, slots, workers, messages, packets, loopbacks }
            .sized(512, 32)
    }

    /// Returns the same for so many slots and workers, in as many pipelines.
    #[must_use]
    pub fn sized(self, slots: u32, workers: u32) -> Self {
        // R-PISA-52: a job's queue pairs are a power of two.
        let messages = workers * slots.div_ceil(self.packets.into()).next_power_of_two();
        let loopbacks = FrameConfig::new(self.pipelines).loopbacks;
        Self { slots, workers, messages, loopbacks, ..self }
    }

    /// The program.
    pub fn program(&self) -> Program {
        build(self)
    }

    /// Returns whether the lanes are windows of one size, two for each pipeline (R-PISA-50): each
    /// is hashed in three parts, behind the stages that egress hashes headers in.
    pub fn has_equal_windows(&self) -> bool {
        let window = usize::from(self.elements / (2 * self.pipelines));
        self.elements.is_multiple_of(2 * self.pipelines) && window > 4 * LAST_LANES
    }

    /// Lanes of a window: of integers half of a pipeline's, of floats all.
    fn window(&self) -> usize {
        match self.arithmetic {
            Arithmetic::Block => usize::from(self.elements / (2 * self.pipelines)),
            Arithmetic::Fpisa(_) => self.elements.into(),
        }
    }

    /// Width of the number of a word of `last`.
    fn word_bits(&self) -> u32 {
        if self.slots * self.workers <= 1 << 16 { 16 } else { 32 }
    }

    /// Bytes of a packet's payload.
    fn payload(&self) -> u64 {
        LANE_BYTES as u64 * u64::from(self.elements)
    }
}

/// Metadata of the program.
struct Meta {
    phase: FieldId,
    /// Three fields: they tell whether the queue pair, the shape and the exponents are known.
    known: [FieldId; 3],
    contribution: Contribution,
    /// Packets that the message has left, this one counted, negative; 0 where the packet is not
    /// taken.
    place: FieldId,
    /// The PSN, times 256.
    number: FieldId,
    /// The word of the queue pair.
    message: FieldId,
    alone: FieldId,
    group: FieldId,
    port: FieldId,
    /// A term of the CRC, and its bytes.
    term: FieldId,
    bytes: [FieldId; 4],
}

impl Meta {
    fn declare(builder: &mut Builder, config: &Roce) -> Self {
        let contribution = Contribution {
            key: builder.meta("key", 32),
            digest: builder.meta("digest", 32),
            copy: builder.meta("copy", 16),
            // As wide as a slot's number, to which what comes before it is added, wherever that is
            // wide enough.
            word: builder.meta("word", config.word_bits()),
            sender: builder.meta("worker", 16),
            others: builder.meta("others", 16),
            age: builder.meta("age", 4),
            round: builder.meta("round_is", 4),
            first: builder.meta("first_worker", 16),
            left: builder.meta("left", 16),
            largest: builder.meta("largest_exponent", 16),
        };
        Self {
            phase: builder.meta("phase", 2),
            known: ["known_pair", "known_shape", "known_exponents"]
                .map(|name| builder.meta(name, 1)),
            contribution,
            place: builder.meta("place", 32),
            number: builder.meta("number", 32),
            message: builder.meta("message", 16),
            alone: builder.meta("alone", 1),
            group: builder.meta("members_group", 16),
            port: builder.meta("member_port", 16),
            term: builder.meta("term", 32),
            bytes: ["byte0", "byte1", "byte2", "byte3"].map(|name| builder.meta(name, 8)),
        }
    }
}

/// Stages of ingress.
const DECIDE: usize = 2;
const COUNT: usize = 3;
const LANES: usize = 4;

fn build(config: &Roce) -> Program {
    let (name, lanes) = match config.arithmetic {
        Arithmetic::Block => ("switchml_roce", "lanes of 32 bits"),
        Arithmetic::Fpisa(Variant::Approximate) => {
            ("switchml_roce_fpisa_a", "lanes of FP32 by FPISA-A")
        }
        Arithmetic::Fpisa(Variant::Full) => ("switchml_roce_fpisa", "lanes of FP32 by FPISA"),
    };
    let title = format!(
        "SwitchML over RoCE v2 UC: {} {lanes}, {} pipeline(s), {} slots, {} workers, messages of up to {} packet(s).",
        config.elements, config.pipelines, config.slots, config.workers, config.packets
    );
    let mut builder = Builder::new(
        name,
        &[
            &title,
            "Rules: R-SLOT in spec/protocol.md, R-PISA-11 to 16 and 50 to 61 in spec/pisa.md.",
        ],
    );
    builder.state("start", &[]);
    let frame = Frame::declare(&mut builder, config);
    let meta = Meta::declare(&mut builder, config);
    let floats = floats::declare(&mut builder, config, &frame, &meta);
    frame.parse(&mut builder, config, meta.phase);
    frame.parse_leaving(&mut builder);
    sequence::identify(&mut builder, config, &frame, &meta);

    let taken = |table: crate::TableSpec| {
        let table = meta.known.into_iter().fold(table, |table, known| table.when(known, 1));
        table.unless(meta.phase, 2).unless(meta.place, 0)
    };
    reply::number(&mut builder, config, &frame, &meta);
    let sizes = Sizes { last: config.slots * config.workers, copies: 2 * config.slots };
    let of = meta.contribution;
    decide(&mut builder, DECIDE, sizes, &of, None, &taken);
    counts(&mut builder, sizes.copies, &of, &Keyed { stage: COUNT, folded: &taken, kind: None });
    let there = builder.valid(frame.immediate);
    let last = |table| taken(table).when(there, 1);
    let next = builder.of(frame.immediate, "next_exponent");
    largests(
        &mut builder,
        sizes.copies,
        &of,
        next,
        &Keyed { stage: COUNT, folded: &last, kind: None },
    );

    let stage = match &floats {
        Some(floats) => floats::fold(&mut builder, &frame, &meta, floats),
        None => fold(&mut builder, config, &frame, &meta),
    };
    reply::outcome(&mut builder, config, &frame, &meta, stage);
    reply::address(&mut builder, config, &frame);
    icrc::fit(&mut builder, &frame, &meta);
    if let Some(floats) = &floats {
        floats.withhold(&mut builder, meta.known[0]);
        floats.leave(&mut builder);
    }
    reply::strip(&mut builder, &frame);
    let report = [builder.of(frame.bth, "dest_qp"), of.copy, of.key, of.sender, of.first];
    let lane = floats.as_ref().and_then(Floats::report);
    builder.report(&report.into_iter().chain(lane).collect::<Vec<_>>());
    builder.finish()
}

/// The keys by which a table says what a pass does with lanes.
fn keys(builder: &Builder, frame: &Frame, meta: &Meta) -> [(FieldId, Match); 6] {
    let of = meta.contribution;
    let length = builder.of(frame.udp, "length");
    [meta.phase, frame.bridge.step, of.age, of.round, of.left, length]
        .map(|field| (field, Match::Ternary))
}

/// The entries of contributions, in passes that take lanes in.
fn contributions() -> Vec<(Vec<Pattern>, &'static str)> {
    use self::{age::*, round::*};
    let (any, is) = (Pattern::Any, Pattern::Is);
    let empty = is(frame::udp_length(opcode::ONLY, 0));
    let consume = Pattern::Masked(0, 2);
    vec![
        (vec![consume, any, any, any, any, empty], "skip"),
        (vec![consume, any, is(NEW), is(STARTS), any, any], "set"),
        (vec![consume, any, is(NEW), is(STARTS_ALIKE), any, any], "set"),
        // R-PISA-13: nothing is added to a round that is complete.
        (vec![consume, any, is(NEW), is(AGREES), is(0), any], "skip"),
        (vec![consume, any, is(NEW), is(AGREES), any, any], "add"),
    ]
}

/// Adds the lanes, and their terms of the ICRC. Both numbers of a pair are given back in the same
/// place: a pass sends on one window. Returns the last stage.
fn fold(builder: &mut Builder, config: &Roce, frame: &Frame, meta: &Meta) -> usize {
    let of = meta.contribution;
    let (any, is) = (Pattern::Any, Pattern::Is);
    let mut entries = contributions();
    entries.extend([
        (vec![Pattern::Masked(0, 2), any, is(age::REPEATED), any, is(0), any], "read_high"),
        (vec![is(2), Pattern::Masked(0, 1), any, any, any, any], "read_low"),
        (vec![is(2), Pattern::Masked(1, 1), any, any, any, any], "read_high"),
    ]);
    let keys = keys(builder, frame, meta);
    let rest = frame.rest.len();
    let in_order = (0..rest)
        .map(|at| (frame.rest[at], LAST_LANES + at))
        .chain((0..LAST_LANES).map(|at| (frame.front[at], at)));
    for (at, (low, lane)) in in_order.enumerate() {
        let pair = Pair { low, high: frame.high[lane], gives_high: low };
        pair.fold(builder, at, LANES + at / LAST_LANES, 2 * config.slots, of.copy, &keys, &entries);
    }
    let last = LANES + rest.div_ceil(LAST_LANES);
    // Half of the stages before the last, and the others: the crossbar has no room for all of their
    // lanes beside the last stage's own. What the first are to the ICRC is added before that.
    let half = (rest / 2).div_ceil(LAST_LANES);
    let stages = half.min(last - LANES - 2);
    let (early, after_early) = (stages * LAST_LANES, LANES + stages);
    icrc::hash_rest(builder, frame, meta, early, [after_early, last]);
    last
}
