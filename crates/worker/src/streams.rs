//! One worker's side of one flow: its two streams, one for each priority (R-STREAM-8).

use netfold_wire::{Ecn, Packet, Position, SlotIndex};

use crate::call::Priority;
use crate::calls::CallId;
use crate::counters::Counters;
use crate::plan::Plan;
use crate::stream::{
    Event, LastRound, Outgoing, Replay, ResumeError, Sending, Stream, StreamConfig, Transmit,
};
use crate::tensor::Tensor;

/// One worker's side of one flow: the streams of its urgent and of its bulk calls. They share the
/// flow's packets and nothing else, so that an urgent call waits for no bulk. It follows the law of
/// a [`Stream`].
pub struct Streams<T> {
    urgent: Stream<T>,
    bulk: Stream<T>,
    /// The first slot of the urgent stream.
    first_urgent: u16,
}

impl<T: Tensor> Streams<T> {
    /// Returns the streams of a flow at their beginning: `bulk` has the settings of the bulk
    /// stream, and its slots are followed by `urgent_slots` of the urgent one.
    ///
    /// # Panics
    /// If either has no slots, or they do not all have a 16-bit number, or `flow` is not one of
    /// `flows`.
    pub fn new(bulk: StreamConfig, urgent_slots: u16) -> Self {
        let first_urgent =
            bulk.first_slot.checked_add(bulk.slots).expect("slots have 16-bit numbers");
        let urgent = StreamConfig { first_slot: first_urgent, slots: urgent_slots, ..bulk };
        Self { urgent: Stream::new(urgent), bulk: Stream::new(bulk), first_urgent }
    }

    /// Puts a call at the end of the stream of its priority; see [`Stream::submit`].
    pub fn submit(&mut self, id: CallId, plan: Plan, tensor: T) {
        match plan.priority() {
            Priority::Urgent => self.urgent.submit(id, plan, tensor),
            Priority::Bulk => self.bulk.submit(id, plan, tensor),
        }
    }

    /// Handles one datagram from the switch, which may be anything, with its mark of the network
    /// (R-ECN-3). Never panics.
    pub fn handle(&mut self, now_us: u64, datagram: &[u8], ecn: Ecn) {
        match Packet::new_checked(datagram) {
            Ok(packet) => self.handle_packet(now_us, &packet.with_ecn(ecn)),
            Err(_) => self.bulk.drop_malformed(datagram.len()),
        }
    }

    /// Handles one packet from the switch, which may be any; see [`Streams::handle`].
    pub fn handle_packet(&mut self, now_us: u64, packet: &Packet<'_>) {
        let urgent = packet.repr().slot.0 >= self.first_urgent;
        let stream = if urgent { &mut self.urgent } else { &mut self.bulk };
        stream.handle_packet(now_us, packet);
    }

    /// Sends rounds again that are taken for lost; see [`Stream::handle_timeout`].
    pub fn handle_timeout(&mut self, now_us: u64) {
        self.urgent.handle_timeout(now_us);
        self.bulk.handle_timeout(now_us);
    }

    /// Returns the time at which [`Streams::handle_timeout`] is due, which may be now; `None` if
    /// nothing is outstanding.
    pub fn poll_timeout(&mut self) -> Option<u64> {
        self.urgent.poll_timeout().into_iter().chain(self.bulk.poll_timeout()).min()
    }

    /// Writes contributions to `buffer`, all of one stream: nothing of the bulk stream as long as
    /// the urgent one has anything (R-STREAM-10). See [`Stream::poll_transmit`].
    ///
    /// # Panics
    /// If `buffer` does not hold one full datagram.
    pub fn poll_transmit(
        &mut self,
        now_us: u64,
        buffer: &mut [u8],
        max_segments: usize,
    ) -> Option<Transmit> {
        let urgent = self.urgent.poll_transmit(now_us, buffer, max_segments);
        urgent.or_else(|| self.bulk.poll_transmit(now_us, buffer, max_segments))
    }

    /// Does the same without packets that may wait; see [`Stream::poll_transmit_pressing`].
    ///
    /// # Panics
    /// As [`Streams::poll_transmit`].
    pub fn poll_transmit_pressing(
        &mut self,
        now_us: u64,
        buffer: &mut [u8],
        max_segments: usize,
    ) -> Option<Transmit> {
        let urgent = self.urgent.poll_transmit_pressing(now_us, buffer, max_segments);
        urgent.or_else(|| self.bulk.poll_transmit_pressing(now_us, buffer, max_segments))
    }

