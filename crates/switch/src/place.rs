//! Where a switch stands in a job: who sends to it, and whether it sends on to another (R-TREE).

use netfold_wire::{Delivery, WorkerId};

use crate::job::MAX_WORKERS;

/// In [`Place::members`]: no member stands for this rank.
const NOBODY: u8 = u8::MAX;
const _: () = assert!(MAX_WORKERS <= NOBODY as u16);

/// A switch's members in a job, and its parent.
///
/// A member is a worker, or a leaf that folds for several (SwitchML, section 7). It is named by a rank: its own, or that of the leaf's leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// For each rank the member that stands for it.
    stands: [u8; MAX_WORKERS as usize],
    /// Bit m: rank m is a member.
    members: u64,
    /// What the switch is called at its parent.
    parent: Option<WorkerId>,
}

impl Place {
    /// The place of a job's only switch: each of `workers` (at most [`MAX_WORKERS`]) is a member and stands for itself.
    ///
    /// # Panics
    /// If there are more.
    pub const fn only(workers: u16) -> Self {
        let mut place = Self { stands: [NOBODY; MAX_WORKERS as usize], members: 0, parent: None };
        let mut rank = 0;
        while rank < workers {
            place.stands[rank as usize] = rank as u8;
            place.members |= 1 << rank;
            rank += 1;
        }
        place
    }

    /// The place of a switch without a parent: pairs of a worker and the member that stands for it.
    ///
    /// # Panics
    /// If a rank is not below [`MAX_WORKERS`].
    pub fn root(members: impl IntoIterator<Item = (WorkerId, WorkerId)>) -> Self {
        let mut place = Self { stands: [NOBODY; MAX_WORKERS as usize], members: 0, parent: None };
        for (worker, member) in members {
            place.stands[usize::from(worker.0)] = member.0 as u8;
            place.members |= 1 << member.0;
        }
        place
    }

    /// The same members at a leaf, which is called `name` at its parent (R-TREE-1).
    pub fn below(self, name: WorkerId) -> Self {
        Self { parent: Some(name), ..self }
    }

    /// What the switch is called at its parent; `None` if it has none.
    pub fn parent(&self) -> Option<WorkerId> {
        self.parent
    }

    /// The members, bit m for rank m.
    pub fn members(&self) -> u64 {
        self.members
    }

    /// How many contributions complete a round.
    pub fn count(&self) -> u16 {
        self.members.count_ones() as u16
    }

    /// Whether this rank is a member.
    pub fn has(&self, member: WorkerId) -> bool {
        member.0 < MAX_WORKERS && self.members & (1 << member.0) != 0
    }

    /// R-TREE-5: the member to which the lanes of a result for `owner` go; `None` if no member stands for it.
    pub fn member_for(&self, owner: WorkerId) -> Option<WorkerId> {
        let member = *self.stands.get(usize::from(owner.0))?;
        (member != NOBODY).then_some(WorkerId(member.into()))
    }

    /// Whether the lanes of a result go to `member`.
    pub fn addresses(&self, delivery: Delivery, member: WorkerId) -> bool {
        match delivery {
            Delivery::All => true,
            Delivery::One(owner) => self.member_for(owner) == Some(member),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_switch_has_every_worker_as_a_member() {
        for workers in [1, 3, 64] {
            let place = Place::only(workers);
            assert_eq!(place.count(), workers);
            for rank in (0..=64).map(WorkerId) {
                assert_eq!(place.has(rank), rank.0 < workers);
                assert_eq!(place.member_for(rank), place.has(rank).then_some(rank));
            }
        }
    }

    /// R-TREE-5
    #[test]
    fn lanes_go_where_the_owner_is() {
        let ranks = |pairs: &[(u16, u16)]| pairs.iter().map(|&(a, b)| (WorkerId(a), WorkerId(b))).collect::<Vec<_>>();
        let root = Place::root(ranks(&[(0, 0), (1, 1), (2, 0), (3, 1)]));
        assert_eq!((root.count(), root.members()), (2, 0b11));
        assert_eq!(root.member_for(WorkerId(3)), Some(WorkerId(1)));
        assert!(root.addresses(Delivery::One(WorkerId(2)), WorkerId(0)));
        assert!(!root.addresses(Delivery::One(WorkerId(2)), WorkerId(1)));
        let leaf = Place::root(ranks(&[(1, 1), (3, 3)])).below(WorkerId(1));
        assert_eq!(leaf.member_for(WorkerId(2)), None);
        assert_eq!(leaf.member_for(WorkerId(3)), Some(WorkerId(3)));
        assert_eq!(leaf.parent(), Some(WorkerId(1)));
        assert!(!leaf.has(WorkerId(0)) && leaf.has(WorkerId(3)));
    }
}
