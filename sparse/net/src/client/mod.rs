//! A worker's side of a table: what it pushes, pulls and tells the servers.

mod inner;
mod link;
mod locate;
mod moving;
mod outbox;
mod plane;
mod pull;
mod pushes;
mod sender;
mod split;
mod warnings;

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant};

use netfold_management::Token;
use netfold_net::ProcessLocal;
use netfold_sparse::{Change, RowNumber, TableSpec};

use crate::error::Error;
use crate::hot::{HotRows, Planes, Waiting};
use inner::{Inner, List};
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
    /// Recirculations of pushes in a switch that is a pipeline (R-HOT-8).
    pub recirculations: u64,
    /// Messages sent again to servers.
    pub repeated_messages: u64,
    /// Hot rows are folded by the switch.
    pub at_switch: bool,
}

/// Interval at which a wait for other threads looks for them.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

/// A worker's table. Every method may be called from any thread, but not in another process.
pub struct SparseTable {
    shared: ProcessLocal<Shared>,
}

#[derive(Default)]
struct Shared {
    /// Calls that use a list of servers. One that goes to the next list is alone.
    calls: RwLock<()>,
    open: RwLock<Option<Open>>,
}

/// A table that is not closed.
#[derive(Clone)]
struct Open {
    inner: Arc<Inner>,
    /// The next list, if the table is on its way there (R-SERVE-20).
    next: Option<Arc<Inner>>,
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
        Inner::check(&options)?;
        let place = locate::find(&options, waiting)?;
        let inner = if place.servers == options.servers && place.former.is_empty() {
            Arc::new(Inner::open(options, hot, planes, List::whole(place.list), waiting)?)
        } else {
            Inner::follow(&options, planes, place, waiting)?
        };
        let open = RwLock::new(Some(Open { inner, next: None }));
        let shared = ProcessLocal::new(Shared { calls: RwLock::default(), open })
            .map_err(Error::io("taking note of forks"))?;
        Ok(Self { shared })
    }

    /// Pushes the gradients of distinct keys. Waits only for room.
    ///
    /// # Errors
    /// The arguments do not fit, or a server is away for longer than the time-out.
    pub fn push<T: RowNumber>(
        &self,
        keys: &[u32],
        rows: &[T],
        waiting: Waiting<'_>,
    ) -> Result<(), Error> {
        let (_call, inner) = self.call()?;
        inner.push(keys, rows, &mut inner.watch(waiting))
    }

    /// Begins to pull the rows of these keys; with a step, as they are for it (R-SERVE-5).
    ///
    /// # Errors
    /// A key is no row.
    pub fn pull(&self, keys: &[u32], step: Option<u32>) -> Result<Pull, Error> {
        let (_call, inner) = self.call()?;
        Inner::pull(&inner, keys, step)
    }

    /// Ends a step, when the switch has acknowledged all hot pushes (R-SERVE-5).
    ///
    /// # Errors
    /// The switch does not acknowledge within the time-out.
    pub fn end_step(&self, step: u32, waiting: Waiting<'_>) -> Result<(), Error> {
        let (_call, inner) = self.call()?;
        inner.wait_acknowledged(&mut inner.watch(waiting))?;
        inner.plane.with_pushed(|pushed| inner.tell_all(Change::EndStep { step, pushed }));
        *inner.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
        inner.in_step.store(false, Ordering::SeqCst);
        Ok(())
    }

    /// Changes the learning rate from the step on that this worker is in (R-SERVE-16). All workers
    /// make the same changes.
    ///
    /// # Errors
    /// The optimizer cannot have it.
    pub fn set_lr(&self, lr: f64) -> Result<(), Error> {
        self.call()?.1.set_lr(lr)
    }

    /// Waits until everything that was pushed is applied and stored.
    ///
    /// # Errors
    /// A server is away, or does not answer within the time-out.
    pub fn flush(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        let (_call, inner) = self.call()?;
        inner.flush(&mut inner.watch(waiting))
    }

    /// Puts weights in place of those that are there.
    ///
    /// # Errors
    /// As [`push`](Self::push) and [`flush`](Self::flush).
    pub fn set<T: RowNumber>(
        &self,
        keys: &[u32],
        rows: &[T],
        waiting: Waiting<'_>,
    ) -> Result<(), Error> {
        let (_call, inner) = self.call()?;
        let waiting = &mut inner.watch(waiting);
        inner.check_rows(keys, rows)?;
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
        let (_call, inner) = self.call()?;
        inner.set_hot(keys, &mut inner.watch(waiting))
    }

    /// Has the table go on at other servers, to which the workers bring its rows (R-SERVE-18 to
    /// 23). All workers call it with the same servers between the same two steps. Calls of other
    /// threads wait meanwhile. When it fails, nothing has changed, or another call with the same
    /// servers goes on with it.
    ///
    /// # Errors
    /// A server is not there or refuses this worker, or an argument makes no sense; as
    /// [`flush`](Self::flush); or as [`set_hot`](Self::set_hot), and then the table is at the other
    /// servers.
    pub fn set_servers(&self, servers: &[String], waiting: Waiting<'_>) -> Result<(), Error> {
        let shared = self.shared()?;
        let _alone = shared.calls.write().unwrap_or_else(PoisonError::into_inner);
        let lock = || shared.open.write().unwrap_or_else(PoisonError::into_inner);
        let Open { inner: former, next } = shared.open()?;
        if next.is_none() && former.options.servers == servers {
            return Ok(());
        }
        let next = if let Some(next) = next {
            if next.options.servers != servers {
                return Err(on_its_way(&next));
            }
            next
        } else {
            Self::wait_for_pulls(&former, waiting)?;
            let next = Arc::new(former.announce(servers, &mut former.watch(waiting))?);
            former.end_list(&next);
            if let Some(open) = &mut *lock() {
                open.next = Some(next.clone());
            }
            next
        };
        former.bring_rows(&next, waiting)?;
        next.take_over(&former, waiting)?;
        if let Some(open) = &mut *lock() {
            *open = Open { inner: next.clone(), next: None };
        }
        let hot_keys = former.plane.hot_keys();
        drop(former);
        let waiting = &mut next.watch(waiting);
        if hot_keys.is_empty() { Ok(()) } else { next.set_hot(&hot_keys, waiting) }
    }

    /// Waits until nobody waits for rows any more, which would be dropped meanwhile.
    fn wait_for_pulls(inner: &Arc<Inner>, waiting: Waiting<'_>) -> Result<(), Error> {
        let start = Instant::now();
        // The table has one, and the caller.
        while Arc::strong_count(inner) > 2 {
            if waiting().is_break() {
                return Err(Error::Interrupted);
            }
            if start.elapsed() >= inner.timeout {
                let why = "rows that were asked for have not been waited for; do so, or drop the pulls, before other servers are set";
                return Err(Error::Input(why.into()));
            }
            thread::sleep(LOOK_INTERVAL);
        }
        Ok(())
    }

    /// Takes what users should know although nothing has failed: that a server or the switch is
    /// away.
    pub fn take_warnings(&self) -> Vec<String> {
        self.inner().map_or_else(|_| Vec::new(), |inner| inner.plane.warnings.take())
    }

    /// Returns the addresses of the servers that the table has now.
    ///
    /// # Errors
    /// As [`stats`](Self::stats).
    pub fn servers(&self) -> Result<Vec<String>, Error> {
        Ok(self.inner()?.options.servers.clone())
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
            let mut open = self.shared()?.open.write().unwrap_or_else(PoisonError::into_inner);
            open.take()
        };
        let Some(Open { inner, next }) = closing else { return Ok(()) };
        inner.plane.close();
        if next.is_some() {
            // All that was pushed is stored at the former list, and a later run goes on from there.
            return Ok(());
        }
        let waiting = &mut inner.watch(waiting);
        inner.flush(waiting)?;
        // R-SERVE-15
        inner.tell_all(Change::Leave);
        inner.links.iter().try_for_each(|link| link.wait_stored(waiting))
    }

    fn shared(&self) -> Result<&Shared, Error> {
        self.shared.get().map_err(|error| match error {
            netfold_net::Error::Forked { process, here } => Error::Forked { process, here },
            error => Error::Job(error),
        })
    }

    fn inner(&self) -> Result<Arc<Inner>, Error> {
        Ok(self.shared()?.open()?.inner)
    }

    /// Begins a call that uses the table's list of servers.
    fn call(&self) -> Result<(RwLockReadGuard<'_, ()>, Arc<Inner>), Error> {
        let shared = self.shared()?;
        let call = shared.calls.read().unwrap_or_else(PoisonError::into_inner);
        match shared.open()? {
            Open { inner, next: None } => Ok((call, inner)),
            Open { next: Some(next), .. } => Err(on_its_way(&next)),
        }
    }
}

impl Shared {
    fn open(&self) -> Result<Open, Error> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open.clone().ok_or(Error::Closed)
    }
}

fn on_its_way(next: &Inner) -> Error {
    let servers = &next.options.servers;
    Error::Input(format!(
        "the table is on its way to the servers {servers:?}: set them again to finish that, on all workers"
    ))
}
