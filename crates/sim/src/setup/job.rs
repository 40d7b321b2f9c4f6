//! A job of a simulation.

use std::path::PathBuf;
use std::sync::Arc;

use netfold_cgra::Chain;
use netfold_management::NamedTerms;
use netfold_wire::{IntegrityKind, Terms};
use netfold_worker::Timing;
use serde::{Deserialize, Deserializer};

use super::{CallSetup, Compression, Content, Exception, SystemName, TableSetup};
use crate::mpi::MpiSetup;
use crate::operations::SampleOperation;

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
    /// The switch decides on all numbers of slots, and lends those of long calls and of exchanges
    /// (R-CTRL-25). It needs the management plane.
    #[serde(default)]
    pub lent_slots: bool,
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
    /// Module of a user's operation whose functions an array carries out in the place of folds
    /// (R-CGRA-28). A caller reads it into `chain`.
    #[serde(default)]
    pub operation: Option<PathBuf>,
    /// These functions on the switches' array.
    #[serde(skip)]
    pub chain: Option<Arc<Chain>>,
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
            lent_slots: false,
            payload_bytes: a_payload(),
            content: Content::default(),
            lanes_simulated: some_lanes(),
            terms: Terms::new(IntegrityKind::default()),
            compression: None,
            table: None,
            mpi: None,
            timing: Timing::default(),
            calls: Vec::new(),
            operation: None,
            chain: None,
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
