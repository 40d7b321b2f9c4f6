//! Sums that a switch keeps in another form than they travel in, over a tree of shards: each leaf
//! sends up what it reads (R-FPI-24, R-NUM-21).

use netfold_num::{
    Arithmetic, ElementType, Exponent, Operation, f16_from_f32, f16_to_f32, half_of_sum,
    sum_of_half,
};
use netfold_switch::{JobSpec, Operations, Place, Recipients, Shard};
use netfold_wire::{
    CallDigest, Delivery, Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Kind, Packet,
    Pool, Position, Repr, SlotIndex, Terms, WorkerId,
};
use proptest::prelude::*;

/// A job at a switch with this place.
fn shard(arithmetic: Arithmetic, place: Place) -> Shard {
    let spec = JobSpec {
        job: JobId(0),
        epoch: Epoch(1),
        workers: 19,
        slots: 1,
        exchange_slots: 0,
        lent_slots: 0,
        payload_bytes: 32,
        terms: Terms { arithmetic, ..Terms::new(Integrity::Transport) },
        place,
        operations: Operations::default(),
    };
    let mut shard = Shard::new(1 << 16);
    shard.admit(spec).expect("the job fits");
    shard
}

/// A worker's contribution with these lanes; without any it is EMPTY, for a round of as many.
fn datagram(worker: u16, element_type: ElementType, elements: u16, lanes: &[u8]) -> Vec<u8> {
    let header = Repr {
        direction: Direction::Contribution(WorkerId(worker)),
        kind: Kind::Values,
        empty: lanes.is_empty(),
        marked: false,
        overflowed: false,
        pool: Pool::Even,
        job: JobId(0),
        epoch: Epoch(1),
        position: Position(0),
        slot: SlotIndex(0),
        elements,
        element_type,
        operation: Operation::Sum,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::ZERO,
        delivery: Delivery::All,
        call: CallDigest(1),
    };
    let mut datagram = vec![0; header.datagram_bytes()];
    header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
    datagram[HEADER_BYTES..].copy_from_slice(lanes);
    datagram
}

/// One value of a worker.
fn single(worker: u16, value: f32) -> Vec<u8> {
    datagram(worker, ElementType::F32, 1, &value.to_le_bytes())
}

/// Lanes of f16 of a worker.
fn halves(worker: u16, lanes: &[u16]) -> Vec<u8> {
    datagram(
        worker,
        ElementType::F16,
        lanes.len() as u16,
        &lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect::<Vec<_>>(),
    )
}

/// Returns the packets that a shard sends after these contributions, and their recipients.
fn complete(
    shard: &mut Shard,
    contributions: impl IntoIterator<Item = Vec<u8>>,
) -> (Recipients, Vec<u8>) {
    let mut buffer = [0; 1000];
    contributions.into_iter().for_each(|datagram| shard.handle(&datagram, Ecn::Clear));
    let sent = shard.poll_transmit(&mut buffer, 1).expect("the round is complete");
    (sent.to, buffer[..sent.len].to_vec())
}

/// The lanes of a datagram.
fn lanes<const N: usize>(datagram: &[u8]) -> Vec<[u8; N]> {
    let packet = Packet::new_checked(datagram).expect("it is a packet");
    packet.lanes().as_chunks().0.to_vec()
}

/// Returns the packets that the root of a tree sends: its leaves have workers, ranks from left to
/// right, that contribute in the order of ranks.
fn over_a_tree<T: Copy>(
    arithmetic: Arithmetic,
    leaves: &[Vec<T>],
    contribution: impl Fn(u16, T) -> Vec<u8>,
) -> Vec<u8> {
    let (mut rank, mut folds, mut pairs) = (0, Vec::new(), Vec::new());
    for values in leaves {
        let name = WorkerId(rank);
        let ranks = rank..rank + values.len() as u16;
        pairs.extend(ranks.clone().map(|rank| (WorkerId(rank), name)));
        let place =
            Place::root(ranks.clone().map(|rank| (WorkerId(rank), WorkerId(rank)))).below(name);
        let contributions = ranks.zip(values).map(|(rank, value)| contribution(rank, *value));
        let (to, fold) = complete(&mut shard(arithmetic, place), contributions);
        assert_eq!(to, Recipients::Parent);
        folds.push(fold);
        rank += values.len() as u16;
    }
    let (to, result) = complete(&mut shard(arithmetic, Place::root(pairs)), folds);
    assert_eq!(to, Recipients::All);
    result
}

