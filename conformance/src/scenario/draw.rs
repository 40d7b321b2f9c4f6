//! The scenario that a seed makes: job, network, calls and times.

use netfold_num::{Arithmetic, ByteOrder, ElementType, Operation, Overflow};
use netfold_wire::{IntegrityKind, Terms, WorkerId};
use netfold_worker::{Call, Collective, Plan, Priority, Reduction, Timing};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{FaultProfile, PlannedCall, Scenario, inputs};
use crate::fabric::{Faults, Partition, Setup};

/// Round trips of a scenario are below 1 ms, and its timeouts between half a millisecond and 50 ms.
const TIMING: Timing = Timing { rto_initial_us: 2_000, rto_min_us: 500, rto_max_us: 50_000 };

/// Most elements of a vector.
const MAX_ELEMENTS: u64 = 400;

/// Collectives that are drawn where not any is.
const FIRST_COLLECTIVES: usize = 8;

/// Most workers of an all-to-all.
const MOST_IN_PAIRS: u16 = 12;

pub(super) fn scenario(seed: u64, profile: FaultProfile) -> Scenario {
    let rng = &mut Pcg64Mcg::seed_from_u64(seed);
    let setup = setup(rng, profile);
    with(seed, profile, setup, rng, |_| true)
}

/// The same of calls that a switch as hardware folds (R-PISA-16).
pub(super) fn for_pipelines(seed: u64, profile: FaultProfile) -> Scenario {
    let rng = &mut Pcg64Mcg::seed_from_u64(seed);
    let payload_bytes = *[8, 16, 32, 64, 128, 256].choose(rng).expect("there are sizes");
    let drawn = setup(rng, profile);
    let setup = Setup {
        payload_bytes,
        terms: Terms {
            arithmetic: Arithmetic::Block,
            overflow: Overflow::Error,
            byte_order: ByteOrder::Network,
            integrity: IntegrityKind::Transport,
            ..drawn.terms
        },
        ..drawn
    };
    let alone = setup.workers == 1;
    with(seed, profile, setup, rng, |call| {
        let sums = matches!(call.reduction, Reduction::Average | Reduction::Fold(Operation::Sum));
        let lanes = matches!(call.element_type, ElementType::I32 | ElementType::F32);
        // Without elements that travel it is carried out as a barrier (R-STREAM-7).
        let of_others = matches!(call.collective, Collective::Scan | Collective::ExScan);
        let folds = !call.collective.only_moves()
            && call.collective != Collective::Barrier
            && call.elements > 0
            // The first prefix travels as bytes.
            && call.collective != Collective::Prefixes
            && !(alone && of_others);
        sums && lanes && folds
    })
}

/// Calls of a job, of those that are wanted.
fn with(
    seed: u64,
    profile: FaultProfile,
    setup: Setup,
    rng: &mut Pcg64Mcg,
    wanted: impl Fn(&Call) -> bool,
) -> Scenario {
    let count = rng.random_range(1..=6);
    let mut clock_us = vec![0; setup.workers.into()];
    let straggler = rng.random_range(0..usize::from(setup.workers));
    let calls = (0..count)
        .map(|_| {
            let call = std::iter::repeat_with(|| call(rng, &setup, true, |_| true))
                .find(&wanted)
                .expect("there is always another");
            if profile != FaultProfile::Clean {
                come_late(rng, &mut clock_us, straggler);
            }
            PlannedCall {
                call,
                in_place: call.collective.can_be_in_place() && rng.random_bool(0.5),
                inputs: inputs::draw(rng, &setup, &call),
                at_us: clock_us.clone(),
            }
        })
        .collect();
    Scenario { seed, setup, calls }
}

/// Returns the times at which the switches are lost in a run of a scenario with its last call at
/// `last_us`. There is at least one. They fall while something is under way, even if not much is.
pub(super) fn losses(seed: u64, last_us: u64) -> Vec<u64> {
    let rng = &mut Pcg64Mcg::seed_from_u64(seed ^ 0x5317_C4ED);
    (0..rng.random_range(1..=4)).map(|_| rng.random_range(0..last_us + 3_000)).collect()
}

