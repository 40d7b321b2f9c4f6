//! A worker's part in a job, over all its epochs: the next call, the meaning of a notice for
//! the calls, the next switch when an epoch has ended, and the time at which the worker may leave.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use netfold_worker::{CallId, MOST_TOLD, Order};

use crate::error::ClientError;
use crate::failover::{Attempt, Failover, Onward};
use crate::failure::Refusal;
use crate::join::JoinRequest;
use crate::membership::{Ending, Notice};
use crate::message::Welcome;
use crate::resume::{FlowRounds, Regroup, Resume};
use crate::roster::Roster;

/// An output of a [`Participant`], to be carried out at once.
#[derive(Clone, Debug, PartialEq)]
pub enum Action<E> {
    /// Describe the call at a position, with [`Membership::describe`](crate::Membership::describe)
    /// (R-CTRL-6).
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
    /// Tell of these calls with [`Membership::in_progress`](crate::Membership::in_progress), those
    /// that are in progress (R-CTRL-12).
    Tell(Vec<CallId>),
    /// Tell the streams the switch's answer about a call that needs lent slots (R-CTRL-25).
    Slots {
        /// The number of the call among those that need them.
        call: u64,
        /// The worker has the slots.
        lent: bool,
    },
    /// Return lent slots if nothing needs them: no call was made for a while, and none is in
    /// progress (R-CTRL-25).
    ReturnSlots,
    /// End the calls in progress from `first` on.
    Fail {
        /// The first of them.
        first: CallId,
        /// The reason.
        error: E,
    },
    /// The job is over for this worker: end all calls, and close the connection without leave.
    End(E),
}

/// The next step of a worker on its way from one epoch of its job to the next (R-RES).
#[derive(Clone, Debug)]
pub enum Step<E> {
    /// An epoch has ended for this reason: suspend all streams, report [`Participant::suspended`]
    /// (R-RES-2). The connection of that epoch stays as it is until the worker is welcome in the
    /// next one, or the job is over for it (R-RES-11).
    Suspend(E),
    /// Join by this request at the time and switch of the attempt, and report
    /// [`Participant::joined`] or [`Participant::turned_away`].
    Join(Attempt, Box<JoinRequest>),
    /// Close the former epoch's connection, resume the streams, with the replays of the welcome
    /// (R-RES-6), and report [`Participant::arrived`].
    Resume,
    /// Close the connection of the previous epoch, end all calls in progress with this error, begin
    /// new streams (R-RES-9), and report [`Participant::arrived`].
    Restart(E),
}

/// A worker's part in a job, without I/O: from the first welcome until it leaves, or the job is
/// over for it.
///
/// The caller has the connection, the streams and the calls in progress. It makes calls with
/// [`make`](Self::make) while the worker [`is_settled`](Self::is_settled), passes on every
/// [`Notice`] of its connection ([`handle`](Self::handle)), and says when it cannot go on
/// ([`fail`](Self::fail)). After each of these, and after each report on a [`Step`], it does what
/// [`poll_action`](Self::poll_action) gives until that gives nothing, and then what
/// [`poll_step`](Self::poll_step) gives. A step ends with its report, or with
/// [`strand`](Self::strand).
///
/// `E` is the caller's type of errors of calls. `oldest` is the first call in progress, if there is
/// one. `now_us` is a clock in microseconds from any origin, which never goes back.
#[derive(Clone, Debug)]
pub struct Participant<E> {
    order: Order<E>,
    failover: Failover,
    roster: Roster,
    /// Its request for its epoch of the job, or for the last one.
    request: JoinRequest,
    /// The welcome that began that epoch.
    welcome: Welcome,
    state: State,
    step: Option<Step<E>>,
    actions: VecDeque<Action<E>>,
}

#[derive(Clone, Debug)]
enum State {
    /// In an epoch of its job.
    Here,
    /// Between two of them.
    Away(Box<Away>),
    /// The job is over for it, or it has left.
    Over,
}

