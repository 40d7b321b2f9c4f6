//! The workers that the master knows: their tables, and those that are lost.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::SessionContext;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::Listing;
use super::frame::{Connection, Kind, rows_from_bytes};
use super::table::ClusterTable;
use crate::Options;

/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// Time without a sign of a worker's host after which it is asked for one, and between two
/// questions. After this many without an answer the worker is lost.
const KEEPALIVE: Duration = Duration::from_secs(2);
const QUESTIONS: u32 = 4;

/// The workers of a query, by their addresses; each has a partition of every scan.
#[derive(Debug)]
pub struct Cluster {
    addresses: Vec<String>,
    /// All have the same files.
    shared: bool,
    /// Workers that are lost, with the reasons.
    lost: Mutex<BTreeMap<usize, String>>,
}

impl Cluster {
    /// Connects to workers and registers their tables in a session. If all have the same files, it
    /// goes on without those that are lost.
    ///
    /// # Errors
    /// If a worker is lost, or has a table of another schema than the others, or, if all are to
    /// have the same, other files.
    pub async fn join(addresses: Vec<String>, session: &SessionContext) -> Result<Self> {
        let state = session.state();
        let options = state.config_options().extensions.get::<Options>();
        let shared = options.is_some_and(|options| options.shared);
        let cluster = Self { addresses, shared, lost: Mutex::default() };
        let mut known = Vec::new();
        for worker in 0..cluster.addresses.len() {
            match cluster.listings(worker).await {
                Ok(listings) => known.push((worker, listings)),
                Err(trouble) => cluster.note(worker, trouble)?,
            }
        }
        for (name, table) in cluster.tables(known)? {
            let name = format!("\"{}\"", name.replace('"', "\"\""));
            session.register_table(name, Arc::new(table))?;
        }
        Ok(cluster)
    }

    /// Returns the tables of a worker.
    async fn listings(&self, worker: usize) -> Result<Vec<Listing>, Trouble> {
        let mut connection = self.connect(worker).await?;
        connection.write(Kind::Tables, &[]).await.map_err(Trouble::of_connection)?;
        match connection.read().await.and_then(|frame| frame.ok_or_else(gone)) {
            Ok((Kind::Listing, json)) => serde_json::from_slice(&json)
                .map_err(|error| DataFusionError::External(Box::new(error)).into()),
            Ok((Kind::Failed, text)) => Err(self.failed(worker, &text).into()),
            Ok(_) => Err(self.failed(worker, b"it does not tell its tables").into()),
            Err(error) => Err(Trouble::of_connection(error)),
        }
    }

    /// Returns the tables with the files of each worker.
    fn tables(&self, known: Vec<(usize, Vec<Listing>)>) -> Result<BTreeMap<String, ClusterTable>> {
        let mut tables: BTreeMap<String, ClusterTable> = BTreeMap::new();
        let mut first: Option<BTreeMap<String, Files>> = None;
        let living: Vec<usize> = known.iter().map(|(worker, _)| *worker).collect();
        for (worker, listings) in known {
            let all = listings.iter().map(|one| (one.name.clone(), one.files.clone())).collect();
            if self.shared && *first.get_or_insert_with(|| BTreeMap::clone(&all)) != all {
                let reason = "its files are not those of the others, as netfold.shared says";
                return Err(self.failed(worker, reason.as_bytes()));
            }
            for Listing { name, kind, files, rows, schema } in listings {
                let schema = rows_from_bytes(&schema)?.schema();
                let parts = vec![Vec::new(); self.addresses.len()];
                let new = ClusterTable { schema: Arc::clone(&schema), kind, parts, rows: Some(0) };
                let table = tables.entry(name.clone()).or_insert(new);
                if table.schema != schema {
                    let reason = format!("its table {name} has another schema than the others'");
                    return Err(self.failed(worker, reason.as_bytes()));
                }
                if self.shared && worker != living[0] {
                    continue;
                }
                let readers: &[usize] = if self.shared { &living } else { &[worker] };
                for (file, reader) in files.into_iter().zip(readers.iter().cycle()) {
                    table.parts[*reader].push(file);
                }
                table.rows = table.rows.zip(rows).map(|(all, some)| all + some);
            }
        }
        Ok(tables)
    }

