//! The setup of a simulation: the types of a cluster and its jobs, as scenarios write them
//! (`docs/simulator.md`).

mod call;
mod job;
mod managed;
mod table;
mod torus;

use serde::{Deserialize, Deserializer, Serialize};

pub use call::{CallSetup, CollectiveName};
pub use job::JobSetup;
pub use managed::{Behaviour, Exception, Management, Stop, SwitchCrash, SwitchStall};
pub use table::TableSetup;
pub(crate) use table::check_table;
pub use torus::TorusSetup;

use crate::core::Costs;
use crate::faults::Faults;
use crate::hardware::Hardware;

/// A cluster, its jobs, and what befalls it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The tree of switches and hosts, from the root down; see [`Management::trees`].
    pub layers: Vec<Layer>,
    /// A torus of switches, in the place of all layers but the last, which has the hosts.
    #[serde(default)]
    pub torus: Option<TorusSetup>,
    /// Every switch.
    #[serde(default)]
    pub switches: SwitchSetup,
    /// Every host.
    #[serde(default)]
    pub hosts: HostSetup,
    /// The jobs.
    pub jobs: Vec<JobSetup>,
    /// TCP flows beside them.
    #[serde(default)]
    pub traffic: Vec<TrafficSetup>,
    /// Links that carry nothing for a while.
    #[serde(default)]
    pub cuts: Vec<Cut>,
    /// Hosts that do nothing for a while.
    #[serde(default)]
    pub stalls: Vec<Stall>,
    /// Hosts that stop for good.
    #[serde(default)]
    pub crashes: Vec<Crash>,
    /// Switches that do nothing for a while.
    #[serde(default)]
    pub switch_stalls: Vec<SwitchStall>,
    /// Switches that stop.
    #[serde(default)]
    pub switch_crashes: Vec<SwitchCrash>,
    /// Switches that add wrongly.
    #[serde(default)]
    pub switch_errors: Vec<SwitchError>,
    /// The management plane; without it, jobs are there from the beginning.
    #[serde(default)]
    pub management: Option<Management>,
    /// Latest end of the run, in milliseconds.
    #[serde(default = "a_minute_ms")]
    pub until_ms: u64,
}

fn a_minute_ms() -> u64 {
    60_000
}

impl Setup {
    /// A cluster without faults and management plane, with everything else as scenarios have it by
    /// default.
    pub fn new(layers: Vec<Layer>, jobs: Vec<JobSetup>) -> Self {
        Self {
            layers,
            torus: None,
            switches: SwitchSetup::default(),
            hosts: HostSetup::default(),
            jobs,
            traffic: Vec::new(),
            cuts: Vec::new(),
            stalls: Vec::new(),
            crashes: Vec::new(),
            switch_stalls: Vec::new(),
            switch_crashes: Vec::new(),
            switch_errors: Vec::new(),
            management: None,
            until_ms: a_minute_ms(),
        }
    }
}

/// A layer of the tree: the children of each switch above it (of the root, for the first), and the
/// links to them, both directions alike. The children in the last layer are hosts, all others are
/// switches.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Children of each switch.
    pub fan_out: u32,
    /// Rate of a link in each direction, in 10^9 bits per second.
    pub rate_gbps: f64,
    /// Delay of a link, in nanoseconds.
    pub delay_ns: u64,
    /// Room of the queue in front of each direction of a link, in bytes.
    #[serde(default = "a_buffer_bytes")]
    pub queue_bytes: u64,
    /// Bytes in the queue above which datagrams are marked (ECN).
    #[serde(default)]
    pub mark_bytes: Option<u64>,
    /// Faults of the links.
    #[serde(default)]
    pub faults: Faults,
}

fn a_buffer_bytes() -> u64 {
    4 << 20
}

/// Properties of every switch.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SwitchSetup {
    /// Virtual switches in each (SwitchML, section 7): flow i of a job goes through pipeline i.
    pub pipelines: u16,
    /// Memory of a pipeline for the slots of all jobs, in bytes.
    pub memory_bytes: u64,
    /// Bytes of datagrams that may wait for a pipeline.
    pub inbox_bytes: u64,
    /// Time that a datagram takes through the switch, in nanoseconds, however many others do.
    pub latency_ns: u64,
    /// Time for which a datagram occupies its pipeline.
    pub costs: CostsOf,
    /// Hardware of the switches; `None`: anything.
    pub hardware: Option<Hardware>,
    /// The array that carries out folds: acis, grid-4x4 or small-2x2; `None`: they take no time.
    pub array: Option<String>,
}

