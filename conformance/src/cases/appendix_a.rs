//! The worked example of SwitchML, appendix A (figure 8).

use netfold_wire::Pool::{Even, Odd};

use crate::script::{At, Script};
use crate::target::Target;

/// Three workers on one slot: an update lost on the way up, a result lost on the way down, and the
/// flip to the other pool. The names t0 to t15 are the paper's, which counts workers from 1.
pub fn worked_example_of_appendix_a(target: &mut dyn Target) {
    const W1: u16 = 0;
    const W2: u16 = 1;
    const W3: u16 = 2;
    let mut job = Script::new(target, 3, 4);
    let offset = At::new(3, Even, 3);
    let next_offset = At::new(3, Odd, 7);

    // t0, t1: the updates of w1 and w2 are folded.
    job.silent(W1, offset);
    job.silent(W2, offset);
    // t2, t3: that of w3 is lost, so the switch sees nothing of it.
    // t4, t5: w1 and w2 time out and send again; the switch ignores both.
    job.silent(W1, offset);
    job.silent(W2, offset);
    // t6: w3 sends again and completes the round; there are three responses.
    job.completes(W3, offset);
    // t7: the one for w1 is lost.
    // t8: w1 sends again, and gets a unicast response, which arrives at t11.
    job.answered(W1, offset);
    // t9, t10, t12, t13: w2 and w3 have their responses and go on to the next offset, in the other
    // pool.
    job.silent(W2, next_offset);
    job.silent(W3, next_offset);
    // The slot of the old offset is a shadow copy as long as w1 has not moved on.
    job.answered(W1, offset);
    // t14, t15: w1 goes on, which completes the next round and sets the shadow copy free.
    job.completes(W1, next_offset);

    // The roles are flipped: pool 0 takes the offset after that, and pool 1 answers for the one
    // before.
    let third_offset = At::new(3, Even, 11);
    job.silent(W1, third_offset);
    job.answered(W2, next_offset);
    job.silent(W2, third_offset);
    job.completes(W3, third_offset);
}