/// A worker whose epoch of the job has ended.
#[derive(Clone, Debug)]
struct Away {
    ending: Ending,
    onward: Onward,
    flows: usize,
    /// Those that are known to be lost, by the ranks of that epoch.
    lost: Vec<u16>,
    /// Its progress in calls, if it goes on without others.
    regroup: Option<Regroup>,
    /// Its request for the next epoch.
    request: JoinRequest,
    /// The last refusal by a switch that answered.
    refused: Option<String>,
    /// The next epoch has ended as well, before the worker was in it.
    again: Option<(Ending, Onward)>,
}

impl<E: Clone + From<Ending>> Participant<E> {
    /// A worker that has joined by `request` at a switch of its list, and is welcome.
    pub fn new(mut failover: Failover, request: JoinRequest, welcome: Welcome) -> Self {
        failover.joined();
        Self {
            order: Order::default(),
            failover,
            roster: Roster::new(welcome.workers),
            request,
            welcome,
            state: State::Here,
            step: None,
            actions: VecDeque::new(),
        }
    }

    /// Returns whether calls can be made. While a worker goes on without others, it does not know
    /// with whom (R-RES-8).
    pub fn is_settled(&self) -> bool {
        match &self.state {
            State::Here | State::Over => true,
            State::Away(away) => away.regroup.is_none() && away.onward == Onward::Switch,
        }
    }

    /// Returns whether the worker is between two epochs of its job.
    pub fn is_away(&self) -> bool {
        matches!(self.state, State::Away(_))
    }

    /// Returns whether the job is over for the worker, or the worker has left.
    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// The number of the next call, which is made with it; see [`Order::make`].
    ///
    /// # Errors
    /// The reason why it cannot be made.
    #[inline]
    pub fn make(&mut self) -> Result<CallId, E> {
        self.order.make()
    }

    /// Returns why the next call cannot be done; `None` if nothing is against it.
    pub fn ended(&self) -> Option<&E> {
        self.order.ended()
    }

    /// Calls made so far.
    pub fn made(&self) -> u64 {
        self.order.made()
    }

    /// Returns the worker's request for its epoch of the job, or for the last one.
    pub fn request(&self) -> &JoinRequest {
        &self.request
    }

    /// The welcome that began that epoch.
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// Takes a notice of the connection. `in_progress` gives the first call in progress from a
    /// number on.
    pub fn handle(&mut self, notice: Notice, in_progress: impl Fn(CallId) -> Option<CallId>) {
        if let Some((first, ending)) = notice.ending() {
            return self.end(CallId(first), ending);
        }
        let action = match notice {
            Notice::Describe { shard, slot, position, lane } => {
                Some(Action::Describe { shard, slot, position, lane })
            }
            Notice::AskInProgress { calls } => {
                Some(Action::Tell(calls.into_iter().take(MOST_TOLD).map(CallId).collect()))
            }
            Notice::Pulse => self.pulse(in_progress),
            // An answer of an epoch that is over is about other streams.
            Notice::Slots { epoch, call, lent } => {
                let here = matches!(self.state, State::Here) && epoch == self.welcome.epoch;
                here.then_some(Action::Slots { call, lent })
            }
            Notice::Failed(_) | Notice::Left { .. } | Notice::SwitchLost { .. } => None,
        };
        self.actions.extend(action);
    }

    /// Looks at the calls in progress (R-CTRL-12).
    fn pulse(&mut self, in_progress: impl Fn(CallId) -> Option<CallId>) -> Option<Action<E>> {
        let is_idle = self.order.made_none() && in_progress(CallId(0)).is_none();
        let calls = self.order.pulse(in_progress);
        if is_idle && self.welcome.long_slots > 0 && matches!(self.state, State::Here) {
            return Some(Action::ReturnSlots);
        }
        (!calls.is_empty()).then_some(Action::Tell(calls))
    }

