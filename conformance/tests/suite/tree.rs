//! Every case against trees of switches that lose nothing between them, and what is particular to
//! trees.

use netfold_conformance::{At, InnerFaults, Script, TreeTarget};
use netfold_wire::{CallDigest, Pool};

fn tree(seed: u64) -> TreeTarget {
    TreeTarget::new(seed, InnerFaults::NONE, 1 << 20)
}

/// Seeds of trees of many shapes.
const SEEDS: std::ops::Range<u64> = 0..40;

mod small {
    netfold_conformance::conformance_cases!(tree super::tree(3));
}

mod large {
    netfold_conformance::conformance_cases!(tree super::tree(super::of_six_switches()));
}

fn of_six_switches() -> u64 {
    SEEDS
        .into_iter()
        .find(|seed| tree(*seed).shards().count() == 6)
        .expect("one of the seeds gives a tree of six")
}

/// R-SLOT-7, R-TREE-2: wherever in the tree two different calls meet, it is reported once, and
/// nobody gets a result.
#[test]
fn different_calls_are_reported_wherever_they_meet() {
    for seed in SEEDS {
        let mut target = tree(seed);
        let mut script = Script::new(&mut target, 5, 2);
        let at = At::new(0, Pool::Even, 0);
        for worker in 0..5 {
            let mut header = script.contribution(worker, at);
            if worker == 3 {
                header.call = CallDigest(0xBAD);
            }
            let lanes = vec![0; header.lane_bytes() / 4];
            assert_eq!(script.send(worker, &header, &lanes), [], "seed {seed}, worker {worker}");
        }
        assert_eq!(script.target().mismatches().len(), 1, "seed {seed}");
    }
}
