//! The report of a run, in figures.

use netfold_wire::{HEADER_BYTES, Terms};
use netfold_worker::{Call, Counters};
use serde::Serialize;

use crate::audit::WrongResult;
use crate::cluster::Cluster;
use crate::datagram::OVERHEAD_BYTES;
use crate::job::{Calling, Job, bytes_of};
use crate::link::LinkCounters;
use crate::managed::{Outcome, WorkerRecord};
use crate::peers;
use crate::setup::{JobSetup, SystemName, TrafficSetup};
use crate::tcp::Flow;
use crate::time::Time;
use crate::topology::{down, up};

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Its seed.
    pub seed: u64,
    /// All events and their times in one number, in hexadecimal: the same for the same run.
    pub digest: String,
    /// Events.
    pub events: u64,
    /// Time of the last of them, in milliseconds.
    pub ended_ms: f64,
    /// Each job.
    pub jobs: Vec<JobReport>,
    /// Jain's index of what jobs by their weights, and TCP flows, had of the network while they
    /// ran: 1 if that was the same for all. `None` if there are not several.
    pub fairness: Option<f64>,
    /// Each TCP flow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<TrafficReport>,
    /// Each layer of links.
    pub layers: Vec<LayerReport>,
    /// Passes of packets through pipelines of hardware beyond the first (`switches.hardware`).
    pub recirculations: u64,
    /// Datagrams that found no room at a core.
    pub dropped_at_cores: u64,
    /// Datagrams for hosts that had stopped.
    pub dropped_at_stopped_hosts: u64,
    /// Mismatches and overflows that switches have reported.
    pub switch_events: Vec<String>,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobReport {
    /// Its name.
    pub name: String,
    /// The system that adds up its vectors.
    pub system: SystemName,
    /// Its workers.
    pub workers: u16,
    /// Its calls.
    pub calls: Vec<CallReport>,
    /// Datagrams that its workers have sent.
    pub packets_sent: u64,
    /// Contributions among them that were sent again.
    pub retransmissions: u64,
    /// Queries among them.
    pub queries: u64,
    /// Rounds completed, over all workers.
    pub rounds: u64,
    /// With a management plane, the end of each worker, by rank.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<WorkerReport>,
}

/// The end of a worker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerReport {
    /// Time at which it was told that its job runs, in milliseconds; `None` if it never was.
    pub joined_ms: Option<f64>,
    /// Time of its end, in milliseconds; `None` if it did not end.
    pub ended_ms: Option<f64>,
    /// It has left its job with all its calls done.
    pub is_well: bool,
    /// Its end, in words.
    pub end: String,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CallReport {
    /// The call, as users know it.
    pub call: String,
    /// Bytes of a worker's vector, or of the rows that it pushes to a table.
    pub bytes: u64,
    /// Time at which the workers made it, in milliseconds.
    pub start_ms: f64,
    /// Time that it took until the last worker had its last result, in milliseconds; `None` if that
    /// has not come.
    pub took_ms: Option<f64>,
    /// Bytes of the vector by that time, in 10^9 bits per second.
    pub goodput_gbps: Option<f64>,
    /// The least time in which the slowest link of a worker's can carry every block once in one
    /// direction, by the time that the call took.
    pub line_rate_share: Option<f64>,
    /// Elements of results, or lanes of probes, that were not what the inputs fold to, over all
    /// workers; 0 unless something is wrong.
    pub wrong_lanes: u64,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<WrongResult>,
}

/// A TCP flow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrafficReport {
    /// Its name.
    pub name: String,
    /// Bytes of payload that have come.
    pub bytes: u64,
    /// The same by the time that it had, in 10^9 bits per second.
    pub goodput_gbps: f64,
}

/// A layer of links.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LayerReport {
    /// Towards the root, all together; of a torus, those beside the tree, too.
    pub up: LinkCounters,
    /// From the root, all together.
    pub down: LinkCounters,
    /// Share of the run for which the busiest direction of a link was busy.
    pub busiest: f64,
}

