//! Errors as the exceptions of `netfold.errors`.

use netfold_net::{Error, Failure};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The exception for an error. Its class is looked up by name, so that Python code owns the
/// classes.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error {
        Error::Unsupported(error) if error.is_of_the_arithmetic() => "UnsupportedError",
        // Mistakes of the caller; the job goes on.
        Error::Unsupported(_) | Error::Memory { .. } | Error::Subgroup { .. } => {
            return PyValueError::new_err(error.to_string());
        }
        Error::Failed(Failure::WorkerLost { .. } | Failure::Expelled { .. }) => "WorkerLostError",
        Error::Failed(Failure::Mismatch { .. }) => "MismatchError",
        Error::Failed(Failure::Trapped { .. }) => "OperationError",
        Error::Failed(Failure::Overflow { .. }) => "RegisterOverflowError",
        Error::Failed(Failure::SwitchStopping | Failure::ParentLost { .. })
        | Error::SwitchLost { .. }
        | Error::NotResumed { .. } => "SwitchLostError",
        Error::Regrouped { .. } => "RegroupedError",
        Error::PeerLeft { .. } => "PeerLeftError",
        Error::Timeout { .. } | Error::NotMet { .. } => "CallTimeoutError",
        Error::Join(_) => "JoinError",
        Error::Forked { .. } => "ForkedError",
        _ => "NetfoldError",
    };
    let exception = named(py, class, error.to_string());
    if let Error::Regrouped { lost, rank, workers, .. } = error {
        let value = exception.value(py);
        let said = value.setattr("lost", lost.clone());
        if let Err(error) = said
            .and_then(|()| value.setattr("rank", *rank))
            .and_then(|()| value.setattr("size", *workers))
        {
            return error;
        }
    }
    exception
}

/// An exception of the class with this name.
pub(crate) fn named(py: Python<'_>, class: &str, message: String) -> PyErr {
    let instance = py
        .import("netfold.errors")
        .and_then(|module| module.getattr(class))
        .and_then(|class| class.call1((message,)));
    match instance {
        Ok(instance) => PyErr::from_value(instance),
        Err(error) => error,
    }
}
