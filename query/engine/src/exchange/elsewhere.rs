//! A switch that runs already (R-QRY-39): queries at it, and the way of a worker's rows to them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use datafusion::error::{DataFusionError, Result};
use netfold_net::{
    ClientError, Error, Limits, QueryMaster, QueryPlace, QueryTerms, Refusal, RemoteQuery, Token,
    Totals,
};
use netfold_wire::RowProgram;
use tokio::sync::{OnceCell, oneshot, watch};

use super::Exchange;
use super::attempt::{Attempt, Far, Role};

/// Most workers that answers are told apart by; more share them.
pub(super) const WORKERS: u32 = 1024;

/// Most tables of a sum's attempts that are open at a time. The rows of further ones pass.
const TABLES: u32 = 8;

/// Most bytes that the master of a sum holds.
const MEMORY_BYTES: u64 = 1 << 30;

/// A switch that runs already; a session has it as an extension of its configuration.
#[derive(Clone)]
pub struct Elsewhere {
    address: String,
    token: Option<Token>,
    timeout: Duration,
}

impl fmt::Debug for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the switch at {}", self.address)
    }
}

impl Elsewhere {
    /// Takes the switch at `HOST:PORT`, and its standbys, whose addresses follow after commas. A
    /// query goes on without it when it has been silent for `timeout`. Nothing is asked of it yet.
    pub fn new(address: &str, token: Option<Token>, timeout: Duration) -> Self {
        let timeout = timeout.max(Limits::default().min_timeout);
        Self { address: address.into(), token, timeout }
    }

    /// Has the switch take in a filter that the first `builds` of so many partitions fill, or
    /// returns the reason why not.
    pub(super) async fn admit_filter(
        self: Arc<Self>,
        program: RowProgram,
        builds: usize,
        partitions: usize,
    ) -> Result<Result<PlacedFilter, String>> {
        let asked = blocking(move || self.filter(program, builds as u32, partitions as u32));
        Ok(asked.await?.map_err(|error| error.to_string()))
    }

    fn filter(
        &self,
        program: RowProgram,
        builds: u32,
        partitions: u32,
    ) -> Result<PlacedFilter, Error> {
        let terms = self.terms(program, partitions, 0);
        let (query, master) = self.with_master(&terms)?;
        let (done, sealed) = watch::channel(None);
        let its = Arc::downgrade(&query);
        thread::spawn(move || {
            master.fill(&its, &AtomicU32::new(builds), |got| {
                done.send_replace(Some(got));
            });
        });
        let way = |role, first| self.way(&query, role, 0, first);
        let (fills, probes) = (way(Role::Fills, 0), way(Role::Pruned, builds));
        Ok(PlacedFilter { fills, probes, sealed, timeout: self.timeout, _query: query })
    }

    /// Asks for the query, with smaller tables if a sum's do not fit the memory that is left.
    fn ask(&self, mut program: RowProgram, partitions: u32) -> Result<Placed, Error> {
        loop {
            match (self.asked(program, partitions), &mut program) {
                (Err(error), RowProgram::GroupSum { rows, .. }) if *rows > 2 && lacks(&error) => {
                    *rows /= 2;
                }
                (asked, _) => return asked,
            }
        }
    }

    fn asked(&self, program: RowProgram, partitions: u32) -> Result<Placed, Error> {
        let sums = match program {
            RowProgram::GroupSum { sums, .. } => Some(sums),
            _ => None,
        };
        let attempts = if sums.is_some() { partitions.min(TABLES) as u16 } else { 0 };
        let terms = self.terms(program, partitions, attempts);
        let (query, totals) = match sums {
            None => {
                let (address, token) = (&self.address, self.token.as_ref());
                (Arc::new(RemoteQuery::admit(address, token, &terms, self.timeout)?), None)
            }
            Some(sums) => {
                let (query, master) = self.with_master(&terms)?;
                let totals = Totals::with_rows(sums, partitions);
                let totals = add(&query, master, totals, self.timeout);
                (query, Some(tokio::sync::Mutex::new(totals)))
            }
        };
        let role = if sums.is_some() { Role::Added } else { Role::Pruned };
        let way = self.way(&query, role, program.columns() as u8, 0);
        Ok(Placed { way, totals, _query: query })
    }

    fn terms(&self, program: RowProgram, partitions: u32, attempts: u16) -> QueryTerms {
        QueryTerms {
            program,
            workers: partitions.min(WORKERS) as u16,
            partitions,
            attempts,
            datagram_bytes: QueryPlace::DATAGRAM_BYTES,
        }
    }

    fn with_master(&self, terms: &QueryTerms) -> Result<(Arc<RemoteQuery>, QueryMaster), Error> {
        let (address, token, timeout) = (&self.address, self.token.as_ref(), self.timeout);
        let (query, master) =
            RemoteQuery::admit_with_master(address, token, terms, timeout, MEMORY_BYTES)?;
        Ok((Arc::new(query), master))
    }

    fn way(&self, query: &RemoteQuery, role: Role, columns: u8, first_partition: u32) -> Far {
        let timeout_ms = self.timeout.as_millis() as u64;
        Far { place: query.place().to_string(), role, columns, first_partition, timeout_ms }
    }
}

