//! Sets of a switch's members in a job.

use crate::registers::HOLDER_WORDS;

/// Members by their number ([`Place::number`](crate::Place::number)): `W` registers of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members<const W: usize>([u64; W]);

impl<const W: usize> Members<W> {
    /// Most members of such a set.
    pub const MOST: u16 = 64 * W as u16;

    /// The empty set.
    pub const NONE: Self = Self([0; W]);

    /// Returns whether a member is in the set.
    pub fn has(&self, number: u16) -> bool {
        self.0[usize::from(number / 64)] & bit(number) != 0
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Returns the number of members in the set.
    pub fn len(&self) -> u16 {
        self.0.iter().map(|word| word.count_ones() as u16).sum()
    }

    pub(crate) fn insert(&mut self, number: u16) {
        self.0[usize::from(number / 64)] |= bit(number);
    }

    pub(crate) fn remove(&mut self, number: u16) {
        self.0[usize::from(number / 64)] &= !bit(number);
    }
}

impl Members<1> {
    /// Returns the set as words, bit i of both together for member i.
    pub fn to_words(self) -> [u32; HOLDER_WORDS] {
        [self.0[0] as u32, (self.0[0] >> 32) as u32]
    }

    /// Returns the set with these words; every pattern is one.
    pub fn from_words([low, high]: [u32; HOLDER_WORDS]) -> Self {
        Self([u64::from(low) | u64::from(high) << 32])
    }
}

fn bit(number: u16) -> u64 {
    1 << (number % 64)
}
