//! The calls that workers wait for, as far as they have told (R-CTRL-12).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use netfold_worker::MOST_TOLD;

/// The last calls of which each worker of a job has told, at most [`MOST_TOLD`], and their
/// descriptions.
#[derive(Default)]
pub(super) struct PendingCalls {
    by_rank: BTreeMap<u16, VecDeque<u64>>,
    by_call: BTreeMap<u64, Description>,
}

/// The description of a call, which is the same from all workers: otherwise the job has failed.
struct Description {
    text: String,
    ranks: BTreeSet<u16>,
}

/// A worker's description of a call, beside those of others.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// No other worker is known to wait for the call.
    First,
    /// The others give the same description.
    Same,
    /// This worker gives another description.
    Differs { rank: u16, text: String },
}

impl PendingCalls {
    /// Adds a worker's description of a call, and compares it with that of another. The time does
    /// not depend on the number of workers.
    pub(super) fn compare(&mut self, rank: u16, call: u64, text: &str) -> Comparison {
        let comparison = match self.by_call.get(&call) {
            None => Comparison::First,
            Some(description) => match description.ranks.iter().find(|other| **other != rank) {
                Some(&other) if description.text != text => {
                    return Comparison::Differs { rank: other, text: description.text.clone() };
                }
                _ => Comparison::Same,
            },
        };
        let description = self
            .by_call
            .entry(call)
            .or_insert_with(|| Description { text: String::new(), ranks: BTreeSet::new() });
        text.clone_into(&mut description.text);
        if description.ranks.insert(rank) {
            self.remember(rank, call);
        }
        comparison
    }

    /// Adds a call to those of a worker, in place of its oldest one.
    fn remember(&mut self, rank: u16, call: u64) {
        let calls = self.by_rank.entry(rank).or_default();
        calls.push_back(call);
        if calls.len() > MOST_TOLD
            && let Some(first) = calls.pop_front()
            && let Some(description) = self.by_call.get_mut(&first)
        {
            description.ranks.remove(&rank);
            if description.ranks.is_empty() {
                self.by_call.remove(&first);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// R-CTRL-12: against a list of the last words of all workers, in their order.
        #[test]
        fn the_last_words_of_each_are_compared(
            words in prop::collection::vec((0..3u16, 0..3 * MOST_TOLD as u64, prop::bool::weighted(0.01)), 1..300),
        ) {
            let (mut pending, mut list) = (PendingCalls::default(), Vec::<(u16, u64, String)>::new());
            for (rank, call, odd) in words {
                let text = odd.to_string();
                let of_call = || list.iter().filter(|(_, said, _)| *said == call);
                let unlike = of_call().any(|(other, _, said)| *other != rank && *said != text);
                let known = of_call().next().is_some();
                match pending.compare(rank, call, &text) {
                    Comparison::Differs { rank: other, text: said } => {
                        prop_assert!(unlike && list.contains(&(other, call, said)));
                        // The job has failed.
                        return Ok(());
                    }
                    comparison => {
                        prop_assert!(!unlike);
                        prop_assert_eq!(comparison == Comparison::First, !known);
                    }
                }
                match list.iter_mut().find(|(other, said, _)| (*other, *said) == (rank, call)) {
                    Some((.., said)) => *said = text,
                    None => list.push((rank, call, text)),
                }
                if list.iter().filter(|(other, ..)| *other == rank).count() > MOST_TOLD {
                    let first = list.iter().position(|(other, ..)| *other == rank);
                    list.remove(first.unwrap());
                }
                prop_assert_eq!(pending.by_call.values().map(|call| call.ranks.len()).sum::<usize>(), list.len());
            }
        }
    }
}
