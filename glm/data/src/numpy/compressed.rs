//! A sparse matrix of SciPy as compressed rows: read in pieces. Only the starts of the rows stand
//! in memory, 8 bytes for each.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::array::{Array, Values};
use super::extent::Archive;
use super::labels::LabelArray;
use super::rows::{RowReader, Rows};
use super::sparse_shape;
use crate::chunk::{Chunk, Reader};
use crate::number::NOT_FINITE;
use crate::table::{Given, Table};
use crate::{Bounds, Columns, Error};

/// Number of values that are read at once, except for a row that has more.
const BLOCK_VALUES: usize = 64 << 10;

/// See the module.
pub struct CsrTable {
    path: PathBuf,
    indptr: Arc<[u64]>,
    indices: Array,
    data: Array,
    labels: Option<LabelArray>,
    features: usize,
    non_finite: bool,
}

impl CsrTable {
    pub fn new(
        path: &Path,
        archive: &Archive,
        labels: Option<LabelArray>,
        given: Given,
    ) -> Result<Self, Error> {
        let (rows, features) = sparse_shape(path, archive, labels.as_ref(), given)?;
        let (indices, data) = (archive.array("indices")?, archive.array("data")?);
        let indptr = read_starts(path, archive, rows, &indices, &data)?.into();
        Ok(Self {
            path: path.into(),
            indptr,
            indices,
            data,
            labels,
            features,
            non_finite: given.non_finite,
        })
    }
}

/// Reads the beginnings of rows (or columns), and the end of the last one. It checks that they rise
/// from 0, and not beyond the number of values.
pub fn read_starts(
    path: &Path,
    archive: &Archive,
    rows: u64,
    indices: &Array,
    data: &Array,
) -> Result<Vec<u64>, Error> {
    let array = archive.array("indptr")?;
    for array in [indices, &array] {
        if !array.is_integer() {
            return Err(Error::layout(
                path,
                format!("{} is not of integers; save the matrix again", array.name()),
            ));
        }
    }
    let values = data.elements();
    if rows.checked_add(1) != Some(array.elements()) || values != indices.elements() {
        let what = format!(
            "{} starts for {rows} rows, {} indices for {values} values: these do not fit; save the matrix again",
            array.elements(),
            indices.elements()
        );
        return Err(Error::layout(path, what));
    }
    let mut starts = vec![0_i64; array.elements() as usize];
    array.values()?.read(0, &mut starts)?;
    // SciPy's matrices may have room for more values than their rows have.
    let most = i64::try_from(values).unwrap_or(i64::MAX);
    if starts[0] != 0 || starts.last().is_none_or(|end| *end > most) || !starts.is_sorted() {
        let what = format!(
            "the starts in `indptr` do not rise from 0 to {values} at most; save the matrix again"
        );
        return Err(Error::layout(path, what));
    }
    Ok(starts.into_iter().map(|start| start as u64).collect())
}

impl Table for CsrTable {
    fn features(&self) -> Result<usize, Error> {
        Ok(self.features)
    }

    fn rows(&self) -> Result<u64, Error> {
        Ok(self.indptr.len() as u64 - 1)
    }

    fn is_sparse(&self) -> bool {
        true
    }

    fn reader(&self, _columns: &Columns, _bounds: Bounds) -> Result<Box<dyn Reader>, Error> {
        let rows = CsrRows {
            path: self.path.clone(),
            indptr: self.indptr.clone(),
            indices: self.indices.values()?,
            values: self.data.values()?,
            features: self.features,
            non_finite: self.non_finite,
            block: Block::default(),
        };
        let labels =
            self.labels.as_ref().map(|labels| labels.reader(self.non_finite)).transpose()?;
        Ok(Box::new(RowReader::new(rows, labels)))
    }

    fn instead(&self) -> Option<&'static str> {
        let compressed = self.indices.is_compressed() || self.data.is_compressed();
        compressed.then_some("an .npz without compression (`save_npz(.., compressed=False)`)")
    }
}

struct CsrRows {
    path: PathBuf,
    indptr: Arc<[u64]>,
    indices: Values,
    values: Values,
    features: usize,
    non_finite: bool,
    block: Block,
}

/// Some rows as they stand in the file.
#[derive(Default)]
struct Block {
    /// The first row, and the one after the last.
    rows: std::ops::Range<usize>,
    read: Vec<i64>,
    indices: Vec<u32>,
    values: Vec<f32>,
}

impl Rows for CsrRows {
    fn count(&self) -> usize {
        self.indptr.len() - 1
    }

    fn add(&mut self, row: usize, chunk: &mut Chunk) -> Result<(), Error> {
        if !self.block.rows.contains(&row) {
            self.read_block(row)?;
        }
        let base = self.indptr[self.block.rows.start];
        let range = (self.indptr[row] - base) as usize..(self.indptr[row + 1] - base) as usize;
        chunk.sparse_row(&self.block.indices[range.clone()], &self.block.values[range]);
        Ok(())
    }
}

impl CsrRows {
    /// Reads rows from `first` on.
    fn read_block(&mut self, first: usize) -> Result<(), Error> {
        let start = self.indptr[first];
        let end =
            self.indptr.partition_point(|end| *end <= start.saturating_add(BLOCK_VALUES as u64))
                - 1;
        let rows = first..end.max(first + 1);
        let length = (self.indptr[rows.end] - start) as usize;
        let block = &mut self.block;
        // Nothing is kept of a block that is refused.
        block.rows = 0..0;
        block.read.resize(length, 0);
        block.values.resize(length, 0.0);
        self.indices.read(start, &mut block.read)?;
        self.values.read(start, &mut block.values)?;
        block.indices.clear();
        for row in rows.clone() {
            let mut lowest = 0;
            let range =
                (self.indptr[row] - start) as usize..(self.indptr[row + 1] - start) as usize;
            for (index, value) in block.read[range.clone()].iter().zip(&block.values[range]) {
                let refuse = |problem: String| {
                    Err(Error::row(&self.path, row as u64, format!("column {index}"), problem))
                };
                if *index < lowest {
                    let problem = if *index < 0 {
                        "a column is a whole number from 0; save the matrix again"
                    } else {
                        "columns must rise in a row; call `.sum_duplicates()` on the matrix and save it again"
                    };
                    return refuse(problem.into());
                }
                if *index >= self.features as i64 {
                    return refuse(format!(
                        "the matrix has {} columns; save it again",
                        self.features
                    ));
                }
                if !value.is_finite() && !self.non_finite {
                    return refuse(NOT_FINITE.into());
                }
                block.indices.push(*index as u32);
                lowest = index + 1;
            }
        }
        block.rows = rows;
        Ok(())
    }
}
