//! The switch as hardware, in the checked interpreter: every case, and whole jobs.

use netfold_conformance::scenario::{FaultProfile, run_on_pipelines};
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
fn results_are_right_under_every_fault_profile() {
    for (profile, seeds) in
        [(FaultProfile::Clean, 0..100), (FaultProfile::Heavy, 0..300), (FaultProfile::LateDuplicates, 0..300)]
    {
        run_on_pipelines(profile, seeds);
    }
}
