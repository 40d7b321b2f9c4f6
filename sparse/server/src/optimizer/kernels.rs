//! The formulas. Numbers that are the same for a whole batch are worked out in 64 bits, and the
//! lanes in 32, as `torch.optim` does.

use super::{Adagrad, Adam, Ftrl, Optimizer, RowwiseAdagrad, Sgd};

/// A change of one row.
pub(crate) trait Kernel {
    /// Changes `row`, which is weights and then state, by a gradient as long as the weights.
    fn update(&self, row: &mut [f32], gradient: &[f32]);
}

/// Change of the rows of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule<'a> {
    /// Adds what was pushed: it was multiplied by the learning rate before (R-KEY-12).
    Add,
    /// Applies the optimizer. Where the table's steps are known (R-SERVE-5), their number is given,
    /// from 1; otherwise each row counts its own gradients.
    Optimize(&'a Optimizer, Option<u32>),
    /// Puts the row in place of the weights, and makes the state anew.
    Set(&'a Optimizer),
}

/// Takes the kernel of a rule, each with its own type, so that each has loops of its own.
pub(crate) trait WithKernel {
    /// The outcome.
    type Output;

    /// Goes on with a kernel.
    fn with(self, kernel: impl Kernel) -> Self::Output;
}

impl Rule<'_> {
    /// Hands the kernel to `taker`.
    pub fn dispatch<T: WithKernel>(self, taker: T) -> T::Output {
        match self {
            Self::Add => taker.with(Scaled(1.0)),
            Self::Set(optimizer) => taker.with(Replacing(optimizer)),
            Self::Optimize(optimizer, step) => match optimizer {
                Optimizer::Sgd(o) if o.momentum == 0.0 && o.weight_decay == 0.0 => {
                    taker.with(Scaled(-o.lr as f32))
                }
                Optimizer::Sgd(options) => taker.with(Momentum(options)),
                Optimizer::Adagrad(options) => taker.with(AdagradKernel { options, step }),
                Optimizer::RowwiseAdagrad(options) => taker.with(Rowwise(options)),
                Optimizer::Adam(options) => taker.with(AdamKernel { options, step }),
                Optimizer::Ftrl(options) => taker.with(FtrlKernel(options)),
            },
        }
    }
}

/// Adds one to the gradients that a row has had, and returns them. Beyond 2^24 it stays: what the
/// count decides is then constant in 32 bits.
fn count(lane: &mut f32) -> f64 {
    *lane += 1.0;
    f64::from(*lane)
}

struct Scaled(f32);

impl Kernel for Scaled {
    #[inline]
    fn update(&self, row: &mut [f32], gradient: &[f32]) {
        row.iter_mut().zip(gradient).for_each(|(weight, g)| *weight += self.0 * g);
    }
}

struct Replacing<'a>(&'a Optimizer);

impl Kernel for Replacing<'_> {
    fn update(&self, row: &mut [f32], gradient: &[f32]) {
        let (weights, state) = row.split_at_mut(gradient.len());
        weights.copy_from_slice(gradient);
        self.0.begin(state);
    }
}

/// SGD with a momentum or a penalty. The velocity of the first gradient is the gradient, without
/// dampening, as in `torch.optim`.
struct Momentum<'a>(&'a Sgd);

impl Kernel for Momentum<'_> {
    #[inline]
    fn update(&self, row: &mut [f32], gradient: &[f32]) {
        let (rate, decay) = (self.0.lr as f32, self.0.weight_decay as f32);
        let (weights, state) = row.split_at_mut(gradient.len());
        let Some((lane, velocities)) = state.split_last_mut() else {
            for (weight, g) in weights.iter_mut().zip(gradient) {
                *weight -= rate * (g + decay * *weight);
            }
            return;
        };
        let (keep, enter) = match count(lane) {
            1.0 => (0.0, 1.0),
            _ => (self.0.momentum as f32, (1.0 - self.0.dampening) as f32),
        };
        let (ahead, own) = match self.0.nesterov {
            true => (self.0.momentum as f32, 1.0),
            false => (1.0, 0.0),
        };
        for ((weight, velocity), g) in weights.iter_mut().zip(velocities).zip(gradient) {
            let g = g + decay * *weight;
            *velocity = keep * *velocity + enter * g;
            *weight -= rate * (own * g + ahead * *velocity);
        }
    }
}

