//! Sums of FPISA over a tree of shards (R-FPI-24): each leaf reads its registers, and what it reads as goes up.

use netfold_num::{Arithmetic, ByteOrder, ElementType, Exponent, Operation, Protocol};
use netfold_switch::{JobSpec, Place, Recipients, Shard};
use netfold_wire::{
    CallDigest, Delivery, Direction, Epoch, HEADER_BYTES, Integrity, JobId, Kind, Packet, Pool, Position, Repr,
    SlotIndex, WorkerId,
};

/// The job at a switch with this place.
fn shard(place: Place) -> Shard {
    let spec = JobSpec {
        job: JobId(0),
        epoch: Epoch(1),
        workers: 19,
        slots: 1,
        payload_bytes: 32,
        arithmetic: Arithmetic::Fpisa,
        overflow: netfold_num::Overflow::Error,
        byte_order: ByteOrder::Little,
        protocol: Protocol::Shadow,
        integrity: Integrity::Transport,
        place,
    };
    let mut shard = Shard::new(1 << 16);
    shard.admit(spec).expect("the job fits");
    shard
}

/// A worker's value, as the one lane of a packet.
fn datagram(worker: u16, value: f32) -> Vec<u8> {
    let header = Repr {
        direction: Direction::Contribution(WorkerId(worker)),
        kind: Kind::Values,
        empty: false,
        marked: false,
        overflowed: false,
        pool: Pool::Even,
        job: JobId(0),
        epoch: Epoch(1),
        position: Position(0),
        slot: SlotIndex(0),
        elements: 1,
        element_type: ElementType::F32,
        operation: Operation::Sum,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::ZERO,
        delivery: Delivery::All,
        call: CallDigest(1),
    };
    let mut datagram = vec![0; header.datagram_bytes()];
    header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
    datagram[HEADER_BYTES..].copy_from_slice(&value.to_le_bytes());
    datagram
}

/// Returns what a shard sends after these contributions: recipient, datagram and its one lane.
fn complete(shard: &mut Shard, contributions: impl IntoIterator<Item = Vec<u8>>) -> (Recipients, Vec<u8>, f32) {
    let mut buffer = [0; 1000];
    contributions.into_iter().for_each(|datagram| shard.handle(&datagram));
    let sent = shard.poll_transmit(&mut buffer, 1).expect("the round is complete");
    let packet = Packet::new_checked(&buffer[..sent.len]).expect("it is a packet");
    let lane = f32::from_le_bytes(packet.lanes().try_into().expect("it has one lane"));
    (sent.to, buffer[..sent.len].to_vec(), lane)
}

/// The sum of leaves of workers, ranks from left to right, in the order of ranks.
fn over_a_tree(leaves: &[Vec<f32>]) -> f32 {
    let (mut rank, mut folds, mut pairs) = (0, Vec::new(), Vec::new());
    for values in leaves {
        let name = WorkerId(rank);
        let ranks = rank..rank + values.len() as u16;
        pairs.extend(ranks.clone().map(|rank| (WorkerId(rank), name)));
        let place = Place::root(ranks.clone().map(|rank| (WorkerId(rank), WorkerId(rank)))).below(name);
        let contributions = ranks.zip(values).map(|(rank, value)| datagram(rank, *value));
        let (to, fold, _) = complete(&mut shard(place), contributions);
        assert_eq!(to, Recipients::Parent);
        folds.push(fold);
        rank += values.len() as u16;
    }
    let (to, _, sum) = complete(&mut shard(Place::root(pairs)), folds);
    assert_eq!(to, Recipients::All);
    sum
}

/// R-FPI-25: nearly every step of these 19 workers loses. The unit is 1, the last place of the largest value, so that the exact sum is one of f64: every value is a
/// multiple of 2^-27 below 2^24.
#[test]
fn nineteen_workers_in_five_leaves_need_the_bound_of_a_tree() {
    let (half, tiny) = (16_777_215.0 / 2.0, -f32::exp2(-27.0));
    let other = |value: f32, tinies| [vec![value], vec![tiny; tinies]].concat();
    let leaves = [
        vec![16_777_214.0, half, half, half],
        other(8_388_618.0, 3),
        other(8_388_614.0, 3),
        other(8_388_614.0, 3),
        other(8_388_613.0, 2),
    ];
    let exact: f64 = leaves.iter().flatten().map(|value| f64::from(*value)).sum();
    let off = exact - f64::from(over_a_tree(&leaves));
    // R-FPI-14 and 18 for one switch: 18, and 8 for the last place of a result of 2^26.
    assert!((2f64.powi(26)..2f64.powi(27)).contains(&exact));
    assert!(18.0 + 8.0 < off && off < 73.0, "{off}");
    let contributions = (0..).zip(leaves.iter().flatten()).map(|(rank, value)| datagram(rank, *value));
    let (_, _, at_once) = complete(&mut shard(Place::only(19)), contributions);
    assert!((exact - f64::from(at_once)).abs() < 18.0 + 8.0);
}
