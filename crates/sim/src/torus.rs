//! A torus of switches, and the tree of them that folds (R-TREE).
//!
//! A place has neighbours in up to three dimensions, in both directions. Two places of a dimension
//! have one link between them, and a place alone in its dimension has none there. The tree is
//! rooted at place 0: the parent of a place is the next one on the way there that goes along the
//! last dimension first. So it has as many levels as the torus has hops between places at most.
//! Datagrams that switches only forward go along the first dimension first, each by the shorter
//! way; where both are as long, places of even and of odd coordinates take different ones.

use crate::error::Error;

/// Dimensions.
const DIMENSIONS: usize = 3;

/// Directions to neighbours: in each dimension back and forth.
const DIRECTIONS: usize = 2 * DIMENSIONS;

/// Places of a torus, in the order of their coordinates, of which the first varies fastest. A
/// switch is at each; its number is its turn in the order of levels of the tree.
pub(crate) struct Torus {
    dimensions: [u32; DIMENSIONS],
    /// The switch at each place.
    switches: Vec<u32>,
    /// The place of each switch.
    places: Vec<u32>,
    /// The switch above each.
    parents: Vec<Option<u32>>,
}

impl Torus {
    pub(crate) fn new(dimensions: [u32; DIMENSIONS], most: u32) -> Result<Self, Error> {
        let count = dimensions.iter().try_fold(1_u32, |count, side| count.checked_mul(*side));
        let Some(count) = count.filter(|count| *count <= most) else {
            return Err(Error::Nodes { most });
        };
        if count == 0 {
            let (what, value) = ("torus.dimensions", format!("{dimensions:?}"));
            return Err(Error::Number { what, value, instead: "1 or more in each" });
        }
        let mut torus =
            Self { dimensions, switches: Vec::new(), places: Vec::new(), parents: Vec::new() };
        let mut places: Vec<u32> = (0..count).collect();
        places.sort_by_key(|place| (torus.hops(*place, 0), *place));
        torus.switches = vec![0; count as usize];
        for (switch, place) in (0..).zip(&places) {
            torus.switches[*place as usize] = switch;
        }
        torus.places = places;
        let above = |place: &u32| torus.towards_root(*place).map(|above| torus.switch(above));
        torus.parents = torus.places.iter().map(above).collect();
        Ok(torus)
    }

    /// The switch at a place.
    pub(crate) fn switch(&self, place: u32) -> u32 {
        self.switches[place as usize]
    }

    /// The place of a switch.
    pub(crate) fn place(&self, switch: u32) -> u32 {
        self.places[switch as usize]
    }

    /// The switch above each.
    pub(crate) fn parents(&self) -> &[Option<u32>] {
        &self.parents
    }

    /// The next switch on the way from one to another.
    pub(crate) fn next(&self, from: u32, to: u32) -> u32 {
        let (from, to) = (self.place(from), self.place(to));
        let differs = |dimension: &usize| self.at(from, *dimension) != self.at(to, *dimension);
        let dimension = (0..DIMENSIONS).find(differs);
        self.switch(dimension.map_or(to, |dimension| self.step(from, to, dimension)))
    }

    /// Pairs of neighbours between which the tree has no link, each in both orders.
    pub(crate) fn crosses(&self) -> Vec<(u32, u32)> {
        let is_in_tree = |one: u32, other: u32| self.parents[one as usize] == Some(other);
        let mut crosses = Vec::new();
        for from in 0..self.places.len() as u32 {
            let mut neighbours: Vec<_> = (0..DIRECTIONS)
                .map(|direction| self.switch(self.neighbour(self.place(from), direction)))
                .filter(|to| *to != from && !is_in_tree(from, *to) && !is_in_tree(*to, from))
                .collect();
            neighbours.sort_unstable();
            neighbours.dedup();
            crosses.extend(neighbours.into_iter().map(|to| (from, to)));
        }
        crosses
    }

    /// The coordinate of a place in a dimension.
    fn at(&self, place: u32, dimension: usize) -> u32 {
        let before: u32 = self.dimensions[..dimension].iter().product();
        place / before % self.dimensions[dimension]
    }

    fn neighbour(&self, place: u32, direction: usize) -> u32 {
        let dimension = direction / 2;
        let (side, at) = (self.dimensions[dimension], self.at(place, dimension));
        let to = if direction.is_multiple_of(2) { (at + side - 1) % side } else { (at + 1) % side };
        let before: u32 = self.dimensions[..dimension].iter().product();
        place - at * before + to * before
    }

