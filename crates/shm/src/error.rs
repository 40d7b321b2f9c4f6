//! Errors of a segment and of a port.

use std::io;

use netfold_switch::AdmissionError;
use netfold_wire::WorkerId;
use thiserror::Error;

use crate::layout::MAX_MEMBERS;

/// The reason why there is no segment, or no port of it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A job cannot be like this.
    #[error(transparent)]
    Job(#[from] AdmissionError),
    /// The segment would be larger than this process can map.
    #[error(
        "{slots} slots of {payload_bytes} bytes in {flows} flows are too much to map; ask for fewer, or shorter ones"
    )]
    Size {
        /// Flows asked for; at least one is needed.
        flows: u16,
        /// Slots asked for.
        slots: u16,
        /// Bytes of a slot asked for.
        payload_bytes: u32,
    },
    /// More workers than can share memory.
    #[error(
        "{members} workers are too many to share memory, at most {MAX_MEMBERS} can; use NETFOLD_TRANSPORT=udp"
    )]
    Members {
        /// Workers asked for.
        members: u16,
    },
    /// The system refused.
    #[error("{what}: {source}; use NETFOLD_TRANSPORT=udp if this host cannot share memory")]
    System {
        /// The operation that was tried.
        what: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The descriptor is not that of the job's segment.
    #[error(
        "the shared memory that was passed is not that of the job: {what} is {found} and should be {expected}; switch and workers must run the same version"
    )]
    Foreign {
        /// The part that differs.
        what: &'static str,
        /// Its value in the segment.
        found: u64,
        /// Its value in the job.
        expected: u64,
    },
    /// A way up or down was asked of a segment whose switch has no parent.
    #[error("the job's slots are all here; there is no switch above")]
    NoParent,
    /// The worker or the flow does not belong to the job.
    #[error("flow {flow} of {worker} is not one of the job's")]
    Range {
        /// Flow asked for.
        flow: u16,
        /// Worker asked for.
        worker: WorkerId,
    },
    /// The port has been opened before: a stream cannot begin twice.
    #[error(
        "flow {flow} of {worker} has been opened before; a worker that starts again needs a new epoch of the job"
    )]
    Taken {
        /// Flow asked for.
        flow: u16,
        /// Worker asked for.
        worker: WorkerId,
    },
}

impl Error {
    pub(crate) fn system(what: &'static str) -> impl FnOnce(rustix::io::Errno) -> Self {
        move |errno| Self::System { what, source: errno.into() }
    }
}

/// The reason why a port does not go on. It never will again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PortError {
    /// [`Segment::fail`](crate::Segment::fail) was called: the control plane knows why.
    #[error("the job has failed; the switch tells why")]
    Failed,
    /// The memory holds what netfold never writes there. The job has been failed for everyone.
    #[error(
        "the job's shared memory holds what netfold never writes there; one of its processes is faulty"
    )]
    Corrupt,
}
