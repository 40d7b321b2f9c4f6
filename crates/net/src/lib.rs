//! The event loops of netfold: drivers of the state machines of `netfold-switch` and
//! `netfold-worker` over UDP, and of the management plane over TCP.
//!
//! [`Switch`] runs a whole switch in this process; [`Communicator`] is a worker's place in a job;
//! [`TableClient`] and [`TableReader`] are the ends of its table.
//! One thread owns each shard. A flow is driven by a thread that waits for one of its calls, and
//! otherwise by a thread of its own. Datagrams move in batches, up to 64 KiB in one system call.
//!
//! No protocol rule is decided here. Unsafe code is confined to the memory of calls (`memory.rs`,
//! and the borrows that guard it), to a question to the kernel (`arrival.rs`), and to values that
//! a fork must not use or drop (`process.rs`).
//!
//! Open [`Communicator`] first.

mod arrival;
mod awake;
mod call_table;
mod clock;
mod commands;
mod communicator;
mod endpoint;
mod error;
mod flow;
mod host;
mod link;
mod memory;
mod notify;
mod pin;
mod plane;
mod process;
mod query;
mod rounds;
mod shard_loop;
mod shared;
mod sockets;
mod stats;
mod switch;
mod sync;
mod table;
mod unwind;

pub use call_table::Outcome;
pub use communicator::{Communicator, InFlight, subgroup_job};
pub use error::Error;
pub use memory::CallMemory;
pub use pin::{CoreList, NotCores};
pub use process::ProcessLocal;
pub use query::{NotAPlace, QueryMaster, QueryPlace, QuerySender, RemoteQuery, Totals, mark_all};
pub use stats::Stats;
pub use switch::{Switch, SwitchOptions};
pub use table::{ReadGeneration, TableAddress, TableClient, TableRead, TableReader, TableStats};

pub use netfold_control::{drain, query};
pub use netfold_management::{
    ClientError, Failure, Finding, JoinRequest, Limits, Number, Query, QueryTerms, Refusal,
    Reminder, Report, Token, Transport, Waiting,
};
pub use netfold_num::{Arithmetic, ByteOrder, ElementType, Operation, Overflow, Protocol};
pub use netfold_shm::{RoundTimes, clock_zero};
pub use netfold_switch::query::{QueryCounters, QuerySpec};
pub use netfold_switch::{
    OperationLoader, OperationPolicy, Operations, TooManyOperations, TypedOperation, UnknownPolicy,
};
pub use netfold_wire::{
    Epoch, Integrity, IntegrityKind, JobId, Kind, Pool, TableTerms, Terms, WorkerId,
};
pub use netfold_worker::fused;
pub use netfold_worker::rows::{
    MasterConfig, MasterEvent, MasterSlot, SenderConfig, SenderCounters, Survivors,
};
pub use netfold_worker::{
    Call, CallId, Collective, Lengths, PlanError, Priority, Reduction, UserFold,
};
