//! Weights as integers on a grid, with exact sums: the same bits however features are split
//! (R-GLM-25, R-GLM-26).

use super::{Norms, Slice, Step};
use crate::config::Penalty;
use crate::data::{Engine, Matrix, Places};
use crate::error::Error;

/// Bits right of the point of a derivative; beyond 2^15 they saturate.
const DERIVATIVE_BITS: i32 = 16;

/// Least scale: a smaller one goes into the weights, which are rounded to their grid then.
const LEAST_SCALE: f64 = 1.0 / 256.0;

/// A weight is `scale * stored * 2^-fraction_bits`, times the span of its feature where that is
/// sparse (R-GLM-24).
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    places: Places,
    stored: Vec<i32>,
    /// The mini-batch's sum of coefficients times integers; all 0 between steps.
    sums: Vec<i64>,
    /// Squares of the spans of sparse features.
    squares: Option<Vec<f64>>,
    scale: f64,
    fraction_bits: i32,
    /// Bits right of the point of the features.
    point: i32,
    l2: f64,
    /// Factor on a sum in this step.
    factor: f64,
    /// The largest integer of a weight (R-GLM-26).
    most: f64,
    steps: u64,
    norms: Option<Norms>,
}

impl Fixed {
    /// Creates the weights of an engine of a worker that has so many features.
    pub(crate) fn new(
        engine: &Engine<'_>,
        worker_features: usize,
        outputs: usize,
        l2: f64,
        fraction_bits: u8,
    ) -> Result<Self, Error> {
        let Some(point) = engine.matrix.point() else {
            return Err(Error::Together(
                "fixed-point weights need features of at most 31 bits; quantise them (bits=8, or --bits 8)",
            ));
        };
        let places = engine.matrix.places(outputs);
        let weights = places.len();
        let span = engine.grid.as_ref().filter(|grid| grid.sparse).map(|grid| &grid.span);
        Ok(Self {
            places,
            stored: vec![0; weights],
            sums: vec![0; weights],
            squares: span
                .map(|span| span.iter().map(|&span| f64::from(span) * f64::from(span)).collect()),
            scale: 1.0,
            fraction_bits: fraction_bits.into(),
            point,
            l2,
            factor: 0.0,
            // So many weights times integers below 2^point add up to less than 2^63.
            most: (power(63 - point) / worker_features as f64).floor().min(f64::from(i32::MAX)),
            steps: 0,
            norms: None,
        })
    }

    /// Checks that the sums of a mini-batch of so many samples cannot wrap around: each is below
    /// 2^31 times 2^point.
    pub(crate) fn check_batch(&self, samples: usize) -> Result<(), Error> {
        let most = (1u64 << (32 - self.point)) - 1;
        if samples as u64 > most {
            let needed = format!(
                "at most {most} where features have so many bits in fixed point, or fewer bits"
            );
            return Err(Error::setting("batch", samples, needed));
        }
        Ok(())
    }

    /// Bits right of the point of the features.
    pub(crate) fn point(&self) -> i32 {
        self.point
    }

    /// The weights of an output.
    pub(crate) fn weights(&self, output: usize) -> Vec<f64> {
        let unit = self.scale * power(-self.fraction_bits);
        self.places
            .of(output, &self.stored)
            .iter()
            .map(|&stored| unit * f64::from(stored))
            .collect()
    }

