//! Losses and their derivatives by the activation (R-GLM-4, R-GLM-5).

use serde::{Deserialize, Serialize};

/// Derivatives are kept within this, so that one outlier does not end a run; scikit-learn's bound.
const MOST_DERIVATIVE: f64 = 1e12;

/// What a wrong activation costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// (a - y)^2 / 2: regression, or least squares for classes.
    Squared,
    /// log(1 + exp(-a y)), y = -1 or 1.
    Logistic,
    /// max(0, 1 - a y).
    Hinge,
    /// max(0, 1 - a y)^2.
    SquaredHinge,
    /// log sum exp a - a_y over one activation for each class.
    Multinomial,
}

impl Loss {
    /// Every loss.
    pub const ALL: [Self; 5] = [Self::Squared, Self::Logistic, Self::Hinge, Self::SquaredHinge, Self::Multinomial];

    /// The loss of one activation, and its derivative. For [`Loss::Multinomial`], which has several, see [`Loss::multinomial`].
    ///
    /// # Panics
    /// For [`Loss::Multinomial`].
    pub fn of(self, activation: f64, target: f64) -> (f64, f64) {
        let margin = activation * target;
        let (loss, derivative) = match self {
            Self::Squared => {
                let error = activation - target;
                (0.5 * error * error, error)
            }
            Self::Logistic => {
                // exp(-|m|) is at most 1, so neither form overflows or loses the small tail. Unlike `exp`, `exp2` has no branches that go by the margin.
                let tail = libm::exp2(-margin.abs() * std::f64::consts::LOG2_E);
                let loss = libm::log1p(tail) + (-margin).max(0.0);
                let against = if margin >= 0.0 { tail / (1.0 + tail) } else { 1.0 / (1.0 + tail) };
                (loss, -target * against)
            }
            Self::Hinge => ((1.0 - margin).max(0.0), if margin < 1.0 { -target } else { 0.0 }),
            Self::SquaredHinge => {
                let short = (1.0 - margin).max(0.0);
                (short * short, -2.0 * target * short)
            }
            Self::Multinomial => panic!("the multinomial loss has an activation for each class"),
        };
        (loss, derivative.clamp(-MOST_DERIVATIVE, MOST_DERIVATIVE))
    }

    /// The multinomial loss of a sample's activations; each becomes the derivative by it.
    ///
    /// # Panics
    /// If `class` is beyond the activations.
    pub fn multinomial(activations: &mut [f64], class: usize) -> f64 {
        let own = activations[class];
        let largest = softmax(activations);
        let loss = largest.log_sum - own;
        activations[class] -= 1.0;
        loss
    }
}

/// What is left over when activations have become probabilities.
pub(crate) struct Softmax {
    /// log sum exp of the activations.
    pub(crate) log_sum: f64,
}

/// Turns activations into probabilities.
pub(crate) fn softmax(activations: &mut [f64]) -> Softmax {
    let largest = activations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for activation in activations.iter_mut() {
        *activation = libm::exp(*activation - largest);
        sum += *activation;
    }
    activations.iter_mut().for_each(|activation| *activation /= sum);
    Softmax { log_sum: largest + libm::log(sum) }
}

/// The probability of the positive class under the logistic loss.
pub(crate) fn logistic(activation: f64) -> f64 {
    let tail = libm::exp(-activation.abs());
    if activation >= 0.0 { 1.0 / (1.0 + tail) } else { tail / (1.0 + tail) }
}
