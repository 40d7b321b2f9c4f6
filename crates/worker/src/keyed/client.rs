//! A worker's side of a table: what it pushes to the switch, and what it pulls from there.

use std::collections::VecDeque;

use netfold_wire::{
    Ecn, SlotIndex, TABLE_HEADER_BYTES, TableKind, TablePacket, TableRepr, TableTerms, WINDOW,
    ranks,
};

use super::packing::{Layout, Packer};
use super::pushes::{Kept, Pushes};
use super::requests::Requests;
use crate::recovery::{Lost, Recovery, Sent};
use crate::stream::StreamConfig;
use crate::window::{Sample, Window};

/// A worker's part in a table.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// The worker, its job and the terms.
    pub stream: StreamConfig,
    /// The table.
    pub table: TableTerms,
    /// Most bytes of a datagram.
    pub datagram_bytes: u32,
}

impl ClientConfig {
    pub(super) fn request(&self, kind: TableKind) -> TableRepr {
        let StreamConfig { job, epoch, rank, .. } = self.stream;
        let request = TableRepr::request(kind, job, epoch, &self.table);
        TableRepr { worker: rank, ..request }
    }
}

/// The outcome of a request of the worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientEvent {
    /// Rows have come, in answer to a packet of a pull.
    Pulled {
        /// Number of ranks in that packet. The rows of those that are missing are not loaded.
        asked: usize,
        /// Ranks of the rows.
        ranks: Vec<u32>,
        /// The rows, in the job's byte order.
        rows: Vec<u8>,
    },
}

/// Totals of a worker's table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientCounters {
    /// Pushes that were acknowledged.
    pub pushes: u64,
    /// Pairs in them.
    pub pairs: u64,
    /// Pushes and requests that were sent again.
    pub retransmissions: u64,
    /// Bytes of datagrams that were sent.
    pub bytes_sent: u64,
    /// Acknowledgements of pushes that the network has marked (R-ECN-2).
    pub marked: u64,
    /// Recirculations of pushes in a pipeline, each counted once (R-HOT-8).
    pub recirculations: u64,
}

/// Slots of pulls begin after those of pushes.
const PULL_SLOT: u16 = WINDOW as u16;

/// A datagram that is due.
enum Due {
    Pull,
    Push { number: u32, again: bool },
}

/// A worker's side of a table, a state machine without I/O.
///
/// Its driver follows the law of [`Streams`](crate::Streams): after every mutation it drains
/// [`Client::poll_transmit`] and [`Client::poll_event`], and then waits for a datagram or until
/// [`Client::poll_timeout`].
#[derive(Clone)]
pub struct Client {
    pub(super) config: ClientConfig,
    pub(super) pushes: Pushes,
    /// Registers of its window at the switch (R-KEY-3).
    pub(super) registers: u32,
    window: Window,
    recovery: Recovery,
    /// Sent, and not acknowledged.
    outstanding: u32,
    /// The switch is to stop: nothing is sent that was not sent before (R-KEY-16).
    pub(super) going: bool,
    /// Numbers of pushes to be sent again.
    again: VecDeque<u32>,
    pub(super) pulls: Requests,
    events: VecDeque<ClientEvent>,
    pub(super) counters: ClientCounters,
    /// Fills packets for a pipeline, if the table is in one.
    pub(super) pipeline: Option<(Layout, Packer)>,
}

impl Client {
    /// Returns a client that has pushed nothing.
    pub fn new(config: ClientConfig) -> Self {
        let stream = StreamConfig { slots: WINDOW as u16, flows: 1, ..config.stream };
        Self {
            pushes: Pushes::new(stream.terms.byte_order),
            registers: WINDOW,
            window: Window::new(&stream),
            recovery: Recovery::new(stream.timing),
            outstanding: 0,
            going: false,
            again: VecDeque::new(),
            pulls: Requests::new(stream.terms.integrity, PULL_SLOT, 0),
            events: VecDeque::new(),
            counters: ClientCounters::default(),
            pipeline: None,
            config,
        }
    }

    /// Handles a datagram, which may be anything, with its mark of the network. Never panics.
    pub fn handle(&mut self, now_us: u64, datagram: &[u8], ecn: Ecn) {
        let Ok(packet) = TablePacket::new_checked(datagram) else { return };
        let StreamConfig { job, epoch, rank, ref terms, .. } = self.config.stream;
        let repr = packet.repr;
        let own = repr.answer && (repr.job, repr.epoch, repr.worker) == (job, epoch, rank);
        if !own || !packet.is_whole(&terms.integrity) {
            return;
        }
        self.going |= repr.going;
        match repr.kind {
            TableKind::Push => self.acknowledge(now_us, &repr, repr.marked || ecn.is_marked()),
            TableKind::Pull => self.pulled(now_us, &packet, repr.marked || ecn.is_marked()),
            TableKind::Read | TableKind::Windows | TableKind::Load => {}
        }
    }

