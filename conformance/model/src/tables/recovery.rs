//! The checks that a state can be left: whatever is under way is lost, and one more machine with
//! it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::state::{Peer, TableDatagram, TableState};
use super::switch::TableSwitch;
use super::worker::View;
use super::{TableModel, TableStep};
use crate::network::{Network, digest};
use crate::recovery::MOST_TIMEOUTS;

impl<S: TableSwitch> TableModel<S> {
    /// Loses all that is under way in `state`, and lets the job go on over a network that delivers
    /// everything at once, in order. It does so with all machines, without the switch (R-KEY-10),
    /// and without each of the workers. Returns whether every push comes to be counted as often as
    /// it should be.
    ///
    /// A machine that is lost is one that takes no more steps: what it has sent before is under way
    /// in other states.
    pub(super) fn recovers(&self, state: &TableState<S>) -> bool {
        if state.fault.is_some() {
            // Another property's counterexample.
            return true;
        }
        let known = digest(&state.machines());
        if self.recovered.lock().is_ok_and(|recovered| recovered.contains(&known)) {
            return true;
        }
        let state = TableState { network: Network::default(), ..state.clone() };
        let moves = || {
            let opened = self.opened(state.clone());
            opened.fault.is_none() && self.goes_on(opened.clone(), None) && self.is_replayed(opened)
        };
        // R-KEY-13: a plane that some worker has left is over.
        let in_second = state.workers.iter().any(|worker| worker.view().plane == 1);
        let moved = !self.job.moves() || moves();
        let switch_stays = state.is_sealed()
            || in_second
            || self.goes_on(state.clone(), None)
                && (0..self.job.workers()).all(|lost| self.goes_on(state.clone(), Some(lost)));
        let recovers =
            moved && switch_stays && (state.is_over() || in_second || self.is_replayed(state));
        if let (true, Ok(mut recovered)) = (recovers, self.recovered.lock()) {
            recovered.insert(known);
        }
        recovers
    }

    /// The workers and servers that are not in the second plane yet come there.
    fn opened(&self, mut state: TableState<S>) -> TableState<S> {
        let (workers, servers) = (0..self.job.workers(), 0..self.job.servers());
        let reads_first = |state: &TableState<S>, server: u16| {
            state.servers[usize::from(server)].view().store.plane == 0
        };
        for server in servers.clone() {
            if !reads_first(&state, server) {
                continue;
            }
            self.step(&mut state, 0, &TableStep::Seal(server));
            for worker in workers.clone() {
                let View { plane, replayed, .. } = state.workers[usize::from(worker)].view();
                if *plane == 0 && replayed >> server & 1 == 0 {
                    self.step(&mut state, 0, &TableStep::Replay(worker, server));
                }
            }
        }
        for worker in workers.clone() {
            if state.workers[usize::from(worker)].view().plane == 0 {
                self.step(&mut state, 0, &TableStep::Open(worker));
            }
        }
        for server in servers {
            for worker in workers.clone() {
                self.step(&mut state, 0, &TableStep::Opened(worker, server));
            }
        }
        state
    }

    /// The switch is lost: the servers seal, and the workers replay.
    fn is_replayed(&self, mut state: TableState<S>) -> bool {
        for server in 0..self.job.servers() {
            self.step(&mut state, 0, &TableStep::Seal(server));
            for worker in 0..self.job.workers() {
                if state.workers[usize::from(worker)].view().replayed >> server & 1 == 0 {
                    self.step(&mut state, 0, &TableStep::Replay(worker, server));
                }
            }
        }
        state.fault.is_none() && self.is_counted(&state, None)
    }

