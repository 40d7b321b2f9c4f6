//! Applications by their traces, on networks of any size (ACiS, figure 6): the collectives that an
//! MPI program has made, with what lay between them, by MPI and by netfold.
//!
//! The rules are in `spec/mpi-trace.md` (R-MTR-8 to R-MTR-11). Open [`Replay`] first.

mod courses;
mod sizes;
mod trace;

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::Error;
use crate::plans::times::{Mpi, Network, PAYLOAD_BYTES, Place, Point, Times};
use crate::plans::{Cell, Curve, Figures, Means, Plot, Scale, Sheet};
use crate::setup::CollectiveName;
use courses::{Courses, Instance};
pub use sizes::{Sizes, SizesError};
pub use trace::Trace;

/// The network of the paper's figure.
const ACIS: &str = include_str!("../../replay/acis.toml");

/// Most nodes of a network.
const MOST_NODES: u32 = 1024;

/// A network, and how traces are scaled to it.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Nodes of the networks.
    pub nodes: Vec<u32>,
    /// All nodes are at one switch; a torus has one at each node.
    pub at_one_switch: bool,
    /// The rule of lengths.
    pub sizes: Sizes,
    means: Of,
}

/// The parameters of a network.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Of {
    most_blocks: u64,
    overhead_us: f64,
    network: Network,
    mpi: Mpi,
}

/// Microseconds of a call.
#[derive(Clone, Debug)]
struct Cost {
    mpi_us: f64,
    algorithm: String,
    /// Of netfold's; `None` where it is MPI's (R-MTR-11).
    netfold_us: Option<f64>,
}

impl Cost {
    /// Returns the time with netfold, which takes the calls that it is faster in (R-MPI-4).
    fn with_netfold_us(&self) -> f64 {
        self.netfold_us.map_or(self.mpi_us, |netfold| netfold.min(self.mpi_us))
    }
}

impl Replay {
    /// Returns the replay on networks of so many nodes, with the parameters in a file's text, or
    /// with those of ACiS.
    ///
    /// # Errors
    /// [`Error::Toml`], and [`Error::Number`] of nodes.
    pub fn new(
        parameters: Option<&str>,
        nodes: Vec<u32>,
        at_one_switch: bool,
        sizes: Sizes,
    ) -> Result<Self, Error> {
        if let Some(wrong) = nodes.iter().find(|nodes| !(2..=MOST_NODES).contains(*nodes)) {
            let (what, instead) = ("nodes", "2 to 1024 of them");
            return Err(Error::Number { what, value: wrong.to_string(), instead });
        }
        let means = toml::from_str(parameters.unwrap_or(ACIS));
        let means = means.map_err(|error: toml::de::Error| Error::Toml(error.to_string()))?;
        Ok(Self { nodes, at_one_switch, sizes, means })
    }

    /// Replays the traces of applications, which have names.
    ///
    /// # Errors
    /// A call that cannot be simulated.
    pub fn run(&self, traces: &[(String, Trace)], means: &Means) -> Result<Figures, Error> {
        let all: Vec<Courses> = traces.iter().map(|(_, trace)| Courses::of(trace)).collect();
        let mut counts: Vec<BTreeMap<Point, u64>> = Vec::new();
        let mut places = Vec::new();
        for (number, courses) in all.iter().enumerate() {
            for nodes in &self.nodes {
                let mut of = BTreeMap::new();
                for instance in &courses.instances {
                    if let Some(point) = self.point(instance, traces[number].1.size, *nodes) {
                        *of.entry(point).or_default() += 1;
                    }
                }
                counts.push(of);
                places.push((number, *nodes));
            }
        }
        let costs = self.costs(counts.iter().flat_map(BTreeMap::keys).copied(), means)?;
        let mut figures = self.figures(means);
        let mut sheet = Sheet::new("Applications", APPLICATIONS);
        for (number, nodes) in &places {
            let (name, trace) = &traces[*number];
            let row = self.replayed(&all[*number], trace.size, *nodes, &costs);
            row.tell(name, *nodes, &mut figures);
            sheet.rows.push(row.cells(name, trace.size, *nodes));
        }
        figures.sheets.push(sheet);
        figures.sheets.push(calls(traces, &places, &counts, &costs));
        Ok(figures)
    }

