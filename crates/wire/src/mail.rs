//! What workers that share memory agree on when a short call goes by mail (R-MAIL).

use crate::{CallDigest, SlotIndex};

/// Most bytes of any letter, its digest and tag apart (R-MAIL-1).
pub const LETTER_BYTES: usize = 2048;

/// Returns the most bytes of a letter in a job of so many workers, its digest and tag apart
/// (R-MAIL-1).
pub const fn letter_bytes(workers: u16) -> usize {
    let bytes = 4 * LETTER_BYTES / (workers as usize).next_power_of_two();
    if bytes > LETTER_BYTES {
        LETTER_BYTES
    } else if bytes < 256 {
        256
    } else {
        bytes
    }
}

/// Rounds that a worker has posted and not completed, at most (R-MAIL-3).
pub const LETTERS_OUTSTANDING: u64 = 8;

/// Boxes of a worker in a line (R-MAIL-3): those of rounds that it may have posted, and of as many whose letters others may be reading yet.
pub const LETTER_BOXES: u16 = 2 * LETTERS_OUTSTANDING as u16;

/// Lines of the mail, each with its own rounds: that of urgent calls, and that of barriers which are bulk (R-MAIL-2).
pub const MAIL_LINES: u16 = 2;

/// A round of the mail, as everyone who takes part in it knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailRound {
    /// Its line, below [`MAIL_LINES`].
    pub line: u16,
    /// Its number in that line, from 0.
    pub number: u64,
    /// What the call is (R-STREAM-6).
    pub call: CallDigest,
    /// Length of the letter of a worker that contributes, at most [`letter_bytes`].
    pub bytes: usize,
}

/// What a round of a line is told by, where rounds are told by their slot: its box, counted on from the last of the job's `slots` (R-MAIL-5).
pub fn mail_slot(slots: u16, line: u16, number: u64) -> SlotIndex {
    SlotIndex(slots.saturating_add(line * LETTER_BOXES + (number % u64::from(LETTER_BOXES)) as u16))
}

/// The line of the round that is told by this slot; `None` if it is one of the job's `slots`.
pub fn mail_line(slots: u32, slot: SlotIndex) -> Option<u16> {
    Some((u32::from(slot.0).checked_sub(slots)? / u32::from(LETTER_BOXES)) as u16)
}
