//! Operations of users on a coarse-grained reconfigurable array (CGRA) in the switch: from the
//! WebAssembly that the switch runs to configuration words (R-CGRA in `spec/cgra.md`; ACiS,
//! sections IV and VI-B).
//!
//! [`extract`] makes loops of a function, [`map()`] finds their places on an [`Array`], and
//! [`compile`] does both and makes an [`Image`] of configuration words for each loop. A [`Machine`]
//! runs an image cycle by cycle, and knows nothing else of the operation. A [`Chain`] is the
//! functions of an operation that a round goes through. What does not fit is refused with the bound
//! that it breaks ([`Refusal`]).
//!
//! This crate does no I/O. It does not decide whether a module may run, and compiles nothing for
//! the switch's own processor: that is `netfold-ops`. Open [`graph::Graph`] first, then
//! [`Mapping`].

#![forbid(unsafe_code)]

mod array;
mod chain;
mod compile;
mod config;
pub mod graph;
mod machine;
mod map;
pub mod op;
mod refusal;
mod wasm;

pub use array::{Array, Counting, Direction};
pub use chain::Chain;
pub use compile::{Compiled, Figures, compile};
pub use config::{Image, Source, Word, word_bits};
pub use machine::{Machine, Memories, Run};
#[cfg(feature = "exact")]
pub use map::fits;
pub use map::{Bounds, Effort, Hop, Mapping, Place, check, expand, map};
pub use refusal::Refusal;
pub use wasm::{Request, extract};
