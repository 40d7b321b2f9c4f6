//! A switch that runs already (R-QRY-39): queries at it, and the way of a worker's rows to them.

use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use datafusion::error::{DataFusionError, Result};
use netfold_net::{
    ClientError, Error, Limits, QueryMaster, QueryPlace, QuerySender, QueryTerms, Refusal,
    RemoteQuery, Token, Totals, WorkerId, mark_all,
};
use netfold_wire::RowProgram;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, oneshot};

use super::offer::Offered;

/// Most workers that answers are told apart by; more share them.
const WORKERS: u32 = 1024;

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
    /// Takes the switch at `HOST:PORT`. A query goes on without it when it has been silent for
    /// `timeout`. Nothing is asked of it yet.
    pub fn new(address: &str, token: Option<Token>, timeout: Duration) -> Self {
        let timeout = timeout.max(Limits::default().min_timeout);
        Self { address: address.into(), token, timeout }
    }

    /// Has the switch take in a query of so many partitions, or returns the reason why not.
    pub(super) async fn admit(
        self: Arc<Self>,
        program: RowProgram,
        partitions: usize,
    ) -> Result<Result<Placed, String>> {
        let asked = blocking(move || self.ask(program, partitions as u32)).await?;
        Ok(asked.map_err(|error| error.to_string()))
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
        let terms = QueryTerms {
            program,
            workers: partitions.min(WORKERS) as u16,
            partitions,
            attempts: if sums.is_some() { partitions.min(TABLES) as u16 } else { 0 },
            datagram_bytes: QueryPlace::DATAGRAM_BYTES,
        };
        let (address, token, timeout) = (&self.address, self.token.as_ref(), self.timeout);
        let (query, totals) = match sums {
            None => (Arc::new(RemoteQuery::admit(address, token, &terms, timeout)?), None),
            Some(sums) => {
                let (query, master) =
                    RemoteQuery::admit_with_master(address, token, &terms, timeout, MEMORY_BYTES)?;
                let query = Arc::new(query);
                let totals = add(&query, master, Totals::new(sums, partitions));
                (query, Some(totals))
            }
        };
        let way = Far {
            place: query.place().to_string(),
            columns: program.columns() as u8,
            adds: sums.is_some(),
            timeout_ms: timeout.as_millis() as u64,
        };
        Ok(Placed { way, timeout, totals, _query: query })
    }
}

/// Returns whether a query was refused for want of memory.
fn lacks(error: &Error) -> bool {
    let Error::Join(error) = error else { return false };
    matches!(&**error, ClientError::Refused(Refusal::QueryMemory { .. }))
}

/// Starts the master of a sum, on a thread of its own, which ends when the query is dropped.
fn add(query: &Arc<RemoteQuery>, master: QueryMaster, totals: Totals) -> Awaited {
    let ((done, awaited), query) = (oneshot::channel(), Arc::downgrade(query));
    thread::spawn(move || {
        let mut done = Some(done);
        master.add(&query, totals, MEMORY_BYTES, |totals| {
            // The gathering may have ended.
            let _ = done.take().map(|done| done.send(totals));
        });
    });
    awaited
}

/// Totals of a sum that are awaited, or the reason why they will not come.
type Awaited = oneshot::Receiver<Result<Totals, String>>;

/// A query that the switch has until this is dropped.
pub(super) struct Placed {
    /// The way of its workers' rows.
    pub way: Far,
    timeout: Duration,
    totals: Option<Awaited>,
    _query: Arc<RemoteQuery>,
}

impl Placed {
    /// Returns the totals of a sum whose workers have ended, or the reason why they do not come.
    pub async fn totals(&mut self) -> Result<Totals, String> {
        let totals = self.totals.as_mut().expect("a sum has a master");
        match tokio::time::timeout(self.timeout, totals).await {
            Ok(Ok(totals)) => totals,
            Ok(Err(_)) => Err("the thread of its master has panicked".into()),
            Err(_) => Err("the totals do not come".into()),
        }
    }
}

/// The way of a worker's rows to a query elsewhere, as workers of other processes are told it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Far {
    place: String,
    columns: u8,
    /// Rows are added.
    adds: bool,
    timeout_ms: u64,
}

impl fmt::Debug for Far {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a query at {}", self.place.split(' ').next().unwrap_or_default())
    }
}

/// An attempt of a partition at the switch.
pub(crate) struct Attempt {
    adds: bool,
    state: Mutex<State>,
}

/// The sender while the switch answers, or the reason why it no longer does.
type State = Result<Option<QuerySender>, String>;

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an attempt at a switch elsewhere")
    }
}

impl Attempt {
    /// Opens the attempt of a partition. Nothing is sent before rows are.
    pub fn open(way: &Far, partition: u32) -> Self {
        let open = || -> Result<QuerySender, String> {
            let place: QueryPlace = way.place.parse().map_err(|error| format!("{error}"))?;
            let config = netfold_net::SenderConfig {
                worker: WorkerId((partition % WORKERS) as u16),
                verdicts: !way.adds,
                keys: true,
                columns: way.columns,
                ..place.attempt(partition, 1)
            };
            let shard = place.address().map_err(|error| format!("{}: {error}", place.shard))?;
            let timeout = Duration::from_millis(way.timeout_ms);
            QuerySender::open(shard, config, timeout).map_err(|error| error.to_string())
        };
        Self { adds: way.adds, state: Mutex::new(open().map(Some)) }
    }

    /// Offers rows, and marks those that survive: all, once the switch is silent. Rows that are
    /// added do not.
    ///
    /// # Errors
    /// If the thread that sends has panicked.
    pub async fn offer(&self, rows: &Offered) -> Result<Vec<u64>> {
        let count = rows.keys.len();
        let mut bits = vec![0; count.div_ceil(64)];
        if !self.adds {
            mark_all(count, &mut bits);
        }
        let mut state = self.state.lock().await;
        let Ok(Some(mut sender)) = state.as_mut().map(Option::take) else { return Ok(bits) };
        let (keys, columns, adds) = (rows.keys.clone(), rows.columns.clone(), self.adds);
        let (sent, bits) = blocking(move || {
            let columns: Vec<&[i64]> = columns.iter().map(Vec::as_slice).collect();
            let sent = match adds {
                true => sender.send(&keys, &columns),
                false => sender.offer(&keys, &columns, &mut bits),
            };
            (sent.map(|()| sender), bits)
        })
        .await?;
        *state = sent.map(Some).map_err(|error| error.to_string());
        Ok(bits)
    }

    /// Ends the attempt, and returns the reason why it goes on without the switch, if it does.
    ///
    /// # Errors
    /// If the thread that sends has panicked.
    pub async fn finish(&self) -> Result<Option<String>> {
        match std::mem::replace(&mut *self.state.lock().await, Ok(None)) {
            Err(reason) => Ok(Some(reason)),
            Ok(Some(sender)) if self.adds => {
                let ended = blocking(move || sender.finish()).await?;
                Ok(ended.err().map(|error| error.to_string()))
            }
            Ok(_) => Ok(None),
        }
    }
}

/// Runs what waits for a socket on a thread that may.
async fn blocking<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let done = tokio::task::spawn_blocking(f).await;
    done.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))
}
