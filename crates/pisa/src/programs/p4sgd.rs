//! P4SGD's acknowledged protocol (TPDS 2023, section III-C, algorithm 2): one copy of each slot,
//! which a second round of acknowledgements frees.

use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::control::Control;
use crate::machine::Replica;
use crate::program::{
    AluOp, ArrayId, BinOp, FieldId, Gress, Half, Intrinsic, Match, Operand, Output, Pattern,
    Program, Relation, StateId, Transition, When, Word,
};

/// EtherType of P4SGD's packets here: the first that IEEE 802 leaves to experiments.
pub const ETHER_TYPE: u16 = 0x88B5;

/// The multicast group of all workers.
pub const WORKERS: u16 = 1;

/// The parameters of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct P4Sgd {
    /// Values of a packet, at least 1.
    pub elements: u16,
    /// Workers, 1 to 32: a bit of the bitmap for each.
    pub workers: u16,
    /// Slots, a power of two up to 65536.
    pub slots: u32,
    /// The port that leads back into the pipeline.
    pub loopback: u16,
}

impl P4Sgd {
    /// The configuration of the paper (section IV-B): 64 K slots, and as many workers.
    pub fn new(workers: u16) -> Self {
        Self { elements: 1, workers, slots: 65536, loopback: 68 }
    }

    /// The program.
    pub fn program(&self) -> Program {
        build(self)
    }

    /// Returns the control plane's steps: worker i is at the i-th port.
    pub fn controls(&self, ports: &[u16]) -> Vec<Control> {
        let replicas =
            (0..).zip(ports).map(|(number, port)| Replica { port: *port, number }).collect();
        vec![Control::Group { group: WORKERS, replicas }]
    }
}

/// State that a packet which goes around clears on its way (R-PISA-21).
mod clears {
    pub const NOTHING: u64 = 0;
    pub const ACKNOWLEDGEMENTS: u64 = 1;
    pub const AGGREGATES: u64 = 2;
}

/// The value of [`Output::Outcome`] if its one condition holds.
const REACHED: u64 = 2;

/// The fields that tables look at.
struct Fields {
    around: FieldId,
    clears: FieldId,
    side: FieldId,
    bm: FieldId,
    acked: FieldId,
    before: FieldId,
    seen: FieldId,
    reached: FieldId,
    index: FieldId,
    bridge: FieldId,
    values: Vec<FieldId>,
}

fn build(config: &P4Sgd) -> Program {
    let title = format!(
        "P4SGD's acknowledged protocol: {} value(s), {} slots, {} workers.",
        config.elements, config.slots, config.workers
    );
    let mut builder = Builder::new("p4sgd", &[&title, "Rules: R-PISA-20 to 22 in spec/pisa.md."]);
    let start = builder.state("start", &[]);
    let fields = parse(&mut builder, config, start);
    bitmaps(&mut builder, config, &fields);
    counts(&mut builder, config, &fields);
    values(&mut builder, config, &fields);
    outcome(&mut builder, config, &fields);
    builder.finish()
}

fn parse(builder: &mut Builder, config: &P4Sgd, start: StateId) -> Fields {
    let bridge = builder.header("bridge", &[("clears", 8)]);
    let ethernet = builder.header("ethernet", &[("dst", 48), ("src", 48), ("ether_type", 16)]);
    let header = builder.header("p4sgd", &[("is_agg", 8), ("acked", 8), ("seq", 16), ("bm", 32)]);
    let names: Vec<String> = (0..config.elements).map(|value| format!("value{value}")).collect();
    let values: Vec<(&str, u32)> = names.iter().map(|name| (name.as_str(), 32)).collect();
    let payload = builder.header("activations", &values);
    let around = builder.meta("around_again", 1);
    let side = builder.meta("side", 2);
    let first = builder.state("parse_ethernet", &[ethernet]);
    let again = builder.state("parse_bridge", &[bridge, ethernet, header]);
    let inner = builder.state("parse_p4sgd", &[header]);
    let rest = builder.state("parse_activations", &[payload]);
    let sides = SIDES.map(|one| {
        let state = builder.state(&format!("{}_side", one.name), &[]);
        builder.sets(state, side, one.side);
        builder.leads(state, Transition::Accept);
        (one, state)
    });
    builder.selects(start, Intrinsic::Around.field(), &[(Pattern::Is(1), again)], Some(first));
    builder.sets(again, around, 1);
    let neither = builder.state("neither_side", &[]);
    builder.leads(neither, Transition::Accept);
    let cleared = sides.map(|(one, state)| (Pattern::Is(one.cleared_by), state));
    builder.selects(again, builder.of(bridge, "clears"), &cleared, Some(neither));
    builder.selects(
        first,
        builder.of(ethernet, "ether_type"),
        &[(Pattern::Is(ETHER_TYPE.into()), inner)],
        None,
    );
    let beyond = Pattern::Masked(0, 0xFFFF & !(u64::from(config.slots) - 1));
    builder.selects(inner, builder.of(header, "seq"), &[(beyond, rest)], None);
    let arriving = sides.map(|(one, state)| (Pattern::Is(one.is_agg), state));
    builder.selects(rest, builder.of(header, "is_agg"), &arriving, None);
    let leaving = builder.state("leaving", &[]);
    builder.egress_parser(leaving);
    builder.loopbacks(&[config.loopback]);
    let of = |name| builder.of(header, name);
    let (acked, seq, bm) = (of("acked"), of("seq"), of("bm"));
    let values = names.iter().map(|name| builder.of(payload, name)).collect();
    Fields {
        around,
        clears: builder.of(bridge, "clears"),
        side,
        bm,
        acked,
        before: builder.meta("before", 32),
        seen: builder.meta("seen", 32),
        reached: builder.meta("reached", 2),
        index: seq,
        bridge: builder.valid(bridge),
        values,
    }
}

