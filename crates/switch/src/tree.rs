//! The places of a tree of switches in a job (R-TREE-1).

use netfold_wire::WorkerId;

use crate::place::Place;

/// A tree of switches, and where a job's workers are on it.
#[derive(Clone, Copy, Debug)]
pub struct Tree<'a> {
    parents: &'a [Option<usize>],
    homes: &'a [usize],
}

impl<'a> Tree<'a> {
    /// Returns the tree in which the switch at each index has this parent, for the workers, by
    /// rank, that send to these switches. Parents form no circle.
    pub fn new(parents: &'a [Option<usize>], homes: &'a [usize]) -> Self {
        Self { parents, homes }
    }

    /// Returns the place of a switch in the job; `None` if it has no members.
    pub fn place(&self, switch: usize) -> Option<Place> {
        let standing = (0..).map(WorkerId).zip(self.homes).filter_map(|(rank, home)| {
            let mut below = *home;
            if below == switch {
                return Some((rank, rank));
            }
            while self.parents[below]? != switch {
                below = self.parents[below]?;
            }
            Some((rank, self.name(below)?))
        });
        let place = Place::root(standing);
        let place = match self.parents[switch] {
            Some(_) => place.below(self.name(switch)?),
            None => place,
        };
        (place.count() > 0).then_some(place)
    }

    /// Returns the name of a switch at its parent: the lowest rank below it; `None` if no rank is
    /// below it.
    pub fn name(&self, switch: usize) -> Option<WorkerId> {
        let is_below = |mut home: usize| {
            while home != switch {
                match self.parents[home] {
                    Some(parent) => home = parent,
                    None => return false,
                }
            }
            true
        };
        (0..).map(WorkerId).zip(self.homes).find(|(_, home)| is_below(**home)).map(|(rank, _)| rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Switch 0 above 1 and 2, switch 1 above 3; ranks 0 and 3 at switch 3, rank 1 at the root,
    /// rank 2 at switch 1.
    #[test]
    fn each_switch_has_its_own_members_and_stands_for_all_below() {
        let (parents, homes) = ([None, Some(0), Some(0), Some(1)], [3, 0, 1, 3]);
        let tree = Tree::new(&parents, &homes);
        assert_eq!(
            [0, 1, 2, 3].map(|switch| tree.name(switch)),
            [Some(WorkerId(0)), Some(WorkerId(0)), None, Some(WorkerId(0))]
        );
        let ranks = |pairs: [(u16, u16); 4]| {
            pairs.map(|(worker, member)| (WorkerId(worker), WorkerId(member)))
        };
        assert_eq!(tree.place(0), Some(Place::root(ranks([(0, 0), (1, 1), (2, 0), (3, 0)]))));
        let middle =
            [(0, 0), (2, 2), (3, 0)].map(|(worker, member)| (WorkerId(worker), WorkerId(member)));
        assert_eq!(tree.place(1), Some(Place::root(middle).below(WorkerId(0))));
        assert_eq!(tree.place(2), None);
        let leaf = [(0, 0), (3, 3)].map(|(worker, member)| (WorkerId(worker), WorkerId(member)));
        assert_eq!(tree.place(3), Some(Place::root(leaf).below(WorkerId(0))));
    }
}
