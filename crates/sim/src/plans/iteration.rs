//! An iteration of training a linear model (P4SGD, equations 1 to 3), evaluated and simulated.
//!
//! D are the model's features, M the workers, B the samples of a mini-batch, MB those of a micro-batch. T_f and T_b are the times of a mini-batch's forward and backward propagation, BW the elements that are
//! aggregated in a second, T_l the latency of an aggregation:
//!
//! * data parallel (1): T_f + T_b / B + D / BW + T_l
//! * model parallel (2): T_f + T_b + B / BW + T_l
//! * model parallel in micro-batches (3): T_f MB / B + T_b + MB / BW + T_l

use netfold_num::{Arithmetic, ElementType};
use netfold_worker::Call;
use serde::Deserialize;

use super::figures::{Cell, Sheet};
use super::rack::{ELEMENT_BYTES, Rack, all_reduce, elements_per_s};
use super::{Found, Means};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::job::{Input, call_of};
use crate::setup::{CallSetup, JobSetup, Setup};
use crate::sweep;
use crate::time::Time;

/// Bytes of the longest payload.
const MOST_PAYLOAD_BYTES: u32 = 1024;

/// Models on accelerators.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Iteration {
    workers: u16,
    /// Samples of a mini-batch, and of a micro-batch.
    batch: u64,
    micro_batch: u64,
    gbps: f64,
    rack: Rack,
    accelerator: Accelerator,
    datasets: Vec<Dataset>,
}

/// A worker's pipeline, which is as fast forward as backward.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Accelerator {
    mhz: f64,
    /// Features that it takes in a cycle, each of as many samples as a micro-batch has.
    features_per_cycle: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dataset {
    name: String,
    features: u64,
}

/// A way to train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    DataParallel,
    ModelParallel,
    MicroBatches,
}

const WAYS: [(Way, &str, &str); 3] = [
    (Way::DataParallel, "(1) data parallel", "data_parallel"),
    (Way::ModelParallel, "(2) model parallel", "model_parallel"),
    (Way::MicroBatches, "(3) model parallel, micro-batches", "micro_batches"),
];

/// What a way does for a data set.
struct Course {
    /// A micro-batch forward, or backward.
    step: Time,
    /// Micro-batches of a worker's, and elements that are aggregated for each of so many calls.
    steps: u64,
    calls: u64,
    elements: u64,
}

