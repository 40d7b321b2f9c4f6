//! What a worker opens on its way into a job, and the links that it becomes.

use std::io;
use std::net::SocketAddr;

use netfold_control::{Joined, LocalSockets, Path, Ticket};
use netfold_shm::Segment;
use netfold_switch::JobSpec;
use netfold_wire::{Epoch, JobId, WorkerId};

use crate::endpoint::{Endpoint, path_to};
use crate::error::Error;
use crate::link::{Link, OnEvent, ShmLink, UdpLink};
use crate::plane::SHARED_FLOWS;
use crate::shared::{fetch, reaches};

/// The sockets of a worker that joins.
#[derive(Default)]
pub(crate) struct Sockets {
    /// One for each shard.
    udp: Vec<Endpoint>,
    /// Where the switch hands out shared memory, if that was reached.
    desk: Option<String>,
}

impl Sockets {
    pub(crate) fn open(&mut self, path: &Path) -> io::Result<LocalSockets> {
        let max_datagram = path_to(path.switch)?;
        for _ in 0..path.shards {
            self.udp.push(Endpoint::bind(SocketAddr::new(path.local, 0))?);
        }
        self.desk = path.shared_memory.clone().filter(|name| reaches(name));
        let udp_ports: io::Result<Vec<u16>> = self.udp.iter().map(|socket| Ok(socket.local_addr()?.port())).collect();
        let receive_buffer = self.udp.iter().map(Endpoint::receive_buffer_bytes).min().unwrap_or(0);
        Ok(LocalSockets {
            udp_ports: udp_ports?,
            max_datagram: max_datagram as u32,
            receive_buffer: receive_buffer as u64,
            shares_memory: self.desk.is_some(),
        })
    }

    /// The link of each flow of the job, as was negotiated.
    pub(crate) fn links(
        self,
        joined: &Joined,
        rank: WorkerId,
        on_event: OnEvent,
    ) -> Result<Vec<Box<dyn Link + Send>>, Error> {
        match (joined.welcome().ticket, &self.desk) {
            (Some(ticket), Some(desk)) => {
                let shared = shared_link(joined, rank, desk, ticket, on_event);
                Ok(vec![Box::new(shared.map_err(Error::io(
                    "a worker cannot have the memory of its job; NETFOLD_TRANSPORT=udp does without",
                ))?)])
            }
            _ => self.udp_links(joined),
        }
    }

    fn udp_links(self, joined: &Joined) -> Result<Vec<Box<dyn Link + Send>>, Error> {
        let welcome = joined.welcome();
        let link = |(flow, (endpoint, switch)): (usize, (Endpoint, &SocketAddr))| {
            let group = welcome.groups.get(flow).copied().map(Endpoint::join).transpose()?;
            Ok(Box::new(UdpLink::new(*switch, endpoint, group)?) as Box<dyn Link + Send>)
        };
        let links: io::Result<_> = self.udp.into_iter().zip(&welcome.shards).enumerate().map(link).collect();
        links.map_err(Error::io("a worker cannot listen for results"))
    }
}

fn shared_link(joined: &Joined, rank: WorkerId, desk: &str, ticket: Ticket, on_event: OnEvent) -> io::Result<ShmLink> {
    let welcome = joined.welcome();
    let spec = JobSpec {
        job: JobId(welcome.job),
        epoch: Epoch(welcome.epoch),
        workers: welcome.workers,
        slots: welcome.all_slots(),
        payload_bytes: welcome.payload_bytes,
        integrity: joined.integrity(),
    };
    let segment = Segment::attach(fetch(desk, ticket)?, &spec, SHARED_FLOWS).map_err(io::Error::other)?;
    let port = segment.port(0, rank).map_err(io::Error::other)?;
    ShmLink::new(port, welcome.payload_bytes, on_event)
}
