//! NumPy's `.npy` and `.npz`, and SciPy's sparse matrices in `.npz`.
//!
//! Arrays are read in pieces, by position where they are not compressed; `.npz` with its
//! compression only forwards.

mod array;
mod compressed;
mod dense;
mod extent;
mod header;
mod labels;
mod rows;
mod transposed;

use std::path::Path;

use array::Array;
use compressed::CsrTable;
use dense::DenseTable;
pub use extent::Archive;
use extent::Extent;
pub use labels::{LabelArray, LabelReader};
use transposed::TransposedTable;

use crate::table::{Given, Table};
use crate::{Error, Labels};

/// The table that one array is.
pub fn open_npy(path: &Path, labels: &Labels, given: Given) -> Result<Box<dyn Table>, Error> {
    let array = Array::open(Extent::whole(path)?, "the array")?;
    let (labels, column) = match labels {
        Labels::Usual => {
            let what = "an array has no names: say which column or which file has the labels, or that there are none";
            return Err(Error::layout(path, what));
        }
        Labels::Column(column) => (None, Some(*column)),
        other => (LabelArray::of_file(other)?, None),
    };
    Ok(Box::new(DenseTable::new(array, labels, column, given)?))
}

/// The table that one array of several is.
pub fn open_npz(path: &Path, labels: &Labels, given: Given) -> Result<Box<dyn Table>, Error> {
    let archive = Archive::open(path)?;
    let (label_name, column) = match labels {
        Labels::Usual if archive.has("y") => (Some("y"), None),
        Labels::Usual => {
            let what = format!(
                "{} and no array `y`; say where the labels are, or that there are none",
                archive.list()
            );
            return Err(Error::layout(path, what));
        }
        Labels::Named(name) if archive.has(name) => (Some(name.as_str()), None),
        Labels::Named(name) => {
            return Err(Error::layout(
                path,
                format!("{} and no `{name}`; name one of them", archive.list()),
            ));
        }
        Labels::Column(column) => (None, Some(*column)),
        Labels::Absent | Labels::File(_) => (None, None),
    };
    let label_array = match label_name {
        Some(name) => Some(LabelArray::new(archive.array(name)?)?),
        None => LabelArray::of_file(labels)?,
    };
    let table = match archive.has("X") && label_name != Some("X") {
        true => archive.array("X")?,
        false => the_table(path, &archive, label_name)?,
    };
    Ok(Box::new(DenseTable::new(table, label_array, column, given)?))
}

/// The only array of numbers and of two dimensions that is not of labels. Others may be there, of
/// whatever they are.
fn the_table(path: &Path, archive: &Archive, label_name: Option<&str>) -> Result<Array, Error> {
    let (mut tables, mut refused) = (Vec::new(), None);
    for name in archive.names().filter(|name| Some(*name) != label_name) {
        match archive.array(name) {
            Ok(array) if array.shape().len() == 2 && array.is_number() => tables.push(array),
            Ok(_) => {}
            // Of objects, times, records.
            Err(why @ Error::Layout { .. }) => refused = refused.or(Some(why)),
            Err(why) => return Err(why),
        }
    }
    match (tables.len(), refused) {
        (1, _) => Ok(tables.swap_remove(0)),
        (0, Some(why)) => Err(why),
        (count, _) => {
            let what = format!(
                "{}, and {count} of them are tables; save the features as the one array of two dimensions, or as `X`",
                archive.list()
            );
            Err(Error::layout(path, what))
        }
    }
}

/// The table that a sparse matrix is.
pub fn open_scipy(path: &Path, labels: &Labels, given: Given) -> Result<Box<dyn Table>, Error> {
    let archive = Archive::open(path)?;
    if *labels == Labels::Usual {
        let what =
            "a sparse matrix has no labels: say in which file they are, or that there are none";
        return Err(Error::layout(path, what));
    }
    let labels = LabelArray::of_file(labels)?;
    let format = archive.array("format")?.text()?;
    match format.as_str() {
        "csr" => Ok(Box::new(CsrTable::new(path, &archive, labels, given)?)),
        "csc" | "coo" => {
            Ok(Box::new(TransposedTable::new(path, &archive, format == "csc", labels, given)?))
        }
        _ => {
            let what =
                format!("a sparse matrix as `{format}` is not read; save it with `.tocsr()`");
            Err(Error::layout(path, what))
        }
    }
}

/// The shape that a sparse matrix says it has.
fn sparse_shape(
    path: &Path,
    archive: &Archive,
    labels: Option<&LabelArray>,
    given: Given,
) -> Result<(u64, usize), Error> {
    let array = archive.array("shape")?;
    let mut shape = [0_i64; 2];
    if array.elements() != 2 {
        return Err(Error::layout(
            path,
            "a sparse array of other than two dimensions; save it as a matrix",
        ));
    }
    array.values()?.read(0, &mut shape)?;
    let (Ok(rows), Ok(features)) = (u64::try_from(shape[0]), usize::try_from(shape[1])) else {
        return Err(Error::layout(
            path,
            format!("the shape {} by {} makes no sense; save it again", shape[0], shape[1]),
        ));
    };
    check_shape(path, rows, features, labels, given)?;
    Ok((rows, features))
}

/// Refuses tables that are too wide, not as wide as was given, or have other than a label for each
/// row.
fn check_shape(
    path: &Path,
    rows: u64,
    features: usize,
    labels: Option<&LabelArray>,
    given: Given,
) -> Result<(), Error> {
    crate::table::check_features(path, features, given.features)?;
    if let Some(labels) = labels.filter(|labels| labels.rows() != rows) {
        let what = format!(
            "{rows} rows, but {} labels in {}; give one for each",
            labels.rows(),
            labels.name()
        );
        return Err(Error::layout(path, what));
    }
    Ok(())
}
