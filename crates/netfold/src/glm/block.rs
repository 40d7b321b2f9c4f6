//! Samples in memory with their labels: a file, or a chunk of it.

use netfold_data::{Classes, Error, Features};
use netfold_glm::{Csr, Dense, Samples, Targets};

/// What a worker holds at a time.
pub(crate) struct Block {
    features: Features,
    labels: Vec<f64>,
}

/// The labels of a block, as the engine wants them.
pub(crate) enum Coded {
    /// Numbers of classes, and how many there are.
    Classes(Vec<u32>, u32),
    Values(Vec<f32>),
}

impl Block {
    /// These samples.
    pub(crate) fn of(samples: netfold_data::Samples) -> Self {
        let (features, labels) = samples.into_parts();
        Self { features, labels }
    }

    /// Every `size`-th row from `rank` on.
    pub(crate) fn every(&self, rank: usize, size: usize) -> Self {
        let labels = self.labels.iter().skip(rank).step_by(size).copied().collect();
        Self { features: self.features.every(rank, size), labels }
    }

    /// The samples, as the engine wants them.
    pub(crate) fn samples(&self) -> Result<Samples<'_>, netfold_glm::Error> {
        match &self.features {
            Features::Dense(dense) => Dense::new(dense.values(), dense.columns()).map(Samples::Dense),
            Features::Csr(csr) => Csr::new(csr.columns(), csr.indptr(), csr.indices(), csr.values()).map(Samples::Csr),
        }
    }

    /// The labels by their number among `classes`, or as numbers.
    pub(crate) fn coded(&self, classes: Option<&Classes>) -> Result<Coded, Error> {
        Ok(match classes {
            Some(classes) => Coded::Classes(classes.encode(&self.labels)?, classes.labels().len() as u32),
            None => Coded::Values(self.labels.iter().map(|&label| label as f32).collect()),
        })
    }
}

impl Coded {
    /// Of no samples.
    pub(crate) fn none(classes: Option<&Classes>) -> Self {
        match classes {
            Some(classes) => Self::Classes(Vec::new(), classes.labels().len() as u32),
            None => Self::Values(Vec::new()),
        }
    }

    pub(crate) fn targets(&self) -> Result<Targets<'_>, netfold_glm::Error> {
        match self {
            Self::Classes(labels, classes) => Targets::classes(labels, *classes),
            Self::Values(values) => Targets::values(values),
        }
    }
}
