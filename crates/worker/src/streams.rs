//! One worker's side of one flow: its streams, one for each priority (R-STREAM-8), and in some jobs
//! one of exchanges (R-STREAM-16) and one of long calls (R-STREAM-21).

use netfold_wire::{Ecn, Packet, Position, SlotIndex};

use crate::call::Priority;
use crate::calls::CallId;
use crate::counters::Counters;
use crate::lent::{Lent, Needs, Waiting};
use crate::plan::Plan;
use crate::stream::{
    Event, GATHERING_ROUNDS, LastRound, Outgoing, Replay, ResumeError, Sending, Stream,
    StreamConfig, Transmit,
};
use crate::tensor::Tensor;

/// One worker's side of one flow: the streams of its urgent calls, of its exchanges, and of its
/// other bulk calls. They share the flow's packets and nothing else, so that an urgent call waits
/// for no bulk. It follows the law of a [`Stream`].
///
/// Calls may wait for slots that the switch lends (R-CTRL-25): after every call and every answer
/// ask [`Streams::poll_slot_request`], and tell the switch's answer to
/// [`Streams::take_slot_answer`].
pub struct Streams<T> {
    urgent: Stream<T>,
    /// `None` if the job has no exchange slots.
    exchange: Option<Stream<T>>,
    bulk: Stream<T>,
    /// Of long calls; `None` if the job has no lent slots.
    long: Option<Stream<T>>,
    lent: Option<Lent<T>>,
    /// The first slot of the urgent stream, and the first ones after it.
    first_urgent: u16,
    first_long: u16,
    first_exchange: u16,
}

/// Slots of a flow's streams, those of the bulk stream aside. They follow that stream's in this
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherSlots {
    /// Slots of the urgent stream.
    pub urgent: u16,
    /// Slots of the stream of long calls; 0 if the job has none. If it has, the exchange slots are
    /// lent as these are (R-CTRL-25).
    pub long: u16,
    /// Slots that keep operands apart (R-SLOT-13); 0 if the job has none.
    pub exchange: u16,
}

impl<T: Tensor> Streams<T> {
    /// Returns the streams of a flow at their beginning: `bulk` has the settings of the bulk
    /// stream, whose slots the `others` follow.
    ///
    /// # Panics
    /// If the bulk or the urgent stream has no slots, or they do not all have a 16-bit number, or
    /// `flow` is not one of `flows`.
    pub fn new(bulk: StreamConfig, others: OtherSlots) -> Self {
        let after =
            |first: u16, slots| first.checked_add(slots).expect("slots have 16-bit numbers");
        let first_urgent = after(bulk.first_slot, bulk.slots);
        let first_long = after(first_urgent, others.urgent);
        let first_exchange = after(first_long, others.long);
        let stream = |first_slot, slots| Stream::new(StreamConfig { first_slot, slots, ..bulk });
        let bulk_slots = u64::from(bulk.slots) * u64::from(bulk.flows);
        Self {
            urgent: stream(first_urgent, others.urgent),
            exchange: (others.exchange > 0).then(|| stream(first_exchange, others.exchange)),
            bulk: Stream::new(bulk),
            long: (others.long > 0).then(|| stream(first_long, others.long)),
            lent: (others.long > 0).then(|| Lent::new(bulk_slots)),
            first_urgent,
            first_long,
            first_exchange,
        }
    }

    /// Puts a call at the end of its stream, or has it wait for lent slots; see
    /// [`Stream::submit`].
    pub fn submit(&mut self, id: CallId, plan: Plan, tensor: T) {
        let has_exchange = self.exchange.is_some();
        let here = |plan: Plan| if has_exchange { plan.in_exchange_slots() } else { plan };
        let Some(lent) = &mut self.lent else {
            let plan = here(plan);
            let needs = if plan.is_exchange() { Needs::Exchange } else { Needs::Usual };
            return self.enter(Waiting { id, plan, tensor, needs });
        };
        let with_slots = here(plan.clone());
        let needs = lent.needs(&with_slots);
        // An exchange is one only if it gets the slots, and bulk in either case.
        let plan = match needs {
            Needs::Exchange => plan.with_priority_of(&with_slots),
            _ => with_slots,
        };
        if let Some(call) = lent.take(Waiting { id, plan, tensor, needs }) {
            self.enter(call);
        }
    }

