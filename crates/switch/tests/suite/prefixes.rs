//! Rounds whose results have several folds (R-STREAM-19, R-STREAM-20, R-SLOT-13).

use netfold_num::{ElementType, Operation, UserOperation};
use netfold_switch::{Event, JobSpec, Operations, Place, Recipients, Shard, TrapCause};
use netfold_wire::{Delivery, Ecn, HEADER_BYTES, Packet, Pool, Position, Repr, WorkerId};
use proptest::prelude::*;

use crate::hand::{contribution, datagram, spec};
use crate::typed::{Horner, POISON};

/// A job of `workers` with two slots that fold and two that keep operands apart, and the operation
/// that is folded in the order of ranks.
fn job(workers: u16) -> JobSpec {
    let operations = Operations::new([Horner::operation(false)]).expect("one operation");
    JobSpec {
        workers,
        slots: 4,
        exchange_slots: 2,
        lent_slots: 0,
        place: Place::only(workers),
        operations,
        ..spec(0)
    }
}

fn shard(job: &JobSpec) -> Shard {
    let mut shard = Shard::new(job.memory_bytes());
    shard.admit(job.clone()).expect("the job fits");
    shard
}

/// A contribution of two lanes of i32, or of one element of the operation of a user.
fn operand(job: &JobSpec, worker: u16, delivery: Delivery, by_user: bool) -> Repr {
    let number = UserOperation::new(0).expect("a number of an operation");
    let (elements, element_type, operation) = if by_user {
        (4, ElementType::U8, Operation::User(number))
    } else {
        (2, ElementType::I32, Operation::Sum)
    };
    let header = contribution(job, worker, 2);
    Repr { elements, element_type, operation, delivery, ..header }
}

fn send(shard: &mut Shard, job: &JobSpec, header: &Repr, value: u32) {
    shard.handle(&datagram(job.terms.integrity, header, value as i32), Ecn::Clear);
}

/// The receiver of each result, and its lanes, as words; `None` if it is EMPTY.
fn results(shard: &mut Shard) -> Vec<(u16, Option<Vec<u32>>)> {
    let mut buffer = vec![0; HEADER_BYTES + 32];
    let mut results = Vec::new();
    while let Some(transmit) = shard.poll_transmit(&mut buffer, 1) {
        let packet = Packet::new_checked(&buffer[..transmit.len]).expect("it is a packet");
        let Recipients::One(to) = transmit.to else { panic!("{transmit:?}") };
        let words = packet.lanes().as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
        results.push((to.0, (!packet.repr().empty).then(|| words.collect())));
    }
    results
}

/// The prefixes of these operands.
fn prefixes(values: &[u32], by_user: bool) -> Vec<u32> {
    let factor = if by_user { 31 } else { 1 };
    let mut before = None;
    let of = |value: &u32| {
        let prefix =
            before.map_or(*value, |before: u32| before.wrapping_mul(factor).wrapping_add(*value));
        before = Some(prefix);
        prefix
    };
    values.iter().map(of).collect()
}

/// The lanes that each worker gets, by the rules: those of each fold twice, where a contribution
/// has two lanes.
fn wanted(delivery: Delivery, values: &[u32], by_user: bool) -> Vec<(u16, Option<Vec<u32>>)> {
    let (prefixes, last) = (prefixes(values, by_user), values.len() - 1);
    let of = |worker: usize| match delivery {
        Delivery::Prefixes if by_user => prefixes.clone(),
        Delivery::Prefixes => {
            (0..=last).filter(|other| *other != worker).map(|other| prefixes[other]).collect()
        }
        _ if worker == 0 || worker == last => vec![prefixes[last]],
        _ => vec![prefixes[last], prefixes[worker]],
    };
    let lanes = if by_user { 1 } else { 2 };
    let wide = |folds: Vec<u32>| folds.into_iter().flat_map(|fold| vec![fold; lanes]).collect();
    (0..=last).map(|worker| (worker as u16, Some(wide(of(worker))))).collect()
}

