//! The admission of a job to a cluster: its slots in the switches' memory, and its endpoints on
//! hosts.

use netfold_switch::{JobSpec, MAX_ANSWER_BYTES, TableSpec};
use netfold_wire::{Epoch, HEADER_BYTES, JobId, Terms, WorkerId};
use netfold_worker::{Counters, OtherSlots, StreamConfig, Streams};

use crate::build;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::events::Event;
use crate::host::Endpoint;
use crate::job::Job;
use crate::keyed::{Load, Part, TablePlace};
use crate::machine::Machine;
use crate::mpi::Process;
use crate::operations::operations;
use crate::peers::{self, Peer};
use crate::setup::{JobSetup, SystemName};
use crate::switch::{Port, Ports};
use crate::time::Time;
use crate::topology::{Membership, down, memberships, up};

/// Epoch to which every packet of a job belongs: there is only one.
pub(crate) const EPOCH: Epoch = Epoch(1);

impl Cluster {
    /// Takes a job in, without calls.
    pub(crate) fn admit(&mut self, number: usize, setup: &JobSetup) -> Result<(), Error> {
        build::check_job(&self.setup, setup, &self.topology)?;
        let memberships = match setup.system {
            SystemName::Netfold => memberships(&self.topology, setup.first_host, setup.workers),
            _ => Vec::new(),
        };
        let switches = memberships.iter().flatten().count();
        let mut job = Job::new(setup.clone(), self.hosts.endpoints.len() as u32, switches)?;
        // R-CTRL-23
        if switches == 1
            && self.setup.management.is_none()
            && self.setup.switches.hardware.is_none()
        {
            job.exchange_slots = setup.exchange_slots();
        }
        if let Some(table) = &setup.table {
            job.table = TablePlace::of(&self.topology, setup);
            let pairs = setup.calls.first().map_or(0, |call| call.elements);
            job.load = Some(Load::new(table, pairs, self.seed));
            self.reserve_table(number, &job)?;
        }
        let most_bytes = match setup.system {
            SystemName::Netfold => {
                // With a management plane switches take jobs in as they come.
                if self.setup.management.is_none() {
                    self.reserve(number, &job, &memberships)?;
                }
                HEADER_BYTES + job.simulated_bytes as usize
            }
            SystemName::Tables => MAX_ANSWER_BYTES,
            SystemName::Mpi => {
                setup.mpi.as_ref().map_or(0, |mpi| Process::most_bytes(mpi, setup.workers))
            }
            _ => peers::ENCODED_BYTES,
        };
        for buffer in [&mut self.hosts.buffer, &mut self.switches.buffer] {
            buffer.resize(buffer.len().max(most_bytes), 0);
        }
        for rank in 0..setup.workers + setup.servers() {
            for flow in 0..setup.flows {
                self.hosts.endpoints.push(self.endpoint(number as u16, &job, (rank, flow)));
            }
        }
        self.jobs.push(job);
        Ok(())
    }

    /// Slots for a job in each switch between its hosts and the lowest one above all of them.
    fn reserve(
        &mut self,
        number: usize,
        job: &Job,
        memberships: &[Option<Membership>],
    ) -> Result<(), Error> {
        let setup = &job.setup;
        let refused = |source| Error::Admission { job: setup.name.clone(), source };
        let spec = |membership: &Membership, payload_bytes| JobSpec {
            job: JobId(number as u16),
            epoch: EPOCH,
            workers: setup.workers,
            slots: setup.slots + setup.urgent_slots() + job.exchange_slots,
            exchange_slots: job.exchange_slots,
            lent_slots: 0,
            payload_bytes,
            terms: job.terms(),
            operations: operations(&setup.operations),
            place: membership.place.clone(),
        };
        let pipelines = usize::from(self.setup.switches.pipelines);
        for (switch, membership) in memberships.iter().enumerate() {
            let Some(membership) = membership else { continue };
            for flow in 0..usize::from(setup.flows) {
                let pipeline = switch * pipelines + flow;
                let needed = spec(membership, setup.payload_bytes).memory_bytes();
                self.switches.reserve(pipeline, needed).map_err(refused)?;
                self.switches.shards[pipeline]
                    .admit(spec(membership, job.simulated_bytes))
                    .map_err(refused)?;
            }
            let port = |(name, node): &(WorkerId, u32)| Port {
                name: *name,
                link: down(*node),
                job: number as u16,
            };
            let parent = membership.place.parent().map(|_| up(switch as u32));
            let ports = Ports {
                members: membership.members.iter().map(port).collect(),
                parent,
                inflation: job.inflation,
            };
            self.switches.connect(switch, number as u16, ports);
        }
        Ok(())
    }

