//! A run: epochs over samples until the loss stands still.

mod fit;
mod held;
mod offsets;
mod progress;

pub use fit::{OfChunk, Outcome, Why};
pub use progress::Progress;

use crate::agree;
use crate::arithmetic::{Fixed, Float, Slice};
use crate::config::{Arithmetic, Config, Spread};
use crate::data::{Data, Engine, Grid, Precision, Quantisation};
use crate::data_parallel;
use crate::error::{Error, expect_len};
use crate::exchange::{Alone, Exchange};
use crate::model::{Decision, FeatureScaling, Model};
use crate::order;
use crate::partition::Partition;
use crate::pipeline::{self, Head, Pass, Totals};
use crate::rate::Schedule;
use crate::targets::Targets;
use crate::trace::Trace;
use held::Held;
use offsets::Offsets;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A worker's part of a model while it is trained.
///
/// All workers of a job call the same functions in the same order: [`new`](Self::new),
/// [`warm_start`](Self::warm_start), [`epoch`](Self::epoch), [`fit`](Self::fit),
/// [`decision`](Self::decision) and [`model`](Self::model) meet the others. After an epoch that
/// fails the trainer still has the model of the one before; several workers are no longer in step
/// then, and it only gives that model, if dense samples were not quantised, whose intercepts need
/// the others.
#[derive(Debug)]
pub struct Trainer<X> {
    config: Config,
    exchange: X,
    partition: Partition,
    /// Grid of each engine, if samples are quantised.
    grids: Option<Vec<Arc<Grid>>>,
    sparse: bool,
    classes: Option<u32>,
    head: Head,
    slices: Slices,
    /// Epochs so far.
    epochs: u64,
    /// Orders of samples that have been drawn: one for an epoch, or for each of its chunks.
    passes: u64,
    trace: Option<Trace>,
    /// An epoch has failed among several workers, who may be at different places now.
    out_of_step: bool,
    /// The penalty is part of what a run ends by.
    watching: bool,
}

#[derive(Clone, Debug)]
enum Slices {
    Float(Vec<Float>),
    Fixed(Vec<Fixed>),
}

/// Calls something for the slices of either arithmetic.
macro_rules! for_slices {
    ($slices:expr, $name:ident => $body:expr) => {
        match $slices {
            Slices::Float($name) => $body,
            Slices::Fixed($name) => $body,
        }
    };
}

/// The results of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Number of the epoch, from 1, over all runs of the trainer.
    pub number: u64,
    /// The weighted mean of the samples' losses, each before the step that it was part of; without
    /// the penalty.
    pub loss: f64,
    /// The mean over samples of loss, without weights, and penalty, both before the step that the
    /// sample was part of. Without the penalty where nothing depends on it.
    pub objective: f64,
    /// The loss of the samples that are held back, after the epoch.
    pub validation_loss: Option<f64>,
    /// Their share whose class is found, or the coefficient of determination (R^2): the run ends by
    /// it.
    pub validation_score: Option<f64>,
    /// Steps since the beginning.
    pub steps: u64,
    /// Time of the passes, without the callback.
    pub time: Duration,
    /// Bytes that this worker has submitted to the exchange.
    pub bytes: u64,
}

impl<X: Exchange> Trainer<X> {
    /// A model of zeros for such samples and targets. Samples that come later may have other rows,
    /// but the same features, engines and precision.
    pub fn new(
        config: Config,
        data: &Data<'_>,
        targets: &Targets<'_>,
        mut exchange: X,
    ) -> Result<Self, Error> {
        config.check()?;
        if config.spread == Spread::Data && data.engines() > 1 {
            return Err(Error::Together(
                "gradients are exchanged by one engine; give each worker one",
            ));
        }
        let outputs = targets.outputs(config.loss)?;
        let schedule = Schedule::new(config.rate, config.loss)?;
        let grids: Option<Vec<_>> = data.parts().iter().map(|engine| engine.grid.clone()).collect();
        let spread =
            grids.as_ref().filter(|_| config.spread == Spread::Data && exchange.workers() > 1);
        // Gradients are added, which must be of the same weights (R-GLM-19).
        let scaling = spread.map(|grids| scaling_of(grids, data.partition()));
        agree::check(&mut exchange, &config, outputs, data, None, scaling.as_ref())?;
        if let (false, false, Precision::Bits(Quantisation { keeps_zero: false, .. })) =
            (config.intercept, data.parts()[0].matrix.is_sparse(), data.precision())
        {
            return Err(Error::Together(
                "without an intercept 0 must stay 0; quantise with `keeps_zero`",
            ));
        }
        let engines = data.parts();
        let slices = match config.arithmetic {
            Arithmetic::Float => {
                let float =
                    |engine| Float::new(engine, outputs, config.penalty, config.average_after);
                Slices::Float(engines.iter().map(float).collect())
            }
            Arithmetic::Fixed { fraction_bits } => {
                let features = data.features();
                let fixed = |engine| {
                    Fixed::new(engine, features, outputs, config.penalty.l2, fraction_bits)
                };
                Slices::Fixed(engines.iter().map(fixed).collect::<Result<_, _>>()?)
            }
        };
        Ok(Self {
            config,
            exchange,
            partition: *data.partition(),
            grids,
            sparse: engines[0].matrix.is_sparse(),
            classes: targets.class_count(),
            head: Head::new(outputs, schedule),
            slices,
            epochs: 0,
            passes: 0,
            trace: None,
            out_of_step: false,
            watching: false,
        })
    }