    /// Returns whether all workers have the same files.
    pub(crate) fn shared(&self) -> bool {
        self.shared
    }

    /// Returns the workers that are lost, with the reasons, if the query goes on without them.
    pub fn lost(&self) -> Vec<String> {
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.iter().map(|(worker, why)| format!("{}: {why}", self.addresses[*worker])).collect()
    }

    /// Returns the worker of a partition: its own or, if that is lost, the next that has its files.
    pub(super) fn worker(&self, partition: usize) -> usize {
        if !self.shared {
            return partition;
        }
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        let mut workers = (partition..self.addresses.len()).chain(0..partition);
        workers.find(|worker| !lost.contains_key(worker)).unwrap_or(partition)
    }

    /// Notes that a worker is lost (R-QRY-43).
    ///
    /// # Errors
    /// If it is not, or if no other has its files.
    pub(super) fn note(&self, worker: usize, trouble: Trouble) -> Result<()> {
        let why = match trouble {
            Trouble::Failed(error) => return Err(error),
            Trouble::Lost(why) => why,
        };
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.insert(worker, why.clone());
        if self.shared && lost.len() < self.addresses.len() {
            return Ok(());
        }
        let address = &self.addresses[worker];
        let others = if self.shared { "no other is left" } else { "no other has its files" };
        let text = format!(
            "it is lost ({why}), and {others}; start it again, netfold query worker --listen \
             {address} --data .., and ask once more{}",
            if self.shared { "" } else { "; workers that all have the same files need --shared" },
        );
        Err(self.failed(worker, text.as_bytes()))
    }

    pub(super) async fn connect(&self, worker: usize) -> Result<Connection, Trouble> {
        let lost = |why: String| Trouble::Lost(why);
        let connected = timeout(CONNECT, TcpStream::connect(&self.addresses[worker])).await;
        let stream = connected
            .map_err(|_| lost(format!("no answer within {} s", CONNECT.as_secs())))?
            .map_err(|error| lost(error.to_string()))?;
        let probes = TcpKeepalive::new().with_time(KEEPALIVE).with_interval(KEEPALIVE);
        let socket = SockRef::from(&stream);
        let kept = socket.set_tcp_keepalive(&probes.with_retries(QUESTIONS));
        kept.map_err(DataFusionError::from)?;
        // Questions are not asked while bytes are under way.
        let bound = socket.set_tcp_user_timeout(Some(KEEPALIVE * (1 + QUESTIONS)));
        bound.map_err(DataFusionError::from)?;
        Ok(Connection::new(stream)?)
    }

    pub(super) fn failed(&self, worker: usize, reason: &[u8]) -> DataFusionError {
        let (address, reason) = (&self.addresses[worker], String::from_utf8_lossy(reason));
        DataFusionError::Execution(format!("the worker at {address}: {reason}"))
    }
}

/// Files of a table with their sizes.
type Files = Vec<(String, u64)>;

/// End of a connection to a worker before that of its task.
pub(super) enum Trouble {
    /// The worker is lost.
    Lost(String),
    /// The query has failed.
    Failed(DataFusionError),
}

impl Trouble {
    /// Returns what an error of the connection is.
    pub fn of_connection(error: DataFusionError) -> Self {
        match error {
            DataFusionError::IoError(error) => Self::Lost(error.to_string()),
            error => Self::Failed(error),
        }
    }
}

impl From<DataFusionError> for Trouble {
    fn from(error: DataFusionError) -> Self {
        Self::Failed(error)
    }
}

pub(super) fn gone() -> DataFusionError {
    io::Error::new(io::ErrorKind::UnexpectedEof, "it has ended the connection").into()
}
