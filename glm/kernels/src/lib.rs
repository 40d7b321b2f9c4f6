//! Kernels of linear models (`spec/glm.md`): dot products of samples with weights, samples added to
//! weights, features put on integers of a few bits, and checks of samples.
//!
//! They are plain loops over slices of numbers, and `netfold-kernels` compiles each of them for
//! every level of the processor. All levels give the same bits. There is no reference but their
//! definition, which the tests write out.
//!
//! This crate refuses to allocate, and to look at slices whose lengths do not match. It has no code
//! for particular processors, and no unsafe code. Open [`Kernels`] first.
#![forbid(unsafe_code)]

mod grid;
mod linear;
mod look;

pub use grid::{Between, Ends, OnGrid, Scaled};
pub use linear::{LANES, Levels, Storage, halves};
pub use look::Found;

use netfold_kernels::Level;

/// The kernels, compiled for one level of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels {
    level: Level,
}

impl Kernels {
    /// The kernels for the best level of this processor, found out once.
    pub fn best() -> Self {
        Self { level: Level::best() }
    }

    /// The kernels for every level that this processor has, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Level::available().map(|level| Self { level })
    }

    /// The level that these kernels are compiled for.
    pub fn level(self) -> Level {
        self.level
    }
}
