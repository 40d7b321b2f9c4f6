//! Tables of samples from files: libsvm text, NumPy, SciPy, Parquet and Arrow.
//!
//! A table is a matrix of features, dense or sparse, and a label for each row. It is read whole, or
//! in chunks of bounded size, so that it may be larger than memory; in its order, or with its
//! chunks shuffled from a seed; and with all columns, or those that a model-parallel worker owns,
//! without holding the others. Labels are numbers; [`Classes`] are found over the whole file.
//!
//! It does not guess: a bad line, a missing value, an index that does not rise, an array that ends
//! early are refused with the place and what to do. It reads no CSV, no strings, no dates. It
//! learns nothing: that is another crate's.
//!
//! Damaged files are refused, but for one kind: the decoder of Arrow's formats (not of Parquet)
//! believes the lengths that compressed buffers announce, and a wrong one may ask for more memory
//! than there is.
//!
//! Open [`Source`] first, then [`Options`]. [`Samples`] is what comes out.
//!
//! ```no_run
//! use netfold_data::{Bounds, Columns, Options, Source};
//!
//! // Worker 1 of 4 keeps every fourth feature, 10,000 rows at a time.
//! let columns = Columns::Dealt { first: 1, of: 4 };
//! let bounds = Bounds { rows: 10_000, ..Bounds::default() };
//! let source = Source::with("train.svm", Options { columns, bounds, ..Options::default() })?;
//! let classes = source.classes()?;
//! for epoch in 0..3 {
//!     for chunk in source.open_shuffled(epoch)? {
//!         let chunk = chunk?;
//!         let targets: Result<Vec<u32>, _> = chunk.labels().iter().map(|&label| classes.encode(label)).collect();
//!         assert_eq!(targets?.len(), chunk.features().rows());
//!     }
//! }
//! # Ok::<(), netfold_data::Error>(())
//! ```

#![forbid(unsafe_code)]

mod arrow;
mod chunk;
mod classes;
mod columns;
mod error;
mod format;
mod libsvm;
mod number;
mod numpy;
mod samples;
mod source;
mod table;

pub use chunk::Bounds;
pub use classes::{Classes, MAX_CLASSES};
pub use columns::Columns;
pub use error::Error;
pub use format::{Compression, Format};
pub use libsvm::{IndexBase, write_libsvm};
pub use samples::{Csr, Dense, Features, MAX_FEATURES, Samples};
pub use source::{Chunks, Fields, Labels, Options, Source};
pub use table::Field;
