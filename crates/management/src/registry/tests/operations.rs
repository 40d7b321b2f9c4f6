//! Workers with operations of users: R-OP-23, R-OP-41.

use std::sync::Arc;

use super::*;
use crate::operations::claimed::{Claimed, MockLoader};

fn rig() -> Rig {
    let mut rig = Rig::new();
    rig.registry = rig
        .registry
        .run_operations(Arc::new(MockLoader { refused: Some(9), ..MockLoader::default() }));
    rig
}

fn with(rank: u16, number: u8) -> Join {
    Join { operations: vec![Claimed::Both.brought(number)], ..join("typed", rank, 2) }
}

impl Rig {
    /// Admits what has waited longest to be admitted.
    fn load(&mut self) {
        let (conn, loading) = self.loading.remove(0);
        self.registry.loaded(self.now_us, conn, loading.run(), &mut self.plane, 5 << 64 | 77);
        self.drain();
    }
}

/// While operations are admitted the worker has no place in its job, is kept, and others go on.
#[test]
fn a_worker_waits_for_its_operations_and_nobody_else_does() {
    let mut rig = rig();
    let slow = rig.join(with(0, 1));
    assert_eq!(rig.jobs(), []);
    let (_, welcome) = rig.running("other", 2);
    assert_eq!(welcome.workers, 2);
    // It hears from the switch, and is lost if it is silent, like any other.
    rig.advance_alive(2 * TIMEOUT_MS * 1000, &[slow]);
    assert!(rig.heartbeats(slow) >= 4 && !rig.closed.contains(&slow));
    assert!(matches!(rig.heard(slow)[..], [Message::Hello { .. }]));
    rig.load();
    assert_eq!(rig.heard(slow), [waiting(1, 2, [1])]);
    let second = rig.join(with(1, 1));
    rig.load();
    assert!(rig.welcome(slow).is_some() && rig.welcome(second).is_some());
    let admission = rig.plane.admitted.values().last().expect("the job runs");
    assert_eq!(admission.operations.len(), 1);
}

#[test]
fn what_is_refused_or_gone_meanwhile_leaves_nothing_behind() {
    let mut rig = rig();
    let refused = rig.join(with(0, 9));
    rig.load();
    let refusal = rig.refusal(refused);
    assert!(matches!(refusal, Refusal::Operation { number: 0, .. }), "{refusal}");
    // One goes, one is silent, and one whose rank is taken meanwhile is refused.
    let gone = rig.join(with(0, 1));
    rig.hang_up(gone);
    let silent = rig.join(with(0, 1));
    rig.advance(2 * TIMEOUT_MS * 1000);
    assert!(rig.closed.contains(&silent));
    let (first, second) = (rig.join(with(0, 1)), rig.join(with(0, 1)));
    for _ in 0..4 {
        rig.load();
    }
    assert_eq!(rig.heard(first).pop(), Some(waiting(1, 2, [1])));
    let refusal = rig.refusal(second);
    assert!(matches!(refusal, Refusal::RankTaken { .. }), "{refusal}");
    rig.hang_up(first);
    assert_eq!((rig.jobs(), rig.registry.poll_timeout()), (vec![], None));
}
