//! The priority of the calls that a thread makes.

use std::cell::Cell;

use netfold_net::Priority;
use pyo3::prelude::*;

use crate::communicator::parse;

thread_local! {
    static CHOSEN: Cell<Option<Priority>> = const { Cell::new(None) };
}

/// Returns the priority that this thread has chosen.
pub(super) fn chosen() -> Option<Priority> {
    CHOSEN.get()
}

/// Sets the priority of the calls that this thread makes: `urgent`, `bulk`, or `None` to choose by
/// length. Returns the one before.
#[pyfunction]
#[pyo3(signature = (name))]
pub(crate) fn choose_priority(
    py: Python<'_>,
    name: Option<&str>,
) -> PyResult<Option<&'static str>> {
    let priority = name.map(|name| parse::<Priority>(py, name)).transpose()?;
    Ok(CHOSEN.replace(priority).map(Priority::name))
}

/// Returns the priority that this thread has chosen, or `None`.
#[pyfunction]
pub(crate) fn chosen_priority() -> Option<&'static str> {
    chosen().map(Priority::name)
}
