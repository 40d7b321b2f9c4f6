//! A worker of a job, for whoever has tensors to fold.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use netfold_control::{
    ClientError, Finding, JoinRequest, Joined, Notice, Query, Report, Session, Transport, Welcome, query,
};
use netfold_num::Arithmetic;
use netfold_wire::{Epoch, JobId, Position, SlotIndex, WorkerId};
use netfold_worker::{Call, CallId, Plan, PlanError, StreamConfig, Timing};

use crate::error::Error;
use crate::flow::{Command, Flow, FlowStats, OnBroken};
use crate::host::Host;
use crate::link::OnEvent;
use crate::memory::CallMemory;
use crate::pin::CoreList;
use crate::sockets::Sockets;
use crate::stats::Stats;
use crate::switch::cause_of;
use crate::tickets::{Outcome, Tickets};

/// In shared memory only a worker that waits for a core makes a round late.
const NOTHING_IS_LOST: Timing = Timing { rto_initial_us: 1_000_000, rto_min_us: 1_000_000, rto_max_us: 10_000_000 };

/// How long the switch may take to tell who is waited for, when a call has timed out.
const DOCTOR_TIMEOUT: Duration = Duration::from_millis(500);

/// A worker's place in a job. Calls may be made from any thread; their order must be the same at every worker.
pub struct Communicator {
    inner: Arc<Inner>,
}

struct Inner {
    address: String,
    request: JoinRequest,
    welcome: Welcome,
    flows: Vec<Flow>,
    /// The leaf of this worker's host, if the job has one (R-CTRL-11).
    host: Option<Host>,
    tickets: Arc<Tickets>,
    session: Mutex<Option<Arc<Session>>>,
    calls: Mutex<Calls>,
}

/// The order of calls, and where it ends.
#[derive(Default)]
struct Calls {
    made: u64,
    /// The first call that cannot be done, and why.
    failed: Option<(CallId, Error)>,
    /// The first call that was in progress at the last pulse.
    oldest: Option<CallId>,
}

impl Communicator {
    /// Joins the job that `request` names at the switch at `address` (`HOST:PORT`), and waits until all its workers have. `waiting` is told how many
    /// of how many have joined, at least ten times a second, and ends the wait by `Break`.
    ///
    /// # Errors
    /// [`Error::Join`], which says what to do next.
    pub fn connect(
        address: &str,
        request: JoinRequest,
        waiting: impl FnMut(u16, u16) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        Self::connect_on(None, address, request, waiting)
    }

    /// The same with the flows' threads on `cores`. The workers of one host take turns with them, in the order of their ranks, as far as they know of each
    /// other (R-CTRL-10, R-CTRL-11). A thread that waits for a call drives it where it is.
    ///
    /// # Errors
    /// [`Error::Join`], or [`Error::Io`] if there is no such core.
    pub fn connect_on(
        cores: Option<&CoreList>,
        address: &str,
        request: JoinRequest,
        waiting: impl FnMut(u16, u16) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let mut sockets = Sockets::default();
        let joined =
            Session::join(address, &request, |path| sockets.open(path), waiting).map_err(|error| match error {
                ClientError::Failed(failure) => Error::Failed(failure),
                error => Error::Join(Arc::new(error)),
            })?;
        let welcome = joined.welcome().clone();
        let tickets = Arc::new(Tickets::default());
        let listener = Arc::new(OnceLock::new());
        let on_broken = abort_by(listener.clone());
        let on_event = |flow| report_to(listener.clone(), flow);
        let links = match sockets.links(&joined, &request, on_event, &on_broken) {
            Ok(links) => links,
            // Others may have ended the job, and its memory with it, before this worker came to it.
            Err(error) => return Err(joined.failure().map_or(error, Error::Failed)),
        };
        let (mut flows, count) = (Vec::new(), links.flows.len() as u16);
        let place = usize::from(place_on_host(&welcome, request.rank)) * usize::from(count);
        for (flow, link) in (0..count).zip(links.flows) {
            let core = cores.map(|cores| cores.of(place + usize::from(flow)));
            let config = stream_config(&joined, &request, flow, count);
            let name = format!("netfold-flow-{flow}");
            let flow = Flow::start(name, core, config, welcome.urgent_slots, link, tickets.clone(), on_broken.clone());
            flows.push(flow.map_err(Error::io("a thread of the communicator could not be started"))?);
        }
        let inner = Arc::new(Inner {
            address: address.to_owned(),
            request,
            welcome,
            flows,
            host: links.host,
            tickets,
            session: Mutex::default(),
            calls: Mutex::default(),
        });
        let communicator = Self { inner: inner.clone() };
        let heeding = Arc::downgrade(&inner);
        // Set once: this is the only place that does.
        let _ = listener.set(heeding.clone());
        let session = joined
            .start(Box::new(move |notice| heed(&heeding, notice)))
            .map_err(|error| Error::Join(Arc::new(error)))?;
        *lock(&inner.session) = Some(Arc::new(session));
        Ok(communicator)
    }

