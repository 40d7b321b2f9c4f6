//! Tallies of the members, for whoever has made the segment. The words of a member are on lines of
//! its own, and it alone stores to them: no other worker waits for such a line.

use std::sync::atomic::{AtomicU64, Ordering};

use netfold_switch::{Counters, JobSpec, Usage};

use crate::segment::Segment;

/// Words of an operation of users: its calls, bytes, traps, and nanoseconds.
const USAGE_WORDS: usize = 4;

/// Returns the words of a member: its counters at the slots in the order of [`Counters::values`],
/// then the bytes in its messages, and the usage of each operation of the job.
pub(crate) fn tally_words(spec: &JobSpec) -> usize {
    Counters::COUNT + 1 + spec.operations.len() * USAGE_WORDS
}

/// The tally of one member of a flow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally<'a> {
    slots: &'a [AtomicU64; Counters::COUNT],
    message_bytes: &'a AtomicU64,
    usage: &'a [[AtomicU64; USAGE_WORDS]],
}

impl<'a> Tally<'a> {
    /// Returns the words of a member.
    #[inline]
    pub(crate) fn of(segment: &'a Segment, flow: u16, member: u16) -> Self {
        let at = segment.layout().tally(flow, member);
        let words = segment.mapping().wide_words(at, tally_words(segment.spec()));
        let (slots, rest) = words.split_first_chunk().expect("there are more");
        let (message_bytes, rest) = rest.split_first().expect("there is one more");
        Self { slots, message_bytes, usage: rest.as_chunks().0 }
    }

    /// Shows what the member has counted at its slots.
    pub(crate) fn show(self, counters: &Counters) {
        for (word, value) in self.slots.iter().zip(counters.values()) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// Shows what the member has done by the job's operations.
    pub(crate) fn show_usage(self, usage: impl Iterator<Item = Usage>) {
        for (words, Usage { calls, bytes, traps, time_ns }) in self.usage.iter().zip(usage) {
            for (word, value) in words.iter().zip([calls, bytes, traps, time_ns]) {
                word.store(value, Ordering::Relaxed);
            }
        }
    }

    /// Returns what the member has shown of the work by each operation, by their numbers.
    pub(crate) fn usage(self) -> impl Iterator<Item = Usage> {
        self.usage.iter().map(|words| {
            let [calls, bytes, traps, time_ns] =
                words.each_ref().map(|word| word.load(Ordering::Relaxed));
            Usage { calls, bytes, traps, time_ns }
        })
    }

    /// Adds the bytes in a message of the member. For the member alone.
    #[inline]
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
