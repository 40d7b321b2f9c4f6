//! A worker's way to queries at a switch elsewhere (R-QRY-39).

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use datafusion::error::{DataFusionError, Result};
use netfold_net::{QueryPlace, QuerySender, SenderConfig, WorkerId, mark_all};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, OnceCell};

use super::elsewhere::{WORKERS, blocking};
use super::offer::Offered;

/// The way of a worker's rows to a query elsewhere, as workers of other processes are told it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Far {
    pub(super) place: String,
    pub(super) role: Role,
    pub(super) columns: u8,
    /// The number of the first worker's partition.
    pub(super) first_partition: u32,
    pub(super) timeout_ms: u64,
}

/// Purpose for which rows go to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Role {
    /// The switch says which of them survive.
    Pruned,
    /// The switch adds them.
    Added,
    /// Their keys fill a filter.
    Fills,
}

/// The ways of a worker's rows to queries elsewhere, as far as a switch has them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ways {
    /// A switch may have the program: the worker asks for the way when it has rows for it.
    pub asks: bool,
    /// To the filters that rows are pruned by.
    pub probes: Vec<Option<Far>>,
    /// To the filters that rows fill.
    pub builds: Vec<Option<Far>>,
}

/// The attempts of a partition at a switch elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    partition: u32,
    asks: bool,
    offer: OnceCell<Option<Attempt>>,
    probes: Vec<Option<Attempt>>,
    builds: Vec<Option<Attempt>>,
}

impl Attempts {
    /// Opens the attempts of a partition. Nothing is sent before rows are.
    pub fn open(ways: &Ways, partition: u32) -> Self {
        let open = |way: &Option<Far>| way.as_ref().map(|way| Attempt::open(way, partition));
        Self {
            partition,
            asks: ways.asks,
            offer: OnceCell::new(),
            probes: ways.probes.iter().map(open).collect(),
            builds: ways.builds.iter().map(open).collect(),
        }
    }

    /// Returns the attempt at the program; `way` asks for its way, once.
    ///
    /// # Errors
    /// Those of `way`.
    pub async fn offer(
        &self,
        way: impl Future<Output = Result<Option<Far>>>,
    ) -> Result<Option<&Attempt>> {
        if !self.asks {
            return Ok(None);
        }
        let open = async { Ok(way.await?.map(|way| Attempt::open(&way, self.partition))) };
        let attempt: Result<_, DataFusionError> = self.offer.get_or_try_init(|| open).await;
        Ok(attempt?.as_ref())
    }

    /// Returns the attempt at one of the filters that rows are pruned by.
    pub fn probe(&self, filter: usize) -> Option<&Attempt> {
        self.probes.get(filter)?.as_ref()
    }

    /// Returns the attempt at one of the filters that rows fill.
    pub fn build(&self, filter: usize) -> Option<&Attempt> {
        self.builds.get(filter)?.as_ref()
    }

    fn all(&self) -> impl Iterator<Item = &Attempt> {
        self.probes.iter().chain(&self.builds).chain(self.offer.get()).flatten()
    }

    /// Returns the packets that were sent again.
    pub fn repeated(&self) -> u64 {
        self.all().map(|attempt| attempt.repeated.load(Ordering::Relaxed)).sum()
    }

    /// Ends the attempts, and returns the reason why one went on without the switch, if it did.
    ///
    /// # Errors
    /// If a thread that sends has panicked.
    pub async fn finish(&self) -> Result<Option<String>> {
        let mut reason = None;
        for attempt in self.all() {
            let ended = attempt.finish().await?;
            reason = reason.or(ended);
        }
        Ok(reason)
    }
}

impl fmt::Debug for Far {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a query at {}", self.place.split(' ').next().unwrap_or_default())
    }
}

/// An attempt of a partition at the switch.
pub(crate) struct Attempt {
    role: Role,
    state: Mutex<State>,
    /// Packets that were sent again.
    repeated: AtomicU64,
}

/// The sender while the switch answers, or the reason why it no longer does.
type State = Result<Option<QuerySender>, String>;

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an attempt at a switch elsewhere")
    }
}

impl Attempt {
    fn open(way: &Far, partition: u32) -> Self {
        let open = || -> Result<QuerySender, String> {
            let place: QueryPlace = way.place.parse().map_err(|error| format!("{error}"))?;
            let config = SenderConfig {
                worker: WorkerId((partition % WORKERS) as u16),
                build: way.role == Role::Fills,
                verdicts: way.role == Role::Pruned,
                keys: true,
                columns: way.columns,
                ..place.attempt(way.first_partition + partition, 1)
            };
            let shard = place.address().map_err(|error| format!("{}: {error}", place.shard))?;
            let timeout = Duration::from_millis(way.timeout_ms);
            QuerySender::open(shard, config, timeout).map_err(|error| error.to_string())
        };
        let state = Mutex::new(open().map(Some));
        Self { role: way.role, state, repeated: AtomicU64::new(0) }
    }

    /// Offers keys alone, as [`Attempt::offer`] does rows.
    ///
    /// # Errors
    /// If the thread that sends has panicked.
    pub async fn offer_keys(&self, keys: Vec<u64>) -> Result<Vec<u64>> {
        self.offer(&Offered { keys, ..Offered::default() }).await
    }

    /// Offers rows, and marks those that survive: all, once the switch is silent. Rows that are
    /// added, or fill a filter, do not.
    ///
    /// # Errors
    /// If the thread that sends has panicked.
    pub async fn offer(&self, rows: &Offered) -> Result<Vec<u64>> {
        let count = rows.keys.len();
        let mut bits = vec![0; count.div_ceil(64)];
        let pruned = self.role == Role::Pruned;
        if pruned {
            mark_all(count, &mut bits);
        }
        let mut state = self.state.lock().await;
        let Ok(Some(mut sender)) = state.as_mut().map(Option::take) else { return Ok(bits) };
        let (keys, columns) = (rows.keys.clone(), rows.columns.clone());
        let (sent, sender, bits) = blocking(move || {
            let columns: Vec<&[i64]> = columns.iter().map(Vec::as_slice).collect();
            let sent = match pruned {
                true => sender.offer(&keys, &columns, &mut bits),
                false => sender.send(&keys, &columns),
            };
            (sent, sender, bits)
        })
        .await?;
        self.repeated.store(sender.counters().repeated, Ordering::Relaxed);
        *state = sent.map(|()| Some(sender)).map_err(|error| error.to_string());
        Ok(bits)
    }

    /// Ends an attempt without rows, of a sum that needs one of each partition.
    ///
    /// # Errors
    /// If the thread that sends has panicked.
    pub async fn empty(way: &Far, partition: u32) -> Result<Option<String>> {
        Self::open(way, partition).finish().await
    }

    async fn finish(&self) -> Result<Option<String>> {
        match std::mem::replace(&mut *self.state.lock().await, Ok(None)) {
            Err(reason) => Ok(Some(reason)),
            Ok(Some(sender)) if self.role != Role::Pruned => {
                Ok(match blocking(move || sender.finish()).await? {
                    Ok(counters) => {
                        self.repeated.store(counters.repeated, Ordering::Relaxed);
                        None
                    }
                    Err(error) => Some(error.to_string()),
                })
            }
            Ok(_) => Ok(None),
        }
    }
}
