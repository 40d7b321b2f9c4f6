//! An attempt's side of a query: rows in packets, in order, until they are acknowledged (R-QRY-24
//! to 27).

use std::collections::VecDeque;
use std::hash::Hash;

use netfold_wire::{
    Epoch, Integrity, JobId, QUERY_HEADER_BYTES, QueryKind, QueryPacket, QueryRepr, WorkerId,
    write_words,
};

use super::verdicts::Verdicts;

/// The longest time between two retransmissions, in microseconds.
const MOST_RTO_US: u64 = 1_000_000;

/// The description of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SenderConfig {
    /// The query's index at the switch.
    pub job: JobId,
    /// Its epoch there.
    pub epoch: Epoch,
    /// The worker.
    pub worker: WorkerId,
    /// The partition.
    pub partition: u32,
    /// The attempt: from 1 to 2^32 - 2, another one each time that the partition is streamed.
    pub attempt: u32,
    /// Rows belong to the build side of a join.
    pub build: bool,
    /// Rows stay at the worker, which asks for verdicts alone (R-QRY-36).
    pub verdicts: bool,
    /// Rows have keys.
    pub keys: bool,
    /// Columns of a row.
    pub columns: u8,
    /// Most bytes of a datagram.
    pub datagram_bytes: u32,
    /// Most packets that are under way.
    pub window: u16,
    /// Time until a packet is sent again first, in microseconds.
    pub rto_us: u64,
    /// The protection of packets.
    pub integrity: Integrity,
}

/// A packet that is not acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kept {
    repr: QueryRepr,
    datagram: Vec<u8>,
    acknowledged: bool,
    /// Its rows have verdicts.
    judged: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// Waits for the answer to Open.
    Opening,
    /// Streams.
    Open,
    /// Fin is acknowledged.
    Done,
}

/// Totals of an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderCounters {
    /// Rows taken.
    pub rows: u64,
    /// Packets of rows.
    pub packets: u64,
    /// Packets that were sent again.
    pub repeated: u64,
}

/// An attempt, as a state machine without I/O: give it rows by [`push`](Self::push), send what
/// [`poll_transmit`](Self::poll_transmit) returns, and hand it what comes, and the time.
#[derive(Clone, Debug)]
pub struct Sender {
    config: SenderConfig,
    phase: Phase,
    counted: bool,
    /// Rows that do not fill a packet yet: keys, and columns.
    keys: Vec<u64>,
    columns: Vec<Vec<i64>>,
    finished: bool,
    /// Packets from the first that is not acknowledged on.
    kept: VecDeque<Kept>,
    /// Number of the next packet.
    next: u32,
    /// Number of the next row.
    row: u64,
    /// Index in `kept` of the next packet to send.
    cursor: usize,
    /// Packets before this number were sent.
    sent: u32,
    /// Fin, or Open, is to be sent.
    due: bool,
    rto_us: u64,
    timeout_us: Option<u64>,
    /// The number that was expected when packets were sent again from there, and when.
    went_back: Option<(u32, u64)>,
    control: Vec<u8>,
    verdicts: Verdicts,
    counters: SenderCounters,
}

impl Sender {
    /// Begins an attempt.
    ///
    /// # Panics
    /// If a datagram does not hold a row, or if the window is 0.
    pub fn new(config: SenderConfig) -> Self {
        assert!(config.window > 0, "a window of at least one packet");
        let sender = Self {
            phase: Phase::Opening,
            counted: false,
            keys: Vec::new(),
            columns: vec![Vec::new(); config.columns.into()],
            finished: false,
            kept: VecDeque::with_capacity(config.window.into()),
            next: 0,
            row: 0,
            cursor: 0,
            sent: 0,
            due: true,
            rto_us: config.rto_us.max(1),
            timeout_us: None,
            went_back: None,
            control: Vec::new(),
            verdicts: Verdicts::default(),
            counters: SenderCounters::default(),
            config,
        };
        assert!(sender.packet_rows() > 0, "a row fits a datagram");
        sender
    }

    /// Returns the rows of a full packet.
    pub fn packet_rows(&self) -> usize {
        let Self { config, .. } = self;
        let repr = QueryRepr { keys: config.keys, columns: config.columns, ..self.header() };
        // Rows that have neither keys nor columns are none.
        if repr.row_bytes() == 0 { 0 } else { repr.rows_in(config.datagram_bytes as usize).into() }
    }

