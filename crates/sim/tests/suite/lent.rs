//! Jobs whose slots are lent (R-STREAM-21, R-CTRL-25), in virtual time.

use std::collections::BTreeMap;

use netfold_num::{Arithmetic, ElementType, Operation, Protocol};
use netfold_sim::{
    Behaviour, Calibration, CallSetup, Cluster, CollectiveName, Content, Cut, Exception, Faults,
    JobSetup, Leaks, Management, Outcome, Setup, Stall, Stop, SwitchCrash, SwitchSetup, Time,
};
use netfold_wire::{IntegrityKind, Terms};
use netfold_worker::Priority;
use proptest::prelude::*;

use crate::support::{TIMEOUT_US, layer};

/// Bytes of lanes of a packet.
const PAYLOAD: u32 = 4096;

/// Elements of a block.
const BLOCK: u64 = PAYLOAD as u64 / 4;

/// Blocks of a call that is long: more than the slots that stay.
const LONG: u64 = 40;

/// Most slots that stay: an eighth of 256 bulk ones, and 64 urgent ones.
const STAY: u64 = 32 + 64;

/// An interval between two looks at the calls in progress (R-CTRL-12).
const PULSE_US: u64 = TIMEOUT_US / 8;

fn sum(elements: u64, start_us: u64) -> CallSetup {
    CallSetup { elements, element_type: ElementType::I32, start_us, ..CallSetup::default() }
}

fn job(first_host: u32, workers: u16, calls: Vec<CallSetup>) -> JobSetup {
    JobSetup {
        name: format!("at host {first_host}"),
        first_host,
        lent_slots: true,
        payload_bytes: PAYLOAD,
        content: Content::Real,
        terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(IntegrityKind::Checksum) },
        timeout_ms: TIMEOUT_US / 1000,
        calls,
        ..JobSetup::new(workers)
    }
}

/// A switch with eight hosts.
fn setup(memory_bytes: u64, jobs: Vec<JobSetup>) -> Setup {
    let switches = SwitchSetup { memory_bytes, ..SwitchSetup::default() };
    let management = Some(Management::default());
    Setup { management, switches, ..Setup::new(vec![layer(8)], jobs) }
}

/// Checks that every worker has left after all its calls, that no call has a wrong result, and that
/// nothing is left at the switch.
fn all_went_well(cluster: &mut Cluster, setup: &Setup) {
    let left = cluster.leaks();
    assert_eq!(left, Leaks::default(), "{:#?}", cluster.log());
    for (number, job) in setup.jobs.iter().enumerate() {
        for rank in 0..job.workers {
            let record = cluster.worker(number, rank).expect("a record");
            let (_, outcome) = record.outcome.as_ref().expect("the worker has ended");
            assert_eq!(*outcome, Outcome::Left, "rank {rank} of {}", job.name);
            assert_eq!(record.calls.len(), job.calls.len());
            assert!(record.calls.values().all(|(_, result)| result.is_ok()));
        }
    }
    let report = cluster.report();
    let wrong = report.jobs.iter().flat_map(|job| &job.calls).find_map(|call| call.wrong.as_ref());
    assert_eq!(wrong, None);
}

/// R-CTRL-25: a job takes little memory until it has a long call, and again when it has had none
/// for two looks at its calls; another long call finds the slots again.
#[test]
fn memory_follows_the_calls() {
    const SECOND_US: u64 = 1_000_000;
    let calls = vec![
        sum(BLOCK, SECOND_US),
        sum(LONG * BLOCK, 2 * SECOND_US),
        sum(LONG * BLOCK, 4 * SECOND_US),
        sum(BLOCK, 5 * SECOND_US),
    ];
    let setup = setup(64 << 20, vec![job(0, 3, calls)]);
    let mut cluster = Cluster::new(&setup, &Calibration::built_in(), 1).unwrap();
    let mut memory_at = |at_us| {
        cluster.run_until(Time::from_us(at_us));
        cluster.leaks().memory_bytes
    };
    let short = memory_at(SECOND_US + 10_000);
    // Both copies of a slot, and what belongs to it and to those that are lent.
    assert!((16 * 2 * 4096..STAY * 3 * 4096).contains(&short), "{short}");
    let long = memory_at(2 * SECOND_US + 10_000);
    assert!(long > 2 * short, "{long}");
    assert_eq!(memory_at(2 * SECOND_US + PULSE_US / 2), long);
    assert_eq!(memory_at(2 * SECOND_US + 3 * PULSE_US), short);
    assert_eq!(memory_at(4 * SECOND_US + 10_000), long);
    assert_eq!(memory_at(5 * SECOND_US - 1), short);
    cluster.run();
    all_went_well(&mut cluster, &setup);
}

/// A job that has asked for its slots, and has their memory until its only call is done.
fn large(slots: u16, start_us: u64, until_us: u64) -> JobSetup {
    let calls = vec![sum(BLOCK, until_us)];
    JobSetup { lent_slots: false, slots, start_us, ..job(6, 2, calls) }
}

