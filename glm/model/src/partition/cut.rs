//! Samples cut into parts of their features.

use super::Partition;
use crate::error::{Error, expect_len};
use crate::samples::{Csr, Dense, Samples};
use std::ops::Range;

/// Samples that a [`Partition`] has cut, with their values.
#[derive(Clone, Debug)]
pub struct OwnedSamples(Owned);

#[derive(Clone, Debug)]
enum Owned {
    Dense { features: usize, values: Vec<f32> },
    Csr(Sparse),
}

/// Rows with their non-zero values, as [`Csr`].
#[derive(Clone, Debug)]
struct Sparse {
    features: usize,
    indptr: Vec<u64>,
    indices: Vec<u32>,
    values: Vec<f32>,
}

/// Bounds and indices of sparse samples.
pub(crate) type Entries = (Vec<u64>, Vec<u32>);

impl Partition {
    /// A part's features of all samples. Rows stay, also those in which nothing is left.
    pub fn cut(&self, samples: Samples<'_>, part: usize) -> Result<OwnedSamples, Error> {
        expect_len("features of the samples to cut", samples.features(), self.features)?;
        if part >= self.parts {
            return Err(Error::setting("part", part, format!("0 to {}", self.parts - 1)));
        }
        Ok(OwnedSamples(match (samples, self.range(part)) {
            (Samples::Dense(dense), range) => {
                let features = self.len(part);
                let mut values = Vec::with_capacity(samples.rows() * features);
                for row in 0..samples.rows() {
                    let row = dense.row(row);
                    match &range {
                        Some(range) => values.extend_from_slice(&row[range.clone()]),
                        None => values.extend(row.iter().skip(part).step_by(self.parts)),
                    }
                }
                Owned::Dense { features, values }
            }
            (Samples::Csr(csr), Some(range)) => Owned::Csr(self.cut_range(csr, range)),
            (Samples::Csr(csr), None) => Owned::Csr(self.cut_dealt(csr, part)),
        }))
    }

    /// Every part's, in one pass over sparse samples that are dealt.
    pub(crate) fn cut_all(&self, samples: Samples<'_>) -> Result<Vec<OwnedSamples>, Error> {
        expect_len("features of the samples to cut", samples.features(), self.features)?;
        match (samples, self.range(0)) {
            (Samples::Csr(csr), None) => {
                Ok(self.deal(csr).into_iter().map(|part| OwnedSamples(Owned::Csr(part))).collect())
            }
            _ => (0..self.parts).map(|part| self.cut(samples, part)).collect(),
        }
    }

    fn cut_range(&self, csr: Csr<'_>, range: Range<usize>) -> Sparse {
        let mut part = Sparse::of(range.len(), csr, self.parts);
        for row in 0..csr.rows() {
            let (indices, values) = csr.row(row);
            // They rise. Without an early end, so that many are looked at together.
            let before =
                |end: usize| indices.iter().filter(|&&index| (index as usize) < end).count();
            let own = before(range.start)..before(range.end);
            part.indices
                .extend(indices[own.clone()].iter().map(|index| index - range.start as u32));
            part.values.extend_from_slice(&values[own]);
            part.indptr.push(part.indices.len() as u64);
        }
        part
    }

    fn cut_dealt(&self, csr: Csr<'_>, part: usize) -> Sparse {
        let mut own = Sparse::of(self.len(part), csr, self.parts);
        let (parts, mut count) = (Divisor::new(self.parts), 0);
        for row in 0..csr.rows() {
            let (indices, values) = csr.row(row);
            own.indices.resize(count + indices.len(), 0);
            own.values.resize(count + indices.len(), 0.0);
            for (&index, &value) in indices.iter().zip(values) {
                let (local, its) = parts.divide(index);
                // Written in any case, and over what is not of the part: a branch could not be
                // predicted.
                (own.indices[count], own.values[count]) = (local, value);
                count += usize::from(its as usize == part);
            }
            own.indptr.push(count as u64);
        }
        own.indices.truncate(count);
        own.values.truncate(count);
        own
    }

    fn deal(&self, csr: Csr<'_>) -> Vec<Sparse> {
        let divisor = Divisor::new(self.parts);
        let mut parts: Vec<_> =
            (0..self.parts).map(|part| Sparse::of(self.len(part), csr, self.parts)).collect();
        for row in 0..csr.rows() {
            let (indices, values) = csr.row(row);
            for (&index, &value) in indices.iter().zip(values) {
                let (local, part) = divisor.divide(index);
                let part = &mut parts[part as usize];
                part.indices.push(local);
                part.values.push(value);
            }
            parts.iter_mut().for_each(|part| part.indptr.push(part.indices.len() as u64));
        }
        parts
    }
}

impl Sparse {
    /// No rows yet, with room for an even share of so many parts.
    fn of(features: usize, csr: Csr<'_>, parts: usize) -> Self {
        let share = csr.parts().1.len().div_ceil(parts);
        let mut indptr = Vec::with_capacity(csr.rows() + 1);
        indptr.push(0);
        Self {
            features,
            indptr,
            indices: Vec::with_capacity(share),
            values: Vec::with_capacity(share),
        }
    }
}

impl OwnedSamples {
    /// The values, and where they stand if they are sparse.
    pub(crate) fn into_parts(self) -> (Vec<f32>, Option<Entries>) {
        match self.0 {
            Owned::Dense { values, .. } => (values, None),
            Owned::Csr(Sparse { indptr, indices, values, .. }) => (values, Some((indptr, indices))),
        }
    }

    /// Returns a view of the samples.
    pub fn view(&self) -> Samples<'_> {
        let valid = "what is cut from valid samples is valid";
        match &self.0 {
            Owned::Dense { features, values } => {
                Samples::Dense(Dense::new(values, *features).expect(valid))
            }
            Owned::Csr(Sparse { features, indptr, indices, values }) => {
                Samples::Csr(Csr::new(*features, indptr, indices, values).expect(valid))
            }
        }
    }
}

/// Divides by the same number each time, with a multiplication: a division takes as long as all
/// else that is done with a non-zero.
#[derive(Clone, Copy, Debug)]
struct Divisor {
    by: u32,
    /// 2^64 / by, rounded up. Too large by less than 1 it makes a quotient of 32 bits too large by
    /// less than 2^-32, and one that is no integer is 2^-32 and more below the next.
    reciprocal: u64,
}

impl Divisor {
    /// Creates a divisor, which must be 2 at least.
    fn new(by: usize) -> Self {
        Self { by: by as u32, reciprocal: u64::MAX / by as u64 + 1 }
    }

    /// Quotient and remainder.
    #[inline]
    fn divide(self, number: u32) -> (u32, u32) {
        let quotient = ((u128::from(number) * u128::from(self.reciprocal)) >> 64) as u32;
        (quotient, number - quotient * self.by)
    }
}

#[cfg(test)]
mod tests {
    use super::Divisor;
    use proptest::prelude::*;

    fn numbers() -> impl Strategy<Value = u32> {
        prop_oneof![any::<u32>(), 0u32..100, (0u32..100).prop_map(|below| u32::MAX - below)]
    }

    proptest! {
        #[test]
        fn quotients_are_exact(number in numbers(), by in numbers(), beside in -1i64..=1) {
            let by = by.max(2);
            // Multiples, and what is next to them, are where a quotient that is off would show.
            let multiple = i64::from(number / by) * i64::from(by) + beside;
            for number in [number, multiple.clamp(0, u32::MAX.into()) as u32] {
                prop_assert_eq!(Divisor::new(by as usize).divide(number), (number / by, number % by));
            }
        }
    }
}
