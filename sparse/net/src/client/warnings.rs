//! Warnings that users should get although nothing has failed: for the log, and for front ends that
//! have one of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Most warnings that wait for a front end; later ones are in the log alone.
const MOST_WAITING: usize = 64;

/// Warnings of a table.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    any: AtomicBool,
    waiting: Mutex<Vec<String>>,
}

impl Warnings {
    /// Adds a warning.
    pub(crate) fn warn(&self, text: String) {
        tracing::warn!("{text}");
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < MOST_WAITING {
            waiting.push(text);
            self.any.store(true, Ordering::Release);
        }
    }

    /// Takes those that were not taken yet.
    pub(crate) fn take(&self) -> Vec<String> {
        if !self.any.swap(false, Ordering::AcqRel) {
            return Vec::new();
        }
        std::mem::take(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
