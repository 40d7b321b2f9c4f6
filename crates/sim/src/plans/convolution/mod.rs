//! Graph convolutions of two layers, with features at the switch and by MPI (ACiS, figure 4).
//!
//! The vertices of a graph are divided over workers. A layer adds up each vertex's neighbours, and
//! multiplies the sums by a matrix of weights. Either of that may come first, and each system does
//! first what takes it less time in all. The steps of a layer follow one another, and each takes as
//! long as the worker that it takes longest for.
//!
//! With MPI a worker fetches the rows of all vertices elsewhere that are neighbours of its own (an
//! all-to-all of unequal parts), and adds up all rows itself.
//!
//! With netfold rows are in a table at the switch (ACiS, type 3): features from the beginning, rows
//! of the second layer once workers have sent those at the border. A worker sends the numbers of
//! the neighbours elsewhere, and gets one row for each of its vertices that has any: their sum. It
//! adds those of its own neighbours. The switch reads rows at the rate of its memory meanwhile.
//!
//! The simulator has no packets that ask for rows. In their place there is an exchange
//! (R-STREAM-16) of as many bytes as the busier direction of the busiest worker's link carries: a
//! round brings each worker one packet for the one that it sends, as a request and its answer do.

mod exchange;
mod graph;

use serde::Deserialize;

use super::figures::{Cell, Curve, Plot, Scale, Sheet};
use super::times::Network;
use super::{Found, Means};
use crate::error::Error;
use crate::sweep;
use exchange::Exchanges;
use graph::{Dataset, MOST_PARTS, Parts};

/// Bytes of a feature, and of a vertex's number.
const FEATURE_BYTES: u64 = 4;
const VERTEX_BYTES: u64 = 4;

/// The figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Convolution {
    nodes: Vec<u16>,
    /// Features between the layers.
    hidden: u64,
    /// Most rounds of an exchange that are simulated.
    most_rounds: u64,
    /// Bytes of data in a packet of MPI's.
    packet_bytes: u32,
    network: Network,
    core: Core,
    variants: Vec<Variant>,
    datasets: Vec<Dataset>,
}

/// Costs of a core that were measured, in nanoseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Core {
    /// A multiplication and addition of a dense product.
    dense_ns: f64,
    /// A feature of a row that is added.
    feature_ns: f64,
}

/// The means of a cluster.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    id: String,
    name: String,
    /// Cores of a worker, between which work is divided evenly.
    cores: u32,
    /// Rate of the switch's memory, in 10^9 bytes per second.
    memory_gb_per_s: f64,
    /// There is such a memory for each node.
    memory_each: bool,
    /// MPI's for each message, and netfold's for each call.
    overhead_ns: u32,
}

/// A layer in one of its orders.
#[derive(Clone, Copy)]
struct Way {
    /// Features of a row before and behind the product.
    from: u64,
    to: u64,
    sums_first: bool,
    /// The rows that are added up are at the switch.
    resident: bool,
}

/// A graph on so many workers, with the times of its exchanges.
struct Case<'a> {
    dataset: &'a Dataset,
    parts: &'a Parts,
    exchanges: &'a Exchanges,
}

impl Way {
    /// Features of the rows that are added up.
    fn width(&self) -> u64 {
        if self.sums_first { self.from } else { self.to }
    }
}