    /// Takes rows, as many as there is room for in the window, and returns how many. Rows that do
    /// not fill a packet wait for more, or for [`finish`](Self::finish).
    ///
    /// # Panics
    /// If keys or columns are missing, or of different lengths.
    pub fn push(&mut self, keys: &[u64], columns: &[&[i64]]) -> usize {
        let rows = if self.config.keys { keys.len() } else { columns[0].len() };
        assert_eq!(columns.len(), self.columns.len(), "the columns of the attempt");
        assert!(columns.iter().all(|column| column.len() == rows), "a value for each row");
        let packet_rows = self.packet_rows();
        let mut taken = 0;
        while taken < rows && self.has_room() {
            let pending = self.pending();
            let part = taken..rows.min(taken + packet_rows - pending);
            if self.config.keys {
                self.keys.extend_from_slice(&keys[part.clone()]);
            }
            for (own, column) in self.columns.iter_mut().zip(columns) {
                own.extend_from_slice(&column[part.clone()]);
            }
            taken = part.end;
            if self.pending() == packet_rows {
                self.pack();
            }
        }
        self.counters.rows += taken as u64;
        if self.config.verdicts {
            self.verdicts.expect(taken);
        }
        taken
    }

    /// Has the rows that wait sent, although they do not fill a packet.
    pub fn flush(&mut self) {
        if self.pending() > 0 {
            self.pack();
        }
    }

    /// Returns whether all rows that were pushed are acknowledged.
    pub fn is_settled(&self) -> bool {
        self.kept.is_empty() && self.pending() == 0
    }

    /// Sets the bits of the rows that were pushed since the last call and survive, the first row's
    /// lowest (R-QRY-36). Rows that no answer has come for do.
    ///
    /// # Panics
    /// If there are fewer words than the rows need.
    pub fn take_verdicts(&mut self, survivors: &mut [u64]) {
        self.verdicts.take(survivors);
    }

    /// All rows were pushed.
    pub fn finish(&mut self) {
        if !self.finished {
            self.finished = true;
            self.flush();
            self.due |= self.kept.is_empty() && self.phase == Phase::Open;
        }
    }

    /// Goes on at another switch (R-QRY-26, R-QRY-30), where the query has this index and epoch.
    /// Not for a sum, whose partitions are streamed again by further attempts.
    pub fn reopen(&mut self, job: JobId, epoch: Epoch) {
        if self.phase == Phase::Done {
            return;
        }
        (self.config.job, self.config.epoch) = (job, epoch);
        self.phase = Phase::Opening;
        // That switch expects all of them, one after the other.
        self.kept.iter_mut().for_each(|kept| kept.acknowledged = false);
        (self.cursor, self.due, self.timeout_us) = (0, true, None);
        self.rto_us = self.config.rto_us.max(1);
    }

    /// Returns whether the master has it all.
    pub fn is_done(&self) -> bool {
        self.phase == Phase::Done
    }

    /// Returns whether the switch counts the attempt (R-QRY-24).
    pub fn is_counted(&self) -> bool {
        self.counted
    }

    /// Returns its description.
    pub fn config(&self) -> &SenderConfig {
        &self.config
    }

