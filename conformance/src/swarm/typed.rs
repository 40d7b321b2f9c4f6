//! Swarms whose jobs bring operations of users along: seeds of which all jobs call every
//! collective, and some with standby switches, draw them.

use std::collections::BTreeMap;

use netfold_num::{ElementType, Operation, UserOperation};
use netfold_sim::{Behaviour, JobSetup, SampleOperation};
use netfold_switch::TypedOperation;
use netfold_wire::WorkerId;
use netfold_worker::{Call, Collective, Plan, Priority, Reduction, UserFold};
use rand::seq::{IndexedRandom, SliceRandom};
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
    // Those that trap are for other seeds.
    all.retain(|operation| *operation != SampleOperation::CheckedSum);
    all.retain(|operation| levels == 1 || *operation != SampleOperation::Difference);
    all.shuffle(rng);
    all.truncate(rng.random_range(1..=all.len()));
    all
}

/// Has a call that folds go by an operation of the job, as long as it was.
fn fold_typed(rng: &mut Pcg64Mcg, job: &JobSetup, planned: &mut PlannedCall) {
    let fold = any_fold(rng, job);
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
    make(job, planned, call, |bytes| rng.fill_bytes(bytes));
}

/// Returns the fold by any operation of the job.
fn any_fold(rng: &mut Pcg64Mcg, job: &JobSetup) -> UserFold {
    let number = rng.random_range(0..job.operations.len());
    job.operations[number].fold(UserOperation::new(number as u8).expect("an operation's number"))
}

/// Makes a planned call this one, with inputs that `fill` writes in the order of ranks, if the job
/// can make it.
pub(super) fn make(
    job: &JobSetup,
    planned: &mut PlannedCall,
    call: Call,
    mut fill: impl FnMut(&mut [u8]),
) {
    let plan = |rank| {
        Plan::new(call, job.terms.arithmetic, job.workers, WorkerId(rank), job.payload_bytes)
    };
    let input = |rank| {
        let (bytes, _) = plan(rank).expect("a call of the job").input_output_elements();
        let mut input = vec![0; bytes as usize];
        fill(&mut input);
        input
    };
    if plan(0).is_ok() {
        planned.inputs = (0..job.workers).map(input).collect();
        planned.in_place &= call.collective.can_be_in_place();
        planned.call = call;
    }
}

/// R-CTRL-23: gives a job enough slots for exchange slots.
pub(super) fn exchanging(job: &mut JobSetup) {
    job.slots = job.slots.max((8 * job.workers).next_power_of_two());
}

/// Gives jobs at one switch exchange slots, in which most of their calls are all-to-alls, or fold
/// prefixes by operations (R-STREAM-16, R-STREAM-18 to R-STREAM-20).
pub(super) fn add_exchanges(
    seed: u64,
    jobs: &mut [JobSetup],
    levels: usize,
    plans: &mut [Vec<PlannedCall>],
    blames: &[Blame],
) {
    if !matches!(seed % 25, 2 | 12) || levels > 1 {
        return;
    }
    let rng = &mut Pcg64Mcg::seed_from_u64(seed ^ 0x0070_7265_6669_7865);
    for ((job, calls), blame) in jobs.iter_mut().zip(plans).zip(blames) {
        // The results of a job that goes on without a worker do not depend on ranks.
        if job.terms.elastic || blame.overflow.is_some() || blame.odd_call.is_some() {
            continue;
        }
        job.operations = operations(rng, levels);
        exchanging(job);
        for planned in calls {
            match rng.random_range(0..5) {
                0 => {}
                1 => all_to_all(rng, job, planned),
                _ => fold_prefixes(rng, job, planned),
            }
        }
    }
}

/// Has a call be an all-to-all that is bulk, however short it is.
fn all_to_all(rng: &mut Pcg64Mcg, job: &JobSetup, planned: &mut PlannedCall) {
    let call = Call {
        collective: Collective::AllToAll,
        reduction: Reduction::Fold(Operation::Copy),
        element_type: ElementType::U8,
        elements: rng.random_range(1..=4 * u64::from(job.payload_bytes)),
        priority: Some(Priority::Bulk),
    };
    make(job, planned, call, |bytes| rng.fill_bytes(bytes));
}

/// Has a call fold prefixes by an operation of the job.
fn fold_prefixes(rng: &mut Pcg64Mcg, job: &JobSetup, planned: &mut PlannedCall) {
    let fold = any_fold(rng, job);
    // A map is for folds that all travel (R-OP-28): in an exscan alone.
    let all = [Collective::ExScan, Collective::Scan, Collective::Prefixes, Collective::ScanTotal];
    let may_be = if fold.traits().finishes() { &all[..1] } else { &all };
    let collective = *may_be.choose(rng).expect("there are collectives");
    let call = Call {
        collective,
        reduction: Reduction::User(fold),
        element_type: ElementType::U8,
        elements: rng.random_range(1..=60) * u64::from(fold.element_bytes()),
        priority: *[None, Some(Priority::Bulk)].choose(rng).expect("there are priorities"),
    };
    make(job, planned, call, |bytes| rng.fill_bytes(bytes));
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
        exchanging(job);
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
