//! A worker of a job, for Python.

use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use netfold_net::fused::{Fused, Part, Stage, Step};
use netfold_net::{
    Arithmetic, ByteOrder, Call, CallId, CallMemory, ClientError, Collective, Communicator,
    CoreList, ElementType, Error, Failure, IntegrityKind, JoinRequest, Lengths, Limits, Number,
    Operation, Operations, Outcome, Overflow, Priority, Protocol, Reduction, Refusal, Reminder,
    Stats, Token, Transport, Waiting, WorkerId,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{exception, named};

/// Interval at which a wait looks whether the user has pressed Ctrl-C.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(100);

/// Longest time that a call is carried out at once, before anybody looks for signals.
pub(crate) const MOMENT: Duration = Duration::from_millis(1);

/// A worker's place in a job. Every method may be called from any thread.
#[pyclass(name = "Communicator", module = "netfold._native", frozen)]
pub(crate) struct PyCommunicator {
    pub(crate) communicator: Arc<Communicator>,
}

#[pymethods]
impl PyCommunicator {
    #[new]
    #[pyo3(signature = (*, switch, job, rank, size, arithmetic = "block", byte_order = "little", overflow = "error", protocol = "shadow", token = None, timeout = 10.0,
                        packet_elements = None, slots = None, weight = None, integrity = None, transport = None, pin = None,
                        resumable = false, elastic = false, operations = vec![], on_waiting = None, given_up = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        switch: &str,
        job: &str,
        rank: &Bound<'_, PyAny>,
        size: &Bound<'_, PyAny>,
        arithmetic: &str,
        byte_order: &str,
        overflow: &str,
        protocol: &str,
        token: Option<&str>,
        timeout: f64,
        packet_elements: Option<&Bound<'_, PyAny>>,
        slots: Option<&Bound<'_, PyAny>>,
        weight: Option<&Bound<'_, PyAny>>,
        integrity: Option<&str>,
        transport: Option<&str>,
        pin: Option<&str>,
        resumable: bool,
        elastic: bool,
        operations: Vec<Bound<'_, PyAny>>,
        on_waiting: Option<Py<PyAny>>,
        given_up: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let (rank, size) = (count(Number::Rank, rank)?, count(Number::Size, size)?);
        let mut request = JoinRequest::new(job, rank, size);
        request.terms.arithmetic = parse::<Arithmetic>(py, arithmetic)?;
        request.terms.overflow = parse::<Overflow>(py, overflow)?;
        request.terms.byte_order = parse::<ByteOrder>(py, byte_order)?;
        request.terms.protocol = parse::<Protocol>(py, protocol)?;
        request.terms.integrity =
            integrity.map(|name| parse::<IntegrityKind>(py, name)).transpose()?;
        request.token =
            token.map(Token::new).transpose().map_err(|error| configuration(py, &error))?;
        request.timeout = Duration::try_from_secs_f64(timeout)
            .map_err(|_| not_allowed(py, Number::Timeout, format_args!("{timeout:?}")))?;
        request.packet_elements =
            packet_elements.map(|asked| count(Number::PacketElements, asked)).transpose()?;
        request.slots = slots.map(|asked| count(Number::Slots, asked)).transpose()?;
        request.terms.weight = weight.map_or(Ok(1), |asked| count(Number::Weight, asked))?;
        request.transport = transport.map(|name| parse::<Transport>(py, name)).transpose()?;
        request.terms.resumable = resumable;
        request.terms.elastic = elastic;
        request.operations = brought(py, &operations)?;
        let pin = pin.map(|cores| parse::<CoreList>(py, cores)).transpose()?;
        join(py, on_waiting, given_up, |waiting| {
            Communicator::connect_on(pin.as_ref(), switch, request.clone(), waiting).map(Arc::new)
        })
    }

    /// Joins a job of the workers with these ranks, and waits until all of them have. Ranks there
    /// are places in the list. `label` tells apart jobs of the same ranks.
    #[pyo3(signature = (ranks, label = "", *, timeout = None, on_waiting = None, given_up = None))]
    fn subgroup(
        &self,
        py: Python<'_>,
        ranks: Vec<u16>,
        label: &str,
        timeout: Option<f64>,
        on_waiting: Option<Py<PyAny>>,
        given_up: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let timeout = timeout.map(|timeout| seconds(py, timeout)).transpose()?;
        join(py, on_waiting, given_up, |waiting| {
            self.communicator.subgroup(&ranks, label, timeout, waiting).map(Arc::new)
        })
    }

    /// Joins a job of the same workers that may fold by these operations of users, and waits until
    /// all of them have.
    #[pyo3(signature = (operations, *, timeout = None, on_waiting = None, given_up = None))]
    fn with_operations(
        &self,
        py: Python<'_>,
        operations: Vec<Bound<'_, PyAny>>,
        timeout: Option<f64>,
        on_waiting: Option<Py<PyAny>>,
        given_up: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let operations = brought(py, &operations)?;
        let timeout = timeout.map(|timeout| seconds(py, timeout)).transpose()?;
        join(py, on_waiting, given_up, |waiting| {
            self.communicator.with_operations(operations.clone(), timeout, waiting).map(Arc::new)
        })
    }

    /// Returns the communicator of messages between `ends`: the sender's rank, the receiver's, and
    /// a tag. The first call joins its job, and waits until the other worker has.
    #[pyo3(signature = (ends, *, timeout = None, on_waiting = None, given_up = None))]
    fn channel(
        &self,
        py: Python<'_>,
        ends: (u16, u16, u32),
        timeout: Option<f64>,
        on_waiting: Option<Py<PyAny>>,
        given_up: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let timeout = timeout.map(|timeout| seconds(py, timeout)).transpose()?;
        join(py, on_waiting, given_up, |waiting| {
            self.communicator.channel(ends.0, ends.1, ends.2, timeout, waiting)
        })
    }

    #[getter]
    fn rank(&self) -> u16 {
        self.communicator.rank()
    }

    #[getter]
    fn size(&self) -> u16 {
        self.communicator.size()
    }

    /// Begins a call and returns its ticket.
    ///
    /// `input` and `output` are addresses; the memory must stay valid and untouched until the call
    /// is done. For the collective `elsewhere`, `op` is the description of the call, and `input`
    /// the address of the same text in UTF-8. `lengths` are those of the call's parts where these
    /// differ; `elements` is not used then. With `waits`, the caller must next `wait` for the
    /// ticket or `watch` it: no other thread is woken. `priority` is `urgent`, `bulk`, or `None` to
    /// choose by length.
    #[pyo3(signature = (collective, op, dtype, root, elements, input, output, lengths = None, *, waits = false, priority = None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "one call into the native module is all that a collective costs"
    )]
    fn submit(
        &self,
        py: Python<'_>,
        collective: &str,
        op: &str,
        dtype: &str,
        root: u16,
        elements: u64,
        input: usize,
        output: usize,
        lengths: Option<Vec<u64>>,
        waits: bool,
        priority: Option<&str>,
    ) -> PyResult<u64> {
        let call =
            prioritised(py, self.call(py, collective, op, dtype, root, elements)?, priority)?;
        let memory = self.memory(py, call, input, output, lengths.map(Lengths::from))?;
        let submitted = py.detach(|| match waits {
            true => self.communicator.begin(call, memory),
            false => self.communicator.submit(call, memory, true),
        });
        submitted.map(|id| id.0).map_err(|error| exception(py, &error))
    }

    /// Begins a call as `submit` does with `waits`, and completes it if that takes only a moment.
    ///
    /// Appends `None` to the list `begun` if the call is done and has succeeded, its ticket if it
    /// is not done, and nothing if it has not begun. The list tells so even if a signal handler
    /// raises when this returns.
    #[pyo3(signature = (begun, collective, op, dtype, root, elements, input, output, lengths = None, *, priority = None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "one call into the native module is all that a collective costs"
    )]
    fn attempt(
        &self,
        py: Python<'_>,
        begun: &Bound<'_, PyList>,
        collective: &str,
        op: &str,
        dtype: &str,
        root: u16,
        elements: u64,
        input: usize,
        output: usize,
        lengths: Option<Vec<u64>>,
        priority: Option<&str>,
    ) -> PyResult<()> {
        let call =
            prioritised(py, self.call(py, collective, op, dtype, root, elements)?, priority)?;
        let memory = self.memory(py, call, input, output, lengths.map(Lengths::from))?;
        let tried = py.detach(|| self.communicator.attempt(call, memory, MOMENT));
        begun.append(tried.map_err(|error| exception(py, &error))?.map(|id| id.0))
    }

    /// Makes a call and waits until it is done, for at most `timeout` seconds if one is given.
    ///
    /// Any error but `RegroupedError` closes the communicator, so that the memory is free again.
    #[pyo3(signature = (collective, op, dtype, root, elements, input, output, lengths = None, *, timeout = None, priority = None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "one call into the native module is all that a collective costs"
    )]
    fn run(
        &self,
        py: Python<'_>,
        collective: &str,
        op: &str,
        dtype: &str,
        root: u16,
        elements: u64,
        input: usize,
        output: usize,
        lengths: Option<Vec<u64>>,
        timeout: Option<f64>,
        priority: Option<&str>,
    ) -> PyResult<()> {
        let call =
            prioritised(py, self.call(py, collective, op, dtype, root, elements)?, priority)?;
        let memory = self.memory(py, call, input, output, lengths.map(Lengths::from))?;
        let timeout = timeout.map(|timeout| seconds(py, timeout)).transpose()?;
        let (start, step) = (Instant::now(), timeout.map_or(MOMENT, |timeout| timeout.min(MOMENT)));
        let tried = py.detach(|| self.communicator.attempt(call, memory, step));
        let Some(id) = tried.map_err(|error| exception(py, &error))? else { return Ok(()) };
        let outcome = self.outcome(py, id, start, timeout);
        if !matches!(outcome, Ok(Ok(()) | Err(Error::Regrouped { .. }))) {
            self.close(py);
        }
        self.communicator.forget(id);
        outcome?.map_err(|error| exception(py, &error))
    }

    /// Plans a chain of stages, each a name, an operation, a root and whether its result is kept.
    /// Returns the calls that take its place: their collectives, the stages whose operations they
    /// fold by and the inputs that they take; the results: the stages that give them, the calls
    /// that have them, which parts of their outputs they are, and a root; and the number of inputs.
    fn fused(&self, py: Python<'_>, stages: Vec<GivenStage>) -> PyResult<PlannedChain> {
        let stages = stages.into_iter().map(|(name, op, root, keep)| {
            let step = Step::named(&name, self.fold(py, &op)?, root.map(WorkerId));
            let step = step.ok_or_else(|| {
                named(py, "UnsupportedError", format!("netfold has no collective {name:?}"))
            })?;
            Ok(Stage { step, keep })
        });
        let stages = stages.collect::<PyResult<Vec<_>>>()?;
        let plan = Fused::new(&stages, self.communicator.size())
            .map_err(|error| named(py, "UnsupportedError", error.to_string()))?;
        let calls = plan.calls().iter().map(|of| (of.collective.name(), of.fold, of.input));
        let results = plan.results().iter().map(|result| {
            let (part, root) = match result.part {
                Part::Whole => ("whole", 0),
                Part::Own => ("own", 0),
                Part::Total => ("total", 0),
                Part::Prefix => ("prefix", 0),
                Part::AtRoot(root) => ("root", root.0),
            };
            (result.stage, result.call, part, root)
        });
        Ok((calls.collect(), results.collect(), plan.inputs()))
    }

    /// Continues a call without its caller; `next_completion` reports its end.
    fn watch(&self, py: Python<'_>, ticket: u64) {
        py.detach(|| self.communicator.watch(CallId(ticket)));
    }

    /// Waits until a call is done, and raises its error. After `timeout` seconds the call and the
    /// communicator are given up, and `CallTimeoutError` is raised.
    #[pyo3(signature = (ticket, timeout = None))]
    fn wait(&self, py: Python<'_>, ticket: u64, timeout: Option<f64>) -> PyResult<()> {
        let timeout = timeout.map(|timeout| seconds(py, timeout)).transpose()?;
        self.outcome(py, CallId(ticket), Instant::now(), timeout)?
            .map_err(|error| exception(py, &error))
    }

    /// Returns whether a call is done, with or without an error.
    fn test(&self, ticket: u64) -> bool {
        self.communicator.test(CallId(ticket))
    }

    /// Returns the next call that is done: its ticket, and its error or `None`. Returns `None`
    /// after `timeout` seconds, or at once when the communicator is closed.
    fn next_completion(
        &self,
        py: Python<'_>,
        timeout: f64,
    ) -> PyResult<Option<(u64, Option<PyErr>)>> {
        let timeout = seconds(py, timeout)?;
        let completion: Option<(CallId, Outcome)> =
            py.detach(|| self.communicator.next_completion(timeout));
        Ok(completion.map(|(id, outcome)| (id.0, outcome.err().map(|error| exception(py, &error)))))
    }

    /// Frees a ticket, which must not be used again.
    fn forget(&self, ticket: u64) {
        self.communicator.forget(CallId(ticket));
    }

    /// Returns this worker's counters since it joined, and the parameters agreed with the switch.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        dictionary(
            py,
            &py.detach(|| self.communicator.stats()).map_err(|error| exception(py, &error))?,
        )
    }

    /// Returns the rank whose loss has ended the job, and the error that reports it; `None` if the
    /// job has not ended so.
    fn lost(&self, py: Python<'_>) -> PyResult<Option<(u16, PyErr)>> {
        let ended =
            py.detach(|| self.communicator.ended()).map_err(|error| exception(py, &error))?;
        Ok(ended.and_then(|error| match error {
            Error::Failed(Failure::WorkerLost { rank, .. }) => Some((rank, exception(py, &error))),
            _ => None,
        }))
    }

    /// Leaves the job. A second call does nothing.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.communicator.close());
    }
}

