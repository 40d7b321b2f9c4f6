//! Persistent calls (R-MPI-14). The request of one that netfold carries out is a persistent receipt
//! of the host: of a message without bytes, which this rank sends to itself when the call is done.

use std::collections::HashMap;
use std::ffi::c_int;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use netfold_mpi::{Form, Kind};

use crate::arguments::{Arguments, Numbers};
use crate::call::count_started;
use crate::communicators::Net;
use crate::failure;
use crate::host::Host;
use crate::planner::Planner;
use crate::requests::{self, Row};
use crate::types::is_named;

/// A call that is started again and again.
pub(crate) struct Prepared {
    /// Its own job, which ends with it: the communicator may be freed before.
    pub(crate) net: Arc<Net>,
    pub(crate) kind: Kind,
    arguments: Arguments,
    /// Numbers of the ranks, where its arguments have them.
    _numbers: Vec<Box<[i64]>>,
    /// Bytes that the table was asked about.
    bytes: u64,
    /// Types that were duplicated, so that the program may free its own.
    kept: Vec<usize>,
    /// Communicator and tag of its message.
    channel: (usize, c_int),
    number: usize,
}

// SAFETY: the addresses are the program's, which gives them to whichever of its threads starts the
// call; what lies there is read and written by that one, and by the one that completes it.
unsafe impl Send for Prepared {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Prepared {}

/// Tags of a communicator: every MPI has as many (MPI, `MPI_TAG_UB`).
const TAGS: usize = 1 << 15;

/// The persistent calls of the program that are netfold's, and the messages of their requests.
#[derive(Default)]
struct Known {
    calls: HashMap<usize, Arc<Prepared>>,
    /// Duplicates of `MPI_COMM_SELF`, each with [`TAGS`] messages.
    channels: Vec<usize>,
    /// Numbers of messages below `next` that no request has.
    free: Vec<usize>,
    next: usize,
}

static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

fn known() -> MutexGuard<'static, Option<Known>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Known {
    /// Returns the number, the communicator and the tag of a message that no request has.
    fn message(&mut self, host: &Host) -> (usize, (usize, c_int)) {
        let number = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        while self.channels.len() * TAGS <= number {
            let mut channel = 0;
            // SAFETY: the result is a variable of this frame; no other rank has a part in it.
            unsafe { (host.call.comm_dup)(host.handles.own, &raw mut channel) };
            self.channels.push(host.handle(channel));
        }
        (number, (self.channels[number / TAGS], (number % TAGS) as c_int))
    }
}

/// Returns the request of a call that netfold carries out each time that it is started.
pub(crate) fn prepare(
    host: &Host,
    net: Arc<Net>,
    kind: Kind,
    arguments: &Arguments,
    bytes: u64,
) -> usize {
    let (mut arguments, kept) = keep_types(host, &net, kind, arguments);
    let numbers = keep_numbers(net.size.into(), &mut arguments);
    let mut known = known();
    let known = known.get_or_insert_default();
    let (number, channel) = known.message(host);
    let (own, byte, mut handle) = (0, host.handles.byte, 0);
    // SAFETY: the receipt is of no bytes; the result is a variable of this frame.
    unsafe {
        let nowhere = ptr::null_mut();
        (host.call.recv_init)(nowhere, 0, byte, own, channel.1, channel.0, &raw mut handle);
    }
    let handle = host.handle(handle);
    let prepared =
        Prepared { net, kind, arguments, _numbers: numbers, bytes, kept, channel, number };
    known.calls.insert(handle, Arc::new(prepared));
    requests::one_more();
    handle
}

/// Returns the arguments with types of their own, and these types.
fn keep_types(
    host: &Host,
    net: &Net,
    kind: Kind,
    arguments: &Arguments,
) -> (Arguments, Vec<usize>) {
    let [sent, taken] = Planner { host, net, kind, arguments }.significant();
    let (mut arguments, mut kept) = (*arguments, Vec::new());
    for (handle, is_significant) in [(&mut arguments.stype, sent), (&mut arguments.rtype, taken)] {
        if is_significant && !is_named(host, host.handle(*handle)) {
            let mut duplicate = 0;
            // SAFETY: the type is the program's, and the result is a variable of this frame.
            unsafe { (host.call.type_dup)(*handle, &raw mut duplicate) };
            *handle = duplicate;
            kept.push(duplicate);
        }
    }
    (arguments, kept)
}

