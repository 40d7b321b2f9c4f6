//! Linear models: dot products of a sample with weights, and samples added to weights (R-GLM-22,
//! R-GLM-28).
//!
//! A dot product is [`LANES`] partial sums, element i going to sum i modulo [`LANES`], which are
//! then added in halves: the same bits at every level, and enough independent sums to hide the
//! latency of an addition. All are plain loops over groups of that many elements, which the
//! compiler vectorises.

use crate::Kernels;
use netfold_kernels::PlainKernel;

/// Elements of a group, and partial sums of a dot product: a word of a bit plane has a bit for
/// each.
pub const LANES: usize = 64;

/// Elements of which eight at a time have a partial sum each in a sparse dot product.
const SPARSE_LANES: usize = 8;

/// A sample whose features are integers of a few bits (R-GLM-20 to R-GLM-22).
#[derive(Clone, Copy, Debug)]
pub struct Levels<'a> {
    /// Storage of the integers.
    pub storage: Storage<'a>,
    /// The integers are two's complement, and do not count from 0.
    pub signed: bool,
}

/// Storage of the integers of a sample.
#[derive(Clone, Copy, Debug)]
pub enum Storage<'a> {
    /// For each group of [`LANES`] features `depth` words, the most significant plane first; bit i
    /// belongs to feature i of the group.
    Planes {
        /// `depth` words for each group.
        words: &'a [u64],
        /// Planes that are stored, 1 to 32.
        depth: u8,
        /// Planes that are read, 1 to `depth`.
        read: u8,
    },
    /// A byte for each feature.
    Bytes(&'a [u8]),
    /// For each group of [`LANES`] features 32 bytes: byte i has feature i in its lower half and
    /// feature i + 32 in its upper half.
    Nibbles(&'a [u8]),
}

impl Kernels {
    /// The dot product of two vectors.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn dot(self, x: &[f32], w: &[f32]) -> f32 {
        self.level().run(Dot { x, w })
    }

    /// `y += a * x`, each product rounded before it is added.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn axpy(self, a: f32, x: &[f32], y: &mut [f32]) {
        self.level().run(Axpy { a, x, y });
    }

    /// The dot product of a sample's non-zeros with the weights at their places.
    ///
    /// # Panics
    /// If there are not as many indices as values, or if an index is beyond the weights.
    pub fn dot_sparse(self, indices: &[u32], values: &[f32], w: &[f32]) -> f32 {
        assert_eq!(indices.len(), values.len(), "one index for each value");
        // Scalar at every level: gathers are no faster than loads here, and vectors of eight sums
        // are in every target.
        let (index_groups, index_rest) = indices.as_chunks::<SPARSE_LANES>();
        let (value_groups, value_rest) = values.as_chunks::<SPARSE_LANES>();
        let mut sums = [0.0f32; SPARSE_LANES];
        for (indices, values) in index_groups.iter().zip(value_groups) {
            for lane in 0..SPARSE_LANES {
                sums[lane] += values[lane] * w[indices[lane] as usize];
            }
        }
        for (lane, (&index, &value)) in index_rest.iter().zip(value_rest).enumerate() {
            sums[lane] += value * w[index as usize];
        }
        halves(sums)
    }

    /// `y[index] += a * value` for a sample's non-zeros, one after the other.
    ///
    /// # Panics
    /// As [`dot_sparse`](Self::dot_sparse).
    pub fn axpy_sparse(self, a: f32, indices: &[u32], values: &[f32], y: &mut [f32]) {
        assert_eq!(indices.len(), values.len(), "one index for each value");
        for (&index, &value) in indices.iter().zip(values) {
            y[index as usize] += a * value;
        }
    }

    /// The dot product of a sample's integers, as floats, with weights.
    ///
    /// # Panics
    /// If the storage has not as many features as there are weights, up to a whole group.
    pub fn dot_levels(self, x: Levels<'_>, w: &[f32]) -> f32 {
        self.level().run(OfLevels { x, task: DotFloat { w } })
    }

    /// `y += a * x`, each product rounded before it is added.
    ///
    /// # Panics
    /// As [`dot_levels`](Self::dot_levels).
    pub fn axpy_levels(self, a: f32, x: Levels<'_>, y: &mut [f32]) {
        self.level().run(OfLevels { x, task: AxpyFloat { a, y } });
    }

    /// The exact dot product of a sample's integers with integer weights. It wraps around only
    /// beyond 63 bits, which takes 2^16 features of 16 bits and weights of 31.
    ///
    /// # Panics
    /// As [`dot_levels`](Self::dot_levels), and for 32 bits without sign.
    pub fn dot_levels_exact(self, x: Levels<'_>, w: &[i32]) -> i64 {
        self.level().run(OfLevels { x, task: DotExact { w } })
    }

    /// `y += a * x`, exactly.
    ///
    /// # Panics
    /// As [`dot_levels_exact`](Self::dot_levels_exact).
    pub fn axpy_levels_exact(self, a: i32, x: Levels<'_>, y: &mut [i64]) {
        self.level().run(OfLevels { x, task: AxpyExact { a, y } });
    }
}

