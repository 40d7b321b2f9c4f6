//! A worker's end of a control connection as a state machine: joining, hearing of the others,
//! taking leave.

mod notice;
#[cfg(test)]
mod tests;

use core::net::SocketAddr;
use core::time::Duration;
use std::collections::VecDeque;

use netfold_wire::{Terms, VERSION};

pub use notice::{Ending, Notice};

use crate::failure::{Failure, Loss, Refusal};
use crate::join::{JoinRequest, LocalSockets};
use crate::limits::{HEARTBEATS_PER_TIMEOUT, LONGEST_PULSE, PULSES_PER_TIMEOUT, micros};
use crate::message::{Message, Welcome, reach};
use crate::plane::Cause;
use crate::token::{Challenge, Proof, Token};
use crate::waiting::Waiting;

/// The shortest time-out: none at all would be over at once.
pub const SHORTEST_TIMEOUT: Duration = Duration::from_millis(1);

/// Longest time that a worker that takes its leave waits for the switch to take note.
pub const LEAVE_WAIT_LIMIT: Duration = Duration::from_secs(2);

/// Introduction of a switch to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Number of sockets to open, and of ports to name.
    pub shards: u16,
    /// Name of the abstract Unix socket at which the switch hands out shared memory (R-CTRL-10);
    /// `None` if it has none.
    pub shared_memory: Option<String>,
    /// Challenge over which a token is proven (R-CTRL-8).
    pub(crate) challenge: Challenge,
}

impl Greeting {
    /// Proves to the switch that this token is known, to have it drained (R-CTRL-21).
    pub fn prove_for_drain(&self, token: &Token) -> Proof {
        token.prove_for_drain(&self.challenge)
    }

    /// Proves to the switch that this token is known, to have a query taken in (R-CTRL-24).
    pub fn prove_for_query(&self, token: &Token) -> Proof {
        token.prove_for_query(&self.challenge)
    }

    /// The greeting in the switch's first message.
    ///
    /// # Errors
    /// The reason for which the worker cannot go on.
    pub fn of(message: Message) -> Result<Self, Rejection> {
        match message {
            Message::Hello { version: VERSION, challenge, shards, shared_memory } => {
                Ok(Self { shards, shared_memory, challenge })
            }
            Message::Hello { version, .. } => Err(Rejection::Version { switch: version }),
            // R-CTRL-18: a rack switch may have no way to the root.
            Message::Refused { reason } => Err(Rejection::Refused(reason)),
            _ => Err(Rejection::not_a_switch("it does not begin with a greeting")),
        }
    }
}

/// Reason for which a worker has not become a member of its job.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Rejection {
    /// Nothing listens there.
    NoSwitch {
        /// The sign by which it was noticed.
        why: String,
    },
    /// Something answers that is not a netfold switch.
    NotASwitch {
        /// The sign by which it was noticed.
        why: String,
    },
    /// The switch is of another version.
    Version {
        /// Its version.
        switch: u8,
    },
    /// The switch does not take the worker.
    Refused(Refusal),
    /// The job has failed as it began, before this worker was told that it runs.
    Failed(Failure),
    /// The switch has gone before it had answered.
    Lost {
        /// The sign by which it was noticed.
        why: String,
    },
}

impl Rejection {
    /// Returns the rejection of a peer that does what no switch does.
    pub fn not_a_switch(why: &str) -> Self {
        Self::NotASwitch { why: why.to_owned() }
    }

    /// Returns the loss of a switch that has sent nothing for so long.
    pub fn silent(patience: Duration) -> Self {
        Self::Lost { why: silence(patience) }
    }
}

/// Action on its connection that the machine asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Outgoing {
    /// Send a message.
    Send(Message),
    /// Close the connection when what was sent before is out.
    Close,
}

/// A step of a [`Membership`].
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// The switch has introduced itself: open sockets and [`join`](Membership::join).
    Greeted(Greeting),
    /// The job is forming.
    Waiting(Waiting),
    /// All have joined, and the job runs. Where the switch itself knows only that it listens
    /// everywhere, the machine has put the switch's address.
    Welcome(Welcome),
    /// Something has happened in the running job.
    Notice(Notice),
    /// The worker is not in a job, and will not be. Nothing follows.
    Rejected(Rejection),
    /// The switch has taken note of the worker's leave, or has had the time to. Nothing follows.
    Left,
}

