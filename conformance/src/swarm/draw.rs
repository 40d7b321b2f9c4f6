//! The swarm that a seed makes: topology, jobs, calls, and the faults that befall them.

use std::ops::Range;

use netfold_num::{Arithmetic, ByteOrder, ElementType, Operation, Overflow, Protocol};
use netfold_sim::{
    Behaviour, Bursts, CallSetup, CollectiveName, Content, Crash, Cut, Exception, Faults, JobSetup,
    Layer, Management, Setup, Stall, Stop, SwitchCrash, SwitchSetup, SwitchStall,
};
use netfold_wire::{IntegrityKind, Terms};
use netfold_worker::{Call, Collective, Plan, Priority, Reduction, Timing};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::spare;
use super::wide::{self, Extent};
use super::{Blame, FORMING_MS, Planned, Swarm, UNTIL_MS};
use super::{traps, typed};
use crate::fabric;
use crate::scenario::{PlannedCall, draw, inputs};

/// Round trips are below 1 ms where nothing is held up.
const TIMING: Timing = Timing { rto_initial_us: 2_000, rto_min_us: 500, rto_max_us: 50_000 };

/// The times at which faults of a cluster begin, in microseconds: while jobs join and run.
pub(super) const FAULTS_US: Range<u64> = 0..700_000;

/// A switch that starts again in time does so within this, in microseconds. A worker tries it until
/// the time-out is over, but for a pause of 100 ms between attempts. The faults that every job
/// bears hold it up for half of the time-out as it was drawn first. So this and [`MORE_TIMEOUT_MS`]
/// leave 100 ms and the other half for messages.
const IN_TIME_US: u64 = 200_000;

/// The time that resumable jobs have on top of the time-out, in milliseconds.
const MORE_TIMEOUT_MS: u64 = 400;

/// Another switch that starts again does so within this, in microseconds: in time for no job, or
/// for some.
const LATE_US: u64 = 2_000_000;

/// The time at which a job begins that has the name of another, in microseconds. The other has
/// ended by then.
const AGAIN_US: u64 = 30_000_000;

