//! Sparse samples whose values are integers of 1, 2, 4 or 8 bits (R-GLM-23).

use super::Bytes;
use super::numbers::Numbers;
use super::quantise::{Grid, Quantisation, Scaling};
use crate::error::Error;
use crate::samples::Csr;
use netfold_kernels::{halves, prefetch};
use std::borrow::Cow;
use std::sync::Arc;

/// Partial sums of a dot product, and values that are read at a time.
const LANES: usize = 8;
/// Bytes that may be read beyond the values, with the last of them.
const SPARE: usize = 8;

/// Values are packed over all rows: value p has the bits from p * bits on, the first of a byte lowest.
#[derive(Clone, Debug)]
pub(crate) struct SparseLevels<'a> {
    indptr: Cow<'a, [u64]>,
    indices: Cow<'a, [u32]>,
    /// [`SPARE`] bytes come after the last value.
    levels: Vec<u8>,
    bits: u8,
    signed: bool,
    /// What the values in a byte are, for each byte: to look a value up takes less than to take it apart and to convert it.
    in_byte: InByte,
    /// Weights are held times a feature's span, so that a dot product needs no other number (R-GLM-24).
    grid: Arc<Grid>,
}

/// For each byte its integers, the first one lowest.
#[derive(Clone, Debug)]
struct InByte {
    integers: Vec<i32>,
    floats: Vec<f32>,
}

impl InByte {
    fn of(bits: u8, signed: bool) -> Self {
        let (mask, sign) = (i32::from(mask(bits)), if signed { 1 << (bits - 1) } else { 0 });
        let places = move |byte: i32| (0..8).step_by(usize::from(bits)).map(move |place| byte >> place & mask);
        let integers: Vec<i32> = (0..256).flat_map(places).map(|level| (level ^ sign) - sign).collect();
        Self { floats: integers.iter().map(|&integer| integer as f32).collect(), integers }
    }
}

impl<'a> SparseLevels<'a> {
    /// Integers on a grid. Bounds and indices stay borrowed.
    pub(crate) fn new(
        csr: Csr<'a>,
        how: Quantisation,
        grid: &Arc<Grid>,
        numbers: &Numbers<impl Fn(usize) -> usize>,
    ) -> Result<Self, Error> {
        let pack = match how.bits {
            1 => pack::<1>,
            2 => pack::<2>,
            4 => pack::<4>,
            8 => pack::<8>,
            bits => return Err(Error::setting("bits of sparse values", bits, "1, 2, 4 or 8")),
        };
        let (indptr, indices, values) = csr.parts();
        let mut levels = Vec::with_capacity(values.len().div_ceil(8 / usize::from(how.bits)) + SPARE);
        grid.sparse_levels(csr, how, numbers, |run| pack(run, &mut levels));
        levels.extend([0; SPARE]);
        let signed = how.scaling == Scaling::Symmetric;
        Ok(Self {
            indptr: indptr.into(),
            indices: indices.into(),
            levels,
            bits: how.bits,
            signed,
            in_byte: InByte::of(how.bits, signed),
            grid: grid.clone(),
        })
    }

