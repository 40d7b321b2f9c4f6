//! The times at which rounds began and ended in the segment, for a driver that asks: a stamp of
//! each in the round's copy, which every process reads on the clock that all of them have.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use netfold_wire::{JobId, Kind, Pool, Position, SlotIndex};
use rustix::time::{ClockId, clock_gettime};

/// A round, from its first contribution until its result stood in its copy.
#[derive(Clone, Copy, Debug)]
pub struct RoundTimes {
    /// The job.
    pub job: JobId,
    /// The flow.
    pub flow: u16,
    /// The slot.
    pub slot: SlotIndex,
    /// The copy that the round used.
    pub pool: Pool,
    /// Position in the slot's stream.
    pub position: Position,
    /// The kind of exchange.
    pub kind: Kind,
    /// It acknowledged the result of another (R-ACK-1).
    pub acknowledges: bool,
    /// The time at which it began.
    pub start: Instant,
    /// The time at which it ended.
    pub end: Instant,
}

/// Nanoseconds of the system's monotonic clock, as they stand in a copy: 0 means no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Stamp(pub(crate) u64);

impl Stamp {
    pub(crate) fn now() -> Self {
        let now = clock_gettime(ClockId::Monotonic);
        Self(now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64)
    }

    /// Returns the same moment as this process tells it; `None` if the stamp is 0, or cannot be
    /// told.
    pub(crate) fn instant(self) -> Option<Instant> {
        clock_zero().checked_add(Duration::from_nanos(self.0)).filter(|_| self.0 > 0)
    }
}

/// Returns the beginning of the system's monotonic clock, as this process tells it. Times since
/// then are the same in all processes of a machine.
pub fn clock_zero() -> Instant {
    /// Looks at both clocks: the one with the least time between counts.
    const SPINS: usize = 16;
    static ZERO: LazyLock<Instant> = LazyLock::new(|| {
        let look = || {
            let (before, since, after) =
                (Instant::now(), Duration::from_nanos(Stamp::now().0), Instant::now());
            (after - before, before.checked_sub(since).unwrap_or(before))
        };
        (0..SPINS).map(|_| look()).min().expect("there are some").1
    });
    *ZERO
}