    /// Sends the first packet of those that these two would write, as one that does not travel; see
    /// [`Stream::poll_outgoing`].
    pub fn poll_outgoing(&mut self, now_us: u64, what: Sending) -> Option<Outgoing<'_, T>> {
        let (stream, slot) = match self.urgent.next_ready(what) {
            Some(slot) => (&mut self.urgent, slot),
            None => {
                let slot = self.bulk.next_ready(what)?;
                (&mut self.bulk, slot)
            }
        };
        Some(stream.send_ready(now_us, slot))
    }

    /// Returns whether [`Streams::poll_outgoing`] has something.
    pub fn has_ready(&mut self, what: Sending) -> bool {
        self.urgent.next_ready(what).is_some() || self.bulk.next_ready(what).is_some()
    }

    /// Returns whether there may be something to send; if not, [`Streams::poll_transmit`] has
    /// nothing.
    pub fn may_transmit(&self) -> bool {
        self.urgent.may_transmit() || self.bulk.may_transmit()
    }

    /// Returns how long results may gather before anybody looks for them, in microseconds; see
    /// [`Stream::rest_us`]. An urgent call waits for none.
    pub fn rest_us(&self) -> Option<u64> {
        if self.urgent.first_call().is_some() { None } else { self.bulk.rest_us() }
    }

    /// Returns the next outcome of a call, oldest first within each stream.
    pub fn poll_event(&mut self) -> Option<Event<T>> {
        self.urgent.poll_event().or_else(|| self.bulk.poll_event())
    }

    /// Gives up every call from `first` on that is not done; see [`Stream::abandon`].
    pub fn abandon(&mut self, first: CallId) -> impl Iterator<Item = (CallId, T)> {
        self.urgent.abandon(first).chain(self.bulk.abandon(first))
    }

    /// Returns the last round that each slot of the flow has done, in the order of slots (R-RES-2).
    pub fn last_rounds(&self) -> impl Iterator<Item = LastRound> {
        self.bulk.last_rounds().chain(self.urgent.last_rounds())
    }

    /// Goes on at another switch, with the configuration of the bulk stream there; see
    /// [`Stream::resume`].
    ///
    /// # Errors
    /// [`ResumeError`]; the streams must not be used any more, but for [`Streams::abandon`].
    ///
    /// # Panics
    /// If `bulk` has other slots, rank or flows than the stream.
    pub fn resume(&mut self, bulk: StreamConfig, replays: &[Replay]) -> Result<(), ResumeError> {
        let urgent =
            StreamConfig { first_slot: self.first_urgent, slots: self.urgent.slots(), ..bulk };
        self.urgent.resume(urgent, replays)?;
        self.bulk.resume(bulk, replays)
    }

    /// Returns whether a round that must be replayed is not done; see [`Stream::is_replaying`].
    pub fn is_replaying(&self) -> bool {
        self.urgent.is_replaying() || self.bulk.is_replaying()
    }

    /// Returns the call whose block stands at `position` in the stream of `slot`, as errors show
    /// it, and which of its elements stands at `lane` there; `None` if none that is in progress
    /// does.
    pub fn describe(
        &self,
        slot: SlotIndex,
        position: Position,
        lane: Option<u16>,
    ) -> Option<String> {
        self.stream_of(slot).describe(position, lane)
    }

    /// Returns the bulk call in progress that was made first.
    pub fn first_bulk_call(&self) -> Option<CallId> {
        self.bulk.first_call()
    }

    /// Returns the call with this number, as errors show it; `None` if it is not in progress on
    /// this flow.
    pub fn call(&self, id: CallId) -> Option<String> {
        self.urgent.call(id).or_else(|| self.bulk.call(id))
    }

    /// Totals of both since they were made.
    pub fn counters(&self) -> Counters {
        self.urgent.counters().plus(self.bulk.counters())
    }

    /// Returns the smoothed round trip and the timeout as they stand, in microseconds: those of the
    /// bulk stream, once it has measured any.
    pub fn rtt_rto_us(&self) -> (u64, u64) {
        match self.bulk.rtt_rto_us() {
            (0, _) => self.urgent.rtt_rto_us(),
            measured => measured,
        }
    }

    /// Rounds that may be outstanding in the bulk stream as it stands (R-WORK-7), at most the
    /// number of its slots.
    pub fn window(&self) -> u32 {
        self.bulk.window()
    }

    fn stream_of(&self, slot: SlotIndex) -> &Stream<T> {
        if slot.0 < self.first_urgent { &self.bulk } else { &self.urgent }
    }
}
