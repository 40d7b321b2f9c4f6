//! Sparse samples whose values are integers of 1, 2, 4 or 8 bits (R-GLM-23).

use super::Bytes;
use super::quantise::{Grid, Quantisation, Scaling};
use crate::error::Error;
use crate::samples::Csr;
use netfold_kernels::prefetch;
use std::borrow::Cow;

/// Sums of a dot product that do not wait for one another, and values that are read at a time.
const LANES: usize = 8;

/// Values are packed over all rows: value p has the bits from p * bits on, the first of a byte lowest.
#[derive(Clone, Debug)]
pub(crate) struct SparseLevels<'a> {
    indptr: Cow<'a, [u64]>,
    indices: Cow<'a, [u32]>,
    levels: Vec<u8>,
    bits: u8,
    signed: bool,
    unit: f32,
    /// The square of each feature's span: weights are held times the span, so that a dot product needs no other number (R-GLM-24).
    squares: Vec<f32>,
}

impl<'a> SparseLevels<'a> {
    /// Integers on a grid; `column` numbers a feature over all workers. Bounds and indices stay borrowed.
    pub(crate) fn new(
        csr: Csr<'a>,
        how: Quantisation,
        grid: &Grid,
        column: impl Fn(usize) -> usize,
    ) -> Result<Self, Error> {
        let pack = match how.bits {
            1 => pack::<1>,
            2 => pack::<2>,
            4 => pack::<4>,
            8 => pack::<8>,
            bits => return Err(Error::setting("bits of sparse values", bits, "1, 2, 4 or 8")),
        };
        let (indptr, indices, values) = csr.parts();
        let mut levels = Vec::with_capacity(values.len().div_ceil(8 / usize::from(how.bits)));
        grid.sparse_levels(csr, how, column, |run| pack(run, &mut levels));
        Ok(Self {
            indptr: indptr.into(),
            indices: indices.into(),
            levels,
            bits: how.bits,
            signed: how.scaling == Scaling::Symmetric,
            unit: grid.unit(),
            squares: grid.span.iter().map(|span| span * span).collect(),
        })
    }