/// R-CTRL-25: slots that would take more than half of the memory that is free are not lent, and the
/// calls go through those that the job has. Later they are.
#[test]
fn calls_without_lent_slots_are_carried_out() {
    let to_all = |start_us| CallSetup {
        collective: CollectiveName::AllToAll,
        element_type: ElementType::U8,
        operation: Operation::Copy,
        ..sum(4 * LONG * BLOCK, start_us)
    };
    let long = |start_us| sum(LONG * BLOCK, start_us);
    let (full_us, free_us) = (10_000, 300_000);
    let calls = vec![
        long(full_us),
        to_all(full_us),
        sum(BLOCK, full_us),
        long(full_us),
        sum(BLOCK, free_us),
        to_all(free_us),
        long(free_us),
    ];
    let setup = setup(39 << 20, vec![job(0, 3, calls), large(4096, 1_000, 200_000)]);
    let mut cluster = Cluster::new(&setup, &Calibration::built_in(), 1).unwrap();
    cluster.keep_log();
    cluster.run();
    all_went_well(&mut cluster, &setup);
    assert!(cluster.worker(0, 0).unwrap().exchange_slots > 0);
    // Each of the three workers hears that it does not have them for three calls, and that it has
    // them for the first of the others.
    let answers = |call: u64, lent: bool| {
        let answer = format!("call: {call}, lent: {lent} ");
        let heard =
            cluster.log().iter().filter(|line| line.contains("rank") && line.contains(&answer));
        heard.count()
    };
    assert_eq!([0, 1, 2].map(|call| answers(call, false)), [3; 3]);
    assert_eq!([3, 4].map(|call| answers(call, true)), [3, 0]);
}

#[test]
fn slots_are_lent_by_a_management_plane() {
    let unmanaged = Setup { management: None, ..setup(64 << 20, vec![job(0, 2, Vec::new())]) };
    let refused = Cluster::new(&unmanaged, &Calibration::built_in(), 1).err();
    let refused = refused.expect("nobody decides on the slots").to_string();
    assert!(refused.contains("lent_slots") && refused.contains("[management]"), "{refused}");
}

/// A call: its kind, length and priority, and the time from the one before, in microseconds.
fn calls() -> impl Strategy<Value = Vec<CallSetup>> {
    let kind = prop_oneof![
        5 => Just(CollectiveName::AllReduce),
        2 => Just(CollectiveName::AllToAll),
        1 => Just(CollectiveName::Barrier),
        6 => prop::sample::select(vec![
            CollectiveName::AllGather,
            CollectiveName::Broadcast,
            CollectiveName::ExScan,
            CollectiveName::Gather,
            CollectiveName::Prefixes,
            CollectiveName::Reduce,
            CollectiveName::ReduceScatter,
            CollectiveName::Scan,
            CollectiveName::ScanTotal,
            CollectiveName::Scatter,
        ]),
    ];
    let blocks = prop_oneof![Just(0), Just(1), 2..LONG, LONG..2 * LONG];
    let priority = prop_oneof![3 => Just(None), 1 => Just(Some(Priority::Urgent)), 1 => Just(Some(Priority::Bulk))];
    let pause = prop_oneof![4 => Just(0), 2 => 0..2_000_u64, 2 => PULSE_US / 2..4 * PULSE_US];
    let call = (kind, blocks, priority, pause);
    prop::collection::vec(call, 1..12).prop_map(|calls| {
        let mut start_us = 0;
        let setup = |(collective, blocks, priority, pause)| {
            start_us += pause;
            let moves = matches!(
                collective,
                CollectiveName::AllGather
                    | CollectiveName::AllToAll
                    | CollectiveName::Broadcast
                    | CollectiveName::Gather
                    | CollectiveName::Scatter
            );
            let barrier = collective == CollectiveName::Barrier;
            let call = sum(if barrier { 0 } else { blocks * BLOCK / 2 }, start_us);
            let of_bytes = CallSetup {
                element_type: ElementType::U8,
                operation: Operation::Copy,
                elements: 4 * call.elements,
                ..call.clone()
            };
            CallSetup { collective, priority, ..if moves { of_bytes } else { call } }
        };
        calls.into_iter().map(setup).collect()
    })
}

/// A host that is cut off (`true`), or stands still, with its beginning and end in microseconds.
type Pause = (bool, u64, u64);

/// Pauses of some of the eight hosts, at most one each: what a host says after several of them, one
/// upon the other, may come later than the time-out.
fn pauses() -> impl Strategy<Value = BTreeMap<u32, Pause>> {
    let pause = (any::<bool>(), 0..6 * PULSE_US, 1..3 * PULSE_US);
    let pause = pause.prop_map(|(cut, from_us, for_us)| (cut, from_us, from_us + for_us));
    prop::collection::btree_map(0..8_u32, pause, 0..8)
}

