//! The store of a server (R-SERVE-8).

use std::sync::Arc;

use thiserror::Error;

use crate::numbers::RowNumber;

mod memory;

pub use memory::MemoryStore;

/// A store of rows and of the log of changes, which outlives the process.
///
/// The store has a checkpoint, which is `meta` and pages, and batches of the log that came after
/// it. The server reads through a shared reference, while the driver writes, in the order of the
/// server's outputs, from any thread.
pub trait Store {
    /// Returns the `meta` of the last checkpoint.
    fn meta(&self) -> Result<Option<Vec<u8>>, StoreError>;

    /// Returns a page of the last checkpoint, or nothing if no checkpoint had this page.
    fn page(&self, page: u64) -> Result<Option<Vec<u8>>, StoreError>;

    /// Hands over the batches since the last checkpoint in the order of their numbers.
    fn log(&self, each: &mut EachBatch<'_>) -> Result<(), StoreError>;

    /// Appends a batch to the log. When this returns, the batch survives a loss of power.
    fn append(&self, batch: u64, bytes: &[u8]) -> Result<(), StoreError>;

    /// Writes pages and `meta`, and drops the batches up to `through`, all in one transaction.
    fn checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), StoreError>;
}

/// Consumer of the batches of a log: their numbers and bytes.
pub type EachBatch<'a> = dyn FnMut(u64, &[u8]) -> Result<(), StoreError> + 'a;

impl<S: Store + ?Sized> Store for Arc<S> {
    fn meta(&self) -> Result<Option<Vec<u8>>, StoreError> {
        (**self).meta()
    }

    fn page(&self, page: u64) -> Result<Option<Vec<u8>>, StoreError> {
        (**self).page(page)
    }

    fn log(&self, each: &mut EachBatch<'_>) -> Result<(), StoreError> {
        (**self).log(each)
    }

    fn append(&self, batch: u64, bytes: &[u8]) -> Result<(), StoreError> {
        (**self).append(batch, bytes)
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        (**self).checkpoint(checkpoint)
    }
}

/// A consistent state of the server, to be written by [`Store::checkpoint`].
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The last batch that the state includes.
    pub through: u64,
    /// Everything but the rows.
    pub meta: Vec<u8>,
    /// The pages that have changed since the checkpoint before.
    pub pages: Vec<(u64, Page)>,
    /// All pages that were stored before are dropped.
    pub drop: bool,
}

/// The lanes of some rows. They are stored as the bytes of [`Page::bytes`].
#[derive(Clone, Debug)]
pub struct Page(pub(crate) Arc<dyn PageLanes>);

/// Lanes of any type.
pub(crate) trait PageLanes: core::fmt::Debug + Send + Sync {
    fn put(&self, bytes: &mut Vec<u8>);
}

impl<E: RowNumber> PageLanes for Vec<E> {
    fn put(&self, bytes: &mut Vec<u8>) {
        crate::codec::put_words(bytes, self);
    }
}

impl Page {
    /// Returns the bytes to store.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.put(&mut bytes);
        bytes
    }
}

/// A store that failed; the server ends.
#[derive(Clone, Debug, Error)]
#[error("store: {0}; look at the server's folder for data, and start the server again")]
pub struct StoreError(pub String);
