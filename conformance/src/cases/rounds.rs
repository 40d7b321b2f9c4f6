//! Rounds that carry more than lanes of everyone for everyone.

use netfold_num::Exponent;
use netfold_wire::Pool::{Even, Odd};
use netfold_wire::{Delivery, Direction, Kind, Repr, WorkerId};

use crate::script::{At, Reply, Script};
use crate::target::Target;

/// R-SLOT-8, R-WORK-4: Exponents, Classes and Values of one block follow each other in alternating
/// copies, at one position.
pub fn a_block_goes_through_its_rounds(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 1);
    let kinds = [(Kind::Exponents, Even), (Kind::Classes, Odd), (Kind::Values, Even)];
    for (kind, pool) in kinds {
        let at = At::new(0, pool, 0);
        let header = |job: &Script<'_>, worker| Repr {
            kind,
            empty: kind == Kind::Exponents,
            ..job.contribution(worker, at)
        };
        for worker in 0..2 {
            let (contribution, lanes) = (header(&job, worker), job.lanes(worker, at));
            let replies = job.send(worker, &contribution, &lanes);
            assert_eq!(replies.len(), if worker == 0 { 0 } else { 2 }, "{kind:?}");
            for Reply { result, lanes, .. } in replies {
                assert_eq!(result.kind, kind);
                let expected = if kind == Kind::Exponents { vec![] } else { job.sum(at) };
                assert_eq!((result.empty, lanes), (kind == Kind::Exponents, expected));
            }
        }
    }
    // A delayed Exponents packet of the same block is older than the Values round that its copy
    // holds.
    let late =
        Repr { kind: Kind::Exponents, empty: true, ..job.contribution(0, At::new(0, Even, 0)) };
    assert_eq!(job.send(0, &late, &[]), []);
}

/// R-NUM-19: in a job whose lanes are in network order the sum is that of the numbers, and the
/// result, sent again or not, has its lanes in that order, too. An EMPTY contribution changes
/// nothing, wherever it comes.
pub fn lanes_in_network_order(target: &mut dyn Target) {
    let mut job = Script::in_network_order(target, 3, 2);
    for (at, last) in [(At::new(0, Even, 0), 2), (At::new(1, Even, 1), 0), (At::new(0, Odd, 2), 1)]
    {
        (1..=2).for_each(|step| job.silent((last + step) % 3, at));
        job.completes(last, at);
        job.answered(1, at);
    }
    for (position, silent) in (3..).zip(0..3) {
        let at = At::new(1, if position % 2 == 1 { Odd } else { Even }, position);
        let mut replies = Vec::new();
        for worker in 0..3 {
            let header = Repr { empty: worker == silent, ..job.contribution(worker, at) };
            let lanes = job.lanes(worker, at);
            replies = job.send(worker, &header, &lanes);
        }
        assert_eq!(replies.len(), 3);
        let expected: Vec<i32> = job
            .sum(at)
            .iter()
            .zip(job.lanes(silent, at))
            .map(|(sum, missing)| sum - missing)
            .collect();
        assert!(replies.iter().all(|reply| reply.lanes == expected), "{replies:?}");
    }
}

/// R-SLOT-5: the result carries the largest `next_exponent`, in the order ZERO, numbers, SPECIAL,
/// UNKNOWN; and the next round starts afresh.
pub fn the_largest_exponent_is_agreed_on(target: &mut dyn Target) {
    let small = Exponent::of_magnitude_bits(0.25f32.to_bits());
    let large = Exponent::of_magnitude_bits(1e6f32.to_bits());
    let rounds = [
        ([small, large, Exponent::ZERO], large),
        ([Exponent::ZERO; 3], Exponent::ZERO),
        ([large, Exponent::UNKNOWN, Exponent::SPECIAL], Exponent::UNKNOWN),
        ([Exponent::SPECIAL, large, small], Exponent::SPECIAL),
        ([Exponent::ZERO, Exponent::ZERO, small], small),
    ];
    let mut job = Script::new(target, 3, 1);
    for (position, (announced, agreed)) in (0..).zip(rounds) {
        let at = At::new(0, if position % 2 == 0 { Even } else { Odd }, position);
        let send = |job: &mut Script<'_>, worker: u16| {
            let header = Repr {
                next_exponent: announced[usize::from(worker)],
                ..job.contribution(worker, at)
            };
            let lanes = job.lanes(worker, at);
            job.send(worker, &header, &lanes)
        };
        assert_eq!(send(&mut job, 0), []);
        assert_eq!(send(&mut job, 1), []);
        let replies = send(&mut job, 2);
        job.assert_multicast(&replies, at);
        assert!(replies.iter().all(|reply| reply.result.next_exponent == agreed), "{replies:?}");
        // R-SLOT-4: a repeated result says the same.
        assert_eq!(send(&mut job, 1)[0].result.next_exponent, agreed);
    }
}

