//! Looking for what another thread does, before sleeping until it has: a mini-batch may take less
//! than a sleep and its end.
//!
//! Who looks lends its core now and then: the one that is waited for may have been put on the same.
//! Where threads have no core each, one of them has to run, and each look lends the core; who lends
//! is back as soon as the others have nothing to do, without being woken. A core that is wanted by
//! others, too, is away for whole slices of time, and is lent no more for a while: who sleeps is
//! back as soon as it is woken.

use std::thread;
use std::time::{Duration, Instant};

/// How often a thread that has a core of its own looks before it lends it at most: for some
/// microseconds.
const MOST: u32 = 256;
/// How often it looks at least, so that it finds out when looking pays again.
const LEAST: u32 = 8;
/// For how long a thread looks before it sleeps.
const AWAKE: Duration = Duration::from_millis(1);
/// What a core is away for at most when it is lent to those that are waited for: micro-batches are
/// shorter, and slices of time longer.
const AWAY: Duration = Duration::from_micros(500);
/// How many waits go by before a core is lent again that was away for longer.
const WAITS: u32 = 256;

/// How a thread looks before it sleeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpinPolicy {
    /// How often before the core is lent: less often while that ends a wait, and more often again
    /// when looking does.
    times: u32,
    most: u32,
    /// Waits in which it is not lent.
    alone: u32,
}

impl SpinPolicy {
    /// How one of the threads looks that wait for one another: those of so many workers, of so many
    /// engines each.
    pub(crate) fn among(workers: usize, engines: usize) -> Self {
        let threads = workers.saturating_mul(engines);
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let most = if threads > 1 && threads > cores() { 1 } else { MOST };
        Self { times: most, most, alone: 0 }
    }

    /// Whether it is there, now or soon.
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

    /// Finds what is there at a look of so many, where others have a core that is lent for so long
    /// each time. Also tells how often it was lent.
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
