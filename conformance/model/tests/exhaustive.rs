//! Small jobs, gone through to the last state. Those of `make soak` are the same in larger sizes.

use std::num::NonZero;

use netfold_model::{Elastic, Job, Model};

/// Goes through all states of a job.
fn explore(name: &str, job: Job) {
    Model::new(job).explore(threads()).holds(name);
}

/// Goes through all states of an elastic job.
fn explore_elastic(name: &str, job: Job) {
    Elastic::new(job).explore(threads()).holds(name);
}

fn threads() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// R-SLOT, R-WORK: one slot, so that each block goes into the copy of the one before the last.
#[test]
fn a_slot() {
    explore("2 workers, 1 slot, 4 blocks", Job::new(&[0, 0], 1).all_reduce(4));
    explore("3 workers, 1 slot, 3 blocks", Job::new(&[0, 0, 0], 1).all_reduce(3));
    explore("1 worker, 1 slot, 4 blocks", Job::new(&[0], 1).all_reduce(4));
}

/// R-STREAM-3, R-WORK-7: two slots.
#[test]
fn two_slots() {
    explore("2 workers, 2 slots, 4 blocks", Job::new(&[0, 0], 2).all_reduce(4));
    explore("3 workers, 2 slots, 2 blocks", Job::new(&[0, 0, 0], 2).all_reduce(2));
}

/// R-TIME-6, R-TIME-7, R-SLOT-10: blocks that are asked for before they are sent again.
#[test]
fn queries_and_recalls() {
    explore("2 workers, 1 slot, 2 long blocks", Job::new(&[0, 0], 1).long_blocks().all_reduce(2));
}

/// R-TREE: leaves, and workers beside a leaf.
#[test]
fn trees() {
    explore("2 leaves with 1 worker each, 3 blocks", Job::new(&[1, 2], 1).all_reduce(3));
    explore("a worker beside a leaf, 3 blocks", Job::new(&[0, 1], 1).all_reduce(3));
    explore("2 leaves with 2 workers each, 1 block", Job::new(&[1, 1, 2, 2], 1).all_reduce(1));
    // R-TREE-4: queries of leaves, and recalls to them.
    explore(
        "2 leaves with 1 worker each, 1 long block",
        Job::new(&[1, 2], 1).long_blocks().all_reduce(1),
    );
}

/// R-WORK-4, R-WORK-5: Exponents, Classes and Values rounds.
#[test]
fn exponents_and_classes() {
    let block = || Job::new(&[0, 0], 1).block_arithmetic();
    explore("a NaN in the first block", block().all_reduce(2).special(0, 0, 1));
    explore("a NaN in the second block", block().all_reduce(2).special(0, 1, 0));
    explore("calls at any time", block().calls_at_any_time().all_reduce(1).all_reduce(1));
    explore(
        "through a leaf",
        Job::new(&[0, 1], 1).block_arithmetic().all_reduce(1).special(0, 0, 1),
    );
}

/// R-STREAM-4, R-STREAM-5, R-PKT-2: rounds with EMPTY contributions and EMPTY results.
#[test]
fn empty_packets() {
    explore("broadcast, reduce, barrier", Job::new(&[0, 0], 1).broadcast(0).reduce(1, 1).barrier());
    explore("the same through a leaf", Job::new(&[0, 1], 1).broadcast(1).reduce(0, 1).barrier());
    explore(
        "calls at any time",
        Job::new(&[0, 0], 1).calls_at_any_time().barrier().broadcast(1).reduce(0, 1),
    );
}

