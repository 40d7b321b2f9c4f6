//! The messages of a round, and its result (R-EAGER-2, R-EAGER-4, R-EAGER-8).

use core::ops::Range;

use netfold_num::{ElementType, Exponent, Operation};
use netfold_wire::{EAGER_LIMIT_BYTES, EagerRound, eager_limit};

use crate::call::{Collective, Priority};
use crate::dense::{CLASS, exponent, finite_exponent, to_classes, to_lanes};
use crate::plan::{Block, Plan};
use crate::tensor::Contiguous;

/// Bytes of a lane in a slot, where it needs an exponent, or tells a class (R-NUM-21).
const SLOT_LANE_BYTES: usize = ElementType::I32.bytes();

/// Most bytes of the lanes that a message's elements become: four for an element of two.
const MOST_LANE_BYTES: usize = 2 * EAGER_LIMIT_BYTES;

/// The messages of a round, all of which are there, in the memory where their reader finds them.
pub trait EagerMessages {
    /// Returns the contributors' messages, in the order of ranks, each of the round's length.
    fn contents(&self) -> impl Iterator<Item = &[u8]>;

    /// Folds lanes into others, both in the job's byte order, as a switch of the job does
    /// (R-SLOT-2); the `first` ones take their place.
    fn fold(
        &self,
        lane: ElementType,
        operation: Operation,
        first: bool,
        fold: &mut [u8],
        lanes: &[u8],
    );

    /// Makes lanes of all that has been folded, as a switch of the job does when a round is
    /// complete (R-NUM-21).
    fn finish(&self, lane: ElementType, operation: Operation, fold: &mut [u8]);
}

impl Plan {
    /// Returns whether the call takes the eager path, as far as the call decides (R-EAGER-1). The
    /// answer is the same at every worker.
    #[inline]
    pub fn is_eager(&self) -> bool {
        let goes_first =
            self.priority() == Priority::Urgent || self.call().collective == Collective::Barrier;
        // Their blocks are not all folds of lanes (R-STREAM-4, R-STREAM-19).
        let is_other = self.call().collective == Collective::Prefixes || self.is_exchange();
        goes_first && !is_other && self.message_bytes() <= eager_limit(self.workers()) as u64
    }

    /// Returns the type in a message: lanes, or elements where lanes would need an exponent
    /// (R-EAGER-2).
    fn message_element(&self) -> ElementType {
        if self.needs_exponent() { self.call().element_type } else { self.coding().lane }
    }

    /// Returns the length of a message that is not empty, in bytes: of the call's block, or else of
    /// the longest input.
    #[inline]
    pub(super) fn message_bytes(&self) -> u64 {
        let elements = if self.blocks() == 1 { self.travelling() } else { self.longest_input() };
        elements.saturating_mul(self.message_element().bytes() as u64)
    }
}

/// A call of the eager path, in one round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The call's block; `None` if it has several.
    pub(super) block: Option<Block>,
    pub(super) round: EagerRound,
}

/// The part of messages in which a block lies, of those who contribute to it.
struct Part<'a, M> {
    messages: &'a M,
    contributors: Range<u16>,
    bytes: Range<usize>,
}

impl<M: EagerMessages> EagerMessages for Part<'_, M> {
    fn contents(&self) -> impl Iterator<Item = &[u8]> {
        let Range { start, end } = self.contributors;
        let of_contributors = self.messages.contents().take(end.into()).skip(start.into());
        of_contributors.map(|message| &message[self.bytes.clone()])
    }

    fn fold(
        &self,
        lane: ElementType,
        operation: Operation,
        first: bool,
        fold: &mut [u8],
        lanes: &[u8],
    ) {
        self.messages.fold(lane, operation, first, fold, lanes);
    }

    fn finish(&self, lane: ElementType, operation: Operation, fold: &mut [u8]) {
        self.messages.finish(lane, operation, fold);
    }
}

impl Entry {
    /// Returns the number of bytes of this worker's message; 0 if it contributes nothing to a call
    /// of one block.
    pub(super) fn bytes(&self) -> usize {
        let is_empty = self.block.is_some_and(|block| block.input.is_none());
        if is_empty { 0 } else { self.round.bytes }
    }

    /// Writes the result of the round to the tensor, if this worker receives it.
    pub(super) fn take(
        &self,
        plan: &Plan,
        tensor: &mut impl Contiguous,
        messages: &impl EagerMessages,
        room: &mut Room,
    ) {
        tensor.keep();
        if let Some(block) = &self.block {
            return take(block, self.round.bytes, plan, tensor, messages, room);
        }
        let element = plan.message_element().bytes();
        for index in 0..plan.blocks() {
            let block = plan.block(index);
            if block.output.is_some() {
                let (contributors, offset) = plan.contributions(index);
                let (start, length) =
                    (offset as usize * element, usize::from(block.elements) * element);
                let part = Part { messages, contributors, bytes: start..start + length };
                take(&block, length, plan, tensor, &part, room);
            }
        }
    }
}

