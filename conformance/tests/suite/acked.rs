//! Whole jobs of the acknowledged protocol (R-ACK), drawn from seeds as in `scenarios.rs`: the same
//! calls under the same faults.

use netfold_conformance::scenario::{FaultProfile, run_all};
use netfold_conformance::{InnerFaults, Scenario, ShardTarget, TreeTarget};
use netfold_num::{Arithmetic, Protocol};
use netfold_worker::Counters;

fn acked(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    scenario.setup.terms.protocol = Protocol::Acked;
    scenario
}

/// R-ACK-1: every result is right, every worker gets the same bits, and everything comes to an end,
/// whatever the network does.
#[test]
fn results_are_right_under_heavy_faults_and_late_duplicates() {
    for profile in [FaultProfile::Heavy, FaultProfile::LateDuplicates] {
        run_all(profile, 0..500, |scenario| acked(scenario).run().map(drop));
    }
}

/// R-TREE: leaves raise acknowledgements as they raise folds.
#[test]
fn results_are_right_through_trees() {
    let faults = InnerFaults { loss: 0.1, duplication: 0.05, delay: 0.2 };
    run_all(FaultProfile::Heavy, 0..500, |scenario| acked(scenario).run_on_trees(faults).map(drop));
}

/// R-ACK-5: what is not acknowledged when the switch is lost is acknowledged at the next one, or
/// need not be.
#[test]
fn results_are_right_when_switches_are_lost() {
    let mut replayed = 0;
    for profile in [FaultProfile::Clean, FaultProfile::Heavy, FaultProfile::LateDuplicates] {
        run_all(profile, 0..400, |scenario| {
            replayed += acked(scenario).run_with_losses(1, ShardTarget::default)?.replayed();
            Ok(())
        });
    }
    assert!(
        replayed > 250 || std::env::var_os("NETFOLD_SEED").is_some(),
        "{replayed} rounds were replayed"
    );
    let faults = InnerFaults { loss: 0.05, duplication: 0.05, delay: 0.1 };
    run_all(FaultProfile::Heavy, 0..250, |scenario| {
        let mut tree = scenario.seed..;
        let target = || TreeTarget::new(tree.next().unwrap_or(0), faults, 1 << 20);
        acked(scenario).run_with_losses(TreeTarget::MOST_SWITCHES, target).map(drop)
    });
}

/// R-ACK-3: the same bits as with shadow copies, in an arithmetic whose sums do not depend on the
/// order of arrival.
#[test]
fn results_are_those_of_shadow_copies() {
    run_all(FaultProfile::Heavy, 0..500, |scenario| {
        if scenario.setup.terms.arithmetic != Arithmetic::Block {
            return Ok(());
        }
        let results = |scenario: &Scenario| {
            Ok::<Vec<_>, String>(scenario.run()?.results().map(<[u8]>::to_vec).collect())
        };
        if results(scenario)? == results(&acked(scenario))? {
            Ok(())
        } else {
            Err("results differ".to_owned())
        }
    });
}

/// R-ACK-1: on a perfect network each round with data has one acknowledgement, and nothing is sent
/// twice.
#[test]
fn each_result_is_acknowledged_once() {
    run_all(FaultProfile::Clean, 0..500, |scenario| {
        acked(scenario).run()?.check_sent_once(|_, counted| Counters {
            rounds: 2 * counted.acknowledgements,
            ..counted
        })
    });
}