/// A worker's place in a job, over one connection to its switch, without I/O: from the attempt to
/// connect until one of them goes.
///
/// The caller owns the connection and the clock. It tells the machine what happens
/// ([`connected`](Self::connected), [`handle`](Self::handle),
/// [`disconnected`](Self::disconnected)), what the worker wants ([`join`](Self::join),
/// [`describe`](Self::describe), [`report`](Self::report), [`in_progress`](Self::in_progress),
/// [`leave`](Self::leave), [`abandon`](Self::abandon)) and, when
/// [`poll_timeout`](Self::poll_timeout) says so, that time has passed
/// ([`handle_timeout`](Self::handle_timeout)). After each of these it does what
/// [`poll_output`](Self::poll_output) gives, and takes what [`poll_progress`](Self::poll_progress)
/// gives, until neither gives anything.
///
/// A machine is of use for one connection: a worker that connects again makes another. `now_us` is
/// a clock in microseconds from any origin that never goes back.
#[derive(Clone, Debug)]
pub struct Membership {
    request: JoinRequest,
    switch: SocketAddr,
    /// As the worker was given the switch's address.
    name: String,
    phase: Phase,
    /// Times at which something was last heard and the last heartbeat was sent.
    heard_us: u64,
    sent_us: u64,
    /// Time at which something came after this worker had heard nothing for the job's time-out, and
    /// the length of that silence. The worker was stopped itself.
    stopped: Option<(u64, u64)>,
    /// Number of calls after which the worker has last returned lent slots (R-CTRL-25).
    returned_after: u64,
    output: VecDeque<Outgoing>,
    progress: VecDeque<Progress>,
}

#[derive(Clone, Debug)]
enum Phase {
    /// There is no connection yet.
    Connecting,
    /// The switch has not said hello.
    Connected,
    /// It has; the caller is to join.
    Greeted {
        challenge: Challenge,
    },
    /// The others are not all there.
    Joining,
    /// The job runs.
    Running {
        pulse_us: u64,
        next_pulse_us: u64,
    },
    /// Another worker is lost, and the job goes on without it. The connection shows that this one
    /// is not (R-RES-11).
    Surviving,
    /// The worker has taken its leave.
    Leaving {
        until_us: u64,
    },
    Over,
}

impl Membership {
    /// A worker that connects to the switch at `switch`, which it was given as `name`, and greets
    /// it (R-CTRL-14).
    pub fn new(
        now_us: u64,
        switch: SocketAddr,
        name: impl Into<String>,
        request: JoinRequest,
    ) -> Self {
        let greet = Outgoing::Send(Message::Greet { path: Vec::new() });
        Self {
            request,
            switch,
            name: name.into(),
            phase: Phase::Connecting,
            heard_us: now_us,
            sent_us: now_us,
            stopped: None,
            returned_after: 0,
            output: VecDeque::from([greet]),
            progress: VecDeque::new(),
        }
    }

    /// The connection is there.
    pub fn connected(&mut self, now_us: u64) {
        if let Phase::Connecting = self.phase {
            (self.phase, self.heard_us) = (Phase::Connected, now_us);
        }
    }

    /// Joins with these sockets, once the switch has introduced itself ([`Progress::Greeted`]);
    /// does nothing at any other time.
    pub fn join(&mut self, now_us: u64, sockets: LocalSockets) {
        let Phase::Greeted { challenge } = &self.phase else { return };
        let join = self.request.message(sockets, challenge);
        self.phase = Phase::Joining;
        (self.heard_us, self.sent_us) = (now_us, now_us);
        self.say(Message::Join(join.into()));
    }

    /// A message has come.
    pub fn handle(&mut self, now_us: u64, message: Message) {
        let silent_us = now_us.saturating_sub(self.heard_us);
        if silent_us >= micros(self.request.timeout.max(SHORTEST_TIMEOUT)) {
            self.stopped = Some((now_us, silent_us));
        }
        self.heard_us = now_us;
        match self.phase {
            Phase::Connected => match Greeting::of(message) {
                Ok(greeting) => {
                    self.phase = Phase::Greeted { challenge: greeting.challenge };
                    self.progress.push_back(Progress::Greeted(greeting));
                }
                Err(rejection) => self.rejected(rejection),
            },
            Phase::Greeted { .. } | Phase::Joining => self.hear_before_the_job(now_us, message),
            Phase::Running { .. } => self.hear_of_the_job(now_us, message),
            Phase::Connecting | Phase::Surviving | Phase::Leaving { .. } | Phase::Over => {}
        }
    }

    /// The connection has closed, is of no more use or does not come about, for a reason in words.
    pub fn disconnected(&mut self, why: impl Into<String>) {
        let why = why.into();
        match self.phase {
            Phase::Connecting => self.rejected(Rejection::NoSwitch { why }),
            Phase::Connected => self.rejected(Rejection::NotASwitch { why }),
            Phase::Greeted { .. } | Phase::Joining => self.rejected(Rejection::Lost { why }),
            Phase::Running { .. } => {
                let address = self.name.clone();
                self.end(Progress::Notice(Notice::SwitchLost { address, why }));
            }
            Phase::Surviving => self.hang_up(),
            Phase::Leaving { .. } => self.end(Progress::Left),
            Phase::Over => {}
        }
    }

