//! All slots of a job, with bitmaps as wide as the job needs.

use netfold_wire::{Pool, Repr, SlotIndex};

use crate::answer::{Answer, Settled};
use crate::contribution::Contribution;
use crate::effect::Effect;
use crate::fold::Memory;
use crate::job::JobSpec;
use crate::members::Members;
use crate::shard::{Recipients, WaitingSlot};
use crate::slot::{Arrival, Copy, Slot};
use crate::typed::Instances;

/// Registers of a bitmap for as many members as a switch can have.
const WIDE: usize = 16;

/// Most members of a switch in one job.
pub const MAX_MEMBERS: u16 = Members::<WIDE>::MOST;

/// The slots' registers. A job of up to 64 members, as nearly all are, has one word where a larger
/// one has sixteen.
#[derive(Clone)]
pub(crate) enum Slots {
    Narrow(Box<[Slot]>),
    Wide(Box<[Slot<WIDE>]>),
}

/// The same expression for slots of either width.
macro_rules! either {
    ($slots:expr, $name:ident => $expression:expr) => {
        match $slots {
            Slots::Narrow($name) => $expression,
            Slots::Wide($name) => $expression,
        }
    };
}

impl Slots {
    /// Slots that no round has used.
    pub(crate) fn new(spec: &JobSpec) -> Self {
        let slots = usize::from(spec.slots);
        if is_narrow(spec) {
            Self::Narrow(vec![Slot::FRESH; slots].into())
        } else {
            Self::Wide(vec![Slot::FRESH; slots].into())
        }
    }

    /// Returns the slots, if their bitmaps are one word.
    pub(crate) fn narrow(&self) -> Option<&[Slot]> {
        match self {
            Self::Narrow(slots) => Some(slots),
            Self::Wide(_) => None,
        }
    }

    /// Returns the number of bytes of the registers of one slot.
    pub(crate) fn slot_bytes(spec: &JobSpec) -> usize {
        if is_narrow(spec) { size_of::<Slot>() } else { size_of::<Slot<WIDE>>() }
    }

    /// Runs [`Contribution::fold_into`] in the slot that it names.
    pub(crate) fn fold(
        &mut self,
        contribution: &Contribution<'_>,
        spec: &JobSpec,
        instances: &mut Instances,
        memory: Memory<'_>,
    ) -> (Arrival, Effect) {
        let &Repr { slot, pool, .. } = contribution.header();
        let slot = usize::from(slot.0);
        either!(self, slots => {
            let mut turn = slots[slot].turn(pool);
            contribution.fold_into(&mut turn, spec, instances, || memory)
        })
    }

    /// Runs [`Answer::settle`] in the slot that it names.
    pub(crate) fn settle(&mut self, answer: &Answer<'_>, memory: Memory<'_>) -> Settled {
        let &Repr { slot, pool, .. } = answer.header();
        // A leaf keeps no operands apart.
        let Memory::Folded(memory) = memory else { return Settled::Nothing };
        let slot = usize::from(slot.0);
        either!(self, slots => answer.settle(slots[slot].turn(pool).copy, || memory.lanes))
    }

    /// Returns the header of the packet that a copy holds for `to`; `None` if it holds nothing for
    /// them.
    pub(crate) fn header(
        &self,
        spec: &JobSpec,
        slot: SlotIndex,
        pool: Pool,
        to: Recipients,
    ) -> Option<Repr> {
        fn of<const W: usize>(
            copy: &Copy<W>,
            spec: &JobSpec,
            at: (SlotIndex, Pool),
            to: Recipients,
        ) -> Option<Repr> {
            match to {
                Recipients::Parent => copy.raised_header(spec, at.0, at.1),
                to => copy.result_header(spec, at.0, at.1, to),
            }
        }
        either!(self, slots => of(slots[usize::from(slot.0)].copy(pool), spec, (slot, pool), to))
    }

    /// Returns the open rounds.
    pub(crate) fn waiting(&self, spec: &JobSpec) -> Vec<WaitingSlot> {
        let indexes = (0..).map(SlotIndex);
        either!(self, slots => {
            indexes.zip(slots).flat_map(|(index, slot)| WaitingSlot::of(index, slot, spec)).collect()
        })
    }
}

fn is_narrow(spec: &JobSpec) -> bool {
    spec.place.count() <= Members::<1>::MOST
}
