//! The frame around a netfold packet, and the fields that a program carries from pass to pass.

use netfold_wire::VERSION;

use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::layout;
use crate::program::{FieldId, HeaderId, Intrinsic, Match, Operand, Pattern, StateId, Transition};

/// The address of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Ethernet address, 48 bits.
    pub mac: u64,
    /// IPv4 address.
    pub ip: u32,
    /// UDP port.
    pub port: u16,
}

/// The parameters of the frames that a program takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameConfig {
    /// UDP port of the switch: a packet to another port is no netfold packet.
    pub udp_port: u16,
    /// For each pipeline, the port that leads back into it.
    pub loopbacks: Vec<u16>,
    /// The last port of the first pipeline that leads to hosts.
    pub last_port: u16,
}

impl FrameConfig {
    /// UDP port 5555, and the ports of a Tofino-like switch with this many pipelines: of each 128
    /// the first 64 lead to hosts, and port 68 back (R-PISA-6).
    pub fn new(pipelines: u16) -> Self {
        let loopbacks = (0..pipelines).map(|pipeline| 128 * pipeline + 68).collect();
        Self { udp_port: 5555, loopbacks, last_port: 63 }
    }

    /// The same for bmv2: one pipeline with all ports, but the one by which packets are dropped.
    pub fn bmv2() -> Self {
        Self { last_port: 510, ..Self::new(1) }
    }

    /// Returns whether a worker can be at this port (R-PISA-6).
    pub fn leads_to_a_worker(&self, port: u16) -> bool {
        port <= self.last_port && !self.loopbacks.contains(&port)
    }

    /// The ports of the workers of an emitted job, from the first on (R-PISA-6).
    pub fn worker_ports(&self) -> impl Iterator<Item = u16> {
        (1..=self.last_port).filter(|port| self.leads_to_a_worker(*port))
    }
}

/// Values of [`Bridge::mode`]: the destination that the packet is on its way to.
pub struct Around;

impl Around {
    /// To the next pipeline, which folds more of its lanes.
    pub const CONSUME: u64 = 1;
    /// To a pipeline that has lanes of the result.
    pub const HARVEST: u64 = 2;
    /// To a worker.
    pub const LEAVE: u64 = 3;
    /// To wherever it is addressed: it is no netfold packet.
    pub const OTHER: u64 = 4;
    /// Without lanes to all workers but one, and to a pipeline that has lanes for that one.
    pub const RELAY: u64 = 5;
}

/// The fields that a packet carries through the switch, and loses when it leaves.
#[derive(Clone, Copy, Debug)]
pub struct Bridge {
    pub header: HeaderId,
    pub valid: FieldId,
    pub mode: FieldId,
    pub step: FieldId,
    pub rest: FieldId,
    pub single: FieldId,
}

/// The headers up to the lanes.
#[derive(Clone, Debug)]
pub struct Frame {
    pub bridge: Bridge,
    pub ethernet: HeaderId,
    pub ipv4: HeaderId,
    pub udp: HeaderId,
    pub netfold: HeaderId,
    /// The order of a round's kind, from 1 (R-SLOT-8): set while parsing.
    pub order: FieldId,
}

/// Flags of a netfold header, as numbers to match.
pub mod flags {
    use netfold_wire::Flags;

    pub const RESULT: u64 = Flags::RESULT.0 as u64;
    pub const EMPTY: u64 = Flags::EMPTY.0 as u64;
    pub const QUERY: u64 = Flags::QUERY.0 as u64;
}

/// Declares the headers of Ethernet, IPv4 and UDP.
pub(crate) fn network(builder: &mut Builder) -> [HeaderId; 3] {
    let ethernet = builder.header("ethernet", &[("dst", 48), ("src", 48), ("ether_type", 16)]);
    let ipv4 = builder.header(
        "ipv4",
        &[
            ("version_ihl", 8),
            ("tos", 8),
            ("total_length", 16),
            ("identification", 16),
            ("fragment", 16),
            ("ttl", 8),
            ("protocol", 8),
            ("checksum", 16),
            ("src", 32),
            ("dst", 32),
        ],
    );
    let udp = builder
        .header("udp", &[("src_port", 16), ("dst_port", 16), ("length", 16), ("checksum", 16)]);
    [ethernet, ipv4, udp]
}

/// States that take these headers: what goes to a UDP port leads to `inner`, and other traffic, as
/// soon as it is known to be other, to `other`.
pub(crate) fn parse_network(
    builder: &mut Builder,
    headers: [HeaderId; 3],
    port: u16,
    inner: StateId,
    other: StateId,
) -> StateId {
    let [ethernet, ipv4, udp] = headers;
    let first = builder.state("parse_ethernet", &[ethernet]);
    let second = builder.state("parse_ipv4", &[ipv4]);
    let third = builder.state("parse_udp", &[udp]);
    builder.selects(
        first,
        builder.of(ethernet, "ether_type"),
        &[(Pattern::Is(0x0800), second)],
        Some(other),
    );
    let on = ["version_ihl", "fragment", "protocol"].map(|name| builder.of(ipv4, name)).to_vec();
    // No options, not a fragment, UDP.
    let whole_udp = vec![Pattern::Is(0x45), Pattern::Masked(0, 0x3FFF), Pattern::Is(17)];
    builder.leads(
        second,
        Transition::Select { on, cases: vec![(whole_udp, third)], otherwise: Some(other) },
    );
    builder.selects(
        third,
        builder.of(udp, "dst_port"),
        &[(Pattern::Is(port.into()), inner)],
        Some(other),
    );
    first
}

