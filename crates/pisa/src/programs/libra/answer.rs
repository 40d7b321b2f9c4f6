//! The end of a pass: a request goes around once more, or back as its answer (R-PISA-71 to 73).

use netfold_wire::{TABLE_HEADER_BYTES, TableFlags, TableKind};

use super::frame::{Frame, mode};
use super::guard::Verdict;
use super::lanes::Registers;
use super::logtable::Lock;
use super::{Guard, Libra, Sums, what};
use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::program::{BinOp, FieldId, Gress, Intrinsic, Match, Operand, Pattern, Shift};

/// Bytes of UDP's header, and of IPv4's.
const UDP_BYTES: u64 = 8;
const IPV4_BYTES: u64 = 20;

/// The generation that is open: nobody closes it here (R-PISA-70).
const OPEN: u64 = 1;

/// ECN's two bits where the network has marked the packet (R-ECN-2).
const MARKED: Pattern = Pattern::Masked(3, 3);

/// The last stages of ingress.
pub(super) fn outcome(
    builder: &mut Builder,
    config: &Libra,
    frame: &Frame,
    verdict: &Verdict,
    registers: &Registers,
) {
    let [even, odd] = ["even", "odd"].map(|name| builder.of(frame.bridge, name));
    let left = builder.meta("left", 16);
    // Behind the record, too, if there are few registers.
    let stage = registers.behind.max(3);
    let lock = registers.lock();
    let turned = ends(builder, frame);
    let doc = "R-HOT-8: the pairs that no register has taken; and the switch's own addresses.";
    let keep = |action| -> ActionSpec {
        turned.iter().fold(action, |action, end| action.set(end.kept, end.here))
    };
    let action = keep(ActionSpec::new("rest").binary(left, BinOp::And, even, odd));
    let mut rest =
        TableSpec::new("rest", stage, doc).unless(frame.what, what::OTHER).action(action);
    if let Some(Lock { tried, held }) = lock {
        // A pair whose row was locked is left, too.
        rest = rest
            .key(tried, Match::Ternary)
            .key(held, Match::Ternary)
            .action(keep(ActionSpec::new("all").set(left, odd)))
            .entry(&[Pattern::Is(1), Pattern::Is(1)], "all", &[]);
    }
    builder.table(Gress::Ingress, rest.otherwise("rest"));
    let tos = builder.of(frame.ipv4, "tos");
    let doc = "R-PISA-72: around with what is left, or back as an answer.";
    let mut table = TableSpec::new("outcome", stage + 1, doc)
        .unless(frame.what, what::OTHER)
        .key(frame.what, Match::Ternary)
        .key(left, Match::Ternary)
        .key(tos, Match::Ternary);
    let verdict = &with_lock(verdict, lock);
    for key in &verdict.keys {
        table = table.key(*key, Match::Ternary);
    }
    let mode_of = builder.of(frame.bridge, "mode");
    let port = Intrinsic::EgressPort.field();
    let again = ActionSpec::new("again")
        .param("mode", 8)
        .set(mode_of, Operand::Param(0))
        .put(port, config.frame.loopbacks[0].into())
        .set(even, left)
        .set(odd, left);
    let again = match frame.busy {
        Some(busy) => again.param("busy", 8).set(busy.carried, Operand::Param(1)),
        None => again,
    };
    table = table.action(answer(builder, frame, verdict, &turned)).action(again);
    if let Guard::Cpu { port: cpu } = config.guard {
        let outlet = ActionSpec::new("ask").put(mode_of, mode::OTHER).put(port, cpu.into());
        table = table.action(outlet);
    }
    builder.table(Gress::Ingress, entries(table, verdict, lock.is_some()));
    let turn =
        turned.iter().fold(ActionSpec::new("turn"), |action, end| action.set(end.there, end.kept));
    let turn = TableSpec::new("turn", stage + 2, "R-KEY-2: an answer comes from the switch.")
        .unless(frame.what, what::OTHER)
        .when(mode_of, mode::ANSWER)
        .action(turn)
        .otherwise("turn");
    builder.table(Gress::Ingress, turn);
}

