//! The driver of a flow's stream: one step at a time, by the thread that holds it.

use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use netfold_shm::WaitMode;
use netfold_wire::{Position, SlotIndex, eager_queue};
use netfold_worker::{
    CallId, Counters, Dense, EagerPath, LastRound, Limit, OtherSlots, Plan, Replay, ResumeError,
    Sending, StreamConfig, Streams,
};

use super::CallTensor;
use super::calls::Calls;
use super::traffic::{Arrivals, Departures, EagerMessages, OnlyCall};

use crate::call_table::CallTable;
use crate::clock::Clock;
use crate::error::Error;
use crate::link::{Link, SystemCalls, WakeFn};
use crate::memory::CallMemory;
use crate::rounds::RoundLog;

/// Outcome of a call that was to be carried out at once.
#[derive(Debug)]
pub(super) enum AtOnce {
    /// It is done.
    Done,
    /// It is in progress.
    Begun,
    /// It was not taken and must be submitted.
    Refused,
}

/// Called when the link to the slots is of no use any more, with an error that names the operation
/// and its failure. It ends the job (R-CTRL-4).
pub(crate) type OnBroken = Arc<dyn Fn(Error) + Send + Sync>;

/// Signal of a flow to the communicator.
pub(crate) enum Signal {
    /// The link is of no use any more, as [`OnBroken`] has it.
    Broken(Error),
    /// The switch is to be asked for lent slots, for the call of this number (R-CTRL-25).
    NeedsSlots(u64),
}

/// Called for every signal, by a thread that has the driver.
pub(crate) type OnSignal = Arc<dyn Fn(Signal) + Send + Sync>;

/// Command to a flow.
pub(crate) enum Command {
    /// A call, in the order in which every flow gets them.
    Submit {
        id: CallId,
        plan: Plan,
        memory: CallMemory,
    },
    /// Asks which call stands at a position (R-CTRL-6), and which of its elements at a lane there.
    Describe {
        slot: SlotIndex,
        position: Position,
        lane: Option<u16>,
        reply: SyncSender<Option<String>>,
    },
    /// Asks which call has this number.
    DescribeCall {
        id: CallId,
        reply: SyncSender<Option<String>>,
    },
    /// Every call from `first` on fails with `error`, those that are yet to come included. Earlier
    /// calls go on.
    Fail {
        first: CallId,
        error: Error,
    },
    Stats(SyncSender<FlowStats>),
    /// The switch has answered about the call of this number (R-CTRL-25).
    Slots {
        call: u64,
        lent: bool,
    },
    /// Asks for lent slots back, and for the number of calls that have needed them; `None` if
    /// something needs them.
    ReturnSlots(SyncSender<Option<u64>>),
    /// The epoch of the job has ended; another may follow (R-RES-2). From now on nothing is sent or
    /// taken. The answer is the last round of each slot.
    Suspend {
        /// Link on which the flow waits meanwhile.
        link: Box<dyn Link + Send>,
        reply: SyncSender<Vec<LastRound>>,
    },
    /// It follows, over this link (R-RES-6).
    Resume {
        config: StreamConfig,
        replays: Vec<Replay>,
        link: Box<dyn Link + Send>,
        reply: SyncSender<Result<(), ResumeError>>,
    },
    /// From now on completions are timed, and so are rounds that are run here; those go to the log.
    Time(Arc<RoundLog>),
    /// The answer comes when no round is to be replayed (R-RES-7), and not at all if none is any
    /// more because the job is over.
    AwaitReplays(SyncSender<()>),
    /// It follows with fewer workers, over this link: calls in progress fail, and streams begin
    /// anew (R-RES-9).
    Restart {
        config: StreamConfig,
        others: OtherSlots,
        link: Box<dyn Link + Send>,
        error: Error,
        reply: SyncSender<()>,
    },
}

/// Function that ends the wait of the thread that drives. It changes with the link.
pub(super) type SharedWakeFn = Arc<Mutex<WakeFn>>;

/// A flow as it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowStats {
    pub(crate) counters: Counters,
    pub(crate) srtt_us: u64,
    pub(crate) rto_us: u64,
    pub(crate) window: u32,
    pub(crate) system_calls: SystemCalls,
    pub(crate) segmentation: bool,
}

