//! Places of the rows of a table (R-SERVE-1).

use netfold_wire::{PARTS, part};

/// The most rows of a table: keys have 32 bits.
pub const MOST_ROWS: u64 = 1 << 32;

/// The places of a table's keys, as workers and servers have them.
///
/// Key x is at y = a x mod N; its part is y mod 64, and its index in the part is y / 64. Both ways
/// are one multiplication.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    rows: u64,
    /// a of R-SERVE-1, and the number that undoes it modulo N.
    multiplier: u64,
    inverse: u64,
}

impl Layout {
    /// Returns the layout of a table of 1 to 2^32 rows.
    ///
    /// # Panics
    ///
    /// Panics if there are no rows, or more than [`MOST_ROWS`].
    pub fn new(rows: u64) -> Self {
        assert!((1..=MOST_ROWS).contains(&rows), "a table has 1 to 2^32 rows, not {rows}");
        // The integer part of N / phi = (sqrt(5 N^2) - N) / 2, without rounding.
        let root = (5 * u128::from(rows) * u128::from(rows)).isqrt() as u64;
        let least = (root - rows) / 2;
        let multiplier = (least..).find(|a| gcd(*a, rows) == 1).expect("rows + 1 is coprime to it");
        Self { rows, multiplier, inverse: inverse(multiplier, rows) }
    }

    /// Returns the number of rows.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the part of a key below [`Layout::rows`], and its index in the part.
    pub const fn place(&self, key: u32) -> (u32, u64) {
        let y = (self.multiplier * key as u64) % self.rows;
        ((y % PARTS as u64) as u32, y / PARTS as u64)
    }

    /// Returns the part of a key.
    pub const fn part(&self, key: u32) -> u32 {
        self.place(key).0
    }

    /// Returns the key at a place, if there is one.
    pub fn key(&self, part: u32, index: u64) -> Option<u32> {
        let y = index.checked_mul(u64::from(PARTS))?.checked_add(u64::from(part))?;
        let key = |y| (u128::from(self.inverse) * u128::from(y)) % u128::from(self.rows);
        (part < PARTS && y < self.rows).then(|| key(y) as u32)
    }

    /// Returns the indices of the largest part.
    pub const fn indices(&self) -> u64 {
        self.rows.div_ceil(PARTS as u64)
    }
}

/// Returns the server that has a part, of `servers` from 1 to 64.
pub const fn server_of(part: u32, servers: u16) -> u16 {
    (part % servers as u32) as u16
}

/// Returns the parts of a server, a bit for each.
pub fn parts_of(server: u16, servers: u16) -> u64 {
    (0..PARTS).filter(|part| server_of(*part, servers) == server).map(|part| 1 << part).sum()
}

/// Slots of the rows of one server: the rows of its parts side by side, first by key, then those
/// that were hot when the table began, by rank.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    layout: Layout,
    /// The server's parts in ascending order.
    own: Vec<u8>,
    /// The place of each part among the server's, or [`Slots::ELSEWHERE`].
    ordinal: [u8; PARTS as usize],
    hot: u32,
}

impl Slots {
    const ELSEWHERE: u8 = u8::MAX;

    pub fn new(layout: Layout, hot: u32, server: u16, servers: u16) -> Self {
        let own: Vec<u8> = (0..PARTS as u8)
            .filter(|part| server_of(u32::from(*part), servers) == server)
            .collect();
        let mut ordinal = [Self::ELSEWHERE; PARTS as usize];
        own.iter().zip(0..).for_each(|(part, place)| ordinal[usize::from(*part)] = place);
        Self { layout, own, ordinal, hot }
    }

    /// Returns the slot of a cold key below the number of rows, if its part is the server's.
    #[inline]
    pub fn cold(&self, key: u32) -> Option<u64> {
        let (part, index) = self.layout.place(key);
        self.slot(part, index)
    }

    /// Returns the slot of a rank, if its part is the server's.
    #[inline]
    pub fn hot(&self, rank: u32) -> Option<u64> {
        self.slot(part(rank), self.layout.indices() + u64::from(rank / PARTS))
    }

    fn slot(&self, part: u32, index: u64) -> Option<u64> {
        let ordinal = self.ordinal[part as usize];
        (ordinal != Self::ELSEWHERE).then(|| index * self.own.len() as u64 + u64::from(ordinal))
    }

    /// Returns the number of slots. Some of them have no row.
    pub fn count(&self) -> u64 {
        let indices = self.layout.indices() + u64::from(self.hot.div_ceil(PARTS));
        indices * self.own.len() as u64
    }

