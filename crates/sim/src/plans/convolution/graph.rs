//! Synthetic graphs, and what their parts need of each other.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde::Deserialize;

/// Most parts of a graph: a vertex has a bit for each.
pub(super) const MOST_PARTS: u16 = 128;

/// A data set's published size.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dataset {
    pub(super) name: String,
    pub(super) vertices: u64,
    /// Undirected.
    pub(super) edges: u64,
    pub(super) features: u64,
    pub(super) classes: u64,
    /// The paper's gain at 24 nodes.
    pub(super) gain: Option<f64>,
}

/// Sizes of the parts of a graph, and of their needs of others. Vertex v is in part v modulo n.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// Vertices of each part.
    pub(super) vertices: Vec<u64>,
    /// Neighbours of its vertices in the same part, each as often as it is one.
    pub(super) local: Vec<u64>,
    /// And in others.
    pub(super) remote: Vec<u64>,
    /// Its vertices that have neighbours in others.
    pub(super) border: Vec<u64>,
    /// Vertices of each part that have neighbours in each other, row by row: those that the
    /// column's part needs of the row's.
    pub(super) needed: Vec<u64>,
}

/// The edges of a graph whose degrees follow a power law with the exponent 3: an end is vertex
/// V u^2, for a random u below 1, so that vertex v has a share in proportion to v^(-1/2).
pub(super) fn edges(vertices: u64, edges: u64, seed: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut end = move || {
        let share: f64 = random.random();
        ((vertices as f64 * share * share) as u64).min(vertices - 1)
    };
    (0..edges).map(move |_| {
        let one = end();
        let mut other = end();
        // No vertex is its own neighbour, unless it is alone.
        while other == one && vertices > 1 {
            other = end();
        }
        (one, other)
    })
}

impl Parts {
    /// Divides a graph into so many parts.
    pub(super) fn of(vertices: u64, edges: impl Iterator<Item = (u64, u64)>, parts: u16) -> Self {
        let n = u64::from(parts);
        let none = || vec![0; usize::from(parts)];
        let (mut local, mut remote) = (none(), none());
        // For each vertex the parts that have its neighbours.
        let mut neighbours = vec![0_u128; vertices as usize];
        for (one, other) in edges {
            let (of_one, of_other) = ((one % n) as usize, (other % n) as usize);
            let counter = if of_one == of_other { &mut local } else { &mut remote };
            counter[of_one] += 1;
            counter[of_other] += 1;
            neighbours[one as usize] |= 1 << of_other;
            neighbours[other as usize] |= 1 << of_one;
        }
        let (mut own, mut border) = (none(), none());
        let mut needed = vec![0; usize::from(parts) * usize::from(parts)];
        for (vertex, parts_of) in (0..).zip(&neighbours) {
            let part = (vertex % n) as usize;
            own[part] += 1;
            let mut others = parts_of & !(1 << part);
            border[part] += u64::from(others != 0);
            while others != 0 {
                needed[part * n as usize + others.trailing_zeros() as usize] += 1;
                others &= others - 1;
            }
        }
        Self { vertices: own, local, remote, border, needed }
    }

    /// The largest of a number that each part has.
    pub(super) fn most(&self, of: impl Fn(&Self, usize) -> u64) -> u64 {
        (0..self.vertices.len()).map(|part| of(self, part)).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Counted again by sets of pairs.
        #[test]
        fn parts_need_what_their_edges_say(
            vertices in 2_u64..40, count in 0_u64..120, n in 1_u16..9, seed: u64,
        ) {
            let list: Vec<_> = edges(vertices, count, seed).collect();
            prop_assert_eq!(list.len() as u64, count);
            let parts = Parts::of(vertices, list.iter().copied(), n);
            let part = |vertex: u64| vertex % u64::from(n);
            let both = || list.iter().flat_map(|&(one, other)| [(one, other), (other, one)]);
            let mut needed: BTreeMap<(u64, u64), BTreeSet<u64>> = BTreeMap::new();
            for (of, to) in both() {
                prop_assert!(of < vertices && of != to);
                if part(of) != part(to) {
                    needed.entry((part(of), part(to))).or_default().insert(of);
                }
            }
            for own in 0..u64::from(n) {
                let of_own = |local: bool| {
                    both()
                        .filter(|(of, to)| part(*of) == own && (part(*to) == own) == local)
                        .count() as u64
                };
                let place = own as usize;
                prop_assert_eq!(parts.local[place], of_own(true));
                prop_assert_eq!(parts.remote[place], of_own(false));
                let border: BTreeSet<u64> = both()
                    .filter(|(of, to)| part(*of) == own && part(*to) != own)
                    .map(|(of, _)| of)
                    .collect();
                prop_assert_eq!(parts.border[place], border.len() as u64);
                let whole = (0..vertices).filter(|vertex| part(*vertex) == own).count();
                prop_assert_eq!(parts.vertices[place], whole as u64);
                for to in 0..u64::from(n) {
                    let rows = needed.get(&(own, to)).map_or(0, BTreeSet::len);
                    prop_assert_eq!(parts.needed[place * usize::from(n) + to as usize], rows as u64);
                }
            }
        }
    }

    /// Of V vertices, those below V x have the share x^(1/2) of all ends: with 4,000 draws and
    /// three standard deviations, sqrt(p (1 - p) / 4000).
    #[test]
    fn degrees_follow_the_law() {
        let ends: Vec<u64> =
            edges(1_000_000, 2_000, 7).flat_map(|(one, other)| [one, other]).collect();
        for (below, share) in [(10_000, 0.1), (250_000, 0.5), (810_000, 0.9)] {
            let found = ends.iter().filter(|end| **end < below).count() as f64 / 4_000.0;
            let deviation = (share * (1.0 - share) / 4_000.0_f64).sqrt();
            assert!((found - share).abs() < 3.0 * deviation, "{below}: {found}");
        }
    }
}
