//! One worker's side of one stream: SwitchML's algorithm 4 (section 4.5), where a stream does not
//! end with a tensor.

mod acknowledgement;
mod explore;
mod outgoing;
mod resume;
mod rounds;

use std::collections::VecDeque;

use netfold_num::Exponent;
use netfold_wire::{
    Direction, Ecn, Epoch, JobId, Packet, Pool, Position, Repr, SlotIndex, Terms, WorkerId,
};

use crate::calls::{Active, CallId, Calls};
use crate::counters::Counters;
use crate::outbox::Outbox;
use crate::plan::{Block, Plan};
use crate::recovery::{Lost, Recovery, Sent};
use crate::rtt::Timing;
use crate::tensor::Tensor;
use crate::window::{Sample, Window};

pub use explore::{Progress, RoundProgress, SlotProgress};
pub(crate) use outgoing::GATHERING_ROUNDS;
pub use outgoing::{Outgoing, Sending, Transmit};
pub use resume::{LastRound, Replay, ResumeError};

use resume::{Kept, Replaying};
use rounds::takes_lanes;

/// Settings of a stream, as the switch has told them (R-CTRL-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamConfig {
    /// The job.
    pub job: JobId,
    /// Its epoch.
    pub epoch: Epoch,
    /// This worker.
    pub rank: WorkerId,
    /// The stream's first slot in its flow (R-STREAM-8).
    pub first_slot: u16,
    /// Its slots.
    pub slots: u16,
    /// This flow among the job's flows, 0 to `flows` - 1.
    pub flow: u16,
    /// Flows of the job.
    pub flows: u16,
    /// Terms of the job.
    pub terms: Terms,
    /// Bounds of the retransmission timeout.
    pub timing: Timing,
}

/// The outcome of a call.
#[derive(Clone, Debug)]
pub enum Event<T> {
    /// All blocks of the call that this flow carries are done; its memory comes back.
    Completed(CallId, T),
}

/// A round that has been started and whose result has not come.
#[derive(Clone)]
struct Outstanding {
    /// This worker's contribution to it, but for `next_exponent` where that is not known before.
    header: Repr,
    /// The block of the round; `None` for an acknowledgement, and in a replay of a round that has
    /// been done here before.
    block: Option<Block>,
    /// Its latest transmission. `None` until the first.
    sent: Option<Sent>,
    /// Every worker had submitted the block when this one came to it (R-TIME-2).
    attended: bool,
    /// It waits to be sent again, and why.
    again: Option<Again>,
}

/// The reason why a round is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Again {
    /// It may be lost, or wait for another worker: the switch is asked, unless the round is about
    /// as short as the query (R-TIME-6).
    Overdue,
    /// The switch has asked for it (R-TIME-7).
    Recalled,
}

#[derive(Clone)]
struct Slot {
    /// Copy that the next round uses.
    pool: Pool,
    /// Position of the block that the slot is at, not wrapped.
    position: u64,
    /// Exponent that all workers have agreed on for that block.
    agreed: Exponent,
    /// The block has had a Classes round.
    special: bool,
    /// The sum of its Values round has overflowed: it is folded again (R-WORK-4).
    overflowed: bool,
    outstanding: Option<Outstanding>,
    /// The acknowledgement of the round before, which all have to send before the slot goes on
    /// (R-ACK-1). It is outstanding, unless that round is replayed first.
    acknowledging: Option<Repr>,
    /// Its last round, as far as a replay would need it.
    kept: Option<Kept>,
    /// The round that it replays; what is outstanding is that one.
    replaying: Option<Replaying>,
}

/// One worker's side of one stream of a flow. Within it, slots count from 0.
#[derive(Clone)]
pub struct Stream<T> {
    config: StreamConfig,
    slots: Box<[Slot]>,
    calls: Calls<T>,
    outbox: Outbox,
    recovery: Recovery,
    window: Window,
    /// Rounds that have been sent and not been answered.
    outstanding: u32,
    /// Slots that replay a round, so that nobody has to look for them.
    replaying: u32,
    /// The lowest position that is not done.
    lowest: u64,
    /// Time at which acknowledgements go out that may wait, as long as nothing else sends them
    /// (R-ACK-6); `None` if none is new.
    held_until_us: Option<u64>,
    events: VecDeque<Event<T>>,
    counters: Counters,
}

