//! The acknowledged protocol (R-ACK): a round of its own behind each that has data, which proves
//! that all have the result. P4SGD, section III-C, algorithm 3.

use netfold_num::Exponent;
use netfold_wire::{Delivery, Repr, SlotIndex};

use super::{Outstanding, Stream};
use crate::tensor::Tensor;

impl<T: Tensor> Stream<T> {
    /// R-ACK-1: tells the switch that the result of `round` has come. The slot's pool is that of
    /// acknowledgements already.
    pub(super) fn acknowledge(&mut self, slot: SlotIndex, round: &Repr) {
        let state = &mut self.slots[usize::from(slot.0)];
        let (pool, delivery, next_exponent) = (state.pool, Delivery::All, Exponent::ZERO);
        state.acknowledging = Some(Repr { empty: true, pool, delivery, next_exponent, ..*round });
        self.start_acknowledgement(slot);
    }

    /// Takes the result of a round that is no block's: a confirmation, or a replay of a round that
    /// has been done here before.
    pub(super) fn end_bare_round(&mut self, slot: SlotIndex, replayed: bool) {
        let state = &mut self.slots[usize::from(slot.0)];
        state.outstanding = None;
        match state.acknowledging {
            // Others have the result only now.
            Some(_) if replayed => self.start_acknowledgement(slot),
            Some(_) => self.end_acknowledgement(slot),
            None => self.start_round(slot, false),
        }
    }

    /// R-ACK-5: presumes that all workers have the result, if nothing is replayed.
    pub(super) fn presume_acknowledged(&mut self, slot: SlotIndex) {
        let state = &self.slots[usize::from(slot.0)];
        if state.acknowledging.is_none() || state.replaying.is_some() {
            return;
        }
        self.end_acknowledgement(slot);
        if let Some(round) = &mut self.slots[usize::from(slot.0)].outstanding {
            // R-RES-6
            round.attended = false;
        }
    }

    /// R-ACK-6: has acknowledgements that may wait do so, unless they are too many: half of the
    /// slots must be free for the rounds that come next.
    pub(super) fn hold_acknowledgements(&mut self, now_us: u64) {
        let few = (1..=self.slots.len() / 2).contains(&self.outbox.idle());
        self.held_until_us = few.then(|| now_us + self.config.timing.hold_us());
    }

    /// Returns the time until which they wait; `None` if they do not, or no more.
    pub(super) fn holds_until(&self) -> Option<u64> {
        self.held_until_us.filter(|_| self.calls.is_empty())
    }

    fn start_acknowledgement(&mut self, slot: SlotIndex) {
        let state = &mut self.slots[usize::from(slot.0)];
        let Some(header) = state.acknowledging else { return };
        // R-ACK-4: a worker that has submitted the block that the slot is for next sends its
        // acknowledgement at once.
        let attended = state.agreed != Exponent::UNKNOWN;
        state.outstanding =
            Some(Outstanding { header, block: None, sent: None, attended, again: None });
        if attended {
            self.outbox.push_new(state.position, slot);
        } else {
            self.outbox.push_idle(state.position, slot);
        }
    }

    /// Ends it: all workers have the result.
    fn end_acknowledgement(&mut self, slot: SlotIndex) {
        let state = &mut self.slots[usize::from(slot.0)];
        let Some(Repr { kind, .. }) = state.acknowledging.take() else { return };
        state.pool = state.pool.flipped();
        self.counters.acknowledgements += 1;
        self.go_on(slot, kind);
    }
}
