//! State that a communicator and the threads that serve it share.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use netfold_control::{Joined, query};
use netfold_management::{Failover, Finding, Participant, Query, Report};
use netfold_wire::{IntegrityKind, Terms, WorkerId};
use netfold_worker::{Call, CallId, Collective, Lengths, Plan, PlanError, Reduction, UserFold};
use tracing::debug;

use super::epoch::{JobEpoch, Listener, Place};
use super::part::{Part, RecentPlans};
use super::subgroup::Channel;
use super::{DOCTOR_TIMEOUT, lock};
use crate::call_table::CallTable;
use crate::error::Error;
use crate::flow::{Command, Flow};
use crate::host::Host;
use crate::memory::CallMemory;
use crate::pin::CoreList;
use crate::rounds::RoundLog;

pub(super) struct Inner {
    /// The switches that may have the job, one after the other (R-RES-2).
    pub(super) switches: Vec<String>,
    /// Cores of the flows' threads, if they are given.
    pub(super) cores: Option<CoreList>,
    /// Number of times that each subgroup has been made.
    subgroups: Mutex<HashMap<String, u64>>,
    /// Communicators for messages, by sender, receiver, tag, and workers of the job.
    pub(super) channels: Mutex<HashMap<(u16, u16, u32, u16), Channel>>,
    pub(super) flows: Vec<Flow>,
    pub(super) call_table: Arc<CallTable>,
    pub(super) listener: Listener,
    /// This worker's part in the job: its calls are made under this lock.
    pub(super) part: Mutex<Part>,
    /// Notified when the part has changed.
    pub(super) changed: Condvar,
    /// Origin of the part's time.
    pub(super) start: Instant,
    epoch: Mutex<Arc<JobEpoch>>,
    place: AtomicU64,
    /// Bytes of a packet with a message in that epoch.
    message_bytes: AtomicU32,
    pub(super) terms: Terms<Option<IntegrityKind>>,
    /// The folds by the job's operations of users, by their numbers.
    pub(super) folds: Box<[UserFold]>,
    /// Number of the latest call by an operation with state, from 1; 0 before the first one.
    with_state: AtomicU64,
    /// Rounds that were completed here, if they are timed.
    pub(super) rounds: Arc<RoundLog>,
}

impl Inner {
    pub(super) fn new(
        switches: Vec<String>,
        cores: Option<CoreList>,
        failover: Failover,
        flows: Vec<Flow>,
        call_table: Arc<CallTable>,
        listener: Listener,
        epoch: JobEpoch,
    ) -> Self {
        let participant = Participant::new(failover, epoch.request.clone(), epoch.welcome.clone());
        Self {
            switches,
            cores,
            subgroups: Mutex::default(),
            channels: Mutex::default(),
            flows,
            call_table,
            listener,
            part: Mutex::new(Part::new(participant)),
            changed: Condvar::new(),
            start: Instant::now(),
            place: AtomicU64::new(Place::of(&epoch).into()),
            message_bytes: AtomicU32::new(epoch.welcome.payload_bytes),
            terms: epoch.request.terms,
            folds: epoch.request.folds().collect(),
            epoch: Mutex::new(Arc::new(epoch)),
            with_state: AtomicU64::new(0),
            rounds: Arc::default(),
        }
    }

    /// The epoch that the job has, or had last.
    pub(super) fn epoch(&self) -> Arc<JobEpoch> {
        lock(&self.epoch).clone()
    }

    /// Returns the plan of `call` in that epoch, with parts of these lengths if they differ. Takes
    /// no lock.
    pub(super) fn plan(&self, call: &Call, lengths: Option<Lengths>) -> Result<Plan, PlanError> {
        self.plan_at(self.place(), call, lengths)
    }

    fn plan_at(
        &self,
        place: Place,
        call: &Call,
        lengths: Option<Lengths>,
    ) -> Result<Plan, PlanError> {
        let Place { rank, workers, mut block_bytes } = place;
        let (arithmetic, rank) = (self.terms.arithmetic, WorkerId(rank));
        if let Reduction::User(fold) = &call.reduction {
            if !self.folds.contains(fold) {
                return Err(PlanError::NotBrought(fold.name().to_owned()));
            }
            // R-OP-24
            if fold.message_elements().is_some() || u32::from(fold.element_bytes()) > block_bytes {
                block_bytes = self.message_bytes.load(Ordering::Relaxed);
            }
        }
        let plan = match lengths {
            None => Plan::new(*call, arithmetic, workers, rank, block_bytes)?,
            Some(lengths) => {
                Plan::with_lengths(*call, lengths, arithmetic, workers, rank, block_bytes)?
            }
        };
        Ok(plan.with_byte_order(self.terms.byte_order))
    }

