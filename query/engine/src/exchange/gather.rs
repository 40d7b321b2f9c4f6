//! The master's part of an exchange whose rows meet a program: it takes survivors from all
//! workers, verifies that no row of the answer was lost, and reads the sums.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

use datafusion::arrow::array::{BooleanArray, RecordBatch};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::row::OwnedRow;
use datafusion::common::runtime::JoinSet;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::execution_plan::reset_plan_states;
use futures::StreamExt;
use netfold_wire::Ties;
use tokio::sync::mpsc::{self, Sender};

use super::attempt::Attempts;
use super::elsewhere::{Elsewhere, FarQuery};
use super::join::Filling;
use super::offer::{Addend, Offer};
use super::path::Local;
use super::sums::Sums;
use super::worker::Worker;
use super::{Exchange, SwitchExchangeExec};
use crate::cluster::{Cluster, Remote, stream};
use crate::encode::Keys;

/// Batches that may wait between the workers and the master, for each worker.
const WAITING: usize = 4;

/// The master.
pub(super) struct Gather {
    pub exchange: Arc<Exchange>,
    pub input: Arc<dyn ExecutionPlan>,
    pub context: Arc<TaskContext>,
    pub out: Sender<Result<RecordBatch>>,
}

/// The reader of the answer has gone, as it may when it has enough rows.
pub(crate) fn unread<T>(_: T) -> DataFusionError {
    DataFusionError::Execution("the reader of the exchange has gone".into())
}

