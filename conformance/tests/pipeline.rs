//! The switch as hardware, in the checked interpreter: every case, and whole jobs.

use netfold_conformance::scenario::{Weather, run_on_pipelines};
use netfold_conformance::{HardwareTarget, JobShape, LANES, Target};
use netfold_num::Protocol;

netfold_conformance::conformance_cases!(pipeline HardwareTarget::checked(LANES));

/// R-PISA-16
#[test]
fn a_job_with_acknowledgements_is_refused() {
    let mut target = HardwareTarget::checked(LANES);
    let shape = JobShape::on(target.terms(), 2, 4, 4 * u32::from(LANES));
    let refused = target.admit(&JobShape { protocol: Protocol::Acked, ..shape }).unwrap_err();
    assert!(refused.contains("shadow copies"), "{refused}");
    target.admit(&shape).unwrap();
}

/// R-PISA-10: workers get right results of jobs of every kind that pipelines fold, whatever the network does, and no packet asks a pipeline for what it cannot do.
#[test]
fn results_are_right_in_every_weather() {
    for (weather, seeds) in [(Weather::Calm, 0..100), (Weather::Storm, 0..300), (Weather::Echoes, 0..300)] {
        run_on_pipelines(weather, seeds);
    }
}