    fn acknowledge(&mut self, now_us: u64, repr: &TableRepr, marked: bool) {
        let Some(sent) = self.pushes.outstanding(repr.sequence) else { return };
        self.outstanding -= 1;
        self.note_answer(now_us, &sent, marked);
        self.counters.pushes += 1;
        self.counters.pairs += u64::from(repr.pairs);
        self.pushes.acknowledge(repr.sequence);
    }

    /// Takes an answer into account, to what is no longer under way.
    fn note_answer(&mut self, now_us: u64, sent: &Sent, marked: bool) {
        self.window.ended();
        let trip = self.recovery.note_result(now_us, sent);
        let (transmission, next) = (sent.transmission, self.recovery.next_transmission());
        if let Some((rtt_us, measures)) = trip {
            let outstanding = self.under_way() + 1;
            let sample = Sample { now_us, rtt_us, measures, transmission, next, outstanding };
            self.window.sample(&sample);
        }
        if marked {
            self.counters.marked += 1;
            self.window.mark(transmission, next);
        }
    }

    /// Returns how many pushes and pulls are not answered.
    fn under_way(&self) -> u32 {
        self.outstanding + self.pulls.outstanding() as u32
    }

    fn pulled(&mut self, now_us: u64, packet: &TablePacket<'_>, marked: bool) {
        let Some((request, sent)) = self.pulls.answered(&packet.repr) else { return };
        self.note_answer(now_us, &sent, marked);
        let order = self.config.stream.terms.byte_order;
        self.events.push_back(ClientEvent::Pulled {
            asked: request.repr.pairs.into(),
            ranks: ranks(packet.ranks, order).collect(),
            rows: packet.rest.to_vec(),
        });
    }

    /// Returns the next event, oldest first.
    pub fn poll_event(&mut self) -> Option<ClientEvent> {
        self.events.pop_front()
    }

    /// Writes datagrams to `buffer`: as many of one kind and length as are due and fit, at most
    /// `max_segments` (at least 1), and a shorter one at the end. Pushes are for the switch that
    /// the worker has joined at, pulls for the top of the tree (R-KEY-17). Returns all bytes, and
    /// those of the first datagram; `None` if there is nothing to send now.
    ///
    /// # Panics
    /// If `buffer` does not hold one datagram.
    pub fn poll_transmit(
        &mut self,
        now_us: u64,
        buffer: &mut [u8],
        max_segments: usize,
    ) -> Option<(usize, usize)> {
        let (mut len, mut segment, mut segments, mut pulls) = (0, 0, 0, false);
        while segments < max_segments
            && let Some((due, bytes)) = self.due()
        {
            let pull = matches!(due, Due::Pull);
            if segments > 0 && (pull != pulls || bytes > segment || len + bytes > buffer.len()) {
                break;
            }
            pulls = pull;
            let datagram = &mut buffer[len..len + bytes];
            match due {
                Due::Pull => self.write_pull(now_us, datagram),
                Due::Push { number, again } => self.write_push(now_us, number, again, datagram),
            }
            (len, segments) = (len + bytes, segments + 1);
            if segments == 1 {
                segment = bytes;
            } else if bytes < segment {
                break;
            }
        }
        self.counters.bytes_sent += len as u64;
        (len > 0).then_some((len, segment))
    }

    /// Returns what goes out next, and its bytes. Callers wait for pulls, so these are first.
    fn due(&mut self) -> Option<(Due, usize)> {
        let room = self.window.rounds().saturating_sub(self.under_way());
        if let Some(bytes) = self.pulls.next_bytes(self.pulls.outstanding() + room as usize) {
            return Some((Due::Pull, bytes));
        }
        let bytes = |pushes: &Pushes, number| TABLE_HEADER_BYTES + pushes.body(number).1.len();
        while let Some(&number) = self.again.front() {
            if self.pushes.outstanding(number).is_some() {
                return Some((Due::Push { number, again: true }, bytes(&self.pushes, number)));
            }
            self.again.pop_front();
        }
        if self.going {
            return None;
        }
        let number = self.pushes.next(self.registers).filter(|_| room > 0)?;
        Some((Due::Push { number, again: false }, bytes(&self.pushes, number)))
    }

