//! The notices to a worker while its job runs, and their meaning for its calls.

use crate::failure::Failure;

/// Notice to a worker while its job runs. After `Failed` and `SwitchLost` nothing follows.
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
    /// The switch asks what this worker calls there: answer with
    /// [`Membership::describe`](crate::Membership::describe) (R-CTRL-6).
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
    /// Another worker waits for these calls: answer with
    /// [`Membership::in_progress`](crate::Membership::in_progress) about those that are in progress
    /// here (R-CTRL-12).
    AskInProgress {
        /// Their numbers in the job, from 0.
        calls: Vec<u64>,
    },
    /// The answer to [`Membership::need_slots`](crate::Membership::need_slots) (R-CTRL-25).
    Slots {
        /// The job's epoch.
        epoch: u32,
        /// The call asked about.
        call: u64,
        /// The worker has the slots, until it returns them.
        lent: bool,
    },
    /// An eighth of the job's time-out has gone by, or a second if that is less. Answer with
    /// [`Membership::in_progress`](crate::Membership::in_progress) about calls that have been in
    /// progress all the time (R-CTRL-12).
    Pulse,
    /// The switch has gone (R-CTRL-7).
    SwitchLost {
        /// Its address, as the worker was given it.
        address: String,
        /// The sign by which it was noticed.
        why: String,
    },
}

/// A reason why a worker's calls, from some number on, cannot be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The job has failed, for all its workers.
    Failed(Failure),
    /// The switch has gone (R-CTRL-7).
    SwitchLost {
        /// Its address, as the worker was given it.
        address: String,
        /// The sign by which it was noticed.
        why: String,
    },
    /// Another worker has left (R-CTRL-5).
    PeerLeft {
        /// Its rank.
        rank: u16,
        /// Calls that it had made.
        calls: u64,
    },
    /// The job could not go on after the end of an epoch (R-RES-7).
    NotResumed {
        /// The end of that epoch.
        lost: Box<Ending>,
        /// The outcome of the last attempt.
        why: String,
    },
    /// Other workers of an elastic job are lost, and the job goes on without them (R-RES-9).
    Regrouped {
        /// The end of the epoch that they were in.
        why: Box<Ending>,
        /// All that were lost since a call told of it last, by the ranks that they had then.
        lost: Vec<u16>,
        /// This worker's rank from now on.
        rank: u16,
        /// Workers from now on.
        workers: u16,
    },
}

impl Ending {
    /// Returns whether the job is over with it, and not only some calls.
    pub fn ends_the_job(&self) -> bool {
        match self {
            Self::Failed(_) | Self::SwitchLost { .. } | Self::NotResumed { .. } => true,
            Self::PeerLeft { .. } | Self::Regrouped { .. } => false,
        }
    }
}

impl Notice {
    /// From which call on none can be done after this, and why; `None` if it ends no call.
    pub fn ending(&self) -> Option<(u64, Ending)> {
        match self {
            Self::Failed(failure) => Some((0, Ending::Failed(failure.clone()))),
            Self::SwitchLost { address, why } => {
                Some((0, Ending::SwitchLost { address: address.clone(), why: why.clone() }))
            }
            &Self::Left { rank, calls } => Some((calls, Ending::PeerLeft { rank, calls })),
            Self::Describe { .. }
            | Self::AskInProgress { .. }
            | Self::Slots { .. }
            | Self::Pulse => None,
        }
    }
}
