//! The outstanding rounds in the order in which they were sent.

use std::collections::VecDeque;

use netfold_wire::SlotIndex;

/// One transmission. It counts only while `transmission` is still the slot's latest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) slot: SlotIndex,
    pub(crate) transmission: u64,
    pub(crate) at_us: u64,
}

/// Transmissions by time. All slots share one timeout, so the order of sending is the order of expiry, and a queue is enough.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    queue: VecDeque<Sent>,
}

impl Timers {
    pub(crate) fn push(&mut self, sent: Sent) {
        debug_assert!(self.queue.back().is_none_or(|last| last.at_us <= sent.at_us), "time does not go back");
        self.queue.push_back(sent);
    }

    /// The oldest transmission that `counts`; those before it are forgotten.
    pub(crate) fn oldest(&mut self, counts: impl Fn(&Sent) -> bool) -> Option<Sent> {
        while let Some(sent) = self.queue.front() {
            if counts(sent) {
                return Some(*sent);
            }
            self.queue.pop_front();
        }
        None
    }

    /// Takes the oldest transmission that `counts` if it was made at `until_us` or before.
    pub(crate) fn take(&mut self, until_us: u64, counts: impl Fn(&Sent) -> bool) -> Option<Sent> {
        let sent = self.oldest(counts).filter(|sent| sent.at_us <= until_us)?;
        self.queue.pop_front();
        Some(sent)
    }
}
