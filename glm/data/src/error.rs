//! Errors of a file, of its contents, or of a request.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::Format;

/// The reason that samples cannot be had. A chunk with a fault is not given, nor are those after
/// it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refused.
    #[error("{path}: {source}; check that the file is there and may be read", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is of no format that is read here, or not of the one that its name or the caller
    /// says.
    #[error("{path}: {found}; {advice}", path = .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The file's appearance.
        found: String,
        /// The remedy.
        advice: &'static str,
    },
    /// The file ends before everything that it announces.
    #[error("{path}: ends in the middle of {what}; copy or make the file again", path = .path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The part that was being read.
        what: String,
    },
    /// The bytes do not follow the format, as their reader has reported.
    #[error("{path}: damaged or not valid {format}: {reason}; make the file again", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The format that it was taken for.
        format: &'static str,
        /// The reader's message.
        reason: String,
    },
    /// A line of text that cannot be read.
    #[error("{path}:{line}:{column}: expected {expected}, found {found}", path = .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The byte in the line, from 1.
        column: usize,
        /// The text expected there, or the remedy.
        expected: &'static str,
        /// The text found there, shortened.
        found: String,
    },
    /// A row of a table that cannot be taken.
    #[error("{path}: row {row} (from 0), {column}: {problem}", path = .path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The row, from 0.
        row: u64,
        /// The column: its name in quotes or its number from 0.
        column: String,
        /// The fault and its remedy.
        problem: String,
    },
    /// A column, an array or a shape that cannot be taken.
    #[error("{path}: {what}", path = .path.display())]
    Layout {
        /// The file.
        path: PathBuf,
        /// The fault and its remedy.
        what: String,
    },
    /// Chunks were asked for in another order than the file's, and the file can only be read from
    /// its beginning.
    #[error("{path}: {format} can only be read in its own order; unpack it or write it as {instead} to shuffle its chunks", path = .path.display())]
    InOrderOnly {
        /// The file.
        path: PathBuf,
        /// The format that it was taken for.
        format: Format,
        /// A form of the file that can be read in any order.
        instead: &'static str,
    },
    /// The file is another than when it was first opened.
    #[error("{path}: changed since it was opened; open it again when nothing writes to it", path = .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Samples or options that make no sense.
    #[error("{0}")]
    Invalid(String),
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.into(), source }
    }

    /// Returns the error of reading a part that the file announces. An early end is
    /// [`Error::Truncated`]; bytes that cannot be unpacked are [`Error::Damaged`].
    pub(crate) fn read(
        path: &Path,
        format: &'static str,
        what: impl fmt::Display,
    ) -> impl FnOnce(io::Error) -> Self {
        move |source| match source.kind() {
            io::ErrorKind::UnexpectedEof => {
                Self::Truncated { path: path.into(), what: what.to_string() }
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                Self::Damaged { path: path.into(), format, reason: format!("{what}: {source}") }
            }
            _ => Self::Io { path: path.into(), source },
        }
    }

    pub(crate) fn layout(path: &Path, what: impl Into<String>) -> Self {
        Self::Layout { path: path.into(), what: what.into() }
    }

    pub(crate) fn row(
        path: &Path,
        row: u64,
        column: impl Into<String>,
        problem: impl Into<String>,
    ) -> Self {
        Self::Row { path: path.into(), row, column: column.into(), problem: problem.into() }
    }
}
