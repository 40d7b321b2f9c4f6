//! Requests of calls that go on while the program does (R-MPI-13): those that netfold carries out
//! are generalized requests of the host, which it takes among its own in whatever completes
//! requests.

use std::collections::{HashMap, HashSet};
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use netfold::JobError;
use netfold::raw::{CallId, Outcome};
use netfold_mpi::{Flavour, Kind};

use crate::communicators::Net;
use crate::failure;
use crate::fortran;
use crate::host::{Host, host};
use crate::persistent::Prepared;
use crate::task::{Task, WaitTimes};
use crate::trace::{self, Entered};

/// A call of netfold under way.
struct Pending {
    net: Arc<Net>,
    kind: Kind,
    task: Task,
    id: CallId,
    request: Request,
}

/// A request of the host that is complete when a call of netfold is done.
enum Request {
    /// A generalized request: the code that completing it gives, which it frees.
    Generalized(*const AtomicI32),
    /// That of a persistent call.
    Persistent(Arc<Prepared>),
}

// SAFETY: a task's memory is its own, or the program's, which leaves it alone until the call is
// done; it is read and written by whoever takes the call out of the map, which is one thread.
unsafe impl Send for Pending {}
// SAFETY: as above; the rest of it is shared freely.
unsafe impl Sync for Pending {}

/// Requests that this library has to do something about.
#[derive(Default)]
struct Known {
    /// Calls of netfold.
    pending: HashMap<usize, Arc<Pending>>,
    /// Calls that are traced, and whether they are netfold's.
    traced: HashMap<usize, (Entered, bool)>,
    /// Requests among the traced ones that stay when they are complete.
    persistent: HashSet<usize>,
}

static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
/// The number of requests in `KNOWN`, so that a program without any pays next to nothing.
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn known() -> MutexGuard<'static, Option<Known>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns whether there are any requests to look for.
#[inline]
pub(crate) fn any() -> bool {
    COUNT.load(Ordering::Relaxed) > 0
}

/// The functions whose arguments are read, by their language: they write handles in their own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    C,
    Fortran,
    /// Those of the module `mpi_f08`, which call the host's own by their profiling names: all in
    /// MPICH, and in Open MPI those that test requests or make operations.
    Module,
}

impl Spelling {
    fn is_short(self, host: &Host) -> bool {
        self != Self::C || host.flavour == Flavour::Mpich
    }

    /// Returns whether these functions are this library's to take. In all hosts but Open MPI, those
    /// of Fortran call those of C, which are. In Open MPI those of `mpi_f08` call those of Fortran,
    /// which are if its integers are short.
    pub(crate) fn is_taken(self, host: &Host) -> bool {
        let is_open = host.flavour == Flavour::OpenMpi;
        match self {
            Self::C => true,
            Self::Fortran => is_open && host.has_short_integers(),
            Self::Module => !is_open,
        }
    }

    /// Returns whether requests and operations are read in these functions: twice in Open MPI,
    /// where some of those of `mpi_f08` call those of Fortran.
    pub(crate) fn is_read(self, host: &Host) -> bool {
        let is_open = host.flavour == Flavour::OpenMpi;
        self.is_taken(host) || (self == Self::Module && is_open && host.has_short_integers())
    }

    /// Returns the request at an address.
    pub(crate) fn read(self, host: &Host, at: *const c_void) -> usize {
        // SAFETY: the program has a request of this size there.
        unsafe {
            match self {
                Self::Fortran | Self::Module => fortran::Request(at),
                Self::C if self.is_short(host) => host.handle(*at.cast::<c_int>() as usize),
                Self::C => *at.cast::<usize>(),
            }
        }
    }

    /// Puts a request at an address.
    pub(crate) fn write(self, host: &Host, at: *mut c_void, handle: usize) {
        // SAFETY: the program has room for a request of this size there.
        unsafe {
            match self {
                Self::Fortran | Self::Module => {
                    *at.cast::<c_int>() = fortran::of_request(handle);
                }
                Self::C if self.is_short(host) => *at.cast::<c_int>() = handle as c_int,
                Self::C => *at.cast::<usize>() = handle,
            }
        }
    }
}

/// Requests of the program, in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) spelling: Spelling,
    pub(crate) address: *const c_void,
    pub(crate) count: usize,
}

impl Row {
    pub(crate) fn read(&self, host: &Host) -> Vec<usize> {
        let bytes =
            if self.spelling.is_short(host) { size_of::<c_int>() } else { size_of::<usize>() };
        let at = |place: usize| self.address.wrapping_byte_add(place * bytes);
        (0..self.count).map(|place| self.spelling.read(host, at(place))).collect()
    }
}

