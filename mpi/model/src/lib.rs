//! Decisions about the collectives of an unchanged MPI program: which of them netfold takes, what
//! each becomes in a netfold job, and the report on all of them.
//!
//! The rules are in `spec/mpi.md` (R-MPI). Every decision here is a function of what all ranks of a
//! call know, so all of them decide alike (R-MPI-3). The crate calls no MPI and does no I/O; the
//! library that is preloaded (`netfold-mpi-preload`) does both.
//!
//! Open [`Table`] first: it says which calls pay.

#![forbid(unsafe_code)]

mod fold;
mod handles;
mod kind;
mod layout;
mod pair;
mod presence;
mod report;
mod table;
mod trace;

pub use fold::{Element, Fold, Op, Prepared, Refusal, fold};
pub use handles::{Flavour, Handles, Named};
pub use kind::{Form, Kind};
pub use layout::{Layout, Numbers, listed};
pub use pair::{Number, Pair};
pub use presence::{Meeting, Present, Roll};
pub use report::{Class, Line, Report, Tally, size_class};
pub use table::{Place, Sizes, Table, TableError};
pub use trace::{Header, Lengths, Record};
