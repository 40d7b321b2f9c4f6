//! The table of a job at a shard: hot rows that workers push to whenever they like, and that
//! servers read (R-KEY).
//!
//! A table is asked, and answers: every request has at most one answer, to its sender alone. It
//! keeps nothing for a retransmission, since every request can be repeated. In a tree of switches
//! it asks those below, when it is asked itself (R-KEY-18).

mod gather;
mod memory;
mod rows;
mod spec;
mod status;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use netfold_wire::{
    Ecn, FRESH_WINDOW, PARTS, RANK_BYTES, TABLE_HEADER_BYTES, TableKind, TablePacket, TableRepr,
    WINDOW, Window, has_push, rank_bytes, ranks, registers, write_registers,
};

use crate::contribution::Refusal;
use crate::counters::Counters;
use gather::{Asker, Found, Gather};
pub use gather::{LeafRequest, LeafState};
pub use memory::{CopyRegisters, TableMemory, TreeRegisters};
use rows::Rows;
pub use spec::{Leaf, TableError, TableSpec, TableTree};
pub use status::TableStatus;

/// Most bytes of an answer: those of a UDP datagram over IPv4.
pub const MAX_ANSWER_BYTES: usize = 65_507;

/// A job's table.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) spec: TableSpec,
    rows: Rows,
    /// R-KEY-3, by worker.
    windows: Box<[Window]>,
    /// These as they were when the last generation was closed (R-KEY-8).
    closed_windows: Box<[Window]>,
    /// The generation that is open.
    open: u32,
    /// The last generation that the server of each part has stored.
    stored: [u32; PARTS as usize],
    /// The generations gathered from the switches below.
    gather: Gather,
    /// The switch above is to stop (R-KEY-16).
    parent_going: bool,
    /// The switch above will not ask again (R-KEY-11).
    dismissed: bool,
    /// The job is over: nothing is pushed any more (R-KEY-11).
    pub(crate) ended: bool,
    /// Totals of the datagrams that were taken for the table's.
    pub(crate) counters: Counters,
    /// The time at which a server has asked last, as the shard was told it.
    pub(crate) asked_us: Option<u64>,
}

impl Table {
    pub(crate) fn new(spec: TableSpec) -> Self {
        let windows = vec![FRESH_WINDOW; spec.workers.into()].into_boxed_slice();
        Self {
            rows: Rows::new(&spec),
            closed_windows: windows.clone(),
            windows,
            open: 1,
            stored: [0; PARTS as usize],
            gather: Gather::new(&spec),
            parent_going: false,
            dismissed: false,
            ended: false,
            counters: Counters::default(),
            asked_us: None,
            spec,
        }
    }

    /// Returns whether the servers have stored all that was pushed, as far as is known; or whether
    /// the switch above has it.
    pub(crate) fn is_drained(&self) -> bool {
        self.rows.is_empty(self.open) && self.may_close() && self.gather.is_empty()
    }

    /// Returns whether nothing is left to do for a job that is over (R-KEY-11).
    pub(crate) fn is_over(&self) -> bool {
        self.ended && self.is_drained() && (self.dismissed || !self.spec.tree.has_parent)
    }

    /// The job is over.
    pub(crate) fn end(&mut self) {
        self.ended = true;
        // What was pushed there since has yet to be gathered. There may be no server any more.
        self.gather.doubt();
        let done = self.rows.is_empty(self.open) && self.may_close();
        if done
            && self.gather.has_leaves()
            && !self.gather.is_active()
            && !self.spec.tree.has_parent
        {
            self.gather.begin(Asker { spec: &self.spec, going: false, over: true }, 0);
        }
    }

    /// Returns whether a server is to be told what was gathered last.
    pub(crate) fn is_awaited(&self) -> bool {
        self.gather.registers().awaited != 0
    }

    /// Forgets that there was nothing at the switches below (R-KEY-16).
    pub(crate) fn doubt_leaves(&mut self) {
        self.gather.doubt();
    }

    /// Tells the switches below that this one asks no more.
    pub(crate) fn dismiss_leaves(&mut self) {
        let asker = Asker { spec: &self.spec, going: false, over: true };
        self.gather.dismiss(asker);
    }

