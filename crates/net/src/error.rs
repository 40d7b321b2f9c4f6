//! Errors of a communicator, as its user sees them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use netfold_management::{ClientError, Ending, Failure};
use netfold_worker::PlanError;
use thiserror::Error;

/// Error of a call that failed or could not be made. Once a job has failed, every later call fails
/// with the same error.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The job's arithmetic does not have the fold, or the call makes no sense. Nothing was sent;
    /// the job goes on.
    #[error(transparent)]
    Unsupported(#[from] PlanError),
    /// The job has failed, for all its workers.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// Another worker has left the job, and this call needs it (R-CTRL-5).
    #[error(
        "rank {rank} has left the job after {calls} calls, and this worker makes another; every worker must make the same calls"
    )]
    PeerLeft {
        /// Rank of the worker that has left.
        rank: u16,
        /// Calls that it had made.
        calls: u64,
    },
    /// The connection to the switch is gone (R-CTRL-7).
    #[error(
        "the connection to the switch at {address} is lost: {why}; see whether it still runs, start it again and then the job"
    )]
    SwitchLost {
        /// The switch's address.
        address: String,
        /// Sign by which it was noticed.
        why: String,
    },
    /// The switch is lost, and the job could not go on at another one (R-RES-7).
    #[error("{lost}; it could not go on elsewhere: {why}")]
    NotResumed {
        /// The loss and its reason.
        lost: String,
        /// The outcome of the last attempt.
        why: String,
    },
    /// Other workers of an elastic job are lost, and the job goes on without them (R-RES-9). This
    /// call has failed; later ones are of the workers that are left.
    #[error(
        "{why}; without the ranks {lost:?} the job goes on with {workers} workers, of which this is now rank {rank}: make the calls again that have failed"
    )]
    Regrouped {
        /// The lost workers, and the sign by which the loss was noticed.
        why: String,
        /// All that were lost since a call told of it last, by the ranks that they had then.
        lost: Vec<u16>,
        /// This worker's rank from now on.
        rank: u16,
        /// Workers from now on.
        workers: u16,
    },
    /// A call took longer than its caller would wait. Its memory is released, and so the job has
    /// ended here.
    #[error(
        "{call} was not done within {seconds:.1} s{waiting_for}; the communicator is closed. See whether every worker makes this call, or raise the timeout for it"
    )]
    Timeout {
        /// The call.
        call: String,
        /// The time it was given.
        seconds: f64,
        /// Workers that have not contributed, if the switch could tell.
        waiting_for: String,
    },
    /// Workers of a subgroup, or of a message, did not all come within the time of the call
    /// (R-CTRL-22). The job that they are a part of goes on.
    #[error(
        "the ranks {ranks:?} did not all make this call within {seconds:.1} s, missing: {missing:?}; see whether each of them makes it, or raise the timeout for it"
    )]
    NotMet {
        /// Ranks of the workers.
        ranks: Vec<u16>,
        /// The time that the call was given.
        seconds: f64,
        /// The first of them that are missing.
        missing: Vec<u16>,
    },
    /// Joining failed.
    #[error(transparent)]
    Join(Arc<ClientError>),
    /// A switch that has no memory for slots.
    #[error("a switch with 0 bytes of memory for slots can run no job")]
    NoMemory,
    /// The switch does not take a query in.
    #[error("the switch does not take the query in: {0}")]
    Query(String),
    /// The communicator was made in another process, of which this one is a fork.
    #[error(
        "this communicator belongs to process {process}, of which process {here} is a fork; connect anew in this process"
    )]
    Forked {
        /// The process that made it.
        process: u32,
        /// The process that uses it.
        here: u32,
    },
    /// A subgroup that cannot be, or that this worker is not in.
    #[error(
        "a subgroup is a list of different ranks from 0 to {}, with rank {rank}, this worker's, among them; got {ranks:?}",
        .size - 1
    )]
    Subgroup {
        /// The ranks asked for.
        ranks: Vec<u16>,
        /// This worker's rank.
        rank: u16,
        /// Workers of the job.
        size: u16,
    },
    /// The communicator was closed.
    #[error("the communicator is closed; connect again to make more calls")]
    Closed,
    /// The memory given is smaller than the call needs.
    #[error(
        "the call needs {input} bytes of input and {output} of output, and the memory given is smaller"
    )]
    Memory {
        /// Bytes of input needed.
        input: u64,
        /// Bytes of output needed.
        output: u64,
    },
    /// The system refused something.
    #[error("{what}: {error}")]
    Io {
        /// The operation that was attempted.
        what: String,
        /// The system's error.
        error: Arc<io::Error>,
    },
}

impl From<Ending> for Error {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Failed(failure) => Self::Failed(failure),
            Ending::PeerLeft { rank, calls } => Self::PeerLeft { rank, calls },
            Ending::SwitchLost { address, why } => Self::SwitchLost { address, why },
            Ending::NotResumed { lost, why } => {
                Self::NotResumed { lost: Self::from(*lost).to_string(), why }
            }
            Ending::Regrouped { why, lost, rank, workers } => {
                Self::Regrouped { why: Self::from(*why).to_string(), lost, rank, workers }
            }
        }
    }
}

impl Error {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, error: Arc::new(error) }
    }

    pub(crate) fn timeout(call: String, after: Duration, missing: &[u16]) -> Self {
        let ranks: Vec<String> = missing.iter().map(u16::to_string).collect();
        let waiting_for = if ranks.is_empty() {
            String::new()
        } else {
            format!(" (waiting for rank {})", ranks.join(", "))
        };
        Self::Timeout { call, seconds: after.as_secs_f64(), waiting_for }
    }
}
