//! What drives the stream of a flow: one step at a time, by whoever holds it.

use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use netfold_wire::{Position, SlotIndex};
use netfold_worker::{
    CallId, Counters, Dense, Event, LastRound, Limit, Plan, Replay, ResumeError, StreamConfig, Streams,
};

use crate::clock::Clock;
use crate::error::Error;
use crate::link::{Link, SystemCalls, Wakes};
use crate::memory::CallMemory;
use crate::tickets::Tickets;

/// Called when the link to the slots is of no use any more, with what was to be done and why not. It ends the job (R-CTRL-4).
pub(crate) type OnBroken = Arc<dyn Fn(Error) + Send + Sync>;

/// What a flow is told.
pub(crate) enum Command {
    /// A call, in the order in which every flow gets them.
    Submit {
        id: CallId,
        plan: Plan,
        memory: CallMemory,
    },
    /// Which call stands at a position (R-CTRL-6), and which of its elements at a lane there.
    Describe {
        slot: SlotIndex,
        position: Position,
        lane: Option<u16>,
        reply: SyncSender<Option<String>>,
    },
    /// Which call has this number.
    DescribeCall {
        id: CallId,
        reply: SyncSender<Option<String>>,
    },
    /// Every call from `first` on fails with `error`, those that are yet to come included; what is before goes on.
    Fail {
        first: CallId,
        error: Error,
    },
    Stats(SyncSender<FlowStats>),
    /// The life of the job has ended; another may follow (R-RES-2). From now on nothing is sent or taken. The answer is the last round of each slot.
    Suspend {
        /// What the flow waits on meanwhile.
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
    /// The answer comes when no round is to be replayed (R-RES-7), and not at all if none is any more because the job is over.
    AwaitReplays(SyncSender<()>),
    /// It follows with fewer workers, over this link: calls in progress fail, and streams begin anew (R-RES-9).
    Restart {
        config: StreamConfig,
        urgent_slots: u16,
        link: Box<dyn Link + Send>,
        error: Error,
        reply: SyncSender<()>,
    },
}

/// What ends the wait of whoever drives: it changes with the link.
pub(super) type Waking = Arc<Mutex<Wakes>>;

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
    streams: Streams<Dense<CallMemory>>,
    link: Box<dyn Link + Send>,
    /// The worker is between two switches.
    suspended: bool,
    waking: Waking,
    /// Over the links and the streams before.
    system_calls: SystemCalls,
    counters: Counters,
    tickets: Arc<Tickets>,
    on_broken: OnBroken,
    clock: Clock,
    burst: Box<[u8]>,
    max_segments: usize,
    /// Calls that were submitted and are not done.
    in_progress: usize,
    limit: Limit<Error>,
    /// Who waits until no round is to be replayed.
    awaiting_replays: Vec<SyncSender<()>>,
}

impl Driver {
    pub(super) fn new(
        config: StreamConfig,
        urgent_slots: u16,
        link: Box<dyn Link + Send>,
        tickets: Arc<Tickets>,
        on_broken: OnBroken,
    ) -> Self {
        let (burst_bytes, max_segments) = link.burst_limits();
        Self {
            streams: Streams::new(config, urgent_slots),
            suspended: false,
            waking: Arc::new(Mutex::new(link.waker())),
            system_calls: SystemCalls::default(),
            counters: Counters::default(),
            link,
            tickets,
            on_broken,
            clock: Clock::start(),
            burst: vec![0; burst_bytes].into(),
            max_segments,
            in_progress: 0,
            limit: Limit::default(),
            awaiting_replays: Vec::new(),
        }
    }

    /// What ends the wait that is on, or else the next one.
    pub(super) fn waking(&self) -> Waking {
        self.waking.clone()
    }

    /// Whether any call is in progress, or others may wait for a round that is replayed, so that somebody must drive.
    pub(super) fn is_busy(&self) -> bool {
        let is_over = self.limit.reason(CallId(0)).is_some();
        self.in_progress > 0 || (self.streams.is_replaying() && !is_over)
    }

    /// The law of the state machine: after every mutation, send what is to be sent and take what has happened.
    pub(super) fn drain(&mut self) {
        if let Err(error) = self.send() {
            self.broken(Error::io("a worker cannot send to its switch")(error));
        }
        while let Some(Event::Completed(id, _memory)) = self.streams.poll_event() {
            self.done(id, Ok(()));
        }
        if !self.streams.is_replaying() {
            for waiting in self.awaiting_replays.drain(..) {
                // It may have stopped waiting.
                let _ = waiting.send(());
            }
        }
    }