    /// Calls from `first` on cannot be done in this epoch of the job.
    fn end(&mut self, first: CallId, ending: Ending) {
        let onward = self.failover.onward(&self.request, &ending);
        match (&mut self.state, onward) {
            (State::Over, _) => {}
            (State::Here, Some(onward)) => self.depart(ending, onward),
            (State::Away(away), Some(onward)) => away.again = Some((ending, onward)),
            (_, None) if ending.ends_the_job() => self.fail(ending.into()),
            (_, None) => {
                let error = E::from(ending);
                self.order.end(first, error.clone());
                self.actions.push_back(Action::Fail { first, error });
            }
        }
    }

    /// The job cannot go on with this worker: every call fails, now and later.
    pub fn fail(&mut self, error: E) {
        self.order.end(CallId(0), error.clone());
        if !self.is_over() {
            self.state = State::Over;
            self.step = None;
            self.actions.push_back(Action::End(error));
        }
    }

    /// The worker makes no more calls, for this reason.
    pub fn close(&mut self, reason: E) {
        self.order.end(CallId(0), reason);
    }

    /// Takes leave if that is possible: with no call in progress, in an epoch of the job, and with
    /// nothing to replay that others may need (R-RES-7). Gives the number of calls made, for
    /// [`Membership::leave`](crate::Membership::leave) (R-CTRL-5).
    pub fn leave(&mut self, oldest: Option<CallId>, replaying: bool) -> Option<u64> {
        let leaves = matches!(self.state, State::Here) && oldest.is_none() && !replaying;
        if leaves {
            self.state = State::Over;
        }
        leaves.then(|| self.made())
    }

    /// The next thing to do at once.
    pub fn poll_action(&mut self) -> Option<Action<E>> {
        self.actions.pop_front()
    }

    /// The next step on the way to another epoch.
    pub fn poll_step(&mut self) -> Option<Step<E>> {
        self.step.take()
    }

    fn depart(&mut self, ending: Ending, onward: Onward) {
        self.step = Some(Step::Suspend(ending.clone().into()));
        let (lost, request) = (Vec::new(), self.request.clone());
        let away = Away {
            ending,
            onward,
            flows: 0,
            lost,
            regroup: None,
            request,
            refused: None,
            again: None,
        };
        self.state = State::Away(away.into());
    }

    /// The streams are suspended, and these are the last rounds of each flow (R-RES-2).
    pub fn suspended(&mut self, now_us: u64, flows: Vec<FlowRounds>, oldest: Option<CallId>) {
        let State::Away(away) = &mut self.state else { return };
        away.flows = flows.len();
        match away.onward {
            Onward::Switch => {
                away.request = self.request.again(
                    &self.welcome,
                    Resume { epoch: self.welcome.epoch, flows, regroup: None },
                );
                let first = self.failover.lost(now_us, &away.ending);
                self.step = Some(Step::Join(first, away.request.clone().into()));
            }
            Onward::Without(rank) => self.regroup(now_us, &[rank], oldest),
        }
    }

    /// R-RES-8: goes on without these, by their ranks in the epoch that has ended.
    fn regroup(&mut self, now_us: u64, lost: &[u16], oldest: Option<CallId>) {
        let State::Away(away) = &mut self.state else { return };
        let at = Regroup { made: self.order.made(), idle: oldest.is_none() };
        self.roster.made(at.made);
        away.regroup = Some(at);
        away.lost = lost.to_vec();
        self.meet(now_us);
    }

    /// Joins with those that are not known to be lost.
    fn meet(&mut self, now_us: u64) {
        let State::Away(away) = &mut self.state else { return };
        let all = self.welcome.workers;
        let survivors: Vec<u16> = (0..all).filter(|rank| !away.lost.contains(rank)).collect();
        // R-RES-8: others may go on at a switch of which this one does not know.
        if self.request.terms.resumable && !is_majority(&survivors, all) {
            let left = survivors.len();
            return self.strand(format!(
                "{left} of its {all} workers are left; of a job that can go on at another switch only a majority does, \
                 so that no two parts of it do"
            ));
        }
        let resume = Resume {
            epoch: self.welcome.epoch,
            flows: vec![FlowRounds::new([]); away.flows],
            regroup: away.regroup,
        };
        away.request = JoinRequest {
            rank: survivors.iter().take_while(|rank| **rank < self.request.rank).count() as u16,
            size: survivors.len() as u16,
            ..self.request.again(&self.welcome, resume)
        };
        let first = self.failover.again(now_us);
        self.step = Some(Step::Join(first, away.request.clone().into()));
    }

