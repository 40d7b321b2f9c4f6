//! Queries (R-QRY): attempts stream rows past a switch, and the answer is exact, whatever the
//! network does, whichever attempts are lost, and when the switch is.

mod job;
mod recovery;
mod state;

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::{Arc, Mutex};

use netfold_switch::query::{Query, QuerySpec, Receiver};
use netfold_wire::{Epoch, Integrity, JobId, QueryPacket, WorkerId};
use netfold_worker::rows::{Master, MasterConfig, Sender, SenderConfig};

use crate::model::Property;
use crate::network::Network;
use crate::search::{self, Counterexample, Explored};
pub use job::QueryJob;
use job::{DATAGRAM_BYTES, ROW_DATAGRAM_BYTES};
use state::Attempt;
pub use state::{QueryDatagram, QueryEnd, QueryState};

/// A rule that is broken, so that a test can see the search find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryRule {
    /// R-QRY-28: an attempt has a number of its own.
    Numbers,
    /// R-QRY-30: a query that goes on at another switch has the next epoch there.
    Epoch,
    /// R-QRY-30: the master of a sum drops everything when the switch is lost.
    Drop,
    /// R-QRY-30: the partitions of a sum are streamed again when the switch is lost.
    Restart,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum QueryStep {
    /// The network delivers a datagram, and keeps it.
    Deliver(QueryDatagram),
    /// A further attempt of a partition begins.
    Begin(u32),
    /// The master hears that the task of an attempt has failed.
    GiveUp(usize),
    /// The switch is lost, and the query goes on at another one.
    Lose,
}

/// A query, and the machines that carry it out: `netfold_worker::rows::Sender` and `Master`, and
/// `netfold_switch::query::Query`.
///
/// An attempt that is lost takes no more steps, as in any run in which the network delivers nothing
/// more to it. Datagrams that are sent again are in the network already. A switch that is lost
/// takes no more steps once the query goes on at another one.
pub struct QueryModel {
    job: Arc<QueryJob>,
    broken: Option<QueryRule>,
    /// States of machines from which the answer was reached, by their hashes.
    recovered: Mutex<HashSet<u64>>,
}

const JOB: JobId = JobId(1);

/// The first epoch.
const EPOCH: u32 = 1;

/// Most packets of an attempt that are under way. All rows of a partition are.
const WINDOW: u16 = 16;

impl QueryModel {
    /// Returns the model of a query.
    pub fn new(job: QueryJob) -> Self {
        Self { job: Arc::new(job), broken: None, recovered: Mutex::default() }
    }

    /// The same with a rule that is broken.
    #[must_use]
    pub fn without(self, rule: QueryRule) -> Self {
        Self { broken: Some(rule), ..self }
    }

    /// Goes through all states, nearest first, until one is found in which a property does not
    /// hold.
    pub fn explore(self, threads: NonZero<usize>) -> Explored {
        search::explore(self, threads)
    }

    /// Goes through the states until one is found in which this property does not hold.
    pub fn break_property(
        self,
        property: Property,
        threads: NonZero<usize>,
    ) -> Option<Counterexample> {
        search::break_property(self, property, threads)
    }

    fn epoch(&self, lost: u32) -> Epoch {
        Epoch(if self.broken == Some(QueryRule::Epoch) { EPOCH } else { EPOCH + lost })
    }

    fn query(&self, lost: u32) -> Query {
        let spec = QuerySpec {
            job: JOB,
            epoch: self.epoch(lost),
            workers: self.job.most_attempts() as u16 + self.job.partitions().len() as u16,
            partitions: self.job.partitions().len() as u32,
            attempts: self.job.tables(),
            datagram_bytes: DATAGRAM_BYTES,
            program: self.job.program(),
            integrity: Integrity::Checksum,
        };
        Query::new(spec).expect("the query can be like this")
    }

    fn master(&self) -> Master {
        Master::new(MasterConfig {
            job: JOB,
            epoch: self.epoch(0),
            partitions: self.job.partitions().len() as u32,
            sum_words: self.job.sum_words(),
            rto_us: 1000,
            memory_bytes: 1 << 20,
            integrity: Integrity::Checksum,
        })
    }

    /// Begins a further attempt of a partition. Returns the datagrams to send.
    fn begin(&self, state: &mut QueryState, partition: u32) -> Vec<QueryDatagram> {
        let index = state.attempts.len();
        let number = if self.broken == Some(QueryRule::Numbers) { 0 } else { index as u32 };
        let mut sender = Sender::new(SenderConfig {
            job: JOB,
            epoch: self.epoch(state.lost),
            worker: WorkerId(index as u16),
            partition,
            attempt: 1 + number,
            build: false,
            verdicts: self.job.asks_for_verdicts(),
            keys: true,
            columns: 1,
            datagram_bytes: ROW_DATAGRAM_BYTES,
            window: WINDOW,
            rto_us: 1000,
            integrity: Integrity::Checksum,
        });
        // An engine reads the rows of a partition in any order.
        let mut rows = self.job.partitions()[partition as usize].clone();
        if index % 2 == 1 {
            rows.reverse();
        }
        assert_eq!(sender.packet_rows(), 1, "a packet for each row");
        let (keys, values): (Vec<u64>, Vec<i64>) = rows.iter().copied().unzip();
        assert_eq!(sender.push(&keys, &[&values]), rows.len(), "the window takes all rows");
        match self.job.asks_for_verdicts() {
            true => sender.flush(),
            false => sender.finish(),
        }
        let mut attempt = Attempt { partition, rows, switches: state.lost, sender };
        let sent = attempt.drain(index, 0);
        state.attempts.push(Arc::new(attempt));
        sent
    }

