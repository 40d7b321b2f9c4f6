//! Choices for a run, as Python names them.

use netfold_glm::{
    Arithmetic, Config, Error, Layout, Penalty, Precision, Quantisation, Rate, Rounding, Samples,
};
use netfold_glm::{Scaling, Spread, Stopping};
use pyo3::prelude::*;

use super::model;
use crate::errors::named;

/// Most workers of a process: each is a thread.
const MOST_WORKERS: usize = 256;

/// Bits of features that are not quantised.
const FULL_BITS: u8 = 32;

/// A mapping with exactly these keys; `python/netfold/_native.pyi` has their types, too.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    loss: String,
    l1: f64,
    l2: f64,
    rate: String,
    alpha: f64,
    eta0: f64,
    power: f64,
    batch: usize,
    micro_batch: usize,
    intercept: bool,
    intercept_step: f64,
    average_after: Option<u64>,
    shuffle: bool,
    seed: u64,
    epochs: usize,
    tolerance: Option<f64>,
    patience: usize,
    validation: f64,
    arithmetic: String,
    fraction_bits: u8,
    parallel: String,
    workers: usize,
    engines: usize,
    bits: u8,
    scaling: String,
    rounding: String,
}

/// The same as the engine has it.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) config: Config,
    pub(crate) workers: usize,
    pub(crate) engines: usize,
    /// None where features are not quantised.
    bits: Option<Bits>,
}

impl Settings {
    /// Returns the plan that the names stand for. Numbers are checked where they are used.
    pub(crate) fn plan(&self, py: Python<'_>) -> PyResult<Plan> {
        let unknown = |what: &str, found: &str, choices: &str| {
            Err(named(
                py,
                "ConfigurationError",
                format!("{what}={found:?} is not known; choose {choices}"),
            ))
        };
        if !(1..=MOST_WORKERS).contains(&self.workers) {
            let message = format!("workers={} cannot be; give 1 to {MOST_WORKERS}", self.workers);
            return Err(named(py, "ConfigurationError", message));
        }
        let Some(&(_, loss)) = model::LOSSES.iter().find(|(name, _)| *name == self.loss) else {
            return unknown("loss", &self.loss, &model::names());
        };
        let rate = match self.rate.as_str() {
            "constant" => Rate::Constant { eta0: self.eta0 },
            "optimal" => Rate::Optimal { alpha: self.alpha },
            "invscaling" => Rate::InverseScaling { eta0: self.eta0, power: self.power },
            "adaptive" => Rate::Adaptive { eta0: self.eta0 },
            other => {
                return unknown(
                    "learning_rate",
                    other,
                    "constant, optimal, invscaling or adaptive",
                );
            }
        };
        let arithmetic = match self.arithmetic.as_str() {
            "float" => Arithmetic::Float,
            "fixed" => Arithmetic::Fixed { fraction_bits: self.fraction_bits },
            other => return unknown("arithmetic", other, "float or fixed"),
        };
        let spread = match self.parallel.as_str() {
            "model" => Spread::Model,
            "data" => Spread::Data,
            other => return unknown("parallel", other, "model or data"),
        };
        let scaling = match self.scaling.as_str() {
            "auto" => None,
            other => match scaling_of(other) {
                None => return unknown("scaling", other, "auto, unit or symmetric"),
                known => known,
            },
        };
        let rounding = match self.rounding.as_str() {
            "nearest" => Rounding::Nearest,
            "truncate" => Rounding::Truncate,
            "stochastic" => Rounding::Stochastic { seed: self.seed },
            other => return unknown("rounding", other, "nearest, truncate or stochastic"),
        };
        let bits = (self.bits != FULL_BITS).then_some(Bits { bits: self.bits, scaling, rounding });
        let config = Config {
            loss,
            penalty: Penalty { l1: self.l1, l2: self.l2 },
            rate,
            batch: self.batch,
            micro_batch: self.micro_batch,
            intercept: self.intercept,
            intercept_step: self.intercept_step,
            average_after: self.average_after,
            shuffle: self.shuffle,
            seed: self.seed,
            stopping: Stopping {
                epochs: self.epochs,
                tolerance: self.tolerance,
                patience: self.patience,
                validation: self.validation,
            },
            arithmetic,
            spread,
        };
        Ok(Plan { config, workers: self.workers, engines: self.engines, bits })
    }
}

/// Features of few bits.
#[derive(Clone, Copy)]
pub(crate) struct Bits {
    bits: u8,
    /// None if samples say which suits them.
    scaling: Option<Scaling>,
    rounding: Rounding,
}

/// Returns the range that few bits cover, by its name in Python.
pub(crate) fn scaling_of(name: &str) -> Option<Scaling> {
    [Scaling::Unit, Scaling::Symmetric].into_iter().find(|&scaling| scaling_name(scaling) == name)
}

/// Returns the name of a scaling in Python.
pub(crate) fn scaling_name(scaling: Scaling) -> &'static str {
    match scaling {
        Scaling::Unit => "unit",
        Scaling::Symmetric => "symmetric",
    }
}

impl Plan {
    /// Returns the precision in which such samples are held.
    pub(crate) fn precision(&self, samples: Samples<'_>) -> Result<Precision, Error> {
        let Some(Bits { bits, scaling, rounding }) = self.bits else { return Ok(Precision::Full) };
        let keeps_zero = !self.config.intercept || matches!(samples, Samples::Csr(_));
        // Where no value is below 0, there need be no levels there. Otherwise steps go straighter
        // around the middle.
        let unit = keeps_zero && !samples.below_zero();
        let scaling = scaling.unwrap_or(if unit { Scaling::Unit } else { Scaling::Symmetric });
        if keeps_zero && (bits, scaling) == (1, Scaling::Symmetric) {
            return Err(Error::Together(
                "1 bit with a sign has no level above 0, which stays 0 here; use more bits, or the unit scaling where no value is below 0",
            ));
        }
        Ok(Precision::Bits(Quantisation {
            bits,
            scaling,
            rounding,
            layout: Layout::Auto,
            keeps_zero,
        }))
    }
}
