//! A worker's side of a table: what it pushes, pulls and tells the servers.

mod inner;
mod link;
mod outbox;
mod plane;
mod pull;
mod sender;
mod split;
mod warnings;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use netfold_management::Token;
use netfold_net::ProcessLocal;
use netfold_sparse::{Change, TableSpec};

use crate::error::Error;
use crate::hot::{HotRows, Planes, Waiting};
use inner::Inner;
pub use pull::Pull;

/// A worker's description of itself and of its table.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// The terms that all workers agree on.
    pub table: TableSpec,
    /// This worker's rank, and the number of workers.
    pub rank: u16,
    /// The number of workers.
    pub workers: u16,
    /// The servers' addresses, in the same order for every worker.
    pub servers: Vec<String>,
    /// The hot keys, the hottest first.
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
        Self::open_at(options, hot, None, waiting)
    }

    /// Connects to the servers, and has the planes that come after the first one, too.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_at(
        options: TableOptions,
        hot: Option<Arc<dyn HotRows>>,
        planes: Option<Arc<dyn Planes>>,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        let inner = Inner::open(options, hot, planes, waiting)?;
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
        inner.plane.with_pushed(|pushed| inner.tell_all(Change::EndStep { step, pushed }));
        *inner.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
        Ok(())
    }

    /// Changes the learning rate from the step on that this worker is in (R-SERVE-16). All workers
    /// make the same changes.
    ///
    /// # Errors
    /// The optimizer cannot have it.
    pub fn set_lr(&self, lr: f64) -> Result<(), Error> {
        self.inner()?.set_lr(lr)
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
        inner.plane.view().split.check(keys, rows.len(), inner.width)?;
        // A sum that is still at the switch would be added to the new weights.
        inner.flush(waiting)?;
        inner.set(keys, rows, waiting)
    }

    /// Makes these keys the hot ones, the hottest first (R-KEY-15). All workers call it with the
    /// same keys between the same two steps.
    ///
    /// # Errors
    /// As [`flush`](Self::flush); a key is no row or stands twice; or no switch has the table, and
    /// then servers alone go on with it.
    pub fn set_hot(&self, keys: &[u32], waiting: Waiting<'_>) -> Result<(), Error> {
        let inner = self.inner()?;
        inner.set_hot(keys, &mut inner.watch(waiting))
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
        inner.plane.close();
        let waiting = &mut inner.watch(waiting);
        inner.flush(waiting)?;
        // R-SERVE-15
        inner.tell_all(Change::Leave);
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
