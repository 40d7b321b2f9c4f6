//! Rounds whose operands are kept apart (R-SLOT-13).

use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_switch::{AdmissionError, JobSpec, Place, Recipients, Shard};
use netfold_wire::{Delivery, HEADER_BYTES, Pool, Position, Repr, Terms, WorkerId};
use proptest::prelude::*;

use crate::hand::{Batch, contribution, drain, send, spec};

const DATAGRAM: usize = HEADER_BYTES + 32;

/// A job of `workers` with two slots that fold and two that keep operands apart.
fn job(workers: u16) -> JobSpec {
    JobSpec { workers, slots: 4, exchange_slots: 2, place: Place::only(workers), ..spec(0) }
}

fn shard(job: &JobSpec) -> Shard {
    let mut shard = Shard::new(1 << 20);
    shard.admit(job.clone()).expect("the job fits");
    shard
}

/// A contribution to a round of an exchange with the worker that far on.
fn exchanged(job: &JobSpec, worker: u16, slot: u16, distance: u16) -> Repr {
    Repr {
        delivery: Delivery::Shift(distance),
        operation: Operation::Copy,
        ..contribution(job, worker, slot)
    }
}

/// The receiver of each result, its slot, and its first lane.
fn results(batches: &[Batch]) -> Vec<(Recipients, u16, Option<i32>)> {
    let of = |batch: &Batch| {
        let to = batch.to;
        batch.results.iter().map(move |(result, lane)| (to, result.slot.0, *lane)).collect()
    };
    batches.iter().flat_map(|batch| -> Vec<_> { of(batch) }).collect()
}

fn one(worker: u16) -> Recipients {
    Recipients::One(WorkerId(worker))
}

/// Results of several rounds for one worker form a batch, and each worker gets its own.
#[test]
fn every_worker_gets_the_lanes_of_another() {
    let job = job(3);
    let mut shard = shard(&job);
    for slot in [2, 3] {
        for worker in [1, 0, 2] {
            let header = exchanged(&job, worker, slot, slot - 1);
            send(&mut shard, &job, &header, i32::from(100 * slot + worker));
        }
    }
    let batches = drain(&mut shard, 10 * DATAGRAM, 64);
    assert_eq!(batches.len(), 3);
    // In slot 2 the lanes go to the next worker, in slot 3 to the one after that.
    let expected = [(0, 202, 301), (1, 200, 302), (2, 201, 300)];
    let expected = expected.map(|(worker, first, second)| {
        [(one(worker), 2, Some(first)), (one(worker), 3, Some(second))]
    });
    assert_eq!(results(&batches), expected.concat());
    let complete = batches.iter().flat_map(|batch| &batch.results).all(|(result, _)| !result.empty);
    assert!(complete && shard.poll_transmit(&mut [0; DATAGRAM], 1).is_none());
}

/// A worker that contributes nothing leaves one other without lanes, whatever the copy has held
/// before.
#[test]
fn an_empty_operand_is_an_empty_result() {
    let job = job(3);
    let mut shard = shard(&job);
    let round = |shard: &mut Shard, position, pool, silent: Option<u16>| {
        for worker in 0..3 {
            let header = Repr {
                position: Position(position),
                pool,
                empty: silent == Some(worker),
                ..exchanged(&job, worker, 2, 1)
            };
            send(shard, &job, &header, 10 * position as i32 + i32::from(worker));
        }
        results(&drain(shard, DATAGRAM, 1)).iter().map(|(_, _, lane)| *lane).collect::<Vec<_>>()
    };
    assert_eq!(round(&mut shard, 2, Pool::Even, None), [Some(22), Some(20), Some(21)]);
    assert_eq!(round(&mut shard, 6, Pool::Odd, Some(0)), [Some(62), None, Some(61)]);
    assert_eq!(round(&mut shard, 10, Pool::Even, Some(2)), [None, Some(100), Some(101)]);
    assert_eq!(round(&mut shard, 14, Pool::Odd, None), [Some(142), Some(140), Some(141)]);
}

/// R-SLOT-4: a result that is sent again is that of the worker that asks.
#[test]
fn a_result_is_repeated_to_its_worker() {
    let job = job(3);
    let mut shard = shard(&job);
    let headers = [0, 1, 2].map(|worker| exchanged(&job, worker, 3, 2));
    for (header, value) in headers.iter().zip([7, 8, 9]) {
        send(&mut shard, &job, header, value);
    }
    drain(&mut shard, DATAGRAM, 1);
    // What is sent again is not looked at.
    send(&mut shard, &job, &headers[1], -1);
    send(&mut shard, &job, &headers[0], -1);
    let again = results(&drain(&mut shard, DATAGRAM, 1));
    assert_eq!(again, [(one(1), 3, Some(9)), (one(0), 3, Some(8))]);
}

