//! The way of a worker after an epoch of its job has ended. It decides whether the job goes on
//! (R-RES-7, R-RES-8), which of the worker's switches to try next (R-RES-2), and when to give up.

use crate::error::ClientError;
use crate::failure::{Failure, Loss, Refusal};
use crate::join::JoinRequest;
use crate::limits::micros;
use crate::membership::Ending;

/// The pause before a worker that all switches have turned away begins again with the first.
const PAUSE_US: u64 = 100_000;

/// Way in which a job goes on after the end of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// With the same workers, at a switch that all of them reach (R-RES-2).
    Switch,
    /// Without the worker of this rank, which is lost (R-RES-8).
    Without(u16),
}

/// The next switch to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its place in the worker's list.
    pub switch: usize,
    /// Time of the attempt, in microseconds of the caller's clock.
    pub at_us: u64,
}

/// A worker that looks for a switch.
#[derive(Clone, Copy, Debug)]
struct Search {
    until_us: u64,
    /// Number of switches that have turned it away.
    turned_away: usize,
    goes: Goes,
}

/// Next stop of a search after a switch that has turned the worker away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goes {
    /// To the next in the list, until one is there: the worker comes for the first time.
    Along,
    /// To the next in the list.
    On,
    /// To the next in the list if this one is not there, and otherwise to the same.
    OnFromNowhere,
}

/// A worker's list of switches, and its way through it, without I/O.
///
/// The caller joins at the switch of each [`Attempt`] and says what has come of it
/// ([`joined`](Self::joined), [`turned_away`](Self::turned_away)).
#[derive(Clone, Debug)]
pub struct Failover {
    switches: usize,
    at: usize,
    /// Longest time that it looks for a switch.
    patience_us: u64,
    /// `None` while it is at a switch.
    search: Option<Search>,
    /// Another worker has taken leave, and could not come along (R-RES-7).
    alone: bool,
}

impl Failover {
    /// A worker that has so many switches, and tries the first. With several, `request` asks for a
    /// job that goes on at another (R-RES-1). Once it has been in a job, it looks for another
    /// switch for as long as the job's time-out.
    ///
    /// # Panics
    /// If there are no switches.
    pub fn new(switches: usize, request: &mut JoinRequest) -> Self {
        assert!(switches > 0, "a worker has a switch");
        request.terms.resumable |= switches > 1;
        let search = Some(Search { until_us: 0, turned_away: 0, goes: Goes::Along });
        Self { switches, at: 0, patience_us: micros(request.timeout), search, alone: false }
    }

    /// The switch at which the worker is, or that it tries.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The epoch that the worker has asked for by `request` has come to this. Gives how the
    /// job goes on, or `None` if it does not.
    pub fn onward(&mut self, request: &JoinRequest, ending: &Ending) -> Option<Onward> {
        self.alone |= matches!(ending, Ending::PeerLeft { .. });
        match ending {
            _ if self.alone => None,
            _ if ending.is_of_a_switch() && request.terms.resumable => Some(Onward::Switch),
            Ending::Failed(failure) => {
                let lost = failure.survived(request.terms.elastic, request.terms.resumable);
                lost.filter(|rank| *rank != request.rank).map(Onward::Without)
            }
            _ => None,
        }
    }

    /// The epoch of the job has ended at the worker's switch. Gives the first switch to try: the
    /// next in the list if its own is lost, and its own again if that has lost another switch of
    /// the tree.
    pub fn lost(&mut self, now_us: u64, ending: &Ending) -> Attempt {
        if switch_is_gone(ending) {
            self.at = (self.at + 1) % self.switches;
        }
        self.look(now_us, Goes::On)
    }

    /// The worker joins without those that are lost (R-RES-8): where it is, since the others do so
    /// as well, and at another switch if this one is gone.
    pub fn again(&mut self, now_us: u64) -> Attempt {
        self.look(now_us, Goes::OnFromNowhere)
    }

    fn look(&mut self, now_us: u64, goes: Goes) -> Attempt {
        self.search = Some(Search {
            until_us: now_us.saturating_add(self.patience_us),
            turned_away: 0,
            goes,
        });
        Attempt { switch: self.at, at_us: now_us }
    }

