//! One engine's samples, as a forward and a backward pass read them, in every form.

use super::Bytes;
use super::numbers::Numbers;
use super::places::Places;
use super::quantise::{Grid, Layout, Quantisation, Scaling};
use super::sparse::SparseLevels;
use crate::error::Error;
use crate::partition::OwnedSamples;
use crate::samples::{Dense, Samples};
use netfold_glm_kernels::{Kernels, LANES, Levels, Storage};
use netfold_kernels::prefetch;
use std::borrow::Cow;
use std::sync::Arc;

/// Samples of an engine. Weights lie in their [`Places`].
#[derive(Clone, Debug)]
pub(crate) struct Matrix<'a> {
    kernels: Kernels,
    rows: usize,
    features: usize,
    form: Form<'a>,
}

#[derive(Clone, Debug)]
enum Form<'a> {
    Dense { values: Cow<'a, [f32]> },
    Csr { indptr: Cow<'a, [u64]>, indices: Cow<'a, [u32]>, values: Cow<'a, [f32]> },
    Levels(DenseLevels),
    SparseLevels(SparseLevels<'a>),
}

/// Dense integers, row after row (R-GLM-21, R-GLM-22).
#[derive(Clone, Debug)]
struct DenseLevels {
    stored: Stored,
    signed: bool,
    /// Value of one unit of the integers that are read.
    unit: f32,
}

#[derive(Clone, Debug)]
enum Stored {
    Planes { words: Vec<u64>, depth: u8, read: u8 },
    Bytes(Vec<u8>),
    Nibbles(Vec<u8>),
}

impl<'a> Matrix<'a> {
    pub(crate) fn borrowed(samples: Samples<'a>) -> Self {
        let form = match samples {
            Samples::Dense(dense) => Form::Dense { values: dense.values().into() },
            Samples::Csr(csr) => {
                let (indptr, indices, values) = csr.parts();
                Form::Csr { indptr: indptr.into(), indices: indices.into(), values: values.into() }
            }
        };
        Self::of(samples, form)
    }

    pub(crate) fn owned(samples: OwnedSamples) -> Self {
        let view = samples.view();
        let (kernels, rows, features) = (Kernels::best(), view.rows(), view.features());
        Self { kernels, rows, features, form: Form::from(samples) }
    }

    /// Integers on a grid; `column` numbers a feature over all workers. Where sparse values stand
    /// stays borrowed.
    pub(crate) fn quantised(
        samples: Samples<'a>,
        how: Quantisation,
        grid: &Arc<Grid>,
        numbers: &Numbers<impl Fn(usize) -> usize>,
    ) -> Result<Self, Error> {
        let form = match samples {
            Samples::Csr(csr) => Form::SparseLevels(SparseLevels::new(csr, how, grid, numbers)?),
            Samples::Dense(dense) => Form::Levels(DenseLevels::new(dense, how, grid, numbers)?),
        };
        Ok(Self::of(samples, form))
    }

    /// The same, without the samples that it was made of.
    pub(crate) fn into_owned(self) -> Matrix<'static> {
        let form = match self.form {
            Form::Dense { values } => Form::Dense { values: values.into_owned().into() },
            Form::Csr { indptr, indices, values } => Form::Csr {
                indptr: indptr.into_owned().into(),
                indices: indices.into_owned().into(),
                values: values.into_owned().into(),
            },
            Form::Levels(levels) => Form::Levels(levels),
            Form::SparseLevels(sparse) => Form::SparseLevels(sparse.into_owned()),
        };
        Matrix { form, kernels: self.kernels, rows: self.rows, features: self.features }
    }

    pub(crate) fn features(&self) -> usize {
        self.features
    }

    /// Returns the places of the weights of so many outputs.
    pub(crate) fn places(&self, outputs: usize) -> Places {
        Places { features: self.features, outputs, sparse: self.is_sparse() }
    }

    pub(crate) fn is_sparse(&self) -> bool {
        matches!(self.form, Form::Csr { .. } | Form::SparseLevels(_))
    }

    pub(crate) fn bytes(&self) -> Bytes {
        match &self.form {
            Form::Dense { values } => Bytes { values: 4 * values.len() as u64, ..Bytes::default() },
            Form::Csr { indptr, indices, values } => Bytes {
                values: 4 * values.len() as u64,
                indices: 4 * indices.len() as u64,
                bounds: 8 * indptr.len() as u64,
            },
            Form::Levels(levels) => Bytes { values: levels.bytes(), ..Bytes::default() },
            Form::SparseLevels(sparse) => sparse.bytes(),
        }
    }

    pub(crate) fn read_bits(&mut self, bits: u8) -> Result<(), Error> {
        let Form::Levels(DenseLevels { stored: Stored::Planes { depth, read, .. }, unit, .. }) =
            &mut self.form
        else {
            return Err(Error::Together(
                "only bit planes can be read less deep than they are stored",
            ));
        };
        if !(1..=*depth).contains(&bits) {
            return Err(Error::setting("bits to read", bits, format!("1 to {depth}")));
        }
        *unit *= libm::exp2(f64::from(*read) - f64::from(bits)) as f32;
        *read = bits;
        Ok(())
    }

    /// The bits that are left of the point in what [`dot_exact`](Self::dot_exact) reads, or `None`
    /// for floats and integers that it does not take.
    pub(crate) fn point(&self) -> Option<i32> {
        match &self.form {
            Form::Dense { .. } | Form::Csr { .. } => None,
            Form::Levels(levels) => levels.point(),
            Form::SparseLevels(sparse) => Some(sparse.point()),
        }
    }

    /// Asks for a row that is read soon: in a random order, the processor does not know.
    #[inline]
    pub(crate) fn prefetch(&self, row: u32) {
        let row = row as usize;
        match &self.form {
            Form::Dense { values } => prefetch(&values[row * self.features..][..self.features]),
            Form::Csr { indptr, indices, values } => {
                let entries = entries(indptr, row);
                prefetch(&indices[entries.clone()]);
                prefetch(&values[entries]);
            }
            Form::Levels(levels) => levels.prefetch(row, self.features),
            Form::SparseLevels(sparse) => sparse.prefetch(row),
        }
    }

    /// The activations of a row, one for each output; `weights` has [`place`](Self::place)'s order.
    pub(crate) fn dot(&self, row: usize, weights: &[f32], activations: &mut [f32]) {
        debug_assert!(row < self.rows);
        match &self.form {
            Form::Dense { values } => {
                let x = &values[row * self.features..][..self.features];
                for (w, activation) in weights.chunks_exact(self.features).zip(activations) {
                    *activation = self.kernels.dot(x, w);
                }
            }
            Form::Csr { indptr, indices, values } => {
                let entries = entries(indptr, row);
                let (indices, values) = (&indices[entries.clone()], &values[entries]);
                if let [activation] = activations {
                    *activation = self.kernels.dot_sparse(indices, values, weights);
                    return;
                }
                activations.fill(0.0);
                for (&index, value) in indices.iter().zip(values) {
                    let weights =
                        &weights[index as usize * activations.len()..][..activations.len()];
                    activations
                        .iter_mut()
                        .zip(weights)
                        .for_each(|(activation, weight)| *activation += value * weight);
                }
            }
            Form::Levels(levels) => {
                let x = levels.row(row, self.features);
                for (w, activation) in weights.chunks_exact(self.features).zip(activations) {
                    *activation = levels.unit * self.kernels.dot_levels(x, w);
                }
            }
            Form::SparseLevels(sparse) => sparse.dot(row, weights, activations),
        }
    }

    /// Adds a row, times a number for each output, to weights.
    pub(crate) fn axpy(&self, row: usize, factors: &[f32], weights: &mut [f32]) {
        match &self.form {
            Form::Dense { values } => {
                let x = &values[row * self.features..][..self.features];
                for (w, &factor) in weights.chunks_exact_mut(self.features).zip(factors) {
                    self.kernels.axpy(factor, x, w);
                }
            }
            Form::Csr { indptr, indices, values } => {
                let entries = entries(indptr, row);
                let (indices, values) = (&indices[entries.clone()], &values[entries]);
                if let [factor] = factors {
                    self.kernels.axpy_sparse(*factor, indices, values, weights);
                    return;
                }
                for (&index, value) in indices.iter().zip(values) {
                    let weights = &mut weights[index as usize * factors.len()..][..factors.len()];
                    weights
                        .iter_mut()
                        .zip(factors)
                        .for_each(|(weight, factor)| *weight += factor * value);
                }
            }
            Form::Levels(levels) => {
                let x = levels.row(row, self.features);
                for (w, &factor) in weights.chunks_exact_mut(self.features).zip(factors) {
                    self.kernels.axpy_levels(factor * levels.unit, x, w);
                }
            }
            Form::SparseLevels(sparse) => sparse.axpy(row, factors, weights),
        }
    }

    /// Does the same as [`axpy`](Self::axpy). Tells `each` the place of every weight that changes,
    /// and its change after rounding.
    pub(crate) fn axpy_told(
        &self,
        row: usize,
        factors: &[f32],
        weights: &mut [f32],
        mut each: impl FnMut(usize, f64),
    ) {
        let (mut scratch, places) = (Vec::new(), self.places(factors.len()));
        self.for_each_value(row, &mut scratch, |feature, value| {
            for (output, &factor) in factors.iter().enumerate() {
                let place = places.place(output, feature);
                let before = weights[place];
                weights[place] += factor * value;
                each(place, f64::from(weights[place]) - f64::from(before));
            }
        });
    }

    /// Does the same as [`dot`](Self::dot), for integers. Asks for a [`point`](Self::point).
    pub(crate) fn dot_exact(&self, row: usize, weights: &[i32], activations: &mut [i64]) {
        match &self.form {
            Form::Dense { .. } | Form::Csr { .. } => unreachable!("floats have no point"),
            Form::Levels(levels) => {
                let x = levels.row(row, self.features);
                for (w, activation) in weights.chunks_exact(self.features).zip(activations) {
                    *activation = self.kernels.dot_levels_exact(x, w);
                }
            }
            Form::SparseLevels(sparse) => {
                activations.fill(0);
                let outputs = activations.len();
                sparse.for_each(row, |feature, level| {
                    for (activation, &weight) in
                        activations.iter_mut().zip(&weights[feature * outputs..])
                    {
                        *activation = activation.wrapping_add(i64::from(level) * i64::from(weight));
                    }
                });
            }
        }
    }

    /// Does the same as [`axpy`](Self::axpy), for integers. Asks for a [`point`](Self::point).
    pub(crate) fn axpy_exact(&self, row: usize, factors: &[i32], sums: &mut [i64]) {
        match &self.form {
            Form::Dense { .. } | Form::Csr { .. } => unreachable!("floats have no point"),
            Form::Levels(levels) => {
                let x = levels.row(row, self.features);
                for (sums, &factor) in sums.chunks_exact_mut(self.features).zip(factors) {
                    self.kernels.axpy_levels_exact(factor, x, sums);
                }
            }
            Form::SparseLevels(sparse) => sparse.for_each(row, |feature, level| {
                for (sum, &factor) in sums[feature * factors.len()..].iter_mut().zip(factors) {
                    *sum = sum.wrapping_add(i64::from(level) * i64::from(factor));
                }
            }),
        }
    }

    /// Calls `each` with the features that a sparse row has.
    ///
    /// # Panics
    /// For dense samples: a row has all features.
    pub(crate) fn for_each_feature(&self, row: usize, mut each: impl FnMut(usize)) {
        match &self.form {
            Form::Dense { .. } | Form::Levels(_) => panic!("dense rows have all features"),
            Form::Csr { indptr, indices, .. } => {
                indices[entries(indptr, row)].iter().for_each(|&index| each(index as usize));
            }
            Form::SparseLevels(sparse) => sparse.for_each(row, |feature, _| each(feature)),
        }
    }

    /// Calls `each` with each feature that is stored of a row, and the number that multiplies a
    /// factor in a backward pass.
    fn for_each_value(&self, row: usize, scratch: &mut Vec<f32>, mut each: impl FnMut(usize, f32)) {
        match &self.form {
            Form::Dense { values } => {
                let x = &values[row * self.features..][..self.features];
                x.iter().enumerate().for_each(|(feature, &value)| each(feature, value));
            }
            Form::Csr { indptr, indices, values } => {
                let entries = entries(indptr, row);
                let pairs = indices[entries.clone()].iter().zip(&values[entries]);
                pairs.for_each(|(&index, &value)| each(index as usize, value));
            }
            Form::Levels(levels) => {
                scratch.resize(self.features, 0.0);
                self.kernels.axpy_levels(levels.unit, levels.row(row, self.features), scratch);
                scratch.iter().enumerate().for_each(|(feature, &value)| each(feature, value));
            }
            Form::SparseLevels(sparse) => sparse.for_each_value(row, each),
        }
    }

    fn of(samples: Samples<'_>, form: Form<'a>) -> Self {
        Self { kernels: Kernels::best(), rows: samples.rows(), features: samples.features(), form }
    }
}

impl From<OwnedSamples> for Form<'static> {
    fn from(samples: OwnedSamples) -> Self {
        match samples.into_parts() {
            (values, None) => Self::Dense { values: values.into() },
            (values, Some((indptr, indices))) => {
                Self::Csr { indptr: indptr.into(), indices: indices.into(), values: values.into() }
            }
        }
    }
}

