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

/// A model while it is trained by one or more workers, threads of this process.
#[pyclass(name = "GlmTrainer", module = "netfold._native", frozen)]
pub(crate) struct PyGlmTrainer {
    team: Mutex<Team>,
}

/// What a run has come to.
#[pyclass(name = "GlmRun", module = "netfold._native", frozen, get_all)]
pub(crate) struct PyGlmRun {
    /// Epochs of this run.
    epochs: usize,
    /// `converged`, `epochs` or `callback`: what has ended it.
    why: &'static str,
    /// The model of all workers.
    model: Py<PyGlmModel>,
    /// Bytes of the samples as all workers together have held them: values, indices, row bounds.
    data_bytes: (u64, u64, u64),
    /// What another trainer needs to go on from there.
    progress: Counted,
}

#[pymethods]
impl PyGlmTrainer {
    /// A model of zeros, or one that begins with `coefficients` (f32, `outputs x features`) and
    /// `intercepts` (f64): on the grid of `scaling` (f32, `features x 2`) and after the steps of
    /// `progress`, if they are given.
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

    /// Epochs until the loss stands still, there have been enough, or `after_epoch` returns true.
    /// It is called with the number of the epoch, from 1; its loss; the loss and the score of the
    /// samples that are held back, or `None`; its seconds; and the bytes that each worker has
    /// submitted. Ctrl-C is heeded between epochs.
    #[pyo3(signature = (samples, after_epoch = None))]
    fn fit(
        &self,
        py: Python<'_>,
        samples: &PyGlmSamples,
        after_epoch: Option<Py<PyAny>>,
    ) -> PyResult<PyGlmRun> {
        self.run(py, samples, Run::Fit, after_epoch)
    }

    /// One pass. What was quantised first decides the grid of what comes later.
    #[pyo3(signature = (samples, after_epoch = None))]
    fn epoch(
        &self,
        py: Python<'_>,
        samples: &PyGlmSamples,
        after_epoch: Option<Py<PyAny>>,
    ) -> PyResult<PyGlmRun> {
        self.run(py, samples, Run::Epoch, after_epoch)
    }

    /// Whether it can go on. Samples that are refused leave it as it was; after any other error,
    /// and after what a callback has raised, it cannot.
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
