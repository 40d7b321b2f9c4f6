//! A connection from below and its way up: the peer at the lower end, and the time at which
//! something must be heard or sent on either (R-CTRL-18).

use core::net::IpAddr;

use netfold_switch::Operations;

use crate::limits::{HEARTBEATS_PER_TIMEOUT, Limits, micros, millis};
use crate::message::{Join, Message, Query, Welcome};
use crate::registry::ConnectionId;
use crate::token::Challenge;
use crate::tree::{Comer, Hop};

/// Longest time that the parent may take to be reached and to say hello, in microseconds: less than
/// a worker waits for the switch.
const PARENT_TIMEOUT_US: u64 = 3_000_000;

/// Most messages of the root that wait for a worker's welcome to be passed on: each other worker
/// may have left by then, or ask for a call.
pub(super) const MAX_HELD: usize = 2048;

pub(super) struct Pair {
    pub(super) peer_ip: IpAddr,
    /// The switches through which it comes, the nearest last.
    pub(super) path: Vec<Hop>,
    /// The connection to the parent, once the peer below is known.
    pub(super) up: Option<ConnectionId>,
    /// The root's, once it has said hello.
    pub(super) challenge: Option<Challenge>,
    /// Question to the root.
    pub(super) asked: Option<Query>,
    /// Its join, while what it brings along is being admitted here (R-OP-40).
    pub(super) loading: Option<Box<Join>>,
    /// Once it has joined.
    pub(super) worker: Option<Worker>,
    /// Another worker of its elastic job is lost: that it is not itself is all that is said of it
    /// (R-RES-11).
    pub(super) survives: bool,
    /// It has taken its leave: only that the root takes note is waited for.
    pub(super) leaves: bool,
    pub(super) below: Line,
    pub(super) above: Line,
}

/// The worker for which a pair stands.
pub(super) struct Worker {
    /// Without the operations that it brings along.
    pub(super) join: Join,
    /// Those that were admitted.
    pub(super) operations: Operations,
    pub(super) welcome: Option<Welcome>,
    /// The welcome has been passed on.
    pub(super) runs: bool,
    /// Messages of the root after a welcome that still waits for others (R-CTRL-17).
    pub(super) held: Vec<Message>,
}

/// One of a pair's connections.
pub(super) struct Line {
    pub(super) heard_us: u64,
    /// Time at which the last heartbeat was sent.
    pub(super) sent_us: u64,
}

/// One of a pair's two sides, each with its connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Below,
    Above,
}

impl Line {
    fn new(now_us: u64) -> Self {
        Self { heard_us: now_us, sent_us: now_us }
    }

    pub(super) fn heartbeat_due_us(&self, timeout_us: u64) -> u64 {
        self.sent_us.saturating_add(timeout_us / u64::from(HEARTBEATS_PER_TIMEOUT))
    }
}

impl Worker {
    pub(super) fn new(join: Join, operations: Operations) -> Self {
        Self { join, operations, welcome: None, runs: false, held: Vec::new() }
    }

    /// Returns whether its welcome waits for those of others.
    pub(super) fn is_held(&self) -> bool {
        self.welcome.is_some() && !self.runs
    }
}

impl Pair {
    pub(super) fn new(now_us: u64, peer_ip: IpAddr) -> Self {
        Self {
            peer_ip,
            path: Vec::new(),
            up: None,
            challenge: None,
            asked: None,
            loading: None,
            worker: None,
            survives: false,
            leaves: false,
            below: Line::new(now_us),
            above: Line::new(now_us),
        }
    }

    pub(super) fn dial(&mut self, now_us: u64, up: ConnectionId) {
        self.up = Some(up);
        self.above = Line::new(now_us);
    }

    /// From now on heartbeats go both ways, and are expected.
    pub(super) fn enter(&mut self, now_us: u64, worker: Worker) {
        self.worker = Some(worker);
        self.below = Line::new(now_us);
        self.above = Line::new(now_us);
    }

