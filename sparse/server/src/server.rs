//! A server of one table, as a machine without I/O (R-SERVE).
//!
//! Inputs are messages of workers, answers of the switch, news of the store, and the time. After
//! each of them the driver takes the outputs until there are none, and carries them out in their
//! order. It calls [`Server::tick`] at the time that [`Server::next_us`] names.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

use crate::message::{Change, Generation, Hello, Pushed, Reply, Request, SwitchTable};
use crate::numbers::Numbers;
use crate::parts::parts_of;
use crate::store::{Checkpoint, Store};

mod agreement;
mod commits;
mod entry;
mod fault;
mod hello;
mod leaving;
mod meta;
mod moving;
mod plane;
mod rates;
mod recovering;
mod reporting;
mod steps;
mod switch;
mod table;
mod worker;

pub use fault::ServerError;

use commits::Commits;
use entry::Entry;
use fault::Fault;
use reporting::Counted;
use steps::Waiting;
use switch::Reading;
use table::Table;

/// A connection of a worker, numbered by the driver. No number is used twice.
pub type ConnectionId = u64;

/// Bytes of the log after which a checkpoint is taken, unless told otherwise.
pub const DEFAULT_LOG_BYTES: usize = 256 << 20;

/// Bytes of rows in memory, unless told otherwise.
pub const DEFAULT_MEMORY_BYTES: usize = 1 << 30;

/// Limits of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of rows in memory; those of waiting gradients may be as many again. A quarter may
    /// change before a checkpoint is taken.
    pub memory_bytes: usize,
    /// Bytes of the log after which a checkpoint is taken.
    pub log_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory_bytes: DEFAULT_MEMORY_BYTES, log_bytes: DEFAULT_LOG_BYTES }
    }
}

/// A task for the driver.
#[derive(Debug)]
pub enum Output {
    /// Send a message.
    Reply {
        /// To this connection.
        connection: ConnectionId,
        /// The message.
        reply: Reply,
    },
    /// End a connection when what it was sent before is sent. The server knows it no more.
    Close {
        /// The connection.
        connection: ConnectionId,
    },
    /// Begin to read a table at a switch, instead of any other.
    Attach {
        /// The table.
        switch: SwitchTable,
        /// The parts to read, a bit for each.
        parts: u64,
        /// The last generation that is stored.
        stored: u32,
    },
    /// Read at the switch, and call [`Server::answered`]. One such question is open at a time.
    Ask {
        /// The epoch.
        epoch: u32,
        /// Close the open generation, if that is possible.
        close: bool,
        /// The last generation that is stored: the read tells the switch (R-KEY-7).
        stored: u32,
    },
    /// Load values of resident rows into the switch (R-KEY-12), and call [`Server::loaded`].
    Load {
        /// The epoch.
        epoch: u32,
        /// The ranks.
        ranks: Vec<u32>,
        /// A row of each.
        rows: Numbers,
    },
    /// Append to the log, and call [`Server::stored`].
    Commit {
        /// The batch's number.
        batch: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Write a checkpoint, and call [`Server::checkpointed`].
    Checkpoint(Checkpoint),
}

/// The switch's answer to a read.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The generation that was open when the switch answered.
    pub open: u32,
    /// Nothing had been pushed in it then. A switch need not close such a generation.
    pub empty: bool,
    /// The switch is to stop (R-KEY-16).
    pub going: bool,
    /// The last closed generation, if it is not the one that the question named as stored.
    pub generation: Option<Generation>,
}

/// A server of one table.
#[derive(Debug)]
pub struct Server<S> {
    /// Taken by the table, when there is one.
    store: Option<S>,
    table: Option<Table<S>>,
    limits: Limits,
    now_us: u64,
    /// The connections that have said hello.
    connections: BTreeMap<ConnectionId, Connection>,
    commits: Commits,
    reading: Reading,
    waiting: Waiting,
    counted: Counted,
    outputs: VecDeque<Output>,
}

