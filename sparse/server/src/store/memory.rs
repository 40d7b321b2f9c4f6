//! A store in memory, for tests of whoever drives a server.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Checkpoint, EachBatch, Store, StoreError};

/// A store that is lost with the process. Shared by an [`Arc`](std::sync::Arc), it outlives a
/// server.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    meta: Option<Vec<u8>>,
    pages: BTreeMap<u64, Vec<u8>>,
    log: BTreeMap<u64, Vec<u8>>,
}

impl MemoryStore {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of pages, and of batches of the log.
    pub fn sizes(&self) -> (usize, usize) {
        let state = self.state();
        (state.pages.len(), state.log.len())
    }
}

impl Store for MemoryStore {
    fn meta(&self) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.state().meta.clone())
    }

    fn page(&self, page: u64) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.state().pages.get(&page).cloned())
    }

    fn log(&self, each: &mut EachBatch<'_>) -> Result<(), StoreError> {
        let log = self.state().log.clone();
        log.iter().try_for_each(|(batch, bytes)| each(*batch, bytes))
    }

    fn append(&self, batch: u64, bytes: &[u8]) -> Result<(), StoreError> {
        self.state().log.insert(batch, bytes.to_vec());
        Ok(())
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        let mut state = self.state();
        state.meta = Some(checkpoint.meta.clone());
        if checkpoint.drop {
            state.pages.clear();
        }
        let pages = checkpoint.pages.iter().map(|(page, lanes)| (*page, lanes.bytes()));
        state.pages.extend(pages);
        state.log.retain(|batch, _| *batch > checkpoint.through);
        Ok(())
    }
}
