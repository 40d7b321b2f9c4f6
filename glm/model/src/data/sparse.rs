//! Sparse samples whose values are integers of 1 to 31 bits (R-GLM-23).

use super::Bytes;
use super::numbers::Numbers;
use super::quantise::{Grid, Quantisation, RUN, Scaling};
use crate::error::Error;
use crate::samples::Csr;
use netfold_glm_kernels::{Between, Ends, Kernels, OnGrid, Scaled, halves};
use netfold_kernels::prefetch;
use std::borrow::Cow;
use std::sync::Arc;

/// Partial sums of a dot product, and values that are read at a time.
const LANES: usize = 8;
/// Bytes that may be read beyond the values, with the last of them.
const SPARE: usize = 8;

/// Most bits of a value that is packed; wider ones have bytes of their own.
const MOST_PACKED: u8 = 8;

/// Values are packed over all rows: value p has the bits from p * width on, the first of a byte
/// lowest.
#[derive(Clone, Debug)]
pub(crate) struct SparseLevels<'a> {
    indptr: Cow<'a, [u64]>,
    indices: Cow<'a, [u32]>,
    /// [`SPARE`] bytes come after the last value.
    levels: Vec<u8>,
    bits: u8,
    /// Bits that a value is stored in: a power of two.
    width: u8,
    signed: bool,
    /// The values in a byte, for each byte: looking a value up takes less than taking it apart and
    /// converting it.
    in_byte: InByte,
    /// Weights are held times a feature's span, so that a dot product needs no other number
    /// (R-GLM-24).
    grid: Arc<Grid>,
}

/// The integers in each byte, the first one lowest; empty where values have more than a byte.
#[derive(Clone, Debug)]
struct InByte {
    integers: Vec<i32>,
    floats: Vec<f32>,
}

/// Returns the value of an integer.
trait Level: Copy {
    fn of(level: i32) -> Self;
    fn in_byte(of: &InByte) -> &[Self];
}

impl Level for i32 {
    fn of(level: i32) -> Self {
        level
    }
    fn in_byte(of: &InByte) -> &[Self] {
        &of.integers
    }
}

impl Level for f32 {
    fn of(level: i32) -> Self {
        level as Self
    }
    fn in_byte(of: &InByte) -> &[Self] {
        &of.floats
    }
}

impl InByte {
    fn of(bits: u8, signed: bool) -> Self {
        if bits > MOST_PACKED {
            return Self { integers: Vec::new(), floats: Vec::new() };
        }
        let (mask, sign) = (i32::from(mask(bits)), if signed { 1 << (bits - 1) } else { 0 });
        let places = move |byte: i32| {
            (0..8).step_by(usize::from(bits)).map(move |place| byte >> place & mask)
        };
        let integers: Vec<i32> =
            (0..256).flat_map(places).map(|level| (level ^ sign) - sign).collect();
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
        if !(1..=31).contains(&how.bits) {
            return Err(Error::setting(
                "bits of sparse values",
                how.bits,
                "1 to 31; 32 are floats as they are",
            ));
        }
        let width = how.bits.next_power_of_two();
        let store = match width {
            1 => packed::<1>,
            2 => packed::<2>,
            4 => packed::<4>,
            8 => packed::<8>,
            16 => wide::<2>,
            _ => wide::<4>,
        };
        let (indptr, indices, values) = csr.parts();
        let mut levels =
            Vec::with_capacity((values.len() * usize::from(width)).div_ceil(8) + SPARE);
        grid.sparse_levels(csr, how, numbers, |run, ends| store(run, ends, &mut levels));
        levels.extend([0; SPARE]);
        let signed = how.scaling == Scaling::Symmetric;
        Ok(Self {
            indptr: indptr.into(),
            indices: indices.into(),
            levels,
            bits: how.bits,
            width,
            signed,
            in_byte: InByte::of(width, signed),
            grid: grid.clone(),
        })
    }

