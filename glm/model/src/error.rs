//! The crate's errors.

use thiserror::Error;

/// A reason to refuse samples, a configuration or a run, with the remedy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Lengths that do not belong together.
    #[error("{what}: {found} where {expected} are needed")]
    Shape {
        /// The items that are counted.
        what: &'static str,
        /// Number given.
        found: usize,
        /// Number expected.
        expected: usize,
    },
    /// A malformed row of a sparse matrix.
    #[error("row {row} of the sparse samples: {what}")]
    Row {
        /// The row, from 0.
        row: usize,
        /// The fault and its remedy.
        what: &'static str,
    },
    /// A sample with NaN or an infinity.
    #[error("row {row} has {value} as a value; replace or drop what is not finite")]
    Value {
        /// The row, from 0.
        row: usize,
        /// The value.
        value: f32,
    },
    /// A target that the loss does not take.
    #[error("target {row} is {found}; {needed}")]
    Target {
        /// The row, from 0.
        row: usize,
        /// The target given.
        found: String,
        /// The requirement.
        needed: String,
    },
    /// A setting with a value that it cannot have.
    #[error("{what} = {found} cannot be; give {needed}")]
    Setting {
        /// Its name.
        what: &'static str,
        /// Its value.
        found: String,
        /// The values that it can have.
        needed: String,
    },
    /// Settings that do not go together.
    #[error("{0}")]
    Together(&'static str),
    /// The model is not finite any more.
    #[error(
        "after {steps} steps the model is not finite; use a smaller step or scale the features"
    )]
    Diverged {
        /// Steps taken.
        steps: u64,
    },
    /// An exact sum that does not fit (R-GLM-26).
    #[error(
        "the exact activation {sum} does not fit {limit}; use fewer fraction bits, or features of fewer bits"
    )]
    Overflow {
        /// The sum.
        sum: i64,
        /// The largest that a worker may contribute.
        limit: i64,
    },
    /// The exchange has failed.
    #[error("exchange: {0}")]
    Exchange(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A chunk of samples that could not be had.
    #[error("samples: {0}")]
    Samples(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A thread has panicked.
    #[error("an engine of this worker has been lost; its panic says why")]
    EngineLost,
    /// Workers that do not do the same.
    #[error(
        "the workers disagree about {0}; start all of them with the same configuration and samples"
    )]
    Disagreement(&'static str),
    /// A file that is no model.
    #[error("not a model of netfold: {0}")]
    Format(String),
    /// A model could not be read or written.
    #[error("model: {0}")]
    Io(#[from] std::io::Error),
}

impl Error {
    pub(crate) fn setting(
        what: &'static str,
        found: impl ToString,
        needed: impl Into<String>,
    ) -> Self {
        Self::Setting { what, found: found.to_string(), needed: needed.into() }
    }

    pub(crate) fn exchange(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Exchange(Box::new(error))
    }
}

/// Asks for a length.
pub(crate) fn expect_len(what: &'static str, found: usize, expected: usize) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Shape { what, found, expected }) }
}
