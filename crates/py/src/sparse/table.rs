//! Tables of sparse models: the client of a worker, for Python.

use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use netfold_net::{Arithmetic, Token, Transport};
use netfold_sparse::{
    ElementType, Initialiser, Numbers, Optimizer, RowNumber, TableSpec, each_type, with_type,
};
use netfold_sparse_net::{
    Error, Member, Pull, ServerOptions, SwitchOptions, TableOptions, UdpSwitches, Waiting,
};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{exception, named};

/// Bytes of memory for the rows of a server in this process.
const SERVER_MEMORY_BYTES: u64 = 1 << 30;

/// A worker's client of a table; see `netfold.sparse.table`.
#[pyclass(name = "SparseTable", module = "netfold._native", frozen)]
pub(crate) struct PySparseTable {
    /// Closing it waits for calls of other threads.
    member: RwLock<Member>,
    width: usize,
    element_type: ElementType,
}

/// A pull on its way.
#[pyclass(name = "SparsePull", module = "netfold._native", frozen)]
pub(crate) struct PySparsePull {
    pull: Mutex<Option<Pull>>,
    lanes: usize,
    element_type: ElementType,
}

#[pymethods]
impl PySparseTable {
    /// Joins a table.
    #[new]
    #[pyo3(signature = (
        name, rows, width, rank, workers, *, switch, servers, hot_keys, optimizer, initialiser,
        seed, mode, staleness, max_age_ms, timeout, token, arithmetic = "native", scale = 0, element_type = "f32", transport = None, registers = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
    fn new(
        py: Python<'_>,
        name: String,
        rows: u64,
        width: u16,
        rank: u16,
        workers: u16,
        switch: Option<String>,
        servers: Vec<String>,
        hot_keys: Option<&Bound<'_, PyAny>>,
        optimizer: &Bound<'_, PyDict>,
        initialiser: &Bound<'_, PyDict>,
        seed: u64,
        mode: &str,
        staleness: Option<u32>,
        max_age_ms: u32,
        timeout: f64,
        token: Option<&str>,
        arithmetic: &str,
        scale: i32,
        element_type: &str,
        transport: Option<&str>,
        registers: Option<NonZeroU32>,
    ) -> PyResult<Self> {
        let wrong = |why: String| named(py, "ConfigurationError", why);
        let resident = match mode {
            "resident" => true,
            "drained" => false,
            other => {
                return Err(wrong(format!("mode is \"resident\" or \"drained\", not {other:?}")));
            }
        };
        let timeout = Duration::try_from_secs_f64(timeout)
            .map_err(|_| wrong(format!("a time-out is a number of seconds, not {timeout}")))?;
        let token = token.map(Token::new).transpose().map_err(|error| wrong(error.to_string()))?;
        let element_type: ElementType =
            element_type.parse().map_err(|error| wrong(format!("{error}")))?;
        let table = TableSpec {
            name,
            rows,
            width,
            element_type,
            optimizer: described::<Optimizer>(optimizer)?,
            initialiser: described::<Initialiser>(initialiser)?,
            seed,
            staleness,
            resident,
            max_age_ms,
        };
        let hot_keys = hot_keys.map(keys).transpose()?.unwrap_or_default();
        let arithmetic: Arithmetic =
            arithmetic.parse().map_err(|error| wrong(format!("{error}")))?;
        let transport: Option<Transport> =
            transport.map(str::parse).transpose().map_err(|error| wrong(format!("{error}")))?;
        let switch = switch.map(|address| SwitchOptions {
            address,
            arithmetic,
            scale,
            registers,
            transport,
        });
        let serve = ServerOptions {
            listen: String::new(),
            data: None,
            memory_bytes: SERVER_MEMORY_BYTES,
            token: token.clone(),
            switches: Arc::new(UdpSwitches),
        };
        let options = TableOptions { table, rank, workers, servers, hot_keys, token, timeout };
        let member = waited(py, |waiting| Member::open(options, switch.as_ref(), serve, waiting))?;
        Ok(Self { member: RwLock::new(member), width: width.into(), element_type })
    }

