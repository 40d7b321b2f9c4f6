//! A worker's process: its place in its job, the calls that it makes, and what becomes of them.

use std::collections::BTreeMap;
use std::fmt;

use netfold_management::{Ending, Failover, JoinRequest, Membership, Participant, Rejection};
use netfold_worker::CallId;

use crate::time::Time;
use crate::topology::Topology;

/// End of a worker.
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
            Self::Ended(ending) => write_ending(f, ending),
            Self::Rejected(Rejection::Failed(failure)) => fmt::Display::fmt(failure, f),
            Self::Rejected(Rejection::NoSwitch { why }) => {
                write!(f, "it has found no switch: {why}")
            }
            Self::Rejected(Rejection::Lost { why }) => write!(f, "it has lost its switch: {why}"),
            Self::Rejected(Rejection::Refused(refusal)) => refusal.fmt(f),
            Self::Rejected(other) => write!(f, "it could not join: {other:?}"),
            Self::Crashed => f.write_str("it has stopped"),
        }
    }
}

fn write_ending(f: &mut fmt::Formatter<'_>, ending: &Ending) -> fmt::Result {
    match ending {
        Ending::Failed(failure) => fmt::Display::fmt(failure, f),
        Ending::SwitchLost { why, .. } => write!(f, "it has lost its switch: {why}"),
        Ending::PeerLeft { rank, calls } => write!(f, "rank {rank} has left after {calls} calls"),
        Ending::NotResumed { lost, why } => {
            write_ending(f, lost)?;
            write!(f, "; it could not go on elsewhere: {why}")
        }
        Ending::Regrouped { why, lost, .. } => {
            write_ending(f, why)?;
            write!(f, "; the job has gone on without the ranks {lost:?}")
        }
    }
}

/// Record of what has become of a worker.
#[derive(Clone, Debug, Default)]
pub struct WorkerRecord {
    /// Time at which it was first told that its job runs.
    pub joined: Option<Time>,
    /// The tree in which it was told so last.
    pub tree: u32,
    /// Exchange slots of each of its flows, as it was told last (R-CTRL-23).
    pub exchange_slots: u16,
    /// Number of times that it went on after its switch was lost (R-RES-2).
    pub resumed: u32,
    /// Number of times that it went on after other workers were lost (R-RES-8).
    pub regrouped: u32,
    /// Members with which it makes its calls, by the ranks with which the job began. Each entry
    /// holds from its call on, as far as the worker's calls have told it (R-RES-9).
    pub members: Vec<(u64, Vec<u16>)>,
    /// The first thing that it was told of others and that cannot be.
    pub misled: Option<String>,
    /// Time and kind of its end; `None` if it has not ended, or never came.
    pub outcome: Option<(Time, Outcome)>,
    /// Its calls, by number: the time at which each was done, or could not be done, and the reason.
    /// Calls in progress are not among them.
    pub calls: BTreeMap<u64, (Time, Result<(), Ending>)>,
}

impl WorkerRecord {
    /// Returns the members with which it makes a call, by the ranks with which the job began.
    pub fn members_of(&self, call: u64) -> Option<&[u16]> {
        let known = self.members.iter().rfind(|(from, _)| *from <= call);
        known.map(|(_, members)| members.as_slice())
    }
}

/// A call in progress.
struct Held {
    /// Flows that have not let go of it.
    flows: u16,
    failed: Option<Ending>,
}

/// A worker's end of a control connection.
pub(super) struct Line {
    pub(super) member: Membership,
    pub(super) pipe: u32,
}

/// A worker's process.
pub(super) struct Process {
    pub(super) job: u16,
    /// Its rank as the job begins.
    pub(super) rank: u16,
    /// The host.
    pub(super) node: u32,
    /// Its request at the switch that it is at, or tries.
    pub(super) request: JoinRequest,
    /// The trees whose switches it tries, and the place of the one that it is at, or tries.
    pub(super) trees: Vec<u32>,
    pub(super) at: usize,
    /// Its way through this list, until it has joined.
    pub(super) failover: Option<Failover>,
    /// Makes no call with this number or above.
    pub(super) leaves_after: Option<u64>,
    pub(super) line: Option<Line>,
    /// Its connection of the epoch that has ended, if it is on its way to the next one (R-RES-11).
    pub(super) former: Option<Line>,
    /// Time at which its timer is set to go off.
    pub(super) armed: Option<Time>,
    /// `None` until it has joined.
    pub(super) part: Option<Participant<Ending>>,
    held: BTreeMap<CallId, Held>,
    /// Reason why its program makes no more calls.
    pub(super) stopped: Option<Ending>,
    pub(super) leaving: bool,
    pub(super) record: WorkerRecord,
}