    /// Does what is due at `now_us`: heartbeats, pulses, and the end of waits. `now_us` is a time
    /// before the caller last looked for messages, and those that had come have been handled. So
    /// what comes while this process is stopped is heard before silence is judged.
    pub fn handle_timeout(&mut self, now_us: u64) {
        if self.silence_us().is_some_and(|silent_us| now_us >= silent_us) {
            return match self.phase {
                Phase::Connecting => self.disconnected("it does not answer"),
                Phase::Connected => self.rejected(Rejection::not_a_switch("it says nothing")),
                _ => self.disconnected(silence(self.request.timeout)),
            };
        }
        if self.heartbeat_us().is_some_and(|due_us| now_us >= due_us) {
            self.sent_us = now_us;
            self.say(Message::Heartbeat);
        }
        match &mut self.phase {
            Phase::Running { pulse_us, next_pulse_us } if now_us >= *next_pulse_us => {
                *next_pulse_us = now_us + *pulse_us;
                self.progress.push_back(Progress::Notice(Notice::Pulse));
            }
            Phase::Leaving { until_us } if now_us >= *until_us => self.end(Progress::Left),
            _ => {}
        }
    }

    /// Returns the time at which [`handle_timeout`](Self::handle_timeout) has something to do next;
    /// `None` if nothing is waited for.
    pub fn poll_timeout(&self) -> Option<u64> {
        let other = match self.phase {
            Phase::Running { next_pulse_us, .. } => Some(next_pulse_us),
            Phase::Leaving { until_us } => Some(until_us),
            _ => None,
        };
        [self.silence_us(), self.heartbeat_us(), other].into_iter().flatten().min()
    }

    /// Returns the next action on the connection.
    pub fn poll_output(&mut self) -> Option<Outgoing> {
        self.output.pop_front()
    }

    /// Returns the next step.
    pub fn poll_progress(&mut self) -> Option<Progress> {
        self.progress.pop_front()
    }