impl PyCommunicator {
    /// The memory of a call, at two addresses, with parts of these lengths if they differ.
    pub(crate) fn memory(
        &self,
        py: Python<'_>,
        call: Call,
        input: usize,
        output: usize,
        lengths: Option<Lengths>,
    ) -> PyResult<CallMemory> {
        let plan = self.communicator.plan(call, lengths.clone());
        let plan = plan.map_err(|error| exception(py, &error))?;
        let (input_bytes, output_bytes) = CallMemory::bytes_of(&plan);
        // SAFETY: the Python layer passes addresses of memory that is as large as the call needs
        // (`netfold/communicator.py`, `netfold/torch/outstanding.py`), and keeps it alive and
        // untouched until the call is done.
        let memory = unsafe {
            CallMemory::from_raw(
                std::ptr::with_exposed_provenance(input),
                input_bytes as usize,
                std::ptr::with_exposed_provenance_mut(output),
                output_bytes as usize,
            )
        };
        Ok(match lengths {
            Some(lengths) => memory.with_lengths(lengths),
            None => memory,
        })
    }

    /// Waits for a call that was begun at `start`, and looks at intervals whether a signal's
    /// handler raises.
    fn outcome(
        &self,
        py: Python<'_>,
        id: CallId,
        start: Instant,
        timeout: Option<Duration>,
    ) -> PyResult<Outcome> {
        loop {
            let left = timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
            let step = left.map_or(SIGNAL_INTERVAL, |left| left.min(SIGNAL_INTERVAL));
            let mut done = py.detach(|| self.communicator.poll(id, Some(step)));
            if done.is_none() && left.is_some_and(|left| left <= step) {
                done = Some(py.detach(|| self.communicator.give_up(id, start.elapsed())));
            }
            if let Some(outcome) = done {
                return Ok(outcome);
            }
            py.check_signals()?;
        }
    }
}