    /// Requests to the switches below that are to be sent, oldest first.
    pub(crate) fn requests(&mut self) -> &mut VecDeque<LeafRequest> {
        &mut self.gather.requests
    }

    /// Carries out a request, and writes the answer; it has GOING if the switch is to stop. Returns
    /// its length; 0 if there is no answer.
    pub(crate) fn handle(
        &mut self,
        packet: &TablePacket<'_>,
        ecn: Ecn,
        going: bool,
        answer: &mut [u8],
    ) -> Result<usize, Refusal> {
        self.check(packet)?;
        let repr = packet.repr;
        let going = going || self.parent_going;
        if repr.answer {
            self.take(packet, going);
            return Ok(0);
        }
        let mut answered = TableRepr { going, ..repr.answered() };
        let body = &mut answer[TABLE_HEADER_BYTES..];
        match repr.kind {
            TableKind::Push => {
                self.push(packet);
            }
            TableKind::Read if !self.read(packet, &mut answered, body) => return Ok(0),
            TableKind::Read => {}
            TableKind::Windows => {
                let registers = &self.closed_windows[usize::from(repr.worker.0)];
                write_registers(registers, body);
            }
            TableKind::Pull => self.pull(packet, &mut answered, body),
            TableKind::Load => {
                self.counters.rows_loaded += u64::from(repr.pairs);
                self.rows.load(&self.spec, packet);
            }
        }
        answered.generation = self.open;
        answered.marked = ecn.is_marked();
        let len = answered.datagram_bytes();
        answered.seal(&self.spec.terms.integrity, &mut answer[..len]);
        Ok(len)
    }

    /// R-KEY-2, R-KEY-11.
    fn check(&self, packet: &TablePacket<'_>) -> Result<(), Refusal> {
        let (repr, spec) = (&packet.repr, &self.spec);
        if !packet.is_whole(&spec.terms.integrity) {
            return Err(Refusal::Integrity);
        }
        let of_leaf = matches!(repr.kind, TableKind::Read | TableKind::Windows);
        if repr.answer && !(of_leaf && self.gather.has_leaves()) {
            return Err(Refusal::Direction);
        }
        if self.ended && matches!(repr.kind, TableKind::Push | TableKind::Load) {
            return Err(Refusal::UnknownJob);
        }
        let of_any_table = !matches!(repr.kind, TableKind::Pull | TableKind::Load);
        let fits = (repr.width, repr.element_type) == (spec.table.width, spec.table.element_type)
            && repr.worker.0 < spec.workers
            && (spec.table.resident || of_any_table)
            && self.ranks(packet).all(|rank| rank < spec.table.rows)
            // The answer to a pull is longer than the request.
            && repr.answered().datagram_bytes() <= MAX_ANSWER_BYTES;
        if fits { Ok(()) } else { Err(Refusal::Range) }
    }