impl Convolution {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        if self.nodes.iter().any(|nodes| !(1..=MOST_PARTS).contains(nodes)) {
            let (what, value) = ("nodes", format!("{:?}", self.nodes));
            return Err(Error::Number { what, value, instead: "1 to 128 of them" });
        }
        let mut places = Vec::new();
        for dataset in &self.datasets {
            places.extend(self.nodes.iter().map(|nodes| (dataset, *nodes)));
        }
        let parts = sweep::each(&places, means.threads, |_, (dataset, nodes)| {
            let edges = graph::edges(dataset.vertices, dataset.edges, means.seed);
            Ok(Parts::of(dataset.vertices, edges, *nodes))
        })?;
        let exchanges = Exchanges::of(self, &places, &parts, means)?;
        let mut found = Found::default();
        for variant in &self.variants {
            self.compare(variant, &places, &parts, &exchanges, &mut found);
        }
        found.sheets.push(sizes(&places, &parts));
        Ok(found)
    }

    /// The ways of both layers.
    fn layers(&self, dataset: &Dataset) -> [[Way; 2]; 2] {
        [(dataset.features, self.hidden, true), (self.hidden, dataset.classes, false)].map(
            |(from, to, features)| {
                [true, false].map(|sums_first| Way {
                    from,
                    to,
                    sums_first,
                    resident: features && sums_first,
                })
            },
        )
    }

    /// Times with MPI and with netfold, in microseconds.
    fn times_us(&self, variant: &Variant, case: &Case<'_>) -> (f64, f64) {
        let best = |time: &dyn Fn(&Way) -> f64| {
            let layers = self.layers(case.dataset);
            let best =
                layers.iter().map(|ways| ways.iter().map(time).fold(f64::INFINITY, f64::min));
            best.sum()
        };
        let mpi = |way: &Way| self.mpi_us(variant, case, way);
        (best(&mpi), best(&|way| self.netfold_us(variant, case, way)))
    }

    fn mpi_us(&self, variant: &Variant, case: &Case<'_>, way: &Way) -> f64 {
        let added = case
            .parts
            .most(|parts, part| parts.vertices[part] + parts.local[part] + parts.remote[part]);
        let (name, nodes) = (case.dataset.name.clone(), case.parts.vertices.len());
        self.dense_us(variant, case, way)
            + case.exchanges.fetch_us(&(variant.overhead_ns, name, nodes, way.width()))
            + self.sums_us(variant, added * way.width())
    }

    fn netfold_us(&self, variant: &Variant, case: &Case<'_>, way: &Way) -> f64 {
        let (width, nodes) = (way.width(), case.parts.vertices.len());
        let added = case
            .parts
            .most(|parts, part| parts.vertices[part] + parts.local[part] + parts.border[part]);
        let calls = Calls::of(case.parts, width);
        let call_us = |bytes| case.exchanges.call_us(nodes as u16, bytes, variant.overhead_ns);
        let upload_us = if way.resident { 0.0 } else { call_us(calls.upload_bytes) };
        let memories = if variant.memory_each { nodes as f64 } else { 1.0 };
        let read_us = calls.read_bytes as f64 / (variant.memory_gb_per_s * memories) / 1e3;
        self.dense_us(variant, case, way)
            + upload_us
            + call_us(calls.request_bytes).max(read_us)
            + self.sums_us(variant, added * width)
    }

    fn dense_us(&self, variant: &Variant, case: &Case<'_>, way: &Way) -> f64 {
        let rows = case.parts.most(|parts, part| parts.vertices[part]);
        (rows * way.from * way.to) as f64 * self.core.dense_ns / f64::from(variant.cores) / 1e3
    }

    fn sums_us(&self, variant: &Variant, features: u64) -> f64 {
        features as f64 * self.core.feature_ns / f64::from(variant.cores) / 1e3
    }

    fn compare(
        &self,
        variant: &Variant,
        places: &[(&Dataset, u16)],
        parts: &[Parts],
        exchanges: &Exchanges,
        found: &mut Found,
    ) {
        let title = format!("Two layers, {}", variant.name);
        let header = ["data set", "nodes", "MPI, us", "netfold, us", "gain", "paper, 24 nodes"];
        let mut sheet = Sheet::new(title, header);
        let mut curves: Vec<Curve> = Vec::new();
        let mut last: Vec<f64> = Vec::new();
        for ((dataset, nodes), parts) in places.iter().zip(parts) {
            let (mpi_us, netfold_us) = self.times_us(variant, &Case { dataset, parts, exchanges });
            let (gain, at) =
                (mpi_us / netfold_us, format!("{}.{}.{nodes}", variant.id, dataset.name));
            found.values.extend([
                (format!("mpi_us.{at}"), mpi_us),
                (format!("netfold_us.{at}"), netfold_us),
                (format!("gain.{at}"), gain),
            ]);
            let is_last = self.nodes.last() == Some(nodes);
            let paper = dataset.gain.filter(|_| is_last);
            if is_last {
                last.push(gain);
            }
            if curves.last().is_none_or(|curve| curve.name != dataset.name) {
                curves.push(Curve { name: dataset.name.clone(), points: Vec::new() });
            }
            if let Some(curve) = curves.last_mut() {
                curve.points.push((f64::from(*nodes), gain));
            }
            sheet.rows.push(vec![
                Cell::text(&dataset.name),
                Cell::Number((*nodes).into(), 0),
                Cell::Number(mpi_us, 1),
                Cell::Number(netfold_us, 1),
                Cell::Number(gain, 2),
                Cell::stated(paper, 1),
            ]);
        }
        let mean = last.iter().sum::<f64>() / last.len() as f64;
        found.values.insert(format!("mean_gain.{}", variant.id), mean);
        found.sheets.push(sheet);
        found.plots.push(Plot {
            name: variant.id.clone(),
            title: format!("Gain of netfold: {}", variant.name),
            x: "nodes".to_owned(),
            y: "times as fast as MPI".to_owned(),
            x_scale: Scale::Linear,
            curves,
        });
    }
}

/// Bytes of netfold's calls for rows of a width.
struct Calls {
    /// A worker's rows at the border go up.
    upload_bytes: u64,
    /// Numbers of vertices go up, and sums come down: the busier direction.
    request_bytes: u64,
    /// The switch reads a row for each neighbour elsewhere, of all workers.
    read_bytes: u64,
}

impl Calls {
    fn of(parts: &Parts, width: u64) -> Self {
        let row_bytes = width * FEATURE_BYTES;
        let upload_bytes = parts.most(|parts, part| parts.border[part]) * row_bytes;
        // A sum is asked for by the number of its neighbours elsewhere, and theirs.
        let numbers = parts.most(|parts, part| parts.remote[part] + parts.border[part]);
        let read_bytes = parts.remote.iter().sum::<u64>() * row_bytes;
        Self { upload_bytes, request_bytes: upload_bytes.max(numbers * VERTEX_BYTES), read_bytes }
    }
}

/// Sizes of the parts of the graphs.
fn sizes(places: &[(&Dataset, u16)], parts: &[Parts]) -> Sheet {
    let header = [
        "data set",
        "nodes",
        "neighbours elsewhere, share",
        "vertices at the border, share",
        "rows that MPI fetches, by rows that netfold gets",
    ];
    let mut sheet = Sheet::new("The synthetic graphs", header);
    for ((dataset, nodes), parts) in places.iter().zip(parts) {
        let sum = |numbers: &[u64]| numbers.iter().sum::<u64>() as f64;
        let fetched = sum(&parts.needed) / sum(&parts.border).max(1.0);
        sheet.rows.push(vec![
            Cell::text(&dataset.name),
            Cell::Number((*nodes).into(), 0),
            Cell::Number(sum(&parts.remote) / (2 * dataset.edges) as f64, 3),
            Cell::Number(sum(&parts.border) / dataset.vertices as f64, 3),
            Cell::Number(fetched, 2),
        ]);
    }
    sheet
}

#[cfg(test)]
mod tests;
