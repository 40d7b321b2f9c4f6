//! The packets that a stream sends.

use netfold_kernels::Lanes;
use netfold_wire::{Direction, HEADER_BYTES, Repr, SlotIndex};

use super::{Again, Stream};

/// Share of a round trip for which results gather, as a divisor (R-WORK-11).
const GATHERED: u64 = 8;

/// Shortest time that is slept for results to gather: a system timer is late by some of it.
const SHORTEST_REST_US: u64 = 200;

/// Longest time that is slept for results to gather.
const LONGEST_REST_US: u64 = 700;

/// Fewest rounds under way of which some gather: those of the smallest window (R-WORK-8).
pub(crate) const GATHERING_ROUNDS: u32 = 16;
use crate::tensor::Tensor;

/// The packets to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// All that is ready.
    Everything,
    /// All but acknowledgements that may wait (R-ACK-6).
    Pressing,
}

/// Datagrams to send to the switch, which [`Stream::poll_transmit`] has written to the caller's
/// buffer: `len` bytes, to be cut every `segment` bytes (the last may be shorter).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmit {
    /// Bytes in the buffer.
    pub len: usize,
    /// Bytes of each datagram but the last.
    pub segment: usize,
}

impl<T: Tensor> Stream<T> {
    /// Writes contributions to `buffer`: as many datagrams of one length as are ready and fit, at
    /// most `max_segments`. `None` when there is nothing to send.
    ///
    /// # Panics
    /// If `buffer` does not hold one full datagram.
    pub fn poll_transmit(
        &mut self,
        now_us: u64,
        buffer: &mut [u8],
        max_segments: usize,
    ) -> Option<Transmit> {
        self.transmit(now_us, buffer, max_segments, Sending::Everything)
    }

    /// Does the same but for acknowledgements that may wait (R-ACK-6), also while a call is in
    /// progress. Before the driver of the stream waits, there must be a [`Stream::poll_transmit`].
    ///
    /// # Panics
    /// As [`Stream::poll_transmit`].
    pub fn poll_transmit_pressing(
        &mut self,
        now_us: u64,
        buffer: &mut [u8],
        max_segments: usize,
    ) -> Option<Transmit> {
        self.transmit(now_us, buffer, max_segments, Sending::Pressing)
    }

