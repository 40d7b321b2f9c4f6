//! Masters in Spark's driver: that of a join has the filter sealed, that of a sum adds what the
//! switch did not.

use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use netfold_net::{QueryMaster, RemoteQuery, Totals};
use netfold_wire::Sums;

use crate::totals::TotalsOutcome;

/// Most bytes of rows that a master holds: keys of attempts that are not counted.
pub(crate) const MEMORY_BYTES: u64 = 256 << 20;

/// The result of a master, to wait for.
#[derive(Debug)]
pub struct Outcome<T> {
    value: Mutex<Option<T>>,
    changed: Condvar,
}

impl<T: Clone> Outcome<T> {
    fn new() -> Arc<Self> {
        Arc::new(Self { value: Mutex::new(None), changed: Condvar::new() })
    }

    fn set(&self, value: T) {
        *self.value.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        self.changed.notify_all();
    }

    /// Waits for it, for so long at most.
    pub fn wait(&self, timeout: Duration) -> Option<T> {
        let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(value, timeout, |value| value.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.clone()
    }
}

/// The work of a master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// It has the filter of a join sealed.
    Seal,
    /// It adds.
    Sum(Sums),
}

/// A query's master, on a thread of its own, which ends when the query is dropped.
pub(crate) struct Master {
    /// Partitions that fill the filter; 0 until that is known.
    pub(crate) fills: Arc<AtomicU32>,
    /// The filter is sealed.
    pub(crate) sealed: Arc<Outcome<()>>,
    /// The totals of a sum, or the reason why they will not come.
    pub(crate) totals: Arc<TotalsOutcome>,
    thread: Option<JoinHandle<()>>,
}

impl Master {
    /// Starts the master of a query of so many partitions. The switch may be silent for `timeout`.
    pub(crate) fn start(
        query: Weak<RemoteQuery>,
        master: QueryMaster,
        partitions: u32,
        work: Work,
        timeout: Duration,
    ) -> Self {
        let (fills, sealed, totals) = (Arc::default(), Outcome::new(), Outcome::new());
        let its = (Arc::clone(&fills), Arc::clone(&sealed), Arc::clone(&totals));
        let thread = thread::spawn(move || match work {
            Work::Seal => master.fill(&query, &its.0, |sealed| {
                // Without a seal, the other side waits for no longer than the session has it.
                if sealed.is_ok() {
                    its.1.set(());
                }
            }),
            Work::Sum(sums) => {
                let totals = Totals::new(sums, partitions);
                let done = |got: Result<_, _>| its.2.set(got.map(Arc::new));
                master.add(&query, totals, MEMORY_BYTES, timeout, done);
            }
        });
        Self { fills, sealed, totals, thread: Some(thread) }
    }
}

impl Drop for Master {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A master that has panicked answers nobody: tasks go on without it.
            let _ = thread.join();
        }
    }
}
