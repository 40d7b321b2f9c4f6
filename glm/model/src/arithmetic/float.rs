//! Weights as `f32` times a common scale (R-GLM-7, R-GLM-9, R-GLM-10).

use super::{Norms, Slice, Step};
use crate::config::Penalty;
use crate::data::{Engine, Matrix, Places};
use crate::error::Error;

/// Least scale: a smaller one goes into the weights. They grow as it falls, and `f32` ends at
/// 2^128.
const LEAST_SCALE: f64 = 1e-9;

/// A weight is `scale * stored`, times the span of its feature where that is quantised and sparse
/// (R-GLM-24).
#[derive(Clone, Debug)]
pub(crate) struct Float {
    places: Places,
    stored: Vec<f32>,
    scale: f64,
    penalty: Penalty,
    l1: Option<Cumulative>,
    average: Option<Average>,
    norms: Option<Norms>,
    /// Spans of sparse quantised features: their weights are held times these.
    span: Option<Vec<f32>>,
    /// Factor on a derivative in this step.
    factor: f32,
    eta: f64,
    /// Factors of a row in its backward pass, one for each output.
    factors: Vec<f32>,
}

/// The cumulative L1 penalty of Tsuruoka, Tsujii and Ananiadou (ACL 2009): the amount that a weight
/// could have had taken away so far, and the amount that it has had.
#[derive(Clone, Debug)]
struct Cumulative {
    possible: f64,
    had: Vec<f64>,
}

/// The sum of the weights over steps is `sum_of_scales * stored - before` (R-GLM-10).
#[derive(Clone, Debug)]
struct Average {
    /// Steps still to come before it begins.
    wait: u64,
    steps: u64,
    sum_of_scales: f64,
    before: Vec<f64>,
}

impl Float {
    pub(crate) fn new(
        engine: &Engine<'_>,
        outputs: usize,
        penalty: Penalty,
        average_after: Option<u64>,
    ) -> Self {
        let places = engine.matrix.places(outputs);
        let weights = places.len();
        Self {
            places,
            stored: vec![0.0; weights],
            scale: 1.0,
            penalty,
            l1: (penalty.l1 > 0.0).then(|| Cumulative { possible: 0.0, had: vec![0.0; weights] }),
            average: average_after.map(|wait| Average {
                wait,
                steps: 0,
                sum_of_scales: 0.0,
                before: vec![0.0; weights],
            }),
            norms: None,
            span: engine.grid.as_ref().filter(|grid| grid.sparse).map(|grid| grid.span.clone()),
            factor: 0.0,
            eta: 0.0,
            factors: vec![0.0; outputs],
        }
    }

    /// The weights of an output, averaged if that was asked for and has begun.
    pub(crate) fn weights(&self, output: usize) -> Vec<f64> {
        let stored = self.places.of(output, &self.stored);
        let stored = stored.iter().map(|&stored| f64::from(stored));
        match &self.average {
            Some(average) if average.steps > 0 => {
                let before = self.places.of(output, &average.before);
                let sums = stored
                    .zip(&*before)
                    .map(|(stored, before)| average.sum_of_scales * stored - before);
                sums.map(|sum| sum / average.steps as f64).collect()
            }
            _ => stored.map(|stored| self.scale * stored).collect(),
        }
    }

    /// Begins with these weights, output by output. Averages and what L1 has charged begin anew.
    pub(crate) fn set_weights(&mut self, weights: &[f64]) {
        self.scale = 1.0;
        if let Some(l1) = &mut self.l1 {
            l1.possible = 0.0;
            l1.had.fill(0.0);
        }
        if let Some(average) = &mut self.average {
            (average.steps, average.sum_of_scales) = (0, 0.0);
            average.before.fill(0.0);
        }
        for (output, weights) in weights.chunks_exact(self.places.features).enumerate() {
            let stored = self.places.of_mut(output, &mut self.stored);
            stored.zip(weights).for_each(|(stored, &weight)| *stored = weight as f32);
        }
    }

    /// Counts steps that were taken before: an average begins the sooner.
    pub(crate) fn skip(&mut self, steps: u64) {
        if let Some(average) = &mut self.average {
            average.wait = average.wait.saturating_sub(steps);
        }
    }

    /// A whole step at once, by the sum of a mini-batch's gradients (R-GLM-18).
    pub(crate) fn apply(&mut self, gradient: &[f32], step: Step) {
        self.begin(step);
        for (place, slope) in gradient.iter().enumerate() {
            self.set(place, self.stored[place] + self.factor * slope);
        }
        self.charge_all();
        self.renew_norms();
        self.count_step();
    }

    /// The factor with which the weights of a feature are held.
    fn held(&self, feature: usize) -> f64 {
        self.span.as_ref().map_or(1.0, |span| f64::from(span[feature]))
    }

    /// Looks at all weights anew.
    fn renew_norms(&mut self) {
        let Some(mut norms) = self.norms else { return };
        norms.clear();
        match self.span {
            None => norms.add_all(&self.stored),
            Some(_) => {
                (0..self.places.features).for_each(|feature| self.note(&mut norms, feature, 1.0))
            }
        }
        self.norms = Some(norms);
    }

    /// Takes the weights of a row's features into the norms, or out of them.
    fn note_row(&mut self, matrix: &Matrix<'_>, row: u32, times: f64) {
        let Some(mut norms) = self.norms.filter(|_| self.places.sparse) else { return };
        matrix.for_each_feature(row as usize, |feature| self.note(&mut norms, feature, times));
        self.norms = Some(norms);
    }

