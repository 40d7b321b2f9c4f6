//! Every case against the switch in shared memory, and random traffic against a shard that is given
//! the same.

use std::time::Duration;

use netfold_conformance::{Admitted, Datagram, JobShape, Mismatch, ShardTarget, Target};
use netfold_kernels::Lanes;
use netfold_num::{Arithmetic, ElementType, Exponent, Operation, Protocol};
use netfold_shm::{Port, Segment, WaitMode, WaitOutcome};
use netfold_switch::{Event, JobSpec};
use netfold_wire::{
    CallDigest, Delivery, Direction, Epoch, HEADER_BYTES, IntegrityKind, JobId, Kind, Packet, Pool,
    Position, Repr, SlotIndex, Terms, WorkerId,
};
use proptest::prelude::*;

netfold_conformance::conformance_cases!(ShmTarget::new(4 << 20));

/// A job, and the ports of all its workers.
struct Job {
    spec: JobSpec,
    ports: Vec<Port>,
}

/// Jobs in shared memory, with all their workers' ports in one process.
struct ShmTarget {
    memory_left: u64,
    jobs: Vec<Option<Job>>,
    admissions: u32,
    exchanges: u32,
    mismatches: Vec<Mismatch>,
}

impl ShmTarget {
    fn new(memory_bytes: u64) -> Self {
        Self {
            memory_left: memory_bytes,
            jobs: Vec::new(),
            admissions: 0,
            exchanges: 0,
            mismatches: Vec::new(),
        }
    }
}

impl Target for ShmTarget {
    fn admit(&mut self, shape: &JobShape) -> Result<Admitted, String> {
        let free = self.jobs.iter().position(Option::is_none);
        let job = JobId(free.unwrap_or(self.jobs.len()) as u16);
        let epoch = Epoch(0x5EED + self.admissions);
        let spec = shape.spec(job, epoch);
        let integrity = spec.terms.integrity;
        let needed = Segment::memory_bytes(&spec, 1).map_err(|error| error.to_string())?;
        self.memory_left = self.memory_left.checked_sub(needed).ok_or("the memory is spent")?;
        let segment = Segment::create(&spec, 1).map_err(|error| error.to_string())?;
        let ports = (0..spec.workers)
            .map(|worker| segment.port(0, WorkerId(worker)).map_err(|error| error.to_string()));
        let ports = ports.collect::<Result<Vec<_>, _>>()?;
        self.admissions += 1;
        if free.is_none() {
            self.jobs.push(None);
        }
        self.jobs[usize::from(job.0)] = Some(Job { spec, ports });
        Ok(Admitted { job, epoch, integrity })
    }

    fn release(&mut self, job: JobId) {
        let Job { spec, .. } = self.jobs[usize::from(job.0)].take().expect("the job was admitted");
        self.memory_left += Segment::memory_bytes(&spec, 1).expect("there is such a segment");
    }

    fn exchange(&mut self, job: JobId, from: WorkerId, datagram: &[u8]) -> Vec<Datagram> {
        // A packet for a job that has ended comes to nobody.
        let Some(Job { spec, ports }) =
            self.jobs.get_mut(usize::from(job.0)).and_then(Option::as_mut)
        else {
            return Vec::new();
        };
        let port = &mut ports[usize::from(from.0)];
        // Every second packet that is whole comes as none that has travelled, in turns with lanes
        // that lie somewhere and with lanes to be packed.
        self.exchanges += 1;
        let packet = Packet::new_checked(datagram)
            .ok()
            .filter(|packet| packet.is_whole(&spec.terms.integrity));
        let event = match packet.filter(|_| self.exchanges.is_multiple_of(2)) {
            Some(packet) => {
                let lies = self.exchanges.is_multiple_of(4) && !packet.repr().empty;
                let lanes = lies.then(|| Lanes::Ready(packet.lanes()));
                port.contribute(*packet.repr(), lanes, |lanes| {
                    lanes.copy_from_slice(packet.lanes());
                })
            }
            None => port.deliver(datagram),
        };
        let event = event.expect("the job goes on");
        let mismatch = event.and_then(|event| match event {
            Event::Mismatch { job, first, second, .. } => Some(Mismatch { job, first, second }),
            Event::Overflow { .. } | Event::Trap { .. } => None,
        });
        self.mismatches.extend(mismatch);
        let mut sent = Vec::new();
        for (port, to) in ports.iter_mut().zip((0..).map(WorkerId)) {
            let woken = port.wait(Some(Duration::ZERO), WaitMode::Helper).expect("the job goes on")
                == WaitOutcome::Results;
            let results = port.receive(|packet| {
                sent.push(Datagram { job, to, bytes: datagram_of(spec, packet) })
            });
            assert_eq!(
                woken,
                results.expect("the job goes on") > 0,
                "a port does not wait for what is there"
            );
        }
        sent
    }

