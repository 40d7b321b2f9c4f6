//! The queue in front of a link: first come, first served, at the link's rate, with room for so
//! many bytes.

use crate::time::Time;

/// A queue and the rate that empties it. What stands in it is known from when it will be empty, so
/// that it needs no events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    rate_bps: u64,
    limit_bytes: u64,
    mark_bytes: u64,
    /// Time at which the last bit of the admitted datagrams will have left.
    empty_at: Time,
}

/// Fate of a datagram that comes to a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// Its last bit leaves at `leaves`, after it has waited for `waits`.
    Admitted { leaves: Time, waits: Time, queued_bytes: u64, marked: bool },
    /// The queue has no room for it.
    Dropped,
}

impl Queue {
    /// An empty queue. A datagram is dropped if it would make more than `limit_bytes` wait or
    /// leave, and marked if it finds more than `mark_bytes`.
    pub(crate) fn new(rate_bps: u64, limit_bytes: u64, mark_bytes: Option<u64>) -> Self {
        Self {
            rate_bps,
            limit_bytes,
            mark_bytes: mark_bytes.unwrap_or(u64::MAX),
            empty_at: Time::ZERO,
        }
    }

    /// Returns the time that `bytes` take at the rate, rounded up to a picosecond.
    pub(crate) fn span(&self, bytes: u64) -> Time {
        const PS_PER_S: u128 = 1_000_000_000_000;
        let ps = (u128::from(bytes) * 8 * PS_PER_S).div_ceil(u128::from(self.rate_bps));
        Time::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }

    /// Bytes that have not left at `now`, rounded down.
    pub(crate) fn backlog(&self, now: Time) -> u64 {
        const PS_PER_S: u128 = 1_000_000_000_000;
        (u128::from(self.empty_at.since(now).ps()) * u128::from(self.rate_bps) / (8 * PS_PER_S))
            as u64
    }

    /// A datagram of `bytes` comes at `now`.
    pub(crate) fn offer(&mut self, now: Time, bytes: u64) -> Admission {
        let waits = self.empty_at.since(now);
        let backlog = if waits == Time::ZERO { 0 } else { self.backlog(now) };
        let queued_bytes = backlog + bytes;
        if queued_bytes > self.limit_bytes {
            return Admission::Dropped;
        }
        self.empty_at = self.empty_at.max(now) + self.span(bytes);
        Admission::Admitted {
            leaves: self.empty_at,
            waits,
            queued_bytes,
            marked: backlog > self.mark_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(leaves_ns: u64, waits_ns: u64, queued_bytes: u64, marked: bool) -> Admission {
        Admission::Admitted {
            leaves: Time::from_ns(leaves_ns),
            waits: Time::from_ns(waits_ns),
            queued_bytes,
            marked,
        }
    }

    /// At 8 Gbit/s a byte takes a nanosecond.
    #[test]
    fn datagrams_leave_one_after_the_other_at_the_rate() {
        let mut queue = Queue::new(8_000_000_000, 10_000, None);
        assert_eq!(queue.offer(Time::from_ns(100), 1000), admitted(1100, 0, 1000, false));
        assert_eq!(queue.offer(Time::from_ns(100), 500), admitted(1600, 1000, 1500, false));
        // 350 bytes of the second are left.
        assert_eq!(queue.offer(Time::from_ns(1250), 10), admitted(1610, 350, 360, false));
        // An empty queue has saved nothing up.
        assert_eq!(queue.offer(Time::from_ns(5000), 10), admitted(5010, 0, 10, false));
    }

    #[test]
    fn what_finds_no_room_is_dropped_and_changes_nothing() {
        let mut queue = Queue::new(8_000_000_000, 2_000, None);
        assert_eq!(queue.offer(Time::ZERO, 1500), admitted(1500, 0, 1500, false));
        assert_eq!(queue.offer(Time::ZERO, 501), Admission::Dropped);
        assert_eq!(queue.offer(Time::ZERO, 500), admitted(2000, 1500, 2000, false));
        assert_eq!(queue.offer(Time::ZERO, 1), Admission::Dropped);
        assert_eq!(queue.offer(Time::from_ns(1), 1), admitted(2001, 1999, 2000, false));
    }

    #[test]
    fn marks_begin_above_their_threshold() {
        let mut queue = Queue::new(8_000_000_000, u64::MAX, Some(1_000));
        assert_eq!(queue.offer(Time::ZERO, 1000), admitted(1000, 0, 1000, false));
        assert_eq!(queue.offer(Time::ZERO, 1000), admitted(2000, 1000, 2000, false));
        assert_eq!(queue.offer(Time::ZERO, 1000), admitted(3000, 2000, 3000, true));
        assert_eq!(queue.offer(Time::from_ns(2000), 1000), admitted(4000, 1000, 2000, false));
    }

    #[test]
    fn a_byte_at_100_gbit_per_s_takes_80_picoseconds() {
        let queue = Queue::new(100_000_000_000, u64::MAX, None);
        assert_eq!(queue.span(1130), Time::from_ps(90_400));
        // Rounded up: 8/3 of a picosecond.
        assert_eq!(Queue::new(3_000_000_000_000, u64::MAX, None).span(1), Time::from_ps(3));
    }
}
