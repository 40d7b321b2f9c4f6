//! The switch side of netfold: slots that fold workers' contributions, as a state machine without
//! I/O.
//!
//! A [`Shard`] is the part of a switch that one core runs. The driver that delivers packets passes
//! each datagram to [`Shard::handle`], then drains [`Shard::poll_transmit`] and
//! [`Shard::poll_event`]. A shard reads no clock and sets no timer, since only workers retransmit
//! (R-TIME-1).
//!
//! Nothing in a datagram makes it allocate: all memory is taken when a job is admitted, out of a
//! fixed budget. It does not do what a pipeline could not: a packet touches each register of its
//! slot once.
//!
//! There is no shard if slots lie in memory that others share: a process that has a slot for the
//! moment runs a [`Contribution`] on it.
//!
//! Open [`Shard`] first, then [`slot`] for the rules of a slot.

#![forbid(unsafe_code)]

mod answer;
mod apart;
mod contribution;
mod counters;
mod effect;
mod emission;
mod fold;
mod job;
mod members;
mod milestone;
mod place;
mod policy;
pub mod query;
mod registers;
mod shard;
pub mod slot;
mod slots;
mod table;
mod tables;
mod tree;
mod typed;

pub use answer::{Answer, Settled};
pub use apart::{Held, Operands};
pub use contribution::{Contribution, Refusal};
pub use counters::Counters;
pub use effect::{Effect, Event};
pub use fold::{CopyMemory, Memory, finish_lanes, fold_lanes, folds_in_lanes};
pub use job::{AdmissionError, JobSpec};
pub use members::Members;
pub use milestone::Milestone;
pub use place::Place;
pub use policy::{OperationPolicy, UnknownPolicy};
pub use shard::{JobStatus, Recipients, Shard, Transmit, WaitingSlot};
pub use slots::MAX_MEMBERS;
pub use table::{
    CopyRegisters, Leaf, LeafRequest, LeafState, MAX_ANSWER_BYTES, TableError, TableMemory,
    TableSpec, TableStatus, TableTree, TreeRegisters,
};
pub use tree::Tree;
pub use typed::{
    Instances, OperationLoader, Operations, TooManyOperations, TrapCause, TypedFold,
    TypedOperation, Usage,
};
