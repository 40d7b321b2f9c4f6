//! The workers of one host that fold together first (R-CTRL-11): each runs the slots of a leaf in
//! memory that they share, and one of them, the leader, keeps the leaf's way to the switch.

mod leaf;

use std::io;
use std::sync::Arc;

use netfold_control::Joined;
use netfold_management::{HostGroup, JoinRequest};
use netfold_shm::Segment;
use netfold_switch::{JobSpec, Place};
use netfold_wire::{Epoch, JobId, WorkerId};

use crate::flow::OnBroken;
use crate::link::{Link, OnEvent, ShmLink, UdpLink};
use crate::plane::SHARED_FLOWS;
use crate::shared::{MemoryListener, MemoryServer, fetch};
use leaf::Leaf;

/// A worker's part in the leaf of its host.
pub(crate) struct Host {
    segment: Arc<Segment>,
    workers: u16,
    /// The leader's.
    leaf: Option<Leaf>,
}

impl Host {
    /// Makes the leaf's memory, and keeps its way to the switch: `links` are the leader's own, one
    /// for each flow, or none if all workers are on this host. The others find it at `listener`.
    pub(crate) fn lead(
        joined: &Joined,
        request: &JoinRequest,
        group: &HostGroup,
        listener: MemoryListener,
        links: Vec<UdpLink>,
        on_broken: &OnBroken,
    ) -> io::Result<Self> {
        let (spec, flows) = (spec(joined, request, place(joined, group)), flows(joined));
        let segment = Segment::create(&spec, flows).map_err(io::Error::other)?;
        let memory_server = MemoryServer::serve(listener, [(group.ticket, segment.clone())])?;
        let leaf = Leaf::start(&segment, memory_server, links, on_broken)?;
        Ok(Self { segment, workers: group.ranks.len() as u16, leaf: Some(leaf) })
    }

    /// Fetches the leaf's memory from the leader.
    pub(crate) fn follow(
        joined: &Joined,
        request: &JoinRequest,
        group: &HostGroup,
    ) -> io::Result<Self> {
        let (memory, spec) = (
            fetch(&group.memory_server, group.ticket)?,
            spec(joined, request, place(joined, group)),
        );
        let segment = Segment::attach(memory, &spec, flows(joined)).map_err(io::Error::other)?;
        Ok(Self { segment, workers: group.ranks.len() as u16, leaf: None })
    }

    /// This worker's way to the slots of a flow.
    pub(crate) fn link(
        &self,
        flow: u16,
        request: &JoinRequest,
        on_event: OnEvent,
    ) -> io::Result<Box<dyn Link + Send>> {
        let port = self.segment.port(flow, WorkerId(request.rank)).map_err(io::Error::other)?;
        Ok(Box::new(ShmLink::new(port, on_event, request)?))
    }

    /// Workers of the host that fold together.
    pub(crate) fn workers(&self) -> u16 {
        self.workers
    }

    /// Workers of the host that rounds wait for.
    pub(crate) fn missing(&self) -> impl Iterator<Item = u16> {
        self.segment.waiting().into_iter().flat_map(|slot| slot.missing).map(|worker| worker.0)
    }

    /// Returns the server from which the others get the memory that this worker leads, and their
    /// number. `None` if it only follows.
    pub(crate) fn fetching(&self) -> Option<(Arc<MemoryServer>, usize)> {
        self.leaf.as_ref().map(|leaf| (leaf.memory_server().clone(), usize::from(self.workers) - 1))
    }

    /// Ends every wait in the memory, and for it: the job has failed.
    pub(crate) fn fail(&self) {
        self.segment.fail();
        if let Some(leaf) = &self.leaf {
            leaf.memory_server().give_up();
        }
    }
}

/// The job as its slots know it, for a switch at `place`.
pub(crate) fn spec(joined: &Joined, request: &JoinRequest, place: Place) -> JobSpec {
    let welcome = joined.welcome();
    JobSpec {
        job: JobId(welcome.job),
        epoch: Epoch(welcome.epoch),
        workers: welcome.workers,
        slots: welcome.all_slots(),
        exchange_slots: 0,
        lent_slots: 0,
        payload_bytes: welcome.payload_bytes,
        terms: request.terms.with_integrity(joined.integrity()),
        place,
        operations: request.operations.clone(),
    }
}

/// Flows of a job whose workers fold on hosts of their own: one if nothing leaves the host, else
/// one for each shard.
pub(crate) fn flows(joined: &Joined) -> u16 {
    let welcome = joined.welcome();
    if welcome.has_one_host() { SHARED_FLOWS } else { welcome.shards.len() as u16 }
}

/// Returns the place of a group's memory: below the switch, unless the group has all of the job's
/// workers.
fn place(joined: &Joined, group: &HostGroup) -> Place {
    let place = Place::root(group.ranks.iter().map(|rank| (WorkerId(*rank), WorkerId(*rank))));
    if joined.welcome().has_one_host() { place } else { place.below(WorkerId(group.leader)) }
}
