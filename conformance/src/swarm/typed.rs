//! Swarms whose jobs bring operations of users along: seeds of which all jobs call every
//! collective, and some with standby switches, draw them.

use std::collections::BTreeMap;

use netfold_num::{ElementType, UserOperation};
use netfold_sim::{Behaviour, JobSetup, SampleOperation};
use netfold_switch::TypedOperation;
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
    // R-OP-44: an operation with a codec is folded at one switch.
    let coded = seed % 25 == 16 && levels == 1;
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
        if coded {
            job.operations = vec![SampleOperation::Coded];
        }
        for planned in calls {
            if rng.random_bool(0.8) {
                fold_typed(rng, job, planned);
            }
        }
    }
}

/// Some operations without a codec that fold, in any order; not one that trees refuse where there
/// is one (R-OP-26).
fn operations(rng: &mut Pcg64Mcg, levels: usize) -> Vec<SampleOperation> {
    let mut all = SampleOperation::ALL.to_vec();
    all.retain(|operation| operation.folds() && !operation.has_codec());
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
        Collective::Scan if fold.traits().finishes() => Collective::ExScan,
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

/// Gives jobs at one switch an operation with state, which answers the requests of some of their
/// calls (R-OP-32). Such jobs are neither resumable nor elastic (R-OP-34).
pub(super) fn add_state(
    seed: u64,
    jobs: &mut [JobSetup],
    levels: usize,
    plans: &mut [Vec<PlannedCall>],
    blames: &[Blame],
) {
    if !matches!(seed % 25, 7 | 17) || levels > 1 {
        return;
    }
    let rng = &mut Pcg64Mcg::seed_from_u64(seed ^ 0x0073_7461_7465);
    for ((job, calls), blame) in jobs.iter_mut().zip(plans).zip(blames) {
        let can_have = !job.terms.resumable && !job.terms.elastic && job.trees.len() == 1;
        if !can_have || blame.overflow.is_some() || blame.odd_call.is_some() {
            continue;
        }
        job.operations = vec![SampleOperation::Counters];
        job.flows = 1;
        // R-CTRL-23: enough for exchange slots.
        job.slots = job.slots.max((8 * job.workers).next_power_of_two());
        let mut counters = BTreeMap::new();
        for planned in calls {
            if rng.random_bool(0.9) {
                look_aside(rng, job, planned, &mut counters);
            }
        }
    }
}

/// Has a call be answered from counters, of which all workers name the same at an element.
fn look_aside(
    rng: &mut Pcg64Mcg,
    job: &JobSetup,
    planned: &mut PlannedCall,
    counters: &mut BTreeMap<u32, u32>,
) {
    let number = UserOperation::new(0).expect("a job has an operation");
    let fold = SampleOperation::Counters.fold(number);
    let elements = rng.random_range(1..=64_u32);
    // Each counter once in a call: its blocks are complete in any order.
    let first = rng.random_range(0..16);
    let mut inputs = vec![Vec::new(); job.workers.into()];
    for name in first..first + elements {
        let counter = counters.entry(name).or_default();
        let before = *counter;
        for input in &mut inputs {
            let number: u32 = rng.random();
            *counter = counter.wrapping_add(number);
            input.extend([name, number, before].map(u32::to_le_bytes).as_flattened());
        }
    }
    planned.inputs = inputs;
    planned.call = Call {
        collective: Collective::LookAside,
        reduction: Reduction::User(fold),
        element_type: ElementType::U8,
        elements: u64::from(elements) * u64::from(fold.element_bytes()),
        priority: None,
    };
}
