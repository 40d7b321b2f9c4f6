//! The data plane of a switch, as its management plane sees it: the shards of its pipelines.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use netfold_management::{
    Admission, AdmissionError, DataPlane, JobStatus, ShardStatus, Spare, TableStatus,
};
use netfold_switch::Shard;
use netfold_wire::{JobId, WorkerId};

use crate::switch::{Port, Ports, Switches};
use crate::topology::{Topology, down, up};

/// Port on which switches listen, and the first of the ports of their pipelines.
pub(super) const SWITCH_PORT: u16 = 5555;

/// The first of the ports of workers. A worker's ports follow from its job's place in the setup and
/// the flow.
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
    pub(super) topology: &'a Topology,
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
        let spec = job.spec();
        for index in self.indices().take(job.flows.into()) {
            if let Err(error) = self.switches.shards[index].admit(spec.clone()) {
                self.release(job.job);
                return Err(AdmissionError::of_shard(&error, job.flows));
            }
            self.switches.peak_memory =
                self.switches.peak_memory.max(self.switches.shards[index].memory_used());
        }
        let tree = self.topology.tree(self.switch);
        let members = job.members.iter().filter_map(|member| {
            let at = *member.addresses.first()?;
            let worker_of =
                if member.is_switch { 0 } else { job_at(at.port(), self.switches.pipelines) };
            let leg = self.topology.leg(node_at(at), tree);
            Some(Port { name: WorkerId(member.rank), link: down(leg), job: worker_of })
        });
        let ports = Ports {
            members: members.collect(),
            parent: job.parent.as_ref().map(|_| up(self.switch)),
            inflation: 1,
        };
        self.switches.connect(self.switch as usize, job.job, ports);
        Ok(())
    }

    fn lends(&self) -> bool {
        true
    }

    fn lend(&mut self, job: u16) -> bool {
        let lent = self.indices().all(|index| self.switches.shards[index].lend(JobId(job)).is_ok());
        if !lent {
            self.take_back(job);
        }
        let used = self.indices().map(|index| self.switches.shards[index].memory_used()).max();
        self.switches.peak_memory = self.switches.peak_memory.max(used.unwrap_or(0));
        lent
    }

    fn take_back(&mut self, job: u16) {
        for index in self.indices() {
            self.switches.shards[index].take_back(JobId(job));
        }
    }

    fn release(&mut self, job: u16) {
        for index in self.indices() {
            self.switches.shards[index].release(JobId(job));
        }
    }

    fn status(&mut self) -> Vec<ShardStatus> {
        let status = |shard: &Shard| ShardStatus {
            counters: shard.counters().iter().collect(),
            memory_used: shard.memory_used(),
            memory_total: shard.memory_total(),
            jobs: shard
                .status()
                .into_iter()
                .map(|job| {
                    JobStatus::of(job.spec.job.0, job.slots, &job.counters, job.waiting)
                        .with_operations(&job.spec.operations, &job.usage)
                })
                .collect(),
            tables: shard.tables().iter().map(|table| TableStatus::of(table, 0)).collect(),
            queries: Vec::new(),
        };
        self.switches.shards[self.indices()].iter().map(status).collect()
    }

    fn spare(&self) -> Spare {
        let shards = || self.switches.shards[self.indices()].iter();
        Spare {
            flow_bytes: shards()
                .map(|shard| shard.memory_total() - shard.memory_used())
                .min()
                .unwrap_or(0),
            jobs: shards().map(Shard::jobs).max().unwrap_or(0),
        }
    }
}
