//! A worker's process: its place in its job, the calls that it makes, and what becomes of them.

use std::collections::BTreeMap;
use std::fmt;

use netfold_control::{Ending, JoinRequest, Membership, Rejection};
use netfold_worker::{CallId, Order};

use super::resume::Passage;
use crate::time::Time;

/// How a worker has ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It has made all its calls, they are done, and it has taken its leave.
    Left,
    /// It could not go on.
    Ended(Ending),
    /// It has not become a member of its job.
    Rejected(Rejection),
    /// Its host, or its process, has stopped.
    Crashed,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Left => f.write_str("it has left its job"),
            Self::Ended(Ending::Failed(failure)) | Self::Rejected(Rejection::Failed(failure)) => failure.fmt(f),
            Self::Ended(Ending::SwitchLost { why, .. }) | Self::Rejected(Rejection::Lost { why }) => {
                write!(f, "it has lost its switch: {why}")
            }
            Self::Ended(Ending::PeerLeft { rank, calls }) => write!(f, "rank {rank} has left after {calls} calls"),
            Self::Rejected(Rejection::Refused(refusal)) => refusal.fmt(f),
            Self::Rejected(other) => write!(f, "it could not join: {other:?}"),
            Self::Crashed => f.write_str("it has stopped"),
        }
    }
}

/// What has become of a worker.
#[derive(Clone, Debug, Default)]
pub struct WorkerRecord {
    /// When it was first told that its job runs.
    pub joined: Option<Time>,
    /// How many times it has gone on after its switch was lost (R-RES).
    pub resumed: u32,
    /// How it has ended, and when; `None` if it has not, or never came.
    pub outcome: Option<(Time, Outcome)>,
    /// Its calls, by number: when each was done, or could not be done and why. What is in progress is not among them.
    pub calls: BTreeMap<u64, (Time, Result<(), Ending>)>,
}

/// A call in progress.
struct Held {
    /// Flows that have not let go of it.
    flows: u16,
    failed: Option<Ending>,
}

/// A worker's process.
pub(super) struct Process {
    pub(super) job: u16,
    pub(super) rank: u16,
    /// The host.
    pub(super) node: u32,
    /// What it asks for in the life of its job that it is in or on its way to.
    pub(super) request: JoinRequest,
    /// Makes no call with this number or above.
    pub(super) leaves_after: Option<u64>,
    pub(super) member: Option<Membership>,
    pub(super) pipe: Option<u32>,
    /// When its timer is set to go off.
    pub(super) armed: Option<Time>,
    pub(super) order: Order<Ending>,
    held: BTreeMap<CallId, Held>,
    /// Its way to the next life of its job.
    pub(super) passage: Passage,
    /// Why it makes no more calls.
    pub(super) stopped: Option<Ending>,
    pub(super) leaving: bool,
    pub(super) record: WorkerRecord,
}

impl Process {
    pub(super) fn new(job: u16, rank: u16, node: u32, request: JoinRequest) -> Self {
        let timeout = request.timeout;
        Self {
            job,
            rank,
            node,
            request,
            leaves_after: None,
            member: None,
            pipe: None,
            armed: None,
            order: Order::default(),
            held: BTreeMap::new(),
            passage: Passage::new(timeout),
            stopped: None,
            leaving: false,
            record: WorkerRecord::default(),
        }
    }

    /// Whether it is in a running job and has not begun to go.
    pub(super) fn is_working(&self) -> bool {
        self.record.joined.is_some() && self.record.outcome.is_none() && !self.leaving
    }

    /// A call is in progress on so many flows.
    pub(super) fn hold(&mut self, call: CallId, flows: u16) {
        self.held.insert(call, Held { flows, failed: None });
    }

    /// A flow has let go of a call, which is done there or has failed. Calls are over when all flows have, and fail if one says so.
    pub(super) fn let_go(&mut self, now: Time, call: CallId, failed: Option<&Ending>) {
        let Some(held) = self.held.get_mut(&call) else { return };
        held.flows -= 1;
        if held.failed.is_none() {
            held.failed = failed.cloned();
        }
        if held.flows == 0
            && let Some(Held { failed, .. }) = self.held.remove(&call)
        {
            self.record.calls.insert(call.0, (now, failed.map_or(Ok(()), Err)));
        }
    }

    /// The call in progress that was made first.
    pub(super) fn oldest(&self) -> Option<CallId> {
        self.held.keys().next().copied()
    }

    pub(super) fn conclude(&mut self, now: Time, outcome: Outcome) {
        self.record.outcome.get_or_insert((now, outcome));
    }
}