/// Other traffic, by its Ethernet address.
pub(crate) fn forward(stage: usize, to: FieldId, carried: FieldId, mode: FieldId) -> TableSpec {
    let other = |action: ActionSpec| action.put(carried, 1).put(mode, Around::OTHER);
    TableSpec::new("forward", stage, "Other traffic goes where it is addressed.")
        .key(to, Match::Exact)
        .action(other(
            ActionSpec::new("send")
                .param("port", 16)
                .set(Intrinsic::EgressPort.field(), Operand::Param(0)),
        ))
        .action(other(
            ActionSpec::new("flood")
                .param("group", 16)
                .set(Intrinsic::Group.field(), Operand::Param(0)),
        ))
        .action(ActionSpec::new("refuse").put(Intrinsic::Drop.field(), 1))
        .otherwise("refuse")
        .room(1024)
}

impl Frame {
    /// Declares the headers, in the order in which they travel. Lanes come after them.
    pub fn declare(builder: &mut Builder) -> Self {
        let bridge = [("mode", 8), ("step", 8), ("rest", 16), ("single", 8)];
        let header = builder.header("bridge", &bridge);
        let bridge = Bridge {
            header,
            valid: builder.valid(header),
            mode: builder.of(header, "mode"),
            step: builder.of(header, "step"),
            rest: builder.of(header, "rest"),
            single: builder.of(header, "single"),
        };
        let [ethernet, ipv4, udp] = network(builder);
        let fields: Vec<_> = layout::HEADER.iter().map(|(name, bits, _)| (*name, *bits)).collect();
        let netfold = builder.header("netfold", &fields);
        let order = builder.meta("order", 2);
        builder.checksum(ipv4, builder.of(ipv4, "checksum"), netfold);
        Self { bridge, ethernet, ipv4, udp, netfold, order }
    }

    /// A field of the netfold header.
    pub fn field(&self, builder: &Builder, name: &str) -> FieldId {
        builder.of(self.netfold, name)
    }

    /// The parser up to the lanes: `first` is where a contribution with lanes goes on in its first
    /// pass, `again` in a later one. Other traffic is not parsed further than to where it is known
    /// to be other.
    pub fn parse(
        &self,
        builder: &mut Builder,
        config: &FrameConfig,
        phase: FieldId,
        lanes: [StateId; 2],
    ) {
        builder.loopbacks(&config.loopbacks);
        let [first, again] = lanes;
        let start = StateId(0);
        let other = builder.state("other", &[]);
        let netfold = builder.state("parse_netfold", &[self.netfold]);
        let bridge = builder.state("parse_bridge", &[self.bridge.header]);
        let inner = [self.ethernet, self.ipv4, self.udp, self.netfold];
        let consume = builder.state("consume_again", &inner);
        let harvest = builder.state("harvest", &inner);
        let ethernet = parse_network(
            builder,
            [self.ethernet, self.ipv4, self.udp],
            config.udp_port,
            netfold,
            other,
        );
        builder.selects(
            start,
            Intrinsic::Around.field(),
            &[(Pattern::Is(1), bridge)],
            Some(ethernet),
        );
        let modes =
            [(Pattern::Is(Around::CONSUME), consume), (Pattern::Is(Around::HARVEST), harvest)];
        builder.selects(bridge, self.bridge.mode, &modes, None);
        builder.sets(consume, phase, 1);
        builder.sets(harvest, phase, 2);
        // R-PKT-1, R-PKT-5, R-PKT-6: a kind that is known, from a worker, and a query without
        // lanes.
        let kinds = self.kinds(builder, "first", first);
        let version = self.field(builder, "version");
        builder.selects(netfold, version, &[(Pattern::Is(VERSION.into()), kinds)], None);
        let kinds = self.kinds(builder, "again", again);
        builder.leads(consume, Transition::To(kinds));
    }

    /// States that tell the kinds of rounds apart, and contributions with lanes from those without.
    fn kinds(&self, builder: &mut Builder, pass: &str, lanes: StateId) -> StateId {
        use netfold_wire::Kind;

        let kind = builder.state(&format!("{pass}_kind"), &[]);
        let way = builder.state(&format!("{pass}_way"), &[]);
        let done = builder.state(&format!("{pass}_without_lanes"), &[]);
        let ordered = [(Kind::Exponents, 1), (Kind::Classes, 2), (Kind::Values, 3)];
        let cases: Vec<_> = ordered
            .into_iter()
            .map(|(kind, order)| {
                let state = builder.state(&format!("{pass}_{kind:?}").to_lowercase(), &[]);
                builder.sets(state, self.order, order);
                builder.leads(state, Transition::To(way));
                (Pattern::Is(kind.to_wire().into()), state)
            })
            .collect();
        builder.selects(kind, self.field(builder, "kind"), &cases, None);
        let ways = [
            (Pattern::Is(0), lanes),
            (Pattern::Is(flags::EMPTY), done),
            (Pattern::Is(flags::EMPTY | flags::QUERY), done),
        ];
        builder.selects(way, self.field(builder, "flags"), &ways, None);
        kind
    }

    /// The parser before egress: everything but the lanes, of other traffic only the bridge. Gives
    /// the state behind which lanes could be parsed.
    pub fn parse_leaving(&self, builder: &mut Builder) -> StateId {
        let start = builder.state("leaving", &[self.bridge.header]);
        let other = builder.state("leaving_other", &[]);
        let inner = [self.ethernet, self.ipv4, self.udp, self.netfold];
        let netfold = builder.state("leaving_netfold", &inner);
        builder.selects(
            start,
            self.bridge.mode,
            &[(Pattern::Is(Around::OTHER), other)],
            Some(netfold),
        );
        builder.egress_parser(start);
        netfold
    }
}
