//! Swarms whose jobs bring operations of users along: seeds of which all jobs call every
//! collective, and some with standby switches, draw them.

use netfold_num::{ElementType, UserOperation};
use netfold_sim::{Behaviour, JobSetup, SampleOperation};
use netfold_wire::WorkerId;
use netfold_worker::{Call, Collective, Plan, Reduction};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::Blame;
use crate::scenario::PlannedCall;

/// Gives jobs operations, by which some of their calls fold.
pub(super) fn add(
    seed: u64,
    jobs: &mut [JobSetup],
    levels: usize,
    plans: &mut [Vec<PlannedCall>],
    blames: &[Blame],
) {
    if seed % 5 != 1 && seed % 25 != 14 {
        return;
    }
    let rng = &mut Pcg64Mcg::seed_from_u64(seed ^ 0x6f70_6572_6174);
    for ((job, calls), blame) in jobs.iter_mut().zip(plans).zip(blames) {
        let calls_otherwise = |exception: &_| {
            matches!(exception, netfold_sim::Exception { does: Behaviour::Calls { .. }, .. })
        };
        let is_told = blame.overflow.is_some() || job.exceptions.iter().any(calls_otherwise);
        if is_told || rng.random_bool(0.3) {
            continue;
        }
        job.operations = operations(rng, levels);
        for planned in calls {
            if rng.random_bool(0.8) {
                fold_typed(rng, job, planned);
            }
        }
    }
}

/// Some operations, in any order; not one that trees refuse where there is one (R-OP-26).
fn operations(rng: &mut Pcg64Mcg, levels: usize) -> Vec<SampleOperation> {
    let mut all = SampleOperation::ALL.to_vec();
    all.retain(|operation| levels == 1 || *operation != SampleOperation::Difference);
    all.shuffle(rng);
    all.truncate(rng.random_range(1..=all.len()));
    all
}

/// Has a call that folds go by an operation of the job, as long as it was.
fn fold_typed(rng: &mut Pcg64Mcg, job: &JobSetup, planned: &mut PlannedCall) {
    let number = rng.random_range(0..job.operations.len());
    let operation = job.operations[number];
    let fold = operation.fold(UserOperation::new(number as u8).expect("a number of an operation"));
    let collective = match planned.call.collective {
        folds @ (Collective::AllReduce
        | Collective::Reduce { .. }
        | Collective::ReduceScatter
        | Collective::ExScan) => folds,
        Collective::Scan if fold.traits().has_map => Collective::ExScan,
        Collective::Scan => Collective::Scan,
        _ => return,
    };
    let bytes = planned.call.elements * planned.call.element_type.bytes() as u64;
    let element = u64::from(fold.element_bytes());
    let call = Call {
        collective,
        reduction: Reduction::User(fold),
        element_type: ElementType::U8,
        elements: bytes / element * element,
        ..planned.call
    };
    let plan = |rank| {
        Plan::new(call, job.terms.arithmetic, job.workers, WorkerId(rank), job.payload_bytes)
    };
    let input = |rank| {
        let (bytes, _) = plan(rank).expect("a call of the job").input_output_elements();
        let mut input = vec![0; bytes as usize];
        rng.fill_bytes(&mut input);
        input
    };
    if plan(0).is_ok() {
        planned.inputs = (0..job.workers).map(input).collect();
        planned.call = call;
    }
}
