//! The rows of a plane's hot keys (R-KEY-13).

use super::keys::HotKeys;
use super::{RowsError, Slot};

/// The slots of hot keys by rank, and their ranks.
#[derive(Debug)]
pub(crate) struct HotSlots {
    /// By rank; [`NONE`] where the rank is free, or another server's.
    slots: Vec<Slot>,
    keys: HotKeys,
}

/// Mark of a rank that this server has no row for.
const NONE: Slot = Slot::MAX;

impl HotSlots {
    /// Begins with the keys by rank, and the slots of those that are this server's.
    pub(super) fn new(by_rank: &[Option<u32>], slot: impl Fn(u32) -> Option<Slot>) -> Self {
        let slots = by_rank.iter().map(|key| key.and_then(&slot).unwrap_or(NONE)).collect();
        Self { slots, keys: HotKeys::new(by_rank) }
    }

    /// Finds the slots of ranks.
    pub fn find(&self, ranks: &[u32], slots: &mut Vec<Slot>) -> Result<(), RowsError> {
        slots.clear();
        slots.reserve(ranks.len());
        for &rank in ranks {
            match self.slots.get(rank as usize) {
                None => return Err(RowsError::Rank { rank, hot: self.ranks() }),
                Some(&NONE) => {
                    return Err(RowsError::Elsewhere { what: "rank", number: rank });
                }
                Some(&slot) => slots.push(slot),
            }
        }
        Ok(())
    }

    /// Returns the rank of the first of `keys` that is hot.
    pub fn first_hot(&self, keys: &[u32]) -> Option<u32> {
        keys.iter().find_map(|key| self.keys.rank(*key))
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Returns the ranks of this server's hot keys.
    pub fn own_ranks(&self) -> Vec<u32> {
        let ranks = (0..).zip(&self.slots);
        ranks.filter(|(_, slot)| **slot != NONE).map(|(rank, _)| rank).collect()
    }
}
