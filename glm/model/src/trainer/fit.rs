//! Epochs, until it is enough (R-GLM-27): over samples in memory, and over chunks of samples that
//! are not.

use super::held::Held;
use super::{Epoch, Trainer};
use crate::agree;
use crate::config::Spread;
use crate::data::Data;
use crate::error::Error;
use crate::exchange::Exchange;
use crate::order;
use crate::pipeline::Totals;
use crate::targets::Targets;
use std::ops::ControlFlow;
use std::time::Instant;

/// The outcome of a run.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// Epochs of this run.
    pub epochs: usize,
    /// Loss of the last one.
    pub loss: f64,
    /// Validation loss of the last one.
    pub validation_loss: Option<f64>,
    /// The reason for its end.
    pub why: Why,
}

/// The reason for a run's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The loss stands still.
    Converged,
    /// The most epochs that were asked for.
    Epochs,
    /// A worker's callback.
    Callback,
}

/// The work on a chunk.
pub type OfChunk<'a> = dyn FnMut(&Data<'_>, &Targets<'_>) -> Result<(), Error> + 'a;

impl<X: Exchange> Trainer<X> {
    /// Epochs until the loss stands still, there have been enough of them, or a worker's
    /// `after_epoch` breaks: then all workers stop (R-GLM-17, R-GLM-27).
    pub fn fit(
        &mut self,
        data: &Data<'_>,
        targets: &Targets<'_>,
        after_epoch: impl FnMut(&Epoch) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        self.check(data, targets)?;
        let validation = self.config.stopping.validation;
        let (training, held) = order::split(targets, validation, self.config.seed);
        self.check_counts([&training, &held].map(|rows| self.counting(targets, rows)))?;
        let epoch = |trainer: &mut Self| {
            let start = Instant::now();
            if validation == 0.0 {
                let trained = trainer.pass(data, targets, training.clone())?;
                return Ok(trainer.ended(start, trained, None));
            }
            let (trained, held) = trainer.or_as_before(|trainer| {
                let trained = trainer.pass(data, targets, training.clone())?;
                let held = trainer.judge(data, targets, &held)?;
                Ok((trained, trainer.held_by_all(held)?))
            })?;
            Ok(trainer.ended(start, trained, Some(held)))
        };
        self.run(epoch, after_epoch)
    }

    /// As [`fit`](Self::fit) over samples that are not in memory at once (R-GLM-31). `chunks` is
    /// called with the number of an epoch, from 1, and calls its argument with every chunk, one
    /// after the other: of the same features, on the same grid ([`Data::over`]), in an order that
    /// may differ from epoch to epoch, but not from worker to worker. A mini-batch ends with its
    /// chunk.
    ///
    /// If samples are held back, it is called twice for an epoch.
    pub fn fit_chunks(
        &mut self,
        mut chunks: impl FnMut(u64, &mut OfChunk<'_>) -> Result<(), Error>,
        after_epoch: impl FnMut(&Epoch) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        let (validation, seed) = (self.config.stopping.validation, self.config.seed);
        let epoch = |trainer: &mut Self| {
            let (start, number) = (Instant::now(), trainer.epochs + 1);
            let (trained, held) = trainer.or_as_before(|trainer| {
                let (mut trained, mut held, mut counts) =
                    (Totals::default(), Held::default(), [0; 2]);
                chunks(number, &mut |data, targets| {
                    trainer.check(data, targets)?;
                    let (training, held) = order::split(targets, validation, seed);
                    counts[0] += trainer.counting(targets, &training);
                    counts[1] += trainer.counting(targets, &held);
                    trained += trainer.pass(data, targets, training)?;
                    Ok(())
                })?;
                trainer.check_counts(counts)?;
                if validation == 0.0 {
                    return Ok((trained, None));
                }
                chunks(number, &mut |data, targets| {
                    trainer.check(data, targets)?;
                    let (_, rows) = order::split(targets, validation, seed);
                    held += trainer.judge(data, targets, &rows)?;
                    Ok(())
                })?;
                Ok((trained, Some(trainer.held_by_all(held)?)))
            })?;
            Ok(trainer.ended(start, trained, held))
        };
        self.run(epoch, after_epoch)
    }

    /// Counts the rows that count for something.
    fn counting(&self, targets: &Targets<'_>, rows: &[u32]) -> i64 {
        targets.counting(self.config.loss, self.head.intercepts.len(), rows)
    }

    /// Refuses to train on nothing that counts, or to judge by it: so many samples count of those
    /// that are trained on, and of those that are held back.
    fn check_counts(&mut self, mut counts: [i64; 2]) -> Result<(), Error> {
        if self.config.spread == Spread::Data {
            // A worker's share may be empty.
            let all = agree::sum(&mut self.exchange, &counts)?;
            counts.copy_from_slice(&all);
        }
        match counts {
            [0, _] => Err(NOTHING),
            [_, 0] if self.config.stopping.validation > 0.0 => Err(NOTHING_HELD),
            _ => Ok(()),
        }
    }

    /// An epoch of several parts. All are taken back if one fails (R-GLM-27).
    fn or_as_before<T>(
        &mut self,
        epoch: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let before = (self.slices.clone(), self.head.clone(), self.passes);
        epoch(self).inspect_err(|_| {
            (self.slices, self.head, self.passes) = before;
            self.out_of_step = self.exchange.workers() > 1;
        })
    }

    fn run(
        &mut self,
        mut epoch: impl FnMut(&mut Self) -> Result<Epoch, Error>,
        mut after_epoch: impl FnMut(&Epoch) -> ControlFlow<()>,
    ) -> Result<Outcome, Error> {
        let stopping = self.config.stopping;
        if stopping.epochs == 0 {
            return Err(NOTHING);
        }
        self.watching = stopping.tolerance.is_some() && stopping.validation == 0.0;
        let (mut best, mut stalled) = (f64::INFINITY, 0);
        let mut epochs = 0;
        loop {
            let epoch = epoch(self)?;
            epochs += 1;
            let end = |why| Outcome {
                epochs,
                loss: epoch.loss,
                validation_loss: epoch.validation_loss,
                why,
            };
            let vote = after_epoch(&epoch).is_break();
            if agree::sum(&mut self.exchange, &[vote.into()])?[0] > 0 {
                return Ok(end(Why::Callback));
            }
            // A score is to rise.
            let judged = epoch.validation_score.map_or(epoch.objective, |score| -score);
            if let Some(tolerance) = stopping.tolerance {
                stalled = if judged > best - tolerance { stalled + 1 } else { 0 };
                best = best.min(judged);
                if stalled >= stopping.patience {
                    if !self.head.schedule.stalled() {
                        return Ok(end(Why::Converged));
                    }
                    stalled = 0;
                }
            }
            if epochs == stopping.epochs {
                return Ok(end(Why::Epochs));
            }
        }
    }
}

const NOTHING_HELD: Error = Error::Together(
    "no sample is held back that counts: their share is less than half a sample, or all of their weights, or those of their classes, are 0; hold more back, or nothing, or give more samples at a time",
);

const NOTHING: Error = Error::Together(
    "there must be an epoch, and samples to train on whose weights are not all 0; hold fewer back, or give some a weight above 0",
);
