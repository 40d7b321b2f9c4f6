//! Tallies of the members, for whoever has made the segment. The words of a member are on lines of
//! its own, and it alone stores to them: no other worker waits for such a line.

use std::sync::atomic::{AtomicU64, Ordering};

use netfold_switch::Counters;

use crate::segment::Segment;

/// Words of a member: its counters at the slots in the order of [`Counters::values`], then the
/// bytes in its messages.
pub(crate) const TALLY_WORDS: usize = Counters::COUNT + 1;

/// The tally of one member of a flow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally<'a> {
    slots: &'a [AtomicU64; Counters::COUNT],
    message_bytes: &'a AtomicU64,
}

impl<'a> Tally<'a> {
    /// Returns the words of a member.
    pub(crate) fn of(segment: &'a Segment, flow: u16, member: u16) -> Self {
        let words = segment.mapping().wide_words(segment.layout().tally(flow, member), TALLY_WORDS);
        let (slots, rest) = words.split_first_chunk().expect("they are one more");
        Self { slots, message_bytes: &rest[0] }
    }

    /// Shows what the member has counted at its slots.
    pub(crate) fn show(self, counters: &Counters) {
        for (word, value) in self.slots.iter().zip(counters.values()) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// Adds the bytes in a message of the member. For the member alone.
    pub(crate) fn add_message(self, bytes: usize) {
        let sum = self.message_bytes.load(Ordering::Relaxed).wrapping_add(bytes as u64);
        self.message_bytes.store(sum, Ordering::Relaxed);
    }

    /// Returns the counters at slots that the member has shown.
    pub(crate) fn at_slots(self) -> Counters {
        Counters::of(self.slots.each_ref().map(|word| word.load(Ordering::Relaxed)))
    }

    /// Returns the number of bytes in all its messages.
    pub(crate) fn message_bytes(self) -> u64 {
        self.message_bytes.load(Ordering::Relaxed)
    }
}