impl Report {
    pub(crate) fn of(cluster: &Cluster) -> Self {
        let Cluster { topology, network, .. } = cluster;
        let none = LayerReport {
            up: LinkCounters::default(),
            down: LinkCounters::default(),
            busiest: 0.0,
        };
        let all_layers = cluster.setup.all_layers();
        let mut layers = vec![none; all_layers.len()];
        for node in topology.children() {
            let layer = &mut layers[topology.layer(node)];
            layer.up = layer.up.plus(&network.links[up(node) as usize].counters);
            layer.down = layer.down.plus(&network.links[down(node) as usize].counters);
        }
        for link in topology.crosses() {
            layers[0].up = layers[0].up.plus(&network.links[link as usize].counters);
        }
        let of_legs = topology
            .children()
            .flat_map(|leg| [up(leg), down(leg)].map(|link| (link, topology.layer(leg))));
        for (link, layer) in of_legs.chain(topology.crosses().map(|link| (link, 0))) {
            let rate_bps = all_layers[layer].rate_gbps * 1e9;
            let busy_ms = network.links[link as usize].counters.bytes as f64 * 8e3 / rate_bps;
            let share = busy_ms / cluster.now.ms().max(f64::MIN_POSITIVE);
            layers[layer].busiest = layers[layer].busiest.max(share);
        }
        let jobs =
            cluster.jobs.iter().enumerate().map(|(number, job)| job_report(cluster, number, job));
        Self {
            seed: cluster.seed,
            digest: format!("{:016x}", cluster.digest),
            events: cluster.events_done,
            ended_ms: cluster.now.ms(),
            jobs: jobs.collect(),
            fairness: fairness(cluster),
            traffic: cluster
                .setup
                .traffic
                .iter()
                .zip(&cluster.traffic)
                .map(|(setup, flow)| traffic_report(setup, flow))
                .collect(),
            layers,
            recirculations: cluster.switches.recirculations,
            dropped_at_cores: cluster.drops.no_room,
            dropped_at_stopped_hosts: cluster.drops.stopped,
            switch_events: cluster.switch_events.iter().map(|event| format!("{event:?}")).collect(),
        }
    }

    /// Returns whether every call has ended with right sums, and every worker has ended as it
    /// should.
    pub fn is_well(&self) -> bool {
        let mut calls = self.jobs.iter().flat_map(|job| &job.calls);
        let mut ends = self.jobs.iter().flat_map(|job| &job.ends);
        ends.all(|end| end.is_well)
            && self.switch_events.is_empty()
            && calls.all(|call| call.took_ms.is_some() && call.wrong_lanes == 0)
    }
}

/// R-ECN-4: by weight, bytes for each millisecond until a job's last call had ended, or a flow.
fn fairness(cluster: &Cluster) -> Option<f64> {
    let jobs = cluster.jobs.iter().map(|job| {
        let bytes: u64 = job
            .calls
            .iter()
            .map(|calling| calling.call.elements * calling.call.element_type.bytes() as u64)
            .sum();
        let done = job.calls.iter().map(|calling| calling.done_at).max()?;
        let start = job.calls.iter().map(|calling| calling.start).min()?;
        let all_done = job.calls.iter().all(|calling| calling.left == 0) && done > start;
        all_done.then(|| bytes as f64 / done.since(start).ms() / f64::from(job.setup.terms.weight))
    });
    let flows = cluster.setup.traffic.iter().zip(&cluster.traffic).map(|(setup, flow)| {
        let had_ms = setup.until_us.saturating_sub(setup.start_us) as f64 / 1e3;
        (had_ms > 0.0).then(|| flow.delivered_bytes() as f64 / had_ms)
    });
    let parts: Vec<f64> = jobs.chain(flows).collect::<Option<_>>()?;
    (parts.len() > 1).then(|| jain(&parts))
}

