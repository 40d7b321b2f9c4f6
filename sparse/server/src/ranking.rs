//! Ranks of hot keys (R-SERVE-9).

use netfold_wire::part as part_of_rank;

use crate::parts::{Layout, server_of};

/// The hot keys by rank, for a table on some servers. A rank is of a part of its key's server, so
/// some ranks may have no key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    keys: Vec<Option<u32>>,
}

impl Ranking {
    /// Ranks distinct keys below [`Layout::rows`], of which the hottest comes first.
    pub fn new(layout: &Layout, servers: u16, hottest_first: &[u32]) -> Self {
        let mut waiting = vec![Vec::new(); usize::from(servers)];
        for &key in hottest_first.iter().rev() {
            waiting[usize::from(server_of(layout.part(key), servers))].push(key);
        }
        let mut left = hottest_first.len();
        let next = |rank| {
            let place = server_of(part_of_rank(rank), servers);
            (left > 0).then(|| {
                let key = waiting[usize::from(place)].pop();
                left -= usize::from(key.is_some());
                key
            })
        };
        Self { keys: (0..).map_while(next).collect() }
    }

    /// Returns the keys by rank; a rank without one stays free.
    pub fn keys(&self) -> &[Option<u32>] {
        &self.keys
    }

    /// Returns the number of ranks, those that stay free among them.
    pub fn ranks(&self) -> u32 {
        self.keys.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn with_one_server_ranks_are_places_in_the_list() {
        let ranking = Ranking::new(&Layout::new(100), 1, &[7, 99, 0]);
        assert_eq!(ranking.keys(), [Some(7), Some(99), Some(0)]);
        assert_eq!(Ranking::new(&Layout::new(100), 3, &[]).ranks(), 0);
    }

    /// By hand: of 100 rows key 0 has part 0, key 1 part 61, key 2 part 122 mod 100 = 22, and key 3
    /// part 183 mod 100 mod 64 = 19. With two servers, 0 and 2 are at the first.
    #[test]
    fn a_rank_stays_free_where_its_server_has_no_more_keys() {
        let ranking = Ranking::new(&Layout::new(100), 2, &[2, 0, 3]);
        assert_eq!(ranking.keys(), [Some(2), Some(3), Some(0)]);
        let ranking = Ranking::new(&Layout::new(100), 2, &[3, 1, 2]);
        assert_eq!(ranking.keys(), [Some(2), Some(3), None, Some(1)]);
    }

    proptest! {
        /// R-SERVE-9: each key has one rank, of a part of its server, and among the keys of a
        /// server the hotter ones have the lower ranks.
        #[test]
        fn ranks_are_of_the_servers_of_their_keys(
            keys in prop::collection::hash_set(0..5000u32, 0..200), servers in 1..=64u16,
        ) {
            let (keys, layout): (Vec<u32>, _) = (keys.into_iter().collect(), Layout::new(5000));
            let ranking = Ranking::new(&layout, servers, &keys);
            let server_of_key = |key| server_of(layout.part(key), servers);
            let mut last = vec![None; usize::from(servers)];
            for (rank, key) in (0..).zip(ranking.keys()) {
                let Some(key) = key else { continue };
                prop_assert_eq!(server_of(part_of_rank(rank), servers), server_of_key(*key));
                let place = keys.iter().position(|other| other == key);
                prop_assert!(place > last[usize::from(server_of_key(*key))]);
                last[usize::from(server_of_key(*key))] = place;
            }
            prop_assert_eq!(ranking.keys().iter().flatten().count(), keys.len());
            prop_assert!(ranking.keys().last().is_none_or(Option::is_some));
        }
    }
}