/// Elements that are multiplied and added together. As arrays of this length the sums stay in
/// registers; the compiler takes an array of [`LANES`] apart.
const VECTOR: usize = 16;

/// The partial sums of a dot product.
type Sums = [[f32; VECTOR]; LANES / VECTOR];

/// Adds the products of a group to the sums.
#[inline(always)]
fn multiply_add(sums: &mut Sums, x: &[f32; LANES], w: &[f32; LANES]) {
    let (x, w) = (x.as_chunks::<VECTOR>().0, w.as_chunks::<VECTOR>().0);
    for part in 0..LANES / VECTOR {
        sums[part] = std::array::from_fn(|lane| sums[part][lane] + x[part][lane] * w[part][lane]);
    }
}

/// The sum of all sums.
#[inline(always)]
fn total(sums: &Sums) -> f32 {
    let mut flat = [0.0; LANES];
    flat.copy_from_slice(sums.as_flattened());
    halves(flat)
}

/// Adds a dot product's partial sums, the upper half to the lower one until one is left (R-GLM-28).
/// Their number is a power of two.
#[inline(always)]
pub fn halves<const N: usize>(mut sums: [f32; N]) -> f32 {
    let mut half = N / 2;
    while half > 0 {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
        half /= 2;
    }
    sums[0]
}

/// A group that is filled up with zeros.
#[inline(always)]
fn padded<T: Copy + Default>(rest: &[T]) -> [T; LANES] {
    let mut group = [T::default(); LANES];
    group[..rest.len()].copy_from_slice(rest);
    group
}

struct Dot<'a> {
    x: &'a [f32],
    w: &'a [f32],
}

impl PlainKernel for Dot<'_> {
    type Output = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        assert_eq!(self.x.len(), self.w.len(), "one weight for each feature");
        let (x, x_rest) = self.x.as_chunks::<LANES>();
        let (w, w_rest) = self.w.as_chunks::<LANES>();
        let mut sums = Sums::default();
        for (x, w) in x.iter().zip(w) {
            multiply_add(&mut sums, x, w);
        }
        if !x_rest.is_empty() {
            multiply_add(&mut sums, &padded(x_rest), &padded(w_rest));
        }
        total(&sums)
    }
}

struct Axpy<'a> {
    a: f32,
    x: &'a [f32],
    y: &'a mut [f32],
}

impl PlainKernel for Axpy<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        assert_eq!(self.x.len(), self.y.len(), "one weight for each feature");
        for (y, x) in self.y.iter_mut().zip(self.x) {
            *y += self.a * x;
        }
    }
}

/// A task on a sample's integers, whatever their storage is.
trait Task {
    type Output;

    fn run<const UNSIGNED: bool>(self, decoder: impl Decode) -> Self::Output;
}

/// The integers of a group.
trait Decode {
    /// Groups that are stored.
    fn groups(&self) -> usize;
    /// The integers of group `index`; those of 32 bits without sign wrapped around into `i32`.
    fn group(&self, index: usize) -> [i32; LANES];
    /// Returns whether the compiler makes better vectors of a group that is added in parts of
    /// [`VECTOR`]: by measurement, 4 times for bytes and halves of them with AVX-512, and a tenth
    /// for planes.
    fn by_parts(&self) -> bool {
        true
    }
}

