//! A worker's process: it answers masters, one after the other and at a time.

use std::fs;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, RecordBatch, UInt64Array};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::{DataFusionError, Result};
use datafusion::parquet::file::reader::{FileReader, SerializedFileReader};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::coalesce::{LimitedBatchCoalescer, PushBatchStatus};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::bytes::physical_plan_from_bytes;
use futures::StreamExt;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

use super::frame::{Connection, Kind, rows_to_bytes, words_from_bytes, words_to_bytes};
use super::{End, Listing, Run};
use crate::exchange::{Attempts, Far, Groups, Offer, Offered, Path, Task, Worker};
use crate::{Error, RowStatesExec, Tables, plain_state};

/// Serves masters at a listening socket with the tables of a folder, until it is stopped.
///
/// # Errors
/// [`Error::File`] if the folder has no tables, and errors of the socket.
pub async fn serve(listener: TcpListener, folder: PathBuf) -> Result<(), Error> {
    Tables::find(&folder)?;
    let folder: Arc<FilePath> = folder.into();
    loop {
        let (stream, _) = listener.accept().await.map_err(DataFusionError::from)?;
        let folder = Arc::clone(&folder);
        tokio::spawn(async move {
            // An error of this connection is told to its master, if that can be reached.
            if let Ok(mut connection) = Connection::new(stream)
                && let Err(error) = answer(&mut connection, &folder).await
            {
                let text = error.to_string();
                let _ = connection.write(Kind::Failed, &[text.as_bytes()]).await;
            }
        });
    }
}

async fn answer(connection: &mut Connection, folder: &FilePath) -> Result<()> {
    while let Some((kind, bytes)) = connection.read().await? {
        match kind {
            Kind::Tables => {
                let listings = listings(folder).await?;
                let json = serde_json::to_vec(&listings).expect("strings and numbers");
                connection.write(Kind::Listing, &[&json]).await?;
            }
            Kind::Run => run(connection, &bytes).await?,
            _ => return Err(unexpected(kind)),
        }
    }
    Ok(())
}

pub(super) fn unexpected(kind: Kind) -> DataFusionError {
    DataFusionError::Execution(format!("a frame {kind:?} came out of turn"))
}

async fn listings(folder: &FilePath) -> Result<Vec<Listing>> {
    let external = |error: Error| DataFusionError::External(Box::new(error));
    let tables = Tables::find(folder).map_err(external)?;
    let session = SessionContext::new();
    tables.register(&session).await.map_err(external)?;
    let mut listings = Vec::new();
    for (name, path, kind) in tables.iter() {
        let provider = session.table_provider(format!("\"{}\"", name.replace('"', "\"\""))).await?;
        let files = files(path, kind)?;
        let rows = match kind {
            "parquet" => files.iter().map(|(file, _)| parquet_rows(file)).sum::<Result<u64>>().ok(),
            _ => None,
        };
        listings.push(Listing {
            name: name.into(),
            kind: kind.into(),
            files,
            rows,
            schema: rows_to_bytes(&RecordBatch::new_empty(provider.schema()))?,
        });
    }
    Ok(listings)
}

fn files(path: &FilePath, kind: &str) -> Result<Vec<(String, u64)>> {
    let path = fs::canonicalize(path)?;
    let mut files = Vec::new();
    let mut take = |path: PathBuf| -> Result<()> {
        if path.extension().is_some_and(|extension| extension == kind) {
            let size = fs::metadata(&path)?.len();
            files.push((path.to_string_lossy().into_owned(), size));
        }
        Ok(())
    };
    if path.is_dir() {
        for entry in fs::read_dir(&path)? {
            take(entry?.path())?;
        }
    } else {
        take(path)?;
    }
    files.sort();
    Ok(files)
}

fn parquet_rows(file: &str) -> Result<u64> {
    let reader = SerializedFileReader::new(fs::File::open(file)?)?;
    Ok(reader.metadata().file_metadata().num_rows() as u64)
}

/// The way of a worker whose master is another process; rows may go to a switch elsewhere.
#[derive(Debug)]
struct Way<'a>(Mutex<&'a mut Connection>, &'a Attempts);

impl Way<'_> {
    async fn ask(&self, kind: Kind, parts: &[&[u8]]) -> Result<Vec<u64>> {
        let mut connection = self.0.lock().await;
        connection.write(kind, parts).await?;
        answered(&mut connection, Kind::Bits).await.map(|bytes| words_from_bytes(&bytes))
    }

    /// Asks for the way to the program at a switch elsewhere.
    async fn way(&self) -> Result<Option<Far>> {
        let mut connection = self.0.lock().await;
        connection.write(Kind::Where, &[]).await?;
        let json = answered(&mut connection, Kind::Place).await?;
        serde_json::from_slice(&json).map_err(|_| unexpected(Kind::Place))
    }
}

/// The master's answer of a kind.
async fn answered(connection: &mut Connection, kind: Kind) -> Result<Vec<u8>> {
    match connection.read().await? {
        Some((came, bytes)) if came == kind => Ok(bytes),
        Some((came, _)) => Err(unexpected(came)),
        None => Err(DataFusionError::Execution("the master has gone".into())),
    }
}

