//! Progress of a trainer, between Python and the engine.

use netfold_glm::Progress;
use pyo3::prelude::*;

/// A mapping with exactly these keys; `python/netfold/_native.pyi` has their types, too.
#[derive(Clone, Copy, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Counted {
    steps: u64,
    epochs: u64,
    orders: u64,
    /// State of an adaptive rate: eta0, and what is left of it.
    adaptive: Option<(f64, f64)>,
}

impl From<Progress> for Counted {
    fn from(Progress { steps, epochs, orders, adaptive }: Progress) -> Self {
        Self { steps, epochs, orders, adaptive }
    }
}

impl From<Counted> for Progress {
    fn from(Counted { steps, epochs, orders, adaptive }: Counted) -> Self {
        Self { steps, epochs, orders, adaptive }
    }
}
