//! Destinations of the pairs of a batch: hot ones go to the switch, the others to the servers of
//! their parts (R-SERVE-1).

use netfold_sparse::{Layout, server_of};

use crate::error::Error;
use crate::ranks::Ranks;

/// Positions in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Positions {
    /// All from the first on.
    All(u32),
    /// These, in ascending order.
    Some(Vec<u32>),
}

/// The places of a table's keys, as a worker sees them.
pub(crate) struct Split {
    layout: Layout,
    ranks: Ranks,
    servers: u16,
}

/// A batch by destinations.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parted {
    /// Ranks for the switch, and their positions.
    pub(crate) ranks: Vec<u32>,
    pub(crate) hot: Vec<u32>,
    /// Positions for each server.
    pub(crate) cold: Vec<Positions>,
}

impl Split {
    pub(crate) fn new(rows: u64, ranks: Ranks, servers: u16) -> Self {
        Self { layout: Layout::new(rows), ranks, servers }
    }

    /// Refuses keys that are no rows, and rows that do not fit the keys.
    pub(crate) fn check(&self, keys: &[u32], lanes: usize, width: u16) -> Result<(), Error> {
        let rows = self.layout.rows();
        if let Some(&key) = keys.iter().max().filter(|key| u64::from(**key) >= rows) {
            return Err(Error::Input(format!("key {key} is no row of a table of {rows} rows")));
        }
        let expected = keys.len().saturating_mul(width.into());
        if lanes != expected || u32::try_from(keys.len()).is_err() {
            let keys = keys.len();
            return Err(Error::Input(format!(
                "{keys} keys need {keys} rows of {width} numbers, {expected} together, not {lanes}"
            )));
        }
        Ok(())
    }

    /// Distributes the keys of a batch; hot keys go to servers, too, unless the switch has them.
    pub(crate) fn part(&self, keys: &[u32], at_switch: bool) -> Parted {
        let mut parted = Parted { ranks: Vec::new(), hot: Vec::new(), cold: Vec::new() };
        let at_switch = at_switch && !self.ranks.is_empty();
        if self.servers == 1 && !at_switch {
            parted.cold.push(Positions::All(keys.len() as u32));
            return parted;
        }
        let room = keys.len() / usize::from(self.servers);
        let mut cold = vec![Vec::with_capacity(room); self.servers.into()];
        for (&key, position) in keys.iter().zip(0..) {
            match self.ranks.of(key) {
                Some(rank) if at_switch => {
                    parted.ranks.push(rank);
                    parted.hot.push(position);
                }
                _ => cold[self.server(key)].push(position),
            }
        }
        parted.cold = cold.into_iter().map(Positions::Some).collect();
        parted
    }

    fn server(&self, key: u32) -> usize {
        if self.servers == 1 { 0 } else { server_of(self.layout.part(key), self.servers).into() }
    }
}

impl Positions {
    /// Cuts them into pieces of at most so many.
    pub(crate) fn pieces(self, most: usize) -> Vec<Piece> {
        match self {
            Self::All(count) => {
                let most = u32::try_from(most).unwrap_or(u32::MAX).max(1);
                let starts = (0..count).step_by(most as usize);
                starts.map(|start| Piece::Run(start, most.min(count - start))).collect()
            }
            Self::Some(positions) if positions.len() <= most && !positions.is_empty() => {
                vec![Piece::Some(positions)]
            }
            Self::Some(positions) => {
                positions.chunks(most.max(1)).map(|some| Piece::Some(some.to_vec())).collect()
            }
        }
    }
}

/// Some positions of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The first, and how many follow each other from it on.
    Run(u32, u32),
    /// These.
    Some(Vec<u32>),
}

impl Piece {
    /// The elements of `width` numbers at these positions.
    pub(crate) fn gather<T: Copy>(&self, from: &[T], width: usize) -> Vec<T> {
        match self {
            Self::Run(start, count) => {
                let (start, count) = (*start as usize * width, *count as usize * width);
                from[start..start + count].to_vec()
            }
            Self::Some(positions) if width == 1 => {
                positions.iter().map(|&position| from[position as usize]).collect()
            }
            Self::Some(positions) => {
                let mut gathered = Vec::with_capacity(positions.len() * width);
                for &position in positions {
                    let start = position as usize * width;
                    gathered.extend_from_slice(&from[start..start + width]);
                }
                gathered
            }
        }
    }

    /// Puts elements of `width` numbers to these positions.
    pub(crate) fn scatter<T: Copy>(&self, elements: &[T], to: &mut [T], width: u16) {
        let width = usize::from(width);
        match self {
            Self::Run(start, count) => {
                let (start, count) = (*start as usize * width, *count as usize * width);
                to[start..start + count].copy_from_slice(elements);
            }
            Self::Some(positions) if width == 1 => {
                for (&position, &element) in positions.iter().zip(elements) {
                    to[position as usize] = element;
                }
            }
            Self::Some(positions) => {
                for (&position, row) in positions.iter().zip(elements.chunks_exact(width)) {
                    let start = position as usize * width;
                    to[start..start + width].copy_from_slice(row);
                }
            }
        }
    }

    /// Returns the number of positions.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Run(_, count) => *count as usize,
            Self::Some(positions) => positions.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use netfold_sparse::Ranking;

    use super::*;

    #[test]
    fn keys_and_rows_that_do_not_fit_are_refused_by_name() {
        let split = Split::new(10, Ranks::new(&[], 10, 1).unwrap(), 1);
        assert!(split.check(&[9, 0], 4, 2).is_ok());
        let error = split.check(&[9, 10], 4, 2).unwrap_err().to_string();
        assert_eq!(error, "key 10 is no row of a table of 10 rows");
        let error = split.check(&[1, 2], 5, 2).unwrap_err().to_string();
        assert_eq!(error, "2 keys need 2 rows of 2 numbers, 4 together, not 5");
    }

    proptest! {
        /// R-SERVE-1, R-SERVE-9: every pair goes to one place, which is that of its key.
        #[test]
        fn every_pair_goes_to_its_place_and_comes_back_from_it(
            keys in prop::collection::vec(0..500u32, 0..200), servers in 1..5u16, at_switch: bool, width in 1..4u16, most in 1..50usize,
        ) {
            let hot_keys = [3, 499, 77, 12];
            let split = Split::new(500, Ranks::new(&hot_keys, 500, servers).unwrap(), servers);
            let ranking = Ranking::new(&split.layout, servers, &hot_keys);
            let parted = split.part(&keys, at_switch);
            let rows: Vec<u32> = keys.iter().flat_map(|key| (0..width).map(move |lane| key * 10 + u32::from(lane))).collect();
            let mut back = vec![u32::MAX; rows.len()];
            for (&rank, &position) in parted.ranks.iter().zip(&parted.hot) {
                prop_assert!(at_switch);
                prop_assert_eq!(ranking.keys()[rank as usize], Some(keys[position as usize]));
            }
            let hot = Piece::Some(parted.hot);
            hot.scatter(&hot.gather(&rows, width.into()), &mut back, width);
            for (positions, server) in parted.cold.into_iter().zip(0..) {
                for piece in positions.pieces(most) {
                    prop_assert!((1..=most).contains(&piece.len()));
                    for key in piece.gather(&keys, 1) {
                        prop_assert_eq!(split.layout.part(key) % u32::from(servers), server);
                    }
                    piece.scatter(&piece.gather(&rows, width.into()), &mut back, width);
                }
            }
            prop_assert_eq!(back, rows);
        }
    }
}
