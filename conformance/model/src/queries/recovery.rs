//! The checks that a state of a query can be left: whatever is under way is lost, and the attempts
//! with it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::state::QueryState;
use super::{QueryDatagram, QueryEnd, QueryModel, QueryStep};
use crate::network::Network;

/// Times that timers fire until a query counts as stuck: an attempt asks three times at most for
/// each of its few packets, and the master for each partition.
const MOST_TIMEOUTS: u64 = 60;

/// Time between two of them: none waits for longer.
const INTERVAL_US: u64 = 2_000_000;

impl QueryModel {
    /// Loses all that is under way in `state`, and lets the query go on over a network that
    /// delivers everything at once, in order: with its attempts, and with new ones alone. Returns
    /// whether it comes to the exact answer.
    pub(super) fn recovers(&self, state: &QueryState) -> bool {
        let known = state.machines();
        if self.recovered.lock().is_ok_and(|recovered| recovered.contains(&known)) {
            return true;
        }
        let state = QueryState { network: Network::default(), ..state.clone() };
        let recovers = self.goes_on(state.clone(), false) && self.goes_on(state, true);
        if let (true, Ok(mut recovered)) = (recovers, self.recovered.lock()) {
            recovered.insert(known);
        }
        recovers
    }

    fn goes_on(&self, mut state: QueryState, anew: bool) -> bool {
        let begun = if anew { state.attempts.len() } else { 0 };
        let mut under_way = VecDeque::new();
        for partition in 0..self.job.partitions().len() as u32 {
            let goes_on = state.attempts[begun..].iter().zip(begun..).any(|(attempt, index)| {
                attempt.partition == partition
                    && attempt.switches == state.lost
                    && state.given_up >> index & 1 == 0
            });
            if !goes_on && !state.answer.rows.contains_key(&partition) {
                under_way.extend(self.step(&mut state, 0, &QueryStep::Begin(partition)));
            }
        }
        for round in 1..=MOST_TIMEOUTS {
            let now_us = round * INTERVAL_US;
            while let Some(datagram) = under_way.pop_front() {
                // Those that were begun before are lost, if others go on without them.
                if !matches!(datagram.to, QueryEnd::Attempt(index) if index < begun) {
                    let step = QueryStep::Deliver(datagram);
                    under_way.extend(self.step(&mut state, now_us, &step));
                }
            }
            if self.is_done(&state) {
                return self.is_exact(&state);
            }
            under_way.extend(self.fire(&mut state, begun, now_us));
        }
        false
    }

    /// Has the timers fire of the master, and of the attempts from `begun` on.
    fn fire(&self, state: &mut QueryState, begun: usize, now_us: u64) -> Vec<QueryDatagram> {
        Arc::make_mut(&mut state.master).handle_timeout(now_us);
        let mut sent = self.hear(state, now_us);
        for (index, attempt) in state.attempts.iter_mut().enumerate().skip(begun) {
            if attempt.switches == state.lost && state.given_up >> index & 1 == 0 {
                let attempt = Arc::make_mut(attempt);
                attempt.sender.handle_timeout(now_us);
                sent.extend(attempt.drain(index, now_us));
            }
        }
        sent
    }
}
