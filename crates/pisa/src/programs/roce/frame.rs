//! Frames of RoCE v2, and the fields that a packet carries from pass to pass.

use super::{Roce, floats};
use crate::builder::Builder;
use crate::program::{FieldId, HeaderId, Intrinsic, Pattern, StateId, Transition};
use crate::programs::Arithmetic;
use crate::programs::frame::{Around, network, parse_network};
use crate::programs::lanes::floats::Found;

/// UDP port of RoCE v2.
pub const UDP_PORT: u16 = 4791;

/// Bytes of a lane.
pub(super) const LANE_BYTES: usize = 4;

/// Bytes of the headers from UDP's on, and of the ICRC.
const UDP_BYTES: u64 = 8;
pub(crate) const BTH_BYTES: u64 = 12;
pub(crate) const RETH_BYTES: u64 = 16;
pub(crate) const IMMEDIATE_BYTES: u64 = 4;
pub(crate) const ICRC_BYTES: u64 = 4;

/// The value of [`Bridge::mode`] beside those of [`Around`]: to a worker, without lanes.
pub(super) const LEAVE_EMPTY: u64 = 6;

/// Opcodes of UC that are taken: RDMA Write with Immediate.
pub mod opcode {
    /// The first packet of several.
    pub const FIRST: u64 = 0x26;
    /// One between the first and the last.
    pub const MIDDLE: u64 = 0x27;
    /// The last of several, with Immediate.
    pub const LAST: u64 = 0x29;
    /// The only one, with Immediate.
    pub const ONLY: u64 = 0x2B;
    /// All of them.
    pub const ALL: [u64; 4] = [FIRST, MIDDLE, LAST, ONLY];

    pub(crate) const fn name(code: u64) -> &'static str {
        match code {
            FIRST => "first",
            MIDDLE => "middle",
            LAST => "last",
            _ => "only",
        }
    }

    pub(crate) const fn has_address(code: u64) -> bool {
        matches!(code, FIRST | ONLY)
    }

    pub(crate) const fn has_immediate(code: u64) -> bool {
        matches!(code, LAST | ONLY)
    }
}

/// The length in UDP's header of a packet with this opcode and so many bytes of payload.
pub(super) const fn udp_length(code: u64, payload: u64) -> u64 {
    let address = if opcode::has_address(code) { RETH_BYTES } else { 0 };
    let immediate = if opcode::has_immediate(code) { IMMEDIATE_BYTES } else { 0 };
    UDP_BYTES + BTH_BYTES + address + immediate + payload + ICRC_BYTES
}

/// The fields that a packet carries through the switch, and loses when it leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bridge {
    pub header: HeaderId,
    pub valid: FieldId,
    pub mode: FieldId,
    pub step: FieldId,
    /// Whom the result is for: a worker, or `EVERYONE`.
    pub worker: FieldId,
    pub copy: FieldId,
    /// The state of the CRC behind the lanes that are still to be gathered, from the end.
    pub crc: FieldId,
    /// The term of the late lanes of this pass in that state.
    pub late: FieldId,
}

/// All headers.
pub(super) struct Frame {
    pub bridge: Bridge,
    pub ethernet: HeaderId,
    pub ipv4: HeaderId,
    pub udp: HeaderId,
    pub bth: HeaderId,
    pub reth: HeaderId,
    pub immediate: HeaderId,
    /// The first lanes of a window; the rest of it, and the other window of a contribution, where
    /// there are such.
    pub lanes: Vec<HeaderId>,
    pub front: Vec<FieldId>,
    pub rest: Vec<FieldId>,
    pub high: Vec<FieldId>,
    pub icrc: HeaderId,
    pub opcode: FieldId,
    /// Of floats, the parts of sums that have been read.
    pub found: Option<Found>,
}

