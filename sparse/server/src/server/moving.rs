//! Moves to other servers (R-SERVE-18 to 23).

use super::agreement::Agreement;
use super::entry::Entry;
use super::fault::Fault;
use super::table::Table;
use super::{Connection, ConnectionId, Server};
use crate::message::{Change, Hello, Located, Pushed, Reply, Request};
use crate::numbers::Numbers;
use crate::store::Store;

/// Lanes of rows in an answer to a question for them.
const TAKEN_LANES: usize = 128 << 10;

/// Questions for rows of one connection that may wait.
const MOST_TAKES: usize = 64;

/// A question for rows that waits for the list to be over.
#[derive(Debug)]
pub(super) struct Take {
    pub connection: ConnectionId,
    id: u32,
    page: u64,
    stride: u32,
    /// Entries of the log that must be stored, once the list is over.
    entries: Option<u64>,
}

impl<S: Store> Table<S> {
    /// Returns whether every rank has moved. One that has done so has ended its steps here before,
    /// and they were applied then; gradients that wait are of a process before, and of the next
    /// step.
    fn all_moved(&self) -> bool {
        self.waiting == 0 && self.workers.iter().all(|worker| worker.moved)
    }

    /// Learns that the rows of every rank have arrived.
    pub(super) fn become_whole(&mut self) {
        self.whole = true;
        if self.terms.table.staleness.is_some() {
            self.applied = self.complete();
        }
    }

    /// Names the reason why a rank cannot have its change carried out here, if there is one.
    pub(super) fn check_list(&self, rank: u16, change: &Change) -> Result<(), Fault> {
        let refused = |why: String| Err(Fault::Refused(format!("rank {rank}: {why}")));
        let moved = self.workers.get(usize::from(rank)).is_some_and(|worker| worker.moved);
        if moved || self.over {
            return refused(format!("the table has gone on at the servers {:?}", self.next));
        }
        let arrives = matches!(change, Change::Put { .. } | Change::Arrived { .. });
        if !arrives && !self.whole {
            return refused("rows of the former servers are still on their way".into());
        }
        Ok(())
    }

    /// Lets a rank go on at other servers.
    pub(super) fn move_rank(&mut self, rank: u16, to: &[String]) -> Result<(), Fault> {
        let refused = |why: String| Err(Fault::Refused(format!("rank {rank} cannot move: {why}")));
        if to.is_empty() {
            return refused("it names no server".into());
        }
        if !self.replayed(rank) {
            return refused("it has not replayed its plane".into());
        }
        let own = &self.workers[usize::from(rank)];
        if own.pending.back().is_some_and(|step| !step.gradients.is_empty()) {
            return refused("it is in the middle of a step; move between two steps".into());
        }
        for (other, worker) in self.workers.iter().enumerate() {
            if worker.left {
                return refused(format!("rank {other} has left the table"));
            }
            if worker.moved && self.next != to {
                let next = &self.next;
                return refused(format!("it goes on at {to:?}, and rank {other} at {next:?}"));
            }
            let steps = self.terms.table.staleness.is_some();
            if worker.moved && steps && worker.ended != own.ended {
                let (ended, theirs) = (own.ended, worker.ended);
                return refused(format!(
                    "it has ended step {ended:?}, and rank {other} step {theirs:?}; all move \
                     between the same two steps"
                ));
            }
        }
        self.next = to.to_vec();
        self.worker(rank)?.moved = true;
        Ok(())
    }

    /// Takes rows of former servers. Rows that come again when all are there are the same.
    pub(super) fn put(&mut self, keys: &[u32], lanes: &Numbers) -> Result<(), Fault> {
        if self.whole { Ok(()) } else { Ok(self.rows.put(keys, lanes)?) }
    }

    /// Learns that a rank has put all its rows.
    pub(super) fn arrived(
        &mut self,
        rank: u16,
        ended: Option<u32>,
        steps: u32,
    ) -> Result<(), Fault> {
        if self.whole {
            return Ok(());
        }
        self.steps = self.steps.max(steps);
        let worker = self.worker(rank)?;
        (worker.arrived, worker.ended) = (true, ended);
        Ok(())
    }

    /// Forgets the rows of a list that is over.
    pub(super) fn drop_rows(&mut self) {
        self.dropped = true;
        self.rows.clear();
    }
}

impl<S: Store> Server<S> {
    /// Returns what there is to tell of the list, once a worker has said hello.
    pub fn located(&self) -> Option<Located> {
        let table = self.table.as_ref()?;
        let next = if table.over { table.next.clone() } else { Vec::new() };
        let former = table.terms.former.clone();
        // A server that has told that it is whole, and starts again without it, would have workers
        // that bring no rows.
        let whole = former.is_empty() || self.commits.done.whole;
        Some(Located { list: table.terms.list, whole, former, next })
    }

