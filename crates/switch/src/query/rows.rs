//! Rows as a program is offered them (R-QRY-1), and bits for those that it forwards.

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// Its identity (R-QRY-16); see [`netfold_wire::row_identity`].
    pub identity: u64,
    /// Its key.
    pub key: u64,
    /// Its columns: codes (R-QRY-2), or the bits of values that are summed (R-QRY-19).
    pub columns: &'a [i64],
    /// It belongs to the build side of a join (R-QRY-13).
    pub build: bool,
}

/// A batch of rows of a partition, by columns.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The identity of the first row; the others follow it.
    pub identity: u64,
    /// A key for each row.
    pub keys: &'a [u64],
    /// Columns, each with a value for each row.
    pub columns: &'a [&'a [i64]],
    /// They belong to the build side of a join (R-QRY-13).
    pub build: bool,
}

impl Rows<'_> {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the words of a bit for each row.
    pub fn words(&self) -> usize {
        self.len().div_ceil(64)
    }
}

/// The verdict on a row (R-QRY-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It goes on to the master.
    Forward,
    /// It is not needed.
    Drop,
    /// It is added to a slot.
    Absorb,
}

/// Calls `f` with the index of each bit that is set, in order.
pub fn for_set(bits: &[u64], mut f: impl FnMut(usize)) {
    for (word, bits) in bits.iter().enumerate() {
        let mut rest = *bits;
        while rest != 0 {
            f(word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// Sets all bits of `len` rows, and clears those behind them.
pub(super) fn set_all(bits: &mut [u64], len: usize) {
    bits.fill(u64::MAX);
    if let [.., last] = bits
        && !len.is_multiple_of(64)
    {
        *last = (1 << (len % 64)) - 1;
    }
}