    fn figures(&self, means: &Means) -> Figures {
        let network = if self.at_one_switch { "one switch" } else { "a torus" };
        let overhead_us = self.means.overhead_us;
        Figures {
            title: format!("Traces replayed on {network}"),
            paper: format!(
                "ACiS, figure 6 (section V.B). MPI is modelled with an overhead of {overhead_us} us for each message, and its host adds up at no cost. What lies between collectives is scaled with the nodes; lengths are scaled by the rule {}",
                self.sizes
            ),
            seed: means.seed,
            sheets: Vec::new(),
            claims: Vec::new(),
            plots: vec![Plot {
                name: "gain".to_owned(),
                title: format!("Time by MPI, less that with netfold, on {network}"),
                x: "nodes".to_owned(),
                y: "percent of MPI's".to_owned(),
                x_scale: Scale::Linear,
                curves: Vec::new(),
            }],
            values: BTreeMap::new(),
        }
    }

    /// Returns a collective of a trace of `from` ranks on a network of `to` nodes; `None` if it
    /// takes no time there, since one rank makes it.
    fn point(&self, instance: &Instance, from: u32, to: u32) -> Option<Point> {
        let from = from.max(1);
        let nodes = match instance.size {
            0 | 1 => return None,
            size if size >= from => to,
            // R-MTR-9: a part of the ranks stays the same part.
            size => (u64::from(size) * u64::from(to) / u64::from(from)).clamp(2, to.into()) as u32,
        };
        let (collective, bytes) = match instance.collective {
            // R-MTR-11
            CollectiveName::Barrier => (CollectiveName::AllReduce, 0),
            other => (other, instance.bytes()),
        };
        let bytes = self.sizes.scaled(collective, bytes, f64::from(from) / f64::from(to));
        let place = if self.at_one_switch { Place::Switch } else { Place::Torus };
        Some(Point { place, torus: torus(nodes), collective, bytes })
    }

    /// Returns the costs of calls.
    fn costs(
        &self,
        points: impl Iterator<Item = Point>,
        means: &Means,
    ) -> Result<BTreeMap<Point, Cost>, Error> {
        let Of { most_blocks, overhead_us, network, mpi } = self.means.clone();
        let times = Times { network, mpi, most_blocks };
        let mut points: Vec<Point> = points.collect();
        points.sort_unstable();
        points.dedup();
        let best = times.best(&points, overhead_us, means)?;
        let mut costs: BTreeMap<Point, Cost> = BTreeMap::new();
        for (point, (algorithm, mpi_us, _)) in points.iter().zip(best) {
            costs.insert(*point, Cost { mpi_us, algorithm, netfold_us: None });
        }
        // Exchanges need one switch that has all workers.
        points.retain(|point| self.at_one_switch || !point.is_exchange());
        points.extend(helpers(&points, most_blocks));
        points.sort_unstable();
        points.dedup();
        for (point, took) in points.iter().zip(times.netfold(&points, means)?) {
            if let Some(cost) = costs.get_mut(point) {
                cost.netfold_us = Some(took.last_us + overhead_us);
            }
        }
        Ok(costs)
    }

    fn replayed(
        &self,
        courses: &Courses,
        from: u32,
        nodes: u32,
        costs: &BTreeMap<Point, Cost>,
    ) -> Replayed {
        let scale = f64::from(from) / f64::from(nodes);
        let cost = |instance: &Instance| costs.get(&self.point(instance, from, nodes)?);
        let seconds = |us: &dyn Fn(&Cost) -> f64| {
            courses.replayed_ns(scale, |instance| cost(instance).map_or(0.0, |of| us(of) * 1e3))
                / 1e9
        };
        Replayed {
            calls: courses.instances.len(),
            between_s: seconds(&|_| 0.0),
            mpi_s: seconds(&|cost| cost.mpi_us),
            netfold_s: seconds(&Cost::with_netfold_us),
        }
    }
}

const APPLICATIONS: [&str; 8] = [
    "application",
    "ranks of the trace",
    "nodes",
    "collectives",
    "between them, s",
    "by MPI, s",
    "with netfold, s",
    "less, %",
];

/// An application on a network.
struct Replayed {
    calls: usize,
    between_s: f64,
    mpi_s: f64,
    netfold_s: f64,
}

