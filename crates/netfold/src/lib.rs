//! Collectives that a switch folds while they pass through it: the library for Rust programs.
//!
//! Workers of a job send their vectors to a netfold switch, which adds up what belongs together and
//! sends back one result (SwitchML, NSDI 2021). [`connect`] joins a job and gives a
//! [`Communicator`], whose calls take slices of any [`Element`]:
//!
//! ```
//! use netfold::{Arithmetic, Op, Switch, SwitchOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let switch = Switch::start(&SwitchOptions::default())?; // or `netfold switch` on another machine
//! let address = switch.address().to_string();
//!
//! let comm = netfold::connect(&address, "example", 0, 1).arithmetic(Arithmetic::Native).join()?;
//! let mut gradient = vec![0.5_f32; 1000];
//! comm.all_reduce(&mut gradient, Op::Sum)?; // the same bits at every worker
//! # assert_eq!(gradient, [0.5; 1000]);
//! # Ok(())
//! # }
//! ```
//!
//! Every worker of a job makes the same calls in the same order, with the same lengths, types,
//! operations and options (R-STREAM-1). Workers whose calls differ get an error that says how.
//!
//! It is a typed front and decides nothing: threads, sockets and memory are those of `netfold-net`,
//! which [`raw`] shows to those who drive calls themselves. It reads no environment variable.
//!
//! Open [`Communicator`] first.

#![forbid(unsafe_code)]

mod communicator;
mod connect;
mod element;
mod error;
mod fused;
mod options;
mod pending;
pub mod raw;

pub use communicator::Communicator;
pub use connect::{Connect, connect};
pub use element::Element;
pub use error::Error;
pub use fused::{Fused, Stage};
pub use options::{CallOptions, Op};
pub use pending::Pending;

pub use half::{bf16, f16};
pub use netfold_net::fused::FusedError;
pub use netfold_net::{
    Arithmetic, ByteOrder, CoreList, ElementType, Error as JobError, IntegrityKind, Operations,
    Overflow, Priority, Protocol, Stats, Switch, SwitchOptions, Token, TooManyOperations,
    Transport, TypedOperation, UserFold, Waiting,
};

/// The README's Rust program, which has to compile.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