    /// The switch that was tried has the job.
    pub fn joined(&mut self) {
        self.search = None;
    }

    /// The switch that was tried does not take the worker. Gives the next one to try, or `None` if
    /// no other will, or the time is over.
    pub fn turned_away(&mut self, now_us: u64, why: &ClientError) -> Option<Attempt> {
        let Search { until_us, turned_away, goes } = self.search.as_mut()?;
        *turned_away += 1;
        let goes_on = match goes {
            Goes::Along => {
                let on = matches!(why, ClientError::NoSwitch { .. }) && self.at + 1 < self.switches;
                self.at += usize::from(on);
                return on.then_some(Attempt { switch: self.at, at_us: now_us });
            }
            Goes::On => true,
            Goes::OnFromNowhere => is_not_there(why),
        };
        let pause_us = if !goes_on || *turned_away % self.switches == 0 { PAUSE_US } else { 0 };
        let at_us = now_us.saturating_add(pause_us);
        if at_us > *until_us || !may_pass(why) {
            return None;
        }
        if goes_on {
            self.at = (self.at + 1) % self.switches;
        }
        Some(Attempt { switch: self.at, at_us })
    }
}

impl Ending {
    /// Returns whether a job that has standby switches goes on after this: a switch has failed or
    /// stops, and no worker.
    pub fn is_of_a_switch(&self) -> bool {
        match self {
            Self::SwitchLost { .. } => true,
            Self::Failed(failure) => failure.is_of_a_switch(),
            Self::PeerLeft { .. } | Self::NotResumed { .. } | Self::Regrouped { .. } => false,
        }
    }
}

impl Failure {
    /// Returns the rank of the worker without which a job goes on at its switch (R-RES-8), if it is
    /// elastic. A resumable one goes on with it if a switch was lost (R-RES-2).
    pub(crate) fn survived(&self, elastic: bool, resumable: bool) -> Option<u16> {
        match self {
            Self::WorkerLost { rank, .. } if elastic && !(resumable && self.is_of_a_switch()) => {
                Some(*rank)
            }
            _ => None,
        }
    }

    fn is_of_a_switch(&self) -> bool {
        let gone = |why: &Loss| matches!(why, Loss::SwitchGone { .. });
        match self {
            Self::SwitchStopping | Self::ParentLost { .. } => true,
            Self::WorkerLost { why, .. } => gone(why),
            Self::Expelled { .. }
            | Self::Mismatch { .. }
            | Self::Overflow { .. }
            | Self::Trapped { .. }
            | Self::SwitchUnable { .. } => false,
        }
    }
}

/// Returns whether the worker's own switch has gone, and not another one of its tree.
fn switch_is_gone(ending: &Ending) -> bool {
    match ending {
        Ending::SwitchLost { .. } => true,
        Ending::Failed(failure) => {
            matches!(failure, Failure::SwitchStopping | Failure::ParentLost { .. })
        }
        Ending::PeerLeft { .. } | Ending::NotResumed { .. } | Ending::Regrouped { .. } => false,
    }
}

/// Returns whether the switch is gone for every worker.
fn is_not_there(why: &ClientError) -> bool {
    match why {
        ClientError::Address { .. } | ClientError::NoSwitch { .. } | ClientError::Lost { .. } => {
            true
        }
        ClientError::Failed(failure) => failure.is_of_a_switch(),
        ClientError::Refused(refusal) => {
            matches!(refusal, Refusal::SwitchStopping | Refusal::NoParent { .. })
        }
        _ => false,
    }
}

/// Returns whether another switch may take a worker that one has turned away, or the same one
/// later.
fn may_pass(why: &ClientError) -> bool {
    match why {
        ClientError::Address { .. } | ClientError::NoSwitch { .. } | ClientError::Lost { .. } => {
            true
        }
        ClientError::NotASwitch { .. } | ClientError::Version { .. } => true,
        ClientError::Failed(failure) => failure.is_of_a_switch(),
        ClientError::Refused(refusal) => refusal_may_pass(refusal),
        ClientError::Local(_) | ClientError::Interrupted => false,
    }
}

