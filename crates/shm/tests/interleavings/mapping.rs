//! Memory of cells, in which loom follows every read and write.
#![expect(unsafe_code, reason = "the functions that it stands for lend memory")]

use loom::cell::UnsafeCell;

use crate::layout::{CELL_BYTES, MESSAGE_AT, MESSAGE_BYTES};
use crate::sync::AtomicU64;

/// The words and the message of a cell.
#[derive(Default)]
struct Memory {
    words: [AtomicU64; MESSAGE_AT / 8],
    message: UnsafeCell<[u8; MESSAGE_BYTES]>,
}

/// The cells of all workers.
pub struct Mapping(Vec<Memory>);

// SAFETY: loom panics if two threads touch a message at once.
unsafe impl Sync for Mapping {}

impl Mapping {
    pub fn new(cells: usize) -> Self {
        Self((0..cells).map(|_| Memory::default()).collect())
    }

    pub fn wide_words(&self, at: usize, count: usize) -> &[AtomicU64] {
        let start = at % CELL_BYTES / 8;
        &self.0[at / CELL_BYTES].words[start..start + count]
    }

    /// # Safety
    /// As of the crate's.
    pub unsafe fn bytes(&self, at: usize, len: usize) -> &[u8] {
        // SAFETY: the caller has seen to the absence of writers, and loom looks.
        let message = self.message(at).with(|message| unsafe { &*message });
        &message[..len]
    }

    /// # Safety
    /// As of the crate's.
    #[expect(clippy::mut_from_ref, reason = "as in the crate")]
    pub unsafe fn bytes_mut(&self, at: usize, len: usize) -> &mut [u8] {
        // SAFETY: the caller has seen to the absence of others, and loom looks.
        let message = self.message(at).with_mut(|message| unsafe { &mut *message });
        &mut message[..len]
    }

    pub fn prefetch(&self, _at: usize) {}

    fn message(&self, at: usize) -> &UnsafeCell<[u8; MESSAGE_BYTES]> {
        assert_eq!(at % CELL_BYTES, MESSAGE_AT, "a message begins there");
        &self.0[at / CELL_BYTES].message
    }
}