/// Joins a job by `connect`, and tells `on_waiting` at intervals who is missing. Ends when
/// `given_up` says so, or when a signal's handler raises.
fn join(
    py: Python<'_>,
    on_waiting: Option<Py<PyAny>>,
    given_up: Option<Py<PyAny>>,
    connect: impl Fn(&mut dyn FnMut(&Waiting) -> ControlFlow<()>) -> Result<Arc<Communicator>, Error>
    + Sync,
) -> PyResult<PyCommunicator> {
    let mut interrupted = None;
    let (start, mut reminder) = (Instant::now(), Reminder::default());
    let mut waiting = |now: &Waiting| {
        let told = on_waiting.as_ref().filter(|_| reminder.is_due(start.elapsed(), now));
        let heeded = Python::attach(|py| {
            py.check_signals()?;
            told.map_or(Ok(()), |told| told.call1(py, (now.to_string(),)).map(drop))?;
            given_up.as_ref().map_or(Ok(false), |given_up| given_up.call0(py)?.extract(py))
        });
        match heeded {
            Ok(false) => ControlFlow::Continue(()),
            Ok(true) => ControlFlow::Break(()),
            Err(error) => {
                interrupted = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let joined = py.detach(|| {
        loop {
            let joined = connect(&mut waiting);
            if given_up.is_none() || !joined.as_ref().is_err_and(others_are_missing) {
                return joined;
            }
        }
    });
    match (joined, interrupted) {
        (_, Some(error)) => Err(error),
        (joined, None) => {
            Ok(PyCommunicator { communicator: joined.map_err(|error| exception(py, &error))? })
        }
    }
}

/// Returns the totals of a worker, and the parameters that it has agreed on, by name.
pub(crate) fn dictionary<'py>(py: Python<'py>, stats: &Stats) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, total) in stats.counters.iter() {
        dict.set_item(name, total)?;
    }
    dict.set_item("send_calls", stats.send_calls)?;
    dict.set_item("receive_calls", stats.receive_calls)?;
    dict.set_item("rtt_us", stats.srtt_us)?;
    dict.set_item("rto_us", stats.rto_us)?;
    dict.set_item("window", stats.window)?;
    dict.set_item("workers", stats.workers)?;
    dict.set_item("flows", stats.flows)?;
    dict.set_item("transport", stats.transport.name())?;
    dict.set_item("slots", stats.slots)?;
    dict.set_item("host_workers", stats.host_workers)?;
    dict.set_item("urgent_slots", stats.urgent_slots)?;
    dict.set_item("long_slots", stats.long_slots)?;
    dict.set_item("exchange_slots", stats.exchange_slots)?;
    dict.set_item("payload_bytes", stats.payload_bytes)?;
    dict.set_item("packet_elements", stats.payload_bytes / 4)?;
    dict.set_item("gso", stats.segmentation)?;
    Ok(dict)
}

