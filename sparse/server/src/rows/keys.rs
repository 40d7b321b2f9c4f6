//! The ranks of hot keys.

/// Finds whether a key is hot. Most keys are not, and take one access to a small table.
#[derive(Debug)]
pub(super) struct HotKeys {
    by_rank: Vec<Option<u32>>,
    /// Open addressing: rank + 1, or 0; at most a quarter is taken.
    table: Vec<u32>,
    shift: u32,
}

impl HotKeys {
    pub fn new(by_rank: &[Option<u32>]) -> Self {
        let size = (4 * by_rank.len()).next_power_of_two().max(2);
        let shift = u32::BITS - size.ilog2();
        let (table, by_rank) = (vec![0; size], by_rank.to_vec());
        let mut keys = Self { by_rank, table, shift };
        for rank in 0..keys.by_rank.len() {
            let Some(key) = keys.by_rank[rank] else { continue };
            let free = keys.probe(key).find(|at| keys.table[*at] == 0);
            keys.table[free.expect("three quarters are free")] = rank as u32 + 1;
        }
        keys
    }

    pub fn by_rank(&self) -> &[Option<u32>] {
        &self.by_rank
    }

    #[inline]
    pub fn rank(&self, key: u32) -> Option<u32> {
        for at in self.probe(key) {
            let rank = self.table[at].checked_sub(1)?;
            if self.by_rank[rank as usize] == Some(key) {
                return Some(rank);
            }
        }
        None
    }

    /// Returns the places of a key, the likeliest first (Fibonacci hashing: Knuth, section 6.4).
    #[inline]
    fn probe(&self, key: u32) -> impl Iterator<Item = usize> + use<> {
        let first = (key.wrapping_mul(0x9e37_79b9) >> self.shift) as usize;
        let size = self.table.len();
        (first..size).chain(0..first)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::HotKeys;

    proptest! {
        #[test]
        fn hot_keys_have_their_ranks_and_others_none(
            keys in proptest::collection::btree_set(0u32..400, 0..100),
            spread in prop_oneof![Just(1u32), Just(0x0100_0000), Just(0x9e37_79b9)],
        ) {
            let mut by_rank: Vec<Option<u32>> = keys.iter().rev().map(|key| Some(key.wrapping_mul(spread))).collect();
            // A rank may stay free.
            by_rank.insert(by_rank.len() / 2, None);
            let hot = HotKeys::new(&by_rank);
            for key in (0..500u32).map(|key| key.wrapping_mul(spread)) {
                let expected = by_rank.iter().position(|hot| *hot == Some(key));
                prop_assert_eq!(hot.rank(key).map(|rank| rank as usize), expected);
            }
        }
    }
}
