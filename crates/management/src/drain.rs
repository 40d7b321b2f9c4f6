//! A switch that is asked to hand its tables over and stop (R-CTRL-21).

use core::net::IpAddr;
use core::time::Duration;
use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::failure::Refusal;
use crate::message::Message;
use crate::plane::{DataPlane, ShardStatus, TableStatus};
use crate::registry::{ConnectionId, Output};
use crate::token::{Challenge, Proof, Token};

/// Longest time for which servers may read what tables have, when a switch is to stop (R-KEY-16).
/// Connections without a job stay open for longer ([`Limits::handshake`](crate::Limits)).
pub const DRAIN_LIMIT: Duration = Duration::from_secs(5);

/// Interval of news about a drain, in microseconds.
const NEWS_INTERVAL_US: u64 = 100_000;

/// Most jobs that news of a drain name.
const MAX_NAMED_JOBS: usize = 8;

/// Tables of which servers have not read all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablesLeft {
    /// Their number.
    pub count: usize,
    /// The jobs of the first of them, as far as these still run.
    pub jobs: Vec<String>,
}

impl TablesLeft {
    /// Those among the tables of a switch. `name` gives a running job's name by number and epoch.
    pub(crate) fn of(shards: &[ShardStatus], name: impl Fn(u16, u32) -> Option<String>) -> Self {
        let tables = shards.iter().flat_map(|shard| &shard.tables);
        let left: Vec<&TableStatus> = tables.filter(|table| !table.drained).collect();
        let names = left.iter().filter_map(|table| name(table.job, table.epoch));
        Self { count: left.len(), jobs: names.take(MAX_NAMED_JOBS).collect() }
    }
}

impl fmt::Display for TablesLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => f.write_str("1 table")?,
            count => write!(f, "{count} tables")?,
        }
        if !self.jobs.is_empty() {
            let more = if self.jobs.len() < self.count { ", ..." } else { "" };
            write!(f, " ({}{more})", self.jobs.join(", "))?;
        }
        Ok(())
    }
}

/// Reason for which a client may not stop the switch, if there is one.
pub(crate) fn refusal(
    peer: IpAddr,
    challenge: &Challenge,
    proof: Option<&Proof>,
    tokens: &[Token],
) -> Option<Refusal> {
    let known = |proof| tokens.iter().any(|token| token.allows_drain(challenge, proof));
    match proof {
        _ if tokens.is_empty() => {
            (!peer.to_canonical().is_loopback()).then_some(Refusal::DrainFromElsewhere)
        }
        None => Some(Refusal::DrainNeedsToken),
        Some(proof) => (!known(proof)).then_some(Refusal::WrongToken),
    }
}

/// The clients that have asked for a drain, and wait for its end.
#[derive(Debug, Default)]
pub(crate) struct Drain {
    askers: BTreeSet<ConnectionId>,
    news_at_us: Option<u64>,
}

impl Drain {
    /// A client that may do so has the switch drained. It hears how it goes from now on, unless
    /// nobody can stop the switch but its program.
    pub(crate) fn ask(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        plane: &mut dyn DataPlane,
    ) -> Result<(), Refusal> {
        if !plane.stop() {
            return Err(Refusal::DrainNotOffered);
        }
        self.askers.insert(conn);
        self.news_at_us = Some(now_us);
        Ok(())
    }

    /// A connection has closed.
    pub(crate) fn forget(&mut self, conn: ConnectionId) {
        self.askers.remove(&conn);
    }

    pub(crate) fn poll_timeout(&self) -> Option<u64> {
        self.news_at_us
    }

    /// Returns whether there is news to be told at this time.
    pub(crate) fn is_due(&mut self, now_us: u64) -> bool {
        let due = self.news_at_us.is_some_and(|at_us| at_us <= now_us);
        if due {
            self.news_at_us = Some(now_us + NEWS_INTERVAL_US);
        }
        due
    }

    /// Tells what is left so far.
    pub(crate) fn news(&self, left: &TablesLeft) -> Vec<Output> {
        self.tell(&Message::Draining { left: left.clone() })
    }

    /// The switch stops.
    pub(crate) fn end(&mut self, left: TablesLeft) -> Vec<Output> {
        self.news_at_us = None;
        self.tell(&Message::Drained { left })
    }

    fn tell(&self, message: &Message) -> Vec<Output> {
        self.askers.iter().map(|&conn| Output::Send(conn, message.clone())).collect()
    }
}