    /// Sends the first packet of those that these two would write, as one that does not travel, for
    /// a driver that has the slots at hand. `None` when there is nothing to send.
    pub fn poll_outgoing(&mut self, now_us: u64, what: Sending) -> Option<Outgoing<'_, T>> {
        let slot = self.next_ready(what)?;
        Some(self.send_ready(now_us, slot))
    }

    /// Sends the packet that is due of a slot that [`Stream::next_ready`] has given.
    pub(crate) fn send_ready(&mut self, now_us: u64, slot: SlotIndex) -> Outgoing<'_, T> {
        let round = self.due(slot);
        self.send(now_us, slot, round)
    }

    fn transmit(
        &mut self,
        now_us: u64,
        buffer: &mut [u8],
        max_segments: usize,
        what: Sending,
    ) -> Option<Transmit> {
        let mut transmit = Transmit { len: 0, segment: 0 };
        for _ in 0..max_segments {
            let Some(slot) = self.next_ready(what) else { break };
            let round = self.due(slot);
            let bytes = round.datagram_bytes();
            if (transmit.segment != 0 && bytes > transmit.segment)
                || transmit.len + bytes > buffer.len()
            {
                assert!(transmit.len > 0, "the buffer does not hold one datagram of {bytes} bytes");
                break;
            }
            let last = transmit.segment != 0 && bytes < transmit.segment;
            self.send(now_us, slot, round).write(&mut buffer[transmit.len..transmit.len + bytes]);
            transmit.len += bytes;
            transmit.segment = transmit.segment.max(bytes);
            if last {
                break;
            }
        }
        (transmit.len > 0).then_some(transmit)
    }

    /// Returns how long results may gather before anybody looks for them, in microseconds; `None`
    /// if that is not worth a sleep (R-WORK-11).
    pub fn rest_us(&self) -> Option<u64> {
        let spare = 2 * self.window.rounds() <= self.slots.len() as u32;
        let rest_us = self.recovery.rtt().srtt_us()? / GATHERED;
        (spare && self.outstanding >= GATHERING_ROUNDS && rest_us >= SHORTEST_REST_US)
            .then_some(rest_us.min(LONGEST_REST_US))
    }

    /// Rounds that are under way.
    pub(crate) fn outstanding(&self) -> u32 {
        self.outstanding
    }

    /// Returns whether there may be something to send; if not, [`Stream::poll_transmit`] has
    /// nothing.
    pub fn may_transmit(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// Returns the next slot to send for, left in its place. R-WORK-7: no new round above the
    /// window, but for the lowest position.
    pub(crate) fn next_ready(&mut self, what: Sending) -> Option<SlotIndex> {
        if !self.may_transmit() {
            return None;
        }
        let held = match what {
            Sending::Everything => self.holds_until().is_some(),
            Sending::Pressing => self.held_until_us.is_some(),
        };
        let Self { slots, outbox, window, outstanding, lowest, .. } = self;
        let sent = |slot: SlotIndex| {
            let state = &slots[usize::from(slot.0)];
            // A replayed round waits for no window: it stands before all others.
            state
                .outstanding
                .as_ref()
                .map(|round| round.sent.is_some() || state.replaying.is_some())
        };
        outbox.next(sent, |position| *outstanding < window.rounds() || position == *lowest, held)
    }

    /// Returns the packet that a ready slot sends: its round, or a query about it (R-TIME-6).
    fn due(&self, slot: SlotIndex) -> Repr {
        let round = self.contribution(slot).expect("a ready slot has a round");
        let again =
            self.slots[usize::from(slot.0)].outstanding.as_ref().and_then(|round| round.again);
        let asks = again == Some(Again::Overdue) && round.lane_bytes() > HEADER_BYTES;
        if asks { round.query(self.config.rank) } else { *round }
    }

    /// Sends the packet that is due of a slot.
    fn send(&mut self, now_us: u64, slot: SlotIndex, round: Repr) -> Outgoing<'_, T> {
        let header = self.completed(slot, round);
        self.note_sent(now_us, slot, &header);
        self.counters.packets_sent += 1;
        self.counters.bytes_sent += header.datagram_bytes() as u64;
        Outgoing { stream: self, slot, header }
    }

    fn note_sent(&mut self, now_us: u64, slot: SlotIndex, sent: &Repr) {
        self.outbox.pop(slot);
        let query = matches!(sent.direction, Direction::Query(_));
        let state = &mut self.slots[usize::from(slot.0)];
        if let Some(round) = &mut state.outstanding {
            self.outstanding += u32::from(round.sent.is_none());
            self.counters.queries += u64::from(query);
            if round.again.take().is_some() {
                self.counters.retransmissions += u64::from(!query);
                self.counters.bytes_resent += sent.datagram_bytes() as u64;
            }
            round.sent =
                Some(self.recovery.note_sent(now_us, slot, round.sent, query, round.attended));
        }
    }
}

/// A contribution that goes out now, or a query about one. Its lanes are still in the call's
/// memory.
pub struct Outgoing<'a, T> {
    pub(super) stream: &'a Stream<T>,
    pub(super) slot: SlotIndex,
    pub(super) header: Repr,
}

impl<T: Tensor> Outgoing<'_, T> {
    /// Returns its header.
    pub fn header(&self) -> &Repr {
        &self.header
    }

    /// Returns its lanes for a switch that has the call's memory at hand; `None` if they have to be
    /// [packed](Self::pack).
    pub fn lanes(&self) -> Option<Lanes<'_>> {
        self.stream.lanes(self.slot, &self.header)
    }

    /// Writes its lanes.
    ///
    /// # Panics
    /// If `lanes` are not as long as the header says.
    pub fn pack(&self, lanes: &mut [u8]) {
        if !self.header.empty {
            self.stream.pack(self.slot, &self.header, lanes);
        }
    }

    /// Writes it as a datagram.
    pub(super) fn write(&self, datagram: &mut [u8]) {
        let (header, lanes) =
            datagram.split_first_chunk_mut::<HEADER_BYTES>().expect("a datagram has a header");
        self.header.emit(header);
        self.pack(lanes);
        self.stream.config.terms.integrity.seal(datagram);
    }
}
