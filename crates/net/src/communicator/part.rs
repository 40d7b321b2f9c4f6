//! A worker's part in its job, and the plans of its latest calls.

use std::mem::swap;
use std::ops::{Deref, DerefMut};

use netfold_management::Participant;
use netfold_worker::{Call, Plan};

use super::epoch::Place;
use crate::error::Error;

/// A worker's part in its job. What its calls need is under one lock with it.
pub(super) struct Part {
    pub(super) participant: Participant<Error>,
    pub(super) recent: RecentPlans,
}

impl Part {
    pub(super) fn new(participant: Participant<Error>) -> Self {
        Self { participant, recent: RecentPlans::default() }
    }
}

impl Deref for Part {
    type Target = Participant<Error>;

    fn deref(&self) -> &Self::Target {
        &self.participant
    }
}

impl DerefMut for Part {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.participant
    }
}

/// The plans of the latest calls: programs repeat a few calls in a loop, such as an all-reduce and
/// a barrier, and a plan takes a fifth of the time of a short call.
#[derive(Default)]
pub(super) struct RecentPlans {
    latest: Option<Planned>,
    /// The plans of other calls before it.
    others: [Option<Planned>; 3],
    /// The place of the next one of them that is given up.
    oldest: usize,
}

/// A plan that was made.
struct Planned {
    plan: Plan,
    /// The place for which another call may have it; `None` if none may.
    place: Option<Place>,
}

impl RecentPlans {
    /// Returns whether the latest plan is one of `call` for a place, or has become it.
    #[inline]
    pub(super) fn has(&mut self, call: &Call, place: Place) -> bool {
        let is_it = |plan: &Option<Planned>| {
            plan.as_ref().is_some_and(|plan| plan.place == Some(place) && plan.plan.call() == call)
        };
        if is_it(&self.latest) {
            return true;
        }
        let other = self.others.iter_mut().find(|other| is_it(other));
        other.map(|other| swap(&mut self.latest, other)).is_some()
    }

    /// Returns the latest plan.
    ///
    /// # Panics
    /// If no plan was found or added before.
    #[inline]
    pub(super) fn latest(&self) -> &Plan {
        &self.latest.as_ref().expect("a plan was found or added").plan
    }

    /// Makes a plan the latest one. Calls for the place may have it, if there is one.
    pub(super) fn add(&mut self, plan: Plan, place: Option<Place>) {
        self.others[self.oldest] = self.latest.replace(Planned { plan, place });
        self.oldest = (self.oldest + 1) % self.others.len();
    }
}

#[cfg(test)]
mod tests {
    use netfold_num::{Arithmetic, ElementType, Operation};
    use netfold_wire::WorkerId;
    use netfold_worker::{Collective, Reduction};
    use proptest::prelude::*;

    use super::*;

    fn call(elements: u64) -> Call {
        Call {
            collective: Collective::AllReduce,
            reduction: Reduction::Fold(Operation::Sum),
            element_type: ElementType::F32,
            elements,
            priority: None,
        }
    }

    fn plan(elements: u64, Place { rank, workers, block_bytes }: Place) -> Plan {
        let (arithmetic, rank) = (Arithmetic::Block, WorkerId(rank));
        Plan::new(call(elements), arithmetic, workers, rank, block_bytes).unwrap()
    }

    fn place(workers: u16) -> Place {
        Place { rank: 0, workers, block_bytes: 1024 }
    }

    #[test]
    fn four_calls_in_a_loop_are_planned_once() {
        let (mut recent, mut planned) = (RecentPlans::default(), 0);
        for elements in (1..=4).cycle().take(40) {
            if !recent.has(&call(elements), place(2)) {
                recent.add(plan(elements, place(2)), Some(place(2)));
                planned += 1;
            }
            assert_eq!(*recent.latest(), plan(elements, place(2)));
        }
        assert_eq!(planned, 4);
    }

    proptest! {
        #[test]
        fn a_call_has_its_own_plan_at_its_place(
            calls in prop::collection::vec((1_u64..7, 2_u16..4, any::<bool>()), 0..100),
        ) {
            let mut recent = RecentPlans::default();
            for (elements, workers, alone) in calls {
                let place = place(workers);
                if alone || !recent.has(&call(elements), place) {
                    // A plan that is for its call alone has more workers.
                    let plan = plan(elements, Place { workers: workers + alone as u16, ..place });
                    recent.add(plan, (!alone).then_some(place));
                }
                prop_assert_eq!(recent.latest().call(), &call(elements));
                prop_assert_eq!(recent.latest().workers(), workers + alone as u16);
            }
        }
    }
}
