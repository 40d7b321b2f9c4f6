//! Push and pull of sparse models (Libra, figures 12 to 14): hot keys in the switch, beside servers
//! alone, and beside dense vectors of all parameters.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::figures::{Cell, Curve, Plot, Scale, Sheet};
use super::rack::{Rack, all_reduce};
use super::{Found, Means};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::setup::{CallSetup, JobSetup, Setup, SystemName, TableSetup};
use crate::time::Time;

/// Time at which workers begin, when servers have loaded the hot rows.
const START_US: u64 = 2_000;

/// Copies of a slot (SwitchML, algorithm 3).
const COPIES: u64 = 2;

/// Models, and the systems that add up their gradients.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tables {
    rack: Rack,
    gbps: f64,
    /// Bytes of pairs in a full packet, and segments under way between a worker and all servers.
    payload_bytes: u32,
    slots: u16,
    /// Age of a generation that servers close, in microseconds.
    max_age_us: u64,
    /// Mini-batches of a run.
    mini_batches: usize,
    workers: Vec<u16>,
    servers: u16,
    dense: Dense,
    models: Vec<Model>,
    /// Workers of everything but figure 12, and models that are swept.
    swept: Swept,
}

/// Dense vectors.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dense {
    /// Elements that are simulated of a model's; all take the time in proportion.
    elements: u64,
    payload_bytes: u32,
    /// Memory of the switch for slots.
    memory_bytes: u64,
}

/// A sparse model.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    id: String,
    name: String,
    keys: u64,
    exponent: f64,
    hot: u32,
    /// Pairs that a worker pushes in a mini-batch.
    pairs: u64,
    /// Those of them that are simulated, if not all.
    simulated: Option<u64>,
}

/// Sweeps of the models that the paper sweeps.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Swept {
    models: Vec<String>,
    workers: u16,
    hot: Vec<u32>,
    pairs: Vec<u64>,
    servers: Vec<u16>,
    servers_workers: u16,
}

/// A point of a figure: one run.
#[derive(Clone, Copy, Debug)]
struct Point<'a> {
    model: &'a Model,
    workers: u16,
    servers: u16,
    /// Hot keys, 0 for servers alone.
    hot: u32,
    pairs: u64,
}

/// Time of a mini-batch, and the share of its pairs that were hot.
#[derive(Clone, Copy, Debug)]
struct Seen {
    ms: f64,
    hot: f64,
}

type Runs = BTreeMap<String, Seen>;

impl Point<'_> {
    fn key(&self) -> String {
        let Self { model, workers, servers, hot, pairs } = self;
        format!("{}.{workers}.{servers}.{hot}.{pairs}", model.id)
    }

    fn alone(self) -> Self {
        Self { hot: 0, ..self }
    }

    /// Throughput by that of servers alone.
    fn gain(self, runs: &Runs) -> f64 {
        runs[&self.alone().key()].ms / runs[&self.key()].ms
    }
}

