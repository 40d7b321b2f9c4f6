//! Locks and atomics of what `tests/interleavings.rs` runs in every order, with those of loom.

pub(crate) use std::sync::atomic::AtomicUsize;
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
