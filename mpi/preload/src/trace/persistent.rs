//! Persistent calls in a trace: a call for each start of one (R-MTR-4).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use netfold_mpi::{Form, Kind, Record};

use super::{Entered, SPENT, TRACE, now};
use crate::arguments::Arguments;
use crate::host::Host;
use crate::requests::{self, Row};

/// The fields that all starts of a persistent call have in common.
pub(crate) struct Template(Record);

/// Templates by their requests, and whether the calls are netfold's.
static KNOWN: Mutex<Option<HashMap<usize, (Record, bool)>>> = Mutex::new(None);

fn known() -> MutexGuard<'static, Option<HashMap<usize, (Record, bool)>>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the template of a persistent call that the program makes a request for, if there is a
/// trace.
#[inline]
pub(crate) fn prepare(host: &Host, kind: Kind, arguments: &Arguments) -> Option<Template> {
    let trace = TRACE.get()?;
    let before = now();
    let record = trace.record(host, (Form::Persistent, kind), arguments);
    SPENT.set(SPENT.get() + (now() - before));
    Some(Template(record))
}

impl Template {
    /// Keeps it until the program frees its request.
    pub(crate) fn keep(self, request: usize, by_netfold: bool) {
        if known().get_or_insert_default().insert(request, (self.0, by_netfold)).is_none() {
            requests::one_more();
        }
    }
}

/// Notes that the program starts a request. Returns the call that begins, and whether it is
/// netfold's, if the request is one of a traced call.
pub(crate) fn start_again(request: usize) -> Option<(Entered, bool)> {
    let trace = TRACE.get()?;
    let before = now();
    let (record, by_netfold) = known().as_ref()?.get(&request)?.clone();
    Some((trace.begin(record, before), by_netfold))
}

/// Forgets some requests, which the program frees.
pub(crate) fn forget(host: &Host, row: Row) {
    for request in row.read(host) {
        let removed = known().as_mut().and_then(|known| known.remove(&request));
        if removed.is_some() {
            requests::one_less();
        }
    }
}
