//! What workers were last heard to wait for (R-CTRL-12).

use std::collections::{BTreeMap, BTreeSet};

/// For each worker of a job the call that it was last heard to wait for, and how it describes it.
#[derive(Default)]
pub(super) struct Said {
    by_rank: BTreeMap<u16, u64>,
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
        if let Some(before) = self.by_rank.insert(rank, call).filter(|before| *before != call)
            && let Some(description) = self.by_call.get_mut(&before)
        {
            description.ranks.remove(&rank);
            if description.ranks.is_empty() {
                self.by_call.remove(&before);
            }
        }
        let description =
            self.by_call.entry(call).or_insert_with(|| Description { text: String::new(), ranks: BTreeSet::new() });
        text.clone_into(&mut description.text);
        description.ranks.insert(rank);
        heard
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// R-CTRL-12: against a list of the last word of each worker.
        #[test]
        fn the_last_word_of_each_is_compared(words in prop::collection::vec((0..4u16, 0..3u64, 0..2u8), 1..60)) {
            let (mut said, mut list) = (Said::default(), BTreeMap::<u16, (u64, String)>::new());
            for (rank, call, text) in words {
                let text = text.to_string();
                let others = || list.iter().filter(|(other, (said, _))| **other != rank && *said == call);
                let unlike = others().any(|(_, (_, said))| *said != text);
                let known = list.values().any(|(said, _)| *said == call);
                match said.hear(rank, call, &text) {
                    Heard::Unlike { rank: other, text: said } => {
                        prop_assert!(unlike && list[&other] == (call, said));
                        // The job has failed.
                        return Ok(());
                    }
                    heard => {
                        prop_assert!(!unlike);
                        prop_assert_eq!(heard == Heard::First, !known);
                    }
                }
                list.insert(rank, (call, text));
            }
        }
    }
}
