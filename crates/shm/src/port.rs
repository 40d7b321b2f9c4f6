//! A worker's end of one flow.
#![expect(
    unsafe_code,
    reason = "results are read where they lie, while the port can deliver nothing"
)]

use std::collections::VecDeque;
use std::hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use netfold_kernels::Lanes;
use netfold_switch::{Contribution, Counters, Effect, Event, Instances, Refusal};
use netfold_wire::{Ecn, Packet, Pool, Repr, SlotIndex, WorkerId};

use crate::doorbell::{Doorbell, Waker};
use crate::eager::EagerState;
use crate::error::PortError;
use crate::segment::{Segment, State};
use crate::slot::SharedSlot;
use crate::spin::{LENT, SpinPolicy, WaitMode};
use crate::tally::Tally;
use crate::times::{RoundTimes, Stamp};
use crate::uplink::UplinkRequest;

/// Longest sleep of a port before it looks by itself, should the process that was to wake it have
/// died.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The reason why a wait is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitOutcome {
    /// There are results to [`receive`](Port::receive), or messages to [`collect`](Port::collect).
    Results,
    /// A [`Waker`] has ended it.
    Interrupted,
    /// The time is over.
    TimedOut,
}

/// A worker's end of one flow. One thread drives it, as it drives a socket: deliver the packets
/// that the stream transmits, flush, receive, wait.
#[derive(Debug)]
pub struct Port {
    pub(crate) segment: Arc<Segment>,
    pub(crate) flow: u16,
    pub(crate) worker: WorkerId,
    /// Its number among the members.
    pub(crate) member: u16,
    /// Offset of its flow's toggles.
    toggles_at: usize,
    /// The toggles as they stood when the results behind them were taken. A copy's bit changes when
    /// its round completes; it cannot change twice before this worker has taken the result, since
    /// the next round but one needs its contribution (R-SLOT-6).
    taken: Box<[u64]>,
    /// Results that this worker has asked for again (R-SLOT-4), in the same order of bits.
    answers: Box<[u64]>,
    /// Room for the lanes of a contribution.
    room: Box<[u8]>,
    /// Instances of the job's operations.
    instances: Instances,
    /// Recalls for this worker (R-SLOT-10), at most one for each slot; more are as good as lost.
    recalls: Vec<Repr>,
    pub(crate) eager: EagerState,
    /// Others may sleep for results that this port has completed.
    pub(crate) to_flush: bool,
    /// This port has made folds ready to go up.
    to_raise: bool,
    interrupted: Arc<AtomicBool>,
    pub(crate) spin: SpinPolicy,
    /// Rounds that this port has ended, if somebody asks for them.
    pub(crate) rounds: Option<VecDeque<RoundTimes>>,
    pub(crate) counters: Counters,
    /// The segment does not show yet all that this port has counted.
    pub(crate) to_show: bool,
}

impl Port {
    pub(crate) fn new(segment: Arc<Segment>, flow: u16, worker: WorkerId, member: u16) -> Self {
        let (toggles_at, words) = segment.layout().toggles(flow);
        let threads = usize::from(segment.spec().place.count()) * usize::from(segment.flows());
        segment.cores().join();
        Self {
            flow,
            worker,
            member,
            toggles_at,
            taken: vec![0; words].into(),
            answers: vec![0; words].into(),
            room: vec![0; segment.spec().payload_bytes as usize].into(),
            instances: Instances::new(&segment.spec().operations),
            recalls: Vec::with_capacity(segment.spec().slots.into()),
            eager: EagerState::default(),
            to_flush: false,
            to_raise: false,
            interrupted: Arc::default(),
            spin: SpinPolicy::new(threads, segment.cores().count()),
            rounds: None,
            counters: Counters::default(),
            to_show: false,
            segment,
        }
    }

    /// Treats a contribution of this worker as a switch does: drops it, or folds it in place.
    /// Whatever is not a contribution of this worker is dropped and counted.
    ///
    /// An event is for the switch's management plane. It is reported to one worker, once for a job;
    /// nothing is folded afterwards.
    ///
    /// # Errors
    /// The job has failed.
    pub fn deliver(&mut self, datagram: &[u8]) -> Result<Option<Event>, PortError> {
        self.counters.received(datagram.len(), Ecn::Clear);
        self.take(Contribution::parse(datagram, Ecn::Clear))
    }