    /// This worker's rank.
    pub fn rank(&self) -> u16 {
        self.inner.request.rank
    }

    /// Workers of the job.
    pub fn size(&self) -> u16 {
        self.inner.welcome.workers
    }

    /// The job's arithmetic.
    pub fn arithmetic(&self) -> Arithmetic {
        self.inner.request.arithmetic
    }

    /// How the job's slots are reached.
    pub fn transport(&self) -> Transport {
        self.inner.welcome.transport()
    }

    /// How `call` would be carried out here.
    ///
    /// # Errors
    /// What the job cannot do, by name; the answer is the same at every worker.
    pub fn plan(&self, call: Call) -> Result<Plan, PlanError> {
        let Welcome { workers, payload_bytes, .. } = self.inner.welcome;
        let plan = Plan::new(call, self.arithmetic(), workers, WorkerId(self.rank()), payload_bytes)?;
        Ok(plan.with_byte_order(self.inner.request.byte_order))
    }

    /// Begins a call and returns at once. With `notify`, [`Communicator::next_completion`] reports its end.
    ///
    /// # Errors
    /// [`Error::Unsupported`] and [`Error::Memory`], after which the job goes on; or why the job has ended.
    pub fn submit(&self, call: Call, memory: CallMemory, notify: bool) -> Result<CallId, Error> {
        let id = self.enqueue(call, memory, notify)?;
        self.inner.flows.iter().for_each(Flow::attend);
        Ok(id)
    }

    /// Begins a call for which this thread waits next ([`Communicator::wait`]), so that nobody else need be woken for it. Until then, or until
    /// [`Communicator::watch`], it may stand still.
    ///
    /// # Errors
    /// As [`Communicator::submit`].
    pub fn begin(&self, call: Call, memory: CallMemory) -> Result<CallId, Error> {
        let id = self.enqueue(call, memory, false)?;
        match &*self.inner.flows {
            [flow] => flow.attend_and_return(),
            // One thread can drive only one of several.
            flows => flows.iter().for_each(Flow::attend),
        }
        Ok(id)
    }

    /// Has a call that was begun go on without its caller, and its end reported by [`Communicator::next_completion`].
    pub fn watch(&self, id: CallId) {
        self.inner.tickets.watch(id);
        self.inner.flows.iter().for_each(Flow::relieve);
    }

    /// Puts a call into the inbox of every flow, in the same order at all of them.
    fn enqueue(&self, call: Call, memory: CallMemory, notify: bool) -> Result<CallId, Error> {
        let plan = self.plan(call)?;
        if !memory.fits(&plan) {
            let (input, output) = CallMemory::bytes_of(&plan);
            return Err(Error::Memory { input, output });
        }
        let inner = &*self.inner;
        // Held while every flow is told, so that all flows have the same order.
        let mut calls = lock(&inner.calls);
        let id = CallId(calls.made);
        if let Some((_, error)) = calls.failed.as_ref().filter(|(first, _)| id >= *first) {
            return Err(error.clone());
        }
        calls.made += 1;
        inner.tickets.open(id, inner.flows.len() as u16, notify);
        for flow in &inner.flows {
            flow.enqueue(Command::Submit { id, plan, memory });
        }
        Ok(id)
    }

