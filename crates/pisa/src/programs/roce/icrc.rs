//! The ICRC of results (R-PISA-57 to 59): 0 behind the payload, and a header that makes it right.

use super::frame::{Frame, LANE_BYTES, LEAVE_EMPTY, opcode};
use super::{Meta, floats, reply};
use crate::alu::crc32_from;
use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::program::{BinOp, Crc, FieldId, Gress, Match, Operand, Part, Pattern};
use crate::programs::frame::Around;

/// The state of the CRC at the end of a packet with an ICRC of 0: the state is inverted at the end.
pub(super) const END: u64 = u32::MAX as u64;

/// Stages of egress: the lanes' terms, bytes of their sum, the tables of these, and the same for
/// the header.
const HASH: usize = 0;
const SUM: usize = 1;
const BYTES: usize = 2;
const HEADS: [usize; 4] = [2, 3, 4, 5];
const HEADS_OF_FLOATS: [usize; 4] = [2, 3, 5, 5];
const BEFORE: usize = 3;
const JOIN: usize = 5;
const LACK: usize = 6;
const BITS: usize = 7;
const FIT: usize = 8;
pub(super) const LAST: usize = 11;

/// Ingress: what the lanes behind the first ones are to the ICRC, in two parts, each in a stage
/// behind its lanes'.
pub(super) fn hash_rest(
    builder: &mut Builder,
    frame: &Frame,
    meta: &Meta,
    early: usize,
    [first, last]: [usize; 2],
) {
    let (early, late) = frame.rest.split_at(early);
    let mut hash = |name: &str, stage, lanes: &[FieldId], to, behind| {
        let list = with_zeros(builder, lanes, behind);
        let table = TableSpec::new(name, stage, "R-PISA-59: what these lanes are to the ICRC.")
            .action(ActionSpec::new("hash").crc32(to, Crc::Linear, &list))
            .otherwise("hash");
        builder.table(Gress::Ingress, table);
    };
    if !early.is_empty() {
        hash("hash_early", first, early, meta.term, late.len());
    }
    if !late.is_empty() {
        hash("hash_late", last, late, frame.bridge.late, 0);
    }
    if early.is_empty() {
        return;
    }
    let (crc, term) = (frame.bridge.crc, meta.term);
    let doc = "R-PISA-59: lanes that were hashed before the last ones.";
    let mut table = TableSpec::new("add_early", first + 1, doc)
        .action(ActionSpec::new("add").binary(crc, BinOp::Xor, crc, term))
        .otherwise("add");
    if frame.found.is_some() {
        // R-PISA-61: in the pass that has them as values.
        table = table.when(meta.phase, 2).when(frame.bridge.step, floats::FIT);
    }
    builder.table(Gress::Ingress, table);
}

fn with_zeros(builder: &Builder, fields: &[FieldId], behind: usize) -> Vec<Part> {
    let mut list: Vec<_> = fields.iter().map(|field| builder.whole(*field)).collect();
    if behind > 0 {
        list.push(Part::Const { value: 0, bits: 8 * (LANE_BYTES * behind) as u32 });
    }
    list
}