    /// A table at the switches that have it.
    fn reserve_table(&mut self, number: usize, job: &Job) -> Result<(), Error> {
        let setup = &job.setup;
        let refused = |source| Error::Admission { job: setup.name.clone(), source };
        let id = JobId(number as u16);
        let part = Part::of(setup, job.terms(), id, 0);
        let Some((part, table)) = part.and_then(|part| Some((part, part.terms_of_table()?))) else {
            return Ok(());
        };
        let (epoch, workers, datagram_bytes) = (EPOCH, setup.workers, part.datagram_bytes());
        let terms = job.terms();
        for (switch, tree) in job.table.trees() {
            let pipeline = switch as usize * usize::from(self.setup.switches.pipelines);
            let spec = TableSpec { job: id, epoch, workers, datagram_bytes, table, terms, tree };
            self.switches.reserve(pipeline, spec.memory_bytes()).map_err(refused)?;
            self.switches.shards[pipeline].admit_table(spec).map_err(refused)?;
        }
        let endpoints: Vec<(u32, u32)> = (0..setup.workers + setup.servers())
            .map(|rank| (job.endpoint(rank, 0), self.topology.host(setup.host(rank))))
            .collect();
        let ways = job.table.ways(&self.topology, terms.integrity, &endpoints);
        self.switches.tables.insert(number as u16, ways);
        // Servers load their rows before the first call.
        for rank in setup.workers..setup.workers + setup.servers() {
            let begin = Event::Submit { endpoint: job.endpoint(rank, 0), call: 0 };
            self.network.events.schedule(Time::ZERO, begin);
        }
        Ok(())
    }

    fn endpoint(&self, number: u16, job: &Job, (rank, flow): (u16, u16)) -> Endpoint {
        let setup = &job.setup;
        let machine = match setup.system {
            SystemName::Netfold => {
                let bulk = StreamConfig {
                    job: JobId(number),
                    epoch: EPOCH,
                    rank: WorkerId(rank),
                    first_slot: 0,
                    slots: setup.slots,
                    flow,
                    flows: setup.flows,
                    terms: Terms { resumable: false, ..job.terms() },
                    timing: setup.timing,
                };
                let open = self.setup.management.is_none();
                let others = OtherSlots {
                    urgent: setup.urgent_slots(),
                    long: 0,
                    exchange: job.exchange_slots,
                };
                open.then(|| Machine::Netfold(Box::new(Streams::new(bulk, others))))
            }
            SystemName::Mpi => {
                let process = Process::new(rank, setup.workers, setup.payload_bytes);
                Some(Machine::Mpi(Box::new(process)))
            }
            _ => {
                let part = Part::of(setup, job.terms(), JobId(number), rank);
                Some(Machine::Peer(Box::new(Peer::new(setup, rank, part))))
            }
        };
        let cores = u32::from(self.setup.hosts.cores);
        // A server that shares a worker's host has its flows on the cores behind the worker's, as
        // far as there are any.
        let behind = if setup.system == SystemName::ColocatedServers && rank >= setup.workers {
            setup.flows
        } else {
            0
        };
        let core = (u32::from(behind) + u32::from(flow)) % cores;
        let host = setup.host(rank);
        Endpoint {
            machine,
            job: number,
            rank,
            numbering: (rank, setup.workers),
            flow,
            core: self.switches.shards.len() as u32 + host * cores + core,
            node: self.topology.host(host),
            leg: self.topology.host(host),
            armed: None,
            replaying: false,
            counted: Counters::default(),
        }
    }
}
