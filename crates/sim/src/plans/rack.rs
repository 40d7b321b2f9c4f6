//! The common parts of plans: a rack, the rates at which it runs, and the systems that run on it.

use serde::Deserialize;
use toml::{Table, Value};

use crate::datagram::OVERHEAD_BYTES;
use crate::error::Error;
use crate::faults::Faults;
use crate::peers;
use crate::setup::{CallSetup, HostSetup, JobSetup, Layer, Setup, SwitchSetup, SystemName};

/// Bytes of an element.
pub(super) const ELEMENT_BYTES: f64 = 4.0;

/// Time after which a run of a plan has failed, in milliseconds of virtual time.
const UNTIL_MS: u64 = 600_000;

/// Hosts below one switch.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rack {
    /// Delay of each link.
    pub(super) delay_ns: u64,
    /// Delay through the switch.
    pub(super) latency_ns: u64,
}

/// A rate of the links, and what goes with it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkRate {
    pub(super) gbps: f64,
    /// Slots of a worker, on all its flows.
    pub(super) slots: u16,
}

/// A system on hosts of a kind: a line of a figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// Its name in values.
    pub(super) id: String,
    /// Its name in tables.
    pub(super) name: String,
    #[serde(default)]
    hosts: HostSetup,
    /// The keys of a job, but for its workers and calls. Slots are those of the rate, unless they
    /// are here.
    #[serde(default)]
    job: Table,
}

impl Line {
    /// The job that it is, with one all-reduce of `elements`.
    pub(super) fn job(&self, workers: u16, elements: u64, slots: u16) -> Result<JobSetup, Error> {
        let mut table = self.job.clone();
        table.insert("workers".into(), Value::Integer(workers.into()));
        table.insert("calls".into(), Value::Array(Vec::new()));
        let mut job =
            JobSetup::deserialize(table).map_err(|error| Error::Toml(error.to_string()))?;
        if !self.job.contains_key("slots") {
            job.slots = (slots / job.flows.max(1)).max(1);
        }
        job.calls = vec![all_reduce(elements)];
        Ok(job)
    }

    /// The rack that it runs on.
    pub(super) fn setup(&self, rack: Rack, gbps: f64, job: JobSetup, faults: Faults) -> Setup {
        let mut setup = self.on(rack, &[job.hosts()], gbps, job);
        setup.layers.iter_mut().for_each(|layer| layer.faults = faults);
        setup
    }

    /// The tree of such racks that it runs on.
    pub(super) fn on(&self, rack: Rack, fan_outs: &[u32], gbps: f64, job: JobSetup) -> Setup {
        let mut setup = rack.below(fan_outs, gbps, job);
        setup.hosts = self.hosts.clone();
        setup
    }
}

/// A tree of switches, and what runs on it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tree {
    /// Fan-outs from the root down.
    pub(super) fan_outs: Vec<u32>,
    /// The ids of the lines that run on it.
    pub(super) lines: Vec<String>,
}

impl Tree {
    pub(super) fn workers(&self) -> u16 {
        u16::try_from(self.fan_outs.iter().product::<u32>()).unwrap_or(u16::MAX)
    }

    /// Its name in tables and values.
    pub(super) fn label(&self) -> String {
        self.fan_outs.iter().map(ToString::to_string).collect::<Vec<_>>().join("x")
    }

    /// Switches of each layer, and the ports of each of them.
    pub(super) fn switches(&self) -> Vec<(u32, u32)> {
        let mut number = 1;
        let mut layers = Vec::new();
        for (depth, fan_out) in self.fan_outs.iter().enumerate() {
            // All but the root have one that leads up.
            layers.push((number, fan_out + u32::from(depth > 0)));
            number *= fan_out;
        }
        layers
    }
}

/// The time of a longer call than two that were simulated: as much for each byte as between them.
pub(super) fn extended((from, shorter): (u64, f64), (to, longer): (u64, f64), bytes: u64) -> f64 {
    longer + (longer - shorter) * ((bytes - to) as f64 / (to - from) as f64)
}

impl Rack {
    /// A tree of such racks with these fan-outs, on which hosts cost nothing.
    pub(super) fn below(self, fan_outs: &[u32], gbps: f64, job: JobSetup) -> Setup {
        let layer = |fan_out: &u32| Layer {
            fan_out: *fan_out,
            rate_gbps: gbps,
            delay_ns: self.delay_ns,
            queue_bytes: 4 << 20,
            mark_bytes: None,
            faults: Faults::default(),
        };
        Setup {
            switches: SwitchSetup {
                latency_ns: self.latency_ns,
                pipelines: job.flows,
                ..SwitchSetup::default()
            },
            until_ms: UNTIL_MS,
            ..Setup::new(fan_outs.iter().map(layer).collect(), vec![job])
        }
    }
}

/// An all-reduce of FP32 elements.
pub(super) fn all_reduce(elements: u64) -> CallSetup {
    CallSetup { elements, ..CallSetup::default() }
}

/// Elements that a link carries in a second, one way, in full packets of a job: what its headers
/// leave.
pub(super) fn elements_per_s(gbps: f64, job: &JobSetup) -> f64 {
    let header_bytes = match job.system {
        SystemName::Netfold => netfold_wire::HEADER_BYTES as u32,
        _ => peers::HEADER_BYTES,
    };
    let payload_bytes = f64::from(job.payload_bytes);
    gbps * 1e9 / 8.0 * payload_bytes
        / (payload_bytes + f64::from(header_bytes + OVERHEAD_BYTES))
        / ELEMENT_BYTES
}

/// Returns the number of vectors that the busiest link of a worker's carries each way in an
/// all-reduce.
pub(super) fn vectors_per_link(job: &JobSetup) -> f64 {
    let n = f64::from(job.workers);
    match (job.system, job.compression) {
        (SystemName::Ring, Some(compression)) => compression.ratio * (n - 1.0),
        (SystemName::Ring | SystemName::ColocatedServers, _) => 2.0 * (n - 1.0) / n,
        // MPI's algorithms differ in what they move.
        (
            SystemName::Netfold
            | SystemName::DedicatedServers
            | SystemName::Tables
            | SystemName::Mpi,
            _,
        ) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_a_switch_above_each_group() {
        let tree = Tree { fan_outs: vec![2, 3, 4], lines: Vec::new() };
        assert_eq!((tree.workers(), tree.label().as_str()), (24, "2x3x4"));
        assert_eq!(tree.switches(), [(1, 2), (2, 4), (6, 5)]);
    }
}
