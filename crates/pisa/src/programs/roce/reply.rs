//! The outcome of a packet, and the recipients of a result (R-PISA-55).

use netfold_wire::EVERYONE;

use super::frame::{Frame, LEAVE_EMPTY, opcode, udp_length};
use super::{COUNT, Meta, Roce, icrc};
use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::program::{BinOp, FieldId, Gress, HeaderId, Intrinsic, Match, Operand, Part, Pattern};
use crate::programs::Arithmetic;
use crate::programs::contribution::round;
use crate::programs::frame::Around;
use crate::programs::outcome::{Case, Cases, MISMATCH, State, consume, gather, gathering, pass};

/// Stages of egress.
const WHOM: usize = 0;
const REACH: usize = 1;

/// The flag in IPv4 that forbids fragments.
const WHOLE: u64 = 0x4000;

/// Passes that give back the lanes of a pipeline (R-PISA-14).
const READS: u64 = 2;

/// The number of a result, in the last pass that takes lanes in: nobody looks at the contribution's
/// any more.
pub(super) fn number(builder: &mut Builder, config: &Roce, frame: &Frame, meta: &Meta) {
    let round = Part::Bits { field: meta.contribution.key, low: 16, bits: 16 };
    let place = Part::Bits { field: meta.place, low: 0, bits: 8 };
    let table = TableSpec::new("number_result", COUNT, "R-PISA-55: the PSN of a result.")
        .when(meta.known[0], 1)
        .key(meta.phase, Match::Ternary)
        .key(frame.bridge.step, Match::Ternary)
        .action(ActionSpec::new("number").concat(builder.of(frame.bth, "psn"), &[round, place]))
        .entry(&pass(u64::from(config.pipelines) - 1), "number", &[]);
    builder.table(Gress::Ingress, table);
}

/// The last stage of ingress: it needs no lanes, and stands beside the last of them.
pub(super) fn outcome(
    builder: &mut Builder,
    config: &Roce,
    frame: &Frame,
    meta: &Meta,
    stage: usize,
) {
    let of = meta.contribution;
    let length = builder.of(frame.udp, "length");
    let doc = "R-PISA-55, R-SLOT-3, R-SLOT-4, R-SLOT-7: to everyone, to one, to the next pipeline, to the control plane, or nowhere.";
    let mut table = TableSpec::new("outcome", stage, doc).when(meta.known[0], 1);
    let keys = [
        meta.phase,
        frame.bridge.step,
        of.age,
        of.round,
        of.left,
        meta.alone,
        length,
        frame.bridge.worker,
    ];
    for key in keys {
        table = table.key(key, Match::Ternary);
    }
    for action in actions(builder, frame, meta) {
        table = table.action(action);
    }
    let mut cases = Cases::new();
    let ports = &config.loopbacks;
    // R-PISA-61: sums of floats come with a pass of their own.
    let around = gathering(ports, READS, config.arithmetic == Arithmetic::Block);
    let settle = |case, state, cases: &mut Cases| deliver(&around, case, state, cases);
    for number in 0..u64::from(config.pipelines) {
        let [phase, step] = pass(number);
        consume(ports, Case { phase, step, ..Case::ANY }, number, &settle, &mut cases);
    }
    gather(ports, READS, Case { phase: Pattern::Is(2), ..Case::ANY }, &mut cases);
    // There are no queries.
    for (case, action, values) in
        cases.into_iter().filter(|(case, _, _)| case.flags == Pattern::Any)
    {
        let Case { phase, step, age, round, left, alone, elements, single, .. } = case;
        // A rank is below 2^15, and `EVERYONE` is not.
        let worker =
            if single == Pattern::Is(1) { Pattern::Masked(0, 1 << 15) } else { Pattern::Any };
        table =
            table.entry(&[phase, step, age, round, left, alone, elements, worker], action, &values);
    }
    builder.table(Gress::Ingress, table.otherwise("refuse"));
}

/// Adds the cases of the last pass; `elements` stands for the length in UDP's header.
fn deliver(around: &[u64], case: Case, state: State, cases: &mut Cases) {
    let empty = Case { elements: Pattern::Is(udp_length(opcode::ONLY, 0)), ..case };
    let (without, with) = match state {
        State::Open => return cases.push((case, "refuse", vec![])),
        State::Closed => ("reply_empty", "gather_one"),
        State::Completed => ("spread_empty", "gather"),
    };
    debug_assert!(
        state != State::Closed || case.round != Pattern::Is(round::DIFFERS),
        "what is repeated agrees"
    );
    cases.push((empty, without, vec![]));
    cases.push((case, with, around.to_vec()));
}

