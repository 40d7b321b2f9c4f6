//! A worker between two lives of its job: one has ended, and the job goes on (R-RES).

use std::ops::ControlFlow;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netfold_control::{Attempt, ClientError, Ending, Failure, FlowRounds, JoinRequest, Joined, Refusal, Session};
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
    away: Option<Way>,
    /// Another worker has taken leave, and could not come along (R-RES-7).
    alone: bool,
    /// The next life has ended before this worker was back in it.
    again: Option<Ending>,
}

/// Why a worker is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// To another switch, since its own is lost (R-RES-2).
    Switch,
    /// Others of its job are lost (R-RES-8).
    Workers,
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
        let way = self.way(ending);
        let mut absence = lock(&self.absence);
        absence.alone |= matches!(ending, Ending::PeerLeft { .. });
        let Some(way) = way.filter(|_| !absence.alone && !self.is_over()) else { return false };
        if absence.away.is_some() {
            absence.again = Some(ending.clone());
            return true;
        }
        let (inner, reason) = (self.clone(), ending.clone());
        let started = thread::Builder::new().name("netfold-resume".into()).spawn(move || inner.go_on(reason));
        absence.away = started.is_ok().then_some(way);
        started.is_ok()
    }

    fn way(&self, ending: &Ending) -> Option<Way> {
        let life = self.life();
        match ending {
            _ if ending.is_of_a_switch() && life.request.resumable => Some(Way::Switch),
            Ending::Failed(Failure::WorkerLost { rank, .. }) if life.request.elastic && *rank != life.request.rank => {
                Some(Way::Workers)
            }
            _ => None,
        }
    }

    /// The order of calls, as soon as it is known who makes those that come now (R-RES-9).
    pub(super) fn settled_calls(&self) -> MutexGuard<'_, Order<Error>> {
        if !self.elastic {
            return lock(&self.calls);
        }
        let regrouping = |absence: &mut Absence| absence.away == Some(Way::Workers) && !self.is_over();
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
    fn go_on(self: Arc<Self>, mut ending: Ending) {
        while let Some(next) = self.next_life(&ending) {
            ending = next;
        }
        lock(&self.absence).away = None;
        self.returned.notify_all();
    }

    /// Gives why that life has ended before this worker was back, if so. If the job cannot go on, it has ended here.
    fn next_life(self: &Arc<Self>, ending: &Ending) -> Option<Ending> {
        let lost = self.error_of(ending.clone());
        let way = self.way(ending)?;
        warn!("{lost}; the job goes on as soon as all are there again");
        let gone = self.suspend().and_then(|flows| match way {
            Way::Switch => self.change_switch(ending, flows),
            Way::Workers => self.regroup(ending),
        });
        if let Err(Error::Failed(failure)) = &gone {
            // The life to which it was on its way has ended before this worker was in it.
            let next = Ending::Failed(failure.clone());
            let way = self.way(&next);
            if way.is_some() && !self.is_over() {
                lock(&self.absence).away = way;
                return Some(next);
            }
        }
        if let Err(why) = gone {
            self.abort(Error::NotResumed { lost: lost.to_string(), why: why.to_string() });
            return None;
        }
        // Closed, or failed, meanwhile: the flows have been told, and the switch is told by this.
        if self.is_over() {
            self.life().fail_host();
            drop(self.life().take_session());
            return None;
        }
        let mut absence = lock(&self.absence);
        let again = absence.again.take();
        let way = again.as_ref().and_then(|ending| self.way(ending));
        absence.away = way;
        again
    }

    /// R-RES-2: neither sends nor takes anything from now on. Gives the last rounds of each flow.
    fn suspend(&self) -> Result<Vec<FlowRounds>, Error> {
        let suspend = |flow: &Flow| {
            let link = PausedLink::new().map_err(Error::io("a worker cannot wait for another switch"))?;
            let rounds = flow.ask(|reply| Command::Suspend { link: Box::new(link), reply });
            Ok(FlowRounds::new(answered(rounds)?.into_iter().map(|round| round.0)))
        };
        let rounds: Result<Vec<_>, _> = self.flows.iter().map(suspend).collect();
        let life = self.life();
        life.fail_host();
        // Threads of the leaf end with it.
        drop(lock(&life.host).take());
        drop(life.take_session());
        rounds
    }

    /// Joins at the first switch of the list that has the job.
    pub(super) fn find_switch(&self, ending: &Ending, request: &JoinRequest) -> Result<Found, Error> {
        let start = Instant::now();
        let now_us = || start.elapsed().as_micros() as u64;
        let mut attempt = lock(&self.failover).lost(now_us(), ending);
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
