//! Synchronous calls of one group that reach the communicator from torch's own Python functions.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use netfold_net::{Call, CallId, Collective, ElementType, Reduction};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::dispatch::Dispatch;
use super::priority::chosen;
use super::tensor::DataType;
use crate::communicator::{MOMENT, PyCommunicator, SIGNAL_INTERVAL, parse, reduction, seconds};
use crate::errors::exception;

/// A group's calls as far as no work of Python stands for them: their way to the communicator, and
/// the counts of all.
#[pyclass(name = "DirectCalls", module = "netfold._native", frozen)]
pub(crate) struct DirectCalls {
    communicator: OnceLock<Py<PyCommunicator>>,
    /// The group takes no more calls; Python raises why.
    refuses: AtomicBool,
    /// Calls that the group has made.
    sequence: AtomicU64,
    /// Kinds of fold that Python has said the job's switch carries out.
    kinds: Mutex<Arc<[Kind]>>,
    running: Mutex<Running>,
    idle: Condvar,
}

/// Callers that have not returned.
#[derive(Default)]
struct Running {
    callers: usize,
    /// Threads that wait for the last of them to return. A notification costs a system call even if
    /// no thread waits.
    waiting: usize,
}

/// A kind of fold, by what torch calls it.
struct Kind {
    /// The plain operation, with which torch's objects around one are compared fast.
    operation: Py<PyAny>,
    data_type: DataType,
    reduction: Reduction,
    element_type: ElementType,
}

/// The outcome of an attempt to make a call.
pub(super) enum Made<'py> {
    /// It is done.
    Done,
    /// It was begun and Python has waited for it; the value is what Python returned.
    GoesOn(Bound<'py, PyAny>),
    /// It is not a call that goes this way. Nothing has happened.
    Not,
}

#[pymethods]
impl DirectCalls {
    #[new]
    fn new() -> Self {
        Self {
            communicator: OnceLock::new(),
            refuses: AtomicBool::new(false),
            sequence: AtomicU64::new(0),
            kinds: Mutex::new(Arc::new([])),
            running: Mutex::default(),
            idle: Condvar::new(),
        }
    }

    /// Has calls go to this communicator from now on.
    fn open(&self, communicator: Py<PyCommunicator>) {
        // The first one stays.
        let _ = self.communicator.set(communicator);
    }

    /// Has no more calls go to the communicator.
    fn refuse(&self) {
        self.refuses.store(true, Ordering::SeqCst);
    }

    #[getter]
    fn sequence(&self) -> u64 {
        self.sequence.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_sequence(&self, sequence: u64) {
        self.sequence.store(sequence, Ordering::Relaxed);
    }

    /// Notes that a caller is in a call; `leave` follows.
    fn enter(&self) {
        lock(&self.running).callers += 1;
    }

    /// Notes that a caller returns from its call.
    fn leave(&self) {
        let mut running = lock(&self.running);
        running.callers -= 1;
        if running.callers == 0 && running.waiting > 0 {
            self.idle.notify_all();
        }
    }

    /// Waits until no caller is in a call, at most for `limit` seconds. Returns whether none is.
    fn wait_until_idle(&self, py: Python<'_>, limit: f64) -> PyResult<bool> {
        let (start, limit) = (Instant::now(), seconds(py, limit)?);
        loop {
            let left = limit.saturating_sub(start.elapsed());
            let idle = py.detach(|| self.wait_idle(left.min(SIGNAL_INTERVAL)));
            if idle || left.is_zero() {
                return Ok(idle);
            }
            py.check_signals()?;
        }
    }
}

impl DirectCalls {
    /// Makes an all-reduce if its arguments are those of a synchronous one, in place on one tensor,
    /// that nothing but the backend has to see.
    pub(super) fn all_reduce<'py>(
        &self,
        dispatch: &Dispatch,
        group: &Bound<'py, PyAny>,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<Made<'py>> {
        let py = group.py();
        let open = self.communicator.get().filter(|_| !self.refuses.load(Ordering::Relaxed));
        let (Some(communicator), 2) = (open, arguments.len()) else { return Ok(Made::Not) };
        let (tensors, options) = (arguments.get_item(0)?, arguments.get_item(1)?);
        let Ok(tensors) = tensors.cast_exact::<PyList>() else { return Ok(Made::Not) };
        if tensors.len() != 1
            || options.getattr(intern!(py, "asyncOp"))?.is_truthy()?
            || !dispatch.goes_past([tensors.as_any().clone()], &options)?
        {
            return Ok(Made::Not);
        }
        // Held until the call is done, whatever becomes of the list.
        let tensor = tensors.get_item(0)?;
        let Some(elements) = dispatch.elements(&tensor) else { return Ok(Made::Not) };
        let reduce_op = options.getattr(intern!(py, "reduceOp"))?;
        let kind = self.kind(group, &tensor, &reduce_op, elements.data_type)?;
        let Some((reduction, element_type)) = kind else { return Ok(Made::Not) };
        let call = Call {
            collective: Collective::AllReduce,
            reduction,
            element_type,
            elements: elements.count,
            priority: chosen(),
        };
        let communicator = communicator.get();
        let memory = communicator.memory(py, call, elements.address, elements.address, None)?;
        let caller = Caller::enters(self);
        self.sequence.fetch_add(1, Ordering::Relaxed);
        let tried = py.detach(|| communicator.communicator.attempt(call, memory, MOMENT));
        let made = match tried.map_err(|error| exception(py, &error))? {
            None => Made::Done,
            Some(id) => Made::GoesOn(go_on(communicator, id, group, &tensor, &options)?),
        };
        drop(caller);
        Ok(made)
    }

