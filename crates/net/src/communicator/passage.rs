//! The way of a worker from one epoch of its job to the next (R-RES): the actions that a
//! [`Participant`](netfold_management::Participant) wants, with threads, sockets and flows.

use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netfold_control::{Joined, Session};
use netfold_management::{
    Attempt, ClientError, FlowRounds, JoinRequest, Notice, Replay, Step, Waiting,
};
use netfold_worker::StreamConfig;
use tracing::{info, warn};

use super::epoch::{JobEpoch, timing};
use super::inner::Inner;
use super::lock;
use crate::error::Error;
use crate::flow::{Command, Flow};
use crate::link::{Link, PausedLink};
use crate::sockets::Sockets;

/// A switch that has taken this worker in again.
struct Found {
    epoch: JobEpoch,
    sockets: Sockets,
    joined: Joined,
}

/// A way to the slots for each flow, and what its streams are made with.
type Ways = Vec<(StreamConfig, Box<dyn Link + Send>)>;

impl Inner {
    /// Sets out for the next epoch of the job on a thread of its own.
    pub(super) fn depart(self: &Arc<Self>) {
        let inner = self.clone();
        let started =
            thread::Builder::new().name("netfold-resume".into()).spawn(move || inner.travel());
        if let Err(error) = started {
            self.act(|part, _| part.strand(format!("a thread could not be started: {error}")));
        }
    }

    /// Takes this worker to the next epoch of its job, and on to those after it that are needed.
    fn travel(self: Arc<Self>) {
        // R-RES-11: the connection of the epoch that has ended.
        let (mut found, mut former) = (None, None);
        while let Some(step) = self.next_step() {
            let gone = match step {
                Step::Suspend(lost) => {
                    warn!("{lost}; the job goes on as soon as all are there again");
                    let told = |flows| {
                        self.act(|part, now_us| {
                            part.suspended(now_us, flows, self.call_table.oldest())
                        })
                    };
                    let suspended = self.suspend().map(told);
                    former = self.epoch().take_session();
                    suspended
                }
                Step::Join(attempt, request) => {
                    found = self.attempt(attempt, *request);
                    Ok(())
                }
                step => {
                    drop(former.take());
                    self.enter(found.take(), step).map(|()| self.act(|part, _| part.arrived()))
                }
            };
            if let Err(why) = gone {
                self.act(|part, _| {
                    // The epoch to which it was on its way may have ended before it was in it.
                    if let Error::Failed(failure) = &why {
                        part.handle(Notice::Failed(failure.clone()), |_| None);
                    }
                    part.strand(why.to_string());
                });
            }
        }
        // Closed, or failed, meanwhile: the flows have been told, and the switch is told by this.
        if lock(&self.part).is_over() {
            self.epoch().fail_memory();
            drop(self.epoch().take_session());
        }
    }

    fn next_step(&self) -> Option<Step<Error>> {
        lock(&self.part).poll_step()
    }

    /// R-RES-2: neither sends nor takes anything from now on. Gives the last rounds of each flow.
    pub(super) fn suspend(&self) -> Result<Vec<FlowRounds>, Error> {
        let epoch = self.epoch();
        // First, since a flow that waits for a slot does not answer.
        epoch.fail_memory();
        let suspend = |flow: &Flow| {
            let link =
                PausedLink::new().map_err(Error::io("a worker cannot wait for another switch"))?;
            let rounds = flow.ask(|reply| Command::Suspend { link: Box::new(link), reply });
            Ok(FlowRounds::new(answered(rounds)?.into_iter().map(|round| round.0)))
        };
        let rounds: Result<Vec<_>, _> = self.flows.iter().map(suspend).collect();
        // Threads of the leaf end with it: not under its lock, which they may want.
        let host = lock(&epoch.host).take();
        drop(host);
        rounds
    }