impl Process {
    pub(super) fn new(
        job: u16,
        rank: u16,
        node: u32,
        trees: &[u32],
        mut request: JoinRequest,
    ) -> Self {
        let failover = Some(Failover::new(trees.len(), &mut request));
        let members = vec![(0, (0..request.size).collect())];
        Self {
            job,
            rank,
            node,
            request,
            trees: trees.to_vec(),
            at: 0,
            failover,
            leaves_after: None,
            line: None,
            former: None,
            armed: None,
            part: None,
            held: BTreeMap::new(),
            stopped: None,
            leaving: false,
            record: WorkerRecord { members, ..WorkerRecord::default() },
        }
    }

    /// Returns its host's leg in the tree that it is in, or tries.
    pub(super) fn leg(&self, topology: &Topology) -> u32 {
        topology.leg(self.node, self.trees[self.at])
    }

    /// Returns whether it is in a running job and has not begun to go.
    pub(super) fn is_working(&self) -> bool {
        self.part.is_some() && self.record.outcome.is_none() && !self.leaving
    }

    /// The connection through this pipe.
    pub(super) fn line(&mut self, pipe: u32) -> Option<&mut Line> {
        [&mut self.line, &mut self.former].into_iter().flatten().find(|line| line.pipe == pipe)
    }

    /// Pipes of its connections.
    pub(super) fn pipes(&self) -> Vec<u32> {
        [&self.line, &self.former].into_iter().flatten().map(|line| line.pipe).collect()
    }

    /// Calls made so far.
    pub(super) fn made(&self) -> u64 {
        self.part.as_ref().map_or(0, Participant::made)
    }

    /// A call is in progress on so many flows.
    pub(super) fn hold(&mut self, call: CallId, flows: u16) {
        self.held.insert(call, Held { flows, failed: None });
    }

    /// Notes that a flow has let go of a call, which is done there or has failed. Calls are over
    /// when all flows have let go, and fail if one says so.
    pub(super) fn let_go(&mut self, now: Time, call: CallId, failed: Option<&Ending>) {
        let Some(held) = self.held.get_mut(&call) else { return };
        held.flows -= 1;
        if held.failed.is_none() {
            held.failed = failed.cloned();
        }
        if held.flows == 0
            && let Some(Held { failed, .. }) = self.held.remove(&call)
        {
            self.over(now, call.0, failed);
        }
    }

    /// Ends a call, and tells the program its outcome.
    pub(super) fn over(&mut self, now: Time, call: u64, failed: Option<Ending>) {
        match &failed {
            None => {}
            Some(Ending::Regrouped { lost, rank, workers, .. }) => self.lose(lost, *rank, *workers),
            Some(ending) => drop(self.stopped.get_or_insert_with(|| ending.clone())),
        }
        self.record.calls.insert(call, (now, failed.map_or(Ok(()), Err)));
    }

    /// R-RES-9: the program keeps a list of the others, and strikes out those of whose loss it
    /// hears. Several calls may tell of one loss.
    fn lose(&mut self, lost: &[u16], rank: u16, workers: u16) {
        let made = self.made();
        let Some((_, members)) = self.record.members.last() else { return };
        if members.len() == usize::from(workers) {
            return;
        }
        let left = (0..).zip(members).filter(|(place, _)| !lost.contains(place));
        let left: Vec<u16> = left.map(|(_, member)| *member).collect();
        if left.len() != usize::from(workers) || left.get(usize::from(rank)) != Some(&self.rank) {
            let told = format!("without {lost:?} of {members:?} it is rank {rank} of {workers}");
            self.record.misled.get_or_insert(told);
        }
        self.record.members.push((made, left));
    }

    /// Calls in progress, in the order in which they were made.
    pub(super) fn in_progress(&self) -> impl Iterator<Item = CallId> {
        self.held.keys().copied()
    }

    /// The call in progress that was made first.
    pub(super) fn oldest(&self) -> Option<CallId> {
        self.in_progress().next()
    }

    /// Returns its part in its job, and a function that gives the first call in progress from a
    /// number on.
    pub(super) fn part_and_calls(
        &mut self,
    ) -> Option<(&mut Participant<Ending>, impl Fn(CallId) -> Option<CallId> + '_)> {
        let held = &self.held;
        Some((self.part.as_mut()?, |from| held.range(from..).next().map(|(call, _)| *call)))
    }

    pub(super) fn conclude(&mut self, now: Time, outcome: Outcome) {
        self.record.outcome.get_or_insert((now, outcome));
    }
}
