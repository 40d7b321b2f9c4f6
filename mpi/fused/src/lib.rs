//! Fused collectives for MPI programs in C (`libnetfold_fused.so`): what `netfold translate` writes
//! calls of.
//!
//! The library knows no MPI. `netfold_mpi.h` of the Python package, which a program is compiled
//! with, asks its MPI for rank and size, agrees on the name of a job by a broadcast, and hands that
//! over, so one library serves all implementations. It refuses what is no chain before anything is
//! sent. A [`Job`] is what a communicator is to MPI; open it first. [`Chain`] is what it runs.

#![warn(missing_docs)]

mod chain;
mod error;
mod foreign;
mod job;

pub use chain::{Chain, Group};
pub use error::Error;
pub use job::{Input, Job, Rows};
