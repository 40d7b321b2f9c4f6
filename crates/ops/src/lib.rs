//! Operations that users write, as WebAssembly: admitted, limited, and run (R-OP in
//! `spec/operations.md`).
//!
//! [`Operation::load`] checks a module before it compiles it, tries it, and refuses it by name.
//! An [`Instance`] folds whole batches of elements a call, in memory of its own. A call that traps,
//! or takes longer than it may, gives [`Trapped`], and nothing else in the process notices.
//! [`examine`] looks for operands that disprove what a declaration claims.
//!
//! This crate gives modules nothing: no imports, no clock, no files. It does not know what a job or
//! a packet is, and decides no order of operands. It is the only crate that depends on wasmtime;
//! without its feature `run` it only checks modules ([`check`](fn@check)), and does not.
//!
//! Open [`Operation`] first, then [`Declaration`].

#![forbid(unsafe_code)]

mod check;
#[cfg(feature = "run")]
mod claims;
mod declaration;
#[cfg(feature = "run")]
mod draw;
#[cfg(feature = "run")]
mod driver;
mod element;
#[cfg(feature = "run")]
mod instance;
mod limits;
#[cfg(feature = "run")]
mod loader;
#[cfg(feature = "run")]
mod operation;
#[cfg(feature = "run")]
mod overtime;
mod policy;
mod refused;
#[cfg(feature = "run")]
mod running;
#[cfg(feature = "run")]
mod runtime;
#[cfg(feature = "run")]
mod shrink;
#[cfg(feature = "run")]
mod timing;
#[cfg(feature = "run")]
mod trap;

pub use netfold_switch::{OperationLoader, TrapCause, TypedFold, TypedOperation, Usage};

pub use check::check;
#[cfg(feature = "run")]
pub use claims::{Claim, Counterexample, Unexamined, examine};
pub use declaration::{ABI, Associative, Declaration, SECTION, Scope};
pub use element::{Element, Field, Scalar};
#[cfg(feature = "run")]
pub use instance::Instance;
pub use limits::{BATCH_BYTES, Count, Limits, MAX_ELEMENT_BYTES};
#[cfg(feature = "run")]
pub use loader::Loader;
#[cfg(feature = "run")]
pub use operation::{Hash, Operation};
pub use policy::{Key, Policy, PolicyError, ShortKey, Signature};
pub use refused::Refused;
#[cfg(feature = "run")]
pub use runtime::{MAX_INSTANCES, Runtime};
#[cfg(feature = "run")]
pub use timing::{Timing, side_by_side};
#[cfg(feature = "run")]
pub use trap::Trapped;