impl Frame {
    /// Declares the headers in the order in which they travel.
    pub fn declare(builder: &mut Builder, config: &Roce) -> Self {
        let bridge =
            [("mode", 8), ("step", 8), ("worker", 16), ("copy", 16), ("crc", 32), ("late", 32)];
        let header = builder.header("bridge", &bridge);
        let [mode, step, worker, copy, crc, late] =
            bridge.map(|(name, _)| builder.of(header, name));
        let bridge =
            Bridge { header, valid: builder.valid(header), mode, step, worker, copy, crc, late };
        let [ethernet, ipv4, udp] = network(builder);
        let bth = [
            ("opcode", 8),
            ("flags", 8),
            ("partition", 16),
            ("reserved", 8),
            ("dest_qp", 24),
            ("acknowledge", 8),
            ("psn", 24),
        ];
        let bth = builder.header("bth", &bth);
        let reth = [("base", 32), ("offset", 32), ("round", 16), ("slot", 16), ("length", 32)];
        let reth = builder.header("reth", &reth);
        let immediate = builder.header("immediate", &[("exponent", 16), ("next_exponent", 16)]);
        let (window, floats) = (config.window(), config.arithmetic != Arithmetic::Block);
        let found = floats.then(|| Found::declare(builder, config.elements.into()));
        let mut lanes = Vec::new();
        let mut part = |name: &str, count: usize| {
            let names: Vec<String> = (0..count).map(|lane| format!("lane{lane}")).collect();
            let fields: Vec<(&str, u32)> = names.iter().map(|name| (name.as_str(), 32)).collect();
            if fields.is_empty() {
                return Vec::new();
            }
            let header = builder.header(name, &fields);
            lanes.push(header);
            names.iter().map(|name| builder.of(header, name)).collect::<Vec<_>>()
        };
        let first = window.min(LAST_LANES);
        let (front, rest) = (part("front", first), part("rest", window - first));
        let high = part("high", if floats { 0 } else { window });
        let icrc = builder.header("icrc", &[("value", 32)]);
        builder.checksum(ipv4, builder.of(ipv4, "checksum"), bth);
        let opcode = builder.of(bth, "opcode");
        Self {
            bridge,
            ethernet,
            ipv4,
            udp,
            bth,
            reth,
            immediate,
            lanes,
            front,
            rest,
            high,
            icrc,
            opcode,
            found,
        }
    }

    /// Headers of the window that a pass sends on.
    pub fn window(&self) -> &[HeaderId] {
        &self.lanes[..self.lanes.len().min(2)]
    }

    /// Headers between BTH and payload.
    pub fn extensions(&self, code: u64) -> Vec<HeaderId> {
        let address = opcode::has_address(code).then_some(self.reth);
        address.into_iter().chain(opcode::has_immediate(code).then_some(self.immediate)).collect()
    }

    fn inner(&self) -> [HeaderId; 4] {
        [self.ethernet, self.ipv4, self.udp, self.bth]
    }

    /// The parser. Lanes are taken where the length is that of a packet with all of them; the ICRC
    /// in the pass that takes the last ones.
    pub fn parse(&self, builder: &mut Builder, config: &Roce, phase: FieldId) {
        builder.loopbacks(&config.loopbacks);
        let last_pass = u64::from(config.pipelines) - 1;
        let other = builder.state("other", &[]);
        let bth = builder.state("parse_bth", &[self.bth]);
        let ethernet =
            parse_network(builder, [self.ethernet, self.ipv4, self.udp], UDP_PORT, bth, other);
        let first = self.messages(builder, config, "first", last_pass == 0, Some(other));
        builder.leads(bth, Transition::To(first));
        let bridge = builder.state("parse_bridge", &[self.bridge.header]);
        builder.selects(
            StateId(0),
            Intrinsic::Around.field(),
            &[(Pattern::Is(1), bridge)],
            Some(ethernet),
        );

        let harvest = builder.state("harvest", &self.inner());
        builder.sets(harvest, phase, 2);
        let gathered = builder.state("gathered", &[]);
        if self.found.is_some() {
            // R-PISA-61: sums that egress has put together.
            let values = builder.state("gathered_lanes", &self.lanes);
            let fit = [(Pattern::Is(floats::FIT), values)];
            let end = builder.state("gathered_end", &[]);
            builder.selects(gathered, self.bridge.step, &fit, Some(end));
        }
        let kinds = self.kinds(builder, "harvest", |_, _| gathered);
        builder.selects(harvest, self.opcode, &kinds, None);
        let mut modes = vec![(Pattern::Is(Around::HARVEST), harvest)];
        if last_pass > 0 {
            let consume = builder.state("consume_again", &self.inner());
            builder.sets(consume, phase, 1);
            let end = self.messages(builder, config, "end", true, None);
            let again =
                (last_pass > 1).then(|| self.messages(builder, config, "again", false, None));
            builder.selects(consume, self.bridge.step, &[(Pattern::Is(last_pass), end)], again);
            modes.push((Pattern::Is(Around::CONSUME), consume));
        }
        builder.selects(bridge, self.bridge.mode, &modes, None);
    }

