//! The master's part: it gives workers fragments, and takes their rows past the switch.

use std::sync::Arc;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::UInt64Type;
use datafusion::arrow::row::OwnedRow;
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion_proto::bytes::physical_plan_to_bytes;
use tokio::sync::mpsc::Sender;

use super::frame::{Kind, rows_from_bytes, words_from_bytes, words_to_bytes};
use super::serve::unexpected;
use super::workers::{Cluster, Trouble, gone};
use super::{End, Run};
use crate::encode::Keys;
use crate::exchange::{
    Attempts, Exchange, FarQuery, Filling, Groups, Local, Offered, Path, Ways, Wired, unread,
};
use crate::rule::RowStatesExec;

/// Rows that a worker offers at a time: an offer takes a round trip.
const BATCH: usize = 1 << 16;

/// A worker of another process that has streamed its partition.
#[derive(Debug)]
pub(crate) struct Remote {
    pub best_dropped: Option<i64>,
    pub absorbed: Vec<(u64, OwnedRow)>,
}

/// Has a worker stream a partition of a fragment past the switch. Returns nothing if the worker is
/// lost and another is left that has its files: none of its rows have been sent then.
pub(crate) async fn stream(
    cluster: &Cluster,
    task: (Arc<Exchange>, Arc<dyn ExecutionPlan>, usize),
    to_master: Sender<Result<RecordBatch>>,
    ways: Ways,
    query: Option<Arc<FarQuery>>,
    filling: Filling,
) -> Result<Option<Remote>> {
    let (exchange, worker) = (Arc::clone(&task.0), cluster.worker(task.2));
    let mut rows = Rows { to_master, exchange: &exchange, held: cluster.shared().then(Vec::new) };
    match attempt(cluster, worker, task, &mut rows, ways, query).await {
        Ok((end, absorbed)) => {
            exchange.offered.add(end.scanned as usize);
            exchange.repeated.add(end.repeated as usize);
            filling.end(end.without, &exchange).await?;
            rows.release().await?;
            Ok(Some(Remote { best_dropped: end.best_dropped, absorbed }))
        }
        Err(trouble) => cluster.note(worker, trouble).map(|()| None),
    }
}

/// Rows on their way to the master. They are held until the worker has ended if another one may
/// have to read them again.
struct Rows<'a> {
    to_master: Sender<Result<RecordBatch>>,
    exchange: &'a Exchange,
    held: Option<Vec<RecordBatch>>,
}

impl Rows<'_> {
    async fn take(&mut self, rows: RecordBatch) -> Result<()> {
        match &mut self.held {
            Some(held) => held.push(rows),
            None => self.send(rows).await?,
        }
        Ok(())
    }

    async fn send(&self, rows: RecordBatch) -> Result<()> {
        self.exchange.forwarded.add(rows.num_rows());
        self.to_master.send(Ok(rows)).await.map_err(unread)
    }

    async fn release(mut self) -> Result<()> {
        for rows in self.held.take().into_iter().flatten() {
            self.send(rows).await?;
        }
        Ok(())
    }
}

/// A worker's report, and the groups of rows that were absorbed.
type Ended = (End, Vec<(u64, OwnedRow)>);

