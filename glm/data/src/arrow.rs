//! Parquet, and Arrow's file and stream formats: tables of named columns, read by record batches.

mod batch;
mod input;
mod layout;
mod numbers;
mod table;

use std::path::Path;

use table::ColumnarTable;

use crate::numpy::LabelArray;
use crate::table::{Given, Table};
use crate::{Error, Fields, Format, Labels};

/// The table in a file of one of the three formats.
pub fn open(
    path: &Path,
    format: Format,
    labels: &Labels,
    fields: &Fields,
    given: Given,
) -> Result<Box<dyn Table>, Error> {
    let file = LabelArray::of_file(labels)?;
    Ok(Box::new(ColumnarTable::new(path, format, labels, file, fields, given)?))
}
