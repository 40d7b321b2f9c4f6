//! What workers that share memory agree on when a short call goes by mail (R-MAIL).

use netfold_num::{ElementType, Operation};

use crate::CallDigest;

/// Most bytes of a letter's lanes (R-MAIL-1).
pub const LETTER_BYTES: usize = 256;

/// Rounds that a worker has posted and not completed, at most (R-MAIL-3).
pub const LETTERS_OUTSTANDING: u64 = 8;

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
    /// How its lanes are folded.
    pub operation: Operation,
    /// What its lanes are.
    pub lane: ElementType,
    /// How many there are.
    pub elements: u16,
}

impl MailRound {
    /// Bytes of its lanes.
    pub fn bytes(&self) -> usize {
        usize::from(self.elements) * self.lane.bytes()
    }
}