#[async_trait]
impl Path for Way<'_> {
    async fn wait(&self) -> Result<Vec<bool>> {
        let of_use = self.ask(Kind::Wait, &[]).await?;
        Ok(of_use.into_iter().map(|word| word != 0).collect())
    }

    async fn probe(&self, filter: usize, keys: Vec<u64>) -> Result<Vec<u64>> {
        if let Some(attempt) = self.1.probe(filter) {
            return attempt.offer_keys(keys).await;
        }
        let words = words_to_bytes(std::iter::once(filter as u64).chain(keys));
        self.ask(Kind::Probe, &[&words]).await
    }

    async fn fill(&self, filter: usize, keys: Vec<u64>) -> Result<()> {
        if let Some(attempt) = self.1.build(filter) {
            return attempt.offer_keys(keys).await.map(|_| ());
        }
        let words = words_to_bytes(std::iter::once(filter as u64).chain(keys));
        self.ask(Kind::Fill, &[&words]).await.map(|_| ())
    }

    async fn offer(&self, identity: u64, rows: &Offered) -> Result<Vec<u64>> {
        if let Some(attempt) = self.1.offer(self.way()).await? {
            return attempt.offer(rows).await;
        }
        let head = [identity, rows.keys.len() as u64].into_iter();
        let columns = rows.columns.iter().flatten().map(|value| *value as u64);
        let words = words_to_bytes(head.chain(rows.keys.iter().copied()).chain(columns));
        self.ask(Kind::Offer, &[&words]).await
    }
}

/// Returns a fragment, and how its rows meet the switch. The plan of a Top-N has a sort above the
/// fragment, whose first column is the order's.
fn fragment(run: Run, plan: Arc<dyn ExecutionPlan>) -> Result<(Task, Arc<dyn ExecutionPlan>)> {
    let first = plan.downcast_ref::<SortExec>().map(|sort| sort.expr().first().clone());
    let offer = run.offer.offer(first)?;
    let plan = if offer.first().is_some() { Arc::clone(plan.children()[0]) } else { plan };
    let plan = match plan.downcast_ref::<AggregateExec>() {
        Some(partial) if run.rows => Arc::new(RowStatesExec::new(partial.clone())),
        _ => plan,
    };
    let task = Task {
        offer: Arc::new(offer),
        schema: plan.schema(),
        partition: run.partition,
        seed: run.seed,
        combined: plan.is::<AggregateExec>(),
        small: run.small,
        probes: run.probes,
        builds: run.builds,
    };
    Ok((task, plan))
}

async fn run(connection: &mut Connection, bytes: &[u8]) -> Result<()> {
    let mut json = serde_json::Deserializer::from_slice(bytes).into_iter::<Run>();
    let run = json.next().and_then(Result::ok).ok_or_else(|| unexpected(Kind::Run))?;
    let plan = &bytes[json.byte_offset()..];
    let (partition, rows) = (run.partition as usize, run.batch);
    let attempts = Attempts::open(&run.ways, run.partition);
    let mut config = SessionConfig::new();
    // The other partitions are other workers'.
    config.options_mut().execution.enable_file_stream_work_stealing = false;
    let session = SessionContext::new_with_state(plain_state(config).build());
    let context = session.task_ctx();
    let plan = physical_plan_from_bytes(plan, &context)?;
    let (task, plan) = fragment(run, plan)?;
    let (offer, schema) = (Arc::clone(&task.offer), Arc::clone(&task.schema));
    let mut worker = Worker::new(task)?;
    worker.wait(&Way(Mutex::new(connection), &attempts)).await?;
    let mut scanned = 0_u64;
    let mut batches = plan.execute(partition, context)?;
    let mut joined = LimitedBatchCoalescer::new(Arc::clone(&schema), rows, None);
    loop {
        let batch = batches.next().await.transpose()?;
        let last = batch.is_none();
        match batch {
            Some(batch) => {
                let status = joined.push_batch(batch)?;
                debug_assert_eq!(status, PushBatchStatus::Continue, "there is no limit");
            }
            None => joined.finish()?,
        }
        while let Some(batch) = joined.next_completed_batch() {
            if last && scanned == 0 && joined.is_empty() {
                worker.has_all(&batch);
            }
            scanned += batch.num_rows() as u64;
            let way = Way(Mutex::new(connection), &attempts);
            let survivors = worker.step(batch, &way).await?;
            send(connection, &survivors).await?;
        }
        if last {
            break;
        }
    }
    if let Some(dropped) = worker.dropped()? {
        send(connection, &dropped).await?;
    }
    if let Some(groups) = absorbed(&worker, &offer, &schema)? {
        connection.write(Kind::Absorbed, &[&rows_to_bytes(&groups)?]).await?;
    }
    let without = attempts.finish().await?;
    let (best_dropped, repeated) = (worker.best_dropped(), attempts.repeated());
    let end = End { best_dropped, scanned, without, repeated };
    let json = serde_json::to_vec(&end).expect("numbers");
    connection.write(Kind::End, &[&json]).await
}

async fn send(connection: &mut Connection, rows: &RecordBatch) -> Result<()> {
    if rows.num_rows() == 0 {
        return Ok(());
    }
    connection.write(Kind::Rows, &[&rows_to_bytes(rows)?]).await
}

/// Groups of rows that were absorbed; the first column is the key.
fn absorbed(
    worker: &Worker,
    offer: &Arc<Offer>,
    schema: &SchemaRef,
) -> Result<Option<RecordBatch>> {
    let (keys, groups): (Vec<u64>, Vec<_>) = worker.absorbed().unzip();
    if keys.is_empty() {
        return Ok(None);
    }
    let columns = Groups::new(offer, schema)?.columns(groups.into_iter())?;
    let keys: ArrayRef = Arc::new(UInt64Array::from(keys));
    let columns = std::iter::once(keys).chain(columns).enumerate();
    let named = columns.map(|(at, column)| (at.to_string(), column, true));
    Ok(Some(RecordBatch::try_from_iter_with_nullable(named)?))
}
