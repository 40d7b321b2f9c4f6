//! What a slot exchanges next, and what becomes of it (R-WORK-3 to R-WORK-5).

use netfold_num::{ElementType, Exponent, Operation};
use netfold_wire::{Delivery, Direction, Kind, Position, Repr, SlotIndex};

use super::resume::takes_lanes;
use super::{Event, Outstanding, Stream};
use crate::calls::Active;
use crate::plan::Block;
use crate::tensor::Tensor;

impl<T: Tensor> Stream<T> {
    /// The header of what a slot sends next, but for `next_exponent` where that is not known before.
    pub(super) fn contribution(&self, slot: SlotIndex) -> Option<Repr> {
        match &self.slots[usize::from(slot.0)].replaying {
            Some(replaying) => Some(replaying.header),
            None => self.round_of(slot).map(|(header, ..)| header),
        }
    }

    /// The header of a slot's round, but for `next_exponent`; its block; and whether the block had a Classes round.
    pub(super) fn round_of(&self, slot: SlotIndex) -> Option<(Repr, Block, bool)> {
        let state = &self.slots[usize::from(slot.0)];
        let round = state.outstanding.as_ref()?;
        let (call, block) = self.calls.at(state.position)?;
        let (element_type, operation) = match round.kind {
            Kind::Classes => (ElementType::I32, Operation::Sum),
            _ => (call.plan.coding().lane, call.plan.operation()),
        };
        let exchanges_lanes = round.kind != Kind::Exponents && block.elements > 0;
        let header = Repr {
            direction: Direction::Contribution(self.config.rank),
            kind: round.kind,
            empty: !exchanges_lanes || block.input.is_none(),
            marked: false,
            pool: state.pool,
            job: self.config.job,
            epoch: self.config.epoch,
            position: Position(state.position as u32),
            slot: SlotIndex(self.config.first_slot + slot.0),
            elements: block.elements,
            element_type,
            operation,
            exponent: round.exponent,
            next_exponent: Exponent::UNKNOWN,
            delivery: if round.kind == Kind::Exponents { Delivery::All } else { block.delivery },
            call: call.digest,
        };
        Some((header, block, state.special))
    }

    /// R-WORK-4: starts the round that the slot's block needs next, if the block has been submitted.
    pub(super) fn start_round(&mut self, slot: SlotIndex, attended: bool) {
        let position = self.slots[usize::from(slot.0)].position;
        let Some((call, _)) = self.calls.at(position) else {
            return;
        };
        let needs_exponent = call.plan.needs_exponent();
        let state = &mut self.slots[usize::from(slot.0)];
        let (kind, exponent) = match state.agreed {
            _ if !needs_exponent => (Kind::Values, Exponent::ZERO),
            Exponent::UNKNOWN => (Kind::Exponents, Exponent::ZERO),
            Exponent::SPECIAL => (Kind::Classes, Exponent::ZERO),
            agreed => (Kind::Values, agreed),
        };
        state.outstanding = Some(Outstanding { kind, exponent, sent: None, attended, again: None });
        self.outbox.push_new(position, slot);
    }

    /// Writes the contribution of a slot's round, or a query about it.
    pub(super) fn write(&self, slot: SlotIndex, round: Repr, datagram: &mut [u8]) {
        if self.slots[usize::from(slot.0)].replaying.is_some() {
            self.write_replayed(slot, round, datagram);
        } else {
            self.write_new(slot, round, datagram);
        }
        self.config.integrity.seal(datagram);
    }

    fn write_new(&self, slot: SlotIndex, mut round: Repr, datagram: &mut [u8]) {
        let position = self.slots[usize::from(slot.0)].position;
        let (call, block) = self.calls.at(position).expect("a slot in a round is at a block of a call");
        let tensor = call.tensor();
        // R-WORK-5
        round.next_exponent = match round.kind {
            _ if matches!(round.direction, Direction::Query(_)) => Exponent::UNKNOWN,
            Kind::Exponents => tensor.exponent(&block),
            Kind::Classes => tensor.finite_exponent(&block),
            Kind::Values => self.calls.look_ahead(position + u64::from(self.config.slots)),
        };
        let (header, lanes) = datagram.split_first_chunk_mut().expect("a datagram has a header");
        round.emit(header);
        if !round.empty {
            pack(tensor, &block, &round, lanes);
        }
    }

    /// Takes the result of a slot's round, and goes on.
    pub(super) fn take_result(&mut self, round: &Repr, block: &Block, special: bool, result: &Repr, lanes: &[u8]) {
        self.keep(result.slot, round, block, result, lanes);
        if takes_lanes(round, block) {
            let tensor = self.active_mut(result.slot).tensor_mut();
            match round.kind {
                Kind::Classes => tensor.unpack_classes(block, lanes),
                _ => tensor.unpack(block, round.exponent, special, lanes),
            }
        }
        self.finish_round(result.slot, round.kind, result.next_exponent);
    }

    /// Goes on after a result: the same block's next round, or the slot's next block.
    fn finish_round(&mut self, slot: SlotIndex, kind: Kind, agreed: Exponent) {
        let stride = u64::from(self.config.slots);
        if kind == Kind::Values {
            let position = self.slots[usize::from(slot.0)].position;
            self.events.extend(self.calls.finish_block(position).map(|(id, tensor)| Event::Completed(id, tensor)));
        }
        let state = &mut self.slots[usize::from(slot.0)];
        state.outstanding = None;
        state.pool = state.pool.flipped();
        state.agreed = agreed;
        match kind {
            Kind::Exponents => self.counters.exponent_rounds += 1,
            Kind::Classes => {
                state.special = true;
                self.counters.class_rounds += 1;
            }
            Kind::Values => {
                state.special = false;
                state.position += stride;
            }
        }
        while self.slots[usize::from(self.slot_of(self.lowest).0)].position > self.lowest {
            self.lowest += 1;
        }
        // R-TIME-2: whoever said UNKNOWN is not there yet, and the round will wait for that worker.
        self.start_round(slot, agreed != Exponent::UNKNOWN);
    }

    fn active_mut(&mut self, slot: SlotIndex) -> &mut Active<T> {
        let position = self.slots[usize::from(slot.0)].position;
        self.calls.at_mut(position).expect("a slot in a round is at a block of a call")
    }
}

/// Packs the lanes of a contribution.
pub(super) fn pack(tensor: &impl Tensor, block: &Block, round: &Repr, lanes: &mut [u8]) {
    match round.kind {
        Kind::Classes => tensor.pack_classes(block, lanes),
        _ => tensor.pack(block, round.exponent, lanes),
    }
}
