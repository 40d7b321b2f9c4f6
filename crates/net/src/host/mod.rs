//! The workers of one host that fold together first (R-CTRL-11): each runs the slots of a leaf in memory that they share, and one of them, the leader, keeps
//! the leaf's way to the switch.

mod leaf;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use netfold_control::{HostGroup, Joined};
use netfold_shm::Segment;
use netfold_switch::{JobSpec, Place};
use netfold_wire::{Epoch, JobId, WorkerId};

use crate::flow::OnBroken;
use crate::link::{Link, OnEvent, ShmLink, UdpLink};
use crate::shared::{Counter, Desk, fetch};
use leaf::Leaf;

/// A worker's part in the leaf of its host.
pub(crate) struct Host {
    segment: Arc<Segment>,
    workers: u16,
    /// The leader's.
    leaf: Option<Leaf>,
}

impl Host {
    /// Makes the leaf's memory, and keeps its way to the switch: `links` are the leader's own, one for each flow. The others find it at `counter`.
    pub(crate) fn lead(
        joined: &Joined,
        group: &HostGroup,
        counter: Counter,
        links: Vec<UdpLink>,
        on_broken: &OnBroken,
    ) -> io::Result<Self> {
        let segment = Segment::create(&spec(joined, group.place()), links.len() as u16).map_err(io::Error::other)?;
        let desk = Desk::serve(counter, [(group.ticket, segment.clone())])?;
        let leaf = Leaf::start(&segment, desk, links, on_broken)?;
        Ok(Self { segment, workers: group.ranks.len() as u16, leaf: Some(leaf) })
    }

    /// Fetches the leaf's memory, for `flows` flows, from the leader.
    pub(crate) fn follow(joined: &Joined, group: &HostGroup, flows: u16) -> io::Result<Self> {
        let memory = fetch(&group.desk, group.ticket)?;
        let segment = Segment::attach(memory, &spec(joined, group.place()), flows).map_err(io::Error::other)?;
        Ok(Self { segment, workers: group.ranks.len() as u16, leaf: None })
    }

    /// This worker's way to the slots of a flow.
    pub(crate) fn link(
        &self,
        joined: &Joined,
        flow: u16,
        rank: WorkerId,
        on_event: OnEvent,
    ) -> io::Result<Box<dyn Link + Send>> {
        let port = self.segment.port(flow, rank).map_err(io::Error::other)?;
        Ok(Box::new(ShmLink::new(port, joined.welcome().payload_bytes, on_event)?))
    }

    /// Workers of the host that fold together.
    pub(crate) fn workers(&self) -> u16 {
        self.workers
    }

    /// Workers of the host that rounds wait for.
    pub(crate) fn missing(&self) -> impl Iterator<Item = u16> {
        self.segment.waiting().into_iter().flat_map(|slot| slot.missing).map(|worker| worker.0)
    }

    /// Waits until the others have the memory that this worker leads, at most for `patience`, or until the job has failed. Who only follows does not wait.
    pub(crate) fn wait_until_fetched(&self, patience: Duration) {
        if let Some(leaf) = &self.leaf {
            leaf.desk().wait_until_served(usize::from(self.workers) - 1, patience);
        }
    }

    /// Ends every wait in the memory, and for it: the job has failed.
    pub(crate) fn fail(&self) {
        self.segment.fail();
        if let Some(leaf) = &self.leaf {
            leaf.desk().give_up();
        }
    }
}

/// The job as its slots know it, for a switch at `place`.
pub(crate) fn spec(joined: &Joined, place: Place) -> JobSpec {
    let welcome = joined.welcome();
    JobSpec {
        job: JobId(welcome.job),
        epoch: Epoch(welcome.epoch),
        workers: welcome.workers,
        slots: welcome.all_slots(),
        payload_bytes: welcome.payload_bytes,
        integrity: joined.integrity(),
        place,
    }
}

/// Where the leaf of a group stands.
trait Standing {
    fn place(&self) -> Place;
}

impl Standing for HostGroup {
    fn place(&self) -> Place {
        let members = self.ranks.iter().map(|rank| (WorkerId(*rank), WorkerId(*rank)));
        Place::root(members).below(WorkerId(self.leader))
    }
}