    fn mismatches(&mut self) -> Vec<Mismatch> {
        std::mem::take(&mut self.mismatches)
    }
}

/// Returns the datagram that a packet would be on its way (R-PKT-3). It has none, so that nobody
/// has sealed it.
fn datagram_of(spec: &JobSpec, packet: &Packet<'_>) -> Vec<u8> {
    assert_eq!(packet.datagram(), None);
    let mut datagram = vec![0; packet.datagram_bytes()];
    let (header, lanes) = datagram.split_first_chunk_mut().expect("a datagram has a header");
    packet.repr().emit(header);
    lanes.copy_from_slice(packet.lanes());
    spec.terms.integrity.seal(&mut datagram);
    datagram
}

const WORKERS: u16 = 3;
const SLOTS: u16 = 2;
const PAYLOAD_BYTES: u32 = 32;

/// The next step of a worker.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Goes on in a slot, if it has the result of the round before.
    Next,
    /// Sends what it sent last in the slot.
    Again,
    /// Sends what it sent the given number of rounds earlier.
    Late(usize),
    /// As `Next`, but with another call.
    Disagree,
    /// Asks about what it sent the given number of rounds earlier.
    Ask(usize),
    /// As `Again`, with a byte changed.
    Damaged(usize, u8),
}

fn step() -> impl Strategy<Value = (u16, u16, Step)> {
    let step = prop_oneof![
        24 => Just(Step::Next),
        3 => Just(Step::Again),
        3 => (1..4usize).prop_map(Step::Late),
        4 => (0..4usize).prop_map(Step::Ask),
        1 => Just(Step::Disagree),
        2 => (0..HEADER_BYTES + 32, 1..=255u8).prop_map(|(at, change)| Step::Damaged(at, change)),
    ];
    (0..WORKERS, 0..SLOTS, step)
}

/// The form of every round of a slot: what decides it is the same for all workers.
#[derive(Clone, Copy, Debug)]
struct Rounds {
    delivery: Delivery,
    element_type: ElementType,
    operation: Operation,
}

fn rounds() -> impl Strategy<Value = Rounds> {
    let delivery = prop_oneof![
        Just(Delivery::All),
        (0..WORKERS).prop_map(|owner| Delivery::One(WorkerId(owner)))
    ];
    let element_type = prop::sample::select(&ElementType::ALL[..]);
    (delivery, element_type, prop::sample::select(&Operation::ALL[..])).prop_map(
        |(delivery, element_type, operation)| Rounds { delivery, element_type, operation },
    )
}

/// A contribution of `worker` to round `number` of a slot.
fn contribution(
    admitted: &Admitted,
    rounds: Rounds,
    worker: u16,
    slot: u16,
    number: usize,
    lane: u8,
) -> Vec<u8> {
    let empty = (number + usize::from(worker)).is_multiple_of(5);
    let Rounds { delivery, element_type, operation } = rounds;
    let header = Repr {
        direction: Direction::Contribution(WorkerId(worker)),
        kind: Kind::Values,
        empty,
        marked: false,
        overflowed: false,
        pool: if number.is_multiple_of(2) { Pool::Even } else { Pool::Odd },
        job: admitted.job,
        epoch: admitted.epoch,
        position: Position(u32::MAX - 4).after(number as u32 * u32::from(SLOTS) + u32::from(slot)),
        slot: SlotIndex(slot),
        elements: (1 + number % 4) as u16,
        element_type,
        operation,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::of_magnitude_bits(u32::from(worker) << 23),
        delivery,
        call: CallDigest(9),
    };
    let mut datagram = vec![lane; header.datagram_bytes()];
    header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
    admitted.integrity.seal(&mut datagram);
    datagram
}

