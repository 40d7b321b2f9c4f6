//! A worker's side of a table: what it pushes, pulls and tells the servers.

mod link;
mod outbox;
mod plane;
mod pull;
mod split;
mod warnings;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use netfold_management::Token;
use netfold_net::ProcessLocal;
use netfold_sparse::{Change, Hello, Optimizer, Request, TableSpec};

use crate::error::Error;
use crate::frame::framed;
use crate::hot::{HotRows, Waiting};
use crate::ranks::Ranks;
use link::Link;
use plane::Plane;
pub use pull::Pull;
use pull::Puller;
use split::{Piece, Split};

/// Bytes of pairs in a message: so that one is read while the next is written.
const MESSAGE_BYTES: usize = 512 << 10;

/// Bytes of a message beside its pairs.
const HEADER_BYTES: usize = 32;

/// Interval at which a wait for the switch looks whether its caller is interrupted.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// What a worker says of itself and of its table.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// What all workers agree on.
    pub table: TableSpec,
    /// This worker's rank, and the number of workers.
    pub rank: u16,
    /// The number of workers.
    pub workers: u16,
    /// The servers' addresses, in the same order for every worker.
    pub servers: Vec<String>,
    /// The hot keys, by rank.
    pub hot_keys: Vec<u32>,
    /// The servers' token, if they have one.
    pub token: Option<Token>,
    /// Longest wait for a server.
    pub timeout: Duration,
}

/// Totals of a worker since it made the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableStats {
    /// Pairs that were pushed.
    pub updates: u64,
    /// Those of them that went to the switch.
    pub hot_updates: u64,
    /// Pairs that were pulled.
    pub pulled: u64,
    /// Those of them that came from the switch.
    pub hot_pulled: u64,
    /// Bytes of datagrams to the switch.
    pub switch_bytes: u64,
    /// Bytes of messages to servers.
    pub server_bytes: u64,
    /// Bytes of pairs that went to the switch instead of to servers.
    pub saved_bytes: u64,
    /// Datagrams sent again to the switch.
    pub retransmissions: u64,
    /// Messages sent again to servers.
    pub repeated_messages: u64,
    /// Hot rows are folded by the switch.
    pub at_switch: bool,
}

/// A worker's table. Every method may be called from any thread, but not in another process.
pub struct SparseTable {
    inner: ProcessLocal<RwLock<Option<Arc<Inner>>>>,
}

/// The parts of a table that is not closed.
struct Inner {
    width: u16,
    staleness: Option<u32>,
    resident: bool,
    /// What gradients are multiplied by before they are added to resident rows.
    factor: f32,
    timeout: Duration,
    split: Split,
    plane: Arc<Plane>,
    links: Vec<Link>,
    puller: Mutex<Option<Puller>>,
    /// The last step that this worker has ended.
    ended: Mutex<Option<u32>>,
    counted: Counted,
}

#[derive(Default)]
struct Counted {
    updates: AtomicU64,
    hot_updates: AtomicU64,
    pulled: AtomicU64,
    hot_pulled: AtomicU64,
}

impl SparseTable {
    /// Connects to the servers of a table, whose hot rows are at a switch if `hot` has them.
    ///
    /// # Errors
    /// A server is not there or refuses this worker, or an option makes no sense.
    pub fn open(
        options: TableOptions,
        hot: Option<Arc<dyn HotRows>>,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        let inner = Inner::open(options, hot, waiting)?;
        let inner = ProcessLocal::new(RwLock::new(Some(Arc::new(inner))))
            .map_err(Error::io("taking note of forks"))?;
        Ok(Self { inner })
    }

    /// Pushes the gradients of distinct keys. Waits only for room.
    ///
    /// # Errors
    /// The arguments do not fit, or a server is away for longer than the time-out.
    pub fn push(&self, keys: &[u32], rows: &[f32], waiting: Waiting<'_>) -> Result<(), Error> {
        let inner = self.inner()?;
        inner.push(keys, rows, &mut inner.watch(waiting))
    }