fn actions(builder: &Builder, frame: &Frame, meta: &Meta) -> Vec<ActionSpec> {
    let (bridge, of) = (frame.bridge, meta.contribution);
    let [port, group, drop, report] =
        [Intrinsic::EgressPort, Intrinsic::Group, Intrinsic::Drop, Intrinsic::Report]
            .map(Intrinsic::field);
    let without = |action: ActionSpec, lanes: &[HeaderId]| {
        lanes.iter().fold(action, |action, header| action.put(builder.valid(*header), 0))
    };
    // A window of integers goes on with the result.
    let taken = if frame.found.is_some() { &frame.lanes[..] } else { &frame.lanes[2..] };
    let [exponent, next] =
        ["exponent", "next_exponent"].map(|name| builder.of(frame.immediate, name));
    let trailer = builder.of(frame.icrc, "value");
    let to_port = |action: ActionSpec| {
        action
            .param("step", 8)
            .param("port", 16)
            .set(bridge.step, Operand::Param(0))
            .set(port, Operand::Param(1))
    };
    let result = |name: &str, mode| {
        ActionSpec::new(name)
            .put(bridge.mode, mode)
            .slice(exponent, of.key, 16)
            .set(next, of.largest)
            .put(trailer, 0)
    };
    let around = |name: &str| {
        let action = to_port(result(name, Around::HARVEST)).set(bridge.copy, of.copy);
        without(action, taken)
    };
    let all = |action: ActionSpec| action.put(bridge.worker, EVERYONE.into());
    let one = |action: ActionSpec| action.set(bridge.worker, of.sender);
    let empty = |name: &str| result(name, LEAVE_EMPTY).put(bridge.crc, icrc::END);
    let leave = |name: &str| ActionSpec::new(name).put(bridge.mode, Around::LEAVE);
    vec![
        ActionSpec::new("refuse").put(drop, 1),
        ActionSpec::new("mismatch").put(drop, 1).put(report, MISMATCH),
        without(to_port(ActionSpec::new("onward")).put(bridge.mode, Around::CONSUME), &frame.lanes),
        all(around("gather")),
        one(around("gather_one")),
        all(empty("spread_empty")).set(group, meta.group),
        one(empty("reply_empty")).set(port, meta.port),
        to_port(ActionSpec::new("harvest")).put(bridge.mode, Around::HARVEST),
        leave("spread_whole").set(group, meta.group),
        leave("reply_whole").set(port, meta.port),
    ]
}

/// A table for results on their way out, in egress.
pub(super) fn leaving(table: TableSpec, mode: FieldId) -> TableSpec {
    table.unless(mode, Around::CONSUME).unless(mode, Around::HARVEST).unless(mode, Around::OTHER)
}

/// Egress: the fields of each copy that depend on its recipient.
pub(super) fn address(builder: &mut Builder, config: &Roce, frame: &Frame) {
    let worker = frame.bridge.worker;
    let names = [
        (frame.ethernet, "dst", "dst_mac", 48),
        (frame.ethernet, "src", "src_mac", 48),
        (frame.ipv4, "dst", "dst_ip", 32),
        (frame.ipv4, "src", "src_ip", 32),
        (frame.bth, "dest_qp", "dest_qp", 24),
        (frame.reth, "round", "rkey_high", 16),
        (frame.reth, "slot", "rkey_low", 16),
        (frame.reth, "base", "base", 32),
    ];
    let offset = builder.of(frame.reth, "offset");
    let mode = frame.bridge.mode;
    let each = TableSpec::new("each", WHOM, "R-SLOT-3: each worker of the job.")
        .when(worker, EVERYONE.into());
    let each = each
        .action(ActionSpec::new("one").set(worker, Intrinsic::Replica.field()))
        .otherwise("one");
    builder.table(Gress::Egress, leaving(each, mode));
    let mut action = ActionSpec::new("reach");
    for (at, (header, field, param, bits)) in names.into_iter().enumerate() {
        action = action.param(param, bits).set(builder.of(header, field), Operand::Param(at));
    }
    let action = action
        .param("first", 32)
        .binary(offset, BinOp::Add, offset, Operand::Param(names.len()))
        .put(builder.of(frame.ipv4, "fragment"), WHOLE)
        .put(builder.of(frame.ipv4, "ttl"), 64)
        .put(builder.of(frame.udp, "checksum"), 0)
        .put(builder.of(frame.bth, "reserved"), 0)
        .put(builder.of(frame.bth, "acknowledge"), 0);
    let reach = TableSpec::new(
        "reach",
        REACH,
        "R-PISA-52, R-PISA-55: the worker's queue pair, key, memory and addresses.",
    )
    .key(builder.of(frame.bth, "dest_qp"), Match::Exact)
    .key(worker, Match::Exact)
    .action(action)
    .room(config.messages);
    builder.table(Gress::Egress, leaving(reach, mode));
}

/// The last stage of egress: a packet that leaves the switch carries nothing of the switch's own.
pub(super) fn strip(builder: &mut Builder, frame: &Frame) {
    let mode = frame.bridge.mode;
    let table = TableSpec::new("strip", icrc::LAST, "What leaves the switch carries no bridge.")
        .unless(mode, Around::CONSUME)
        .unless(mode, Around::HARVEST)
        .action(ActionSpec::new("bare").put(frame.bridge.valid, 0))
        .otherwise("bare");
    builder.table(Gress::Egress, table);
}
