//! The reports of a server on its tables, for `netfold ctl`, and what looks wrong in them.

use core::fmt;
use core::net::SocketAddr;
use std::collections::BTreeMap;

use netfold_num::ElementType;
use serde::{Deserialize, Serialize};

use crate::Optimizer;
use crate::numbers::{text_of_type, type_of_text};

/// Silence of a switch that is worth a finding: a server that has a question open asks again after
/// at most a second, and counts the switch as lost after ten.
pub const SILENCE_MS: u64 = 2_000;

/// Time for which a pull has waited that is worth a finding.
pub const WAIT_MS: u64 = 2_000;

/// Most ranks that a finding names.
const NAMED: usize = 16;

/// The tables of a server that workers have used since it started.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerReport {
    /// The folder in which rows are stored; without one, they are in memory only.
    pub data: Option<String>,
    /// Bytes of memory for the rows of each table.
    pub memory_bytes: u64,
    /// Connections, that of this question among them.
    pub connections: usize,
    /// The tables, by name.
    pub tables: Vec<TableReport>,
}

/// One table at one server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableReport {
    /// Its name.
    pub name: String,
    /// Its rows, those of all servers.
    pub rows: u64,
    /// Numbers of a row.
    pub width: u16,
    /// Their type (R-SERVE-24).
    #[serde(serialize_with = "text_of_type", deserialize_with = "type_of_text")]
    pub element_type: ElementType,
    /// The optimizer, with the options that count now.
    pub optimizer: Optimizer,
    /// The bound of R-SERVE-5: none for asynchronous, 0 for synchronous.
    pub staleness: Option<u32>,
    /// Workers read hot rows at the switch (R-KEY-12).
    pub resident: bool,
    /// Hot keys.
    pub hot_rows: usize,
    /// The server's place among the servers, from 0.
    pub server: u16,
    /// The number of servers.
    pub servers: u16,
    /// Rows of this server in memory.
    pub rows_in_memory: u64,
    /// Bytes of these, with the state of the optimizer.
    pub row_bytes: u64,
    /// Bytes of them that no checkpoint has.
    pub unsaved_bytes: u64,
    /// Bytes of gradients that await the end of a step (R-SERVE-5).
    pub waiting_bytes: u64,
    /// Limit of the bytes of rows in memory, and of those of gradients that wait.
    pub limit_bytes: u64,
    /// Bytes of the file in which it is stored, if there is one (R-SERVE-8).
    pub stored_bytes: Option<u64>,
    /// The last step that is applied, if steps count (R-SERVE-5).
    pub applied: Option<u32>,
    /// The pulls that wait, if any do.
    pub waiting: Option<WaitReport>,
    /// The switch that folds hot rows, if there is one.
    pub switch: Option<SwitchReport>,
    /// The workers, by rank.
    pub workers: Vec<WorkerReport>,
    /// Totals since the server started, by name.
    pub counters: BTreeMap<String, u64>,
}

/// Pulls that wait (R-SERVE-5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitReport {
    /// Number of those that wait.
    pub pulls: usize,
    /// The step that all workers must have ended for the first of them.
    pub step: u32,
    /// Milliseconds for which the first of them waits.
    pub for_ms: u64,
}

/// The switch of a table, as its server sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchReport {
    /// The UDP socket of its shard.
    pub address: SocketAddr,
    /// The epoch.
    pub epoch: u32,
    /// The last generation that is in the rows.
    pub generation: u32,
    /// The last one that is stored.
    pub stored: u32,
    /// The switch is lost, and hot rows are at servers alone (R-KEY-10).
    pub sealed: bool,
    /// Ranks that have yet to replay what the switch may have lost.
    pub unreplayed: Vec<u16>,
    /// Milliseconds since it has answered last, or since the server was told of it.
    pub silent_ms: u64,
}

/// A worker of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerReport {
    /// Its rank.
    pub rank: u16,
    /// It is connected.
    pub connected: bool,
    /// It has been here in this run.
    pub known: bool,
    /// It has left in good order (R-SERVE-15).
    pub left: bool,
    /// Changes of its session that were carried out.
    pub changes: u64,
    /// The last step that it has ended.
    pub ended: Option<u32>,
    /// Steps that it is behind the worker that is first.
    pub behind: u32,
}

