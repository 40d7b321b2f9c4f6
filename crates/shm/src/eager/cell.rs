//! A member's cell for one round (R-EAGER-2): its message and the words that publish it. Nothing
//! here knows of ports or queues, so that loom runs it, too (`tests/interleavings`).

use std::sync::atomic::Ordering;

use netfold_wire::{CallDigest, EagerRound};

use crate::error::PortError;
use crate::layout::{ABOUT_AT, CORE_AT, MESSAGE_AT, POSTED_AT, TAG_AT};
use crate::mapping::Mapping;
use crate::sync::AtomicU64;

/// A member's cell for one round.
#[derive(Clone, Copy)]
pub(crate) struct EagerCell<'a> {
    mapping: &'a Mapping,
    at: usize,
}

impl<'a> EagerCell<'a> {
    /// Returns the cell that begins at byte `at`.
    #[inline]
    pub(crate) fn new(mapping: &'a Mapping, at: usize) -> Self {
        Self { mapping, at }
    }

    /// Returns the tag: the number of the message's round, plus 1.
    #[inline]
    fn tag(self) -> &'a AtomicU64 {
        &self.mapping.wide_words(self.at + TAG_AT, 1)[0]
    }

    /// Returns the word that tells the message's call and length ([`about`]).
    #[inline]
    fn about(self) -> &'a AtomicU64 {
        &self.mapping.wide_words(self.at + ABOUT_AT, 1)[0]
    }

    /// Returns the word for the time at which the message was posted, if rounds are timed.
    pub(crate) fn posted(self) -> &'a AtomicU64 {
        &self.mapping.wide_words(self.at + POSTED_AT, 1)[0]
    }

    /// Returns the word for the core on which the message was posted, plus 1; 0 if it is not known.
    #[inline]
    pub(crate) fn core(self) -> &'a AtomicU64 {
        &self.mapping.wide_words(self.at + CORE_AT, 1)[0]
    }

    /// Writes the message of a round, `len` bytes that `pack` writes, and then the tag
    /// (R-EAGER-2). `stamp` is the time, if rounds are timed.
    ///
    /// # Safety
    /// The cell is the caller's, and nobody reads the message that is in it (R-EAGER-3).
    #[inline]
    pub(crate) unsafe fn post(
        self,
        round: &EagerRound,
        len: usize,
        pack: impl FnOnce(&mut [u8]),
        stamp: impl FnOnce() -> Option<u64>,
    ) {
        // SAFETY: nobody else writes here, and the caller has seen to the absence of readers.
        pack(unsafe { self.mapping.bytes_mut(self.at + MESSAGE_AT, len) });
        self.about().store(about(round.call, len), Ordering::Relaxed);
        if let Some(stamp) = stamp() {
            self.posted().store(stamp, Ordering::Relaxed);
        }
        // Sequentially consistent, as the doorbell asks: a look at who sleeps follows.
        self.tag().swap(round.number + 1, Ordering::SeqCst);
    }

    /// Has the processor fetch the cell, to write to it.
    #[inline]
    pub(crate) fn prefetch(self) {
        self.mapping.prefetch(self.at);
    }

    /// Returns the tag of the last message, for counts.
    pub(crate) fn last_tag(self) -> u64 {
        self.tag().load(Ordering::Relaxed)
    }

    /// Returns whether the round's message is there, or a tag that nothing in this crate writes.
    #[inline]
    pub(crate) fn has(self, round: u64) -> bool {
        // Sequentially consistent, as the doorbell asks.
        self.tag().load(Ordering::SeqCst) > round
    }

    /// Returns whether the round's message, which is there, has contents; `None` if it belongs to
    /// another call.
    #[inline]
    pub(crate) fn has_contents(self, round: &EagerRound) -> Result<Option<bool>, PortError> {
        if self.tag().load(Ordering::Acquire) != round.number + 1 {
            return Err(PortError::Corrupt);
        }
        let stands = self.about().load(Ordering::Relaxed);
        let [empty, full] = [0, round.bytes].map(|len| stands == about(round.call, len));
        Ok((empty || full).then_some(!empty))
    }

    /// Returns the `len` bytes of the message.
    ///
    /// # Safety
    /// The message is there, and its owner writes to the cell again only after the bytes have been
    /// used (R-EAGER-3).
    #[inline]
    pub(crate) unsafe fn contents(self, len: usize) -> &'a [u8] {
        // SAFETY: the caller has seen to the absence of writers.
        unsafe { self.mapping.bytes(self.at + MESSAGE_AT, len) }
    }
}

/// Returns the call and the length of a message in one word.
#[inline]
fn about(call: CallDigest, len: usize) -> u64 {
    u64::from(call.0) | (len as u64) << 32
}
