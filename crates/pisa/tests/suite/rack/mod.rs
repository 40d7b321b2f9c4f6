//! A pipeline with a job beside a software shard with the same job, and the frames between them.

pub mod answers;
pub mod passes;
pub mod traffic;

use netfold_pisa::programs::fpisa::Variant;
use netfold_pisa::programs::{Address, Arithmetic, Job, switchml};
use netfold_pisa::{Outcome, Pipeline, Refusal, Target};
use netfold_switch::{Event, JobSpec, Operations, Place, Shard};
use netfold_wire::{Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Terms, WorkerId};

/// The address of a worker, or of the switch as worker 200.
pub fn address(worker: u16) -> Address {
    let number = u32::from(worker);
    Address {
        mac: 0x0200_0000_0000 | u64::from(number),
        ip: 0x0A00_0000 | number,
        port: 6000 + worker,
    }
}

pub const SWITCH: u16 = 200;

/// The port of a worker of the job with this index.
pub fn port(job: u16, worker: u16) -> u16 {
    1 + 16 * job + worker
}

/// A datagram that a worker of a job, by its number, receives.
pub type Received = (u16, WorkerId, Vec<u8>);

/// A job that both forms of the switch have.
#[derive(Clone)]
pub struct JobShape {
    pub job: u16,
    pub workers: u16,
    pub slots: u16,
}

/// Jobs that share a pipeline.
pub fn shapes() -> Vec<JobShape> {
    vec![
        JobShape { job: 3, workers: 3, slots: 2 },
        JobShape { job: 9, workers: 1, slots: 1 },
        JobShape { job: 10, workers: 5, slots: 1 },
    ]
}

impl JobShape {
    pub fn epoch(&self) -> Epoch {
        Epoch(0xE000_0000 | u32::from(self.job))
    }

    fn spec(&self, config: &switchml::SwitchMl) -> JobSpec {
        let arithmetic = match config.arithmetic {
            Arithmetic::Block => netfold_num::Arithmetic::Block,
            Arithmetic::Fpisa(Variant::Approximate) => netfold_num::Arithmetic::FpisaA,
            Arithmetic::Fpisa(Variant::Full) => netfold_num::Arithmetic::Fpisa,
        };
        JobSpec {
            job: JobId(self.job),
            epoch: self.epoch(),
            workers: self.workers,
            slots: self.slots,
            exchange_slots: 0,
            lent_slots: 0,
            payload_bytes: 4 * u32::from(config.elements).next_multiple_of(2),
            terms: Terms {
                arithmetic,
                byte_order: config.byte_order,
                protocol: config.protocol,
                ..Terms::new(Integrity::Transport)
            },
            place: Place::only(self.workers),
            operations: Operations::default(),
        }
    }
}

/// Both forms of the switch.
pub struct Rack {
    pub pipeline: Pipeline,
    pub shard: Shard,
    pub jobs: Vec<JobShape>,
    udp_port: u16,
}

impl Rack {
    /// Both forms of the switch, with these jobs.
    pub fn new(config: &switchml::SwitchMl, target: Target, jobs: &[JobShape]) -> Self {
        let program = config.program();
        let mut pipeline =
            Pipeline::load(program.clone(), target).unwrap_or_else(|refusal| panic!("{refusal}"));
        let mut shard = Shard::new(1 << 24);
        let (mut first_slot, mut first_word) = (0, 0);
        for (at, shape) in (0..).zip(jobs) {
            let job = Job {
                job: shape.job,
                epoch: shape.epoch().0,
                slots: shape.slots,
                first_slot,
                first_word,
                workers: (0..shape.workers)
                    .map(|worker| (port(at, worker), address(worker)))
                    .collect(),
                switch: address(SWITCH),
                group: 1 + 2 * at,
            };
            first_slot += u32::from(shape.slots);
            first_word += u32::from(shape.slots) * u32::from(shape.workers);
            for control in job.controls(config, &program) {
                control.apply(&mut pipeline).unwrap();
            }
            shard.admit(shape.spec(config)).unwrap();
        }
        Self { pipeline, shard, jobs: jobs.to_vec(), udp_port: config.frame.udp_port }
    }

    /// Returns the datagrams that the shard sends in answer to one, and the events that it reports.
    pub fn by_shard(&mut self, datagram: &[u8]) -> (Vec<Received>, Vec<Event>) {
        self.shard.handle(datagram, Ecn::Clear);
        let mut buffer = vec![0; self.shard.max_datagram_bytes().max(HEADER_BYTES)];
        let mut received = Vec::new();
        while let Some(transmit) = self.shard.poll_transmit(&mut buffer, 1) {
            let shape = self.jobs.iter().find(|shape| shape.job == transmit.job.0).unwrap();
            for worker in
                (0..shape.workers).map(WorkerId).filter(|worker| transmit.to.include(*worker))
            {
                received.push((transmit.job.0, worker, buffer[..transmit.len].to_vec()));
            }
        }
        let events = std::iter::from_fn(|| self.shard.poll_event()).collect();
        received.sort();
        (received, events)
    }

    /// The frame in which a worker of a job sends a datagram.
    pub fn framed(&self, worker: u16, datagram: &[u8]) -> Vec<u8> {
        address(worker).frame(&Address { port: self.udp_port, ..address(SWITCH) }, datagram)
    }

    /// Returns the datagrams that the pipeline sends in answer, and its outcome in full.
    pub fn by_pipeline(
        &mut self,
        worker: u16,
        datagram: &[u8],
    ) -> Result<(Vec<Received>, Outcome), Refusal> {
        let frame = self.framed(worker, datagram);
        let outcome = self.pipeline.process(1, &frame)?;
        Ok((self.received(&outcome), outcome))
    }

    /// Returns the datagrams of a switch's outcome, each with its job and worker.
    pub fn received(&self, outcome: &Outcome) -> Vec<Received> {
        let one = |sent: &netfold_pisa::Sent| {
            let (at, worker) = ((sent.port - 1) / 16, (sent.port - 1) % 16);
            (
                self.jobs[usize::from(at)].job,
                WorkerId(worker),
                address(worker).unframe(&sent.bytes).unwrap().to_vec(),
            )
        };
        let mut received: Vec<_> = outcome.sent.iter().map(one).collect();
        received.sort();
        received
    }
}