/// An address of the request: the switch's, where it is kept, and the sender's.
struct End {
    here: FieldId,
    kept: FieldId,
    there: FieldId,
}

/// The addresses that change places in an answer.
fn ends(builder: &mut Builder, frame: &Frame) -> [End; 3] {
    let (ethernet, ipv4, udp) = (frame.ethernet, frame.ipv4, frame.udp);
    [
        ("mac", ethernet, "dst", "src"),
        ("ip", ipv4, "dst", "src"),
        ("port", udp, "dst_port", "src_port"),
    ]
    .map(|(name, header, here, there)| {
        let (here, there) = (builder.of(header, here), builder.of(header, there));
        End { here, kept: builder.meta(&format!("own_{name}"), builder.bits(here)), there }
    })
}

/// The verdict, and whether the pass has locked a row.
fn with_lock(verdict: &Verdict, lock: Option<Lock>) -> Verdict {
    let mut verdict = verdict.clone();
    for field in lock.iter().flat_map(|lock| [lock.tried, lock.held]) {
        verdict.keys.push(field);
        let all = verdict.new.iter_mut().chain(&mut verdict.asked);
        all.for_each(|patterns| patterns.push(Pattern::Any));
    }
    verdict
}

fn entries(mut table: TableSpec, verdict: &Verdict, locks: bool) -> TableSpec {
    let (any, is) = (Pattern::Any, Pattern::Is);
    let all = verdict.any();
    let row = |what, left, tos, verdict: &[Pattern]| [&[is(what), left, tos], verdict].concat();
    let flags = u64::from(TableFlags::ANSWER.0);
    let marked = flags | u64::from(TableFlags::MARKED.0);
    if let Some(asked) = &verdict.asked {
        table = table.entry(&row(what::PUSH, any, any, asked), "ask", &[]);
    }
    let again = |mode: u64, busy: u64| if locks { vec![mode, busy] } else { vec![mode] };
    if locks {
        // R-PISA-79: a row was free, and is the packet's until its next pass.
        let mut locked = all.clone();
        locked.splice(all.len() - 2.., [is(1), is(0)]);
        for what in [what::PUSH, what::FOLD] {
            table = table.entry(&row(what, any, any, &locked), "again", &again(mode::FOLD, 1));
        }
        for what in [what::LOAD, what::LOAD_ON] {
            table = table.entry(&row(what, any, any, &locked), "again", &again(mode::LOAD, 1));
        }
    }
    let answered = |table: TableSpec, what, left, verdict: &[Pattern]| {
        table.entry(&row(what, left, MARKED, verdict), "answer", &[marked]).entry(
            &row(what, left, any, verdict),
            "answer",
            &[flags],
        )
    };
    table = answered(table, what::PUSH, is(0), &all);
    for new in &verdict.new {
        table = table.entry(&row(what::PUSH, any, any, new), "again", &again(mode::FOLD, 0));
    }
    table = answered(table, what::PUSH, any, &all);
    table = answered(table, what::FOLD, is(0), &all);
    table = table.entry(&row(what::FOLD, any, any, &all), "again", &again(mode::FOLD, 0));
    for load in [what::LOAD, what::LOAD_ON] {
        table = answered(table, load, is(0), &all);
        table = table.entry(&row(load, any, any, &all), "again", &again(mode::LOAD, 0));
    }
    if locks {
        for (what, mode) in [(what::STORE, mode::FOLD), (what::STORE_LOAD, mode::LOAD)] {
            table = answered(table, what, is(0), &all);
            table = table.entry(&row(what, any, any, &all), "again", &again(mode, 0));
        }
    }
    answered(table, what::PULL, any, &all)
}

