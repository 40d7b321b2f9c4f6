//! Score of a model on samples that come chunk by chunk.

use netfold_glm::{Decision, Model};

use super::block::Coded;

/// Counts so far.
#[derive(Debug, Default)]
pub(crate) struct Score {
    samples: f64,
    /// Samples whose class was found.
    right: f64,
    /// Errors for numbers: the sum of squared errors, the mean of the targets, and the sum of
    /// squared deviations from it.
    errors: f64,
    mean: f64,
    deviations: f64,
}

impl Score {
    /// Takes in samples.
    pub(crate) fn count(&mut self, model: &Model, decision: &Decision, labels: &Coded) {
        match labels {
            Coded::Classes(labels, _) => {
                let found = model.labels(decision);
                self.samples += labels.len() as f64;
                self.right +=
                    found.iter().zip(labels).filter(|(found, right)| found == right).count() as f64;
            }
            Coded::Values(values) => {
                for (found, &value) in model.values(decision).iter().zip(values) {
                    let value = f64::from(value);
                    self.errors += (found - value).powi(2);
                    // Welford, "Note on a method for calculating corrected sums of squares and
                    // products", Technometrics 1962.
                    self.samples += 1.0;
                    let away = value - self.mean;
                    self.mean += away / self.samples;
                    self.deviations += away * (value - self.mean);
                }
            }
        }
    }

    /// Returns the share of right classes; for numbers, the coefficient of determination: 1 minus
    /// the squared errors over the squared deviations. The error says why there is no score.
    pub(crate) fn value(&self, classes: bool) -> Result<f64, &'static str> {
        match classes {
            _ if self.samples == 0.0 => Err("it has no samples; give a file that has some"),
            true => Ok(self.right / self.samples),
            false if self.deviations == 0.0 => Err(
                "all targets are the same, and say nothing of how well others are found; give a file with several",
            ),
            false => Ok(1.0 - self.errors / self.deviations),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netfold_glm::Loss;

    #[test]
    fn numbers_in_parts_are_judged_as_a_whole() {
        let model = Model {
            features: 1,
            coefficients: vec![1.0],
            intercepts: vec![0.0],
            loss: Loss::Squared,
            classes: None,
            scaling: None,
        };
        let (found, right) = ([1.0, 2.0, 4.0, 4.5, 0.5], [1.5f32, 2.0, 3.0, 5.0, 0.0]);
        let mean = right.iter().map(|&x| f64::from(x)).sum::<f64>() / 5.0;
        let errors: f64 = found.iter().zip(right).map(|(a, b)| (a - f64::from(b)).powi(2)).sum();
        let deviations: f64 = right.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum();
        let mut score = Score::default();
        for part in [0..2, 2..5] {
            let decision = Decision { values: found[part.clone()].to_vec(), outputs: 1 };
            score.count(&model, &decision, &Coded::Values(right[part].to_vec()));
        }
        assert!((score.value(false).unwrap() - (1.0 - errors / deviations)).abs() < 1e-12);
    }
}
