//! The reports of a switch on itself, for `netfold ctl` and for metrics.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::failure::Ranks;
use crate::operations::OperationReport;
use netfold_wire::IntegrityKind;

/// Most jobs that one report describes, so that it fits a message.
pub const MAX_REPORTED_JOBS: usize = 200;

/// Most findings of one report, so that it fits a message.
pub const MAX_FINDINGS: usize = 300;

/// Most operations of one report, so that it fits a message.
pub const MAX_REPORTED_OPERATIONS: usize = 1000;

/// The answer to a [`Query`](crate::Query).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Report {
    /// The jobs, oldest first.
    Jobs {
        /// At most [`MAX_REPORTED_JOBS`] of them.
        jobs: Vec<JobReport>,
        /// Jobs beyond these.
        omitted: usize,
    },
    /// Counters and memory.
    Stats(StatsReport),
    /// Findings of what does not look right; empty when everything does.
    Doctor {
        /// At most [`MAX_FINDINGS`] of them.
        findings: Vec<Finding>,
        /// Findings beyond these.
        omitted: usize,
    },
    /// The operations of users, by jobs.
    Operations {
        /// At most [`MAX_REPORTED_OPERATIONS`] of them.
        operations: Vec<OperationReport>,
        /// Operations beyond these.
        omitted: usize,
    },
}

/// Phase of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JobPhase {
    /// Workers are still missing.
    Forming,
    /// It folds.
    Running,
    /// It is about to fail: two workers are being asked what they called (R-CTRL-6).
    Failing,
}

/// One job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobReport {
    /// Its name.
    pub name: String,
    /// Its phase.
    pub phase: JobPhase,
    /// Its number, once it runs.
    pub job: Option<u16>,
    /// Its epoch, once it runs.
    pub epoch: Option<u32>,
    /// Its workers.
    pub size: u16,
    /// Ranks that have not joined.
    pub missing: Vec<u16>,
    /// Ranks that have taken their leave.
    pub left: Vec<u16>,
    /// Its arithmetic.
    pub arithmetic: String,
    /// Policy for sums that overflow their registers.
    pub overflow: String,
    /// The order of a lane's bytes.
    pub byte_order: String,
    /// Name of its protocol, which says when a slot may be used again.
    pub protocol: String,
    /// Integrity check of its packets.
    #[serde(with = "crate::named")]
    pub integrity: IntegrityKind,
    /// Slots of each flow, those of all streams together, once it runs.
    pub slots: Option<u16>,
    /// Bytes of lanes of a packet, once it runs.
    pub payload_bytes: Option<u32>,
    /// Milliseconds since its first worker joined.
    pub age_ms: u64,
    /// Its table, once it runs, if it has one (R-KEY-1).
    #[serde(default)]
    pub table: Option<TableReport>,
}

/// The table of a job (R-KEY).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableReport {
    /// Hot rows, k.
    pub rows: u32,
    /// Lanes of a row.
    pub width: u16,
    /// Type of a lane.
    pub element_type: String,
    /// Workers read the rows at the switch (R-KEY-12); otherwise servers drain it.
    pub resident: bool,
    /// Bytes of the switch's memory that it takes.
    pub bytes: u64,
    /// The generation that is open.
    pub open: u32,
    /// The last generation that all servers have stored.
    pub stored: u32,
    /// Milliseconds since a server has read last, if one has.
    pub asked_ms: Option<u64>,
}

/// Counters and memory of the whole switch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatsReport {
    /// Jobs that are forming.
    pub jobs_forming: usize,
    /// Jobs that run.
    pub jobs_running: usize,
    /// Workers in these jobs.
    pub workers: usize,
    /// Control connections.
    pub connections: usize,
    /// Each shard, in order of index.
    pub shards: Vec<ShardReport>,
    /// Totals of each running job over all shards, by name of the job and of the counter; of at
    /// most [`MAX_REPORTED_JOBS`].
    pub jobs: BTreeMap<String, BTreeMap<String, u64>>,
    /// The operations of users of these jobs, with their work at this switch; at most
    /// [`MAX_REPORTED_OPERATIONS`].
    #[serde(default)]
    pub operations: Vec<OperationReport>,
    /// The queries of the switch, at most [`MAX_REPORTED_JOBS`].
    #[serde(default)]
    pub queries: Vec<QueryReport>,
}

/// A query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryReport {
    /// Its number at the switch.
    pub job: u16,
    /// Its epoch.
    pub epoch: u32,
    /// The name of its program.
    pub program: String,
    /// Bytes of the switch's memory that it takes.
    pub bytes: u64,
    /// Totals by name.
    pub counters: BTreeMap<String, u64>,
}

