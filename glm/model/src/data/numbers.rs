//! The numbers by which values are rounded at random (R-GLM-20).

use crate::order::mix;

/// Numbers of rows over all chunks and workers: row i of some samples is number `first + i * step`.
///
/// Samples that come in parts are then rounded as if they had come at once, and no two parts alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowNumbers {
    /// Number of the first row.
    pub first: u64,
    /// Difference from one row to the next.
    pub step: u64,
}

impl RowNumbers {
    /// Rows that follow one another.
    pub fn from(first: u64) -> Self {
        Self { first, step: 1 }
    }

    /// Every `step`-th of these, from the `first`-th on.
    pub fn every(self, first: u64, step: u64) -> Self {
        Self { first: self.of(first), step: self.step.wrapping_mul(step) }
    }

    /// Returns the number of a row.
    pub(super) fn of(self, row: u64) -> u64 {
        self.first.wrapping_add(row.wrapping_mul(self.step))
    }
}

impl Default for RowNumbers {
    fn default() -> Self {
        Self::from(0)
    }
}

/// The numbers of some samples: `column` numbers a feature over all workers.
pub(crate) struct Numbers<F> {
    pub(crate) rows: RowNumbers,
    pub(crate) column: F,
}

impl<F: Fn(usize) -> usize> Numbers<F> {
    pub(super) fn of_row(&self, seed: u64, row: usize) -> OfRow {
        OfRow(mix(seed ^ mix(self.rows.of(row as u64))))
    }

    /// Returns a number from 0 to below 1, for a feature.
    pub(super) fn random(&self, row: OfRow, feature: usize) -> f64 {
        (mix(row.0 ^ (self.column)(feature) as u64) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// State from which a row's random numbers are drawn.
#[derive(Clone, Copy, Default)]
pub(super) struct OfRow(u64);
