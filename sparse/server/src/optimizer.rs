//! Optimizers (R-SERVE-3): the options, and how they change a row that has a gradient.

use netfold_num::{ElementType, Number};
use serde::{Deserialize, Serialize};

/// An optimizer and its options. As JSON it is an object with a `name` and the options that differ
/// from their defaults, named as in `torch.optim`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Optimizer {
    /// `torch.optim.SGD`.
    Sgd(Sgd),
    /// `torch.optim.Adagrad`.
    Adagrad(Adagrad),
    /// Adagrad with one sum for a row.
    RowwiseAdagrad(RowwiseAdagrad),
    /// `torch.optim.SparseAdam`.
    Adam(Adam),
    /// FTRL-Proximal.
    Ftrl(Ftrl),
    /// The sum of what is pushed, added to the row: for counts, and the only one for integers.
    Sum,
}

/// Options of `torch.optim.SGD`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sgd {
    /// The learning rate.
    pub lr: f64,
    /// The share of the velocity that is kept.
    pub momentum: f64,
    /// The share of the gradient that does not enter the velocity.
    pub dampening: f64,
    /// Nesterov's momentum.
    pub nesterov: bool,
    /// The factor of the L2 penalty, for rows that have a gradient.
    pub weight_decay: f64,
}

/// Options of `torch.optim.Adagrad`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Adagrad {
    /// The learning rate.
    pub lr: f64,
    /// The decay of the learning rate.
    pub lr_decay: f64,
    /// The sum of squares that a row begins with.
    pub initial_accumulator_value: f64,
    /// The number that keeps the divisor from 0.
    pub eps: f64,
}

/// Options of row-wise Adagrad: one sum for a row, of the mean of the gradient's squares (Mudigere
/// et al., "Software-Hardware Co-design for Fast and Scalable Training of Deep Learning
/// Recommendation Models", ISCA 2022, section 4.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RowwiseAdagrad {
    /// The learning rate.
    pub lr: f64,
    /// The sum that a row begins with.
    pub initial_accumulator_value: f64,
    /// The number that keeps the divisor from 0.
    pub eps: f64,
}

/// Options of `torch.optim.SparseAdam`: rows without a gradient keep their weights and both of
/// their moments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Adam {
    /// The learning rate.
    pub lr: f64,
    /// The decay of both moments.
    pub betas: (f64, f64),
    /// The number that keeps the divisor from 0.
    pub eps: f64,
}

/// Options of FTRL-Proximal (McMahan et al., "Ad Click Prediction: a View from the Trenches", KDD
/// 2013, algorithm 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ftrl {
    /// The paper's alpha.
    pub lr: f64,
    /// The paper's beta.
    pub beta: f64,
    /// The paper's lambda_1.
    pub l1: f64,
    /// The paper's lambda_2.
    pub l2: f64,
}

impl Default for Sgd {
    fn default() -> Self {
        Self { lr: 1e-3, momentum: 0.0, dampening: 0.0, nesterov: false, weight_decay: 0.0 }
    }
}

impl Default for Adagrad {
    fn default() -> Self {
        Self { lr: 1e-2, lr_decay: 0.0, initial_accumulator_value: 0.0, eps: 1e-10 }
    }
}

impl Default for RowwiseAdagrad {
    fn default() -> Self {
        Self { lr: 1e-2, initial_accumulator_value: 0.0, eps: 1e-10 }
    }
}

impl Default for Adam {
    fn default() -> Self {
        Self { lr: 1e-3, betas: (0.9, 0.999), eps: 1e-8 }
    }
}

impl Default for Ftrl {
    fn default() -> Self {
        Self { lr: 0.1, beta: 1.0, l1: 0.0, l2: 0.0 }
    }
}

mod kernels;

pub(crate) use kernels::{Kernel, Optimized, Rule, WithKernel};

impl Optimizer {
    /// Returns what is wrong with the options.
    pub fn check(&self) -> Result<(), String> {
        let least = |name: &str, value: f64, least: f64| match value >= least && value.is_finite() {
            true => Ok(()),
            false => Err(format!("{}: {name} is {value}; give a number from {least}", self.name())),
        };
        let share = |name: &str, value: f64| match (0.0..1.0).contains(&value) {
            true => Ok(()),
            false => Err(format!("{}: {name} is {value}; give one from 0 to below 1", self.name())),
        };
        match self {
            Self::Sgd(options) => {
                // A learning rate below 0 ascends; torch refuses it for want of a use.
                if !options.lr.is_finite() {
                    return Err(format!("sgd: lr is {}; give a finite number", options.lr));
                }
                least("momentum", options.momentum, 0.0)?;
                least("weight_decay", options.weight_decay, 0.0)?;
                if !options.dampening.is_finite() {
                    return Err(format!("sgd: dampening is {}", options.dampening));
                }
                if options.nesterov && (options.momentum == 0.0 || options.dampening != 0.0) {
                    return Err("sgd: nesterov needs a momentum and no dampening".into());
                }
                Ok(())
            }
            Self::Adagrad(options) => {
                least("lr", options.lr, 0.0)?;
                least("lr_decay", options.lr_decay, 0.0)?;
                least("initial_accumulator_value", options.initial_accumulator_value, 0.0)?;
                least("eps", options.eps, 0.0)
            }
            Self::RowwiseAdagrad(options) => {
                least("lr", options.lr, 0.0)?;
                least("initial_accumulator_value", options.initial_accumulator_value, 0.0)?;
                least("eps", options.eps, 0.0)
            }
            Self::Adam(options) => {
                least("lr", options.lr, 0.0)?;
                least("eps", options.eps, 0.0)?;
                share("betas[0]", options.betas.0)?;
                share("betas[1]", options.betas.1)
            }
            Self::Ftrl(options) => {
                if options.lr.is_nan() || options.lr <= 0.0 {
                    return Err(format!("ftrl: lr is {}; give a number above 0", options.lr));
                }
                least("lr", options.lr, 0.0)?;
                least("beta", options.beta, 0.0)?;
                least("l1", options.l1, 0.0)?;
                least("l2", options.l2, 0.0)
            }
            Self::Sum => Ok(()),
        }
    }