impl Gather {
    /// Runs the exchange, at a switch elsewhere if the session has one that takes the query in.
    pub async fn run(self) -> Result<()> {
        let switch = self.exchange.switch.as_ref().expect("a gathering has a program");
        switch.reset()?;
        self.exchange.rows.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let elsewhere = self.context.session_config().get_extension::<Elsewhere>();
        let query = match elsewhere {
            None => None,
            Some(elsewhere) => {
                let program = switch.with(|machine| *machine.program())?;
                let partitions = self.partitions() as u32;
                Some(Arc::new(FarQuery::new(elsewhere, program, partitions)))
            }
        };
        let holds = match &*self.exchange.offer {
            Offer::Top { .. } => true,
            // All are read again if there are no totals, if groups have the same key, or if another
            // worker replaces one that is lost.
            Offer::Sum { .. } => {
                let cluster = self.context.session_config().get_extension::<Cluster>();
                let replaces = cluster.is_some_and(|cluster| cluster.shared());
                let hashes = self.keys().is_some_and(|keys| !keys.are_values());
                query.is_some() || replaces || hashes
            }
            _ => false,
        };
        let mut held = Vec::new();
        let (to_master, mut survivors) =
            mpsc::channel::<Result<RecordBatch>>(WAITING * self.partitions());
        let mut workers = JoinSet::new();
        for partition in 0..self.partitions() {
            let (exchange, input) = (Arc::clone(&self.exchange), Arc::clone(&self.input));
            let context = Arc::clone(&self.context);
            workers.spawn(work(
                exchange,
                input,
                partition,
                context,
                to_master.clone(),
                query.clone(),
            ));
        }
        drop(to_master);
        while let Some(batch) = survivors.recv().await {
            if holds {
                held.push(batch?);
            } else {
                self.send(batch?).await?;
            }
        }
        let mut ended = Vec::new();
        while let Some(worker) = workers.join_next().await {
            ended.push(worker.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))??);
        }
        match &*self.exchange.offer {
            Offer::Top { fetch, ties, .. } => self.top(held, &ended, *fetch, *ties).await,
            Offer::Sum { addends, .. } => self.sums(query, addends, held, &ended).await,
            _ => Ok(()),
        }
    }

    fn partitions(&self) -> usize {
        self.input.properties().output_partitioning().partition_count()
    }

    fn keys(&self) -> Option<Keys> {
        self.exchange.keys(&self.input.schema())
    }

    async fn send(&self, batch: RecordBatch) -> Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        self.out.send(Ok(batch)).await.map_err(unread)
    }

    /// Sends the survivors of a Top-N if no row of the answer was dropped, and otherwise all rows
    /// that may belong to it (R-QRY-10).
    async fn top(
        &self,
        held: Vec<RecordBatch>,
        workers: &[Ended],
        fetch: usize,
        ties: Ties,
    ) -> Result<()> {
        let mut codes = Vec::new();
        for batch in &held {
            codes.extend(self.exchange.offer.codes(batch)?);
        }
        codes.sort_unstable_by(|a, b| b.cmp(a));
        let last = codes.get(fetch - 1).copied();
        let dropped = workers.iter().filter_map(Ended::best_dropped).max();
        let lost = match (dropped, last, ties) {
            (None, ..) => false,
            (Some(_), None, _) => true,
            (Some(dropped), Some(last), Ties::Drop) => dropped > last,
            (Some(dropped), Some(last), Ties::Keep) => dropped >= last,
        };
        if !lost {
            for batch in held {
                self.send(batch).await?;
            }
            return Ok(());
        }
        self.again(|batch| match last {
            None => Ok(batch),
            Some(last) => {
                let codes = self.exchange.offer.codes(&batch)?;
                let needed: BooleanArray =
                    codes.into_iter().map(|code| Some(code >= last)).collect();
                Ok(filter_record_batch(&batch, &needed)?)
            }
        })
        .await
    }

    /// Reads the fragment again, past the switch.
    async fn again(&self, keep: impl Fn(RecordBatch) -> Result<RecordBatch>) -> Result<()> {
        let past = past(&self.exchange, &self.input)?;
        for partition in 0..self.partitions() {
            let mut stream = past.execute(partition, Arc::clone(&self.context))?;
            while let Some(batch) = stream.next().await {
                self.send(keep(batch?)?).await?;
            }
        }
        Ok(())
    }

    /// Sends the sums of the switch, and the survivors that were held; all rows, if two groups have
    /// the same key.
    async fn sums(
        &self,
        query: Option<Arc<FarQuery>>,
        addends: &[Addend],
        held: Vec<RecordBatch>,
        workers: &[Ended],
    ) -> Result<()> {
        // What the program has of a worker that is lost cannot be told from the rest (R-QRY-43).
        if workers.iter().any(|worker| matches!(worker, Ended::Lost)) {
            return self.again(Ok).await;
        }
        let Some(groups) = groups(workers) else { return self.again(Ok).await };
        let totals = match query {
            Some(query) => query.totals().await?,
            None => None,
        };
        let (offer, schema) = (&self.exchange.offer, self.input.schema());
        let sums = Sums::new(self.keys(), groups, addends, offer, schema)?;
        let batches = match totals {
            None => {
                let switch = self.exchange.switch.as_ref().expect("a gathering has a program");
                let mut batches = switch.with(|machine| {
                    let table = machine.table().expect("the program is a sum");
                    let slots = (0..table.len()).filter_map(|slot| table.slot(slot));
                    let slots = slots.map(|slot| (slot.key, slot.accumulators));
                    sums.of_slots(slots)
                })??;
                let rows = self.exchange.rows.lock().unwrap_or_else(PoisonError::into_inner);
                batches.extend(sums.of_rows(&rows)?);
                batches
            }
            Some(Ok(totals)) => {
                let mut batches = sums.of_slots(totals.groups())?;
                batches.extend(sums.of_rows(totals.rows())?);
                batches
            }
            Some(Err(reason)) => {
                self.exchange.do_without(reason);
                return self.again(Ok).await;
            }
        };
        for batch in held.into_iter().chain(batches) {
            self.send(batch).await?;
        }
        Ok(())
    }
}

/// Returns an exchange that reads a fragment again, past the switch.
fn past(exchange: &Exchange, input: &Arc<dyn ExecutionPlan>) -> Result<SwitchExchangeExec> {
    let input = reset_plan_states(Arc::clone(input))?;
    SwitchExchangeExec::new(input, Offer::Pass { reason: None }, &exchange.options)
}

