//! All-reduces of more and more workers, in trees of switches, beside rings and trees of the
//! workers themselves: times, the sizes at which one overtakes another, and the cost of switches.
//!
//! The workers' own algorithms are at a single switch without limits that has a port for each.
//! Messages contend for nothing but the links to hosts there, are never lost, and cost no processor
//! but their overhead. netfold's call has that overhead once.
//!
//! Longer calls of netfold's than the plan simulates have their time extended, as much for each
//! byte as between the two longest that are simulated.

use netfold_num::{Arithmetic, ElementType};
use netfold_wire::HEADER_BYTES;
use serde::Deserialize;

use super::collectives::called;
use super::figures::{Cell, Curve, Plot, Scale, Sheet, Values};
use super::rack::{ELEMENT_BYTES, Line, LinkRate, Rack, Tree, elements_per_s, extended};
use super::times::{Network, Place};
use super::{Found, Means};
use crate::calibration::Calibration;
use crate::core::Costs;
use crate::error::Error;
use crate::mpi::{Algorithm, MpiSetup};
use crate::setup::{CallSetup, Content, JobSetup, Setup, SystemName};

/// Trees and rates.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scaling {
    /// Bytes of a vector.
    sizes: Vec<u64>,
    /// Most bytes of a vector that netfold is simulated with.
    most_bytes: u64,
    rack: Rack,
    rates: Vec<LinkRate>,
    /// Part of a call, and of each message, that is no network's.
    overhead_us: f64,
    lines: Vec<Line>,
    /// The first one of the most workers is what others are shown beside.
    trees: Vec<Tree>,
    peers: Peers,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Peers {
    /// Bytes of data in a packet.
    packet_bytes: u32,
    algorithms: Vec<Algorithm>,
    /// Numbers of segments of which the best is taken.
    segments: Vec<u32>,
    /// Bytes below which a segment is not worth its overhead.
    least_segment_bytes: u64,
}

/// A system at a rate, and its time for each size.
struct Times {
    /// Its place among the rates.
    rate: usize,
    workers: u16,
    layers: usize,
    /// Its name in values.
    id: String,
    name: String,
    us: Vec<f64>,
}

