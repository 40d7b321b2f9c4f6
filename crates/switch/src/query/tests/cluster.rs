//! A query's workers, switch and master in virtual time, on a network that loses, repeats and
//! reorders packets, with tasks and switches that are killed.

use std::collections::{BTreeMap, BTreeSet};

use netfold_num::hash_key;
use netfold_wire::{Epoch, Integrity, JobId, QueryPacket, RowProgram, WorkerId};
use netfold_worker::rows::{Master, MasterConfig, MasterEvent, Sender, SenderConfig};

use crate::query::{Query, QuerySpec, Receiver};

pub(super) const DATAGRAM_BYTES: u32 = 400;
const COLUMNS: u8 = 2;

/// A row of a partition: key, code, value.
pub(super) type Line = (u64, i64, i64);

/// A seeded generator.
pub(super) struct Random(u64, u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed, 0)
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.1 += 1;
        hash_key(self.1, self.0) % n
    }

    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// A query to run.
pub(super) struct Scenario {
    pub(super) program: RowProgram,
    /// Rows of each partition.
    pub(super) partitions: Vec<Vec<Line>>,
    /// Partitions of the build side, the first ones.
    pub(super) build: usize,
    /// Packets lost, and packets repeated, in a hundred.
    pub(super) loss: u64,
    /// Tasks are killed, or run twice.
    pub(super) kills: u64,
    /// The switch is lost once.
    pub(super) failover: bool,
    /// Rows stay at the workers, but for those of the build side (R-QRY-36).
    pub(super) verdicts: bool,
}

/// Result of the master in the end.
#[derive(Default)]
pub(super) struct Outcome {
    /// Rows that the answer is computed from: partition, number in the attempt, row.
    pub(super) rows: Vec<(u32, u64, Line)>,
    /// Rows of the attempts that are in the answer, in their order.
    pub(super) attempts: BTreeMap<u32, Vec<Line>>,
    /// Slots, in words.
    pub(super) slots: Vec<(u64, Vec<u64>)>,
    /// An attempt passed, or the switch was lost.
    pub(super) mixed: bool,
    pub(super) forwarded: u64,
}

struct Task {
    sender: Sender,
    partition: u32,
    lines: Vec<Line>,
    pushed: usize,
    /// Its rows stay with it.
    verdicts: bool,
}

enum To {
    Switch(Epoch),
    Master,
    Workers,
}

pub(super) struct Cluster {
    scenario: Scenario,
    random: Random,
    now_us: u64,
    /// Packets under way, by arrival.
    flying: BTreeMap<(u64, u64), (To, Vec<u8>)>,
    switch: Query,
    epoch: Epoch,
    master: Master,
    tasks: BTreeMap<u32, Task>,
    last_attempt: u32,
    committed: BTreeSet<u32>,
    /// Rows of each attempt, in its order.
    orders: BTreeMap<u32, Vec<Line>>,
    kills: u64,
    sealed: bool,
    outcome: Outcome,
}

impl Cluster {
    pub(super) fn new(scenario: Scenario, seed: u64) -> Self {
        let epoch = Epoch(1);
        let partitions = scenario.partitions.len() as u32;
        let sum_words = match scenario.program {
            RowProgram::GroupSum { sums, .. } => sums.words(),
            _ => 0,
        };
        let master = Master::new(MasterConfig {
            job: JobId(1),
            epoch,
            partitions,
            sum_words,
            rto_us: 2000,
            memory_bytes: 1 << 30,
            integrity: Integrity::Checksum,
        });
        let mut cluster = Self {
            switch: switch(&scenario, epoch),
            random: Random::new(seed),
            now_us: 0,
            flying: BTreeMap::new(),
            epoch,
            master,
            tasks: BTreeMap::new(),
            last_attempt: 0,
            committed: BTreeSet::new(),
            orders: BTreeMap::new(),
            kills: scenario.kills,
            sealed: scenario.build == 0,
            outcome: Outcome::default(),
            scenario,
        };
        // Probes wait for the filter.
        let first = if cluster.sealed { partitions } else { cluster.scenario.build as u32 };
        (0..first).for_each(|partition| cluster.start(partition));
        cluster
    }

    /// Runs to the end.
    pub(super) fn run(mut self) -> Outcome {
        let failover_us = 500 + self.random.below(20_000);
        let mut done = false;
        let mut steps = 0;
        while !done {
            steps += 1;
            assert!(steps < 2_000_000, "the query comes to an end");
            if self.scenario.failover && self.epoch.0 == 1 && self.now_us > failover_us {
                self.fail_over();
            }
            self.disturb();
            self.transmit();
            self.advance();
            while let Some(event) = self.master.poll_event() {
                done |= self.take(event);
            }
            self.take_judged();
            let all = self.committed.len() == self.scenario.partitions.len();
            done |= self.scenario.verdicts && all;
        }
        self.outcome.forwarded = self.switch.counters().forwarded;
        self.outcome
    }

