//! The command as its users run it.

mod cli;
#[cfg(feature = "ops")]
mod ops;
mod p4;
mod support;
