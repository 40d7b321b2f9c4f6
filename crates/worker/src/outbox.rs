//! Which round is sent next (R-WORK-7).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use netfold_wire::SlotIndex;

/// Rounds that wait to be sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outbox {
    /// To be sent again: they stand in the window already.
    again: VecDeque<SlotIndex>,
    /// To be sent for the first time, lowest position first.
    new: BinaryHeap<Reverse<(u64, SlotIndex)>>,
}

impl Outbox {
    pub(crate) fn push_new(&mut self, position: u64, slot: SlotIndex) {
        self.new.push(Reverse((position, slot)));
    }

    pub(crate) fn push_again(&mut self, slot: SlotIndex) {
        self.again.push_back(slot);
    }

    /// The next slot, left in its place. `sent` tells of a slot whether its round has been sent, and is `None` if there is no round any more: what does not fit
    /// the queue that it stands in is forgotten, since its result has come. New rounds wait while `may_send` says no to their position.
    pub(crate) fn next(
        &mut self,
        sent: impl Fn(SlotIndex) -> Option<bool>,
        may_send: impl FnOnce(u64) -> bool,
    ) -> Option<SlotIndex> {
        while let Some(slot) = self.again.front() {
            if sent(*slot) == Some(true) {
                return Some(*slot);
            }
            self.again.pop_front();
        }
        while let Some(Reverse((position, slot))) = self.new.peek() {
            if sent(*slot) == Some(false) {
                return may_send(*position).then_some(*slot);
            }
            self.new.pop();
        }
        None
    }

    /// Takes out what [`Outbox::next`] has given.
    pub(crate) fn pop(&mut self) {
        if self.again.pop_front().is_none() {
            self.new.pop();
        }
    }
}
