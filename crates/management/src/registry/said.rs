//! What workers were last heard to wait for (R-CTRL-12).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use netfold_worker::MOST_TOLD;

/// For each worker of a job the calls that it was last heard to wait for, at most [`MOST_TOLD`], and
/// how it describes them.
#[derive(Default)]
pub(super) struct Said {
    by_rank: BTreeMap<u16, VecDeque<u64>>,
    by_call: BTreeMap<u64, Description>,
}

/// How those that wait for a call describe it: all alike, for otherwise the job has failed.
struct Description {
    text: String,
    ranks: BTreeSet<u16>,
}

/// What a worker's description of a call is to the others'.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// Nobody is known to wait for the call.
    First,
    /// It is what the others say.
    Alike,
    /// This worker says something else.
    Unlike { rank: u16, text: String },
}

impl Said {
    /// Takes what a worker says of a call. The time that it takes does not depend on how many workers there are.
    pub(super) fn hear(&mut self, rank: u16, call: u64, text: &str) -> Heard {
        let heard = match self.by_call.get(&call) {
            None => Heard::First,
            Some(description) => match description.ranks.iter().find(|other| **other != rank) {
                Some(&other) if description.text != text => {
                    return Heard::Unlike { rank: other, text: description.text.clone() };
                }
                _ => Heard::Alike,
            },
        };
        let description =
            self.by_call.entry(call).or_insert_with(|| Description { text: String::new(), ranks: BTreeSet::new() });
        text.clone_into(&mut description.text);
        if description.ranks.insert(rank) {
            self.remember(rank, call);
        }
        heard
    }

    /// Adds a call to what a worker waits for, in the place of the one of which it has told first.
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
            let (mut said, mut list) = (Said::default(), Vec::<(u16, u64, String)>::new());
            for (rank, call, odd) in words {
                let text = odd.to_string();
                let of_call = || list.iter().filter(|(_, said, _)| *said == call);
                let unlike = of_call().any(|(other, _, said)| *other != rank && *said != text);
                let known = of_call().next().is_some();
                match said.hear(rank, call, &text) {
                    Heard::Unlike { rank: other, text: said } => {
                        prop_assert!(unlike && list.contains(&(other, call, said)));
                        // The job has failed.
                        return Ok(());
                    }
                    heard => {
                        prop_assert!(!unlike);
                        prop_assert_eq!(heard == Heard::First, !known);
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
                prop_assert_eq!(said.by_call.values().map(|call| call.ranks.len()).sum::<usize>(), list.len());
            }
        }
    }
}
