//! Tables of sparse models, and packets of hot keys (R-HOT-7) for those who study them.

mod table;

use std::num::{NonZeroU32, NonZeroUsize};

use netfold_worker::keyed::{Layout, Packer};
use pyo3::prelude::*;

use crate::errors::named;
pub(crate) use table::{PySparsePull, PySparseTable};

/// Distributes a batch of hot keys over packets; returns the positions of each packet's keys in the
/// batch.
#[pyfunction]
pub(crate) fn pack_keys(
    py: Python<'_>,
    ranks: Vec<u32>,
    registers: u32,
    capacity: usize,
) -> PyResult<Vec<Vec<u32>>> {
    let (Some(registers), Some(capacity)) =
        (NonZeroU32::new(registers), NonZeroUsize::new(capacity))
    else {
        let message = "a pipeline has at least 1 register, and a packet room for at least 1 key";
        return Err(named(py, "ConfigurationError", message.into()));
    };
    Ok(py.detach(|| Packer::new(Layout::new(registers), capacity).pack(&ranks).to_vec()))
}
