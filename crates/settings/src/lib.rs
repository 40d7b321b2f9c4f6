//! Names of the settings that the command and the Python package share, and the sizes among them.
//!
//! It reads no environment and no file: its callers do, and pass in what they found. It is a crate
//! of its own so that the Python package need not link the command.
//!
//! Open [`KEYS`] first.

#![forbid(unsafe_code)]

mod size;
mod variables;

pub use size::{Size, parse_size};
pub use variables::{KEYS, PREFIX, spell, unknown_variables};