pub(super) fn swarm(seed: u64) -> Swarm {
    let rng = &mut Pcg64Mcg::seed_from_u64(seed ^ 0x5357_4152_4D21);
    let extent = Extent::of(seed);
    let fan_outs = if extent.hosts { wide::fan_outs(rng) } else { fan_outs(rng) };
    let hosts = fan_outs.iter().product();
    let damaging = rng.random_bool(0.3);
    let proofs = if damaging {
        &[IntegrityKind::Checksum, IntegrityKind::Token][..]
    } else {
        &[IntegrityKind::Transport, IntegrityKind::Checksum, IntegrityKind::Token]
    };
    let pipelines = rng.random_range(1..=2);
    let mut jobs: Vec<JobSetup> = (0..rng.random_range(1..=4))
        .map(|number| job(rng, &extent, number, hosts, pipelines, proofs))
        .collect();
    if rng.random_bool(0.15) {
        let again =
            JobSetup { start_us: AGAIN_US, ..jobs.choose(rng).expect("there are jobs").clone() };
        jobs.push(again);
    }
    let mut blames = vec![Blame::default(); jobs.len()];
    let mut plans = Vec::new();
    for (job, blame) in jobs.iter_mut().zip(&mut blames) {
        let mut calls = calls(rng, &extent, job);
        if job.terms.elastic && rng.random_bool(0.6) {
            wide::death(rng, job, &calls, blame);
        } else if rng.random_bool(0.35) {
            behaviour(rng, job, &calls, blame);
        } else if seed.is_multiple_of(3) && can_overflow(job) {
            overflow(job, &mut calls, blame);
        }
        plans.push(calls);
    }
    typed::add(seed, &mut jobs, fan_outs.len(), &mut plans, &blames);
    typed::add_exchanges(seed, &mut jobs, fan_outs.len(), &mut plans, &blames);
    traps::add(seed, &mut jobs, fan_outs.len(), &mut plans, &mut blames);
    let mut layers: Vec<_> =
        fan_outs.iter().map(|fan_out| layer(rng, *fan_out, damaging)).collect();
    extent.share(rng, &mut layers);
    let tight = rng.random_bool(0.15);
    let memory_bytes = if tight { rng.random_range(2_000..60_000) } else { 64 << 20 };
    let mut setup = Setup {
        switches: SwitchSetup { pipelines, memory_bytes, ..SwitchSetup::default() },
        management: Some(Management {
            forming_ms: FORMING_MS,
            patience_ms: 5_000,
            ..Management::default()
        }),
        until_ms: UNTIL_MS,
        ..Setup::new(layers, jobs)
    };
    extent.load(rng, &mut setup, hosts);
    bearable(rng, &mut setup, &fan_outs);
    for _ in 0..[0, 0, 0, 1, 1, 2][rng.random_range(0..6)] {
        serious(rng, &mut setup, &fan_outs, &mut blames);
    }
    if let Some(management) = &mut setup.management {
        // Shorter or longer than an outage that is borne.
        management.describe_ms = rng.random_range(20..=1_000);
    }
    if rng.random_bool(0.4) {
        let calls_us: Vec<_> =
            plans.iter().flatten().map(|call: &PlannedCall| call.at_us[0]).collect();
        restarts(rng, &mut setup, &fan_outs, &calls_us, &mut blames);
        // A job that finds no memory does not go on, either.
        blames.iter_mut().filter(|_| tight).for_each(|blame| blame.borne_us = None);
    }
    if extent.spares {
        let calls_us: Vec<_> =
            plans.iter().flatten().map(|call: &PlannedCall| call.at_us[0]).collect();
        spare::add(seed, &mut setup, &fan_outs, &calls_us, &mut blames);
        blames.iter_mut().filter(|_| tight).for_each(|blame| blame.borne_us = None);
    }
    typed::add_state(seed, &mut setup.jobs, fan_outs.len(), &mut plans, &blames);
    let planned = plans.into_iter().zip(blames).zip(&setup.jobs);
    let blamed = |((calls, blame), job): ((_, Blame), &JobSetup)| {
        let blame = Blame { tight, elastic: job.terms.elastic, ..blame };
        Planned { calls, blame }
    };
    let jobs = planned.map(blamed).collect();
    Swarm { seed, setup, jobs }
}

/// One to three levels.
fn fan_outs(rng: &mut Pcg64Mcg) -> Vec<u32> {
    match rng.random_range(0..3) {
        0 => vec![rng.random_range(1..=12)],
        1 => vec![rng.random_range(1..=4), rng.random_range(1..=4)],
        _ => vec![rng.random_range(1..=3), rng.random_range(1..=2), rng.random_range(1..=3)],
    }
}

fn layer(rng: &mut Pcg64Mcg, fan_out: u32, damaging: bool) -> Layer {
    let some = |rng: &mut Pcg64Mcg, most: f64| {
        if rng.random_bool(0.3) { rng.random_range(0.0..most) } else { 0.0 }
    };
    let loss = some(rng, 0.15);
    let longest_us = if rng.random_bool(0.3) { 200_000 } else { 2_000 };
    let faults = Faults {
        loss,
        bursts: rng.random_bool(0.1).then_some(Bursts { begin: 0.01, end: 0.2, loss: 0.9 }),
        duplication: some(rng, 0.2),
        reordering: some(rng, 0.1),
        reordering_ns: rng.random_range(1..longest_us) * 1000,
        corruption: if damaging { some(rng, 0.05) } else { 0.0 },
    };
    Layer {
        fan_out,
        rate_gbps: [0.1, 1.0, 100.0][rng.random_range(0..3)],
        delay_ns: rng.random_range(0..100_000),
        queue_bytes: rng.random_range(20_000..1_000_000),
        mark_bytes: None,
        faults,
    }
}

