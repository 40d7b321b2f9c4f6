//! The state of a worker in a table.

use std::collections::VecDeque;

use crate::message::Pushed;
use crate::numbers::Numbers;
use crate::rows::Slot;

/// A worker's rank, and the process that has it.
#[derive(Debug, Default)]
pub(super) struct Worker {
    pub session: Option<u64>,
    /// The last change that was carried out.
    pub number: u64,
    /// The last step that was ended.
    pub ended: Option<u32>,
    /// The pushes that it had made then.
    pub pushed: Pushed,
    /// The epoch of its plane.
    pub plane: Option<u32>,
    /// The epoch of which everything was replayed.
    pub replayed: Option<u32>,
    /// The session has ended in good order (R-SERVE-15).
    pub left: bool,
    /// The session goes on at other servers (R-SERVE-20).
    pub moved: bool,
    /// All rows that it brings are here (R-SERVE-21).
    pub arrived: bool,
    /// Synchronous: gradients of steps that are not applied, the last one of which is not ended.
    pub pending: VecDeque<Pending>,
}

/// Gradients of one step of one worker.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub ended: Option<u32>,
    pub gradients: Vec<Gradients>,
}

/// Slots and their rows.
pub(super) type Gradients = (Vec<Slot>, Numbers);

/// Returns the bytes of gradients that wait.
pub(super) fn bytes((slots, rows): &Gradients) -> usize {
    8 * slots.len() + rows.bytes()
}