    /// Waits until a call is done. When `timeout` is over first, the call is given up ([`Communicator::give_up`]).
    ///
    /// # Errors
    /// Why the call has failed.
    pub fn wait(&self, id: CallId, timeout: Option<Duration>) -> Outcome {
        self.poll(id, timeout).unwrap_or_else(|| self.give_up(id, timeout.unwrap_or_default()))
    }

    /// Waits at most `timeout` for a call to be done. `None` when it is not; it goes on then.
    pub fn poll(&self, id: CallId, timeout: Option<Duration>) -> Option<Outcome> {
        let Inner { tickets, flows, .. } = &*self.inner;
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        if let ([flow], false) = (&**flows, timeout == Some(Duration::ZERO)) {
            flow.drive(deadline, || tickets.is_done(id));
        }
        tickets.wait(id, deadline)
    }

    /// Gives up a call that was not done `after` so long a time. Everything that is in progress ends with [`Error::Timeout`], and so does the job, so that
    /// the memory is free again when this returns. A call that is done by then has the outcome that it has.
    ///
    /// # Errors
    /// The time-out, or why else the call has failed.
    pub fn give_up(&self, id: CallId, after: Duration) -> Outcome {
        let call = self.inner.describe_call(id);
        self.inner.tell_in_progress(id);
        let (missing, on_hosts) = self.inner.missing_ranks();
        // R-CTRL-12: slots that wait for this worker too, or that wait no more, are what a different call of another worker leaves; and so may be those that wait
        // for a host, whose workers may differ among themselves. The switch is asking.
        if (missing.is_empty() || on_hosts || missing.contains(&self.rank()))
            && let Some(outcome) = self.poll(id, Some(DOCTOR_TIMEOUT))
        {
            return outcome;
        }
        self.inner.abort(Error::timeout(call, after, &missing));
        // Every flow lets go of the memory as soon as it reads its inbox.
        self.poll(id, None).expect("waits for as long as it takes")
    }

    /// Whether a call is done, with a result or an error.
    pub fn test(&self, id: CallId) -> bool {
        self.poll(id, Some(Duration::ZERO)).is_some()
    }

    /// Drops the record of a call that is done and that nobody waits for any more.
    pub fn forget(&self, id: CallId) {
        self.inner.tickets.forget(id);
    }

    /// The next call made with `notify` that is done, waiting at most `timeout`. `None` when the time is over or the communicator is closed.
    pub fn next_completion(&self, timeout: Duration) -> Option<(CallId, Outcome)> {
        self.inner.tickets.next_completion(timeout)
    }

    /// Makes a call and waits for it. `output` is ignored where this worker gets nothing.
    ///
    /// # Errors
    /// As [`Communicator::submit`] and [`Communicator::wait`].
    pub fn run(&self, call: Call, input: &[u8], output: &mut [u8], timeout: Option<Duration>) -> Result<(), Error> {
        // SAFETY: both slices are borrowed until `finish` returns, which is when the call is done.
        let memory = unsafe { CallMemory::from_raw(input.as_ptr(), input.len(), output.as_mut_ptr(), output.len()) };
        self.finish(call, memory, timeout)
    }

    /// Makes a call in place and waits for it: `tensor` is both input and output.
    ///
    /// # Errors
    /// As [`Communicator::submit`] and [`Communicator::wait`].
    pub fn run_in_place(&self, call: Call, tensor: &mut [u8], timeout: Option<Duration>) -> Result<(), Error> {
        let start = tensor.as_mut_ptr();
        // SAFETY: the slice is borrowed until `finish` returns, which is when the call is done.
        let memory = unsafe { CallMemory::from_raw(start, tensor.len(), start, tensor.len()) };
        self.finish(call, memory, timeout)
    }

