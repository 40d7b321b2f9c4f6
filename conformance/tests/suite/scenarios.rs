//! Whole jobs, drawn from seeds. A failure prints its seed; `NETFOLD_SEED=<seed>` runs that one
//! alone.

use netfold_conformance::fabric::Setup;
use netfold_conformance::scenario::{FaultProfile, run_all};
use netfold_conformance::{InnerFaults, Scenario, ShardTarget, TreeTarget};
use netfold_num::{Arithmetic, ByteOrder, Overflow};
use netfold_wire::WorkerId;
use netfold_worker::{Counters, Plan, Priority};

/// Every result is right, every worker gets the same bits, and everything comes to an end, whatever
/// the network does.
#[test]
fn results_are_right_under_heavy_faults() {
    let mut retransmissions = 0;
    run_all(FaultProfile::Heavy, 0..1_000, |scenario| {
        let fabric = scenario.run()?;
        let Setup { workers, flows, .. } = scenario.setup;
        for worker in 0..workers {
            retransmissions +=
                (0..flows).map(|flow| fabric.counters(worker, flow).retransmissions).sum::<u64>();
        }
        Ok(())
    });
    // Otherwise there would have been no faults. One scenario alone may well have none.
    assert!(
        retransmissions > 2_500 || std::env::var_os("NETFOLD_SEED").is_some(),
        "{retransmissions} retransmissions"
    );
}

/// R-SLOT-8: copies of packets that turn up many rounds later change nothing. A switch without the
/// rule fails this test with wrong sums, since a single version bit takes such a copy for a new
/// contribution.
#[test]
fn results_are_right_under_late_duplicates() {
    run_all(FaultProfile::LateDuplicates, 0..1_000, |scenario| scenario.run().map(drop));
}

/// R-TREE: the same on switches that compose, whatever the links between them do.
#[test]
fn results_are_right_through_trees() {
    let faults = InnerFaults { loss: 0.1, duplication: 0.05, delay: 0.2 };
    let mut repeated = 0;
    for profile in [FaultProfile::Heavy, FaultProfile::LateDuplicates] {
        run_all(profile, 0..400, |scenario| {
            let mut fabric = scenario.run_on_trees(faults)?;
            repeated += fabric
                .targets()
                .flat_map(|tree| tree.shards())
                .map(|shard| shard.counters().folds_repeated)
                .sum::<u64>();
            Ok(())
        });
    }
    // Otherwise nothing was lost between switches.
    assert!(
        repeated > 2_500 || std::env::var_os("NETFOLD_SEED").is_some(),
        "{repeated} folds were repeated"
    );
}

/// R-RES: switches are lost in the middle of calls, and the job goes on at others with the same
/// results: once and correct, the same bits at every worker, in every arithmetic.
#[test]
fn results_are_right_when_switches_are_lost() {
    let mut replayed = 0;
    for profile in [FaultProfile::Clean, FaultProfile::Heavy, FaultProfile::LateDuplicates] {
        run_all(profile, 0..500, |scenario| {
            replayed += scenario.run_with_losses(1, ShardTarget::default)?.replayed();
            Ok(())
        });
    }
    // Otherwise no switch was lost at a moment that matters.
    assert!(
        replayed > 250 || std::env::var_os("NETFOLD_SEED").is_some(),
        "{replayed} rounds were replayed"
    );
}

/// The same with trees of switches.
#[test]
fn results_are_right_when_trees_are_lost() {
    let faults = InnerFaults { loss: 0.05, duplication: 0.05, delay: 0.1 };
    let mut replayed = 0;
    run_all(FaultProfile::Heavy, 0..500, |scenario| {
        let mut tree = scenario.seed..;
        let target = || TreeTarget::new(tree.next().unwrap_or(0), faults, 1 << 20);
        replayed += scenario.run_with_losses(TreeTarget::MOST_SWITCHES, target)?.replayed();
        Ok(())
    });
    assert!(
        replayed > 250 || std::env::var_os("NETFOLD_SEED").is_some(),
        "{replayed} rounds were replayed"
    );
}

/// R-SLOT-11, R-WORK-4: where FPISA-A overflows its registers, blocks are folded again, whatever is
/// lost, also at other switches (R-RES-10). The inputs' sums are exact in every order, in `native`
/// as in registers that do not overflow.
#[test]
fn blocks_that_overflow_are_folded_again() {
    for (profile, lost) in
        [(FaultProfile::Clean, false), (FaultProfile::Heavy, false), (FaultProfile::Heavy, true)]
    {
        let mut refolded = 0;
        run_all(profile, 0..500, |scenario| {
            if scenario.setup.terms.arithmetic != Arithmetic::FpisaA
                || scenario.setup.terms.overflow != Overflow::Native
            {
                return Ok(());
            }
            let fabric = if lost {
                scenario.run_with_losses(1, ShardTarget::default)?
            } else {
                scenario.run()?
            };
            let counted = |flow| fabric.counters(0, flow).blocks_refolded;
            refolded += (0..scenario.setup.flows).map(counted).sum::<u64>();
            Ok(())
        });
        assert!(
            refolded > 25 || std::env::var_os("NETFOLD_SEED").is_some(),
            "{refolded} blocks were folded again"
        );
    }
}