proptest! {
    /// Whatever the order of arrival, operands are folded in the order of ranks, and each worker
    /// gets the folds that it has not; again, if it asks again; and nothing of rounds before.
    #[test]
    fn results_have_the_folds_of_their_worker(
        rounds in prop::collection::vec(prop::collection::vec(any::<u32>(), 2..5), 1..4),
        order in any::<u64>(),
        all in any::<bool>(),
        by_user in any::<bool>(),
    ) {
        let workers = rounds[0].len();
        let job = job(workers as u16);
        let mut shard = shard(&job);
        let delivery = if all { Delivery::Prefixes } else { Delivery::PrefixAndTotal };
        for (number, values) in rounds.iter().enumerate() {
            let values: Vec<u32> = values.iter().copied().cycle().take(workers).collect();
            let header = |worker: usize| Repr {
                position: Position(2 + 4 * number as u32),
                pool: if number % 2 == 0 { Pool::Even } else { Pool::Odd },
                ..operand(&job, worker as u16, delivery, by_user)
            };
            let mut ranks: Vec<usize> = (0..workers).collect();
            ranks.sort_by_key(|rank| order.rotate_left(*rank as u32 * 7 + number as u32) % 97);
            ranks.iter().for_each(|rank| send(&mut shard, &job, &header(*rank), values[*rank]));
            let wanted = wanted(delivery, &values, by_user);
            prop_assert_eq!(results(&mut shard), wanted.clone());
            (0..workers).for_each(|rank| send(&mut shard, &job, &header(rank), 0));
            prop_assert_eq!(results(&mut shard), wanted);
        }
    }
}

/// R-SLOT-9, R-SLOT-13: lanes whose results would not fit a packet of 32 bytes are dropped.
#[test]
fn folds_that_do_not_fit_a_packet_are_dropped() {
    let takes = |workers, delivery, by_user, elements| {
        let job = job(workers);
        let mut shard = shard(&job);
        let header = Repr { elements, ..operand(&job, 1, delivery, by_user) };
        send(&mut shard, &job, &header, 1);
        shard.counters().contributions == 1
    };
    let (all, total) = (Delivery::Prefixes, Delivery::PrefixAndTotal);
    assert!(takes(2, all, false, 8) && !takes(2, all, false, 9));
    assert!(takes(5, all, false, 2) && !takes(5, all, false, 3));
    assert!(takes(4, all, true, 8) && !takes(4, all, true, 12));
    assert!(takes(2, total, false, 8) && takes(3, total, false, 4) && !takes(3, total, false, 5));
}

/// R-SLOT-13: what is not there is not made up of what the copy has held before.
#[test]
fn a_fold_of_nothing_is_an_empty_result() {
    let job = job(3);
    for delivery in [Delivery::Prefixes, Delivery::PrefixAndTotal] {
        let mut shard = shard(&job);
        for worker in 0..3 {
            let header = operand(&job, worker, delivery, false);
            send(&mut shard, &job, &Repr { empty: worker == 0, ..header }, 1);
        }
        let all = results(&mut shard);
        assert_eq!(all[0], (0, (delivery == Delivery::PrefixAndTotal).then(|| vec![2, 2])));
        assert!(delivery == Delivery::PrefixAndTotal || all.iter().all(|(_, it)| it.is_none()));
    }
    // Not even the total is there.
    let mut shard = shard(&job);
    for worker in 0..3 {
        let header = operand(&job, worker, Delivery::PrefixAndTotal, false);
        send(&mut shard, &job, &Repr { empty: worker < 2, ..header }, 7);
    }
    assert_eq!(results(&mut shard), [(0, Some(vec![7, 7])), (1, None), (2, Some(vec![7, 7]))]);
}

/// R-OP-20: a trap fails the job, with the last worker whose operand has come.
#[test]
fn a_trap_in_a_prefix_fails_the_job() {
    let job = job(3);
    let mut shard = shard(&job);
    for (worker, value) in [(2, 5), (1, POISON), (0, 6)] {
        let delivery = Delivery::Prefix { own: true };
        send(&mut shard, &job, &operand(&job, worker, delivery, true), value);
    }
    let event = shard.poll_event();
    let is_right = matches!(
        event,
        Some(Event::Trap { worker: WorkerId(0), cause: TrapCause::Arithmetic, .. })
    );
    assert!(is_right, "{event:?}");
    assert_eq!(results(&mut shard), []);
}

/// R-SLOT-13: the room in which operations of users fold is counted, where they fold prefixes.
#[test]
fn room_for_operations_is_counted() {
    let with = job(3).memory_bytes();
    let without = JobSpec { operations: Operations::default(), ..job(3) }.memory_bytes();
    let no_exchange = JobSpec { exchange_slots: 0, ..job(3) };
    let kept = JobSpec { operations: Operations::default(), ..no_exchange.clone() };
    // An operation in rank order has room for operands in each copy of a slot that folds.
    let operands = no_exchange.memory_bytes() - kept.memory_bytes();
    assert_eq!(with - without, operands / 2 + 32);
}
