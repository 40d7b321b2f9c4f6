//! Workers that have samples each, and exchange gradients as long as the model: for the comparison
//! (R-GLM-18).

use crate::agree;
use crate::arithmetic::{Float, Slice, Step};
use crate::error::Error;
use crate::exchange::Exchange;
use crate::loss::Losses;
use crate::pipeline::{Head, Pass, Totals};
use crate::trace::{Event, Stage};
use std::time::Instant;

/// Numbers beside the gradient: the samples of the mini-batch, their loss, their weight, and their
/// loss without weights.
const EXTRA: usize = 4;

/// The share of a worker's samples in each step.
struct Share {
    own: usize,
    steps: usize,
    rank: usize,
    workers: usize,
}

impl Share {
    /// Returns the number of the worker's samples that come before a step. Workers are at different
    /// fractions of a sample, so that all of them together take equally many in every step.
    fn until(&self, step: usize) -> usize {
        let ahead = self.own as u128 * step as u128 * self.workers as u128
            + self.steps as u128 * self.rank as u128;
        (ahead / (self.steps as u128 * self.workers as u128)) as usize
    }
}

/// Runs an epoch. Every worker takes as many steps as the samples of all of them have mini-batches,
/// each with its share of its own samples.
pub(crate) fn run<X: Exchange>(
    mut pass: Pass<'_, X>,
    slice: &mut Float,
    head: &mut Head,
) -> Result<Totals, Error> {
    let matrix = &pass.engines[0].matrix;
    let (outputs, own) = (head.intercepts.len(), pass.order.len());
    let features = outputs * matrix.features();
    let all = agree::sum(pass.exchange, &[own as i64])?[0] as usize;
    let steps = all.div_ceil(pass.config.batch);
    let share = Share { own, steps, rank: pass.exchange.rank(), workers: pass.exchange.workers() };
    let mut lanes = vec![0.0f32; features + outputs + EXTRA];
    let mut partial = vec![0.0f32; outputs];
    let mut derivatives = vec![0.0f64; outputs];
    let mut totals = Totals::default();
    for index in 0..steps {
        let rows = &pass.order[share.until(index)..share.until(index + 1)];
        let start = Instant::now();
        lanes.fill(0.0);
        let (gradient, rest) = lanes.split_at_mut(features);
        let (slopes, extra) = rest.split_at_mut(outputs);
        let mut losses = Losses::none();
        for &row in rows {
            slice.forward(matrix, row, &mut partial);
            for ((derivative, activation), intercept) in
                derivatives.iter_mut().zip(&partial).zip(&head.intercepts)
            {
                *derivative = f64::from(*activation) + intercept;
            }
            extra[2] +=
                pass.targets.derive(pass.config.loss, row, &mut derivatives, &mut losses) as f32;
            for ((partial, slope), derivative) in
                partial.iter_mut().zip(&mut *slopes).zip(&derivatives)
            {
                *partial = *derivative as f32;
                *slope += *partial;
            }
            matrix.axpy(row as usize, &partial, gradient);
        }
        (extra[0], extra[1]) = (rows.len() as f32, losses.total() as f32);
        extra[3] = losses.plain() as f32;
        let submitted = Instant::now();
        if pass.exchange.workers() > 1 {
            totals.bytes += 4 * lanes.len() as u64;
            let submission = pass.exchange.submit(&lanes).map_err(Error::exchange)?;
            pass.exchange.collect(submission, &mut lanes).map_err(Error::exchange)?;
        }
        let collected = Instant::now();
        let (gradient, rest) = lanes.split_at(features);
        let (slopes, extra) = rest.split_at(outputs);
        let samples = extra[0] as usize;
        totals.loss += f64::from(extra[1]);
        totals.weight += f64::from(extra[2]);
        totals.plain += f64::from(extra[3]);
        totals.samples += samples as u64;
        if samples > 0 {
            let step = Step { eta: head.schedule.next(), samples };
            slice.apply(gradient, step);
            let slopes: Vec<f64> = slopes.iter().map(|&slope| slope.into()).collect();
            head.step(pass.config, step, &slopes);
        }
        if let Some(trace) = pass.trace.as_deref_mut() {
            let event = |stage, start, end| Event {
                stage,
                step: head.schedule.steps,
                micro_batch: 0,
                start,
                end,
            };
            trace.add(event(Stage::Forward, start, submitted));
            trace.add(event(Stage::Fold, submitted, collected));
            trace.add(event(Stage::Wait, submitted, collected));
            trace.add(event(Stage::Step, collected, Instant::now()));
        }
    }
    slice.settle();
    let finite =
        totals.loss.is_finite() && head.intercepts.iter().all(|intercept| intercept.is_finite());
    if finite { Ok(totals) } else { Err(Error::Diverged { steps: head.schedule.steps }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// R-GLM-18. With equal shares a step has as many samples as one worker with all of them
        /// would take.
        #[test]
        fn steps_are_of_equal_size(own in 0usize..200, workers in 1usize..9, batch in 1usize..50) {
            let all = own * workers;
            let steps = all.div_ceil(batch).max(1);
            let share = |rank| Share { own, steps, rank, workers };
            for step in 0..steps {
                let taken: usize = (0..workers).map(|rank| share(rank).until(step + 1) - share(rank).until(step)).sum();
                prop_assert_eq!(taken, all * (step + 1) / steps - all * step / steps);
            }
            for rank in 0..workers {
                prop_assert_eq!((share(rank).until(0), share(rank).until(steps)), (0, own));
            }
        }
    }
}
