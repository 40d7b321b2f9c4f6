//! Spinning: a thread looks for the work of another one before it sleeps until that is done. A
//! mini-batch may take less time than falling asleep and waking up.
//!
//! A thread that looks lends its core now and then: the thread that it waits for may have been put
//! on the same core. Where there are fewer cores than threads, one of the threads has to run, and
//! each look lends the core. A thread that lends its core is back as soon as the others have
//! nothing to do, without being woken. A core that other programs want, too, is away for whole
//! slices of time. It is not lent again for a while: a thread that sleeps is back as soon as it is
//! woken.

use std::thread;
use std::time::{Duration, Instant};

/// Number of looks, at most, before a thread that has a core of its own lends it: some
/// microseconds.
const MOST: u32 = 256;
/// Number of looks at least, so that the thread finds out when looking pays again.
const LEAST: u32 = 8;
/// Time for which a thread looks before it sleeps.
const AWAKE: Duration = Duration::from_millis(1);
/// Time for which a core is away, at most, when it is lent to the threads that are waited for:
/// micro-batches are shorter, and slices of time longer.
const AWAY: Duration = Duration::from_micros(500);
/// Number of waits before a core that was away for longer is lent again.
const WAITS: u32 = 256;

/// A thread's way of looking before it sleeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpinPolicy {
    /// Number of looks before the core is lent. It falls while lending ends a wait, and rises again
    /// when looking does.
    times: u32,
    most: u32,
    /// Waits in which the core is not lent.
    alone: u32,
}

impl SpinPolicy {
    /// Returns the policy of a thread among those that wait for one another: the threads of so many
    /// workers, of so many engines each.
    pub(crate) fn among(workers: usize, engines: usize) -> Self {
        let threads = workers.saturating_mul(engines);
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let most = if threads > 1 && threads > cores() { 1 } else { MOST };
        Self { times: most, most, alone: 0 }
    }

    /// Looks for a while. Returns whether it is there, at once or soon.
    pub(crate) fn find(&mut self, is_there: impl Fn() -> bool) -> bool {
        self.find_by(is_there, thread::yield_now, Instant::now)
    }

    /// The same where others have the core while it is lent, and with a clock.
    fn find_by(
        &mut self,
        is_there: impl Fn() -> bool,
        lend: impl Fn(),
        clock: impl Fn() -> Instant,
    ) -> bool {
        if let Some(look) = self.look(&is_there) {
            // What was there at once says nothing.
            if look > 0 {
                self.times = (2 * self.times).min(self.most);
            }
            return true;
        }
        if self.alone > 0 {
            self.alone -= 1;
            return false;
        }
        let start = clock();
        let mut before = start;
        while before - start < AWAKE {
            lend();
            let found = self.look(&is_there);
            let back = clock();
            if back - before > AWAY {
                self.alone = WAITS;
                return found.is_some();
            }
            if let Some(look) = found {
                if look == 0 {
                    self.times = (self.times / 2).max(LEAST.min(self.most));
                }
                return true;
            }
            before = back;
        }
        false
    }

    /// The number of the look at which it was there.
    fn look(&self, is_there: impl Fn() -> bool) -> Option<u32> {
        (0..self.times).find(|_| {
            let found = is_there();
            if !found {
                std::hint::spin_loop();
            }
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Looks for something that is there at look number `number`, where lending the core takes
    /// `away` each time. Also returns the number of times that it was lent.
    fn find(spin: &mut SpinPolicy, number: u32, away: Duration) -> (bool, u32) {
        let (start, looked, lent) = (Instant::now(), Cell::new(0), Cell::new(0));
        let is_there = || {
            looked.set(looked.get() + 1);
            looked.get() >= number
        };
        let found =
            spin.find_by(is_there, || lent.set(lent.get() + 1), || start + lent.get() * away);
        (found, lent.get())
    }

    const NEVER: u32 = u32::MAX;
    const SHORT: Duration = Duration::from_micros(100);

    #[test]
    fn who_shares_cores_lends_them_at_every_look() {
        let mut spin = SpinPolicy::among(usize::MAX, 2);
        assert_eq!(find(&mut spin, 1, SHORT), (true, 0));
        assert_eq!(find(&mut spin, 4, SHORT), (true, 3));
        assert_eq!(find(&mut spin, 4, SHORT), (true, 3));
    }

    #[test]
    fn a_core_of_ones_own_is_lent_seldom_unless_that_ends_the_wait() {
        let mut spin = SpinPolicy::among(1, 1);
        assert_eq!(find(&mut spin, MOST, SHORT), (true, 0));
        for _ in 0..20 {
            let next = spin.times + 1;
            assert_eq!(find(&mut spin, next, SHORT), (true, 1));
        }
        assert_eq!(spin.times, LEAST);
        find(&mut spin, 1, SHORT);
        assert_eq!(spin.times, LEAST, "what was there at once says nothing");
        for _ in 0..20 {
            find(&mut spin, 2, SHORT);
        }
        assert_eq!(spin.times, MOST);
    }

    #[test]
    fn nobody_looks_for_longer_than_a_while() {
        let mut spin = SpinPolicy::among(usize::MAX, 2);
        assert_eq!(find(&mut spin, NEVER, SHORT), (false, 10), "AWAKE by SHORT");
        assert_eq!(find(&mut spin, 2, SHORT), (true, 1));
    }

    #[test]
    fn a_core_that_was_away_for_long_is_lent_no_more_for_a_while() {
        let mut spin = SpinPolicy::among(usize::MAX, 2);
        assert_eq!(find(&mut spin, NEVER, 2 * AWAY), (false, 1));
        for _ in 0..WAITS {
            assert_eq!(find(&mut spin, 2, SHORT), (false, 0));
        }
        assert_eq!(find(&mut spin, 2, SHORT), (true, 1));
        // Also where it was there in the end.
        assert_eq!(find(&mut spin, 2, 2 * AWAY), (true, 1));
        assert_eq!(find(&mut spin, 2, SHORT), (false, 0));
    }
}