impl Scaling {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let (ours, peers) = (self.netfold(means)?, self.peers(means)?);
        let mut found = Found::default();
        for times in ours.iter().chain(&peers) {
            let gbps = self.rates[times.rate].gbps;
            for (bytes, us) in self.sizes.iter().zip(&times.us) {
                found.values.insert(format!("us.{}.{gbps}.{bytes}", times.id), *us);
            }
        }
        for rate in 0..self.rates.len() {
            found.sheets.push(self.times(rate, ours.iter().chain(&peers)));
            found.plots.extend(self.plot(rate, &ours, &peers));
        }
        found.sheets.push(self.crossings(&ours, &peers, &mut found.values));
        found.sheets.push(self.costs(&means.calibration, &mut found.values)?);
        Ok(found)
    }

    fn most_workers(&self) -> u16 {
        self.trees.iter().map(Tree::workers).max().unwrap_or_default()
    }

    /// Times of netfold's lines in each tree at each rate.
    fn netfold(&self, means: &Means) -> Result<Vec<Times>, Error> {
        let mut all = Vec::new();
        let mut setups = Vec::new();
        let simulated: Vec<_> =
            self.sizes.iter().copied().filter(|bytes| *bytes <= self.most_bytes).collect();
        for (place, rate) in self.rates.iter().enumerate() {
            for tree in &self.trees {
                for line in self.lines.iter().filter(|line| tree.lines.contains(&line.id)) {
                    for bytes in &simulated {
                        let mut job = line.job(tree.workers(), elements(*bytes), rate.slots)?;
                        if job.terms.arithmetic == Arithmetic::Native {
                            job.calls[0].element_type = ElementType::I32;
                        }
                        let payload_bytes = u64::from(job.payload_bytes);
                        if !bytes.is_multiple_of(payload_bytes) {
                            job.content = Content::Real;
                        }
                        setups.push(line.on(self.rack, &tree.fan_outs, rate.gbps, job));
                    }
                    all.push(Times {
                        rate: place,
                        workers: tree.workers(),
                        layers: tree.fan_outs.len(),
                        id: format!("{}.{}", line.id, tree.label()),
                        name: format!("{}, {}", line.name, tree.label()),
                        us: Vec::new(),
                    });
                }
            }
        }
        let times_ms = means.times_ms(&setups)?;
        let [.., from, to] = simulated[..] else {
            return Err(Error::Toml(
                "most_bytes leaves too few sizes; give a larger number".into(),
            ));
        };
        for (times, ms) in all.iter_mut().zip(times_ms.chunks(simulated.len())) {
            times.us = ms.iter().map(|ms| ms * 1e3 + self.overhead_us).collect();
            let [.., shorter, longer] = times.us[..] else { continue };
            let longest = self.sizes.iter().skip(simulated.len());
            times.us.extend(longest.map(|bytes| extended((from, shorter), (to, longer), *bytes)));
        }
        Ok(all)
    }

    /// Times of the workers' own algorithms, for each number of workers at each rate.
    fn peers(&self, means: &Means) -> Result<Vec<Times>, Error> {
        let mut workers: Vec<_> = self.trees.iter().map(Tree::workers).collect();
        workers.sort_unstable();
        workers.dedup();
        let mut all = Vec::new();
        let mut runs = Vec::new();
        let mut setups = Vec::new();
        for (place, rate) in self.rates.iter().enumerate() {
            for workers in &workers {
                for algorithm in &self.peers.algorithms {
                    for (size, bytes) in self.sizes.iter().enumerate() {
                        for mpi in self.ways(*algorithm, *bytes) {
                            setups.push(self.peer(rate.gbps, *workers, *bytes, mpi));
                            runs.push((all.len(), size));
                        }
                    }
                    all.push(Times {
                        rate: place,
                        workers: *workers,
                        layers: 1,
                        id: format!("{}.{workers}", key(*algorithm)),
                        name: called(*algorithm).to_owned(),
                        us: vec![f64::INFINITY; self.sizes.len()],
                    });
                }
            }
        }
        for ((place, size), ms) in runs.into_iter().zip(means.times_ms(&setups)?) {
            let us = &mut all[place].us[size];
            *us = us.min(ms * 1e3);
        }
        Ok(all)
    }

    fn ways(&self, algorithm: Algorithm, bytes: u64) -> Vec<MpiSetup> {
        let whole = MpiSetup::new(algorithm);
        if !algorithm.has_segments() {
            return vec![whole];
        }
        let is_worth = |segments: &&u32| {
            **segments == 1 || u64::from(**segments) * self.peers.least_segment_bytes <= bytes
        };
        let segments = self.peers.segments.iter().filter(is_worth);
        segments.map(|segments| MpiSetup { segments: *segments, ..whole.clone() }).collect()
    }

    fn peer(&self, gbps: f64, workers: u16, bytes: u64, mpi: MpiSetup) -> Setup {
        let Rack { delay_ns, latency_ns } = self.rack;
        let network = Network {
            gbps,
            host_ns: delay_ns,
            hop_ns: 0,
            port_ns: latency_ns,
            fold_ns: 0,
            array: None,
        };
        let job = JobSetup {
            system: SystemName::Mpi,
            payload_bytes: self.peers.packet_bytes,
            mpi: Some(mpi),
            calls: vec![CallSetup {
                elements: elements(bytes),
                element_type: ElementType::I32,
                ..CallSetup::default()
            }],
            ..JobSetup::new(workers)
        };
        network.mpi(Place::Switch, [workers.into(), 1, 1], self.overhead_us, job)
    }

    /// Times of everything at a rate.
    fn times<'a>(&self, rate: usize, all: impl Iterator<Item = &'a Times>) -> Sheet {
        let gbps = self.rates[rate].gbps;
        let sizes = self.sizes.iter().map(|bytes| format!("{bytes} B"));
        let header = ["workers", "layers", "system"].into_iter().map(String::from).chain(sizes);
        let mut sheet = Sheet::new(format!("Microseconds of an all-reduce at {gbps} Gbit/s"), []);
        sheet.header = header.collect();
        let mut rows: Vec<&Times> = all.filter(|times| times.rate == rate).collect();
        rows.sort_by_key(|times| times.workers);
        for times in rows {
            let first = [
                Cell::Number(times.workers.into(), 0),
                Cell::Number(times.layers as f64, 0),
                Cell::text(&times.name),
            ];
            sheet.rows.push(
                first.into_iter().chain(times.us.iter().map(|us| Cell::Number(*us, 1))).collect(),
            );
        }
        sheet
    }

    /// Times of the most workers by those of the first tree.
    fn plot(&self, rate: usize, ours: &[Times], peers: &[Times]) -> Option<Plot> {
        let gbps = self.rates[rate].gbps;
        let is_shown = |times: &&Times| times.rate == rate && times.workers == self.most_workers();
        let base = ours.iter().find(is_shown)?;
        let curve = |times: &Times| Curve {
            name: times.name.clone(),
            points: self
                .sizes
                .iter()
                .zip(times.us.iter().zip(&base.us))
                .map(|(bytes, (us, by))| (*bytes as f64, us / by))
                .collect(),
        };
        Some(Plot {
            name: format!("{gbps}gbps"),
            title: format!("Time of an all-reduce of {} workers at {gbps} Gbit/s", base.workers),
            x: "bytes of a vector".into(),
            y: format!("by that of {}", base.name),
            x_scale: Scale::Logarithmic,
            curves: ours.iter().chain(peers).filter(is_shown).map(curve).collect(),
        })
    }

    /// Sizes at which the faster of two systems changes.
    fn crossings(&self, ours: &[Times], peers: &[Times], values: &mut Values) -> Sheet {
        let names = self.peers.algorithms.iter().map(|algorithm| called(*algorithm).to_owned());
        let first = ["Gbit/s", "workers", "netfold"].into_iter().map(String::from);
        let mut sheet = Sheet::new("Bytes of a vector with which the other is faster", []);
        sheet.header = first.chain(names).collect();
        for mine in ours {
            let gbps = self.rates[mine.rate].gbps;
            let mut row = vec![
                Cell::Number(gbps, 0),
                Cell::Number(mine.workers.into(), 0),
                Cell::text(&mine.name),
            ];
            let others = peers
                .iter()
                .filter(|times| times.rate == mine.rate && times.workers == mine.workers);
            for other in others {
                let ratios: Vec<_> =
                    other.us.iter().zip(&mine.us).map(|(other, mine)| other / mine).collect();
                let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
                values.insert(format!("least_gain.{}.{}.{gbps}", mine.id, other.id), least);
                let crossing = crossing(&self.sizes, &ratios);
                let at_last = ratios.last().is_some_and(|ratio| *ratio < 1.0);
                row.push(Cell::Text(match crossing {
                    Some(bytes) if at_last => format!("from {bytes:.0} on"),
                    Some(bytes) => format!("up to {bytes:.0}"),
                    None if at_last => "always".to_owned(),
                    None => "never".to_owned(),
                }));
                if let Some(bytes) = crossing {
                    let at = format!("{}.{}.{gbps}", mine.id, other.id);
                    values.insert(format!("crossing_bytes.{at}"), bytes);
                }
            }
            sheet.rows.push(row);
        }
        sheet
    }

    /// Switches of each tree, and the cores that they take in software.
    fn costs(&self, calibration: &Calibration, values: &mut Values) -> Result<Sheet, Error> {
        let cores = self.rates.iter().flat_map(|rate| {
            ["cores of all switches", "of a worker"].map(|of| format!("{of}, {} Gbit/s", rate.gbps))
        });
        let first =
            ["workers", "tree", "switches", "ports of a switch"].into_iter().map(String::from);
        let mut sheet =
            Sheet::new("Cost of each tree, in switches, and in cores if these are software", []);
        sheet.header = first.chain(cores).collect();
        for tree in &self.trees {
            let line = self.lines.iter().find(|line| tree.lines.contains(&line.id));
            let Some(line) = line else { continue };
            let switches = tree.switches();
            let mut row = vec![
                Cell::Number(tree.workers().into(), 0),
                Cell::text(tree.label()),
                Cell::Number(switches.iter().map(|(number, _)| f64::from(*number)).sum(), 0),
                Cell::Number(
                    switches.iter().map(|(_, ports)| f64::from(*ports)).fold(0.0, f64::max),
                    0,
                ),
            ];
            for rate in &self.rates {
                let job = line.job(tree.workers(), 1, rate.slots)?;
                let elements = f64::from(job.payload_bytes) / ELEMENT_BYTES;
                let blocks_per_s = elements_per_s(rate.gbps, &job) / elements;
                // A packet in and one out for each block, at each port.
                let bytes = f64::from(job.payload_bytes) + HEADER_BYTES as f64;
                let port_s = |costs: &Costs| {
                    let Costs { receive_packet_ns, receive_byte_ns, send_packet_ns, send_byte_ns } =
                        *costs;
                    (receive_packet_ns + send_packet_ns + (receive_byte_ns + send_byte_ns) * bytes)
                        / 1e9
                };
                let ports: f64 = switches
                    .iter()
                    .map(|(number, ports)| f64::from(*number) * f64::from(*ports))
                    .sum();
                let of_switches = blocks_per_s * ports * port_s(&calibration.switch);
                let of_worker = blocks_per_s * port_s(&calibration.host);
                let at = format!("{}.{}", tree.label(), rate.gbps);
                values.insert(format!("switch_cores.{at}"), of_switches);
                values.insert(format!("worker_cores.{at}"), of_worker);
                row.extend([Cell::Number(of_switches, 0), Cell::Number(of_worker, 1)]);
            }
            sheet.rows.push(row);
        }
        Ok(sheet)
    }
}

