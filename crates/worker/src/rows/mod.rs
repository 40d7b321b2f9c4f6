//! Workers and masters of queries whose rows pass through the switch (R-QRY).
//!
//! A [`Sender`] streams one attempt of a partition, a [`Master`] takes the rows that the switch
//! forwards, and a [`MatrixCheck`] verifies a Top-N answer. They do no I/O, and read no clock.

pub mod analysis;
mod master;
mod sender;
mod top;
mod verdicts;

pub use master::{Master, MasterConfig, MasterEvent, MasterSlot, Survivors};
pub use sender::{Sender, SenderConfig, SenderCounters};
pub use top::{MatrixCheck, Recall};
