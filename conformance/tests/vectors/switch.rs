//! The switch: contributions of as many workers as a fold has operands, and the result that goes
//! out, for lanes in either byte order.

use netfold_num::fpisa::Variant;
use netfold_num::{Arithmetic, ByteOrder, Exponent, Operation};
use netfold_switch::{Event, JobSpec, Operations, Place, Shard};
use netfold_wire::{
    CallDigest, Delivery, Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Kind, Packet,
    Pool, Position, Repr, SlotIndex, Terms, WorkerId,
};

use crate::{Batch, batches, read, reversed};

/// Bytes of lanes that hold a batch.
const PAYLOAD_BYTES: u32 = 512;

/// A shard's outcome for a batch: the lanes of the result, and the lane and worker of an overflow.
struct Outcome {
    sums: Option<Vec<u8>>,
    overflow: Option<(u16, WorkerId)>,
}

fn run(batch: &Batch, order: ByteOrder) -> Outcome {
    let workers = batch.steps() as u16;
    let arithmetic = match batch.adder.variant() {
        Variant::Full => Arithmetic::Fpisa,
        Variant::Approximate => Arithmetic::FpisaA,
    };
    let spec = JobSpec {
        job: JobId(0),
        epoch: Epoch(0xF),
        workers,
        slots: 1,
        exchange_slots: 0,
        lent_slots: 0,
        payload_bytes: PAYLOAD_BYTES,
        terms: Terms { arithmetic, byte_order: order, ..Terms::new(Integrity::Checksum) },
        place: Place::only(workers),
        operations: Operations::default(),
    };
    let mut shard = Shard::new(spec.memory_bytes());
    shard.admit(spec.clone()).expect("the job fits");
    for worker in 0..workers {
        shard.handle(&contribution(batch, &spec, worker), Ecn::Clear);
    }
    let overflow = shard.poll_event().map(|event| match event {
        Event::Overflow { lane, worker, .. } => (lane, worker),
        other => panic!("all make the same call: {other:?}"),
    });
    let mut buffer = vec![0; shard.max_datagram_bytes()];
    let sums = shard.poll_transmit(&mut buffer, 1).map(|transmit| {
        let packet = Packet::new_checked(&buffer[..transmit.len]).expect("a switch sends packets");
        assert!(packet.is_whole(&spec.terms.integrity));
        in_order(batch, order, packet.lanes().to_vec())
    });
    assert_eq!(shard.poll_transmit(&mut buffer, 1), None, "one result for all");
    Outcome { sums, overflow }
}

fn contribution(batch: &Batch, spec: &JobSpec, worker: u16) -> Vec<u8> {
    let header = Repr {
        direction: Direction::Contribution(WorkerId(worker)),
        kind: Kind::Values,
        empty: false,
        marked: false,
        overflowed: false,
        pool: Pool::Even,
        job: spec.job,
        epoch: spec.epoch,
        position: Position(0),
        slot: SlotIndex(0),
        elements: batch.vectors.len() as u16,
        element_type: batch.lane,
        operation: Operation::Sum,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::ZERO,
        delivery: Delivery::All,
        call: CallDigest(1),
    };
    let mut datagram = vec![0; HEADER_BYTES];
    header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
    datagram.extend(in_order(batch, spec.terms.byte_order, batch.lanes(worker.into())));
    spec.terms.integrity.seal(&mut datagram);
    datagram
}

/// Little-endian lanes in an order, or the reverse.
fn in_order(batch: &Batch, order: ByteOrder, lanes: Vec<u8>) -> Vec<u8> {
    if order == ByteOrder::Network { reversed(batch.lane, &lanes) } else { lanes }
}

#[test]
fn the_switch_agrees_with_an_independent_program() {
    for Batch { lane, adder, vectors } in read().iter().flat_map(|vectors| batches(vectors)) {
        // An overflow ends the job (R-CTRL-13), so what overflows gets one of its own.
        let (bad, good): (Vec<_>, Vec<_>) = vectors.into_iter().partition(|vector| vector.overflow);
        let good = Batch { lane, adder, vectors: good };
        for order in ByteOrder::ALL {
            let words = format!("{lane} {} {order}", adder.variant().name());
            let outcome = run(&good, order);
            assert_eq!(outcome.overflow, None, "{words}");
            assert_eq!(outcome.sums, Some(good.expected()), "{words}");
            for vector in &bad {
                let outcome = run(&Batch { lane, adder, vectors: vec![vector.clone()] }, order);
                let step = vector.overflows_at().expect("it overflows") as u16;
                assert_eq!(outcome.overflow, Some((0, WorkerId(step))), "{words}");
                assert_eq!(outcome.sums, None, "{words}: a sum that has overflowed is not sent");
            }
        }
    }
}