    /// The workers push, but for one that is lost, and the servers read.
    fn goes_on(&self, mut state: TableState<S>, lost: Option<u16>) -> bool {
        let mut run = Run { model: self, lost, now_us: 0, under_way: VecDeque::new() };
        if let Some(lost) = lost {
            Arc::make_mut(&mut state.workers[usize::from(lost)]).stop();
        }
        let mut found_empty = vec![0_usize; state.servers.len()];
        for _ in 0..MOST_TIMEOUTS {
            if !run.settle(&mut state) {
                return false;
            }
            if !run.is_acknowledged(&state) {
                continue;
            }
            state.servers.iter_mut().for_each(|server| Arc::make_mut(server).empty = false);
            for server in 0..self.job.servers() {
                run.take(&mut state, &TableStep::Ask(server));
                if !run.settle(&mut state) {
                    return false;
                }
            }
            for (count, server) in found_empty.iter_mut().zip(&state.servers) {
                *count += usize::from(server.empty);
            }
            // A server may be told first what each switch had found before (R-KEY-18).
            let empty = found_empty.iter().all(|count| *count > self.job.levels());
            if state.nodes[0].is_gone() || empty && !state.is_over() {
                return self.is_counted(&state, lost);
            }
        }
        false
    }

    /// Returns whether each push is in all sums of its ranks, once; or in none, if it need not be
    /// counted: it is not acknowledged, and its worker is lost or the job over.
    fn is_counted(&self, state: &TableState<S>, lost: Option<u16>) -> bool {
        (0..self.job.workers()).all(|worker| {
            let may_miss = state.is_over() || lost == Some(worker);
            let View { progress, plane, .. } = state.workers[usize::from(worker)].view();
            let before = (0..*plane).flat_map(|plane| self.job.pushes(worker, plane));
            let before = before.map(|(number, ranks)| (number, ranks, true));
            let own = (0..).zip(self.job.pushes(worker, *plane));
            let own =
                own.map(|(own, (number, ranks))| (number, ranks, progress.is_acknowledged(own)));
            before.chain(own).all(|(number, ranks, acknowledged)| {
                let mut counts = ranks.iter().map(|rank| self.count(state, worker, number, *rank));
                let first = counts.next().unwrap_or(1);
                counts.all(|count| count == first)
                    && (first == 1 || first == 0 && may_miss && !acknowledged)
            })
        })
    }
}

/// A job that goes on.
struct Run<'a, S: TableSwitch> {
    model: &'a TableModel<S>,
    lost: Option<u16>,
    now_us: u64,
    under_way: VecDeque<TableDatagram>,
}

impl<S: TableSwitch> Run<'_, S> {
    fn take(&mut self, state: &mut TableState<S>, step: &TableStep) {
        self.under_way.extend(self.model.step(state, self.now_us, step));
    }

    /// Delivers all that is under way, and then goes on to the next timer, until no timer runs.
    /// Returns false if that comes to a fault, or to no end.
    fn settle(&mut self, state: &mut TableState<S>) -> bool {
        for _ in 0..MOST_TIMEOUTS {
            while let Some(datagram) = self.under_way.pop_front() {
                self.take(state, &TableStep::Deliver(datagram));
            }
            if state.fault.is_some() {
                return false;
            }
            let workers = state.workers.iter_mut();
            let workers = workers.filter_map(|worker| Arc::make_mut(worker).poll_timeout());
            let servers = state.servers.iter_mut();
            let servers = servers.filter_map(|server| Arc::make_mut(server).poll_timeout());
            let Some(due_us) = workers.chain(servers).min() else { return true };
            if state.nodes[0].is_gone() {
                // Nobody answers any more, and nothing is left to be asked for.
                return true;
            }
            self.now_us = self.now_us.max(due_us);
            for worker in 0..self.model.job.workers() {
                self.take(state, &TableStep::Time(Peer::Worker(worker)));
            }
            for server in 0..self.model.job.servers() {
                self.take(state, &TableStep::Time(Peer::Server(server)));
            }
        }
        false
    }

    /// Returns whether nothing more is pushed.
    fn is_acknowledged(&self, state: &TableState<S>) -> bool {
        (0..).zip(&state.workers).all(|(worker, machine)| {
            self.lost == Some(worker)
                || machine.view().stopped
                || machine.view().progress.is_acknowledged_whole()
        })
    }
}
