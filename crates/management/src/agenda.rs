//! Times at which to look at connections again.

use std::collections::{BTreeMap, BTreeSet};

/// Times at which to look at each of many things: at most one time for each, the earliest of all at
/// hand.
///
/// A time may be earlier than the work to do then: whoever looks puts the thing down again. So a
/// deadline that moves back each time that a peer is heard costs nothing then.
#[derive(Debug)]
pub struct Agenda<K> {
    by_key: BTreeMap<K, u64>,
    by_time: BTreeSet<(u64, K)>,
}

impl<K> Default for Agenda<K> {
    fn default() -> Self {
        Self { by_key: BTreeMap::new(), by_time: BTreeSet::new() }
    }
}

impl<K: Copy + Ord> Agenda<K> {
    /// Puts a thing down for a time, and for no other; for none if there is nothing to wait for.
    pub fn set(&mut self, key: K, at_us: Option<u64>) {
        let before = match at_us {
            Some(at_us) => self.by_key.insert(key, at_us),
            None => self.by_key.remove(&key),
        };
        if before == at_us {
            return;
        }
        if let Some(before) = before {
            self.by_time.remove(&(before, key));
        }
        self.by_time.extend(at_us.map(|at_us| (at_us, key)));
    }

    /// The earliest time.
    pub fn next_us(&self) -> Option<u64> {
        self.by_time.first().map(|(at_us, _)| *at_us)
    }

    /// Takes off what was put down for times up to `now_us`, in their order.
    pub fn take_due(&mut self, now_us: u64) -> Vec<K> {
        let mut due = Vec::new();
        while let Some(&(at_us, key)) = self.by_time.first()
            && at_us <= now_us
        {
            self.by_time.pop_first();
            self.by_key.remove(&key);
            due.push(key);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a list that is searched from end to end.
        #[test]
        fn what_is_due_is_taken_once(steps in prop::collection::vec((0..8u8, prop::option::of(0..50u64), 0..50u64), 1..60)) {
            let (mut agenda, mut list) = (Agenda::default(), Vec::<(u64, u8)>::new());
            for (key, at_us, now_us) in steps {
                agenda.set(key, at_us);
                list.retain(|(_, other)| *other != key);
                list.extend(at_us.map(|at_us| (at_us, key)));
                list.sort_unstable();
                prop_assert_eq!(agenda.next_us(), list.first().map(|(at_us, _)| *at_us));
                let due: Vec<u8> = list.iter().filter(|(at_us, _)| *at_us <= now_us).map(|(_, key)| *key).collect();
                list.retain(|(at_us, _)| *at_us > now_us);
                prop_assert_eq!(agenda.take_due(now_us), due);
            }
        }
    }
}
