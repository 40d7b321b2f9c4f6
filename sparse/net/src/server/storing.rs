//! The thread that writes to a table's store. While it waits for the disk, the machine goes on, and
//! what comes meanwhile is the next batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, JoinHandle};

use netfold_sparse::{Checkpoint, Store, StoreError};

use super::engine::Event;
use crate::error::Error;
use crate::store::FileStore;

/// What is to be stored.
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
    busy: Arc<AtomicUsize>,
}

impl Storing {
    pub(super) fn start(store: Arc<FileStore>, events: SyncSender<Event>) -> Result<Self, Error> {
        let (writes, received) = mpsc::channel();
        let busy = Arc::new(AtomicUsize::new(0));
        let counted = busy.clone();
        let thread = thread::Builder::new()
            .name("netfold-store".into())
            .spawn(move || write_all(&store, &received, &events, &counted))
            .map_err(Error::io("a thread for the store"))?;
        Ok(Self { writes: Some(writes), thread: Some(thread), busy })
    }

    pub(super) fn write(&self, write: Write) {
        self.busy.fetch_add(1, Ordering::SeqCst);
        if let Some(writes) = &self.writes {
            // It ends only after it has told of a failure.
            let _ = writes.send(write);
        }
    }

    /// Returns whether an event of this is still to come.
    pub(super) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::SeqCst) > 0
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

fn write_all(
    store: &FileStore,
    writes: &Receiver<Write>,
    events: &SyncSender<Event>,
    busy: &AtomicUsize,
) {
    for write in writes {
        let event = carry_out(store, write).unwrap_or_else(Event::StoreFailed);
        let failed = matches!(event, Event::StoreFailed(_));
        // An engine that has ended needs no news.
        let told = events.send(event).is_ok();
        busy.fetch_sub(1, Ordering::SeqCst);
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
