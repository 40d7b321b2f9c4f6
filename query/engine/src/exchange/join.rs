//! A Bloom filter of a join (R-QRY-13), which the rows of one exchange fill, and by which those of
//! another are pruned.

use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use netfold_switch::query::Rows;
use netfold_wire::RowProgram;
use tokio::sync::watch;

use super::path::Switch;
use crate::Options;

/// The state of the build side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    /// Rows of so many partitions are still to come.
    Open(usize),
    /// All rows have come.
    Complete,
    /// Nobody reads the rest of the build side: the filter is not used.
    Abandoned,
}

/// A filter that two exchanges share.
#[derive(Debug)]
pub struct JoinFilter {
    /// The number by which EXPLAIN names it.
    pub number: usize,
    switch: Switch,
    partitions: usize,
    build: watch::Sender<Build>,
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
    /// Returns a filter that rows of `partitions` partitions will fill.
    ///
    /// # Errors
    /// If the filter's size is no power of two.
    pub fn new(number: usize, partitions: usize, options: &Options) -> Result<Self> {
        let program = RowProgram::BloomJoin {
            words: options.filter,
            bits: 4,
            seed: options.seed,
            forwards_build: true,
        };
        let switch = Switch::new(&program)
            .map_err(|error| DataFusionError::Configuration(format!("netfold.filter: {error}")))?;
        let build = watch::Sender::new(Build::Open(partitions));
        Ok(Self { number, switch, partitions, build })
    }

    /// Waits until the build side is complete, or until nobody reads the rest of it.
    pub async fn wait(&self) {
        let mut build = self.build.subscribe();
        let over = build.wait_for(|build| !matches!(build, Build::Open(_))).await;
        over.expect("the filter is here, and with it the sender");
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

    /// Notes that a partition of the build side has ended.
    ///
    /// # Errors
    /// If a thread that used the filter has panicked.
    pub fn complete(&self) -> Result<()> {
        let mut sealed = Ok(());
        self.build.send_modify(|build| {
            *build = match *build {
                Build::Open(1) => {
                    sealed = self.switch.with(|machine| machine.seal());
                    Build::Complete
                }
                Build::Open(partitions) => Build::Open(partitions - 1),
                over => over,
            };
        });
        sealed
    }

    /// Empties the filter, for another execution of the plan.
    ///
    /// # Errors
    /// If a thread that used the filter has panicked.
    pub fn reset(&self) -> Result<()> {
        self.switch.reset()?;
        self.build.send_replace(Build::Open(self.partitions));
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

    /// Ends the partition.
    ///
    /// # Errors
    /// If a thread that used a filter has panicked.
    pub fn complete(mut self) -> Result<()> {
        self.over = true;
        self.uses.iter().try_for_each(|one| one.filter.complete())
    }
}

impl Drop for Filling {
    fn drop(&mut self) {
        if !self.over {
            self.uses.iter().for_each(|one| one.filter.abandon());
        }
    }
}