/// Returns whether the switch has waited for the others of a job as long as it does.
fn others_are_missing(error: &Error) -> bool {
    matches!(error, Error::Join(why) if matches!(**why, ClientError::Refused(Refusal::JoinTimeout { .. })))
}

impl PyCommunicator {
    fn call(
        &self,
        py: Python<'_>,
        collective: &str,
        op: &str,
        dtype: &str,
        root: u16,
        elements: u64,
    ) -> PyResult<Call> {
        match collective {
            "barrier" => return Ok(Call::BARRIER),
            "elsewhere" => return Ok(Call::elsewhere(op)),
            _ => {}
        }
        let Some(collective) = Collective::named(collective, WorkerId(root)) else {
            return Err(named(
                py,
                "UnsupportedError",
                format!("netfold has no collective {collective:?}"),
            ));
        };
        let reduction = self.fold(py, op)?;
        let element_type = parse::<ElementType>(py, dtype)?;
        Ok(Call { collective, reduction, element_type, elements, priority: None })
    }

    /// Returns the fold by an operation, of netfold or of a user.
    fn fold(&self, py: Python<'_>, op: &str) -> PyResult<Reduction> {
        match op.strip_prefix(USERS) {
            Some(number) => self.user_fold(py, number),
            None => reduction(py, op),
        }
    }

