//! An engine's part of the model, in either arithmetic. A forward pass reads it; a backward pass
//! and a step change it.

mod fixed;
mod float;

pub(crate) use fixed::Fixed;
pub(crate) use float::Float;

use crate::config::Penalty;
use crate::data::Matrix;
use crate::error::Error;
use crate::exchange::Lane;

/// A step's effect on the weights, the same on every engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Its length.
    pub(crate) eta: f64,
    /// Samples of the mini-batch.
    pub(crate) samples: usize,
}

/// Rows in the order in which they go forward, asked for some rows ahead.
pub(crate) struct Ahead<'a> {
    order: &'a [u32],
}

/// Number of rows to look ahead: the time of one or two is that of a load from memory.
const ROWS_AHEAD: usize = 2;

impl<'a> Ahead<'a> {
    pub(crate) fn new(order: &'a [u32]) -> Self {
        Self { order: order.get(ROWS_AHEAD..).unwrap_or_default() }
    }

    /// One row goes forward.
    #[inline]
    pub(crate) fn advance(&mut self, matrix: &Matrix<'_>) {
        if let Some((&row, rest)) = self.order.split_first() {
            matrix.prefetch(row);
            self.order = rest;
        }
    }
}

/// The penalty of weights that change, kept current (R-GLM-27): sums over weights as they are
/// stored, which a scale multiplies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Norms {
    /// Sum of absolute values.
    absolute: f64,
    /// Sum of squares.
    squares: f64,
    /// Sum of the penalty before each step, times the samples of its mini-batch.
    sum: f64,
}

impl Norms {
    /// Counts the penalty before a step.
    pub(crate) fn count(&mut self, step: Step, scale: f64, penalty: Penalty) {
        let penalty =
            penalty.l1 * scale * self.absolute + penalty.l2 / 2.0 * scale * scale * self.squares;
        self.sum += step.samples as f64 * penalty;
    }

    /// Takes in a stored weight, times 1, or out of the sums, times -1.
    pub(crate) fn add(&mut self, stored: f64, times: f64) {
        self.absolute += times * stored.abs();
        self.squares += times * stored * stored;
    }

    /// Takes in many weights.
    pub(crate) fn add_all(&mut self, stored: &[f32]) {
        // Independent sums, so that many are added together.
        let mut sums = [[0.0f64; 8]; 2];
        let (groups, rest) = stored.as_chunks::<8>();
        for group in groups {
            for (lane, &stored) in group.iter().enumerate() {
                let stored = f64::from(stored);
                sums[0][lane] += stored.abs();
                sums[1][lane] += stored * stored;
            }
        }
        self.absolute += sums[0].iter().sum::<f64>();
        self.squares += sums[1].iter().sum::<f64>();
        rest.iter().for_each(|&stored| self.add(stored.into(), 1.0));
    }

    /// Empties the sums over weights.
    pub(crate) fn clear(&mut self) {
        (self.absolute, self.squares) = (0.0, 0.0);
    }
}

/// A number that engines of a worker exchange.
pub(crate) trait Word: Copy + Default + Send + Sync {
    fn to_word(self) -> u64;
    fn from_word(word: u64) -> Self;
    fn plus(self, other: Self) -> Self;
}

impl Word for f32 {
    fn to_word(self) -> u64 {
        self.to_bits().into()
    }
    fn from_word(word: u64) -> Self {
        Self::from_bits(word as u32)
    }
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

impl Word for i64 {
    fn to_word(self) -> u64 {
        self.cast_unsigned()
    }
    fn from_word(word: u64) -> Self {
        word.cast_signed()
    }
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

/// An engine's weights. In a mini-batch all forward passes come first, then `begin`, the backward
/// passes, and `end` (R-GLM-13).
pub(crate) trait Slice: Send + Sync {
    /// A partial activation.
    type Partial: Word;
    /// The type in which a partial activation travels. A derivative becomes one before a sample is
    /// multiplied with it.
    type Lane: Lane;

    /// A row's partial activations, one for each output.
    fn forward(&self, matrix: &Matrix<'_>, row: u32, partial: &mut [Self::Partial]);

    /// Returns the factor by which to multiply a lane; it changes with steps.
    fn unit(&self) -> f64;

    /// The worker's sum as it travels to `workers`.
    fn lane(sum: Self::Partial, workers: usize) -> Result<Self::Lane, Error>;

    /// A derivative as it goes into the backward pass.
    fn coefficient(derivative: f64) -> Self::Lane;

    /// Shrinks the weights as the L2 penalty says (R-GLM-7).
    fn begin(&mut self, step: Step);

    /// Takes a row into the step, times a coefficient for each output.
    fn backward(&mut self, matrix: &Matrix<'_>, row: u32, coefficients: &[Self::Lane]);

    /// Ends the step of these rows.
    fn end(&mut self, matrix: &Matrix<'_>, rows: &[u32]) -> Result<(), Error>;

    /// Ends an epoch: work that was put off is done for all weights (R-GLM-9).
    fn settle(&mut self);

    /// Keeps account from now on of the penalty before each step, or of nothing.
    fn watch(&mut self, on: bool);

    /// Returns the sum of that over the steps since, each times the samples of its mini-batch.
    fn watched(&self) -> f64;

    /// Returns whether all weights are numbers.
    fn is_finite(&self) -> bool;
}