    fn write_pull(&mut self, now_us: u64, datagram: &mut [u8]) {
        let written = self.pulls.poll_transmit(now_us, usize::MAX, &mut self.recovery, datagram);
        debug_assert_eq!(written, Some(datagram.len()), "it was due");
    }

    fn write_push(&mut self, now_us: u64, number: u32, again: bool, datagram: &mut [u8]) {
        let before = self.pushes.outstanding(number);
        let sent = self.recovery.note_sent(now_us, slot(number), before, false, true);
        let (pairs, body) = self.pushes.body(number);
        datagram[TABLE_HEADER_BYTES..].copy_from_slice(body);
        let repr = self.config.request(TableKind::Push);
        let repr = TableRepr { sequence: number, pairs, repeated: again, ..repr };
        repr.seal(&self.config.stream.terms.integrity, datagram);
        self.pushes.note_sent(number, sent);
        if again {
            self.again.pop_front();
            self.counters.retransmissions += 1;
        } else {
            self.outstanding += 1;
        }
    }

    /// Returns the time at which [`Client::handle_timeout`] has something to do, if it ever has.
    pub fn poll_timeout(&mut self) -> Option<u64> {
        self.recovery.due_us(latest_of(&self.pushes, &self.pulls))
    }

    /// Does what is due at this time.
    pub fn handle_timeout(&mut self, now_us: u64) {
        let probes = [self.pushes.oldest().map(slot), self.pulls.oldest()];
        let latest = latest_of(&self.pushes, &self.pulls);
        for lost in self.recovery.take_lost(now_us, latest, probes) {
            let (slot, overtaken) = match lost {
                Lost::Overtaken(slot) => (slot, true),
                Lost::Silent(slot) => (slot, false),
            };
            if !self.lose(slot) {
                continue;
            }
            if overtaken {
                self.window.lost();
            }
        }
    }

    /// Sends what is under way in a slot again. Returns whether there is anything.
    fn lose(&mut self, slot: SlotIndex) -> bool {
        if slot.0 >= PULL_SLOT {
            return self.pulls.lose(slot);
        }
        let Some(number) = self.number_in(slot) else { return false };
        if !self.again.contains(&number) {
            self.again.push_back(number);
        }
        true
    }

    /// Returns the number of the push that is outstanding in a register of the window (R-KEY-3).
    fn number_in(&self, slot: SlotIndex) -> Option<u32> {
        let oldest = self.pushes.oldest()?;
        let ahead = u32::from(slot.0).wrapping_sub(oldest) % WINDOW;
        Some(oldest.wrapping_add(ahead)).filter(|number| self.pushes.outstanding(*number).is_some())
    }

    /// Returns how many pushes were made: all that were are numbered below.
    pub fn made(&self) -> u32 {
        self.pushes.made()
    }

    /// Notes that the servers of `parts` have stored all pushes numbered below `before`, so that
    /// these need not be kept any more (R-KEY-10).
    pub fn note_stored(&mut self, parts: u64, before: u32) {
        self.pushes.note_stored(parts, before);
    }

    /// Returns the number of pushes that are not acknowledged.
    pub fn unacknowledged(&self) -> usize {
        self.pushes.unacknowledged()
    }

    /// Returns the bytes of pairs that are kept for a replay.
    pub fn kept_bytes(&self) -> usize {
        self.pushes.bytes()
    }

    /// Returns what a server of `parts` is sent when the switch is lost (R-KEY-10).
    pub fn kept(&self, parts: u64) -> impl Iterator<Item = Kept> {
        self.pushes.kept(parts, self.config.table.row_bytes())
    }

    /// Returns whether no pull waits for its answer.
    pub fn has_pulled(&self) -> bool {
        self.pulls.is_idle()
    }

    /// Returns the totals.
    pub fn counters(&self) -> ClientCounters {
        let retransmissions = self.counters.retransmissions + self.pulls.repeated;
        ClientCounters { retransmissions, ..self.counters }
    }
}

/// Returns the register of a worker's window that a push uses, as recovery names it.
fn slot(number: u32) -> SlotIndex {
    SlotIndex((number % WINDOW) as u16)
}

fn latest_of(pushes: &Pushes, pulls: &Requests) -> impl Fn(&Sent) -> bool {
    |sent| {
        if sent.slot.0 >= PULL_SLOT {
            return pulls.is_latest(sent);
        }
        let number = pushes.oldest().map(|oldest| {
            oldest.wrapping_add(u32::from(sent.slot.0).wrapping_sub(oldest) % WINDOW)
        });
        let latest = number.and_then(|number| pushes.outstanding(number));
        latest.is_some_and(|latest| latest.transmission == sent.transmission)
    }
}
