//! The beginning of a server, with what a process before has stored (R-SERVE-8).

use std::collections::{BTreeMap, VecDeque};

use super::commits::Commits;
use super::entry::Entry;
use super::reporting::Counted;
use super::steps::Waiting;
use super::switch::Reading;
use super::{Limits, Server, ServerError, meta};
use crate::store::Store;

impl<S: Store> Server<S> {
    /// Begins with what the store has, or anew. Without a store, rows are in memory only, and
    /// "stored" means that they are there.
    pub fn recover(store: Option<S>, limits: Limits) -> Result<Self, ServerError> {
        let mut server = Self {
            commits: Commits::new(store.is_some(), limits.log_bytes),
            store,
            table: None,
            limits,
            now_us: 0,
            connections: BTreeMap::new(),
            reading: Reading::default(),
            waiting: Waiting::default(),
            counted: Counted::default(),
            outputs: VecDeque::new(),
        };
        server.read_store()?;
        Ok(server)
    }

    fn read_store(&mut self) -> Result<(), ServerError> {
        let Some(store) = &self.store else { return Ok(()) };
        let meta = store.meta()?;
        let mut log = VecDeque::new();
        store.log(&mut |batch, bytes| {
            log.push_back((batch, bytes.to_vec()));
            Ok(())
        })?;
        if let Some(meta) = meta {
            self.table = Some(meta::read(&meta, self.store.take(), self.limits.memory_bytes)?);
        }
        for (batch, bytes) in log {
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let entry = Entry::take(&mut rest)?;
                self.apply(&entry).map_err(meta::unfit)?;
            }
            self.commits.recovered(batch, bytes.len());
        }
        if let Some(table) = &self.table {
            self.commits.begin(table);
            self.attach().map_err(meta::unfit)?;
        }
        Ok(())
    }
}
