//! The native half of the Python package `netfold`: a thin shell around `netfold-net` and
//! `netfold-glm`.
//!
//! It takes addresses of memory and trusts them, as `python/netfold` has checked device, type and
//! layout and keeps the memory alive. Every wait releases the interpreter's lock. Nothing else is
//! decided here.
//!
//! Open `communicator.rs` first.

mod communicator;
mod errors;
mod glm;
mod num;
mod switch;

use netfold_net::Stats;
use pyo3::prelude::*;

/// Returns a warning for each of these names that begins like netfold's variables and is not one.
#[pyfunction]
fn unknown_variables(names: Vec<String>) -> Vec<String> {
    netfold_settings::unknown_variables(names)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    module.add("NO_STATS", communicator::dictionary(module.py(), &Stats::default())?)?;
    module.add_class::<communicator::PyCommunicator>()?;
    module.add_class::<switch::PySwitch>()?;
    module.add_class::<glm::PyGlmTrainer>()?;
    module.add_class::<glm::PyGlmSamples>()?;
    module.add_class::<glm::PyGlmModel>()?;
    module.add_class::<glm::PyGlmRun>()?;
    module.add_function(wrap_pyfunction!(num::fpisa_fold, module)?)?;
    module.add_function(wrap_pyfunction!(num::fpisa_multiply, module)?)?;
    module.add_function(wrap_pyfunction!(num::fpisa_log2, module)?)?;
    module.add_function(wrap_pyfunction!(num::fpisa_square_root, module)?)?;
    module.add_function(wrap_pyfunction!(num::logtable_fold, module)?)?;
    module.add_function(wrap_pyfunction!(num::block_fold, module)?)?;
    module.add_function(wrap_pyfunction!(communicator::refusal, module)?)?;
    module.add_function(wrap_pyfunction!(unknown_variables, module)?)
}
