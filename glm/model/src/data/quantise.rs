//! Features as integers of few bits (R-GLM-19, R-GLM-20).

use super::extent::Extent;
use super::numbers::{Numbers, OfRow};
use crate::error::Error;
use crate::partition::Partition;
use crate::samples::{Csr, Dense};
use netfold_glm_kernels::{Between, Ends, Kernels, OnGrid, Scaled};
use serde::{Deserialize, Serialize};

/// Values that become integers together: whole bytes of few bits, and whole groups of
/// [`netfold_glm_kernels::LANES`].
pub(crate) const RUN: usize = 1024;

/// The conversion of features to integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantisation {
    /// 1 to 32 for dense samples; 1 to 31 for sparse ones, which as many as 32 are floats for.
    pub bits: u8,
    /// The range that the integers cover.
    pub scaling: Scaling,
    /// Rounding of a value between two integers.
    pub rounding: Rounding,
    /// Storage of dense integers.
    pub layout: Layout,
    /// True if 0 stays 0 where samples are dense, too: a model without an intercept goes through 0.
    pub keeps_zero: bool,
}

impl Quantisation {
    /// Returns the quantisation to so many bits of features from 0 to 1, rounded to nearest, in the
    /// faster layout.
    pub fn bits(bits: u8) -> Self {
        Self {
            bits,
            scaling: Scaling::Unit,
            rounding: Rounding::Nearest,
            layout: Layout::Auto,
            keeps_zero: false,
        }
    }
}

/// The range that the integers cover, feature by feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// The smallest value is 0 and the largest 1; sparse values must not be negative, and 0
    /// stays 0.
    Unit,
    /// The smallest value is -1 and the largest 1; sparse values are divided by the largest
    /// absolute one.
    Symmetric,
}

/// Rounding of a value between two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Rounds to the lower one, as in MLWeaving: reading the first planes gives the same as storing
    /// fewer.
    Truncate,
    /// Rounds to the nearer one.
    Nearest,
    /// Rounds to either, so that the expectation is right (R-GLM-20).
    Stochastic {
        /// Seed of the random numbers.
        seed: u64,
    },
}

/// Storage of dense integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Packed for 4 and 8 bits, otherwise planes: `examples/layouts.rs` has found these faster.
    Auto,
    /// MLWeaving's bit planes: any depth, also less than is stored.
    Planes,
    /// Halves of bytes for 4 bits, bytes for 8.
    Packed,
}

/// The grid of a worker's features: a value is `low + span * x`, with x from 0 to 1 or from -1 to
/// 1, and x is an integer times `unit`.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// The range of x.
    pub(crate) kind: Scaling,
    /// The value at 0 on the grid, for each feature. It is empty for sparse samples, where that
    /// value is 0.
    pub(crate) low: Vec<f32>,
    /// Span of each feature, above 0.
    pub(crate) span: Vec<f32>,
    /// Square of each span, for sparse samples (R-GLM-24).
    pub(crate) squares: Vec<f32>,
    /// The bits that are left of the point: integers are x * 2^point.
    pub(crate) point: u8,
    pub(crate) sparse: bool,
}

impl Grid {
    /// The grid of an engine that holds samples of such an extent.
    pub(crate) fn over(
        extent: &Extent,
        how: Quantisation,
        engines: &Partition,
        engine: usize,
    ) -> Result<Self, Error> {
        if extent.below_zero && how.scaling == Scaling::Unit && (extent.sparse || how.keeps_zero) {
            return Err(BELOW_ZERO);
        }
        let most = engines.gather(engine, &extent.most);
        if extent.sparse {
            return Self::new(Vec::new(), most.into_iter().map(span).collect(), how, true);
        }
        let ends = engines.gather(engine, &extent.least).into_iter().zip(most);
        let (low, span) =
            ends.map(|(least, most)| low_and_span(least.into(), most.into(), how)).unzip();
        Self::new(low, span, how, false)
    }

    /// The grid of an engine, by low and span of each feature of its worker.
    pub(crate) fn known(
        scaling: &[(f32, f32)],
        how: Quantisation,
        sparse: bool,
        engines: &Partition,
        engine: usize,
    ) -> Result<Self, Error> {
        let own = engines.gather(engine, scaling);
        if !own.iter().all(|(low, span)| low.is_finite() && span.is_finite() && *span > 0.0) {
            return Err(Error::Together(
                "a scaling has finite numbers, and spans above 0; train the model anew",
            ));
        }
        let (mut low, span): (Vec<f32>, Vec<f32>) = own.into_iter().unzip();
        if (sparse || how.keeps_zero) && low.iter().any(|&low| low != 0.0) {
            return Err(Error::Together(
                "this scaling moves 0, which neither sparse samples nor a model without an intercept can; train anew",
            ));
        }
        if sparse {
            low.clear();
        }
        Self::new(low, span, how, sparse)
    }

    fn new(low: Vec<f32>, span: Vec<f32>, how: Quantisation, sparse: bool) -> Result<Self, Error> {
        let point = match how.scaling {
            Scaling::Unit => how.bits,
            Scaling::Symmetric => how.bits.saturating_sub(1),
        };
        let squares: Vec<f32> =
            if sparse { span.iter().map(|span| span * span).collect() } else { Vec::new() };
        // Without an early end, so that many are looked at together.
        if !squares.iter().fold(true, |all, square| all & square.is_normal()) {
            return Err(Error::Together(
                "a sparse feature of few bits reaches neither 1e-19 nor stays within 1e19; scale it",
            ));
        }
        Ok(Self { kind: how.scaling, low, span, squares, point, sparse })
    }