/// R-KEY-2: the request's header, to where it came from, without the request's pairs.
fn answer(builder: &Builder, frame: &Frame, verdict: &Verdict, turned: &[End]) -> ActionSpec {
    let of = |header, name| builder.of(header, name);
    let table = |name| of(frame.table, name);
    let action = ActionSpec::new("answer")
        .param("flags", 8)
        .put(of(frame.bridge, "mode"), mode::ANSWER)
        .set(Intrinsic::EgressPort.field(), verdict.port)
        .set(table("flags"), Operand::Param(0))
        .put(table("generation"), OPEN)
        .put(table("integrity"), 0)
        .put(of(frame.ipv4, "tos"), 0);
    let action = turned.iter().fold(action, |action, end| action.set(end.here, end.there));
    // Nothing is looked up for an answer.
    let action = frame.busy.iter().fold(action, |action, busy| action.put(busy.carried, 0));
    let headers = frame.asked.iter().flat_map(|pair| [pair.rank, pair.row]);
    headers.fold(action, |action, header| action.put(builder.valid(header), 0))
}

/// Egress: lengths, and the number of pairs in the answer to a pull.
pub(super) fn leave(builder: &mut Builder, config: &Libra, frame: &Frame) {
    let of = |name| builder.of(frame.bridge, name);
    let mode_of = of("mode");
    let found = [("even", of("found_even")), ("odd", of("found_odd"))];
    let halves = [config.registers - config.registers / 2, config.registers / 2];
    let counts =
        found.map(|(name, found)| (found, builder.meta(&format!("found_{name}_count"), 16)));
    let (pairs, body) = (builder.meta("found_pairs", 16), builder.meta("body", 16));
    for (((found, count), (name, _)), registers) in counts.into_iter().zip(found).zip(halves) {
        let doc = "R-PISA-73: the number of bits that are set.";
        let table = TableSpec::new(&format!("count_{name}"), 0, doc)
            .when(mode_of, mode::ANSWER)
            .key(found, Match::Exact)
            .action(ActionSpec::new("is").param("pairs", 16).set(count, Operand::Param(0)));
        let all = 0..1u64 << registers;
        let table = all.fold(table, |table, bits| {
            table.entry(&[Pattern::Is(bits)], "is", &[bits.count_ones().into()])
        });
        builder.table(Gress::Egress, table);
    }
    let [(_, even), (_, odd)] = counts;
    let sum = TableSpec::new("count", 1, "R-PISA-73: pairs of the answer to a pull.")
        .when(mode_of, mode::ANSWER)
        .action(ActionSpec::new("count").binary(pairs, BinOp::Add, even, odd))
        .otherwise("count");
    let bytes = TableSpec::new("measure", 9, "Bytes of the pairs: a rank and a row of 4 each.")
        .when(mode_of, mode::ANSWER)
        .action(ActionSpec::new("measure").shift(body, Shift::Left, pairs, Operand::Const(3)))
        .otherwise("measure");
    let udp_length = UDP_BYTES + TABLE_HEADER_BYTES as u64;
    let (udp, ipv4) = (frame.udp, frame.ipv4);
    let length = |action: ActionSpec| {
        action
            .put(builder.valid(frame.bridge), 0)
            .put(builder.of(udp, "checksum"), 0)
            .put(builder.of(ipv4, "ttl"), 64)
            .binary(builder.of(udp, "length"), BinOp::Add, body, Operand::Const(udp_length))
            .binary(
                builder.of(ipv4, "total_length"),
                BinOp::Add,
                body,
                Operand::Const(IPV4_BYTES + udp_length),
            )
    };
    let (any, is) = (Pattern::Any, Pattern::Is);
    // Behind the last stage of a read, which needs what the bridge carries.
    let last = if config.sums == Sums::FpisaA { 11 } else { 10 };
    let leave = TableSpec::new("leave", last, "The answer as a datagram; the bridge is removed.")
        .key(mode_of, Match::Ternary)
        .key(builder.of(frame.table, "kind"), Match::Ternary)
        .action(ActionSpec::new("bare").put(builder.valid(frame.bridge), 0))
        .action(length(ActionSpec::new("leave")))
        .action(
            length(ActionSpec::new("leave_pulled")).set(builder.of(frame.table, "pairs"), pairs),
        )
        .entry(&[is(mode::OTHER), any], "bare", &[])
        .entry(&[is(mode::ANSWER), is(TableKind::Pull.to_wire().into())], "leave_pulled", &[])
        .entry(&[is(mode::ANSWER), any], "leave", &[]);
    for table in [sum, bytes, leave] {
        builder.table(Gress::Egress, table);
    }
}