    /// Begins with these weights, output by output, rounded to the grid.
    pub(crate) fn set_weights(&mut self, weights: &[f64]) -> Result<(), Error> {
        self.scale = 1.0;
        let unit = power(self.fraction_bits);
        for (output, weights) in weights.chunks_exact(self.places.features).enumerate() {
            for (stored, weight) in self.places.of_mut(output, &mut self.stored).zip(weights) {
                *stored = integer(unit * weight, self.most, self.steps)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, place: usize, square: f64) -> Result<(), Error> {
        let sum = std::mem::take(&mut self.sums[place]);
        if sum != 0 {
            let change = sum as f64 * (self.factor * square);
            let before = f64::from(self.stored[place]);
            self.stored[place] = integer(before + change, self.most, self.steps)?;
            if let Some(norms) = &mut self.norms {
                let unit = power(-self.fraction_bits) / square.sqrt();
                norms.add(unit * before, -1.0);
                norms.add(unit * f64::from(self.stored[place]), 1.0);
            }
        }
        Ok(())
    }

    /// Looks at all weights anew.
    fn renew_norms(&mut self) {
        let Some(mut norms) = self.norms else { return };
        norms.clear();
        for feature in 0..self.places.features {
            let unit = power(-self.fraction_bits) / self.square(feature).sqrt();
            for output in 0..self.places.outputs {
                norms.add(unit * f64::from(self.stored[self.places.place(output, feature)]), 1.0);
            }
        }
        self.norms = Some(norms);
    }

    /// The square of a feature's span, where its weights are held times that.
    fn square(&self, feature: usize) -> f64 {
        self.squares.as_ref().map_or(1.0, |squares| squares[feature])
    }
}

impl Slice for Fixed {
    type Partial = i64;
    type Lane = i32;

    fn forward(&self, matrix: &Matrix<'_>, row: u32, partial: &mut [i64]) {
        matrix.dot_exact(row as usize, &self.stored, partial);
    }

    fn unit(&self) -> f64 {
        self.scale * power(-self.fraction_bits - self.point)
    }

    fn lane(sum: i64, workers: usize) -> Result<i32, Error> {
        // R-GLM-26: so that no sum of all workers overflows.
        let limit = i64::from(i32::MAX) / workers as i64;
        if sum.abs() > limit {
            return Err(Error::Overflow { sum, limit });
        }
        Ok(sum as i32)
    }

    fn coefficient(derivative: f64) -> i32 {
        (derivative * power(DERIVATIVE_BITS)).round_ties_even() as i32
    }

    fn begin(&mut self, step: Step) {
        if let Some(norms) = &mut self.norms {
            norms.count(step, self.scale, Penalty::l2(self.l2));
        }
        self.steps += 1;
        self.scale *= (1.0 - step.eta * self.l2).max(0.0);
        if self.scale < LEAST_SCALE {
            for stored in &mut self.stored {
                *stored = (f64::from(*stored) * self.scale).round_ties_even() as i32;
            }
            self.scale = 1.0;
            self.renew_norms();
        }
        let unit = power(self.fraction_bits - DERIVATIVE_BITS - self.point);
        self.factor = -step.eta / step.samples as f64 / self.scale * unit;
    }

    fn backward(&mut self, matrix: &Matrix<'_>, row: u32, coefficients: &[i32]) {
        matrix.axpy_exact(row as usize, coefficients, &mut self.sums);
    }

    fn end(&mut self, matrix: &Matrix<'_>, rows: &[u32]) -> Result<(), Error> {
        if !self.places.sparse {
            return (0..self.stored.len()).try_for_each(|place| self.take(place, 1.0));
        }
        let mut result = Ok(());
        for &row in rows {
            matrix.for_each_feature(row as usize, |feature| {
                let square = self.square(feature);
                for output in 0..self.places.outputs {
                    let place = self.places.place(output, feature);
                    if let Err(error) = self.take(place, square) {
                        result = Err(error);
                    }
                }
            });
        }
        result
    }

    fn settle(&mut self) {}

    fn watch(&mut self, on: bool) {
        self.norms = (on && self.l2 != 0.0).then(Norms::default);
        self.renew_norms();
    }

    fn watched(&self) -> f64 {
        self.norms.map_or(0.0, |norms| norms.sum)
    }

    fn is_finite(&self) -> bool {
        true
    }
}

/// 2^exponent, exactly.
fn power(exponent: i32) -> f64 {
    libm::exp2(f64::from(exponent))
}

/// The nearest integer, if it is within `most`.
fn integer(value: f64, most: f64, steps: u64) -> Result<i32, Error> {
    let rounded = value.round_ties_even();
    // Also false for NaN.
    if rounded.abs() <= most { Ok(rounded as i32) } else { Err(Error::Diverged { steps }) }
}
