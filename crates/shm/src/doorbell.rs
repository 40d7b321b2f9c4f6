//! The doorbell: a worker sleeps until a result is there, and is woken by the one that brings it.
//!
//! One futex word serves a flow, so that one system call wakes all workers that sleep. A worker
//! that is awake costs nothing: a worker says that it sleeps before it looks for results the last
//! time, and one that has brought a result looks for sleepers afterwards. Both are sequentially
//! consistent, so that one of the two sees the other.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use rustix::thread::futex;
use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::layout::{GENERATION_AT, SLEEPERS_AT};
use crate::mapping::Mapping;
use crate::segment::Segment;

/// The doorbell of a flow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doorbell<'a> {
    /// Counts rings; what sleepers wait for to change.
    generation: &'a AtomicU32,
    /// Bit i: member i sleeps, or is about to.
    sleepers: &'a AtomicU64,
}

impl<'a> Doorbell<'a> {
    /// Returns the doorbell whose line begins at byte `at`.
    #[inline]
    pub(crate) fn of(mapping: &'a Mapping, at: usize) -> Self {
        Self {
            generation: &mapping.words(at + GENERATION_AT, 1)[0],
            sleepers: &mapping.wide_words(at + SLEEPERS_AT, 1)[0],
        }
    }

    /// Sleeps until the bell rings, at most for `limit`. Before it sleeps it calls `awake`, and
    /// returns the value that this gives at once.
    pub(crate) fn sleep<T>(
        self,
        member: u16,
        limit: Duration,
        awake: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let bit = 1 << member;
        let generation = self.generation.load(Ordering::SeqCst);
        self.sleepers.fetch_or(bit, Ordering::SeqCst);
        let found = awake();
        if found.is_none() {
            // Whatever it returns (woken, interrupted, timed out, rung by now), the caller looks
            // again.
            let _ = futex::wait_bitset(
                self.generation,
                futex::Flags::empty(),
                generation,
                Some(&after(limit)),
                futex_bits(bit),
            );
        }
        if self.sleepers.load(Ordering::Relaxed) & bit != 0 {
            self.sleepers.fetch_and(!bit, Ordering::SeqCst);
        }
        found
    }

    /// Returns whether anyone sleeps.
    #[inline]
    pub(crate) fn any_asleep(self) -> bool {
        self.sleepers.load(Ordering::SeqCst) != 0
    }

    /// Wakes those of `members`, a bit for each, that sleep.
    #[inline]
    pub(crate) fn ring(self, members: u64) {
        let asleep = self.sleepers.load(Ordering::SeqCst) & members;
        if asleep != 0 {
            self.sleepers.fetch_and(!asleep, Ordering::SeqCst);
            self.wake(asleep);
        }
    }

    /// Wakes everyone, whatever the memory says about sleepers.
    pub(crate) fn ring_all(self) {
        self.wake(u64::MAX);
    }

    fn wake(self, members: u64) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        let _ = futex::wake_bitset(
            self.generation,
            futex::Flags::empty(),
            i32::MAX as u32,
            futex_bits(members),
        );
    }
}

/// Returns the futex bits of `members`. A futex has 32 bits to tell sleepers apart: two of 64
/// members that share one are woken together and look for themselves.
fn futex_bits(members: u64) -> NonZeroU32 {
    NonZeroU32::new(members as u32 | (members >> 32) as u32).unwrap_or(NonZeroU32::MAX)
}

/// Returns the time `limit` from now, as the futex call wants it.
fn after(limit: Duration) -> Timespec {
    let now = clock_gettime(ClockId::Monotonic);
    let nanoseconds = now.tv_nsec + i64::from(limit.subsec_nanos());
    Timespec {
        tv_sec: now
            .tv_sec
            .saturating_add_unsigned(limit.as_secs())
            .saturating_add(nanoseconds / 1_000_000_000),
        tv_nsec: nanoseconds % 1_000_000_000,
    }
}

/// Ends the wait of one port, or one way up, from any thread of its process.
#[derive(Clone, Debug)]
pub struct Waker {
    pub(crate) segment: Arc<Segment>,
    pub(crate) doorbell_at: usize,
    /// The number of the port's worker.
    pub(crate) member: u16,
    pub(crate) interrupted: Arc<AtomicBool>,
}

impl Waker {
    /// Ends the [`wait`](crate::Port::wait) that is going on, or else the next one. A system call
    /// only if the port sleeps.
    pub fn wake(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
        Doorbell::of(self.segment.mapping(), self.doorbell_at).ring(1 << self.member);
    }
}
