//! Calls on memory of their own, of which one caller may have several under way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use netfold_worker::{Call, CallId};

use super::Communicator;
use crate::error::Error;
use crate::memory::CallMemory;
use crate::unwind::AbortOnUnwind;

/// A call in place on memory that it owns. Dropped before it is done, it is given up ([`Communicator::give_up`]), which ends the job.
pub struct InFlight {
    communicator: Arc<Communicator>,
    id: CallId,
    /// Empty once it has been handed out.
    memory: Vec<u8>,
}

impl Communicator {
    /// Begins a call in place on `memory`, input and output in one, and sends what can be sent. It goes on while its caller, or that of a later one, waits
    /// ([`InFlight::wait`]); until then it may stand still.
    ///
    /// # Errors
    /// As [`Communicator::submit`].
    pub fn begin_owned(self: &Arc<Self>, call: Call, mut memory: Vec<u8>) -> Result<InFlight, Error> {
        let (start, len) = (memory.as_mut_ptr(), memory.len());
        // SAFETY: the memory is the call's until it is done: `InFlight` hands it out, or frees it, only then, and moving the vector does not move what it holds.
        let raw = unsafe { CallMemory::from_raw(start, len, start, len) };
        let guard = AbortOnUnwind::arm();
        let begun = self.begin(call, raw).map(|id| InFlight { communicator: self.clone(), id, memory });
        guard.disarm();
        begun
    }
}

impl InFlight {
    /// Waits until the call is done, and gives its result, and since when that had been there ([`Communicator::time_rounds`]). When `timeout` is over first, it is
    /// given up.
    ///
    /// # Errors
    /// Why it has failed.
    pub fn wait(mut self, timeout: Option<Duration>) -> Result<(Vec<u8>, Option<Instant>), Error> {
        self.communicator.wait(self.id, timeout)?;
        let at = self.communicator.inner()?.call_table.done_at(self.id);
        Ok((std::mem::take(&mut self.memory), at))
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let guard = AbortOnUnwind::arm();
        // Done, or given up: either way nobody has the memory afterwards. What has become of it was told to whoever has waited.
        let _ = self.communicator.wait(self.id, Some(Duration::ZERO));
        self.communicator.forget(self.id);
        guard.disarm();
    }
}