/// R-STREAM-16, R-SLOT-13: rounds whose operands are kept apart, in slots that are used again.
#[test]
fn exchanges() {
    let exchange = |homes: &[usize], slots| Job::new(homes, slots).exchange_slots();
    explore("exchange, 2 workers, 1 slot, 3 blocks", exchange(&[0, 0], 1).all_to_all(3));
    explore("exchange, 3 workers, 1 slot, 2 rounds", exchange(&[0, 0, 0], 1).all_to_all(1));
    explore("exchange, 2 slots, 3 blocks", exchange(&[0, 0], 2).all_to_all(3));
    explore("exchange, long blocks", exchange(&[0, 0], 1).long_blocks().all_to_all(2));
    explore(
        "exchange, calls at any time",
        exchange(&[0, 0], 1).calls_at_any_time().all_to_all(1).all_to_all(2),
    );
    explore("exchange, acked", exchange(&[0, 0], 1).acked().all_to_all(2));
    // R-STREAM-18
    explore("scan, 3 workers, 1 slot, 3 blocks", exchange(&[0, 0, 0], 1).scan(true, 3));
    explore("exscan, 3 workers, 2 blocks", exchange(&[0, 0, 0], 1).scan(false, 2));
    explore("scan, switches that are lost", exchange(&[0, 0], 1).losses(2).scan(true, 2));
    explore("exscan, acked, a loss", exchange(&[0, 0], 1).acked().losses(1).scan(false, 2));
    // R-STREAM-19, R-STREAM-20
    explore("prefixes, 3 workers, 2 blocks", exchange(&[0, 0, 0], 1).prefixes(2));
    explore("prefixes, 2 workers, 3 blocks", exchange(&[0, 0], 1).prefixes(3));
    explore("prefixes, acked, a loss", exchange(&[0, 0], 1).acked().losses(1).prefixes(2));
    explore("prefixes, switches that are lost", exchange(&[0, 0], 1).losses(2).prefixes(2));
    explore("scan with total, 3 workers, 2 blocks", exchange(&[0, 0, 0], 1).scan_total(2));
    explore("scan with total, a loss", exchange(&[0, 0, 0], 1).losses(1).scan_total(1));
    // R-RES-5: some have taken what the others have sent, and some have not.
    explore("exchange, switches that are lost", exchange(&[0, 0], 1).losses(2).all_to_all(2));
    explore("exchange, 3 workers, a loss", exchange(&[0, 0, 0], 1).losses(1).all_to_all(1));
    explore("exchange, acked, a loss", exchange(&[0, 0], 1).acked().losses(1).all_to_all(1));
}

/// R-OP-25, R-OP-28: operands that are folded in rank order when all have come, and results that
/// are mapped once, also where replays of them travel (R-RES-5).
#[test]
fn operations_of_users() {
    let job = |homes: &[usize], slots| Job::new(homes, slots);
    explore("3 workers, 1 slot, 2 blocks", job(&[0, 0, 0], 1).all_reduce_in_rank_order(2));
    explore("2 workers, 2 slots, 3 blocks", job(&[0, 0], 2).all_reduce_in_rank_order(3));
    explore("acked", job(&[0, 0], 1).acked().all_reduce_in_rank_order(2));
    explore("beside sums", job(&[0, 0], 1).all_reduce(1).all_reduce_in_rank_order(1).barrier());
    explore("switches that are lost", job(&[0, 0], 1).losses(2).all_reduce_in_rank_order(2));
    explore("acked, a loss", job(&[0, 0], 1).acked().losses(1).all_reduce_in_rank_order(2));
    // R-OP-13, R-OP-26: what a leaf folds is an operand of the root, where the result is mapped.
    explore("a worker before a leaf", job(&[0, 1, 1], 1).all_reduce_in_rank_order(1));
    explore("a worker behind a leaf", job(&[1, 1, 0], 1).all_reduce_in_rank_order(1));
    explore("a worker beside a leaf of one", job(&[0, 1], 1).all_reduce_in_rank_order(2));
    explore("leaves of 2 workers and 1", job(&[1, 1, 2], 1).all_reduce_in_rank_order(1));
    explore("a leaf, 2 blocks", job(&[0, 1, 1], 1).all_reduce_in_rank_order(2));
    explore("a leaf, acked", job(&[0, 1, 1], 1).acked().all_reduce_in_rank_order(1));
    explore("a leaf that is lost", job(&[0, 1, 1], 1).losses(1).all_reduce_in_rank_order(1));
    // R-RES-5: no replay lacks an operand, whoever has the result.
    explore("to one worker, losses", job(&[0, 0], 1).losses(2).reduce_in_rank_order(1, 2));
    explore("to one of 3, a loss", job(&[0, 0, 0], 1).losses(1).reduce_in_rank_order(0, 1));
}

