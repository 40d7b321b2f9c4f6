//! The workers of a job that goes on without some of them, as its callers know them (R-RES-9).

use std::mem;

use crate::resume::Regroup;

/// Workers that are left of those that the callers of one of them have last heard of.
#[derive(Clone, Debug)]
pub struct Roster {
    /// By their present ranks, the ranks that callers know them by.
    known_as: Vec<u16>,
    /// Number of workers that callers know of.
    known: u16,
    /// Number of calls that have been made when callers have heard of all that were lost, if they
    /// can.
    heard_after: Option<u64>,
}

impl Roster {
    /// Nobody is lost of so many `workers`.
    pub fn new(workers: u16) -> Self {
        Self { known_as: (0..workers).collect(), known: workers, heard_after: None }
    }

    /// The workers with these present ranks are lost. The others' ranks are what is left of the
    /// order.
    pub fn lose(&mut self, lost: &[u16]) {
        let mut rank = 0..;
        self.known_as.retain(|_| rank.next().is_none_or(|rank| !lost.contains(&rank)));
    }

    /// Returns the lost workers of which to tell callers, by the ranks that callers know them by.
    pub fn lost(&self) -> Vec<u16> {
        (0..self.known).filter(|rank| !self.known_as.contains(rank)).collect()
    }

    /// Callers hear of all that are lost by calls: by those that are in progress, or else by the
    /// next.
    pub fn tell(&mut self, at: Regroup) {
        self.heard_after = Some(at.made + u64::from(at.idle));
    }

    /// So many calls have been made, and callers know what those have told them.
    pub fn made(&mut self, calls: u64) {
        if self.heard_after.is_some_and(|heard_after| heard_after <= calls) {
            *self = Self::new(mem::take(&mut self.known_as).len() as u16);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// One after the other is lost, while a caller makes calls or not. It keeps a list of names and
    /// strikes out those that it is told of, by their places: its list then holds those that are
    /// left, each time that it is told.
    fn strikes_out_all(
        workers: u16,
        losses: &[(u16, u64, bool, bool)],
    ) -> Result<(), TestCaseError> {
        let (mut roster, mut left) = (Roster::new(workers), (0..workers).collect::<Vec<_>>());
        let (mut list, mut told) = (left.clone(), None::<Vec<u16>>);
        let (mut at, mut is_back) = (Regroup { made: 0, idle: true }, true);
        let mut hear = |told: Vec<u16>| {
            let mut place = 0..;
            list.retain(|_| !told.contains(&place.next().unwrap()));
            list.clone()
        };
        for &(place, calls, in_progress, comes_back) in losses.iter().take(usize::from(workers) - 1)
        {
            if is_back && calls > 0 {
                // The first of the calls is the one that tells.
                if let Some(told) = told.take() {
                    prop_assert_eq!(hear(told), left.as_slice());
                }
                at = Regroup { made: at.made + calls, idle: !in_progress };
            }
            roster.made(at.made);
            let place = place % left.len() as u16;
            left.remove(usize::from(place));
            roster.lose(&[place]);
            // The epoch that follows may end before this worker is in it.
            is_back = comes_back;
            if is_back {
                roster.tell(at);
                told = Some(roster.lost());
                if !at.idle {
                    prop_assert_eq!(hear(told.take().unwrap()), left.as_slice());
                    at.idle = true;
                }
            }
        }
        Ok(())
    }

    proptest! {
        /// R-RES-9
        #[test]
        fn whoever_is_told_of_losses_knows_who_is_left(
            workers in 2..8u16,
            losses in vec((any::<u16>(), 0..3u64, any::<bool>(), any::<bool>()), 1..8),
        ) {
            strikes_out_all(workers, &losses)?;
        }
    }

    #[test]
    fn two_losses_between_two_calls_are_told_as_one() {
        let mut roster = Roster::new(4);
        let idle = Regroup { made: 20, idle: true };
        for (rank, lost) in [(1, vec![1]), (2, vec![1, 3])] {
            roster.made(idle.made);
            roster.lose(&[rank]);
            roster.tell(idle);
            assert_eq!(roster.lost(), lost);
        }
        roster.made(21);
        roster.lose(&[0]);
        assert_eq!(roster.lost(), [0]);
    }
}
