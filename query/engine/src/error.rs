//! Errors.

use std::path::PathBuf;

use datafusion::error::DataFusionError;

/// An error of a query or of its data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written.
    #[error("{path}: {reason}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The reason, as the system or the format's library gives it.
        reason: String,
    },
    /// The engine refuses the query, or fails while it runs.
    #[error("{0}")]
    Engine(#[from] DataFusionError),
}