    /// Links between two places, at the least.
    fn hops(&self, one: u32, other: u32) -> u32 {
        let along = |dimension| {
            let apart = self.at(one, dimension).abs_diff(self.at(other, dimension));
            apart.min(self.dimensions[dimension] - apart)
        };
        (0..DIMENSIONS).map(along).sum()
    }

    /// The neighbour of a place along a dimension, by the shorter way to another.
    fn step(&self, from: u32, to: u32, dimension: usize) -> u32 {
        let side = self.dimensions[dimension];
        let at = self.at(from, dimension);
        let forth = (self.at(to, dimension) + side - at) % side;
        let is_forth = match (2 * forth).cmp(&side) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => at.is_multiple_of(2),
        };
        self.neighbour(from, 2 * dimension + usize::from(is_forth))
    }

    fn towards_root(&self, place: u32) -> Option<u32> {
        let differs = |dimension: &usize| self.at(place, *dimension) != 0;
        let dimension = (0..DIMENSIONS).rev().find(differs)?;
        Some(self.step(place, 0, dimension))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    fn torus(dimensions: [u32; 3]) -> Torus {
        Torus::new(dimensions, 4096).unwrap()
    }

    /// Hops from a place to all others, by searching all neighbours.
    fn searched(dimensions: [u32; 3], from: [u32; 3]) -> Vec<u32> {
        let [a, b, c] = dimensions;
        let place = |[x, y, z]: [u32; 3]| (x + a * (y + b * z)) as usize;
        let mut hops = vec![u32::MAX; (a * b * c) as usize];
        let mut open = VecDeque::from([(from, 0)]);
        while let Some((at, so_far)) = open.pop_front() {
            if hops[place(at)] != u32::MAX {
                continue;
            }
            hops[place(at)] = so_far;
            for dimension in 0..3 {
                let side = dimensions[dimension];
                for by in [1, side - 1] {
                    let mut to = at;
                    to[dimension] = (at[dimension] + by) % side;
                    open.push_back((to, so_far + 1));
                }
            }
        }
        hops
    }

    proptest! {
        /// Every way is as short as a search finds it, and stays among neighbours.
        #[test]
        fn ways_are_the_shortest(a in 1_u32..6, b in 1_u32..6, c in 1_u32..6, seed in 0_u32..216) {
            let torus = torus([a, b, c]);
            let count = a * b * c;
            let from = seed % count;
            let hops = searched([a, b, c], [from % a, from / a % b, from / a / b]);
            for to in 0..count {
                let (mut at, mut taken) = (torus.switch(from), 0);
                while at != torus.switch(to) {
                    at = torus.next(at, torus.switch(to));
                    taken += 1;
                    prop_assert!(taken <= count);
                }
                prop_assert_eq!(taken, hops[to as usize]);
            }
        }

        /// The tree spans all places, by as few links as a search finds, and with the links beside
        /// it has all pairs of neighbours, both ways.
        #[test]
        fn the_tree_is_as_low_as_can_be(a in 1_u32..6, b in 1_u32..6, c in 1_u32..6) {
            let torus = torus([a, b, c]);
            let hops = searched([a, b, c], [0; 3]);
            prop_assert_eq!(torus.parents()[0], None);
            for switch in 0..a * b * c {
                let mut up = 0;
                let mut at = switch;
                while let Some(parent) = torus.parents()[at as usize] {
                    // Numbers grow downwards.
                    prop_assert!(parent < at);
                    (at, up) = (parent, up + 1);
                }
                prop_assert_eq!(up, hops[torus.place(switch) as usize]);
            }
            // A dimension of two places has one link where longer ones have two at each place.
            let ends = |side: u32| match side { 1 => 0, 2 => 1, _ => 2 };
            let directed = a * b * c * (ends(a) + ends(b) + ends(c));
            let in_tree = 2 * (a * b * c - 1);
            prop_assert_eq!(torus.crosses().len() as u32 + in_tree, directed);
        }
    }

    #[test]
    fn what_is_no_torus_is_refused() {
        assert!(Torus::new([4, 0, 2], 64).is_err() && Torus::new([4, 5, 4], 64).is_err());
        assert!(Torus::new([1 << 16, 1 << 16, 1], 64).is_err());
    }
}
