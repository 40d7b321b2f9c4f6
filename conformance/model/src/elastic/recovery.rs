//! Recovery of an elastic job from a state in which all datagrams under way are lost.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Elastic, ElasticState, Step};
use crate::network::{Network, digest};
use crate::recovery::MOST_TIMEOUTS;
use crate::switch::Switch;

impl<S: Switch> Elastic<S> {
    /// Loses all datagrams under way in `state`, and lets the job go on: everybody hears all that
    /// was said, joins again and makes the calls that it has not made. Returns whether all calls
    /// end so, without a fault.
    pub(super) fn recovers(&self, state: &ElasticState<S>) -> bool {
        if state.fault.is_some() {
            // Another property's counterexample.
            return true;
        }
        let known = digest(&state.machines());
        if self.recovered.lock().is_ok_and(|recovered| recovered.contains(&known)) {
            return true;
        }
        let recovers = self.run_on(ElasticState { network: Network::default(), ..state.clone() });
        if let (true, Ok(mut recovered)) = (recovers, self.recovered.lock()) {
            recovered.insert(known);
        }
        recovers
    }

    fn run_on(&self, mut state: ElasticState<S>) -> bool {
        let (mut now_us, mut under_way) = (0, VecDeque::new());
        for _ in 0..MOST_TIMEOUTS {
            while let Some(step) =
                self.at_once(&state).or_else(|| under_way.pop_front().map(Step::Deliver))
            {
                under_way.extend(self.step(&mut state, now_us, &step));
                if state.fault.is_some() {
                    return false;
                }
            }
            if self.is_complete(&state) {
                return true;
            }
            let due = state
                .workers
                .iter_mut()
                .filter_map(|worker| Arc::make_mut(worker).poll_timeout())
                .min();
            let Some(due_us) = due else { return false };
            now_us = now_us.max(due_us);
            for number in 0..self.job.workers() {
                under_way.extend(self.step(&mut state, now_us, &Step::Time(number)));
            }
        }
        false
    }

    /// The next step that needs neither a datagram nor a timer.
    fn at_once(&self, state: &ElasticState<S>) -> Option<Step> {
        let mut steps = Vec::new();
        stateright::Model::actions(self, state, &mut steps);
        steps
            .into_iter()
            .find(|step| matches!(step, Step::Hear(..) | Step::Join(_) | Step::Call(_)))
    }
}
