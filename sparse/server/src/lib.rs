//! Servers of the tables of sparse models, without I/O (R-SERVE).
//!
//! A table's rows are distributed over servers. Workers push the gradients of cold rows to them,
//! and pull rows; the sums of hot rows come from the switch, a generation at a time (R-KEY). The
//! server applies the optimizer.
//!
//! This crate opens no socket and no file, starts no thread, reads no clock and draws no random
//! number. Messages and time are arguments, and so is a [`Store`]; what is to be sent, asked and
//! stored is taken out of the machine.

#![forbid(unsafe_code)]

pub mod codec;
mod initialiser;
pub mod message;
mod numbers;
pub mod optimizer;
mod parts;
mod ranking;
pub mod report;
mod rows;
pub mod server;
mod store;

pub use codec::CodecError;
pub use initialiser::Initialiser;
pub use message::{
    Change, Generation, Hello, Located, Plane, Pushed, Reply, Request, SwitchTable, TableSpec,
    Taken,
};
pub use netfold_num::ElementType;
pub use netfold_wire::{PARTS, Window, part as part_of_rank};
pub use numbers::{Numbers, RowNumber};
pub use optimizer::Optimizer;
pub use parts::{Layout, MOST_ROWS, parts_of, server_of};
pub use ranking::Ranking;
pub use report::{ServerFinding, ServerReport, TableReport};
pub use rows::RowsError;
pub use server::{Answer, ConnectionId, Limits, Output, Server, ServerError};
pub use store::{Checkpoint, EachBatch, MemoryStore, Page, Store, StoreError};
