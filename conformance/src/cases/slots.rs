//! SwitchML's eight slot cases, under the names that its own test suite gives them. A *set* there
//! is a pool here.

use netfold_wire::Pool::{Even, Odd};

use crate::script::{At, Script};
use crate::target::Target;

/// Every worker contributes once to a slot of the first set, and all get the sum (R-SLOT-2,
/// R-SLOT-3).
pub fn basic_reduction(target: &mut dyn Target) {
    let mut job = Script::new(target, 3, 2);
    let at = At::new(0, Even, 0);
    job.silent(0, at);
    job.silent(1, at);
    job.completes(2, at);
}

/// The same in the other set, in another order of workers.
pub fn other_set(target: &mut dyn Target) {
    let mut job = Script::new(target, 3, 2);
    let at = At::new(1, Odd, 1);
    job.silent(2, at);
    job.silent(0, at);
    job.completes(1, at);
}

/// Both sets of a slot hold a round each: the second begins while the first one's result is still
/// with some workers only.
pub fn both_sets(target: &mut dyn Target) {
    let mut job = Script::new(target, 3, 2);
    let (first, second) = (At::new(0, Even, 0), At::new(0, Odd, 2));
    job.silent(0, first);
    job.silent(1, first);
    job.completes(2, first);
    job.silent(1, second);
    job.answered(0, first);
    job.silent(0, second);
    job.completes(2, second);
}

/// A set is used again after the other one's round is complete, and nothing of its old sum remains
/// (R-SLOT-2).
pub fn slot_reuse(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 1);
    for round in 0..6 {
        let at = At::new(0, if round % 2 == 0 { Even } else { Odd }, round);
        job.silent((round % 2) as u16, at);
        job.completes(1 - (round % 2) as u16, at);
    }
}

/// A contribution that comes again while its round is incomplete is not folded twice (R-SLOT-4).
pub fn ignored_retransmission(target: &mut dyn Target) {
    let mut job = Script::new(target, 3, 1);
    let at = At::new(0, Even, 0);
    job.silent(0, at);
    job.silent(0, at);
    job.silent(1, at);
    job.silent(0, at);
    job.silent(1, at);
    job.completes(2, at);
}

/// A contribution that comes again after its round is answered to its sender alone (R-SLOT-4).
pub fn retransmission_after_reduction(target: &mut dyn Target) {
    let mut job = Script::new(target, 3, 1);
    let at = At::new(0, Even, 0);
    job.silent(0, at);
    job.silent(1, at);
    job.completes(2, at);
    for worker in [1, 0, 2, 1] {
        job.answered(worker, at);
    }
}

/// While the next round is open in the other set, a worker that missed the result still gets it:
/// the copy is the shadow (R-SLOT-6).
pub fn retransmission_from_previous_set(target: &mut dyn Target) {
    let mut job = Script::new(target, 3, 1);
    let (previous, next) = (At::new(0, Even, 0), At::new(0, Odd, 1));
    job.silent(0, previous);
    job.silent(1, previous);
    job.completes(2, previous);
    job.silent(1, next);
    job.silent(2, next);
    job.answered(0, previous);
    job.answered(0, previous);
    job.completes(0, next);
}

/// A set is used again while retransmissions of the round before in the other set, and of this one,
/// arrive.
pub fn slot_reuse_with_retransmission(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 1);
    let rounds = [At::new(0, Even, 0), At::new(0, Odd, 1), At::new(0, Even, 2)];
    job.silent(0, rounds[0]);
    job.completes(1, rounds[0]);
    job.silent(1, rounds[1]);
    job.answered(0, rounds[0]);
    job.completes(0, rounds[1]);
    job.silent(0, rounds[2]);
    job.answered(1, rounds[1]);
    job.silent(0, rounds[2]);
    job.completes(1, rounds[2]);
    job.answered(0, rounds[2]);
}
