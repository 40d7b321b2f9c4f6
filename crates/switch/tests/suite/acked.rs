//! The acknowledged protocol at a switch (R-ACK), by hand: what it answers, and what it costs.

use crate::hand::{contribution, drain, send, spec};
use netfold_num::Protocol;
use netfold_switch::{JobSpec, Recipients, Shard};
use netfold_wire::{Pool, Repr, Terms, WorkerId};

const ROOM: usize = 4096;

fn acked() -> JobSpec {
    JobSpec { terms: Terms { protocol: Protocol::Acked, ..spec(1).terms }, ..spec(1) }
}

fn shard(spec: &JobSpec) -> Shard {
    let mut shard = Shard::new(spec.memory_bytes());
    shard.admit(spec.clone()).expect("the job fits");
    shard
}

fn acknowledgement(spec: &JobSpec, worker: u16, slot: u16) -> Repr {
    Repr { pool: Pool::Odd, empty: true, ..contribution(spec, worker, slot) }
}

/// Returns the recipients of the shard's answers, and their sums.
fn answers(shard: &mut Shard) -> Vec<(Recipients, Option<i32>)> {
    drain(shard, ROOM, 1).into_iter().map(|batch| (batch.to, batch.results[0].1)).collect()
}

/// R-ACK-1: algorithm 2, with the results of lines 12 and 27 for workers that ask again.
#[test]
fn a_sum_stays_until_all_have_acknowledged_it() {
    let spec = acked();
    let mut shard = shard(&spec);
    for worker in 0..3 {
        assert!(answers(&mut shard).is_empty());
        send(&mut shard, &spec, &contribution(&spec, worker, 0), 10 + i32::from(worker));
    }
    assert_eq!(answers(&mut shard), [(Recipients::All, Some(33))]);
    for worker in 0..2 {
        send(&mut shard, &spec, &acknowledgement(&spec, worker, 0), 0);
        // Worker 2 has lost the result, and gets it as long as it asks.
        send(&mut shard, &spec, &contribution(&spec, 2, 0), 12);
        assert_eq!(answers(&mut shard), [(Recipients::One(WorkerId(2)), Some(33))]);
        send(&mut shard, &spec, &acknowledgement(&spec, worker, 0), 0);
        assert!(answers(&mut shard).is_empty(), "an acknowledgement that comes twice counts once");
    }
    send(&mut shard, &spec, &acknowledgement(&spec, 2, 0), 0);
    assert_eq!(answers(&mut shard), [(Recipients::All, None)]);
    send(&mut shard, &spec, &acknowledgement(&spec, 1, 0), 0);
    assert_eq!(answers(&mut shard), [(Recipients::One(WorkerId(1)), None)]);
    let next = |worker| {
        let first = contribution(&spec, worker, 0);
        Repr { position: first.position.after(u32::from(spec.slots)), ..first }
    };
    // One worker goes on before another has had the confirmation.
    send(&mut shard, &spec, &next(0), 1);
    send(&mut shard, &spec, &acknowledgement(&spec, 1, 0), 0);
    assert_eq!(answers(&mut shard), [(Recipients::One(WorkerId(1)), None)]);
    for worker in 1..3 {
        send(&mut shard, &spec, &next(worker), 1);
    }
    assert_eq!(answers(&mut shard), [(Recipients::All, Some(3))]);
}

/// R-ACK-2
#[test]
fn an_acknowledgement_has_no_lanes() {
    let spec = acked();
    let mut shard = shard(&spec);
    for worker in 0..3 {
        send(&mut shard, &spec, &Repr { pool: Pool::Odd, ..contribution(&spec, worker, 0) }, 1);
    }
    assert_eq!((shard.counters().dropped_range, shard.counters().rounds_completed), (3, 0));
}

/// R-ACK-2; P4SGD, section III-C: the same memory of lanes holds twice as many operations that are
/// under way.
#[test]
fn the_same_memory_has_twice_the_operations_under_way() {
    let shadow = spec(1);
    let acked = JobSpec { slots: 2 * shadow.slots, ..acked() };
    let mut under_way = Vec::new();
    let mut lanes = Vec::new();
    for spec in [shadow, acked] {
        let mut shard = shard(&spec);
        for (worker, slot) in
            (0..2).flat_map(|worker| (0..spec.slots).map(move |slot| (worker, slot)))
        {
            send(&mut shard, &spec, &contribution(&spec, worker, slot), i32::from(slot));
        }
        let (_, copies) = shard.memory(spec.job).expect("the job is here");
        lanes.push(copies.len());
        under_way.push(shard.status()[0].waiting.len());
        // Each of them is an operation of its own.
        for slot in 0..spec.slots {
            send(&mut shard, &spec, &contribution(&spec, 2, slot), i32::from(slot));
            assert_eq!(answers(&mut shard), [(Recipients::All, Some(3 * i32::from(slot)))]);
        }
    }
    assert_eq!(lanes[0], lanes[1]);
    assert_eq!(2 * under_way[0], under_way[1]);
}