/// One shard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardReport {
    /// Slots that jobs hold.
    pub slots: u64,
    /// Bytes that jobs hold.
    pub memory_used: u64,
    /// Bytes that jobs may hold.
    pub memory_total: u64,
    /// Totals since the shard started, by name.
    pub counters: BTreeMap<String, u64>,
}

/// Something that does not look right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finding {
    /// A job waits for workers to join.
    MissingWorkers {
        /// The job's name.
        job: String,
        /// Its workers.
        size: u16,
        /// Ranks that have not joined.
        missing: Vec<u16>,
        /// Milliseconds since the first worker joined.
        for_ms: u64,
    },
    /// Slots of a job wait for a worker.
    WaitingFor {
        /// The job's name.
        job: String,
        /// The worker that they wait for.
        rank: u16,
        /// Other workers for which that one sends, of its host or below its switch: it may wait for
        /// one of them (R-TREE-1).
        with: Vec<u16>,
        /// Number of slots that wait, over all shards.
        slots: u64,
        /// A shard that waits.
        shard: u16,
        /// One of its slots.
        slot: u16,
        /// The block that this slot waits for.
        position: u32,
    },
    /// A worker has been silent for more than half of what its job tolerates.
    QuietWorker {
        /// The job's name.
        job: String,
        /// The worker.
        rank: u16,
        /// Milliseconds of silence.
        for_ms: u64,
        /// Milliseconds after which it counts as lost.
        timeout_ms: u64,
    },
    /// Nine tenths of a shard's memory are taken.
    MemoryShort {
        /// The shard.
        shard: u16,
        /// Bytes that jobs hold.
        used: u64,
        /// Bytes that jobs may hold.
        total: u64,
    },
    /// Servers do not read the table of a job, although something was pushed (R-KEY-7).
    TableUnread {
        /// The job's name.
        job: String,
        /// The generation that is open.
        open: u32,
        /// The last generation that all servers have stored.
        stored: u32,
        /// Milliseconds since a server has read last, or since the job began if none has.
        for_ms: u64,
    },
    /// The table of a job that is over is kept, since servers have not stored all of it (R-KEY-11).
    TableKept {
        /// The number that the job had.
        number: u16,
        /// Its epoch.
        epoch: u32,
        /// Bytes that it takes.
        bytes: u64,
        /// Milliseconds since a server has read last, if one has.
        asked_ms: Option<u64>,
    },
    /// Datagrams have been dropped: a shard's counter of that kind is not zero.
    Dropped {
        /// The counter, which names the reason.
        counter: String,
        /// Datagrams, over all shards, since the switch started.
        datagrams: u64,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingWorkers { job, size, missing, for_ms } => write!(
                f,
                "job {job:?} has waited {for_ms} ms for {} of its {size} workers to join: ranks {}; start them, or check that they name this job and switch",
                missing.len(),
                Ranks(missing, 0)
            ),
            Self::WaitingFor { job, rank, with, slots, shard, slot, position }
                if !with.is_empty() =>
            {
                write!(
                    f,
                    "job {job:?}: {slots} slots wait for rank {rank} or another of its host or rack, ranks {} (shard {shard}, slot {slot}, position {position}); ask again, and if they still wait at that position look at what these ranks do",
                    Ranks(with, 0)
                )
            }
            Self::WaitingFor { job, rank, slots, shard, slot, position, .. } => write!(
                f,
                "job {job:?}: {slots} slots wait for rank {rank} (shard {shard}, slot {slot}, position {position}); ask again, and if it still waits at that position look at what rank {rank} does"
            ),
            Self::QuietWorker { job, rank, for_ms, timeout_ms } => write!(
                f,
                "job {job:?}: nothing was heard from rank {rank} for {for_ms} ms, and after {timeout_ms} ms it counts as lost; check that worker and the network"
            ),
            Self::MemoryShort { shard, used, total } => write!(
                f,
                "shard {shard} has given {used} of its {total} bytes to jobs; end a job before starting another, or restart the switch with more --memory"
            ),
            Self::TableUnread { job, open, stored, for_ms } => write!(
                f,
                "job {job:?}: no server has read its table for {for_ms} ms, and generation {open} is open after {stored}, which is stored; see whether its servers run and reach this switch (netfold ctl doctor --servers ...)"
            ),
            Self::TableKept { number, epoch, bytes, asked_ms } => {
                let asked = asked_ms.map_or_else(
                    || "no server has ever read it".to_owned(),
                    |ms| format!("a server has read it {ms} ms ago"),
                );
                write!(
                    f,
                    "the table of a job that is over (number {number}, epoch {epoch}) keeps {bytes} bytes until its servers have stored it, and {asked}; start them again with the same --data"
                )
            }
            Self::Dropped { counter, datagrams } => write!(
                f,
                "{counter} counts {datagrams} dropped datagrams; a few after a job has ended are normal, a growing number means corruption, old workers or strangers"
            ),
        }
    }
}