/// The groups behind keys that are hashes; nothing if two have the same key.
fn groups(workers: &[Ended]) -> Option<HashMap<u64, &OwnedRow>> {
    let mut groups = HashMap::new();
    for (key, group) in workers.iter().flat_map(Ended::absorbed) {
        if *groups.entry(key).or_insert(group) != group {
            return None;
        }
    }
    Some(groups)
}

/// A worker that has streamed its partition, with what it has kept.
#[derive(Debug)]
pub(super) enum Ended {
    /// A thread of this process.
    Local(Box<Worker>),
    /// A process of its own.
    Remote(Box<Remote>),
    /// A process that was lost: another has read its rows again, past the switch, unless the
    /// program is a sum.
    Lost,
}

impl Ended {
    fn best_dropped(&self) -> Option<i64> {
        match self {
            Self::Local(worker) => worker.best_dropped(),
            Self::Remote(worker) => worker.best_dropped,
            Self::Lost => None,
        }
    }

    fn absorbed(&self) -> Box<dyn Iterator<Item = (u64, &OwnedRow)> + '_> {
        match self {
            Self::Local(worker) => Box::new(worker.absorbed()),
            Self::Remote(worker) => {
                Box::new(worker.absorbed.iter().map(|(key, group)| (*key, group)))
            }
            Self::Lost => Box::new(std::iter::empty()),
        }
    }
}

/// Streams a partition past the switch; returns the worker with what it has kept.
pub(super) async fn work(
    exchange: Arc<Exchange>,
    input: Arc<dyn ExecutionPlan>,
    partition: usize,
    context: Arc<TaskContext>,
    to_master: Sender<Result<RecordBatch>>,
    query: Option<Arc<FarQuery>>,
) -> Result<Ended> {
    let filling = Filling::new(exchange.builds.clone());
    let ways = exchange.ways(query.is_some(), &context).await?;
    if let Some(cluster) = context.session_config().get_extension::<Cluster>() {
        let task = (Arc::clone(&exchange), Arc::clone(&input), partition);
        let to = to_master.clone();
        if let Some(remote) = stream(&cluster, task, to, ways, query, filling).await? {
            return Ok(Ended::Remote(Box::new(remote)));
        }
        if !exchange.offer.is_sum() {
            let mut rows = past(&exchange, &input)?.execute(partition, context)?;
            while let Some(batch) = rows.next().await.transpose()? {
                exchange.forwarded.add(batch.num_rows());
                to_master.send(Ok(batch)).await.map_err(unread)?;
            }
        }
        return Ok(Ended::Lost);
    }
    let mut worker = Worker::new(exchange.task(&input, partition))?;
    let attempts = Attempts::open(&ways, partition as u32);
    let exchange_of = Arc::clone(&exchange);
    let path = Local { exchange: exchange_of, attempts, query, partition: partition as u32 };
    worker.wait(&path).await?;
    let mut stream = input.execute(partition, context)?;
    let send = async |rows: RecordBatch| {
        exchange.forwarded.add(rows.num_rows());
        if rows.num_rows() == 0 { Ok(()) } else { to_master.send(Ok(rows)).await.map_err(unread) }
    };
    let mut next = stream.next().await.transpose()?;
    let mut is_first = true;
    while let Some(batch) = next {
        next = stream.next().await.transpose()?;
        if std::mem::take(&mut is_first) && next.is_none() {
            worker.has_all(&batch);
        }
        exchange.offered.add(batch.num_rows());
        send(worker.step(batch, &path).await?).await?;
    }
    if let Some(dropped) = worker.dropped()? {
        send(dropped).await?;
    }
    let without = path.attempts.finish().await?;
    exchange.repeated.add(path.attempts.repeated() as usize);
    filling.end(without, &exchange).await?;
    Ok(Ended::Local(Box::new(worker)))
}