impl Tables {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let runs = self.runs(means)?;
        let mut dense = BTreeMap::new();
        for times in [1, 2] {
            let workers = || self.workers.iter().chain([&self.swept.workers]);
            let setups: Vec<_> =
                workers().map(|workers| self.dense_setup(*workers, times)).collect();
            let times_ms = means.times_ms(&setups)?;
            dense.extend(workers().map(|workers| (*workers, times)).zip(times_ms));
        }
        let mut found = Found::default();
        self.loads(&runs, &mut found);
        self.throughput(&runs, &dense, &mut found);
        self.memory(&runs, &dense, &mut found);
        self.numbers(&runs, &mut found);
        self.sizes(&runs, &mut found);
        Ok(found)
    }

    fn point<'a>(&self, model: &'a Model, workers: u16) -> Point<'a> {
        Point { model, workers, servers: self.servers, hot: model.hot, pairs: model.pairs }
    }

    fn swept(&self) -> impl Iterator<Item = &Model> {
        self.models.iter().filter(|model| self.swept.models.contains(&model.id))
    }

    /// All runs of tables.
    fn runs(&self, means: &Means) -> Result<Runs, Error> {
        let mut points = Vec::new();
        for model in &self.models {
            points.extend(self.workers.iter().map(|workers| self.point(model, *workers)));
        }
        for model in self.swept() {
            let point = self.point(model, self.swept.workers);
            points.extend(self.swept.hot.iter().map(|hot| Point { hot: *hot, ..point }));
            points.push(Point { hot: 2 * model.hot, ..point });
            points.extend(self.swept.pairs.iter().map(|pairs| Point { pairs: *pairs, ..point }));
            let point = self.point(model, self.swept.servers_workers);
            let servers = self.swept.servers.iter();
            points.extend(servers.map(|servers| Point { servers: *servers, ..point }));
        }
        points.extend(points.clone().into_iter().map(Point::alone));
        let points: BTreeMap<_, _> = points.iter().map(|point| (point.key(), point)).collect();
        let setups: Vec<_> = points.values().map(|point| self.setup(point)).collect();
        let seen = means.each(&setups, |cluster| self.watch(cluster))?;
        let scaled = points.values().zip(seen).map(|(point, seen)| {
            let whole = point.pairs as f64 / self.simulated(point) as f64;
            Seen { ms: seen.ms * whole, ..seen }
        });
        Ok(points.keys().cloned().zip(scaled).collect())
    }

    fn watch(&self, cluster: &mut Cluster) -> Seen {
        cluster.run();
        let end = cluster.completed(0, self.mini_batches - 1);
        let took = end.map_or(f64::NAN, |end| end.since(Time::from_us(START_US)).ms());
        let pushed: u64 = cluster.shards().map(|shard| shard.counters().pairs_pushed).sum();
        let JobSetup { workers, calls, .. } = &cluster.setup.jobs[0];
        let pairs: u64 = calls.iter().map(|call| call.elements * u64::from(*workers)).sum();
        Seen { ms: took / self.mini_batches as f64, hot: pushed as f64 / pairs as f64 }
    }

    fn simulated(&self, point: &Point<'_>) -> u64 {
        point.model.simulated.unwrap_or(point.pairs).min(point.pairs)
    }

    fn setup(&self, point: &Point<'_>) -> Setup {
        let &Point { model: Model { keys, exponent, .. }, workers, servers, hot, pairs } = point;
        let table = TableSetup {
            keys: *keys,
            exponent: *exponent,
            hot,
            servers,
            mini_batch: Some(pairs),
            max_age_us: self.max_age_us,
            ..TableSetup::default()
        };
        let mini_batch = CallSetup { start_us: START_US, ..all_reduce(self.simulated(point)) };
        let job = JobSetup {
            system: SystemName::Tables,
            table: Some(table),
            payload_bytes: self.payload_bytes,
            slots: self.slots,
            calls: vec![mini_batch; self.mini_batches],
            ..JobSetup::new(workers)
        };
        self.rack.below(&[job.hosts()], self.gbps, job)
    }

    /// Dense vectors among workers, in slots of so many times the memory.
    fn dense_setup(&self, workers: u16, times: u64) -> Setup {
        let Dense { elements, payload_bytes, memory_bytes } = self.dense;
        let slots = times * memory_bytes / (COPIES * u64::from(payload_bytes));
        let job = JobSetup {
            payload_bytes,
            slots: slots as u16,
            urgent_slots: Some(1),
            calls: vec![all_reduce(elements)],
            ..JobSetup::new(workers)
        };
        self.rack.below(&[workers.into()], self.gbps, job)
    }

    /// Time of a model's whole vector.
    fn dense_ms(&self, model: &Model, simulated_ms: f64) -> f64 {
        simulated_ms * model.keys as f64 / self.dense.elements as f64
    }

    fn loads(&self, runs: &Runs, found: &mut Found) {
        let header = [
            "model",
            "parameters",
            "exponent",
            "hot",
            "pairs of a mini-batch",
            "share that is hot",
            "most to gain",
        ];
        let mut sheet = Sheet::new("Models, and what of them is hot", header);
        let most = self.workers.iter().max().copied().unwrap_or(1);
        for model in &self.models {
            let hot = runs[&self.point(model, most).key()].hot;
            found.values.insert(format!("hot_share.{}", model.id), hot);
            sheet.rows.push(vec![
                Cell::text(&model.name),
                Cell::Number(model.keys as f64, 0),
                Cell::Number(model.exponent, 3),
                Cell::Number(model.hot.into(), 0),
                Cell::Number(model.pairs as f64, 0),
                Cell::Number(hot, 3),
                Cell::Number(1.0 / (1.0 - hot), 2),
            ]);
        }
        found.sheets.push(sheet);
    }

    /// Figure 12.
    fn throughput(&self, runs: &Runs, dense: &BTreeMap<(u16, u64), f64>, found: &mut Found) {
        let header = ["model", "workers", "10^6 pairs/s", "servers alone", "dense", "gain"];
        let mut sheet = Sheet::new(
            "Push and pull with hot keys in the switch, and others by that (figure 12)",
            header,
        );
        let mut curves = Vec::new();
        for model in &self.models {
            let mut points = Vec::new();
            for workers in &self.workers {
                let point = self.point(model, *workers);
                let (ms, gain) = (runs[&point.key()].ms, point.gain(runs));
                let pairs_per_s = point.pairs as f64 * f64::from(*workers) / ms * 1e3;
                let dense = ms / self.dense_ms(model, dense[&(*workers, 1)]);
                let at = format!("{}.{workers}", model.id);
                found.values.extend([
                    (format!("rate.{at}"), pairs_per_s),
                    (format!("gain.{at}"), gain),
                    (format!("dense.{at}"), dense),
                ]);
                sheet.rows.push(vec![
                    Cell::text(&model.name),
                    Cell::Number((*workers).into(), 0),
                    Cell::Number(pairs_per_s / 1e6, 1),
                    Cell::Number(1.0 / gain, 3),
                    Cell::Number(dense, 5),
                    Cell::Number(gain, 2),
                ]);
                points.push((f64::from(*workers), gain));
            }
            curves.push(Curve { name: model.name.clone(), points });
        }
        found.sheets.push(sheet);
        found.plots.push(Plot {
            name: "workers".into(),
            title: "Throughput with hot keys in the switch".into(),
            x: "workers".into(),
            y: "by that of servers alone".into(),
            x_scale: Scale::Logarithmic,
            curves,
        });
    }

    /// Figure 13.
    fn memory(&self, runs: &Runs, dense: &BTreeMap<(u16, u64), f64>, found: &mut Found) {
        let header = ["model", "hot keys, twice as many", "dense", "dense, twice the memory"];
        let title = format!(
            "Twice the memory: throughput by that with hot keys, {} workers (figure 13)",
            self.swept.workers
        );
        let mut sheet = Sheet::new(title, header);
        for model in self.swept() {
            let point = self.point(model, self.swept.workers);
            let ms = runs[&point.key()].ms;
            let twice = ms / runs[&Point { hot: 2 * model.hot, ..point }.key()].ms;
            let of = |times| ms / self.dense_ms(model, dense[&(point.workers, times)]);
            let id = &model.id;
            found.values.extend([
                (format!("memory.{id}"), twice),
                (format!("memory.dense.{id}"), of(2) / of(1)),
                (format!("dense_twice.{id}"), of(2)),
            ]);
            sheet.rows.push(vec![
                Cell::text(&model.name),
                Cell::Number(twice, 3),
                Cell::Number(of(1), 5),
                Cell::Number(of(2), 5),
            ]);
        }
        found.sheets.push(sheet);
    }

    /// Figure 14.
    fn numbers(&self, runs: &Runs, found: &mut Found) {
        let names: Vec<_> = self.swept.hot.iter().map(ToString::to_string).collect();
        let header = ["model"].into_iter().chain(names.iter().map(String::as_str));
        let title = format!(
            "Number of hot keys: throughput by that of the default, {} workers (figure 14)",
            self.swept.workers
        );
        let mut sheet = Sheet::new(title, header);
        let mut curves = Vec::new();
        for model in self.swept() {
            let point = self.point(model, self.swept.workers);
            let ms = runs[&point.key()].ms;
            let values: Vec<_> = self
                .swept
                .hot
                .iter()
                .map(|hot| (f64::from(*hot), ms / runs[&Point { hot: *hot, ..point }.key()].ms))
                .collect();
            let named =
                values.iter().map(|(hot, value)| (format!("numbers.{}.{hot}", model.id), *value));
            found.values.extend(named);
            let cells = values.iter().map(|(_, value)| Cell::Number(*value, 3));
            sheet.rows.push([Cell::text(&model.name)].into_iter().chain(cells).collect());
            curves.push(Curve { name: model.name.clone(), points: values });
        }
        found.sheets.push(sheet);
        found.plots.push(Plot {
            name: "hot-keys".into(),
            title: "Throughput over the number of hot keys".into(),
            x: "hot keys".into(),
            y: "by that of the default".into(),
            x_scale: Scale::Linear,
            curves,
        });
    }

    /// Values that the paper does not state: sizes of mini-batches, and the number of servers.
    fn sizes(&self, runs: &Runs, found: &mut Found) {
        let Swept { workers, pairs, servers, servers_workers, .. } = &self.swept;
        for (name, title, numbers) in [
            (
                "pairs",
                format!("Gain over servers alone by pairs of a mini-batch, {workers} workers"),
                pairs.clone(),
            ),
            (
                "servers",
                format!("Gain over servers alone by their number, {servers_workers} workers"),
                servers.iter().map(|servers| u64::from(*servers)).collect(),
            ),
        ] {
            let names: Vec<_> = numbers.iter().map(ToString::to_string).collect();
            let header = ["model"].into_iter().chain(names.iter().map(String::as_str));
            let mut sheet = Sheet::new(title, header);
            for model in self.swept() {
                let mut row = vec![Cell::text(&model.name)];
                for number in &numbers {
                    let point = match name {
                        "pairs" => Point { pairs: *number, ..self.point(model, *workers) },
                        _ => {
                            Point { servers: *number as u16, ..self.point(model, *servers_workers) }
                        }
                    };
                    let gain = point.gain(runs);
                    found.values.insert(format!("{name}.{}.{number}", model.id), gain);
                    row.push(Cell::Number(gain, 2));
                }
                sheet.rows.push(row);
            }
            found.sheets.push(sheet);
        }
    }
}