    /// Sleeps until there is something to do, at most until the streams' next timeout and for `limit`, and does it.
    pub(super) fn wait(&mut self, limit: Option<Duration>) {
        // One microsecond more than asked, since a wait that ends early would only be done again.
        let due_us = if self.suspended { None } else { self.streams.poll_timeout() };
        let timeout = due_us.map(|at_us| at_us.saturating_sub(self.clock.now_us()) + 1);
        let timeout = timeout.map(Duration::from_micros).into_iter().chain(limit).min();
        if let Err(error) = self.link.wait(timeout).and_then(|()| self.receive()) {
            self.broken(Error::io("a worker cannot receive from its switch")(error));
        }
        if !self.suspended {
            self.streams.handle_timeout(self.clock.now_us());
        }
    }

    fn send(&mut self) -> io::Result<()> {
        if self.suspended {
            return Ok(());
        }
        while let Some(transmit) = self.streams.poll_transmit(self.clock.now_us(), &mut self.burst, self.max_segments) {
            self.link.send(&self.burst[..transmit.len], transmit.segment)?;
        }
        Ok(())
    }

    fn receive(&mut self) -> io::Result<()> {
        let (streams, now_us) = (&mut self.streams, self.clock.now_us());
        self.link.receive(&mut |datagram, marked| {
            if marked { streams.handle_marked(now_us, datagram) } else { streams.handle(now_us, datagram) }
        })
    }

    pub(super) fn obey(&mut self, command: Command) {
        // Whoever asked may have stopped waiting for the answer.
        match command {
            Command::Submit { id, plan, memory } => {
                self.in_progress += 1;
                match self.limit.reason(id).cloned() {
                    Some(error) => self.done(id, Err(error)),
                    None => self.streams.submit(id, plan, Dense::new(plan, memory)),
                }
            }
            Command::Describe { slot, position, lane, reply } => {
                let _ = reply.send(self.streams.describe(slot, position, lane));
            }
            Command::DescribeCall { id, reply } => {
                let _ = reply.send(self.streams.call(id).map(ToString::to_string));
            }
            Command::Fail { first, error } => self.fail(first, &error),
            Command::Stats(reply) => {
                let _ = reply.send(self.stats());
            }
            Command::Suspend { link, reply } => {
                self.suspended = true;
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
            Command::AwaitReplays(reply) => self.awaiting_replays.push(reply),
            Command::Restart { config, urgent_slots, link, error, reply } => {
                self.give_up(CallId(0), &error);
                self.counters = self.counters.plus(&self.streams.counters());
                self.streams = Streams::new(config, urgent_slots);
                self.go_on(link);
                let _ = reply.send(());
            }
        }
    }

    fn go_on(&mut self, link: Box<dyn Link + Send>) {
        let (burst_bytes, max_segments) = link.burst_limits();
        (self.burst, self.max_segments) = (vec![0; burst_bytes].into(), max_segments);
        self.suspended = false;
        self.replace(link);
    }

    fn replace(&mut self, link: Box<dyn Link + Send>) {
        *self.waking.lock().unwrap_or_else(PoisonError::into_inner) = link.waker();
        let before = std::mem::replace(&mut self.link, link);
        self.system_calls = self.system_calls.plus(before.system_calls());
    }

    fn done(&mut self, id: CallId, outcome: Result<(), Error>) {
        self.in_progress -= 1;
        self.tickets.flow_done(id, outcome);
    }

    fn fail(&mut self, first: CallId, error: &Error) {
        self.limit.lower(first, error.clone());
        self.give_up(first, error);
    }

    /// Ends the calls from `first` on that are in progress.
    fn give_up(&mut self, first: CallId, error: &Error) {
        let given_up: Vec<_> = self.streams.abandon(first).map(|(id, _memory)| id).collect();
        for id in given_up {
            self.done(id, Err(error.clone()));
        }
    }

    /// The link is of no use any more. Commands are still obeyed, so that every call gets its error; the other workers must not wait for this one.
    fn broken(&mut self, error: Error) {
        self.fail(CallId(0), &error);
        (self.on_broken)(error);
    }

    fn stats(&self) -> FlowStats {
        let (srtt_us, rto_us) = self.streams.rtt_rto_us();
        FlowStats {
            counters: self.counters.plus(&self.streams.counters()),
            srtt_us,
            rto_us,
            window: self.streams.window(),
            system_calls: self.system_calls.plus(self.link.system_calls()),
            segmentation: self.link.has_segmentation(),
        }
    }
}