    /// Returns the fold by the operation of a user that has this number in the job.
    fn user_fold(&self, py: Python<'_>, number: &str) -> PyResult<Reduction> {
        let folds = self.communicator.folds().map_err(|error| exception(py, &error))?;
        let fold = number.parse().ok().and_then(|number: usize| folds.get(number));
        fold.map(|fold| Reduction::User(*fold)).ok_or_else(|| {
            named(py, "UnsupportedError", format!("the job has no operation number {number}"))
        })
    }
}

/// A stage as Python gives it.
type GivenStage = (String, String, Option<u16>, bool);

/// A planned chain as Python takes it.
type PlannedChain =
    (Vec<(&'static str, Option<usize>, usize)>, Vec<(usize, usize, &'static str, u16)>, usize);

/// The beginning of the name of an operation of a user, before its number in the job.
const USERS: char = '#';

/// Returns the operations of users that Python has passed on.
#[cfg(feature = "ops")]
fn brought(py: Python<'_>, operations: &[Bound<'_, PyAny>]) -> PyResult<Operations> {
    crate::ops::operations(py, operations)
}

/// A build without operations of users has no objects of theirs, either.
#[cfg(not(feature = "ops"))]
fn brought(_py: Python<'_>, _operations: &[Bound<'_, PyAny>]) -> PyResult<Operations> {
    Ok(Operations::default())
}

