//! Times of collectives in direct and indirect networks: netfold's switches in a torus, or one of
//! them, and MPI by the best of its algorithms, on the same links.
//!
//! A call of netfold's with more blocks than are to be simulated has its time extended: it grows by
//! as much for each byte as between the two longest calls that are simulated. Their slots have been
//! used several times over.

use netfold_num::{Arithmetic, ElementType};
use serde::Deserialize;

use super::collectives::called;
use super::{Means, rack};
use crate::core::Costs;
use crate::error::Error;
use crate::faults::Faults;
use crate::mpi::{Algorithm, MpiSetup};
use crate::setup::{
    CallSetup, CollectiveName, Content, CostsOf, JobSetup, Layer, Setup, SystemName, TorusSetup,
};

/// Room of queues that lose nothing.
const NO_LIMIT_BYTES: u64 = 1 << 40;

/// Bytes of lanes in a packet of netfold's. Shorter calls are simulated with all their elements.
pub(crate) const PAYLOAD_BYTES: u64 = 1024;

/// Bytes below which a segment of a chain is not worth its overhead.
const LEAST_SEGMENT_BYTES: u64 = 1024;

/// Slots of a job with exchanges, which leave enough for these (R-CTRL-23) to fill a round trip.
pub(super) const EXCHANGE_SLOTS: u16 = 4096;

/// A direct network, and one with a switch.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Network {
    pub(crate) gbps: f64,
    /// From a processor to its FPGA.
    pub(crate) host_ns: u64,
    /// From an FPGA to another.
    pub(crate) hop_ns: u64,
    /// From port to port.
    pub(crate) port_ns: u64,
    /// More for what is folded.
    pub(crate) fold_ns: u64,
    /// The array that folds, by whose cycles what is folded takes longer, too.
    #[serde(default)]
    pub(crate) array: Option<String>,
}

/// MPI's messages.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mpi {
    /// Bytes of data in a packet.
    pub(crate) packet_bytes: u32,
    /// Segments that a chain may have.
    pub(crate) segments: Vec<u32>,
}

/// The place of switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Torus,
    Switch,
}

/// A call on a network, of either system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) place: Place,
    pub(crate) torus: [u32; 3],
    pub(crate) collective: CollectiveName,
    pub(crate) bytes: u64,
}

/// Times of a call, in microseconds: of the last worker, and of all on average.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) last_us: f64,
    pub(crate) mean_us: f64,
}

/// Network and costs with which calls are timed.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    pub(crate) network: Network,
    pub(crate) mpi: Mpi,
    /// Most blocks of a call of netfold's that are simulated.
    pub(crate) most_blocks: u64,
}

impl Network {
    /// The same for a job of netfold's, whose packets are folded.
    pub(crate) fn netfold(&self, place: Place, torus: [u32; 3], job: JobSetup) -> Setup {
        let mut setup = self.setup(place, torus, self.port_ns + self.fold_ns, job);
        setup.switches.array.clone_from(&self.array);
        setup
    }

    /// Its links to `nodes` hosts; messages take `latency_ns` through a switch.
    fn setup(&self, place: Place, torus: [u32; 3], latency_ns: u64, job: JobSetup) -> Setup {
        let nodes: u32 = torus.iter().product();
        let (fan_out, delay_ns) = match place {
            Place::Torus => (1, self.host_ns),
            // The FPGA beside a host is its network interface, a link from the switch.
            Place::Switch => (nodes, self.host_ns + self.hop_ns),
        };
        let (rate_gbps, queue_bytes) = (self.gbps, NO_LIMIT_BYTES);
        let hosts = Layer {
            fan_out,
            rate_gbps,
            delay_ns,
            queue_bytes,
            mark_bytes: None,
            faults: Faults::default(),
        };
        let mut setup = Setup::new(vec![hosts], vec![job]);
        setup.switches.latency_ns = latency_ns;
        setup.switches.inbox_bytes = NO_LIMIT_BYTES;
        let delay_ns = self.hop_ns;
        setup.torus = (place == Place::Torus).then_some(TorusSetup {
            dimensions: torus,
            rate_gbps,
            delay_ns,
            queue_bytes,
        });
        setup
    }