    /// Starts an attempt of a partition, its rows in an order of its own.
    fn start(&mut self, partition: u32) {
        self.last_attempt += 1;
        let attempt = self.last_attempt;
        let mut lines = self.scenario.partitions[partition as usize].clone();
        for at in (1..lines.len()).rev() {
            lines.swap(at, self.random.below(at as u64 + 1) as usize);
        }
        let build = (partition as usize) < self.scenario.build;
        let verdicts = self.scenario.verdicts && !build;
        let sender = Sender::new(SenderConfig {
            job: JobId(1),
            epoch: self.epoch,
            worker: WorkerId((attempt % 3) as u16),
            partition,
            attempt,
            build,
            verdicts,
            keys: true,
            columns: COLUMNS,
            datagram_bytes: DATAGRAM_BYTES,
            window: 6,
            rto_us: 1000,
            integrity: Integrity::Checksum,
        });
        self.orders.insert(attempt, lines.clone());
        self.tasks.insert(attempt, Task { sender, partition, lines, pushed: 0, verdicts });
    }

    /// Kills a task, or runs one twice, now and then.
    fn disturb(&mut self) {
        if self.kills == 0 || !self.random.chance(2) || self.tasks.is_empty() {
            return;
        }
        self.kills -= 1;
        let at = self.random.below(self.tasks.len() as u64) as usize;
        let attempt = *self.tasks.keys().nth(at).unwrap();
        let partition = self.tasks[&attempt].partition;
        if self.tasks[&attempt].verdicts && self.random.chance(30) {
            // It hears nothing of the switch for too long, and goes on without it.
            let task = self.tasks.remove(&attempt).unwrap();
            self.take_rows(task);
            return;
        }
        if self.random.chance(60) {
            self.tasks.remove(&attempt);
            // The engine notices, sooner or later.
            if self.random.chance(70) {
                self.master.give_up(partition, attempt);
            }
        }
        if !self.committed.contains(&partition) {
            self.start(partition);
        }
    }

    fn fail_over(&mut self) {
        self.epoch = Epoch(2);
        self.outcome.mixed = true;
        self.switch = switch(&self.scenario, self.epoch);
        self.master.reopen(JobId(1), self.epoch);
        if matches!(self.scenario.program, RowProgram::GroupSum { .. }) {
            self.tasks.clear();
            self.committed.clear();
            self.outcome.rows.clear();
            self.outcome.slots.clear();
            let partitions = self.scenario.partitions.len() as u32;
            (0..partitions).for_each(|partition| self.start(partition));
        } else {
            for task in self.tasks.values_mut() {
                task.sender.reopen(JobId(1), self.epoch);
            }
        }
    }

    fn transmit(&mut self) {
        let mut out = Vec::new();
        for task in self.tasks.values_mut() {
            let rest = &task.lines[task.pushed..];
            let keys: Vec<u64> = rest.iter().map(|line| line.0).collect();
            let codes: Vec<i64> = rest.iter().map(|line| line.1).collect();
            let values: Vec<i64> = rest.iter().map(|line| line.2).collect();
            task.pushed += task.sender.push(&keys, &[&codes, &values]);
            match (task.pushed == task.lines.len(), task.verdicts) {
                (true, false) => task.sender.finish(),
                (true, true) => task.sender.flush(),
                _ => {}
            }
            while let Some(datagram) = task.sender.poll_transmit(self.now_us) {
                out.push(datagram.to_vec());
            }
        }
        while let Some(datagram) = self.master.poll_transmit(self.now_us) {
            out.push(datagram);
        }
        let epoch = self.epoch;
        out.into_iter().for_each(|datagram| self.send(&To::Switch(epoch), datagram));
    }

    fn send(&mut self, to: &To, datagram: Vec<u8>) {
        let copies = if self.random.chance(self.scenario.loss) {
            0
        } else {
            1 + u64::from(self.random.chance(self.scenario.loss))
        };
        for _ in 0..copies {
            let late = if self.random.chance(self.scenario.loss) { 5000 } else { 30 };
            let arrival = self.now_us + 10 + self.random.below(late);
            let to = match to {
                To::Switch(epoch) => To::Switch(*epoch),
                To::Master => To::Master,
                To::Workers => To::Workers,
            };
            let tie = self.random.below(u64::MAX);
            self.flying.insert((arrival, tie), (to, datagram.clone()));
        }
    }