    /// Begins to pull the rows of these keys; with a step, as they are for it (R-SERVE-5).
    ///
    /// # Errors
    /// A key is no row.
    pub fn pull(&self, keys: &[u32], step: Option<u32>) -> Result<Pull, Error> {
        Inner::pull(&self.inner()?, keys, step)
    }

    /// Ends a step, when the switch has acknowledged all hot pushes (R-SERVE-5).
    ///
    /// # Errors
    /// The switch does not acknowledge within the time-out.
    pub fn end_step(&self, step: u32, waiting: Waiting<'_>) -> Result<(), Error> {
        let inner = self.inner()?;
        inner.wait_acknowledged(&mut inner.watch(waiting))?;
        inner.tell_all(Change::EndStep { step });
        *inner.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
        Ok(())
    }

    /// Waits until everything that was pushed is applied and stored.
    ///
    /// # Errors
    /// A server is away, or does not answer within the time-out.
    pub fn flush(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        let inner = self.inner()?;
        inner.flush(&mut inner.watch(waiting))
    }

    /// Puts weights in place of those that are there.
    ///
    /// # Errors
    /// As [`push`](Self::push) and [`flush`](Self::flush).
    pub fn set(&self, keys: &[u32], rows: &[f32], waiting: Waiting<'_>) -> Result<(), Error> {
        let inner = self.inner()?;
        let waiting = &mut inner.watch(waiting);
        inner.split.check(keys, rows.len(), inner.width)?;
        // A sum that is still at the switch would be added to the new weights.
        inner.flush(waiting)?;
        inner.set(keys, rows, waiting)
    }

    /// Takes what users should know although nothing has failed: that a server or the switch is
    /// away.
    pub fn take_warnings(&self) -> Vec<String> {
        self.inner().map_or_else(|_| Vec::new(), |inner| inner.plane.warnings.take())
    }

    /// Returns the totals so far.
    ///
    /// # Errors
    /// The table is closed, or another process's.
    pub fn stats(&self) -> Result<TableStats, Error> {
        Ok(self.inner()?.stats())
    }

    /// Waits until the servers have stored what was pushed, and ends the connections. A second call
    /// does nothing.
    ///
    /// # Errors
    /// Something was not stored within the time-out. The table is closed all the same.
    pub fn close(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        let closing = {
            let mut inner = self.local()?.write().unwrap_or_else(PoisonError::into_inner);
            inner.take()
        };
        let Some(inner) = closing else { return Ok(()) };
        let waiting = &mut inner.watch(waiting);
        inner.flush(waiting)?;
        inner.links.iter().try_for_each(|link| link.wait_stored(waiting))
    }

    fn local(&self) -> Result<&RwLock<Option<Arc<Inner>>>, Error> {
        self.inner.get().map_err(|error| match error {
            netfold_net::Error::Forked { process, here } => Error::Forked { process, here },
            error => Error::Job(error),
        })
    }

    fn inner(&self) -> Result<Arc<Inner>, Error> {
        let inner = self.local()?.read().unwrap_or_else(PoisonError::into_inner);
        inner.clone().ok_or(Error::Closed)
    }
}

