//! Rows of Spark's tasks past the switch (`libnetfold_spark.so`), for the jar of `scala/`.
//!
//! The library knows nothing of plans: the jar says which column decides, and which rows are a
//! task's. It has no protocol of its own, either: a [`DriverSwitch`] is a switch in the process of
//! Spark's driver, with the masters of joins and sums. An [`Attempt`] in a task is a sender whose
//! rows stay with it (R-QRY-36), or are added (R-QRY-38). Read [`Attempt`] first. [`Values`] makes
//! codes of a column in Spark's order.

#![warn(missing_docs)]

mod attempt;
mod driver;
mod error;
mod foreign;
mod master;
mod table;
mod totals;
mod values;

pub use attempt::{Attempt, AttemptSpec, Batch, Role};
pub use driver::{DriverSwitch, Program};
pub use error::Error;
pub use master::Outcome;
pub use totals::{TotalsOutcome, longs, longs_of_group};
pub use values::{Kind, Values};