    /// Takes the rows of tasks that have all verdicts.
    fn take_judged(&mut self) {
        let judged = |_: &u32, task: &mut Task| {
            task.verdicts && task.pushed == task.lines.len() && task.sender.is_settled()
        };
        let tasks: Vec<Task> = self.tasks.extract_if(.., judged).map(|(_, task)| task).collect();
        tasks.into_iter().for_each(|task| self.take_rows(task));
    }

    /// The engine takes what is left of a task's rows, if it has none of the partition. It may lose
    /// them again.
    fn take_rows(&mut self, mut task: Task) {
        if self.committed.contains(&task.partition) {
            return;
        }
        if self.kills > 0 && self.random.chance(30) {
            self.kills -= 1;
            self.start(task.partition);
            return;
        }
        self.committed.insert(task.partition);
        let mut bits = vec![u64::MAX; task.lines.len().div_ceil(64)];
        task.sender.take_verdicts(&mut bits);
        let rows = (0..).zip(&task.lines).filter(|(number, _)| {
            let at = *number as usize;
            at >= task.pushed || bits[at / 64] >> (at % 64) & 1 == 1
        });
        self.outcome.rows.extend(rows.map(|(number, line)| (task.partition, number, *line)));
    }

    /// Goes on to the next arrival or time-out.
    fn advance(&mut self) {
        let timeouts = self.tasks.values().filter_map(|task| task.sender.poll_timeout());
        let due = timeouts.chain(self.master.poll_timeout()).min();
        let arrival = self.flying.keys().next().map(|(at, _)| *at);
        let next = due.into_iter().chain(arrival).min();
        self.now_us = next.unwrap_or(self.now_us + 100).max(self.now_us);
        if arrival.is_none_or(|at| at > self.now_us) {
            let now_us = self.now_us;
            self.tasks.values_mut().for_each(|task| task.sender.handle_timeout(now_us));
            self.master.handle_timeout(now_us);
            return;
        }
        let (_, (to, datagram)) = self.flying.pop_first().unwrap();
        let packet = QueryPacket::new_checked(&datagram).unwrap();
        match to {
            To::Switch(epoch) if epoch == self.epoch => {
                let mut out = vec![0; DATAGRAM_BYTES as usize];
                // Packets of another epoch are refused.
                if let Ok(Some((receiver, len))) = self.switch.handle(&packet, &mut out) {
                    out.truncate(len);
                    let to = match receiver {
                        Receiver::Master => To::Master,
                        Receiver::Worker(_) => To::Workers,
                    };
                    self.send(&to, out);
                }
            }
            To::Switch(_) => {}
            To::Master => self.master.handle(&packet),
            To::Workers => {
                let now_us = self.now_us;
                self.tasks.values_mut().for_each(|task| task.sender.handle(&packet, now_us));
                self.tasks.retain(|_, task| !task.sender.is_done());
            }
        }
    }

    /// Returns whether it was the last event.
    fn take(&mut self, event: MasterEvent) -> bool {
        match event {
            MasterEvent::Committed { partition, attempt, counted, survivors, slots } => {
                assert!(self.committed.insert(partition), "a partition is committed once");
                self.outcome.mixed |= !counted;
                let order = self.orders[&attempt].clone();
                for packet in survivors {
                    let rows =
                        packet.keys.iter().zip(packet.columns[0].iter().zip(&packet.columns[1]));
                    for (number, (key, (code, value))) in packet.numbers().zip(rows) {
                        let line = (*key, *code, *value);
                        assert_eq!(order[number as usize], line, "a row is where it was");
                        self.outcome.rows.push((partition, number, line));
                    }
                }
                self.outcome.attempts.insert(partition, order);
                let slots = slots.into_iter().map(|slot| (slot.key, slot.accumulators));
                self.outcome.slots.extend(slots);
                let build = 0..self.scenario.build as u32;
                if !self.sealed && build.clone().all(|one| self.committed.contains(&one)) {
                    self.sealed = true;
                    self.master.seal();
                }
                false
            }
            MasterEvent::Sealed => {
                let build = self.scenario.build as u32;
                let partitions = self.scenario.partitions.len() as u32;
                (build..partitions).for_each(|partition| self.start(partition));
                false
            }
            MasterEvent::Done { slots } => {
                let slots = slots.into_iter().map(|slot| (slot.key, slot.accumulators));
                self.outcome.slots.extend(slots);
                true
            }
            MasterEvent::Full => panic!("there is enough memory"),
        }
    }
}

fn switch(scenario: &Scenario, epoch: Epoch) -> Query {
    let spec = QuerySpec {
        job: JobId(1),
        epoch,
        workers: 3,
        partitions: scenario.partitions.len() as u32,
        attempts: 2,
        datagram_bytes: DATAGRAM_BYTES,
        program: scenario.program,
        integrity: Integrity::Checksum,
    };
    Query::new(spec).unwrap()
}
