//! Errors of a table's client and of a server, as users see them.

use std::io;
use std::sync::Arc;

use netfold_sparse::{ServerError, StoreError};
use thiserror::Error;

use crate::ranks::RankError;

/// Error of a client or a server; the message says what to do next.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A server that could not be reached at all.
    #[error(
        "no server of sparse tables at {address}: {why}; start one there with `netfold server --listen {address}`, or correct the address"
    )]
    NoServer {
        /// The address.
        address: String,
        /// The last attempt's outcome.
        why: String,
    },
    /// A server that was reached before, and is gone for longer than the time-out.
    #[error(
        "the server at {address} is lost: {why}, and it did not come back within {seconds:.1} s; start it again with the same folder (--data), and call again: nothing that was acknowledged is lost, and the rest is sent again"
    )]
    ServerLost {
        /// The address.
        address: String,
        /// Sign by which it was noticed, or the last attempt's outcome.
        why: String,
        /// The time-out.
        seconds: f64,
    },
    /// A server that refuses this worker.
    #[error("the server at {address} refuses this worker: {why}")]
    Refused {
        /// The address.
        address: String,
        /// Its reason.
        why: String,
    },
    /// A server that came back without what it had stored (R-SERVE-2).
    #[error(
        "the server at {address} has lost rows that it had acknowledged; servers keep them over a restart in a folder (--data): start the training anew, or from a checkpoint"
    )]
    RowsLost {
        /// The address.
        address: String,
    },
    /// A server that has not answered, although it is there.
    #[error(
        "{what} was not done within {seconds:.1} s; a pull for a step waits for all workers to end earlier steps: see whether they go on, or raise the timeout"
    )]
    Timeout {
        /// The event that was waited for.
        what: &'static str,
        /// The time-out.
        seconds: f64,
    },
    /// Arguments that do not fit the table, or each other.
    #[error("{0}")]
    Input(String),
    /// The caller was interrupted while it waited.
    #[error("interrupted")]
    Interrupted,
    /// The table was closed.
    #[error("the table is closed; make it anew to use it")]
    Closed,
    /// The table was made in another process, of which this one is a fork.
    #[error(
        "this table belongs to process {process}, of which process {here} is a fork; make it anew in this process"
    )]
    Forked {
        /// The process that made it.
        process: u32,
        /// The process that uses it.
        here: u32,
    },
    /// The job of the table at the switch.
    #[error(transparent)]
    Job(#[from] netfold_net::Error),
    /// A server that cannot go on.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// A server's store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system refuses something.
    #[error("{what}: {error}")]
    Io {
        /// The operation that was attempted.
        what: String,
        /// The system's error.
        error: Arc<io::Error>,
    },
}

impl Error {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, error: Arc::new(error) }
    }
}

impl From<RankError> for Error {
    fn from(error: RankError) -> Self {
        Self::Input(error.to_string())
    }
}
