//! Optimizers (R-SERVE-3): the options, and how they change a row that has a gradient.

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
