//! An epoch of algorithm 1: mini-batches, whose micro-batches go forward, are folded, and go
//! backward (R-GLM-13).

mod team;

use crate::arithmetic::{Ahead, Slice, Step, Word};
use crate::config::Config;
use crate::data::Engine;
use crate::error::Error;
use crate::exchange::{Exchange, Lane, SubmissionId};
use crate::loss::Losses;
use crate::rate::Schedule;
use crate::targets::Targets;
use crate::trace::{Event, Stage, Trace};
use std::collections::VecDeque;
use std::ops::{AddAssign, Range};
use std::time::Instant;
use team::Team;

/// The part of the model that every worker has, and changes alike (R-GLM-11).
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) intercepts: Vec<f64>,
    /// Sums over the steps that are averaged.
    pub(crate) sums: Vec<f64>,
    pub(crate) averaged: u64,
    pub(crate) schedule: Schedule,
}

/// The sums of an epoch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    /// Sum of weight times loss.
    pub(crate) loss: f64,
    pub(crate) weight: f64,
    /// Sum of the losses without their weights.
    pub(crate) plain: f64,
    /// Number of samples.
    pub(crate) samples: u64,
    /// Sum of the penalty before each step, once for each of its samples, if the caller asks for
    /// it.
    pub(crate) penalty: f64,
    /// Bytes that this worker has submitted.
    pub(crate) bytes: u64,
}

impl Totals {
    /// The weighted mean of the losses.
    pub(crate) fn loss(&self) -> f64 {
        if self.weight > 0.0 { self.loss / self.weight } else { 0.0 }
    }

    /// The mean of losses and penalty, by which a run ends (R-GLM-27).
    pub(crate) fn objective(&self) -> f64 {
        (self.plain + self.penalty) / self.samples.max(1) as f64
    }
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.loss += other.loss;
        self.weight += other.weight;
        self.plain += other.plain;
        self.samples += other.samples;
        self.penalty += other.penalty;
        self.bytes += other.bytes;
    }
}

/// The inputs of an epoch.
pub(crate) struct Pass<'a, X> {
    pub(crate) config: &'a Config,
    pub(crate) engines: &'a [Engine<'a>],
    pub(crate) targets: &'a Targets<'a>,
    /// Rows in the order in which they are seen.
    pub(crate) order: &'a [u32],
    pub(crate) exchange: &'a mut X,
    pub(crate) trace: Option<&'a mut Trace>,
}

impl Head {
    pub(crate) fn new(outputs: usize, schedule: Schedule) -> Self {
        Self { intercepts: vec![0.0; outputs], sums: vec![0.0; outputs], averaged: 0, schedule }
    }

    /// Ends a step: the intercept moves along the sum of the derivatives, without a penalty.
    pub(crate) fn step(&mut self, config: &Config, step: Step, slopes: &[f64]) {
        if config.intercept {
            let factor = config.intercept_step * step.eta / step.samples as f64;
            self.intercepts
                .iter_mut()
                .zip(slopes)
                .for_each(|(intercept, slope)| *intercept -= factor * slope);
        }
        if config.average_after.is_some_and(|wait| self.schedule.steps > wait) {
            self.averaged += 1;
            self.sums
                .iter_mut()
                .zip(&self.intercepts)
                .for_each(|(sum, intercept)| *sum += intercept);
        }
    }

    /// The intercepts, averaged if that was asked for and has begun.
    pub(crate) fn result(&self) -> Vec<f64> {
        if self.averaged == 0 {
            return self.intercepts.clone();
        }
        self.sums.iter().map(|sum| sum / self.averaged as f64).collect()
    }
}

