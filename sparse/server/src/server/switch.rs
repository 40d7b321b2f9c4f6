//! Questions to the switch: when the server asks, and what it does with the answers (R-KEY-7 to
//! R-KEY-12, R-SERVE-6).

use std::borrow::Cow;

use super::commits::Commits;
use super::entry::Entry;
use super::fault::{Fault, ServerError};
use super::plane::Epoch;
use super::table::Table;
use super::{Answer, Output, Server};
use crate::message::Reply;
use crate::store::Store;

/// The shortest time after which a generation that could not be closed is asked for again, which is
/// as long as switches below take to hand theirs up (R-KEY-18), and the longest: the servers of
/// other parts have not stored the one before. Each is twice as long as the one before.
const RETRY_US: [u64; 2] = [100, 500];

/// The longest time between two questions. The answer may say that the switch is to stop
/// (R-KEY-16), and a switch that does not answer is lost.
const NEWS_US: u64 = 1_000_000;

/// Factor by which a generation may be older when no worker is connected and the last was empty.
const IDLE: u64 = 50;

/// Questions to the switch.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The epoch.
    epoch: Option<u32>,
    outstanding: bool,
    /// The generation that is open, if no other can have been opened since, and the time at which
    /// it was seen first.
    open: Option<u32>,
    since_us: u64,
    /// No question before this time, but for news.
    retry_us: u64,
    /// The time from the last answer to that one, since a generation was read.
    pause_us: u64,
    /// The last generation that was seen had no pairs.
    empty: bool,
    /// The last generation of which the switch knows that it is stored.
    told: u32,
    /// The time of the last answer, or of the beginning.
    heard_us: u64,
    /// The switch is to stop: generations are closed at once (R-KEY-16).
    going: bool,
}

impl Reading {
    /// Returns the time at which the switch has answered last, or the server was told of it.
    pub const fn heard_us(&self) -> u64 {
        self.heard_us
    }

    /// Returns when to ask, if ever, and whether to close the open generation. It is to be closed
    /// at once if a worker waits for pushes that it may have.
    fn due<S: Store>(
        &self,
        table: &Table<S>,
        commits: &Commits,
        awaited: bool,
        connected: bool,
    ) -> Option<(u64, bool)> {
        let epoch = table.live()?;
        let stored = commits.generation(epoch.number());
        let ready = epoch.loaded || !table.terms.table.resident;
        if self.outstanding || !ready || stored != epoch.generation {
            return None;
        }
        let age_us = 1000 * u64::from(table.terms.table.max_age_ms);
        let idle = if connected || !self.empty { 1 } else { IDLE };
        let aged_us = self.since_us + idle * age_us;
        let aged = (aged_us.max(self.retry_us), true);
        // Other servers wait for this news before they can close the next one.
        if table.terms.servers > 1 && self.told < stored {
            return Some((0, false));
        }
        if awaited || self.going {
            return Some((self.retry_us, true));
        }
        if self.open.is_none() {
            return Some((self.retry_us, false));
        }
        let news = (self.heard_us + NEWS_US, false);
        Some(if news.0 < aged.0 { news } else { aged })
    }
}

impl<S: Store> Server<S> {
    /// Begins to read the table's live plane, unless it does already.
    pub(super) fn attach(&mut self) -> Result<(), Fault> {
        let Some(live) = self.table.as_ref().and_then(Table::live) else { return Ok(()) };
        let (switch, loaded) = (live.switch.clone(), live.loaded);
        let epoch = switch.epoch;
        if self.reading.epoch == Some(epoch) {
            return Ok(());
        }
        let stored = self.commits.generation(epoch);
        let heard_us = self.now_us;
        self.reading = Reading { epoch: Some(epoch), heard_us, ..Reading::default() };
        let load = self.table().terms.table.resident && !loaded;
        let parts = self.parts();
        self.outputs.push_back(Output::Attach { switch, parts, stored });
        if load {
            let (ranks, rows) = self.table().hot_rows()?;
            self.outputs.push_back(Output::Load { epoch, ranks, rows });
        }
        Ok(())
    }

    /// Returns when to ask the switch, and whether to close the open generation.
    pub(super) fn due(&self, table: &Table<S>) -> Option<(u64, bool)> {
        let connected = !self.connections.is_empty();
        self.reading.due(table, &self.commits, self.awaits_pushes(table), connected)
    }

