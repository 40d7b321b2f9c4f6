//! Verdicts on rows that stay at the worker (R-QRY-36).

/// Bits of the rows that were pushed since the last look: set for those that survive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Verdicts {
    /// Number in the attempt of the first of these rows.
    first: u64,
    /// Number of the next row.
    next: u64,
    bits: Vec<u64>,
}

impl Verdicts {
    /// Adds rows. They survive unless an answer says otherwise.
    pub fn expect(&mut self, rows: usize) {
        for number in self.next..self.next + rows as u64 {
            let at = (number - self.first) as usize;
            if at.is_multiple_of(64) {
                self.bits.push(0);
            }
            self.bits[at / 64] |= 1 << (at % 64);
        }
        self.next += rows as u64;
    }

    /// Takes an answer to rows, of which `first` is the first one's number. Rows that somebody has
    /// looked at stay as they were.
    pub fn judge(&mut self, first: u64, rows: u16, answer: impl Iterator<Item = u64>) {
        let words: Vec<u64> = answer.collect();
        for at in 0..usize::from(rows) {
            let dropped = words[at / 64] >> (at % 64) & 1 == 0;
            if let Some(place) = (first + at as u64).checked_sub(self.first).filter(|_| dropped) {
                self.bits[place as usize / 64] &= !(1 << (place % 64));
            }
        }
    }

    /// Hands the bits over, and begins with the next row.
    pub fn take(&mut self, survivors: &mut [u64]) {
        survivors[..self.bits.len()].copy_from_slice(&self.bits);
        self.bits.clear();
        self.first = self.next;
    }
}
