//! The formulas. Numbers that are the same for a whole batch are worked out in 64 bits, and the
//! lanes in their own type, as `torch.optim` does.

use netfold_num::Number;
use num_traits::{Float, NumAssign};

use super::{Adagrad, Adam, Ftrl, Optimizer, RowwiseAdagrad, Sgd};

/// A change of one row.
pub trait Kernel<E> {
    /// Changes `row`, which is weights and then state, by a gradient as long as the weights.
    fn update(&self, row: &mut [E], gradient: &[E]);
}

/// Change of the rows of a batch.
#[derive(Clone, Copy, Debug)]
pub enum Rule<'a> {
    /// Adds what was pushed: it was multiplied by the learning rate before (R-KEY-12).
    Add,
    /// Applies the optimizer. Where the table's steps are known (R-SERVE-5), their number is given,
    /// from 1; otherwise each row counts its own gradients.
    Optimize(&'a Optimizer, Option<u32>),
    /// Puts the row in place of the weights, and makes the state anew.
    Set(&'a Optimizer),
}

/// Takes the kernel of a rule, each with its own type, so that each has loops of its own.
pub trait WithKernel<E> {
    /// The outcome.
    type Output;

    /// Goes on with a kernel.
    fn with(self, kernel: impl Kernel<E>) -> Self::Output;
}

/// A type of numbers that rules change.
pub trait Optimized: Copy {
    /// Returns a sum. One of integers wraps around at their width (R-NUM-3).
    fn plus(self, other: Self) -> Self;

    /// Returns a difference, which is such a sum with the opposite.
    fn minus(self, other: Self) -> Self;

    /// Returns a product with a learning rate, rounded once the rate is of this type. Integers have
    /// no rate (`Optimizer::check_type`).
    fn times(self, rate: f64) -> Self;

    /// Hands the kernel of a rule to `taker`. The rule's optimizer changes rows of this type.
    fn dispatch<T: WithKernel<Self>>(rule: Rule<'_>, taker: T) -> T::Output;
}

macro_rules! integers {
    ($($type:ty),*) => {
        $(
            impl Optimized for $type {
                #[inline]
                fn plus(self, other: Self) -> Self {
                    self.wrapping_add(other)
                }

                #[inline]
                fn minus(self, other: Self) -> Self {
                    self.wrapping_sub(other)
                }

                #[inline]
                fn times(self, _rate: f64) -> Self {
                    self
                }

                fn dispatch<T: WithKernel<Self>>(rule: Rule<'_>, taker: T) -> T::Output {
                    match rule {
                        Rule::Set(optimizer) => taker.with(Replacing(optimizer)),
                        // No other optimizer is agreed on (`Optimizer::check_type`).
                        Rule::Add | Rule::Optimize(..) => taker.with(Adding),
                    }
                }
            }
        )*
    };
}

macro_rules! floats {
    ($($type:ty),*) => {
        $(
            impl Optimized for $type {
                #[inline]
                fn plus(self, other: Self) -> Self {
                    self + other
                }

                #[inline]
                fn minus(self, other: Self) -> Self {
                    self - other
                }

                #[inline]
                fn times(self, rate: f64) -> Self {
                    self * rate as Self
                }

                fn dispatch<T: WithKernel<Self>>(rule: Rule<'_>, taker: T) -> T::Output {
                    dispatch_float(rule, taker)
                }
            }
        )*
    };
}

integers! { i32, i64 }
floats! { f32, f64 }

/// The numbers of the formulas.
trait Real: Number + Optimized + Float + NumAssign {}

impl Real for f32 {}
impl Real for f64 {}

fn dispatch_float<E: Real, T: WithKernel<E>>(rule: Rule<'_>, taker: T) -> T::Output {
    match rule {
        Rule::Add => taker.with(Adding),
        Rule::Set(optimizer) => taker.with(Replacing(optimizer)),
        Rule::Optimize(optimizer, step) => match optimizer {
            Optimizer::Sum => taker.with(Adding),
            Optimizer::Sgd(o) if o.momentum == 0.0 && o.weight_decay == 0.0 => {
                taker.with(Scaled(E::from_f64(-o.lr)))
            }
            Optimizer::Sgd(options) => taker.with(Momentum(options)),
            Optimizer::Adagrad(options) => taker.with(AdagradKernel { options, step }),
            Optimizer::RowwiseAdagrad(options) => taker.with(Rowwise(options)),
            Optimizer::Adam(options) => taker.with(AdamKernel { options, step }),
            Optimizer::Ftrl(options) => taker.with(FtrlKernel(options)),
        },
    }
}

/// Adds one to the gradients that a row has had, and returns them. Beyond the type's integers (2^24
/// of 32 bits) it stays: what the count decides is then constant.
fn count<E: Real>(lane: &mut E) -> f64 {
    *lane += E::one();
    Number::to_f64(*lane)
}

struct Adding;

impl<E: Optimized> Kernel<E> for Adding {
    #[inline]
    fn update(&self, row: &mut [E], gradient: &[E]) {
        row.iter_mut().zip(gradient).for_each(|(weight, g)| *weight = weight.plus(*g));
    }
}

struct Scaled<E>(E);

impl<E: Real> Kernel<E> for Scaled<E> {
    #[inline]
    fn update(&self, row: &mut [E], gradient: &[E]) {
        row.iter_mut().zip(gradient).for_each(|(weight, g)| *weight += self.0 * *g);
    }
}

struct Replacing<'a>(&'a Optimizer);

impl<E: Number> Kernel<E> for Replacing<'_> {
    fn update(&self, row: &mut [E], gradient: &[E]) {
        let (weights, state) = row.split_at_mut(gradient.len());
        weights.copy_from_slice(gradient);
        self.0.begin(state);
    }
}