    /// Returns the same samples, owning their arrays.
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
        let bits = usize::from(self.width);
        prefetch(&self.indices[start..end]);
        prefetch(&self.levels[start * bits / 8..(end * bits).div_ceil(8)]);
    }

    /// Calls `each` with the features of a row and their integers.
    #[inline]
    pub(crate) fn for_each(&self, row: usize, mut each: impl FnMut(usize, i32)) {
        self.for_each_lane(row, |_, feature, level| each(feature, level));
    }

    /// Calls `each` with each feature of a row, and the number that multiplies a factor in a
    /// backward pass.
    pub(crate) fn for_each_value(&self, row: usize, mut each: impl FnMut(usize, f32)) {
        let (unit, squares) = (self.grid.unit(), &self.grid.squares);
        self.for_each_lane(row, |_, feature, level: f32| {
            each(feature, unit * level * squares[feature])
        });
    }

    pub(crate) fn dot(&self, row: usize, weights: &[f32], activations: &mut [f32]) {
        let unit = self.grid.unit();
        if let [activation] = activations {
            let mut sums = [0.0f32; LANES];
            self.for_each_lane(row, |lane, feature, level: f32| {
                sums[lane] += level * weights[feature]
            });
            *activation = unit * halves(sums);
            return;
        }
        activations.fill(0.0);
        let outputs = activations.len();
        self.for_each_lane(row, |_, feature, level: f32| {
            let value = unit * level;
            for (activation, weight) in activations.iter_mut().zip(&weights[feature * outputs..]) {
                *activation += value * weight;
            }
        });
    }

    pub(crate) fn axpy(&self, row: usize, factors: &[f32], weights: &mut [f32]) {
        if let [factor] = factors {
            // As long, so that a feature that is in one is in the other.
            let (factor, squares) =
                (factor * self.grid.unit(), &self.grid.squares[..weights.len()]);
            self.for_each_lane(row, |_, feature, level: f32| {
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

    /// Calls `each` with the number of each non-zero modulo [`LANES`], for as many independent
    /// sums, its feature, and its integer.
    #[inline(always)]
    fn for_each_lane<T: Level>(&self, row: usize, each: impl FnMut(usize, usize, T)) {
        let in_byte = T::in_byte(&self.in_byte);
        match (self.width, self.signed) {
            (1, _) => self.each::<1, 8, T>(row, in_byte, each),
            (2, _) => self.each::<2, 4, T>(row, in_byte, each),
            (4, _) => self.each::<4, 2, T>(row, in_byte, each),
            (8, _) => self.each::<8, 1, T>(row, in_byte, each),
            (16, true) => self.each_wide(row, |bytes| i16::from_le_bytes(bytes).into(), each),
            (16, false) => self.each_wide(row, |bytes| u16::from_le_bytes(bytes).into(), each),
            _ => self.each_wide(row, i32::from_le_bytes, each),
        }
    }

    /// Does the same as [`for_each_lane`](Self::for_each_lane), for values of `BYTES` bytes each.
    #[inline(always)]
    fn each_wide<const BYTES: usize, T: Level>(
        &self,
        row: usize,
        level: impl Fn([u8; BYTES]) -> i32,
        mut each: impl FnMut(usize, usize, T),
    ) {
        let (start, end) = (self.indptr[row] as usize, self.indptr[row + 1] as usize);
        let levels = self.levels[start * BYTES..end * BYTES].as_chunks().0;
        for (number, (&index, &bytes)) in self.indices[start..end].iter().zip(levels).enumerate() {
            each(number % LANES, index as usize, T::of(level(bytes)));
        }
    }

    /// Does the same as [`for_each_lane`](Self::for_each_lane), where a byte holds `IN_BYTE` values
    /// of `BITS` bits.
    #[inline(always)]
    fn each<const BITS: usize, const IN_BYTE: usize, T: Copy>(
        &self,
        row: usize,
        in_byte: &[T],
        mut each: impl FnMut(usize, usize, T),
    ) {
        let (start, end) = (self.indptr[row] as usize, self.indptr[row + 1] as usize);
        let in_byte: &[[T; IN_BYTE]; 256] =
            in_byte.as_chunks().0.try_into().expect("256 bytes have a row each");
        let (bytes, skip) = (&self.levels[start / IN_BYTE..], start % IN_BYTE * BITS);
        // Eight values are as many bytes as one has bits; fewer than 8 bits leave room in the word
        // for what is skipped.
        let group = |number: usize| {
            let word = bytes[number * BITS..]
                .first_chunk()
                .expect("there are spare bytes after the values");
            (u64::from_le_bytes(*word) >> skip).to_le_bytes()
        };
        let (groups, rest) = self.indices[start..end].as_chunks::<LANES>();
        for (number, indices) in groups.iter().enumerate() {
            let bytes = group(number);
            for (lane, &index) in indices.iter().enumerate() {
                each(
                    lane,
                    index as usize,
                    in_byte[usize::from(bytes[lane / IN_BYTE])][lane % IN_BYTE],
                );
            }
        }
        if !rest.is_empty() {
            let bytes = group(groups.len());
            for lane in 0..LANES {
                let Some(&index) = rest.get(lane) else { break };
                each(
                    lane,
                    index as usize,
                    in_byte[usize::from(bytes[lane / IN_BYTE])][lane % IN_BYTE],
                );
            }
        }
    }
}

const fn mask(bits: u8) -> u8 {
    u8::MAX >> (8 - bits)
}

/// Appends values as integers of `BITS` bits. Only the last ones may fill a byte in part.
fn packed<const BITS: usize>(run: Scaled<'_>, ends: Ends, to: &mut Vec<u8>) {
    let mut levels = [0; RUN];
    let levels = &mut levels[..run.values.len()];
    Kernels::best().scaled_to_levels(run, ends, levels);
    pack::<BITS>(levels, to);
}

/// Appends values as integers of `BYTES` bytes. Their quotients by the spans are not rounded to f32
/// first, which would be too coarse (R-GLM-20).
fn wide<const BYTES: usize>(run: Scaled<'_>, ends: Ends, to: &mut Vec<u8>) {
    let Scaled { values, span, rounding } = run;
    let (low, mut levels) = ([0.0; RUN], [0; RUN]);
    let same;
    let shift = match rounding {
        Between::Shifted(shift) => shift,
        Between::Below => {
            same = [0.0; RUN];
            &same[..values.len()]
        }
        Between::Nearest => {
            same = [0.5; RUN];
            &same[..values.len()]
        }
    };
    let levels = &mut levels[..values.len()];
    Kernels::best().to_levels(
        OnGrid { values, low: &low[..values.len()], span, shift },
        ends,
        levels,
    );
    to.extend(levels.iter().flat_map(|level| level.to_le_bytes().into_iter().take(BYTES)));
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