    /// Puts a call at the end of its stream. The slots that it needs are there.
    fn enter(&mut self, Waiting { id, plan, tensor, needs }: Waiting<T>) {
        let plan = if needs == Needs::Exchange { plan.in_exchange_slots() } else { plan };
        let stream = match (needs, plan.priority()) {
            (Needs::Exchange, _) => self.exchange.as_mut(),
            (Needs::Long, _) => self.long.as_mut(),
            (Needs::Usual, Priority::Urgent) => Some(&mut self.urgent),
            (Needs::Usual, Priority::Bulk) => Some(&mut self.bulk),
        };
        if let Some(stream) = stream {
            stream.submit(id, plan, tensor);
        }
    }

    /// Returns the number of the call for which the switch is to be asked for lent slots
    /// (R-CTRL-25), once for each.
    pub fn poll_slot_request(&mut self) -> Option<u64> {
        self.lent.as_mut()?.poll_request()
    }

    /// Takes the switch's answer about the call of this number: whether the slots are lent. An
    /// answer that is not awaited changes nothing.
    pub fn take_slot_answer(&mut self, number: u64, are_lent: bool) {
        let Some(lent) = &mut self.lent else { return };
        for call in lent.answered(number, are_lent) {
            self.enter(Waiting { needs: if are_lent { call.needs } else { Needs::Usual }, ..call });
        }
    }

    /// Returns the lent slots, if nothing needs them (R-CTRL-25), and returns the number of calls
    /// that have needed them; `None` if something does, or the job has none.
    pub fn return_slots(&mut self) -> Option<u64> {
        let lent_streams = [self.long.as_ref(), self.exchange.as_ref()];
        let at_rest = lent_streams.into_iter().flatten().all(Stream::is_at_rest);
        self.lent.as_mut().filter(|_| at_rest)?.give_back()
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
        let slot = packet.repr().slot.0;
        let stream = match (&mut self.exchange, &mut self.long) {
            (Some(exchange), _) if slot >= self.first_exchange => exchange,
            (_, Some(long)) if slot >= self.first_long => long,
            _ if slot >= self.first_urgent => &mut self.urgent,
            _ => &mut self.bulk,
        };
        stream.handle_packet(now_us, packet);
    }

    /// Sends rounds again that are taken for lost; see [`Stream::handle_timeout`].
    pub fn handle_timeout(&mut self, now_us: u64) {
        self.each().for_each(|stream| stream.handle_timeout(now_us));
    }

    /// Returns the time at which [`Streams::handle_timeout`] is due, which may be now; `None` if
    /// nothing is outstanding.
    pub fn poll_timeout(&mut self) -> Option<u64> {
        self.each().filter_map(Stream::poll_timeout).min()
    }

    /// Writes contributions to `buffer`, all of one stream: nothing of the bulk stream as long as
    /// another one has anything (R-STREAM-10, R-STREAM-16). See [`Stream::poll_transmit`].
    ///
    /// # Panics
    /// If `buffer` does not hold one full datagram.
    pub fn poll_transmit(
        &mut self,
        now_us: u64,
        buffer: &mut [u8],
        max_segments: usize,
    ) -> Option<Transmit> {
        self.each().find_map(|stream| stream.poll_transmit(now_us, buffer, max_segments))
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
        self.each().find_map(|stream| stream.poll_transmit_pressing(now_us, buffer, max_segments))
    }

