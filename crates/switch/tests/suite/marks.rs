//! A shard's treatment of datagrams that the network has marked (R-ECN-2).

use crate::hand::{contribution, datagram, drain, send, spec};
use netfold_switch::{JobSpec, Place, Shard};
use netfold_wire::{Direction, Ecn, Repr, WorkerId};

/// Drains the shard, and returns for each datagram whether it is MARKED.
fn marks(shard: &mut Shard) -> Vec<bool> {
    drain(shard, 1000, 8)
        .iter()
        .flat_map(|batch| &batch.results)
        .map(|(header, _)| header.marked)
        .collect()
}

#[test]
fn a_contribution_that_comes_marked_marks_its_round() {
    let job = spec(0);
    for marked in [None, Some(0), Some(2)] {
        let mut shard = Shard::new(1 << 16);
        shard.admit(job.clone()).expect("the job fits");
        for worker in 0..3 {
            let bytes = datagram(job.terms.integrity, &contribution(&job, worker, 0), 1);
            shard.handle(&bytes, (marked == Some(worker)).into());
        }
        assert_eq!(marks(&mut shard), [marked.is_some()]);
        assert_eq!(shard.counters().datagrams_marked, u64::from(marked.is_some()));
    }
}

/// A query and its recall say nothing of queues, and a duplicate has been counted before.
#[test]
fn what_is_not_counted_marks_nothing() {
    let job = spec(0);
    let mut shard = Shard::new(1 << 16);
    shard.admit(job.clone()).expect("the job fits");
    let query = contribution(&job, 1, 0).query(WorkerId(1));
    send(&mut shard, &job, &contribution(&job, 0, 0), 1);
    shard.handle(&datagram(job.terms.integrity, &contribution(&job, 0, 0), 1), Ecn::Ce);
    shard.handle(&datagram(job.terms.integrity, &query, 1), Ecn::Ce);
    assert_eq!(marks(&mut shard), [false], "the recall");
    (1..3).for_each(|worker| send(&mut shard, &job, &contribution(&job, worker, 0), 1));
    assert_eq!(marks(&mut shard), [false]);
}

/// A leaf tells its parent of marks below it, and its members of those above.
#[test]
fn a_leaf_passes_marks_both_ways() {
    for (below, above, on_the_way) in
        [(false, false, false), (true, true, false), (false, true, false), (false, false, true)]
    {
        let job = JobSpec { place: Place::only(3).below(WorkerId(0)), ..spec(0) };
        let mut leaf = Shard::new(1 << 16);
        leaf.admit(job.clone()).expect("the job fits");
        for worker in 0..3 {
            let bytes = datagram(job.terms.integrity, &contribution(&job, worker, 0), 1);
            leaf.handle(&bytes, (below && worker == 1).into());
        }
        assert_eq!(marks(&mut leaf), [below]);
        let result =
            Repr { direction: Direction::Result(None), marked: above, ..contribution(&job, 0, 0) };
        let bytes = datagram(job.terms.integrity, &result, 3);
        leaf.handle(&bytes, on_the_way.into());
        assert_eq!(marks(&mut leaf), [above || on_the_way]);
    }
}
