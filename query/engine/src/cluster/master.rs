//! The master's part: it knows the workers, gives them fragments, and takes their rows past the
//! switch.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::UInt64Type;
use datafusion::arrow::row::OwnedRow;
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::prelude::SessionContext;
use datafusion_proto::bytes::physical_plan_to_bytes;
use tokio::net::TcpStream;
use tokio::sync::mpsc::Sender;

use super::frame::{Connection, Kind, rows_from_bytes, words_from_bytes, words_to_bytes};
use super::serve::unexpected;
use super::table::ClusterTable;
use super::{End, Listing, Run};
use crate::encode::Keys;
use crate::exchange::{
    Attempts, Exchange, FarQuery, Filling, Groups, Local, Offered, Path, Ways, Wired, unread,
};
use crate::rule::RowStatesExec;

/// Rows that a worker offers at a time: an offer takes a round trip.
const BATCH: usize = 1 << 16;

/// The workers of a query, by their addresses; each has a partition of every scan.
#[derive(Debug)]
pub struct Cluster {
    addresses: Vec<String>,
}

impl Cluster {
    /// Connects to workers and registers their tables in a session.
    ///
    /// # Errors
    /// If a worker cannot be reached, or has a table of another schema than the others.
    pub async fn join(addresses: Vec<String>, session: &SessionContext) -> Result<Self> {
        let mut tables: BTreeMap<String, ClusterTable> = BTreeMap::new();
        let cluster = Self { addresses };
        for (worker, address) in cluster.addresses.iter().enumerate() {
            let mut connection = cluster.connect(worker).await?;
            connection.write(Kind::Tables, &[]).await?;
            let listings: Vec<Listing> = match connection.read().await? {
                Some((Kind::Listing, json)) => serde_json::from_slice(&json)
                    .map_err(|error| DataFusionError::External(Box::new(error)))?,
                Some((Kind::Failed, text)) => return Err(failed(address, &text)),
                _ => return Err(failed(address, b"it does not tell its tables")),
            };
            for Listing { name, kind, files, rows, schema } in listings {
                let schema = rows_from_bytes(&schema)?.schema();
                let parts = vec![Vec::new(); cluster.addresses.len()];
                let new = ClusterTable { schema: Arc::clone(&schema), kind, parts, rows: Some(0) };
                let table = tables.entry(name.clone()).or_insert(new);
                if table.schema != schema {
                    let reason = format!("its table {name} has another schema than the others'");
                    return Err(failed(address, reason.as_bytes()));
                }
                table.parts[worker] = files;
                table.rows = table.rows.zip(rows).map(|(all, some)| all + some);
            }
        }
        for (name, table) in tables {
            let name = format!("\"{}\"", name.replace('"', "\"\""));
            session.register_table(name, Arc::new(table))?;
        }
        Ok(cluster)
    }

    async fn connect(&self, worker: usize) -> Result<Connection> {
        let address = &self.addresses[worker];
        let stream = TcpStream::connect(address).await;
        Connection::new(stream.map_err(|error| failed(address, error.to_string().as_bytes()))?)
    }
}

fn failed(address: &str, reason: &[u8]) -> DataFusionError {
    let reason = String::from_utf8_lossy(reason);
    DataFusionError::Execution(format!("the worker at {address}: {reason}"))
}

/// The error with the name of the worker at which it happened.
fn named(address: &str, error: &DataFusionError) -> DataFusionError {
    failed(address, error.to_string().as_bytes())
}

fn gone() -> DataFusionError {
    DataFusionError::Execution("it has gone".into())
}

/// A worker of another process that has streamed its partition.
#[derive(Debug)]
pub(crate) struct Remote {
    pub best_dropped: Option<i64>,
    pub absorbed: Vec<(u64, OwnedRow)>,
}

/// Has a worker stream a partition of a fragment past the switch.
pub(crate) async fn stream(
    cluster: &Cluster,
    (exchange, input, partition): (Arc<Exchange>, Arc<dyn ExecutionPlan>, usize),
    to_master: Sender<Result<RecordBatch>>,
    ways: Ways,
    query: Option<Arc<FarQuery>>,
    filling: Filling,
) -> Result<Remote> {
    let address = &cluster.addresses[partition];
    let mut connection = cluster.connect(partition).await?;
    let (json, plan) = described(&exchange, &input, partition, ways)?;
    connection.write(Kind::Run, &[&json, &plan]).await?;
    let (attempts, partition) = (Attempts::default(), partition as u32);
    let path = Local { exchange: Arc::clone(&exchange), attempts, query, partition };
    let groups = Groups::new(&exchange.offer, &input.schema())?;
    let summed = exchange.keys(&input.schema()).filter(|_| exchange.offer.is_sum());
    let (mut absorbed, mut counted) = (Vec::new(), 0);
    loop {
        let read = connection.read().await.and_then(|frame| frame.ok_or_else(gone));
        let (kind, bytes) = read.map_err(|error| named(address, &error))?;
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
                answered.map_err(|error| named(address, &error))?;
                continue;
            }
            Kind::Rows => {
                let rows = rows_from_bytes(&bytes)?;
                exchange.forwarded.add(rows.num_rows());
                to_master.send(Ok(rows)).await.map_err(unread)?;
                continue;
            }
            Kind::Absorbed => {
                absorbed.extend(keyed(&rows_from_bytes(&bytes)?, &groups)?);
                continue;
            }
            Kind::End => {
                let end: End = serde_json::from_slice(&bytes).map_err(|_| unexpected(kind))?;
                exchange.offered.add(end.scanned as usize);
                exchange.repeated.add(end.repeated as usize);
                filling.end(end.without, &exchange).await?;
                return Ok(Remote { best_dropped: end.best_dropped, absorbed });
            }
            Kind::Failed => return Err(failed(address, &bytes)),
            _ => return Err(unexpected(kind)),
        };
        let answered = connection.write(Kind::Bits, &[&words_to_bytes(bits)]).await;
        answered.map_err(|error| named(address, &error))?;
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
