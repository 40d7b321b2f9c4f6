//! Virtual time.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// An instant since the start, or a span: whole picoseconds, since a byte takes 80 of them at 100
/// Gbit/s. Holds 213 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

impl Time {
    /// The start, or no time at all.
    pub const ZERO: Self = Self(0);

    /// So many picoseconds.
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// So many nanoseconds; those above 213 days count as that.
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns.saturating_mul(1_000))
    }

    /// So many microseconds; those above 213 days count as that.
    pub const fn from_us(us: u64) -> Self {
        Self(us.saturating_mul(1_000_000))
    }

    /// In picoseconds.
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// In whole nanoseconds, rounded down.
    pub const fn ns(self) -> u64 {
        self.0 / 1_000
    }

    /// In whole microseconds, rounded down: the clock that workers read.
    pub const fn us(self) -> u64 {
        self.0 / 1_000_000
    }

    /// In milliseconds.
    pub fn ms(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// So many of these spans, one after the other.
    #[must_use]
    pub(crate) const fn times(self, count: u64) -> Self {
        Self(self.0 * count)
    }

    /// The span from `earlier` to this; none if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Time {
    type Output = Self;

    fn add(self, span: Self) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, span: Self) {
        *self = *self + span;
    }
}

impl Sub for Time {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        self.since(earlier)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ms", self.ms())
    }
}