fn prioritised(py: Python<'_>, call: Call, priority: Option<&str>) -> PyResult<Call> {
    let priority = priority.map(|name| parse::<Priority>(py, name)).transpose()?;
    Ok(Call { priority, ..call })
}

pub(crate) fn reduction(py: Python<'_>, op: &str) -> PyResult<Reduction> {
    Ok(match op {
        "avg" => Reduction::Average,
        op => Reduction::Fold(parse::<Operation>(py, op)?),
    })
}

/// Returns the reason why jobs of this arithmetic cannot fold elements of this type with this
/// operation; `None` if they can.
#[pyfunction]
pub(crate) fn refusal(
    py: Python<'_>,
    arithmetic: &str,
    op: &str,
    dtype: &str,
) -> PyResult<Option<String>> {
    let coding = reduction(py, op)?
        .coding(parse::<Arithmetic>(py, arithmetic)?, parse::<ElementType>(py, dtype)?);
    Ok(coding.err().map(|error| error.to_string()))
}

pub(crate) fn parse<T: FromStr<Err: std::fmt::Display>>(py: Python<'_>, name: &str) -> PyResult<T> {
    name.parse().map_err(|error: T::Err| configuration(py, &format_args!("{name:?}: {error}")))
}

/// A number of any size and type, as the switch is told it. What it may be, the switch decides.
fn count(number: Number, value: &Bound<'_, PyAny>) -> PyResult<u16> {
    value.extract().map_err(|_| not_allowed(value.py(), number, value))
}

fn not_allowed(py: Python<'_>, number: Number, value: impl std::fmt::Display) -> PyErr {
    configuration(py, &Limits::default().refusal(number, value))
}

fn configuration(py: Python<'_>, error: &dyn std::fmt::Display) -> PyErr {
    named(py, "ConfigurationError", error.to_string())
}

pub(crate) fn seconds(py: Python<'_>, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        configuration(
            py,
            &format!("{seconds} is not a time in seconds; give one that is not negative"),
        )
    })
}