    /// Returns whether nothing more comes of it, but for what [`poll_output`](Self::poll_output)
    /// and [`poll_progress`](Self::poll_progress) still hold.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over)
    }

    /// Answers [`Notice::Describe`]: what this worker calls at a position, in words.
    pub fn describe(&mut self, shard: u16, slot: u16, position: u32, text: impl Into<String>) {
        self.say_of_the_job(Message::Description { shard, slot, position, text: text.into() });
    }

    /// Tells what is wrong in a round, which this worker has seen in shared memory.
    pub fn report(&mut self, shard: u16, slot: u16, position: u32, cause: Cause) {
        self.say_of_the_job(Message::Incident { shard, slot, position, cause });
    }

    /// Tells of calls that are in progress here, so that the switch can compare them with what
    /// others call: [`Notice::Pulse`], [`Notice::AskInProgress`]. Each has its number, and is
    /// described as every worker does that makes the same call.
    pub fn in_progress(&mut self, calls: Vec<(u64, String)>) {
        if !calls.is_empty() {
            self.say_of_the_job(Message::InProgress { calls });
        }
    }

    /// Asks for lent slots, for the call of this number among those that need them (R-CTRL-25). The
    /// answer is [`Notice::Slots`].
    pub fn need_slots(&mut self, call: u64) {
        self.say_of_the_job(Message::NeedSlots { call });
    }

    /// Returns lent slots, after so many calls that have needed them. Nothing is said twice.
    pub fn return_slots(&mut self, calls: u64) {
        if self.returned_after < calls {
            self.returned_after = calls;
            self.say_of_the_job(Message::ReturnSlots { calls });
        }
    }

    /// Takes leave after so many calls (R-CTRL-5). [`Progress::Left`] tells when the switch has
    /// taken note, or could have: nothing else follows.
    pub fn leave(&mut self, now_us: u64, calls: u64) {
        match self.phase {
            Phase::Joining | Phase::Running { .. } => {
                self.say(Message::Leave { calls });
                self.phase =
                    Phase::Leaving { until_us: now_us.saturating_add(micros(LEAVE_WAIT_LIMIT)) };
            }
            Phase::Connecting | Phase::Connected | Phase::Greeted { .. } | Phase::Surviving => {
                self.end(Progress::Left);
            }
            Phase::Leaving { .. } | Phase::Over => {}
        }
    }

    /// Goes at once and without leave: in a running job the others lose this worker (R-CTRL-4).
    /// Nothing more is told.
    pub fn abandon(&mut self) {
        self.progress.clear();
        if !self.is_over() {
            self.hang_up();
        }
    }

    fn hear_before_the_job(&mut self, now_us: u64, message: Message) {
        let joining = matches!(self.phase, Phase::Joining);
        match message {
            Message::Refused { reason } => self.rejected(Rejection::Refused(reason)),
            Message::Failed { cause } => self.rejected(Rejection::Failed(cause)),
            Message::Heartbeat if joining => {}
            Message::Waiting(waiting) if joining => {
                self.progress.push_back(Progress::Waiting(waiting))
            }
            Message::Welcome(mut welcome) if joining => {
                reach(&mut welcome.shards, self.switch.ip());
                let share_us =
                    welcome.timeout_ms.saturating_mul(1000) / u64::from(PULSES_PER_TIMEOUT);
                let pulse_us = share_us.min(micros(LONGEST_PULSE));
                self.phase =
                    Phase::Running { pulse_us, next_pulse_us: now_us.saturating_add(pulse_us) };
                self.progress.push_back(Progress::Welcome(*welcome));
            }
            _ => self.rejected(Rejection::not_a_switch("its answer to a join has no place there")),
        }
    }

    fn hear_of_the_job(&mut self, now_us: u64, message: Message) {
        let notice = match message {
            Message::Failed { cause } => {
                let cause = self.loss_of_this_worker(now_us, &cause).unwrap_or(cause);
                let JoinRequest { rank, terms: Terms { elastic, resumable, .. }, .. } =
                    self.request;
                let survives = cause.survived(elastic, resumable).is_some_and(|lost| lost != rank);
                let notice = Progress::Notice(Notice::Failed(cause));
                if !survives {
                    return self.end(notice);
                }
                self.phase = Phase::Surviving;
                return self.progress.push_back(notice);
            }
            Message::Left { rank, calls } => Notice::Left { rank, calls },
            Message::Describe { shard, slot, position, lane } => {
                Notice::Describe { shard, slot, position, lane }
            }
            Message::AskInProgress { calls } => Notice::AskInProgress { calls },
            Message::Slots { epoch, call, lent } => Notice::Slots { epoch, call, lent },
            _ => return,
        };
        self.progress.push_back(Progress::Notice(notice));
    }

    /// R-RES-8: a worker that was stopped for the job's time-out is lost to the others as well,
    /// whatever it is told of first. It must not go on without them.
    fn loss_of_this_worker(&self, now_us: u64, cause: &Failure) -> Option<Failure> {
        let interval_us = micros(self.request.timeout / HEARTBEATS_PER_TIMEOUT);
        let (_, silent_us) = self.stopped.filter(|(at_us, _)| now_us - at_us < interval_us)?;
        let lost = self.request.terms.elastic && matches!(cause, Failure::WorkerLost { .. });
        let why = Loss::Silent { for_ms: silent_us / 1000 };
        lost.then_some(Failure::WorkerLost { rank: self.request.rank, why })
    }

    fn rejected(&mut self, why: Rejection) {
        self.end(Progress::Rejected(why));
    }

    fn end(&mut self, last: Progress) {
        self.progress.push_back(last);
        self.hang_up();
    }

    fn hang_up(&mut self) {
        self.phase = Phase::Over;
        self.output.push_back(Outgoing::Close);
    }

    fn say_of_the_job(&mut self, message: Message) {
        if let Phase::Running { .. } = self.phase {
            self.say(message);
        }
    }

    fn say(&mut self, message: Message) {
        self.output.push_back(Outgoing::Send(message));
    }

    /// Returns the time at which the switch has been silent for too long. To greet, it has the time
    /// to connect; after that, the job's time-out.
    fn silence_us(&self) -> Option<u64> {
        let patience = match self.phase {
            Phase::Connecting | Phase::Connected => self.request.connect_timeout,
            Phase::Joining | Phase::Running { .. } | Phase::Surviving => self.request.timeout,
            Phase::Greeted { .. } | Phase::Leaving { .. } | Phase::Over => return None,
        };
        Some(self.heard_us.saturating_add(micros(patience.max(SHORTEST_TIMEOUT))))
    }

    /// Returns the time at which the next heartbeat is due (R-CTRL-4).
    fn heartbeat_us(&self) -> Option<u64> {
        let alive = matches!(self.phase, Phase::Joining | Phase::Running { .. } | Phase::Surviving);
        let interval = self.request.timeout.max(SHORTEST_TIMEOUT) / HEARTBEATS_PER_TIMEOUT;
        alive.then(|| self.sent_us.saturating_add(micros(interval)))
    }
}

/// Describes the loss of a switch that has said nothing for so long.
fn silence(patience: Duration) -> String {
    format!("nothing was heard from it for {patience:?}")
}
