//! Swarms with standby switches, and with hosts that are lost together: one seed of [`ONE_IN`]
//! draws them.

use std::ops::Range;

use netfold_sim::{Behaviour, Crash, Exception, Setup, Stop, SwitchCrash};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::Blame;
use super::draw::{FAULTS_US, below_switch, ranks, switches};

/// The last of so many seeds draws such a swarm.
pub(super) const ONE_IN: u64 = 5;

/// Longest time between the deaths of a host's processes, in microseconds.
const TOGETHER_US: u64 = 2_000;

/// Adds trees of switches to a swarm, and faults that befall them and whole hosts.
pub(super) fn add(
    seed: u64,
    setup: &mut Setup,
    fan_outs: &[u32],
    calls_us: &[u64],
    blames: &mut [Blame],
) {
    let rng = &mut Pcg64Mcg::seed_from_u64(seed ^ 0x7370_6172_6573);
    if rng.random_bool(0.75) {
        standbys(rng, setup, fan_outs, blames);
        let lost = if rng.random_bool(0.8) { rng.random_range(1..=2) } else { 0 };
        for _ in 0..lost {
            lose_switch(rng, setup, fan_outs, calls_us, blames);
        }
    }
    if rng.random_bool(0.5) {
        lose_hosts(rng, setup, fan_outs, calls_us, blames);
    }
}

/// While calls are in progress, if it happens.
fn moment(rng: &mut Pcg64Mcg, calls_us: &[u64]) -> u64 {
    match calls_us.choose(rng) {
        Some(call_us) if rng.random_bool(0.7) => call_us + rng.random_range(0..10_000),
        _ => rng.random_range(FAULTS_US),
    }
}

/// Jobs may be in several trees, and one worker may know of others than the rest.
fn standbys(rng: &mut Pcg64Mcg, setup: &mut Setup, fan_outs: &[u32], blames: &mut [Blame]) {
    let trees = rng.random_range(2..=3);
    if let Some(management) = &mut setup.management {
        management.trees = trees;
    }
    let stopped = setup.switch_crashes.last().map(|crash| below_switch(fan_outs, crash.switch));
    for (job, blame) in setup.jobs.iter_mut().zip(blames) {
        let mut list: Vec<u32> = (0..trees).collect();
        list.shuffle(rng);
        list.truncate(rng.random_range(1..=trees as usize));
        // Most begin where the others do.
        if rng.random_bool(0.7) {
            list.sort_unstable();
        }
        job.terms.resumable |= list.len() > 1;
        if list.len() > 1 && job.workers > 1 && job.exceptions.is_empty() && rng.random_bool(0.05) {
            let rank = rng.random_range(0..job.workers);
            let others = list.iter().rev().copied().collect();
            job.exceptions.push(Exception { rank, does: Behaviour::Trees(others) });
            blame.absent = Some(rank);
        }
        // R-RES-2: a worker that has lost one of several switches goes to the next. Others need
        // not.
        let all_lose_it = stopped
            .as_ref()
            .is_some_and(|below| ranks(job, below).count() == usize::from(job.workers));
        if list.len() > 1 && !(all_lose_it && list[0] == 0 && blame.absent.is_none()) {
            blame.borne_us = None;
        }
        job.trees = list;
    }
}

/// A switch of any tree stops, for good or for a while.
fn lose_switch(
    rng: &mut Pcg64Mcg,
    setup: &mut Setup,
    fan_outs: &[u32],
    calls_us: &[u64],
    blames: &mut [Blame],
) {
    let of_tree = switches(fan_outs);
    let trees = setup.management.as_ref().map_or(1, |management| management.trees);
    let tree = if rng.random_bool(0.7) { 0 } else { rng.random_range(0..trees) };
    let place = if rng.random_bool(0.6) { 0 } else { rng.random_range(0..of_tree) };
    let at_us = moment(rng, calls_us);
    let how = *[Stop::Killed, Stop::Stopped, Stop::Silent].choose(rng).expect("there are ways");
    let restarts = how != Stop::Silent && rng.random_bool(0.3);
    let restarts_us = restarts.then(|| at_us + rng.random_range(1..2_000_000));
    setup.switch_crashes.push(SwitchCrash {
        switch: tree * of_tree + place,
        at_us,
        how,
        restarts_us,
    });
    let below = below_switch(fan_outs, place);
    for (job, blame) in setup.jobs.iter().zip(blames) {
        let lost: Vec<u16> = ranks(job, &below).collect();
        if !job.trees.contains(&tree) || lost.is_empty() {
            continue;
        }
        let all_lose_it = lost.len() == usize::from(job.workers);
        let goes_on = job.trees.len() > 1 && job.trees[0] == tree && all_lose_it && blame.is_none();
        blame.borne_us = goes_on.then_some(at_us);
        blame.last_us = blame.last_us.max(at_us).max(restarts_us.unwrap_or(0));
        blame.lost.extend(&lost);
        blame.cut_off.extend(lost);
    }
}

/// Neighbouring hosts are lost within milliseconds, with all workers on them: without a word, or by
/// the ends of their processes. Their switch may go with them.
fn lose_hosts(
    rng: &mut Pcg64Mcg,
    setup: &mut Setup,
    fan_outs: &[u32],
    calls_us: &[u64],
    blames: &mut [Blame],
) {
    let hosts: u32 = fan_outs.iter().product();
    let at_us = moment(rng, calls_us);
    let below: Range<u32> = match rng.random_range(0..switches(fan_outs)) {
        0 => {
            let first = rng.random_range(0..hosts);
            first..hosts.min(first + rng.random_range(1..=4))
        }
        switch => {
            let how = *[Stop::Killed, Stop::Silent].choose(rng).expect("there are ways");
            if rng.random_bool(0.4) {
                setup.switch_crashes.push(SwitchCrash { switch, at_us, how, restarts_us: None });
                for (job, blame) in
                    setup.jobs.iter().zip(&mut *blames).filter(|(job, _)| job.trees.contains(&0))
                {
                    blame.cut_off.extend(ranks(job, &below_switch(fan_outs, switch)));
                }
            }
            below_switch(fan_outs, switch)
        }
    };
    let silent = rng.random_bool(0.4);
    if silent {
        setup.crashes.extend(below.clone().map(|host| Crash { host, at_us }));
    }
    let apart_us = if rng.random_bool(0.5) { 1 } else { TOGETHER_US };
    for (job, blame) in setup.jobs.iter_mut().zip(blames) {
        for rank in ranks(job, &below).collect::<Vec<_>>() {
            blame.lost.insert(rank);
            blame.crashed.insert(rank);
            blame.last_us = blame.last_us.max(at_us + apart_us);
            blame.borne_us = None;
            if !silent {
                let does = Behaviour::Dies(at_us + rng.random_range(0..apart_us));
                job.exceptions.push(Exception { rank, does });
            }
        }
    }
}
