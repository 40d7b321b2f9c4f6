//! Transmission by a shard: in batches that one system call can carry.

use crate::hand::{Batch, contribution, drain, send, spec};
use netfold_switch::{JobSpec, Recipients, Shard};
use netfold_wire::{Delivery, HEADER_BYTES, Pool, Position, Repr, WorkerId};

const DATAGRAM: usize = HEADER_BYTES + 32;

fn shard_with(specs: &[&JobSpec]) -> Shard {
    let mut shard = Shard::new(1 << 20);
    specs.iter().for_each(|spec| shard.admit((*spec).clone()).expect("the job fits"));
    shard
}

/// Completes the first round of a slot: every worker contributes the slot's number.
fn complete(shard: &mut Shard, spec: &JobSpec, slot: u16, change: impl Fn(&mut Repr)) {
    for worker in 0..spec.workers {
        let mut header = contribution(spec, worker, slot);
        change(&mut header);
        send(shard, spec, &header, slot.into());
    }
}

fn slots(batch: &Batch) -> Vec<u16> {
    batch.results.iter().map(|(result, _)| result.slot.0).collect()
}

/// Results of one length for the same workers go out together, as far as the buffer and the
/// caller's limit allow.
#[test]
fn equal_results_form_a_batch() {
    let job = spec(0);
    for (bytes, max_segments, expected) in [
        (10 * DATAGRAM, 64, &[8][..]),
        (10 * DATAGRAM, 3, &[3, 3, 2]),
        (5 * DATAGRAM + DATAGRAM - 1, 64, &[5, 3]),
        (DATAGRAM, 64, &[1; 8]),
        (10 * DATAGRAM, 1, &[1; 8]),
    ] {
        let mut shard = shard_with(&[&job]);
        (0..8).for_each(|slot| complete(&mut shard, &job, slot, |_| {}));
        let batches = drain(&mut shard, bytes, max_segments);
        assert_eq!(batches.iter().map(|batch| batch.results.len()).collect::<Vec<_>>(), expected);
        assert!(batches.iter().all(|batch| (batch.job, batch.to) == (job.job, Recipients::All)));
        assert_eq!(batches.iter().flat_map(slots).collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
        let sums = batches
            .iter()
            .flat_map(|batch| &batch.results)
            .map(|(_, sum)| sum.expect("a result has lanes"));
        assert!(sums.eq((0..8).map(|slot| 3 * slot)));
        assert!(shard.poll_transmit(&mut [0; DATAGRAM], 1).is_none());
    }
}

/// Only the last segment of a batch may be shorter; a longer one starts the next batch.
#[test]
fn a_shorter_result_ends_its_batch() {
    let job = spec(0);
    let mut shard = shard_with(&[&job]);
    let lengths = [8, 8, 3, 8, 5, 5];
    for (slot, elements) in (0..).zip(lengths) {
        complete(&mut shard, &job, slot, |header| header.elements = elements);
    }
    let batches = drain(&mut shard, 1000, 64);
    assert_eq!(batches.iter().map(slots).collect::<Vec<_>>(), [vec![0, 1, 2], vec![3, 4], vec![5]]);
}

/// Results for different workers, or of different jobs, do not share a batch.
#[test]
fn recipients_are_kept_apart() {
    let (first, second) = (spec(0), spec(1));
    let mut shard = shard_with(&[&first, &second]);
    complete(&mut shard, &first, 0, |_| {});
    complete(&mut shard, &second, 1, |_| {});
    complete(&mut shard, &second, 2, |_| {});
    // R-SLOT-4: two workers ask again.
    send(&mut shard, &second, &contribution(&second, 2, 1), 9);
    send(&mut shard, &second, &contribution(&second, 2, 2), 9);
    send(&mut shard, &second, &contribution(&second, 0, 1), 9);
    let batches = drain(&mut shard, 1000, 64);
    let sent: Vec<_> = batches.iter().map(|batch| (batch.job, batch.to, slots(batch))).collect();
    let one = |worker| Recipients::One(WorkerId(worker));
    assert_eq!(
        sent,
        [
            (first.job, Recipients::All, vec![0]),
            (second.job, Recipients::All, vec![1, 2]),
            (second.job, one(2), vec![1, 2]),
            (second.job, one(0), vec![1]),
        ]
    );
}

/// R-SLOT-3: results that one worker alone is to have go out in batches too, and so do the EMPTY
/// ones of the others.
#[test]
fn results_for_one_worker_form_batches() {
    let job = spec(0);
    let owner = WorkerId(2);
    let mut shard = shard_with(&[&job]);
    (0..8).for_each(|slot| {
        complete(&mut shard, &job, slot, |header| header.delivery = Delivery::One(owner))
    });
    let batches = drain(&mut shard, 1000, 64);
    assert_eq!(batches.len(), 2);
    for (batch, to, empty) in [
        (&batches[0], Recipients::One(owner), false),
        (&batches[1], Recipients::AllBut(owner), true),
    ] {
        assert_eq!((batch.to, slots(batch)), (to, (0..8).collect::<Vec<_>>()));
        assert!(
            batch
                .results
                .iter()
                .all(|(result, lanes)| result.empty == empty && lanes.is_none() == empty)
        );
    }
}

/// A result whose copy has been used again before it was sent is not sent: it would carry another
/// round's lanes.
#[test]
fn a_result_that_was_overwritten_is_not_sent() {
    let job = spec(0);
    let mut shard = shard_with(&[&job]);
    complete(&mut shard, &job, 0, |_| {});
    let later = |header: &mut Repr, position, pool| {
        (header.position, header.pool) = (Position(position), pool)
    };
    complete(&mut shard, &job, 0, |header| later(header, 8, Pool::Odd));
    // The caller breaks the rule to send before it goes on: the next round of the first copy
    // begins.
    let mut header = contribution(&job, 0, 0);
    later(&mut header, 16, Pool::Even);
    send(&mut shard, &job, &header, 1);
    let batches = drain(&mut shard, 1000, 64);
    let positions: Vec<_> = batches
        .iter()
        .flat_map(|batch| &batch.results)
        .map(|(result, _)| result.position)
        .collect();
    assert_eq!(positions, [Position(8)]);
}

#[test]
#[should_panic(expected = "the buffer does not hold one datagram of 72 bytes")]
fn a_buffer_that_is_too_small_is_a_fault_of_the_caller() {
    let job = spec(0);
    let mut shard = shard_with(&[&job]);
    complete(&mut shard, &job, 0, |_| {});
    shard.poll_transmit(&mut [0; DATAGRAM - 1], 1);
}

/// R-SLOT-10: recalls go to the workers that have asked, several in a batch.
#[test]
fn recalls_of_a_worker_form_a_batch() {
    let job = spec(0);
    let mut shard = shard_with(&[&job]);
    complete(&mut shard, &job, 0, |_| {});
    let queries = [(1, 3), (1, 0), (1, 7), (2, 3)]
        .map(|(worker, slot)| contribution(&job, worker, slot).query(WorkerId(worker)));
    queries.iter().for_each(|query| send(&mut shard, &job, query, 0));
    let batches = drain(&mut shard, 10 * DATAGRAM, 64);
    let of = |worker| Recipients::One(WorkerId(worker));
    let to: Vec<_> = batches.iter().map(|batch| (batch.to, slots(batch))).collect();
    assert_eq!(to, [(Recipients::All, vec![0]), (of(1), vec![3, 0, 7]), (of(2), vec![3])]);
    let recalls = batches[1..].iter().flat_map(|batch| &batch.results).map(|(recall, _)| *recall);
    let expected =
        queries.iter().zip([1, 1, 1, 2]).map(|(query, worker)| query.recall(WorkerId(worker)));
    assert!(recalls.eq(expected));
    let counters = shard.counters();
    assert_eq!((counters.contributions_recalled, counters.contributions), (4, 3));
}
