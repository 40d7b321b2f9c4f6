//! Which features belong to which part: a worker of a job, or an engine of a worker (R-GLM-2).

use crate::error::{Error, expect_len};
use crate::samples::{Csr, Dense, MOST_FEATURES, Samples};
use std::ops::Range;

/// A split of features into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    features: usize,
    parts: usize,
    dealt: bool,
}

impl Partition {
    /// Ranges that differ in length by one at most.
    pub fn contiguous(features: usize, parts: usize) -> Result<Self, Error> {
        Self::new(features, parts, false)
    }

    /// Feature j belongs to part j modulo `parts`: balances features that are the rarer the later they come, as words of a vocabulary that is sorted by
    /// frequency are.
    pub fn dealt(features: usize, parts: usize) -> Result<Self, Error> {
        Self::new(features, parts, true)
    }

    fn new(features: usize, parts: usize, dealt: bool) -> Result<Self, Error> {
        if features > MOST_FEATURES {
            return Err(Error::setting("features", features, format!("at most {MOST_FEATURES}")));
        }
        if parts == 0 || parts > features {
            return Err(Error::setting("parts", parts, format!("1 to {features}, so that each has a feature")));
        }
        Ok(Self { features, parts, dealt })
    }

    /// Features of all parts together.
    pub fn features(&self) -> usize {
        self.features
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Features of a part.
    pub fn len(&self, part: usize) -> usize {
        if self.dealt { (self.features - part).div_ceil(self.parts) } else { self.start(part + 1) - self.start(part) }
    }

    /// Never: each part has a feature at least.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The feature that is number `local` of a part.
    pub fn feature(&self, part: usize, local: usize) -> usize {
        if self.dealt { part + local * self.parts } else { self.start(part) + local }
    }

    /// The part that a feature belongs to, and its number there.
    pub fn place(&self, feature: usize) -> (usize, usize) {
        if self.dealt {
            return (feature % self.parts, feature / self.parts);
        }
        let (short, longer) = (self.features / self.parts, self.features % self.parts);
        let bound = longer * (short + 1);
        if feature < bound {
            (feature / (short + 1), feature % (short + 1))
        } else {
            (longer + (feature - bound) / short, (feature - bound) % short)
        }
    }

    /// A part's features of all samples. Rows stay, also those in which nothing is left.
    pub fn cut(&self, samples: Samples<'_>, part: usize) -> Result<OwnedSamples, Error> {
        expect_len("features of the samples to cut", samples.features(), self.features)?;
        if part >= self.parts {
            return Err(Error::setting("part", part, format!("0 to {}", self.parts - 1)));
        }
        let features = self.len(part);
        Ok(match samples {
            Samples::Dense(dense) => {
                let mut values = Vec::with_capacity(samples.rows() * features);
                for row in 0..samples.rows() {
                    let row = dense.row(row);
                    if self.dealt {
                        values.extend(row.iter().skip(part).step_by(self.parts));
                    } else {
                        values.extend_from_slice(&row[self.start(part)..self.start(part + 1)]);
                    }
                }
                OwnedSamples(Owned::Dense { features, values })
            }
            Samples::Csr(csr) => {
                let share = csr.parts().1.len().div_ceil(self.parts);
                let (mut indices, mut values) = (Vec::with_capacity(share), Vec::with_capacity(share));
                let mut indptr = Vec::with_capacity(samples.rows() + 1);
                indptr.push(0);
                let mut count = 0;
                for row in 0..samples.rows() {
                    let (row_indices, row_values) = csr.row(row);
                    indices.resize(count + row_indices.len(), 0);
                    values.resize(count + row_indices.len(), 0.0);
                    for (&index, &value) in row_indices.iter().zip(row_values) {
                        let (its, local) = self.place(index as usize);
                        // Written in any case, and over what is not of the part: a branch could not be predicted.
                        (indices[count], values[count]) = (local as u32, value);
                        count += usize::from(its == part);
                    }
                    indptr.push(count as u64);
                }
                indices.truncate(count);
                values.truncate(count);
                OwnedSamples(Owned::Csr { features, indptr, indices, values })
            }
        })
    }

    /// Copies a part's numbers out of those of all features.
    ///
    /// # Panics
    /// If `all` is shorter than all features.
    pub fn gather<T: Copy>(&self, part: usize, all: &[T]) -> Vec<T> {
        match self.range(part) {
            Some(range) => all[range].to_vec(),
            None => all[part..self.features].iter().step_by(self.parts).copied().collect(),
        }
    }

    /// Copies a part's numbers to their places among those of all features.
    ///
    /// # Panics
    /// If `local` has not the part's length, or `all` is shorter than all features.
    pub fn scatter<T: Copy>(&self, part: usize, local: &[T], all: &mut [T]) {
        assert_eq!(local.len(), self.len(part), "one number for each feature of the part");
        match self.range(part) {
            Some(range) => all[range].copy_from_slice(local),
            None => {
                let places = all[part..self.features].iter_mut().step_by(self.parts);
                places.zip(local).for_each(|(to, &number)| *to = number);
            }
        }
    }

    /// Where the features of a part lie, if they lie together.
    fn range(&self, part: usize) -> Option<Range<usize>> {
        match (self.dealt, self.parts) {
            (false, _) => Some(self.start(part)..self.start(part + 1)),
            (true, 1) => Some(0..self.features),
            (true, _) => None,
        }
    }

    /// The first feature of a range.
    fn start(&self, part: usize) -> usize {
        part * (self.features / self.parts) + part.min(self.features % self.parts)
    }
}

/// Samples that own what they stand for: what a [`Partition`] has cut.
#[derive(Clone, Debug)]
pub struct OwnedSamples(Owned);

#[derive(Clone, Debug)]
enum Owned {
    Dense { features: usize, values: Vec<f32> },
    Csr { features: usize, indptr: Vec<u64>, indices: Vec<u32>, values: Vec<f32> },
}

/// Bounds and indices of sparse samples.
pub(crate) type Places = (Vec<u64>, Vec<u32>);

impl OwnedSamples {
    /// The values, and where they stand if they are sparse.
    pub(crate) fn into_parts(self) -> (Vec<f32>, Option<Places>) {
        match self.0 {
            Owned::Dense { values, .. } => (values, None),
            Owned::Csr { indptr, indices, values, .. } => (values, Some((indptr, indices))),
        }
    }

    /// To look at.
    pub fn view(&self) -> Samples<'_> {
        let valid = "what is cut from valid samples is valid";
        match &self.0 {
            Owned::Dense { features, values } => Samples::Dense(Dense::new(values, *features).expect(valid)),
            Owned::Csr { features, indptr, indices, values } => {
                Samples::Csr(Csr::new(*features, indptr, indices, values).expect(valid))
            }
        }
    }
}
