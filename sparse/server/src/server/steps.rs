//! Pulls, the ends of steps, and flushes: what waits, and for what (R-SERVE-4 to R-SERVE-6).

use super::entry::Entry;
use super::fault::Fault;
use super::{ConnectionId, Server};
use crate::message::Reply;
use crate::report::WaitReport;
use crate::store::Store;

/// Pulls of one connection that may wait.
const MOST_PULLS: usize = 1024;

/// What waits.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    pulls: Vec<Pull>,
    flushes: Vec<Flush>,
    /// The step that all workers have ended, and the generation that was open then.
    step: Option<(u32, Barrier)>,
}

#[derive(Debug)]
struct Pull {
    connection: ConnectionId,
    id: u32,
    /// The step that must be applied.
    step: u32,
    keys: Vec<u32>,
    since_us: u64,
}

#[derive(Debug)]
struct Flush {
    connection: ConnectionId,
    id: u32,
    /// Entries of the log that must be stored.
    entries: u64,
    barrier: Barrier,
}

/// The generation that was open at a time, which is known when the switch has answered a question
/// that was asked later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Barrier {
    /// Questions after this one tell.
    pub asked: u64,
    pub open: Option<u32>,
}

/// What is wanted of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wanted {
    /// Nothing but what time calls for.
    Nothing,
    /// That this generation is closed, if it is open.
    Closed(u32),
    /// The number of the open generation.
    Open,
}

impl Barrier {
    fn wanted(&self) -> Wanted {
        self.open.map_or(Wanted::Open, Wanted::Closed)
    }
}

impl Waiting {
    fn barriers(&mut self) -> impl Iterator<Item = &mut Barrier> {
        let flushes = self.flushes.iter_mut().map(|flush| &mut flush.barrier);
        flushes.chain(self.step.as_mut().map(|(_, barrier)| barrier))
    }

    /// Learns that `open` was open when question `asked` was answered, and whether it was empty:
    /// then all that was pushed before the question is in those before it.
    pub fn opened(&mut self, asked: u64, open: u32, empty: bool) {
        let last = if empty { open - 1 } else { open };
        for barrier in self.barriers().filter(|barrier| barrier.asked < asked) {
            barrier.open = Some(barrier.open.map_or(last, |known| known.min(last)));
        }
    }

    /// Takes the barriers for those of another plane, from now on.
    pub fn begin_plane(&mut self, asked: u64) {
        self.barriers().for_each(|barrier| *barrier = Barrier { asked, open: None });
    }

    pub fn wanted(&self) -> Wanted {
        let flushes = self.flushes.iter().map(|flush| &flush.barrier);
        let barriers = flushes.chain(self.step.as_ref().map(|(_, barrier)| barrier));
        barriers.map(Barrier::wanted).max().unwrap_or(Wanted::Nothing)
    }

    /// Returns what there is to tell of the pulls that wait.
    pub fn report(&self, now_us: u64) -> Option<WaitReport> {
        let first = self.pulls.iter().min_by_key(|pull| pull.since_us)?;
        let for_ms = now_us.saturating_sub(first.since_us) / 1000;
        Some(WaitReport { pulls: self.pulls.len(), step: first.step, for_ms })
    }

    pub fn forget(&mut self, connection: ConnectionId) {
        self.pulls.retain(|pull| pull.connection != connection);
        self.flushes.retain(|flush| flush.connection != connection);
    }
}

impl<S: Store> Server<S> {
    pub(super) fn pull(
        &mut self,
        connection: ConnectionId,
        id: u32,
        step: Option<u32>,
        keys: Vec<u32>,
    ) -> Result<(), Fault> {
        let staleness = self.table().terms.table.staleness;
        // Step t needs step t - B - 1; the first B + 1 steps need none.
        let needed = step.zip(staleness).and_then(|(step, b)| step.checked_sub(b)?.checked_sub(1));
        let applied = self.table().applied;
        match needed.filter(|needed| applied.is_none_or(|applied| applied < *needed)) {
            None => self.answer_pull(connection, id, &keys),
            Some(step) => {
                let of_this = |pull: &&Pull| pull.connection == connection;
                if self.waiting.pulls.iter().filter(of_this).count() == MOST_PULLS {
                    return Err(Fault::Refused(format!("more than {MOST_PULLS} pulls wait")));
                }
                let since_us = self.now_us;
                self.waiting.pulls.push(Pull { connection, id, step, keys, since_us });
                Ok(())
            }
        }
    }

