//! Collectives in direct and indirect networks (ACiS, figure 3): netfold's switches in a torus, or
//! one of them, and MPI by the best of its algorithms, on the same links.
//!
//! A call of either system goes through MPI's library once; in MPI each message costs its overhead,
//! half of it at either end, and netfold's call costs one overhead in all. An FPGA folds what comes
//! through it at the rate of its links, with the latency of its pipeline on top of that between two
//! ports.
//!
//! A call of netfold's with more blocks than the plan simulates has its time extended: it grows by
//! as much for each byte as between the two longest calls that are simulated. Their slots have been
//! used several times over.

mod sheets;

use netfold_num::{Arithmetic, ElementType};
use serde::Deserialize;

use super::{Found, Means, rack};
use crate::core::Costs;
use crate::error::Error;
use crate::faults::Faults;
use crate::mpi::{Algorithm, MpiSetup};
use crate::setup::{
    CallSetup, CollectiveName, Content, CostsOf, JobSetup, Layer, Setup, SystemName, TorusSetup,
};
pub(super) use sheets::called;
use sheets::{called_with_segments, name, summary};

/// Room of queues that lose nothing.
const NO_LIMIT_BYTES: u64 = 1 << 40;

/// Bytes of lanes in a packet of netfold's. Shorter calls are simulated with all their elements.
const PAYLOAD_BYTES: u64 = 1024;

/// Bytes below which a segment of a chain is not worth its overhead.
const LEAST_SEGMENT_BYTES: u64 = 1024;

/// The figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Collectives {
    /// Bytes of a message, as OSU's benchmarks count them: of a part, where parts are gathered.
    sizes: Vec<u64>,
    /// Tori, each with a node at every place.
    tori: Vec<[u32; 3]>,
    /// Most blocks of a call of netfold's that are simulated.
    most_blocks: u64,
    network: Network,
    /// MPI's overheads; the first is the paper's.
    overheads_us: Vec<f64>,
    mpi: Mpi,
}

/// A direct network, and one with a switch.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Network {
    pub(super) gbps: f64,
    /// From a processor to its FPGA.
    pub(super) host_ns: u64,
    /// From an FPGA to another.
    pub(super) hop_ns: u64,
    /// From port to port.
    pub(super) port_ns: u64,
    /// More for what is folded.
    pub(super) fold_ns: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mpi {
    /// Bytes of data in a packet.
    packet_bytes: u32,
    /// Segments that a chain may have.
    segments: Vec<u32>,
}

/// The place of switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Torus,
    Switch,
}

const PLACES: [(Place, &str, &str); 2] =
    [(Place::Torus, "torus", "3D torus"), (Place::Switch, "switch", "one switch")];

const COLLECTIVES: [(CollectiveName, &str, &str); 4] = [
    (CollectiveName::AllGather, "all_gather", "all-gather"),
    (CollectiveName::AllReduce, "all_reduce", "all-reduce"),
    (CollectiveName::Broadcast, "broadcast", "broadcast"),
    (CollectiveName::Gather, "gather", "gather"),
];

/// A call on a network, of either system.
#[derive(Clone, Copy)]
struct Point {
    place: Place,
    torus: [u32; 3],
    collective: CollectiveName,
    bytes: u64,
}

/// Times of a call, in microseconds: of the last worker, and of all on average.
#[derive(Clone, Copy, Debug)]
struct Took {
    last_us: f64,
    mean_us: f64,
}

impl Network {
    /// Its links to `nodes` hosts; messages take `latency_ns` through a switch.
    pub(super) fn setup(
        self,
        place: Place,
        torus: [u32; 3],
        latency_ns: u64,
        job: JobSetup,
    ) -> Setup {
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
    pub(super) fn mpi(
        self,
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
    fn nodes(&self) -> u16 {
        self.torus.iter().product::<u32>() as u16
    }

    fn call(&self) -> CallSetup {
        let (collective, element_type) = (self.collective, ElementType::I32);
        let elements = match collective {
            CollectiveName::AllReduce => self.bytes / element_type.bytes() as u64,
            _ => self.bytes,
        };
        CallSetup { collective, elements, element_type, ..CallSetup::default() }
    }

    /// Blocks of netfold's call.
    fn blocks(&self) -> u64 {
        let parts = match self.collective {
            CollectiveName::AllGather | CollectiveName::Gather => u64::from(self.nodes()),
            _ => 1,
        };
        self.bytes.div_ceil(PAYLOAD_BYTES) * parts
    }

    fn netfold(&self, network: Network) -> Setup {
        let whole = self.bytes.is_multiple_of(PAYLOAD_BYTES);
        let mut job = JobSetup {
            content: if whole { Content::Probe } else { Content::Real },
            payload_bytes: PAYLOAD_BYTES as u32,
            calls: vec![self.call()],
            ..JobSetup::new(self.nodes())
        };
        job.terms.arithmetic = Arithmetic::Native;
        network.setup(self.place, self.torus, network.port_ns + network.fold_ns, job)
    }
}

impl Collectives {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let points = self.points();
        let netfold = self.netfold(&points, means)?;
        let mut found = Found::default();
        for (number, overhead_us) in self.overheads_us.iter().enumerate() {
            let best = self.best(&points, *overhead_us, means)?;
            let mut rows = Vec::new();
            for ((point, took), (algorithm, last, mean)) in points.iter().zip(&netfold).zip(best) {
                let took = Took {
                    last_us: took.last_us + overhead_us,
                    mean_us: took.mean_us + overhead_us,
                };
                let at = name(point);
                let by = if number == 0 { String::new() } else { format!("{overhead_us}us.") };
                found.values.extend([
                    (format!("{by}netfold_us.{at}"), took.last_us),
                    (format!("{by}mpi_us.{at}"), last),
                    (format!("{by}gain.{at}"), last / took.last_us),
                    (format!("{by}gain_on_average.{at}"), mean / took.mean_us),
                ]);
                rows.push((*point, took, algorithm, last, mean));
            }
            if number == 0 {
                let sheets = PLACES.map(|(place, _, title)| self.sheet(place, title, &rows));
                found.sheets.extend(sheets);
                found
                    .plots
                    .extend(PLACES.map(|(place, id, title)| self.plot(place, (id, title), &rows)));
            }
            found.sheets.push(summary(*overhead_us, number, &rows, &mut found.values));
        }
        Ok(found)
    }

    fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for (place, ..) in PLACES {
            for (collective, ..) in COLLECTIVES {
                for torus in &self.tori {
                    points.extend(self.sizes.iter().map(|bytes| Point {
                        place,
                        torus: *torus,
                        collective,
                        bytes: *bytes,
                    }));
                }
            }
        }
        points
    }

    /// Times of netfold's calls, without MPI's overhead.
    fn netfold(&self, points: &[Point], means: &Means) -> Result<Vec<Took>, Error> {
        let is_simulated = |point: &Point| point.blocks() <= self.most_blocks;
        let simulated: Vec<_> = points.iter().copied().filter(is_simulated).collect();
        let setups: Vec<_> = simulated.iter().map(|point| point.netfold(self.network)).collect();
        let mut times = took(&setups, means)?.into_iter();
        let mut before: Vec<(u64, Took)> = Vec::new();
        let mut all = Vec::new();
        for point in points {
            if point.bytes == self.sizes[0] {
                before.clear();
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
    fn best(
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

/// A call, netfold's time, MPI's best algorithm and its time, and the least one on average.
type Row = (Point, Took, String, f64, f64);

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
