//! A whole switch: its shards, and the management plane before them.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use netfold_control::{IncidentSender, Metrics, Server, ServerHandle};
use netfold_management::{
    DataPlane, Incident, Limits, RackSwitch, Registry, Relay, Token, Transport,
};
use netfold_shm::RoundTimes;
use netfold_switch::query::{QueryCounters, QuerySpec};
use netfold_switch::{MAX_MEMBERS, OperationLoader};
use netfold_wire::{Epoch, JobId};

use crate::endpoint::path_to;
use crate::error::Error;
use crate::pin::CoreList;
use crate::plane::{Drain, Plane, Queries, Shards};
use crate::process::ProcessLocal;
use crate::rounds::RoundLog;
use crate::shard_loop::OnEvent;
use crate::shared::{MemoryListener, MemoryServer};

/// Interval at which a switch that is to stop looks whether its tables are drained.
const DRAIN_INTERVAL: Duration = Duration::from_millis(2);

/// Options of a switch.
#[derive(Clone, Debug)]
pub struct SwitchOptions {
    /// `HOST:PORT` to listen at: TCP for the management plane at the port, UDP for shard i at
    /// port + i. Port 0 takes any free ones.
    pub listen: String,
    /// Shards, each with a thread and a share of the memory.
    pub cores: u16,
    /// Cores to which the shards' threads are pinned; nowhere if `None`.
    pub pin: Option<CoreList>,
    /// Bytes for the slots of all jobs.
    pub memory_bytes: u64,
    /// `HOST:PORT` for Prometheus; nowhere if `None`.
    pub metrics: Option<String>,
    /// With [`Transport::Udp`] the switch shares no memory with workers on its host (R-CTRL-10).
    pub transport: Option<Transport>,
    /// `HOST:PORT` of the switch above this one (R-CTRL-14), if there is one. A switch below
    /// another shares no memory.
    pub parent: Option<String>,
    /// The tokens that jobs may carry. Without any, jobs carry none.
    pub tokens: Vec<Token>,
    /// Rounds are timed ([`Switch::stop`]).
    pub times_rounds: bool,
    /// Hears of each client that may have the switch stop, and asks for it: whoever has the other
    /// end then drains and stops the switch (R-CTRL-21). Without it such clients are refused.
    pub stop_requests: Option<Sender<()>>,
    /// Admits operations of users (R-OP-16). Without it jobs that have some are refused.
    pub operations: Option<Arc<dyn OperationLoader>>,
}

impl Default for SwitchOptions {
    fn default() -> Self {
        Self {
            listen: "127.0.0.1:0".into(),
            cores: 1,
            pin: None,
            memory_bytes: 64 << 20,
            metrics: None,
            transport: None,
            parent: None,
            tokens: Vec::new(),
            times_rounds: false,
            stop_requests: None,
            operations: None,
        }
    }
}

/// A switch that runs. Dropping it stops it: its jobs fail, and their workers are told.
///
/// It belongs to its process: in a fork of that, dropping the copy does nothing.
pub struct Switch {
    running: ProcessLocal<Running>,
    shards: Vec<SocketAddr>,
    memory_server: Option<String>,
    parent: Option<SocketAddr>,
}

/// Threads and sockets that end with a switch, in this order.
struct Running {
    metrics: Option<Metrics>,
    server: ServerHandle,
    rounds: Option<Arc<RoundLog>>,
    drain: Drain,
    queries: Queries,
}

impl Switch {
    /// Starts a switch.
    ///
    /// # Errors
    /// [`Error::NoMemory`], or what the system refuses: an address that is taken or not this
    /// machine's, or threads.
    pub fn start(options: &SwitchOptions) -> Result<Self, Error> {
        if options.memory_bytes == 0 {
            return Err(Error::NoMemory);
        }
        let listen = || format!("the switch cannot listen at {}", options.listen);
        let listener = bind(&options.listen).map_err(Error::io(listen()))?;
        let address = listener.local_addr().map_err(Error::io(listen()))?;
        let incidents = Arc::new(OnceLock::new());
        let udp =
            if options.listen.ends_with(":0") { SocketAddr::new(address.ip(), 0) } else { address };
        let rounds = options.times_rounds.then(Arc::<RoundLog>::default);
        let report = |shard| report_to(incidents.clone(), shard);
        let (cores, pin) = (options.cores.max(1), options.pin.as_ref());
        let shards = Shards::start(udp, cores, pin, options.memory_bytes, report, rounds.as_ref())
            .map_err(Error::io(listen() + " for UDP"))?;
        let receive_buffer = shards.receive_buffer_bytes() as u64;
        let jobs = Limits::jobs_of(options.memory_bytes);
        let limits = Limits { receive_buffer, members: MAX_MEMBERS, jobs, ..Limits::default() };
        let addresses = shards.addresses().to_vec();
        let parent =
            options.parent.as_deref().map(|parent| find(parent, address.ip())).transpose()?;
        let memory_server = match (options.transport, parent) {
            (Some(Transport::Udp), _) | (_, Some(_)) => None,
            _ => MemoryListener::open()
                .and_then(|listener| MemoryServer::serve(listener, []))
                .inspect_err(|error| tracing::info!(%error, "the switch shares no memory"))
                .ok(),
        };
        let (drain, stop_requests) = (shards.drain(), options.stop_requests.clone());
        let queries = shards.queries();
        let desk_name = memory_server.as_ref().map(|memory_server| memory_server.name().to_owned());
        let plane: Box<dyn DataPlane + Send> =
            Box::new(Plane::new(shards, memory_server, options.memory_bytes, stop_requests));
        let server = match parent {
            Some((parent, max_datagram)) => {
                let (shards, tokens) = (addresses.clone(), options.tokens.clone());
                let (id, parent_name) =
                    (rand::random(), options.parent.clone().unwrap_or_default());
                let switch = RackSwitch {
                    id,
                    at: address,
                    parent_name,
                    parent,
                    shards,
                    max_datagram,
                    tokens,
                };
                let relay = Relay::new(limits, switch);
                let relay = options.operations.iter().cloned().fold(relay, Relay::run_operations);
                Server::start(listener, relay, plane)
            }
            None => {
                let registry = Registry::new(limits, addresses.clone(), options.tokens.clone());
                let registry =
                    desk_name.iter().cloned().fold(registry, Registry::offer_shared_memory);
                let registry =
                    options.operations.iter().cloned().fold(registry, Registry::run_operations);
                Server::start(listener, registry, plane)
            }
        }
        .map_err(Error::io(listen()))?;
        // Set once: this is the only place that does.
        let _ = incidents.set(server.incident_sender());
        let metrics = match &options.metrics {
            None => None,
            Some(at) => Some(
                Metrics::serve(at.as_str(), server.stats_source())
                    .map_err(Error::io(format!("metrics cannot be served at {at}")))?,
            ),
        };
        let running = ProcessLocal::new(Running { metrics, server, rounds, drain, queries });
        Ok(Self {
            running: running.map_err(Error::io("forks could not be counted"))?,
            shards: addresses,
            memory_server: desk_name,
            parent: parent.map(|(parent, _)| parent),
        })
    }