/// R-ACK: one copy, and results that are acknowledged.
#[test]
fn acknowledgements() {
    let acked = |homes: &[usize], slots| Job::new(homes, slots).acked();
    explore("acked, 2 workers, 1 slot, 3 blocks", acked(&[0, 0], 1).all_reduce(3));
    explore("acked, 3 workers, 1 slot, 1 block", acked(&[0, 0, 0], 1).all_reduce(1));
    explore("acked, 2 workers, 2 slots, 2 blocks", acked(&[0, 0], 2).all_reduce(2));
    explore("acked, long blocks", acked(&[0, 0], 1).long_blocks().all_reduce(1));
    explore(
        "acked, exponents and classes",
        acked(&[0, 0], 1).block_arithmetic().all_reduce(1).special(0, 0, 1),
    );
    explore(
        "acked, to one worker, and from one",
        acked(&[0, 0], 1).broadcast(0).reduce(1, 1).barrier(),
    );
    explore("acked, through a leaf", acked(&[0, 1], 1).all_reduce(2));
    // R-ACK-5
    explore("acked, switches that are lost", acked(&[0, 0], 1).losses(1).all_reduce(2));
    explore("acked, a leaf that is lost", acked(&[0, 1], 1).losses(1).all_reduce(1));
}

/// R-RES: the switches are lost in whatever state, and the job goes on at others.
#[test]
fn switches_that_are_lost() {
    explore("2 workers, 1 slot, 2 blocks", Job::new(&[0, 0], 1).losses(2).all_reduce(2));
    explore("3 workers, 1 slot, 1 block", Job::new(&[0, 0, 0], 1).losses(1).all_reduce(1));
    explore("2 workers, 2 slots, 3 blocks", Job::new(&[0, 0], 2).losses(1).all_reduce(3));
    explore(
        "to one worker, and from one",
        Job::new(&[0, 0], 1).losses(1).reduce(1, 1).broadcast(0).barrier(),
    );
    explore(
        "exponents and classes",
        Job::new(&[0, 0], 1).losses(1).block_arithmetic().all_reduce(1).special(0, 0, 1),
    );
    explore(
        "calls at any time",
        Job::new(&[0, 0], 1).losses(1).calls_at_any_time().all_reduce(1).all_reduce(1),
    );
    explore("through a leaf", Job::new(&[0, 1], 1).losses(1).all_reduce(2));
    explore("long blocks", Job::new(&[0, 0], 1).losses(1).long_blocks().all_reduce(1));
}

/// R-SLOT-11, R-SLOT-12, R-RES-10: registers overflow in some orders of arrival, and blocks are
/// folded again.
#[test]
fn blocks_that_are_folded_again() {
    let refolds = |homes: &[usize], slots| Job::new(homes, slots).refolds();
    explore("refolds, 2 workers, 1 slot, 3 blocks", refolds(&[0, 0], 1).all_reduce(3));
    explore("refolds, 2 slots, 2 blocks", refolds(&[0, 0], 2).all_reduce(2));
    explore("refolds, acked", refolds(&[0, 0], 1).acked().all_reduce(1));
    explore("refolds, a worker beside a leaf", refolds(&[0, 1], 1).all_reduce(1));
    explore("refolds, to one worker", refolds(&[0, 0], 1).reduce(1, 1).all_reduce(1));
    explore("refolds, switches that are lost", refolds(&[0, 0], 1).losses(1).all_reduce(2));
    explore(
        "refolds to one worker, switches that are lost",
        refolds(&[0, 0], 1).losses(1).reduce(1, 2),
    );
}

/// R-RES-8 to R-RES-12: workers are lost in whatever state, and the others go on without them.
#[test]
fn workers_that_are_lost() {
    let job = |homes: &[usize], losses| Job::new(homes, 1).losses(losses);
    explore_elastic("2 workers losing 1, 1 call", job(&[0, 0], 1).all_reduce(1));
    explore_elastic("2 workers losing 1, 1 call of 2 blocks", job(&[0, 0], 1).all_reduce(2));
    explore_elastic("2 workers losing 1, 2 calls", job(&[0, 0], 1).all_reduce(1).all_reduce(1));
    explore_elastic("3 workers losing 1, 1 call", job(&[0, 0, 0], 1).all_reduce(1));
}

