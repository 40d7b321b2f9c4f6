//! Text in the format of libsvm and SVMlight.
//!
//! A line is `label [qid:n] index:value index:value ... # comment`, its indices rise. Empty lines
//! and comments are no rows. A query's number (`qid`) is checked and dropped: linear models have no
//! use for it.

mod gzip;
mod line;
mod read;
mod table;
mod write;

pub use table::LibsvmTable;
pub use write::write_libsvm;

/// The number that the indices of libsvm text count from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexBase {
    /// Counts from 0 if one of the file's indices is 0, otherwise from 1. The whole file is read
    /// once to find out.
    #[default]
    Auto,
    /// Counts from 0.
    Zero,
    /// Counts from 1.
    One,
}
