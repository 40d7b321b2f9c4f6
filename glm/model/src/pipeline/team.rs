//! The engines of a worker in lock step: a thread each, with its own features and weights
//! (R-GLM-16).
//!
//! They share two arrays of a mini-batch. Each engine writes its partial activations, and counts
//! its micro-batches; the leader, which is the first engine, sums them when all have counted, and
//! later writes coefficients and counts those. Nobody is a mini-batch ahead: an engine goes forward
//! with the next one when it has gone backward with this one, and for that all must have gone
//! forward.

mod waiting;

use super::Crew;
use crate::arithmetic::{Ahead, Slice, Step, Word};
use crate::config::Config;
use crate::data::Matrix;
use crate::error::Error;
use crate::exchange::Lane;
use crate::spin::SpinPolicy;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use waiting::{Aborted, Bell, Counter};

pub(super) struct Team<'a> {
    order: &'a [u32],
    batch: usize,
    micro: usize,
    outputs: usize,
    engines: usize,
    /// Partial activations of a mini-batch, one engine's after the other's.
    partial: Vec<AtomicU64>,
    /// Micro-batches of all mini-batches that each engine has gone forward with.
    forwarded: Vec<Counter>,
    coefficients: Vec<AtomicU32>,
    /// Micro-batches whose coefficients are there.
    published: Counter,
    /// The bits of the step's length: written before the first coefficients of a mini-batch.
    eta: AtomicU64,
    /// Bells on which the leader waits, and on which the others do.
    of_leader: Bell,
    of_others: Bell,
    failure: Mutex<Option<Error>>,
    /// Spin policy with which each engine begins.
    spin: SpinPolicy,
}

impl<'a> Team<'a> {
    /// The engines of one of so many workers in the process.
    pub(super) fn new(
        config: &Config,
        order: &'a [u32],
        outputs: usize,
        engines: usize,
        workers: usize,
    ) -> Self {
        let batch = config.batch.min(order.len()).max(1);
        Self {
            order,
            batch,
            micro: config.micro_batch,
            outputs,
            engines,
            partial: (0..engines * batch * outputs).map(|_| AtomicU64::new(0)).collect(),
            forwarded: (0..engines).map(|_| Counter::default()).collect(),
            coefficients: (0..batch * outputs).map(|_| AtomicU32::new(0)).collect(),
            published: Counter::default(),
            eta: AtomicU64::new(0),
            of_leader: Bell::default(),
            of_others: Bell::default(),
            failure: Mutex::new(None),
            spin: SpinPolicy::among(workers, engines),
        }
    }

