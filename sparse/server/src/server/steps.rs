//! Pulls, the ends of steps, and flushes: what waits, and for what (R-SERVE-4 to R-SERVE-6).

use super::entry::Entry;
use super::fault::Fault;
use super::moving::Take;
use super::table::Table;
use super::{ConnectionId, Server};
use crate::message::{Pushed, Reply};
use crate::report::WaitReport;
use crate::store::Store;

/// Pulls of one connection that may wait.
const MOST_PULLS: usize = 1024;

/// Questions that wait.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    pulls: Vec<Pull>,
    flushes: Vec<Flush>,
    pub(super) takes: Vec<Take>,
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
    rank: u16,
    /// Pushes that must be in the rows, until they are.
    pushed: Option<Pushed>,
    /// Entries of the log that must be stored.
    entries: u64,
}

impl Waiting {
    /// Returns what there is to tell of the pulls that wait.
    pub fn report(&self, now_us: u64) -> Option<WaitReport> {
        let first = self.pulls.iter().min_by_key(|pull| pull.since_us)?;
        let for_ms = now_us.saturating_sub(first.since_us) / 1000;
        Some(WaitReport { pulls: self.pulls.len(), step: first.step, for_ms })
    }

    pub fn forget(&mut self, connection: ConnectionId) {
        self.pulls.retain(|pull| pull.connection != connection);
        self.flushes.retain(|flush| flush.connection != connection);
        self.takes.retain(|take| take.connection != connection);
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
        self.check_rows().map_err(Fault::Refused)?;
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

    pub(super) fn flush(&mut self, connection: ConnectionId, id: u32, pushed: Pushed) {
        let rank = self.connections[&connection].rank;
        let (pushed, entries) = (Some(pushed), 0);
        self.waiting.flushes.push(Flush { connection, id, rank, pushed, entries });
    }

    /// Returns whether a flush or a step waits for pushes to the switch.
    pub(super) fn awaits_pushes(&self, table: &Table<S>) -> bool {
        let lacks =
            |flush: &Flush| flush.pushed.is_some_and(|own| !table.has_pushed(flush.rank, &own));
        self.waiting.flushes.iter().any(lacks) || table.next_step().is_some() && !table.has_steps()
    }

    /// Does all that the last input has made possible.
    pub(super) fn progress(&mut self) -> Result<(), Fault> {
        if self.table.is_none() {
            return Ok(());
        }
        while self.advance_step()? {}
        self.end_list()?;
        self.answer_flushes();
        self.answer_takes()?;
        self.ask();
        Ok(())
    }

    /// Applies the next step if all of it is there, and returns whether it did.
    fn advance_step(&mut self) -> Result<bool, Fault> {
        let table = self.table.as_ref().expect("there is a table");
        let Some(next) = table.next_step().filter(|_| table.has_steps()) else { return Ok(false) };
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
        if !table.whole {
            return;
        }
        let commits = &self.commits;
        let done = |flush: &mut Flush| {
            if flush.pushed.take_if(|own| table.has_pushed(flush.rank, own)).is_some() {
                flush.entries = commits.entries();
            }
            flush.pushed.is_none() && flush.entries <= commits.done.entries
        };
        let done: Vec<_> = self.waiting.flushes.extract_if(.., done).collect();
        done.into_iter().for_each(|flush| {
            self.reply(flush.connection, Reply::Flushed { id: flush.id });
        });
    }
}
