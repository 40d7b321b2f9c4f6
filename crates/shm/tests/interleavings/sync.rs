//! Atomics of loom in the place of the crate's.

pub use loom::sync::atomic::AtomicU64;