/// R-SLOT-9, R-SLOT-13: only exchange slots take shifts, and nothing else with lanes.
#[test]
fn deliveries_belong_to_their_slots() {
    let job = job(3);
    let mut shard = shard(&job);
    let of = |slot, delivery, empty| Repr { delivery, empty, ..contribution(&job, 0, slot) };
    let outside = [
        of(1, Delivery::Shift(1), false),
        of(1, Delivery::Shift(1), true),
        of(2, Delivery::Shift(0), false),
        of(2, Delivery::Shift(3), false),
        of(2, Delivery::All, false),
        of(2, Delivery::One(WorkerId(1)), false),
        of(2, Delivery::One(WorkerId(1)), true),
        of(4, Delivery::Shift(1), false),
        of(1, Delivery::Prefix { own: true }, false),
    ];
    outside.iter().for_each(|header| send(&mut shard, &job, header, 1));
    let counters = shard.counters();
    assert_eq!((counters.dropped_range, counters.contributions), (outside.len() as u64, 0));
    // A call without elements, and an acknowledgement, have no lanes.
    for header in [of(2, Delivery::All, true), of(3, Delivery::Shift(2), false)] {
        send(&mut shard, &job, &header, 1);
    }
    assert_eq!(shard.counters().contributions, 2);
}

/// R-STREAM-18: each worker gets the fold of what lower ranks have sent, and of its own if the
/// delivery says so; EMPTY operands count for nothing, and rank 0 gets nothing.
#[test]
fn every_worker_gets_the_fold_up_to_it() {
    let job = job(4);
    let values = [5, 70, 900, 1000];
    let round = |own, silent: &[usize]| -> Vec<Option<i32>> {
        let mut shard = shard(&job);
        let of = |worker: usize, position, pool| Repr {
            delivery: Delivery::Prefix { own },
            position: Position(position),
            pool,
            ..contribution(&job, worker as u16, 2)
        };
        // Rounds before have left something in both copies.
        for (position, pool) in [(2, Pool::Even), (6, Pool::Odd)] {
            (0..4).for_each(|worker| send(&mut shard, &job, &of(worker, position, pool), 12345));
            drain(&mut shard, DATAGRAM, 1);
        }
        for worker in [2, 0, 3, 1] {
            let empty = silent.contains(&worker);
            let header = Repr { empty, ..of(worker, 10, Pool::Even) };
            send(&mut shard, &job, &header, values[worker]);
        }
        let first = results(&drain(&mut shard, DATAGRAM, 1));
        // What is sent again is the same.
        for worker in 0..4 {
            let header = Repr { empty: true, ..of(worker, 10, Pool::Even) };
            send(&mut shard, &job, &header, 0);
        }
        assert_eq!(results(&drain(&mut shard, DATAGRAM, 1)), first);
        assert!(first.iter().map(|(to, ..)| *to).eq((0..4).map(one)));
        first.into_iter().map(|(_, _, lane)| lane).collect()
    };
    assert_eq!(round(true, &[]), [None, Some(75), Some(975), Some(1975)]);
    assert_eq!(round(false, &[]), [None, Some(5), Some(75), Some(975)]);
    assert_eq!(round(false, &[3]), [None, Some(5), Some(75), Some(975)]);
    assert_eq!(round(true, &[0, 2]), [None, Some(70), Some(70), Some(1070)]);
    assert_eq!(round(false, &[0, 1]), [None, None, None, Some(900)]);
}

/// R-STREAM-18: what needs registers, or wider lanes, is folded as it comes, and not kept apart.
#[test]
fn lanes_that_take_more_than_their_place_have_no_prefixes() {
    let prefixes = |arithmetic, element_type, operation| {
        let terms = Terms { arithmetic, ..job(3).terms };
        let job = JobSpec { terms, ..job(3) };
        let mut shard = shard(&job);
        let header = Repr {
            delivery: Delivery::Prefix { own: true },
            element_type,
            operation,
            ..contribution(&job, 0, 2)
        };
        send(&mut shard, &job, &header, 1);
        shard.counters().contributions == 1
    };
    use ElementType::{F16, F32, I32};
    let cases = [
        (Arithmetic::Fpisa, F32, Operation::Sum, false),
        (Arithmetic::FpisaA, F16, Operation::Sum, false),
        (Arithmetic::Block, F16, Operation::Sum, false),
        (Arithmetic::Fpisa, I32, Operation::Sum, true),
        (Arithmetic::Fpisa, F32, Operation::Max, true),
        (Arithmetic::Native, F32, Operation::Sum, true),
    ];
    for (arithmetic, element_type, operation, expected) in cases {
        let got = prefixes(arithmetic, element_type, operation);
        assert_eq!(got, expected, "{arithmetic:?}, {element_type:?}, {operation:?}");
    }
}

