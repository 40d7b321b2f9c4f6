//! Ranks of hot keys (R-SERVE-9), for a client that splits each batch of keys by them.

use netfold_sparse::{Layout, Ranking};
use thiserror::Error;

/// Slots of the table for each hot key, at least: most keys are cold, and a cold key should meet an
/// empty slot first.
const SLOTS_PER_KEY: usize = 4;

/// Mark of an empty slot; a rank is smaller.
const EMPTY: u32 = u32::MAX;

/// 2^64 / phi, odd: multiplication by it spreads neighbouring keys over the high bits.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Hot keys that cannot be ranked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RankError {
    /// A key that stands in the list twice.
    #[error("hot key {key} stands in the list twice; give each once, by descending heat")]
    Twice {
        /// The key.
        key: u32,
    },
    /// A key that is no row of the table.
    #[error("hot key {key} is no row of a table of {rows} rows")]
    OutOfRange {
        /// The key.
        key: u32,
        /// Rows of the table.
        rows: u64,
    },
}

/// The ranks of the hot keys, by key. A look-up touches one slot for most keys, and allocates
/// nothing.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// Key and rank; a slot whose rank is [`EMPTY`] ends a search.
    slots: Box<[(u32, u32)]>,
    shift: u32,
    ranks: u32,
}

impl Ranks {
    /// The ranks of these keys, the hottest first, of a table of `rows` rows on so many servers.
    ///
    /// # Errors
    /// A key stands twice, or is out of range.
    pub fn new(keys: &[u32], rows: u64, servers: u16) -> Result<Self, RankError> {
        let slots = (keys.len() * SLOTS_PER_KEY).max(2).next_power_of_two();
        let shift = u64::BITS - slots.trailing_zeros();
        let slots = vec![(0, EMPTY); slots].into_boxed_slice();
        let mut ranks = Self { slots, shift, ranks: 0 };
        if let Some(&key) = keys.iter().find(|key| u64::from(**key) >= rows) {
            return Err(RankError::OutOfRange { key, rows });
        }
        if keys.is_empty() {
            return Ok(ranks);
        }
        let ranking = Ranking::new(&Layout::new(rows), servers, keys);
        ranks.ranks = ranking.ranks();
        for (rank, &key) in (0..).zip(ranking.keys()) {
            let Some(key) = key else { continue };
            let at = ranks.slot(key);
            if ranks.slots[at].1 != EMPTY {
                return Err(RankError::Twice { key });
            }
            ranks.slots[at] = (key, rank);
        }
        Ok(ranks)
    }

    /// The rank of a key; `None` if it is cold.
    #[inline]
    pub fn of(&self, key: u32) -> Option<u32> {
        let (_, rank) = self.slots[self.slot(key)];
        (rank != EMPTY).then_some(rank)
    }

    /// The number of ranks, those that stay free among them.
    pub fn count(&self) -> u32 {
        self.ranks
    }

    /// Returns whether no key is hot.
    pub fn is_empty(&self) -> bool {
        self.ranks == 0
    }

    /// The slot that has a key, or the empty one at which it would stand.
    #[inline]
    fn slot(&self, key: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (u64::from(key).wrapping_mul(MULTIPLIER) >> self.shift) as usize;
        loop {
            let (other, rank) = self.slots[at & mask];
            if rank == EMPTY || other == key {
                return at & mask;
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_list_without_keys_has_no_ranks() {
        let ranks = Ranks::new(&[], 10, 1).unwrap();
        assert!(ranks.is_empty());
        assert_eq!((ranks.of(0), ranks.of(u32::MAX)), (None, None));
    }

    #[test]
    fn a_key_that_stands_twice_or_is_no_row_is_refused() {
        assert_eq!(Ranks::new(&[3, 1, 3], 10, 2).unwrap_err(), RankError::Twice { key: 3 });
        let error = Ranks::new(&[3, 10], 10, 1).unwrap_err();
        assert_eq!(error, RankError::OutOfRange { key: 10, rows: 10 });
        assert!(Ranks::new(&[u32::MAX], 1 << 32, 1).is_ok());
    }

    proptest! {
        /// The standard library's map is the reference.
        #[test]
        fn ranks_are_places_in_the_list(keys in prop::collection::hash_set(any::<u32>(), 0..300), others in prop::collection::vec(any::<u32>(), 100)) {
            let keys: Vec<u32> = keys.into_iter().collect();
            let ranks = Ranks::new(&keys, 1 << 32, 1).unwrap();
            let known: HashMap<u32, u32> = keys.iter().zip(0..).map(|(key, rank)| (*key, rank)).collect();
            for key in keys.iter().chain(&others) {
                prop_assert_eq!(ranks.of(*key), known.get(key).copied());
            }
            prop_assert_eq!(ranks.count() as usize, keys.len());
        }
    }
}
