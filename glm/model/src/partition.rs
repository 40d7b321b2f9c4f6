//! The assignment of features to parts: workers of a job, or engines of a worker (R-GLM-2).

mod cut;

pub use cut::OwnedSamples;

use crate::error::Error;
use crate::samples::MOST_FEATURES;
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

    /// Feature j belongs to part j modulo `parts`: balances features that are the rarer the later
    /// they come, as words of a vocabulary that is sorted by frequency are.
    pub fn dealt(features: usize, parts: usize) -> Result<Self, Error> {
        Self::new(features, parts, true)
    }

    fn new(features: usize, parts: usize, dealt: bool) -> Result<Self, Error> {
        if features > MOST_FEATURES {
            return Err(Error::setting("features", features, format!("at most {MOST_FEATURES}")));
        }
        if parts == 0 || parts > features {
            return Err(Error::setting(
                "parts",
                parts,
                format!("1 to {features}, so that each has a feature"),
            ));
        }
        Ok(Self { features, parts, dealt })
    }

    /// Features of all parts together.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Returns the number of parts.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Features of a part.
    pub fn len(&self, part: usize) -> usize {
        if self.dealt {
            (self.features - part).div_ceil(self.parts)
        } else {
            self.start(part + 1) - self.start(part)
        }
    }

    /// Never: each part has a feature at least.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The feature that is number `local` of a part.
    pub fn feature(&self, part: usize, local: usize) -> usize {
        if self.dealt { part + local * self.parts } else { self.start(part) + local }
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

    /// Returns the range of a part's features, if they lie together.
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
