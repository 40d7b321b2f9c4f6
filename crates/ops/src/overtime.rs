//! The time that calls of an operation take beyond what their work is worth (R-OP-43).
//!
//! To read a clock in each call would take longer than a short call does. So a call is looked at
//! only if the runtime's clock ticks in it: the number of ticks that meet an operation is, in the
//! mean, in proportion to its time. Each tick stands for one period, but for the share of it in
//! which the thread did not have a processor.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::runtime::TICK;

/// Time for a unit of work (R-OP-43).
const UNIT: Duration = Duration::from_nanos(2);

/// The part of all time that is forgiven, as a divisor.
const FORGIVEN: u32 = 40;

/// The overtime of an operation, over all of its instances.
#[derive(Debug, Default)]
pub(crate) struct Overtime(Mutex<Owed>);

#[derive(Debug, Default)]
struct Owed {
    time: Duration,
    /// When this was so.
    at: Option<Instant>,
}

impl Overtime {
    /// Takes note that calls with so much `work` took a time, until now, and returns whether the
    /// operation owes at least `limit`. Then it owes nothing any more: it pays another way.
    fn exceeds(&self, now: Instant, took: Duration, work: u64, limit: Duration) -> bool {
        let mut owed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = owed.at.map_or(Duration::ZERO, |at| now.saturating_duration_since(at));
        let worth = UNIT.saturating_mul(u32::try_from(work).unwrap_or(u32::MAX));
        owed.at = Some(now);
        owed.time = (owed.time + took).saturating_sub(worth + passed / FORGIVEN);
        let exceeds = owed.time >= limit;
        if exceeds {
            owed.time = Duration::ZERO;
        }
        exceeds
    }
}

/// Record of an instance's calls since the last tick that met one.
#[derive(Debug)]
pub(crate) struct Meter {
    /// The thread's time at that tick.
    processor: Duration,
    wall: Instant,
    /// Work that calls may have had since then.
    work: u64,
}

impl Meter {
    /// Begins with the thread's time.
    pub(crate) fn new(processor: Duration) -> Self {
        Self { processor, wall: Instant::now(), work: 0 }
    }

    /// A call may take so much work.
    pub(crate) fn begin(&mut self, work: u64) {
        self.work = self.work.saturating_add(work);
    }

    /// Takes note of a tick in a call, at a time of the thread; the `same` call as at the tick
    /// before has run all the time in between. Returns whether the operation has taken more
    /// overtime than `limit`.
    pub(crate) fn tick(
        &mut self,
        processor: Duration,
        same: bool,
        overtime: &Overtime,
        limit: Duration,
    ) -> bool {
        let now = Instant::now();
        let passed = now.saturating_duration_since(self.wall);
        // Another thread may have made the call before.
        let ran = processor.saturating_sub(self.processor).min(passed);
        let took = match passed > TICK && !same {
            true => TICK.mul_f64(ran.as_secs_f64() / passed.as_secs_f64()),
            false => ran,
        };
        let work = std::mem::take(&mut self.work);
        (self.processor, self.wall) = (processor, now);
        overtime.exceeds(now, took, work, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(100);
    const MS: Duration = Duration::from_millis(1);

    /// The first of 1000 calls that is stopped. Each takes `took` and has `work`, and begins
    /// `apart` after the one before.
    fn stopped(took: Duration, work: u64, apart: Duration) -> Option<u32> {
        let (overtime, begin) = (Overtime::default(), Instant::now());
        (1..=1000).find(|call| overtime.exceeds(begin + *call * apart, took, work, LIMIT))
    }

    /// R-OP-43
    #[test]
    fn calls_are_stopped_for_the_time_of_all() {
        // 99 - 99 / 40 of the first two.
        assert_eq!(stopped(99 * MS, 0, 99 * MS), Some(2));
        // 10 - 10 / 40 each, and no time has passed before the first.
        assert_eq!(stopped(10 * MS, 0, 10 * MS), Some(11));
        // A fortieth of the time is forgiven.
        assert_eq!(stopped(10 * MS, 0, 400 * MS), None);
        assert!(stopped(10 * MS, 0, 380 * MS).is_some());
        // So is what the work is worth.
        assert_eq!(stopped(10 * MS, 5_000_000, 10 * MS), None);
        assert!(stopped(10 * MS, 4_000_000, 10 * MS).is_some());
    }

    /// R-OP-15: as measured of sums of rows at random in a table of 256 MiB, on a virtual machine
    /// whose host had taken the table's memory back: 37 calls of 5 ms each.
    #[test]
    fn slow_memory_is_no_overtime_of_a_large_state() {
        let text = b"abi 1\nname features\nelement i32\nstate 268435456\n";
        let declaration = crate::declaration::Declaration::parse(text).unwrap();
        let limit = crate::limits::Limits::default().time_of(&declaration);
        let (overtime, begin) = (Overtime::default(), Instant::now());
        let exceeds = |call| overtime.exceeds(begin + 5 * MS * call, 5 * MS, 427_680, limit);
        assert!(!(1..=37).any(exceeds));
        // Nor is it time without an end.
        assert!((38..1000).any(exceeds));
        assert!(stopped(5 * MS, 427_680, 5 * MS).is_some_and(|call| call < 37));
    }

    #[test]
    fn work_is_no_credit() {
        let (overtime, now) = (Overtime::default(), Instant::now());
        assert!(!overtime.exceeds(now, Duration::ZERO, u64::MAX, LIMIT));
        assert!(overtime.exceeds(now, LIMIT, 0, LIMIT));
        // It has paid.
        assert!(!overtime.exceeds(now, 99 * MS, 0, LIMIT));
    }
}