impl Default for SwitchSetup {
    /// A pipeline that keeps up with every link, with 64 MiB.
    fn default() -> Self {
        Self {
            pipelines: 1,
            memory_bytes: 64 << 20,
            inbox_bytes: 4 << 20,
            latency_ns: 0,
            costs: CostsOf::default(),
            hardware: None,
            array: None,
        }
    }
}

/// Properties of every host.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HostSetup {
    /// Cores. Flow i of a job runs on core i, modulo their number.
    pub cores: u16,
    /// Bytes of datagrams that may wait for a core.
    pub inbox_bytes: u64,
    /// Time for which a datagram occupies its core.
    pub costs: CostsOf,
}

impl Default for HostSetup {
    /// A core that keeps up with every link.
    fn default() -> Self {
        Self { cores: 1, inbox_bytes: 4 << 20, costs: CostsOf::default() }
    }
}

/// Source of costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostsOf {
    /// Nothing takes time.
    #[default]
    Nothing,
    /// From the calibration: what has been measured.
    Measured,
    /// These.
    #[serde(untagged)]
    Given(Costs),
}

/// The system that adds up a job's vectors. With n workers and vectors of |U| bytes, the busiest
/// link of a worker's carries, each way and without headers, at least what is said here (SwitchML,
/// section 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemName {
    /// netfold's workers and switches: |U|.
    #[default]
    Netfold,
    /// A ring of the workers: 2 |U| (n - 1) / n; with vectors compressed to the share c, which are
    /// gathered, c |U| (n - 1). Switches only forward, here and below.
    Ring,
    /// As many servers as workers, on hosts of their own behind the workers': |U|, on a server's
    /// link, too.
    DedicatedServers,
    /// A server on each worker's host: 2 |U| (n - 1) / n, as a worker's own shard takes no link.
    ColocatedServers,
    /// A table of a sparse model, on servers and, as far as it is hot, in netfold's switch
    /// ([`TableSetup`]). A call is a mini-batch: a worker pushes its pairs, as many as the call has
    /// elements, and pulls as many rows.
    Tables,
    /// Processes that send messages, as [`MpiSetup`](crate::mpi::MpiSetup) says.
    Mpi,
}

/// Compression of vectors before they are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compression {
    /// Bytes of a compressed vector, as a share of the vector's.
    pub ratio: f64,
    /// Time that compression and decompression take together, in nanoseconds for each element of
    /// the vector. It is charged before the first byte is sent.
    #[serde(default)]
    pub element_ns: f64,
}

/// Content of the lanes of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// A few small integers in each packet, which stand for all its lanes: links and cores are
    /// charged for all, and sums are checked for each worker's share. No call takes any memory.
    #[default]
    Probe,
    /// The elements of a real call, all of them.
    Real,
}

/// A TCP flow from one host to another that always has something to send.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrafficSetup {
    /// Its name in reports.
    #[serde(default = "tcp")]
    pub name: String,
    /// The host that sends.
    pub from_host: u32,
    /// The host that receives.
    pub to_host: u32,
    /// Start, in microseconds.
    #[serde(default)]
    pub start_us: u64,
    /// End, in microseconds.
    pub until_us: u64,
}

fn tcp() -> String {
    "tcp".to_owned()
}

/// A link that carries nothing for a while, in both directions.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// The layer, counted from 0 at the root.
    pub layer: usize,
    /// The child, counted from 0 over the whole layer, in one tree after the other.
    pub child: u32,
    /// Start, in microseconds.
    pub from_us: u64,
    /// End, in microseconds.
    pub until_us: u64,
}

/// A host that does nothing for a while: its threads wait for a processor.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stall {
    /// The host, counted from 0.
    pub host: u32,
    /// Start, in microseconds.
    pub from_us: u64,
    /// End, in microseconds.
    pub until_us: u64,
}

/// A host that stops for good, without a word: its connections stay open and silent.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crash {
    /// The host, counted from 0.
    pub host: u32,
    /// Time at which it stops, in microseconds.
    pub at_us: u64,
}

/// A switch that adds some contributions wrongly.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchError {
    /// The switch, counted from 0 at the root, layer by layer and tree by tree.
    pub switch: u32,
    /// Share of the contributions that come to it with lanes, from 0 to 1.
    pub share: f64,
    /// The way in which it adds them wrongly.
    pub does: Miscount,
}

/// A way to add wrongly. Nothing but the result shows it: packets prove themselves afterwards, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Miscount {
    /// The contribution counts twice, which a sum or product shows.
    AddsTwice,
    /// One bit of its lanes is flipped. In floats the result may still be within its bound.
    FlipsABit,
}

fn named<'de, T, D>(input: D) -> Result<T, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
    D: Deserializer<'de>,
{
    String::deserialize(input)?.parse().map_err(serde::de::Error::custom)
}