/// One of the two sets of a slot's registers: of aggregates, and of acknowledgements.
#[derive(Clone, Copy)]
struct Side {
    name: &'static str,
    /// The number by which the parser says that the packet uses or clears these registers. The
    /// tables of both sides write the same fields in one stage, so their gates tell them apart
    /// (R-PISA-2).
    side: u64,
    is_agg: u64,
    cleared_by: u64,
}

const AGGREGATES: Side = Side { name: "agg", side: 1, is_agg: 1, cleared_by: clears::AGGREGATES };
const ACKNOWLEDGEMENTS: Side =
    Side { name: "ack", side: 2, is_agg: 0, cleared_by: clears::ACKNOWLEDGEMENTS };
const SIDES: [Side; 2] = [AGGREGATES, ACKNOWLEDGEMENTS];

/// A table that does one thing for packets of its side, and clears when the other side is through.
fn sided(name: &str, stage: usize, doc: &str, fields: &Fields, side: Side) -> TableSpec {
    TableSpec::new(name, stage, doc)
        .when(fields.side, side.side)
        .key(fields.around, Match::Ternary)
        .key(fields.seen, Match::Ternary)
}

/// Returns the patterns of a packet that arrives.
const fn arrives(seen: Pattern) -> [Pattern; 2] {
    [Pattern::Is(0), seen]
}

/// The patterns of a packet that clears a side.
const CLEARED: [Pattern; 2] = [Pattern::Is(1), Pattern::Any];

fn clear(array: ArrayId, fields: &Fields) -> ActionSpec {
    let zero = AccessSpec::new(array, fields.index).update(
        Half::Lo,
        When::ALWAYS,
        AluOp::Set,
        Operand::Const(0),
    );
    ActionSpec::new("clear").access(zero)
}

/// Stages 0 and 1: lines 3, 5, 18 and 20.
fn bitmaps(builder: &mut Builder, config: &P4Sgd, fields: &Fields) {
    for side in SIDES {
        let array = builder.array(
            &format!("{}_bm", side.name),
            Word::Single(32),
            config.slots,
            "Workers whose packet has come.",
        );
        let mark = AccessSpec::new(array, fields.index)
            .update(Half::Lo, When::ALWAYS, AluOp::Or, fields.bm)
            .output(fields.before, Output::Old(Half::Lo));
        let table = sided(
            &format!("{}_bitmap", side.name),
            0,
            "Algorithm 2, lines 3, 5, 9, 18, 20 and 23.",
            fields,
            side,
        )
        .action(ActionSpec::new("mark").access(mark))
        .action(clear(array, fields))
        .entry(&arrives(Pattern::Any), "mark", &[])
        .entry(&CLEARED, "clear", &[]);
        builder.table(Gress::Ingress, table);
    }
    let own = TableSpec::new("own_bit", 1, "Whether this worker's packet has come before.")
        .action(ActionSpec::new("test").binary(fields.seen, BinOp::And, fields.before, fields.bm))
        .otherwise("test");
    builder.table(Gress::Ingress, own);
}

