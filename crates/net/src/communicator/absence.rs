//! A worker between two lives of its job: one has ended, and the job goes on (R-RES).

use std::ops::ControlFlow;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netfold_control::{
    Attempt, ClientError, Ending, Failover, FlowRounds, JoinRequest, Joined, Onward, Refusal, Session,
};
use netfold_worker::Order;
use tracing::{info, warn};

use super::inner::Inner;
use super::lock;
use crate::error::Error;
use crate::flow::{Command, Flow};
use crate::link::PausedLink;
use crate::sockets::Sockets;

/// Where a worker is that is not in a life of its job.
#[derive(Default)]
pub(super) struct Absence {
    pub(super) away: Option<Onward>,
    /// The next life has ended before this worker was back in it.
    again: Option<End>,
}

/// The end of a life, and how the job goes on.
struct End {
    ending: Ending,
    onward: Onward,
}

/// A switch that has taken this worker in again.
pub(super) struct Found {
    pub(super) address: String,
    pub(super) sockets: Sockets,
    pub(super) joined: Joined,
}

impl Inner {
    /// Whether the job goes on after this. Then this worker is on its way.
    pub(super) fn departs(self: &Arc<Self>, ending: &Ending) -> bool {
        let Some(end) = self.end_of(ending.clone()) else { return false };
        let mut absence = lock(&self.absence);
        if absence.away.is_some() {
            absence.again = Some(end);
            return true;
        }
        let (inner, onward) = (self.clone(), end.onward);
        let started = thread::Builder::new().name("netfold-resume".into()).spawn(move || inner.go_on(end));
        absence.away = started.is_ok().then_some(onward);
        started.is_ok()
    }

    /// Nothing if the job does not go on, or is over here.
    fn end_of(&self, ending: Ending) -> Option<End> {
        let onward = lock(&self.failover).onward(&self.life().request, &ending);
        onward.filter(|_| !self.is_over()).map(|onward| End { ending, onward })
    }

    /// The order of calls, as soon as it is known who makes those that come now (R-RES-9).
    pub(super) fn settled_calls(&self) -> MutexGuard<'_, Order<Error>> {
        if !self.elastic {
            return lock(&self.calls);
        }
        let regrouping = |absence: &mut Absence| absence.away == Some(Onward::Workers) && !self.is_over();
        loop {
            let waited = self.returned.wait_while(lock(&self.absence), regrouping);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            // Who regroups counts the calls under their lock, after it has gone away: none comes in between.
            let calls = lock(&self.calls);
            if !regrouping(&mut lock(&self.absence)) {
                return calls;
            }
        }
    }

    /// Waits until this worker is in a life of its job again, or will not be (R-RES-3): others may need what it has.
    pub(super) fn wait_until_back(&self) {
        let away = |absence: &mut Absence| absence.away.is_some() && !self.is_over();
        let waited = self.returned.wait_while(lock(&self.absence), away);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Takes this worker to the next life of its job, and on to those after it that are needed.
    fn go_on(self: Arc<Self>, mut end: End) {
        while let Some(next) = self.next_life(&end) {
            end = next;
        }
        lock(&self.absence).away = None;
        self.returned.notify_all();
    }

    /// Gives the end of that life, if it has come before this worker was back. If the job cannot go on, it has ended here.
    fn next_life(self: &Arc<Self>, End { ending, onward }: &End) -> Option<End> {
        let lost = self.error_of(ending.clone());
        warn!("{lost}; the job goes on as soon as all are there again");
        let gone = self.suspend().and_then(|flows| match onward {
            Onward::Switch => self.change_switch(ending, flows),
            Onward::Workers => self.regroup(ending),
        });
        if let Err(Error::Failed(failure)) = &gone {
            // The life to which it was on its way has ended before this worker was in it.
            let next = self.end_of(Ending::Failed(failure.clone()));
            if let Some(next) = next {
                lock(&self.absence).away = Some(next.onward);
                return Some(next);
            }
        }
        if let Err(why) = gone {
            self.abort(Error::NotResumed { lost: lost.to_string(), why: why.to_string() });
            return None;
        }
        // Closed, or failed, meanwhile: the flows have been told, and the switch is told by this.
        if self.is_over() {
            self.life().fail_memory();
            drop(self.life().take_session());
            return None;
        }
        let mut absence = lock(&self.absence);
        let again = absence.again.take();
        absence.away = again.as_ref().map(|end| end.onward);
        again
    }

    /// R-RES-2: neither sends nor takes anything from now on. Gives the last rounds of each flow.
    pub(super) fn suspend(&self) -> Result<Vec<FlowRounds>, Error> {
        let life = self.life();
        // First, since a flow that waits for a slot does not answer.
        life.fail_memory();
        let suspend = |flow: &Flow| {
            let link = PausedLink::new().map_err(Error::io("a worker cannot wait for another switch"))?;
            let rounds = flow.ask(|reply| Command::Suspend { link: Box::new(link), reply });
            Ok(FlowRounds::new(answered(rounds)?.into_iter().map(|round| round.0)))
        };
        let rounds: Result<Vec<_>, _> = self.flows.iter().map(suspend).collect();
        // Threads of the leaf end with it: not under its lock, which they may want.
        let host = lock(&life.host).take();
        drop(host);
        drop(life.take_session());
        rounds
    }

    /// Joins at the first switch that has the job, of those that it is to try from `first` on.
    pub(super) fn find_switch(
        &self,
        first: impl FnOnce(&mut Failover, u64) -> Attempt,
        request: &JoinRequest,
    ) -> Result<Found, Error> {
        let start = Instant::now();
        let now_us = || start.elapsed().as_micros() as u64;
        let mut attempt = first(&mut lock(&self.failover), now_us());
        loop {
            wait_for(&attempt, start);
            let address = self.switches[attempt.switch].clone();
            let mut sockets = Sockets::for_flows(self.flows.len() as u16);
            let waiting = |_, _| if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            match Session::join(&address, request, |path| sockets.open(path), waiting) {
                Ok(joined) => {
                    lock(&self.failover).joined();
                    return Ok(Found { address, sockets, joined });
                }
                Err(_) if self.is_over() => return Err(Error::Closed),
                Err(why) => attempt = self.next_attempt(now_us(), why)?,
            }
        }
    }

    fn next_attempt(&self, now_us: u64, why: ClientError) -> Result<Attempt, Error> {
        info!("{why}");
        lock(&self.failover).turned_away(now_us, &why).ok_or_else(|| Error::Join(Arc::new(why)))
    }
}

/// Who has not come to a job, if that is why a worker could not join it.
pub(super) fn missing(error: &Error) -> Option<&[u16]> {
    match error {
        Error::Join(why) => match &**why {
            ClientError::Refused(Refusal::JoinTimeout { missing, .. }) => Some(missing),
            _ => None,
        },
        _ => None,
    }
}

/// What a flow has answered.
pub(super) fn answered<T>(answer: Option<T>) -> Result<T, Error> {
    answer.ok_or_else(|| Error::io("a flow of this worker does not answer")(std::io::ErrorKind::TimedOut.into()))
}

fn wait_for(attempt: &Attempt, start: Instant) {
    let at = Duration::from_micros(attempt.at_us);
    thread::sleep(at.saturating_sub(start.elapsed()));
}
