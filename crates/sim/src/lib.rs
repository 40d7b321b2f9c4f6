//! A whole cluster in virtual time: hosts, switches, and links with queues and faults, all from one
//! seed.
//!
//! It drives the state machines that the real event loop drives: a worker is
//! [`netfold_worker::Streams`], a switch one or more [`netfold_switch::Shard`]s. It knows when a
//! datagram arrives and what that costs, and no rule of the protocol. It reads no clock, and
//! nothing in it is random but what is drawn from the seed: a run can be repeated bit for bit
//! ([`Cluster::digest`]).
//!
//! A job may have a table of a sparse model ([`SystemName::Tables`]): its workers and servers are
//! [`netfold_worker::keyed`] towards the switch.
//!
//! Jobs may be those of peers, a ring or parameter servers, so that netfold can be compared with
//! them on the same network: [`SystemName`] has them, with what their links carry by theory.
//! [`plans`] makes the papers' figures.
//!
//! With a management plane ([`Management`]) workers join, live and leave as they do in earnest: the
//! root runs a [`netfold_management::Registry`], other switches a [`netfold_management::Relay`],
//! and each worker a [`netfold_management::Membership`]. Without, jobs are there from the
//! beginning, and a host that stops is missed by nobody but the calls that wait for it.
//!
//! Open [`Cluster`] first, then [`Setup`] for what can be simulated; [`Scenario`] reads setups from
//! files, and [`sweep`] runs them.

#![forbid(unsafe_code)]

mod admit;
mod array;
mod audit;
mod build;
mod calibration;
mod cluster;
mod content;
mod core;
mod datagram;
mod defect;
mod error;
mod events;
mod faults;
mod hardware;
mod host;
mod job;
mod keyed;
mod link;
mod machine;
mod managed;
mod memory;
mod mpi;
mod network;
mod operations;
pub mod oracle;
mod peers;
pub mod plans;
mod queue;
pub mod replay;
mod report;
mod scenario;
mod setup;
pub mod sweep;
mod switch;
mod tcp;
mod time;
mod topology;
mod torus;

pub use crate::core::Costs;
pub use audit::WrongResult;
pub use calibration::Calibration;
pub use cluster::{Cluster, End, NodeDrops};
pub use datagram::OVERHEAD_BYTES;
pub use error::Error;
pub use faults::{Bursts, Faults};
pub use hardware::Hardware;
pub use job::Input;
pub use link::LinkCounters;
pub use managed::{Leaks, Outcome, WorkerRecord};
pub use memory::CallBytes;
pub use mpi::{Algorithm, MpiSetup};
pub use operations::SampleOperation;
pub use report::{CallReport, JobReport, LayerReport, Report, TrafficReport, WorkerReport, jain};
pub use scenario::{Scenario, Variant};
pub use setup::{
    Behaviour, CallSetup, CollectiveName, Compression, Content, CostsOf, Crash, Cut, Exception,
    HostSetup, JobSetup, Layer, Management, Miscount, Setup, Stall, Stop, SwitchCrash, SwitchError,
    SwitchSetup, SwitchStall, SystemName, TableSetup, TorusSetup, TrafficSetup,
};
pub use time::Time;
