//! The methods of a process group by which torch's Python functions make calls.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use pyo3::{ffi, intern};

use super::direct::{DirectCalls, Made};
use super::dispatch::Dispatch;

/// A method of torch's group that, where Python reads it, is netfold's.
///
/// C++ gets torch's own: it looks each method up in Python, while the frame that is running is in a
/// call, or there is no frame.
#[pyclass(name = "Method", module = "netfold._native", frozen)]
pub(crate) struct Method {
    /// torch's own method.
    torchs: Py<PyAny>,
    /// The function that makes calls, given a group.
    call: Py<PyAny>,
    /// Instructions by which Python reads an attribute.
    reads: Vec<u8>,
    /// The test of calls that may go straight to the communicator; `None` if none of this method
    /// may.
    dispatch: Option<Py<Dispatch>>,
}

#[pymethods]
impl Method {
    #[new]
    #[pyo3(signature = (torchs, call, *, reads, dispatch = None))]
    fn new(
        torchs: Py<PyAny>,
        call: Py<PyAny>,
        reads: Vec<u8>,
        dispatch: Option<Py<Dispatch>>,
    ) -> Self {
        Self { torchs, call, reads, dispatch }
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        group: &Bound<'py, PyAny>,
        owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let this = slf.get();
        if group.is_none() || !this.is_read(py)? {
            return this.torchs.bind(py).call_method1(intern!(py, "__get__"), (group, owner));
        }
        let bound = BoundMethod { method: slf.clone().unbind(), group: group.clone().unbind() };
        Ok(Bound::new(py, bound)?.into_any())
    }
}

impl Method {
    /// Returns whether an instruction of Python reads an attribute now.
    fn is_read(&self, py: Python<'_>) -> PyResult<bool> {
        let Some(frame) = running_frame(py) else { return Ok(false) };
        let at = frame.getattr(intern!(py, "f_lasti"))?.extract::<usize>()?;
        let code = frame.getattr(intern!(py, "f_code"))?.getattr(intern!(py, "co_code"))?;
        let instruction = code.cast::<PyBytes>()?.as_bytes().get(at).copied();
        Ok(instruction.is_some_and(|instruction| self.reads.contains(&instruction)))
    }
}

/// Returns the frame that is running in this thread; `None` in a thread of C++.
#[expect(unsafe_code, reason = "PyO3 has no name for it")]
fn running_frame(py: Python<'_>) -> Option<Bound<'_, PyAny>> {
    // SAFETY: the interpreter's lock is held, and the frame that is returned is borrowed.
    unsafe { Bound::from_borrowed_ptr_or_opt(py, ffi::PyEval_GetFrame().cast()) }
}

/// The method of one group.
#[pyclass(name = "BoundMethod", module = "netfold._native", frozen, freelist = 8)]
pub(crate) struct BoundMethod {
    method: Py<Method>,
    group: Py<PyAny>,
}

#[pymethods]
impl BoundMethod {
    #[pyo3(signature = (*arguments, **options))]
    fn __call__<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = arguments.py();
        let (method, group) = (self.method.get(), self.group.bind(py));
        if let (Some(dispatch), None) = (&method.dispatch, options) {
            let direct = group.getattr(intern!(py, "_direct"))?;
            let direct = direct.cast::<DirectCalls>()?;
            match direct.get().all_reduce(dispatch.get(), group, arguments)? {
                Made::Done => return Ok(py.None().into_bound(py)),
                Made::GoesOn(work) => return Ok(work),
                Made::Not => {}
            }
        }
        let mut all = vec![group.clone()];
        all.extend(arguments);
        method.call.bind(py).call(PyTuple::new(py, all)?, options)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.method)?;
        visit.call(&self.group)
    }
}