    /// Takes a step at a time in microseconds. Returns the datagrams to send.
    fn step(&self, state: &mut QueryState, now_us: u64, step: &QueryStep) -> Vec<QueryDatagram> {
        match *step {
            QueryStep::Begin(partition) => self.begin(state, partition),
            QueryStep::GiveUp(index) => {
                state.given_up |= 1 << index;
                let number = state.attempts[index].number();
                let partition = state.attempts[index].partition;
                Arc::make_mut(&mut state.master).give_up(partition, number);
                self.hear(state, now_us)
            }
            QueryStep::Lose => self.lose(state),
            QueryStep::Deliver(ref datagram) => {
                let Ok(packet) = QueryPacket::new_checked(&datagram.bytes) else {
                    return Vec::new();
                };
                match datagram.to {
                    QueryEnd::Switch => {
                        let mut out = vec![0; DATAGRAM_BYTES as usize];
                        let query = Arc::make_mut(&mut state.switch);
                        let sent = query.handle(&packet, &mut out).ok().flatten();
                        let sent = sent.map(|(receiver, len)| {
                            let to = match receiver {
                                Receiver::Worker(worker) => QueryEnd::Attempt(worker.0.into()),
                                Receiver::Master => QueryEnd::Master,
                            };
                            QueryDatagram { to, bytes: out[..len].into() }
                        });
                        sent.into_iter().collect()
                    }
                    QueryEnd::Master => {
                        Arc::make_mut(&mut state.master).handle(&packet);
                        self.hear(state, now_us)
                    }
                    QueryEnd::Attempt(index) => {
                        let Some(attempt) = state.attempts.get_mut(index) else {
                            return Vec::new();
                        };
                        let attempt = Arc::make_mut(attempt);
                        attempt.sender.handle(&packet, now_us);
                        attempt.drain(index, now_us)
                    }
                }
            }
        }
    }

    /// R-QRY-30
    fn lose(&self, state: &mut QueryState) -> Vec<QueryDatagram> {
        state.lost += 1;
        state.switch = Arc::new(self.query(state.lost));
        let epoch = self.epoch(state.lost);
        let sums = self.job.sum_words() > 0;
        if !(sums && self.broken == Some(QueryRule::Drop)) {
            Arc::make_mut(&mut state.master).reopen(JOB, epoch);
            if sums {
                state.answer = Default::default();
            }
        }
        if self.broken != Some(QueryRule::Epoch) {
            // Nobody takes a packet of another epoch.
            state.network = Network::default();
        }
        let mut sent = self.hear(state, 0);
        if !sums || self.broken == Some(QueryRule::Restart) {
            for (index, attempt) in state.attempts.iter_mut().enumerate() {
                let attempt = Arc::make_mut(attempt);
                attempt.sender.reopen(JOB, epoch);
                attempt.switches = state.lost;
                sent.extend(attempt.drain(index, 0));
            }
        }
        sent
    }

    /// Takes the events of the master. Returns the datagrams that it sends.
    fn hear(&self, state: &mut QueryState, now_us: u64) -> Vec<QueryDatagram> {
        let master = Arc::make_mut(&mut state.master);
        while let Some(event) = master.poll_event() {
            state.answer.take(event);
        }
        let sent = std::iter::from_fn(|| master.poll_transmit(now_us));
        sent.map(|bytes| QueryDatagram { to: QueryEnd::Switch, bytes: bytes.into() }).collect()
    }

    /// Returns whether the answer is the exact one, as far as it is there.
    fn is_exact(&self, state: &QueryState) -> bool {
        if self.job.asks_for_verdicts() {
            return state.choices(&self.job).iter().all(|rows| self.job.is_answered_by(rows));
        }
        !state.answer.is_doubled && (!state.answer.is_done || self.job.is_exact(&state.answer))
    }

    fn is_done(&self, state: &QueryState) -> bool {
        match self.job.asks_for_verdicts() {
            true => !state.choices(&self.job).is_empty(),
            false => state.answer.is_done,
        }
    }
}

impl stateright::Model for QueryModel {
    type State = QueryState;
    type Action = QueryStep;

    fn init_states(&self) -> Vec<QueryState> {
        vec![QueryState {
            attempts: Vec::new(),
            switch: Arc::new(self.query(0)),
            master: Arc::new(self.master()),
            network: Network::default(),
            answer: Default::default(),
            lost: 0,
            given_up: 0,
        }]
    }

    fn actions(&self, state: &QueryState, steps: &mut Vec<QueryStep>) {
        steps.extend(state.network.iter().cloned().map(QueryStep::Deliver));
        if state.attempts.len() < self.job.most_attempts() {
            steps.extend((0..self.job.partitions().len() as u32).map(QueryStep::Begin));
        }
        if self.job.gives_up() {
            let there = 0..state.attempts.len();
            let alive = there.filter(|index| state.given_up >> index & 1 == 0);
            steps.extend(alive.map(QueryStep::GiveUp));
        }
        if state.lost < self.job.most_lost() {
            steps.push(QueryStep::Lose);
        }
    }

    fn next_state(&self, last: &QueryState, step: QueryStep) -> Option<QueryState> {
        let mut state = last.clone();
        let sent = self.step(&mut state, 0, &step);
        state.network.extend(&sent);
        (state != *last).then_some(state)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        let always = stateright::Property::<Self>::always;
        vec![
            always(Property::Exact.name(), |model, state| model.is_exact(state)),
            always(Property::Recovers.name(), |model, state| model.recovers(state)),
            stateright::Property::sometimes(Property::Completes.name(), |model, state| {
                model.is_done(state) && state.lost == model.job.most_lost()
            }),
        ]
    }
}
