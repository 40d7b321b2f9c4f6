//! A worker's place in a table: the table, its job at a switch, and rank 0's server if no other is
//! named, whose address the others learn through the job.

use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use netfold_net::{
    Arithmetic, Call, Collective, Communicator, ElementType, Operation, ProcessLocal, Reduction,
    Transport, WorkerId,
};

use crate::client::{SparseTable, TableOptions};
use crate::error::Error;
use crate::hot::{Planes, Waiting};
use crate::own_server::OwnServer;
use crate::planes::Jobs;
use crate::ranks::Ranks;
use crate::server::ServerOptions;

/// Bytes in which rank 0 tells its address; the rest of them are 0.
const ADDRESS_BYTES: usize = 64;

/// The switch of a table.
#[derive(Clone, Debug)]
pub struct SwitchOptions {
    /// Its address, and those of standbys.
    pub address: String,
    /// Arithmetic of the sums.
    pub arithmetic: Arithmetic,
    /// In `block` arithmetic, a lane is a number times 2^scale, rounded (R-KEY-1).
    pub scale: i32,
    /// The registers of a switch that is a pipeline (R-HOT-6); `None` for one in software.
    pub registers: Option<NonZeroU32>,
    /// The transport that this worker insists on, if it does (R-CTRL-10).
    pub transport: Option<Transport>,
}

/// A worker's place in a table: the table, and what only some workers have.
pub struct Member {
    table: SparseTable,
    rest: ProcessLocal<Mutex<Rest>>,
    timeout: Duration,
}

/// A worker's resources beside the table itself.
struct Rest {
    jobs: Option<Arc<Jobs>>,
    server: Option<OwnServer>,
}

impl Member {
    /// Opens a table. Its hot rows are at `switch`, if there are any. Where `options` name no
    /// server, rank 0 starts one as `serve` says, or has that of its other tables, and the workers
    /// meet at `switch`; a single worker needs none.
    ///
    /// # Errors
    /// A switch or a server is not there or refuses this worker, or an option makes no sense.
    pub fn open(
        mut options: TableOptions,
        switch: Option<&SwitchOptions>,
        serve: ServerOptions,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        let (rank, workers, timeout) = (options.rank, options.workers, options.timeout);
        if rank >= workers {
            return Err(Error::Input(format!(
                "rank {rank} is not one of the {workers} workers, from 0"
            )));
        }
        let needed = options.servers.is_empty() || !options.hot_keys.is_empty();
        let servers = u16::try_from(options.servers.len().max(1)).unwrap_or(u16::MAX);
        let ranks = Ranks::new(&options.hot_keys, options.table.rows, servers)?.count();
        let jobs = jobs(&options, switch);
        let communicator = match &jobs {
            Some(jobs) if needed => Some(jobs.begin(ranks, waiting)?),
            _ => None,
        };
        let switch = switch.filter(|_| needed);
        let mut server = None;
        if options.servers.is_empty() {
            if workers > 1 && switch.is_none() {
                return Err(Error::Input(
                    "no servers are named; start one with `netfold server` and name its address, or name a switch, where the workers meet and rank 0 serves".into(),
                ));
            }
            if rank == 0 {
                let from = switch.map(|switch| switch.address.as_str());
                let listen = from.map_or(Ok([127, 0, 0, 1].into()), reachable)?;
                server = Some(OwnServer::of(listen, &options.table.name, serve)?);
            }
            let own = server.as_ref().map(|server| server.address().to_string());
            let address = match (&communicator, own) {
                (Some(joined), own) => {
                    let told = announce(joined, own.as_deref(), timeout)?;
                    own.unwrap_or(told)
                }
                (None, Some(own)) => own,
                (None, None) => unreachable!("a single worker has rank 0"),
            };
            if rank == 0 {
                tracing::info!(
                    "no servers are named: rank 0 serves the table {:?} at {address}",
                    options.table.name
                );
            }
            options.servers = vec![address];
        }
        let hot = match (&jobs, communicator) {
            (Some(jobs), Some(communicator)) if ranks > 0 => Some(jobs.rows(communicator)?),
            _ => None,
        };
        let planes = jobs.clone().map(|jobs| jobs as Arc<dyn Planes>);
        let table = SparseTable::open_at(options, hot, planes, waiting)?;
        let rest = ProcessLocal::new(Mutex::new(Rest { jobs, server }))
            .map_err(Error::io("taking note of forks"))?;
        Ok(Self { table, rest, timeout })
    }

    /// The table.
    pub fn table(&self) -> &SparseTable {
        &self.table
    }