    /// The same, without what it was made of.
    pub(crate) fn into_owned(self) -> SparseLevels<'static> {
        let (indptr, indices) = (self.indptr.into_owned().into(), self.indices.into_owned().into());
        SparseLevels { indptr, indices, ..self }
    }

    pub(crate) fn bytes(&self) -> Bytes {
        Bytes {
            values: self.levels.len() as u64,
            indices: 4 * self.indices.len() as u64,
            bounds: 8 * self.indptr.len() as u64,
        }
    }

    pub(crate) fn point(&self) -> i32 {
        i32::from(self.bits) - i32::from(self.signed)
    }

    pub(crate) fn prefetch(&self, row: usize) {
        let (start, end) = (self.indptr[row] as usize, self.indptr[row + 1] as usize);
        let bits = usize::from(self.bits);
        prefetch(&self.indices[start..end]);
        prefetch(&self.levels[start * bits / 8..(end * bits).div_ceil(8)]);
    }

    /// Calls `each` with the features of a row and their integers.
    #[inline]
    pub(crate) fn for_each(&self, row: usize, mut each: impl FnMut(usize, i32)) {
        self.for_each_lane(row, |_, feature, level| each(feature, level));
    }

    /// As [`for_each`](Self::for_each), with a number below [`LANES`] first: for as many independent sums.
    #[inline]
    fn for_each_lane(&self, row: usize, each: impl FnMut(usize, usize, i32)) {
        match (self.bits, self.signed) {
            (1, false) => self.each::<1, false>(row, each),
            (2, false) => self.each::<2, false>(row, each),
            (4, false) => self.each::<4, false>(row, each),
            (8, false) => self.each::<8, false>(row, each),
            (1, true) => self.each::<1, true>(row, each),
            (2, true) => self.each::<2, true>(row, each),
            (4, true) => self.each::<4, true>(row, each),
            _ => self.each::<8, true>(row, each),
        }
    }

    /// Calls `each` with the features of a row, and what a factor is multiplied with in a backward pass.
    pub(crate) fn for_each_value(&self, row: usize, mut each: impl FnMut(usize, f32)) {
        self.for_each(row, |feature, level| each(feature, self.unit * level as f32 * self.squares[feature]));
    }

    pub(crate) fn dot(&self, row: usize, weights: &[f32], activations: &mut [f32]) {
        if let [activation] = activations {
            let mut sums = [0.0f32; LANES];
            self.for_each_lane(row, |lane, feature, level| sums[lane] += level as f32 * weights[feature]);
            *activation = self.unit * sums.iter().sum::<f32>();
            return;
        }
        activations.fill(0.0);
        let outputs = activations.len();
        self.for_each(row, |feature, level| {
            let value = self.unit * level as f32;
            for (activation, weight) in activations.iter_mut().zip(&weights[feature * outputs..]) {
                *activation += value * weight;
            }
        });
    }

    pub(crate) fn axpy(&self, row: usize, factors: &[f32], weights: &mut [f32]) {
        if let [factor] = factors {
            let factor = factor * self.unit;
            self.for_each(row, |feature, level| {
                weights[feature] += factor * (level as f32 * self.squares[feature]);
            });
            return;
        }
        self.for_each(row, |feature, level| {
            let value = self.unit * level as f32 * self.squares[feature];
            for (weight, factor) in weights[feature * factors.len()..].iter_mut().zip(factors) {
                *weight += factor * value;
            }
        });
    }

    #[inline(always)]
    fn each<const BITS: usize, const SIGNED: bool>(&self, row: usize, mut each: impl FnMut(usize, usize, i32)) {
        let (start, end) = (self.indptr[row] as usize, self.indptr[row + 1] as usize);
        let (per_byte, sign) = (8 / BITS, 1 << (BITS - 1));
        let level = |bits: u64| {
            let level = (bits & u64::from(mask(BITS as u8))) as i32;
            if SIGNED { (level ^ sign) - sign } else { level }
        };
        let single = |place: usize| level(u64::from(self.levels[place / per_byte]) >> (place % per_byte * BITS));
        // Up to a whole byte one by one, then eight values at a time, which are as many bytes as a value has bits.
        let aligned = start.next_multiple_of(per_byte).min(end);
        for place in start..aligned {
            each(0, self.indices[place] as usize, single(place));
        }
        let (groups, rest) = self.indices[aligned..end].as_chunks::<LANES>();
        let bytes = &self.levels[aligned / per_byte..];
        for (indices, bytes) in groups.iter().zip(bytes.chunks_exact(BITS)) {
            let bits = bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
            for (lane, &index) in indices.iter().enumerate() {
                each(lane, index as usize, level(bits >> (lane * BITS)));
            }
        }
        for (lane, &index) in rest.iter().enumerate() {
            each(lane, index as usize, single(end - rest.len() + lane));
        }
    }
}

const fn mask(bits: u8) -> u8 {
    u8::MAX >> (8 - bits)
}

/// Appends integers, `BITS` of each. Only the last ones may fill a byte in part.
fn pack<const BITS: usize>(levels: &[u32], packed: &mut Vec<u8>) {
    let together = |levels: &[u32]| {
        let bits = levels.iter().map(|&level| level & u32::from(mask(BITS as u8)));
        bits.enumerate().fold(0u64, |all, (lane, bits)| all | u64::from(bits) << (lane * BITS))
    };
    let (groups, rest) = levels.as_chunks::<LANES>();
    for group in groups {
        packed.extend_from_slice(&together(group).to_le_bytes()[..BITS]);
    }
    packed.extend_from_slice(&together(rest).to_le_bytes()[..(rest.len() * BITS).div_ceil(8)]);
}