    /// Does the same with a contribution that need not become a datagram. Its `lanes` are folded
    /// where they lie. Those that are quantised on the way take the slot for longer: only where
    /// nobody else seems to want it, and else `pack` writes them first. It also writes those that
    /// are not given.
    ///
    /// # Errors
    /// The job has failed.
    pub fn contribute(
        &mut self,
        header: Repr,
        lanes: Option<Lanes<'_>>,
        pack: impl Fn(&mut [u8]),
    ) -> Result<Option<Event>, PortError> {
        self.counters.received(header.datagram_bytes(), Ecn::Clear);
        let local = |lanes| Packet::local(header, lanes).ok_or(Refusal::Range);
        match lanes {
            Some(Lanes::Ready(lanes)) => self.take(local(lanes).and_then(Contribution::of)),
            Some(Lanes::Quantised(elements)) if self.is_unwanted(&header) => {
                self.take(Contribution::quantised(header, elements))
            }
            _ => {
                let mut room = std::mem::take(&mut self.room);
                let packet =
                    room.get_mut(..header.lane_bytes()).ok_or(Refusal::Range).and_then(|lanes| {
                        pack(lanes);
                        local(lanes)
                    });
                let taken = self.take(packet.and_then(Contribution::of));
                self.room = room;
                taken
            }
        }
    }

    /// Returns whether nobody but this worker seems to want the slot of a contribution.
    fn is_unwanted(&self, header: &Repr) -> bool {
        let spec = self.segment.spec();
        header.slot.0 < spec.slots
            && self.slot(header.slot).seems_unwanted(header.pool, spec.place.count())
    }

    /// Drops or folds a contribution.
    fn take(
        &mut self,
        contribution: Result<Contribution<'_>, Refusal>,
    ) -> Result<Option<Event>, PortError> {
        self.to_show = true;
        let contribution = match self.check(contribution)? {
            Ok(contribution) => contribution,
            Err(refusal) => {
                self.counters.refused(refusal);
                return Ok(None);
            }
        };
        self.fold(&contribution)
    }

    /// Folds a contribution that has passed its check.
    fn fold(&mut self, contribution: &Contribution<'_>) -> Result<Option<Event>, PortError> {
        let header = contribution.header();
        self.segment.mapping().prefetch(self.toggles_at + 8 * place(header.slot, header.pool).0);
        let (segment, spin) = (&*self.segment, !self.is_crowded());
        let slot = SharedSlot::of(segment.mapping(), segment.layout(), self.flow, header.slot);
        let (spec, timed) = (segment.spec(), segment.is_timed());
        let (arrival, effect) = slot
            .fold(spec, contribution, &mut self.instances, spin, timed, || segment.has_failed())
            .inspect_err(|error| give_up(segment, *error))?;
        self.counters.arrived(arrival);
        Ok(self.apply(effect, header))
    }

    /// Carries out the effect of a contribution of this worker. Returns the event that the
    /// management plane has to hear of.
    fn apply(&mut self, effect: Effect, contribution: &Repr) -> Option<Event> {
        let &Repr { slot, pool, .. } = contribution;
        let (word, bit) = place(slot, pool);
        match effect {
            Effect::Nothing => {}
            Effect::Deliver => {
                self.toggles()[word].fetch_xor(bit, Ordering::SeqCst);
                self.to_flush = true;
                if self.rounds.is_some() {
                    self.note_round(contribution);
                }
            }
            Effect::Raise => self.raise(slot, UplinkRequest::Fold),
            Effect::Query => self.raise(slot, UplinkRequest::Query),
            Effect::Repeat(_) => self.answers[word] |= bit,
            Effect::Recall(worker) => {
                if self.recalls.len() < usize::from(self.segment.spec().slots) {
                    self.recalls.push(contribution.recall(worker));
                }
            }
            Effect::Fail(event) => return self.segment.poison().then_some(event),
        }
        None
    }

