//! The beginnings and ends of rounds, for a driver that times them: a shard has no clock.

use netfold_wire::{JobId, Kind, Pool, Position, Repr, SlotIndex};

/// A round has begun or ended at a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Milestone {
    /// The job.
    pub job: JobId,
    /// The slot.
    pub slot: SlotIndex,
    /// The copy that the round uses.
    pub pool: Pool,
    /// Position in the slot's stream.
    pub position: Position,
    /// The kind of exchange.
    pub kind: Kind,
    /// It acknowledges the result of another (R-ACK-1).
    pub acknowledges: bool,
    /// Its result is on its way to the members; otherwise its first contribution has come.
    pub ended: bool,
}

impl Milestone {
    pub(crate) fn of(
        &Repr { job, slot, pool, position, kind, .. }: &Repr,
        acknowledges: bool,
        ended: bool,
    ) -> Self {
        Self { job, slot, pool, position, kind, acknowledges, ended }
    }
}
