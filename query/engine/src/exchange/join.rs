//! A Bloom filter of a join (R-QRY-13), which the rows of one exchange fill, and by which those of
//! another are pruned.

use std::sync::{Arc, Mutex, PoisonError};

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use netfold_switch::query::Rows;
use netfold_wire::RowProgram;
use tokio::sync::{OnceCell, watch};

use super::Exchange;
use super::elsewhere::{Elsewhere, PlacedFilter};
use super::path::Switch;
use crate::Options;

/// The state of the build side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    /// Rows of so many partitions are still to come, or the filter is to be sealed.
    Open(usize),
    /// All rows have come.
    Complete,
    /// Nobody reads the rest of the build side, or the switch is lost: the filter is not used.
    Abandoned,
}

/// The filter's query at a switch elsewhere, or the reason why that has not taken it in; asked for
/// once in an execution, by the first partition.
type Place = Arc<OnceCell<Option<Result<Arc<PlacedFilter>, String>>>>;

/// A filter that two exchanges share.
#[derive(Debug)]
pub struct JoinFilter {
    /// The number by which EXPLAIN names it.
    pub number: usize,
    switch: Switch,
    /// Partitions of the build side, and of both sides.
    builds: usize,
    partitions: usize,
    build: watch::Sender<Build>,
    place: Mutex<Place>,
}

/// The columns of an exchange's rows that a filter's keys are made from.
#[derive(Clone, Debug)]
pub struct FilterUse {
    /// The filter.
    pub filter: Arc<JoinFilter>,
    /// The columns.
    pub columns: Vec<usize>,
}

impl JoinFilter {
    /// Returns a filter that rows of `builds` partitions will fill, and by which those of `probes`
    /// others are pruned.
    ///
    /// # Errors
    /// If the filter's size is no power of two.
    pub fn new(number: usize, builds: usize, probes: usize, options: &Options) -> Result<Self> {
        let program = RowProgram::BloomJoin {
            words: options.filter,
            bits: 4,
            seed: options.seed,
            forwards_build: false,
        };
        let switch = Switch::new(&program)
            .map_err(|error| DataFusionError::Configuration(format!("netfold.filter: {error}")))?;
        let build = watch::Sender::new(Build::Open(builds));
        let (partitions, place) = (builds + probes, Mutex::default());
        Ok(Self { number, switch, builds, partitions, build, place })
    }

    /// Has a switch elsewhere take the filter in, if the session has one; gives the reason if it
    /// does not.
    ///
    /// # Errors
    /// If the thread that asks has panicked.
    pub(super) async fn place(
        &self,
        context: &TaskContext,
    ) -> Result<Option<Result<Arc<PlacedFilter>, String>>> {
        let Some(elsewhere) = context.session_config().get_extension::<Elsewhere>() else {
            return Ok(None);
        };
        let cell = self.placed();
        let placed = cell.get_or_try_init(|| async {
            let program = self.switch.with(|machine| *machine.program())?;
            let asked = elsewhere.admit_filter(program, self.builds, self.partitions).await?;
            Ok::<_, DataFusionError>(Some(asked.map(Arc::new)))
        });
        placed.await.cloned()
    }

    fn placed(&self) -> Place {
        Arc::clone(&self.place.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until the build side is complete, or until nobody reads the rest of it. Returns
    /// whether the filter is of use.
    pub async fn wait(&self) -> bool {
        let mut build = self.build.subscribe();
        let over = build.wait_for(|build| !matches!(build, Build::Open(_))).await;
        *over.expect("the filter is here, and with it the sender") == Build::Complete
    }

    /// Puts keys into the filter.
    ///
    /// # Errors
    /// If a thread that used the filter has panicked.
    pub fn fill(&self, keys: &[u64]) -> Result<()> {
        self.switch.offer(&Rows { identity: 0, keys, columns: &[], build: true }).map(|_| ())
    }

    /// Marks the keys that the filter may have: all, unless the build side is complete.
    ///
    /// # Errors
    /// If a thread that used the filter has panicked.
    pub fn probe(&self, keys: &[u64]) -> Result<Vec<u64>> {
        self.switch.offer(&Rows { identity: 0, keys, columns: &[], build: false })
    }

    /// Notes that a partition of the build side has ended; the last one has the filter sealed.
    /// Returns the reason why a switch elsewhere does not seal it.
    ///
    /// # Errors
    /// If a thread that used the filter has panicked.
    pub async fn complete(&self) -> Result<Option<String>> {
        let mut last = false;
        self.build.send_modify(|build| {
            if let Build::Open(partitions @ 1..) = build {
                *partitions -= 1;
                last = *partitions == 0;
            }
        });
        if !last {
            return Ok(None);
        }
        let unsealed = match self.placed().get() {
            Some(Some(Ok(placed))) => placed.seal().await.err(),
            _ => {
                self.switch.with(|machine| machine.seal())?;
                None
            }
        };
        let over = if unsealed.is_none() { Build::Complete } else { Build::Abandoned };
        self.build.send_replace(over);
        Ok(unsealed)
    }

    /// Empties the filter, for another execution of the plan.
    ///
    /// # Errors
    /// If a thread that used the filter has panicked.
    pub fn reset(&self) -> Result<()> {
        self.switch.reset()?;
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = Place::default();
        self.build.send_replace(Build::Open(self.builds));
        Ok(())
    }

    /// Notes that a partition of the build side is not read to its end.
    pub fn abandon(&self) {
        self.build.send_modify(|build| {
            if matches!(build, Build::Open(_)) {
                *build = Build::Abandoned;
            }
        });
    }
}

/// A partition of the build side; dropped before its end, it abandons the filters.
#[derive(Debug)]
pub struct Filling {
    uses: Vec<FilterUse>,
    over: bool,
}

impl Filling {
    /// Begins to fill filters.
    pub fn new(uses: Vec<FilterUse>) -> Self {
        Self { uses, over: false }
    }

    /// Ends the partition of an exchange. If it went on without a switch elsewhere, for a reason,
    /// its filters lack keys, and are abandoned.
    ///
    /// # Errors
    /// If a thread that used a filter has panicked.
    pub async fn end(mut self, without: Option<String>, exchange: &Exchange) -> Result<()> {
        if let Some(reason) = without {
            exchange.do_without(reason);
            return Ok(());
        }
        for one in &self.uses {
            if let Some(reason) = one.filter.complete().await? {
                exchange.do_without(reason);
            }
        }
        self.over = true;
        Ok(())
    }
}

impl Drop for Filling {
    fn drop(&mut self) {
        if !self.over {
            self.uses.iter().for_each(|one| one.filter.abandon());
        }
    }
}