/// R-NUM-19: no result depends on the order of its lanes' bytes. Packets are as long in either
/// order and meet the same faults, so that folds come in the same order of arrival, and the results
/// are the same bits in every arithmetic.
#[test]
fn results_do_not_depend_on_the_byte_order() {
    run_all(FaultProfile::Heavy, 0..500, |scenario| {
        let results = |byte_order| {
            let mut scenario = scenario.clone();
            scenario.setup.terms.byte_order = byte_order;
            Ok::<Vec<_>, String>(scenario.run()?.results().map(<[u8]>::to_vec).collect())
        };
        if results(ByteOrder::Little)? == results(ByteOrder::Network)? {
            Ok(())
        } else {
            Err("the byte order changes results".to_owned())
        }
    });
}

/// R-WORK-5, R-TIME-1: on a perfect network nothing is sent twice, and a stream agrees on exponents
/// in rounds of their own only where it starts.
#[test]
fn a_continuing_stream_costs_no_extra_rounds() {
    run_all(FaultProfile::Clean, 0..500, |scenario| {
        scenario.run()?.check_sent_once(|flow, counted| {
            let (blocks, exponent_rounds) = rounds_of(scenario, flow);
            let rounds = blocks + exponent_rounds + counted.class_rounds + counted.blocks_refolded;
            Counters { rounds, exponent_rounds, ..counted }
        })
    });
}

/// Blocks on a flow, and those of them that cannot be looked ahead to: in a slot's first round, and
/// after a first round that was sent before the call was made, as happens to the call before it if
/// that has no exponents to wait for.
fn rounds_of(scenario: &Scenario, flow: u16) -> (u64, u64) {
    let of =
        |priority, exchange, slots| rounds_of_stream(scenario, flow, (priority, exchange), slots);
    let bulk = of(Priority::Bulk, false, scenario.setup.slots);
    let urgent = of(Priority::Urgent, false, scenario.setup.urgent_slots);
    let exchange = of(Priority::Bulk, true, scenario.setup.exchange_slots);
    (bulk.0 + urgent.0 + exchange.0, bulk.1 + urgent.1 + exchange.1)
}

fn rounds_of_stream(
    scenario: &Scenario,
    flow: u16,
    stream: (Priority, bool),
    slots: u16,
) -> (u64, u64) {
    let Setup { workers, flows, terms, payload_bytes, exchange_slots, .. } = scenario.setup;
    let mut blocks: Vec<(usize, bool)> = Vec::new();
    for (number, planned) in scenario.calls.iter().enumerate() {
        let plan = Plan::new(planned.call, terms.arithmetic, workers, WorkerId(0), payload_bytes)
            .expect("a call of the job");
        let plan = if exchange_slots > 0 { plan.in_exchange_slots() } else { plan };
        let is_here = (plan.priority(), plan.is_exchange()) == stream;
        let blocks_here = if is_here { plan.blocks() } else { 0 };
        let here = (u64::from(flow)..blocks_here).step_by(flows.into());
        let agrees = |index| plan.needs_exponent() && !plan.block(index).raw;
        blocks.extend(here.map(|index| (number, agrees(index))));
    }
    let window = usize::from(slots);
    let cannot_look_ahead = |&(position, &(call, needs_exponent)): &(usize, &(usize, bool))| {
        let sent_too_early = || {
            let (before, waits) = blocks[position - window];
            position < 2 * window && !waits && before != call
        };
        needs_exponent && (position < window || sent_too_early())
    };
    (blocks.len() as u64, blocks.iter().enumerate().filter(cannot_look_ahead).count() as u64)
}

/// The same in the simulator: racks, queues that overflow, cores that take time, bursts of losses,
/// and flipped bits, on every level of a tree.
#[test]
fn results_are_right_in_simulated_racks() {
    let (mut lost, mut full) = (0, 0);
    for profile in [FaultProfile::Clean, FaultProfile::Heavy, FaultProfile::LateDuplicates] {
        run_all(profile, 0..200, |scenario| {
            let links = scenario.run_in_time()?.link_counters();
            lost += links.lost;
            full += links.dropped_queue;
            Ok(())
        });
    }
    // Otherwise there were no faults.
    assert!(
        lost > 2_500 || std::env::var_os("NETFOLD_SEED").is_some(),
        "{lost} lost, {full} found queues full"
    );
}