/// A connection that has said hello.
#[derive(Clone, Copy, Debug)]
struct Connection {
    rank: u16,
    /// It has no session here, and may take the rows of a list that is over.
    guest: bool,
    /// The last change, and the pushes to its plane, that it was told are stored.
    told: (u64, Pushed),
    /// The last step that it was told is applied.
    stepped: Option<u32>,
    /// The epoch of which it was told that it is sealed.
    sealed: Option<u32>,
}

impl<S: Store> Server<S> {
    /// Takes a message of a worker.
    pub fn request(
        &mut self,
        now_us: u64,
        connection: ConnectionId,
        request: Request,
    ) -> Result<(), ServerError> {
        self.now_us = now_us;
        let at = self.connections.get(&connection).map(|at| (at.rank, at.guest));
        let done = match (at, request) {
            (None, Request::Hello(hello)) => self.hello(connection, *hello),
            (_, Request::Report | Request::Locate { .. }) => {
                Err(Fault::Refused("a report is asked of the driver".into()))
            }
            (None, _) => Err(Fault::Refused("a connection begins with a hello".into())),
            (Some(_), Request::Hello(_)) => Err(Fault::Refused("a second hello".into())),
            (Some((_, true)), request) => self.request_of_guest(connection, request),
            (Some((rank, _)), Request::Change { number, change }) => {
                self.change(rank, number, change)
            }
            (Some(_), Request::Pull { id, step, keys }) => self.pull(connection, id, step, keys),
            (Some(_), Request::Flush { id, pushed }) => {
                self.flush(connection, id, pushed);
                Ok(())
            }
            (Some(_), Request::Seal { epoch }) => self.seal(epoch),
            (Some(_), Request::Take { id, page, stride }) => {
                self.take(connection, id, (page, stride))
            }
            (Some(_), Request::Drop { id }) => self.drop_rows(connection, id),
        };
        self.settle(Some(connection), done)
    }

    /// Learns that a connection has ended.
    pub fn disconnected(&mut self, connection: ConnectionId) {
        self.forget(connection);
    }

    /// Learns what the switch has answered to [`Output::Ask`]; nothing, if it did not in time.
    pub fn answered(
        &mut self,
        now_us: u64,
        epoch: u32,
        answer: Option<Answer>,
    ) -> Result<(), ServerError> {
        self.now_us = now_us;
        let done = self.take_answer(epoch, answer);
        self.settle(None, done)
    }

    /// Learns that the switch has all of [`Output::Load`].
    pub fn loaded(&mut self, now_us: u64, epoch: u32) -> Result<(), ServerError> {
        self.now_us = now_us;
        let live = self.table.as_ref().and_then(Table::live);
        let awaited = live.is_some_and(|own| own.number() == epoch && !own.loaded);
        let done = if awaited { self.log(Entry::Loaded { epoch }) } else { Ok(()) };
        self.settle(None, done)
    }

    /// Learns that the switch, or its table, is lost: the epoch is sealed (R-KEY-10).
    pub fn lost(&mut self, now_us: u64, epoch: u32) -> Result<(), ServerError> {
        self.now_us = now_us;
        let own = self.table.as_ref().and_then(Table::live);
        let awaited = own.is_some_and(|own| own.number() == epoch);
        let done = if awaited { self.seal(epoch) } else { Ok(()) };
        self.settle(None, done)
    }

    /// Learns that a batch is stored, with those before it.
    pub fn stored(&mut self, now_us: u64, batch: u64) -> Result<(), ServerError> {
        self.now_us = now_us;
        self.commits.stored(batch);
        self.acknowledge();
        let done = self.progress();
        self.settle(None, done)
    }

    /// Learns that the checkpoint is stored.
    pub fn checkpointed(&mut self) {
        self.commits.checkpointed();
        if let Some(table) = &mut self.table {
            table.rows.written();
        }
    }

    /// Asks for a checkpoint, such as before the process ends.
    pub fn checkpoint(&mut self) {
        self.commits.request_checkpoint();
    }

    /// Learns the time.
    pub fn tick(&mut self, now_us: u64) -> Result<(), ServerError> {
        self.now_us = now_us;
        let done = self.progress();
        self.settle(None, done)
    }

