//! The table of a job at a shard: hot rows that workers push to whenever they like, and that
//! servers read (R-KEY).
//!
//! A table is asked, and answers: every request has at most one answer, to its sender alone. It
//! keeps nothing for a retransmission, since every request can be repeated.

mod memory;
mod rows;
mod spec;
mod status;
#[cfg(test)]
mod tests;

use netfold_wire::{
    Ecn, FRESH_WINDOW, PARTS, RANK_BYTES, TABLE_HEADER_BYTES, TableKind, TablePacket, TableRepr,
    WINDOW, Window, has_push,
};

use crate::contribution::Refusal;
use crate::counters::Counters;
pub use memory::{CopyRegisters, TableMemory};
use rows::Rows;
pub use spec::{TableError, TableSpec};
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
            ended: false,
            counters: Counters::default(),
            asked_us: None,
            spec,
        }
    }

    /// Returns whether the servers have stored all that was pushed.
    pub(crate) fn is_drained(&self) -> bool {
        self.rows.is_empty(self.open) && self.stored.iter().all(|stored| stored + 1 >= self.open)
    }

    /// Carries out a request, and writes the answer; it has GOING if the switch is to stop. Returns
    /// its length.
    pub(crate) fn handle(
        &mut self,
        packet: &TablePacket<'_>,
        ecn: Ecn,
        going: bool,
        answer: &mut [u8],
    ) -> Result<usize, Refusal> {
        self.check(packet)?;
        let repr = packet.repr;
        let mut answered = TableRepr { going, ..repr.answered() };
        let body = &mut answer[TABLE_HEADER_BYTES..];
        match repr.kind {
            TableKind::Push => {
                self.push(packet);
            }
            TableKind::Read => self.read(packet, &mut answered, body),
            TableKind::Windows => {
                let registers = &self.closed_windows[usize::from(repr.worker.0)];
                for (bytes, register) in body.chunks_exact_mut(4).zip(registers) {
                    bytes.copy_from_slice(&register.to_be_bytes());
                }
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
        if repr.answer {
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
        rows::ranks(packet.ranks, self.spec.terms.byte_order)
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

    /// R-KEY-7, R-KEY-8.
    fn read(&mut self, packet: &TablePacket<'_>, answered: &mut TableRepr, body: &mut [u8]) {
        let request = &packet.repr;
        let parts = u64::from_be_bytes(packet.rest.try_into().expect("a read names parts"));
        let stored = request.stored.min(self.open - 1);
        for part in (0..PARTS).filter(|part| parts >> part & 1 == 1) {
            let known = &mut self.stored[part as usize];
            *known = stored.max(*known);
        }
        if request.generation == self.open {
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
    }

    fn close(&mut self) {
        if self.stored.iter().any(|stored| stored + 1 < self.open) {
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
        let (ranks, values) = body.split_at_mut(pairs * RANK_BYTES);
        let places = ranks.chunks_exact_mut(RANK_BYTES).zip(values.chunks_exact_mut(row_bytes));
        for (rank, (rank_bytes, value)) in loaded.zip(places) {
            rows::write_rank(rank, order, rank_bytes);
            self.rows.write_value(&self.spec, rank, value);
        }
        answered.pairs = pairs as u16;
        self.counters.pairs_pulled += pairs as u64;
    }
}