    fn ranks<'a>(&self, packet: &TablePacket<'a>) -> impl Iterator<Item = u32> + Clone + use<'a> {
        ranks(packet.ranks, self.spec.terms.byte_order)
    }

    /// R-KEY-3, R-KEY-6.
    fn push(&mut self, packet: &TablePacket<'_>) {
        let TableRepr { worker, sequence, pairs, .. } = packet.repr;
        let window = &mut self.windows[usize::from(worker.0)];
        if has_push(window, sequence) {
            self.counters.pushes_repeated += 1;
            return;
        }
        window[(sequence % WINDOW) as usize] = sequence;
        self.counters.pushes += 1;
        self.counters.pairs_pushed += u64::from(pairs);
        self.rows.push(&self.spec, self.open, packet);
    }

    /// R-KEY-7, R-KEY-8. Returns whether it is answered.
    fn read(
        &mut self,
        packet: &TablePacket<'_>,
        answered: &mut TableRepr,
        body: &mut [u8],
    ) -> bool {
        let request = &packet.repr;
        let parts = u64::from_be_bytes(packet.rest.try_into().expect("a read names parts"));
        let stored = request.stored.min(self.open - 1);
        for part in (0..PARTS).filter(|part| parts >> part & 1 == 1) {
            let known = &mut self.stored[part as usize];
            *known = stored.max(*known);
        }
        if self.spec.tree.has_parent {
            self.hear_parent(request);
        }
        if self.dismissed {
            return false;
        }
        let going = answered.going || request.going;
        if request.generation == self.open && self.gather.has_leaves() {
            answered.last = false;
            if !request.close {
                self.gather.ask_news(Asker { spec: &self.spec, going, over: self.ended });
            } else if !self.read_leaves(parts, going, answered) {
                return false;
            }
        } else if request.generation == self.open {
            // Nothing was pushed since the generation before was closed.
            answered.last = self.rows.is_empty(self.open);
            if request.close && !answered.last {
                self.close();
            }
        }
        answered.pairs = 0;
        if request.generation == self.open - 1 && request.generation > 0 {
            let room = self.spec.table.pairs_in(self.spec.datagram_bytes as usize);
            self.rows.read(&self.spec, parts, room, answered, body);
            self.counters.pairs_read += u64::from(answered.pairs);
        }
        answered.going |= self.gather.is_going();
        true
    }

    /// R-KEY-19: takes the news that a read of the switch above has.
    fn hear_parent(&mut self, request: &TableRepr) {
        if request.going && !std::mem::replace(&mut self.parent_going, true) {
            self.gather.doubt();
        }
        if request.last && !self.ended {
            self.end();
        }
        self.dismissed |= request.last && !request.close;
    }

    /// R-KEY-18: gathers the open generation, which a server would have closed. Returns whether the
    /// server is answered.
    fn read_leaves(&mut self, parts: u64, going: bool, answered: &mut TableRepr) -> bool {
        let asker = Asker { spec: &self.spec, going, over: self.ended };
        if self.gather.is_active() {
            return self.gather.repeat(asker, parts);
        }
        answered.last = self.gather.take_empty(parts) && self.rows.is_empty(self.open);
        if !answered.last && self.may_close() {
            self.gather.begin(asker, parts);
        }
        true
    }

    /// Takes an answer of a switch below.
    fn take(&mut self, packet: &TablePacket<'_>, going: bool) {
        let active = self.gather.is_active();
        let asker = Asker { spec: &self.spec, going, over: self.ended };
        match self.gather.take(asker, packet) {
            Found::Nothing => {}
            Found::Pairs => {
                self.counters.pairs_gathered += u64::from(packet.repr.pairs);
                self.rows.push(&self.spec, self.open, packet);
            }
            Found::Window => {
                let window = &mut self.windows[usize::from(packet.repr.worker.0)];
                let registers = window.iter_mut().zip(registers(packet.rest));
                registers.for_each(|(register, last)| *register = last);
            }
        }
        if active && !self.gather.is_active() {
            if self.rows.is_empty(self.open) {
                self.gather.note_empty();
            } else {
                self.close();
            }
        }
    }

    /// Returns whether the servers of all parts have stored the generation before the open one.
    fn may_close(&self) -> bool {
        self.stored.iter().all(|stored| stored + 1 >= self.open)
    }

    fn close(&mut self) {
        if !self.may_close() {
            return;
        }
        self.closed_windows.copy_from_slice(&self.windows);
        self.open += 1;
        self.rows.begin(self.open);
        self.counters.generations_closed += 1;
    }

    /// R-KEY-12.
    fn pull(&mut self, packet: &TablePacket<'_>, answered: &mut TableRepr, body: &mut [u8]) {
        let (order, row_bytes) = (self.spec.terms.byte_order, self.spec.table.row_bytes());
        let loaded = self.ranks(packet).filter(|rank| self.rows.is_loaded(*rank));
        let pairs = loaded.clone().count();
        let (rank_places, values) = body.split_at_mut(pairs * RANK_BYTES);
        let places =
            rank_places.chunks_exact_mut(RANK_BYTES).zip(values.chunks_exact_mut(row_bytes));
        for (rank, (place, value)) in loaded.zip(places) {
            place.copy_from_slice(&rank_bytes(rank, order));
            self.rows.write_value(&self.spec, rank, value);
        }
        answered.pairs = pairs as u16;
        self.counters.pairs_pulled += pairs as u64;
    }
}