    /// The same for a job of MPI's, whose hosts send and receive at half of the overhead each.
    pub(crate) fn mpi(
        &self,
        place: Place,
        torus: [u32; 3],
        overhead_us: f64,
        job: JobSetup,
    ) -> Setup {
        let mut setup = self.setup(place, torus, self.port_ns, job);
        let half_ns = overhead_us * 1e3 / 2.0;
        let costs = Costs { receive_packet_ns: half_ns, send_packet_ns: half_ns, ..Costs::NONE };
        setup.hosts.costs = CostsOf::Given(costs);
        setup
    }
}

impl Point {
    pub(crate) fn nodes(&self) -> u16 {
        self.torus.iter().product::<u32>() as u16
    }

    fn call(&self) -> CallSetup {
        let (collective, element_type) = (self.collective, ElementType::I32);
        let elements = match collective {
            CollectiveName::AllReduce
            | CollectiveName::Reduce
            | CollectiveName::ReduceScatter
            | CollectiveName::Scan => self.bytes / element_type.bytes() as u64,
            _ => self.bytes,
        };
        CallSetup { collective, elements, element_type, ..CallSetup::default() }
    }

    /// Blocks of netfold's call.
    pub(crate) fn blocks(&self) -> u64 {
        let parts = match self.collective {
            CollectiveName::AllGather
            | CollectiveName::Gather
            | CollectiveName::Scatter
            | CollectiveName::ReduceScatter
            | CollectiveName::AllToAll => u64::from(self.nodes()),
            _ => 1,
        };
        self.bytes.div_ceil(PAYLOAD_BYTES) * parts
    }

    fn netfold(&self, network: &Network) -> Setup {
        let whole = self.bytes.is_multiple_of(PAYLOAD_BYTES);
        let mut job = JobSetup {
            content: if whole && self.can_be_probes() { Content::Probe } else { Content::Real },
            payload_bytes: PAYLOAD_BYTES as u32,
            calls: vec![self.call()],
            ..JobSetup::new(self.nodes())
        };
        job.terms.arithmetic = Arithmetic::Native;
        if self.is_exchange() {
            job.slots = EXCHANGE_SLOTS;
        }
        let mut setup = network.netfold(self.place, self.torus, job);
        if self.is_exchange() {
            setup.switches.memory_bytes = NO_LIMIT_BYTES;
        }
        setup
    }

    /// Returns whether numbers that stand for elements can be in their place.
    fn can_be_probes(&self) -> bool {
        !self.is_exchange() && self.collective != CollectiveName::Scatter
    }

    /// Returns whether netfold carries it out as an exchange (R-STREAM-16).
    pub(crate) fn is_exchange(&self) -> bool {
        matches!(self.collective, CollectiveName::AllToAll | CollectiveName::Scan)
    }

    fn is_alike(&self, other: &Self) -> bool {
        (self.place, self.torus, self.collective) == (other.place, other.torus, other.collective)
    }
}

impl Times {
    /// Times of netfold's calls, without MPI's overhead.
    /// Those of one collective on one network stand together, with the shorter first.
    pub(crate) fn netfold(&self, points: &[Point], means: &Means) -> Result<Vec<Took>, Error> {
        let is_simulated = |point: &Point| point.blocks() <= self.most_blocks;
        let simulated: Vec<_> = points.iter().copied().filter(is_simulated).collect();
        let setups: Vec<_> = simulated.iter().map(|point| point.netfold(&self.network)).collect();
        let mut times = took(&setups, means)?.into_iter();
        let mut before: Vec<(u64, Took)> = Vec::new();
        let mut all = Vec::new();
        let mut group: Option<&Point> = None;
        for point in points {
            if !group.is_some_and(|group| group.is_alike(point)) {
                (group, before) = (Some(point), Vec::new());
            }
            let time =
                if is_simulated(point) { times.next() } else { extended(&before, point.bytes) };
            let time = time.ok_or_else(|| Error::Toml(TOO_FEW.to_owned()))?;
            if is_simulated(point) {
                before.push((point.bytes, time));
            }
            all.push(time);
        }
        Ok(all)
    }

