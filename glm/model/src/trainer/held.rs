//! The score of a model for samples that are held back, by which a run ends (R-GLM-27).

use super::Trainer;
use crate::agree;
use crate::config::Spread;
use crate::data::Data;
use crate::error::Error;
use crate::exchange::Exchange;
use crate::loss::Losses;
use crate::model;
use crate::targets::{Target, Targets};
use std::ops::AddAssign;

/// Sums over samples that are held back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// Sum of weight times loss.
    loss: f64,
    weight: f64,
    /// Sum of the samples' weights, without those of their classes.
    counted: f64,
    /// Sum of these weights over the samples whose class is found.
    right: f64,
    /// Sum of these weights times squared errors of numbers.
    errors: f64,
    /// The mean of the numbers that should be said, weighted.
    mean: f64,
    /// Sum of these weights times squared distances from the mean.
    spread: f64,
    /// Bytes that this worker has submitted.
    pub(super) bytes: u64,
}

impl Held {
    const NUMBERS: usize = 7;

    fn add(&mut self, weight: f64, target: Target, activations: &[f64]) {
        let own = match target {
            Target::Class(class) => {
                let right = if model::label(activations) == class { weight } else { 0.0 };
                Self { right, ..Self::default() }
            }
            Target::Value(mean) => {
                let error = mean - activations[0];
                Self { errors: weight * error * error, mean, ..Self::default() }
            }
        };
        *self += Self { counted: weight, ..own };
    }

    /// The weighted mean of the losses.
    pub(super) fn loss(&self) -> f64 {
        self.loss / self.weight
    }

    /// The share of classes that are right, or the coefficient of determination. That of numbers
    /// which are all the same is 1 where they are met, or else 0, as in scikit-learn.
    pub(super) fn score(&self, of_classes: bool) -> f64 {
        match self.spread {
            _ if of_classes => self.right / self.counted,
            0.0 => f64::from(u8::from(self.errors == 0.0)),
            spread => 1.0 - self.errors / spread,
        }
    }

    fn numbers(&self) -> [f64; Self::NUMBERS] {
        [self.loss, self.weight, self.counted, self.right, self.errors, self.mean, self.spread]
    }
}

impl AddAssign for Held {
    fn add_assign(&mut self, other: Self) {
        // Means and spreads of two parts: Chan, Golub and LeVeque, "Updating formulae and a
        // pairwise algorithm for computing sample variances", 1979. Sums of squares would lose a
        // spread far from 0.
        let (before, counted) = (self.counted, self.counted + other.counted);
        if other.counted > 0.0 {
            let apart = other.mean - self.mean;
            self.mean += apart * (other.counted / counted);
            self.spread += other.spread + apart * apart * (before * other.counted / counted);
        }
        self.counted = counted;
        self.loss += other.loss;
        self.weight += other.weight;
        self.right += other.right;
        self.errors += other.errors;
        self.bytes += other.bytes;
    }
}

impl<X: Exchange> Trainer<X> {
    /// Judges the last weights by rows that the model is not trained on.
    pub(super) fn judge(
        &mut self,
        data: &Data<'_>,
        targets: &Targets<'_>,
        rows: &[u32],
    ) -> Result<Held, Error> {
        let (mut activations, bytes) = self.activations(data.parts(), rows)?;
        let (mut held, mut losses) = (Held { bytes, ..Held::default() }, Losses::none());
        let outputs = self.head.intercepts.len();
        for (&row, activations) in rows.iter().zip(activations.chunks_exact_mut(outputs)) {
            held.add(
                targets.sample_weight(row as usize),
                targets.target(row as usize),
                activations,
            );
            held.weight += targets.derive(self.config.loss, row, activations, &mut losses);
        }
        held.loss = losses.total();
        Ok(held)
    }

    /// Adds up the sums of all workers, where each holds samples of its own back. Every worker does
    /// so in the order of the workers, and so all judge alike.
    pub(super) fn held_by_all(&mut self, held: Held) -> Result<Held, Error> {
        let workers = self.exchange.workers();
        if self.config.spread == Spread::Model || workers == 1 {
            return Ok(held);
        }
        // Each worker's own place has its numbers' bits, and the others 0.
        let mut bits = vec![0; workers * Held::NUMBERS];
        let own = self.exchange.rank() * Held::NUMBERS;
        for (place, number) in bits[own..].iter_mut().zip(held.numbers()) {
            *place = number.to_bits() as i64;
        }
        let bits = agree::sum(&mut self.exchange, &bits)?;
        let mut all = Held { bytes: held.bytes, ..Held::default() };
        for bits in bits.chunks_exact(Held::NUMBERS) {
            let number = |index: usize| f64::from_bits(bits[index] as u64);
            let [loss, weight, counted, right, errors, mean, spread] = std::array::from_fn(number);
            all += Held { loss, weight, counted, right, errors, mean, spread, bytes: 0 };
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Sums over numbers that were said, each with its weight.
    fn held(samples: &[(f64, f64, f64)]) -> Held {
        let mut held = Held::default();
        samples
            .iter()
            .for_each(|&(weight, value, said)| held.add(weight, Target::Value(value), &[said]));
        held
    }

    proptest! {
        /// Compares it with its definition, in two passes; also far from 0, and with the samples in
        /// any parts.
        #[test]
        fn a_coefficient_of_determination(
            samples in prop::collection::vec((0f64..3.0, -5f64..5.0, -5f64..5.0), 2..50),
            far in prop_oneof![Just(0.0), Just(1e6)],
            part in 0usize..50,
        ) {
            let samples: Vec<_> = samples.iter().map(|&(weight, value, said)| (weight, value + far, said + far)).collect();
            let total: f64 = samples.iter().map(|(weight, ..)| weight).sum();
            let mean = samples.iter().map(|(weight, value, _)| weight * value).sum::<f64>() / total;
            let spread: f64 = samples.iter().map(|(weight, value, _)| weight * (value - mean).powi(2)).sum();
            let errors: f64 = samples.iter().map(|(weight, value, said)| weight * (value - said).powi(2)).sum();
            prop_assume!(spread > 1e-3);
            let expected = 1.0 - errors / spread;
            let (one, other) = samples.split_at(part.min(samples.len()));
            let mut parts = held(one);
            parts += held(other);
            // Distances from a mean near 1e6 are off by some of its roundings, 2^-53 1e6 = 1e-10
            // each; spreads above 1e-3 of 50 of them, up to 10 in size, by less than 50 * 10 *
            // 50e-10 / 1e-3.
            let tolerance = (1.0 + expected.abs()) * 1e-6;
            prop_assert!((parts.score(false) - expected).abs() <= tolerance);
            prop_assert!((held(&samples).score(false) - expected).abs() <= tolerance);
        }
    }

    #[test]
    fn numbers_that_are_all_the_same_have_no_spread() {
        assert_eq!(held(&[(1.0, 3.0, 3.0), (2.0, 3.0, 3.0)]).score(false), 1.0);
        assert_eq!(held(&[(1.0, 3.0, 3.0), (2.0, 3.0, 2.0)]).score(false), 0.0);
    }

    #[test]
    fn a_share_of_classes_counts_weights() {
        let mut held = Held::default();
        held.add(3.0, Target::Class(1), &[0.5]);
        held.add(1.0, Target::Class(1), &[-0.5]);
        held.add(0.5, Target::Class(0), &[0.0]);
        assert_eq!(held.score(true), 3.5 / 4.5);
        held.add(1.5, Target::Class(2), &[0.5, 1.0, 2.0]);
        assert_eq!(held.score(true), 5.0 / 6.0);
    }
}