fn job(
    rng: &mut Pcg64Mcg,
    extent: &Extent,
    number: usize,
    hosts: u32,
    pipelines: u16,
    proofs: &[IntegrityKind],
) -> JobSetup {
    let workers = rng.random_range(1..=hosts.min(extent.most_workers()));
    JobSetup {
        name: format!("job {number}"),
        first_host: rng.random_range(0..=hosts - workers),
        flows: pipelines,
        slots: 1 << rng.random_range(0..=4),
        payload_bytes: 32 << rng.random_range(0..=3),
        content: Content::Real,
        terms: terms(rng, extent, number, proofs),
        timing: TIMING,
        start_us: rng.random_range(0..200_000),
        timeout_ms: rng.random_range(100..=600),
        ..JobSetup::new(workers as u16)
    }
}

fn terms(
    rng: &mut Pcg64Mcg,
    extent: &Extent,
    number: usize,
    proofs: &[IntegrityKind],
) -> Terms<IntegrityKind> {
    let arithmetic = *Arithmetic::ALL.choose(rng).expect("there are arithmetics");
    Terms {
        arithmetic,
        overflow: extent.overflow(arithmetic),
        byte_order: *ByteOrder::ALL.choose(rng).expect("there are orders"),
        protocol: Protocol::ALL[number % Protocol::ALL.len()],
        elastic: extent.makes_elastic(number),
        ..Terms::new(*proofs.choose(rng).expect("there are kinds"))
    }
}

/// The calls of a job: soon after each other, or with pauses.
///
/// Products of floats in FPISA's registers are not among them: the seeds that tests name were found
/// before there were any, and would draw other swarms with them. Scenarios have them.
fn calls(rng: &mut Pcg64Mcg, extent: &Extent, job: &JobSetup) -> Vec<PlannedCall> {
    let as_drawn = fabric::Setup {
        workers: job.workers,
        flows: job.flows,
        slots: job.slots,
        urgent_slots: 1,
        exchange_slots: 0,
        payload_bytes: job.payload_bytes,
        terms: job.terms,
        timing: job.timing,
        faults: fabric::Faults::NONE,
    };
    let admits: fn(&Call) -> bool = match job.terms.arithmetic {
        Arithmetic::Fpisa | Arithmetic::FpisaA => |call| {
            call.reduction != Reduction::Fold(Operation::Product) || !call.element_type.is_float()
        },
        _ => |_| true,
    };
    let mut at_us = job.start_us;
    (0..rng.random_range(1..=4))
        .map(|_| {
            let mut call = draw::call(rng, &as_drawn, extent.collectives, admits);
            call.elements = extent.elements(rng, call.elements, job);
            let is_for_any = matches!(call.collective, Collective::AllReduce | Collective::Barrier);
            if job.terms.overflow == Overflow::Native && rng.random_bool(0.7) {
                call = wide::all_reduce(ElementType::F32, call.elements);
            } else if job.terms.elastic && !is_for_any {
                call = wide::all_reduce(ElementType::I32, call.elements);
            }
            at_us += if rng.random_bool(0.5) { 0 } else { rng.random_range(0..300_000) };
            let in_place = call.collective == Collective::AllReduce && rng.random_bool(0.5);
            let inputs = inputs::draw(rng, &as_drawn, &call);
            PlannedCall { call, in_place, inputs, at_us: vec![at_us; job.workers.into()] }
        })
        .collect()
}

