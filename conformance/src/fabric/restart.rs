//! Switches that are lost, and jobs that go on at others (R-RES).

use netfold_management::{FlowRounds, Replay, Resume, replays};
use rand::RngExt;

use super::{Fabric, Scheduled};
use crate::target::{Admitted, Target};

/// The longest that a worker takes to notice, and to hear that all are there, in microseconds.
const NOTICE_US: u64 = 5_000;

/// The state of a restart: the workers on the way from one switch to another.
pub(super) struct Restart {
    /// The rounds brought by each worker that has suspended its streams.
    brought: Vec<Option<Resume>>,
    suspended: Vec<bool>,
    /// Workers that are not back yet.
    away: usize,
    lost: bool,
    /// The answer of each flow's next target, and the rounds to replay there.
    next: (Vec<Admitted>, Vec<Replay>),
    /// Rounds that were replayed, over all restarts.
    replayed: usize,
}

impl Restart {
    pub(super) fn new(workers: u16) -> Self {
        let workers = usize::from(workers);
        Self {
            brought: vec![None; workers],
            suspended: vec![false; workers],
            away: 0,
            lost: false,
            next: Default::default(),
            replayed: 0,
        }
    }

    pub(super) fn switch_is_lost(&self) -> bool {
        self.lost
    }

    pub(super) fn is_suspended(&self, worker: u16) -> bool {
        self.suspended[usize::from(worker)]
    }
}

impl<T: Target> Fabric<T> {
    /// Loses all switches at `at_us`. Each worker notices some time later, and datagrams on their
    /// way to it until then still come. When the last worker has noticed, the job goes on. A job
    /// that is going on already is not lost again.
    pub fn lose_switch_at(&mut self, at_us: u64) {
        self.schedule(at_us, Scheduled::SwitchLost);
    }

    /// Rounds that had to be replayed so far.
    pub fn replayed(&self) -> usize {
        self.restart.replayed
    }

    pub(super) fn lose_switch(&mut self) {
        if self.restart.away > 0 {
            return;
        }
        self.restart.lost = true;
        self.restart.away = usize::from(self.setup.workers);
        for worker in 0..self.setup.workers {
            let at_us = self.now_us + self.rng.random_range(0..NOTICE_US);
            self.schedule(at_us, Scheduled::Suspend { worker });
        }
    }

    /// R-RES-2
    pub(super) fn suspend(&mut self, worker: u16) {
        self.restart.suspended[usize::from(worker)] = true;
        let rounds = (0..self.setup.flows)
            .map(|flow| {
                FlowRounds::new(self.stream(flow, worker).last_rounds().map(|round| round.0))
            })
            .collect();
        self.restart.brought[usize::from(worker)] =
            Some(Resume { epoch: 0, flows: rounds, regroup: None });
        if self.restart.brought.iter().all(Option::is_some) {
            self.take_over();
        }
    }

    /// R-RES-4: all are there.
    fn take_over(&mut self) {
        let brought: Vec<_> = self.restart.brought.iter_mut().filter_map(Option::take).collect();
        let replays = replays(&(0..).zip(&brought).collect::<Vec<_>>());
        let shape = self.setup.shape();
        let admit = |flow: &mut super::Flow<T>| {
            flow.target.release(flow.job);
            let admitted = flow.target.admit(&shape).expect("the job has fitted before");
            flow.job = admitted.job;
            admitted
        };
        self.restart.replayed += replays.len();
        self.restart.next = (self.flows.iter_mut().map(admit).collect(), replays);
        self.restart.lost = false;
        for worker in 0..self.setup.workers {
            let at_us = self.now_us + self.rng.random_range(0..NOTICE_US);
            self.schedule(at_us, Scheduled::Resume { worker });
        }
    }

    pub(super) fn resume(&mut self, worker: u16) {
        self.restart.suspended[usize::from(worker)] = false;
        self.restart.away -= 1;
        for flow in 0..self.setup.flows {
            let (admitted, replays) = &self.restart.next;
            let replays = Replay::on_flow(replays, flow);
            let config = self.setup.stream_config(admitted[usize::from(flow)], worker, flow);
            self.stream(flow, worker)
                .resume(config, &replays)
                .expect("workers of one job are at most a round apart (R-RES-4)");
            self.drive(flow, worker);
        }
    }
}