impl DenseLevels {
    fn new(
        dense: Dense<'_>,
        how: Quantisation,
        grid: &Grid,
        numbers: &Numbers<impl Fn(usize) -> usize>,
    ) -> Result<Self, Error> {
        if !(1..=32).contains(&how.bits) {
            return Err(Error::setting("bits", how.bits, "1 to 32"));
        }
        let (values, groups) = (dense.values().len(), grid.span.len().div_ceil(LANES));
        let rows = values / grid.span.len();
        let packed = match (how.layout, how.bits) {
            (Layout::Planes, _) => false,
            (Layout::Packed | Layout::Auto, 4 | 8) => true,
            (Layout::Auto, _) => false,
            (Layout::Packed, _) => {
                return Err(Error::setting("packed bits", how.bits, "4 or 8, or bit planes"));
            }
        };
        let depth = usize::from(how.bits);
        let stored = match (packed, how.bits) {
            (true, 8) => {
                let mut bytes = Vec::with_capacity(values);
                grid.dense_levels(dense, how, numbers, |run| {
                    bytes.extend(run.iter().map(|&level| level as u8))
                });
                Stored::Bytes(bytes)
            }
            (true, _) => {
                let mut bytes = Vec::with_capacity(rows * groups * LANES / 2);
                grid.dense_levels(dense, how, numbers, |run| {
                    for group in run.chunks(LANES) {
                        let level =
                            |place: usize| group.get(place).map_or(0, |&level| level as u8 & 15);
                        bytes.extend(
                            (0..LANES / 2)
                                .map(|place| level(place) | level(place + LANES / 2) << 4),
                        );
                    }
                });
                Stored::Nibbles(bytes)
            }
            (false, _) => {
                let mut words = Vec::with_capacity(rows * groups * depth);
                grid.dense_levels(dense, how, numbers, |run| {
                    for group in run.chunks(LANES) {
                        words.extend((0..depth).rev().map(|place| {
                            let bits = group.iter().map(|level| u64::from(level >> place & 1));
                            bits.enumerate()
                                .fold(0u64, |word, (feature, bit)| word | bit << feature)
                        }));
                    }
                });
                Stored::Planes { words, depth: how.bits, read: how.bits }
            }
        };
        Ok(Self { stored, signed: how.scaling == Scaling::Symmetric, unit: grid.unit() })
    }