    /// Pushes gradients.
    fn push(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        rows: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (keys, rows) = (self::keys(keys)?, numbers(rows, self.element_type)?);
        let push = |waiting: Waiting<'_>| each_type!(Numbers, &rows, rows => self.member().table().push(&keys, rows, waiting));
        self.told(py, waited(py, push))
    }

    /// Pulls rows into `out`.
    #[pyo3(signature = (keys, out, step = None))]
    fn pull(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        out: &Bound<'_, PyAny>,
        step: Option<u32>,
    ) -> PyResult<()> {
        let pull = self.pull_async(py, keys, step)?;
        self.told(py, pull.wait(py, out))
    }

    /// Begins to pull rows.
    #[pyo3(signature = (keys, step = None))]
    fn pull_async(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        step: Option<u32>,
    ) -> PyResult<PySparsePull> {
        let keys = self::keys(keys)?;
        let pull =
            py.detach(|| self.member().table().pull(&keys, step)).map_err(|e| refused(py, &e))?;
        let (lanes, element_type) = (keys.len() * self.width, self.element_type);
        Ok(PySparsePull { pull: Mutex::new(Some(pull)), lanes, element_type })
    }

    /// Ends a step.
    fn end_step(&self, py: Python<'_>, step: u32) -> PyResult<()> {
        self.told(py, waited(py, |waiting| self.member().table().end_step(step, waiting)))
    }

    /// Changes the learning rate from the open step on.
    fn set_lr(&self, py: Python<'_>, lr: f64) -> PyResult<()> {
        py.detach(|| self.member().table().set_lr(lr)).map_err(|error| refused(py, &error))
    }

    /// Waits until all that was pushed is stored.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        self.told(py, waited(py, |waiting| self.member().table().flush(waiting)))
    }

    /// Makes these keys the hot ones.
    fn set_hot(&self, py: Python<'_>, keys: &Bound<'_, PyAny>) -> PyResult<()> {
        let keys = self::keys(keys)?;
        self.told(py, waited(py, |waiting| self.member().set_hot(&keys, waiting)))
    }

    /// Returns what each worker gives, by rank.
    fn exchange<'py>(&self, py: Python<'py>, own: Vec<u8>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let given = waited(py, |waiting| self.member().exchange(&own, waiting));
        Ok(self.told(py, given)?.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
    }

    /// Has the table go on at other servers.
    fn set_servers(&self, py: Python<'_>, servers: Vec<String>) -> PyResult<()> {
        self.told(py, waited(py, |waiting| self.member().set_servers(&servers, waiting)))
    }

    /// Replaces rows.
    fn set(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, PyAny>,
        rows: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (keys, rows) = (self::keys(keys)?, numbers(rows, self.element_type)?);
        waited(
            py,
            |waiting| each_type!(Numbers, &rows, rows => self.member().table().set(&keys, rows, waiting)),
        )
    }

    /// Returns the counters.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = py.detach(|| self.member().table().stats()).map_err(|e| refused(py, &e))?;
        let found = PyDict::new(py);
        for (name, count) in [
            ("updates", stats.updates),
            ("hot_updates", stats.hot_updates),
            ("pulled", stats.pulled),
            ("hot_pulled", stats.hot_pulled),
            ("switch_bytes", stats.switch_bytes),
            ("server_bytes", stats.server_bytes),
            ("saved_bytes", stats.saved_bytes),
            ("retransmissions", stats.retransmissions),
            ("recirculations", stats.recirculations),
            ("repeated_messages", stats.repeated_messages),
        ] {
            found.set_item(name, count)?;
        }
        found.set_item("at_switch", stats.at_switch)?;
        let servers = py.detach(|| self.member().table().servers()).map_err(|e| refused(py, &e))?;
        found.set_item("servers", servers)?;
        Ok(found)
    }

    /// Leaves in good order.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        waited(py, |waiting| {
            self.member.write().unwrap_or_else(PoisonError::into_inner).close(waiting)
        })
    }
}

impl PySparseTable {
    /// Hands what the table warns of to Python's log.
    fn told<R>(&self, py: Python<'_>, outcome: PyResult<R>) -> PyResult<R> {
        let warnings = self.member().table().take_warnings();
        if !warnings.is_empty() {
            let logger = py.import("logging")?.call_method1("getLogger", ("netfold",))?;
            for warning in warnings {
                logger.call_method1("warning", ("%s", warning))?;
            }
        }
        outcome
    }

