//! Losses and their derivatives by the activation (R-GLM-4, R-GLM-5).

use serde::{Deserialize, Serialize};

/// Derivatives are kept within this, so that one outlier does not end a run; scikit-learn's bound.
const MOST_DERIVATIVE: f64 = 1e12;

/// Cost of a wrong activation.
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
    pub const ALL: [Self; 5] =
        [Self::Squared, Self::Logistic, Self::Hinge, Self::SquaredHinge, Self::Multinomial];

    /// The loss of one activation, and its derivative. For [`Loss::Multinomial`], which has
    /// several, see [`Loss::multinomial`].
    ///
    /// # Panics
    /// For [`Loss::Multinomial`].
    pub fn of(self, activation: f64, target: f64) -> (f64, f64) {
        let (cost, derivative) = self.cost(activation, target);
        (cost.value(), derivative)
    }

    /// Returns the same as [`of`](Self::of), with the cost in two parts.
    #[inline]
    pub(crate) fn cost(self, activation: f64, target: f64) -> (Cost, f64) {
        let margin = activation * target;
        let (cost, derivative) = match self {
            Self::Squared => {
                let error = activation - target;
                (Cost::plain(0.5 * error * error), error)
            }
            Self::Logistic => {
                // exp(-|m|) is at most 1, so neither form overflows or loses the small tail. Unlike
                // `exp`, `exp2` has no branches that go by the margin.
                let tail = libm::exp2(-margin.abs() * std::f64::consts::LOG2_E);
                let cost = Cost { plain: (-margin).max(0.0), beyond: tail };
                let against = if margin >= 0.0 { tail / (1.0 + tail) } else { 1.0 / (1.0 + tail) };
                (cost, -target * against)
            }
            Self::Hinge => {
                (Cost::plain(short_of_one(margin)), if margin >= 1.0 { 0.0 } else { -target })
            }
            Self::SquaredHinge => {
                let short = short_of_one(margin);
                (Cost::plain(short * short), -2.0 * target * short)
            }
            Self::Multinomial => panic!("the multinomial loss has an activation for each class"),
        };
        (cost, derivative.clamp(-MOST_DERIVATIVE, MOST_DERIVATIVE))
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

/// Returns the amount by which a margin falls short of 1. NaN stays NaN, unlike with `max`.
fn short_of_one(margin: f64) -> f64 {
    if margin >= 1.0 { 0.0 } else { 1.0 - margin }
}

/// A loss as `plain + log(1 + beyond)`: so losses are added up without a logarithm of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    plain: f64,
    /// 0 to 1.
    beyond: f64,
}

impl Cost {
    pub(crate) fn plain(plain: f64) -> Self {
        Self { plain, beyond: 0.0 }
    }

    fn value(self) -> f64 {
        self.plain + libm::log1p(self.beyond)
    }
}

/// Sums of losses, weighted and not (R-GLM-27).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Losses {
    /// Sum of losses of weight 1.
    sum: f64,
    /// Sum of the others, times their weights.
    weighted: f64,
    /// Sum of the others as they are.
    others: f64,
    /// Product of `1 + beyond` over losses of weight 1. Their logarithms add up to its own.
    product: f64,
}

/// Product beyond which its logarithm goes into the sum. A factor is 2 at most, so this happens
/// after 800 losses at the earliest.
const MOST_PRODUCT: f64 = 1e250;

impl Losses {
    pub(crate) fn none() -> Self {
        Self { sum: 0.0, weighted: 0.0, others: 0.0, product: 1.0 }
    }

    #[inline]
    pub(crate) fn add(&mut self, cost: Cost, weight: f64) {
        if weight != 1.0 {
            self.weighted += weight * cost.value();
            self.others += cost.value();
            return;
        }
        self.sum += cost.plain;
        self.product *= 1.0 + cost.beyond;
        if self.product > MOST_PRODUCT {
            (self.sum, self.product) = (self.sum + libm::log(self.product), 1.0);
        }
    }

    /// The sum of weights times losses.
    pub(crate) fn total(&self) -> f64 {
        self.sum + libm::log(self.product) + self.weighted
    }

    /// The sum of the losses, each as it is.
    pub(crate) fn plain(&self) -> f64 {
        self.sum + libm::log(self.product) + self.others
    }
}

/// Remainder of turning activations into probabilities.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A product of n factors is off by n roundings, and so is a sum.
        #[test]
        fn losses_add_up(
            few in prop::collection::vec((-40f64..40.0, prop_oneof![Just(1.0), 0f64..3.0]), 1..40),
            repeated in 1usize..100,
        ) {
            let (mut losses, mut expected) = (Losses::none(), 0.0);
            for &(margin, weight) in few.iter().cycle().take(repeated * few.len()) {
                losses.add(Loss::Logistic.cost(margin, 1.0).0, weight);
                expected += weight * Loss::Logistic.of(margin, 1.0).0;
            }
            let count = (repeated * few.len()) as f64;
            prop_assert!((losses.total() - expected).abs() <= count * 1e-15 * (1.0 + expected));
        }
    }

    #[test]
    fn what_is_no_number_stays_none() {
        let mut losses = Losses::none();
        losses.add(Loss::Logistic.cost(f64::NAN, 1.0).0, 1.0);
        losses.add(Loss::Logistic.cost(1.0, 1.0).0, 1.0);
        assert!(losses.total().is_nan());
        for loss in [Loss::Squared, Loss::Logistic, Loss::Hinge, Loss::SquaredHinge] {
            assert!(loss.of(f64::NAN, 1.0).0.is_nan(), "{loss:?}");
        }
    }
}