/// The state of a machine, as a search knows it, decides what the machine does. Otherwise the
/// search would pass over states.
#[test]
fn machines_in_the_same_state_go_on_in_the_same_way() {
    for job in [
        Job::new(&[0, 0], 1).long_blocks().all_reduce(2),
        Job::new(&[0, 0], 1)
            .block_arithmetic()
            .calls_at_any_time()
            .all_reduce(1)
            .all_reduce(1)
            .special(0, 0, 1),
        Job::new(&[0, 1], 1).long_blocks().all_reduce(1),
        Job::new(&[0, 0], 1).losses(1).all_reduce(2),
        Job::new(&[0, 0], 1).acked().losses(1).all_reduce(1),
        Job::new(&[0, 0], 1).refolds().losses(1).all_reduce(1),
    ] {
        Model::new(job).rechecked().explore(threads()).holds("with each step taken anew");
    }
}

/// Larger sizes: ten million states, and more.
mod soak {
    use super::*;

    #[test]
    #[ignore = "make soak"]
    fn slots() {
        explore("2 workers, 1 slot, 7 blocks", Job::new(&[0, 0], 1).all_reduce(7));
        explore("3 workers, 1 slot, 4 blocks", Job::new(&[0, 0, 0], 1).all_reduce(4));
        explore("4 workers, 1 slot, 2 blocks", Job::new(&[0, 0, 0, 0], 1).all_reduce(2));
        explore("2 workers, 2 slots, 6 blocks", Job::new(&[0, 0], 2).all_reduce(6));
        explore("3 workers, 2 slots, 3 blocks", Job::new(&[0, 0, 0], 2).all_reduce(3));
    }

    #[test]
    #[ignore = "make soak"]
    fn queries_and_recalls() {
        explore(
            "2 workers, 1 slot, 3 long blocks",
            Job::new(&[0, 0], 1).long_blocks().all_reduce(3),
        );
        explore(
            "3 workers, 1 slot, 2 long blocks",
            Job::new(&[0, 0, 0], 1).long_blocks().all_reduce(2),
        );
        explore(
            "2 workers, 2 slots, 2 long blocks",
            Job::new(&[0, 0], 2).long_blocks().all_reduce(2),
        );
    }

    #[test]
    #[ignore = "make soak"]
    fn trees() {
        explore("leaves with 2 workers and 1, 2 blocks", Job::new(&[1, 1, 2], 1).all_reduce(2));
        explore("2 workers beside a leaf, 2 blocks", Job::new(&[0, 0, 1], 1).all_reduce(2));
        explore(
            "a worker beside a leaf, 2 long blocks",
            Job::new(&[0, 1], 1).long_blocks().all_reduce(2),
        );
    }

    #[test]
    #[ignore = "make soak"]
    fn exponents_and_classes() {
        let late =
            |homes: &[usize], slots| Job::new(homes, slots).block_arithmetic().calls_at_any_time();
        explore(
            "calls at any time, a NaN",
            late(&[0, 0], 1).all_reduce(1).all_reduce(1).special(1, 0, 1),
        );
        explore("calls at any time through a leaf", late(&[0, 1], 1).all_reduce(1).all_reduce(1));
        explore(
            "calls at any time, 2 slots",
            late(&[0, 0], 2).all_reduce(1).all_reduce(1).special(0, 0, 1),
        );
    }

    /// R-SLOT-11, R-SLOT-12
    #[test]
    #[ignore = "make soak"]
    fn blocks_that_are_folded_again() {
        let refolds = |homes: &[usize], slots| Job::new(homes, slots).refolds();
        explore("refolds, acked, 2 blocks", refolds(&[0, 0], 1).acked().all_reduce(2));
        explore("refolds, a worker beside a leaf, 2 blocks", refolds(&[0, 1], 1).all_reduce(2));
        explore(
            "refolds, switches that are lost twice",
            refolds(&[0, 0], 1).losses(2).all_reduce(2),
        );
    }

    /// R-ACK-1, R-ACK-6: slots that are used again, beside others and by more workers.
    #[test]
    #[ignore = "make soak"]
    fn acknowledgements() {
        let acked = |homes: &[usize], slots| Job::new(homes, slots).acked();
        explore("acked, 3 workers, 1 slot, 2 blocks", acked(&[0, 0, 0], 1).all_reduce(2));
        explore("acked, 2 workers, 2 slots, 3 blocks", acked(&[0, 0], 2).all_reduce(3));
        explore("acked, 2 workers, 2 slots, 4 blocks", acked(&[0, 0], 2).all_reduce(4));
    }
}
