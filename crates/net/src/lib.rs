//! The event loops of netfold: what drives the state machines of `netfold-switch` and `netfold-worker` over UDP, and the management plane over TCP.
//!
//! [`Switch`] runs a whole switch in this process; [`Communicator`] is a worker's place in a job. One thread owns each shard and each flow; threads
//! share nothing and speak by messages. Datagrams move in batches, up to 64 KiB in one system call.
//!
//! No protocol rule is decided here. Unsafe code is confined to the memory of calls (`memory.rs`, and the borrows that guard it).
//!
//! Open [`Communicator`] first.

mod clock;
mod communicator;
mod endpoint;
mod error;
mod flow_loop;
mod mailbox;
mod memory;
mod plane;
mod shard_loop;
mod stats;
mod switch;
mod tickets;

pub use communicator::Communicator;
pub use error::Error;
pub use memory::CallMemory;
pub use stats::Stats;
pub use switch::{Switch, SwitchOptions};
pub use tickets::Outcome;

pub use netfold_control::{
    ClientError, Failure, Finding, IntegrityKind, JoinRequest, Query, Refusal, Report, Token, query,
};
pub use netfold_num::{Arithmetic, ElementType, Operation};
pub use netfold_wire::WorkerId;
pub use netfold_worker::{Call, CallId, Collective, PlanError, Reduction};