/// Runs an epoch, with a thread for each slice beyond the first.
pub(crate) fn run<S: Slice, X: Exchange>(
    mut pass: Pass<'_, X>,
    slices: &mut [S],
    head: &mut Head,
) -> Result<Totals, Error> {
    let outputs = head.intercepts.len();
    let (first, others) = slices.split_first_mut().expect("a worker has an engine at least");
    let totals = if others.is_empty() {
        let mut crew =
            Solo { slice: first, engine: &pass.engines[0], ahead: Ahead::new(pass.order) };
        conduct(&mut pass, &mut crew, head)?
    } else {
        let team = Team::new(
            pass.config,
            pass.order,
            outputs,
            others.len() + 1,
            pass.exchange.workers_here(),
        );
        let totals = std::thread::scope(|scope| {
            for (index, slice) in others.iter_mut().enumerate() {
                let (team, engine) = (&team, &pass.engines[index + 1]);
                scope.spawn(move || team.follow(index + 1, slice, &engine.matrix));
            }
            let mut crew = team.lead(first, &pass.engines[0].matrix);
            conduct(&mut pass, &mut crew, head)
        })?;
        // An engine may fail at the very end, when nobody waits for it any more.
        match team.take_failure() {
            Some(error) => return Err(error),
            None => totals,
        }
    };
    slices.iter_mut().for_each(Slice::settle);
    if totals.loss.is_finite() && head.intercepts.iter().all(|intercept| intercept.is_finite()) {
        Ok(totals)
    } else {
        Err(Error::Diverged { steps: head.schedule.steps })
    }
}

/// The engines of a worker, as one.
pub(crate) trait Crew<S: Slice> {
    /// Partial activations of a micro-batch, summed over the engines.
    fn forward(&mut self, rows: &[u32], partial: &mut [S::Partial]) -> Result<(), Error>;
    fn unit(&self) -> f64;
    fn begin(&mut self, step: Step);
    fn backward(&mut self, rows: &[u32], coefficients: &[S::Lane]);
    fn end(&mut self, rows: &[u32]) -> Result<(), Error>;
}

/// A single engine.
struct Solo<'a, S> {
    slice: &'a mut S,
    engine: &'a Engine<'a>,
    ahead: Ahead<'a>,
}

impl<S: Slice> Crew<S> for Solo<'_, S> {
    fn forward(&mut self, rows: &[u32], partial: &mut [S::Partial]) -> Result<(), Error> {
        let outputs = partial.len() / rows.len();
        for (&row, partial) in rows.iter().zip(partial.chunks_exact_mut(outputs)) {
            self.ahead.advance(&self.engine.matrix);
            self.slice.forward(&self.engine.matrix, row, partial);
        }
        Ok(())
    }

    fn unit(&self) -> f64 {
        self.slice.unit()
    }

    fn begin(&mut self, step: Step) {
        self.slice.begin(step);
    }

    fn backward(&mut self, rows: &[u32], coefficients: &[S::Lane]) {
        let outputs = coefficients.len() / rows.len();
        for (&row, coefficients) in rows.iter().zip(coefficients.chunks_exact(outputs)) {
            self.slice.backward(&self.engine.matrix, row, coefficients);
        }
    }

    fn end(&mut self, rows: &[u32]) -> Result<(), Error> {
        self.slice.end(&self.engine.matrix, rows)
    }
}

/// The buffers of a mini-batch.
struct Buffers<S: Slice> {
    partial: Vec<S::Partial>,
    /// Partial activations as they travel, then whole ones, then coefficients.
    lanes: Vec<S::Lane>,
    activations: Vec<f64>,
    slopes: Vec<f64>,
    /// Losses of all mini-batches so far.
    losses: Losses,
}

/// A micro-batch that is being folded.
struct InFlight {
    submission: SubmissionId,
    micro_batch: usize,
    since: Option<Instant>,
}