/// Gives arguments numbers of their own, one for each rank, and returns these. MPI has the program
/// keep its arrays until the request is freed (MPI, 6.13), but all hosts copy them, and mpi4py
/// relies on that.
fn keep_numbers(ranks: usize, arguments: &mut Arguments) -> Vec<Box<[i64]>> {
    let Arguments { scount, sdispls, rcount, rdispls, .. } = arguments;
    let arrays = [scount, sdispls, rcount, rdispls].into_iter();
    let arrays = arrays.filter(|it| matches!(it, Numbers::Ints(_) | Numbers::Longs(_)));
    arrays
        .map(|numbers| {
            let kept: Box<[i64]> = (0..ranks).map(|rank| numbers.of(rank)).collect();
            *numbers = Numbers::Longs(kept.as_ptr());
            kept
        })
        .collect()
}

impl Prepared {
    /// Completes the request, which has been started.
    pub(crate) fn complete(&self, host: &Host) {
        let (channel, tag) = self.channel;
        // SAFETY: a message of no bytes to this rank, which waits for it.
        unsafe { (host.call.send)(ptr::null(), 0, host.handles.byte, 0, tag, channel) };
    }

    /// Begins the call. A failure completes the request, and is told by the code.
    fn start(self: &Arc<Self>, host: &Host, handle: usize) -> c_int {
        let Self { net, kind, arguments, .. } = &**self;
        let task = Planner { host, net, kind: *kind, arguments }.task(false);
        let Ok(Ok(task)) = task else { unreachable!("the call was planned when it was prepared") };
        match requests::begin_again(host, self, task, handle) {
            Ok(()) => 0,
            Err(error) => {
                let code = failure::end(host, net, kind.name(), &error);
                self.complete(host);
                code
            }
        }
    }
}

/// Starts the calls of netfold among some requests, which the host has started.
pub(crate) fn start(host: &Host, row: Row) -> c_int {
    let mut code = 0;
    for handle in row.read(host) {
        let of = known().as_ref().and_then(|known| known.calls.get(&handle).cloned());
        let Some(prepared) = of else { continue };
        let told = count_started((Form::Persistent, prepared.kind), prepared.bytes, || {
            prepared.start(host, handle)
        });
        code = if code == 0 { told } else { code };
    }
    code
}

/// Forgets the calls of some requests, which the host is about to free.
pub(crate) fn forget(host: &Host, row: Row) {
    for handle in row.read(host) {
        // Its job is left without the lock, which other threads wait for.
        let removed = known().as_mut().and_then(|known| {
            let prepared = known.calls.remove(&handle)?;
            known.free.push(prepared.number);
            Some(prepared)
        });
        let Some(prepared) = removed else { continue };
        requests::one_less();
        for mut kept in prepared.kept.iter().copied() {
            // SAFETY: it was made by `keep_types`, and nobody else has it.
            unsafe { (host.call.type_free)(&raw mut kept) };
        }
    }
}

/// Notes that the program has freed a communicator. Its persistent calls can still be started.
pub(crate) fn freed(communicator: usize) {
    let known = known();
    let calls = known.iter().flat_map(|known| known.calls.values());
    calls.for_each(|prepared| prepared.net.forget(communicator));
}

/// Frees the communicators of the messages, and leaves the jobs of calls that the program has not
/// freed, before the host is finalized.
pub(crate) fn close(host: &Host) {
    let left = known().take().unwrap_or_default();
    for mut channel in left.channels {
        // SAFETY: it was made by `Known::message`.
        unsafe { (host.call.comm_free)(&raw mut channel) };
    }
}