    /// Adds a state for each opcode, which takes its headers and goes to the state that `next`
    /// gives.
    fn kinds(
        &self,
        builder: &mut Builder,
        pass: &str,
        mut next: impl FnMut(&mut Builder, u64) -> StateId,
    ) -> Vec<(Pattern, StateId)> {
        let mut kind = |code| {
            let state =
                builder.state(&format!("{pass}_{}", opcode::name(code)), &self.extensions(code));
            let to = next(builder, code);
            builder.leads(state, Transition::To(to));
            (Pattern::Is(code), state)
        };
        opcode::ALL.into_iter().map(&mut kind).collect()
    }

    /// A state that tells opcodes apart, and lengths.
    fn messages(
        &self,
        builder: &mut Builder,
        config: &Roce,
        pass: &str,
        last: bool,
        other: Option<StateId>,
    ) -> StateId {
        let length = builder.of(self.udp, "length");
        let opcodes = builder.state(&format!("{pass}_opcode"), &[]);
        let trailer: &[HeaderId] = if last { &[self.icrc] } else { &[] };
        let end = builder.state(&format!("{pass}_end"), trailer);
        let lanes = builder.state(&format!("{pass}_lanes"), &self.lanes);
        builder.leads(lanes, Transition::To(end));
        let kinds = self.kinds(builder, pass, |builder, code| {
            let way = builder.state(&format!("{pass}_{}_length", opcode::name(code)), &[]);
            let mut cases = vec![(Pattern::Is(udp_length(code, config.payload())), lanes)];
            if code == opcode::ONLY {
                cases.push((Pattern::Is(udp_length(code, 0)), end));
            }
            builder.selects(way, length, &cases, other);
            way
        });
        builder.selects(opcodes, self.opcode, &kinds, other);
        opcodes
    }

    /// The parser before egress: of other traffic only the bridge, of a result the lanes that
    /// ingress had last, too.
    pub fn parse_leaving(&self, builder: &mut Builder) {
        let start = builder.state("leaving", &[self.bridge.header]);
        let other = builder.state("leaving_other", &[]);
        let inner = builder.state("leaving_roce", &self.inner());
        let front = builder.state("leaving_front", &self.lanes[..1]);
        let end = builder.state("leaving_end", &[]);
        builder.selects(
            start,
            self.bridge.mode,
            &[(Pattern::Is(Around::OTHER), other)],
            Some(inner),
        );
        let mut lanes = [Around::HARVEST, Around::LEAVE].map(|mode| (Pattern::Is(mode), front));
        if let Some(found) = &self.found {
            let read = [&[found.header], &*self.lanes].concat();
            let read = builder.state("leaving_found", &read);
            let step = builder.state("leaving_step", &[]);
            let fit = [(Pattern::Is(floats::FIT), read)];
            builder.selects(step, self.bridge.step, &fit, Some(end));
            lanes[0].1 = step;
        }
        let way = builder.state("leaving_way", &[]);
        builder.selects(way, self.bridge.mode, &lanes, Some(end));
        let kinds = self.kinds(builder, "leaving", |_, _| way);
        builder.selects(inner, self.opcode, &kinds, None);
        builder.egress_parser(start);
    }
}

/// Lanes of the last stage, which egress hashes: four pairs fit a stage.
pub(super) const LAST_LANES: usize = 4;
