//! Reports of workers on an epoch that has ended, so that the next one goes on from there
//! (R-RES).

use serde::{Deserialize, Serialize};

/// Most slots of a resumable job, on all flows together: a join with the last round of each fits a
/// message.
pub const MAX_RESUMABLE_SLOTS: u32 = 32_768;

/// State that a worker that joins again brings (R-RES-2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resume {
    /// The epoch that has ended.
    pub epoch: u32,
    /// Progress of each flow. For a job that goes on without a worker, it tells only the number of
    /// flows.
    pub flows: Vec<FlowRounds>,
    /// State of this worker when another one was lost (R-RES-8). `None` if its switch is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regroup: Option<Regroup>,
}

/// State of a worker at the time when another one was lost (R-RES-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regroup {
    /// Calls that it had made.
    pub made: u64,
    /// All of them were complete.
    pub idle: bool,
}

/// The number of the first call of workers that go on without one (R-RES-9): all calls before it
/// that are not complete fail. It is such that every worker has a call that fails, and so learns of
/// the loss from its calls.
pub fn first_call(workers: impl Iterator<Item = Regroup> + Clone) -> u64 {
    let made = workers.clone().map(|worker| worker.made).max().unwrap_or(0);
    let unaware = workers.into_iter().any(|worker| worker.idle && worker.made == made);
    made + u64::from(unaware)
}

/// The last rounds of a flow's slots, which are close together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowRounds {
    /// The greatest number.
    latest: u64,
    /// Difference between that number and each slot's.
    behind: Vec<u64>,
}

impl FlowRounds {
    /// The numbers of the slots' last rounds, 0 for none.
    pub fn new(rounds: impl IntoIterator<Item = u64>) -> Self {
        let rounds: Vec<u64> = rounds.into_iter().collect();
        let latest = rounds.iter().copied().max().unwrap_or(0);
        Self { latest, behind: rounds.iter().map(|round| latest - round).collect() }
    }

    /// Returns the number of slots.
    pub fn slots(&self) -> usize {
        self.behind.len()
    }

    fn round(&self, slot: usize) -> u64 {
        self.behind.get(slot).map_or(0, |behind| self.latest.saturating_sub(*behind))
    }
}

/// A round that some workers have done and others have not (R-RES-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// Its flow.
    pub flow: u16,
    /// Its slot in the flow.
    pub slot: u16,
    /// Its number.
    pub round: u64,
    /// The lowest rank that has done it.
    pub source: u16,
}

/// Returns the rounds that the workers of a job have to replay (R-RES-4). `workers`: each rank
/// once, lowest first, with what it brings.
pub fn replays(workers: &[(u16, &Resume)]) -> Vec<Replay> {
    let flows = workers.iter().map(|(_, resume)| resume.flows.len()).max().unwrap_or(0);
    let slots = |flow: usize| {
        let of = |(_, resume): &(u16, &Resume)| resume.flows.get(flow).map_or(0, FlowRounds::slots);
        workers.iter().map(of).max().unwrap_or(0)
    };
    let places = (0..flows).flat_map(|flow| (0..slots(flow)).map(move |slot| (flow, slot)));
    places.filter_map(|(flow, slot)| replay(workers, flow, slot)).collect()
}

fn replay(workers: &[(u16, &Resume)], flow: usize, slot: usize) -> Option<Replay> {
    let round = |resume: &Resume| resume.flows.get(flow).map_or(0, |rounds| rounds.round(slot));
    let latest = workers.iter().map(|(_, resume)| round(resume)).max()?;
    if workers.iter().all(|(_, resume)| round(resume) == latest) {
        return None;
    }
    let (source, _) = workers.iter().find(|(_, resume)| round(resume) == latest)?;
    Some(Replay { flow: flow as u16, slot: slot as u16, round: latest, source: *source })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against the rule read literally: for each slot the latest round, the workers that have
        /// done it, and whether those are all.
        #[test]
        fn what_some_have_done_and_others_not_is_replayed(
            rounds in prop::collection::vec(prop::collection::vec(prop::collection::vec(0..5u64, 3), 2), 1..6),
        ) {
            let brought: Vec<Resume> = rounds
                .iter()
                .map(|flows| Resume { epoch: 9, regroup: None, flows: flows.iter().map(|slots| FlowRounds::new(slots.iter().copied())).collect() })
                .collect();
            let found = replays(&(0..).zip(&brought).collect::<Vec<_>>());
            for flow in 0..2 {
                for slot in 0..3 {
                    let of: Vec<u64> = rounds.iter().map(|flows| flows[flow][slot]).collect();
                    let latest = *of.iter().max().unwrap();
                    let here = found.iter().filter(|replay| (replay.flow, replay.slot) == (flow as u16, slot as u16));
                    let here: Vec<_> = here.map(|replay| (replay.round, usize::from(replay.source))).collect();
                    if of.iter().any(|round| *round != latest) {
                        prop_assert_eq!(here, [(latest, of.iter().position(|round| *round == latest).unwrap())]);
                    } else {
                        prop_assert!(here.is_empty());
                    }
                }
            }
        }
    }

    proptest! {
        /// R-RES-9: numbers that nobody has used come after it, and everyone has a call below it
        /// that is not complete or not made.
        #[test]
        fn everyone_has_a_call_that_fails(workers in prop::collection::vec((0..6u64, any::<bool>()), 1..6)) {
            let workers = workers.into_iter().map(|(made, idle)| Regroup { made, idle: idle || made == 0 });
            let first = first_call(workers.clone());
            let most = workers.clone().map(|worker| worker.made).max().unwrap();
            prop_assert!(first == most || first == most + 1);
            prop_assert!(workers.clone().all(|worker| worker.made < first || !worker.idle));
            // And no call fails without need.
            prop_assert!(first == most || workers.clone().any(|worker| worker.idle && worker.made == most));
        }
    }

    #[test]
    fn the_largest_resumption_fits_a_message() {
        // Far along, and as far apart as slots can be that wait for one another.
        let rounds = (0..u64::from(MAX_RESUMABLE_SLOTS)).map(|slot| 4 * (1 << 40) + 4 * slot + 3);
        let text = serde_json::to_string(&Resume {
            epoch: u32::MAX,
            flows: vec![FlowRounds::new(rounds)],
            regroup: None,
        })
        .unwrap();
        assert!(text.len() < crate::MAX_FRAME_BYTES - 4096, "{}", text.len());
    }
}