impl<T: Tensor> Stream<T> {
    /// Returns a stream at its beginning.
    ///
    /// # Panics
    /// If there are no slots, or some without a 16-bit number, or `flow` is not one of `flows`.
    pub fn new(config: StreamConfig) -> Self {
        let numbered = config.first_slot.checked_add(config.slots).is_some();
        assert!(numbered && config.slots > 0 && config.flow < config.flows, "{config:?}");
        let slot = |index| Slot {
            pool: Pool::Even,
            position: index,
            agreed: Exponent::UNKNOWN,
            special: false,
            overflowed: false,
            outstanding: None,
            acknowledging: None,
            kept: None,
            replaying: None,
        };
        Self {
            slots: (0..u64::from(config.slots)).map(slot).collect(),
            calls: Calls::new(config.flow, config.flows),
            outbox: Outbox::default(),
            recovery: Recovery::new(config.timing),
            window: Window::new(&config),
            outstanding: 0,
            replaying: 0,
            lowest: 0,
            held_until_us: None,
            events: VecDeque::new(),
            counters: Counters::default(),
            config,
        }
    }

    /// Puts a call at the end of the stream; `id`, its number in the job, is greater than those
    /// before. Its [`Event::Completed`] may come at once, if none of its blocks are on this flow.
    pub fn submit(&mut self, id: CallId, plan: Plan, mut tensor: T) {
        if self.config.flow == 0 {
            tensor.keep();
        }
        let positions = match self.calls.push(id, plan, tensor) {
            Ok(positions) => positions,
            Err(tensor) => return self.events.push_back(Event::Completed(id, tensor)),
        };
        for position in positions.take(self.config.slots.into()) {
            let slot = self.slot_of(position);
            let state = &self.slots[usize::from(slot.0)];
            if state.outstanding.is_none() && state.position == position {
                self.start_round(slot, false);
            }
        }
    }

    /// Handles one datagram from the switch, which may be anything, with its mark of the network
    /// (R-ECN-3). Never panics.
    pub fn handle(&mut self, now_us: u64, datagram: &[u8], ecn: Ecn) {
        match Packet::new_checked(datagram) {
            Ok(packet) => self.handle_packet(now_us, &packet.with_ecn(ecn)),
            Err(_) => self.drop_malformed(datagram.len()),
        }
    }

    /// Counts a datagram of so many bytes that is no packet.
    pub(crate) fn drop_malformed(&mut self, bytes: usize) {
        self.counters.packets_received += 1;
        self.counters.bytes_received += bytes as u64;
        self.counters.dropped += 1;
    }

    /// Handles one packet from the switch, which may be any; see [`Stream::handle`].
    pub fn handle_packet(&mut self, now_us: u64, packet: &Packet<'_>) {
        self.counters.packets_received += 1;
        self.counters.bytes_received += packet.datagram_bytes() as u64;
        let result = packet.repr();
        let own_slot = result
            .slot
            .0
            .checked_sub(self.config.first_slot)
            .filter(|slot| *slot < self.config.slots);
        let Some(slot) = own_slot
            .filter(|_| self.is_for_us(result) && packet.is_whole(&self.config.terms.integrity))
        else {
            self.counters.dropped += 1;
            return;
        };
        self.take(now_us, SlotIndex(slot), result, packet.lanes());
    }

