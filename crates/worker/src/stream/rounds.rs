//! The next exchange of a slot, and the use of its result (R-WORK-3 to R-WORK-5).

use netfold_kernels::Lanes;
use netfold_num::{ElementType, Exponent, Operation, Protocol};
use netfold_wire::{Delivery, Direction, Kind, Position, Repr, SlotIndex};

use super::{Event, Outstanding, Slot, Stream};
use crate::calls::Active;
use crate::dense::CLASS;
use crate::plan::{Block, Fold};
use crate::tensor::Tensor;

impl<T: Tensor> Stream<T> {
    /// Returns this worker's contribution to the round whose result a slot waits for, once it has
    /// been sent.
    pub(super) fn awaited(&self, slot: SlotIndex) -> Option<&Repr> {
        let sent =
            |state: &Slot| state.outstanding.as_ref().is_some_and(|round| round.sent.is_some());
        self.contribution(slot).filter(|_| sent(&self.slots[usize::from(slot.0)]))
    }

    /// Returns the header of the next packet of a slot, but for `next_exponent` where that is not
    /// known before.
    pub(super) fn contribution(&self, slot: SlotIndex) -> Option<&Repr> {
        let state = &self.slots[usize::from(slot.0)];
        let replayed = state.replaying.as_ref().map(|replaying| &replaying.header);
        replayed.or(state.outstanding.as_ref().map(|round| &round.header))
    }

    /// Returns the round of its block that a slot is in: its header, which a replay may change, and
    /// its block. `None` in an acknowledgement, and in a replay of a round that has been done here
    /// before.
    pub(super) fn own_round(&self, slot: SlotIndex) -> Option<(&Repr, &Block)> {
        let round = self.slots[usize::from(slot.0)].outstanding.as_ref()?;
        Some((&round.header, round.block.as_ref()?))
    }

    /// Returns the header of a block's round, but for `next_exponent`.
    fn header_of(
        &self,
        slot: SlotIndex,
        call: &Active<T>,
        block: &Block,
        kind: Kind,
        exponent: Exponent,
    ) -> Repr {
        let state = &self.slots[usize::from(slot.0)];
        let (element_type, operation) = match kind {
            Kind::Classes => (CLASS, Operation::Sum),
            _ if block.raw => (ElementType::U8, Operation::Copy),
            _ => (call.plan.coding().lane, call.plan.operation()),
        };
        let bytes = if block.raw { call.plan.call().element_type.bytes() as u16 } else { 1 };
        Repr {
            direction: Direction::Contribution(self.config.rank),
            kind,
            empty: !has_lanes(kind, block.elements) || block.input.is_none(),
            marked: false,
            overflowed: false,
            pool: state.pool,
            job: self.config.job,
            epoch: self.config.epoch,
            position: Position(state.position as u32),
            slot: SlotIndex(self.config.first_slot + slot.0),
            elements: block.elements * bytes,
            element_type,
            operation,
            exponent,
            next_exponent: Exponent::UNKNOWN,
            delivery: if kind == Kind::Exponents { Delivery::All } else { block.delivery },
            call: call.digest,
        }
    }

    /// R-WORK-4: starts the round that the slot's block needs next, if the block has been
    /// submitted.
    pub(super) fn start_round(&mut self, slot: SlotIndex, attended: bool) {
        let &Slot { position, agreed, overflowed, .. } = &self.slots[usize::from(slot.0)];
        let Some((call, block)) = self.calls.at(position) else {
            return;
        };
        let (kind, exponent) = match agreed {
            _ if overflowed => (Kind::Refold, Exponent::ZERO),
            _ if block.raw || !call.plan.needs_exponent() => (Kind::Values, Exponent::ZERO),
            Exponent::UNKNOWN => (Kind::Exponents, Exponent::ZERO),
            Exponent::SPECIAL => (Kind::Classes, Exponent::ZERO),
            agreed => (Kind::Values, agreed),
        };
        let header = self.header_of(slot, call, &block, kind, exponent);
        let round = Outstanding { header, block: Some(block), sent: None, attended, again: None };
        self.slots[usize::from(slot.0)].outstanding = Some(round);
        self.outbox.push_new(position, slot);
    }