/// Egress: the state before this pass's lanes, and in the last one identification and source port.
pub(super) fn fit(builder: &mut Builder, frame: &Frame, meta: &Meta) {
    let (mode, crc, late, term) =
        (frame.bridge.mode, frame.bridge.crc, frame.bridge.late, meta.term);
    let window = frame.front.len() + frame.rest.len();
    let lead = with_zeros(builder, &frame.front, frame.rest.len());
    // R-PISA-61: sums of floats are hashed in the last pass alone.
    let gathers = frame.found.is_none();
    let lanes = |table: TableSpec, action: &str| {
        let modes = [Around::LEAVE].into_iter().chain(gathers.then_some(Around::HARVEST));
        modes.fold(table.key(mode, Match::Exact), |table, mode| {
            table.entry(&[Pattern::Is(mode)], action, &[])
        })
    };
    let lead = TableSpec::new("lead", HASH, "R-PISA-59: the lanes that ingress had last.").action(
        ActionSpec::new("hash").crc32(term, Crc::Linear, &lead).binary(crc, BinOp::Xor, crc, late),
    );
    builder.table(Gress::Egress, lanes(lead, "hash"));
    let sum = TableSpec::new("sum", SUM, "The state behind these lanes, with what they are to it.")
        .action(ActionSpec::new("sum").binary(crc, BinOp::Xor, crc, term));
    builder.table(Gress::Egress, lanes(sum, "sum"));

    let split = |action: ActionSpec| {
        (0..).zip(meta.bytes).fold(action, |action, (at, byte)| action.slice(byte, crc, 8 * at))
    };
    let split_sum = TableSpec::new("split_sum", BYTES, "The tables take a byte each.");
    builder.table(Gress::Egress, lanes(split_sum.action(split(ActionSpec::new("split"))), "split"));

    heads(builder, frame, meta);
    let step = |state: u32| crc32_from(state, std::iter::repeat_n(0, LANE_BYTES * window));
    let back = Map::of(std::array::from_fn(|bit| step(1 << bit))).inverse();
    for (at, byte) in meta.bytes.into_iter().enumerate() {
        let to = if at % 2 == 0 { crc } else { late };
        let first = at < 2;
        let change = ActionSpec::new("change").param("bits", 32);
        let change = if first {
            change.set(to, Operand::Param(0))
        } else {
            change.binary(to, BinOp::Xor, to, Operand::Param(0))
        };
        let doc = "R-PISA-59: the state before these lanes, by a byte of the one behind them.";
        let mut table = TableSpec::new(&format!("before{at}"), BEFORE + at / 2, doc)
            .unless(mode, Around::CONSUME)
            .unless(mode, Around::OTHER)
            .unless(mode, LEAVE_EMPTY)
            .key(byte, Match::Exact)
            .action(change);
        if !gathers {
            table = table.unless(mode, Around::HARVEST);
        }
        for value in 0..=0xFF {
            table = table.entry(&[Pattern::Is(value)], "change", &[back.of_byte(at, value).into()]);
        }
        builder.table(Gress::Egress, table);
    }
    let join = TableSpec::new("join", JOIN, "The state before these lanes.")
        .action(ActionSpec::new("join").binary(crc, BinOp::Xor, crc, late));
    builder.table(Gress::Egress, lanes(join, "join"));
    let lack = TableSpec::new("lack", LACK, "What the free bits have to bring about.")
        .action(ActionSpec::new("lack").binary(crc, BinOp::Xor, crc, term))
        .otherwise("lack");
    builder.table(Gress::Egress, reply::leaving(lack, mode));
    choose(builder, frame, meta, split(ActionSpec::new("split")));
}

/// The header of each copy, hashed with 0 in its free bits: a stage for each opcode, since ingress
/// uses hash units beside it.
fn heads(builder: &mut Builder, frame: &Frame, meta: &Meta) {
    let mode = frame.bridge.mode;
    // R-PISA-61: stage 4 takes floats apart.
    let stages = if frame.found.is_some() { HEADS_OF_FLOATS } else { HEADS };
    for (stage, code) in stages.into_iter().zip(opcode::ALL) {
        let list = header(builder, frame, code);
        let doc = "R-PISA-57: the CRC of the header, with 0 for identification and source port.";
        let mut table = TableSpec::new(&format!("head_{}", opcode::name(code)), stage, doc)
            .when(frame.opcode, code)
            .key(mode, Match::Exact)
            .action(ActionSpec::new("hash").crc32(meta.term, Crc::Ethernet, &list));
        for leaving in [Around::LEAVE, LEAVE_EMPTY] {
            table = table.entry(&[Pattern::Is(leaving)], "hash", &[]);
        }
        builder.table(Gress::Egress, table);
    }
}

/// Returns the bits that the ICRC is over, up to the payload, with 0 for those that are chosen
/// later.
fn header(builder: &Builder, frame: &Frame, code: u64) -> Vec<Part> {
    let ones = |bits| Part::Const { value: crate::check::mask(bits), bits };
    let zeros = |bits| Part::Const { value: 0, bits };
    let mut list = vec![ones(64)];
    for (header, masked, free) in [
        (frame.ipv4, &["tos", "ttl", "checksum"][..], "identification"),
        (frame.udp, &["checksum"][..], "src_port"),
        (frame.bth, &["reserved"][..], ""),
    ] {
        for (name, bits) in builder.fields_of(header) {
            list.push(match name {
                _ if masked.contains(&name) => ones(bits),
                _ if name == free => zeros(bits),
                _ => builder.whole(builder.of(header, name)),
            });
        }
    }
    for header in frame.extensions(code) {
        let names: Vec<_> =
            builder.fields_of(header).map(|(name, _)| builder.of(header, name)).collect();
        list.extend(names.into_iter().map(|field| builder.whole(field)));
    }
    list
}

