//! A trained model: its decisions on samples, and its file (R-GLM-29).

mod format;

use crate::data::Scaling;
use crate::error::{Error, expect_len};
use crate::loss::{Loss, logistic, softmax};
use crate::samples::Samples;

/// Coefficients of features as they are, whatever precision the model was trained in.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Features of the coefficients: all, or those of a worker.
    pub features: usize,
    /// `outputs x features`, output by output.
    pub coefficients: Vec<f32>,
    /// One for each output.
    pub intercepts: Vec<f64>,
    /// The loss that it was trained with.
    pub loss: Loss,
    /// Classes, or `None` for numbers.
    pub classes: Option<u32>,
    /// Conversion of features to integers, if they were converted.
    pub scaling: Option<FeatureScaling>,
}

/// The conversion of features to integers: `low + span * x` (R-GLM-19).
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureScaling {
    /// The range of x.
    pub kind: Scaling,
    /// Low and span of each feature.
    pub features: Vec<(f32, f32)>,
}

/// Activations of samples with their intercepts, `samples x outputs`.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Sample by sample.
    pub values: Vec<f64>,
    /// Number of outputs of each sample.
    pub outputs: usize,
}

/// The class that a sample's activations say.
pub(crate) fn label(activations: &[f64]) -> u32 {
    match activations {
        [single] => u32::from(*single > 0.0),
        several => {
            let ahead = |best: usize, class: usize| {
                if several[class] > several[best] { class } else { best }
            };
            (1..several.len()).fold(0, ahead) as u32
        }
    }
}

impl Model {
    /// Activations of a sample.
    pub fn outputs(&self) -> usize {
        self.intercepts.len()
    }

    /// The activations of samples. What a worker has of a model gives partial ones, and each has
    /// the intercept in it.
    pub fn decision(&self, samples: Samples<'_>) -> Result<Decision, Error> {
        expect_len("features of the samples", samples.features(), self.features)?;
        let outputs = self.outputs();
        let mut values = Vec::with_capacity(samples.rows() * outputs);
        for row in 0..samples.rows() {
            let start = values.len();
            values.extend_from_slice(&self.intercepts);
            let activations: &mut [f64] = &mut values[start..];
            samples.for_each(row, |feature, value| {
                for (activation, coefficients) in
                    activations.iter_mut().zip(self.coefficients.chunks_exact(self.features))
                {
                    *activation += f64::from(coefficients[feature]) * f64::from(value);
                }
            });
        }
        Ok(Decision { values, outputs })
    }

    /// The numbers that a regression says: the activations.
    pub fn values(&self, decision: &Decision) -> Vec<f64> {
        decision.values.clone()
    }

    /// The classes that are said: the largest activation, or for a single one its sign.
    pub fn labels(&self, decision: &Decision) -> Vec<u32> {
        decision.values.chunks_exact(decision.outputs).map(label).collect()
    }

    /// Probabilities, `samples x classes`, of the logistic and the multinomial loss. More than two
    /// classes under the logistic one are each against the rest, made to sum to 1.
    pub fn probabilities(&self, decision: &Decision) -> Result<Vec<f64>, Error> {
        let each = |activations: &[f64]| -> Vec<f64> {
            let mut probabilities = activations.to_vec();
            match (self.loss, activations) {
                (Loss::Multinomial, _) => {
                    softmax(&mut probabilities);
                }
                (_, [single]) => return vec![logistic(-single), logistic(*single)],
                _ => {
                    probabilities
                        .iter_mut()
                        .for_each(|probability| *probability = logistic(*probability));
                    let sum: f64 = probabilities.iter().sum();
                    // All may be 0 to rounding: then nothing is known.
                    let count = probabilities.len() as f64;
                    probabilities.iter_mut().for_each(|probability| {
                        *probability = if sum > 0.0 { *probability / sum } else { 1.0 / count };
                    });
                }
            }
            probabilities
        };
        match self.loss {
            Loss::Logistic | Loss::Multinomial => {
                Ok(decision.values.chunks_exact(decision.outputs).flat_map(each).collect())
            }
            _ => Err(Error::Together(
                "only the logistic and the multinomial loss have probabilities",
            )),
        }
    }
}
