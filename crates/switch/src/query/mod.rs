//! Queries whose rows pass through the switch (R-QRY; FPISA, section 6; Cheetah).
//!
//! A [`RowMachine`] is a program and its state. It is offered rows, one by one or in batches, and
//! forwards, drops or absorbs each. Threads of one process may call it directly. It takes all its
//! memory when it is made, reads no clock and does no I/O. A [`Query`] adds the packets: attempts
//! in order, survivors to the master, sums once.

mod answer;
mod bloom;
mod cache;
mod filter;
mod flows;
mod machine;
mod queries;
mod rows;
mod spec;
mod sum;
#[cfg(test)]
mod tests;
mod top;

pub use flows::{Query, QueryCounters, Receiver};
pub use machine::RowMachine;
pub(crate) use queries::Queries;
pub use queries::QueryHandled;
pub use rows::{Row, Rows, Verdict, for_set};
pub use spec::{QueryError, QuerySpec};
pub use sum::{Slot, SumTable};
