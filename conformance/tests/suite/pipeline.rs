//! The switch as hardware, in the checked interpreter: every case, and whole jobs.

use netfold_conformance::scenario::{FaultProfile, run_on_pipelines};
use netfold_conformance::{HardwareTarget, JobShape, LANES, Target};
use netfold_num::Protocol;
use netfold_wire::Terms;

netfold_conformance::conformance_cases!(pipeline HardwareTarget::checked(LANES));

/// R-PISA-16, R-PISA-24: a program is for jobs of one protocol.
#[test]
fn a_job_of_another_protocol_is_refused() {
    for (own, other) in [(Protocol::Shadow, Protocol::Acked), (Protocol::Acked, Protocol::Shadow)] {
        let mut target = HardwareTarget::checked_for(LANES, own);
        let shape = JobShape::on(target.packets(), 2, 4, 4 * u32::from(LANES));
        let of = |protocol| JobShape { terms: Terms { protocol, ..shape.terms }, ..shape };
        let refused = target.admit(&of(other)).unwrap_err();
        assert!(refused.contains(&format!("protocol = \"{own}\"")), "{refused}");
        target.admit(&of(own)).unwrap();
    }
}

/// R-PISA-10: workers get right results of jobs of every kind that pipelines fold, whatever the
/// network does, and no packet asks a pipeline for what it cannot do.
#[test]
fn results_are_right_under_every_fault_profile() {
    for (profile, seeds) in [
        (FaultProfile::Clean, 0..100),
        (FaultProfile::Heavy, 0..300),
        (FaultProfile::LateDuplicates, 0..300),
    ] {
        run_on_pipelines(profile, Protocol::Shadow, seeds);
    }
}

/// R-PISA-24: the same with results that are acknowledged.
#[test]
fn results_that_are_acknowledged_are_right_under_every_fault_profile() {
    for (profile, seeds) in [
        (FaultProfile::Clean, 0..10),
        (FaultProfile::Heavy, 0..60),
        (FaultProfile::LateDuplicates, 0..60),
    ] {
        run_on_pipelines(profile, Protocol::Acked, seeds);
    }
}