    fn answer_pull(&mut self, at: ConnectionId, id: u32, keys: &[u32]) -> Result<(), Fault> {
        let rows = self.table().pull(keys)?;
        self.counted.pulls += 1;
        self.counted.rows_pulled += keys.len() as u64;
        self.reply(at, Reply::Rows { id, rows });
        Ok(())
    }

    pub(super) fn flush(&mut self, connection: ConnectionId, id: u32) {
        let (entries, barrier) = (self.commits.entries(), self.reading.barrier(self.servers()));
        self.waiting.flushes.push(Flush { connection, id, entries, barrier });
    }

    fn servers(&self) -> u16 {
        self.table.as_ref().map_or(1, |table| table.terms.servers)
    }

    /// Does all that the last input has made possible.
    pub(super) fn progress(&mut self) -> Result<(), Fault> {
        if self.table.is_none() {
            return Ok(());
        }
        while self.advance_step()? {}
        self.answer_flushes();
        self.ask();
        Ok(())
    }

    /// Applies the next step if all of it is there, and returns whether it did.
    fn advance_step(&mut self) -> Result<bool, Fault> {
        let servers = self.servers();
        let table = self.table.as_ref().expect("there is a table");
        let Some(next) = table.next_step().filter(|_| table.terms.table.staleness.is_some()) else {
            self.waiting.step = None;
            return Ok(false);
        };
        let barrier = match self.waiting.step {
            Some((step, barrier)) if step == next => barrier,
            _ => self.reading.barrier(servers),
        };
        self.waiting.step = Some((next, barrier));
        let there = match table.live() {
            Some(epoch) => barrier.open.is_some_and(|open| open <= epoch.generation),
            None => (0..table.terms.workers).all(|rank| table.replayed(rank)),
        };
        if !there {
            return Ok(false);
        }
        self.waiting.step = None;
        self.log(Entry::Step { step: next })?;
        self.counted.steps += 1;
        let mut pulls = core::mem::take(&mut self.waiting.pulls);
        for pull in pulls.extract_if(.., |pull| pull.step <= next) {
            match self.answer_pull(pull.connection, pull.id, &pull.keys) {
                Err(Fault::Refused(why)) => self.refuse(pull.connection, why),
                done => done?,
            }
        }
        pulls.retain(|pull| self.connections.contains_key(&pull.connection));
        self.waiting.pulls = pulls;
        Ok(true)
    }

    fn answer_flushes(&mut self) {
        let table = self.table.as_ref().expect("there is a table");
        let (live, commits, connections) = (table.live(), &self.commits, &self.connections);
        let done = |flush: &mut Flush| {
            // What the worker has pushed to a switch before comes as replays (R-KEY-10), or in a
            // generation of a plane that this server does not read yet (R-SERVE-10).
            let rank = connections.get(&flush.connection).map(|at| at.rank);
            if live.is_none() && rank.is_none_or(|rank| !table.replayed(rank)) {
                flush.entries = commits.entries();
                return false;
            }
            let generation = live.is_none_or(|epoch| {
                let stored = commits.generation(epoch.number());
                flush.barrier.open.is_some_and(|open| open <= stored)
            });
            flush.entries <= commits.done.entries && generation
        };
        let done: Vec<_> = self.waiting.flushes.extract_if(.., done).collect();
        done.into_iter().for_each(|flush| {
            self.reply(flush.connection, Reply::Flushed { id: flush.id });
        });
    }
}
