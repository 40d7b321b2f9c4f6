//! Admission of a worker.

use std::borrow::Cow;

use super::agreement::{Agreement, check};
use super::entry::Entry;
use super::fault::Fault;
use super::{Connection, ConnectionId, Output, Server};
use crate::message::{Hello, Reply};
use crate::store::Store;

impl<S: Store> Server<S> {
    pub(super) fn hello(&mut self, connection: ConnectionId, hello: Hello) -> Result<(), Fault> {
        check(&hello).map_err(Fault::Refused)?;
        let (rank, session) = (hello.rank, hello.session);
        if let Some(table) = self.table.as_ref().filter(|table| table.over) {
            let own = table.workers.get(usize::from(rank)).and_then(|worker| worker.session);
            if own != Some(session) {
                return self.welcome_guest(connection, &hello);
            }
        }
        self.agree(&hello)?;
        self.check_session(rank, session)?;
        let replaced = self.connections.iter().find(|(_, other)| other.rank == rank);
        if let Some(replaced) = replaced.map(|(connection, _)| *connection) {
            self.forget(replaced);
            self.outputs.push_back(Output::Close { connection: replaced });
        }
        if self.table().workers[usize::from(rank)].session != Some(session) {
            if self.begins_run(rank) {
                self.log(Entry::Run)?;
            }
            self.log(Entry::Session { rank, session })?;
        }
        let epoch = self.table().workers[usize::from(rank)].plane.unwrap_or(0);
        let stored = self.commits.number(rank, session);
        let pushed = self.commits.pushed(rank, epoch);
        let told = (stored, pushed);
        let told = Connection { rank, guest: false, told, stepped: None, sealed: None };
        self.connections.insert(connection, told);
        let parts = self.parts();
        self.reply(connection, Reply::Welcome { stored, pushed, parts });
        self.acknowledge();
        Ok(())
    }

    /// Holds a worker to what was agreed. The first worker decides; so does the first of another
    /// run, over what stored rows do not depend on.
    fn agree(&mut self, hello: &Hello) -> Result<(), Fault> {
        let own = |at: &Connection| at.rank == hello.rank;
        let differs = match &self.table {
            None if hello.list > 0 && hello.former.is_empty() => {
                return Err(Fault::Refused(format!(
                    "list {} of the servers of table {:?} is not here; start the server with the \
                     folder for data that it had",
                    hello.list, hello.table.name
                )));
            }
            None => true,
            Some(table) if !table.whole && hello.former.is_empty() => {
                return Err(Fault::Refused(format!(
                    "the table {:?} is on its way here from the servers {:?}; start with those",
                    hello.table.name, table.terms.former
                )));
            }
            // R-SERVE-19: a rank whose announcement has failed announces another list.
            Some(table) if !table.whole && self.connections.values().all(own) => {
                let same = Agreement::Run.compare(&table.terms, hello).is_ok();
                !same || table.terms.former != hello.former
            }
            Some(table) => match Agreement::Run.compare(&table.terms, hello) {
                Ok(()) => false,
                Err(why) if !self.connections.is_empty() => return Err(Fault::Refused(why)),
                Err(_) => {
                    Agreement::Stored.compare(&table.terms, hello).map_err(Fault::Refused)?;
                    true
                }
            },
        };
        if differs {
            self.log(Entry::Terms(Box::new(Cow::Borrowed(hello))))?;
            self.attach()?;
        }
        Ok(())
    }

    /// Returns whether a new session of this rank is the first of a run (R-SERVE-16).
    fn begins_run(&self, rank: u16) -> bool {
        let table = self.table.as_ref();
        let worker = |rank: u16| table.and_then(|table| table.workers.get(usize::from(rank)));
        let left = |rank| worker(rank).is_some_and(|worker| worker.left);
        self.connections.values().all(|at| at.rank == rank || left(at.rank))
    }

    /// Refuses two processes that take themselves for one rank, and one for two.
    fn check_session(&mut self, rank: u16, session: u64) -> Result<(), Fault> {
        let workers = &self.table().workers;
        let same = workers.iter().position(|worker| worker.session == Some(session));
        if let Some(other) = same.filter(|other| *other != usize::from(rank)) {
            return Err(Fault::Refused(format!(
                "session {session:016x} is that of rank {other}, not of rank {rank}; each process \
                 draws its own"
            )));
        }
        let own = workers[usize::from(rank)].session;
        let connected = self.connections.values().any(|other| other.rank == rank);
        if let Some(own) = own.filter(|own| connected && *own != session) {
            return Err(Fault::Refused(format!(
                "rank {rank} is connected with session {own:016x}, so session {session:016x} \
                 cannot have it; give each worker a rank of its own, or end the other first"
            )));
        }
        Ok(())
    }
}
