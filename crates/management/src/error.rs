//! Reasons for which a worker is not in a job, as users read them.

use std::io;

use netfold_wire::VERSION;
use thiserror::Error;

use crate::failure::{Failure, Refusal};
use crate::membership::Rejection;

/// Reason for which a worker is not in a job, or a question has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address cannot be resolved.
    #[error(
        "{address:?} is no address of a switch ({source}); give it as HOST:PORT in NETFOLD_SWITCH"
    )]
    Address {
        /// The address given.
        address: String,
        /// The resolver's error.
        source: io::Error,
    },
    /// Nothing listens there.
    #[error(
        "no netfold switch answers at {address} ({source}); start one there with `netfold switch --listen {address}`, or correct the address; only a PyTorch group and workers within one process start their own, where none is named"
    )]
    NoSwitch {
        /// The address given.
        address: String,
        /// The error of the connection attempt.
        source: io::Error,
    },
    /// Something listens there and is not a netfold switch.
    #[error("what answers at {address} is not a netfold switch: {why}; check NETFOLD_SWITCH")]
    NotASwitch {
        /// The address given.
        address: String,
        /// The sign by which it was noticed.
        why: String,
    },
    /// The switch is of another version.
    #[error(
        "the switch at {address} speaks version {switch} of the protocol and this worker version {VERSION}; install the same netfold on both"
    )]
    Version {
        /// The address given.
        address: String,
        /// The switch's version.
        switch: u8,
    },
    /// The switch has gone before it had answered.
    #[error(
        "the switch at {address} was lost: {why}; see its output, start it again and then the job"
    )]
    Lost {
        /// The address given.
        address: String,
        /// The sign by which it was noticed.
        why: String,
    },
    /// The switch does not take the worker.
    #[error("{0}")]
    Refused(Refusal),
    /// The job has failed as it began, before this worker was told that it runs.
    #[error("{0}")]
    Failed(Failure),
    /// The worker's own sockets could not be opened.
    #[error(
        "the worker's sockets or threads could not be set up: {0}; check the limits on open files and processes"
    )]
    Local(#[source] io::Error),
    /// The caller has ended the wait.
    #[error("interrupted while waiting for the other workers of the job")]
    Interrupted,
}

impl ClientError {
    /// As the machine of a worker has told it ([`Progress::Rejected`](crate::Progress::Rejected))
    /// that has tried the switch at `address`.
    pub fn rejected(address: &str, why: Rejection) -> Self {
        let address = address.to_owned();
        match why {
            Rejection::NoSwitch { why } => {
                Self::NoSwitch { address, source: io::Error::other(why) }
            }
            Rejection::NotASwitch { why } => Self::NotASwitch { address, why },
            Rejection::Version { switch } => Self::Version { address, switch },
            Rejection::Refused(refusal) => Self::Refused(refusal),
            Rejection::Failed(failure) => Self::Failed(failure),
            Rejection::Lost { why } => Self::Lost { address, why },
        }
    }
}