/// The streams of a flow, their way to the switch, and a clock.
pub(super) struct Driver {
    streams: Streams<CallTensor>,
    /// Calls that need no slots.
    eager: EagerPath<CallTensor>,
    /// Slots of the flow. Numbers behind them name rounds of the eager path (R-EAGER-5).
    slots: u32,
    /// Calls have been given up since the last exchange of eager messages.
    eager_given_up: bool,
    /// The failure of the eager path, until it is reported.
    failed: Option<io::Error>,
    link: Box<dyn Link + Send>,
    /// The worker is between two switches.
    suspended: bool,
    wake_fn: SharedWakeFn,
    /// Over the links and the streams before.
    system_calls: SystemCalls,
    counters: Counters,
    calls: Calls,
    on_signal: OnSignal,
    clock: Clock,
    /// The time, as it was when the lock was taken, between two bursts, or before or after the last
    /// wait.
    now_us: u64,
    /// Time at which the streams wanted to hear of a timeout, as they last said. Meanwhile they may
    /// have come to want it later, which does no harm.
    due_us: Option<u64>,
    limit: Limit<Error>,
    /// Those that wait until no round is left to replay.
    awaiting_replays: Vec<SyncSender<()>>,
    /// Log of the rounds, if they and completions are timed.
    log: Option<Arc<RoundLog>>,
}

impl Driver {
    pub(super) fn new(
        config: StreamConfig,
        others: OtherSlots,
        link: Box<dyn Link + Send>,
        call_table: Arc<CallTable>,
        on_signal: OnSignal,
    ) -> Self {
        Self {
            streams: Streams::new(config, others),
            eager: EagerPath::default(),
            slots: [config.first_slot, config.slots, others.urgent, others.long, others.exchange]
                .map(u32::from)
                .iter()
                .sum(),
            eager_given_up: false,
            failed: None,
            suspended: false,
            wake_fn: Arc::new(Mutex::new(link.waker())),
            system_calls: SystemCalls::default(),
            counters: Counters::default(),
            link,
            calls: Calls::new(call_table),
            on_signal,
            clock: Clock::start(),
            now_us: 0,
            due_us: None,
            limit: Limit::default(),
            awaiting_replays: Vec::new(),
            log: None,
        }
    }

    /// Returns the function that ends the wait that is on, or else the next one.
    pub(super) fn wake_fn(&self) -> SharedWakeFn {
        self.wake_fn.clone()
    }

    /// Calls that have been done so far.
    pub(super) fn count_done(&self) -> u64 {
        self.calls.count_done()
    }

    /// Returns whether any call is in progress, or a round is replayed, so that somebody must
    /// drive.
    pub(super) fn is_busy(&self) -> bool {
        self.calls.any() || self.is_replaying()
    }

    /// Returns whether others may wait for a round that is replayed.
    pub(super) fn is_replaying(&self) -> bool {
        let is_over = self.limit.reason(CallId(0)).is_some();
        self.streams.is_replaying() && !is_over
    }

    /// Looks at the clock, which costs as much as all else that a step of a short call does. A
    /// thread that takes the lock must.
    pub(super) fn look_at_clock(&mut self) -> u64 {
        self.now_us = self.clock.now_us();
        self.now_us
    }

    /// The law of the state machine: after every mutation, take the events and send the packets
    /// that are ready. A thread that waits for a call need not wait for what is sent then.
    pub(super) fn drain(&mut self) {
        self.deliver();
        let has_eager = !self.eager.is_idle() || self.eager_given_up || self.failed.is_some();
        if has_eager && let Err(error) = self.exchange() {
            self.broken(Error::io("a worker cannot read its eager messages")(error));
        }
        if let Some(call) = self.streams.poll_slot_request() {
            (self.on_signal)(Signal::NeedsSlots(call));
        }
        self.send(if self.link.defers() { Sending::Pressing } else { Sending::Everything });
        if !self.awaiting_replays.is_empty() && !self.streams.is_replaying() {
            for waiting in self.awaiting_replays.drain(..) {
                // It may have stopped waiting.
                let _ = waiting.send(());
            }
        }
    }

