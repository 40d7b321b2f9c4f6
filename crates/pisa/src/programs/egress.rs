//! The contents of a result on its way out of the switch: addresses, lengths, and what each copy of
//! it says.

use netfold_wire::EVERYONE;

use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::program::{BinOp, FieldId, Gress, Intrinsic, Match, Operand, Pattern, Shift};
use crate::programs::frame::{Around, Frame, flags};
use crate::programs::switchml::HEADERS_BYTES;

/// Bytes of an IPv4 header.
const IPV4_BYTES: u64 = 20;

/// Egress: addresses, lengths, and the contents of each copy.
pub(crate) fn leave(builder: &mut Builder, frame: &Frame) {
    let bridge = frame.bridge;
    let field = |name: &str| frame.field(builder, name);
    let (flag, job, worker, delivery) =
        (field("flags"), field("job"), field("worker"), field("delivery"));
    let (elements, udp, ip) = (field("elements"), frame.udp, frame.ipv4);
    let (udp_length, total) = (builder.of(udp, "length"), builder.of(ip, "total_length"));
    let (udp_checksum, ttl) = (builder.of(udp, "checksum"), builder.of(ip, "ttl"));
    let replica = Intrinsic::Replica.field();
    let addresses = [
        builder.of(frame.ethernet, "dst"),
        builder.of(frame.ethernet, "src"),
        builder.of(ip, "dst"),
        builder.of(ip, "src"),
        builder.of(udp, "dst_port"),
        builder.of(udp, "src_port"),
    ];
    let (lane_bytes, elsewhere) = (builder.meta("lane_bytes", 16), builder.meta("elsewhere", 16));
    let measure = TableSpec::new(
        "measure",
        0,
        "Bytes of the lanes, and whether this copy is for the one worker that gets them.",
    )
    .unless(bridge.mode, Around::OTHER)
    .action(
        ActionSpec::new("measure")
            .shift(lane_bytes, Shift::Left, elements, Operand::Const(2))
            .binary(elsewhere, BinOp::Xor, replica, delivery),
    )
    .otherwise("measure");
    let whole = |name: &str| {
        ActionSpec::new(name)
            .put(bridge.valid, 0)
            .put(udp_checksum, 0)
            .put(ttl, 64)
            .binary(udp_length, BinOp::Add, lane_bytes, Operand::Const(HEADERS_BYTES))
            .binary(total, BinOp::Add, lane_bytes, Operand::Const(IPV4_BYTES + HEADERS_BYTES))
    };
    let short = |name: &str| {
        ActionSpec::new(name)
            .put(bridge.valid, 0)
            .put(udp_checksum, 0)
            .put(ttl, 64)
            .put(udp_length, HEADERS_BYTES)
            .put(total, IPV4_BYTES + HEADERS_BYTES)
    };
    let (any, is) = (Pattern::Any, Pattern::Is);
    let (everyone, empty) = (is(EVERYONE.into()), Pattern::Masked(flags::EMPTY, flags::EMPTY));
    let copies = TableSpec::new(
        "copies",
        1,
        "R-SLOT-3: lanes for those whom the result is for, a header alone for the others.",
    )
    .key(bridge.mode, Match::Ternary)
    .key(replica, Match::Ternary)
    .key(worker, Match::Ternary)
    .key(delivery, Match::Ternary)
    .key(elsewhere, Match::Ternary)
    .key(flag, Match::Ternary)
    .action(ActionSpec::new("stay"))
    .action(ActionSpec::new("bare").put(bridge.valid, 0))
    .action(ActionSpec::new("gather").put(bridge.mode, Around::HARVEST).set(worker, delivery))
    .action(ActionSpec::new("refuse").put(Intrinsic::Drop.field(), 1))
    .action(short("leave_empty").put(flag, flags::RESULT | flags::EMPTY))
    .action(short("leave_short"))
    .action(short("leave_owner").set(worker, delivery))
    .action(whole("leave_whole"))
    .entry(&[is(Around::CONSUME), any, any, any, any, any], "stay", &[])
    .entry(&[is(Around::HARVEST), any, any, any, any, any], "stay", &[])
    .entry(&[is(Around::OTHER), any, any, any, any, any], "bare", &[])
    .entry(&[is(Around::RELAY), everyone, any, any, any, any], "gather", &[])
    .entry(&[is(Around::RELAY), any, any, any, is(0), any], "refuse", &[])
    .entry(&[is(Around::RELAY), any, any, any, any, any], "leave_empty", &[])
    .entry(&[is(Around::LEAVE), any, everyone, everyone, any, empty], "leave_short", &[])
    .entry(&[is(Around::LEAVE), any, everyone, any, is(0), empty], "leave_owner", &[])
    .entry(&[is(Around::LEAVE), any, any, any, any, empty], "leave_short", &[])
    .entry(&[is(Around::LEAVE), any, any, any, any, any], "leave_whole", &[]);
    let reach = |name: &str, key, gate: fn(TableSpec, FieldId) -> TableSpec, doc: &str| {
        let names = [
            ("dst_mac", 48),
            ("src_mac", 48),
            ("dst_ip", 32),
            ("src_ip", 32),
            ("dst_port", 16),
            ("src_port", 16),
        ];
        let mut action = ActionSpec::new("reach");
        for (at, ((name, bits), field)) in names.into_iter().zip(addresses).enumerate() {
            action = action.param(name, bits).set(field, Operand::Param(at));
        }
        gate(TableSpec::new(name, 1, doc), worker)
            .unless(bridge.mode, Around::OTHER)
            .key(job, Match::Exact)
            .key(key, Match::Exact)
            .action(action)
            .room(2048)
    };
    let one = reach(
        "reach_one",
        worker,
        |table, worker| table.unless(worker, EVERYONE.into()),
        "R-SLOT-4: the worker that has asked.",
    );
    let each = reach(
        "reach_each",
        replica,
        |table, worker| table.when(worker, EVERYONE.into()),
        "R-SLOT-3: each worker of the job.",
    );
    for table in [measure, one, each, copies] {
        builder.table(Gress::Egress, table);
    }
}