struct OfLevels<'a, T> {
    x: Levels<'a>,
    task: T,
}

impl<T: Task> PlainKernel for OfLevels<'_, T> {
    type Output = T::Output;

    #[inline(always)]
    fn run(self) -> T::Output {
        let Self { x: Levels { storage, signed }, task } = self;
        match storage {
            Storage::Planes { words, depth, read } => {
                assert!(
                    (1..=depth).contains(&read) && depth <= 32,
                    "planes read are 1 to those stored, at most 32"
                );
                let planes =
                    Planes { words, depth: usize::from(depth), read: u32::from(read), signed };
                if read == 32 && !signed {
                    task.run::<true>(planes)
                } else {
                    task.run::<false>(planes)
                }
            }
            Storage::Bytes(bytes) if signed => task.run::<false>(Bytes::<true>(bytes)),
            Storage::Bytes(bytes) => task.run::<false>(Bytes::<false>(bytes)),
            Storage::Nibbles(bytes) if signed => task.run::<false>(Nibbles::<true>(bytes)),
            Storage::Nibbles(bytes) => task.run::<false>(Nibbles::<false>(bytes)),
        }
    }
}

struct Planes<'a> {
    words: &'a [u64],
    depth: usize,
    read: u32,
    signed: bool,
}

impl Decode for Planes<'_> {
    #[inline(always)]
    fn by_parts(&self) -> bool {
        false
    }

    #[inline(always)]
    fn groups(&self) -> usize {
        self.words.len() / self.depth
    }

    #[inline(always)]
    fn group(&self, index: usize) -> [i32; LANES] {
        let mut integers = [0i32; LANES];
        for (plane, &word) in
            self.words[index * self.depth..][..self.read as usize].iter().enumerate()
        {
            // The first plane of a number with sign counts negative, up to the highest bit of the
            // integer.
            let place = self.read - 1 - plane as u32;
            let value = if plane == 0 && self.signed { -1i32 << place } else { 1i32 << place };
            let (low, high) = (word as u32, (word >> 32) as u32);
            for bit in 0..LANES / 2 {
                integers[bit] |= if low & (1 << bit) != 0 { value } else { 0 };
                integers[bit + LANES / 2] |= if high & (1 << bit) != 0 { value } else { 0 };
            }
        }
        integers
    }
}

struct Bytes<'a, const SIGNED: bool>(&'a [u8]);

impl<const SIGNED: bool> Decode for Bytes<'_, SIGNED> {
    #[inline(always)]
    fn groups(&self) -> usize {
        self.0.len().div_ceil(LANES)
    }

    #[inline(always)]
    fn group(&self, index: usize) -> [i32; LANES] {
        let widen = |byte: u8| if SIGNED { i32::from(byte.cast_signed()) } else { i32::from(byte) };
        match self.0[index * LANES..].first_chunk::<LANES>() {
            Some(group) => group.map(widen),
            None => padded(&self.0[index * LANES..]).map(widen),
        }
    }
}

struct Nibbles<'a, const SIGNED: bool>(&'a [u8]);

impl<const SIGNED: bool> Decode for Nibbles<'_, SIGNED> {
    #[inline(always)]
    fn groups(&self) -> usize {
        self.0.len() / (LANES / 2)
    }

    #[inline(always)]
    fn group(&self, index: usize) -> [i32; LANES] {
        let bytes: &[u8; LANES / 2] =
            self.0[index * (LANES / 2)..].first_chunk().expect("whole groups are stored");
        let mut integers = [0; LANES];
        for (lane, &byte) in bytes.iter().enumerate() {
            let byte = i32::from(byte);
            let (low, high) = (byte & 15, byte >> 4);
            integers[lane] = if SIGNED { (low ^ 8) - 8 } else { low };
            integers[lane + LANES / 2] = if SIGNED { (high ^ 8) - 8 } else { high };
        }
        integers
    }
}

