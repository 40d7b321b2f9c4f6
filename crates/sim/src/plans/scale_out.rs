//! Iterations of a linear model on more and more workers (P4SGD, figure 12): the exchange is
//! simulated, and what computation costs is given.
//!
//! A worker's features become fewer with the workers, the activations that it exchanges do not.

use netfold_num::Protocol;
use serde::Deserialize;

use super::figures::{Cell, Curve, Plot, Scale, Sheet};
use super::iteration::{Dataset, job_of, sum_of_integers};
use super::rack::Rack;
use super::{Found, Means};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::job::Input;
use crate::setup::Setup;
use crate::sweep;
use crate::time::Time;

/// Data sets on engines, on so many workers. Throughputs are relative to that of the first number
/// of workers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScaleOut {
    workers: Vec<u16>,
    /// Samples of a mini-batch, and of a micro-batch.
    batch: u64,
    micro_batch: u64,
    gbps: f64,
    rack: Rack,
    engines: Vec<Engine>,
    datasets: Vec<Dataset>,
}

/// Engine on which a worker computes, as fast forward as backward.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Engine {
    /// Its name in values.
    id: String,
    /// Its name in tables.
    name: String,
    /// For a feature of a sample, in each direction.
    ps_per_feature: f64,
    /// It has hardware for each direction. A micro-batch then goes backward while others go
    /// forward, and not after all of them.
    pipelined: bool,
    /// A worker that is alone has its activations aggregated, too.
    aggregates_alone: bool,
    /// Part of the worker's time that a fold takes, in microseconds (T_s).
    #[serde(default)]
    fold_us: f64,
    /// Part of it that a mini-batch takes whatever it has, in microseconds (T_0).
    #[serde(default)]
    batch_us: f64,
}

/// A mini-batch of some data set, on so many workers that have such engines.
struct Point<'a> {
    engine: &'a Engine,
    dataset: &'a Dataset,
    workers: u16,
}

impl ScaleOut {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let mut points = Vec::new();
        for engine in &self.engines {
            for dataset in &self.datasets {
                points.extend(self.workers.iter().map(|&workers| Point {
                    engine,
                    dataset,
                    workers,
                }));
            }
        }
        let setups: Vec<_> = points.iter().map(|point| self.setup(point.workers)).collect();
        let times_us = sweep::each(&setups, means.threads, |place, setup| {
            let mut cluster = Cluster::new(setup, &means.calibration, means.seed)?;
            self.simulate(&mut cluster, &points[place])
        })?;
        let mut found = Found::default();
        let counts: Vec<_> = self.workers.iter().map(ToString::to_string).collect();
        for engine in &self.engines {
            let header =
                ["data set", "features"].into_iter().chain(counts.iter().map(String::as_str));
            let mut sheet = Sheet::new(
                format!("Throughput by that of {} worker: {}", counts[0], engine.name),
                header,
            );
            let mut curves = Vec::new();
            for dataset in &self.datasets {
                let mut alone_us = None;
                let mut row =
                    vec![Cell::text(&dataset.name), Cell::Number(dataset.features as f64, 0)];
                let mut line = Vec::new();
                let own = points.iter().zip(&times_us);
                for (point, time_us) in own
                    .filter(|(point, _)| point.engine.id == engine.id && point.dataset == dataset)
                {
                    let speedup = *alone_us.get_or_insert(*time_us) / time_us;
                    let at = format!("{}.{}.{}", engine.id, dataset.name, point.workers);
                    found.values.extend([
                        (format!("us.{at}"), *time_us),
                        (format!("speedup.{at}"), speedup),
                    ]);
                    line.push((f64::from(point.workers), speedup));
                    row.push(Cell::Number(speedup, 2));
                }
                sheet.rows.push(row);
                curves.push(Curve { name: dataset.name.clone(), points: line });
            }
            found.sheets.push(sheet);
            found.plots.push(Plot {
                name: engine.id.clone(),
                title: format!("Throughput over workers, simulated: {}", engine.name),
                x: "workers".into(),
                y: format!("by that of {}", counts[0]),
                x_scale: Scale::Logarithmic,
                curves,
            });
        }
        Ok(found)
    }

    fn setup(&self, workers: u16) -> Setup {
        let job = job_of(workers, self.micro_batch, Protocol::Acked);
        self.rack.below(&[workers.into()], self.gbps, job)
    }

    /// A micro-batch forward, or backward.
    fn step(&self, engine: &Engine, dataset: &Dataset, workers: u16) -> Time {
        let features = dataset.features.div_ceil(workers.into());
        Time::from_ps((engine.ps_per_feature * (features * self.micro_batch) as f64).round() as u64)
    }

    fn micro_batches(&self) -> u64 {
        self.batch.div_ceil(self.micro_batch)
    }

    /// A mini-batch, in microseconds.
    fn simulate(&self, cluster: &mut Cluster, point: &Point<'_>) -> Result<f64, Error> {
        let Point { engine, dataset, workers } = *point;
        let step = self.step(engine, dataset, workers);
        let folds = workers > 1 || engine.aggregates_alone;
        let us = |us: f64| Time::from_ps((us * 1e6).round() as u64);
        let fold = if folds { us(engine.fold_us) } else { Time::ZERO };
        let first = us(engine.batch_us);
        let forward = |count: u64| first + Time::from_ps((step + fold).ps() * count);
        let arrivals = if folds {
            self.aggregate(cluster, forward)?
        } else {
            (1..=self.micro_batches()).map(forward).collect()
        };
        let begin = if engine.pipelined { Time::ZERO } else { forward(self.micro_batches()) };
        let end = arrivals.into_iter().fold(begin, |end, arrival| end.max(arrival) + step);
        Ok(end.ps() as f64 / 1e6)
    }

    /// Returns the time at which the activations of each micro-batch are back. Each is ready at the
    /// time that `ready` gives.
    fn aggregate(
        &self,
        cluster: &mut Cluster,
        ready: impl Fn(u64) -> Time,
    ) -> Result<Vec<Time>, Error> {
        for number in 1..=self.micro_batches() {
            cluster.submit(0, sum_of_integers(self.micro_batch), ready(number), Input::Sample)?;
        }
        cluster.run();
        if !cluster.report().is_well() {
            return Err(Error::Unwell { run: 1, seed: cluster.report().seed });
        }
        Ok((0..self.micro_batches() as usize)
            .filter_map(|number| cluster.completed(0, number))
            .collect())
    }
}