/// Chooses identification and source port, by the bytes that the CRC lacks.
fn choose(builder: &mut Builder, frame: &Frame, meta: &Meta, split: ActionSpec) {
    let mode = frame.bridge.mode;
    let leaving = |table| reply::leaving(table, mode);
    let table = TableSpec::new("split_lack", BITS, "The tables take a byte each.");
    builder.table(Gress::Egress, leaving(table).action(split).otherwise("split"));
    let (identification, port) =
        (builder.of(frame.ipv4, "identification"), builder.of(frame.udp, "src_port"));
    let maps: Vec<_> = opcode::ALL
        .into_iter()
        .map(|code| (code, free_bits(header_bytes(builder, frame, code))))
        .collect();
    for (at, byte) in meta.bytes.into_iter().enumerate() {
        let action = ActionSpec::new("choose").param("identification", 16).param("src_port", 16);
        let action = if at == 0 {
            action.set(identification, Operand::Param(0)).set(port, Operand::Param(1))
        } else {
            action.binary(identification, BinOp::Xor, identification, Operand::Param(0)).binary(
                port,
                BinOp::Xor,
                port,
                Operand::Param(1),
            )
        };
        let doc = "R-PISA-58: the bits of identification and source port that make the ICRC 0.";
        let table = TableSpec::new(&format!("choose{at}"), FIT + at, doc);
        let mut table =
            leaving(table).key(frame.opcode, Match::Exact).key(byte, Match::Exact).action(action);
        for (code, map) in &maps {
            // The hash of the header is inverted, and the state is not.
            let inverted = if at == 0 { map.apply(u32::MAX) } else { 0 };
            for value in 0..=0xFF {
                let bits = map.of_byte(at, value) ^ inverted;
                let (high, low) = (u64::from(bits >> 16), u64::from(bits & 0xFFFF));
                table =
                    table.entry(&[Pattern::Is(*code), Pattern::Is(value)], "choose", &[high, low]);
            }
        }
        builder.table(Gress::Egress, table);
    }
}

/// Returns the offsets of identification and source port in the bytes that the ICRC is over, and
/// the number of those bytes up to the payload.
fn header_bytes(builder: &Builder, frame: &Frame, code: u64) -> [usize; 3] {
    const LRH_BYTES: usize = 8;
    let bytes = |bits: u32| bits as usize / 8;
    let size = |header| bytes(builder.fields_of(header).map(|(_, bits)| bits).sum());
    let before = |header, wanted: &str| {
        bytes(
            builder
                .fields_of(header)
                .take_while(|(name, _)| *name != wanted)
                .map(|(_, bits)| bits)
                .sum(),
        )
    };
    let udp = LRH_BYTES + size(frame.ipv4);
    let extensions: usize = frame.extensions(code).into_iter().map(size).sum();
    [
        LRH_BYTES + before(frame.ipv4, "identification"),
        udp + before(frame.udp, "src_port"),
        udp + size(frame.udp) + size(frame.bth) + extensions,
    ]
}

/// Returns the map from a change of the CRC's state behind the header to the bits that bring it
/// about: identification above, source port below.
fn free_bits([identification, port, end]: [usize; 3]) -> Map {
    let column = |bit: usize| {
        let mut bytes = vec![0u8; end];
        let (at, bit) = if bit < 16 { (port, bit) } else { (identification, bit - 16) };
        // In network order.
        bytes[at + 1 - bit / 8] = 1 << (bit % 8);
        crc32_from(0, bytes)
    };
    Map::of(std::array::from_fn(column)).inverse()
}

/// A linear map of 32 bits: what it makes of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Map([u32; 32]);

impl Map {
    const fn of(columns: [u32; 32]) -> Self {
        Self(columns)
    }

    fn apply(&self, bits: u32) -> u32 {
        (0..32).filter(|bit| bits >> bit & 1 == 1).fold(0, |sum, bit| sum ^ self.0[bit])
    }

    /// Maps byte number `at`, from the lowest, of this value.
    fn of_byte(&self, at: usize, value: u64) -> u32 {
        self.apply((value as u32) << (8 * at))
    }

    /// The map back, by elimination.
    ///
    /// # Panics
    /// If two values are mapped to one: the tests load every program.
    fn inverse(&self) -> Self {
        // Pairs of what is reached and what it comes from, until each reaches a bit of its own.
        let mut pairs: [(u32, u32); 32] = std::array::from_fn(|bit| (self.0[bit], 1 << bit));
        for bit in 0..32 {
            let pivot =
                (bit..32).find(|at| pairs[*at].0 >> bit & 1 == 1).expect("the map can be undone");
            pairs.swap(bit, pivot);
            let (reached, from) = pairs[bit];
            for (_, pair) in pairs
                .iter_mut()
                .enumerate()
                .filter(|(at, pair)| *at != bit && pair.0 >> bit & 1 == 1)
            {
                *pair = (pair.0 ^ reached, pair.1 ^ from);
            }
        }
        Self(pairs.map(|(_, from)| from))
    }
}