/// A worker of the job does not do as the others do.
fn behaviour(rng: &mut Pcg64Mcg, job: &mut JobSetup, calls: &[PlannedCall], blame: &mut Blame) {
    let rank = rng.random_range(0..job.workers);
    let alone = job.workers == 1;
    let does = match rng.random_range(0..8) {
        0 => {
            let at_us = job.start_us + rng.random_range(FAULTS_US);
            blame.lost.insert(rank);
            blame.crashed.insert(rank);
            blame.last_us = at_us;
            Behaviour::Dies(at_us)
        }
        1 if !alone => {
            let made = rng.random_range(0..calls.len());
            blame.leaver = Some((rank, made as u64));
            Behaviour::Leaves(made as u64)
        }
        2 | 3 if !alone => {
            let number = rng.random_range(0..calls.len());
            let Some(call) = other_call(rng, job, calls[number].call) else { return };
            blame.odd_call = Some((rank, number as u64));
            Behaviour::Calls { number, call }
        }
        4 => {
            blame.absent = Some(rank);
            if rng.random_bool(0.5) {
                Behaviour::Absent
            } else {
                Behaviour::Late(FORMING_MS * 1000 + 1_000_000)
            }
        }
        5 if !alone => {
            blame.stranger = Some(rank);
            let arithmetics: Vec<_> = Arithmetic::ALL
                .into_iter()
                .filter(|other| *other != job.terms.arithmetic)
                .collect();
            let orders: Vec<_> =
                ByteOrder::ALL.into_iter().filter(|other| *other != job.terms.byte_order).collect();
            if rng.random_bool(0.5) {
                Behaviour::Arithmetic(*arithmetics.choose(rng).expect("there are others"))
            } else {
                Behaviour::ByteOrder(*orders.choose(rng).expect("there is another"))
            }
        }
        // Without a job that needs a token switches have none, and expect none.
        6 if !alone && job.terms.integrity == IntegrityKind::Token => {
            blame.stranger = Some(rank);
            Behaviour::WrongToken
        }
        // Late, and in time.
        _ => Behaviour::Late(rng.random_range(0..FORMING_MS * 1000 / 2)),
    };
    job.exceptions.push(Exception { rank, does });
}

/// Returns true if an overflow of a register is possible in this job, and ends it.
fn can_overflow(job: &JobSetup) -> bool {
    let ends_it =
        job.terms.arithmetic == Arithmetic::FpisaA && job.terms.overflow == Overflow::Error;
    ends_it && !job.terms.elastic && job.workers > 1
}

/// R-FPI-9: the last call overflows a register, in any order of arrival at a switch. FPISA-A shifts
/// a value larger than the first to the left, and 255.9 does not fit under the exponent of 1 beside
/// it; each worker has its 1 at another element.
fn overflow(job: &JobSetup, calls: &mut [PlannedCall], blame: &mut Blame) {
    let workers = u64::from(job.workers);
    blame.overflow = Some(calls.len() as u64 - 1);
    if let Some(last) = calls.last_mut() {
        last.call = Call {
            collective: Collective::AllReduce,
            reduction: Reduction::Fold(Operation::Sum),
            element_type: ElementType::F32,
            elements: workers,
            priority: None,
        };
        last.in_place = false;
        let value = |rank, element| if element == rank { 1.0_f32 } else { 255.9 };
        let input =
            |rank| (0..workers).flat_map(|element| value(rank, element).to_ne_bytes()).collect();
        last.inputs = (0..workers).map(input).collect();
    }
}