struct AdagradKernel<'a> {
    options: &'a Adagrad,
    step: Option<u32>,
}

impl Kernel for AdagradKernel<'_> {
    #[inline]
    fn update(&self, row: &mut [f32], gradient: &[f32]) {
        let (weights, state) = row.split_at_mut(gradient.len());
        let (lane, sums) = state.split_last_mut().expect("a count");
        let gradients = count(lane);
        let step = self.step.map_or(gradients, f64::from);
        let rate = (self.options.lr / (1.0 + (step - 1.0) * self.options.lr_decay)) as f32;
        let eps = self.options.eps as f32;
        for ((weight, sum), g) in weights.iter_mut().zip(sums).zip(gradient) {
            *sum += g * g;
            *weight -= rate * (g / (sum.sqrt() + eps));
        }
    }
}

struct Rowwise<'a>(&'a RowwiseAdagrad);

impl Kernel for Rowwise<'_> {
    #[inline]
    fn update(&self, row: &mut [f32], gradient: &[f32]) {
        let (weights, sum) = row.split_at_mut(gradient.len());
        let squares: f32 = gradient.iter().map(|g| g * g).sum();
        sum[0] += squares / gradient.len() as f32;
        let rate = self.0.lr as f32 / (sum[0].sqrt() + self.0.eps as f32);
        weights.iter_mut().zip(gradient).for_each(|(weight, g)| *weight -= rate * g);
    }
}

/// The formulas of `torch.optim.SparseAdam`.
struct AdamKernel<'a> {
    options: &'a Adam,
    step: Option<u32>,
}

impl Kernel for AdamKernel<'_> {
    #[inline]
    fn update(&self, row: &mut [f32], gradient: &[f32]) {
        let Adam { lr, betas: (beta1, beta2), eps } = self.options;
        let (weights, state) = row.split_at_mut(gradient.len());
        let (lane, moments) = state.split_last_mut().expect("a count");
        let (means, squares) = moments.split_at_mut(gradient.len());
        let gradients = count(lane);
        let step = self.step.map_or(gradients, f64::from);
        let correction = |beta: f64| 1.0 - libm::pow(beta, step);
        let rate = (lr * libm::sqrt(correction(*beta2)) / correction(*beta1)) as f32;
        let (enter1, enter2) = ((1.0 - beta1) as f32, (1.0 - beta2) as f32);
        let lanes = weights.iter_mut().zip(means).zip(squares).zip(gradient);
        for (((weight, mean), square), g) in lanes {
            *mean += (g - *mean) * enter1;
            *square += (g * g - *square) * enter2;
            *weight -= rate * (*mean / (square.sqrt() + *eps as f32));
        }
    }
}

/// Algorithm 1 of the paper: `z` is the sum of gradients less what the weights answer for, `n` that
/// of their squares.
struct FtrlKernel<'a>(&'a Ftrl);

impl Kernel for FtrlKernel<'_> {
    #[inline]
    fn update(&self, row: &mut [f32], gradient: &[f32]) {
        let (rate, beta) = (self.0.lr as f32, self.0.beta as f32);
        let (l1, l2) = (self.0.l1 as f32, self.0.l2 as f32);
        let (weights, state) = row.split_at_mut(gradient.len());
        let (zs, ns) = state.split_at_mut(gradient.len());
        for (((weight, z), n), g) in weights.iter_mut().zip(zs).zip(ns).zip(gradient) {
            let squares = *n + g * g;
            let sigma = (squares.sqrt() - n.sqrt()) / rate;
            *z += g - sigma * *weight;
            *n = squares;
            let above = (z.abs() - l1).max(0.0);
            *weight = -(above.copysign(*z)) / ((beta + n.sqrt()) / rate + l2);
        }
    }
}
