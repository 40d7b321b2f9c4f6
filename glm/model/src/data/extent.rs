//! The range of features, which a grid must hold (R-GLM-19). It is found over all samples, which
//! need not be there at once.

use crate::error::{Error, expect_len};
use crate::samples::{Csr, Samples};

/// The least and the largest value of each feature, of all samples that it has [seen](Self::see).
#[derive(Clone, Debug)]
pub struct Extent {
    pub(super) sparse: bool,
    /// The smallest value of dense samples; empty for sparse ones, where 0 stays 0.
    pub(super) least: Vec<f32>,
    /// The largest value of dense samples, and the largest absolute one of sparse ones.
    pub(super) most: Vec<f32>,
    /// True if a value is below zero.
    pub(super) below_zero: bool,
}

impl Extent {
    /// Returns the extent of these samples.
    pub fn of(samples: Samples<'_>) -> Self {
        let (features, sparse) = (samples.features(), matches!(samples, Samples::Csr(_)));
        let mut extent = Self {
            sparse,
            least: if sparse { Vec::new() } else { vec![f32::INFINITY; features] },
            most: vec![if sparse { 0.0 } else { f32::NEG_INFINITY }; features],
            below_zero: false,
        };
        extent.widen(samples);
        extent
    }

    /// Takes in more samples of the same features.
    pub fn see(&mut self, samples: Samples<'_>) -> Result<(), Error> {
        expect_len("features of more samples", samples.features(), self.most.len())?;
        if matches!(samples, Samples::Csr(_)) != self.sparse {
            return Err(Error::Together("samples are all dense or all sparse"));
        }
        self.widen(samples);
        Ok(())
    }

    pub(super) fn features(&self) -> usize {
        self.most.len()
    }

    /// Widens it by sizes of values.
    #[inline]
    fn widen_sparse(&mut self, csr: Csr<'_>, size: impl Fn(f32) -> f32) {
        let (_, indices, values) = csr.parts();
        for (&index, &value) in indices.iter().zip(values) {
            let (most, size) = (&mut self.most[index as usize], size(value));
            *most = if size > *most { size } else { *most };
        }
    }

    fn widen(&mut self, samples: Samples<'_>) {
        self.below_zero |= samples.below_zero();
        match samples {
            Samples::Csr(csr) if samples.below_zero() => self.widen_sparse(csr, f32::abs),
            Samples::Csr(csr) => self.widen_sparse(csr, |value| value),
            Samples::Dense(dense) => {
                for row in dense.values().chunks_exact(self.most.len()) {
                    for ((&value, least), most) in
                        row.iter().zip(&mut self.least).zip(&mut self.most)
                    {
                        *least = if value < *least { value } else { *least };
                        *most = if value > *most { value } else { *most };
                    }
                }
            }
        }
    }
}