    /// The switch that was tried has not taken the worker.
    pub fn turned_away(&mut self, now_us: u64, why: &ClientError, oldest: Option<CallId>) {
        let State::Away(away) = &mut self.state else { return };
        if matches!(why, ClientError::Refused(_)) {
            away.refused = Some(why.to_string());
        }
        if let Some(next) = self.failover.turned_away(now_us, why) {
            self.step = Some(Step::Join(next, away.request.clone().into()));
            return;
        }
        if let ClientError::Refused(Refusal::OthersLost { lost, .. }) = why {
            away.lost.extend(lost);
            return self.meet(now_us);
        }
        match (missing(why), away.regroup) {
            (Some(missing), Some(_)) => {
                let left: Vec<u16> =
                    (0..self.welcome.workers).filter(|rank| !away.lost.contains(rank)).collect();
                away.lost.extend(missing.iter().filter_map(|rank| left.get(usize::from(*rank))));
                self.meet(now_us);
            }
            // R-RES-8: others were lost with the switch.
            (Some(missing), None) if self.request.terms.elastic => {
                self.regroup(now_us, missing, oldest)
            }
            _ => {
                // A switch that answers says more than one that does not.
                let told = match (away.refused.take(), why) {
                    (Some(refused), ClientError::Refused(_)) => refused,
                    (Some(refused), _) => format!("{refused}; {why}"),
                    (None, _) => why.to_string(),
                };
                self.strand(told);
            }
        }
    }

    /// The switch that was tried has the job, and this is its welcome.
    pub fn joined(&mut self, welcome: Welcome) {
        let State::Away(away) = &mut self.state else { return };
        self.failover.joined();
        self.order.tell_anew();
        // From here on this is the epoch that the worker comes from, even if it does not come into
        // it.
        (self.request, self.welcome) = (away.request.clone(), welcome);
        self.step = Some(match away.regroup {
            None => Step::Resume,
            Some(_) => {
                self.roster.lose(&away.lost);
                let why = Box::new(away.ending.clone());
                let (rank, workers) = (self.request.rank, self.welcome.workers);
                let error =
                    E::from(Ending::Regrouped { why, lost: self.roster.lost(), rank, workers });
                self.order.skip_to(self.welcome.first_call, error.clone());
                Step::Restart(error)
            }
        });
    }

    /// The worker is in the next epoch of its job, unless that has ended since.
    pub fn arrived(&mut self) {
        let State::Away(away) = &mut self.state else { return };
        if let Some(at) = away.regroup {
            self.roster.tell(at);
        }
        match away.again.take() {
            Some((ending, onward)) => self.depart(ending, onward),
            None => self.state = State::Here,
        }
    }

    /// The worker cannot come to the next epoch of its job, for this reason. If that has ended as
    /// well, it goes on from there.
    pub fn strand(&mut self, why: String) {
        let State::Away(away) = &mut self.state else { return };
        match away.again.take() {
            Some((ending, onward)) => self.depart(ending, onward),
            None => {
                let lost = Box::new(away.ending.clone());
                self.fail(Ending::NotResumed { lost, why }.into());
            }
        }
    }
}

/// Returns the missing ranks, if they are the reason why a worker could not join a job.
fn missing(why: &ClientError) -> Option<&[u16]> {
    match why {
        ClientError::Refused(Refusal::JoinTimeout { missing, .. }) => Some(missing),
        _ => None,
    }
}

/// Returns whether these are the majority of the epoch's workers: more than half of them, or half
/// with rank 0 (R-RES-8).
fn is_majority(survivors: &[u16], all: u16) -> bool {
    let others = usize::from(all) - survivors.len();
    survivors.len() > others || survivors.len() == others && survivors.first() == Some(&0)
}
