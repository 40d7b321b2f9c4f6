//! The choice of the round that is sent next (R-WORK-7).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use netfold_wire::SlotIndex;

/// Rounds that wait to be sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    /// To send again: they stand in the window already.
    again: VecDeque<SlotIndex>,
    /// To send for the first time, lowest position first.
    new: BinaryHeap<Reverse<(u64, SlotIndex)>>,
    /// Acknowledgements that may wait (R-ACK-6), lowest position first.
    idle: BinaryHeap<Reverse<(u64, SlotIndex)>>,
}

impl Outbox {
    pub(crate) fn push_new(&mut self, position: u64, slot: SlotIndex) {
        self.new.push(Reverse((position, slot)));
    }

    pub(crate) fn push_idle(&mut self, position: u64, slot: SlotIndex) {
        self.idle.push(Reverse((position, slot)));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.again.is_empty() && self.new.is_empty() && self.idle.is_empty()
    }

    /// Acknowledgements that may wait.
    pub(crate) fn idle(&self) -> usize {
        self.idle.len()
    }

    pub(crate) fn push_again(&mut self, slot: SlotIndex) {
        self.again.push_back(slot);
    }

    /// Returns the next slot, left in its place. `sent` tells of a slot whether its round has been
    /// sent, and is `None` if there is no round any more: what does not fit the queue that it
    /// stands in is forgotten, since its result has come. New rounds wait while `may_send` says no
    /// to their position, and acknowledgements that may wait go last, unless they are `held`.
    pub(crate) fn next(
        &mut self,
        sent: impl Fn(SlotIndex) -> Option<bool>,
        may_send: impl Fn(u64) -> bool,
        held: bool,
    ) -> Option<SlotIndex> {
        while let Some(slot) = self.again.front() {
            if sent(*slot) == Some(true) {
                return Some(*slot);
            }
            self.again.pop_front();
        }
        for (queue, held) in [(&mut self.new, false), (&mut self.idle, held)] {
            while let Some(Reverse((position, slot))) = queue.peek() {
                match sent(*slot) {
                    Some(false) if !held && may_send(*position) => return Some(*slot),
                    Some(false) => break,
                    _ => drop(queue.pop()),
                }
            }
        }
        None
    }

    /// Takes out `slot`, which [`Outbox::next`] has given.
    pub(crate) fn pop(&mut self, slot: SlotIndex) {
        if self.again.pop_front().is_some() {
            return;
        }
        let in_new = self.new.peek().is_some_and(|Reverse((_, top))| *top == slot);
        if in_new {
            self.new.pop()
        } else {
            self.idle.pop()
        };
    }
}