    /// Calls are done that the streams have completed.
    fn deliver(&mut self) {
        let at = self.log.as_ref().map(|_| Instant::now());
        self.calls.deliver(&mut self.streams, at);
    }

    /// Waits until there is something to do, at most until the streams' next timeout and until
    /// `until_us`, and does it. Returns the time.
    pub(super) fn wait(&mut self, until_us: Option<u64>, mode: WaitMode) -> u64 {
        self.due_us = self.due_us.or_else(|| self.poll_timeout());
        let waited = self.await_link(until_us, mode);
        let now_us = self.look_at_clock();
        if let Err(error) = waited.and_then(|()| self.receive()) {
            self.broken(Error::io("a worker cannot receive from its switch")(error));
        }
        if !self.suspended && self.due_us.is_some_and(|due_us| due_us <= now_us) {
            self.streams.handle_timeout(now_us);
            self.due_us = None;
        }
        now_us
    }

    fn await_link(&mut self, until_us: Option<u64>, mode: WaitMode) -> io::Result<()> {
        if self.link.defers() {
            if self.link.has_come()? {
                return Ok(());
            }
            self.send(Sending::Everything);
        }
        if self.link.look()? { Ok(()) } else { self.sleep(until_us, mode) }
    }

    fn sleep(&mut self, until_us: Option<u64>, mode: WaitMode) -> io::Result<()> {
        self.look_at_clock();
        self.due_us = self.poll_timeout();
        let wake_us = self.due_us.into_iter().chain(until_us).min();
        if let Some(rest_us) = self.streams.rest_us().filter(|_| !self.suspended) {
            // R-WORK-11
            let until_us = wake_us.unwrap_or(u64::MAX).min(self.now_us + rest_us);
            if self.link.rest(Duration::from_micros(until_us.saturating_sub(self.now_us)))? {
                return Ok(());
            }
            self.look_at_clock();
        }
        // One microsecond more than asked, since a wait that ends early would only be done again.
        let timeout =
            wake_us.map(|at_us| Duration::from_micros(at_us.saturating_sub(self.now_us) + 1));
        self.link.wait(timeout, mode, self.streams.awaits_few())
    }

    fn poll_timeout(&mut self) -> Option<u64> {
        if self.suspended { None } else { self.streams.poll_timeout() }
    }

    fn send(&mut self, what: Sending) {
        if self.suspended || !self.streams.may_transmit() {
            return;
        }
        let Self { streams, link, clock, now_us, .. } = self;
        if let Err(error) =
            link.send(&mut Departures { streams, what, clock: *clock, now_us, sent: false })
        {
            self.broken(Error::io("a worker cannot send to its switch")(error));
        }
    }

    /// Posts eager messages, and completes the calls whose messages are all there.
    fn exchange(&mut self) -> io::Result<()> {
        self.eager_given_up = false;
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let Self { streams, eager, calls, link, .. } = self;
        link.exchange(&mut EagerMessages { eager, bulk: streams.first_bulk_call(), calls })
    }

    /// Carries out a call by the eager path while nothing else is in progress, if all messages come
    /// within a spin: then it needs no ticket. Otherwise the call is in progress, or is yet to be
    /// submitted, and its ticket must be opened.
    pub(super) fn fold_at_once(
        &mut self,
        id: CallId,
        plan: &Plan,
        memory: &mut CallMemory,
    ) -> AtOnce {
        let quiet = !self.calls.any() && !self.suspended && self.limit.reason(id).is_none();
        if !quiet || !self.link.takes_eager(plan) {
            return AtOnce::Refused;
        }
        let mut tensor = Dense::new(plan, &mut *memory);
        let begun = self.eager.begin(id, plan);
        match self.link.fold_at_once(&mut OnlyCall {
            eager: &mut self.eager,
            begun: &begun,
            tensor: &mut tensor,
        }) {
            Ok(true) => return AtOnce::Done,
            Ok(false) => {}
            // It ends the job, for which the caller must have let go of its locks.
            Err(error) => self.failed = Some(error),
        }
        self.eager.keep(begun, Dense::new(plan.clone(), memory.take()));
        self.calls.add();
        AtOnce::Begun
    }

