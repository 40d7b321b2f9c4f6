//! The command as its users run it.

mod cli;
mod p4;
mod support;