    /// The same, without what it was made of.
    pub(crate) fn into_owned(self) -> SparseLevels<'static> {
        let (indptr, indices) = (self.indptr.into_owned().into(), self.indices.into_owned().into());
        SparseLevels { indptr, indices, ..self }
    }

    pub(crate) fn bytes(&self) -> Bytes {
        Bytes {
            values: (self.levels.len() - SPARE) as u64,
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
        self.for_each_lane(row, &self.in_byte.integers, |_, feature, level| each(feature, level));
    }

    /// Calls `each` with the features of a row, and what a factor is multiplied with in a backward pass.
    pub(crate) fn for_each_value(&self, row: usize, mut each: impl FnMut(usize, f32)) {
        let (unit, squares) = (self.grid.unit(), &self.grid.squares);
        self.for_each_lane(row, &self.in_byte.floats, |_, feature, level| {
            each(feature, unit * level * squares[feature])
        });
    }

    pub(crate) fn dot(&self, row: usize, weights: &[f32], activations: &mut [f32]) {
        let unit = self.grid.unit();
        if let [activation] = activations {
            let mut sums = [0.0f32; LANES];
            let floats = &self.in_byte.floats;
            self.for_each_lane(row, floats, |lane, feature, level| sums[lane] += level * weights[feature]);
            *activation = unit * halves(sums);
            return;
        }
        activations.fill(0.0);
        let outputs = activations.len();
        self.for_each_lane(row, &self.in_byte.floats, |_, feature, level| {
            let value = unit * level;
            for (activation, weight) in activations.iter_mut().zip(&weights[feature * outputs..]) {
                *activation += value * weight;
            }
        });
    }

    pub(crate) fn axpy(&self, row: usize, factors: &[f32], weights: &mut [f32]) {
        if let [factor] = factors {
            // As long, so that a feature that is in one is in the other.
            let (factor, squares) = (factor * self.grid.unit(), &self.grid.squares[..weights.len()]);
            self.for_each_lane(row, &self.in_byte.floats, |_, feature, level| {
                weights[feature] += factor * (level * squares[feature]);
            });
            return;
        }
        self.for_each_value(row, |feature, value| {
            for (weight, factor) in weights[feature * factors.len()..].iter_mut().zip(factors) {
                *weight += factor * value;
            }
        });
    }

    /// Calls `each` with the number of each non-zero modulo [`LANES`], for as many independent sums, its feature, and what `in_byte` has for its value.
    #[inline(always)]
    fn for_each_lane<T: Copy>(&self, row: usize, in_byte: &[T], each: impl FnMut(usize, usize, T)) {
        match self.bits {
            1 => self.each::<1, 8, T>(row, in_byte, each),
            2 => self.each::<2, 4, T>(row, in_byte, each),
            4 => self.each::<4, 2, T>(row, in_byte, each),
            _ => self.each::<8, 1, T>(row, in_byte, each),
        }
    }

    /// As [`for_each_lane`](Self::for_each_lane), `IN_BYTE` being the values of `BITS` bits in a byte.
    #[inline(always)]
    fn each<const BITS: usize, const IN_BYTE: usize, T: Copy>(
        &self,
        row: usize,
        in_byte: &[T],
        mut each: impl FnMut(usize, usize, T),
    ) {
        let (start, end) = (self.indptr[row] as usize, self.indptr[row + 1] as usize);
        let in_byte: &[[T; IN_BYTE]; 256] = in_byte.as_chunks().0.try_into().expect("256 bytes have a row each");
        let (bytes, skip) = (&self.levels[start / IN_BYTE..], start % IN_BYTE * BITS);
        // Eight values are as many bytes as one has bits; fewer than 8 bits leave room in the word for what is skipped.
        let group = |number: usize| {
            let word = bytes[number * BITS..].first_chunk().expect("there are spare bytes after the values");
            (u64::from_le_bytes(*word) >> skip).to_le_bytes()
        };
        let (groups, rest) = self.indices[start..end].as_chunks::<LANES>();
        for (number, indices) in groups.iter().enumerate() {
            let bytes = group(number);
            for (lane, &index) in indices.iter().enumerate() {
                each(lane, index as usize, in_byte[usize::from(bytes[lane / IN_BYTE])][lane % IN_BYTE]);
            }
        }
        if !rest.is_empty() {
            let bytes = group(groups.len());
            for lane in 0..LANES {
                let Some(&index) = rest.get(lane) else { break };
                each(lane, index as usize, in_byte[usize::from(bytes[lane / IN_BYTE])][lane % IN_BYTE]);
            }
        }
    }
}

const fn mask(bits: u8) -> u8 {
    u8::MAX >> (8 - bits)
}

/// Appends integers, `BITS` of each. Only the last ones may fill a byte in part.
fn pack<const BITS: usize>(levels: &[u8], packed: &mut Vec<u8>) {
    // Eight bytes become `BITS`, the values in twice as many bits moving together each time.
    let together = |levels: [u8; LANES]| {
        let word = u64::from_le_bytes(levels) & const { fields(BITS, 8) };
        let word = (word | word >> (8 - BITS)) & const { fields(2 * BITS, 16) };
        let word = (word | word >> (2 * (8 - BITS))) & const { fields(4 * BITS, 32) };
        (word | word >> (4 * (8 - BITS))).to_le_bytes()
    };
    let (groups, rest) = levels.as_chunks::<LANES>();
    let start = packed.len();
    packed.resize(start + groups.len() * BITS, 0);
    for (to, &group) in packed[start..].as_chunks_mut::<BITS>().0.iter_mut().zip(groups) {
        to.copy_from_slice(&together(group)[..BITS]);
    }
    let mut group = [0; LANES];
    group[..rest.len()].copy_from_slice(rest);
    packed.extend_from_slice(&together(group)[..(rest.len() * BITS).div_ceil(8)]);
}

/// Ones in the lowest `width` bits of every `stride`.
const fn fields(width: usize, stride: usize) -> u64 {
    let (mut fields, mut place) = (0, 0);
    while place < 64 {
        if place % stride < width {
            fields |= 1 << place;
        }
        place += 1;
    }
    fields
}