    fn receive(&mut self) -> io::Result<()> {
        let Self { streams, calls, link, now_us, .. } = self;
        link.receive(&mut Arrivals { streams, calls, now_us: *now_us })
    }

    pub(super) fn obey(&mut self, command: Command) {
        // Those that asked may have stopped waiting for the answer.
        match command {
            Command::Submit { id, plan, memory } => {
                self.calls.add();
                match self.limit.reason(id).cloned() {
                    Some(error) => self.calls.done(id, Err(error), None),
                    None if self.link.takes_eager(&plan) => {
                        self.eager.submit(id, plan.clone(), Dense::new(plan, memory))
                    }
                    None => self.streams.submit(id, plan.clone(), Dense::new(plan, memory)),
                }
            }
            Command::Describe { slot, position, lane, reply } => {
                let _ = reply.send(match eager_queue(self.slots, slot) {
                    Some(queue) => self.eager.describe(queue, position),
                    None => self.streams.describe(slot, position, lane),
                });
            }
            Command::DescribeCall { id, reply } => {
                let _ = reply.send(self.streams.call(id).or_else(|| self.eager.call(id)));
            }
            Command::Fail { first, error } => self.fail(first, &error),
            Command::Stats(reply) => {
                let _ = reply.send(self.stats());
            }
            Command::Slots { call, lent } => self.streams.take_slot_answer(call, lent),
            Command::ReturnSlots(reply) => {
                let _ = reply.send(self.streams.return_slots());
            }
            Command::Suspend { link, reply } => {
                // The thread that asked goes by what is in progress (R-RES-9).
                self.deliver();
                self.suspended = true;
                self.due_us = None;
                self.replace(link);
                let _ = reply.send(self.streams.last_rounds().collect());
            }
            Command::Resume { config, replays, link, reply } => {
                let resumed = self.streams.resume(config, &replays);
                if resumed.is_ok() {
                    self.go_on(link);
                }
                let _ = reply.send(resumed);
            }
            Command::Time(log) => {
                self.link.time(&log);
                self.log = Some(log);
            }
            Command::AwaitReplays(reply) => self.awaiting_replays.push(reply),
            Command::Restart { config, others, link, error, reply } => {
                self.give_up(CallId(0), &error);
                self.counters = self.counters.plus(&self.streams.counters());
                self.streams = Streams::new(config, others);
                self.go_on(link);
                let _ = reply.send(());
            }
        }
    }

    fn go_on(&mut self, link: Box<dyn Link + Send>) {
        self.suspended = false;
        self.due_us = None;
        self.replace(link);
        if let Some(log) = &self.log {
            self.link.time(log);
        }
    }

    fn replace(&mut self, link: Box<dyn Link + Send>) {
        *self.wake_fn.lock().unwrap_or_else(PoisonError::into_inner) = link.waker();
        let before = std::mem::replace(&mut self.link, link);
        self.system_calls = self.system_calls.plus(before.system_calls());
    }

    fn fail(&mut self, first: CallId, error: &Error) {
        self.limit.lower(first, error.clone());
        self.give_up(first, error);
    }

    /// Ends the calls from `first` on that are in progress.
    fn give_up(&mut self, first: CallId, error: &Error) {
        let given_up: Vec<_> = self
            .streams
            .abandon(first)
            .chain(self.eager.abandon(first))
            .map(|(id, _memory)| id)
            .collect();
        for id in given_up {
            self.calls.done(id, Err(error.clone()), None);
        }
        // The link learns with the next exchange that their messages are not awaited: the thread
        // that gives up may hold locks.
        self.eager_given_up = true;
    }

    /// The link is of no use any more. Commands are still obeyed, so that every call gets its
    /// error; the other workers must not wait for this one.
    fn broken(&mut self, error: Error) {
        self.fail(CallId(0), &error);
        (self.on_signal)(Signal::Broken(error));
    }

    fn stats(&self) -> FlowStats {
        let (srtt_us, rto_us) = self.streams.rtt_rto_us();
        FlowStats {
            counters: self.counters.plus(&self.streams.counters()).plus(self.eager.counters()),
            srtt_us,
            rto_us,
            window: self.streams.window(),
            system_calls: self.system_calls.plus(self.link.system_calls()),
            segmentation: self.link.has_segmentation(),
        }
    }
}
