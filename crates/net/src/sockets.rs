//! Sockets that a worker opens on its way into a job, and the links that they become.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use netfold_control::{Joined, Path};
use netfold_management::{HostOffer, JoinRequest, LocalSockets, Ticket};
use netfold_shm::Segment;
use netfold_switch::Place;
use netfold_wire::WorkerId;

use crate::endpoint::{Endpoint, path_to};
use crate::error::Error;
use crate::flow::OnBroken;
use crate::host::{Host, flows, spec};
use crate::link::{Link, OnEvent, ShmLink, UdpLink};
use crate::plane::SHARED_FLOWS;
use crate::shared::{MemoryListener, TableWay, fetch, fetch_channel, host_id, reaches};

/// The sockets of a worker that joins.
#[derive(Default)]
pub(crate) struct Sockets {
    /// One for each shard.
    udp: Vec<Endpoint>,
    /// Socket at which the switch hands out shared memory, if that was reached.
    memory_server: Option<String>,
    /// Listener at which this worker would hand it out to others on its host.
    listener: Option<MemoryListener>,
    /// Flows of a job that goes on; `None` if that is for the switch to say.
    flows: Option<u16>,
}

/// A worker's ways to the slots of its job.
pub(crate) struct Links {
    /// One for each flow.
    pub(crate) flows: Vec<Box<dyn Link + Send>>,
    /// The leaf that they lead to, if that is on this host.
    pub(crate) host: Option<Host>,
    /// The switch's memory, if they lead into that.
    pub(crate) memory: Option<SwitchMemory>,
}

/// The switch's memory, and where it is handed out.
pub(crate) struct SwitchMemory {
    pub(crate) segment: Arc<Segment>,
    server: String,
    ticket: Ticket,
}

impl SwitchMemory {
    /// Returns a rank's way to the job's table in memory; `None` if it has none, or not any more
    /// (R-KEY-20).
    pub(crate) fn table_way(&self, rank: u16) -> Option<TableWay> {
        fetch_channel(&self.server, self.ticket, rank)
            .inspect_err(|error| tracing::debug!(%error, "the table is reached over UDP"))
            .ok()
    }
}

impl Sockets {
    /// Those of a worker whose job has so many flows already (R-RES-3).
    pub(crate) fn for_flows(flows: u16) -> Self {
        Self { flows: Some(flows), ..Self::default() }
    }

    pub(crate) fn open(&mut self, path: &Path) -> io::Result<LocalSockets> {
        let max_datagram = path_to(path.switch)?;
        for _ in 0..self.flows.map_or(path.shards, |flows| flows.min(path.shards)) {
            self.udp.push(Endpoint::bind(SocketAddr::new(path.local, 0))?);
        }
        self.memory_server = path.shared_memory.clone().filter(|name| reaches(name));
        let id = host_id().filter(|_| path.shares_memory);
        // Who cannot offer it does without.
        self.listener = id.and_then(|_| MemoryListener::open().ok());
        let udp_ports: io::Result<Vec<u16>> =
            self.udp.iter().map(|socket| Ok(socket.local_addr()?.port())).collect();
        let receive_buffer = self.udp.iter().map(Endpoint::receive_buffer_bytes).min().unwrap_or(0);
        let offer = |(id, listener): (u64, &MemoryListener)| HostOffer {
            id,
            memory_server: listener.name().to_owned(),
        };
        Ok(LocalSockets {
            udp_ports: udp_ports?,
            max_datagram: max_datagram as u32,
            receive_buffer: receive_buffer as u64,
            shares_memory: self.memory_server.is_some(),
            host: id.zip(self.listener.as_ref()).map(offer),
        })
    }

    /// The links of the job, as was negotiated. `on_event` makes the handler of a flow's events;
    /// `on_broken` is for what others on this host need of this worker.
    pub(crate) fn links(
        self,
        joined: &Joined,
        request: &JoinRequest,
        on_event: impl Fn(u16) -> OnEvent,
        on_broken: &OnBroken,
    ) -> Result<Links, Error> {
        let without =
            "a worker cannot have the memory of its job; NETFOLD_TRANSPORT=udp does without";
        match (joined.welcome().ticket, &self.memory_server) {
            (Some(ticket), Some(memory_server)) => {
                let (link, segment) =
                    shared_link(joined, request, memory_server, ticket, on_event(0))
                        .map_err(Error::io(without))?;
                let memory = SwitchMemory { segment, server: memory_server.clone(), ticket };
                Ok(Links { flows: vec![Box::new(link)], host: None, memory: Some(memory) })
            }
            _ if joined.welcome().host.is_some() => {
                self.host_links(joined, request, on_event, on_broken).map_err(Error::io(without))
            }
            _ => {
                let links = self
                    .udp_links(joined)
                    .map_err(Error::io("a worker cannot listen for results"))?;
                Ok(Links {
                    flows: links
                        .into_iter()
                        .map(|link| Box::new(link) as Box<dyn Link + Send>)
                        .collect(),
                    host: None,
                    memory: None,
                })
            }
        }
    }

    fn udp_links(self, joined: &Joined) -> io::Result<Vec<UdpLink>> {
        let welcome = joined.welcome();
        let link = |(flow, (endpoint, switch)): (usize, (Endpoint, &SocketAddr))| {
            let group = welcome.groups.get(flow).copied().map(Endpoint::join).transpose()?;
            UdpLink::new(*switch, endpoint, group)
        };
        self.udp.into_iter().zip(&welcome.shards).enumerate().map(link).collect()
    }

    /// R-CTRL-11
    fn host_links(
        mut self,
        joined: &Joined,
        request: &JoinRequest,
        on_event: impl Fn(u16) -> OnEvent,
        on_broken: &OnBroken,
    ) -> io::Result<Links> {
        let (listener, flows) = (self.listener.take(), flows(joined));
        let host = match (&joined.welcome().host, listener) {
            (Some(group), Some(listener)) if group.leader == request.rank => {
                let links = if joined.welcome().has_one_host() {
                    Vec::new()
                } else {
                    self.udp_links(joined)?
                };
                Host::lead(joined, request, group, listener, links, on_broken)?
            }
            (Some(group), _) => Host::follow(joined, request, group)?,
            (None, _) => return Err(io::Error::other("the switch has named no host")),
        };
        let links: io::Result<_> =
            (0..flows).map(|flow| host.link(flow, request, on_event(flow))).collect();
        Ok(Links { flows: links?, host: Some(host), memory: None })
    }
}

fn shared_link(
    joined: &Joined,
    request: &JoinRequest,
    memory_server: &str,
    ticket: Ticket,
    on_event: OnEvent,
) -> io::Result<(ShmLink, Arc<Segment>)> {
    let spec = spec(joined, request, Place::only(joined.welcome().workers));
    let segment = Segment::attach(fetch(memory_server, ticket)?, &spec, SHARED_FLOWS)
        .map_err(io::Error::other)?;
    let port = segment.port(0, WorkerId(request.rank)).map_err(io::Error::other)?;
    Ok((ShmLink::new(port, on_event, request)?, segment))
}