fn conduct<S: Slice, X: Exchange>(
    pass: &mut Pass<'_, X>,
    crew: &mut impl Crew<S>,
    head: &mut Head,
) -> Result<Totals, Error> {
    let outputs = head.intercepts.len();
    let batch = pass.config.batch.min(pass.order.len());
    let micro = pass.config.micro_batch;
    let mut buffers = Buffers::<S> {
        partial: vec![S::Partial::default(); micro.min(batch) * outputs],
        lanes: vec![S::Lane::default(); batch * outputs],
        activations: vec![0.0; outputs],
        slopes: vec![0.0; outputs],
        losses: Losses::none(),
    };
    let mut totals = Totals::default();
    for rows in pass.order.chunks(batch.max(1)) {
        let step = Step { eta: head.schedule.next(), samples: rows.len() };
        let mut run = MiniBatch {
            rows,
            micro,
            outputs,
            number: head.schedule.steps,
            buffers: &mut buffers,
            in_flight: VecDeque::new(),
        };
        run.forward(pass, crew, &mut totals)?;
        let unit = crew.unit();
        crew.begin(step);
        run.buffers.slopes.fill(0.0);
        for index in 0..rows.len().div_ceil(micro) {
            run.collect_until(pass, index)?;
            run.backward(pass, crew, head, index, unit, &mut totals);
        }
        let start = pass.trace.as_ref().map(|_| Instant::now());
        crew.end(rows)?;
        head.step(pass.config, step, &buffers.slopes);
        record(pass, start, Stage::Step, head.schedule.steps, 0);
    }
    (totals.loss, totals.plain) = (buffers.losses.total(), buffers.losses.plain());
    totals.samples = pass.order.len() as u64;
    Ok(totals)
}

/// A mini-batch on its way.
struct MiniBatch<'a, S: Slice> {
    rows: &'a [u32],
    micro: usize,
    outputs: usize,
    /// The step's, from 1.
    number: u64,
    buffers: &'a mut Buffers<S>,
    in_flight: VecDeque<InFlight>,
}

impl<S: Slice> MiniBatch<'_, S> {
    /// Stage 1, and the first half of stage 2: every micro-batch is submitted as soon as it has
    /// gone forward (R-GLM-14).
    fn forward<X: Exchange>(
        &mut self,
        pass: &mut Pass<'_, X>,
        crew: &mut impl Crew<S>,
        totals: &mut Totals,
    ) -> Result<(), Error> {
        let workers = pass.exchange.workers();
        for index in 0..self.rows.len().div_ceil(self.micro) {
            let start = pass.trace.as_ref().map(|_| Instant::now());
            let (rows, lanes) = (self.span(index, 1), self.span(index, self.outputs));
            let partial = &mut self.buffers.partial[..lanes.len()];
            crew.forward(&self.rows[rows], partial)?;
            let lanes = &mut self.buffers.lanes[lanes];
            for (lane, &mut sum) in lanes.iter_mut().zip(partial) {
                *lane = S::lane(sum, workers)?;
            }
            record(pass, start, Stage::Forward, self.number, index);
            if workers == 1 {
                continue;
            }
            if self.in_flight.len() >= pass.exchange.window().max(1) {
                self.collect_oldest(pass)?;
            }
            let lanes = self.span(index, self.outputs);
            let lanes = &self.buffers.lanes[lanes];
            totals.bytes += 4 * lanes.len() as u64;
            // Before: the worker that submits last may have the sum when it is done.
            let since = pass.trace.as_ref().map(|_| Instant::now());
            let submission = pass.exchange.submit(lanes).map_err(Error::exchange)?;
            self.in_flight.push_back(InFlight { submission, micro_batch: index, since });
        }
        Ok(())
    }

    /// The second half of stage 2, until a micro-batch is there.
    fn collect_until<X: Exchange>(
        &mut self,
        pass: &mut Pass<'_, X>,
        index: usize,
    ) -> Result<(), Error> {
        while self.in_flight.front().is_some_and(|oldest| oldest.micro_batch <= index) {
            self.collect_oldest(pass)?;
        }
        Ok(())
    }

    fn collect_oldest<X: Exchange>(&mut self, pass: &mut Pass<'_, X>) -> Result<(), Error> {
        let InFlight { submission, micro_batch, since } =
            self.in_flight.pop_front().expect("one is in flight");
        let lanes = self.span(micro_batch, self.outputs);
        let wait = pass.trace.as_ref().map(|_| Instant::now());
        let collected = pass
            .exchange
            .collect(submission, &mut self.buffers.lanes[lanes])
            .map_err(Error::exchange)?;
        if let (Some(trace), Some(start), Some(wait)) = (pass.trace.as_deref_mut(), since, wait) {
            let now = Instant::now();
            let (step, micro_batch) = (self.number, micro_batch as u32);
            let end = collected.at.unwrap_or(now).max(start);
            trace.add(Event { stage: Stage::Fold, step, micro_batch, start, end });
            trace.add(Event { stage: Stage::Wait, step, micro_batch, start: wait, end: now });
        }
        Ok(())
    }

    /// Stage 3 of a micro-batch, straight into the weights.
    fn backward<X: Exchange>(
        &mut self,
        pass: &mut Pass<'_, X>,
        crew: &mut impl Crew<S>,
        head: &Head,
        index: usize,
        unit: f64,
        totals: &mut Totals,
    ) {
        let start = pass.trace.as_ref().map(|_| Instant::now());
        let rows = &self.rows[self.span(index, 1)];
        let lanes = self.span(index, self.outputs);
        let Buffers { lanes: all, activations, slopes, losses, .. } = &mut *self.buffers;
        let lanes = &mut all[lanes];
        for (&row, lanes) in rows.iter().zip(lanes.chunks_exact_mut(self.outputs)) {
            for ((activation, lane), intercept) in
                activations.iter_mut().zip(&*lanes).zip(&head.intercepts)
            {
                *activation = lane.to_f64() * unit + intercept;
            }
            totals.weight += pass.targets.derive(pass.config.loss, row, activations, losses);
            for ((lane, slope), derivative) in lanes.iter_mut().zip(&mut *slopes).zip(&*activations)
            {
                *lane = S::coefficient(*derivative);
                *slope += derivative;
            }
        }
        crew.backward(rows, lanes);
        record(pass, start, Stage::Backward, self.number, index);
    }

    /// Returns the range of a micro-batch in the mini-batch, with so many numbers for each sample.
    fn span(&self, index: usize, each: usize) -> Range<usize> {
        index * self.micro * each..((index + 1) * self.micro).min(self.rows.len()) * each
    }
}

