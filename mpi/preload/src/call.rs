//! The way of a call: to netfold, or to the host (R-MPI-3).

use std::ffi::c_int;
use std::sync::PoisonError;
use std::time::Instant;

use netfold_mpi::{Class, Kind, Refusal, size_class};

use crate::communicators::{self, Net};
use crate::failure;
use crate::host::{Host, host};
use crate::job::{Terms, terms};
use crate::reporting;
use crate::task::{Arguments, Planner, Task};

/// One call in so many of each kind and size is carried out by the host, where there is a report.
const SAMPLED: u64 = 32;

/// Makes a collective call that returns when it is done. `by_host` has the host carry it out.
#[inline]
pub(crate) fn blocking(
    kind: Kind,
    arguments: &Arguments,
    by_host: impl FnOnce() -> c_int,
) -> c_int {
    let (Some(host), Some(terms)) = (host(), terms()) else { return by_host() };
    if terms.reports {
        return reported(host, terms, kind, arguments, by_host);
    }
    match taken(host, terms, kind, arguments) {
        Ok((net, _)) => match attempt(host, &net, kind, arguments) {
            Ok(code) => code,
            Err(_) => by_host(),
        },
        Err(_) => by_host(),
    }
}

/// The same, counted for the report.
#[cold]
fn reported(
    host: &Host,
    terms: &Terms,
    kind: Kind,
    arguments: &Arguments,
    by_host: impl FnOnce() -> c_int,
) -> c_int {
    let start = Instant::now();
    let mut code = None;
    let (bytes, refusal) = match taken(host, terms, kind, arguments) {
        Ok((net, bytes)) if is_sampled(&net, kind, size_class(bytes)) => {
            (bytes, Some(Refusal::Sampled))
        }
        Ok((net, bytes)) => {
            let done = attempt(host, &net, kind, arguments);
            (bytes, done.map(|done| code = Some(done)).err())
        }
        Err((refusal, bytes)) => (bytes, Some(refusal)),
    };
    let size = size_class(bytes);
    let code = code.unwrap_or_else(by_host);
    reporting::count(Class { kind, size, refusal }, start.elapsed());
    code
}

/// Returns the communicator on which netfold carries out a call, and the call's bytes.
///
/// # Errors
/// The reason for which the host does, the same at all ranks, and the bytes if they are known.
fn taken(
    host: &Host,
    terms: &Terms,
    kind: Kind,
    arguments: &Arguments,
) -> Result<(std::sync::Arc<Net>, u64), (Refusal, u64)> {
    let handle = host.handle(arguments.comm);
    let net = communicators::of(host, handle, true).map_err(|refusal| (refusal, 0))?;
    let bytes = Planner { host, net: &net, kind, arguments }.bytes().map_err(|why| (why, 0))?;
    if terms.table.takes(net.place, kind, net.size, bytes) {
        Ok((net, bytes))
    } else {
        Err((Refusal::Table, bytes))
    }
}

/// Carries out a call by netfold, and returns its code.
///
/// # Errors
/// The reason for which only the host can.
fn attempt(host: &Host, net: &Net, kind: Kind, arguments: &Arguments) -> Result<c_int, Refusal> {
    let task = Planner { host, net, kind, arguments }.task(true)?;
    let done = task.and_then(|mut task: Task| task.run(host, net));
    Ok(match done {
        Ok(()) => 0,
        Err(error) => failure::end(host, net, kind.name(), &error),
    })
}

/// Returns whether this call's time is to be the host's. All ranks count alike.
fn is_sampled(net: &Net, kind: Kind, size: u8) -> bool {
    let mut calls = net.calls.lock().unwrap_or_else(PoisonError::into_inner);
    let count = calls.entry((kind, size)).or_default();
    *count += 1;
    (*count).is_multiple_of(SAMPLED)
}
