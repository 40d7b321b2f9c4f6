//! Swarms in which operations of users trap: three seeds of 25 draw them.

use netfold_num::{ElementType, UserOperation};
use netfold_sim::{JobSetup, SampleOperation};
use netfold_worker::{Call, Collective, Reduction};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::Blame;
use super::blame::Trap;
use super::typed::{exchanging, make};
use crate::scenario::PlannedCall;

/// Sums of so many workers fit, of numbers below this.
const SMALL: u32 = 1 << 20;

/// Has calls of jobs fold by an operation that traps where a sum does not fit, and one call of some
/// jobs have such a sum.
pub(super) fn add(
    seed: u64,
    jobs: &mut [JobSetup],
    levels: usize,
    plans: &mut [Vec<PlannedCall>],
    blames: &mut [Blame],
) {
    if !matches!(seed % 25, 3 | 18 | 23) {
        return;
    }
    let rng = &mut Pcg64Mcg::seed_from_u64(seed ^ 0x7472_6170);
    for ((job, calls), blame) in jobs.iter_mut().zip(plans).zip(blames) {
        // Without a worker that is lost there may be no trap.
        let may_trap = job.workers > 1 && !job.terms.elastic;
        if !may_trap || blame.overflow.is_some() || blame.odd_call.is_some() {
            continue;
        }
        job.operations = vec![SampleOperation::CheckedSum];
        if rng.random_bool(0.5) {
            job.operations.insert(0, SampleOperation::MappedSum);
        }
        if levels == 1 && rng.random_bool(0.5) {
            exchanging(job);
        }
        for planned in &mut *calls {
            if rng.random_bool(0.5) {
                fold_checked(rng, job, planned);
            }
        }
        if rng.random_bool(0.5) {
            let call = rng.random_range(0..calls.len());
            fold_checked(rng, job, &mut calls[call]);
            let byte = overflow(rng, &mut calls[call]);
            blame.trap = Some(Trap {
                job: job.name.clone(),
                operation: SampleOperation::CheckedSum.name(),
                call: call as u64,
                byte,
                block_bytes: job.payload_bytes,
            });
        }
    }
}

/// Has a call fold by the last operation of the job, sums that fit.
fn fold_checked(rng: &mut Pcg64Mcg, job: &JobSetup, planned: &mut PlannedCall) {
    let number = UserOperation::new(job.operations.len() as u8 - 1).expect("an operation's number");
    let fold = SampleOperation::CheckedSum.fold(number);
    let root = netfold_wire::WorkerId(rng.random_range(0..job.workers));
    let collectives = [
        Collective::AllReduce,
        Collective::Reduce { root },
        Collective::ReduceScatter,
        Collective::Scan,
        Collective::ExScan,
    ];
    // An exscan of two workers adds nothing.
    let few = if job.workers > 2 { 0 } else { 1 };
    let collective = *collectives[..collectives.len() - few].choose(rng).expect("there are some");
    let call = Call {
        collective,
        reduction: Reduction::User(fold),
        element_type: ElementType::U8,
        elements: u64::from(fold.element_bytes()) * rng.random_range(1..=60),
        priority: planned.call.priority,
    };
    make(job, planned, call, |bytes| {
        for number in bytes.as_chunks_mut().0 {
            *number = rng.random_range(0..SMALL).to_le_bytes();
        }
    });
}

/// Has one sum of a call not fit as soon as the numbers of two workers are in it. Returns the place
/// of its first byte in the workers' vectors.
fn overflow(rng: &mut Pcg64Mcg, planned: &mut PlannedCall) -> u64 {
    let workers = planned.inputs.len();
    // Nobody gets what the last rank has for an exscan.
    let adding = workers - usize::from(planned.call.collective == Collective::ExScan);
    let second = rng.random_range(1..adding);
    let first = rng.random_range(0..second);
    let number = rng.random_range(0..planned.inputs[0].len() / 4);
    for (rank, input) in planned.inputs.iter_mut().enumerate() {
        let value = match rank {
            _ if rank == first => u32::MAX,
            _ if rank == second => 1,
            _ => 0,
        };
        input[4 * number..][..4].copy_from_slice(&value.to_le_bytes());
    }
    4 * number as u64
}