    fn finish(&self, call: Call, memory: CallMemory, timeout: Option<Duration>) -> Result<(), Error> {
        let id = self.begin(call, memory)?;
        let outcome = self.wait(id, timeout);
        self.forget(id);
        outcome
    }

    /// What the communicator has done so far, over all flows.
    pub fn stats(&self) -> Stats {
        let flows: Vec<FlowStats> = self.inner.flows.iter().filter_map(|flow| flow.ask(Command::Stats)).collect();
        let host_workers = self.inner.host.as_ref().map_or(1, Host::workers);
        Stats { host_workers, ..Stats::of(&self.inner.welcome, &flows) }
    }

    /// Leaves the job. Calls that are in progress fail, and then the job fails for the others too; closing again does nothing.
    pub fn close(&self) {
        let made = {
            let mut calls = lock(&self.inner.calls);
            calls.failed.get_or_insert((CallId(0), Error::Closed));
            calls.made
        };
        let finished = self.inner.tickets.all_done();
        for flow in &self.inner.flows {
            flow.tell(Command::Fail { first: CallId(0), error: Error::Closed });
            flow.stop();
        }
        let session = lock(&self.inner.session).take();
        if let Some(session) = session.filter(|_| finished) {
            // R-CTRL-11: the others could not begin without it.
            if let Some(host) = &self.inner.host {
                host.wait_until_fetched(Duration::from_millis(self.inner.welcome.timeout_ms));
            }
            session.leave(made);
        }
        self.inner.tickets.close();
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        self.close();
    }
}

impl Inner {
    /// Ends every call from `first` on, now and later.
    fn fail(&self, first: CallId, error: Error) {
        let mut calls = lock(&self.calls);
        if calls.failed.as_ref().is_none_or(|(earlier, _)| first < *earlier) {
            calls.failed = Some((first, error.clone()));
        }
        for flow in &self.flows {
            flow.tell(Command::Fail { first, error: error.clone() });
        }
    }

    /// Ends everything: the job has failed.
    fn end(&self, error: Error) {
        // R-CTRL-11: nobody waits for memory that one of the host's workers has died with.
        if let Some(host) = &self.host {
            host.fail();
        }
        self.fail(CallId(0), error);
    }

    /// Ends everything, and lets the others know by going without leave.
    fn abort(&self, error: Error) {
        self.end(error);
        // Not dropped under its lock: that waits for a thread which may want the lock for an answer to the switch.
        let session = lock(&self.session).take();
        drop(session);
    }

    /// Ranks that this job's slots wait for, as the switch and this host see it, and whether any of them fold on a host of their own.
    fn missing_ranks(&self) -> (Vec<u16>, bool) {
        let mut on_hosts = self.host.is_some();
        let Ok(Report::Doctor { findings, .. }) = query(&self.address, Query::Doctor, DOCTOR_TIMEOUT) else {
            return (Vec::new(), on_hosts);
        };
        let mut missing = BTreeSet::new();
        for finding in findings {
            match finding {
                Finding::WaitingFor { job, rank, with, .. } if job == self.request.job => {
                    missing.insert(rank);
                    on_hosts |= !with.is_empty();
                    missing.extend(with);
                }
                _ => {}
            }
        }
        if let (Some(host), Some(group)) = (&self.host, &self.welcome.host) {
            // This host's workers are better known here.
            let here: BTreeSet<_> = host.missing().collect();
            missing.retain(|rank| !group.ranks.contains(rank));
            missing.extend(here);
        }
        (missing.into_iter().collect(), on_hosts)
    }

    fn describe_call(&self, id: CallId) -> String {
        self.call_in_progress(id).unwrap_or_else(|| format!("call {}", id.0 + 1))
    }

