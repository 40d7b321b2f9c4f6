//! Headers of a table's packets, and the parser (R-PISA-70).

use netfold_num::ElementType;
use netfold_wire::{TABLE_VERSION, TableFlags, TableKind};

use super::{Libra, Sums, what};
use crate::builder::Builder;
use crate::layout;
use crate::program::{FieldId, HeaderId, Intrinsic, Pattern, StateId, Transition};
use crate::programs::frame::{Around, network, parse_network};

/// Values of the bridge's mode.
pub(super) mod mode {
    use super::Around;

    /// Around once more: a push.
    pub const FOLD: u64 = 1;
    /// Around once more: a load.
    pub const LOAD: u64 = 2;
    /// To whoever has asked.
    pub const ANSWER: u64 = Around::LEAVE;
    /// As it is.
    pub const OTHER: u64 = Around::OTHER;
}

/// Bits of a row beside its value.
pub(super) mod mark {
    /// R-KEY-12: it is loaded.
    pub const LOADED: u64 = 1;
    /// Of floats: the sum has begun.
    pub const BEGUN: u64 = 2;
}

/// Fields that are 1 if a row is locked for the packet (R-PISA-79).
#[derive(Clone, Copy, Debug)]
pub(super) struct Busy {
    /// From here on, until its next pass.
    pub carried: FieldId,
    /// In this pass, in which its sum is written.
    pub storing: FieldId,
}

/// A pair of rank and row: the fields of its two headers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub rank: HeaderId,
    pub row: HeaderId,
    /// The upper bits of the rank: 0 in a rank of the table.
    pub beyond: FieldId,
    /// R-HOT-6: floor(r / m), and r mod m, which is 0 if there is one register.
    pub index: FieldId,
    pub register: Option<FieldId>,
    pub value: FieldId,
}

/// A pair of the answer to a pull: its rank in two fields, the lower of which holds every rank of
/// the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub rank: HeaderId,
    pub row: HeaderId,
    pub high: FieldId,
    pub low: FieldId,
    pub value: FieldId,
}

/// All headers, and the metadata that the parser sets.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub bridge: HeaderId,
    pub ethernet: HeaderId,
    pub ipv4: HeaderId,
    pub udp: HeaderId,
    pub table: HeaderId,
    /// Pairs of the request.
    pub asked: Vec<Pair>,
    /// Pairs of the answer to a pull, one for each register.
    pub found: Vec<Found>,
    /// One of [`what`].
    pub what: FieldId,
    /// 1 in the first pass of a packet of the table's.
    pub first: FieldId,
    /// Bits of [`mark`] that a row gets.
    pub marks: FieldId,
    /// With Libra's tables.
    pub busy: Option<Busy>,
}

impl Frame {
    /// Declares the headers, in the order in which they travel: ranks before rows.
    pub fn declare(builder: &mut Builder, config: &Libra) -> Self {
        let mut carried =
            vec![("mode", 8), ("even", 16), ("odd", 16), ("found_even", 8), ("found_odd", 8)];
        match config.sums {
            Sums::Integers => {}
            Sums::FpisaA => carried.extend([("exponent", 16), ("flags", 8)]),
            Sums::LogTable => carried.extend([
                ("busy", 8),
                ("row_at", 16),
                ("x", 32),
                ("y", 32),
                ("log", 32),
                ("apart", 32),
                ("mi", 16),
                ("drop", 16),
            ]),
        }
        let bridge = builder.header("bridge", &carried);
        let [ethernet, ipv4, udp] = network(builder);
        let fields: Vec<_> =
            layout::TABLE_HEADER.iter().map(|(name, bits, _)| (*name, *bits)).collect();
        let table = builder.header("request", &fields);
        let (pairs, registers) = (config.pairs.into(), config.registers.into());
        let (index, register) = (config.index_bits(), config.register_bits());
        let low = (index + register).next_multiple_of(8).max(16);
        let mut asked_fields = vec![("beyond", 32 - index - register), ("index", index)];
        if register > 0 {
            asked_fields.push(("register", register));
        }
        let asked_ranks = headers(builder, "rank", pairs, &asked_fields);
        let found_fields = [("high", 32 - low), ("low", low)];
        let found_ranks = headers(builder, "found_rank", registers, &found_fields);
        let asked_rows = headers(builder, "row", pairs, &[("value", 32)]);
        let found_rows = headers(builder, "found_row", registers, &[("value", 32)]);
        builder.checksum(ipv4, builder.of(ipv4, "checksum"), table);
        let asked = asked_ranks.iter().zip(&asked_rows).map(|(rank, row)| Pair {
            rank: *rank,
            row: *row,
            beyond: builder.of(*rank, "beyond"),
            index: builder.of(*rank, "index"),
            register: (register > 0).then(|| builder.of(*rank, "register")),
            value: builder.of(*row, "value"),
        });
        let found = found_ranks.iter().zip(&found_rows).map(|(rank, row)| Found {
            rank: *rank,
            row: *row,
            high: builder.of(*rank, "high"),
            low: builder.of(*rank, "low"),
            value: builder.of(*row, "value"),
        });
        let (asked, found) = (asked.collect(), found.collect());
        let (what, first) = (builder.meta("what", 3), builder.meta("first", 1));
        let marks = builder.meta("loads", 8);
        let busy = (config.sums == Sums::LogTable).then(|| Busy {
            carried: builder.of(bridge, "busy"),
            storing: builder.meta("storing", 1),
        });
        Self { bridge, ethernet, ipv4, udp, table, asked, found, what, first, marks, busy }
    }