    fn check<'d>(
        &self,
        contribution: Result<Contribution<'d>, Refusal>,
    ) -> Result<Result<Contribution<'d>, Refusal>, PortError> {
        let state = self.segment.state();
        if state == State::Failed {
            return Err(PortError::Failed);
        }
        Ok(contribution.and_then(|contribution| {
            if state == State::Poisoned {
                return Err(Refusal::UnknownJob);
            }
            contribution.check(self.segment.spec())?;
            // R-SLOT-9. Who reads a result relies on it, too: no other port takes this worker out
            // of a copy's holders.
            if contribution.worker() == self.worker {
                Ok(contribution)
            } else {
                Err(Refusal::Range)
            }
        }))
    }

    /// Wakes the members that sleep for the contributions delivered, by one system call if there
    /// are any, and shows the counters ([`Segment::counters`]). Call it after a burst of
    /// [`Port::deliver`], as soon as there is nothing more to deliver.
    #[inline]
    pub fn flush(&mut self) {
        if std::mem::take(&mut self.to_show) {
            let tally = Tally::of(&self.segment, self.flow, self.member);
            tally.show(&self.counters);
            tally.show_usage(self.instances.usage());
        }
        if std::mem::take(&mut self.to_flush) {
            self.doorbell().ring(!(1 << self.member));
        }
        if std::mem::take(&mut self.to_raise) {
            Doorbell::of(self.segment.mapping(), self.segment.layout().upward(self.flow))
                .ring(u64::MAX);
        }
    }

    /// Hands over every result that is there, each where it lies, then recalls, and returns how
    /// many there were. Never blocks.
    ///
    /// # Errors
    /// The job has failed.
    pub fn receive(&mut self, mut take: impl FnMut(&Packet<'_>)) -> Result<usize, PortError> {
        self.receive_timed(|packet, _| take(packet))
    }

    /// Does the same; `take` is also told since when a result has been there, if its round was
    /// timed ([`Port::time_rounds`]).
    ///
    /// # Errors
    /// The job has failed.
    pub fn receive_timed(
        &mut self,
        mut take: impl FnMut(&Packet<'_>, Option<Instant>),
    ) -> Result<usize, PortError> {
        self.flush();
        if self.segment.has_failed() {
            return Err(PortError::Failed);
        }
        let (mut results, timed) = (0, self.segment.is_timed());
        for word in 0..self.taken.len() {
            let toggles = self.toggles()[word].load(Ordering::Acquire);
            let fresh = toggles ^ std::mem::replace(&mut self.taken[word], toggles);
            let again = std::mem::take(&mut self.answers[word]);
            for (slot, pool) in self.copies(word, fresh) {
                let slot = self.slot(slot);
                // SAFETY: the toggle has changed, and the port is borrowed while `take` has the
                // packet, so that it delivers nothing.
                let result = unsafe { slot.result(self.segment.spec(), pool, self.worker) };
                let packet = result.inspect_err(|error| give_up(&self.segment, *error))?;
                results += 1;
                take(&packet, timed.then(|| slot.times(pool)[1]).and_then(Stamp::instant));
            }
            if again != 0 {
                results += self.receive_again(word, again, &mut |packet| take(packet, None))?;
            }
        }
        results += self.recalls.len();
        for recall in self.recalls.drain(..) {
            take(&Packet::local(recall, &[]).expect("a recall has no lanes"), None);
        }
        Ok(results)
    }

    /// Waits until there are results, at most for `timeout` (`None`: until there are). It stays
    /// awake for a while where that has paid lately, longer for a caller than for a helper, and
    /// sleeps otherwise.
    ///
    /// # Errors
    /// The job has failed.
    pub fn wait(
        &mut self,
        timeout: Option<Duration>,
        mode: WaitMode,
    ) -> Result<WaitOutcome, PortError> {
        self.flush();
        if let Some(wake) = self.look()? {
            return Ok(wake);
        }
        // Others may have joined since.
        self.spin.share(self.segment.cores().count());
        let (start, awake) = (Instant::now(), SpinPolicy::awake(mode));
        if self.spin.stays_awake() {
            let limit = timeout.map_or(awake, |timeout| timeout.min(awake));
            while start.elapsed() < limit {
                // Whoever comes here has looked often ([`Port::look_awhile`]): another worker of
                // the job may want the core.
                thread::yield_now();
                if let Some(wake) = self.look_often(Self::look)? {
                    self.spin.waited(true);
                    return Ok(wake);
                }
            }
        }
        let wake = self.sleep(start, timeout)?;
        self.spin.waited(start.elapsed() < awake);
        Ok(wake)
    }

    /// Returns whether [`wait`](Port::wait) would be over at once.
    ///
    /// # Errors
    /// The job has failed.
    pub fn has_results(&mut self) -> Result<bool, PortError> {
        self.flush();
        Ok(self.look()?.is_some())
    }

    /// Returns whether [`wait`](Port::wait) would be over at once, or after so short a time that it
    /// is of no use to look at timers: then that has been the wait.
    ///
    /// # Errors
    /// The job has failed.
    pub fn look_awhile(&mut self) -> Result<bool, PortError> {
        if self.has_results()? {
            return Ok(true);
        }
        Ok(self.stay_awake(Self::look)?.is_some())
    }

    /// Looks for a moment, if waits have been short lately.
    pub(crate) fn stay_awake<T>(
        &mut self,
        look: impl Fn(&Self) -> Result<Option<T>, PortError>,
    ) -> Result<Option<T>, PortError> {
        if !self.spin.stays_awake() {
            return Ok(None);
        }
        if let Some(found) = self.look_often(&look)? {
            self.spin.waited(true);
            return Ok(Some(found));
        }
        if !self.is_crowded() {
            return Ok(None);
        }
        let start = Instant::now();
        while start.elapsed() < LENT {
            thread::yield_now();
            if let Some(found) = self.look_often(&look)? {
                // Others may have had the core for long.
                self.spin.waited(start.elapsed() < SpinPolicy::awake(WaitMode::Caller));
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns whether the threads that wait for each other outnumber their cores.
    pub fn is_crowded(&self) -> bool {
        self.spin.crowded()
    }

    /// Returns a handle that ends the [`wait`](Port::wait) of this port from other threads of its
    /// process.
    pub fn waker(&self) -> Waker {
        Waker {
            segment: self.segment.clone(),
            doorbell_at: self.segment.layout().members(self.flow),
            member: self.member,
            interrupted: self.interrupted.clone(),
        }
    }

    /// Has every process time the rounds of the segment that begin from now on, and keeps those
    /// that this port ends, until [`Port::poll_round`].
    pub fn time_rounds(&mut self) {
        self.segment.time_rounds();
        self.rounds.get_or_insert_default();
    }

    /// Returns the rounds that this port has ended since it was told to time them, oldest first.
    /// Call it until `None` after every [`Port::deliver`].
    pub fn poll_round(&mut self) -> Option<RoundTimes> {
        self.rounds.as_mut()?.pop_front()
    }

    /// Returns the totals of the datagrams that this port has delivered.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn sleep(&self, start: Instant, timeout: Option<Duration>) -> Result<WaitOutcome, PortError> {
        loop {
            let left = timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
            if left == Some(Duration::ZERO) {
                return Ok(self.look()?.unwrap_or(WaitOutcome::TimedOut));
            }
            let limit = left.map_or(LOOK_AGAIN, |left| left.min(LOOK_AGAIN));
            let found = self.doorbell().sleep(self.member, limit, || self.look().transpose());
            if let Some(found) = found.or_else(|| self.look().transpose()) {
                return found;
            }
        }
    }

    /// Looks as often as pays before the core is lent to others.
    #[inline]
    fn look_often<T>(
        &self,
        look: impl Fn(&Self) -> Result<Option<T>, PortError>,
    ) -> Result<Option<T>, PortError> {
        for number in 0..self.spin.spins(self.lends_core()) {
            if number > 0 {
                // Each look takes the cache line from the member that is about to write to it.
                hint::spin_loop();
            }
            if let Some(found) = look(self)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns a reason not to wait, if there is one.
    #[inline]
    fn look(&self) -> Result<Option<WaitOutcome>, PortError> {
        if self.eager.any_has_come(&self.segment, self.flow) {
            return Ok(Some(WaitOutcome::Results));
        }
        let taken = self.taken.iter().zip(&self.answers);
        if self.toggles().iter().zip(taken).any(|(now, (taken, answers))| {
            // Sequentially consistent, as the doorbell asks.
            now.load(Ordering::SeqCst) != *taken || *answers != 0
        }) {
            return Ok(Some(WaitOutcome::Results));
        }
        if !self.recalls.is_empty() {
            return Ok(Some(WaitOutcome::Results));
        }
        if self.segment.has_failed() {
            return Err(PortError::Failed);
        }
        if self.interrupted.load(Ordering::SeqCst) && self.interrupted.swap(false, Ordering::SeqCst)
        {
            return Ok(Some(WaitOutcome::Interrupted));
        }
        Ok(None)
    }

    /// Keeps the times of a round that this port has just ended, unless it began before rounds were
    /// timed.
    fn note_round(&mut self, &Repr { job, slot, pool, position, kind, .. }: &Repr) {
        // Nobody starts a round in the copy before this worker goes on from it (R-SLOT-6).
        let [Some(start), Some(end)] = self.slot(slot).times(pool).map(Stamp::instant) else {
            return;
        };
        let acknowledges = !self.segment.spec().has_lanes(pool);
        let round = RoundTimes {
            job,
            flow: self.flow,
            slot,
            pool,
            position,
            kind,
            acknowledges,
            start,
            end,
        };
        self.rounds.get_or_insert_default().push_back(round);
    }

    /// Has something about a slot go up.
    fn raise(&mut self, slot: SlotIndex, request: UplinkRequest) {
        request.leave(&self.segment, self.flow, slot);
        self.to_raise = true;
    }

    fn toggles(&self) -> &[AtomicU64] {
        self.segment.mapping().wide_words(self.toggles_at, self.taken.len())
    }

    fn slot(&self, slot: SlotIndex) -> SharedSlot<'_> {
        SharedSlot::of(self.segment.mapping(), self.segment.layout(), self.flow, slot)
    }

    #[inline]
    pub(crate) fn doorbell(&self) -> Doorbell<'_> {
        Doorbell::of(self.segment.mapping(), self.segment.layout().members(self.flow))
    }

    /// Hands over the results of the copies whose bits are set, which this worker has asked for
    /// again.
    #[cold]
    fn receive_again(
        &mut self,
        word: usize,
        bits: u64,
        take: &mut impl FnMut(&Packet<'_>),
    ) -> Result<usize, PortError> {
        let mut results = 0;
        for (slot, pool) in self.copies(word, bits) {
            // SAFETY: the port is borrowed, so that it delivers nothing.
            let answer = unsafe { self.slot(slot).answer(self.segment.spec(), pool, self.worker) };
            if let Some(packet) = answer.inspect_err(|error| give_up(&self.segment, *error))? {
                results += 1;
                take(&packet);
            }
        }
        Ok(results)
    }

    /// Returns the copies that the bits of a word of toggles stand for, but for bits behind the
    /// last copy's, which only a stranger has written.
    fn copies(
        &self,
        word: usize,
        mut bits: u64,
    ) -> impl Iterator<Item = (SlotIndex, Pool)> + use<> {
        let slots = self.segment.spec().slots;
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            let index = 64 * word + bit;
            let slot = u16::try_from(index / 2).ok().filter(|slot| *slot < slots)?;
            Some((SlotIndex(slot), if index.is_multiple_of(2) { Pool::Even } else { Pool::Odd }))
        })
    }
}

/// Returns the place of a copy's toggle: its word, and its bit there.
pub(crate) fn place(slot: SlotIndex, pool: Pool) -> (usize, u64) {
    let index = 2 * usize::from(slot.0) + pool.index();
    (index / 64, 1 << (index % 64))
}

/// Fails the job if its memory is corrupt: nobody can go on with it, so nobody shall wait for it.
pub(crate) fn give_up(segment: &Segment, error: PortError) {
    if error == PortError::Corrupt {
        segment.fail();
    }
}
