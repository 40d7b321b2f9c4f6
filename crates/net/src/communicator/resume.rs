//! The way to another switch when the worker's own is lost (R-RES).

use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use netfold_control::{Attempt, ClientError, Ending, FlowRounds, JoinRequest, Joined, Resume, Session};
use netfold_wire::{SlotIndex, WorkerId};
use netfold_worker::{LastRound, Replay};
use tracing::{info, warn};

use super::inner::Inner;
use super::life::{Life, stream_config};
use super::lock;
use crate::error::Error;
use crate::flow::Command;
use crate::link::PausedLink;
use crate::sockets::Sockets;

/// A worker that is between two switches.
#[derive(Default)]
pub(super) struct Absence {
    away: bool,
    /// Another worker has taken leave, and could not come along (R-RES-7).
    alone: bool,
    /// The next life has ended before this worker was back in it.
    again: Option<Ending>,
}

/// What becomes of a worker that is away.
enum Outcome {
    Back,
    /// The life in which it was back has ended meanwhile.
    Again(Ending),
}

impl Inner {
    /// Whether the job goes on after this. Then this worker is on its way.
    pub(super) fn departs(self: &Arc<Self>, ending: &Ending) -> bool {
        let mut absence = lock(&self.absence);
        if let Ending::PeerLeft { .. } = ending {
            absence.alone = true;
            return false;
        }
        if !self.request.resumable || absence.alone || !ending.is_of_a_switch() || self.is_over() {
            return false;
        }
        if absence.away {
            absence.again = Some(ending.clone());
            return true;
        }
        let (inner, reason) = (self.clone(), ending.clone());
        let started = thread::Builder::new().name("netfold-resume".into()).spawn(move || inner.go_on(reason));
        absence.away = started.is_ok();
        absence.away
    }

    /// Takes this worker to the next switch, and on if need be.
    fn go_on(self: Arc<Self>, mut ending: Ending) {
        loop {
            let lost = self.error_of(ending.clone());
            warn!("{lost}; this worker looks for another switch");
            match self.change_switch(&ending) {
                Ok(Outcome::Back) => return,
                Ok(Outcome::Again(next)) => ending = next,
                Err(why) => {
                    lock(&self.absence).away = false;
                    return self.abort(Error::NotResumed { lost: lost.to_string(), why: why.to_string() });
                }
            }
        }
    }

    fn change_switch(self: &Arc<Self>, ending: &Ending) -> Result<Outcome, Error> {
        let flows = self.suspend()?;
        let before = self.life();
        before.fail_host();
        // Threads of the leaf end with it.
        drop(lock(&before.host).take());
        drop(before.take_session());
        let request = JoinRequest {
            packet_elements: Some((before.welcome.payload_bytes / 4) as u16),
            slots: Some(before.welcome.slots),
            resume: Some(Resume { epoch: before.welcome.epoch, flows }),
            ..self.request.clone()
        };
        let (address, sockets, joined) = self.find_switch(ending, &request)?;
        self.take_up(address, sockets, joined, &request)?;
        info!(switch = %self.life().address, "the job goes on");
        let mut absence = lock(&self.absence);
        match absence.again.take() {
            Some(ending) => Ok(Outcome::Again(ending)),
            None => {
                absence.away = false;
                Ok(Outcome::Back)
            }
        }
    }

    /// R-RES-2
    fn suspend(&self) -> Result<Vec<FlowRounds>, Error> {
        let suspend = |flow: &crate::flow::Flow| {
            let link = PausedLink::new().map_err(Error::io("a worker cannot wait for another switch"))?;
            let rounds = flow.ask(|reply| Command::Suspend { link: Box::new(link), reply });
            let rounds = rounds.ok_or_else(|| {
                Error::io("a flow of this worker cannot be stopped")(std::io::ErrorKind::TimedOut.into())
            })?;
            Ok(FlowRounds::new(rounds.into_iter().map(|round| round.0)))
        };
        self.flows.iter().map(suspend).collect()
    }

    /// Joins at the first switch of the list that has the job.
    fn find_switch(&self, ending: &Ending, request: &JoinRequest) -> Result<(String, Sockets, Joined), Error> {
        let start = Instant::now();
        let now_us = || start.elapsed().as_micros() as u64;
        let mut attempt = lock(&self.failover).lost(now_us(), ending);
        loop {
            self.wait_for(&attempt, start);
            let address = &self.switches[attempt.switch];
            let mut sockets = Sockets::for_flows(self.flows.len() as u16);
            let waiting = |_, _| if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            match Session::join(address, request, |path| sockets.open(path), waiting) {
                Ok(joined) => {
                    lock(&self.failover).joined();
                    return Ok((address.clone(), sockets, joined));
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

    fn wait_for(&self, attempt: &Attempt, start: Instant) {
        let at = Duration::from_micros(attempt.at_us);
        thread::sleep(at.saturating_sub(start.elapsed()));
    }

    /// R-RES-6
    fn take_up(
        self: &Arc<Self>,
        address: String,
        sockets: Sockets,
        joined: Joined,
        request: &JoinRequest,
    ) -> Result<(), Error> {
        let welcome = joined.welcome().clone();
        let links = sockets.links(&joined, request, |flow| self.listener.on_event(flow), &self.listener.on_broken())?;
        let count = self.flows.len() as u16;
        if links.flows.len() != self.flows.len() {
            let other = format!("the switch has given it {} flows, and it has {count}", links.flows.len());
            return Err(Error::io("the job cannot go on")(std::io::Error::other(other)));
        }
        let configs: Vec<_> = (0..count).map(|flow| stream_config(&joined, request, flow, count)).collect();
        let replays = welcome.replays.clone();
        self.set_life(Arc::new(Life::new(address, welcome, links.host)));
        self.listen(joined)?;
        for ((flow, config), link) in self.flows.iter().zip(configs).zip(links.flows) {
            let of_flow = replays.iter().filter(|replay| replay.flow == config.flow);
            let replays = of_flow.map(of_stream).collect();
            let resumed = flow.ask(|reply| Command::Resume { config, replays, link, reply });
            let unanswered = || Error::io("a flow of this worker cannot go on")(std::io::ErrorKind::TimedOut.into());
            resumed
                .ok_or_else(unanswered)?
                .map_err(|error| Error::io("the job cannot go on")(std::io::Error::other(error)))?;
        }
        // Closed, or failed, meanwhile: the flows have been told, and the switch is told by this.
        if self.is_over() {
            self.life().fail_host();
            drop(self.life().take_session());
        }
        Ok(())
    }
}

fn of_stream(replay: &netfold_control::Replay) -> Replay {
    Replay { slot: SlotIndex(replay.slot), round: LastRound(replay.round), source: WorkerId(replay.source) }
}
