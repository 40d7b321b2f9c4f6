//! Data for tests and measurements: TPC-H, the Big Data Benchmark's two tables, and tables whose
//! values are as hard as floats can be. The same seed gives the same files.

mod hard;
mod tpch;
mod visits;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use datafusion::arrow::array::RecordBatch;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::Compression;
use datafusion::parquet::file::properties::WriterProperties;

use crate::Error;

pub use hard::{HardTables, hard};
pub use tpch::tpch;
pub use visits::visits;

/// Rows of one batch that a generator makes.
pub(crate) const BATCH: usize = 8192;

/// Writes `batches` as the Parquet file `DIR/TABLE/part-NUMBER.parquet` and returns its path.
///
/// # Errors
///
/// [`Error::File`] if the file cannot be written.
pub fn write(
    dir: &Path,
    table: &str,
    number: usize,
    batches: impl IntoIterator<Item = RecordBatch>,
) -> Result<PathBuf, Error> {
    let folder = dir.join(table);
    let path = folder.join(format!("part-{number:03}.parquet"));
    let failed = |error: &dyn std::fmt::Display| Error::File {
        path: path.clone(),
        reason: error.to_string(),
    };
    fs::create_dir_all(&folder).map_err(|error| failed(&error))?;
    let mut batches = batches.into_iter().peekable();
    let Some(first) = batches.peek() else {
        return Err(failed(&"a table needs at least one batch, which may be empty"));
    };
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let file = File::create(&path).map_err(|error| failed(&error))?;
    let mut writer = ArrowWriter::try_new(file, first.schema(), Some(properties))
        .map_err(|error| failed(&error))?;
    for batch in batches {
        writer.write(&batch).map_err(|error| failed(&error))?;
    }
    writer.close().map_err(|error| failed(&error))?;
    Ok(path)
}
