//! The exchanges of graph convolutions, simulated.

use std::collections::{BTreeMap, BTreeSet};

use netfold_num::Arithmetic;

use super::graph::{Dataset, Parts};
use super::{Calls, Convolution, FEATURE_BYTES, Variant};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::mpi::{Algorithm, MpiSetup};
use crate::plans::Means;
use crate::plans::times::{EXCHANGE_SLOTS, PAYLOAD_BYTES, Place};
use crate::setup::{CallSetup, CollectiveName, Content, JobSetup, Setup, SystemName};

/// The shorter of two exchanges from which longer ones are extended, as a share of the other.
const SHORTER: u64 = 4;

/// Times of exchanges, in microseconds.
pub(super) struct Exchanges {
    /// Bytes between two workers above which exchanges are extended, by the number of workers.
    most_bytes: BTreeMap<u16, u64>,
    /// netfold's, by workers and bytes between two of them.
    simulated: BTreeMap<(u16, u64), f64>,
    /// MPI's.
    fetches: BTreeMap<Fetch, f64>,
}

/// A fetch of MPI's: its overhead in nanoseconds, the data set, workers, and the width of rows.
type Fetch = (u32, String, usize, u64);

impl Exchanges {
    /// Simulates all that a figure needs.
    pub(super) fn of(
        figure: &Convolution,
        places: &[(&Dataset, u16)],
        parts: &[Parts],
        means: &Means,
    ) -> Result<Self, Error> {
        let most = |nodes: u16| {
            let rounds = figure.most_rounds / u64::from(nodes - 1).max(1);
            rounds.max(SHORTER) / SHORTER * SHORTER * PAYLOAD_BYTES
        };
        let several = figure.nodes.iter().copied().filter(|nodes| *nodes > 1);
        let most_bytes: BTreeMap<_, _> = several.map(|nodes| (nodes, most(nodes))).collect();
        let (mut calls, mut fetches) = (BTreeSet::new(), BTreeMap::new());
        for ((dataset, nodes), parts) in places.iter().zip(parts).filter(|((_, n), _)| *n > 1) {
            for way in figure.layers(dataset).as_flattened() {
                let Calls { upload_bytes, request_bytes, .. } = Calls::of(parts, way.width());
                for bytes in [upload_bytes, request_bytes] {
                    calls.extend(simulated(*nodes, between(*nodes, bytes), most_bytes[nodes]));
                }
                for Variant { overhead_ns, .. } in &figure.variants {
                    let name = dataset.name.clone();
                    fetches.insert((*overhead_ns, name, usize::from(*nodes), way.width()), parts);
                }
            }
        }
        let setups: Vec<_> =
            calls.iter().map(|(nodes, bytes)| figure.call(*nodes, *bytes)).collect();
        let times = took(&setups, means)?;
        let simulated = calls.into_iter().zip(times).collect();
        let mut setups = Vec::new();
        for (fetch, parts) in &fetches {
            // MPI's libraries pass on no parts of different lengths.
            let ways = Algorithm::of(netfold_worker::Collective::AllToAll).iter();
            let ways = ways.filter(|way| **way != Algorithm::Bruck);
            setups.extend(ways.map(|way| figure.fetch(fetch, parts, *way)));
        }
        let times = took(&setups, means)?;
        let ways = setups.len() / fetches.len().max(1);
        let best = times
            .chunks(ways.max(1))
            .map(|times| times.iter().copied().fold(f64::INFINITY, f64::min));
        let fetches = fetches.into_keys().zip(best).collect();
        Ok(Self { most_bytes, simulated, fetches })
    }

    /// A call of netfold's in which a worker sends and gets so many bytes.
    pub(super) fn call_us(&self, nodes: u16, bytes: u64, overhead_ns: u32) -> f64 {
        let Some(most) = self.most_bytes.get(&nodes).filter(|_| bytes > 0) else { return 0.0 };
        let bytes = between(nodes, bytes);
        let at = |bytes| self.simulated.get(&(nodes, bytes)).copied().unwrap_or(f64::NAN);
        let us = if bytes <= *most {
            at(bytes)
        } else {
            let (shorter, longer) = (at(most / SHORTER), at(*most));
            let share = (bytes - most) as f64 / (most - most / SHORTER) as f64;
            longer + (longer - shorter) * share
        };
        f64::from(overhead_ns) / 1e3 + us
    }

    /// MPI's all-to-all that fetches rows.
    pub(super) fn fetch_us(&self, fetch: &Fetch) -> f64 {
        self.fetches.get(fetch).copied().unwrap_or(0.0)
    }
}

/// Bytes from each of so many workers to each, in whole packets, if each sends this many.
fn between(nodes: u16, bytes: u64) -> u64 {
    bytes.div_ceil(u64::from(nodes) - 1).next_multiple_of(PAYLOAD_BYTES)
}

/// The exchanges that are simulated for one of so many bytes between two workers.
fn simulated(nodes: u16, bytes: u64, most: u64) -> Vec<(u16, u64)> {
    match bytes {
        0 => Vec::new(),
        bytes if bytes <= most => vec![(nodes, bytes)],
        _ => vec![(nodes, most / SHORTER), (nodes, most)],
    }
}

impl Convolution {
    fn call(&self, nodes: u16, bytes: u64) -> Setup {
        let collective = CollectiveName::AllToAll;
        let mut job = JobSetup {
            content: Content::Real,
            payload_bytes: PAYLOAD_BYTES as u32,
            slots: EXCHANGE_SLOTS,
            calls: vec![CallSetup { collective, elements: bytes, ..CallSetup::default() }],
            ..JobSetup::new(nodes)
        };
        job.terms.arithmetic = Arithmetic::Native;
        let mut setup = self.network.netfold(Place::Switch, line(nodes), job);
        setup.switches.memory_bytes = 1 << 40;
        setup
    }

    fn fetch(&self, fetch: &Fetch, parts: &Parts, algorithm: Algorithm) -> Setup {
        let (overhead_ns, _, nodes, width) = fetch;
        let nodes = *nodes as u16;
        let lengths = parts.needed.iter().map(|rows| rows * width * FEATURE_BYTES).collect();
        let collective = CollectiveName::AllToAll;
        let job = JobSetup {
            system: SystemName::Mpi,
            payload_bytes: self.packet_bytes,
            mpi: Some(MpiSetup { lengths, ..MpiSetup::new(algorithm) }),
            calls: vec![CallSetup { collective, ..CallSetup::default() }],
            ..JobSetup::new(nodes)
        };
        self.network.mpi(Place::Switch, line(nodes), f64::from(*overhead_ns) / 1e3, job)
    }
}

/// So many places.
fn line(nodes: u16) -> [u32; 3] {
    [nodes.into(), 1, 1]
}

/// Runs each setup, and gives the time of its call.
fn took(setups: &[Setup], means: &Means) -> Result<Vec<f64>, Error> {
    means.each(setups, |cluster: &mut Cluster| {
        cluster.run();
        cluster.completed(0, 0).map_or(f64::NAN, |time| time.ms() * 1e3)
    })
}