/// R-FPI-25: nearly every step of these 19 workers loses. The unit is 1, the last place of the
/// largest value, so that the exact sum is one of f64: every value is a multiple of 2^-27 below
/// 2^24.
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
    let lane = |result: &[u8]| f64::from(f32::from_le_bytes(lanes(result)[0]));
    let off = exact - lane(&over_a_tree(Arithmetic::Fpisa, &leaves, single));
    // R-FPI-14 and 18 for one switch: 18, and 8 for the last place of a result of 2^26.
    assert!((2f64.powi(26)..2f64.powi(27)).contains(&exact));
    assert!(18.0 + 8.0 < off && off < 73.0, "{off}");
    let contributions =
        (0..).zip(leaves.iter().flatten()).map(|(rank, value)| single(rank, *value));
    let (_, at_once) = complete(&mut shard(Arithmetic::Fpisa, Place::only(19)), contributions);
    assert!((exact - lane(&at_once)).abs() < 18.0 + 8.0);
}

/// R-NUM-21, R-NUM-25: 2051 is the exact sum. At one switch it is rounded once, to 2052; in a tree
/// a leaf rounds 2049 to 2048.
#[test]
fn a_leaf_rounds_its_integers_to_lanes() {
    let leaves = [vec![2048.0, 1.0], vec![1.0, 1.0]]
        .map(|leaf: Vec<f32>| leaf.into_iter().map(f16_from_f32).collect());
    let one = |rank, lane| halves(rank, &[lane]);
    let lane = |result: &[u8]| f16_to_f32(u16::from_le_bytes(lanes(result)[0]));
    assert_eq!(lane(&over_a_tree(Arithmetic::Block, &leaves, one)), 2050.0);
    let contributions = (0..).zip(leaves.iter().flatten()).map(|(rank, value)| one(rank, *value));
    let (_, at_once) = complete(&mut shard(Arithmetic::Block, Place::only(4)), contributions);
    assert_eq!(lane(&at_once), 2052.0);
}

proptest! {
    /// R-NUM-21: the integers that the lanes stand for are added, whatever the order of arrival and
    /// whoever sends EMPTY; a worker that asks again gets the same.
    #[test]
    fn lanes_of_f16_are_added_as_integers(
        // Up to 2^13, so that no sum of five overflows.
        columns in prop::collection::vec(
            prop::collection::vec((0u16..=0x7000, any::<bool>()).prop_map(|(bits, negative)| bits | u16::from(negative) << 15), 5),
            1..=8,
        ),
        order in Just([0u16, 1, 2, 3, 4]).prop_shuffle(),
        empty in 0u16..5,
    ) {
        let elements = columns.len() as u16;
        let of = |worker: u16| -> Vec<u16> { columns.iter().map(|column| column[usize::from(worker)]).collect() };
        let contribution = |worker: u16| {
            if worker == empty { datagram(worker, ElementType::F16, elements, &[]) } else { halves(worker, &of(worker)) }
        };
        let mut shard = shard(Arithmetic::Block, Place::only(5));
        let (to, result) = complete(&mut shard, order.map(contribution));
        prop_assert_eq!(to, Recipients::All);
        let expected: Vec<[u8; 2]> = (0..columns.len())
            .map(|lane| (0..5).filter(|worker| *worker != empty).map(|worker| sum_of_half(of(worker)[lane])).sum())
            .map(|sum: i32| half_of_sum(sum).to_le_bytes())
            .collect();
        prop_assert_eq!(lanes(&result), &expected[..]);
        let (to, again) = complete(&mut shard, [contribution(order[0])]);
        prop_assert_eq!(to, Recipients::One(WorkerId(order[0])));
        prop_assert_eq!(lanes(&again), expected);
    }
}

/// R-NUM-21: as many lanes as of i32 fit a slot.
#[test]
fn more_lanes_of_f16_than_integers_fit_are_dropped() {
    for (arithmetic, elements, fits) in [
        (Arithmetic::Block, 8, true),
        (Arithmetic::Block, 9, false),
        (Arithmetic::Native, 16, true),
    ] {
        let mut shard = shard(arithmetic, Place::only(1));
        shard.handle(&halves(0, &vec![0x3C00; elements]), Ecn::Clear);
        assert_eq!(
            shard.poll_transmit(&mut [0; 1000], 1).is_some(),
            fits,
            "{elements} lanes in {arithmetic}"
        );
    }
}