    fn row(&self, row: usize, features: usize) -> Levels<'_> {
        let groups = features.div_ceil(LANES);
        let storage = match &self.stored {
            Stored::Planes { words, depth, read } => {
                let width = groups * usize::from(*depth);
                Storage::Planes {
                    words: &words[row * width..][..width],
                    depth: *depth,
                    read: *read,
                }
            }
            Stored::Bytes(bytes) => Storage::Bytes(&bytes[row * features..][..features]),
            Stored::Nibbles(bytes) => {
                let width = groups * LANES / 2;
                Storage::Nibbles(&bytes[row * width..][..width])
            }
        };
        Levels { storage, signed: self.signed }
    }

    fn prefetch(&self, row: usize, features: usize) {
        match self.row(row, features).storage {
            Storage::Planes { words, .. } => prefetch(words),
            Storage::Bytes(bytes) | Storage::Nibbles(bytes) => prefetch(bytes),
        }
    }

    fn point(&self) -> Option<i32> {
        let read = match self.stored {
            Stored::Planes { read, .. } => i32::from(read),
            Stored::Bytes(_) => 8,
            Stored::Nibbles(_) => 4,
        };
        // What kernels multiply exactly.
        (read < 32).then(|| if self.signed { read - 1 } else { read })
    }

    fn bytes(&self) -> u64 {
        match &self.stored {
            Stored::Planes { words, .. } => 8 * words.len() as u64,
            Stored::Bytes(bytes) | Stored::Nibbles(bytes) => bytes.len() as u64,
        }
    }
}

fn entries(indptr: &[u64], row: usize) -> std::ops::Range<usize> {
    indptr[row] as usize..indptr[row + 1] as usize
}