    /// Returns why rows of a type cannot be changed so, if they cannot.
    pub fn check_type(&self, element_type: ElementType) -> Result<(), String> {
        if element_type.is_float() || *self == Self::Sum {
            return Ok(());
        }
        let name = self.name();
        Err(format!("{name} does not change rows of {element_type}; take sum, or rows of floats"))
    }

    /// Returns the learning rate, which [`Sum`](Self::Sum) does not have; FTRL's is the paper's
    /// alpha.
    pub const fn lr(&self) -> Option<f64> {
        match self {
            Self::Sgd(options) => Some(options.lr),
            Self::Adagrad(options) => Some(options.lr),
            Self::RowwiseAdagrad(options) => Some(options.lr),
            Self::Adam(options) => Some(options.lr),
            Self::Ftrl(options) => Some(options.lr),
            Self::Sum => None,
        }
    }

    /// Returns the same with another learning rate.
    ///
    /// # Errors
    /// Says why it cannot have that.
    pub fn with_lr(&self, rate: f64) -> Result<Self, String> {
        let mut changed = self.clone();
        *match &mut changed {
            Self::Sgd(options) => &mut options.lr,
            Self::Adagrad(options) => &mut options.lr,
            Self::RowwiseAdagrad(options) => &mut options.lr,
            Self::Adam(options) => &mut options.lr,
            Self::Ftrl(options) => &mut options.lr,
            Self::Sum => return Err("sum has no learning rate; multiply what is pushed".into()),
        } = rate;
        changed.check()?;
        Ok(changed)
    }

    /// Returns the name, as in the options.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sgd(_) => "sgd",
            Self::Adagrad(_) => "adagrad",
            Self::RowwiseAdagrad(_) => "rowwise_adagrad",
            Self::Adam(_) => "adam",
            Self::Ftrl(_) => "ftrl",
            Self::Sum => "sum",
        }
    }

    /// Returns why the rows of a resident table cannot be changed so, if they cannot: the switch
    /// only adds, so a row must be linear in what is pushed (R-KEY-12).
    pub fn check_resident(&self) -> Result<(), String> {
        match self {
            Self::Sum => Ok(()),
            Self::Sgd(options) if options.momentum == 0.0 && options.weight_decay == 0.0 => Ok(()),
            Self::Sgd(options) => Err(format!(
                "the switch only adds to resident rows (R-KEY-12), which sgd with momentum {} and \
                 weight_decay {} does not; take both as 0, or mode \"drained\"",
                options.momentum, options.weight_decay
            )),
            other => Err(format!(
                "the switch only adds to resident rows (R-KEY-12), which {} does not; take sgd or \
                 sum, or mode \"drained\"",
                other.name()
            )),
        }
    }

    /// Returns the lanes of a row of `width` numbers: the numbers, then their state.
    pub(crate) const fn lanes(&self, width: usize) -> usize {
        width
            + match self {
                Self::Sum => 0,
                Self::Sgd(options) if options.momentum == 0.0 => 0,
                Self::Sgd(_) | Self::Adagrad(_) => width + 1,
                Self::RowwiseAdagrad(_) => 1,
                Self::Adam(_) => 2 * width + 1,
                Self::Ftrl(_) => 2 * width,
            }
    }

    /// Makes the state of a row that has had no gradient.
    pub(crate) fn begin<E: Number>(&self, state: &mut [E]) {
        state.fill(E::default());
        match self {
            Self::Adagrad(options) => {
                let (_count, sums) = state.split_last_mut().expect("a count");
                sums.fill(E::from_f64(options.initial_accumulator_value));
            }
            Self::RowwiseAdagrad(options) => {
                state.fill(E::from_f64(options.initial_accumulator_value));
            }
            Self::Sgd(_) | Self::Adam(_) | Self::Ftrl(_) | Self::Sum => {}
        }
    }
}

#[cfg(test)]
mod tests;