fn elements(bytes: u64) -> u64 {
    bytes / ELEMENT_BYTES as u64
}

/// An algorithm's name in values.
fn key(algorithm: Algorithm) -> String {
    called(algorithm).replace(' ', "_").to_lowercase()
}

/// The largest size at which the time of the other by that of the first becomes more or less than
/// 1, by interpolation of logarithms.
fn crossing(sizes: &[u64], ratios: &[f64]) -> Option<f64> {
    let is_less = *ratios.last()? < 1.0;
    let before = ratios.iter().rposition(|ratio| (*ratio < 1.0) != is_less)?;
    let (near, far) = (ratios[before].ln(), ratios[before + 1].ln());
    let [from, to] = [sizes[before], sizes[before + 1]].map(|bytes| (bytes as f64).ln());
    Some((from + (to - from) * near / (near - far)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_where_the_ratio_is_one() {
        let sizes = [16, 64, 256];
        // Twice as slow at 64, twice as fast at 256: halfway between them.
        for ratios in [[3.0, 2.0, 0.5], [0.5, 2.0, 0.5], [0.3, 0.5, 2.0]] {
            assert!((crossing(&sizes, &ratios).unwrap() - 128.0).abs() < 1e-9);
        }
        assert_eq!(crossing(&sizes, &[0.5, 0.5, 0.5]), None);
        assert_eq!(crossing(&sizes, &[2.0, 1.5, 3.0]), None);
    }
}
