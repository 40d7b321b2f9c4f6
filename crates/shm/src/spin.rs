//! The choice to stay awake while waiting.
//!
//! To sleep and be woken costs some microseconds on either side. A port that stays awake instead
//! looks for results, and lends its core to others now and then. Where every worker has a core of
//! its own that is rarely. Where they share cores it is at every look, since the worker that it
//! waits for may want this core, unless all that are missing were last seen on other cores. A
//! worker that lends its core is back as soon as the others have nothing to do, without anybody
//! having to wake it. None of this pays when results are far away, so a port does it only while
//! waits have been short lately.
//!
//! The time for which it does is another question. A thread that waits for a call has nothing else
//! to do: a core of its own would be idle, and one that it shares it lends at every look. One that
//! waits on behalf of others takes a core from what they compute.

use std::time::Duration;

/// Time for which a caller stays awake while it waits: workers of a job begin a call within so long
/// a time, where they begin it together.
const AWAKE: Duration = Duration::from_millis(1);

/// Time for which a helper does: a few times the cost of a sleep and its end.
const AWAKE_FOR_OTHERS: Duration = Duration::from_micros(50);

/// Looks of a port that has a core of its own before it lends it: for some microseconds, so that
/// the system call weighs little.
const SPINS: u32 = 256;

/// Looks of a port whose core others want, but not those that it waits for: for as long as one of
/// them takes to get the core that it is on.
const SPINS_FOR_OTHER_CORES: u32 = 64;

/// Time for which a port that shares its core lends it before there is reason to look at timers: so
/// long that each of some others has had a turn of a short call.
pub(crate) const LENT: Duration = Duration::from_micros(20);

/// The weight of the latest wait in the share of waits that were short, as a power of two: 1/8.
const WEIGHT: u32 = 3;

/// All waits were short.
const ALL: u32 = 1 << 16;

/// The thread that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitMode {
    /// A thread that waits for a call of its own.
    Caller,
    /// One that drives a flow while its callers compute.
    Helper,
}

/// The record of recent waits.
#[derive(Clone, Copy, Debug)]
pub struct SpinPolicy {
    /// Threads that wait for each other, this one among them.
    threads: usize,
    crowded: bool,
    /// Share of recent waits that were over while a port would stay awake, of [`ALL`],
    /// exponentially weighted.
    short: u32,
}

impl SpinPolicy {
    /// Makes the policy of one of `threads` that wait for each other, on so many `cores`.
    pub fn new(threads: usize, cores: usize) -> Self {
        Self { threads, crowded: threads > cores, short: ALL }
    }

    /// Sets the number of `cores` that the threads have between them.
    pub(crate) fn share(&mut self, cores: usize) {
        self.crowded = self.threads > cores;
    }

    /// Returns whether the threads that wait for each other outnumber their cores.
    pub(crate) fn crowded(&self) -> bool {
        self.crowded
    }

    /// Returns the time to stay awake, if at all.
    pub(crate) fn awake(mode: WaitMode) -> Duration {
        match mode {
            WaitMode::Caller => AWAKE,
            WaitMode::Helper => AWAKE_FOR_OTHERS,
        }
    }

    /// Returns whether to stay awake: at least a quarter of the waits have ended in that time.
    pub fn stays_awake(&self) -> bool {
        self.short >= ALL / 4
    }

    /// Returns the number of looks before the core is lent to others. `lends` says that those who
    /// are awaited may want it.
    pub(crate) fn spins(&self, lends: bool) -> u32 {
        match (self.crowded, lends) {
            (false, _) => SPINS,
            (true, false) => SPINS_FOR_OTHER_CORES,
            (true, true) => 1,
        }
    }

    /// Takes a wait into account, whether it was spent awake or asleep.
    pub fn waited(&mut self, short: bool) {
        self.short -= self.short >> WEIGHT;
        if short {
            self.short += ALL >> WEIGHT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_waits_end_it_and_short_ones_bring_it_back() {
        let mut spin = SpinPolicy::new(1, 1);
        assert!(spin.stays_awake());
        let long = (0..100).take_while(|_| {
            spin.waited(false);
            spin.stays_awake()
        });
        // 7/8 to the eleventh is below 1/4, and to the tenth above.
        assert_eq!(long.count(), 10);
        for _ in 0..1000 {
            spin.waited(false);
        }
        let short = (0..100).take_while(|_| {
            spin.waited(true);
            !spin.stays_awake()
        });
        // 1 - 7/8 to the third is above 1/4, and to the second below.
        assert_eq!(short.count(), 2);
        for _ in 0..1000 {
            spin.waited(true);
        }
        assert!(spin.short <= ALL);
    }

    #[test]
    fn workers_that_share_cores_lend_them_at_every_look() {
        let mut spin = SpinPolicy::new(3, 2);
        assert!(spin.crowded());
        assert_eq!(spin.spins(true), 1);
        assert!(spin.spins(false) > 1);
        spin.share(3);
        assert!(!spin.crowded() && spin.spins(true) > 1);
    }
}