/// Another call than this; `None` for one without a vector.
fn other_call(rng: &mut Pcg64Mcg, job: &JobSetup, call: Call) -> Option<CallSetup> {
    let plan = |call| {
        Plan::new(
            call,
            job.terms.arithmetic,
            job.workers,
            netfold_wire::WorkerId(0),
            job.payload_bytes,
        )
        .ok()
    };
    let collective = match call.collective {
        Collective::AllReduce => CollectiveName::AllReduce,
        Collective::Reduce { .. } => CollectiveName::Reduce,
        Collective::Broadcast { .. } => CollectiveName::Broadcast,
        Collective::AllGather => CollectiveName::AllGather,
        Collective::ReduceScatter => CollectiveName::ReduceScatter,
        Collective::Gather { .. } => CollectiveName::Gather,
        Collective::Scatter { .. } => CollectiveName::Scatter,
        Collective::AllToAll => CollectiveName::AllToAll,
        Collective::Scan => CollectiveName::Scan,
        Collective::ExScan => CollectiveName::ExScan,
        Collective::Prefixes => CollectiveName::Prefixes,
        Collective::ScanTotal => CollectiveName::ScanTotal,
        Collective::LookAside
        | Collective::Message
        | Collective::Barrier
        | Collective::Elsewhere { .. } => return None,
    };
    let root = call.collective.root().map_or(0, |root| root.0);
    let same = CallSetup {
        collective,
        elements: call.elements,
        element_type: call.element_type,
        operation: call.reduction.operation(),
        root,
        priority: call.priority,
        start_us: 0,
    };
    // In an elastic job the worker may be the only one left, which is no other's root.
    let other = match rng.random_range(0..if job.terms.elastic { 2 } else { 3 }) {
        0 => CallSetup { elements: call.elements + 1, ..same },
        1 => {
            let other = if plan(call)?.priority() == Priority::Urgent {
                Priority::Bulk
            } else {
                Priority::Urgent
            };
            CallSetup { priority: Some(other), ..same }
        }
        _ => CallSetup {
            collective: CollectiveName::Broadcast,
            element_type: ElementType::U8,
            root: (root + 1) % job.workers,
            ..same
        },
    };
    Some(other)
}

/// An outage that every job bears: heartbeats go out every quarter of a time-out, so that silence
/// is not longer than that and the outage.
fn bearable(rng: &mut Pcg64Mcg, setup: &mut Setup, fan_outs: &[u32]) {
    let shortest_us = setup.jobs.iter().map(|job| job.timeout_ms * 1000).min().unwrap_or(0);
    let from_us = rng.random_range(FAULTS_US);
    let until_us = from_us + rng.random_range(0..shortest_us / 2);
    outage(rng, setup, fan_outs, from_us..until_us);
}

/// Something that not every job bears.
fn serious(rng: &mut Pcg64Mcg, setup: &mut Setup, fan_outs: &[u32], blames: &mut [Blame]) {
    let hosts: u32 = fan_outs.iter().product();
    let at_us = rng.random_range(FAULTS_US);
    let longest_us = setup.jobs.iter().map(|job| job.timeout_ms * 1000).max().unwrap_or(0);
    let (below, stop) = match rng.random_range(0..5) {
        0 => {
            let host = rng.random_range(0..hosts);
            setup.crashes.push(Crash { host, at_us });
            (host..host + 1, true)
        }
        1 => {
            let switch = rng.random_range(0..switches(fan_outs));
            let how =
                *[Stop::Silent, Stop::Killed, Stop::Stopped].choose(rng).expect("there are ways");
            setup.switch_crashes.push(SwitchCrash { switch, at_us, how, restarts_us: None });
            (below_switch(fan_outs, switch), false)
        }
        _ => {
            let until_us = at_us + rng.random_range(longest_us / 2..3 * longest_us);
            (outage(rng, setup, fan_outs, at_us..until_us), false)
        }
    };
    for (job, blame) in setup.jobs.iter().zip(blames) {
        for rank in ranks(job, &below) {
            blame.lost.insert(rank);
            blame.last_us = blame.last_us.max(at_us);
            if stop { &mut blame.crashed } else { &mut blame.cut_off }.insert(rank);
        }
    }
}

/// Ranks of a job on these hosts.
pub(super) fn ranks(job: &JobSetup, hosts: &Range<u32>) -> impl Iterator<Item = u16> {
    (0..job.workers).filter(|rank| hosts.contains(&(job.first_host + u32::from(*rank))))
}