    /// Returns the plan of `call`: a recent one, if that is of the same call.
    #[inline]
    fn planned<'p>(
        &self,
        recent: &'p mut RecentPlans,
        call: &Call,
        lengths: Option<Lengths>,
    ) -> Result<&'p Plan, PlanError> {
        let place = self.place();
        // An operation of a user has a longer packet in one epoch than in another (R-OP-24).
        let repeats = lengths.is_none() && !matches!(call.reduction, Reduction::User(_));
        if !(repeats && recent.has(call, place)) {
            recent.add(self.plan_at(place, call, lengths)?, repeats.then_some(place));
        }
        Ok(recent.latest())
    }

    /// Counts one more making of a subgroup. Returns the number of those before.
    pub(super) fn count_subgroup(&self, name: &str) -> u64 {
        let mut made = lock(&self.subgroups);
        let count = made.entry(name.to_owned()).or_default();
        *count += 1;
        *count - 1
    }

    /// Takes back a making of a subgroup that has failed.
    pub(super) fn discount_subgroup(&self, name: &str) {
        if let Some(count) = lock(&self.subgroups).get_mut(name) {
            *count -= 1;
        }
    }

    pub(super) fn set_epoch(&self, epoch: Arc<JobEpoch>) {
        self.place.store(Place::of(&epoch).into(), Ordering::Relaxed);
        self.message_bytes.store(epoch.welcome.payload_bytes, Ordering::Relaxed);
        *lock(&self.epoch) = epoch;
    }

    /// This worker's place in that epoch. Takes no lock, so that a copy in another process tells
    /// it, too.
    pub(super) fn place(&self) -> Place {
        self.place.load(Ordering::Relaxed).into()
    }

    /// Puts a call into the inbox of every flow, in the same order at all of them. With `waits` its
    /// caller waits for it next. Returns its number, and whether its caller drives it then: one
    /// thread can drive one of several flows, the first, which alone has the block of a short call
    /// (R-STREAM-2).
    pub(super) fn enqueue(
        &self,
        call: &Call,
        memory: &mut CallMemory,
        notify: bool,
        waits: bool,
    ) -> Result<(CallId, bool), Error> {
        let Self { flows, call_table, .. } = self;
        let enqueue = |id, plan: &Plan, memory: &mut CallMemory| {
            let caller_drives = waits && (flows.len() == 1 || plan.blocks() <= 1);
            call_table.open(id, flows.len() as u16, notify, caller_drives);
            for flow in flows {
                // SAFETY: every flow of the call gets it once.
                let memory = unsafe { memory.for_another_flow() };
                flow.enqueue(Command::Submit { id, plan: plan.clone(), memory });
            }
            caller_drives
        };
        self.make(call, memory, enqueue)
    }

    /// Makes a call. `tell` gives it to the flows and opens its ticket. Returns the call's number
    /// and the result of `tell`.
    ///
    /// Call, plan and memory stay where they are: a copy of what has just been written waits for
    /// it, and a short call takes no longer than a few such copies.
    #[inline]
    pub(super) fn make<R>(
        &self,
        call: &Call,
        memory: &mut CallMemory,
        tell: impl FnOnce(CallId, &Plan, &mut CallMemory) -> R,
    ) -> Result<(CallId, R), Error> {
        // Held while every flow is told, so that all flows have the same order.
        let mut part = self.settled();
        let Part { participant, recent } = &mut *part;
        let plan = self.planned(recent, call, memory.take_lengths())?;
        let collective = plan.call().collective;
        if memory.is_shared() && !collective.can_be_in_place() {
            return Err(PlanError::InPlace(collective.name()).into());
        }
        if !memory.fits(plan) {
            let (input, output) = CallMemory::bytes_of(plan);
            return Err(Error::Memory { input, output });
        }
        self.admits(plan)?;
        let id = participant.make()?;
        if plan.call().reduction.keeps_state() {
            self.with_state.store(id.0 + 1, Ordering::Relaxed);
        }
        Ok((id, tell(id, plan, memory)))
    }

    /// Checks that a call can be made in this job now: one by an operation with state when no other
    /// one is in progress (R-OP-33), a look-aside call where there are slots for it (R-OP-32).
    fn admits(&self, plan: &Plan) -> Result<(), PlanError> {
        let Reduction::User(fold) = &plan.call().reduction else { return Ok(()) };
        if plan.call().collective == Collective::LookAside
            && self.epoch().welcome.exchange_slots == 0
        {
            return Err(PlanError::NoExchangeSlots);
        }
        let latest = self.with_state.load(Ordering::Relaxed).checked_sub(1).map(CallId);
        let in_use = latest.is_some_and(|id| self.call_table.first_from(id) == Some(id));
        if in_use && fold.traits().keeps_state {
            return Err(PlanError::StateInUse(fold.name().to_owned()));
        }
        Ok(())
    }

    /// Has a call go on without its caller, if it is not done and did not do so already.
    pub(super) fn go_on_alone(&self, id: CallId) {
        if self.call_table.detach(id) {
            self.flows.iter().for_each(Flow::request_background);
        }
    }

    /// The part in the job, as soon as it is known who makes the calls that come now (R-RES-9).
    pub(super) fn settled(&self) -> MutexGuard<'_, Part> {
        let part = lock(&self.part);
        if part.is_settled() {
            return part;
        }
        self.changed
            .wait_while(part, |part| !part.is_settled())
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears from now on the notices of the switch in the present epoch.
    pub(super) fn listen(self: &Arc<Self>, joined: Joined) -> Result<(), Error> {
        let listener = self.listener.clone();
        let session = joined.start(Box::new(move |notice| {
            if let Some(inner) = listener.get() {
                inner.heed(notice);
            }
        }));
        self.epoch().set_session(session.map_err(|error| Error::Join(Arc::new(error)))?);
        Ok(())
    }

    /// Ends everything, and lets the others know by going without leave.
    pub(super) fn abort(self: &Arc<Self>, error: Error) {
        self.act(|part, _| part.fail(error));
    }

    /// The job is over here: flows let go of all calls, and the connection closes without leave.
    pub(super) fn end(&self, error: &Error) {
        let epoch = self.epoch();
        epoch.fail_memory();
        self.end_calls(error);
        drop(epoch.take_session());
    }

    fn end_calls(&self, error: &Error) {
        for flow in &self.flows {
            flow.tell(Command::Fail { first: CallId(0), error: error.clone() });
        }
    }

    /// Takes leave, if nothing is in progress, and otherwise goes without.
    pub(super) fn close(self: &Arc<Self>) {
        let finished = {
            let mut part = lock(&self.part);
            part.close(Error::Closed);
            self.call_table.all_done()
        };
        let mut leaves = None;
        if finished {
            // R-RES-7
            self.wait_until_back();
            let replayed = lock(&self.part).is_over() || self.await_replays();
            debug!(replayed, "the worker takes leave");
            leaves = lock(&self.part).leave(self.call_table.oldest(), false);
        }
        self.end_calls(&Error::Closed);
        self.flows.iter().for_each(Flow::stop);
        let epoch = self.epoch();
        if let (Some(made), Some(session)) = (leaves, epoch.take_session()) {
            // R-CTRL-11: the others could not begin without it.
            let fetching = lock(&epoch.host).as_ref().and_then(Host::fetching);
            if let Some((memory_server, others)) = fetching {
                memory_server
                    .wait_until_served(others, Duration::from_millis(epoch.welcome.timeout_ms));
            }
            session.leave(made);
        }
        // Unless it has left.
        self.abort(Error::Closed);
        self.call_table.close();
    }

    /// Ranks that this job's slots wait for, as the switch and this host see it, and whether any of
    /// them fold on a host of their own.
    pub(super) fn missing_ranks(&self) -> (Vec<u16>, bool) {
        let epoch = self.epoch();
        let (mut on_hosts, here): (_, BTreeSet<u16>) = match &*lock(&epoch.host) {
            Some(host) => (true, host.missing().collect()),
            None => (false, BTreeSet::new()),
        };
        let Ok(Report::Doctor { findings, .. }) =
            query(&epoch.address, Query::Doctor, DOCTOR_TIMEOUT)
        else {
            return (Vec::new(), on_hosts);
        };
        let mut missing = BTreeSet::new();
        for finding in findings {
            match finding {
                Finding::WaitingFor { job, rank, with, .. } if job == epoch.request.job => {
                    missing.insert(rank);
                    on_hosts |= !with.is_empty();
                    missing.extend(with);
                }
                _ => {}
            }
        }
        if let Some(group) = &epoch.welcome.host {
            // This host's workers are better known here.
            missing.retain(|rank| !group.ranks.contains(rank));
            missing.extend(here);
        }
        (missing.into_iter().collect(), on_hosts)
    }

    pub(super) fn describe_call(&self, id: CallId) -> String {
        self.call_in_progress(id).unwrap_or_else(|| format!("call {}", id.0 + 1))
    }

    /// A call in words, the same at every worker that makes it; `None` if it is not in progress.
    pub(super) fn call_in_progress(&self, id: CallId) -> Option<String> {
        self.flows.iter().find_map(|flow| flow.ask(|reply| Command::DescribeCall { id, reply })?)
    }

    /// R-CTRL-12
    pub(super) fn tell_in_progress(&self, calls: &[CallId]) {
        if let Some(session) = self.epoch().session() {
            let described =
                calls.iter().filter_map(|call| Some((call.0, self.call_in_progress(*call)?)));
            session.in_progress(described.collect());
        }
    }
}
