//! The end of a call that has failed: by the program's own error handler (R-MPI-10).

use std::ffi::c_int;
use std::io::Write as _;
use std::sync::Once;
use std::sync::atomic::Ordering;

use netfold::JobError;

use crate::communicators::Net;
use crate::host::Host;

/// Tells why a call has failed, on one line, and has the communicator's error handler decide what
/// becomes of the program. Returns the error's code, if that returns.
pub(crate) fn end(host: &Host, net: &Net, what: &str, error: &JobError) -> c_int {
    if !net.failed.swap(true, Ordering::SeqCst) {
        let why = error.to_string().replace('\n', " ");
        say(&format!("rank {} of {}: {what} has failed: {why}", net.rank, net.size));
    }
    let code = host.handles.other_error;
    // SAFETY: the communicator is the program's, and the code is one of MPI's error classes.
    unsafe { (host.call.comm_call_errhandler)(net.communicator(host), code) };
    code
}

/// Tells, once in a program, that operations of its own stay with its MPI (R-MPI-6).
pub(crate) fn tell_of_user_operations(net: &Net) {
    static ONCE: Once = Once::new();
    if net.rank == 0 {
        ONCE.call_once(|| say("operations of the program's own are carried out by its MPI"));
    }
}

/// Tells that collectives of Fortran stay with its MPI (R-MPI-2).
pub(crate) fn tell_of_integers(host: &Host, bytes: usize) {
    let mut rank = 0;
    // SAFETY: the result is a variable of this frame.
    unsafe { (host.call.comm_rank)(host.handles.world, &raw mut rank) };
    if rank == 0 {
        say(&format!(
            "MPI_INTEGER has {bytes} bytes: the program's MPI carries out all collectives that it \
             calls in Fortran"
        ));
    }
}

/// Writes one line to standard error, whole: other ranks write to the same place.
pub(crate) fn say(line: &str) {
    // Nothing is left to tell it to when standard error is gone.
    let _ = std::io::stderr().write_all(format!("netfold: {line}\n").as_bytes());
}