/// SGD with a momentum or a penalty. The velocity of the first gradient is the gradient, without
/// dampening, as in `torch.optim`.
struct Momentum<'a>(&'a Sgd);

impl<E: Real> Kernel<E> for Momentum<'_> {
    #[inline]
    fn update(&self, row: &mut [E], gradient: &[E]) {
        let (rate, decay) = (E::from_f64(self.0.lr), E::from_f64(self.0.weight_decay));
        let (weights, state) = row.split_at_mut(gradient.len());
        let Some((lane, velocities)) = state.split_last_mut() else {
            for (weight, g) in weights.iter_mut().zip(gradient) {
                *weight -= rate * (*g + decay * *weight);
            }
            return;
        };
        let (keep, enter) = match count(lane) {
            1.0 => (E::zero(), E::one()),
            _ => (E::from_f64(self.0.momentum), E::from_f64(1.0 - self.0.dampening)),
        };
        let (ahead, own) = match self.0.nesterov {
            true => (E::from_f64(self.0.momentum), E::one()),
            false => (E::one(), E::zero()),
        };
        for ((weight, velocity), g) in weights.iter_mut().zip(velocities).zip(gradient) {
            let g = *g + decay * *weight;
            *velocity = keep * *velocity + enter * g;
            *weight -= rate * (own * g + ahead * *velocity);
        }
    }
}

struct AdagradKernel<'a> {
    options: &'a Adagrad,
    step: Option<u32>,
}

impl<E: Real> Kernel<E> for AdagradKernel<'_> {
    #[inline]
    fn update(&self, row: &mut [E], gradient: &[E]) {
        let (weights, state) = row.split_at_mut(gradient.len());
        let (lane, sums) = state.split_last_mut().expect("a count");
        let gradients = count(lane);
        let step = self.step.map_or(gradients, f64::from);
        let rate = self.options.lr / (1.0 + (step - 1.0) * self.options.lr_decay);
        let (rate, eps) = (E::from_f64(rate), E::from_f64(self.options.eps));
        for ((weight, sum), &g) in weights.iter_mut().zip(sums).zip(gradient) {
            *sum += g * g;
            *weight -= rate * (g / (sum.sqrt() + eps));
        }
    }
}

struct Rowwise<'a>(&'a RowwiseAdagrad);

impl<E: Real> Kernel<E> for Rowwise<'_> {
    #[inline]
    fn update(&self, row: &mut [E], gradient: &[E]) {
        let (weights, sum) = row.split_at_mut(gradient.len());
        let squares = gradient.iter().fold(E::zero(), |sum, g| sum + *g * *g);
        sum[0] += squares / E::from_f64(gradient.len() as f64);
        let rate = E::from_f64(self.0.lr) / (sum[0].sqrt() + E::from_f64(self.0.eps));
        weights.iter_mut().zip(gradient).for_each(|(weight, g)| *weight -= rate * *g);
    }
}

/// The formulas of `torch.optim.SparseAdam`.
struct AdamKernel<'a> {
    options: &'a Adam,
    step: Option<u32>,
}

impl<E: Real> Kernel<E> for AdamKernel<'_> {
    #[inline]
    fn update(&self, row: &mut [E], gradient: &[E]) {
        let Adam { lr, betas: (beta1, beta2), eps } = self.options;
        let (weights, state) = row.split_at_mut(gradient.len());
        let (lane, moments) = state.split_last_mut().expect("a count");
        let (means, squares) = moments.split_at_mut(gradient.len());
        let gradients = count(lane);
        let step = self.step.map_or(gradients, f64::from);
        let correction = |beta: f64| 1.0 - libm::pow(beta, step);
        let rate = lr * libm::sqrt(correction(*beta2)) / correction(*beta1);
        let (rate, eps) = (E::from_f64(rate), E::from_f64(*eps));
        let (enter1, enter2) = (E::from_f64(1.0 - beta1), E::from_f64(1.0 - beta2));
        let lanes = weights.iter_mut().zip(means).zip(squares).zip(gradient);
        for (((weight, mean), square), &g) in lanes {
            *mean += (g - *mean) * enter1;
            *square += (g * g - *square) * enter2;
            *weight -= rate * (*mean / (square.sqrt() + eps));
        }
    }
}

/// Algorithm 1 of the paper: `z` is the sum of gradients less what the weights answer for, `n` that
/// of their squares.
struct FtrlKernel<'a>(&'a Ftrl);

impl<E: Real> Kernel<E> for FtrlKernel<'_> {
    #[inline]
    fn update(&self, row: &mut [E], gradient: &[E]) {
        let (rate, beta) = (E::from_f64(self.0.lr), E::from_f64(self.0.beta));
        let (l1, l2) = (E::from_f64(self.0.l1), E::from_f64(self.0.l2));
        let (weights, state) = row.split_at_mut(gradient.len());
        let (zs, ns) = state.split_at_mut(gradient.len());
        for (((weight, z), n), &g) in weights.iter_mut().zip(zs).zip(ns).zip(gradient) {
            let squares = *n + g * g;
            let sigma = (squares.sqrt() - n.sqrt()) / rate;
            *z += g - sigma * *weight;
            *n = squares;
            let above = (z.abs() - l1).max(E::zero());
            *weight = -(above.copysign(*z)) / ((beta + n.sqrt()) / rate + l2);
        }
    }
}