/// R-ECN-2: a mark on any contribution that is counted is in the result for all, also when it is
/// sent again, and in no other round's.
pub fn marks_are_told_to_all(target: &mut dyn Target) {
    // Per round: the first transmissions that come marked, and whether worker 0 sends its
    // contribution again, marked, before the round is complete.
    let rounds = [
        ([false, true, false], false, true),
        ([false; 3], false, false),
        ([true; 3], false, true),
        ([false; 3], true, false),
        ([false, false, true], true, true),
        ([false; 3], false, false),
    ];
    let mut job = Script::new(target, 3, 1);
    for (position, (marks, again, told)) in (0..).zip(rounds) {
        let at = At::new(0, if position % 2 == 0 { Even } else { Odd }, position);
        let send = |job: &mut Script<'_>, worker: u16, marked| {
            let header = Repr { marked, ..job.contribution(worker, at) };
            let lanes = job.lanes(worker, at);
            job.send(worker, &header, &lanes)
        };
        assert_eq!(send(&mut job, 0, marks[0]), []);
        if again {
            // R-SLOT-4
            assert_eq!(send(&mut job, 0, true), []);
        }
        assert_eq!(send(&mut job, 1, marks[1]), []);
        let replies = send(&mut job, 2, marks[2]);
        job.assert_multicast(&replies, at);
        assert!(
            replies.iter().all(|reply| reply.result.marked == told),
            "round {position}: {replies:?}"
        );
        assert_eq!(send(&mut job, 1, false)[0].result.marked, told, "round {position}");
    }
}

/// R-PKT-2, R-STREAM-4: with EMPTY contributions only (a barrier) the round completes, with an
/// EMPTY result.
pub fn a_round_of_empty_contributions(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 1);
    // The copies hold lanes of earlier rounds, which must not show.
    let rounds = [At::new(0, Even, 0), At::new(0, Odd, 1)];
    for at in rounds {
        job.silent(0, at);
        job.completes(1, at);
    }
    let at = At::new(0, Even, 2);
    let header = |job: &Script<'_>, worker| Repr { empty: true, ..job.contribution(worker, at) };
    let first = header(&job, 0);
    assert_eq!(job.send(0, &first, &[]), []);
    let second = header(&job, 1);
    let replies = job.send(1, &second, &[]);
    assert_eq!(replies.len(), 2);
    assert!(
        replies.iter().all(|reply| reply.result.empty && reply.lanes.is_empty()),
        "{replies:?}"
    );
}

/// R-PKT-2, R-STREAM-5: one worker has lanes and the others send EMPTY (a broadcast): its lanes are
/// the result, in any order of arrival.
pub fn one_contributor(target: &mut dyn Target) {
    let mut job = Script::new(target, 3, 1);
    for (position, order) in (0..).zip([[0u16, 1, 2], [1, 0, 2], [1, 2, 0]]) {
        let at = At::new(0, if position % 2 == 0 { Even } else { Odd }, position);
        let expected = job.lanes(0, at);
        let mut replies = Vec::new();
        for worker in order {
            assert_eq!(replies, [], "the round is complete before all have come");
            let header = Repr { empty: worker != 0, ..job.contribution(worker, at) };
            replies = job.send(worker, &header, &expected);
        }
        assert_eq!(replies.len(), 3);
        assert!(
            replies.iter().all(|reply| !reply.result.empty && reply.lanes == expected),
            "{replies:?}"
        );
    }
}

/// R-SLOT-3, R-SLOT-4, and R-PISA-17 in a pipeline: lanes go to the worker that `delivery` names,
/// EMPTY results to the others, also when a result is repeated.
pub fn delivery_to_one_worker(target: &mut dyn Target) {
    let owner = WorkerId(1);
    let mut job = Script::new(target, 3, 1);
    let at = At::new(0, Even, 0);
    let expected = job.sum(at);
    let send = |job: &mut Script<'_>, worker| {
        let header = Repr { delivery: Delivery::One(owner), ..job.contribution(worker, at) };
        let lanes = job.lanes(worker, at);
        job.send(worker, &header, &lanes)
    };
    assert_eq!(send(&mut job, 0), []);
    assert_eq!(send(&mut job, 1), []);
    let mut replies = send(&mut job, 2);
    replies.sort_by_key(|reply| reply.to);
    let check = |reply: &Reply, worker: u16| {
        assert_eq!((reply.to, reply.result.delivery), (WorkerId(worker), Delivery::One(owner)));
        let lanes = if reply.to == owner { &expected[..] } else { &[] };
        assert_eq!((reply.result.empty, &reply.lanes[..]), (reply.to != owner, lanes));
    };
    assert_eq!(replies.len(), 3);
    for (worker, reply) in (0..).zip(&replies) {
        check(reply, worker);
    }
    for worker in [2, 1, 0] {
        let replies = send(&mut job, worker);
        assert_eq!(replies.len(), 1);
        check(&replies[0], worker);
        assert_eq!(replies[0].result.direction, Direction::Result(Some(WorkerId(worker))));
    }
}