    /// Returns what a call folds; `None` if the job's switch does not carry it out. Python decides
    /// it, once.
    fn kind(
        &self,
        group: &Bound<'_, PyAny>,
        tensor: &Bound<'_, PyAny>,
        reduce_op: &Bound<'_, PyAny>,
        data_type: DataType,
    ) -> PyResult<Option<(Reduction, ElementType)>> {
        let py = group.py();
        // Not under the lock: comparing may run Python.
        let known = lock(&self.kinds).clone();
        for kind in known.iter().filter(|kind| kind.data_type == data_type) {
            if reduce_op.eq(&kind.operation)? {
                return Ok(Some((kind.reduction, kind.element_type)));
            }
        }
        let said = group
            .getattr(intern!(py, "_netfold"))?
            .call_method1(intern!(py, "_kind"), (tensor, reduce_op))?;
        if said.getattr(intern!(py, "refusal"))?.is_truthy()? {
            return Ok(None);
        }
        let (name, element_type): (String, String) =
            said.getattr(intern!(py, "names"))?.extract()?;
        let (reduction, element_type) =
            (reduction(py, &name)?, parse::<ElementType>(py, &element_type)?);
        let plain = reduce_op.getattr(intern!(py, "op"))?.unbind();
        let kind = Kind { operation: plain, data_type, reduction, element_type };
        let mut kinds = lock(&self.kinds);
        let more = kinds.iter().map(|kind| kind.clone_ref(py)).chain([kind]).collect();
        *kinds = more;
        Ok(Some((reduction, element_type)))
    }

    fn wait_idle(&self, limit: Duration) -> bool {
        let mut running = lock(&self.running);
        running.waiting += 1;
        let waited = self.idle.wait_timeout_while(running, limit, |running| running.callers > 0);
        let mut running = waited.unwrap_or_else(PoisonError::into_inner).0;
        running.waiting -= 1;
        running.callers == 0
    }
}

impl Kind {
    fn clone_ref(&self, py: Python<'_>) -> Self {
        Self { operation: self.operation.clone_ref(py), ..*self }
    }
}

/// A caller that is in a call.
struct Caller<'a>(&'a DirectCalls);

impl<'a> Caller<'a> {
    fn enters(calls: &'a DirectCalls) -> Self {
        calls.enter();
        Self(calls)
    }
}

impl Drop for Caller<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Has Python wait for a call that takes longer than a moment, and keep its memory.
fn go_on<'py>(
    communicator: &PyCommunicator,
    id: CallId,
    group: &Bound<'py, PyAny>,
    tensor: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = group.py();
    // Raised here, a signal's exception would find nobody who knows the call.
    let interrupt = py.check_signals().err().map(|error| error.into_value(py));
    let begun = PyList::new(py, [id.0])?;
    let returned = group.getattr(intern!(py, "_netfold")).and_then(|backend| {
        backend.call_method1(intern!(py, "go_on"), (&begun, tensor, options, interrupt))
    });
    if returned.is_err() && !begun.is_empty() && !communicator.communicator.test(id) {
        // Python has not come to know the call, whose memory may be freed when this returns.
        py.detach(|| communicator.communicator.close());
    }
    returned
}

/// Locks `mutex`, poisoned or not. Guarded data is whole between any two statements that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
