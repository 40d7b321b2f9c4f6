//! What a communicator and the threads that serve it share.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use netfold_control::{Failover, Finding, Joined, Query, Report, Roster, query};
use netfold_worker::{Call, CallId, Order, Plan, PlanError};
use tracing::debug;

use super::absence::Absence;
use super::life::{Life, Listener};
use super::{DOCTOR_TIMEOUT, lock};
use crate::error::Error;
use crate::flow::{Command, Flow};
use crate::host::Host;
use crate::rounds::RoundLog;
use crate::tickets::Tickets;

pub(super) struct Inner {
    /// The switches that may have the job, one after the other (R-RES-2).
    pub(super) switches: Vec<String>,
    pub(super) failover: Mutex<Failover>,
    pub(super) absence: Mutex<Absence>,
    /// Notified when this worker is back, or will not be.
    pub(super) returned: Condvar,
    pub(super) flows: Vec<Flow>,
    pub(super) tickets: Arc<Tickets>,
    pub(super) listener: Listener,
    pub(super) calls: Mutex<Order<Error>>,
    life: Mutex<Arc<Life>>,
    /// Whether the job goes on without workers that are lost.
    pub(super) elastic: bool,
    /// Who is left of the workers that callers know.
    pub(super) roster: Mutex<Roster>,
    /// Rounds that were completed here, where they are timed.
    pub(super) rounds: Arc<RoundLog>,
    /// The job has ended for this worker.
    over: AtomicBool,
}

impl Inner {
    pub(super) fn new(
        switches: Vec<String>,
        failover: Failover,
        flows: Vec<Flow>,
        tickets: Arc<Tickets>,
        listener: Listener,
        life: Life,
    ) -> Self {
        Self {
            switches,
            failover: Mutex::new(failover),
            absence: Mutex::default(),
            returned: Condvar::new(),
            flows,
            tickets,
            listener,
            calls: Mutex::default(),
            elastic: life.request.elastic,
            roster: Mutex::new(Roster::new(life.welcome.workers)),
            life: Mutex::new(Arc::new(life)),
            rounds: Arc::default(),
            over: AtomicBool::new(false),
        }
    }

    /// The life that the job has, or had last.
    pub(super) fn life(&self) -> Arc<Life> {
        lock(&self.life).clone()
    }

    /// How `call` is carried out in that life.
    #[inline]
    pub(super) fn plan(&self, call: Call) -> Result<Plan, PlanError> {
        lock(&self.life).plan(call)
    }

    pub(super) fn set_life(&self, life: Arc<Life>) {
        *lock(&self.life) = life;
    }

    fn be_over(&self) {
        self.over.store(true, Ordering::Release);
        // Under the lock, so that nobody who waits misses it.
        let _absence = lock(&self.absence);
        self.returned.notify_all();
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Hears from now on what the switch says in the present life.
    pub(super) fn listen(self: &Arc<Self>, joined: Joined) -> Result<(), Error> {
        let listener = self.listener.clone();
        let session = joined.start(Box::new(move |notice| {
            if let Some(inner) = listener.get() {
                inner.heed(notice);
            }
        }));
        self.life().set_session(session.map_err(|error| Error::Join(Arc::new(error)))?);
        Ok(())
    }

    /// Ends every call from `first` on, now and later.
    pub(super) fn fail(&self, first: CallId, error: Error) {
        let mut calls = lock(&self.calls);
        calls.end(first, error.clone());
        for flow in &self.flows {
            flow.tell(Command::Fail { first, error: error.clone() });
        }
    }

    /// Ends everything: the job has failed.
    pub(super) fn end(&self, error: Error) {
        self.be_over();
        self.life().fail_memory();
        self.fail(CallId(0), error);
    }

    /// Ends everything, and lets the others know by going without leave.
    pub(super) fn abort(&self, error: Error) {
        self.end(error);
        drop(self.life().take_session());
    }

    /// Takes leave, if nothing is in progress, and otherwise goes without.
    pub(super) fn close(&self) {
        let made = {
            let mut calls = lock(&self.calls);
            calls.end(CallId(0), Error::Closed);
            calls.made()
        };
        let finished = self.tickets.all_done();
        if finished && !self.is_over() {
            // R-RES-7; for others that do not come in this time either, this one is in vain.
            self.wait_until_back();
            let deadline = Instant::now() + Duration::from_millis(self.life().welcome.timeout_ms);
            let replayed = self.flows.iter().all(|flow| flow.await_replays(deadline));
            debug!(replayed, "the worker takes leave");
        }
        self.be_over();
        for flow in &self.flows {
            flow.tell(Command::Fail { first: CallId(0), error: Error::Closed });
            flow.stop();
        }
        let life = self.life();
        if let Some(session) = life.take_session().filter(|_| finished) {
            // R-CTRL-11: the others could not begin without it.
            let fetching = lock(&life.host).as_ref().and_then(Host::fetching);
            if let Some((desk, others)) = fetching {
                desk.wait_until_served(others, Duration::from_millis(life.welcome.timeout_ms));
            }
            session.leave(made);
        }
        self.tickets.close();
    }

    /// Ranks that this job's slots wait for, as the switch and this host see it, and whether any of them fold on a host of their own.
    pub(super) fn missing_ranks(&self) -> (Vec<u16>, bool) {
        let life = self.life();
        let (mut on_hosts, here): (_, BTreeSet<u16>) = match &*lock(&life.host) {
            Some(host) => (true, host.missing().collect()),
            None => (false, BTreeSet::new()),
        };
        let Ok(Report::Doctor { findings, .. }) = query(&life.address, Query::Doctor, DOCTOR_TIMEOUT) else {
            return (Vec::new(), on_hosts);
        };
        let mut missing = BTreeSet::new();
        for finding in findings {
            match finding {
                Finding::WaitingFor { job, rank, with, .. } if job == life.request.job => {
                    missing.insert(rank);
                    on_hosts |= !with.is_empty();
                    missing.extend(with);
                }
                _ => {}
            }
        }
        if let Some(group) = &life.welcome.host {
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
    pub(super) fn tell_in_progress(&self, id: CallId) {
        let session = self.life().session();
        if let (Some(session), Some(text)) = (session, self.call_in_progress(id)) {
            session.in_progress(id.0, text);
        }
    }

    /// R-CTRL-12: tells of a call that has been in progress since the last pulse.
    pub(super) fn pulse(&self) {
        let lasting = lock(&self.calls).pulse(self.tickets.oldest());
        if let Some(id) = lasting {
            self.tell_in_progress(id);
        }
    }
}
