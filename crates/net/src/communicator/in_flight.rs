//! Calls on memory of their own, of which one caller may have several under way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytemuck::Pod;
use netfold_worker::{Call, CallId};

use super::Communicator;
use crate::error::Error;
use crate::memory::CallMemory;
use crate::unwind::AbortOnUnwind;

/// A call on memory that it owns. Dropped before it is done, it is given up
/// ([`Communicator::give_up`]), which ends the job. Forgotten, it keeps its memory for good.
#[must_use = "a call that is dropped before it is done ends the job"]
pub struct InFlight<T = u8> {
    communicator: Arc<Communicator>,
    id: CallId,
    /// Empty once it has been handed out.
    memory: Vec<T>,
    /// The input, if it is not the same memory.
    _input: Vec<T>,
}

impl Communicator {
    /// Begins a call in place on `memory`, input and output in one, and sends what can be sent. It
    /// goes on while its caller, or that of a later one, waits ([`InFlight::wait`]); until then it
    /// may stand still.
    ///
    /// # Errors
    /// As [`Communicator::submit`].
    pub fn begin_owned<T: Pod>(
        self: &Arc<Self>,
        call: Call,
        mut memory: Vec<T>,
    ) -> Result<InFlight<T>, Error> {
        let start = memory.as_mut_ptr().cast();
        let bytes = size_of_val(&*memory);
        // SAFETY: the memory is the call's until it is done: `InFlight` hands it out, or frees it,
        // only then, and moving the vector does not move what it holds. Whatever bytes the call
        // leaves there are elements.
        let raw = unsafe { CallMemory::from_raw(start, bytes, start, bytes) };
        self.own(memory, Vec::new(), || self.begin(call, raw))
    }

    /// Begins a call in place on `memory`, which goes on by itself.
    ///
    /// # Errors
    /// As [`Communicator::submit`].
    pub fn submit_owned<T: Pod>(
        self: &Arc<Self>,
        call: Call,
        mut memory: Vec<T>,
    ) -> Result<InFlight<T>, Error> {
        let start = memory.as_mut_ptr().cast();
        let bytes = size_of_val(&*memory);
        // SAFETY: as in `begin_owned`.
        let raw = unsafe { CallMemory::from_raw(start, bytes, start, bytes) };
        self.own(memory, Vec::new(), || self.submit(call, raw, false))
    }

    /// Begins a call from `input` to `output`, which goes on by itself. Its result is the output.
    ///
    /// # Errors
    /// As [`Communicator::submit`].
    pub fn submit_owned_into<T: Pod>(
        self: &Arc<Self>,
        call: Call,
        input: Vec<T>,
        mut output: Vec<T>,
    ) -> Result<InFlight<T>, Error> {
        let (from, to) = (input.as_ptr().cast(), output.as_mut_ptr().cast());
        // SAFETY: as in `begin_owned`, for both.
        let raw =
            unsafe { CallMemory::from_raw(from, size_of_val(&*input), to, size_of_val(&*output)) };
        self.own(output, input, || self.submit(call, raw, false))
    }

    fn own<T>(
        self: &Arc<Self>,
        memory: Vec<T>,
        input: Vec<T>,
        begin: impl FnOnce() -> Result<CallId, Error>,
    ) -> Result<InFlight<T>, Error> {
        let guard = AbortOnUnwind::arm();
        let begun =
            begin().map(|id| InFlight { communicator: self.clone(), id, memory, _input: input });
        guard.disarm();
        begun
    }
}

impl<T> InFlight<T> {
    /// Waits until the call is done, and gives its result, and since when that had been there
    /// ([`Communicator::time_rounds`]). When `timeout` is over first, it is given up.
    ///
    /// # Errors
    /// The error with which the call has failed.
    pub fn wait(mut self, timeout: Option<Duration>) -> Result<(Vec<T>, Option<Instant>), Error> {
        self.communicator.wait(self.id, timeout)?;
        let at = self.communicator.inner()?.call_table.done_at(self.id);
        Ok((std::mem::take(&mut self.memory), at))
    }

    /// Returns whether the call is done, with a result or an error.
    pub fn is_done(&self) -> bool {
        self.is_done_within(Duration::ZERO)
    }

    /// Waits at most `limit`, and returns whether the call is done.
    pub fn is_done_within(&self, limit: Duration) -> bool {
        self.communicator.poll(self.id, Some(limit)).is_some()
    }
}

impl<T> Drop for InFlight<T> {
    fn drop(&mut self) {
        let guard = AbortOnUnwind::arm();
        // Done, or given up: either way nobody has the memory afterwards. What has become of it was
        // told to whoever has waited.
        let _ = self.communicator.wait(self.id, Some(Duration::ZERO));
        self.communicator.forget(self.id);
        guard.disarm();
    }
}
