//! Rules of a slot beyond SwitchML's cases: one worker, disagreement, old duplicates.

use netfold_num::{ElementType, Operation};
use netfold_wire::Pool::{Even, Odd};
use netfold_wire::{CallDigest, Delivery, Kind, Repr, WorkerId};

use crate::script::{At, Script};
use crate::target::{Mismatch, Target};

/// R-SLOT-3 with n = 1: every contribution completes its round, and is answered when it comes
/// again.
pub fn a_round_of_one_worker_is_complete_at_once(target: &mut dyn Target) {
    let mut job = Script::new(target, 1, 1);
    for round in 0..4 {
        let at = At::new(0, if round % 2 == 0 { Even } else { Odd }, round);
        job.completes(0, at);
        job.answered(0, at);
    }
}

/// R-SLOT-7: a contribution that differs from its round in any part of the key is reported with
/// both workers, once, and nothing is folded afterwards.
pub fn contributions_that_disagree_are_reported(target: &mut dyn Target) {
    let differences: [fn(&mut Repr); 7] = [
        |header| header.call = CallDigest(0xBAD),
        |header| header.elements -= 1,
        |header| (header.element_type, header.elements) = (ElementType::I64, 4),
        |header| header.operation = Operation::Max,
        |header| header.delivery = Delivery::One(WorkerId(0)),
        |header| (header.kind, header.call) = (Kind::Exponents, CallDigest(0xBAD)),
        |header| header.position = header.position.after(2),
    ];
    for difference in differences {
        let mut job = Script::new(target, 3, 2);
        let at = At::new(1, Even, 1);
        job.silent(2, at);
        let mut header = job.contribution(0, at);
        difference(&mut header);
        let lanes = vec![0; header.lane_bytes() / 4];
        assert_eq!(job.send(0, &header, &lanes), [], "{header:?}");
        let number = job.admitted().job;
        let expected = Mismatch { job: number, first: WorkerId(2), second: WorkerId(0) };
        assert_eq!(job.target().mismatches(), [expected], "{header:?}");
        // The job has failed: what would complete the round does not.
        job.silent(0, at);
        job.silent(1, at);
        assert_eq!(job.target().mismatches(), []);
        job.target().release(number);
    }
}

/// R-SLOT-8: a contribution that the network held back for two rounds of its copy does not start a
/// round.
pub fn a_delayed_duplicate_does_not_start_a_round(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 1);
    let rounds = [At::new(0, Even, 0), At::new(0, Odd, 1), At::new(0, Even, 2), At::new(0, Odd, 3)];
    for (at, worker) in rounds.iter().zip([0, 1, 0, 1]) {
        job.silent(worker, *at);
        job.completes(1 - worker, *at);
    }
    // The seen bits of the first and third round are clear again, so that only the order of rounds
    // tells the duplicates.
    for worker in 0..2 {
        job.silent(worker, rounds[0]);
        job.silent(worker, rounds[1]);
        job.silent(worker, rounds[2]);
    }
    // Neither copy has changed: the newest result is still there, and the next round is right.
    job.answered(0, rounds[3]);
    let next = At::new(0, Even, 4);
    job.silent(0, next);
    job.completes(1, next);
}

/// R-SLOT-8: nor does it join, or spoil, a newer round that is open; and it is no mismatch.
pub fn a_delayed_duplicate_does_not_join_an_open_round(target: &mut dyn Target) {
    let mut job = Script::new(target, 3, 1);
    let rounds = [At::new(0, Even, 0), At::new(0, Odd, 1), At::new(0, Even, 2)];
    for at in &rounds[..2] {
        job.silent(0, *at);
        job.silent(1, *at);
        job.completes(2, *at);
    }
    job.silent(0, rounds[2]);
    for worker in 0..3 {
        job.silent(worker, rounds[0]);
    }
    job.silent(1, rounds[2]);
    job.silent(2, rounds[0]);
    job.completes(2, rounds[2]);
    assert_eq!(job.target().mismatches(), []);
}

/// R-SLOT-8: the order of rounds is that of serial numbers, so that a stream goes on across 2^32
/// blocks.
pub fn positions_wrap_around(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 1);
    let first = u32::MAX - 1;
    let rounds: Vec<At> = (0..4u32)
        .map(|round| At::new(0, if round % 2 == 0 { Even } else { Odd }, first.wrapping_add(round)))
        .collect();
    for at in &rounds {
        job.silent(0, *at);
        job.completes(1, *at);
    }
    // Duplicates from before the wrap are older than what comes after it.
    job.silent(0, rounds[0]);
    job.silent(1, rounds[1]);
    job.answered(1, rounds[3]);
}