    /// Makes these keys the hot ones, the hottest first, and the others cold. All workers call it
    /// with the same keys between the same two steps. It waits until everything is stored that this
    /// worker has pushed, and until the others have come.
    ///
    /// # Errors
    /// As [`SparseTable::flush`]; a key is no row or stands twice; or no switch has the table, and
    /// then servers alone go on with it.
    pub fn set_hot(&self, keys: &[u32], waiting: Waiting<'_>) -> Result<(), Error> {
        self.table.set_hot(keys, waiting)
    }

    /// Returns what each worker gives, by rank. All workers call it in the same order, among their
    /// calls of [`Member::set_hot`]. A worker that is lost ends it within the time-out.
    ///
    /// # Errors
    /// Names the rank that is lost; or the table has no job at a switch.
    pub fn exchange(&self, own: &[u8], waiting: Waiting<'_>) -> Result<Vec<Vec<u8>>, Error> {
        let jobs = {
            let rest = self.rest.get()?.lock().unwrap_or_else(PoisonError::into_inner);
            rest.jobs.clone().ok_or(Error::Closed)?
        };
        jobs.exchange(own, waiting)
    }

    /// Has the table go on at other servers, to which the workers bring its rows. All workers call
    /// it with the same servers between the same two steps.
    ///
    /// # Errors
    /// As [`SparseTable::set_servers`].
    pub fn set_servers(&self, servers: &[String], waiting: Waiting<'_>) -> Result<(), Error> {
        self.table.set_servers(servers, waiting)
    }

    /// The address of the server in this process, if it has one.
    pub fn serves_at(&self) -> Option<SocketAddr> {
        let rest = self.rest.get().ok()?.lock().unwrap_or_else(PoisonError::into_inner);
        rest.server.as_ref().map(OwnServer::address)
    }

    /// Closes the table; a server in this process ends when all workers have done so, or are lost.
    ///
    /// # Errors
    /// As [`SparseTable::close`].
    pub fn close(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        let closed = self.table.close(waiting);
        // A fork has neither, and the table has said so.
        let Ok(rest) = self.rest.get() else { return closed };
        let mut rest = rest.lock().unwrap_or_else(PoisonError::into_inner);
        let (jobs, server) = (rest.jobs.take(), rest.server.take());
        drop(rest);
        let Some(communicator) = jobs.and_then(|jobs| jobs.take()) else {
            let stopped = server.map_or(Ok(()), OwnServer::end);
            return closed.and(stopped);
        };
        // A worker that does not come is lost, and so is what it would have pushed.
        let gathered = communicator.run(Call::BARRIER, &[], &mut [], Some(self.timeout));
        if let Err(error) = gathered {
            tracing::debug!("the workers did not end together: {error}");
        }
        communicator.close();
        let stopped = server.map_or(Ok(()), OwnServer::end);
        closed.and(stopped)
    }
}

/// The jobs of a table at the switches of its list.
fn jobs(options: &TableOptions, switch: Option<&SwitchOptions>) -> Option<Arc<Jobs>> {
    switch.map(|switch| Arc::new(Jobs::new(options.clone(), switch.clone())))
}

/// This machine's address on the way to a switch, where other workers reach it, too.
fn reachable(switch: &str) -> Result<std::net::IpAddr, Error> {
    let what = format!("finding the way to the switch at {switch}");
    let first = switch.split(',').next().unwrap_or(switch).trim();
    let address = first.to_socket_addrs().map_err(Error::io(&what))?.next();
    let address =
        address.ok_or_else(|| Error::Input(format!("{first} has no address; give HOST:PORT")))?;
    let any: SocketAddr =
        if address.is_ipv4() { ([0; 4], 0).into() } else { ([0u16; 8], 0).into() };
    let socket = UdpSocket::bind(any).map_err(Error::io(&what))?;
    // Nothing is sent: the system chooses an address.
    socket.connect(address).map_err(Error::io(&what))?;
    Ok(socket.local_addr().map_err(Error::io(&what))?.ip())
}

/// Tells all workers the address that rank 0 has.
fn announce(
    communicator: &Communicator,
    own: Option<&str>,
    timeout: Duration,
) -> Result<String, Error> {
    let call = Call {
        collective: Collective::Broadcast { root: WorkerId(0) },
        reduction: Reduction::Fold(Operation::Sum),
        element_type: ElementType::U8,
        elements: ADDRESS_BYTES as u64,
        priority: None,
    };
    let mut text = [0; ADDRESS_BYTES];
    let own = own.unwrap_or_default();
    text[..own.len()].copy_from_slice(own.as_bytes());
    let mut told = [0; ADDRESS_BYTES];
    communicator.run(call, &text, &mut told, Some(timeout))?;
    let end = told.iter().position(|byte| *byte == 0).unwrap_or(ADDRESS_BYTES);
    String::from_utf8(told[..end].to_vec())
        .map_err(|_| Error::Input("rank 0 told no address; install the same netfold".into()))
}
