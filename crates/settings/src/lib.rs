//! The settings of netfold, for the command and the Python package: from arguments, then the
//! environment, then a file, then their defaults.
//!
//! `spec/settings.toml` has them all, and `generated.rs` is made of it. This crate decides nothing
//! that a setting is about: it reads values, and refuses those that are out of range. It reads no
//! environment: its callers pass in what they found.
//!
//! Open [`Settings`] first.

#![forbid(unsafe_code)]

mod generated;
mod given;
mod resolve;
mod setting;
mod size;
mod value;
mod variables;

pub use generated::{Program, SETTINGS, Settings};
pub use given::{Seconds, Secret};
pub use resolve::Error;
pub use setting::{Kind, Setting, Shape};
pub use size::{Size, parse_size};
pub use value::Value;
pub use variables::{PREFIX, unknown_variables};