/// R-STREAM-18: sums of floats are in the order of ranks, whatever the order of arrival.
#[test]
fn prefixes_are_folded_in_the_order_of_ranks() {
    let job = job(3);
    // 2^24 + 1 + 1 is 2^24 from the left, and 2^24 + 2 from the right.
    let lanes = [16_777_216.0_f32, 1.0, 1.0];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut shard = shard(&job);
        for worker in order {
            let header = Repr {
                delivery: Delivery::Prefix { own: true },
                element_type: ElementType::F32,
                ..contribution(&job, worker as u16, 2)
            };
            send(&mut shard, &job, &header, lanes[worker].to_bits() as i32);
        }
        let bits = Some(16_777_216.0_f32.to_bits() as i32);
        let all = results(&drain(&mut shard, DATAGRAM, 1));
        assert_eq!(all.iter().map(|(_, _, lane)| *lane).collect::<Vec<_>>(), [None, bits, bits]);
    }
}

/// R-SLOT-7: workers that would send to different others do not make the same call.
#[test]
fn another_shift_is_a_mismatch() {
    let job = job(3);
    let mut shard = shard(&job);
    send(&mut shard, &job, &exchanged(&job, 0, 2, 1), 1);
    send(&mut shard, &job, &exchanged(&job, 1, 2, 2), 1);
    assert!(shard.poll_event().is_some());
}

/// R-CTRL-23: the memory of an exchange slot has an operand of each worker, in both copies.
#[test]
fn exchange_slots_are_counted_and_belong_to_workers() {
    let plain = JobSpec { exchange_slots: 0, ..job(3) };
    let more = job(3).memory_bytes() - plain.memory_bytes();
    // Two slots of two copies of three operands of 32 bytes in place of one, and 8 bytes beside.
    assert_eq!(more, 2 * 2 * (2 * 32 + 8));
    let refused = |job: JobSpec| Shard::new(1 << 20).admit(job).expect_err("it is refused");
    assert_eq!(
        refused(JobSpec { exchange_slots: 5, ..job(3) }),
        AdmissionError::Exchange { slots: 5 }
    );
    let leaf = JobSpec { place: Place::only(3).below(WorkerId(0)), ..job(3) };
    assert_eq!(refused(leaf), AdmissionError::Exchange { slots: 2 });
    let of_leaves =
        [(0, 0), (1, 0), (2, 2)].map(|(rank, member)| (WorkerId(rank), WorkerId(member)));
    let above = JobSpec { place: Place::root(of_leaves), ..job(3) };
    assert_eq!(refused(above), AdmissionError::Exchange { slots: 2 });
}

/// A job that is released while its results are sent leaves those of others whole.
#[test]
fn a_released_job_has_no_results() {
    let (first, second) = (job(3), JobSpec { slots: 4, exchange_slots: 2, ..spec(1) });
    let mut shard = shard(&first);
    shard.admit(second.clone()).expect("the job fits");
    for (job, value) in [(&first, 0), (&second, 10)] {
        for worker in 0..3 {
            send(&mut shard, job, &exchanged(job, worker, 2, 1), value + i32::from(worker));
        }
    }
    let first_batch = shard.poll_transmit(&mut [0; DATAGRAM], 64).expect("there are results");
    assert_eq!((first_batch.job, first_batch.to), (first.job, one(0)));
    shard.release(first.job);
    let left = results(&drain(&mut shard, DATAGRAM, 64));
    let expected = [(0, 12), (1, 10), (2, 11)].map(|(to, value)| (one(to), 2, Some(value)));
    assert_eq!(left, expected);
}

proptest! {
    /// Whatever comes in whichever order, each worker gets what was meant for it, once.
    #[test]
    fn rounds_deliver_what_was_sent(
        workers in 2..9_u16,
        distance in 1..8_u16,
        order in any::<u64>(),
        silent in any::<u8>(),
    ) {
        let distance = 1 + (distance - 1) % (workers - 1);
        let job = job(workers);
        let mut shard = shard(&job);
        let mut ranks: Vec<u16> = (0..workers).collect();
        ranks.sort_by_key(|rank| order.rotate_left(u32::from(*rank) * 7) % 97);
        let is_silent = |rank: u16| silent >> rank & 1 == 1;
        for rank in ranks {
            let header =
                Repr { empty: is_silent(rank), ..exchanged(&job, rank, 2, distance) };
            send(&mut shard, &job, &header, 1000 + i32::from(rank));
        }
        let results = results(&drain(&mut shard, DATAGRAM, 1));
        prop_assert_eq!(results.len(), usize::from(workers));
        for (to, _, lane) in results {
            let to = (0..workers).find(|rank| to == one(*rank)).expect("a worker");
            let from = (0..workers).find(|from| (from + distance) % workers == to).expect("one");
            prop_assert_eq!(lane, (!is_silent(from)).then_some(1000 + i32::from(from)));
        }
    }
}