    /// The parser: ranks of the table alone, and as many as the header says. Other kinds of
    /// requests, and answers, are dropped (R-PISA-70).
    pub fn parse(&self, builder: &mut Builder, config: &Libra) {
        builder.loopbacks(&config.frame.loopbacks);
        let other = builder.state("other", &[]);
        let request = builder.state("parse_request", &[self.table]);
        let network = [self.ethernet, self.ipv4, self.udp];
        let fresh = parse_network(builder, network, config.frame.udp_port, request, other);
        let again = [self.bridge, self.ethernet, self.ipv4, self.udp, self.table];
        let again = builder.state("parse_again", &again);
        let around = Intrinsic::Around.field();
        builder.selects(StateId(0), around, &[(Pattern::Is(1), again)], Some(fresh));
        let ranks = self.chain(builder, "with_row", true);
        let alone = self.chain(builder, "alone", false);
        let begun = if config.sums == Sums::FpisaA { mark::BEGUN } else { 0 };
        let loaded = mark::LOADED | begun;
        let Self { what, first, marks, .. } = *self;
        let (first, begun, loaded) = ((first, 1), (marks, begun), (marks, loaded));
        let push = self.kind(builder, "push", &[(what, what::PUSH), first, begun], ranks);
        let load = self.kind(builder, "load", &[(what, what::LOAD), first, loaded], ranks);
        let pull = self.kind(builder, "pull", &[(what, what::PULL), first], alone);
        let fold = self.kind(builder, "fold_on", &[(what, what::FOLD), begun], ranks);
        let load_on = self.kind(builder, "load_on", &[(what, what::LOAD_ON), loaded], ranks);
        let mode = builder.of(self.bridge, "mode");
        let modes = [(Pattern::Is(mode::FOLD), fold), (Pattern::Is(mode::LOAD), load_on)];
        match self.busy {
            None => builder.selects(again, mode, &modes, None),
            Some(busy) => self.returns(builder, busy, (again, mode), modes, ranks),
        }
        self.kinds(builder, config, request, [push, load, pull]);
        self.parse_leaving(builder, config);
    }

    /// A state for packets of one kind.
    fn kind(
        &self,
        builder: &mut Builder,
        name: &str,
        sets: &[(FieldId, u64)],
        next: StateId,
    ) -> StateId {
        let state = builder.state(name, &[]);
        let sets = sets.iter().filter(|(_, value)| *value != 0);
        sets.for_each(|(field, value)| builder.sets(state, *field, *value));
        let done = builder.state(&format!("{name}_of_nothing"), &[]);
        let pairs = builder.of(self.table, "pairs");
        builder.selects(state, pairs, &[(Pattern::Is(0), done)], Some(next));
        state
    }

    /// The states of packets that come around, those that have locked a row among them.
    fn returns(
        &self,
        builder: &mut Builder,
        busy: Busy,
        (again, mode): (StateId, FieldId),
        modes: [(Pattern, StateId); 2],
        ranks: StateId,
    ) {
        let storing = (busy.storing, 1);
        let store = self.kind(builder, "store", &[(self.what, what::STORE), storing], ranks);
        let sets = [(self.what, what::STORE_LOAD), storing];
        let store_load = self.kind(builder, "store_load", &sets, ranks);
        let stores = modes.into_iter().zip([store, store_load]);
        let stores = stores.map(|((mode, _), state)| (vec![mode, Pattern::Is(1)], state));
        let others = modes.map(|(mode, state)| (vec![mode, Pattern::Any], state));
        let cases = stores.chain(others).collect();
        let on = vec![mode, busy.carried];
        builder.leads(again, Transition::Select { on, cases, otherwise: None });
    }

