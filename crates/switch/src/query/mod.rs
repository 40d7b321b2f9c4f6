//! Queries whose rows pass through the switch (R-QRY; FPISA, section 6; Cheetah).
//!
//! A [`RowMachine`] is a program and its state. It is offered rows, one by one or in batches, and
//! forwards, drops or absorbs each. Threads of one process may call it directly. It takes all its
//! memory when it is made, reads no clock and does no I/O.

mod bloom;
mod cache;
mod filter;
mod machine;
mod rows;
mod sum;
#[cfg(test)]
mod tests;
mod top;

pub use machine::RowMachine;
pub use rows::{Row, Rows, Verdict, for_set};
pub use sum::{Slot, SumTable};
