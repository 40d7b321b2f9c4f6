//! Slots that have memory only while they are lent (R-CTRL-25).

use netfold_num::Operation;
use netfold_switch::{AdmissionError, JobSpec, Recipients, Shard};
use netfold_wire::{Delivery, HEADER_BYTES, JobId, Pool, Position, Repr};

use crate::hand::{contribution, drain, send, spec};

const DATAGRAM: usize = HEADER_BYTES + 32;

/// A job with four slots that stay, two that fold and are lent, and two lent exchange slots.
fn job() -> JobSpec {
    JobSpec { exchange_slots: 2, lent_slots: 4, ..spec(0) }
}

fn sums(shard: &mut Shard) -> Vec<(u16, Option<i32>)> {
    let batches = drain(shard, 10 * DATAGRAM, 64);
    let of = |(result, lane): &(Repr, Option<i32>)| (result.slot.0, *lane);
    batches.iter().flat_map(|batch| batch.results.iter().map(of).collect::<Vec<_>>()).collect()
}

/// Contributes 1, 2 and 3 to a round of a slot that folds.
fn fold(shard: &mut Shard, job: &JobSpec, slot: u16, pool: Pool, position: u32) {
    for worker in 0..3 {
        let header = Repr { pool, position: Position(position), ..contribution(job, worker, slot) };
        send(shard, job, &header, i32::from(worker) + 1);
    }
}

/// R-SLOT-9: a packet to a slot that is not lent is dropped, one to any other slot is folded.
#[test]
fn only_what_is_lent_folds() {
    let job = job();
    let mut shard = Shard::new(1 << 20);
    shard.admit(job.clone()).unwrap();
    for slot in [0, 3, 4, 5] {
        fold(&mut shard, &job, slot, Pool::Even, slot.into());
    }
    assert_eq!(sums(&mut shard), [(0, Some(6)), (3, Some(6))]);
    assert_eq!(shard.counters().dropped_range, 6);
    shard.lend(job.job).unwrap();
    for slot in [4, 5] {
        fold(&mut shard, &job, slot, Pool::Even, slot.into());
    }
    let to_next = Repr {
        delivery: Delivery::Shift(1),
        operation: Operation::Copy,
        ..contribution(&job, 0, 7)
    };
    for worker in 0..3 {
        let header = Repr { direction: contribution(&job, worker, 7).direction, ..to_next };
        send(&mut shard, &job, &header, 10 + i32::from(worker));
    }
    let batches = drain(&mut shard, 10 * DATAGRAM, 64);
    let all: Vec<_> = batches.iter().filter(|batch| batch.to == Recipients::All).collect();
    let lanes: Vec<_> =
        all.iter().flat_map(|batch| &batch.results).map(|(_, lane)| *lane).collect();
    assert_eq!(lanes, [Some(6), Some(6)]);
    let mut exchanged: Vec<_> = batches
        .iter()
        .filter(|batch| batch.to != Recipients::All)
        .flat_map(|batch| batch.results.iter().map(|(_, lane)| *lane))
        .collect();
    exchanged.sort_unstable();
    assert_eq!(exchanged, [Some(10), Some(11), Some(12)]);
}

/// The memory of lent slots is the job's only while they are lent, and nobody else's.
#[test]
fn memory_follows_what_is_lent() {
    let job = job();
    let mut shard = Shard::new(job.memory_bytes() + job.lent_bytes());
    shard.admit(job.clone()).unwrap();
    // Both copies of two slots of 32 bytes, and of two that keep three operands apart and whether
    // they are there.
    assert!(job.lent_bytes() >= 2 * (2 * 32 + 2 * 3 * 33), "{}", job.lent_bytes());
    assert_eq!(shard.memory_used(), job.memory_bytes());
    for _ in 0..2 {
        shard.lend(job.job).unwrap();
        assert_eq!(shard.memory_used(), job.memory_bytes() + job.lent_bytes());
        assert_eq!(shard.status()[0].slots, 8);
    }
    shard.take_back(job.job);
    assert_eq!(shard.status()[0].slots, 4);
    shard.take_back(job.job);
    assert_eq!(shard.memory_used(), job.memory_bytes());
    // Another job takes some of it.
    let other = JobSpec { slots: 1, ..spec(1) };
    shard.admit(other.clone()).unwrap();
    let (needed, free) = (job.lent_bytes(), job.lent_bytes() - other.memory_bytes());
    assert_eq!(shard.lend(job.job), Err(AdmissionError::Memory { needed, free }));
    shard.release(other.job);
    shard.lend(job.job).unwrap();
    shard.release(job.job);
    assert_eq!(shard.memory_used(), 0);
    // Nothing is lent to a job that is not here.
    assert_eq!(shard.lend(JobId(9)), Ok(()));
    shard.take_back(JobId(9));
    assert_eq!(shard.memory_used(), 0);
}

/// R-SLOT-8: registers outlast the memory, so that what comes late is known for old.
#[test]
fn what_comes_late_is_stale_after_the_slots_were_returned() {
    let job = job();
    let mut shard = Shard::new(1 << 20);
    shard.admit(job.clone()).unwrap();
    shard.lend(job.job).unwrap();
    fold(&mut shard, &job, 4, Pool::Even, 4);
    fold(&mut shard, &job, 4, Pool::Odd, 6);
    assert_eq!(sums(&mut shard), [(4, Some(6)), (4, Some(6))]);
    shard.take_back(job.job);
    shard.lend(job.job).unwrap();
    // A duplicate of the first round from a worker that has gone on.
    send(&mut shard, &job, &Repr { position: Position(4), ..contribution(&job, 1, 4) }, 99);
    assert_eq!(sums(&mut shard), []);
    fold(&mut shard, &job, 4, Pool::Even, 8);
    assert_eq!(sums(&mut shard), [(4, Some(6))]);
}

/// All slots lent would leave none for short calls, and exchange slots are the last ones. A parent
/// in a tree may name any numbers: they are refused, not asserted.
#[test]
fn some_slots_stay_and_exchange_slots_are_lent_first() {
    let checked =
        |lent_slots, exchange_slots| JobSpec { lent_slots, exchange_slots, ..spec(0) }.checked();
    assert_eq!(checked(7, 7), Ok(()));
    assert_eq!(checked(0, 7), Ok(()));
    assert_eq!(checked(8, 0), Err(AdmissionError::Lent { lent: 8, slots: 8 }));
    assert_eq!(checked(9, 0), Err(AdmissionError::Lent { lent: 9, slots: 8 }));
    assert_eq!(checked(3, 4), Err(AdmissionError::Lent { lent: 3, slots: 8 }));
}
