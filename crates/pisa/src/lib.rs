//! The switch as hardware: programs for match-action pipelines (PISA) as values, held to what a
//! pipeline can do.
//!
//! A [`Program`] is written once, with a [`Builder`], for any number of elements and every target.
//! [`Pipeline::load`] refuses what a [`Target`] could not do, and then runs packets exactly;
//! [`report`] says what the program takes of the switch; [`p4`] writes it as P4_16. [`programs`]
//! has netfold's own. The rules are R-PISA in `spec/pisa.md`.
//!
//! This crate does no I/O, compiles no P4, and models no timing. Open [`program`] first, then
//! [`programs::switchml`].

#![forbid(unsafe_code)]

mod alu;
mod builder;
pub mod catalog;
mod check;
mod control;
mod layout;
mod machine;
pub mod p4;
mod packet;
pub mod program;
pub mod programs;
mod refusal;
pub mod report;
pub mod schedule;
mod target;
mod usage;

pub use builder::{AccessSpec, ActionSpec, Builder, TableSpec};
pub use control::Control;
pub use machine::{Outcome, Pipeline, Replica, Report, Sent};
pub use program::Program;
pub use refusal::Refusal;
pub use target::{Limits, Target};
pub use usage::{StageUsage, Usage};
