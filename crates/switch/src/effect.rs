//! The one table from the arrival of a packet at its slot to the action of its driver.

use netfold_num::UserOperation;
use netfold_wire::{Epoch, JobId, Position, Repr, SlotIndex, WorkerId};

use crate::answer::Settled;
use crate::place::Place;
use crate::slot::Arrival;
use crate::typed::TrapCause;

/// An action of a slot's driver on a packet, wherever the slot lies: a [`Shard`](crate::Shard)
/// sends datagrams, and in shared memory others are woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// The result of the round goes to all members (R-SLOT-3).
    Deliver,
    /// The fold goes up to the parent, for the first time or again (R-TREE-2, R-TREE-4).
    Raise,
    /// A query about the fold goes up to the parent (R-TREE-4).
    Query,
    /// The result goes to this member again (R-SLOT-4).
    Repeat(WorkerId),
    /// A recall goes to this member (R-SLOT-10).
    Recall(WorkerId),
    /// The job fails: the management plane hears of it, and nothing is folded any more.
    Fail(Event),
}

impl Effect {
    /// Returns the effect of a contribution of `worker`, or of a query about it, at a switch at
    /// `place`.
    pub(crate) fn of(
        arrival: Arrival,
        contribution: &Repr,
        worker: WorkerId,
        place: &Place,
    ) -> Self {
        match arrival {
            Arrival::Accepted { complete: true, .. } if place.parent().is_none() => Self::Deliver,
            Arrival::Accepted { complete: true, .. } | Arrival::Raised => Self::Raise,
            Arrival::Asked => Self::Query,
            Arrival::Answered => Self::Repeat(worker),
            Arrival::Recalled => Self::Recall(worker),
            Arrival::Mismatch { first } => Self::Fail(Event::mismatch(contribution, first, worker)),
            Arrival::Accepted { .. } | Arrival::Ignored | Arrival::Stale => Self::Nothing,
        }
    }
}

impl From<Settled> for Effect {
    fn from(settled: Settled) -> Self {
        match settled {
            Settled::Result => Self::Deliver,
            Settled::Recall => Self::Raise,
            Settled::Nothing => Self::Nothing,
        }
    }
}

/// An event that the management plane must hear of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Two workers made different calls (R-SLOT-7). Reported once for a job; nothing is folded for
    /// it afterwards.
    Mismatch {
        /// The job.
        job: JobId,
        /// Its epoch.
        epoch: Epoch,
        /// The slot.
        slot: SlotIndex,
        /// Position in the slot's stream.
        position: Position,
        /// The worker that started the round.
        first: WorkerId,
        /// The worker that does not agree.
        second: WorkerId,
    },
    /// A sum did not fit its register (R-FPI-9). Reported once for a job; nothing is folded for it
    /// afterwards.
    Overflow {
        /// The job.
        job: JobId,
        /// Its epoch.
        epoch: Epoch,
        /// The slot.
        slot: SlotIndex,
        /// Position in the slot's stream.
        position: Position,
        /// The lane in the block.
        lane: u16,
        /// The worker with whose contribution it did not fit any more.
        worker: WorkerId,
    },
    /// An operation of a user has trapped (R-OP-19). Reported once for a job; nothing is folded for
    /// it afterwards.
    Trap {
        /// The job.
        job: JobId,
        /// Its epoch.
        epoch: Epoch,
        /// The slot.
        slot: SlotIndex,
        /// Position in the slot's stream.
        position: Position,
        /// The operation.
        operation: UserOperation,
        /// The cause.
        cause: TrapCause,
        /// The worker whose contribution came last.
        worker: WorkerId,
    },
}

impl Event {
    /// Returns the mismatch between the round that `first` has started and a contribution of
    /// `second`.
    pub fn mismatch(contribution: &Repr, first: WorkerId, second: WorkerId) -> Self {
        let &Repr { job, epoch, slot, position, .. } = contribution;
        Self::Mismatch { job, epoch, slot, position, first, second }
    }

    /// Returns the job, its epoch, the slot, and the position in the slot's stream.
    pub fn place(&self) -> (JobId, Epoch, SlotIndex, Position) {
        let (Self::Mismatch { job, epoch, slot, position, .. }
        | Self::Overflow { job, epoch, slot, position, .. }
        | Self::Trap { job, epoch, slot, position, .. }) = *self;
        (job, epoch, slot, position)
    }

    /// Returns the overflow of a lane with a contribution of `worker`.
    pub fn overflow(contribution: &Repr, lane: usize, worker: WorkerId) -> Self {
        let &Repr { job, epoch, slot, position, .. } = contribution;
        Self::Overflow { job, epoch, slot, position, lane: lane as u16, worker }
    }

    /// Returns the trap of an operation with a contribution of `worker`.
    pub fn trap(
        contribution: &Repr,
        operation: UserOperation,
        cause: TrapCause,
        worker: WorkerId,
    ) -> Self {
        let &Repr { job, epoch, slot, position, .. } = contribution;
        Self::Trap { job, epoch, slot, position, operation, cause, worker }
    }
}