    /// Returns the worker's epoch, after the number of its job, once it runs.
    pub(super) fn epoch(&self) -> Option<(u16, u32)> {
        let welcome = self.worker.as_ref().filter(|worker| worker.runs)?.welcome.as_ref()?;
        Some((welcome.job, welcome.epoch))
    }

    /// Returns the epoch in which the worker is welcome while others of this switch are not, after
    /// the number of its job.
    pub(super) fn held_in(&self) -> Option<(u16, u32)> {
        let welcome = self.worker.as_ref().filter(|worker| !worker.runs)?.welcome.as_ref()?;
        Some((welcome.job, welcome.epoch))
    }

    /// The worker as it comes to this switch, once it is welcome.
    pub(super) fn comer(&self) -> Option<Comer<'_>> {
        let Worker { join, welcome, .. } = self.worker.as_ref()?;
        let leader = welcome.as_ref()?.host.as_ref().map_or(join.rank, |group| group.leader);
        Some(Comer {
            rank: join.rank,
            ip: self.peer_ip,
            path: &self.path,
            udp_ports: &join.udp_ports,
            leader,
        })
    }

    /// The time-out of the worker's job, in microseconds, as far as it makes sense; `None` before
    /// it has joined.
    pub(super) fn timeout_us(&self, limits: &Limits) -> Option<u64> {
        let asked_ms = match &self.worker {
            Some(worker) => worker.join.timeout_ms,
            None => self.loading.as_ref()?.timeout_ms,
        };
        Some(
            asked_ms
                .clamp(millis(limits.min_timeout), millis(limits.max_timeout))
                .saturating_mul(1000),
        )
    }

    /// Returns the time-out for which both ends are sent heartbeats, in microseconds; `None` if
    /// they are sent none. A parent that has not heard of the worker yet waits as for any guest.
    pub(super) fn heartbeats_us(&self, limits: &Limits) -> Option<u64> {
        let timeout_us = self.timeout_us(limits).filter(|_| !self.leaves)?;
        match &self.worker {
            Some(_) => Some(timeout_us),
            None => Some(timeout_us.min(micros(limits.handshake))),
        }
    }

    /// Returns the side that has been silent for too long, and for how many milliseconds.
    pub(super) fn expired(&self, now_us: u64, limits: &Limits) -> Option<(Side, u64)> {
        let (side, _) =
            self.deadlines(limits).into_iter().flatten().find(|(_, at_us)| *at_us <= now_us)?;
        let line = if side == Side::Below { &self.below } else { &self.above };
        Some((side, now_us.saturating_sub(line.heard_us) / 1000))
    }

    /// Returns the time at which something must be sent, or a side is lost, whichever comes first.
    pub(super) fn next_due_us(&self, limits: &Limits) -> u64 {
        let heartbeats = self.heartbeats_us(limits).into_iter().flat_map(|timeout_us| {
            let above = self.up.is_some().then_some(&self.above);
            let lines = [Some(&self.below), above].into_iter().flatten();
            lines.map(move |line| line.heartbeat_due_us(timeout_us))
        });
        let deadlines = self.deadlines(limits).into_iter().flatten().map(|(_, at_us)| at_us);
        heartbeats.chain(deadlines).min().unwrap_or(u64::MAX)
    }

    /// Returns the times at which each side is lost if nothing is heard from it.
    fn deadlines(&self, limits: &Limits) -> [Option<(Side, u64)>; 2] {
        let lost = |line: &Line, patience_us: u64| line.heard_us.saturating_add(patience_us);
        let (below, above) = match self.timeout_us(limits) {
            // The parent has not heard of the worker.
            Some(timeout_us) if self.worker.is_none() => (timeout_us, None),
            Some(timeout_us) => (timeout_us, Some(timeout_us)),
            // The parent may hear nothing of a client that only asks, or of a worker that is about
            // to join, for as long as this switch.
            None => (
                micros(limits.handshake),
                (self.up.is_some() && self.challenge.is_none()).then_some(PARENT_TIMEOUT_US),
            ),
        };
        let above = above.map(|patience_us| (Side::Above, lost(&self.above, patience_us)));
        let below = (!self.leaves).then(|| (Side::Below, lost(&self.below, below)));
        [below, above]
    }
}