/// Stage 2: lines 4, 7, 12, 19, 21 and 27.
fn counts(builder: &mut Builder, config: &P4Sgd, fields: &Fields) {
    let all = u64::from(config.workers);
    for side in SIDES {
        let array = builder.array(
            &format!("{}_count", side.name),
            Word::Single(32),
            config.slots,
            "How many have come.",
        );
        let compare = |with| {
            AccessSpec::new(array, fields.index).compare(
                Half::Lo,
                Relation::Equal,
                Operand::Const(with),
            )
        };
        let count = compare(all - 1)
            .update(Half::Lo, When::ALWAYS, AluOp::Add, Operand::Const(1))
            .output(fields.reached, Output::Outcome);
        let look = compare(all).output(fields.reached, Output::Outcome);
        let table = sided(
            &format!("{}_counter", side.name),
            COUNTERS,
            "Algorithm 2, lines 4, 7, 8, 12, 19, 21, 22 and 27.",
            fields,
            side,
        )
        .action(ActionSpec::new("count").access(count))
        .action(ActionSpec::new("look").access(look))
        .action(clear(array, fields))
        .entry(&arrives(Pattern::Is(0)), "count", &[])
        .entry(&arrives(Pattern::Any), "look", &[])
        .entry(&CLEARED, "clear", &[]);
        builder.table(Gress::Ingress, table);
    }
}

/// The stage of the counters.
const COUNTERS: usize = 2;

/// The stage of a value. A stage has four stateful ALUs, and of arrays with more than 32 K words
/// room for two; two of stage 2 count (R-PISA-22).
const fn value_stage(config: &P4Sgd, at: usize) -> usize {
    let in_stage = if config.slots > 1 << 15 { 2 } else { 4 };
    COUNTERS + (SIDES.len() + at) / in_stage
}

/// The stage of the outcome: behind the counters.
fn last_stage(config: &P4Sgd) -> usize {
    value_stage(config, usize::from(config.elements) - 1).max(COUNTERS + 1)
}

/// Stages 2 and on: lines 6, 13 and 24.
fn values(builder: &mut Builder, config: &P4Sgd, fields: &Fields) {
    for (at, value) in fields.values.iter().enumerate() {
        let array =
            builder.array(&format!("agg{at}"), Word::Single(32), config.slots, "The sum so far.");
        let add = AccessSpec::new(array, fields.index)
            .update(Half::Lo, When::ALWAYS, AluOp::Add, *value)
            .output(*value, Output::New(Half::Lo));
        let read = AccessSpec::new(array, fields.index).output(*value, Output::Old(Half::Lo));
        let table = sided(
            &format!("aggregate{at}"),
            value_stage(config, at),
            "Algorithm 2, lines 6, 13 and 24.",
            fields,
            AGGREGATES,
        )
        .action(ActionSpec::new("add").access(add))
        .action(ActionSpec::new("read").access(read))
        .action(clear(array, fields))
        .entry(&arrives(Pattern::Is(0)), "add", &[])
        .entry(&arrives(Pattern::Any), "read", &[])
        .entry(&CLEARED, "clear", &[]);
        builder.table(Gress::Ingress, table);
    }
}

/// The last stage: lines 14 and 28, around once so that the registers are cleared before anybody
/// hears of it.
fn outcome(builder: &mut Builder, config: &P4Sgd, fields: &Fields) {
    let around = |name: &str, clears| {
        ActionSpec::new(name)
            .put(fields.bridge, 1)
            .put(fields.clears, clears)
            .put(Intrinsic::EgressPort.field(), config.loopback.into())
    };
    let (any, is) = (Pattern::Any, Pattern::Is);
    let [agg, ack] = SIDES.map(|side| is(side.side));
    let doc = "R-PISA-21: all have come, now or before; around once, and then to all workers.";
    let table = TableSpec::new("outcome", last_stage(config), doc)
        .key(fields.around, Match::Ternary)
        .key(fields.side, Match::Ternary)
        .key(fields.seen, Match::Ternary)
        .key(fields.reached, Match::Ternary)
        .action(ActionSpec::new("refuse").put(Intrinsic::Drop.field(), 1))
        .action(around("aggregated", clears::ACKNOWLEDGEMENTS))
        .action(around("acknowledged", clears::AGGREGATES).put(fields.acked, 1))
        .action(around("aggregated_before", clears::NOTHING))
        .action(around("acknowledged_before", clears::NOTHING).put(fields.acked, 1))
        .action(
            ActionSpec::new("spread")
                .put(fields.bridge, 0)
                .put(Intrinsic::Group.field(), WORKERS.into()),
        )
        .entry(&[is(1), any, any, any], "spread", &[])
        .entry(&[is(0), agg, is(0), is(REACHED)], "aggregated", &[])
        .entry(&[is(0), ack, is(0), is(REACHED)], "acknowledged", &[])
        .entry(&[is(0), agg, any, is(REACHED)], "aggregated_before", &[])
        .entry(&[is(0), ack, any, is(REACHED)], "acknowledged_before", &[])
        .otherwise("refuse");
    builder.table(Gress::Ingress, table);
}