/// Returns whether a query was refused for want of memory.
fn lacks(error: &Error) -> bool {
    let Error::Join(error) = error else { return false };
    matches!(&**error, ClientError::Refused(Refusal::QueryMemory { .. }))
}

/// Starts the master of a sum, on a thread of its own, which ends when the query is dropped.
fn add(
    query: &Arc<RemoteQuery>,
    master: QueryMaster,
    totals: Totals,
    timeout: Duration,
) -> Awaited {
    let ((done, awaited), query) = (oneshot::channel(), Arc::downgrade(query));
    thread::spawn(move || {
        let mut done = Some(done);
        master.add(&query, totals, MEMORY_BYTES, timeout, |totals| {
            // The gathering may have ended.
            let _ = done.take().map(|done| done.send(totals));
        });
    });
    awaited
}

/// Totals of a sum that are awaited, or the reason why they will not come.
type Awaited = oneshot::Receiver<Result<Totals, String>>;

/// A filter that the switch has until this is dropped.
pub(super) struct PlacedFilter {
    /// The way of the rows that fill it.
    pub fills: Far,
    /// The way of the rows that it prunes.
    pub probes: Far,
    /// The filter is sealed, or the reason why it will not be.
    sealed: watch::Receiver<Option<Result<(), String>>>,
    timeout: Duration,
    _query: Arc<RemoteQuery>,
}

impl fmt::Debug for PlacedFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a filter, {:?}", self.probes)
    }
}

impl PlacedFilter {
    /// Waits until the switch has sealed the filter, whose build side has ended, or returns the
    /// reason why it does not.
    pub async fn seal(&self) -> Result<(), String> {
        let mut sealed = self.sealed.clone();
        let told = sealed.wait_for(Option::is_some);
        match tokio::time::timeout(self.timeout, told).await {
            Ok(Ok(told)) => told.clone().expect("it is waited for"),
            Ok(Err(_)) => Err("the thread of its master has panicked".into()),
            Err(_) => Err("a filter is not sealed".into()),
        }
    }
}

/// The query of an exchange's program, which the switch is asked for when the first worker has rows
/// for it (R-QRY-42).
pub(crate) struct FarQuery {
    elsewhere: Arc<Elsewhere>,
    program: RowProgram,
    /// The partitions that have no attempt.
    without: Mutex<BTreeSet<u32>>,
    partitions: u32,
    placed: OnceCell<Option<Placed>>,
}

impl fmt::Debug for FarQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a query for {:?}", self.elsewhere)
    }
}

impl FarQuery {
    /// Asks for nothing yet.
    pub fn new(elsewhere: Arc<Elsewhere>, program: RowProgram, partitions: u32) -> Self {
        let without = Mutex::new((0..partitions).collect());
        Self { elsewhere, program, without, partitions, placed: OnceCell::new() }
    }

    /// Returns the way of a partition's rows; none if the switch refuses, which the exchange notes.
    ///
    /// # Errors
    /// If the thread that asks has panicked.
    pub async fn way(&self, partition: u32, exchange: &Exchange) -> Result<Option<Far>> {
        let ask = || async {
            let elsewhere = Arc::clone(&self.elsewhere);
            let (program, partitions) = (self.program, self.partitions);
            let asked = blocking(move || elsewhere.ask(program, partitions)).await?;
            Ok::<_, DataFusionError>(match asked {
                Ok(placed) => Some(placed),
                Err(reason) => {
                    exchange.do_without(reason.to_string());
                    None
                }
            })
        };
        let placed = self.placed.get_or_try_init(ask).await?;
        self.without.lock().unwrap_or_else(PoisonError::into_inner).remove(&partition);
        Ok(placed.as_ref().map(|placed| placed.way.clone()))
    }

    /// Returns the totals of a sum whose workers have ended, or the reason why they do not come;
    /// nothing if the switch does not have it.
    ///
    /// # Errors
    /// If a thread that sends has panicked.
    pub async fn totals(&self) -> Result<Option<Result<Totals, String>>> {
        let Some(Some(placed)) = self.placed.get() else { return Ok(None) };
        let without = self.without.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for partition in without {
            if let Some(reason) = Attempt::empty(&placed.way, partition).await? {
                return Ok(Some(Err(reason)));
            }
        }
        Ok(Some(placed.totals().await))
    }
}

/// A query that the switch has until this is dropped.
struct Placed {
    /// The way of its workers' rows.
    way: Far,
    totals: Option<tokio::sync::Mutex<Awaited>>,
    _query: Arc<RemoteQuery>,
}

impl Placed {
    async fn totals(&self) -> Result<Totals, String> {
        let totals = self.totals.as_ref().expect("a sum has a master");
        let totals = (&mut *totals.lock().await).await;
        totals.unwrap_or_else(|_| Err("the thread of its master has panicked".into()))
    }
}

/// Runs what waits for a socket on a thread that may.
pub(super) async fn blocking<T: Send + 'static>(
    f: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let done = tokio::task::spawn_blocking(f).await;
    done.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))
}
