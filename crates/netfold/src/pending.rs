//! Calls that go on while their caller does something else.

use std::time::Duration;

use netfold_net::InFlight;

use crate::element::Element;
use crate::error::Error;

/// A call that was begun, such as by
/// [`Communicator::begin_all_reduce`](crate::Communicator::begin_all_reduce). It owns the call's
/// buffers until it is done, and goes on by itself.
///
/// Several may be under way; they may be waited for in any order, and from any thread. One that is
/// dropped before it is done is given up, which ends the job: the other workers wait for what it
/// would have sent. One that is forgotten ([`std::mem::forget`]) goes on, and keeps its memory.
#[must_use = "a call that is dropped before it is done ends the job"]
pub struct Pending<T: Element> {
    call: InFlight<T>,
    timeout: Option<Duration>,
}

impl<T: Element> Pending<T> {
    pub(crate) fn new(call: InFlight<T>, timeout: Option<Duration>) -> Self {
        Self { call, timeout }
    }

    /// Waits until the call is done, at most for its time-out, counted from now. Returns the
    /// result: the vector that was given where the call is in place, else a new one.
    ///
    /// # Errors
    /// [`Error::Job`], which says why the call has failed. The vector is lost.
    pub fn wait(self) -> Result<Vec<T>, Error> {
        Ok(self.call.wait(self.timeout)?.0)
    }

    /// Returns whether the call is done, with a result or an error, so that [`Pending::wait`]
    /// returns at once.
    pub fn is_done(&self) -> bool {
        self.call.is_done()
    }
}
