//! The data plane of a switch, as its management plane sees it: the shards of its pipelines.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use netfold_control::{Admission, AdmissionError, Cause, DataPlane, Incident, JobStatus, ShardStatus, SlotStatus};
use netfold_switch::{self as switch, Event, JobSpec, Place, WaitingSlot};
use netfold_wire::{Epoch, JobId, WorkerId};

use crate::switch::{Port, Ports, Switches};
use crate::topology::{down, up};

/// Where switches listen, and the first of the ports of their pipelines.
pub(super) const SWITCH_PORT: u16 = 5555;

/// The first of the ports of workers. A worker's ports follow from its job's place in the setup and the flow.
const WORKER_PORT: u16 = 10_000;

/// The address of a node: 10.0.0.0 and its number.
pub(super) fn address(node: u32) -> IpAddr {
    Ipv4Addr::from_bits(u32::from_be_bytes([10, 0, 0, 0]) + node).into()
}

/// The ports of a worker of a job on all flows.
pub(super) fn worker_ports(job: u16, flows: u16) -> Vec<u16> {
    (0..flows).map(|flow| WORKER_PORT + job * flows + flow).collect()
}

/// A job's place in the setup, of which a worker has this port.
fn job_at(port: u16, flows: u16) -> u16 {
    port.saturating_sub(WORKER_PORT) / flows
}

/// Node of an address.
fn node_at(address: SocketAddr) -> u32 {
    match address.ip() {
        IpAddr::V4(ip) => ip.to_bits() & 0x00FF_FFFF,
        IpAddr::V6(_) => 0,
    }
}

/// The pipelines of one switch.
pub(super) struct Pipelines<'a> {
    pub(super) switches: &'a mut Switches,
    pub(super) switch: u32,
}

impl Pipelines<'_> {
    fn indices(&self) -> std::ops::Range<usize> {
        let pipelines = usize::from(self.switches.pipelines);
        let first = self.switch as usize * pipelines;
        first..first + pipelines
    }
}

impl DataPlane for Pipelines<'_> {
    fn admit(&mut self, job: &Admission) -> Result<(), AdmissionError> {
        if job.elsewhere {
            return Ok(());
        }
        if job.ticket.is_some() {
            return Err(AdmissionError::Other("simulated switches share no memory".into()));
        }
        let spec = spec(job);
        for index in self.indices().take(job.flows.into()) {
            if let Err(error) = self.switches.shards[index].admit(spec.clone()) {
                self.release(job.job);
                return Err(refused(error, job.flows));
            }
            self.switches.peak_memory = self.switches.peak_memory.max(self.switches.shards[index].memory_used());
        }
        let members = job.members.iter().filter_map(|member| {
            let at = *member.addresses.first()?;
            let worker_of = if member.is_switch { 0 } else { job_at(at.port(), self.switches.pipelines) };
            Some(Port { name: WorkerId(member.rank), link: down(node_at(at)), job: worker_of })
        });
        let ports =
            Ports { members: members.collect(), parent: job.parent.as_ref().map(|_| up(self.switch)), inflation: 1 };
        self.switches.connect(self.switch as usize, job.job, ports);
        Ok(())
    }

    fn release(&mut self, job: u16) {
        for index in self.indices() {
            self.switches.shards[index].release(JobId(job));
        }
    }

    fn status(&mut self) -> Vec<ShardStatus> {
        let status = |shard: &switch::Shard| ShardStatus {
            counters: shard.counters().iter().collect(),
            memory_used: shard.memory_used(),
            memory_total: shard.memory_total(),
            jobs: shard.status().into_iter().map(job_status).collect(),
        };
        self.switches.shards[self.indices()].iter().map(status).collect()
    }
}

/// What a pipeline has found wrong, for the management plane of its switch.
pub(super) fn incident(event: Event, shard: u16) -> Incident {
    let (job, epoch, slot, position) = event.place();
    let cause = match event {
        Event::Mismatch { first, second, .. } => Cause::Mismatch { first: first.0, second: second.0 },
        Event::Overflow { lane, worker, .. } => Cause::Overflow { rank: worker.0, lane },
    };
    Incident { job: job.0, epoch: epoch.0, position: position.0, slot: slot.0, shard, cause }
}

fn spec(job: &Admission) -> JobSpec {
    let stands =
        job.members.iter().flat_map(|member| member.ranks.iter().map(|rank| (WorkerId(*rank), WorkerId(member.rank))));
    let place = Place::root(stands);
    JobSpec {
        job: JobId(job.job),
        epoch: Epoch(job.epoch),
        workers: job.workers,
        slots: job.slots,
        payload_bytes: job.payload_bytes,
        arithmetic: job.arithmetic,
        byte_order: job.byte_order,
        integrity: job.integrity,
        place: match &job.parent {
            Some(parent) => place.below(WorkerId(parent.name)),
            None => place,
        },
    }
}

/// As the user counts it: over all flows.
fn refused(error: switch::AdmissionError, flows: u16) -> AdmissionError {
    let flows = u64::from(flows);
    match error {
        switch::AdmissionError::Memory { needed, free } => {
            AdmissionError::Memory { needed: needed * flows, free: free * flows }
        }
        other => AdmissionError::Other(other.to_string()),
    }
}

fn job_status(job: switch::JobStatus) -> JobStatus {
    let slot = |waiting: WaitingSlot| SlotStatus {
        slot: waiting.slot.0,
        position: waiting.position.0,
        seen: waiting.seen.iter().map(|worker| worker.0).collect(),
        missing: waiting.missing.iter().map(|worker| worker.0).collect(),
    };
    JobStatus {
        job: job.spec.job.0,
        slots: job.spec.slots,
        counters: Vec::new(),
        waiting: job.waiting.into_iter().map(slot).collect(),
    }
}