fn record<X>(
    pass: &mut Pass<'_, X>,
    start: Option<Instant>,
    stage: Stage,
    step: u64,
    micro_batch: usize,
) {
    if let (Some(trace), Some(start)) = (pass.trace.as_deref_mut(), start) {
        trace.add(Event {
            stage,
            step,
            micro_batch: micro_batch as u32,
            start,
            end: Instant::now(),
        });
    }
}

/// Returns the full activations of rows without intercepts, in chunks that fit the exchange. It
/// serves samples that are not trained on.
pub(crate) fn activations<S: Slice, X: Exchange>(
    slices: &[S],
    engines: &[Engine<'_>],
    rows: &[u32],
    outputs: usize,
    exchange: &mut X,
) -> Result<(Vec<f64>, u64), Error> {
    let partial = |slice: &S, engine: &Engine<'_>| {
        let mut partial = vec![S::Partial::default(); rows.len() * outputs];
        for (&row, partial) in rows.iter().zip(partial.chunks_exact_mut(outputs)) {
            slice.forward(&engine.matrix, row, partial);
        }
        partial
    };
    let mut sums = std::thread::scope(|scope| {
        let others: Vec<_> = slices
            .iter()
            .zip(engines)
            .skip(1)
            .map(|(slice, engine)| scope.spawn(move || partial(slice, engine)))
            .collect();
        let mut sums = partial(&slices[0], &engines[0]);
        for other in others {
            let other = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            sums.iter_mut().zip(other).for_each(|(sum, other)| *sum = sum.plus(other));
        }
        sums
    });
    let (unit, workers) = (slices[0].unit(), exchange.workers());
    let (mut full, mut bytes) = (Vec::with_capacity(sums.len()), 0);
    for sums in sums.chunks_mut(EVALUATED_LANES) {
        let mut lanes =
            sums.iter().map(|&sum| S::lane(sum, workers)).collect::<Result<Vec<_>, _>>()?;
        if workers > 1 {
            bytes += 4 * lanes.len() as u64;
            let submission = exchange.submit(&lanes).map_err(Error::exchange)?;
            exchange.collect(submission, &mut lanes).map_err(Error::exchange)?;
        }
        full.extend(lanes.iter().map(|lane| lane.to_f64() * unit));
    }
    Ok((full, bytes))
}

/// Lanes that are exchanged together where nothing waits for the first of them.
const EVALUATED_LANES: usize = 4096;