/// Jobs of as many flows as their switch has pipelines, the first of them by acknowledged results
/// or not, on a network that loses, doubles and holds up these shares of its packets.
fn disturbed(
    memory_bytes: u64,
    mut jobs: Vec<JobSetup>,
    (acked, flows): (bool, u16),
    (loss, duplication, reordering): (f64, f64, f64),
) -> Setup {
    jobs[0].terms.protocol = if acked { Protocol::Acked } else { Protocol::Shadow };
    jobs.iter_mut().for_each(|job| job.flows = flows);
    let mut setup = setup(memory_bytes, jobs);
    setup.switches.pipelines = flows;
    setup.layers[0].faults =
        Faults { loss, duplication, reordering, reordering_ns: 3_000_000, ..Faults::default() };
    setup
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// R-STREAM-21, R-CTRL-25: whatever jobs call, and whenever, on a network that loses, doubles
    /// and holds up, and is cut for a while, and with workers that stand still, every worker folds
    /// the same calls in the same rounds, and no memory is freed below a round: all results are
    /// right.
    #[test]
    fn results_are_right(
        (first, second, third) in (calls(), calls(), calls()),
        late in 0..3 * PULSE_US,
        faults in (0.0..0.02, 0.0..0.02, 0.0..0.1),
        acked_flows in (any::<bool>(), 1..3_u16),
        floats in any::<[bool; 3]>(),
        memory in prop_oneof![(2_u64 << 20)..(8 << 20), (39_u64 << 20)..(64 << 20)],
        taken in prop::option::of((6..15_u64, 1_000..6 * PULSE_US)),
        pauses in pauses(),
        seed in any::<u64>(),
    ) {
        let mut jobs = vec![job(0, 3, first), job(3, 2, second), job(5, 3, third)];
        match taken {
            Some((sixteenths, until_us)) => {
                let slots = memory / 16 * sixteenths / u64::from(2 * PAYLOAD);
                jobs.push(large(1 << slots.ilog2(), 1_000, until_us));
            }
            // One worker makes its calls later than the others.
            None => jobs[2].exceptions.push(Exception { rank: 1, does: Behaviour::Late(late) }),
        }
        for job in jobs.iter_mut().zip(floats).filter_map(|(job, floats)| floats.then_some(job)) {
            // Lanes with an exponent that workers agree on, which fold in no exchange.
            job.terms.arithmetic = Arithmetic::Block;
            let sums = job.calls.iter_mut().filter(|call| call.operation == Operation::Sum);
            sums.for_each(|call| call.element_type = ElementType::F32);
        }
        let mut setup = disturbed(memory, jobs, acked_flows, faults);
        for (host, (cut, from_us, until_us)) in pauses {
            if cut {
                setup.cuts.push(Cut { layer: 0, child: host, from_us, until_us });
            } else {
                setup.stalls.push(Stall { host, from_us, until_us });
            }
        }
        let mut cluster = Cluster::new(&setup, &Calibration::built_in(), seed).unwrap();
        cluster.keep_log();
        cluster.run();
        // A job that asks for more than is free is refused.
        setup.jobs.truncate(3);
        all_went_well(&mut cluster, &setup);
    }

    /// R-RES-2, R-RES-6: the same when the switch ends in the middle of it, and starts again with
    /// nothing of what it knew.
    #[test]
    fn results_are_right_when_the_switch_starts_again(
        (first, second) in (calls(), calls()),
        faults in (0.0..0.02, 0.0..0.02, 0.0..0.1),
        acked_flows in (any::<bool>(), 1..3_u16),
        memory in prop_oneof![(4_u64 << 20)..(8 << 20), (39_u64 << 20)..(64 << 20)],
        (at_us, for_us) in (1_000..6 * PULSE_US, 1_000..PULSE_US),
        seed in any::<u64>(),
    ) {
        // Nobody has left before it is back: a job without some of its workers does not go on.
        let and_then = |mut calls: Vec<CallSetup>| {
            let last_us = calls.last().map_or(0, |call| call.start_us);
            calls.push(sum(BLOCK, last_us.max(at_us + for_us + 2 * PULSE_US)));
            calls
        };
        let mut jobs = vec![job(0, 3, and_then(first)), job(3, 4, and_then(second))];
        jobs.iter_mut().for_each(|job| job.terms.resumable = true);
        let mut setup = disturbed(memory, jobs, acked_flows, faults);
        setup.switch_crashes = vec![SwitchCrash {
            switch: 0,
            at_us,
            how: Stop::Killed,
            restarts_us: Some(at_us + for_us),
        }];
        let mut cluster = Cluster::new(&setup, &Calibration::built_in(), seed).unwrap();
        cluster.keep_log();
        cluster.run();
        all_went_well(&mut cluster, &setup);
    }
}