/// Begins a call of netfold, and returns its request.
///
/// # Errors
/// Why it cannot be begun.
pub(crate) fn begin(
    host: &Host,
    net: Arc<Net>,
    kind: Kind,
    mut task: Task,
) -> Result<usize, JobError> {
    let id = task.begin(host, &net)?;
    let code = Box::into_raw(Box::new(AtomicI32::new(0)));
    let mut handle = 0;
    // SAFETY: the functions have the signatures of callbacks of generalized requests; the code is
    // theirs from here on.
    unsafe {
        (host.call.grequest_start)(
            query as *const c_void,
            freed as *const c_void,
            cancelled as *const c_void,
            code.cast(),
            &raw mut handle,
        );
    }
    let handle = host.handle(handle);
    insert(handle, Pending { net, kind, task, id, request: Request::Generalized(code) });
    Ok(handle)
}

/// Begins a persistent call, whose request the host has started.
///
/// # Errors
/// Why it cannot be begun.
pub(crate) fn begin_again(
    host: &Host,
    prepared: &Arc<Prepared>,
    mut task: Task,
    handle: usize,
) -> Result<(), JobError> {
    let (net, kind) = (prepared.net.clone(), prepared.kind);
    let id = task.begin(host, &net)?;
    insert(handle, Pending { net, kind, task, id, request: Request::Persistent(prepared.clone()) });
    Ok(())
}

fn insert(handle: usize, pending: Pending) {
    known().get_or_insert_default().pending.insert(handle, Arc::new(pending));
    one_more();
}

/// Counts a request that this library has to look for.
pub(crate) fn one_more() {
    COUNT.fetch_add(1, Ordering::Relaxed);
}

/// Counts one that it no longer has to look for.
pub(crate) fn one_less() {
    COUNT.fetch_sub(1, Ordering::Relaxed);
}

/// Notes that a traced call ends when this request is complete.
pub(crate) fn follow(host: &Host, handle: usize, mut entered: Entered, by_netfold: bool) {
    entered.returned();
    if handle == host.handles.null_request {
        return entered.leave(by_netfold);
    }
    let before = known().get_or_insert_default().traced.insert(handle, (entered, by_netfold));
    match before {
        None => one_more(),
        // A host may give all calls that are done at once the same request.
        Some((entered, by_netfold)) => entered.leave(by_netfold),
    }
}

/// Notes that traced calls of persistent requests have been started, which end when these are
/// complete.
pub(crate) fn follow_again(host: &Host, started: Vec<(usize, (Entered, bool))>) {
    for (handle, (entered, by_netfold)) in started {
        known().get_or_insert_default().persistent.insert(handle);
        follow(host, handle, entered, by_netfold);
    }
}

/// Returns the calls of netfold among some requests.
fn own(handles: &[usize]) -> Vec<(usize, Arc<Pending>)> {
    let known = known();
    let Some(known) = &*known else { return Vec::new() };
    let of = |handle: &usize| Some((*handle, known.pending.get(handle)?.clone()));
    handles.iter().filter_map(of).collect()
}

/// Gives the calls of netfold among some requests at most this time to end. Returns whether all
/// have. The code of a persistent one that has failed goes to `told`.
fn advance(host: &Host, handles: &[usize], limit: Duration, told: &mut c_int) -> bool {
    let mut all = true;
    for (handle, pending) in own(handles) {
        // One of them is waited for; the others go on meanwhile.
        let limit = if all { limit } else { Duration::ZERO };
        match pending.net.job.poll(pending.id, Some(limit)) {
            Some(outcome) => complete(host, handle, outcome, told),
            None => all = false,
        }
    }
    all
}

/// Completes the request of a call that is done. The code of a failure is told by a generalized
/// request itself, and else goes to `told`.
fn complete(host: &Host, handle: usize, outcome: Outcome, told: &mut c_int) {
    let taken = known().as_mut().and_then(|known| known.pending.remove(&handle));
    let Some(pending) = taken else { return };
    one_less();
    let Pending { net, kind, task, id, request } = &*pending;
    net.job.forget(*id);
    let finished = task.finish(host, net, outcome);
    let failed = finished.err().map(|error| failure::end(host, net, kind.name(), &error));
    match request {
        Request::Generalized(code) => {
            // SAFETY: the request is one of `begin`'s, and completed once: it was taken out of the
            // map. Then it frees the code.
            unsafe {
                (**code).store(failed.unwrap_or(0), Ordering::Relaxed);
                (host.call.grequest_complete)(handle);
            }
        }
        Request::Persistent(prepared) => {
            *told = failed.unwrap_or(*told);
            prepared.complete(host);
        }
    }
}

