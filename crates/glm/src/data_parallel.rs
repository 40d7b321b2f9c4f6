//! Workers that have samples each, and exchange gradients as long as the model: for the comparison (R-GLM-18).

use crate::agree;
use crate::arithmetic::{Float, Slice, Step};
use crate::error::Error;
use crate::exchange::Exchange;
use crate::loss::Losses;
use crate::pipeline::{Head, Pass, Totals, derive};
use crate::trace::{Event, Stage};
use std::time::Instant;

/// Numbers beside the gradient: the samples of the mini-batch, their loss and their weight.
const EXTRA: usize = 3;

/// Runs an epoch. Every worker takes as many steps as the samples of all of them have mini-batches, each with its share of its own samples.
pub(crate) fn run<X: Exchange>(mut pass: Pass<'_, X>, slice: &mut Float, head: &mut Head) -> Result<Totals, Error> {
    let matrix = &pass.engines[0].matrix;
    let (outputs, own) = (head.intercepts.len(), pass.order.len());
    let features = outputs * matrix.features();
    let all = agree::sum(pass.exchange, &[own as i64])?[0] as usize;
    let steps = all.div_ceil(pass.config.batch);
    let mut lanes = vec![0.0f32; features + outputs + EXTRA];
    let mut partial = vec![0.0f32; outputs];
    let mut derivatives = vec![0.0f64; outputs];
    let mut totals = Totals::default();
    for index in 0..steps {
        let rows = &pass.order[own * index / steps..own * (index + 1) / steps];
        let start = Instant::now();
        lanes.fill(0.0);
        let (gradient, rest) = lanes.split_at_mut(features);
        let (slopes, extra) = rest.split_at_mut(outputs);
        let mut losses = Losses::none();
        for &row in rows {
            slice.forward(matrix, row, &mut partial);
            for ((derivative, activation), intercept) in derivatives.iter_mut().zip(&partial).zip(&head.intercepts) {
                *derivative = f64::from(*activation) + intercept;
            }
            extra[2] += derive(pass.config.loss, pass.targets, row, &mut derivatives, &mut losses) as f32;
            for ((partial, slope), derivative) in partial.iter_mut().zip(&mut *slopes).zip(&derivatives) {
                *partial = *derivative as f32;
                *slope += *partial;
            }
            matrix.axpy(row as usize, &partial, gradient);
        }
        (extra[0], extra[1]) = (rows.len() as f32, losses.total() as f32);
        let submitted = Instant::now();
        if pass.exchange.workers() > 1 {
            totals.bytes += 4 * lanes.len() as u64;
            let ticket = pass.exchange.submit(&lanes).map_err(Error::exchange)?;
            pass.exchange.collect(ticket, &mut lanes).map_err(Error::exchange)?;
        }
        let collected = Instant::now();
        let (gradient, rest) = lanes.split_at(features);
        let (slopes, extra) = rest.split_at(outputs);
        let samples = extra[0] as usize;
        totals.loss += f64::from(extra[1]);
        totals.weight += f64::from(extra[2]);
        if samples > 0 {
            let step = Step { eta: head.schedule.next(), samples };
            slice.apply(gradient, step);
            let slopes: Vec<f64> = slopes.iter().map(|&slope| slope.into()).collect();
            head.step(pass.config, step, &slopes);
        }
        if let Some(trace) = pass.trace.as_deref_mut() {
            let event = |stage, start, end| Event { stage, step: head.schedule.steps, micro_batch: 0, start, end };
            trace.add(event(Stage::Forward, start, submitted));
            trace.add(event(Stage::Fold, submitted, collected));
            trace.add(event(Stage::Wait, submitted, collected));
            trace.add(event(Stage::Step, collected, Instant::now()));
        }
    }
    slice.settle();
    let finite = totals.loss.is_finite() && head.intercepts.iter().all(|intercept| intercept.is_finite());
    if finite { Ok(totals) } else { Err(Error::Diverged { steps: head.schedule.steps }) }
}
