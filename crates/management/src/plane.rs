//! The demands of the management plane on the data plane: the shards that hold slots and handle
//! datagrams.

use core::net::SocketAddr;

use netfold_switch::query::QuerySpec;
use netfold_switch::{Operations, TrapCause};
use netfold_wire::Terms;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::message::Ticket;
use crate::operations::OperationReport;
use crate::report::QueryReport;
use crate::tree::Member;

/// The shards of a switch, as the management plane sees them. The event loops implement it; calls
/// return promptly, for they are made from the one thread that serves every job.
pub trait DataPlane {
    /// Takes a job in on every shard, or on none.
    ///
    /// # Errors
    /// [`AdmissionError`]: what the job lacks.
    fn admit(&mut self, job: &Admission) -> Result<(), AdmissionError>;

    /// Drops a job and frees its memory at once, on every shard.
    fn release(&mut self, job: u16);

    /// Each shard as it stands, in order of index.
    fn status(&mut self) -> Vec<ShardStatus>;

    /// Memory that is left for a job.
    fn spare(&self) -> Spare;

    /// Returns whether it can lend a job slots ([`Admission::lent_slots`]).
    fn lends(&self) -> bool {
        false
    }

    /// Lends a job its lent slots on every shard, or on none (R-CTRL-25). Returns whether there was
    /// memory for them.
    fn lend(&mut self, _job: u16) -> bool {
        false
    }

    /// Frees the memory of a job's lent slots, on every shard.
    fn take_back(&mut self, _job: u16) {}

    /// Takes a query in at the first shard, with the socket of its master if it has one
    /// (R-CTRL-24). Its description is checked.
    ///
    /// # Errors
    /// [`AdmissionError`]: what the query lacks.
    fn admit_query(
        &mut self,
        _query: &QuerySpec,
        _master: Option<SocketAddr>,
    ) -> Result<(), AdmissionError> {
        Err(AdmissionError::Other("it takes none".into()))
    }

    /// Ends a query and frees its memory.
    fn release_query(&mut self, _job: u16, _epoch: u32) {}

    /// Has whoever runs the switch drain and stop it (R-CTRL-21). Returns whether somebody hears
    /// that.
    fn stop(&mut self) -> bool {
        false
    }
}

/// Memory that no job has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spare {
    /// Bytes that are free for each flow of a job.
    pub flow_bytes: u64,
    /// Jobs that hold memory.
    pub jobs: usize,
}

impl Spare {
    /// As much memory as any job could want.
    pub const PLENTY: Self = Self { flow_bytes: u64::MAX, jobs: 0 };

    /// Bytes for each flow of a job that asks for no number of slots (R-CTRL-20).
    pub(crate) fn share(self) -> u64 {
        self.flow_bytes / (self.jobs as u64 + FUTURE_JOBS)
    }
}

/// Further jobs, each as large as the next one, for which a switch keeps memory (R-CTRL-20).
const FUTURE_JOBS: u64 = 6;

/// A job that is about to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// The job's number, which no other running job has.
    pub job: u16,
    /// Its epoch.
    pub epoch: u32,
    /// Its workers.
    pub workers: u16,
    /// Slots of each flow, those of all its streams together.
    pub slots: u16,
    /// Number of the last ones of them, which keep operands apart (R-CTRL-23).
    pub exchange_slots: u16,
    /// Number of the last ones of them, exchange slots included, which have memory only while they
    /// are lent (R-CTRL-25).
    pub lent_slots: u16,
    /// Bytes of lanes that a packet, and a copy of a slot, holds.
    pub payload_bytes: u32,
    /// Terms on which it folds.
    pub terms: Terms,
    /// Its flows: flow i is shard i's.
    pub flows: u16,
    /// Members that send to the switch, and the workers for which they do (R-TREE-1), in the order
    /// of their names.
    pub members: Vec<Member>,
    /// Switch to which this one sends what it has folded; `None` if it is the job's only switch, or
    /// the top of its tree (R-CTRL-16).
    pub parent: Option<Parent>,
    /// For each flow, the address at which all its members listen (R-CTRL-9); empty if there is
    /// none.
    pub groups: Vec<SocketAddr>,
    /// The job's slots are in shared memory, for whoever shows this (R-CTRL-10); `None`: they are
    /// at the shards.
    pub ticket: Option<Ticket>,
    /// The job's slots are on the host of its workers (R-CTRL-11), or at a switch below
    /// (R-CTRL-16): there is nothing to hold for it.
    pub elsewhere: bool,
    /// The operations of users that it may fold by (R-OP-23).
    pub operations: Operations,
}