    /// Asks the switch if it is time.
    pub(super) fn ask(&mut self) {
        let table = self.table.as_ref().expect("there is a table");
        let due = self.due(table);
        let Some((_, close)) = due.filter(|(at_us, _)| *at_us <= self.now_us) else { return };
        let epoch = table.live().map_or(0, Epoch::number);
        let stored = self.commits.generation(epoch);
        self.reading.outstanding = true;
        self.reading.told = stored;
        self.outputs.push_back(Output::Ask { epoch, close, stored });
    }

    pub(super) fn take_answer(&mut self, epoch: u32, answer: Option<Answer>) -> Result<(), Fault> {
        let live = self.table.as_ref().and_then(Table::live);
        let Some(read) = live.filter(|own| own.number() == epoch).map(|own| own.generation) else {
            return Ok(());
        };
        let now_us = self.now_us;
        let reading = &mut self.reading;
        reading.outstanding = false;
        reading.pause_us = (2 * reading.pause_us).clamp(RETRY_US[0], RETRY_US[1]);
        reading.retry_us = now_us + reading.pause_us;
        let Some(Answer { open, empty, going, generation }) = answer else {
            reading.open = None;
            return Ok(());
        };
        reading.heard_us = now_us;
        reading.going |= going;
        if reading.open != Some(open) {
            (reading.open, reading.since_us) = (Some(open), now_us);
        }
        if empty {
            // It is as old as its first push, which is still to come.
            (reading.empty, reading.since_us) = (true, now_us);
        }
        match generation {
            Some(generation) if generation.number == read + 1 => {
                (self.reading.retry_us, self.reading.pause_us) = (now_us, 0);
                self.reading.empty = generation.ranks.is_empty();
                let (number, ranks) = (generation.number, generation.ranks.len() as u64);
                let sums = |why| ServerError::Sums { number, why };
                let added = self.log(Entry::Generation(Cow::Owned(generation)));
                added.map_err(|fault| Fault::Fatal(fault.fatal(sums)))?;
                self.counted.generations += 1;
                self.counted.rows_summed += ranks;
                Ok(())
            }
            Some(generation) if generation.number > read => {
                let found = generation.number;
                Err(ServerError::Generation { epoch, found, read }.into())
            }
            _ => Ok(()),
        }
    }

    /// Seals an epoch: nothing more of it is read (R-KEY-10). One that is not known here is over,
    /// or not opened yet: then the replays that follow seal it.
    pub(super) fn seal(&mut self, epoch: u32) -> Result<(), Fault> {
        match self.table.as_ref().and_then(|table| table.plane(epoch)) {
            Some(own) if !own.sealed => {
                self.counted.seals += 1;
                self.log(Entry::Seal { epoch })
            }
            _ => Ok(()),
        }
    }

    /// Tells workers what is stored now, if it is news.
    pub(super) fn acknowledge(&mut self) {
        let Some(table) = &self.table else { return };
        for (&connection, at) in self.connections.iter_mut().filter(|(_, at)| !at.guest) {
            let worker = &table.workers[usize::from(at.rank)];
            let epoch = worker.plane.unwrap_or(0);
            let pushed = self.commits.pushed(at.rank, epoch);
            let sealed = worker.plane.filter(|epoch| self.commits.sealed(*epoch));
            let session = worker.session;
            let number = session.map_or(0, |session| self.commits.number(at.rank, session));
            let told = core::mem::replace(&mut at.told, (number, pushed));
            if told != at.told {
                let reply = Reply::Stored { number, pushed };
                self.outputs.push_back(Output::Reply { connection, reply });
            }
            // A server that has told of a step, and starts again without it, would find the next
            // step's pushes among those of this one.
            let applied = self.commits.done.applied;
            if let Some(step) = applied.filter(|_| at.stepped != applied) {
                at.stepped = applied;
                self.outputs
                    .push_back(Output::Reply { connection, reply: Reply::Stepped { step } });
            }
            if let Some(epoch) = sealed.filter(|_| at.sealed != sealed) {
                at.sealed = sealed;
                let reply = Reply::Sealed { epoch };
                self.outputs.push_back(Output::Reply { connection, reply });
            }
        }
    }
}
