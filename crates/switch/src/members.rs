//! Sets of a switch's members in a job.

/// Members by their number ([`Place::number`](crate::Place::number)): `W` registers of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members<const W: usize>([u64; W]);

impl<const W: usize> Members<W> {
    /// Most members of such a set.
    pub const MOST: u16 = 64 * W as u16;

    /// Nobody.
    pub const NONE: Self = Self([0; W]);

    /// Whether a member is in the set.
    pub fn has(&self, number: u16) -> bool {
        self.0[usize::from(number / 64)] & bit(number) != 0
    }

    /// Whether nobody is.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn insert(&mut self, number: u16) {
        self.0[usize::from(number / 64)] |= bit(number);
    }

    pub(crate) fn remove(&mut self, number: u16) {
        self.0[usize::from(number / 64)] &= !bit(number);
    }
}

impl Members<1> {
    /// The set as a word, bit i for member i.
    pub(crate) fn to_word(self) -> u64 {
        self.0[0]
    }

    pub(crate) fn from_word(word: u64) -> Self {
        Self([word])
    }
}

fn bit(number: u16) -> u64 {
    1 << (number % 64)
}
