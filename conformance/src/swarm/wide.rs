//! Swarms that are larger than most, or share more: odd seeds draw them, and those with standby
//! switches. Other seeds draw what they did before these were added, so that those that have found
//! a fault still do.

use netfold_num::{Arithmetic, ElementType, Operation, Overflow};
use netfold_sim::{Behaviour, Exception, JobSetup, Layer, Setup, TrafficSetup};
use netfold_worker::{Call, Collective, Reduction};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{Blame, spare};
use crate::scenario::PlannedCall;

/// Most elements of a vector, and of a long one; of the vectors of all workers together; and most
/// rounds of a slot that these take.
pub(super) const ELEMENTS: u64 = 120;
const LONG_ELEMENTS: u64 = 6_000;
const LONG_ELEMENTS_OF_ALL: u64 = 24_000;
const LONG_ROUNDS: u64 = 64;

/// Most workers of a job, and of a large one.
pub(super) const WORKERS: u32 = 12;
const MANY_WORKERS: u32 = 40;

/// The largest share of datagrams that links lose where there are many: any of them holds up all
/// workers.
const LOSS: f64 = 0.02;

/// Rate of links that a TCP flow shares, in 10^9 bits per second, and for how long it does at most,
/// in microseconds.
const SHARED_GBPS: f64 = 0.1;
const SHARED_US: u64 = 200_000;

/// Additions to a usual swarm.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    /// Hosts for more than [`WORKERS`].
    pub(super) hosts: bool,
    long: bool,
    marks: bool,
    traffic: bool,
    refolds: bool,
    /// Standby switches, and hosts that are lost together.
    pub(super) spares: bool,
    /// The elastic jobs, a bit each.
    elastic: u32,
    /// Collectives of every kind. The seeds that tests name were found before there were as many.
    pub(super) collectives: bool,
}

impl Extent {
    pub(super) fn of(seed: u64) -> Self {
        let spares = seed % spare::ONE_IN == spare::ONE_IN - 1;
        let collectives = seed % 5 == 1;
        if seed.is_multiple_of(2) && !spares {
            return Self { collectives, ..Self::default() };
        }
        let rng = &mut Pcg64Mcg::seed_from_u64(seed ^ 0x7769_6465);
        Self {
            hosts: rng.random_bool(0.15),
            long: rng.random_bool(0.15),
            marks: rng.random_bool(0.4),
            traffic: rng.random_bool(0.2),
            elastic: if rng.random_bool(0.5) { rng.random() } else { 0 },
            refolds: rng.random_bool(0.7),
            spares,
            collectives,
        }
    }

    pub(super) fn most_workers(&self) -> u32 {
        if self.hosts { MANY_WORKERS } else { WORKERS }
    }

    /// Returns whether job number `number` goes on without workers that are lost (R-RES-8).
    pub(super) fn makes_elastic(&self, number: usize) -> bool {
        self.elastic >> number & 1 == 1
    }

    /// R-SLOT-11: what a job of this arithmetic does about sums that overflow their registers.
    pub(super) fn overflow(&self, arithmetic: Arithmetic) -> Overflow {
        if self.refolds && arithmetic.has_registers() { Overflow::Native } else { Overflow::Error }
    }

    /// Elements of a call that were drawn to be so many.
    pub(super) fn elements(&self, rng: &mut Pcg64Mcg, drawn: u64, job: &JobSetup) -> u64 {
        if self.long && drawn > 0 && rng.random_bool(0.5) {
            let in_a_round = u64::from(job.slots) * u64::from(job.payload_bytes / 4);
            let of_all = LONG_ELEMENTS_OF_ALL.min(LONG_ROUNDS * in_a_round);
            let most = LONG_ELEMENTS.min(of_all / u64::from(job.workers));
            rng.random_range(most / 4..=most)
        } else {
            drawn.min(ELEMENTS)
        }
    }

    /// R-ECN-1: queues of some layers mark, and links carry what the swarm needs.
    pub(super) fn share(&self, rng: &mut Pcg64Mcg, layers: &mut [Layer]) {
        for layer in layers {
            if self.hosts {
                layer.faults.loss = layer.faults.loss.min(LOSS);
                layer.faults.bursts = None;
            }
            if self.traffic {
                layer.rate_gbps = layer.rate_gbps.min(SHARED_GBPS);
                // Simulated TCP has no checksum.
                layer.faults.corruption = 0.0;
            }
            if self.marks && rng.random_bool(0.7) {
                layer.mark_bytes = Some(rng.random_range(200..10_000));
            }
        }
    }

    /// TCP flows between hosts, and weights of jobs that share with them (R-ECN-4).
    pub(super) fn load(&self, rng: &mut Pcg64Mcg, setup: &mut Setup, hosts: u32) {
        if self.marks {
            for job in &mut setup.jobs {
                job.terms.weight = rng.random_range(1..=4);
            }
        }
        if !self.traffic || hosts < 2 {
            return;
        }
        for number in 0..rng.random_range(1..=3) {
            let from_host = rng.random_range(0..hosts);
            let to_host = (from_host + rng.random_range(1..hosts)) % hosts;
            let start_us = rng.random_range(0..500_000);
            let until_us = start_us + rng.random_range(1_000..SHARED_US);
            let name = format!("tcp {number}");
            setup.traffic.push(TrafficSetup { name, from_host, to_host, start_us, until_us });
        }
    }
}

/// One to three levels, with more hosts than a small job has workers.
pub(super) fn fan_outs(rng: &mut Pcg64Mcg) -> Vec<u32> {
    match rng.random_range(0..3) {
        0 => vec![rng.random_range(WORKERS + 1..=MANY_WORKERS)],
        1 => vec![rng.random_range(3..=5), rng.random_range(5..=8)],
        _ => vec![rng.random_range(2..=3), rng.random_range(2..=3), rng.random_range(4..=5)],
    }
}

/// A worker of an elastic job dies while the others make their calls.
pub(super) fn death(
    rng: &mut Pcg64Mcg,
    job: &mut JobSetup,
    calls: &[PlannedCall],
    blame: &mut Blame,
) {
    let rank = rng.random_range(0..job.workers);
    let last_us = calls.last().map_or(job.start_us, |call| call.at_us[0]);
    let at_us = rng.random_range(job.start_us..=last_us + 5_000);
    blame.lost.insert(rank);
    blame.crashed.insert(rank);
    blame.last_us = at_us;
    job.exceptions.push(Exception { rank, does: Behaviour::Dies(at_us) });
}

/// A call of an elastic job, or one whose sums may overflow.
pub(super) fn all_reduce(element_type: ElementType, elements: u64) -> Call {
    Call {
        collective: Collective::AllReduce,
        reduction: Reduction::Fold(Operation::Sum),
        element_type,
        elements,
        priority: None,
    }
}