    /// Sends the first packet of those that these two would write, as one that does not travel; see
    /// [`Stream::poll_outgoing`].
    pub fn poll_outgoing<'a>(&'a mut self, now_us: u64, what: Sending) -> Option<Outgoing<'a, T>> {
        let ready = |stream: &'a mut Stream<T>| Some((stream.next_ready(what)?, stream));
        let (slot, stream) = self.each().find_map(ready)?;
        Some(stream.send_ready(now_us, slot))
    }

    /// Returns whether [`Streams::poll_outgoing`] has something.
    pub fn has_ready(&mut self, what: Sending) -> bool {
        self.each().any(|stream| stream.next_ready(what).is_some())
    }

    /// Returns whether there may be something to send; if not, [`Streams::poll_transmit`] has
    /// nothing.
    pub fn may_transmit(&self) -> bool {
        self.all().any(Stream::may_transmit)
    }

    /// Returns how long results may gather before anybody looks for them, in microseconds; see
    /// [`Stream::rest_us`]. An urgent call waits for none.
    pub fn rest_us(&self) -> Option<u64> {
        let busy = |stream: &&Stream<T>| stream.first_call().is_some();
        if busy(&&self.urgent) {
            return None;
        }
        let rests = self.all().filter(busy).map(Stream::rest_us);
        rests.reduce(|one, other| Some(one?.min(other?))).flatten()
    }

    /// Returns whether so few rounds are under way that nothing is gained if their results gather
    /// (R-WORK-11).
    pub fn awaits_few(&self) -> bool {
        self.all().map(Stream::outstanding).sum::<u32>() < GATHERING_ROUNDS
    }

    /// Returns the next outcome of a call, oldest first within each stream.
    pub fn poll_event(&mut self) -> Option<Event<T>> {
        self.each().find_map(Stream::poll_event)
    }

    /// Gives up every call from `first` on that is not done; see [`Stream::abandon`].
    pub fn abandon(&mut self, first: CallId) -> impl Iterator<Item = (CallId, T)> {
        let waiting = self.lent.as_mut().map(|lent| lent.abandon(first)).unwrap_or_default();
        let waiting = waiting.into_iter().map(|call| (call.id, call.tensor));
        waiting.chain(self.each().flat_map(move |stream| stream.abandon(first)))
    }

    /// Returns the last round that each slot of the flow has done, in the order of slots (R-RES-2).
    pub fn last_rounds(&self) -> impl Iterator<Item = LastRound> {
        let others = self.long.iter().chain(&self.exchange).flat_map(Stream::last_rounds);
        self.bulk.last_rounds().chain(self.urgent.last_rounds()).chain(others)
    }

    /// Goes on at another switch, with the configuration of the bulk stream there; see
    /// [`Stream::resume`].
    ///
    /// # Errors
    /// [`ResumeError`]; the streams must not be used any more, but for [`Streams::abandon`].
    ///
    /// # Panics
    /// If `bulk` has other slots, rank or flows than the stream, or slots are lent.
    pub fn resume(&mut self, bulk: StreamConfig, replays: &[Replay]) -> Result<(), ResumeError> {
        assert!(self.lent.is_none(), "a job that is resumed has no lent slots (R-CTRL-25)");
        let stream = |first_slot, stream: &mut Stream<T>| {
            stream.resume(StreamConfig { first_slot, slots: stream.slots(), ..bulk }, replays)
        };
        stream(self.first_urgent, &mut self.urgent)?;
        if let Some(exchange) = &mut self.exchange {
            stream(self.first_exchange, exchange)?;
        }
        self.bulk.resume(bulk, replays)
    }

    /// Returns whether a round that must be replayed is not done; see [`Stream::is_replaying`].
    pub fn is_replaying(&self) -> bool {
        self.all().any(Stream::is_replaying)
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
        let mut waiting = self.lent.iter().flat_map(Lent::waiting);
        let in_progress = self.all().find_map(|stream| stream.call(id));
        in_progress.or_else(|| Some(waiting.find(|call| call.id == id)?.in_words()))
    }

    /// Totals of all since they were made.
    pub fn counters(&self) -> Counters {
        self.all().fold(Counters::default(), |sum, stream| sum.plus(stream.counters()))
    }

    /// Returns the smoothed round trip and the timeout as they stand, in microseconds: those of the
    /// stream of long calls, or of the bulk stream, once it has measured any.
    pub fn rtt_rto_us(&self) -> (u64, u64) {
        let measured =
            |stream: &Stream<T>| Some(stream.rtt_rto_us()).filter(|(rtt_us, _)| *rtt_us > 0);
        let others = || self.exchange.as_ref().and_then(measured);
        let bulk = self.long.iter().chain([&self.bulk]).find_map(measured);
        bulk.or_else(others).unwrap_or_else(|| self.urgent.rtt_rto_us())
    }

    /// Rounds that may be outstanding in the bulk stream, or in that of long calls, as it stands
    /// (R-WORK-7), at most the number of its slots.
    pub fn window(&self) -> u32 {
        self.long.as_ref().unwrap_or(&self.bulk).window()
    }

    fn stream_of(&self, slot: SlotIndex) -> &Stream<T> {
        match (&self.exchange, &self.long) {
            (Some(exchange), _) if slot.0 >= self.first_exchange => exchange,
            (_, Some(long)) if slot.0 >= self.first_long => long,
            _ if slot.0 >= self.first_urgent => &self.urgent,
            _ => &self.bulk,
        }
    }

    /// The streams, those first that send before the others.
    fn each(&mut self) -> impl Iterator<Item = &mut Stream<T>> {
        let Self { urgent, exchange, bulk, long, .. } = self;
        [Some(urgent), exchange.as_mut(), Some(bulk), long.as_mut()].into_iter().flatten()
    }

    /// The same, to read.
    fn all(&self) -> impl Iterator<Item = &Stream<T>> {
        let Self { urgent, exchange, bulk, long, .. } = self;
        [Some(urgent), exchange.as_ref(), Some(bulk), long.as_ref()].into_iter().flatten()
    }
}
