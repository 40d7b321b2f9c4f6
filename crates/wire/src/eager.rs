//! Limits and rounds of the eager path, which short calls of workers that share memory take
//! (R-EAGER).

use crate::{CallDigest, SlotIndex};

/// Most bytes of any message, without its digest and tag (R-EAGER-1).
pub const EAGER_LIMIT_BYTES: usize = 2048;

/// Returns the largest number of bytes of a message in a job of `workers` workers, without its
/// digest and tag (R-EAGER-1).
pub const fn eager_limit(workers: u16) -> usize {
    let bytes = 4 * EAGER_LIMIT_BYTES / (workers as usize).next_power_of_two();
    if bytes > EAGER_LIMIT_BYTES {
        EAGER_LIMIT_BYTES
    } else if bytes < 256 {
        256
    } else {
        bytes
    }
}

/// Rounds that a worker has posted and not completed, at most (R-EAGER-3).
pub const EAGER_OUTSTANDING: u64 = 8;

/// Cells of a worker in a queue (R-EAGER-3): one for each round that it may have posted, and as
/// many again for rounds that others may still be reading.
pub const EAGER_CELLS: u16 = 2 * EAGER_OUTSTANDING as u16;

/// Queues of the eager path: urgent calls, and bulk barriers (R-EAGER-2).
pub const EAGER_QUEUES: u16 = 2;

/// A round of the eager path: one call, in the same way at every worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EagerRound {
    /// Its queue, below [`EAGER_QUEUES`].
    pub queue: u16,
    /// Its number in that queue, from 0.
    pub number: u64,
    /// The digest of the call (R-STREAM-6).
    pub call: CallDigest,
    /// Length of the message of a worker that contributes, at most [`eager_limit`].
    pub bytes: usize,
}

/// Returns the number by which errors name a round, in place of a slot: its cell, counted on from
/// the last of the job's `slots` (R-EAGER-5).
pub fn eager_slot(slots: u16, queue: u16, number: u64) -> SlotIndex {
    SlotIndex(slots.saturating_add(queue * EAGER_CELLS + (number % u64::from(EAGER_CELLS)) as u16))
}

/// Returns the queue of the round that [`eager_slot`] numbered `slot`; `None` for one of the job's
/// `slots`.
pub fn eager_queue(slots: u32, slot: SlotIndex) -> Option<u16> {
    Some((u32::from(slot.0).checked_sub(slots)? / u32::from(EAGER_CELLS)) as u16)
}
