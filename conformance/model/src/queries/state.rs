//! A state of a query.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use netfold_switch::query::Query;
use netfold_wire::{QueryPacket, QueryRepr};
use netfold_worker::rows::{Master, MasterEvent, MasterSlot, Sender};

use super::job::{QueryJob, Row};
use crate::network::{Network, digest};

/// An end of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QueryEnd {
    /// An attempt, by its place among all.
    Attempt(usize),
    /// The switch.
    Switch,
    /// The master.
    Master,
}

/// A datagram of a query.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct QueryDatagram {
    /// Its destination.
    pub to: QueryEnd,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
}

impl fmt::Debug for QueryDatagram {
    /// Writes the fields that matter in a counterexample.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(packet) = QueryPacket::new_checked(&self.bytes) else {
            return write!(f, "{} bytes to {:?}", self.bytes.len(), self.to);
        };
        let QueryRepr { kind, epoch, partition, attempt, sequence, place, rows, .. } = packet.repr;
        write!(f, "{kind:?} {sequence} to {:?}: epoch {}, ", self.to, epoch.0)?;
        write!(f, "partition {partition}, attempt {attempt}, place {place}, {rows} rows")?;
        let flags = [
            (packet.repr.answer, "answer"),
            (packet.repr.forwarded, "forwarded"),
            (packet.repr.counted, "counted"),
            (packet.repr.ahead, "ahead"),
            (packet.repr.last, "last"),
        ];
        flags.iter().filter(|(set, _)| *set).try_for_each(|(_, name)| write!(f, ", {name}"))
    }
}

/// An attempt of a partition.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) partition: u32,
    /// Its rows, in its order.
    pub(super) rows: Vec<Row>,
    /// The number of switches that were lost before it began, or went on at this one.
    pub(super) switches: u32,
    pub(super) sender: Sender,
}

impl Attempt {
    /// Returns its number in the query.
    pub(super) fn number(&self) -> u32 {
        self.sender.config().attempt
    }

    /// Returns the datagrams that it sends.
    pub(super) fn drain(&mut self, index: usize, now_us: u64) -> Vec<QueryDatagram> {
        debug_assert_eq!(usize::from(self.sender.config().worker.0), index, "its own worker");
        let mut sent = Vec::new();
        while let Some(bytes) = self.sender.poll_transmit(now_us) {
            sent.push(QueryDatagram { to: QueryEnd::Switch, bytes: bytes.into() });
        }
        sent
    }

    /// Returns the rows that survive, once all have a verdict.
    pub(super) fn survivors(&self) -> Option<Vec<Row>> {
        let mut bits = vec![0; self.rows.len().div_ceil(64)];
        self.sender.is_settled().then(|| {
            self.sender.clone().take_verdicts(&mut bits);
            let survives = |at: usize| bits[at / 64] >> (at % 64) & 1 == 1;
            (0..self.rows.len()).filter(|at| survives(*at)).map(|at| self.rows[at]).collect()
        })
    }
}

/// The answer, as the master has told it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Answer {
    /// Survivors of the partitions that are committed.
    pub(super) rows: BTreeMap<u32, Vec<Row>>,
    pub(super) slots: Vec<(u64, Vec<u64>)>,
    pub(super) is_done: bool,
    /// Something was told twice.
    pub(super) is_doubled: bool,
}

impl Answer {
    pub(super) fn take(&mut self, event: MasterEvent) {
        let slot = |slot: MasterSlot| (slot.key, slot.accumulators);
        match event {
            MasterEvent::Committed { partition, survivors, slots, .. } => {
                let rows = survivors.iter().flat_map(|part| {
                    let values = part.columns[0].iter().copied();
                    part.keys.iter().copied().zip(values)
                });
                self.is_doubled |= self.rows.insert(partition, rows.collect()).is_some();
                self.slots.extend(slots.into_iter().map(slot));
            }
            MasterEvent::Done { slots } => {
                self.is_doubled |= self.is_done;
                self.is_done = true;
                self.slots.extend(slots.into_iter().map(slot));
            }
            MasterEvent::Sealed | MasterEvent::Full => {}
        }
    }
}

/// A state of a query: its machines, and the network.
#[derive(Clone)]
pub struct QueryState {
    pub(super) attempts: Vec<Arc<Attempt>>,
    pub(super) switch: Arc<Query>,
    pub(super) master: Arc<Master>,
    pub(super) network: Network<QueryDatagram>,
    pub(super) answer: Answer,
    /// Switches that were lost.
    pub(super) lost: u32,
    /// Attempts that were given up, a bit for each.
    pub(super) given_up: u32,
}

impl QueryState {
    /// Returns what tells one state from another, but for the network.
    pub(super) fn machines(&self) -> u64 {
        let attempts = self.attempts.iter().map(|attempt| {
            digest(&(attempt.partition, &attempt.rows, attempt.switches, attempt.sender.state()))
        });
        let attempts: Vec<u64> = attempts.collect();
        let machines = (self.switch.state(), self.master.state());
        digest(&(attempts, machines, &self.answer, self.lost, self.given_up))
    }

    /// Returns the survivors of one attempt of each partition, in all ways to choose it among those
    /// that have their verdicts.
    pub(super) fn choices(&self, job: &QueryJob) -> Vec<Vec<Row>> {
        let mut all = vec![Vec::new()];
        for partition in 0..job.partitions().len() as u32 {
            let attempts = self.attempts.iter().filter(|attempt| attempt.partition == partition);
            let settled: Vec<Vec<Row>> =
                attempts.filter_map(|attempt| attempt.survivors()).collect();
            let with = |rows: &Vec<Row>| {
                let both = settled.iter().map(|more| [&rows[..], more].concat());
                both.collect::<Vec<Vec<Row>>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }
}

impl PartialEq for QueryState {
    fn eq(&self, other: &Self) -> bool {
        self.machines() == other.machines() && self.network == other.network
    }
}

impl Eq for QueryState {}

impl Hash for QueryState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.machines().hash(state);
        self.network.hash(state);
    }
}

impl fmt::Debug for QueryState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryState")
            .field("attempts", &self.attempts)
            .field("network", &self.network)
            .field("answer", &self.answer)
            .field("lost", &self.lost)
            .finish_non_exhaustive()
    }
}