fn setup(rng: &mut Pcg64Mcg, profile: FaultProfile) -> Setup {
    let workers =
        if rng.random_bool(0.05) { rng.random_range(9..=64) } else { rng.random_range(1..=8) };
    let proofs = IntegrityKind::ALL;
    let some = |rng: &mut Pcg64Mcg, most: f64| {
        if rng.random_bool(0.5) { rng.random_range(0.0..most) } else { 0.0 }
    };
    let faults = match profile {
        FaultProfile::Clean => Faults::NONE,
        FaultProfile::Heavy => Faults {
            loss: some(rng, 0.3),
            duplicate: some(rng, 0.3),
            corrupt: some(rng, 0.1),
            delay_us: 20..=rng.random_range(20..=400),
            late: some(rng, 0.05),
            late_us: 500..=5_000,
            partition: rng.random_bool(0.2).then(|| {
                let from_us = rng.random_range(0..10_000);
                let during_us = from_us..=from_us + rng.random_range(0..100_000);
                Partition { worker: rng.random_range(0..workers), during_us }
            }),
        },
        // Round trips take 50 to 200 us, so that a copy may be tens of rounds old when it arrives.
        FaultProfile::LateDuplicates => Faults {
            loss: some(rng, 0.02),
            delay_us: 25..=rng.random_range(25..=100),
            late: rng.random_range(0.05..0.4),
            late_us: 50..=rng.random_range(100..=6_000),
            ..Faults::NONE
        },
    };
    let setup = Setup {
        workers,
        flows: rng.random_range(1..=3),
        slots: rng.random_range(1..=16),
        urgent_slots: rng.random_range(1..=16),
        exchange_slots: 0,
        payload_bytes: *[8, 16, 24, 32, 64, 128, 256].choose(rng).expect("there are sizes"),
        terms: Terms {
            arithmetic: *Arithmetic::ALL.choose(rng).expect("there are arithmetics"),
            byte_order: *ByteOrder::ALL.choose(rng).expect("there are orders"),
            ..Terms::new(*proofs.choose(rng).expect("there are kinds"))
        },
        timing: TIMING,
        faults,
    };
    // The seeds that tests name draw nothing else for them.
    let exchange_slots = setup.urgent_slots / 4;
    let refolds = setup.terms.arithmetic.has_registers() && setup.slots.is_multiple_of(2);
    Setup {
        terms: Terms {
            overflow: if refolds { Overflow::Native } else { Overflow::Error },
            ..setup.terms
        },
        exchange_slots,
        ..setup
    }
}

/// Lets time pass between a worker's calls: usually no time, sometimes a little, at one worker
/// sometimes a lot.
fn come_late(rng: &mut Pcg64Mcg, clock_us: &mut [u64], straggler: usize) {
    for at_us in clock_us.iter_mut() {
        if rng.random_bool(0.3) {
            *at_us += rng.random_range(0..3_000);
        }
    }
    if rng.random_bool(0.2) {
        clock_us[straggler] += rng.random_range(0..100_000);
    }
}

/// Draws a call that the job's arithmetic has, among those that `admits` names. With `any`, its
/// collective is one of all, else one of the first [`FIRST_COLLECTIVES`].
pub(crate) fn call(
    rng: &mut Pcg64Mcg,
    setup: &Setup,
    any: bool,
    admits: fn(&Call) -> bool,
) -> Call {
    let root = WorkerId(rng.random_range(0..setup.workers));
    let collectives = [
        Collective::AllReduce,
        Collective::AllReduce,
        Collective::AllReduce,
        Collective::Reduce { root },
        Collective::Broadcast { root },
        Collective::AllGather,
        Collective::ReduceScatter,
        Collective::Barrier,
        Collective::AllReduce,
        Collective::AllReduce,
        Collective::Gather { root },
        Collective::Scatter { root },
        Collective::AllToAll,
        Collective::Scan,
        Collective::ExScan,
    ];
    let collectives = if any { &collectives } else { &collectives[..FIRST_COLLECTIVES] };
    loop {
        let collective = *collectives.choose(rng).expect("there are collectives");
        // The seeds that tests name draw nothing else for these.
        let collective = match collective {
            Collective::Scan if root.0 % 2 == 1 => Collective::Prefixes,
            Collective::ExScan if root.0 % 2 == 1 => Collective::ScanTotal,
            other => other,
        };
        let operation =
            *[Operation::Sum, Operation::Sum, Operation::Min, Operation::Max, Operation::Product]
                .choose(rng)
                .expect("there are operations");
        let choices = [None, Some(Priority::Urgent), Some(Priority::Bulk)];
        let priority = *choices.choose(rng).expect("there are priorities");
        let average = operation == Operation::Sum && rng.random_bool(0.3);
        let call = Call {
            collective,
            reduction: if average { Reduction::Average } else { Reduction::Fold(operation) },
            element_type: *ElementType::ALL.choose(rng).expect("there are types"),
            elements: elements(rng, setup, collective),
            priority,
        };
        let call = match collective {
            Collective::Barrier => Call { priority, ..Call::BARRIER },
            _ if collective.only_moves() => Call { element_type: ElementType::U8, ..call },
            _ => call,
        };
        let Setup { terms, workers, payload_bytes, .. } = *setup;
        // It has a round for each pair, and each round a packet of every worker.
        let is_long = collective == Collective::AllToAll && workers > MOST_IN_PAIRS;
        if !is_long
            && Plan::new(call, terms.arithmetic, workers, WorkerId(0), payload_bytes).is_ok()
            && admits(&call)
        {
            return call;
        }
    }
}

fn elements(rng: &mut Pcg64Mcg, setup: &Setup, collective: Collective) -> u64 {
    // Every worker has a part of this length, or a vector of its own in the stream.
    let parts = match collective {
        Collective::AllReduce
        | Collective::Reduce { .. }
        | Collective::Broadcast { .. }
        | Collective::Barrier
        | Collective::Elsewhere { .. } => 1,
        Collective::AllToAll => u64::from(setup.workers).pow(2),
        _ => setup.workers.into(),
    };
    let lanes = u64::from(setup.payload_bytes) / 4;
    let window = u64::from(setup.slots) * u64::from(setup.flows) * lanes;
    let most = (3 * window).min(MAX_ELEMENTS) / parts;
    match rng.random_range(0..8) {
        0 => 0,
        1 => 1,
        // Whole blocks only.
        2 => most / lanes * lanes,
        _ => rng.random_range(0..=most),
    }
}