    /// Low and span of each feature.
    pub(crate) fn scaling(&self) -> Vec<(f32, f32)> {
        let low = self.low.iter().copied().chain(std::iter::repeat(0.0));
        low.zip(self.span.iter().copied()).collect()
    }

    /// Returns whether it is the same for every feature.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.low == other.low && self.span == other.span
    }

    /// The value of one of an integer's units, of x.
    pub(crate) fn unit(&self) -> f32 {
        // A power of two, exact in f32.
        1.0 / (1u64 << self.point) as f32
    }

    /// Calls `each` with sparse values as they are to become integers, within those that `how` has,
    /// in runs of [`RUN`] values over all rows.
    pub(crate) fn sparse_levels(
        &self,
        csr: Csr<'_>,
        how: Quantisation,
        numbers: &Numbers<impl Fn(usize) -> usize>,
        mut each: impl FnMut(Scaled<'_>, Ends),
    ) {
        let (indptr, indices, values) = csr.parts();
        let ends = ends(how, self.point);
        let (mut spans, mut shift) = ([0.0; RUN], [0.0; RUN]);
        let (mut row, mut of_row) = (0, OfRow::default());
        for (run, (indices, values)) in indices.chunks(RUN).zip(values.chunks(RUN)).enumerate() {
            let count = values.len();
            let (spans, shift) = (&mut spans[..count], &mut shift[..count]);
            let look_up = |index: u32| self.span[index as usize];
            let (groups, rest) = indices.as_chunks::<8>();
            let (to_groups, to_rest) = spans.as_chunks_mut::<8>();
            to_groups
                .iter_mut()
                .zip(groups)
                .for_each(|(spans, indices)| *spans = indices.map(look_up));
            to_rest.iter_mut().zip(rest).for_each(|(span, &index)| *span = look_up(index));
            let rounding = match how.rounding {
                Rounding::Truncate => Between::Below,
                Rounding::Nearest => Between::Nearest,
                Rounding::Stochastic { seed } => {
                    for ((place, &index), shift) in (run * RUN..).zip(indices).zip(&mut *shift) {
                        if place == 0 || indptr[row + 1] <= place as u64 {
                            row += indptr[row + 1..].partition_point(|&end| end <= place as u64);
                            of_row = numbers.of_row(seed, row);
                        }
                        *shift = numbers.random(of_row, index as usize);
                    }
                    Between::Shifted(shift)
                }
            };
            each(Scaled { values, span: spans, rounding }, ends);
        }
    }

    /// Does the same as [`sparse_levels`](Self::sparse_levels) for dense values, each row in runs
    /// of its own.
    pub(crate) fn dense_levels(
        &self,
        dense: Dense<'_>,
        how: Quantisation,
        numbers: &Numbers<impl Fn(usize) -> usize>,
        mut each: impl FnMut(&[u32]),
    ) {
        let (kernels, ends, features) = (Kernels::best(), ends(how, self.point), self.span.len());
        let mut levels = [0; RUN];
        let mut shift = [how.rounding.shift(); RUN];
        for (row, values) in dense.values().chunks_exact(features).enumerate() {
            for (run, values) in values.chunks(RUN).enumerate() {
                let (first, count) = (run * RUN, values.len());
                if let Rounding::Stochastic { seed } = how.rounding {
                    let of_row = numbers.of_row(seed, row);
                    shift[..count]
                        .iter_mut()
                        .zip(first..)
                        .for_each(|(shift, feature)| *shift = numbers.random(of_row, feature));
                }
                let (low, span) = (&self.low[first..][..count], &self.span[first..][..count]);
                kernels.to_levels(
                    OnGrid { values, low, span, shift: &shift[..count] },
                    ends,
                    &mut levels[..count],
                );
                each(&levels[..count]);
            }
        }
    }
}

impl Rounding {
    /// Returns the term to add before rounding down, where it is the same for all.
    fn shift(self) -> f64 {
        if self == Self::Nearest { 0.5 } else { 0.0 }
    }
}

/// The error of refusing the unit scaling.
pub(super) const BELOW_ZERO: Error =
    Error::Together("values below 0 need the symmetric scaling where 0 stays 0");

/// Low and span of a dense feature, from its ends.
fn low_and_span(least: f64, most: f64, how: Quantisation) -> (f32, f32) {
    // In f64, where the width of any two f32 is finite.
    let offset = match how.scaling {
        _ if how.keeps_zero => 0.0,
        Scaling::Unit => least,
        Scaling::Symmetric => least + (most - least) / 2.0,
    };
    let low = if offset.is_finite() { offset as f32 } else { 0.0 };
    // From where the middle is as an f32, both ends are within reach.
    let offset = f64::from(low);
    let width = if how.scaling == Scaling::Unit {
        most - offset
    } else {
        (most - offset).max(offset - least)
    };
    // One without rows has no bounds.
    (low, span(if width.is_finite() { (width as f32).min(f32::MAX) } else { 0.0 }))
}

/// A feature that reaches no further than 0 is 0 everywhere on the grid.
fn span(width: f32) -> f32 {
    if width > 0.0 { width } else { 1.0 }
}

/// The integers that there are.
fn ends(how: Quantisation, point: u8) -> Ends {
    let (least, most) = range(how);
    Ends { scale: (1u64 << point) as f64, least, most }
}

/// The least and the largest integer.
pub(crate) fn range(how: Quantisation) -> (i64, i64) {
    match how.scaling {
        Scaling::Unit => (0, (1 << how.bits) - 1),
        Scaling::Symmetric => (-(1 << (how.bits - 1)), (1 << (how.bits - 1)) - 1),
    }
}