/// The switch above, in a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    /// Name of this switch there (R-TREE-1).
    pub name: u16,
    /// UDP address of its shard for each flow.
    pub shards: Vec<SocketAddr>,
}

/// Reason for which the data plane does not take a job.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AdmissionError {
    /// The memory that is left does not hold the job.
    #[error("the job needs {needed} bytes and {free} are free")]
    Memory {
        /// Bytes that the job needs.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// As many jobs as the data plane takes.
    #[error("the data plane has its limit of {limit} jobs")]
    Jobs {
        /// The limit.
        limit: u16,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

/// Fault that the data plane has found in a round, after which the job cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incident {
    /// The job's number.
    pub job: u16,
    /// Its epoch, so that a late report cannot hit the number's next job.
    pub epoch: u32,
    /// The block in the slot's stream.
    pub position: u32,
    /// The slot.
    pub slot: u16,
    /// The shard, which is the flow.
    pub shard: u16,
    /// The fault in the round.
    pub cause: Cause,
}

/// Fault in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Two workers have made different calls (R-SLOT-7).
    Mismatch {
        /// Rank of the worker that started the round.
        first: u16,
        /// Rank of the worker that does not agree with it.
        second: u16,
    },
    /// A sum did not fit its register (R-FPI-9).
    Overflow {
        /// Rank of the worker with whose contribution it did not.
        rank: u16,
        /// The lane in the block.
        lane: u16,
    },
    /// An operation of a user has trapped (R-OP-19).
    Trap {
        /// Rank of the worker whose operand came last.
        rank: u16,
        /// Number of the operation in the job.
        operation: u8,
        /// The cause.
        #[serde(with = "crate::operations::cause")]
        why: TrapCause,
    },
}

impl Cause {
    /// The ranks that can say which call it was.
    pub(crate) fn witnesses(self) -> [u16; 2] {
        match self {
            Self::Mismatch { first, second } => [first, second],
            Self::Overflow { rank, .. } | Self::Trap { rank, .. } => [rank; 2],
        }
    }
}

/// A shard as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShardStatus {
    /// Totals since the shard started, by name.
    pub counters: Vec<(&'static str, u64)>,
    /// Bytes that jobs hold.
    pub memory_used: u64,
    /// Bytes that jobs may hold.
    pub memory_total: u64,
    /// Its jobs.
    pub jobs: Vec<JobStatus>,
    /// Its tables, those of jobs that are over among them (R-KEY-11).
    pub tables: Vec<TableStatus>,
    /// Its queries.
    pub queries: Vec<QueryReport>,
}

/// A job's table at one shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableStatus {
    /// The job's number.
    pub job: u16,
    /// Its epoch.
    pub epoch: u32,
    /// Hot rows, k.
    pub rows: u32,
    /// Lanes of a row.
    pub width: u16,
    /// Type of a lane.
    pub element_type: String,
    /// The switch has the rows' values, too (R-KEY-12).
    pub resident: bool,
    /// Bytes that it takes.
    pub bytes: u64,
    /// The generation that is open.
    pub open: u32,
    /// The last generation that all servers have stored.
    pub stored: u32,
    /// Its servers have stored all that was pushed.
    pub drained: bool,
    /// The job is over.
    pub ended: bool,
    /// Milliseconds since a server has read last, if one has.
    pub asked_ms: Option<u64>,
    /// Totals by name.
    pub counters: Vec<(&'static str, u64)>,
}

/// A job at one shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobStatus {
    /// The job's number.
    pub job: u16,
    /// Its slots at this shard.
    pub slots: u16,
    /// Totals of this job at this shard, by name.
    pub counters: Vec<(&'static str, u64)>,
    /// Slots whose round is not complete.
    pub waiting: Vec<SlotStatus>,
    /// Its operations, with their work at this shard.
    pub operations: Vec<OperationReport>,
}

/// A slot whose round is not complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotStatus {
    /// The slot.
    pub slot: u16,
    /// The block that it folds.
    pub position: u32,
    /// Ranks that have contributed.
    pub seen: Vec<u16>,
    /// Ranks that are waited for.
    pub missing: Vec<u16>,
}