    /// Takes a result, or a recall, of a slot of this stream.
    fn take(&mut self, now_us: u64, slot: SlotIndex, result: &Repr, lanes: &[u8]) {
        // R-WORK-2
        let key = |round: &Repr| (round.pool, round.position, round.kind);
        let Some(awaited) = self.awaited(slot).filter(|awaited| key(awaited) == key(result)) else {
            self.counters.duplicates += 1;
            return;
        };
        let recall = matches!(result.direction, Direction::Recall(_));
        let own = self.own_round(slot);
        let lanes_due = !recall && own.is_some_and(|(round, block)| takes_lanes(round, block));
        let elements = match own {
            _ if result.empty || !awaited.delivery.folds_prefixes() => awaited.elements,
            // R-SLOT-13
            Some((_, block)) => self.active(slot).plan.result_elements(block),
            None => result.elements,
        };
        let same = result.call == awaited.call
            && result.elements == elements
            && result.element_type == awaited.element_type
            && !(lanes_due && result.empty && !result.overflowed);
        if !same {
            self.counters.dropped += 1;
            return;
        }
        if recall {
            return self.note_recall(now_us, slot);
        }
        let own = own.map(|(round, block)| (*round, *block));
        self.note_result(now_us, slot, result.marked);
        let replayed = self.end_replay(slot);
        match own {
            Some((round, block)) => self.take_result(slot, &round, &block, result, lanes),
            None => self.end_bare_round(slot, replayed),
        }
        self.hold_acknowledgements(now_us);
    }

    /// Sends again, or asks for, what is taken for lost (R-TIME-4 to R-TIME-6), and lets go of what
    /// is held (R-ACK-6). Call it at [`Stream::poll_timeout`] or later.
    pub fn handle_timeout(&mut self, now_us: u64) {
        for lost in self.recovery.take_lost(now_us, latest_of(&self.slots), self.probes()) {
            let (Lost::Overtaken(slot) | Lost::Silent(slot)) = lost;
            self.counters.fast_retransmissions += u64::from(matches!(lost, Lost::Overtaken(_)));
            self.send_again(slot, Again::Overdue);
        }
        self.held_until_us = self.held_until_us.filter(|until_us| now_us < *until_us);
    }

    /// Returns the time at which [`Stream::handle_timeout`] is due, which may be now; `None` if
    /// nothing is outstanding or held.
    pub fn poll_timeout(&mut self) -> Option<u64> {
        let held_until_us = self.holds_until();
        self.recovery.due_us(latest_of(&self.slots)).into_iter().chain(held_until_us).min()
    }

    /// Returns the next outcome of a call, oldest first.
    pub fn poll_event(&mut self) -> Option<Event<T>> {
        self.events.pop_front()
    }

    /// Gives up every call from `first` on that is not done, and returns their memory. What came
    /// before goes on; nothing may be submitted afterwards, since other workers may have sent
    /// blocks of these calls.
    pub fn abandon(&mut self, first: CallId) -> impl Iterator<Item = (CallId, T)> {
        let given_up = self.calls.abandon(first);
        // Others still need the rounds that are replayed.
        let given_up_slot =
            |slot: &&mut Slot| slot.position >= self.calls.end() && slot.replaying.is_none();
        for slot in self.slots.iter_mut().filter(given_up_slot) {
            let round = slot.outstanding.take();
            self.outstanding -= u32::from(round.is_some_and(|round| round.sent.is_some()));
        }
        given_up
    }

    /// Returns the call whose block stands at `position`, as errors show it, and which of its
    /// elements stands at `lane` there; `None` if none that is in progress does.
    pub fn describe(&self, position: Position, lane: Option<u16>) -> Option<String> {
        let (call, block) = self.calls.at_wire(position)?;
        let element = lane.map(|lane| call.plan.element(block, lane));
        let unit = if call.plan.by_user() { "byte" } else { "element" };
        let of = element.map_or_else(String::new, |element| format!("{unit} {element} of "));
        Some(format!("{of}{} as call {}", call.in_words(), call.id().0 + 1))
    }

    /// Returns the call in progress that was made first.
    pub fn first_call(&self) -> Option<CallId> {
        self.calls.first()
    }

    /// Returns the call with this number, as errors show it; `None` if it is not in progress on
    /// this stream.
    pub fn call(&self, id: CallId) -> Option<String> {
        self.calls.named(id).map(Active::in_words)
    }

    /// Returns whether no call is in progress, and no round is under way or to be sent.
    pub(crate) fn is_at_rest(&self) -> bool {
        let is_still = |slot: &Slot| slot.outstanding.is_none() && slot.replaying.is_none();
        self.calls.first().is_none() && self.slots.iter().all(is_still)
    }

    /// Totals since the stream was made.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Returns the smoothed round trip and the timeout as they stand, in microseconds.
    pub fn rtt_rto_us(&self) -> (u64, u64) {
        let rtt = self.recovery.rtt();
        (rtt.srtt_us().unwrap_or(0), rtt.timeout_us(false))
    }