    /// Welcomes a worker of another session to a list that is over: to take its rows.
    pub(super) fn welcome_guest(
        &mut self,
        connection: ConnectionId,
        hello: &Hello,
    ) -> Result<(), Fault> {
        let terms = &self.table().terms;
        Agreement::Stored.compare(terms, hello).map_err(Fault::Refused)?;
        let (told, parts) = ((0, Pushed::default()), self.parts());
        let rank = hello.rank;
        let guest = Connection { rank, guest: true, told, stepped: None, sealed: None };
        self.connections.insert(connection, guest);
        self.reply(connection, Reply::Welcome { stored: 0, pushed: told.1, parts });
        Ok(())
    }

    /// Takes a message of a guest. The session before has moved in its place.
    pub(super) fn request_of_guest(
        &mut self,
        connection: ConnectionId,
        request: Request,
    ) -> Result<(), Fault> {
        match request {
            Request::Take { id, page, stride } => self.take(connection, id, (page, stride)),
            Request::Drop { id } => self.drop_rows(connection, id),
            Request::Change { change: Change::Move { to }, .. } if to == self.table().next => {
                Ok(())
            }
            // It ends the plane of its run, which this list has not opened.
            Request::Seal { .. } | Request::Change { change: Change::EndReplay { .. }, .. } => {
                Ok(())
            }
            _ => {
                let next = &self.table().next;
                Err(Fault::Refused(format!("the table has gone on at the servers {next:?}")))
            }
        }
    }

    /// Ends the list, or takes it for whole, when every rank has said so and is connected. One that
    /// is not may be of a process before, and another session of it has yet to say so.
    pub(super) fn end_list(&mut self) -> Result<(), Fault> {
        let table = self.table.as_ref().expect("there is a table");
        let over = !table.over && table.all_moved();
        let whole = !table.whole && table.workers.iter().all(|worker| worker.arrived);
        let ranks = 0..table.workers.len();
        let here = |rank: usize| {
            self.connections.values().any(|at| !at.guest && usize::from(at.rank) == rank)
        };
        if !(over || whole) || !ranks.into_iter().all(here) {
            return Ok(());
        }
        self.log(if over { Entry::Over } else { Entry::Whole })
    }

    pub(super) fn take(
        &mut self,
        connection: ConnectionId,
        id: u32,
        (page, stride): (u64, u32),
    ) -> Result<(), Fault> {
        let takes = &mut self.waiting.takes;
        if takes.iter().filter(|take| take.connection == connection).count() == MOST_TAKES {
            return Err(Fault::Refused(format!("more than {MOST_TAKES} questions for rows wait")));
        }
        takes.push(Take { connection, id, page, stride, entries: None });
        Ok(())
    }

    /// Answers questions for rows, once the list is over and that is stored.
    pub(super) fn answer_takes(&mut self) -> Result<(), Fault> {
        let table = self.table.as_ref().expect("there is a table");
        if self.waiting.takes.is_empty() || !table.over {
            return Ok(());
        }
        let (entries, done) = (self.commits.entries(), self.commits.done.entries);
        let due = |take: &mut Take| *take.entries.get_or_insert(entries) <= done;
        let due: Vec<_> = self.waiting.takes.extract_if(.., due).collect();
        for Take { connection, id, page, stride, .. } in due {
            if let Err(why) = self.check_rows() {
                self.refuse(connection, why);
                continue;
            }
            let table = self.table();
            let mut taken = table.rows.take(page, stride, TAKEN_LANES)?;
            taken.steps = table.steps;
            self.reply(connection, Reply::Taken { id, taken });
        }
        Ok(())
    }

    /// Names the reason why there are no rows to read, if there is one.
    pub(super) fn check_rows(&self) -> Result<(), String> {
        let Some(table) = &self.table else { return Ok(()) };
        match (table.dropped, table.whole) {
            (true, _) => Err(format!("the rows have gone to the servers {:?}", table.next)),
            (_, false) => Err("rows of the former servers are still on their way".into()),
            _ => Ok(()),
        }
    }

    /// Drops the rows of a list that is over (R-SERVE-23).
    pub(super) fn drop_rows(&mut self, connection: ConnectionId, id: u32) -> Result<(), Fault> {
        if !self.table().over {
            return Err(Fault::Refused("rows that are in use are not dropped".into()));
        }
        if !self.table().dropped {
            self.log(Entry::Dropped)?;
            self.commits.request_checkpoint();
        }
        self.reply(connection, Reply::Flushed { id });
        Ok(())
    }
}
