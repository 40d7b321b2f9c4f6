//! The behaviour that every form of the switch must show, as code that runs unchanged against each
//! of them.
//!
//! - [`cases`] puts a [`Target`] under single packets: SwitchML's eight slot cases, the worked
//!   example of its appendix A, and a case for each rule of a slot in `spec/protocol.md`.
//! - [`Fabric`] joins workers and targets to a network in virtual time that loses, repeats, delays
//!   and damages packets, all from one seed.
//! - [`Scenario`] draws a whole job from a seed, runs it on a fabric, and holds every result to
//!   what the mathematics says ([`oracle`]).
//!
//! - [`Swarm`] draws a whole cluster, with its management plane and what befalls it, and holds it
//!   to what must hold whatever does.
//!
//! This crate decides no protocol rule: workers are `netfold-worker`, and a target is whatever
//! stands behind the trait. It panics where a target does not conform, since it is made for tests.
//! Open [`Target`] first, then [`Scenario`].

#![forbid(unsafe_code)]

pub mod cases;
pub mod fabric;
pub mod hardware;
pub mod rack;
pub mod scenario;
mod script;
pub mod swarm;
mod target;
mod tree;

pub use fabric::Fabric;
pub use hardware::HardwareTarget;
pub use netfold_sim::oracle;
pub use rack::Rack;
pub use scenario::Scenario;
pub use script::{At, LANES, Reply, Script};
pub use swarm::Swarm;
pub use target::{Admitted, Datagram, JobShape, Mismatch, Packets, ShardTarget, Target};
pub use tree::{InnerFaults, TreeTarget};
