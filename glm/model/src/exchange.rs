//! The meeting of workers: each submits lanes, and gets the sum of all (stage 2 of algorithm 1).

mod in_process;

pub use in_process::{InProcess, PeerError};

use std::convert::Infallible;
use std::fmt::Debug;
use std::time::Instant;

/// A number that is folded: `f32` or `i32`.
pub trait Lane:
    Copy + Debug + Default + PartialEq + Send + Sync + sealed::Sealed + 'static
{
    /// True if it is `f32`, false if it is `i32`.
    const FLOAT: bool;

    /// Returns the bits, for a carrier that treats lanes of both types alike.
    fn to_bits(self) -> u32;
    /// The lane of such bits.
    fn from_bits(bits: u32) -> Self;
    /// The sum; integers wrap around.
    fn plus(self, other: Self) -> Self;
    /// The same number.
    fn to_f64(self) -> f64;
}

impl Lane for f32 {
    const FLOAT: bool = true;

    fn to_bits(self) -> u32 {
        self.to_bits()
    }
    fn from_bits(bits: u32) -> Self {
        Self::from_bits(bits)
    }
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl Lane for i32 {
    const FLOAT: bool = false;

    fn to_bits(self) -> u32 {
        self.cast_unsigned()
    }
    fn from_bits(bits: u32) -> Self {
        bits.cast_signed()
    }
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    fn to_f64(self) -> f64 {
        self.into()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for i32 {}
}

/// A submission that has not been collected. They are numbered from 0, and collected in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubmissionId(pub u64);

/// Facts about a submission that has been collected.
#[derive(Clone, Copy, Debug, Default)]
pub struct Collected {
    /// Time at which the sum was there, if the exchange knows it: for traces.
    pub at: Option<Instant>,
}

/// Sums the lanes that the workers submit. Every worker makes the same calls, with lanes of the
/// same type and number, in the same order, and gets the same bits.
///
/// After an error has been returned, every later call returns one: all submissions are lost, and
/// the run with them.
pub trait Exchange: Send {
    /// The reason for a failure.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Returns the number of workers, this one among them.
    fn workers(&self) -> usize;

    /// This worker's number, from 0.
    fn rank(&self) -> usize;

    /// Returns the number of workers that are threads of this process and share its cores, this one
    /// among them.
    fn workers_here(&self) -> usize {
        1
    }

    /// Submissions that may be under way at once, 1 at least.
    fn window(&self) -> usize;

    /// Hands over this worker's part and returns at once. It is not called with
    /// [`window`](Self::window) submissions under way.
    fn submit<L: Lane>(&mut self, partial: &[L]) -> Result<SubmissionId, Self::Error>;

    /// Waits, not for ever, for the sum of the oldest submission. `full` is as long as what was
    /// submitted.
    fn collect<L: Lane>(
        &mut self,
        submission: SubmissionId,
        full: &mut [L],
    ) -> Result<Collected, Self::Error>;
}

/// One worker: there is nobody to exchange with, and nothing is ever submitted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Exchange for Alone {
    type Error = Infallible;

    fn workers(&self) -> usize {
        1
    }

    fn rank(&self) -> usize {
        0
    }

    fn window(&self) -> usize {
        1
    }

    fn submit<L: Lane>(&mut self, _partial: &[L]) -> Result<SubmissionId, Infallible> {
        unreachable!("a worker that is alone exchanges nothing")
    }

    fn collect<L: Lane>(
        &mut self,
        _ticket: SubmissionId,
        _full: &mut [L],
    ) -> Result<Collected, Infallible> {
        unreachable!("a worker that is alone exchanges nothing")
    }
}