    fn member(&self) -> RwLockReadGuard<'_, Member> {
        self.member.read().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PySparsePull {
    /// Waits for the rows and writes them to `out`.
    fn wait(&self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let waited = with_type!(self.element_type, T => self.wait_as::<T>(py, out));
        waited.unwrap_or_else(|| Err(no_rows(py, self.element_type)))
    }
}

impl PySparsePull {
    fn wait_as<T: RowNumber + pyo3::buffer::Element>(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let out = PyBuffer::<T>::get(out)?;
        let Some(pull) = lock(&self.pull).take() else {
            let why = "the rows of a pull can be taken once; pull again";
            return Err(named(py, "ConfigurationError", why.into()));
        };
        if out.item_count() != self.lanes {
            let why = format!(
                "the rows have {} numbers, and out has room for {}",
                self.lanes,
                out.item_count()
            );
            return Err(named(py, "ConfigurationError", why));
        }
        let mut rows = vec![T::default(); self.lanes];
        waited(py, |waiting| pull.wait(&mut rows, waiting))?;
        out.copy_from_slice(py, &rows)
    }
}

/// Carries out what may wait, without the interpreter's lock; signals end it.
fn waited<R: Send>(
    py: Python<'_>,
    carry_out: impl FnOnce(Waiting<'_>) -> Result<R, Error> + Send,
) -> PyResult<R> {
    let mut interrupt = None;
    let result = py.detach(|| {
        carry_out(&mut || match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                interrupt = Some(error);
                ControlFlow::Break(())
            }
        })
    });
    match interrupt {
        Some(error) => Err(error),
        None => result.map_err(|error| refused(py, &error)),
    }
}

/// The exception for an error.
fn refused(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error {
        Error::Job(error) => return exception(py, error),
        Error::Forked { .. } => "ForkedError",
        Error::Input(_) | Error::Refused { .. } => "ConfigurationError",
        Error::Timeout { .. } => "CallTimeoutError",
        Error::NoServer { .. } => "JoinError",
        Error::ServerLost { .. } | Error::RowsLost { .. } => "ServerLostError",
        _ => "NetfoldError",
    };
    let exception = named(py, class, error.to_string());
    if let Error::ServerLost { address, .. } | Error::RowsLost { address } = error
        && let Err(error) = exception.value(py).setattr("address", address)
    {
        return error;
    }
    exception
}

/// Reads options from a dictionary with a name.
fn described<T: serde::de::DeserializeOwned>(options: &Bound<'_, PyDict>) -> PyResult<T> {
    let py = options.py();
    let text: String = py.import("json")?.call_method1("dumps", (options,))?.extract()?;
    serde_json::from_str(&text)
        .map_err(|error| named(py, "ConfigurationError", format!("{text}: {error}")))
}

/// Reads keys from an array of integers of 64 bits, or of 32 without a sign.
fn keys(array: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let py = array.py();
    if let Ok(keys) = PyBuffer::<u32>::get(array) {
        return keys.to_vec(py);
    }
    let keys = PyBuffer::<i64>::get(array)?.to_vec(py)?;
    let small = |key: i64| {
        let why = || format!("key {key} is no row; keys are from 0 to 2^32 - 1");
        u32::try_from(key).map_err(|_| named(py, "KeyRangeError", why()))
    };
    keys.into_iter().map(small).collect()
}

/// Reads numbers of rows of a type.
fn numbers(array: &Bound<'_, PyAny>, element_type: ElementType) -> PyResult<Numbers> {
    let py = array.py();
    let read = with_type!(element_type, T => {
        PyBuffer::<T>::get(array).and_then(|numbers| Ok(Numbers::from(numbers.to_vec(py)?)))
    });
    read.unwrap_or_else(|| Err(no_rows(py, element_type)))
}

fn no_rows(py: Python<'_>, element_type: ElementType) -> PyErr {
    let why = format!("a table has no rows of {element_type}");
    named(py, "ConfigurationError", why)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