    /// Rounds that may be outstanding as it stands (R-WORK-7), at most the number of slots.
    pub fn window(&self) -> u32 {
        self.window.rounds()
    }

    /// Returns the number of its slots.
    pub(crate) fn slots(&self) -> u16 {
        self.config.slots
    }

    fn slot_of(&self, position: u64) -> SlotIndex {
        // R-STREAM-3
        SlotIndex((position % u64::from(self.config.slots)) as u16)
    }

    fn is_for_us(&self, result: &Repr) -> bool {
        let mine = match result.direction {
            Direction::Result(to) => to.is_none_or(|to| to == self.config.rank),
            Direction::Recall(to) => to == self.config.rank,
            Direction::Contribution(_) | Direction::Query(_) => false,
        };
        mine && (result.job, result.epoch) == (self.config.job, self.config.epoch)
    }

    /// R-TIME-4: returns the slot of the lowest position that is not done, if its round has been
    /// sent; before that, a round that is replayed. If it is an acknowledgement, also the lowest
    /// position that is not an acknowledgement (R-ACK-4).
    fn probes(&self) -> [Option<SlotIndex>; 2] {
        if let Some(slot) = self.replayed_round() {
            return [Some(slot), None];
        }
        let state = |slot: SlotIndex| &self.slots[usize::from(slot.0)];
        let is_out = |slot: &SlotIndex| {
            state(*slot).outstanding.as_ref().is_some_and(|round| round.sent.is_some())
        };
        let lowest = self.slot_of(self.lowest);
        if state(lowest).acknowledging.is_none() {
            return [Some(lowest).filter(is_out), None];
        }
        let slots = (0..self.config.slots).map(SlotIndex);
        let with_data = slots.filter(|slot| state(*slot).acknowledging.is_none()).filter(is_out);
        [Some(lowest).filter(is_out), with_data.min_by_key(|slot| state(*slot).position)]
    }

    fn send_again(&mut self, slot: SlotIndex, why: Again) {
        let round = self.slots[usize::from(slot.0)]
            .outstanding
            .as_mut()
            .expect("only what is outstanding is lost");
        if round.again.replace(why).is_none() {
            self.outbox.push_again(slot);
        }
    }

    /// R-TIME-7: sends the round again at once, unless it has gone out since the query.
    fn note_recall(&mut self, now_us: u64, slot: SlotIndex) {
        let round = self.slots[usize::from(slot.0)].outstanding.as_ref();
        match round.and_then(|round| round.sent) {
            Some(sent) if sent.query => {
                self.recovery.note_recall(now_us, &sent);
                self.window.lost();
                self.send_again(slot, Again::Recalled);
            }
            _ => self.counters.duplicates += 1,
        }
    }

    fn note_result(&mut self, now_us: u64, slot: SlotIndex, marked: bool) {
        self.counters.rounds += 1;
        let round = self.slots[usize::from(slot.0)].outstanding.as_ref();
        let sent = round
            .and_then(|round| round.sent)
            .expect("a result is taken only for a round that was sent");
        self.window.ended();
        if let Some((rtt_us, measures)) = self.recovery.note_result(now_us, &sent) {
            let reduced = self.window.sample(&Sample {
                now_us,
                rtt_us,
                measures,
                transmission: sent.transmission,
                next: self.recovery.next_transmission(),
                outstanding: self.outstanding,
            });
            self.counters.reductions += u64::from(reduced);
        }
        if marked {
            // R-ECN-3
            self.counters.results_marked += 1;
            let reduced = self.window.mark(sent.transmission, self.recovery.next_transmission());
            self.counters.reductions += u64::from(reduced);
        }
        self.outstanding -= 1;
    }
}

/// Returns a test whether a transmission is its slot's latest, of a round that is still
/// outstanding.
fn latest_of(slots: &[Slot]) -> impl Fn(&Sent) -> bool {
    |sent| {
        let outstanding = slots[usize::from(sent.slot.0)].outstanding.as_ref();
        outstanding
            .and_then(|round| round.sent)
            .is_some_and(|latest| latest.transmission == sent.transmission)
    }
}
