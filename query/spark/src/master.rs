//! Masters in Spark's driver: that of a join has the filter sealed, that of a sum adds what the
//! switch did not.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use netfold_net::{MasterEvent, QueryMaster, RemoteQuery};
use netfold_wire::Sums;

use crate::totals::{Totals, TotalsOutcome};

/// Most bytes of rows that a master holds: keys of attempts that are not counted.
pub(crate) const MEMORY_BYTES: u64 = 256 << 20;

/// Longest time that a master takes to notice that it is to end.
const INTERVAL: Duration = Duration::from_millis(50);

/// Time until a master asks again.
pub(crate) const RTO: Duration = Duration::from_millis(20);

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

/// A query's master, on a thread of its own.
pub(crate) struct Master {
    /// Partitions that fill the filter; 0 until that is known.
    pub(crate) fills: Arc<AtomicU32>,
    /// The filter is sealed.
    pub(crate) sealed: Arc<Outcome<()>>,
    /// The totals of a sum, or the reason why they will not come.
    pub(crate) totals: Arc<TotalsOutcome>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Master {
    /// Starts the master of a query of so many partitions.
    pub(crate) fn start(
        query: Arc<RemoteQuery>,
        master: QueryMaster,
        partitions: u32,
        work: Work,
    ) -> Self {
        let (fills, over) = (Arc::default(), Arc::default());
        let (sealed, totals) = (Outcome::new(), Outcome::new());
        let its = (Arc::clone(&fills), Arc::clone(&sealed), Arc::clone(&totals), Arc::clone(&over));
        let thread = thread::spawn(move || match work {
            Work::Seal => seal(master, &its.0, &its.1, &its.3),
            Work::Sum(sums) => add(&query, master, Totals::new(sums, partitions), &its.2, &its.3),
        });
        Self { fills, sealed, totals, over, thread: Some(thread) }
    }
}

impl Drop for Master {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A master that has panicked answers nobody: tasks go on without it.
            let _ = thread.join();
        }
    }
}

/// Seals the filter of a join, and acknowledges what comes until the query is over.
fn seal(mut master: QueryMaster, fills: &AtomicU32, sealed: &Outcome<()>, over: &AtomicBool) {
    let (mut committed, mut asked) = (0, false);
    while !over.load(Ordering::Relaxed) {
        match master.next_event(INTERVAL) {
            Ok(Some(MasterEvent::Committed { .. })) => committed += 1,
            Ok(Some(MasterEvent::Sealed)) => sealed.set(()),
            Ok(_) => {}
            Err(_) => return,
        }
        if !asked && committed > 0 && committed == fills.load(Ordering::Relaxed) {
            asked = true;
            master.seal();
        }
    }
}

/// Adds what the switch forwards to what it has added, and acknowledges what comes until the query
/// is over. A switch that is lost has taken a part of the totals with it.
fn add(
    query: &RemoteQuery,
    mut master: QueryMaster,
    mut totals: Totals,
    result: &TotalsOutcome,
    over: &AtomicBool,
) {
    let mut done = false;
    while !over.load(Ordering::Relaxed) {
        match master.next_event(INTERVAL) {
            Ok(Some(MasterEvent::Committed { partition, attempt, survivors, slots, .. })) => {
                totals.commit(partition, attempt, &survivors, &slots);
                if totals.bytes() > MEMORY_BYTES {
                    return result.set(Err(full()));
                }
            }
            Ok(Some(MasterEvent::Done { slots })) => {
                totals.merge(&slots);
                result.set(Ok(Arc::new(std::mem::take(&mut totals))));
                done = true;
            }
            Ok(Some(MasterEvent::Full)) => return result.set(Err(full())),
            Ok(None) if !done && query.is_lost() => {
                return result.set(Err(format!("the switch at {} is lost", query.shard())));
            }
            Ok(Some(MasterEvent::Sealed) | None) => {}
            Err(error) => return result.set(Err(error.to_string())),
        }
    }
}

fn full() -> String {
    format!("its groups take more than {} MiB in Spark's driver", MEMORY_BYTES >> 20)
}