    /// The best of MPI's algorithms for each call: its name and its time, by the last worker, and
    /// the least time on average.
    pub(crate) fn best(
        &self,
        points: &[Point],
        overhead_us: f64,
        means: &Means,
    ) -> Result<Vec<(String, f64, f64)>, Error> {
        let mut runs = Vec::new();
        for (number, point) in points.iter().enumerate() {
            runs.extend(self.ways(point).into_iter().map(|mpi| (number, mpi)));
        }
        let setup = |(number, mpi): &(usize, MpiSetup)| {
            let point = &points[*number];
            let job = JobSetup {
                system: SystemName::Mpi,
                payload_bytes: self.mpi.packet_bytes,
                mpi: Some(mpi.clone()),
                calls: vec![point.call()],
                ..JobSetup::new(point.nodes())
            };
            self.network.mpi(point.place, point.torus, overhead_us, job)
        };
        let setups: Vec<_> = runs.iter().map(setup).collect();
        let mut best = vec![(String::new(), f64::INFINITY, f64::INFINITY); points.len()];
        for ((number, mpi), took) in runs.iter().zip(took(&setups, means)?) {
            let (algorithm, last_us, mean_us) = &mut best[*number];
            if took.last_us < *last_us {
                (*algorithm, *last_us) = (called_with_segments(mpi), took.last_us);
            }
            *mean_us = mean_us.min(took.mean_us);
        }
        Ok(best)
    }

    /// The algorithms that a call can be carried out by.
    fn ways(&self, point: &Point) -> Vec<MpiSetup> {
        let collective = crate::job::call_of(&point.call()).collective;
        let algorithms = Algorithm::of(collective)
            .iter()
            .filter(|algorithm| algorithm.can(collective, point.nodes()))
            // MPI's libraries do not send up and down a tree side by side.
            .filter(|algorithm| !matches!(algorithm, Algorithm::Tree | Algorithm::DoubleTree));
        let mut ways = Vec::new();
        for algorithm in algorithms {
            let whole = MpiSetup::new(*algorithm);
            if algorithm.has_segments() {
                let worth = |segments: &&u32| {
                    **segments == 1 || u64::from(**segments) * LEAST_SEGMENT_BYTES <= point.bytes
                };
                ways.extend(
                    self.mpi
                        .segments
                        .iter()
                        .filter(worth)
                        .map(|segments| MpiSetup { segments: *segments, ..whole.clone() }),
                );
            } else {
                ways.push(whole);
            }
        }
        ways
    }
}

const TOO_FEW: &str = "most_blocks leaves too few sizes to extend; give a larger number";

/// The time of a longer call than all that were simulated.
fn extended(before: &[(u64, Took)], bytes: u64) -> Option<Took> {
    let [.., (from, shorter), (to, longer)] = before else { return None };
    let extend = |shorter: f64, longer: f64| rack::extended((*from, shorter), (*to, longer), bytes);
    Some(Took {
        last_us: extend(shorter.last_us, longer.last_us),
        mean_us: extend(shorter.mean_us, longer.mean_us),
    })
}

/// Runs each setup, and gives the times of its call.
fn took(setups: &[Setup], means: &Means) -> Result<Vec<Took>, Error> {
    means.each(setups, |cluster| {
        cluster.run();
        let last_us = cluster.completed(0, 0).map_or(f64::NAN, |time| time.ms() * 1e3);
        Took { last_us, mean_us: cluster.mean_us(0, 0).unwrap_or(f64::NAN) }
    })
}

/// Returns the name of an algorithm, with its segments, if it has any.
fn called_with_segments(mpi: &MpiSetup) -> String {
    let name = called(mpi.algorithm);
    if mpi.algorithm.has_segments() {
        format!("{name} of {}", mpi.segments)
    } else {
        name.to_owned()
    }
}