    /// Returns the time at which something is due.
    pub fn next_us(&self) -> Option<u64> {
        let table = self.table.as_ref()?;
        self.due(table).map(|(at_us, _)| at_us)
    }

    /// Returns what to do next.
    pub fn output(&mut self) -> Option<Output> {
        if self.outputs.is_empty() {
            self.emit();
        }
        self.outputs.pop_front()
    }

    /// Returns the agreed terms of the table, if a worker has said hello, now or to a process
    /// before.
    pub fn terms(&self) -> Option<&Hello> {
        self.table.as_ref().map(|table| &table.terms)
    }

    /// Returns the bytes of rows in memory, and of those that are in no checkpoint.
    pub fn bytes(&self) -> (usize, usize) {
        self.table.as_ref().map_or((0, 0), |table| table.rows.bytes())
    }

    /// Goes on after an input, and ends the connection that it came from if it was refused.
    fn settle(
        &mut self,
        connection: Option<ConnectionId>,
        done: Result<(), Fault>,
    ) -> Result<(), ServerError> {
        let done = match (done, connection) {
            (Err(Fault::Refused(why)), Some(connection)) => {
                self.refuse(connection, why);
                self.progress()
            }
            (Ok(()), _) => self.progress(),
            (done, _) => done,
        };
        let Err(fault) = done else { return Ok(()) };
        let error = fault.fatal(ServerError::Replay);
        let connections: Vec<_> = self.connections.keys().copied().collect();
        connections.into_iter().for_each(|at| self.refuse(at, error.to_string()));
        Err(error)
    }

    fn reply(&mut self, connection: ConnectionId, reply: Reply) {
        self.outputs.push_back(Output::Reply { connection, reply });
    }

    fn refuse(&mut self, connection: ConnectionId, why: String) {
        self.reply(connection, Reply::Refused { why });
        self.outputs.push_back(Output::Close { connection });
        self.forget(connection);
    }

    fn forget(&mut self, connection: ConnectionId) {
        self.connections.remove(&connection);
        self.waiting.forget(connection);
    }

    /// Returns the table, which there is once a worker has said hello.
    fn table(&mut self) -> &mut Table<S> {
        self.table.as_mut().expect("a connection has a rank only after its hello")
    }

    /// Carries out an entry.
    fn apply(&mut self, entry: &Entry<'_>) -> Result<(), Fault> {
        match (&mut self.table, entry) {
            (Some(table), entry) => table.apply(entry),
            (None, Entry::Terms(terms)) => {
                agreement::check(terms).map_err(Fault::Refused)?;
                let terms = Hello::clone(terms);
                let limit = self.limits.memory_bytes;
                self.table = Some(Table::new(terms, self.store.take(), limit)?);
                Ok(())
            }
            (None, _) => Err(Fault::Refused("a log without terms".into())),
        }
    }

    /// Carries out an entry and appends it to the log.
    fn log(&mut self, entry: Entry<'_>) -> Result<(), Fault> {
        self.apply(&entry)?;
        self.commits.append(&entry);
        Ok(())
    }

    fn change(&mut self, rank: u16, number: u64, change: Change) -> Result<(), Fault> {
        let last = self.table().workers[usize::from(rank)].number;
        if number <= last {
            return Ok(());
        }
        if number != last + 1 {
            let why = format!("rank {rank} sent change {number} after {last}");
            return Err(Fault::Refused(why));
        }
        let pushed = match &change {
            Change::Push { keys, .. } => Some(keys.len() as u64),
            _ => None,
        };
        let replays = u64::from(matches!(change, Change::Replay { .. }));
        let opens = matches!(change, Change::Open { .. });
        self.log(Entry::Change { rank, number, change: Cow::Owned(change) })?;
        self.counted.pushes += u64::from(pushed.is_some());
        self.counted.rows_pushed += pushed.unwrap_or(0);
        self.counted.replays += replays;
        // R-SERVE-10
        if opens { self.attach() } else { Ok(()) }
    }

    fn parts(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| parts_of(table.terms.server, table.terms.servers))
    }
}