/// Writes the result of a block to the tensor, if this worker receives it. `bytes` is the length of
/// each message.
fn take(
    block: &Block,
    bytes: usize,
    plan: &Plan,
    tensor: &mut impl Contiguous,
    messages: &impl EagerMessages,
    room: &mut Room,
) {
    if block.output.is_none() || messages.contents().next().is_none() {
        return;
    }
    if plan.needs_exponent() {
        take_quantised(block, plan, tensor, messages, room);
    } else {
        let lanes = room.fold(messages, bytes, plan.coding().lane, plan.operation());
        tensor.unpack(block, Exponent::ZERO, false, lanes);
    }
}

/// Does the work of a slot's rounds (R-WORK-4), with the contributions of all workers (R-EAGER-8).
fn take_quantised(
    block: &Block,
    plan: &Plan,
    tensor: &mut impl Contiguous,
    messages: &impl EagerMessages,
    room: &mut Room,
) {
    let largest = |of: fn(&Plan, &[u8]) -> Exponent| {
        messages.contents().map(|elements| of(plan, elements)).max().unwrap_or(Exponent::ZERO)
    };
    let lane = plan.coding().lane;
    // A lane that does not round has its rounds in one pass over the elements.
    let whole = lane == ElementType::I32;
    let mut agreed =
        if whole { tensor.take_sum(block, &|| messages.contents()) } else { largest(exponent) };
    let special = agreed == Exponent::SPECIAL;
    if whole && !special {
        return;
    }
    if special {
        let classes =
            room.sum(messages, block, CLASS, |elements, lanes| to_classes(plan, elements, lanes));
        tensor.unpack_classes(block, classes);
        agreed = largest(finite_exponent);
    }
    let sums =
        room.sum(messages, block, lane, |elements, lanes| to_lanes(plan, agreed, elements, lanes));
    tensor.unpack(block, agreed, special, sums);
}

/// A message to post.
#[derive(Debug)]
pub struct EagerMessage<'a, T> {
    plan: &'a Plan,
    entry: &'a Entry,
    tensor: &'a T,
}

impl<'a, T: Contiguous> EagerMessage<'a, T> {
    pub(super) fn new(plan: &'a Plan, entry: &'a Entry, tensor: &'a T) -> Self {
        Self { plan, entry, tensor }
    }

    /// Returns the round that it is for.
    pub fn round(&self) -> &EagerRound {
        &self.entry.round
    }

    /// Returns its length: that of the round's messages, or 0 from a worker that contributes
    /// nothing to a call of one block.
    pub fn bytes(&self) -> usize {
        self.entry.bytes()
    }

    /// Writes its contents.
    pub fn pack(&self, message: &mut [u8]) {
        if let Some(block) = &self.entry.block {
            return self.pack_block(block, message);
        }
        let whole = self.plan.whole_input();
        let bytes = usize::from(whole.elements) * self.plan.message_element().bytes();
        self.pack_block(&whole, &mut message[..bytes]);
    }

    /// Writes this worker's contribution to a block, if it has one.
    fn pack_block(&self, block: &Block, message: &mut [u8]) {
        if block.input.is_none() {
            return;
        }
        if self.plan.needs_exponent() {
            message.copy_from_slice(self.tensor.elements(block));
        } else {
            self.tensor.pack(block, Exponent::ZERO, message);
        }
    }
}

/// Memory in which messages are folded.
pub(super) struct Room {
    /// The fold of those before.
    fold: Box<[u8]>,
    /// Lanes of one message's elements.
    lanes: Box<[u8]>,
}

impl Default for Room {
    fn default() -> Self {
        let [fold, lanes] = [(); 2].map(|()| vec![0; MOST_LANE_BYTES].into());
        Self { fold, lanes }
    }
}

impl Room {
    /// Folds messages that consist of lanes, `bytes` long.
    fn fold(
        &mut self,
        messages: &impl EagerMessages,
        bytes: usize,
        lane: ElementType,
        operation: Operation,
    ) -> &[u8] {
        let fold = &mut self.fold[..bytes];
        for (number, lanes) in messages.contents().enumerate() {
            match number {
                0 => fold.copy_from_slice(lanes),
                _ => messages.fold(lane, operation, false, fold, lanes),
            }
        }
        fold
    }

    /// Sums the lanes that `convert` makes of the elements of each message.
    fn sum(
        &mut self,
        messages: &impl EagerMessages,
        block: &Block,
        lane: ElementType,
        convert: impl Fn(&[u8], &mut [u8]),
    ) -> &[u8] {
        let elements = usize::from(block.elements);
        let bytes = elements * lane.bytes();
        let (fold, lanes) =
            (&mut self.fold[..elements * SLOT_LANE_BYTES], &mut self.lanes[..bytes]);
        for (number, elements) in messages.contents().enumerate() {
            if number == 0 && bytes == fold.len() {
                convert(elements, fold);
            } else {
                convert(elements, lanes);
                messages.fold(lane, Operation::Sum, number == 0, fold, lanes);
            }
        }
        messages.finish(lane, Operation::Sum, fold);
        &fold[..bytes]
    }
}