impl Replayed {
    /// Returns the share of MPI's time that netfold spares, in percent.
    fn less_percent(&self) -> f64 {
        if self.mpi_s > 0.0 { (1.0 - self.netfold_s / self.mpi_s) * 100.0 } else { 0.0 }
    }

    fn cells(&self, name: &str, ranks: u32, nodes: u32) -> Vec<Cell> {
        vec![
            Cell::Text(name.to_owned()),
            Cell::Number(ranks.into(), 0),
            Cell::Number(nodes.into(), 0),
            Cell::Number(self.calls as f64, 0),
            Cell::Number(self.between_s, 4),
            Cell::Number(self.mpi_s, 4),
            Cell::Number(self.netfold_s, 4),
            Cell::Number(self.less_percent(), 1),
        ]
    }

    fn tell(&self, name: &str, nodes: u32, figures: &mut Figures) {
        figures.values.extend([
            (format!("between_s.{name}.{nodes}"), self.between_s),
            (format!("mpi_s.{name}.{nodes}"), self.mpi_s),
            (format!("netfold_s.{name}.{nodes}"), self.netfold_s),
            (format!("less_percent.{name}.{nodes}"), self.less_percent()),
        ]);
        let curves = &mut figures.plots[0].curves;
        if curves.last().is_none_or(|curve| curve.name != name) {
            curves.push(Curve { name: name.to_owned(), points: Vec::new() });
        }
        if let Some(curve) = curves.last_mut() {
            curve.points.push((nodes.into(), self.less_percent()));
        }
    }
}

/// Returns the calls that longer ones are extended from.
fn helpers(points: &[Point], most_blocks: u64) -> Vec<Point> {
    let longer = points.iter().filter(|point| point.blocks() > most_blocks);
    let sizes = longer.flat_map(|point| {
        let parts = Point { bytes: PAYLOAD_BYTES, ..*point }.blocks();
        let most = (most_blocks / parts).max(4);
        [most / 4, most].map(|blocks| Point { bytes: blocks * PAYLOAD_BYTES, ..*point })
    });
    sizes.collect()
}

/// Returns a torus of so many nodes, as near to a cube as their factors let it be.
fn torus(nodes: u32) -> [u32; 3] {
    let mut sides = [1_u32; 3];
    let (mut left, mut factor) = (nodes, 2);
    let mut factors = Vec::new();
    while left > 1 {
        if left.is_multiple_of(factor) {
            factors.push(factor);
            left /= factor;
        } else {
            factor += 1;
        }
    }
    for factor in factors.into_iter().rev() {
        sides.sort_unstable();
        sides[0] *= factor;
    }
    sides.sort_unstable();
    sides.reverse();
    sides
}

/// Returns the table of all calls.
fn calls(
    traces: &[(String, Trace)],
    places: &[(usize, u32)],
    counts: &[BTreeMap<Point, u64>],
    costs: &BTreeMap<Point, Cost>,
) -> Sheet {
    let header = [
        "application",
        "nodes",
        "collective",
        "ranks",
        "bytes",
        "calls",
        "MPI, us",
        "its algorithm",
        "netfold, us",
    ];
    let mut sheet = Sheet::new("Collectives", header);
    for ((number, nodes), counts) in places.iter().zip(counts) {
        for (point, calls) in counts {
            let Some(cost) = costs.get(point) else { continue };
            sheet.rows.push(vec![
                Cell::Text(traces[*number].0.clone()),
                Cell::Number((*nodes).into(), 0),
                Cell::Text(sizes::name(point.collective).to_owned()),
                Cell::Number(point.nodes().into(), 0),
                Cell::Number(point.bytes as f64, 0),
                Cell::Number(*calls as f64, 0),
                Cell::Number(cost.mpi_us, 2),
                Cell::Text(cost.algorithm.clone()),
                cost.netfold_us.map_or(Cell::Missing, |us| Cell::Number(us, 2)),
            ]);
        }
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torus_has_all_nodes_and_no_long_side() {
        for (nodes, expected) in
            [(128, [8, 4, 4]), (64, [4, 4, 4]), (2, [2, 1, 1]), (12, [3, 2, 2]), (7, [7, 1, 1])]
        {
            assert_eq!(torus(nodes), expected);
        }
    }
}
