//! A call of netfold with its memory, from its beginning to its result (R-MPI-7, R-MPI-8).

use std::time::Duration;

use netfold::JobError;
use netfold::raw::{Call, CallId, CallMemory, Outcome};
use netfold_mpi::Fold;

use crate::communicators::Net;
use crate::host::Host;
use crate::memory::{Buffer, Parts, of_call};
use crate::planner::Direct;

/// A call of netfold with its memory, and what becomes of its result.
pub(crate) struct Task {
    pub(crate) call: Call,
    pub(crate) lengths: Option<Vec<u64>>,
    pub(crate) input: Buffer,
    pub(crate) output: Buffer,
    /// Destination of the result, if netfold has written it elsewhere.
    pub(crate) into: Option<Parts>,
    pub(crate) fold: Option<Fold>,
    /// Bytes and number of the rows of the result, from its beginning, that fold into one.
    pub(crate) rows: Option<(usize, usize)>,
    /// The type of `into`, kept while the call goes on.
    kept: Option<usize>,
}

impl Task {
    pub(crate) fn new(call: Call, input: Buffer, output: Buffer) -> Self {
        Self { call, lengths: None, input, output, into: None, fold: None, rows: None, kept: None }
    }

    /// Has the result go to these parts, if it was not written there.
    pub(crate) fn into(self, parts: Parts) -> Self {
        match self.output {
            Buffer::Own(_) => Self { into: Some(parts), ..self },
            Buffer::There(..) => self,
        }
    }

    pub(crate) fn with_lengths(self, lengths: Vec<u64>) -> Self {
        Self { lengths: Some(lengths), ..self }
    }

    /// Makes the call, waits for it, and hands its result to the program.
    pub(crate) fn run(&mut self, host: &Host, net: &Net) -> Result<(), JobError> {
        let memory = self.memory();
        wait(host, net, self.call, memory)?;
        self.hand_over(host, net);
        Ok(())
    }

    /// Makes the call, which goes on while the program does. The task stays, and the program leaves
    /// its own memory alone, until [`Task::finish`].
    pub(crate) fn begin(&mut self, host: &Host, net: &Net) -> Result<CallId, JobError> {
        self.kept = self.into.as_mut().and_then(|parts| parts.keep_type(host));
        let memory = self.memory();
        let begun = net.job.submit(self.call, memory, false);
        if begun.is_err() {
            self.drop_type(host);
        }
        begun
    }

    /// Hands the result of a call that was begun to the program, if it has one.
    pub(crate) fn finish(&self, host: &Host, net: &Net, outcome: Outcome) -> Outcome {
        if outcome.is_ok() {
            self.hand_over(host, net);
        }
        self.drop_type(host);
        outcome
    }

    fn memory(&mut self) -> CallMemory {
        // SAFETY: the task owns its memory until the call is done, and the program leaves its own
        // alone as long as MPI tells it to, which is until then.
        let memory = unsafe { of_call(&mut self.input, &mut self.output) };
        match self.lengths.take() {
            Some(lengths) => memory.with_lengths(lengths.into()),
            None => memory,
        }
    }

    fn drop_type(&self, host: &Host) {
        if let Some(mut kept) = self.kept {
            // SAFETY: it was made by `keep_type`, and this is the end of the call.
            unsafe { (host.call.type_free)(&raw mut kept) };
        }
    }

    fn hand_over(&self, host: &Host, net: &Net) {
        let Some(parts) = &self.into else { return };
        let result = self.output.bytes();
        match (&self.fold, self.rows) {
            (Some(fold), Some((row, rows))) => {
                let least = fold.least(&result[..rows * row], row);
                parts.unpack(host, net.communicator(host), &fold.restore(&least));
            }
            (Some(fold), None) => parts.unpack(host, net.communicator(host), &fold.restore(result)),
            (None, _) => parts.unpack(host, net.communicator(host), result),
        }
    }
}

/// Makes a call whose memory needs nothing else, and waits for it.
#[inline]
pub(crate) fn run_direct(host: &Host, net: &Net, mut direct: Direct) -> Result<(), JobError> {
    // SAFETY: the memory is the program's, which leaves it alone until the call has returned.
    let memory = unsafe { of_call(&mut direct.input, &mut direct.output) };
    wait(host, net, direct.call, memory)
}

/// Makes a call, and waits for it.
#[inline]
fn wait(host: &Host, net: &Net, call: Call, memory: CallMemory) -> Result<(), JobError> {
    let Some(id) = net.job.attempt(call, memory, FIRST_WAIT)? else { return Ok(()) };
    let mut times = WaitTimes::default();
    let outcome = loop {
        host.progress(net.other);
        if let Some(outcome) = net.job.poll(id, Some(times.next())) {
            break outcome;
        }
    };
    net.job.forget(id);
    outcome
}

/// Time for which a call is waited for before the host may make progress, at first.
const FIRST_WAIT: Duration = Duration::from_micros(100);

/// The longest such time: a message of the host waits for it where its peer is in a collective.
const LONGEST_WAIT: Duration = Duration::from_millis(1);

/// The times for which a call is waited for, between which the host makes progress (R-MPI-8).
pub(crate) struct WaitTimes(Duration);

impl Default for WaitTimes {
    fn default() -> Self {
        Self(FIRST_WAIT)
    }
}

impl WaitTimes {
    pub(crate) fn next(&mut self) -> Duration {
        let wait = self.0;
        self.0 = (2 * wait).min(LONGEST_WAIT);
        wait
    }
}
