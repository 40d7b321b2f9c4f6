//! The master's part of an exchange whose rows meet a program: it takes survivors from all
//! workers, verifies that no row of the answer was lost, and reads the sums.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Decimal128Array, Int64Array, RecordBatch, UInt64Array,
};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::row::OwnedRow;
use datafusion::common::runtime::JoinSet;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::execution_plan::reset_plan_states;
use futures::StreamExt;
use netfold_wire::Ties;
use tokio::sync::mpsc::{self, Sender};

use super::attempt::{Attempts, Far};
use super::elsewhere::{Elsewhere, Placed};
use super::join::Filling;
use super::offer::{Addend, Offer};
use super::path::Local;
use super::worker::{Answers, Worker};
use super::{Exchange, SwitchExchangeExec};
use crate::cluster::{Cluster, Remote, stream};
use crate::encode::Keys;
use crate::functions::{Exact, sum_columns};

/// Batches that may wait between the workers and the master, for each worker.
const WAITING: usize = 4;

/// Rows of a batch of sums.
const SUMS: usize = 8192;

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
        let Some(elsewhere) = self.context.session_config().get_extension::<Elsewhere>() else {
            return self.gather(None).await;
        };
        let program = switch.with(|machine| *machine.program())?;
        match elsewhere.admit(program, self.partitions()).await? {
            Ok(placed) => self.gather(Some(placed)).await,
            Err(reason) => {
                self.exchange.do_without(reason);
                self.gather(None).await
            }
        }
    }

    async fn gather(self, placed: Option<Placed>) -> Result<()> {
        let hashed = matches!(self.keys(), Some(Keys::Hashed(_)));
        let mut answers = Answers::new(Arc::clone(&self.exchange.offer), &self.input.schema())?;
        let holds = match &*self.exchange.offer {
            Offer::Top { .. } => true,
            // All are read again if there are no totals.
            Offer::Sum { .. } => hashed || placed.is_some(),
            _ => false,
        };
        let mut held = Vec::new();
        let (to_master, mut survivors) =
            mpsc::channel::<Result<RecordBatch>>(WAITING * self.partitions());
        let mut workers = JoinSet::new();
        for partition in 0..self.partitions() {
            let (exchange, input) = (Arc::clone(&self.exchange), Arc::clone(&self.input));
            let context = Arc::clone(&self.context);
            let (to_master, way) = (to_master.clone(), placed.as_ref().map(|one| one.way.clone()));
            workers.spawn(work(exchange, input, partition, context, to_master, way));
        }
        drop(to_master);
        while let Some(batch) = survivors.recv().await {
            let batch = batch?;
            if hashed {
                answers.take(&batch)?;
            }
            if holds {
                held.push(batch);
            } else {
                self.send(batch).await?;
            }
        }
        let mut ended = Vec::new();
        while let Some(worker) = workers.join_next().await {
            ended.push(worker.map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))??);
        }
        match &*self.exchange.offer {
            Offer::Top { fetch, ties, .. } => self.top(held, &ended, *fetch, *ties).await,
            Offer::Sum { addends, .. } => self.sums(placed, addends, held, &ended, &answers).await,
            _ => self.verified(&ended, &mut answers).await,
        }
    }

    fn partitions(&self) -> usize {
        self.input.properties().output_partitioning().partition_count()
    }

    fn keys(&self) -> Option<Keys> {
        let schema = self.input.schema();
        let types: Vec<DataType> =
            schema.fields().iter().map(|field| field.data_type().clone()).collect();
        self.exchange.offer.keys(&types, self.exchange.options.seed)
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
        let input = reset_plan_states(Arc::clone(&self.input))?;
        let past =
            SwitchExchangeExec::new(input, Offer::Pass { reason: None }, &self.exchange.options)?;
        for partition in 0..self.partitions() {
            let mut stream = past.execute(partition, Arc::clone(&self.context))?;
            while let Some(batch) = stream.next().await {
                self.send(keep(batch?)?).await?;
            }
        }
        Ok(())
    }

    /// Sends the rows that an equality of hashes kept from the master (R-QRY-15).
    async fn verified(&self, workers: &[Ended], answers: &mut Answers) -> Result<()> {
        for worker in workers {
            if let Some(missing) = worker.missing(answers).await? {
                answers.take(&missing)?;
                self.send(missing).await?;
            }
        }
        Ok(())
    }

    /// Sends the sums of the switch, and the survivors that were held; all rows, if two groups have
    /// the same key.
    async fn sums(
        &self,
        placed: Option<Placed>,
        addends: &[Addend],
        held: Vec<RecordBatch>,
        workers: &[Ended],
        answers: &Answers,
    ) -> Result<()> {
        let Some(groups) = groups(workers) else { return self.again(Ok).await };
        let schema = self.input.schema();
        let batch = |slots: &[Slot<'_>]| -> Result<RecordBatch> {
            let keys: Vec<u64> = slots.iter().map(|(key, _)| *key).collect();
            let mut columns = match self.keys() {
                None => Vec::new(),
                Some(Keys::Hashed(_)) => answers.groups(keys.iter().map(|key| groups[key]))?,
                Some(exact) => exact.values(&keys).into_iter().collect(),
            };
            columns.extend(state_columns(slots, addends, &schema)?);
            Ok(RecordBatch::try_new(Arc::clone(&schema), columns)?)
        };
        let batches = |slots: Vec<Slot<'_>>| -> Result<Vec<RecordBatch>> {
            slots.chunks(SUMS).map(batch).collect()
        };
        let batches = match placed {
            None => {
                let switch = self.exchange.switch.as_ref().expect("a gathering has a program");
                switch.with(|machine| {
                    let table = machine.table().expect("the program is a sum");
                    let slots = (0..table.len()).filter_map(|slot| table.slot(slot));
                    batches(slots.map(|slot| (slot.key, slot.accumulators)).collect())
                })??
            }
            Some(mut placed) => match placed.totals().await {
                Ok(totals) => batches(totals.groups().collect())?,
                Err(reason) => {
                    self.exchange.do_without(reason);
                    return self.again(Ok).await;
                }
            },
        };
        for batch in held.into_iter().chain(batches) {
            self.send(batch).await?;
        }
        Ok(())
    }
}

