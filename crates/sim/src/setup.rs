//! The setup of a simulation: the types of a cluster and its jobs, as scenarios write them
//! (`docs/simulator.md`).

mod call;
mod managed;
mod table;
mod torus;

use netfold_management::NamedTerms;
use netfold_wire::{IntegrityKind, Terms};
use netfold_worker::Timing;
use serde::{Deserialize, Deserializer, Serialize};

pub use call::{CallSetup, CollectiveName};
pub use managed::{Behaviour, Exception, Management, Stop, SwitchCrash, SwitchStall};
pub use table::TableSetup;
pub(crate) use table::check_table;
pub use torus::TorusSetup;

use crate::core::Costs;
use crate::faults::Faults;
use crate::hardware::Hardware;
use crate::mpi::MpiSetup;
use crate::operations::SampleOperation;

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
    /// Processes that send messages, as [`MpiSetup`] says.
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

/// A job.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobSetup {
    /// Its name in reports.
    #[serde(default = "a_job")]
    pub name: String,
    /// Its workers, each on a host of its own.
    pub workers: u16,
    /// The system that adds up their vectors.
    #[serde(default)]
    pub system: SystemName,
    /// The host of rank 0; the other ranks follow.
    #[serde(default)]
    pub first_host: u32,
    /// Flows of each worker.
    #[serde(default = "one")]
    pub flows: u16,
    /// Slots of a flow's bulk stream. Of a peer of netfold's, the most segments that a worker has
    /// under way on a flow.
    #[serde(default = "some_slots")]
    pub slots: u16,
    /// Slots of its urgent stream; a quarter of the others by default.
    #[serde(default)]
    pub urgent_slots: Option<u16>,
    /// Slots of its stream of exchanges, where one switch has all workers; by default those of
    /// R-CTRL-23.
    #[serde(default)]
    pub exchange_slots: Option<u16>,
    /// Bytes of lanes in a full packet, or of elements in a peer's segment.
    #[serde(default = "a_payload")]
    pub payload_bytes: u32,
    /// Content of the lanes.
    #[serde(default)]
    pub content: Content,
    /// With probes, lanes of a packet that are really there.
    #[serde(default = "some_lanes")]
    pub lanes_simulated: u16,
    /// Its terms; [`Terms::new`] has those that a scenario does not name.
    #[serde(flatten, deserialize_with = "terms")]
    pub terms: Terms<IntegrityKind>,
    /// Vectors are compressed and gathered, not reduced; for a ring only.
    #[serde(default)]
    pub compression: Option<Compression>,
    /// Its table, for [`SystemName::Tables`].
    #[serde(default)]
    pub table: Option<TableSetup>,
    /// Its algorithm, for [`SystemName::Mpi`].
    #[serde(default)]
    pub mpi: Option<MpiSetup>,
    /// Bounds of the workers' timeouts.
    #[serde(default, deserialize_with = "timing")]
    pub timing: Timing,
    /// Calls of its workers, in this order.
    pub calls: Vec<CallSetup>,
    /// Operations of users that it may fold by; scenarios in files have none.
    #[serde(skip)]
    pub operations: Vec<SampleOperation>,
    /// Time at which its workers start and join, in microseconds. It needs the management plane, as
    /// do all fields that follow.
    #[serde(default)]
    pub start_us: u64,
    /// The longest that a lost worker or switch may go unnoticed, in milliseconds.
    #[serde(default = "ten_seconds_ms")]
    pub timeout_ms: u64,
    /// Trees that may have it, in the order in which its workers try them, each at the switch above
    /// its host: the first that answers has it, and the others are standbys (R-RES-2). It is
    /// resumable if there are several.
    #[serde(default = "first_tree")]
    pub trees: Vec<u32>,
    /// Workers that do not do as the others do.
    #[serde(default)]
    pub exceptions: Vec<Exception>,
}

fn first_tree() -> Vec<u32> {
    vec![0]
}

fn ten_seconds_ms() -> u64 {
    10_000
}

fn a_job() -> String {
    "job".to_owned()
}

fn one() -> u16 {
    1
}

fn some_slots() -> u16 {
    512
}

fn a_payload() -> u32 {
    1024
}

/// 64 bytes, so that a worker which waits sends a query rather than the block (R-TIME-6).
fn some_lanes() -> u16 {
    16
}

impl JobSetup {
    /// A job of so many workers that makes no call, with everything else as scenarios have it by
    /// default.
    pub fn new(workers: u16) -> Self {
        Self {
            name: a_job(),
            workers,
            system: SystemName::default(),
            first_host: 0,
            flows: one(),
            slots: some_slots(),
            urgent_slots: None,
            exchange_slots: None,
            payload_bytes: a_payload(),
            content: Content::default(),
            lanes_simulated: some_lanes(),
            terms: Terms::new(IntegrityKind::default()),
            compression: None,
            table: None,
            mpi: None,
            timing: Timing::default(),
            calls: Vec::new(),
            operations: Vec::new(),
            start_us: 0,
            timeout_ms: ten_seconds_ms(),
            trees: first_tree(),
            exceptions: Vec::new(),
        }
    }

    /// Servers of the job.
    pub(crate) fn servers(&self) -> u16 {
        match self.system {
            SystemName::Netfold | SystemName::Ring | SystemName::Mpi => 0,
            SystemName::DedicatedServers | SystemName::ColocatedServers => self.workers,
            SystemName::Tables => self.table.map_or(0, |table| table.servers),
        }
    }

    /// The host of a rank; those of servers follow those of workers.
    pub(crate) fn host(&self, rank: u16) -> u32 {
        let place = match self.system {
            SystemName::ColocatedServers => rank % self.workers,
            SystemName::Netfold
            | SystemName::Ring
            | SystemName::DedicatedServers
            | SystemName::Tables
            | SystemName::Mpi => rank,
        };
        self.first_host + u32::from(place)
    }

    /// Hosts of the job.
    pub(crate) fn hosts(&self) -> u32 {
        let colocated = self.system == SystemName::ColocatedServers;
        let of_servers = if colocated { 0 } else { self.servers() };
        u32::from(self.workers) + u32::from(of_servers)
    }

    /// Slots of the urgent stream.
    pub(crate) fn urgent_slots(&self) -> u16 {
        self.urgent_slots.unwrap_or((self.slots / 4).max(1))
    }

    /// Slots of the stream of exchanges, at the one switch of all workers (R-CTRL-23).
    pub(crate) fn exchange_slots(&self) -> u16 {
        const FEWEST: u16 = 4;
        let most = self.slots / self.workers.max(1);
        self.exchange_slots.unwrap_or(if most < FEWEST { 0 } else { 1 << most.ilog2() })
    }
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

fn terms<'de, D: Deserializer<'de>>(input: D) -> Result<Terms<IntegrityKind>, D::Error> {
    Terms::try_from(&NamedTerms::deserialize(input)?).map_err(serde::de::Error::custom)
}

fn timing<'de, D: Deserializer<'de>>(input: D) -> Result<Timing, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Bounds {
        rto_initial_us: u64,
        rto_min_us: u64,
        rto_max_us: u64,
    }
    let Bounds { rto_initial_us, rto_min_us, rto_max_us } = Bounds::deserialize(input)?;
    Ok(Timing { rto_initial_us, rto_min_us, rto_max_us })
}