/// Some jobs are resumable, and switches start again: those that have stopped, sooner or later, and
/// one more so soon that resumable jobs go on (R-RES).
fn restarts(
    rng: &mut Pcg64Mcg,
    setup: &mut Setup,
    fan_outs: &[u32],
    calls_us: &[u64],
    blames: &mut [Blame],
) {
    for job in &mut setup.jobs {
        job.terms.resumable = rng.random_bool(0.7);
        if job.terms.resumable {
            job.timeout_ms += MORE_TIMEOUT_MS;
        }
    }
    let mut last_us = 0;
    for crash in setup.switch_crashes.iter_mut().filter(|crash| crash.how != Stop::Silent) {
        if rng.random_bool(0.7) {
            let restarts_us = crash.at_us + rng.random_range(1..LATE_US);
            crash.restarts_us = Some(restarts_us);
            last_us = last_us.max(restarts_us);
        }
    }
    let switch = rng.random_range(0..switches(fan_outs));
    // While calls are in progress, if it happens.
    let at_us = match calls_us.choose(rng) {
        Some(call_us) if rng.random_bool(0.7) => call_us + rng.random_range(0..10_000),
        _ => rng.random_range(FAULTS_US),
    };
    let how = *[Stop::Killed, Stop::Stopped].choose(rng).expect("there are ways");
    let restarts_us = at_us + rng.random_range(1..=IN_TIME_US);
    setup.switch_crashes.push(SwitchCrash { switch, at_us, how, restarts_us: Some(restarts_us) });
    let below = below_switch(fan_outs, switch);
    for (job, blame) in setup.jobs.iter().zip(blames) {
        if ranks(job, &below).next().is_none() {
            continue;
        }
        blame.borne_us = (job.terms.resumable && blame.is_none()).then_some(at_us);
        blame.last_us = blame.last_us.max(restarts_us).max(last_us);
        blame.lost.extend(ranks(job, &below));
        blame.cut_off.extend(ranks(job, &below));
    }
}

/// A link is cut, or a node does nothing, for a while. Gives the hosts below.
fn outage(
    rng: &mut Pcg64Mcg,
    setup: &mut Setup,
    fan_outs: &[u32],
    during_us: Range<u64>,
) -> Range<u32> {
    let hosts: u32 = fan_outs.iter().product();
    let Range { start: from_us, end: until_us } = during_us;
    match rng.random_range(0..3) {
        0 => {
            let layer = rng.random_range(0..fan_outs.len());
            let child = rng.random_range(0..fan_outs[..=layer].iter().product());
            setup.cuts.push(Cut { layer, child, from_us, until_us });
            below_child(fan_outs, layer, child)
        }
        1 => {
            let host = rng.random_range(0..hosts);
            setup.stalls.push(Stall { host, from_us, until_us });
            host..host + 1
        }
        _ => {
            let switch = rng.random_range(0..switches(fan_outs));
            setup.switch_stalls.push(SwitchStall { switch, from_us, until_us });
            below_switch(fan_outs, switch)
        }
    }
}

pub(super) fn switches(fan_outs: &[u32]) -> u32 {
    1 + (0..fan_outs.len() - 1).map(|layer| fan_outs[..=layer].iter().product::<u32>()).sum::<u32>()
}

/// Hosts below a switch, which are numbered from the root layer by layer.
pub(super) fn below_switch(fan_outs: &[u32], switch: u32) -> Range<u32> {
    let mut first = 1;
    for layer in 0..fan_outs.len() - 1 {
        let here: u32 = fan_outs[..=layer].iter().product();
        if (first..first + here).contains(&switch) {
            return below_child(fan_outs, layer, switch - first);
        }
        first += here;
    }
    0..fan_outs.iter().product()
}

/// Hosts below a child of a layer.
fn below_child(fan_outs: &[u32], layer: usize, child: u32) -> Range<u32> {
    let each: u32 = fan_outs[layer + 1..].iter().product();
    child * each..(child + 1) * each
}