    /// Returns the header of the packet that a slot sends now, with the fields that can only be
    /// filled now (R-WORK-5).
    pub(super) fn completed(&self, slot: SlotIndex, round: Repr) -> Repr {
        let state = &self.slots[usize::from(slot.0)];
        if state.replaying.is_some() || state.acknowledging.is_some() {
            return round;
        }
        let next_exponent = match round.kind {
            _ if matches!(round.direction, Direction::Query(_)) => Exponent::UNKNOWN,
            Kind::Exponents => self.tensor_and_block(slot, Tensor::exponent),
            Kind::Classes => self.tensor_and_block(slot, Tensor::finite_exponent),
            Kind::Values | Kind::Refold => {
                self.calls.look_ahead(state.position + u64::from(self.config.slots))
            }
        };
        Repr { next_exponent, ..round }
    }

    /// Writes the lanes of a slot's round.
    pub(super) fn pack(&self, slot: SlotIndex, round: &Repr, lanes: &mut [u8]) {
        if self.slots[usize::from(slot.0)].replaying.is_some() {
            self.pack_replayed(slot, round, lanes);
        } else {
            self.tensor_and_block(slot, |tensor, block| pack(tensor, block, round, lanes));
        }
    }

    /// Returns the lanes of a slot's round for a switch that has the call's memory at hand; `None`
    /// if they have to be packed.
    pub(super) fn lanes(&self, slot: SlotIndex, round: &Repr) -> Option<Lanes<'_>> {
        if round.empty || self.slots[usize::from(slot.0)].replaying.is_some() {
            return None;
        }
        let (_, block) = self.own_round(slot)?;
        // R-STREAM-17
        let whole = block.raw || (round.kind != Kind::Classes && block.sent == block.elements);
        whole.then(|| self.active(slot).tensor().lanes(block, round.exponent)).flatten()
    }

    /// Returns what `f` gives of the block that a slot is at, and its memory.
    fn tensor_and_block<R>(&self, slot: SlotIndex, f: impl FnOnce(&T, &Block) -> R) -> R {
        let (_, block) = self
            .own_round(slot)
            .expect("what is no acknowledgement and no replay is a block's round");
        f(self.active(slot).tensor(), block)
    }

    /// Takes the result of a slot's round, and goes on.
    pub(super) fn take_result(
        &mut self,
        slot: SlotIndex,
        round: &Repr,
        block: &Block,
        result: &Repr,
        lanes: &[u8],
    ) {
        self.keep(slot, round, block, result, lanes);
        if takes_lanes(round, block) && !result.overflowed {
            let special = self.slots[usize::from(slot.0)].special;
            let lanes = if block.taken == block.elements {
                lanes
            } else {
                // R-STREAM-17
                &lanes[..usize::from(block.taken) * round.element_type.bytes()]
            };
            let call = self.active_mut(slot);
            match (round.kind, block.delivery) {
                (_, Delivery::Prefixes | Delivery::PrefixAndTotal) => {
                    take_folds(call, block, round, lanes);
                }
                (Kind::Classes, _) => call.tensor_mut().unpack_classes(block, lanes),
                _ => call.tensor_mut().unpack(block, round.exponent, special, lanes),
            }
        }
        if matches!(round.kind, Kind::Values | Kind::Refold) && !result.overflowed {
            let position = self.slots[usize::from(slot.0)].position;
            self.events.extend(
                self.calls.finish_block(position).map(|(id, tensor)| Event::Completed(id, tensor)),
            );
        }
        let state = &mut self.slots[usize::from(slot.0)];
        state.outstanding = None;
        state.pool = state.pool.flipped();
        state.overflowed = result.overflowed;
        // R-WORK-5: after an overflow all go on with the same block.
        state.agreed = if result.overflowed { Exponent::ZERO } else { result.next_exponent };
        match self.config.terms.protocol {
            Protocol::Shadow => self.go_on(slot, round.kind),
            Protocol::Acked => self.acknowledge(slot, round),
        }
    }

    /// Goes on after a round: to the same block's next one, or to the slot's next block.
    pub(super) fn go_on(&mut self, slot: SlotIndex, kind: Kind) {
        let stride = u64::from(self.config.slots);
        let state = &mut self.slots[usize::from(slot.0)];
        let attended = state.agreed != Exponent::UNKNOWN;
        match kind {
            Kind::Exponents => self.counters.exponent_rounds += 1,
            Kind::Classes => {
                state.special = true;
                self.counters.class_rounds += 1;
            }
            Kind::Values if state.overflowed => {}
            Kind::Values | Kind::Refold => {
                self.counters.blocks_refolded += u64::from(kind == Kind::Refold);
                state.special = false;
                state.position += stride;
            }
        }
        while self.slots[usize::from(self.slot_of(self.lowest).0)].position > self.lowest {
            self.lowest += 1;
        }
        // R-TIME-2: whoever said UNKNOWN is not there yet, and the round will wait for that worker.
        self.start_round(slot, attended);
    }

    /// Returns the call that a slot in a round is at.
    pub(super) fn active(&self, slot: SlotIndex) -> &Active<T> {
        let position = self.slots[usize::from(slot.0)].position;
        self.calls.call_at(position).expect("a slot in a round is at a block of a call")
    }

    /// Returns the same, to change its memory.
    fn active_mut(&mut self, slot: SlotIndex) -> &mut Active<T> {
        let position = self.slots[usize::from(slot.0)].position;
        self.calls.call_at_mut(position).expect("a slot in a round is at a block of a call")
    }
}