    fn note(&self, norms: &mut Norms, feature: usize, times: f64) {
        for output in 0..self.places.outputs {
            let place = self.places.place(output, feature);
            norms.add(f64::from(self.stored[place]) / self.held(feature), times);
        }
    }

    /// Sets a stored weight. The average is told what has changed after rounding, since both of its
    /// terms are much larger than it.
    fn set(&mut self, place: usize, stored: f32) {
        let change = f64::from(stored) - f64::from(self.stored[place]);
        self.stored[place] = stored;
        if let Some(average) = &mut self.average {
            average.before[place] += average.sum_of_scales * change;
        }
    }

    fn charge_all(&mut self) {
        if let Some(l1) = &mut self.l1 {
            l1.possible += self.eta * self.penalty.l1;
            for feature in 0..self.places.features {
                self.charge(feature);
            }
        }
    }

    /// Charges a feature's weights the L1 penalty that is due (R-GLM-9). Doing it twice is the same
    /// as doing it once.
    fn charge(&mut self, feature: usize) {
        for output in 0..self.places.outputs {
            let (place, held) = (self.places.place(output, feature), self.held(feature));
            let Some(l1) = &mut self.l1 else { return };
            let weight = self.scale * f64::from(self.stored[place]);
            let charged = if weight > 0.0 {
                (weight - held * (l1.possible + l1.had[place])).max(0.0)
            } else if weight < 0.0 {
                (weight + held * (l1.possible - l1.had[place])).min(0.0)
            } else {
                continue;
            };
            let stored = (charged / self.scale) as f32;
            // After rounding: what is too little for the weight's last place is charged when it has
            // added up.
            l1.had[place] += (self.scale * f64::from(stored) - weight) / held;
            self.set(place, stored);
        }
    }

    /// Makes the scale 1. The sum of the weights so far goes into the average's other term
    /// altogether: carried over, it would be the small difference of ever larger numbers.
    fn absorb_scale(&mut self) {
        if let Some(average) = &mut self.average {
            for (before, &stored) in average.before.iter_mut().zip(&self.stored) {
                *before -= average.sum_of_scales * f64::from(stored);
            }
            average.sum_of_scales = 0.0;
        }
        let scale = self.scale as f32;
        self.stored.iter_mut().for_each(|stored| *stored *= scale);
        self.scale = 1.0;
        self.renew_norms();
    }

    fn count_step(&mut self) {
        if let Some(average) = &mut self.average {
            if average.wait > 0 {
                average.wait -= 1;
            } else {
                average.steps += 1;
                average.sum_of_scales += self.scale;
            }
        }
    }
}

impl Slice for Float {
    type Partial = f32;
    type Lane = f32;

    #[inline]
    fn forward(&self, matrix: &Matrix<'_>, row: u32, partial: &mut [f32]) {
        matrix.dot(row as usize, &self.stored, partial);
        let scale = self.scale as f32;
        partial.iter_mut().for_each(|partial| *partial *= scale);
    }

    fn unit(&self) -> f64 {
        1.0
    }

    fn lane(sum: f32, _workers: usize) -> Result<f32, Error> {
        Ok(sum)
    }

    fn coefficient(derivative: f64) -> f32 {
        derivative as f32
    }

    fn begin(&mut self, step: Step) {
        if let Some(norms) = &mut self.norms {
            norms.count(step, self.scale, self.penalty);
        }
        self.scale *= (1.0 - step.eta * self.penalty.l2).max(0.0);
        if self.scale < LEAST_SCALE {
            self.absorb_scale();
        }
        self.eta = step.eta;
        self.factor = (-step.eta / step.samples as f64 / self.scale) as f32;
    }

    #[inline]
    fn backward(&mut self, matrix: &Matrix<'_>, row: u32, coefficients: &[f32]) {
        let factor = self.factor;
        self.factors
            .iter_mut()
            .zip(coefficients)
            .for_each(|(of_row, coefficient)| *of_row = factor * coefficient);
        if self.factors.iter().all(|&factor| factor == 0.0) {
            return;
        }
        self.note_row(matrix, row, -1.0);
        match &mut self.average {
            Some(Average { sum_of_scales, before, .. }) if *sum_of_scales != 0.0 => {
                let told = |place: usize, change: f64| before[place] += *sum_of_scales * change;
                matrix.axpy_told(row as usize, &self.factors, &mut self.stored, told);
            }
            _ => matrix.axpy(row as usize, &self.factors, &mut self.stored),
        }
        self.note_row(matrix, row, 1.0);
    }

    fn end(&mut self, matrix: &Matrix<'_>, rows: &[u32]) -> Result<(), Error> {
        if let Some(l1) = &mut self.l1 {
            if self.places.sparse {
                l1.possible += self.eta * self.penalty.l1;
                for &row in rows {
                    self.note_row(matrix, row, -1.0);
                    matrix.for_each_feature(row as usize, |feature| self.charge(feature));
                    self.note_row(matrix, row, 1.0);
                }
            } else {
                self.charge_all();
            }
        }
        if !self.places.sparse {
            self.renew_norms();
        }
        self.count_step();
        Ok(())
    }

    fn settle(&mut self) {
        if self.l1.is_some() {
            (0..self.places.features).for_each(|feature| self.charge(feature));
        }
    }

    fn watch(&mut self, on: bool) {
        self.norms = (on && self.penalty != Penalty::NONE).then(Norms::default);
        self.renew_norms();
    }

    fn watched(&self) -> f64 {
        self.norms.map_or(0.0, |norms| norms.sum)
    }

    fn is_finite(&self) -> bool {
        // Without an early end, so that many are looked at together.
        self.stored.iter().fold(true, |all, weight| all & weight.is_finite())
    }
}