    /// Begins with a model of this worker's features, instead of zeros. Steps go on as counted;
    /// averages begin anew.
    pub fn warm_start(&mut self, coefficients: &[f32], intercepts: &[f64]) -> Result<(), Error> {
        let (features, outputs) = (self.partition.features(), self.head.intercepts.len());
        expect_len("coefficients", coefficients.len(), outputs * features)?;
        expect_len("intercepts", intercepts.len(), outputs)?;
        let finite = coefficients.iter().all(|value| value.is_finite())
            && intercepts.iter().all(|value| value.is_finite());
        if !finite {
            return Err(Error::Together("coefficients to begin with must be finite"));
        }
        let mut offsets = Offsets::none(outputs);
        let of_engine = |engine: usize| -> Vec<f64> {
            let (grid, mut weights) =
                (self.grid(engine), Vec::with_capacity(outputs * self.partition.len(engine)));
            for (output, coefficients) in coefficients.chunks_exact(features).enumerate() {
                let own = self.partition.gather(engine, coefficients);
                offsets.add(output, &own, grid.map_or(&[], |grid| &grid.low));
                let coefficients = own.into_iter().map(f64::from);
                match grid {
                    None => weights.extend(coefficients),
                    Some(grid) => weights.extend(
                        coefficients
                            .zip(&grid.span)
                            .map(|(weight, &span)| weight * f64::from(span)),
                    ),
                }
            }
            weights
        };
        let weights: Vec<_> = (0..self.partition.parts()).map(of_engine).collect();
        let offsets = self.sum_offsets(offsets)?;
        self.head.intercepts =
            intercepts.iter().zip(offsets).map(|(intercept, offset)| intercept + offset).collect();
        (self.head.averaged, self.head.sums) = (0, vec![0.0; outputs]);
        match &mut self.slices {
            Slices::Float(slices) => {
                slices
                    .iter_mut()
                    .zip(&weights)
                    .for_each(|(slice, weights)| slice.set_weights(weights));
                Ok(())
            }
            Slices::Fixed(slices) => slices
                .iter_mut()
                .zip(&weights)
                .try_for_each(|(slice, weights)| slice.set_weights(weights)),
        }
    }

    /// One pass over samples, all of them, in the order of the trainer's epoch: what scikit-learn
    /// calls `partial_fit`. [`fit_chunks`](Self::fit_chunks) goes over samples beyond memory again
    /// and again.
    pub fn epoch(&mut self, data: &Data<'_>, targets: &Targets<'_>) -> Result<Epoch, Error> {
        self.check(data, targets)?;
        self.watching = false;
        let start = Instant::now();
        let rows: Vec<u32> = (0..data.rows() as u32).collect();
        let totals = self.pass(data, targets, rows)?;
        Ok(self.ended(start, totals, None))
    }

    /// Activations of samples, with intercepts: those of the whole model on every worker. By the
    /// last weights, also where averages were asked for.
    pub fn decision(&mut self, data: &Data<'_>) -> Result<Decision, Error> {
        self.check_data(data)?;
        let rows: Vec<u32> = (0..data.rows() as u32).collect();
        let (values, _) = self.activations(data.parts(), &rows)?;
        Ok(Decision { values, outputs: self.head.intercepts.len() })
    }

