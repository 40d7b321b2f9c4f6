//! The way from workers to the master, with the switch on it.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use datafusion::error::{DataFusionError, Result};
use netfold_switch::query::{RowMachine, Rows};
use netfold_wire::{RowProgram, RowProgramError};

use super::Exchange;
use super::attempt::{Attempts, Far};
use super::elsewhere::FarQuery;
use super::offer::Offered;

/// The way of one worker's rows. A number chooses one of the filters that rows are pruned by, or
/// that they fill. Marks are bits, the first row's lowest.
#[async_trait]
pub trait Path: Debug + Send + Sync {
    /// Waits until the filters that rows are pruned by are complete; returns which of them are of
    /// use.
    async fn wait(&self) -> Result<Vec<bool>>;

    /// Marks the keys that a filter may have.
    async fn probe(&self, filter: usize, keys: Vec<u64>) -> Result<Vec<u64>>;

    /// Puts keys into a filter.
    async fn fill(&self, filter: usize, keys: Vec<u64>) -> Result<()>;

    /// Offers rows to the program and marks those that are forwarded; the others were dropped or
    /// absorbed. The identity is the first row's.
    async fn offer(&self, identity: u64, rows: &Offered) -> Result<Vec<u64>>;
}

/// A program in this process: threads call it in turn.
#[derive(Debug)]
pub struct Switch(Mutex<RowMachine>);

impl Switch {
    /// Returns a switch that runs a program.
    ///
    /// # Errors
    /// If the program cannot be like this.
    pub fn new(program: &RowProgram) -> Result<Self, RowProgramError> {
        Ok(Self(Mutex::new(RowMachine::new(program)?)))
    }

    /// Calls `f` with the machine.
    ///
    /// # Errors
    /// If another thread has panicked while it held the machine.
    pub fn with<T>(&self, f: impl FnOnce(&mut RowMachine) -> T) -> Result<T> {
        let mut machine = self.0.lock().map_err(|_| {
            DataFusionError::Execution("a thread that used the switch has panicked".into())
        })?;
        Ok(f(&mut machine))
    }

    /// Begins the program again.
    ///
    /// # Errors
    /// If another thread has panicked while it held the machine.
    pub fn reset(&self) -> Result<()> {
        self.with(|machine| {
            let program = *machine.program();
            *machine = RowMachine::new(&program).expect("the program has begun before");
        })
    }

    /// Offers rows and marks those that are forwarded.
    ///
    /// # Errors
    /// If another thread has panicked while it held the machine.
    pub fn offer(&self, rows: &Rows<'_>) -> Result<Vec<u64>> {
        let mut survivors = vec![0; rows.words()];
        self.with(|machine| machine.offer(rows, &mut survivors))?;
        Ok(survivors)
    }
}

/// The way of a worker that is a thread of the master's process, or whose master calls programs for
/// it.
#[derive(Debug)]
pub struct Local {
    /// The exchange.
    pub exchange: Arc<Exchange>,
    /// The attempts at a switch elsewhere, as far as that has the programs.
    pub(crate) attempts: Attempts,
    /// The query of the program at a switch elsewhere.
    pub(crate) query: Option<Arc<FarQuery>>,
    /// The number of the partition.
    pub(crate) partition: u32,
}

impl Local {
    /// Returns the way to the program at a switch elsewhere, if that has it.
    ///
    /// # Errors
    /// If the thread that asks has panicked.
    pub(crate) async fn way(&self) -> Result<Option<Far>> {
        match &self.query {
            Some(query) => query.way(self.partition, &self.exchange).await,
            None => Ok(None),
        }
    }
}

#[async_trait]
impl Path for Local {
    async fn wait(&self) -> Result<Vec<bool>> {
        let mut of_use = Vec::new();
        for one in &self.exchange.probes {
            of_use.push(one.filter.wait().await);
        }
        Ok(of_use)
    }

    async fn probe(&self, filter: usize, keys: Vec<u64>) -> Result<Vec<u64>> {
        match self.attempts.probe(filter) {
            Some(attempt) => attempt.offer_keys(keys).await,
            None => self.exchange.probes[filter].filter.probe(&keys),
        }
    }

    async fn fill(&self, filter: usize, keys: Vec<u64>) -> Result<()> {
        match self.attempts.build(filter) {
            Some(attempt) => attempt.offer_keys(keys).await.map(|_| ()),
            None => self.exchange.builds[filter].filter.fill(&keys),
        }
    }

    async fn offer(&self, identity: u64, rows: &Offered) -> Result<Vec<u64>> {
        match self.attempts.offer(self.way()).await? {
            Some(attempt) => attempt.offer(rows).await,
            None => self.exchange.offer(identity, rows),
        }
    }
}
