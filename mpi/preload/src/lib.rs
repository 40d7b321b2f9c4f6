//! `libnetfold_mpi.so`: preloaded, it carries out collectives of an unchanged MPI program by a
//! netfold job, and leaves the rest to the program's own MPI, the *host*.
//!
//! It defines the MPI functions that it takes, in all their forms (`entries`), and finds the host's
//! behind them by their profiling names (`host`). No MPI header is needed to build it: the values
//! of handles are told apart at run time. The rules are in `spec/mpi.md` (R-MPI); what is decided
//! is in `netfold-mpi`.
//!
//! Unsafe code is the point of this crate: foreign functions, and memory that a caller gives by
//! address. It refuses to decide which calls pay, and to speak the netfold protocol.
//!
//! Open `call` first: the way of a call.

mod arguments;
mod call;
mod communicators;
mod entries;
mod failure;
mod fortran;
mod host;
mod job;
mod memory;
mod operations;
mod persistent;
mod planner;
mod presence;
mod reporting;
mod requests;
mod task;
mod trace;
mod types;
