//! The order of a worker's calls, over all its flows, and where it ends.

use crate::calls::CallId;

/// Where the calls of a job end: from some call on none can be done, for a reason of type `E`.
#[derive(Clone, Debug)]
pub struct Limit<E>(Option<(CallId, E)>);

impl<E> Default for Limit<E> {
    /// No end.
    fn default() -> Self {
        Self(None)
    }
}

impl<E> Limit<E> {
    /// No call from `first` on can be done. If others cannot either, the lowest call counts, with its reason: what was said first of it.
    pub fn lower(&mut self, first: CallId, reason: E) {
        if self.0.as_ref().is_none_or(|(lowest, _)| first < *lowest) {
            self.0 = Some((first, reason));
        }
    }

    /// Why a call cannot be done; `None` if nothing is against it.
    pub fn reason(&self, call: CallId) -> Option<&E> {
        self.0.as_ref().filter(|(first, _)| call >= *first).map(|(_, reason)| reason)
    }
}

/// The order of a worker's calls: their numbers, which are the same at every worker (R-STREAM-1), and where they end.
#[derive(Clone, Debug)]
pub struct Order<E> {
    made: u64,
    /// Calls below this that are yet to be made fail, for this reason.
    skipped: Option<(u64, E)>,
    limit: Limit<E>,
    /// The first call that was in progress at the last pulse.
    oldest: Option<CallId>,
}

impl<E> Default for Order<E> {
    /// Before the first call.
    fn default() -> Self {
        Self { made: 0, skipped: None, limit: Limit::default(), oldest: None }
    }
}

impl<E: Clone> Order<E> {
    /// The number of the next call, which is made with it.
    ///
    /// # Errors
    /// Why it cannot be made. It has no number then, unless it is skipped ([`Order::skip_to`]).
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

    /// Calls that are yet to be made and have a number below `first` fail: others have given them up (R-RES-9).
    pub fn skip_to(&mut self, first: u64, reason: E) {
        self.skipped = Some((first, reason));
    }

    /// No call from `first` on can be done, be it made or not; see [`Limit::lower`].
    pub fn end(&mut self, first: CallId, reason: E) {
        self.limit.lower(first, reason);
    }

    /// R-CTRL-12: of which call to tell at a pulse, when `oldest` is the first that is in progress: of one that was so at the last pulse already.
    pub fn pulse(&mut self, oldest: Option<CallId>) -> Option<CallId> {
        let before = std::mem::replace(&mut self.oldest, oldest);
        oldest.filter(|_| oldest == before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever comes in whatever order, the lowest call counts.
    #[test]
    fn the_lowest_end_counts() {
        let mut limit = Limit::default();
        assert_eq!(limit.reason(CallId(0)), None);
        for (first, reason) in [(7, "left"), (9, "late"), (7, "again"), (0, "failed"), (0, "closed")] {
            limit.lower(CallId(first), reason);
        }
        assert_eq!([0, 6, 9].map(|call| limit.reason(CallId(call))), [Some(&"failed"); 3]);
        let mut limit = Limit::default();
        limit.lower(CallId(7), "left");
        limit.lower(CallId(9), "late");
        assert_eq!([6, 7, 9].map(|call| limit.reason(CallId(call))), [None, Some(&"left"), Some(&"left")]);
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
        assert_eq!((order.make(), order.make(), order.make()), (Err("lost"), Err("lost"), Ok(CallId(3))));
        order.skip_to(2, "lost");
        assert_eq!((order.make(), order.made()), (Ok(CallId(4)), 5));
    }

    /// R-CTRL-12
    #[test]
    fn a_pulse_tells_of_what_has_lasted_since_the_one_before() {
        let mut order = Order::<()>::default();
        let told = [Some(3), Some(3), Some(3), None, Some(4), Some(5), None, None, Some(5)]
            .map(|oldest| order.pulse(oldest.map(CallId)).map(|call| call.0));
        assert_eq!(told, [None, Some(3), Some(3), None, None, None, None, None, None]);
    }
}