    /// Tries a switch, and tells the outcome.
    fn attempt(self: &Arc<Self>, attempt: Attempt, request: JoinRequest) -> Option<Found> {
        thread::sleep(Duration::from_micros(attempt.at_us).saturating_sub(self.start.elapsed()));
        let address = self.switches[attempt.switch].clone();
        let mut sockets = Sockets::for_flows(self.flows.len() as u16);
        let over = || lock(&self.part).is_over();
        let waiting =
            |_: &Waiting| if over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        match Session::join(&address, &request, |path| sockets.open(path), waiting) {
            Ok(joined) => {
                let welcome = joined.welcome().clone();
                self.act(|part, _| part.joined(welcome.clone()));
                Some(Found { epoch: JobEpoch::new(address, request, welcome), sockets, joined })
            }
            Err(why) => {
                self.turned_away(&why);
                None
            }
        }
    }

    fn turned_away(self: &Arc<Self>, why: &ClientError) {
        info!("{why}");
        self.act(|part, now_us| part.turned_away(now_us, why, self.call_table.oldest()));
    }

    /// Has the flows go on in the epoch that was found.
    fn enter(self: &Arc<Self>, found: Option<Found>, step: Step<Error>) -> Result<(), Error> {
        let found = found.ok_or(Error::Closed)?;
        let (epoch, ways) = self.begin(found)?;
        for (flow, (config, link)) in self.flows.iter().zip(ways) {
            if let Step::Restart(error) = &step {
                let (others, error) = (epoch.welcome.other_slots(), error.clone());
                answered(flow.ask(|reply| Command::Restart {
                    config,
                    others,
                    link,
                    error,
                    reply,
                }))?;
            } else {
                let replays = Replay::on_flow(&epoch.welcome.replays, config.flow);
                let resumed = flow.ask(|reply| Command::Resume { config, replays, link, reply });
                answered(resumed)?.map_err(cannot_go_on)?;
            }
        }
        let (workers, rank, replays) =
            (epoch.welcome.workers, epoch.request.rank, epoch.welcome.replays.len());
        info!(switch = %epoch.address, workers, rank, replays, "the job goes on");
        Ok(())
    }

    /// Opens the ways to the slots at the switch that was found, and listens to it.
    fn begin(self: &Arc<Self>, found: Found) -> Result<(Arc<JobEpoch>, Ways), Error> {
        let Found { epoch, sockets, mut joined } = found;
        let count = self.flows.len() as u16;
        let epoch = Arc::new(epoch);
        self.set_epoch(epoch.clone());
        let on_event = |flow| self.listener.on_event(flow);
        let links =
            match sockets.links(&joined, &epoch.request, on_event, &self.listener.on_broken()) {
                Ok(links) => links,
                // Others may have been lost meanwhile, and memory with them.
                Err(error) => {
                    let failure = joined.failure();
                    // R-RES-11
                    self.listen(joined)?;
                    return Err(failure.map_or(error, Error::Failed));
                }
            };
        if links.flows.len() != self.flows.len() {
            return Err(cannot_go_on(format!(
                "the switch gives it {} flows, and it has {count}",
                links.flows.len()
            )));
        }
        epoch.settle(links.host, links.memory);
        let (welcome, timing) = (&epoch.welcome, timing(&epoch.welcome));
        let configs = (0..count)
            .map(|flow| epoch.request.stream(welcome, flow, count, timing))
            .collect::<Vec<_>>();
        self.listen(joined)?;
        Ok((epoch, configs.into_iter().zip(links.flows).collect()))
    }

    /// Waits until this worker is in an epoch of its job again, or will not be (R-RES-3): others
    /// may need what it has.
    pub(super) fn wait_until_back(&self) {
        let waited = self.changed.wait_while(lock(&self.part), |part| part.is_away());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until no round is to be replayed, at most for the job's time-out: for others that do
    /// not come in this time either, it is in vain.
    pub(super) fn await_replays(&self) -> bool {
        let deadline = Instant::now() + Duration::from_millis(self.epoch().welcome.timeout_ms);
        self.flows.iter().all(|flow| flow.await_replays(deadline))
    }
}

fn cannot_go_on(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::io("the job cannot go on")(std::io::Error::other(why))
}

/// Returns the answer of a flow.
fn answered<T>(answer: Option<T>) -> Result<T, Error> {
    answer.ok_or_else(|| {
        Error::io("a flow of this worker does not answer")(std::io::ErrorKind::TimedOut.into())
    })
}