fn refusal_may_pass(refusal: &Refusal) -> bool {
    match refusal {
        // The switch has not noticed yet that the previous epoch is over, or has something else the
        // matter with it.
        Refusal::RankTaken { .. } | Refusal::SwitchStopping | Refusal::NoParent { .. } => true,
        Refusal::TooManyConnections { .. }
        | Refusal::TooManyJobs { .. }
        | Refusal::OutOfMemory { .. } => true,
        Refusal::FewerShards { .. } | Refusal::DataPlane { .. } | Refusal::Silent { .. } => true,
        // The workers bring the same everywhere. A worker that has not come here by now does not
        // come.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;
    use std::io;

    use netfold_wire::Terms;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(2);

    fn gone() -> Ending {
        Ending::SwitchLost { address: "a:1".into(), why: "closed".into() }
    }

    /// A worker of so many switches.
    fn of(switches: usize) -> Failover {
        Failover::new(
            switches,
            &mut JoinRequest { timeout: TIMEOUT, ..JoinRequest::new("a", 0, 2) },
        )
    }

    /// A worker of so many switches that is at this one.
    fn at(switches: usize, at: usize) -> Failover {
        let mut failover = of(switches);
        for next in 1..=at {
            assert_eq!(
                failover.turned_away(0, &nobody()),
                Some(Attempt { switch: next, at_us: 0 })
            );
        }
        failover.joined();
        failover
    }

    fn nobody() -> ClientError {
        ClientError::NoSwitch {
            address: "b:1".into(),
            source: io::ErrorKind::ConnectionRefused.into(),
        }
    }

    /// All switches in turn, from the one after the lost one; then a pause; and no more when the
    /// time-out is over.
    #[test]
    fn a_worker_goes_through_its_list_until_the_time_is_over() {
        let mut failover = at(3, 1);
        let mut attempt = failover.lost(1_000, &gone());
        let (mut tried, mut times) = (vec![attempt.switch], vec![attempt.at_us]);
        while let Some(next) = failover.turned_away(attempt.at_us + 10, &nobody()) {
            attempt = next;
            tried.push(next.switch);
            times.push(next.at_us);
        }
        assert!(tried.iter().zip(2..).all(|(switch, count)| *switch == count % 3), "{tried:?}");
        let pauses = times.windows(2).filter(|pair| pair[1] - pair[0] > 10).count();
        assert_eq!(pauses, (tried.len() - 1) / 3);
        // Each round of three takes the pause and three times 10 us.
        let last = *times.last().unwrap();
        assert!((2_001_000 - PAUSE_US - 40..=2_001_000).contains(&last), "{last}");
    }

    /// R-RES-2: the first switch that is there has the job, and what it says counts.
    #[test]
    fn a_worker_comes_to_the_first_switch_that_answers() {
        let mut failover = of(2);
        assert_eq!(failover.turned_away(7, &nobody()), Some(Attempt { switch: 1, at_us: 7 }));
        assert_eq!(failover.turned_away(8, &nobody()), None, "there is no third");
        let mut failover = of(2);
        let lost = ClientError::Lost { address: "a:1".into(), why: "closed".into() };
        assert_eq!((failover.turned_away(7, &lost), failover.at()), (None, 0));
    }

    /// R-RES-1
    #[test]
    fn several_switches_ask_for_a_job_that_goes_on() {
        for (switches, asked) in [(1, false), (1, true), (2, false), (2, true)] {
            let mut request = JoinRequest {
                terms: Terms { resumable: asked, ..Terms::new(None) },
                ..JoinRequest::new("a", 0, 2)
            };
            Failover::new(switches, &mut request);
            assert_eq!(request.terms.resumable, asked || switches > 1);
        }
    }

    #[test]
    fn who_has_lost_another_switch_of_the_tree_comes_back() {
        let mut failover = at(2, 0);
        let why = Loss::SwitchGone { switch: ([10, 0, 0, 2], 4800).into() };
        let ending = Ending::Failed(Failure::WorkerLost { rank: 3, why });
        assert!(ending.is_of_a_switch());
        assert_eq!(failover.lost(5, &ending), Attempt { switch: 0, at_us: 5 });
        assert_eq!(failover.lost(5, &Ending::Failed(Failure::SwitchStopping)).switch, 1);
    }

    #[test]
    fn what_no_other_switch_would_take_is_given_up() {
        let workers = [
            Refusal::JoinTimeout {
                job: "a".into(),
                size: 2,
                missing: vec![1],
                more: 0,
                waited_s: 3,
            },
            Refusal::WrongToken,
            Refusal::bad_value("the time-out", 1, "more"),
        ];
        for refusal in workers {
            let mut failover = at(2, 0);
            failover.lost(0, &gone());
            assert_eq!(failover.turned_away(1, &ClientError::Refused(refusal)), None);
        }
        let mut failover = at(2, 0);
        assert_eq!(failover.turned_away(1, &nobody()), None, "nothing was lost");
        failover.lost(0, &gone());
        let taken = Refusal::RankTaken { job: "a".into(), rank: 0, by: "10.0.0.1".into() };
        assert_eq!(
            failover.turned_away(1, &ClientError::Refused(taken)),
            Some(Attempt { switch: 0, at_us: 1 })
        );
    }

    /// R-RES-8: those that are left meet where they are, unless that is gone.
    #[test]
    fn who_goes_on_without_others_stays_where_they_go_on() {
        let taken = || {
            ClientError::Refused(Refusal::RankTaken {
                job: "a".into(),
                rank: 0,
                by: "10.0.0.1".into(),
            })
        };
        for (why, goes_on) in [(nobody(), true), (taken(), false)] {
            let mut failover = at(2, 0);
            failover.lost(0, &gone());
            assert_eq!(failover.again(5), Attempt { switch: 1, at_us: 5 }, "it was there last");
            let next = failover.turned_away(6, &why).unwrap();
            let expected = if goes_on {
                Attempt { switch: 0, at_us: 6 }
            } else {
                Attempt { switch: 1, at_us: 6 + PAUSE_US }
            };
            assert_eq!(next, expected, "{why}");
        }
    }

    /// R-RES-1, R-RES-7, R-RES-8: by what the job has asked for, and with nobody once another
    /// worker has taken leave.
    #[test]
    fn a_job_goes_on_as_it_has_asked_for() {
        let request = |resumable, elastic| JoinRequest {
            terms: Terms { resumable, elastic, ..Terms::new(None) },
            ..JoinRequest::new("a", 1, 3)
        };
        let lost = |rank| Ending::Failed(Failure::WorkerLost { rank, why: Loss::Closed });
        let onward = |request: &JoinRequest, ending: &Ending| at(2, 0).onward(request, ending);
        for (resumable, elastic) in [(false, false), (false, true), (true, false), (true, true)] {
            let request = request(resumable, elastic);
            assert_eq!(onward(&request, &gone()), resumable.then_some(Onward::Switch));
            assert_eq!(onward(&request, &lost(0)), elastic.then_some(Onward::Without(0)));
            assert_eq!(onward(&request, &lost(1)), None, "it is this worker that is lost");
        }
        let mut failover = at(2, 0);
        let both = request(true, true);
        assert_eq!(failover.onward(&both, &Ending::PeerLeft { rank: 2, calls: 1 }), None);
        assert_eq!(
            (failover.onward(&both, &gone()), failover.onward(&both, &lost(0))),
            (None, None)
        );
    }

    #[test]
    fn only_the_end_of_a_switch_is_no_end_of_the_job() {
        let lost = Failure::WorkerLost { rank: 1, why: Loss::Closed };
        let overflow = Failure::Overflow {
            job: "a".into(),
            arithmetic: "fpisa".into(),
            rank: 1,
            element: "7".into(),
        };
        for failure in [lost, overflow] {
            assert!(!Ending::Failed(failure).is_of_a_switch());
        }
        assert!(!Ending::PeerLeft { rank: 1, calls: 3 }.is_of_a_switch());
        assert!(gone().is_of_a_switch());
    }
}