    /// The model of this worker's features, as they were before they were quantised. The intercepts
    /// are those of the whole model.
    pub fn model(&mut self) -> Result<Model, Error> {
        let (features, outputs) = (self.partition.features(), self.head.intercepts.len());
        let scaling = self.scaling();
        let (mut coefficients, mut offsets) =
            (vec![0.0; outputs * features], Offsets::none(outputs));
        for engine in 0..self.partition.parts() {
            let grid = self.grid(engine);
            for (output, coefficients) in coefficients.chunks_exact_mut(features).enumerate() {
                let weights = for_slices!(&self.slices, slices => slices[engine].weights(output));
                let own: Vec<f32> = match grid {
                    None => weights.iter().map(|&weight| weight as f32).collect(),
                    Some(grid) => weights
                        .iter()
                        .zip(&grid.span)
                        .map(|(weight, &span)| (weight / f64::from(span)) as f32)
                        .collect(),
                };
                // The intercept makes good what is rounded here.
                offsets.add(output, &own, grid.map_or(&[], |grid| &grid.low));
                self.partition.scatter(engine, &own, coefficients);
            }
        }
        let offsets = self.sum_offsets(offsets)?;
        Ok(Model {
            features,
            coefficients,
            intercepts: self
                .head
                .result()
                .iter()
                .zip(offsets)
                .map(|(intercept, offset)| intercept - offset)
                .collect(),
            loss: self.config.loss,
            classes: self.classes,
            scaling,
        })
    }

