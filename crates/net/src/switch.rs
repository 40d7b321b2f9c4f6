//! A whole switch: its shards, and the management plane before them.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::{Arc, OnceLock};

use netfold_control::{
    Cause, Incident, IncidentSender, Limits, Metrics, Registry, Server, ServerHandle, Token, Transport,
};
use netfold_switch::Event;

use crate::error::Error;
use crate::pin::CoreList;
use crate::plane::{Plane, Shards};
use crate::shard_loop::OnEvent;
use crate::shared::{Counter, Desk};

/// How a switch is to be.
#[derive(Clone, Debug)]
pub struct SwitchOptions {
    /// `HOST:PORT` to listen at: TCP for the management plane at the port, UDP for shard i at port + i. Port 0 takes any free ones.
    pub listen: String,
    /// Shards, each with a thread and a share of the memory.
    pub cores: u16,
    /// Where the shards' threads are pinned; nowhere if `None`.
    pub pin: Option<CoreList>,
    /// Bytes for the slots of all jobs.
    pub memory_bytes: u64,
    /// `HOST:PORT` for Prometheus; nowhere if `None`.
    pub metrics: Option<String>,
    /// With [`Transport::Udp`] the switch shares no memory with workers on its host (R-CTRL-10).
    pub transport: Option<Transport>,
    /// The tokens that jobs may carry. Without any, jobs carry none.
    pub tokens: Vec<Token>,
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
            tokens: Vec::new(),
        }
    }
}

/// A switch that runs. Dropping it stops it: its jobs fail, and their workers are told.
pub struct Switch {
    metrics: Option<Metrics>,
    server: ServerHandle,
    shards: Vec<SocketAddr>,
    desk: Option<String>,
}

impl Switch {
    /// Starts a switch.
    ///
    /// # Errors
    /// What the system refuses: an address that is taken or not this machine's, or threads.
    pub fn start(options: &SwitchOptions) -> Result<Self, Error> {
        let listen = || format!("the switch cannot listen at {}", options.listen);
        let listener = bind(&options.listen).map_err(Error::io(listen()))?;
        let address = listener.local_addr().map_err(Error::io(listen()))?;
        let incidents = Arc::new(OnceLock::new());
        let udp = if options.listen.ends_with(":0") { SocketAddr::new(address.ip(), 0) } else { address };
        let shards = Shards::start(udp, options.cores.max(1), options.pin.as_ref(), options.memory_bytes, |shard| {
            report_to(incidents.clone(), shard)
        })
        .map_err(Error::io(listen() + " for UDP"))?;
        let limits = Limits { receive_buffer: shards.receive_buffer_bytes() as u64, ..Limits::default() };
        let addresses = shards.addresses().to_vec();
        let mut registry = Registry::new(limits, addresses.clone(), options.tokens.clone());
        let desk = match options.transport {
            Some(Transport::Udp) => None,
            _ => Counter::open()
                .and_then(|counter| Desk::serve(counter, []))
                .inspect_err(|error| tracing::info!(%error, "the switch shares no memory"))
                .ok(),
        };
        let desk_name = desk.as_ref().map(|desk| desk.name().to_owned());
        if let Some(name) = &desk_name {
            registry = registry.offer_shared_memory(name.clone());
        }
        let plane = Plane::new(shards, desk, options.memory_bytes);
        let server = Server::start(listener, registry, Box::new(plane)).map_err(Error::io(listen()))?;
        // Set once: this is the only place that does.
        let _ = incidents.set(server.incident_sender());
        let metrics = match &options.metrics {
            None => None,
            Some(at) => Some(
                Metrics::serve(at.as_str(), server.stats_source())
                    .map_err(Error::io(format!("metrics cannot be served at {at}")))?,
            ),
        };
        Ok(Self { metrics, server, shards: addresses, desk: desk_name })
    }

    /// Where workers find it.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Where its shards take packets, in the order of their index.
    pub fn shard_addresses(&self) -> &[SocketAddr] {
        &self.shards
    }

    /// Name of the abstract Unix socket at which it hands out shared memory (R-CTRL-10); `None` if it does not.
    pub fn desk(&self) -> Option<&str> {
        self.desk.as_deref()
    }

    /// Where Prometheus finds it.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(Metrics::address)
    }
}

fn bind(listen: &str) -> io::Result<TcpListener> {
    let addresses: Vec<SocketAddr> = listen.to_socket_addrs()?.collect();
    TcpListener::bind(&*addresses)
}

/// Tells the management plane what a shard sees.
fn report_to(incidents: Arc<OnceLock<IncidentSender>>, shard: u16) -> OnEvent {
    Box::new(move |event| {
        let (job, epoch, slot, position) = event.place();
        // It is set before the first worker can join.
        if let Some(sender) = incidents.get() {
            let (job, epoch, slot, position) = (job.0, epoch.0, slot.0, position.0);
            sender.report(Incident { job, epoch, position, slot, shard, cause: cause_of(event) });
        }
    })
}

/// What an event of the data plane is to the management plane.
pub(crate) fn cause_of(event: Event) -> Cause {
    match event {
        Event::Mismatch { first, second, .. } => Cause::Mismatch { first: first.0, second: second.0 },
        Event::Overflow { lane, worker, .. } => Cause::Overflow { rank: worker.0, lane },
    }
}