/// Unpacks the folds of a result that has several (R-STREAM-19, R-STREAM-20).
fn take_folds<T: Tensor>(call: &mut Active<T>, block: &Block, round: &Repr, lanes: &[u8]) {
    let bytes = round.lane_bytes();
    let fold = |number: u16| &lanes[usize::from(number) * bytes..][..bytes];
    // An operand is packed before its result is unpacked.
    let own = call.plan.folds(block).find_map(|(own, origin)| match origin {
        Fold::Own(below) => {
            let mut prefix = vec![0; bytes];
            pack(call.tensor(), block, round, &mut prefix);
            if let Some(below) = below {
                call.plan.fold_own(&mut prefix, fold(below));
            }
            Some((own, prefix))
        }
        Fold::At(_) => None,
    });
    if let Some((block, prefix)) = own {
        call.tensor_mut().unpack(&block, round.exponent, false, &prefix);
    }
    for (block, origin) in call.plan.folds(block) {
        if let Fold::At(number) = origin {
            call.tensor_mut().unpack(&block, round.exponent, false, fold(number));
        }
    }
}

/// Returns whether the lanes of a round have a length.
pub(super) fn has_lanes(kind: Kind, elements: u16) -> bool {
    kind != Kind::Exponents && elements > 0
}

/// Returns whether a worker unpacks the result of this round of its own.
pub(super) fn takes_lanes(round: &Repr, block: &Block) -> bool {
    block.output.is_some() && has_lanes(round.kind, round.elements)
}

/// Packs the lanes of a contribution, and zeros behind them (R-STREAM-17).
pub(super) fn pack(tensor: &impl Tensor, block: &Block, round: &Repr, lanes: &mut [u8]) {
    if block.raw {
        return tensor.pack(block, round.exponent, lanes);
    }
    let (lanes, rest) = lanes.split_at_mut(usize::from(block.sent) * round.element_type.bytes());
    rest.fill(0);
    match round.kind {
        Kind::Classes => tensor.pack_classes(block, lanes),
        _ => tensor.pack(block, round.exponent, lanes),
    }
}
