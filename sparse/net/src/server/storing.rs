//! The thread that writes to a table's store. While it waits for the disk, the machine goes on, and
//! what comes meanwhile is the next batch.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, JoinHandle};

use netfold_sparse::{Checkpoint, Store, StoreError};

use super::engine::Event;
use crate::error::Error;
use crate::store::FileStore;

/// A task for the store.
pub(super) enum Write {
    /// A batch of the log.
    Batch { batch: u64, bytes: Vec<u8> },
    /// A checkpoint.
    Checkpoint(Checkpoint),
}

/// A store's writer.
pub(super) struct Storing {
    writes: Option<Sender<Write>>,
    thread: Option<JoinHandle<()>>,
    /// Writes of which the engine has yet to hear.
    outstanding: usize,
}

impl Storing {
    pub(super) fn start(store: Arc<FileStore>, events: SyncSender<Event>) -> Result<Self, Error> {
        let (writes, received) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("netfold-store".into())
            .spawn(move || write_all(&store, &received, &events))
            .map_err(Error::io("a thread for the store"))?;
        Ok(Self { writes: Some(writes), thread: Some(thread), outstanding: 0 })
    }

    pub(super) fn write(&mut self, write: Write) {
        self.outstanding += 1;
        if let Some(writes) = &self.writes {
            // It ends only after it has told of a failure.
            let _ = writes.send(write);
        }
    }

    /// Takes note that the engine has heard of a write.
    pub(super) fn heard(&mut self) {
        self.outstanding -= 1;
    }

    /// Returns whether the engine has yet to hear of a write.
    pub(super) fn is_busy(&self) -> bool {
        self.outstanding > 0
    }
}

impl Drop for Storing {
    fn drop(&mut self) {
        self.writes = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread of a store has panicked");
        }
    }
}

fn write_all(store: &FileStore, writes: &Receiver<Write>, events: &SyncSender<Event>) {
    for write in writes {
        let event = carry_out(store, write).unwrap_or_else(Event::StoreFailed);
        let failed = matches!(event, Event::StoreFailed(_));
        // An engine that has ended needs no news.
        let told = events.send(event).is_ok();
        if failed || !told {
            return;
        }
    }
}

fn carry_out(store: &FileStore, write: Write) -> Result<Event, StoreError> {
    match write {
        Write::Batch { batch, bytes } => {
            store.append(batch, &bytes)?;
            Ok(Event::Stored { batch })
        }
        Write::Checkpoint(checkpoint) => {
            store.checkpoint(&checkpoint)?;
            Ok(Event::Checkpointed)
        }
    }
}