impl Inner {
    fn open(
        options: TableOptions,
        hot: Option<Arc<dyn HotRows>>,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        let TableOptions { table, rank, workers, servers, hot_keys, token, timeout } = options;
        let most_rows = netfold_sparse::MOST_ROWS;
        let input = |what: String| Err(Error::Input(what));
        if !(1..=most_rows).contains(&table.rows) {
            return input(format!("a table has 1 to {most_rows} rows, not {}", table.rows));
        }
        if table.width == 0 {
            return input("a row has at least 1 number".into());
        }
        if rank >= workers {
            return input(format!("rank {rank} is none of {workers} workers, from 0"));
        }
        let count = match u16::try_from(servers.len()) {
            Ok(count @ 1..=64) => count,
            _ => return input(format!("a table has 1 to 64 servers, not {}", servers.len())),
        };
        if table.resident && table.staleness == Some(0) {
            return input(
                "resident rows are not synchronous: the switch applies each push at once; give a staleness of at least 1, or none, or the mode \"drained\"".into(),
            );
        }
        let ranks = Ranks::new(&hot_keys, table.rows)?;
        let plane = Arc::new(Plane::new(&table.name, hot));
        let switch = plane.hot().map(|hot| hot.table());
        let (width, staleness, resident) = (table.width, table.staleness, table.resident);
        let factor = match &table.optimizer {
            Optimizer::Sgd(sgd) if resident => -sgd.lr as f32,
            _ => 1.0,
        };
        let split = Split::new(table.rows, ranks, count);
        let mut hello = Hello {
            table,
            rank,
            workers,
            session: rand::random(),
            server: 0,
            servers: count,
            hot_keys,
            switch,
        };
        let mut links = Vec::with_capacity(servers.len());
        for (address, server) in servers.iter().zip(0..) {
            hello.server = server;
            let notified = plane.clone();
            let listener = Arc::new(move |notice| notified.notice(notice));
            links.push(Link::open(address, &hello, token.clone(), timeout, listener, waiting)?);
        }
        plane.set_links(links.iter().map(|link| link.state().clone()).collect());
        Ok(Self {
            width,
            staleness,
            resident,
            factor,
            timeout,
            split,
            plane,
            links,
            puller: Mutex::default(),
            ended: Mutex::default(),
            counted: Counted::default(),
        })
    }

    /// The same wait, in which the loss of the switch is noticed: what is waited for may wait for
    /// the switch.
    fn watch<'a>(&'a self, waiting: Waiting<'a>) -> impl FnMut() -> ControlFlow<()> + 'a {
        || {
            self.plane.at_switch();
            waiting()
        }
    }

    fn push(&self, keys: &[u32], rows: &[f32], waiting: Waiting<'_>) -> Result<(), Error> {
        self.split.check(keys, rows.len(), self.width)?;
        self.counted.updates.fetch_add(keys.len() as u64, Ordering::Relaxed);
        let at_switch = self.plane.at_switch();
        self.send(keys, rows, at_switch, waiting, |keys, rows| Change::Push { keys, rows })
    }

    /// Puts weights in place of those that are there. A resident row has what is missing from it
    /// added at the switch (R-KEY-12).
    fn set(
        self: &Arc<Self>,
        keys: &[u32],
        rows: &[f32],
        waiting: Waiting<'_>,
    ) -> Result<(), Error> {
        let change = |keys, rows| Change::Set { keys, rows };
        let parted = self.split.part(keys, self.resident && self.plane.at_switch());
        if parted.ranks.is_empty() {
            return self.send(keys, rows, false, waiting, change);
        }
        for positions in parted.cold {
            for piece in positions.pieces(usize::MAX) {
                let (keys, rows) = (piece.gather(keys, 1), piece.gather(rows, self.width));
                self.send(&keys, &rows, false, waiting, change)?;
            }
        }
        let hot = Piece::Some(parted.hot);
        let (keys, rows) = (hot.gather(keys, 1), hot.gather(rows, self.width));
        let mut found = vec![0.0; rows.len()];
        Self::pull(self, &keys, None)?.wait(&mut found, waiting)?;
        let missing: Vec<f32> = rows.iter().zip(&found).map(|(new, old)| new - old).collect();
        if self.plane.push(&parted.ranks, &missing) {
            // A pull after this is to find it.
            return self.wait_acknowledged(waiting);
        }
        self.send(&keys, &rows, false, waiting, change)
    }