/// Jain's index of fairness: 1 if all have the same, 1/n if one of n has all.
pub fn jain(parts: &[f64]) -> f64 {
    let (sum, squares) =
        parts.iter().fold((0.0, 0.0), |(sum, squares), part| (sum + part, squares + part * part));
    sum * sum / (parts.len() as f64 * squares)
}

fn traffic_report(setup: &TrafficSetup, flow: &Flow) -> TrafficReport {
    let (bytes, had_us) =
        (flow.delivered_bytes(), setup.until_us.saturating_sub(setup.start_us).max(1));
    TrafficReport {
        name: setup.name.clone(),
        bytes,
        goodput_gbps: bytes as f64 * 8.0 / had_us as f64 / 1e3,
    }
}

fn job_report(cluster: &Cluster, number: usize, job: &Job) -> JobReport {
    let counters = (0..job.setup.workers)
        .map(|rank| cluster.counters(number, rank))
        .fold(Counters::default(), |sum, counters| sum.plus(&counters));
    JobReport {
        name: job.setup.name.clone(),
        system: job.setup.system,
        workers: job.setup.workers,
        calls: (0..job.calls.len()).map(|call| call_report(cluster, (number, job), call)).collect(),
        packets_sent: counters.packets_sent,
        retransmissions: counters.retransmissions,
        queries: counters.queries,
        rounds: counters.rounds,
        ends: (0..job.setup.workers)
            .filter_map(|rank| Some(worker_report(cluster.worker(number, rank)?)))
            .collect(),
    }
}

fn worker_report(record: &WorkerRecord) -> WorkerReport {
    let (ended_ms, end) = match &record.outcome {
        None => (None, "it has not ended".to_owned()),
        Some((at, outcome)) => (Some(at.ms()), outcome.to_string()),
    };
    let is_well = matches!(record.outcome, Some((_, Outcome::Left)));
    WorkerReport { joined_ms: record.joined.map(Time::ms), ended_ms, is_well, end }
}

/// Returns the bytes of lanes of a full packet of a call, which may be longer in a slot (R-NUM-21).
fn full_lane_bytes(job: &Job, call: Call) -> u32 {
    let JobSetup { system, terms: Terms { arithmetic, .. }, payload_bytes, .. } = job.setup;
    match arithmetic.coding(call.element_type, call.reduction.operation()) {
        Ok(coding) if system == SystemName::Netfold => {
            let slot_bytes = arithmetic.slot_bytes(coding.lane, call.reduction.operation());
            payload_bytes / slot_bytes as u32 * coding.lane.bytes() as u32
        }
        _ => payload_bytes,
    }
}

fn call_report(cluster: &Cluster, (number, job): (usize, &Job), place: usize) -> CallReport {
    let Calling { call, start, blocks, left, done_at, .. } = &job.calls[place];
    let wrong = cluster.audit(number, place);
    let took = (*left == 0).then_some(done_at.since(*start)).filter(|took| *took > Time::ZERO);
    let bytes = bytes_of(*call) * job.setup.table.map_or(1, |table| table.width.into());
    let header_bytes = if job.setup.system == SystemName::Netfold {
        HEADER_BYTES as u32
    } else {
        peers::HEADER_BYTES
    };
    let full_bytes = header_bytes + full_lane_bytes(job, *call) + OVERHEAD_BYTES;
    let host = cluster.setup.layers.last();
    let least_ms =
        |rate_gbps: f64| (*blocks * u64::from(full_bytes)) as f64 * 8.0 / rate_gbps / 1e6;
    CallReport {
        call: call.to_string(),
        bytes,
        start_ms: start.ms(),
        took_ms: (*left == 0).then_some(done_at.since(*start).ms()),
        goodput_gbps: took.map(|took| bytes as f64 * 8.0 / took.ms() / 1e6),
        line_rate_share: took.zip(host).map(|(took, host)| least_ms(host.rate_gbps) / took.ms()),
        wrong_lanes: wrong.count,
        wrong: wrong.first,
    }
}
