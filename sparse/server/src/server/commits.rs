//! Entries on their way to the store (R-SERVE-8).

use std::collections::VecDeque;
use std::sync::Arc;

use super::entry::Entry;
use super::table::Table;
use super::{Output, Server};
use crate::message::Pushed;
use crate::store::{Checkpoint, Store};

/// Numbers of what is stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Numbers {
    /// By rank: the session, and its last change.
    pub sessions: Vec<(Option<u64>, u64)>,
    /// Planes at switches.
    pub planes: Vec<PlaneNumbers>,
    /// The last step that is applied.
    pub applied: Option<u32>,
    /// The rows of every rank have come from the former servers.
    pub whole: bool,
    /// The last entry of the log, counted from the start of the process.
    pub entries: u64,
}

/// Numbers of a plane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlaneNumbers {
    epoch: u32,
    /// The last generation.
    generation: u32,
    /// The pushes of each worker that it has, with those before it.
    counts: Arc<[u32]>,
    sealed: bool,
}

impl Numbers {
    fn of<S>(table: &Table<S>, entries: u64) -> Self {
        let sessions = table.workers.iter().map(|worker| (worker.session, worker.number));
        let planes = table.planes.iter();
        let planes = planes.map(|plane| PlaneNumbers {
            epoch: plane.number(),
            generation: plane.generation,
            counts: Arc::clone(plane.counts()),
            sealed: plane.sealed,
        });
        let (sessions, planes) = (sessions.collect(), planes.collect());
        Self { sessions, planes, applied: table.applied, whole: table.whole, entries }
    }
}

/// Batches of the log. While one is being stored, entries gather for the next (group commit).
#[derive(Debug)]
pub(super) struct Commits {
    durable: bool,
    /// The entries that no batch has yet.
    gathered: Vec<u8>,
    entries: u64,
    /// Entries up to this one are in a batch.
    sent: u64,
    batch: u64,
    flying: VecDeque<(u64, Numbers)>,
    /// The numbers that are stored.
    pub done: Numbers,
    log_bytes: usize,
    most_log_bytes: usize,
    checkpointing: bool,
    checkpoint_wanted: bool,
}

impl Commits {
    pub fn new(durable: bool, most_log_bytes: usize) -> Self {
        Self {
            durable,
            gathered: Vec::new(),
            entries: 0,
            sent: 0,
            batch: 0,
            flying: VecDeque::new(),
            done: Numbers::default(),
            log_bytes: 0,
            most_log_bytes,
            checkpointing: false,
            checkpoint_wanted: false,
        }
    }

    /// Goes on after a batch that a process before has stored.
    pub fn recovered(&mut self, batch: u64, bytes: usize) {
        self.batch = batch;
        self.log_bytes += bytes;
    }

    /// Takes what a process before has stored.
    pub fn begin<S>(&mut self, table: &Table<S>) {
        self.done = Numbers::of(table, 0);
    }

    pub fn append(&mut self, entry: &Entry<'_>) {
        self.entries += 1;
        if self.durable {
            entry.encode(&mut self.gathered);
        }
    }

    pub const fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns the number of a session that is stored.
    pub fn number(&self, rank: u16, session: u64) -> u64 {
        let stored = self.done.sessions.get(usize::from(rank)).copied();
        stored.filter(|(own, _)| *own == Some(session)).map_or(0, |(_, number)| number)
    }

    /// Returns the generation of an epoch that is stored.
    pub fn generation(&self, epoch: u32) -> u32 {
        self.plane(epoch).map_or(0, |done| done.generation)
    }

    /// Returns the pushes of a worker in an epoch that are stored.
    pub fn pushed(&self, rank: u16, epoch: u32) -> Pushed {
        let count = self.plane(epoch).and_then(|done| done.counts.get(usize::from(rank)));
        Pushed { epoch, count: count.copied().unwrap_or(0) }
    }

    /// Returns whether the seal of an epoch is stored.
    pub fn sealed(&self, epoch: u32) -> bool {
        self.plane(epoch).is_some_and(|done| done.sealed)
    }

    fn plane(&self, epoch: u32) -> Option<&PlaneNumbers> {
        self.done.planes.iter().find(|done| done.epoch == epoch)
    }

    pub fn stored(&mut self, batch: u64) {
        while self.flying.front().is_some_and(|(number, _)| *number <= batch) {
            let (_, numbers) = self.flying.pop_front().expect("it was looked at");
            self.done = numbers;
        }
    }

    pub fn checkpointed(&mut self) {
        self.checkpointing = false;
    }

    pub fn request_checkpoint(&mut self) {
        self.checkpoint_wanted = true;
    }

    /// Returns whether a checkpoint is due.
    fn checkpoint_due(&self, dirty: usize, limit: usize) -> bool {
        let due =
            self.checkpoint_wanted || dirty > limit / 4 || self.log_bytes > self.most_log_bytes;
        self.durable && !self.checkpointing && due
    }

    /// Takes the entries that have gathered as a batch.
    fn take<S>(&mut self, table: &Table<S>) -> Option<Output> {
        if self.sent == self.entries {
            return None;
        }
        self.batch += 1;
        self.sent = self.entries;
        self.flying.push_back((self.batch, Numbers::of(table, self.entries)));
        let bytes = core::mem::take(&mut self.gathered);
        self.log_bytes += bytes.len();
        Some(Output::Commit { batch: self.batch, bytes })
    }
}

impl<S: Store> Server<S> {
    /// Puts what is to be stored among the outputs.
    pub(super) fn emit(&mut self) {
        if !self.commits.durable {
            return self.emit_nothing();
        }
        let Some(table) = &mut self.table else { return };
        let commits = &mut self.commits;
        let due = commits.checkpoint_due(table.rows.bytes().1, self.limits.memory_bytes);
        if commits.flying.is_empty() || due {
            self.outputs.extend(commits.take(table));
        }
        if due {
            commits.checkpoint_wanted = false;
            commits.checkpointing = true;
            commits.log_bytes = 0;
            let (meta, pages) = (super::meta::write(table), table.rows.take_changed());
            let drop = table.dropped;
            let checkpoint = Checkpoint { through: commits.batch, meta, pages, drop };
            self.outputs.push_back(Output::Checkpoint(checkpoint));
        }
    }

    /// Takes for stored what is in memory.
    fn emit_nothing(&mut self) {
        while let Some(table) = &self.table {
            if self.commits.take(table).is_none() {
                break;
            }
            let batch = self.commits.batch;
            // A fault has told all connections already.
            if self.stored(self.now_us, batch).is_err() {
                break;
            }
        }
    }
}