    /// Sends pairs to their places.
    fn send(
        &self,
        keys: &[u32],
        rows: &[f32],
        at_switch: bool,
        waiting: Waiting<'_>,
        change: impl Fn(Vec<u32>, Vec<f32>) -> Change + Copy,
    ) -> Result<(), Error> {
        let parted = self.split.part(keys, at_switch);
        let lanes = usize::from(self.width);
        for (link, positions) in self.links.iter().zip(parted.cold) {
            for piece in positions.pieces(self.message_pairs()) {
                link.wait_for_room(waiting)?;
                let room = HEADER_BYTES + 4 * piece.len() * (1 + lanes);
                let change = change(piece.gather(keys, 1), piece.gather(rows, self.width));
                link.state().change(|number| {
                    framed(room, |out| Request::Change { number, change }.encode(out))
                });
            }
        }
        if parted.ranks.is_empty() {
            return Ok(());
        }
        self.wait_applied(waiting)?;
        let hot = Piece::Some(parted.hot);
        let hot_rows = hot.gather(rows, self.width);
        let mut added = hot_rows.clone();
        if self.resident {
            // R-KEY-12
            added.iter_mut().for_each(|lane| *lane *= self.factor);
        }
        if self.plane.push(&parted.ranks, &added) {
            self.counted.hot_updates.fetch_add(parted.ranks.len() as u64, Ordering::Relaxed);
            return Ok(());
        }
        self.send(&hot.gather(keys, 1), &hot_rows, false, waiting, change)
    }

    /// R-SERVE-5: in a synchronous table, nothing of a step goes to the switch before all servers
    /// have told that the step before is applied.
    fn wait_applied(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        let ended = *self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(ended) = ended.filter(|_| self.staleness == Some(0)) else { return Ok(()) };
        self.links.iter().try_for_each(|link| link.wait_stepped(ended, waiting))
    }

    fn tell_all(&self, change: Change) {
        for link in &self.links {
            let change = change.clone();
            link.state().change(|number| {
                framed(HEADER_BYTES, |out| Request::Change { number, change }.encode(out))
            });
        }
    }

    /// Waits until the switch has acknowledged what was pushed, or is lost.
    fn wait_acknowledged(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        let start = Instant::now();
        while self.plane.at_switch() {
            let Some(hot) = self.plane.hot() else { break };
            match self.plane.unless_lost(hot.wait_acknowledged(LOOK_INTERVAL)) {
                Some(false) => {}
                Some(true) | None => break,
            }
            if waiting().is_break() {
                return Err(Error::Interrupted);
            }
            if start.elapsed() >= self.timeout {
                let (what, seconds) = ("the switch's acknowledgement", self.timeout.as_secs_f64());
                return Err(Error::Timeout { what, seconds });
            }
        }
        Ok(())
    }

    fn flush(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        self.wait_acknowledged(waiting)?;
        let ask = |link: &Link| {
            link.ask(|id| framed(HEADER_BYTES, |out| Request::Flush { id }.encode(out)))
        };
        let asked: Vec<u32> = self.links.iter().map(ask).collect();
        let mut outcome = Ok(());
        for (link, id) in self.links.iter().zip(asked) {
            if outcome.is_ok() {
                outcome = link.answer("a flush", id, waiting).map(drop);
            } else {
                link.forget(id);
            }
        }
        outcome
    }

    fn stats(&self) -> TableStats {
        let total = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let hot = self.plane.hot().map(|hot| hot.stats()).unwrap_or_default();
        let traffic = self.links.iter().map(Link::traffic);
        let (server_bytes, repeated_messages) =
            traffic.fold((0, 0), |(bytes, repeated), one| (bytes + one.0, repeated + one.1));
        let hot_updates = total(&self.counted.hot_updates);
        TableStats {
            updates: total(&self.counted.updates),
            hot_updates,
            pulled: total(&self.counted.pulled),
            hot_pulled: total(&self.counted.hot_pulled),
            switch_bytes: hot.bytes,
            server_bytes,
            saved_bytes: hot_updates * 4 * (1 + u64::from(self.width)),
            retransmissions: hot.retransmissions,
            repeated_messages,
            at_switch: self.plane.at_switch(),
        }
    }

    /// Pairs of a message.
    fn message_pairs(&self) -> usize {
        (MESSAGE_BYTES / (4 * (1 + usize::from(self.width)))).max(1)
    }
}
