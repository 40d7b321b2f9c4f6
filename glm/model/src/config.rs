//! The settings of a run.

use crate::error::Error;
use crate::loss::Loss;
use crate::rate::Rate;

/// Most fraction bits of exact weights: they have 31 bits beside the sign.
const MOST_FRACTION_BITS: u8 = 30;

/// A run. All workers need the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Cost of a wrong activation.
    pub loss: Loss,
    /// Cost of large weights.
    pub penalty: Penalty,
    /// Length of the steps.
    pub rate: Rate,
    /// Samples of a mini-batch, over all workers: a step is taken after each.
    pub batch: usize,
    /// Samples of a micro-batch: their activations are exchanged together.
    pub micro_batch: usize,
    /// True if activations have an intercept.
    pub intercept: bool,
    /// A factor on the intercept's step; scikit-learn has 0.01 for sparse samples.
    pub intercept_step: f64,
    /// Average the weights after these many steps, as ASGD does; `None` takes the last ones.
    pub average_after: Option<u64>,
    /// True if samples are put into a new order for each epoch.
    pub shuffle: bool,
    /// Seed of everything that is random.
    pub seed: u64,
    /// Conditions on which the run stops.
    pub stopping: Stopping,
    /// Numbers that the model is made of while it is trained.
    pub arithmetic: Arithmetic,
    /// The part of the work that is split over workers.
    pub spread: Spread,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            loss: Loss::Logistic,
            penalty: Penalty::l2(1e-4),
            rate: Rate::Optimal { alpha: 1e-4 },
            batch: 1,
            micro_batch: 8,
            intercept: true,
            intercept_step: 1.0,
            average_after: None,
            shuffle: true,
            seed: 0,
            stopping: Stopping::default(),
            arithmetic: Arithmetic::Float,
            spread: Spread::Model,
        }
    }
}

/// l1 * sum |w| + l2 / 2 * sum w^2, added to the mean loss. The intercept is free (R-GLM-6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// Weight of the absolute values.
    pub l1: f64,
    /// Weight of half the squares.
    pub l2: f64,
}

impl Penalty {
    /// No penalty.
    pub const NONE: Self = Self { l1: 0.0, l2: 0.0 };

    /// Penalises the squares alone.
    pub const fn l2(alpha: f64) -> Self {
        Self { l1: 0.0, l2: alpha }
    }

    /// Penalises the absolute values alone: many weights become 0.
    pub const fn l1(alpha: f64) -> Self {
        Self { l1: alpha, l2: 0.0 }
    }

    /// Penalises both: `ratio` of alpha goes to the absolute values, as in scikit-learn.
    pub const fn elastic_net(alpha: f64, ratio: f64) -> Self {
        Self { l1: alpha * ratio, l2: alpha * (1.0 - ratio) }
    }
}

/// Conditions on which [`crate::Trainer::fit`] stops (R-GLM-27).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stopping {
    /// Number of epochs at most.
    pub epochs: usize,
    /// Least progress: the run stops when for `patience` epochs the objective has not fallen by
    /// this much below the best one, or the score of the samples that are held back has not risen
    /// by it. `None` never stops it.
    pub tolerance: Option<f64>,
    /// Epochs without progress.
    pub patience: usize,
    /// The share of the samples, 0 to below 1, that is held back: its score is what counts, if
    /// there is one. The targets may say which these are, and so how many
    /// ([`Targets::holding_back`](crate::Targets::holding_back)).
    pub validation: f64,
}

impl Default for Stopping {
    fn default() -> Self {
        Self { epochs: 1000, tolerance: Some(1e-3), patience: 5, validation: 0.0 }
    }
}

/// Numbers that the model is made of while it is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `f32`: equal to rounding, however the features are split.
    Float,
    /// Integers on a grid of 2^-fraction_bits: equal to the bit, however the features are split
    /// (R-GLM-25). Needs features of few bits, and has neither L1 nor averages.
    Fixed {
        /// 1 to 30.
        fraction_bits: u8,
    },
}

/// The part of the work that is split over workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Features and model: activations are exchanged (R-GLM-13).
    Model,
    /// Samples: gradients are exchanged, as long as the model (R-GLM-18).
    Data,
}

impl Config {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let strength = |what, value: f64| {
            if value >= 0.0 && value.is_finite() {
                Ok(())
            } else {
                Err(Error::setting(what, value, "0 or more"))
            }
        };
        strength("l1", self.penalty.l1)?;
        strength("l2", self.penalty.l2)?;
        strength("intercept_step", self.intercept_step)?;
        for (what, number) in [
            ("batch", self.batch),
            ("micro_batch", self.micro_batch),
            ("patience", self.stopping.patience),
        ] {
            if number == 0 {
                return Err(Error::setting(what, number, "1 or more"));
            }
        }
        if !(0.0..1.0).contains(&self.stopping.validation) {
            return Err(Error::setting(
                "validation",
                self.stopping.validation,
                "a share from 0 to below 1",
            ));
        }
        if self.stopping.tolerance.is_some_and(f64::is_nan) {
            return Err(Error::setting("tolerance", f64::NAN, "a number"));
        }
        if let Arithmetic::Fixed { fraction_bits } = self.arithmetic {
            if !(1..=MOST_FRACTION_BITS).contains(&fraction_bits) {
                return Err(Error::setting(
                    "fraction_bits",
                    fraction_bits,
                    format!("1 to {MOST_FRACTION_BITS}"),
                ));
            }
            if self.penalty.l1 != 0.0 || self.average_after.is_some() {
                return Err(Error::Together(
                    "fixed-point weights have no L1 penalty and no averages; use floats",
                ));
            }
            if self.spread == Spread::Data {
                return Err(Error::Together(
                    "gradients are exchanged as floats; split the model for fixed-point",
                ));
            }
        }
        Ok(())
    }
}
