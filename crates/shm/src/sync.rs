//! Atomics of what `tests/interleavings` runs in every order, with those of loom.

pub(crate) use std::sync::atomic::AtomicU64;