/// Completes all calls of netfold on a communicator, which its program frees.
pub(crate) fn complete_all(host: &Host, net: &Arc<Net>) {
    let on_it = |(handle, pending): (&usize, &Arc<Pending>)| {
        Arc::ptr_eq(&pending.net, net).then_some(*handle)
    };
    let handles: Vec<usize> =
        known().iter().flat_map(|known| known.pending.iter().filter_map(on_it)).collect();
    // The communicator's error handler has heard of a failure.
    wait(host, &handles, &mut 0);
}

/// Waits for the calls of netfold among some requests, while the host makes progress (R-MPI-8).
fn wait(host: &Host, handles: &[usize], told: &mut c_int) {
    let Some((_, first)) = own(handles).into_iter().next() else { return };
    let mut times = WaitTimes::default();
    while !advance(host, handles, times.next(), told) {
        host.progress(first.net.other);
    }
}

/// Treatment of netfold's calls among some requests, before the host looks at these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// They are waited for.
    Complete,
    /// Those that are done are completed; at most this time is given to them.
    Look(Duration),
}

/// Requests of traced calls that the host is about to look at, by their places, and since when.
pub(crate) struct Watched {
    since: u64,
    requests: Vec<(usize, usize)>,
    /// The code of a persistent call that has failed.
    pub(crate) told: c_int,
}

/// Does what is to be done before the host looks at some requests.
pub(crate) fn before(host: &Host, row: Row, what: Before) -> Watched {
    let (since, handles, mut told) = (trace::now(), row.read(host), 0);
    match what {
        Before::Complete => wait(host, &handles, &mut told),
        Before::Look(limit) => drop(advance(host, &handles, limit, &mut told)),
    }
    let known = known();
    let is_traced =
        |handle: &usize| known.as_ref().is_some_and(|known| known.traced.contains_key(handle));
    let requests = handles.into_iter().enumerate().filter(|(_, handle)| is_traced(handle));
    Watched { since, requests: requests.collect(), told }
}

/// Requests that a function says it has completed.
pub(crate) enum Done {
    /// All of them.
    All,
    /// Those with these numbers: in C from 0, in Fortran from 1.
    Numbers(Vec<c_int>),
}

impl Done {
    pub(crate) const NONE: Self = Self::Numbers(Vec::new());

    fn has(&self, place: usize, spelling: Spelling) -> bool {
        let first = usize::from(spelling != Spelling::C);
        match self {
            Self::All => true,
            Self::Numbers(numbers) => {
                numbers.iter().any(|number| usize::try_from(*number) == Ok(place + first))
            }
        }
    }
}

/// Ends the traced calls whose requests the host has completed: those that are gone, and persistent
/// ones that it says are done.
pub(crate) fn after(host: &Host, row: Row, done: &Done, Watched { since, requests, .. }: Watched) {
    if requests.is_empty() {
        return;
    }
    let now = row.read(host);
    for (place, handle) in requests {
        let mut known = known();
        let Some(known) = &mut *known else { return };
        let is_done = known.persistent.contains(&handle) && done.has(place, row.spelling);
        if now[place] == handle && !is_done {
            continue;
        }
        known.persistent.remove(&handle);
        if let Some((mut entered, by_netfold)) = known.traced.remove(&handle) {
            one_less();
            entered.waited(since);
            entered.leave(by_netfold);
        }
    }
}

/// Returns whether calls of netfold are among some requests.
pub(crate) fn has_own(host: &Host, row: Row) -> bool {
    !own(&row.read(host)).is_empty()
}

/// Fills in the status of a request of this library: nothing was received.
extern "C" fn query(code: *mut c_void, status: *mut c_void) -> c_int {
    let Some(host) = host() else { return 0 };
    // SAFETY: the host gives a status to fill in, and the code of `begin`.
    unsafe {
        (host.call.status_set_elements)(status, host.handles.byte, 0);
        (host.call.status_set_cancelled)(status, 0);
        (*code.cast::<AtomicI32>()).load(Ordering::Relaxed)
    }
}

extern "C" fn freed(code: *mut c_void) -> c_int {
    // SAFETY: the code is that of `begin`, and the request has ended.
    drop(unsafe { Box::from_raw(code.cast::<AtomicI32>()) });
    0
}

/// Leaves a call alone that the program wants to cancel: no collective can be (MPI, 6.12).
extern "C" fn cancelled(_code: *mut c_void, _complete: c_int) -> c_int {
    0
}