/// Has a worker stream a partition once.
async fn attempt(
    cluster: &Cluster,
    worker: usize,
    (exchange, input, partition): (Arc<Exchange>, Arc<dyn ExecutionPlan>, usize),
    out: &mut Rows<'_>,
    ways: Ways,
    query: Option<Arc<FarQuery>>,
) -> Result<Ended, Trouble> {
    let mut connection = cluster.connect(worker).await?;
    let (json, plan) = described(&exchange, &input, partition, ways)?;
    let told = connection.write(Kind::Run, &[&json, &plan]).await;
    told.map_err(Trouble::of_connection)?;
    let (attempts, partition) = (Attempts::default(), partition as u32);
    let path = Local { exchange: Arc::clone(&exchange), attempts, query, partition };
    let groups = Groups::new(&exchange.offer, &input.schema())?;
    let summed = exchange.keys(&input.schema()).filter(|_| exchange.offer.is_sum());
    let (mut absorbed, mut counted) = (Vec::new(), 0);
    loop {
        let read = connection.read().await.and_then(|frame| frame.ok_or_else(gone));
        let (kind, bytes) = read.map_err(Trouble::of_connection)?;
        // Whoever reads the exchange may have enough before its end.
        let all = connection.bytes.0 + connection.bytes.1;
        exchange.bytes.add((all - counted) as usize);
        counted = all;
        let words = || words_from_bytes(&bytes);
        let bits = match kind {
            Kind::Wait => path.wait().await?.into_iter().map(u64::from).collect(),
            Kind::Probe => {
                let mut keys = words();
                let filter = first(&mut keys, exchange.probes.len())?;
                path.probe(filter, keys).await?
            }
            Kind::Fill => {
                let mut keys = words();
                let filter = first(&mut keys, exchange.builds.len())?;
                path.fill(filter, keys).await.map(|()| Vec::new())?
            }
            Kind::Offer => offer(&path, &words(), summed.as_ref()).await?,
            Kind::Where => {
                let json = serde_json::to_vec(&path.way().await?).expect("numbers and strings");
                let answered = connection.write(Kind::Place, &[&json]).await;
                answered.map_err(Trouble::of_connection)?;
                continue;
            }
            Kind::Rows => {
                out.take(rows_from_bytes(&bytes)?).await?;
                continue;
            }
            Kind::Absorbed => {
                absorbed.extend(keyed(&rows_from_bytes(&bytes)?, &groups)?);
                continue;
            }
            Kind::End => {
                let end: End = serde_json::from_slice(&bytes).map_err(|_| unexpected(kind))?;
                return Ok((end, absorbed));
            }
            Kind::Failed => return Err(cluster.failed(worker, &bytes).into()),
            _ => return Err(unexpected(kind).into()),
        };
        let answered = connection.write(Kind::Bits, &[&words_to_bytes(bits)]).await;
        answered.map_err(Trouble::of_connection)?;
    }
}

/// Offers rows to the program, and marks those that are to come.
async fn offer(path: &Local, words: &[u64], summed: Option<&Keys>) -> Result<Vec<u64>> {
    let (identity, rows) = offered(words, path.exchange.columns())?;
    let mut bits = path.offer(identity, &rows).await?;
    if let Some(keys) = summed {
        path.exchange.take(&rows, keys, &mut bits);
    }
    Ok(bits)
}

/// Returns groups with their keys, which are the first column.
fn keyed(rows: &RecordBatch, groups: &Groups) -> Result<Vec<(u64, OwnedRow)>> {
    let keys = rows.column(0).as_primitive::<UInt64Type>().values();
    Ok(keys.iter().copied().zip(groups.owned(&rows.columns()[1..])?).collect())
}

/// Takes the number of a filter off the keys that follow it.
fn first(words: &mut Vec<u64>, filters: usize) -> Result<usize> {
    let known = words.first().map(|word| *word as usize).filter(|number| *number < filters);
    let number = known.ok_or_else(|| unexpected(Kind::Probe))?;
    words.remove(0);
    Ok(number)
}

/// Rows that are offered: their first identity, their number, keys and columns.
fn offered(words: &[u64], columns: usize) -> Result<(u64, Offered)> {
    let [identity, count, rest @ ..] = words else { return Err(unexpected(Kind::Offer)) };
    let count = *count as usize;
    if rest.len() != count.saturating_mul(1 + columns) {
        return Err(unexpected(Kind::Offer));
    }
    let (keys, values) = rest.split_at(count);
    let column = |at: usize| {
        values[at * count..(at + 1) * count].iter().map(|value| *value as i64).collect()
    };
    let columns = (0..columns).map(column).collect();
    Ok((*identity, Offered { keys: keys.to_vec(), columns, ..Offered::default() }))
}

/// Returns what a worker is to do, in JSON, and the plan.
fn described(
    exchange: &Exchange,
    input: &Arc<dyn ExecutionPlan>,
    partition: usize,
    ways: Ways,
) -> Result<(Vec<u8>, Vec<u8>)> {
    let task = exchange.task(input, partition);
    let states = input.downcast_ref::<RowStatesExec>();
    let plan: Arc<dyn ExecutionPlan> = match states {
        Some(states) => Arc::new(states.partial().clone()),
        None => Arc::clone(input),
    };
    let plan = match exchange.offer.first() {
        Some(first) => Arc::new(SortExec::new([first.clone()].into(), plan)),
        None => plan,
    };
    let run = Run {
        partition: task.partition,
        seed: task.seed,
        small: task.small,
        offer: Wired::from(&*task.offer),
        rows: states.is_some(),
        probes: task.probes,
        builds: task.builds,
        batch: BATCH,
        ways,
    };
    let json = serde_json::to_vec(&run).expect("numbers and strings");
    Ok((json, physical_plan_to_bytes(plan)?.to_vec()))
}