    /// Returns the address at which workers find it.
    pub fn address(&self) -> SocketAddr {
        self.running.peek().server.address()
    }

    /// Returns the addresses at which its shards take packets, in the order of their index.
    pub fn shard_addresses(&self) -> &[SocketAddr] {
        &self.shards
    }

    /// Name of the abstract Unix socket at which it hands out shared memory (R-CTRL-10); `None` if
    /// it does not.
    pub fn memory_server(&self) -> Option<&str> {
        self.memory_server.as_deref()
    }

    /// Returns the address that its parent had when it started; `None` if it has no parent.
    pub fn parent(&self) -> Option<SocketAddr> {
        self.parent
    }

    /// Has servers read what its tables have, before it stops (R-KEY-16): workers push nothing
    /// more, and jobs without a table go on. Waits until nothing is left, or `over` says so.
    /// Returns whether nothing is left.
    pub fn drain(&self, mut over: impl FnMut() -> bool) -> bool {
        let Ok(running) = self.running.get() else { return true };
        while !running.drain.ask() {
            if over() {
                return false;
            }
            // Servers ask when they are ready; nobody tells the switch.
            thread::sleep(DRAIN_INTERVAL);
        }
        true
    }

    /// Admits a query (R-QRY) at the first of the [shards](Self::shard_addresses), whose memory it
    /// takes; survivors go to the socket of its master. Without one, all attempts ask for verdicts
    /// ([`SenderConfig::verdicts`](crate::SenderConfig)).
    ///
    /// # Errors
    /// [`Error::Query`], with the reason.
    pub fn admit_query(
        &self,
        spec: QuerySpec,
        master: impl Into<Option<SocketAddr>>,
    ) -> Result<(), Error> {
        let running = self.running.get()?;
        running.queries.admit(spec, master.into()).map_err(|error| Error::Query(error.to_string()))
    }

    /// Ends a query, and frees its memory.
    pub fn release_query(&self, job: JobId, epoch: Epoch) {
        if let Ok(running) = self.running.get() {
            running.queries.release(job, epoch);
        }
    }

    /// Returns the totals of a query; `None` if it is not here.
    pub fn query_counters(&self, job: JobId, epoch: Epoch) -> Option<QueryCounters> {
        self.running.get().ok()?.queries.counters(job, epoch)
    }

    /// Stops it, and tells the rounds that its shards have ended, at most the latest 2^20; none
    /// unless [`SwitchOptions::times_rounds`] asks for them. Rounds in shared memory the workers
    /// tell ([`Communicator::take_rounds`](crate::Communicator::take_rounds)).
    pub fn stop(self) -> Vec<RoundTimes> {
        let rounds = self.running.get().ok().and_then(|running| running.rounds.clone());
        drop(self);
        rounds.map_or_else(Vec::new, |rounds| rounds.take())
    }

    /// Returns the address at which Prometheus finds it.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.running.peek().metrics.as_ref().map(Metrics::address)
    }
}

fn bind(listen: &str) -> io::Result<TcpListener> {
    let addresses: Vec<SocketAddr> = listen.to_socket_addrs()?.collect();
    TcpListener::bind(&*addresses)
}

/// Returns the address of a parent, as a switch at `local` reaches it, and the bytes of UDP payload
/// that fit the path. The parent need not be there yet.
fn find(parent: &str, local: IpAddr) -> Result<(SocketAddr, u32), Error> {
    let find = || {
        let same_kind = |candidate: &SocketAddr| candidate.is_ipv4() == local.is_ipv4();
        let address =
            parent.to_socket_addrs()?.find(same_kind).ok_or(io::ErrorKind::AddrNotAvailable)?;
        if local.is_loopback() && !address.ip().is_loopback() {
            let why = "it listens on loopback, where no other host reaches it";
            return Err(io::Error::new(io::ErrorKind::AddrNotAvailable, why));
        }
        Ok((address, path_to(address)? as u32))
    };
    find().map_err(Error::io(format!("the switch at {local} has no way to its parent {parent}")))
}

/// Returns a function that reports a shard's events to the management plane.
fn report_to(incidents: Arc<OnceLock<IncidentSender>>, shard: u16) -> OnEvent {
    Box::new(move |event| {
        // It is set before the first worker can join.
        if let Some(sender) = incidents.get() {
            sender.report(Incident::at_shard(event, shard));
        }
    })
}
