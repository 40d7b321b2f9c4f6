//! Contributions written by hand: sums of i32, all lanes of a packet the same.

use netfold_num::{Arithmetic, ElementType, Exponent, Operation};
use netfold_switch::{JobSpec, Operations, Place, Recipients, Shard};
use netfold_wire::{
    CallDigest, Delivery, Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Kind, Packet,
    Pool, Position, Repr, SlotIndex, Terms, WorkerId,
};

/// A small job.
pub fn spec(job: u16) -> JobSpec {
    JobSpec {
        job: JobId(job),
        epoch: Epoch(100 + u32::from(job)),
        workers: 3,
        slots: 8,
        exchange_slots: 0,
        lent_slots: 0,
        payload_bytes: 32,
        terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(Integrity::Checksum) },
        place: Place::only(3),
        operations: Operations::default(),
    }
}

/// A worker's contribution to the first round of a slot.
pub fn contribution(spec: &JobSpec, worker: u16, slot: u16) -> Repr {
    Repr {
        direction: Direction::Contribution(WorkerId(worker)),
        kind: Kind::Values,
        empty: false,
        marked: false,
        overflowed: false,
        pool: Pool::Even,
        job: spec.job,
        epoch: spec.epoch,
        position: Position(slot.into()),
        slot: SlotIndex(slot),
        elements: 8,
        element_type: ElementType::I32,
        operation: Operation::Sum,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::ZERO,
        delivery: Delivery::All,
        call: CallDigest(1),
    }
}

/// The packet of a contribution.
pub fn datagram(integrity: Integrity, header: &Repr, value: i32) -> Vec<u8> {
    let mut datagram = vec![0; header.datagram_bytes()];
    header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
    for lane in datagram[HEADER_BYTES..].chunks_exact_mut(4) {
        lane.copy_from_slice(&value.to_le_bytes());
    }
    integrity.seal(&mut datagram);
    datagram
}

/// Delivers a contribution.
pub fn send(shard: &mut Shard, spec: &JobSpec, header: &Repr, value: i32) {
    shard.handle(&datagram(spec.terms.integrity, header, value), Ecn::Clear);
}

/// A batch that the shard has sent: for whom, and the results in it with the value of their first
/// lane.
#[derive(Debug, PartialEq, Eq)]
pub struct Batch {
    pub job: JobId,
    pub to: Recipients,
    pub results: Vec<(Repr, Option<i32>)>,
}

/// Everything that the shard has to send, in batches of at most `max_segments` in a buffer of
/// `bytes`. Holds each to the form of a batch: equal segments, the last of which may be shorter.
pub fn drain(shard: &mut Shard, bytes: usize, max_segments: usize) -> Vec<Batch> {
    let mut buffer = vec![0; bytes];
    let mut batches = Vec::new();
    while let Some(transmit) = shard.poll_transmit(&mut buffer, max_segments) {
        let segments: Vec<_> = buffer[..transmit.len].chunks(transmit.segment).collect();
        assert!((1..=max_segments).contains(&segments.len()), "{transmit:?}");
        let results = segments.into_iter().map(|segment| {
            let packet = Packet::new_checked(segment).expect("every segment is a packet");
            let lane = packet.lanes().first_chunk().map(|lane| i32::from_le_bytes(*lane));
            (Repr::parse(&packet), lane)
        });
        batches.push(Batch { job: transmit.job, to: transmit.to, results: results.collect() });
    }
    batches
}