/// Something at a server that does not look right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ServerFinding {
    /// A switch that does not answer.
    SilentSwitch {
        /// The table.
        table: String,
        /// The switch.
        address: SocketAddr,
        /// Milliseconds of silence.
        for_ms: u64,
    },
    /// A switch that is lost (R-KEY-10).
    Sealed {
        /// The table.
        table: String,
        /// The switch.
        address: SocketAddr,
        /// Ranks that have yet to replay.
        unreplayed: Vec<u16>,
    },
    /// Pulls that wait for workers (R-SERVE-5).
    HeldUp {
        /// The table.
        table: String,
        /// The step that must be ended.
        step: u32,
        /// Pulls that wait.
        pulls: usize,
        /// Milliseconds for which the first of them waits.
        for_ms: u64,
        /// Ranks that have not ended it.
        ranks: Vec<u16>,
        /// Those of them that are not connected.
        absent: Vec<u16>,
    },
    /// Nine tenths of a limit of memory are taken.
    MemoryShort {
        /// The table.
        table: String,
        /// `rows`, or `gradients`.
        what: String,
        /// Bytes that are taken.
        used: u64,
        /// The limit.
        limit: u64,
    },
}

impl ServerReport {
    /// Returns what looks wrong.
    pub fn findings(&self) -> Vec<ServerFinding> {
        self.tables.iter().flat_map(TableReport::findings).collect()
    }
}

impl TableReport {
    /// Returns what looks wrong.
    pub fn findings(&self) -> Vec<ServerFinding> {
        let mut found = Vec::new();
        let table = || self.name.clone();
        if let Some(switch) = &self.switch {
            let address = switch.address;
            if switch.sealed {
                let unreplayed = switch.unreplayed.clone();
                found.push(ServerFinding::Sealed { table: table(), address, unreplayed });
            } else if switch.silent_ms > SILENCE_MS {
                let for_ms = switch.silent_ms;
                found.push(ServerFinding::SilentSwitch { table: table(), address, for_ms });
            }
        }
        if let Some(wait) = self.waiting.as_ref().filter(|wait| wait.for_ms > WAIT_MS) {
            let behind = |worker: &&WorkerReport| {
                !worker.left && worker.ended.is_none_or(|step| step < wait.step)
            };
            let late = || self.workers.iter().filter(behind);
            let absent = late().filter(|worker| !worker.connected);
            found.push(ServerFinding::HeldUp {
                table: table(),
                step: wait.step,
                pulls: wait.pulls,
                for_ms: wait.for_ms,
                ranks: late().map(|worker| worker.rank).collect(),
                absent: absent.map(|worker| worker.rank).collect(),
            });
        }
        // With a store, rows that have not changed leave memory when it is short.
        let kept = if self.stored_bytes.is_some() { self.unsaved_bytes } else { self.row_bytes };
        for (what, used) in [("rows", kept), ("gradients", self.waiting_bytes)] {
            let limit = self.limit_bytes;
            if used > 0 && used >= limit - limit / 10 {
                let what = what.to_owned();
                found.push(ServerFinding::MemoryShort { table: table(), what, used, limit });
            }
        }
        found
    }
}

impl fmt::Display for ServerFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SilentSwitch { table, address, for_ms } => write!(
                f,
                "table {table:?}: the switch at {address} has not answered this server for {for_ms} ms; see whether it runs (netfold ctl jobs --switch ...) and UDP from here reaches it: after 10000 ms it counts as lost, and the servers go on alone"
            ),
            Self::Sealed { table, address, unreplayed } => {
                write!(
                    f,
                    "table {table:?}: the switch at {address} is lost, and hot rows are at the servers alone, which is correct and slower; start the workers anew to use a switch again"
                )?;
                match &unreplayed[..] {
                    [] => Ok(()),
                    ranks => write!(
                        f,
                        "; {} have yet to replay what it may have lost, and steps wait for them",
                        Named(ranks)
                    ),
                }
            }
            Self::HeldUp { table, step, pulls, for_ms, ranks, absent } if ranks.is_empty() => {
                debug_assert!(absent.is_empty(), "absent ranks are among the late ones");
                write!(
                    f,
                    "table {table:?}: {pulls} pulls have waited {for_ms} ms for step {step}, which all workers have ended; its sums of hot rows are still at the switch or unsaved: see whether the switch and the disk are slow"
                )
            }
            Self::HeldUp { table, step, pulls, for_ms, ranks, absent } => {
                write!(
                    f,
                    "table {table:?}: {pulls} pulls have waited {for_ms} ms for step {step}, which {} have not ended",
                    Named(ranks)
                )?;
                match &absent[..] {
                    [] => write!(f, "; look at what they do"),
                    absent => write!(
                        f,
                        "; of these, {} are not connected: start them again, or end the others",
                        Named(absent)
                    ),
                }
            }
            Self::MemoryShort { table, what, used, limit } => write!(
                f,
                "table {table:?}: {what} take {used} of {limit} bytes of memory; start the server again with more --memory{}, or add servers for the next run",
                if what == "rows" { " or a folder for data (--data)" } else { "" }
            ),
        }
    }
}

/// Ranks in a sentence, the first of many.
struct Named<'a>(&'a [u16]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(ranks) = self;
        let named: Vec<String> = ranks.iter().take(NAMED).map(u16::to_string).collect();
        write!(f, "ranks {}", named.join(", "))?;
        match ranks.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests;