/// A group's key, and the words of its accumulators.
type Slot<'a> = (u64, &'a [u64]);

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
}

impl Ended {
    fn best_dropped(&self) -> Option<i64> {
        match self {
            Self::Local(worker) => worker.best_dropped(),
            Self::Remote(worker) => worker.best_dropped,
        }
    }

    fn absorbed(&self) -> Box<dyn Iterator<Item = (u64, &OwnedRow)> + '_> {
        match self {
            Self::Local(worker) => Box::new(worker.absorbed()),
            Self::Remote(worker) => {
                Box::new(worker.absorbed.iter().map(|(key, group)| (*key, group)))
            }
        }
    }

    async fn missing(&self, answers: &Answers) -> Result<Option<RecordBatch>> {
        match self {
            Self::Local(worker) => worker.missing(answers),
            Self::Remote(worker) => worker.missing(answers).await,
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
    way: Option<Far>,
) -> Result<Ended> {
    let filling = Filling::new(exchange.builds.clone());
    let ways = exchange.ways(way, &context).await?;
    if let Some(cluster) = context.session_config().get_extension::<Cluster>() {
        let task = (exchange, input, partition);
        let remote = stream(&cluster, task, to_master, ways, filling).await?;
        return Ok(Ended::Remote(Box::new(remote)));
    }
    let mut worker = Worker::new(exchange.task(input.schema(), partition))?;
    let attempts = Attempts::open(&ways, partition as u32);
    let path = Local { exchange: Arc::clone(&exchange), attempts };
    worker.wait(&path).await?;
    let mut stream = input.execute(partition, context)?;
    while let Some(batch) = stream.next().await {
        let batch = batch?;
        exchange.offered.add(batch.num_rows());
        let forwarded = worker.step(batch, &path).await?;
        exchange.forwarded.add(forwarded.num_rows());
        if forwarded.num_rows() > 0 {
            to_master.send(Ok(forwarded)).await.map_err(unread)?;
        }
    }
    filling.end(path.attempts.finish().await?, &exchange).await?;
    Ok(Ended::Local(Box::new(worker)))
}

/// Columns of partial aggregates that slots have.
fn state_columns(
    slots: &[Slot<'_>],
    addends: &[Addend],
    schema: &SchemaRef,
) -> Result<Vec<ArrayRef>> {
    let (mut columns, mut word): (Vec<ArrayRef>, usize) = (Vec::new(), 0);
    for addend in addends {
        let words: usize = addend.sums().map(netfold_num::Sum::words).sum();
        let all = slots.iter().map(|(_, accumulators)| &accumulators[word..word + words]);
        let integer = |words: &[u64]| (u128::from(words[0]) | u128::from(words[1]) << 64) as i128;
        match addend {
            Addend::Count(at) => {
                columns.push(integers(schema, *at, all.map(|w| Some(integer(w))))?)
            }
            Addend::Integer(at) => {
                let value = |w: &[u64]| (integer(&w[2..]) != 0).then(|| integer(w));
                columns.push(integers(schema, *at, all.map(value))?);
            }
            Addend::Exact(_) => {
                let value = |w: &[u64]| {
                    let (sum, count) = w.split_at(words - 2);
                    (integer(count) != 0).then(|| Exact::from_words(sum))
                };
                columns.extend(sum_columns(all.map(value)));
            }
        }
        word += words;
    }
    Ok(columns)
}

/// A column of integers or decimals of the type that the schema has; sums wrap as the engine's do.
fn integers(
    schema: &SchemaRef,
    column: usize,
    values: impl Iterator<Item = Option<i128>>,
) -> Result<ArrayRef> {
    let data_type = schema.field(column).data_type();
    Ok(match data_type {
        DataType::Int64 => {
            Arc::new(values.map(|value| value.map(|value| value as i64)).collect::<Int64Array>())
        }
        DataType::UInt64 => {
            Arc::new(values.map(|value| value.map(|value| value as u64)).collect::<UInt64Array>())
        }
        _ => {
            let values = values.collect::<Decimal128Array>();
            Arc::new(values.with_data_type(data_type.clone()))
        }
    })
}
