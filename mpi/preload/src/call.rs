//! The way of a call: to netfold, or to the host (R-MPI-3).

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use netfold_mpi::{Class, Form, Kind, Refusal, size_class};

use crate::arguments::Arguments;
use crate::communicators::{self, Net};
use crate::host::{Host, host};
use crate::job::terms;
use crate::planner::Planner;
use crate::requests::{self, Spelling};
use crate::task::{Task, run_direct};
use crate::{failure, persistent, reporting, trace};

/// One call in so many of each kind and size is carried out by the host, where there is a report.
const SAMPLED: u64 = 32;

/// Calls of this rank that netfold has carried out.
static CALLS: AtomicU64 = AtomicU64::new(0);

/// Returns the calls that netfold has carried out, but for persistent ones: for programs that
/// compare it with their MPI (R-MPI-19).
#[unsafe(no_mangle)]
pub extern "C" fn netfold_mpi_calls() -> u64 {
    CALLS.load(Ordering::Relaxed)
}

/// Makes a collective call that returns when it is done. `by_host` has the host carry it out.
#[inline]
pub(crate) fn blocking(
    kind: Kind,
    arguments: &Arguments,
    by_host: impl FnOnce() -> c_int,
) -> c_int {
    let Some(host) = host() else { return by_host() };
    let entered = trace::enter(host, (Form::Blocking, kind), arguments);
    let (code, by_netfold) = carried_out(host, kind, arguments, by_host);
    if let Some(entered) = entered {
        entered.leave(by_netfold);
    }
    code
}

/// Makes a collective call that returns a request, for which the caller has a place (R-MPI-13).
pub(crate) fn started(
    kind: Kind,
    arguments: &Arguments,
    (spelling, request): (Spelling, *mut c_void),
    by_host: impl FnOnce() -> c_int,
) -> c_int {
    let Some(host) = host() else { return by_host() };
    let entered = trace::enter(host, (Form::Started, kind), arguments);
    let start = Instant::now();
    let begun = begun(host, kind, arguments);
    let by_netfold = begun.is_ok();
    let (code, refusal, bytes) = match begun {
        Ok((Ok(handle), bytes)) => {
            spelling.write(host, request, handle);
            (0, None, bytes)
        }
        Ok((Err(code), bytes)) => {
            spelling.write(host, request, host.handles.null_request);
            (code, None, bytes)
        }
        Err((refusal, bytes)) => (by_host(), Some(refusal), bytes),
    };
    if terms().is_some_and(|terms| terms.reports) {
        count((Form::Started, kind), refusal, bytes, start.elapsed());
    }
    if let Some(entered) = entered {
        requests::follow(host, spelling.read(host, request), entered, by_netfold);
    }
    code
}

/// Makes a request that starts a collective call again and again, for which the caller has a place
/// (R-MPI-14).
pub(crate) fn prepared(
    kind: Kind,
    arguments: &Arguments,
    (spelling, request): (Spelling, *mut c_void),
    by_host: impl FnOnce() -> c_int,
) -> c_int {
    let Some(host) = host() else { return by_host() };
    let traced = trace::prepare(host, kind, arguments);
    let (code, by_netfold) = made(host, kind, arguments, (spelling, request), by_host);
    if let Some(traced) = traced
        && code == 0
    {
        traced.keep(spelling.read(host, request), by_netfold);
    }
    code
}

/// Makes a persistent request, and returns the code, and whether its calls are netfold's.
fn made(
    host: &Host,
    kind: Kind,
    arguments: &Arguments,
    (spelling, request): (Spelling, *mut c_void),
    by_host: impl FnOnce() -> c_int,
) -> (c_int, bool) {
    let Some(terms) = terms() else { return (by_host(), false) };
    let start = Instant::now();
    let (refusal, bytes) = match preparable(host, kind, arguments) {
        Ok((net, bytes)) => {
            let handle = persistent::prepare(host, net, kind, arguments, bytes);
            spelling.write(host, request, handle);
            return (0, true);
        }
        Err(refused) => refused,
    };
    let code = by_host();
    if terms.reports {
        count((Form::Persistent, kind), Some(refusal), bytes, start.elapsed());
    }
    (code, false)
}

/// Returns a job for a persistent call that netfold carries out, and the call's bytes. Ranks may
/// start such calls of a communicator in different orders, so each has a job of its own.
///
/// # Errors
/// The reason for which the host does, and the bytes if they are known.
fn preparable(
    host: &Host,
    kind: Kind,
    arguments: &Arguments,
) -> Result<(Arc<Net>, u64), (Refusal, u64)> {
    let (net, bytes) = taken(host, (Form::Persistent, kind), arguments)?;
    // The program may free an operation of its own before the call is started.
    if kind.folds() && host.handles.operation(host.handle(arguments.op)).is_none() {
        return Err((Refusal::UserOperation, bytes));
    }
    let plan = |net: &Net| Planner { host, net, kind, arguments }.task(false).map(drop);
    plan(&net).map_err(|why| (why, bytes))?;
    let own = communicators::own(host, &net).map_err(|why| (why, bytes))?;
    // Its calls are planned for that job when they are started.
    plan(&own).map_err(|why| (why, bytes))?;
    Ok((own, bytes))
}

/// Starts a persistent call of netfold, counted for the report, and returns its code.
pub(crate) fn count_started(
    class: (Form, Kind),
    bytes: u64,
    start: impl FnOnce() -> c_int,
) -> c_int {
    let since = Instant::now();
    let code = start();
    if terms().is_some_and(|terms| terms.reports) {
        count(class, None, bytes, since.elapsed());
    }
    code
}