    /// Returns the key of a slot, if it has a row. `hot_keys` are by rank.
    pub fn key(&self, slot: u64, hot_keys: &[Option<u32>]) -> Option<u32> {
        let parts = self.own.len() as u64;
        let (index, part) = (slot / parts, u32::from(self.own[(slot % parts) as usize]));
        match index.checked_sub(self.layout.indices()) {
            None => self.layout.key(part, index),
            Some(hot) => hot_keys.get(hot as usize * PARTS as usize + part as usize).copied()?,
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the number that times `a` is 1 modulo `modulus`, for coprime ones (extended Euclid).
fn inverse(a: u64, modulus: u64) -> u64 {
    let (mut last, mut current) = ((i128::from(modulus), 0), (i128::from(a % modulus), 1));
    while current.0 != 0 {
        let quotient = last.0 / current.0;
        (last, current) = (current, (last.0 - quotient * current.0, last.1 - quotient * current.1));
    }
    let inverse: i128 = last.1;
    inverse.rem_euclid(i128::from(modulus)) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Layout, MOST_ROWS, PARTS, Slots, parts_of, server_of};

    /// R-SERVE-1 in numbers that were worked out by hand: 100 / phi = 61.8, and 61 is prime.
    #[test]
    fn the_multiplier_is_that_of_the_rule() {
        for (rows, expected) in [(1, 0), (2, 1), (4, 3), (10, 7), (100, 61), (1 << 32, 2654435769)]
        {
            assert_eq!(Layout::new(rows).multiplier, expected, "{rows} rows");
        }
        assert_eq!(Layout::new(100).place(3), (183 % 100 % 64, 183 % 100 / 64));
    }

    #[test]
    fn every_key_has_a_place_of_its_own_and_parts_are_even() {
        for rows in [1, 2, 3, 63, 64, 65, 100, 1000, 4096, 10_007] {
            let layout = Layout::new(rows);
            let mut taken = vec![false; rows as usize];
            for key in 0..rows as u32 {
                let (part, index) = layout.place(key);
                assert_eq!(layout.key(part, index), Some(key), "{rows} rows");
                let at = &mut taken[(index * 64) as usize + part as usize];
                assert!(!core::mem::replace(at, true), "{rows} rows, key {key}");
            }
            assert!(taken.iter().all(|taken| *taken));
            assert_eq!(layout.key(0, rows), None);
        }
    }

    proptest! {
        #[test]
        fn large_tables_are_undone(rows in 1..=MOST_ROWS, fraction in 0.0..1.0) {
            let layout = Layout::new(rows);
            let key = (rows as f64 * fraction) as u64;
            let key = u32::try_from(key.min(rows - 1)).expect("a key");
            let (part, index) = layout.place(key);
            prop_assert!(part < PARTS && index < layout.indices());
            prop_assert_eq!(layout.key(part, index), Some(key));
        }

        /// Of 4096 neighbours about a quarter is at each of four servers. Chance would be within 28
        /// of 1024 (a standard deviation), and golden multiples are more even than chance.
        #[test]
        fn neighbours_are_spread(rows in 100_000..=MOST_ROWS, from in 0u32..50_000) {
            let layout = Layout::new(rows);
            let mut at = [0u32; 4];
            (from..from + 4096).for_each(|key| at[usize::from(server_of(layout.part(key), 4))] += 1);
            prop_assert!(at.iter().all(|count| (900..1150).contains(count)), "{:?}", at);
        }

        #[test]
        fn a_servers_slots_are_its_own(rows in 1u64..3000, hot in 0u32..200, servers in 1u16..=64) {
            let hot_keys: Vec<Option<u32>> = (0..hot.min(rows as u32)).map(|rank| Some(rows as u32 - 1 - rank)).collect();
            let layout = Layout::new(rows);
            let (mut cold_keys, mut hot_ranks, mut parts) = (0, 0, 0u64);
            for server in 0..servers {
                let slots = Slots::new(layout, hot_keys.len() as u32, server, servers);
                prop_assert_eq!(parts & parts_of(server, servers), 0);
                parts |= parts_of(server, servers);
                let mut seen = vec![false; slots.count() as usize];
                let keys = (0..rows as u32).filter_map(|key| Some((key, slots.cold(key)?)));
                let ranks = (0..hot_keys.len() as u32).filter_map(|rank| Some((rank, slots.hot(rank)?)));
                for (key, slot) in keys.inspect(|_| cold_keys += 1) {
                    prop_assert!(!core::mem::replace(&mut seen[slot as usize], true));
                    prop_assert_eq!(slots.key(slot, &hot_keys), Some(key));
                }
                for (rank, slot) in ranks.inspect(|_| hot_ranks += 1) {
                    prop_assert!(!core::mem::replace(&mut seen[slot as usize], true));
                    prop_assert_eq!(slots.key(slot, &hot_keys), hot_keys[rank as usize]);
                }
                for (slot, seen) in seen.iter().enumerate() {
                    prop_assert!(*seen || slots.key(slot as u64, &hot_keys).is_none());
                }
            }
            prop_assert_eq!((cold_keys, hot_ranks, parts), (rows, hot_keys.len(), u64::MAX));
        }
    }
}
