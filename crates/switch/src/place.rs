//! The place of a switch in a job: who sends to it, and whether it sends on to another (R-TREE).

use std::collections::BTreeSet;
use std::sync::Arc;

use netfold_wire::{Delivery, WorkerId};

/// Mark in [`Place`] of a rank for which no member stands.
const NOBODY: u16 = u16::MAX;

/// A switch's members in a job, and its parent.
///
/// A member is a worker, or a leaf that folds for several (SwitchML, section 7). It is named by a
/// rank: its own, or that of the leaf's leader. The switch numbers its members from 0 in the order
/// of their ranks, so that its bitmaps are as long as it has members, however many workers the job
/// has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The members' names, ascending.
    members: Arc<[WorkerId]>,
    /// Number of the member that stands for each rank.
    stands: Arc<[u16]>,
    /// Name of the switch at its parent.
    parent: Option<WorkerId>,
}

impl Place {
    /// Returns the place of a job's only switch: each of `workers` is a member and stands for
    /// itself.
    pub fn only(workers: u16) -> Self {
        Self {
            members: (0..workers).map(WorkerId).collect(),
            stands: (0..workers).collect(),
            parent: None,
        }
    }

    /// Returns the place of a switch without a parent: pairs of a worker and the member that stands
    /// for it.
    ///
    /// # Panics
    /// If a member does not stand for the rank that it is called by (R-TREE-1).
    pub fn root(pairs: impl IntoIterator<Item = (WorkerId, WorkerId)>) -> Self {
        let pairs: Vec<_> = pairs.into_iter().collect();
        let names: BTreeSet<u16> = pairs.iter().map(|(_, member)| member.0).collect();
        let members: Arc<[WorkerId]> = names.into_iter().map(WorkerId).collect();
        let ranks = pairs.iter().map(|(worker, _)| usize::from(worker.0) + 1).max().unwrap_or(0);
        let mut stands = vec![NOBODY; ranks];
        for (worker, member) in pairs {
            stands[usize::from(worker.0)] =
                members.partition_point(|other| other.0 < member.0) as u16;
        }
        let place = Self { members, stands: stands.into(), parent: None };
        assert!(
            place.members.iter().all(|member| place.has(*member)),
            "a member is called by a rank that it stands for"
        );
        place
    }

    /// Returns the place of the same members at a leaf, which is called `name` at its parent
    /// (R-TREE-1).
    pub fn below(self, name: WorkerId) -> Self {
        Self { parent: Some(name), ..self }
    }

    /// Returns the name of the switch at its parent; `None` if it has no parent.
    pub fn parent(&self) -> Option<WorkerId> {
        self.parent
    }

    /// Returns the members' names, in the order of their numbers.
    pub fn members(&self) -> &[WorkerId] {
        &self.members
    }

    /// Returns the number of contributions that complete a round.
    pub fn count(&self) -> u16 {
        self.members.len() as u16
    }

    /// Returns the largest rank that a member stands for, and one more.
    pub(crate) fn ranks(&self) -> usize {
        self.stands.len()
    }

    /// Returns the number of a member; `None` if this rank is not a member.
    pub fn number(&self, member: WorkerId) -> Option<u16> {
        let number = *self.stands.get(usize::from(member.0))?;
        (self.members.get(usize::from(number)) == Some(&member)).then_some(number)
    }

    /// Returns the member with this number. Shared memory may hold a number that no member has;
    /// then any rank.
    pub(crate) fn name(&self, number: u16) -> WorkerId {
        self.members.get(usize::from(number)).copied().unwrap_or(WorkerId(number))
    }

    /// Returns whether this rank is a member.
    pub fn has(&self, member: WorkerId) -> bool {
        self.number(member).is_some()
    }

    /// R-TREE-5: returns the member to which the lanes of a result for `owner` go; `None` if no
    /// member stands for it.
    pub fn member_for(&self, owner: WorkerId) -> Option<WorkerId> {
        let number = *self.stands.get(usize::from(owner.0))?;
        self.members.get(usize::from(number)).copied()
    }

    /// Returns whether the lanes of a result go to `member`.
    pub fn addresses(&self, delivery: Delivery, member: WorkerId) -> bool {
        match delivery {
            Delivery::One(owner) => self.member_for(owner) == Some(member),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_switch_has_every_worker_as_a_member() {
        for workers in [1, 3, 64, 1024] {
            let place = Place::only(workers);
            assert_eq!(place.count(), workers);
            for rank in (0..=1024).map(WorkerId) {
                assert_eq!(place.number(rank), (rank.0 < workers).then_some(rank.0));
                assert_eq!(place.member_for(rank), place.has(rank).then_some(rank));
            }
        }
    }

    /// R-TREE-5
    #[test]
    fn lanes_go_where_the_owner_is() {
        let ranks = |pairs: &[(u16, u16)]| {
            pairs.iter().map(|&(a, b)| (WorkerId(a), WorkerId(b))).collect::<Vec<_>>()
        };
        let root = Place::root(ranks(&[(0, 0), (1, 1), (2, 0), (3, 1)]));
        assert_eq!((root.count(), root.members()), (2, &[WorkerId(0), WorkerId(1)][..]));
        assert_eq!(root.member_for(WorkerId(3)), Some(WorkerId(1)));
        assert!(root.addresses(Delivery::One(WorkerId(2)), WorkerId(0)));
        assert!(!root.addresses(Delivery::One(WorkerId(2)), WorkerId(1)));
        let leaf = Place::root(ranks(&[(1, 1), (3, 3)])).below(WorkerId(1));
        assert_eq!(leaf.member_for(WorkerId(2)), None);
        assert_eq!(leaf.member_for(WorkerId(3)), Some(WorkerId(3)));
        assert_eq!(leaf.parent(), Some(WorkerId(1)));
        assert_eq!(
            [0, 1, 2, 3, 4].map(|rank| leaf.number(WorkerId(rank))),
            [None, Some(0), None, Some(1), None]
        );
    }
}
