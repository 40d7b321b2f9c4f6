//! What a worker is told while its job runs, and what that means for its calls.

use std::net::SocketAddr;

use crate::failure::Failure;

/// What a worker is told while its job runs. After `Failed` and `SwitchLost` nothing follows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// The job has failed.
    Failed(Failure),
    /// Another worker is done and makes no more calls (R-CTRL-5).
    Left {
        /// Its rank.
        rank: u16,
        /// Calls that it has made.
        calls: u64,
    },
    /// The switch asks what this worker calls there: answer with [`Membership::describe`](crate::Membership::describe) (R-CTRL-6).
    Describe {
        /// The flow.
        shard: u16,
        /// The slot.
        slot: u16,
        /// The block in the slot's stream.
        position: u32,
        /// A lane of the block, if one is meant.
        lane: Option<u16>,
    },
    /// Another worker waits for this call: answer with [`Membership::in_progress`](crate::Membership::in_progress) if it is in progress here (R-CTRL-12).
    AskInProgress {
        /// Its number in the job, from 0.
        call: u64,
    },
    /// An eighth of the job's time-out has gone by: tell with [`Membership::in_progress`](crate::Membership::in_progress) of a call that has been in progress
    /// all the time (R-CTRL-12).
    Pulse,
    /// The switch has gone (R-CTRL-7).
    SwitchLost {
        /// Its address.
        address: SocketAddr,
        /// How it was noticed.
        why: String,
    },
}

/// Why a worker's calls, from some number on, cannot be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The job has failed, for all its workers.
    Failed(Failure),
    /// The switch has gone (R-CTRL-7).
    SwitchLost {
        /// Its address.
        address: SocketAddr,
        /// How it was noticed.
        why: String,
    },
    /// Another worker has left (R-CTRL-5).
    PeerLeft {
        /// Who.
        rank: u16,
        /// Calls that it had made.
        calls: u64,
    },
}

impl Ending {
    /// Whether the job is over with it, and not only some calls.
    pub fn ends_the_job(&self) -> bool {
        !matches!(self, Self::PeerLeft { .. })
    }
}

impl Notice {
    /// From which call on none can be done after this, and why; `None` if it ends no call.
    pub fn ending(&self) -> Option<(u64, Ending)> {
        match self {
            Self::Failed(failure) => Some((0, Ending::Failed(failure.clone()))),
            Self::SwitchLost { address, why } => Some((0, Ending::SwitchLost { address: *address, why: why.clone() })),
            &Self::Left { rank, calls } => Some((calls, Ending::PeerLeft { rank, calls })),
            Self::Describe { .. } | Self::AskInProgress { .. } | Self::Pulse => None,
        }
    }
}
