//! The native half of the Python package `netfold`: a thin shell around `netfold-net` and
//! `netfold-glm`.
//!
//! It takes addresses of memory and trusts them, as `python/netfold` has checked device, type and
//! layout and keeps the memory alive; short calls of PyTorch's are checked in `torch`, where Python
//! would take longer than the call. Every wait releases the interpreter's lock. Nothing else is
//! decided here.
//!
//! Open `communicator.rs` first.

mod communicator;
mod errors;
mod glm;
mod num;
#[cfg(feature = "ops")]
mod ops;
mod sparse;
mod switch;
mod torch;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::mem::MaybeUninit;

use netfold_net::Stats;
use netfold_settings::{Program, Setting, Settings, Value};
use pyo3::prelude::*;
use pyo3::{IntoPyObjectExt, ffi};

/// Returns the settings that this package reads, by their names with units, from these variables of
/// the environment, a file and their defaults. The token is its text, also where a file has it.
#[pyfunction]
fn settings(
    py: Python<'_>,
    variables: HashMap<OsString, OsString>,
) -> PyResult<HashMap<&'static str, Py<PyAny>>> {
    let refused =
        |error: netfold_settings::Error| errors::named(py, "ConfigurationError", error.to_string());
    let variable = |name: &str| variables.get(OsStr::new(name)).cloned();
    let found = Settings::load(Program::Torch, [], variable).map_err(refused)?;
    let token = found.token_text().map_err(refused)?;
    let ours = |key| {
        Setting::of(key).filter(|setting| {
            let ours = [Program::Connect, Program::Tables, Program::Torch];
            ours.iter().any(|name| setting.read_by.contains(name))
        })
    };
    let known = found.values().into_iter().filter_map(|(key, value)| Some((ours(key)?, value)));
    known
        .map(|(setting, value)| {
            let value = match value {
                _ if setting.key == "token" => token.as_deref().into_py_any(py),
                Value::Nothing => Ok(py.None()),
                Value::Bool(value) => value.into_py_any(py),
                Value::Whole(value) => value.into_py_any(py),
                Value::Real(value) => value.into_py_any(py),
                Value::Text(value) => value.into_py_any(py),
            };
            Ok((setting.field, value?))
        })
        .collect()
}

/// Returns the name of the first job of `ranks` of a job with this label (R-CTRL-22).
#[pyfunction]
fn subgroup_job(job: &str, ranks: Vec<u16>, label: &str) -> String {
    netfold_net::subgroup_job(job, &ranks, label)
}

/// Returns a warning for each of these names that begins like netfold's variables and is not one.
#[pyfunction]
fn unknown_variables(names: Vec<String>) -> Vec<String> {
    netfold_settings::unknown_variables(names)
}

/// Returns the address of the first element of an array in C order, in a tenth of the time that
/// `array.ctypes` takes.
#[pyfunction]
#[expect(unsafe_code, reason = "PyO3 asks for the format, too, which not all types have")]
fn address(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<usize> {
    let mut view = MaybeUninit::<ffi::Py_buffer>::zeroed();
    // SAFETY: the object lives meanwhile, and the view is released if it was made.
    unsafe {
        if ffi::PyObject_GetBuffer(array.as_ptr(), view.as_mut_ptr(), ffi::PyBUF_SIMPLE) != 0 {
            return Err(PyErr::fetch(py));
        }
        let address = (*view.as_ptr()).buf.expose_provenance();
        ffi::PyBuffer_Release(view.as_mut_ptr());
        Ok(address)
    }
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    module.add("PREFIX", netfold_settings::PREFIX)?;
    module.add("NO_STATS", communicator::dictionary(module.py(), &Stats::default())?)?;
    module.add_class::<communicator::PyCommunicator>()?;
    module.add_class::<switch::PySwitch>()?;
    module.add_class::<torch::Dispatch>()?;
    module.add_class::<torch::DirectCalls>()?;
    module.add_class::<torch::Method>()?;
    module.add_class::<torch::BoundMethod>()?;
    module.add_function(wrap_pyfunction!(torch::choose_priority, module)?)?;
    module.add_function(wrap_pyfunction!(torch::chosen_priority, module)?)?;
    module.add_class::<glm::PyGlmTrainer>()?;
    module.add_class::<glm::PyGlmSamples>()?;
    module.add_class::<glm::PyGlmModel>()?;
    module.add_class::<glm::PyGlmRun>()?;
    module.add_function(wrap_pyfunction!(num::fpisa_fold, module)?)?;
    module.add_function(wrap_pyfunction!(num::fpisa_multiply, module)?)?;
    module.add_function(wrap_pyfunction!(num::fpisa_log2, module)?)?;
    module.add_function(wrap_pyfunction!(num::fpisa_square_root, module)?)?;
    module.add_function(wrap_pyfunction!(num::native_fold, module)?)?;
    module.add_function(wrap_pyfunction!(num::logtable_fold, module)?)?;
    module.add_function(wrap_pyfunction!(num::block_fold, module)?)?;
    #[cfg(feature = "ops")]
    module.add_class::<ops::PyOperation>()?;
    module.add_class::<sparse::PySparseTable>()?;
    module.add_class::<sparse::PySparsePull>()?;
    module.add_function(wrap_pyfunction!(sparse::pack_keys, module)?)?;
    module.add_function(wrap_pyfunction!(communicator::refusal, module)?)?;
    module.add_function(wrap_pyfunction!(address, module)?)?;
    module.add_function(wrap_pyfunction!(settings, module)?)?;
    module.add_function(wrap_pyfunction!(subgroup_job, module)?)?;
    module.add_function(wrap_pyfunction!(unknown_variables, module)?)
}
