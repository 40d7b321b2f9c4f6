//! The examples do what they show.

use std::sync::Arc;

use netfold::{Switch, SwitchOptions};
use netfold_ops::{Loader, Policy};

#[path = "../../examples/all_reduce.rs"]
mod all_reduce;

#[path = "../../examples/hostile/modules.rs"]
mod hostile;

#[path = "../../examples/overlap.rs"]
mod overlap;

#[path = "../../examples/subgroups.rs"]
mod subgroups;

#[test]
fn all_reduce_prints_the_mean_of_all_ranks() {
    let means = all_reduce::in_threads(4).unwrap();
    assert_eq!(means, [1.5; 4]);
    all_reduce::main().unwrap();
}

#[test]
fn overlap_gives_the_gradient_of_all_workers() {
    let losses = overlap::train(2, 20).unwrap();
    assert!(losses.iter().all(|(first, last)| *last < 0.01 * first), "{losses:?}");
    assert_eq!(losses[0], losses[1], "the workers have the same model");
    overlap::main().unwrap();
}

#[test]
fn subgroups_tells_how_many_are_made_and_freed_in_a_second() {
    for transport in [netfold::Transport::Udp, netfold::Transport::Shm] {
        let subgroups::Rates { in_turn, made, freed } = subgroups::measure(transport, 20).unwrap();
        for rate in [in_turn, made, freed] {
            assert!(rate > 0.0 && rate.is_finite(), "{in_turn} {made} {freed}");
        }
    }
    subgroups::main().unwrap();
}

/// Modules of each kind are refused, or end their job: R-OP-16, R-OP-18, R-OP-19, R-OP-43.
#[test]
fn hostile_modules_are_refused_or_stopped() {
    for (kind, refused, trapped) in [
        ("work", 1, 0),
        ("functions", 1, 0),
        ("table", 1, 0),
        ("start", 1, 0),
        ("time", 0, 1),
        ("fill", 0, 1),
        ("recursion", 0, 1),
        ("memory", 0, 1),
        ("bounds", 0, 1),
        ("trap", 0, 1),
        ("near", 0, 1),
    ] {
        // Each kind has a switch that has not stopped another one lately (R-OP-42).
        let operations = Some(Arc::new(Loader::new(Policy::Any)) as Arc<_>);
        let options = SwitchOptions { operations, ..SwitchOptions::default() };
        let switch = Switch::start(&options).unwrap();
        let module = hostile::module(kind, 1).unwrap();
        let mut outcomes = hostile::Outcomes::default();
        hostile::harm(&switch.address().to_string(), module, 1, &mut outcomes);
        let hostile::Outcomes { joined, refused: told, trapped: ended } = outcomes;
        assert_eq!((joined, told, ended), (0, refused, trapped), "{kind}");
    }
}
