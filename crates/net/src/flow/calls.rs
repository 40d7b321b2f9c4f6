//! A flow's calls, and the table that is told that they are done.

use std::sync::Arc;
use std::time::Instant;

use netfold_worker::{CallId, Event, Streams};

use super::CallTensor;
use crate::call_table::CallTable;
use crate::error::Error;

/// The flow's calls, and the table that is told that they are done.
pub(super) struct Calls {
    /// Those that were submitted and are not done.
    in_progress: usize,
    /// Number of calls done.
    done: u64,
    call_table: Arc<CallTable>,
}

impl Calls {
    pub(super) fn new(call_table: Arc<CallTable>) -> Self {
        Self { in_progress: 0, done: 0, call_table }
    }

    /// One more is in progress.
    pub(super) fn add(&mut self) {
        self.in_progress += 1;
    }

    /// Returns whether any call is in progress.
    pub(super) fn any(&self) -> bool {
        self.in_progress > 0
    }

    /// Returns the number of calls done so far.
    pub(super) fn count_done(&self) -> u64 {
        self.done
    }

    /// One of them is done, since `at` if that is known.
    pub(super) fn done(&mut self, id: CallId, outcome: Result<(), Error>, at: Option<Instant>) {
        self.in_progress -= 1;
        self.done += 1;
        self.call_table.flow_done(id, outcome, at);
    }

    /// Those are that the streams have completed.
    pub(super) fn deliver(&mut self, streams: &mut Streams<CallTensor>, at: Option<Instant>) {
        while let Some(Event::Completed(id, _memory)) = streams.poll_event() {
            self.done(id, Ok(()), at);
        }
    }
}