impl Iteration {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let mut courses = Vec::new();
        for dataset in &self.datasets {
            courses.extend(WAYS.map(|way| (dataset, way)));
        }
        let setups: Vec<_> =
            courses.iter().map(|(dataset, (way, ..))| self.setup(&self.course(dataset, *way))).collect();
        let simulated = sweep::each(&setups, means.threads, |place, setup| {
            let (dataset, (way, ..)) = &courses[place];
            let mut cluster = Cluster::new(setup, &means.calibration, means.seed)?;
            self.simulate(&mut cluster, &self.course(dataset, *way), *way)
        })?;
        let mut found = Found::default();
        let header = ["data set", "features", "equation", "equation, us", "simulated, us", "ratio"];
        let mut sheet = Sheet::new("An iteration of training", header);
        for ((dataset, (way, name, id)), simulated_us) in courses.iter().zip(&simulated) {
            let equation_us = self.equation_us(dataset, *way);
            let at = format!("{id}.{}", dataset.name);
            found
                .values
                .extend([(format!("equation_us.{at}"), equation_us), (format!("simulated_us.{at}"), *simulated_us)]);
            sheet.rows.push(vec![
                Cell::text(&dataset.name),
                Cell::Number(dataset.features as f64, 0),
                Cell::text(*name),
                Cell::Number(equation_us, 3),
                Cell::Number(*simulated_us, 3),
                Cell::ratio(*simulated_us, Some(equation_us)),
            ]);
        }
        found.values.insert("latency_us".into(), self.latency_of_a_call(means)?.ps() as f64 / 1e6);
        found.sheets.push(sheet);
        Ok(found)
    }

    fn course(&self, dataset: &Dataset, way: Way) -> Course {
        let Accelerator { mhz, features_per_cycle } = self.accelerator;
        let workers = u64::from(self.workers);
        let (features, samples) = match way {
            Way::DataParallel => (dataset.features, self.batch / workers),
            Way::ModelParallel | Way::MicroBatches => (dataset.features.div_ceil(workers), self.batch),
        };
        let cycles = (features as f64 / features_per_cycle).ceil();
        let step = Time::from_ps((cycles / mhz * 1e6).round() as u64);
        let steps = samples.div_ceil(self.micro_batch);
        let (calls, elements) = match way {
            Way::DataParallel => (1, dataset.features),
            Way::ModelParallel => (1, self.batch),
            Way::MicroBatches => (steps, self.micro_batch),
        };
        Course { step, steps, calls, elements }
    }

    /// Of 32-bit integers, in packets no longer than they need to be.
    fn job(&self, elements: u64) -> JobSetup {
        let payload_bytes = (elements * ELEMENT_BYTES as u64).next_multiple_of(8).min(MOST_PAYLOAD_BYTES.into()) as u32;
        let lanes_simulated = if payload_bytes.is_multiple_of(64) { 16 } else { (payload_bytes / 4) as u16 };
        let slots = 512;
        JobSetup {
            arithmetic: Arithmetic::Native,
            payload_bytes,
            lanes_simulated,
            slots,
            ..JobSetup::new(self.workers)
        }
    }

    fn setup(&self, course: &Course) -> Setup {
        self.rack.below(&[self.workers.into()], self.gbps, self.job(course.elements))
    }

    fn simulate(&self, cluster: &mut Cluster, course: &Course, way: Way) -> Result<f64, Error> {
        let Course { step, steps, calls, elements } = *course;
        let times = |count: u64| Time::from_ps(step.ps() * count);
        let call = sum_of_integers(elements);
        for number in 1..=calls {
            // Both ways of a data-parallel sample follow each other at once, so that all but one micro-batch's backward propagation is done by the end of the forward one.
            let ready = match way {
                Way::DataParallel => times(steps) + Time::from_ps(step.ps() / self.micro_batch),
                Way::ModelParallel => times(steps),
                Way::MicroBatches => times(number),
            };
            cluster.submit(0, call, ready, Input::Sample)?;
        }
        cluster.run();
        if !cluster.report().is_well() {
            return Err(Error::Unwell { run: 1, seed: cluster.report().seed });
        }
        let arrivals = (0..calls as usize).filter_map(|number| cluster.completed(0, number));
        let end = match way {
            Way::DataParallel => arrivals.fold(Time::ZERO, Time::max),
            Way::ModelParallel => arrivals.fold(Time::ZERO, Time::max) + times(steps),
            // A micro-batch goes backward when its activations are there, and the one before has.
            Way::MicroBatches => arrivals.fold(Time::ZERO, |end, arrival| end.max(arrival) + step),
        };
        Ok(end.ps() as f64 / 1e6)
    }

    /// The paper's equations, in microseconds.
    fn equation_us(&self, dataset: &Dataset, way: Way) -> f64 {
        let Course { step, steps, elements, .. } = self.course(dataset, way);
        let step_us = step.ps() as f64 / 1e6;
        let propagation_us = step_us * steps as f64;
        let aggregation_us = elements as f64 / elements_per_s(self.gbps, &self.job(elements)) * 1e6;
        let latency_us = (2 * self.rack.delay_ns + self.rack.latency_ns) as f64 / 1e3;
        let micro_batches = self.batch as f64 / self.micro_batch as f64;
        let propagation = match way {
            // A worker has its share of the mini-batch, so that T_b / B is that of one of its samples.
            Way::DataParallel => propagation_us + step_us / self.micro_batch as f64,
            Way::ModelParallel => 2.0 * propagation_us,
            Way::MicroBatches => propagation_us / micro_batches + propagation_us,
        };
        propagation + aggregation_us + latency_us
    }

    /// An all-reduce of a micro-batch's activations, by itself.
    fn latency_of_a_call(&self, means: &Means) -> Result<Time, Error> {
        let setup = self.rack.below(&[self.workers.into()], self.gbps, self.job(self.micro_batch));
        let mut cluster = Cluster::new(&setup, &means.calibration, means.seed)?;
        let call = sum_of_integers(self.micro_batch);
        cluster.submit(0, call, Time::ZERO, Input::Sample)?;
        cluster.run();
        cluster.completed(0, 0).ok_or(Error::Unwell { run: 1, seed: means.seed })
    }
}

/// An all-reduce of 32-bit integers.
fn sum_of_integers(elements: u64) -> Call {
    call_of(&CallSetup { element_type: ElementType::I32, ..all_reduce(elements) })
}
