//! Masters in Spark's driver: that of a join has the filter sealed, that of a sum adds what the
//! switch did not.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use netfold_net::{Integrity, JobId, MasterConfig, MasterEvent, QueryMaster};
use netfold_wire::Sums;

use crate::driver::EPOCH;
use crate::error::Error;
use crate::totals::{Totals, TotalsOutcome};

/// Most bytes of rows that a master holds: keys of attempts that are not counted.
const MEMORY_BYTES: u64 = 256 << 20;

/// Longest time that a master takes to notice that it is to end.
const INTERVAL: Duration = Duration::from_millis(50);

/// Time until a master asks again.
const RTO: Duration = Duration::from_millis(20);

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
    /// The address at which the switch reaches it.
    pub(crate) address: SocketAddr,
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
    /// Starts the master of a query at a shard.
    pub(crate) fn start(
        shard: SocketAddr,
        job: JobId,
        partitions: u32,
        integrity: Integrity,
        work: Work,
    ) -> Result<Self, Error> {
        let config = MasterConfig {
            job,
            epoch: EPOCH,
            partitions,
            sum_words: if let Work::Sum(sums) = &work { sums.words() } else { 0 },
            rto_us: RTO.as_micros() as u64,
            memory_bytes: MEMORY_BYTES,
            integrity,
        };
        let master = QueryMaster::open(shard, config)?;
        let port = master.address()?.port();
        // A switch that listens at all addresses reaches this host at that of loopback.
        let host = match shard.ip().is_unspecified() {
            true => Ipv4Addr::LOCALHOST.into(),
            false => shard.ip(),
        };
        let (fills, over) = (Arc::default(), Arc::default());
        let (sealed, totals) = (Outcome::new(), Outcome::new());
        let its = (Arc::clone(&fills), Arc::clone(&sealed), Arc::clone(&totals), Arc::clone(&over));
        let thread = thread::spawn(move || match work {
            Work::Seal => seal(master, &its.0, &its.1, &its.3),
            Work::Sum(sums) => add(master, Totals::new(sums, partitions), &its.2, &its.3),
        });
        let address = SocketAddr::new(host, port);
        Ok(Self { address, fills, sealed, totals, over, thread: Some(thread) })
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
/// is over.
fn add(mut master: QueryMaster, mut totals: Totals, result: &TotalsOutcome, over: &AtomicBool) {
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
            }
            Ok(Some(MasterEvent::Full)) => return result.set(Err(full())),
            Ok(Some(MasterEvent::Sealed) | None) => {}
            Err(error) => return result.set(Err(error.to_string())),
        }
    }
}

fn full() -> String {
    format!("its groups take more than {} MiB in Spark's driver", MEMORY_BYTES >> 20)
}
