//! Calls that fold prefixes: their blocks in exchange slots, and what a worker makes of results
//! that have several folds (R-STREAM-18 to R-STREAM-20).

use std::sync::Arc;

use netfold_kernels as kernels;
use netfold_num::Operation;
use netfold_wire::Delivery;

use super::{Block, Plan, Segments};
use crate::call::{Collective, Priority, Reduction};

/// The origin of a fold that a worker takes from a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// The result has it: so many folds come before it there.
    At(u16),
    /// It is the worker's own operand, folded into the prefix of the rank below, which is there;
    /// that of rank 0 alone.
    Own(Option<u16>),
}

impl Collective {
    /// Returns how an exchange of the call delivers; `None` if it folds no prefixes.
    pub(super) const fn prefix_delivery(self) -> Option<Delivery> {
        Some(match self {
            Self::Scan => Delivery::Prefix { own: true },
            Self::ExScan => Delivery::Prefix { own: false },
            Self::Prefixes => Delivery::Prefixes,
            Self::ScanTotal => Delivery::PrefixAndTotal,
            _ => return None,
        })
    }
}

impl Plan {
    /// Returns the plan of a call that folds prefixes, in a job that has exchange slots
    /// (R-STREAM-18).
    pub(super) fn of_prefixes(self, delivery: Delivery) -> Self {
        let folds = u64::from(delivery.most_folds(self.workers, self.by_user()));
        let (unit, least) = match &self.call.reduction {
            Reduction::User(fold) => {
                let element = u64::from(fold.element_bytes());
                let whole = fold.message_elements().map_or(element, |_| self.call.elements);
                (element, whole)
            }
            _ => (1, 1),
        };
        let lanes = u64::from(self.lanes_per_block) / folds / unit * unit;
        if !self.folds_as_sent || self.workers < 2 || lanes < least {
            return self;
        }
        let plan = Self { bulk_by_default: true, ..self };
        if plan.priority() == Priority::Urgent {
            return plan;
        }
        let lanes_per_block = lanes as u16;
        let longest: Arc<[u64]> = Arc::new([plan.call.elements]);
        let segments = Segments::of_exchange(&longest, lanes_per_block);
        Self { segments, lanes_per_block, exchange: Some(longest), ..plan }
    }

    /// Returns the same plan, with the priority of the exchange that it is in exchange slots: a
    /// call has the same one whether they are lent or not (R-STREAM-21).
    pub(crate) fn with_priority_of(self, exchange: &Self) -> Self {
        Self { bulk_by_default: exchange.bulk_by_default, ..self }
    }

    /// Returns a block of such an exchange. Its output is the offset of the folds in each of the
    /// vectors that the worker takes ([`Plan::folds`]).
    pub(super) fn prefix_block(&self, delivery: Delivery, elements: u16, offset: u64) -> Block {
        // Nobody's result has what the last rank contributes to an exscan.
        let for_others = delivery == Delivery::Prefix { own: false };
        let contributes = !for_others || self.rank.0 + 1 < self.workers;
        let own_alone = matches!(delivery, Delivery::Prefix { .. }) && self.rank.0 == 0;
        Block {
            elements,
            input: contributes.then_some(offset),
            sent: elements,
            output: (!own_alone).then_some(offset),
            taken: elements,
            delivery,
            raw: false,
        }
    }

    /// Returns the lanes of the result of a block's round, counted as in its header (R-SLOT-13).
    pub(crate) fn result_elements(&self, block: &Block) -> u16 {
        block.elements * block.delivery.folds(self.workers, self.rank.0, self.by_user())
    }

    /// Returns the folds that this worker takes from the round of a block, each as the block that
    /// has it alone, with its origin.
    pub(crate) fn folds(&self, block: &Block) -> impl Iterator<Item = (Block, Fold)> + use<> {
        let (block, n, own) = (*block, self.call.elements, self.rank.0);
        let (by_user, workers) = (self.by_user(), self.workers);
        let numbers = match block.delivery {
            Delivery::Prefixes => 0..workers,
            Delivery::PrefixAndTotal => 0..block.delivery.folds(workers, own, by_user),
            _ => 0..1,
        };
        numbers.map(move |number| {
            let output = block.output.map(|offset| offset + u64::from(number) * n);
            let fold = match block.delivery {
                Delivery::Prefixes if by_user || number < own => Fold::At(number),
                Delivery::Prefixes if number == own => Fold::Own(number.checked_sub(1)),
                Delivery::Prefixes => Fold::At(number - 1),
                _ => Fold::At(number),
            };
            (Block { output, ..block }, fold)
        })
    }

    /// Returns a block once for each place of the output that gets a fold of its round, with the
    /// offset of that place (R-STREAM-19, R-STREAM-20); of most calls the block alone.
    pub fn outputs(&self, block: &Block) -> impl Iterator<Item = Block> + use<> {
        self.folds(block).map(|(block, _)| block).filter(|block| block.output.is_some())
    }

    /// Folds this worker's lanes, `own`, into those of the rank below, as the switch does: they
    /// become the worker's prefix.
    pub(crate) fn fold_own(&self, own: &mut [u8], below: &[u8]) {
        let (lane, order) = (self.coding.lane, self.byte_order);
        kernels::fold_in(self.arithmetic, lane, self.operation, order, own, below);
    }

    pub(crate) fn by_user(&self) -> bool {
        matches!(self.operation, Operation::User(_))
    }
}
