//! Calls that nothing but the backend has to see.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple, PyType};

use super::tensor::{Elements, Exchange};

/// The test whether a call may bypass torch's dispatcher, made of what torch tells.
#[pyclass(name = "Dispatch", module = "netfold._native", frozen)]
pub(crate) struct Dispatch {
    watchers: Vec<Py<PyAny>>,
    keys_of: Py<PyAny>,
    plain_keys: Vec<u64>,
    tensors: Vec<Py<PyType>>,
    options: Vec<Py<PyType>>,
    exchange: Option<Exchange>,
}

#[pymethods]
impl Dispatch {
    #[new]
    #[pyo3(signature = (*, watchers, keys_of, plain_keys, tensors, options, exchange))]
    fn new(
        watchers: Vec<Py<PyAny>>,
        keys_of: Py<PyAny>,
        plain_keys: Vec<u64>,
        tensors: Vec<Py<PyType>>,
        options: Vec<Py<PyType>>,
        exchange: &Bound<'_, PyCapsule>,
    ) -> PyResult<Self> {
        let exchange = Exchange::of(exchange)?;
        Ok(Self { watchers, keys_of, plain_keys, tensors, options, exchange })
    }

    /// Returns torch's options of a call that nothing but the backend has to see; `None` if
    /// something has, or may have.
    fn past<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        options: &Bound<'py, PyDict>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = arguments.py();
        let (tensors, last) = if options.is_empty() {
            let Some(tensors) = arguments.len().checked_sub(1) else { return Ok(None) };
            (arguments.get_slice(0, tensors), arguments.get_item(tensors)?)
        } else {
            match options.get_item(intern!(py, "opts"))? {
                Some(last) if options.len() == 1 => (arguments.clone(), last),
                _ => return Ok(None),
            }
        };
        let goes_past = self.goes_past(tensors.iter(), &last)?;
        Ok(goes_past.then_some(last))
    }
}

impl Dispatch {
    /// Returns whether nothing but the backend has to see a call with these tensors, or lists of
    /// tensors, and options.
    pub(super) fn goes_past<'py>(
        &self,
        tensors: impl IntoIterator<Item = Bound<'py, PyAny>>,
        options: &Bound<'py, PyAny>,
    ) -> PyResult<bool> {
        if !is_one_of(options, &self.options) || self.is_watched(options.py())? {
            return Ok(false);
        }
        for tensor in tensors {
            if !self.is_plain(&tensor)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether something in torch wants to see calls.
    fn is_watched(&self, py: Python<'_>) -> PyResult<bool> {
        for watcher in &self.watchers {
            if watcher.bind(py).call0()?.is_truthy()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether this is a tensor in main memory, outside of autograd and transforms, or a
    /// list of such.
    fn is_plain(&self, argument: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = argument.py();
        if let Ok(list) = argument.cast_exact::<PyList>() {
            for item in list {
                if !self.is_plain(&item)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if !is_one_of(argument, &self.tensors)
            || argument.getattr(intern!(py, "requires_grad"))?.is_truthy()?
        {
            return Ok(false);
        }
        let keys = self.keys_of.bind(py).call1((argument,))?;
        let keys = keys.call_method0(intern!(py, "raw_repr"))?.extract::<u64>()?;
        Ok(self.plain_keys.contains(&keys))
    }

    /// Returns the elements of a plain tensor if they lie one after the other in main memory.
    pub(super) fn elements(&self, tensor: &Bound<'_, PyAny>) -> Option<Elements> {
        self.exchange.as_ref()?.elements(tensor)
    }
}

fn is_one_of(object: &Bound<'_, PyAny>, types: &[Py<PyType>]) -> bool {
    types.iter().any(|known| object.get_type_ptr().cast() == known.as_ptr())
}
