//! Columns of codes (R-QRY-2): comparison with a constant, a bit for each row, and hashes of keys.

use netfold_num::{Comparison, hash_key};

use crate::dispatch::PlainKernel;

/// The bit of each of 64 rows.
const BITS: [u64; 64] = {
    let mut bits = [1; 64];
    let mut at = 1;
    while at < 64 {
        bits[at] = bits[at - 1] << 1;
        at += 1;
    }
    bits
};

/// Compares a column with a constant.
pub(crate) struct Compare<'a> {
    pub(crate) comparison: Comparison,
    pub(crate) column: &'a [i64],
    pub(crate) constant: i64,
    pub(crate) bits: &'a mut [u64],
}

impl PlainKernel for Compare<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { comparison, column, constant, bits } = self;
        assert_eq!(bits.len(), column.len().div_ceil(64), "a bit for each row");
        match comparison {
            Comparison::Less => mark(column, bits, |code| code < constant),
            Comparison::AtMost => mark(column, bits, |code| code <= constant),
            Comparison::Equal => mark(column, bits, |code| code == constant),
            Comparison::Unequal => mark(column, bits, |code| code != constant),
            Comparison::AtLeast => mark(column, bits, |code| code >= constant),
            Comparison::Greater => mark(column, bits, |code| code > constant),
        }
    }
}

#[inline(always)]
fn mark(column: &[i64], bits: &mut [u64], holds: impl Fn(i64) -> bool) {
    let (groups, rest) = column.as_chunks::<64>();
    for (group, word) in groups.iter().zip(bits.iter_mut()) {
        *word = group
            .iter()
            .zip(&BITS)
            .fold(0, |all, (code, bit)| all | if holds(*code) { *bit } else { 0 });
    }
    if let [.., last] = bits
        && !rest.is_empty()
    {
        let marks = rest.iter().zip(&BITS).filter(|(code, _)| holds(**code));
        *last = marks.fold(0, |all, (_, bit)| all | bit);
    }
}

/// Hashes keys.
pub(crate) struct HashKeys<'a> {
    pub(crate) keys: &'a [u64],
    pub(crate) seed: u64,
    pub(crate) hashes: &'a mut [u64],
}

impl PlainKernel for HashKeys<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        assert_eq!(self.keys.len(), self.hashes.len(), "a hash for each key");
        for (key, hash) in self.keys.iter().zip(self.hashes) {
            *hash = hash_key(*key, self.seed);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Kernels;
    use netfold_num::{Comparison, hash_key};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_those_of_the_rows(
            column in prop::collection::vec(-3..3i64, 0..200),
            constant in -3..3i64,
        ) {
            use Comparison::*;
            for kernels in Kernels::available() {
                for comparison in [Less, AtMost, Equal, Unequal, AtLeast, Greater] {
                    let mut bits = vec![u64::MAX; column.len().div_ceil(64)];
                    kernels.compare(comparison, &column, constant, &mut bits);
                    for at in 0..bits.len() * 64 {
                        let wanted =
                            column.get(at).is_some_and(|code| comparison.holds(*code, constant));
                        prop_assert_eq!(bits[at / 64] >> (at % 64) & 1 == 1, wanted);
                    }
                }
            }
        }

        #[test]
        fn hashes_are_those_of_the_keys(
            keys in prop::collection::vec(any::<u64>(), 0..50),
            seed: u64,
        ) {
            for kernels in Kernels::available() {
                let mut hashes = vec![0; keys.len()];
                kernels.hash_keys(&keys, seed, &mut hashes);
                for (key, hash) in keys.iter().zip(hashes) {
                    prop_assert_eq!(hash_key(*key, seed), hash);
                }
            }
        }
    }
}
