//! The least that a form of the switch needs to be put under the cases.

use netfold_num::{Arithmetic, ByteOrder};
use netfold_switch::{Event, JobSpec, Operations, Place, Shard};
use netfold_wire::{Ecn, Epoch, Integrity, IntegrityKind, JobId, Terms, WorkerId};

/// The form of the packets of the cases' jobs, in cases that are not about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packets {
    /// The order of a lane's bytes (R-NUM-19).
    pub byte_order: ByteOrder,
    /// The integrity check of the packets.
    pub integrity: IntegrityKind,
    /// The most bytes of lanes that a case asks for in a full packet.
    pub payload_bytes: u32,
}

/// A request for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobShape {
    /// Workers, 1 to 64.
    pub workers: u16,
    /// Slots; the cases ask for powers of two.
    pub slots: u16,
    /// Number of the last ones of them, which keep operands apart; only for a target that
    /// [can](Target::keeps_apart).
    pub exchange_slots: u16,
    /// Bytes of lanes in a full packet; the cases ask for powers of two from 32 on.
    pub payload_bytes: u32,
    /// Terms on which it folds.
    pub terms: Terms<IntegrityKind>,
}

impl JobShape {
    /// A job of the cases: integers, or whatever its packets say.
    pub const fn on(packets: Packets, workers: u16, slots: u16, payload_bytes: u32) -> Self {
        let Packets { byte_order, integrity, .. } = packets;
        let terms = Terms { arithmetic: Arithmetic::Native, byte_order, ..Terms::new(integrity) };
        Self { workers, slots, exchange_slots: 0, payload_bytes, terms }
    }

    /// An integer as a lane of the job's packets.
    pub const fn lane_bytes(&self, lane: i32) -> [u8; 4] {
        match self.terms.byte_order {
            ByteOrder::Little => lane.to_le_bytes(),
            ByteOrder::Network => lane.to_be_bytes(),
        }
    }

    /// The job of this shape, for a target that makes up its keys.
    pub fn spec(&self, job: JobId, epoch: Epoch) -> JobSpec {
        let Self { workers, slots, exchange_slots, payload_bytes, terms } = *self;
        let terms = terms.with_integrity(terms.integrity.keyed([epoch.0 as u8; 16]));
        let place = Place::only(workers);
        let operations = Operations::default();
        JobSpec {
            job,
            epoch,
            workers,
            slots,
            exchange_slots,
            lent_slots: 0,
            payload_bytes,
            terms,
            place,
            operations,
        }
    }
}

/// A job that a target has taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// Its number.
    pub job: JobId,
    /// Its epoch.
    pub epoch: Epoch,
    /// The integrity check of its packets.
    pub integrity: Integrity,
}

/// A datagram from the switch to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// The job whose worker it goes to.
    pub job: JobId,
    /// The worker.
    pub to: WorkerId,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Two workers that made different calls (R-SLOT-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Their job.
    pub job: JobId,
    /// The worker that started the round.
    pub first: WorkerId,
    /// The worker that did not agree.
    pub second: WorkerId,
}

/// A form of the switch: one shard of it, with memory for at least a few jobs and at most some
/// thousands.
pub trait Target {
    /// Returns the form of packets that the cases ask for.
    fn packets(&self) -> Packets {
        Packets {
            byte_order: ByteOrder::Little,
            integrity: IntegrityKind::Checksum,
            payload_bytes: 1024,
        }
    }

    /// Returns whether its jobs can have slots that keep operands apart (R-CTRL-23).
    fn keeps_apart(&self) -> bool {
        false
    }

    /// Takes a job in.
    ///
    /// # Errors
    /// The target's own words, if it has no memory left or refuses the shape.
    fn admit(&mut self, shape: &JobShape) -> Result<Admitted, String>;

    /// Ends a job.
    fn release(&mut self, job: JobId);

    /// Delivers a datagram of a worker of `job`, and returns all that the switch sends in
    /// consequence, in order for each worker.
    fn exchange(&mut self, job: JobId, from: WorkerId, datagram: &[u8]) -> Vec<Datagram>;

    /// Mismatches that were reported since the last call.
    fn mismatches(&mut self) -> Vec<Mismatch>;
}

/// The switch in process: a [`Shard`], without any network.
pub struct ShardTarget {
    shard: Shard,
    /// Workers of each admitted job, by its number; the numbers of ended jobs are used again.
    workers: Vec<Option<u16>>,
    admissions: u32,
    buffer: Vec<u8>,
}

impl ShardTarget {
    /// A shard with `memory_bytes` for its jobs.
    pub fn new(memory_bytes: u64) -> Self {
        Self {
            shard: Shard::new(memory_bytes),
            workers: Vec::new(),
            admissions: 0,
            buffer: Vec::new(),
        }
    }

    /// The shard.
    pub fn shard(&self) -> &Shard {
        &self.shard
    }

    fn drain(&mut self) -> Vec<Datagram> {
        let mut sent = Vec::new();
        self.buffer.resize(2 * self.shard.max_datagram_bytes(), 0);
        while let Some(transmit) = self.shard.poll_transmit(&mut self.buffer, 2) {
            let workers = self.workers[usize::from(transmit.job.0)]
                .expect("a shard sends for jobs that were admitted");
            for bytes in self.buffer[..transmit.len].chunks(transmit.segment) {
                let addressed =
                    (0..workers).map(WorkerId).filter(|worker| transmit.to.include(*worker));
                sent.extend(addressed.map(|to| Datagram {
                    job: transmit.job,
                    to,
                    bytes: bytes.to_vec(),
                }));
            }
        }
        sent
    }
}

impl Default for ShardTarget {
    /// A shard with 1 MiB.
    fn default() -> Self {
        Self::new(1 << 20)
    }
}

impl Target for ShardTarget {
    fn keeps_apart(&self) -> bool {
        true
    }

    fn admit(&mut self, shape: &JobShape) -> Result<Admitted, String> {
        let free = self.workers.iter().position(Option::is_none);
        let job = JobId(free.unwrap_or(self.workers.len()) as u16);
        let epoch = Epoch(0x5EED + self.admissions);
        let spec = shape.spec(job, epoch);
        let integrity = spec.terms.integrity;
        self.shard.admit(spec).map_err(|error| error.to_string())?;
        self.admissions += 1;
        self.workers.resize(self.workers.len().max(usize::from(job.0) + 1), None);
        self.workers[usize::from(job.0)] = Some(shape.workers);
        Ok(Admitted { job, epoch, integrity })
    }

    fn release(&mut self, job: JobId) {
        self.shard.release(job);
        self.workers[usize::from(job.0)] = None;
    }

    fn exchange(&mut self, _job: JobId, _from: WorkerId, datagram: &[u8]) -> Vec<Datagram> {
        self.shard.handle(datagram, Ecn::Clear);
        self.drain()
    }

    fn mismatches(&mut self) -> Vec<Mismatch> {
        let mut found = Vec::new();
        while let Some(event) = self.shard.poll_event() {
            if let Event::Mismatch { job, first, second, .. } = event {
                found.push(Mismatch { job, first, second });
            }
        }
        found
    }
}
