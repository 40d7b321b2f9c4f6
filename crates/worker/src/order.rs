//! The order of a worker's calls, over all its flows, and where it ends.

use std::{iter, mem};

use crate::calls::CallId;

/// End of a job's calls: from some call on none can be done, for a reason of type `E`.
#[derive(Clone, Debug)]
pub struct Limit<E>(Option<(CallId, E)>);

impl<E> Default for Limit<E> {
    /// Returns a limit without an end.
    fn default() -> Self {
        Self(None)
    }
}

impl<E> Limit<E> {
    /// Sets the end of calls: none from `first` on can be done. If others cannot either, the lowest
    /// call counts, with its reason: the first that was given for it.
    pub fn lower(&mut self, first: CallId, reason: E) {
        if self.0.as_ref().is_none_or(|(lowest, _)| first < *lowest) {
            self.0 = Some((first, reason));
        }
    }

    /// Returns the reason why a call cannot be done; `None` if nothing is against it.
    pub fn reason(&self, call: CallId) -> Option<&E> {
        self.0.as_ref().filter(|(first, _)| call >= *first).map(|(_, reason)| reason)
    }
}

/// The order of a worker's calls: their numbers, which are the same at every worker (R-STREAM-1),
/// and where they end.
#[derive(Clone, Debug)]
pub struct Order<E> {
    made: u64,
    /// Calls below this that are yet to be made fail, for this reason.
    skipped: Option<(u64, E)>,
    limit: Limit<E>,
    /// Calls made before the last pulse.
    pulsed: u64,
    /// Calls with a lower number have been told of, or are over (R-CTRL-12).
    told: u64,
}

/// Most calls that a worker tells of at a pulse (R-CTRL-12).
pub const MOST_TOLD: usize = 32;

impl<E> Default for Order<E> {
    /// Returns the order before the first call.
    fn default() -> Self {
        Self { made: 0, skipped: None, limit: Limit::default(), pulsed: 0, told: 0 }
    }
}

impl<E: Clone> Order<E> {
    /// Returns the number of the next call, which is made with it.
    ///
    /// # Errors
    /// The reason why it cannot be made. It has no number then, unless it is skipped
    /// ([`Order::skip_to`]).
    pub fn make(&mut self) -> Result<CallId, E> {
        let id = CallId(self.made);
        if let Some((_, reason)) = self.skipped.as_ref().filter(|(first, _)| id.0 < *first) {
            self.made += 1;
            return Err(reason.clone());
        }
        match self.limit.reason(id) {
            Some(reason) => Err(reason.clone()),
            None => {
                self.made += 1;
                Ok(id)
            }
        }
    }

    /// Returns why the next call cannot be done; `None` if nothing is against it.
    pub fn ended(&self) -> Option<&E> {
        self.limit.reason(CallId(self.made))
    }

    /// Calls made so far, as a worker tells when it leaves (R-CTRL-5).
    pub fn made(&self) -> u64 {
        self.made
    }

    /// Calls that are yet to be made and have a number below `first` fail: others have given them
    /// up (R-RES-9).
    pub fn skip_to(&mut self, first: u64, reason: E) {
        self.skipped = Some((first, reason));
    }

    /// Ends the calls: none from `first` on can be done, be it made or not; see [`Limit::lower`].
    pub fn end(&mut self, first: CallId, reason: E) {
        self.limit.lower(first, reason);
    }

    /// Returns the calls to tell of at a pulse (R-CTRL-12): those that were made before the last
    /// pulse and have not been told of, the lowest first, at most [`MOST_TOLD`]. `in_progress`
    /// gives the first call in progress from a number on.
    pub fn pulse(&mut self, in_progress: impl Fn(CallId) -> Option<CallId>) -> Vec<CallId> {
        let lasting = mem::replace(&mut self.pulsed, self.made);
        let next = || {
            let call = in_progress(CallId(self.told)).filter(|call| call.0 < lasting)?;
            self.told = call.0 + 1;
            Some(call)
        };
        iter::from_fn(next).take(MOST_TOLD).collect()
    }

    /// Returns whether no call was made since the last [`Order::pulse`].
    pub fn made_none(&self) -> bool {
        self.pulsed == self.made
    }

    /// Forgets what this worker has told: nobody knows it any more.
    pub fn tell_anew(&mut self) {
        self.told = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Whatever comes in whatever order, the lowest call counts.
    #[test]
    fn the_lowest_end_counts() {
        let mut limit = Limit::default();
        assert_eq!(limit.reason(CallId(0)), None);
        for (first, reason) in
            [(7, "left"), (9, "late"), (7, "again"), (0, "failed"), (0, "closed")]
        {
            limit.lower(CallId(first), reason);
        }
        assert_eq!([0, 6, 9].map(|call| limit.reason(CallId(call))), [Some(&"failed"); 3]);
        let mut limit = Limit::default();
        limit.lower(CallId(7), "left");
        limit.lower(CallId(9), "late");
        assert_eq!(
            [6, 7, 9].map(|call| limit.reason(CallId(call))),
            [None, Some(&"left"), Some(&"left")]
        );
    }

    #[test]
    fn what_cannot_be_made_has_no_number() {
        let mut order = Order::default();
        assert_eq!((order.make(), order.make()), (Ok(CallId(0)), Ok(CallId(1))));
        order.end(CallId(1), "left");
        assert_eq!((order.make(), order.make(), order.made()), (Err("left"), Err("left"), 2));
    }

    /// R-RES-9
    #[test]
    fn what_others_have_given_up_fails_in_its_turn() {
        let mut order = Order::default();
        assert_eq!(order.make(), Ok(CallId(0)));
        order.skip_to(3, "lost");
        assert_eq!(
            (order.make(), order.make(), order.make()),
            (Err("lost"), Err("lost"), Ok(CallId(3)))
        );
        order.skip_to(2, "lost");
        assert_eq!((order.make(), order.made()), (Ok(CallId(4)), 5));
    }

    /// R-CTRL-12
    #[test]
    fn a_pulse_tells_once_of_what_has_lasted_since_the_one_before() {
        let (mut order, mut in_progress) = (Order::<()>::default(), BTreeSet::new());
        // The number of calls that are made, those that end then, and those that are told of.
        let pulses: [(u64, &[u64], &[u64]); 6] = [
            (3, &[1], &[]),
            (1, &[], &[0, 2]),
            (1, &[4], &[3]),
            (40, &[], &[]),
            (0, &[0, 2, 6], &[&[5], &*(7..38).collect::<Vec<_>>()].concat()),
            (0, &[], &(38..45).collect::<Vec<_>>()),
        ];
        for (made, over, told) in pulses {
            in_progress.extend((0..made).map(|_| order.make().unwrap()));
            in_progress.retain(|call: &CallId| !over.contains(&call.0));
            let told: Vec<_> = told.iter().copied().map(CallId).collect();
            assert_eq!(order.pulse(|from| in_progress.range(from..).next().copied()), told);
        }
        order.tell_anew();
        let first = order.pulse(|from| in_progress.range(from..).next().copied());
        assert_eq!((first.len(), first[0]), (MOST_TOLD, CallId(3)));
    }
}
