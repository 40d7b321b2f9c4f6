//! The length of a step (R-GLM-8).

use crate::error::Error;
use crate::loss::Loss;

/// Divisor of an adaptive step when the loss stands still, as in scikit-learn.
const ADAPTIVE_DIVISOR: f64 = 5.0;
/// Smallest adaptive step that is divided: below it the run ends, as in scikit-learn.
const SMALLEST_ADAPTIVE: f64 = 1e-6;

/// The length of step t, counted from 1 over all epochs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Always the same.
    Constant {
        /// The step.
        eta0: f64,
    },
    /// 1 / (alpha (t0 + t - 1)), with Bottou's heuristic for t0; scikit-learn's steps are longer
    /// with squared losses. For B samples a step, t counts steps.
    Optimal {
        /// The strength of the penalty, usually; above 0.
        alpha: f64,
    },
    /// eta0 / t^power.
    InverseScaling {
        /// The first step.
        eta0: f64,
        /// The power, 0.25 in scikit-learn.
        power: f64,
    },
    /// eta0, divided by 5 whenever the loss has not improved for `patience` epochs.
    Adaptive {
        /// The first step.
        eta0: f64,
    },
}

/// A run's place in the schedule of its rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    rate: Rate,
    /// Steps taken.
    pub(crate) steps: u64,
    /// t0 of [`Rate::Optimal`], eta of [`Rate::Adaptive`].
    state: f64,
}

impl Schedule {
    pub(crate) fn new(rate: Rate, loss: Loss) -> Result<Self, Error> {
        let state = match rate {
            Rate::Constant { eta0 } | Rate::Adaptive { eta0 } => {
                positive("eta0", eta0).map(|()| eta0)?
            }
            Rate::InverseScaling { eta0, power } => {
                if !power.is_finite() {
                    return Err(Error::setting("power", power, "a finite number"));
                }
                positive("eta0", eta0).map(|()| eta0)?
            }
            Rate::Optimal { alpha } => {
                positive("alpha", alpha)?;
                // A weight of this size is typical for the penalty; the first step takes a zero
                // model there at most.
                let typical = (1.0 / alpha.sqrt()).sqrt();
                let slope = match loss {
                    // By the one-against-one form: both activations move apart.
                    Loss::Multinomial => Loss::Logistic.of(-typical, 1.0).1,
                    other => other.of(-typical, 1.0).1,
                };
                let eta0 = typical / slope.abs().max(1.0);
                1.0 / (eta0 * alpha)
            }
        };
        Ok(Self { rate, steps: 0, state })
    }

    /// The length of the next step, which is then taken.
    pub(crate) fn next(&mut self) -> f64 {
        self.steps += 1;
        let t = self.steps as f64;
        match self.rate {
            Rate::Constant { eta0 } => eta0,
            Rate::Optimal { alpha } => 1.0 / (alpha * (self.state + t - 1.0)),
            Rate::InverseScaling { eta0, power } => eta0 / libm::pow(t, power),
            Rate::Adaptive { .. } => self.state,
        }
    }

    /// The loss stands still: whether the run may go on, with smaller steps.
    pub(crate) fn stalled(&mut self) -> bool {
        let goes_on = matches!(self.rate, Rate::Adaptive { .. }) && self.state > SMALLEST_ADAPTIVE;
        if goes_on {
            self.state /= ADAPTIVE_DIVISOR;
        }
        goes_on
    }

    /// Returns eta0 of an adaptive rate, and the step length that is left of it.
    pub(crate) fn adaptive(&self) -> Option<(f64, f64)> {
        match self.rate {
            Rate::Adaptive { eta0 } => Some((eta0, self.state)),
            _ => None,
        }
    }

    /// Goes on after these many steps. What is left of another eta0 says nothing of this one.
    pub(crate) fn resume(&mut self, steps: u64, adaptive: Option<(f64, f64)>) -> Result<(), Error> {
        if let (Rate::Adaptive { eta0 }, Some((of, left))) = (self.rate, adaptive)
            && of == eta0
        {
            positive("what is left of eta0", left)?;
            self.state = left;
        }
        self.steps = steps;
        Ok(())
    }
}

fn positive(what: &'static str, value: f64) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(Error::setting(what, value, "a number above 0"))
    }
}