    /// The first engine, which speaks for all.
    pub(super) fn lead<'b, S: Slice>(
        &'b self,
        slice: &'b mut S,
        matrix: &'b Matrix<'b>,
    ) -> Leader<'b, S> {
        Leader {
            team: self,
            slice,
            matrix,
            ahead: Ahead::new(self.order),
            forwarded: 0,
            published: 0,
            micro_batch: 0,
            spin: self.spin,
            _guard: Guard(self),
        }
    }

    /// Runs another engine through the epoch.
    pub(super) fn follow<S: Slice>(&self, engine: usize, slice: &mut S, matrix: &Matrix<'_>) {
        let guard = Guard(self);
        match self.epoch(engine, slice, matrix) {
            // The others are through, too, or have said why they are not.
            Ok(Ok(())) | Err(Aborted) => std::mem::forget(guard),
            Ok(Err(error)) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    }

    fn epoch<S: Slice>(
        &self,
        engine: usize,
        slice: &mut S,
        matrix: &Matrix<'_>,
    ) -> Result<Result<(), Error>, Aborted> {
        let mut partial = vec![S::Partial::default(); self.outputs];
        let mut coefficients = vec![S::Lane::default(); self.outputs];
        let (mut forwarded, mut published) = (0, 0);
        let (mut ahead, mut spin) = (Ahead::new(self.order), self.spin);
        for rows in self.order.chunks(self.batch) {
            for (index, rows) in rows.chunks(self.micro).enumerate() {
                let to = self.partial_of(engine, index, rows.len());
                for (&row, to) in rows.iter().zip(to.chunks_exact(self.outputs)) {
                    ahead.advance(matrix);
                    slice.forward(matrix, row, &mut partial);
                    to.iter()
                        .zip(&partial)
                        .for_each(|(to, partial)| to.store(partial.to_word(), Ordering::Relaxed));
                }
                forwarded += 1;
                self.of_leader.count(&self.forwarded[engine], forwarded);
            }
            for (index, micro) in rows.chunks(self.micro).enumerate() {
                published += 1;
                self.of_others.wait_for(&self.published, published, &mut spin)?;
                if index == 0 {
                    let eta = f64::from_bits(self.eta.load(Ordering::Relaxed));
                    slice.begin(Step { eta, samples: rows.len() });
                }
                let from = &self.coefficients[index * self.micro * self.outputs..];
                for (&row, from) in micro.iter().zip(from.chunks_exact(self.outputs)) {
                    for (coefficient, from) in coefficients.iter_mut().zip(from) {
                        *coefficient = S::Lane::from_bits(from.load(Ordering::Relaxed));
                    }
                    slice.backward(matrix, row, &coefficients);
                }
            }
            if let Err(error) = slice.end(matrix, rows) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Returns the reason that an engine has stopped.
    pub(super) fn failure(&self) -> Error {
        self.take_failure().unwrap_or(Error::EngineLost)
    }

    /// Takes an engine's error, if one has failed.
    pub(super) fn take_failure(&self) -> Option<Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn partial_of(&self, engine: usize, micro_batch: usize, rows: usize) -> &[AtomicU64] {
        let start = (engine * self.batch + micro_batch * self.micro) * self.outputs;
        &self.partial[start..][..rows * self.outputs]
    }
}

/// Stops the others when its engine ends early, also by a panic.
struct Guard<'a, 'b>(&'a Team<'b>);

impl Drop for Guard<'_, '_> {
    fn drop(&mut self) {
        self.0.of_leader.abort();
        self.0.of_others.abort();
    }
}

/// The first engine, as the whole crew.
pub(super) struct Leader<'a, S> {
    team: &'a Team<'a>,
    slice: &'a mut S,
    matrix: &'a Matrix<'a>,
    ahead: Ahead<'a>,
    /// Counts of micro-batches, over all mini-batches.
    forwarded: usize,
    published: usize,
    /// Number of the micro-batch in its mini-batch, in the direction that it is going.
    micro_batch: usize,
    spin: SpinPolicy,
    /// Guard: if the leader ends early, no engine waits for coefficients that it would have
    /// published.
    _guard: Guard<'a, 'a>,
}

impl<S: Slice> Crew<S> for Leader<'_, S> {
    fn forward(&mut self, rows: &[u32], partial: &mut [S::Partial]) -> Result<(), Error> {
        let outputs = self.team.outputs;
        for (&row, partial) in rows.iter().zip(partial.chunks_exact_mut(outputs)) {
            self.ahead.advance(self.matrix);
            self.slice.forward(self.matrix, row, partial);
        }
        self.forwarded += 1;
        for engine in 1..self.team.engines {
            let bell = &self.team.of_leader;
            let waited =
                bell.wait_for(&self.team.forwarded[engine], self.forwarded, &mut self.spin);
            waited.map_err(|Aborted| self.team.failure())?;
            let from = self.team.partial_of(engine, self.micro_batch, rows.len());
            for (sum, from) in partial.iter_mut().zip(from) {
                *sum = sum.plus(S::Partial::from_word(from.load(Ordering::Relaxed)));
            }
        }
        self.micro_batch += 1;
        Ok(())
    }

    fn unit(&self) -> f64 {
        self.slice.unit()
    }

    fn begin(&mut self, step: Step) {
        self.micro_batch = 0;
        self.team.eta.store(step.eta.to_bits(), Ordering::Relaxed);
        self.slice.begin(step);
    }

    fn backward(&mut self, rows: &[u32], coefficients: &[S::Lane]) {
        let outputs = self.team.outputs;
        let to = &self.team.coefficients[self.micro_batch * self.team.micro * outputs..];
        to.iter()
            .zip(coefficients)
            .for_each(|(to, coefficient)| to.store(coefficient.to_bits(), Ordering::Relaxed));
        self.micro_batch += 1;
        self.published += 1;
        self.team.of_others.count(&self.team.published, self.published);
        for (&row, coefficients) in rows.iter().zip(coefficients.chunks_exact(outputs)) {
            self.slice.backward(self.matrix, row, coefficients);
        }
    }

    fn end(&mut self, rows: &[u32]) -> Result<(), Error> {
        self.micro_batch = 0;
        self.slice.end(self.matrix, rows)
    }
}
