//! An iteration of training a linear model (P4SGD, equations 1 to 3), evaluated and simulated.
//!
//! D are the model's features, M the workers, B the samples of a mini-batch, MB those of a
//! micro-batch. T_f and T_b are the times of a mini-batch's forward and backward propagation, BW
//! the elements that are aggregated in a second, T_l the latency of an aggregation:
//!
//! * data parallel (1): T_f + T_b / B + D / BW + T_l
//! * model parallel (2): T_f + T_b + B / BW + T_l
//! * model parallel in micro-batches (3): T_f MB / B + T_b + MB / BW + T_l

use netfold_num::{Arithmetic, ElementType, Protocol};
use netfold_wire::{IntegrityKind, Terms};
use netfold_worker::{Call, Priority};
use serde::Deserialize;

use super::figures::{Cell, Sheet, Values};
use super::rack::{ELEMENT_BYTES, Rack, all_reduce, elements_per_s};
use super::{Found, Means};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::job::{Input, call_of};
use crate::setup::{CallSetup, JobSetup, Setup};
use crate::sweep;
use crate::time::Time;

/// Slots of a job with shadow copies, few enough to matter.
const FEW_SLOTS: u16 = 8;
const CALLS_IN_A_ROW: usize = 4096;

/// Slots of a job that never waits for one.
const SLOTS: u16 = 512;

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

/// A data set of the paper's.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dataset {
    pub(super) name: String,
    pub(super) features: u64,
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

/// Work that a way of training does for a data set.
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
        let setups: Vec<_> = courses
            .iter()
            .map(|(dataset, (way, ..))| self.setup(&self.course(dataset, *way)))
            .collect();
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
            found.values.extend([
                (format!("equation_us.{at}"), equation_us),
                (format!("simulated_us.{at}"), *simulated_us),
            ]);
            sheet.rows.push(vec![
                Cell::text(&dataset.name),
                Cell::Number(dataset.features as f64, 0),
                Cell::text(*name),
                Cell::Number(equation_us, 3),
                Cell::Number(*simulated_us, 3),
                Cell::ratio(*simulated_us, Some(equation_us)),
            ]);
        }
        found.sheets.push(sheet);
        found.sheets.push(self.latencies(means, &mut found.values)?);
        Ok(found)
    }

    fn course(&self, dataset: &Dataset, way: Way) -> Course {
        let Accelerator { mhz, features_per_cycle } = self.accelerator;
        let workers = u64::from(self.workers);
        let (features, samples) = match way {
            Way::DataParallel => (dataset.features, self.batch / workers),
            Way::ModelParallel | Way::MicroBatches => {
                (dataset.features.div_ceil(workers), self.batch)
            }
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

    fn setup(&self, course: &Course) -> Setup {
        self.rack.below(
            &[self.workers.into()],
            self.gbps,
            job_of(self.workers, course.elements, Protocol::Acked),
        )
    }

    fn simulate(&self, cluster: &mut Cluster, course: &Course, way: Way) -> Result<f64, Error> {
        let Course { step, steps, calls, elements } = *course;
        let times = |count: u64| Time::from_ps(step.ps() * count);
        let call = sum_of_integers(elements);
        for number in 1..=calls {
            // Both ways of a data-parallel sample follow each other at once, so that all but one
            // micro-batch's backward propagation is done by the end of the forward one.
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
        let aggregation_us = elements as f64
            / elements_per_s(self.gbps, &job_of(self.workers, elements, Protocol::Acked))
            * 1e6;
        let latency_us = (2 * self.rack.delay_ns + self.rack.latency_ns) as f64 / 1e3;
        let micro_batches = self.batch as f64 / self.micro_batch as f64;
        let propagation = match way {
            // A worker has its share of the mini-batch, so that T_b / B is that of one of its
            // samples.
            Way::DataParallel => propagation_us + step_us / self.micro_batch as f64,
            Way::ModelParallel => 2.0 * propagation_us,
            Way::MicroBatches => propagation_us / micro_batches + propagation_us,
        };
        propagation + aggregation_us + latency_us
    }

    /// All-reduces of a micro-batch's activations: by itself, and many more than a job has slots,
    /// one right after the other.
    fn latencies(&self, means: &Means, values: &mut Values) -> Result<Sheet, Error> {
        let header =
            ["protocol", "slots", "a call alone, us", "calls in a row", "a call in a row, us"];
        let mut sheet =
            Sheet::new("An aggregation of a micro-batch, with the same memory for lanes", header);
        // R-ACK-2
        for (protocol, slots) in [(Protocol::Acked, 2 * FEW_SLOTS), (Protocol::Shadow, FEW_SLOTS)] {
            let alone_us = self.calls_us(means, protocol, slots, 1)?;
            let each_us =
                self.calls_us(means, protocol, slots, CALLS_IN_A_ROW)? / CALLS_IN_A_ROW as f64;
            values.insert(format!("latency_us.{protocol}"), alone_us);
            values.insert(format!("in_a_row_us.{protocol}"), each_us);
            sheet.rows.push(vec![
                Cell::text(protocol.name()),
                Cell::Number(slots.into(), 0),
                Cell::Number(alone_us, 3),
                Cell::Number(CALLS_IN_A_ROW as f64, 0),
                Cell::Number(each_us, 3),
            ]);
        }
        Ok(sheet)
    }

    /// Returns the time that so many calls take if all are made at once, in microseconds.
    fn calls_us(
        &self,
        means: &Means,
        protocol: Protocol,
        slots: u16,
        calls: usize,
    ) -> Result<f64, Error> {
        let job = JobSetup { slots, ..job_of(self.workers, self.micro_batch, protocol) };
        let setup = self.rack.below(&[self.workers.into()], self.gbps, job);
        let mut cluster = Cluster::new(&setup, &means.calibration, means.seed)?;
        for _ in 0..calls {
            cluster.submit(0, sum_of_integers(self.micro_batch), Time::ZERO, Input::Sample)?;
        }
        cluster.run();
        let done =
            cluster.completed(0, calls - 1).ok_or(Error::Unwell { run: 1, seed: means.seed })?;
        Ok(done.ps() as f64 / 1e6)
    }
}

/// A job that aggregates 32-bit integers, in packets no longer than they need to be.
pub(super) fn job_of(workers: u16, elements: u64, protocol: Protocol) -> JobSetup {
    let payload_bytes =
        (elements * ELEMENT_BYTES as u64).next_multiple_of(8).min(MOST_PAYLOAD_BYTES.into()) as u32;
    let lanes_simulated =
        if payload_bytes.is_multiple_of(64) { 16 } else { (payload_bytes / 4) as u16 };
    JobSetup {
        payload_bytes,
        lanes_simulated,
        slots: SLOTS,
        terms: Terms {
            arithmetic: Arithmetic::Native,
            protocol,
            ..Terms::new(IntegrityKind::default())
        },
        ..JobSetup::new(workers)
    }
}

/// An all-reduce of 32-bit integers.
pub(super) fn sum_of_integers(elements: u64) -> Call {
    call_of(&CallSetup {
        element_type: ElementType::I32,
        priority: Some(Priority::Bulk),
        ..all_reduce(elements)
    })
}