    /// R-PKT-1, R-KEY-2: the form of a request.
    fn kinds(&self, builder: &mut Builder, config: &Libra, request: StateId, states: [StateId; 3]) {
        let kinds = builder.state("parse_kind", &[]);
        let form = ["version", "element_type", "width"].map(|name| builder.of(self.table, name));
        let lane = match config.sums {
            Sums::Integers => ElementType::I32,
            Sums::FpisaA | Sums::LogTable => ElementType::F32,
        };
        let wanted = [TABLE_VERSION.into(), u64::from(lane.to_wire()), 1];
        let cases = vec![(wanted.map(Pattern::Is).to_vec(), kinds)];
        let on = form.to_vec();
        builder.leads(request, Transition::Select { on, cases, otherwise: None });
        let requests = [TableKind::Push, TableKind::Load, TableKind::Pull];
        let flags = Pattern::Masked(0, 0xFF & !u64::from(TableFlags::REPEATED.0));
        let cases = requests
            .into_iter()
            .zip(states)
            .map(|(kind, state)| (vec![Pattern::Is(kind.to_wire().into()), flags], state))
            .collect();
        let on = ["kind", "flags"].map(|name| builder.of(self.table, name)).to_vec();
        builder.leads(kinds, Transition::Select { on, cases, otherwise: None });
    }

    /// States that take ranks, and then their rows if there are any. Returns the first.
    fn chain(&self, builder: &mut Builder, name: &str, with_rows: bool) -> StateId {
        let pairs = builder.of(self.table, "pairs");
        let done = builder.state(&format!("{name}_done"), &[]);
        let rows: Vec<StateId> = match with_rows {
            true => (0..)
                .zip(&self.asked)
                .map(|(at, pair)| builder.state(&format!("{name}_row{at}"), &[pair.row]))
                .collect::<Vec<_>>(),
            false => Vec::new(),
        };
        for (at, state) in rows.iter().enumerate() {
            let last = [(Pattern::Is(at as u64 + 1), done)];
            builder.selects(*state, pairs, &last, rows.get(at + 1).copied());
        }
        let after = rows.first().copied().unwrap_or(done);
        let ranks: Vec<StateId> = (0..)
            .zip(&self.asked)
            .map(|(at, pair)| builder.state(&format!("{name}_rank{at}"), &[pair.rank]))
            .collect();
        for (at, (state, pair)) in ranks.iter().zip(&self.asked).enumerate() {
            let more = builder.state(&format!("{name}_more{at}"), &[]);
            builder.selects(*state, pair.beyond, &[(Pattern::Is(0), more)], None);
            let last = [(Pattern::Is(at as u64 + 1), after)];
            builder.selects(more, pairs, &last, ranks.get(at + 1).copied());
        }
        ranks[0]
    }

    /// The parser before egress: an answer's headers, and a float that was read.
    fn parse_leaving(&self, builder: &mut Builder, config: &Libra) {
        let start = builder.state("leaving", &[self.bridge]);
        let other = builder.state("leaving_other", &[]);
        let answer = [self.ethernet, self.ipv4, self.udp, self.table];
        let answer = builder.state("leaving_answer", &answer);
        if config.sums == Sums::FpisaA {
            let Found { rank, row, .. } = self.found[0];
            let pair = builder.state("leaving_found", &[rank, row]);
            let bare = builder.state("leaving_bare", &[]);
            let found = builder.of(self.bridge, "found_even");
            builder.selects(answer, found, &[(Pattern::Is(1), pair)], Some(bare));
        }
        let modes = [(Pattern::Is(mode::ANSWER), answer)];
        builder.selects(start, builder.of(self.bridge, "mode"), &modes, Some(other));
        builder.egress_parser(start);
    }
}

/// Headers of one kind, numbered.
fn headers(builder: &mut Builder, name: &str, count: u32, fields: &[(&str, u32)]) -> Vec<HeaderId> {
    (0..count).map(|at| builder.header(&format!("{name}{at}"), fields)).collect()
}