/// Makes a call, and returns its code, and whether netfold has carried it out.
#[inline]
fn carried_out(
    host: &Host,
    kind: Kind,
    arguments: &Arguments,
    by_host: impl FnOnce() -> c_int,
) -> (c_int, bool) {
    let Some(terms) = terms() else { return (by_host(), false) };
    if terms.reports {
        return reported(host, kind, arguments, by_host);
    }
    let call = (Form::Blocking, kind);
    let done = match communicators::world(host.handle(arguments.comm)) {
        Some(net) if !net.sizes.take_any(call) => return (by_host(), false),
        Some(net) => paying(host, net, call, arguments)
            .and_then(|_| attempt(host, net, kind, arguments).map_err(|why| (why, 0))),
        None => taken(host, call, arguments)
            .and_then(|(net, _)| attempt(host, &net, kind, arguments).map_err(|why| (why, 0))),
    };
    match done {
        Ok(code) => (code, true),
        Err(_) => (by_host(), false),
    }
}

/// The same, counted for the report.
#[cold]
fn reported(
    host: &Host,
    kind: Kind,
    arguments: &Arguments,
    by_host: impl FnOnce() -> c_int,
) -> (c_int, bool) {
    let start = Instant::now();
    let mut code = None;
    let (bytes, refusal) = match taken(host, (Form::Blocking, kind), arguments) {
        Ok((net, bytes)) if is_sampled(&net, kind, size_class(bytes)) => {
            (bytes, Some(Refusal::Sampled))
        }
        Ok((net, bytes)) => {
            let done = attempt(host, &net, kind, arguments);
            (bytes, done.map(|done| code = Some(done)).err())
        }
        Err((refusal, bytes)) => (bytes, Some(refusal)),
    };
    let code = code.unwrap_or_else(by_host);
    count((Form::Blocking, kind), refusal, bytes, start.elapsed());
    (code, refusal.is_none())
}

fn count((form, kind): (Form, Kind), refusal: Option<Refusal>, bytes: u64, took: Duration) {
    reporting::count(Class { kind, form, size: size_class(bytes), refusal }, took);
}

/// Returns the communicator on which netfold carries out a call, and the call's bytes.
///
/// # Errors
/// The reason for which the host does, the same at all ranks, and the bytes if they are known.
fn taken(
    host: &Host,
    (form, kind): (Form, Kind),
    arguments: &Arguments,
) -> Result<(Arc<Net>, u64), (Refusal, u64)> {
    let handle = host.handle(arguments.comm);
    // A call that does not block must not wait for others to join; a persistent one may, as it is
    // not local (MPI, 6.13).
    let net = communicators::of(host, handle, form != Form::Started);
    let net = net.map_err(|refusal| (refusal, 0))?;
    let bytes = paying(host, &net, (form, kind), arguments)?;
    Ok((net, bytes))
}

/// Returns a call's bytes, if the table has netfold carry it out.
///
/// # Errors
/// The reason for which the host does, and the bytes if they are known.
#[inline]
fn paying(
    host: &Host,
    net: &Net,
    call: (Form, Kind),
    arguments: &Arguments,
) -> Result<u64, (Refusal, u64)> {
    let planner = Planner { host, net, kind: call.1, arguments };
    let bytes = planner.bytes().map_err(|why| (why, 0))?;
    if net.sizes.take(call, bytes) { Ok(bytes) } else { Err((Refusal::Table, bytes)) }
}

/// Carries out a call by netfold, and returns its code.
///
/// # Errors
/// The reason for which only the host can.
fn attempt(host: &Host, net: &Net, kind: Kind, arguments: &Arguments) -> Result<c_int, Refusal> {
    let planner = Planner { host, net, kind, arguments };
    let done = if let Some(direct) = planner.direct()? {
        CALLS.fetch_add(1, Ordering::Relaxed);
        run_direct(host, net, direct)
    } else {
        let task = planner.task(true).inspect_err(|why| {
            if *why == Refusal::UserOperation {
                failure::tell_of_user_operations(net);
            }
        })?;
        CALLS.fetch_add(1, Ordering::Relaxed);
        task.and_then(|mut task: Task| task.run(host, net))
    };
    Ok(match done {
        Ok(()) => 0,
        Err(error) => failure::end(host, net, kind.name(), &error),
    })
}

/// The request of a call that netfold has begun, or the code with which it has failed; and its
/// bytes.
type Begun = (Result<usize, c_int>, u64);

/// Begins a call by netfold.
///
/// # Errors
/// The reason for which only the host can carry it out, and the bytes if they are known.
fn begun(host: &'static Host, kind: Kind, arguments: &Arguments) -> Result<Begun, (Refusal, u64)> {
    let (net, bytes) = taken(host, (Form::Started, kind), arguments)?;
    let task = Planner { host, net: &net, kind, arguments }.task(false);
    let begun = match task.map_err(|why| (why, bytes))? {
        Ok(task) => {
            CALLS.fetch_add(1, Ordering::Relaxed);
            requests::begin(host, net.clone(), kind, task)
        }
        Err(error) => Err(error),
    };
    Ok((begun.map_err(|error| failure::end(host, &net, kind.name(), &error)), bytes))
}

/// Returns whether this call's time is to be the host's. All ranks count alike.
fn is_sampled(net: &Net, kind: Kind, size: u8) -> bool {
    let mut calls = net.calls.lock().unwrap_or_else(PoisonError::into_inner);
    let count = calls.entry((kind, size)).or_default();
    *count += 1;
    (*count).is_multiple_of(SAMPLED)
}