    /// A call in words, the same at every worker that makes it; `None` if it is not in progress.
    fn call_in_progress(&self, id: CallId) -> Option<String> {
        self.flows.iter().find_map(|flow| flow.ask(|reply| Command::DescribeCall { id, reply })?)
    }

    /// R-CTRL-12
    fn tell_in_progress(&self, id: CallId) {
        let session = lock(&self.session).clone();
        if let (Some(session), Some(text)) = (session, self.call_in_progress(id)) {
            session.in_progress(id.0, text);
        }
    }

    /// R-CTRL-12: tells of a call that has been in progress since the last pulse.
    fn pulse(&self) {
        let oldest = self.tickets.oldest();
        let before = std::mem::replace(&mut lock(&self.calls).oldest, oldest);
        if let Some(id) = oldest.filter(|_| oldest == before) {
            self.tell_in_progress(id);
        }
    }
}

/// How many workers of lower rank are known to be on this host.
fn place_on_host(welcome: &Welcome, rank: u16) -> u16 {
    match (&welcome.host, welcome.transport()) {
        (Some(group), _) => group.ranks.iter().filter(|other| **other < rank).count() as u16,
        (None, Transport::Shm) => rank,
        (None, Transport::Udp) => 0,
    }
}

/// What to do on a notice of the management plane.
fn heed(communicator: &Weak<Inner>, notice: Notice) {
    let Some(inner) = communicator.upgrade() else { return };
    match notice {
        Notice::Failed(failure) => inner.end(Error::Failed(failure)),
        Notice::SwitchLost { why, .. } => inner.end(Error::SwitchLost { address: inner.address.clone(), why }),
        // R-CTRL-5
        Notice::Left { rank, calls } => inner.fail(CallId(calls), Error::PeerLeft { rank, calls }),
        // R-CTRL-6
        Notice::Describe { shard, slot, position, lane } => {
            let flow = inner.flows.get(usize::from(shard));
            let (at, block) = (SlotIndex(slot), Position(position));
            let call =
                flow.and_then(|flow| flow.ask(|reply| Command::Describe { slot: at, position: block, lane, reply })?);
            let session = lock(&inner.session).clone();
            if let Some(session) = session {
                session.describe(shard, slot, position, call.unwrap_or_else(|| "nothing".into()));
            }
        }
        Notice::AskInProgress { call } => inner.tell_in_progress(CallId(call)),
        Notice::Pulse => inner.pulse(),
        _ => tracing::debug!(?notice, "a notice that this version does not know"),
    }
}

/// Tells the switch what this worker sees in shared memory.
fn report_to(communicator: Arc<OnceLock<Weak<Inner>>>, flow: u16) -> OnEvent {
    Box::new(move |event| {
        let (_, _, slot, position) = event.place();
        let Some(inner) = communicator.get().and_then(Weak::upgrade) else { return };
        let session = lock(&inner.session).clone();
        if let Some(session) = session {
            session.report(flow, slot.0, position.0, cause_of(event));
        }
    })
}

/// Ends the job when this worker cannot take part any more.
fn abort_by(communicator: Arc<OnceLock<Weak<Inner>>>) -> OnBroken {
    Arc::new(move |error| {
        if let Some(inner) = communicator.get().and_then(Weak::upgrade) {
            inner.abort(error);
        }
    })
}

fn stream_config(joined: &Joined, request: &JoinRequest, flow: u16, flows: u16) -> StreamConfig {
    let welcome = joined.welcome();
    StreamConfig {
        job: JobId(welcome.job),
        epoch: Epoch(welcome.epoch),
        rank: WorkerId(request.rank),
        first_slot: 0,
        slots: welcome.slots,
        flow,
        flows,
        integrity: joined.integrity(),
        timing: match welcome.transport() {
            Transport::Shm => NOTHING_IS_LOST,
            Transport::Udp => Timing::default(),
        },
        weight: request.weight,
    }
}

/// What a mutex guards here is whole between any two statements that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