#[inline(always)]
fn float<const UNSIGNED: bool>(integer: i32) -> f32 {
    if UNSIGNED { integer.cast_unsigned() as f32 } else { integer as f32 }
}

fn check_groups(decoder: &impl Decode, weights: usize) {
    assert_eq!(decoder.groups(), weights.div_ceil(LANES), "one weight for each feature");
}

struct DotFloat<'a> {
    w: &'a [f32],
}

impl Task for DotFloat<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<const UNSIGNED: bool>(self, decoder: impl Decode) -> f32 {
        check_groups(&decoder, self.w.len());
        let (groups, rest) = self.w.as_chunks::<LANES>();
        let mut sums = Sums::default();
        for (index, w) in groups.iter().enumerate() {
            multiply_add(&mut sums, &decoder.group(index).map(float::<UNSIGNED>), w);
        }
        if !rest.is_empty() {
            multiply_add(
                &mut sums,
                &decoder.group(groups.len()).map(float::<UNSIGNED>),
                &padded(rest),
            );
        }
        total(&sums)
    }
}

struct AxpyFloat<'a> {
    a: f32,
    y: &'a mut [f32],
}

impl Task for AxpyFloat<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const UNSIGNED: bool>(self, decoder: impl Decode) {
        check_groups(&decoder, self.y.len());
        let (groups, rest) = self.y.as_chunks_mut::<LANES>();
        let rest_index = groups.len();
        for (index, y) in groups.iter_mut().enumerate() {
            let x = decoder.group(index);
            if decoder.by_parts() {
                for (y, x) in
                    y.as_chunks_mut::<VECTOR>().0.iter_mut().zip(x.as_chunks::<VECTOR>().0)
                {
                    *y = std::array::from_fn(|lane| y[lane] + self.a * float::<UNSIGNED>(x[lane]));
                }
            } else {
                for lane in 0..LANES {
                    y[lane] += self.a * float::<UNSIGNED>(x[lane]);
                }
            }
        }
        if !rest.is_empty() {
            let x = decoder.group(rest_index);
            for (y, x) in rest.iter_mut().zip(x) {
                *y += self.a * float::<UNSIGNED>(x);
            }
        }
    }
}

struct DotExact<'a> {
    w: &'a [i32],
}

impl Task for DotExact<'_> {
    type Output = i64;

    #[inline(always)]
    fn run<const UNSIGNED: bool>(self, decoder: impl Decode) -> i64 {
        assert!(!UNSIGNED, "exact arithmetic takes at most 31 bits without sign");
        check_groups(&decoder, self.w.len());
        let (groups, rest) = self.w.as_chunks::<LANES>();
        let mut sum = 0i64;
        for (index, w) in groups.iter().enumerate() {
            let x = decoder.group(index);
            for lane in 0..LANES {
                sum = sum.wrapping_add(i64::from(x[lane]) * i64::from(w[lane]));
            }
        }
        if !rest.is_empty() {
            let x = decoder.group(groups.len());
            for (x, w) in x.into_iter().zip(rest) {
                sum = sum.wrapping_add(i64::from(x) * i64::from(*w));
            }
        }
        sum
    }
}

struct AxpyExact<'a> {
    a: i32,
    y: &'a mut [i64],
}

impl Task for AxpyExact<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const UNSIGNED: bool>(self, decoder: impl Decode) {
        assert!(!UNSIGNED, "exact arithmetic takes at most 31 bits without sign");
        check_groups(&decoder, self.y.len());
        let (groups, rest) = self.y.as_chunks_mut::<LANES>();
        let rest_index = groups.len();
        let a = i64::from(self.a);
        for (index, y) in groups.iter_mut().enumerate() {
            let x = decoder.group(index);
            for lane in 0..LANES {
                y[lane] = y[lane].wrapping_add(a * i64::from(x[lane]));
            }
        }
        if !rest.is_empty() {
            let x = decoder.group(rest_index);
            for (y, x) in rest.iter_mut().zip(x) {
                *y = y.wrapping_add(a * i64::from(x));
            }
        }
    }
}