    /// Returns what decides how it goes on, beside the times of its timers: what a search over all
    /// states tells it by.
    pub fn state(&self) -> impl Hash + Eq + '_ {
        let Self { config, phase, counted, finished, kept, next, cursor, due, .. } = self;
        let went_back = self.went_back.map(|(number, _)| number);
        let waits = self.timeout_us.is_some();
        let pending = (&self.keys, &self.columns);
        let place = (config.epoch, phase, counted, finished, next, cursor, self.sent, due);
        (place, pending, kept, went_back, waits, &self.verdicts)
    }

    /// Returns its totals.
    pub fn counters(&self) -> SenderCounters {
        self.counters
    }

    /// Takes a packet that has come for this attempt; others are ignored.
    pub fn handle(&mut self, packet: &QueryPacket<'_>, now_us: u64) {
        let (repr, config) = (&packet.repr, &self.config);
        let own = (config.job, config.epoch, config.worker, config.partition, config.attempt);
        if !repr.answer
            || (repr.job, repr.epoch, repr.worker, repr.partition, repr.attempt) != own
            || !packet.is_whole(&config.integrity)
        {
            return;
        }
        match (repr.kind, self.phase) {
            (QueryKind::Open, Phase::Opening) => {
                self.phase = Phase::Open;
                self.counted = repr.counted;
                self.due = self.kept.is_empty() && self.finished;
                self.cursor = 0;
                self.relax();
            }
            (QueryKind::Rows | QueryKind::Fin, Phase::Open) if repr.ahead => {
                self.go_back(repr.place, now_us);
            }
            (QueryKind::Rows, Phase::Open) => self.acknowledge(packet, now_us),
            (QueryKind::Fin, Phase::Open) if self.is_complete() && repr.sequence == self.next => {
                self.phase = Phase::Done;
                self.timeout_us = None;
            }
            _ => {}
        }
    }

    /// Returns the next datagram to send.
    pub fn poll_transmit(&mut self, now_us: u64) -> Option<&[u8]> {
        let rearm = now_us + self.rto_us;
        if self.phase == Phase::Opening || self.phase == Phase::Open && self.is_complete() {
            if !std::mem::take(&mut self.due) {
                return None;
            }
            self.timeout_us = Some(rearm);
            let kind = if self.phase == Phase::Open { QueryKind::Fin } else { QueryKind::Open };
            let sequence = self.kept.front().map_or(self.next, |kept| kept.repr.sequence);
            let counted = self.counted && kind == QueryKind::Fin;
            let repr = QueryRepr { kind, sequence, counted, ..self.header() };
            self.control.resize(repr.datagram_bytes(), 0);
            repr.seal(&self.config.integrity, &mut self.control);
            return Some(&self.control);
        }
        while self.kept.get(self.cursor).is_some_and(|kept| kept.acknowledged) {
            self.cursor += 1;
        }
        let header = self.header();
        let kept = self.kept.get_mut(self.cursor)?;
        self.cursor += 1;
        let (job, epoch, counted) = (header.job, header.epoch, self.counted);
        if (kept.repr.job, kept.repr.epoch, kept.repr.counted) != (job, epoch, counted) {
            kept.repr = QueryRepr { job, epoch, counted, ..kept.repr };
            kept.repr.seal(&self.config.integrity, &mut kept.datagram);
        }
        if kept.repr.sequence < self.sent {
            self.counters.repeated += 1;
        }
        self.sent = self.sent.max(kept.repr.sequence + 1);
        self.timeout_us.get_or_insert(rearm);
        Some(&kept.datagram)
    }

    /// Returns the time at which [`handle_timeout`](Self::handle_timeout) is due.
    pub fn poll_timeout(&self) -> Option<u64> {
        self.timeout_us
    }

    /// Sends again what was not acknowledged in time.
    pub fn handle_timeout(&mut self, now_us: u64) {
        if self.timeout_us.is_none_or(|due| now_us < due) {
            return;
        }
        self.timeout_us = None;
        self.rto_us = (self.rto_us * 2).min(MOST_RTO_US.max(self.config.rto_us));
        (self.cursor, self.due) = (0, true);
    }

    fn acknowledge(&mut self, packet: &QueryPacket<'_>, now_us: u64) {
        let Some(front) = self.kept.front().map(|kept| kept.repr.sequence) else { return };
        let at = packet.repr.sequence.wrapping_sub(front) as usize;
        let Some(kept) = self.kept.get_mut(at) else { return };
        if self.config.verdicts {
            if !packet.repr.verdicts || packet.repr.place != u32::from(kept.repr.rows) {
                return;
            }
            // The first answer counts, also if another switch is asked again.
            if !std::mem::replace(&mut kept.judged, true) {
                self.verdicts.judge(kept.repr.first, kept.repr.rows, packet.survivors());
            }
        }
        kept.acknowledged = true;
        while self.kept.front().is_some_and(|kept| kept.acknowledged) {
            self.kept.pop_front();
            self.cursor = self.cursor.saturating_sub(1);
            self.relax();
            self.timeout_us = Some(now_us + self.rto_us);
        }
        if self.kept.is_empty() {
            self.timeout_us = None;
            self.due = self.finished;
        }
    }

    /// R-QRY-25: sends again from a number on, once in a while.
    fn go_back(&mut self, expected: u32, now_us: u64) {
        let again = self
            .went_back
            .is_some_and(|(number, at)| number == expected && now_us < at + self.config.rto_us / 2);
        let Some(front) = self.kept.front().map(|kept| kept.repr.sequence) else { return };
        if !again && expected >= front {
            self.went_back = Some((expected, now_us));
            self.cursor = self.cursor.min((expected - front) as usize);
        }
    }

    fn relax(&mut self) {
        self.rto_us = self.config.rto_us.max(1);
        self.timeout_us = None;
    }

    fn has_room(&self) -> bool {
        self.kept.len() < self.config.window.into()
    }

    fn is_complete(&self) -> bool {
        self.finished && self.kept.is_empty()
    }

    fn pending(&self) -> usize {
        self.columns.first().map_or(self.keys.len(), Vec::len)
    }

    fn header(&self) -> QueryRepr {
        let SenderConfig { job, epoch, worker, partition, attempt, .. } = self.config;
        let request = QueryRepr::request(QueryKind::Rows, job, epoch, worker);
        QueryRepr { partition, attempt, ..request }
    }

    /// Makes a packet of the rows that wait.
    fn pack(&mut self) {
        let rows = self.pending();
        let repr = QueryRepr {
            sequence: self.next,
            rows: rows as u16,
            first: self.row,
            build: self.config.build,
            verdicts: self.config.verdicts,
            keys: self.config.keys,
            columns: self.config.columns,
            counted: self.counted,
            ..self.header()
        };
        let mut datagram = vec![0; repr.datagram_bytes()];
        let (keys, columns) = datagram[QUERY_HEADER_BYTES..].split_at_mut(self.keys.len() * 8);
        write_words(self.keys.drain(..), keys);
        for (place, column) in columns.chunks_exact_mut(rows * 8).zip(&mut self.columns) {
            write_words(column.drain(..).map(|value| value as u64), place);
        }
        repr.seal(&self.config.integrity, &mut datagram);
        self.kept.push_back(Kept { repr, datagram, acknowledged: false, judged: false });
        self.next += 1;
        self.row += rows as u64;
        self.counters.packets += 1;
    }
}
