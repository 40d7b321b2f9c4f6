//! The check that a state can be left when all that is under way is lost.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::model::{Action, Model};
use crate::network::digest;
use crate::state::State;
use crate::switch::Switch;

/// Timeouts after which a job is given up. A round costs at most a query and a round of its own for
/// each worker and each link, and a model has a few dozen rounds.
pub(crate) const MOST_TIMEOUTS: u32 = 1_000;

impl<S: Switch> Model<S> {
    /// Loses all that is under way in `state`, and lets the job go on over a network that delivers
    /// everything at once, in order: the workers make the calls that they have not made, and their
    /// own timers do the rest. Returns whether that completes all calls, without a fault.
    pub(crate) fn recovers(&self, state: &State<S>) -> bool {
        if state.fault.is_some() {
            // Another property's counterexample.
            return true;
        }
        let known = digest(&(&state.hosts, &state.nodes));
        if self.recovered.lock().is_ok_and(|recovered| recovered.contains(&known)) {
            return true;
        }
        let recovers = self.run_on(state.without_network());
        if let (true, Ok(mut recovered)) = (recovers, self.recovered.lock()) {
            recovered.insert(known);
        }
        recovers
    }

    fn run_on(&self, mut state: State<S>) -> bool {
        let workers = 0..self.job.workers();
        let mut under_way = VecDeque::new();
        for worker in workers.clone() {
            for _ in state.hosts[usize::from(worker)].view().called..self.calls() {
                under_way.extend(self.step(&mut state, 0, &Action::Call(worker)).iter().cloned());
            }
        }
        let mut now_us = 0;
        for _ in 0..MOST_TIMEOUTS {
            while let Some(datagram) = under_way.pop_front() {
                under_way.extend(
                    self.step(&mut state, now_us, &Action::Deliver(datagram)).iter().cloned(),
                );
                if state.fault.is_some() {
                    return false;
                }
            }
            if self.is_complete(&state) {
                return true;
            }
            let due =
                state.hosts.iter_mut().filter_map(|host| Arc::make_mut(host).poll_timeout()).min();
            let Some(due_us) = due else { return false };
            now_us = now_us.max(due_us);
            for worker in workers.clone() {
                under_way
                    .extend(self.step(&mut state, now_us, &Action::Time(worker)).iter().cloned());
            }
        }
        false
    }
}