    /// Turns the recording of the worker's stages on or off, and returns the trace recorded before.
    pub fn record(&mut self, on: bool) -> Option<Trace> {
        std::mem::replace(&mut self.trace, on.then(Trace::default))
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The exchange, back.
    pub fn into_exchange(self) -> X {
        self.exchange
    }

    /// Trains on rows of the samples, which are ascending.
    fn pass(
        &mut self,
        data: &Data<'_>,
        targets: &Targets<'_>,
        mut rows: Vec<u32>,
    ) -> Result<Totals, Error> {
        if self.config.shuffle {
            order::shuffle(&mut rows, self.config.seed, self.passes);
        }
        self.in_step()?;
        // Both are taken back if the pass fails.
        let (mut slices, mut head) = (self.slices.clone(), self.head.clone());
        for_slices!(&mut slices, slices => slices.iter_mut().for_each(|slice| slice.watch(self.watching)));
        let pass = Pass {
            config: &self.config,
            engines: data.parts(),
            targets,
            order: &rows,
            exchange: &mut self.exchange,
            trace: self.trace.as_mut(),
        };
        let result = match (&mut slices, self.config.spread) {
            (Slices::Float(slices), Spread::Data) => {
                data_parallel::run(pass, &mut slices[0], &mut head)
            }
            (Slices::Float(slices), Spread::Model) => pipeline::run(pass, slices, &mut head),
            (Slices::Fixed(slices), _) => pipeline::run(pass, slices, &mut head),
        };
        let finite = for_slices!(&slices, slices => slices.iter().all(Slice::is_finite));
        let steps = head.schedule.steps;
        let penalty: f64 = for_slices!(&slices, slices => slices.iter().map(Slice::watched).sum());
        let is_whole = self.config.spread == Spread::Data;
        let result = result.and_then(|totals| {
            // In integers, so that all workers end a run after the same epoch.
            let told = [(!finite).into(), (penalty * PENALTY_UNIT) as i128];
            let sums = agree::sum_wide(&mut self.exchange, &told)?;
            if sums[0] > 0 {
                // Some worker's weights, and all are told.
                return Err(Error::Diverged { steps });
            }
            let sum = if is_whole { told[1] } else { sums[1] };
            Ok(Totals { penalty: sum as f64 / PENALTY_UNIT, ..totals })
        });
        self.out_of_step = result.is_err() && self.exchange.workers() > 1;
        let totals = result?;
        (self.slices, self.head) = (slices, head);
        self.passes += 1;
        Ok(totals)
    }

    /// Counts an epoch that has come to this.
    fn ended(&mut self, start: Instant, trained: Totals, held: Option<Held>) -> Epoch {
        self.epochs += 1;
        Epoch {
            number: self.epochs,
            loss: trained.loss(),
            objective: trained.objective(),
            validation_loss: held.map(|held| held.loss()),
            validation_score: held.map(|held| held.score(self.classes.is_some())),
            steps: self.head.schedule.steps,
            time: start.elapsed(),
            bytes: trained.bytes + held.map_or(0, |held| held.bytes),
        }
    }

    fn in_step(&self) -> Result<(), Error> {
        if self.out_of_step {
            return Err(Error::Together(
                "the workers are not in step after a failed epoch; make trainers with a new exchange",
            ));
        }
        Ok(())
    }

    fn activations(
        &mut self,
        engines: &[Engine<'_>],
        rows: &[u32],
    ) -> Result<(Vec<f64>, u64), Error> {
        self.in_step()?;
        let outputs = self.head.intercepts.len();
        let (mut values, bytes) = match self.config.spread {
            Spread::Model => for_slices!(&self.slices, slices =>
                pipeline::activations(slices, engines, rows, outputs, &mut self.exchange))?,
            // Every worker has the whole model.
            Spread::Data => for_slices!(&self.slices, slices =>
                pipeline::activations(slices, engines, rows, outputs, &mut Alone))?,
        };
        for values in values.chunks_exact_mut(outputs) {
            values
                .iter_mut()
                .zip(&self.head.intercepts)
                .for_each(|(value, intercept)| *value += intercept);
        }
        Ok((values, bytes))
    }

    fn check(&mut self, data: &Data<'_>, targets: &Targets<'_>) -> Result<(), Error> {
        self.in_step()?;
        self.check_data(data)?;
        expect_len("targets", targets.len(), data.rows())?;
        if targets.class_count() != self.classes {
            return Err(Error::Together(
                "the targets have other classes than those that the trainer was made for",
            ));
        }
        let rows = (self.config.spread == Spread::Model).then_some(data.rows());
        agree::check(
            &mut self.exchange,
            &self.config,
            self.head.intercepts.len(),
            data,
            rows,
            None,
        )?;
        match &self.slices {
            Slices::Fixed(slices) => slices[0].check_batch(self.config.batch.min(data.rows())),
            Slices::Float(_) => Ok(()),
        }
    }

    fn check_data(&self, data: &Data<'_>) -> Result<(), Error> {
        if *data.partition() != self.partition || data.parts()[0].matrix.is_sparse() != self.sparse
        {
            return Err(Error::Together(
                "these samples have other features or engines than those that the trainer was made for",
            ));
        }
        if !self.is_on_grid(data) {
            return Err(Error::Together(
                "these samples are quantised differently; make them with Data::like",
            ));
        }
        if let Slices::Fixed(slices) = &self.slices
            && data
                .parts()
                .iter()
                .zip(slices)
                .any(|(engine, slice)| engine.matrix.point() != Some(slice.point()))
        {
            return Err(Error::Together(
                "fixed-point weights need features read as deep as at the beginning",
            ));
        }
        Ok(())
    }

    /// Returns whether these samples and the first ones are quantised alike, or both not at all.
    fn is_on_grid(&self, data: &Data<'_>) -> bool {
        data.parts().iter().enumerate().all(|(engine, part)| match (&part.grid, &self.grids) {
            (Some(grid), Some(grids)) => {
                Arc::ptr_eq(grid, &grids[engine]) || grid.is_like(&grids[engine])
            }
            (None, None) => true,
            _ => false,
        })
    }

    fn grid(&self, engine: usize) -> Option<&Grid> {
        self.grids.as_ref().map(|grids| &*grids[engine])
    }

    /// Returns the conversion of the worker's features to integers, if samples are quantised.
    fn scaling(&self) -> Option<FeatureScaling> {
        self.grids.as_ref().map(|grids| scaling_of(grids, &self.partition))
    }

    /// Returns the sum over all workers of the offsets of the intercepts. Where samples are split,
    /// each worker has the whole sum. Fails on every worker if it does on one.
    fn sum_offsets(&mut self, offsets: Offsets) -> Result<Vec<f64>, Error> {
        let steps = self.head.schedule.steps;
        if self.grids.is_none() || self.sparse || self.config.spread == Spread::Data {
            return offsets.total(&mut Alone, steps);
        }
        self.in_step()?;
        offsets.total(&mut self.exchange, steps)
    }
}

/// Penalties are summed over workers in units of 2^-32.
const PENALTY_UNIT: f64 = 4_294_967_296.0;

/// Returns the conversion to integers of the features of a worker whose engines have these grids.
fn scaling_of(grids: &[Arc<Grid>], partition: &Partition) -> FeatureScaling {
    let mut features = vec![(0.0, 1.0); partition.features()];
    for (engine, grid) in grids.iter().enumerate() {
        partition.scatter(engine, &grid.scaling(), &mut features);
    }
    FeatureScaling { kind: grids[0].kind, features }
}