/// A datagram's receiver, header and lanes.
fn meaning(datagram: &Datagram) -> (WorkerId, Repr, Vec<u8>) {
    let packet = Packet::new_checked(&datagram.bytes).expect("a switch sends packets");
    (datagram.to, Repr::parse(&packet), packet.lanes().to_vec())
}

proptest! {
    /// The same traffic, with repeated, late, damaged and disagreeing packets among it, has the
    /// same consequences for every worker as at a shard.
    #[test]
    fn traffic_has_the_same_consequences_as_at_a_shard(
        steps in prop::collection::vec((step(), any::<u8>()), 0..300),
        rounds in rounds(),
        protocol in prop::sample::select(&Protocol::ALL[..]),
    ) {
        let shape = JobShape { workers: WORKERS, slots: SLOTS, exchange_slots: 0, payload_bytes: PAYLOAD_BYTES, terms: Terms { arithmetic: Arithmetic::Native, protocol, ..Terms::new(IntegrityKind::Checksum) }};
        let (mut shared, mut shard) = (ShmTarget::new(1 << 20), ShardTarget::default());
        let admitted = shared.admit(&shape).expect("the job fits");
        prop_assert_eq!(shard.admit(&shape), Ok(admitted));
        // Contributions of each worker to each slot, and results that it has had.
        let mut sent = vec![vec![Vec::<Vec<u8>>::new(); SLOTS.into()]; WORKERS.into()];
        let mut received = vec![vec![0usize; SLOTS.into()]; WORKERS.into()];
        for ((worker, slot, step), lane) in steps {
            let (w, s) = (usize::from(worker), usize::from(slot));
            let (history, results) = (&mut sent[w][s], received[w][s]);
            let new = contribution(&admitted, rounds, worker, slot, history.len(), lane);
            let datagram = match step {
                // R-WORK-3
                Step::Next if results == history.len() => {
                    history.push(new.clone());
                    new
                }
                Step::Disagree if results == history.len() => {
                    let other = Repr { call: CallDigest(8), ..Repr::parse(&Packet::new_checked(&new).expect("a packet")) };
                    let mut other_bytes = new.clone();
                    other.emit(other_bytes.first_chunk_mut().expect("a datagram has a header"));
                    admitted.integrity.seal(&mut other_bytes);
                    history.push(other_bytes.clone());
                    other_bytes
                }
                Step::Late(rounds) if history.len() > rounds => history[history.len() - 1 - rounds].clone(),
                Step::Ask(rounds) if history.len() > rounds => {
                    let asked = &history[history.len() - 1 - rounds];
                    let query = Repr::parse(&Packet::new_checked(asked).expect("a packet")).query(WorkerId(worker));
                    let mut query_bytes = vec![0; HEADER_BYTES];
                    query.emit(query_bytes.first_chunk_mut().expect("a datagram has a header"));
                    admitted.integrity.seal(&mut query_bytes);
                    query_bytes
                }
                Step::Damaged(at, change) if !history.is_empty() => {
                    let mut damaged = history[history.len() - 1].clone();
                    let at = at % damaged.len();
                    damaged[at] ^= change;
                    damaged
                }
                _ => match history.last() {
                    Some(last) => last.clone(),
                    None => continue,
                },
            };
            let [mut here, mut there] = [&mut shared as &mut dyn Target, &mut shard].map(|target| {
                target.exchange(admitted.job, WorkerId(worker), &datagram)
            });
            here.sort_by_key(|datagram| datagram.to);
            there.sort_by_key(|datagram| datagram.to);
            let meanings = |datagrams: &[Datagram]| datagrams.iter().map(meaning).collect::<Vec<_>>();
            prop_assert_eq!(meanings(&here), meanings(&there));
            prop_assert_eq!(shared.mismatches(), shard.mismatches());
            for datagram in &here {
                let (to, header, _) = meaning(datagram);
                let slot = usize::from(header.slot.0);
                let (results, sent) = (&mut received[usize::from(to.0)][slot], &sent[usize::from(to.0)][slot]);
                if let Some(last) = sent.last()
                    && matches!(header.direction, Direction::Result(_))
                    && Repr::parse(&Packet::new_checked(last).expect("a packet")).position == header.position
                {
                    *results = sent.len();
                }
            }
        }
    }
}
