//! Linear models whose features are split over workers, for Python: the trainer of [`netfold_glm`]
//! and what it is given.
//!
//! Arrays come as buffers, in rows without gaps, and models go back as bytes in the machine's
//! order. A buffer must not be changed while a call has it.

mod model;
mod progress;
mod samples;
mod settings;
mod workers;

pub(crate) use model::PyGlmModel;
pub(crate) use samples::PyGlmSamples;

use std::ops::ControlFlow;
use std::sync::{Mutex, TryLockError};

use netfold_glm::{Epoch, Error, Why};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::named;
use progress::Counted;
use settings::Settings;
use workers::{Begin, Ended, Run, Team};

/// A trainer of a linear model, by one or more workers, which are threads of this process.
#[pyclass(name = "GlmTrainer", module = "netfold._native", frozen)]
pub(crate) struct PyGlmTrainer {
    team: Mutex<Team>,
}

/// Outcome of a run.
#[pyclass(name = "GlmRun", module = "netfold._native", frozen, get_all)]
pub(crate) struct PyGlmRun {
    /// Epochs of this run.
    epochs: usize,
    /// Cause of its end: `converged`, `epochs` or `callback`.
    why: &'static str,
    /// The model of all workers.
    model: Py<PyGlmModel>,
    /// Bytes of the samples in the memory of all workers together: values, indices, row bounds.
    data_bytes: (u64, u64, u64),
    /// State from which another trainer can continue.
    progress: Counted,
}

#[pymethods]
impl PyGlmTrainer {
    /// Creates a trainer of a model of zeros, or of one that begins with `coefficients` (f32,
    /// `outputs x features`) and `intercepts` (f64), on the grid of `scaling` (f32,
    /// `features x 2`) and after the steps of `progress`, if they are given.
    #[new]
    #[pyo3(signature = (settings, *, coefficients = None, intercepts = None, scaling = None, progress = None))]
    fn new(
        py: Python<'_>,
        settings: &Bound<'_, PyAny>,
        coefficients: Option<&Bound<'_, PyAny>>,
        intercepts: Option<&Bound<'_, PyAny>>,
        scaling: Option<&Bound<'_, PyAny>>,
        progress: Option<Counted>,
    ) -> PyResult<Self> {
        let plan = settings.extract::<Settings>()?.plan(py)?;
        let begin = match (coefficients, intercepts) {
            (Some(coefficients), Some(intercepts)) => Some(Begin {
                coefficients: samples::copied(coefficients, "coefficients")?,
                intercepts: samples::copied(intercepts, "intercepts")?,
                scaling: scaling.map(model::pairs).transpose()?,
                progress: progress.map(Into::into),
            }),
            (None, None) if scaling.is_none() && progress.is_none() => None,
            _ => {
                let message =
                    "give coefficients and intercepts, with or without the rest, or nothing of it";
                return Err(named(py, "ConfigurationError", message.into()));
            }
        };
        Ok(Self { team: Mutex::new(Team::new(plan, begin)) })
    }

    /// Trains until the loss stops falling, the epochs are used up, or `after_epoch` returns true.
    /// `after_epoch` is called with the number of the epoch, from 1; its loss; the loss and the
    /// score of the samples that are held back, or `None`; its seconds; and the bytes that each
    /// worker has submitted. Ctrl-C takes effect between epochs.
    #[pyo3(signature = (samples, after_epoch = None))]
    fn fit(
        &self,
        py: Python<'_>,
        samples: &PyGlmSamples,
        after_epoch: Option<Py<PyAny>>,
    ) -> PyResult<PyGlmRun> {
        self.run(py, samples, Run::Fit, after_epoch)
    }

    /// Trains for one epoch. The samples that are quantised first decide the grid of later ones.
    #[pyo3(signature = (samples, after_epoch = None))]
    fn epoch(
        &self,
        py: Python<'_>,
        samples: &PyGlmSamples,
        after_epoch: Option<Py<PyAny>>,
    ) -> PyResult<PyGlmRun> {
        self.run(py, samples, Run::Epoch, after_epoch)
    }

    /// Returns whether training can continue: it can after refused samples, which leave the trainer
    /// unchanged, but not after any other error, one raised by a callback included.
    #[getter]
    fn usable(&self) -> bool {
        // One that is at work is.
        self.team
            .try_lock()
            .map_or_else(|error| matches!(error, TryLockError::WouldBlock), |team| team.is_whole())
    }
}

impl PyGlmTrainer {
    fn run(
        &self,
        py: Python<'_>,
        samples: &PyGlmSamples,
        run: Run,
        after_epoch: Option<Py<PyAny>>,
    ) -> PyResult<PyGlmRun> {
        let mut raised = None;
        let heed = |epoch: &Epoch| {
            let heeded = Python::attach(|py| {
                py.check_signals()?;
                after_epoch
                    .as_ref()
                    .map_or(Ok(false), |told| told.call1(py, figures(py, epoch)?)?.is_truthy(py))
            });
            match heeded {
                Ok(false) => ControlFlow::Continue(()),
                Ok(true) => ControlFlow::Break(()),
                Err(error) => {
                    raised = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let mut team = match self.team.try_lock() {
            Ok(team) => team,
            // It has lost its workers, and says so.
            Err(TryLockError::Poisoned(team)) => team.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let message = "this trainer is at work; call it again when that call has returned";
                return Err(named(py, "ConfigurationError", message.into()));
            }
        };
        let team: &mut Team = &mut team;
        let ended = py.detach(|| team.run(samples, run, heed));
        if let Some(error) = raised {
            // Its caller does not get the model that it has come to.
            team.dismiss();
            return Err(error);
        }
        let Ended { epochs, why, model, bytes, progress } =
            ended.map_err(|error| exception(py, &error))?;
        Ok(PyGlmRun {
            epochs,
            why: match why {
                Why::Converged => "converged",
                Why::Epochs => "epochs",
                Why::Callback => "callback",
            },
            model: Py::new(py, PyGlmModel::of(model))?,
            data_bytes: (bytes.values, bytes.indices, bytes.bounds),
            progress: progress.into(),
        })
    }
}

/// The arguments of a callback.
fn figures<'py>(py: Python<'py>, epoch: &Epoch) -> PyResult<Bound<'py, PyTuple>> {
    let Epoch { number, loss, validation_loss, validation_score, bytes, .. } = *epoch;
    (number, loss, validation_loss, validation_score, epoch.time.as_secs_f64(), bytes)
        .into_pyobject(py)
}

/// The exception for an error of the engine.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error {
        Error::Diverged { .. } => "DivergedError",
        Error::Overflow { .. } => "RegisterOverflowError",
        Error::Format(_) => "ModelFileError",
        Error::Exchange(_) | Error::EngineLost | Error::Disagreement(_) => "NetfoldError",
        _ => "ConfigurationError",
    };
    named(py, class, error.to_string())
}
