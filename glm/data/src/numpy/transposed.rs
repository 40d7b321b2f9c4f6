//! A sparse matrix of SciPy by columns or by coordinates: its rows are only there when all is read,
//! so what is kept of it stands in memory. Entries at one place are added, as SciPy does.

use std::path::{Path, PathBuf};

use super::array::{Array, Values};
use super::compressed::read_starts;
use super::extent::Archive;
use super::labels::LabelArray;
use super::rows::{RowReader, Rows};
use super::sparse_shape;
use crate::chunk::{Chunk, Reader};
use crate::number::NOT_FINITE;
use crate::table::{Given, Table};
use crate::{Bounds, Columns, Error};

/// The most rows: each takes 12 bytes, whether it has entries or not.
const MAX_ROWS: u64 = 1 << 28;

/// Number of entries that are read at once.
const BLOCK_VALUES: u64 = 64 << 10;

/// See the module.
pub struct TransposedTable {
    path: PathBuf,
    columns_of: ColumnsOf,
    row_indices: Array,
    data: Array,
    labels: Option<LabelArray>,
    rows: u64,
    features: usize,
    non_finite: bool,
}

/// The source of each entry's column.
enum ColumnsOf {
    /// The beginnings of each column's entries, and the end of the last one's.
    Starts(Vec<u64>),
    /// The column of each entry.
    Coordinates(Array),
}

impl TransposedTable {
    pub fn new(
        path: &Path,
        archive: &Archive,
        by_columns: bool,
        labels: Option<LabelArray>,
        given: Given,
    ) -> Result<Self, Error> {
        let (rows, features) = sparse_shape(path, archive, labels.as_ref(), given)?;
        if rows > MAX_ROWS {
            let what = format!(
                "{rows} rows by columns or coordinates are too many to turn, at most {MAX_ROWS} can be; save it with `.tocsr()`"
            );
            return Err(Error::layout(path, what));
        }
        let data = archive.array("data")?;
        let row_indices = archive.array(if by_columns { "indices" } else { "row" })?;
        let columns_of = if by_columns {
            ColumnsOf::Starts(read_starts(path, archive, features as u64, &row_indices, &data)?)
        } else {
            let columns = archive.array("col")?;
            if [&columns, &row_indices]
                .iter()
                .any(|array| !array.is_integer() || array.elements() != data.elements())
            {
                let what =
                    "`row` and `col` are not a whole number for each value; save the matrix again";
                return Err(Error::layout(path, what));
            }
            ColumnsOf::Coordinates(columns)
        };
        let non_finite = given.non_finite;
        Ok(Self {
            path: path.into(),
            columns_of,
            row_indices,
            data,
            labels,
            rows,
            features,
            non_finite,
        })
    }

    /// Returns the part of the matrix that is kept, row by row, and the number of entries of each
    /// row in the file.
    fn turn(&self, columns: &Columns) -> Result<Turned, Error> {
        let mut entries_in_file = vec![0_u32; self.rows as usize];
        let mut kept: Vec<(u32, u32, f32)> = Vec::new();
        let mut places = Places::new(self)?;
        let mut values = self.data.values()?;
        let all = match &self.columns_of {
            ColumnsOf::Starts(starts) => starts.last().copied().unwrap_or_default(),
            ColumnsOf::Coordinates(_) => self.data.elements(),
        };
        let mut block = vec![0.0_f32; BLOCK_VALUES.min(all) as usize];
        for start in (0..all).step_by(BLOCK_VALUES as usize) {
            let block = &mut block[..BLOCK_VALUES.min(all - start) as usize];
            values.read(start, block)?;
            places.read(start, block.len())?;
            for (at, value) in block.iter().enumerate() {
                let (row, column) = (places.rows[at], places.columns[at]);
                if row < 0
                    || row >= self.rows as i64
                    || column < 0
                    || column >= self.features as i64
                {
                    let what = format!(
                        "an entry in row {row}, column {column} of a matrix of {} by {}; save it again",
                        self.rows, self.features
                    );
                    return Err(Error::layout(&self.path, what));
                }
                if !value.is_finite() && !self.non_finite {
                    return Err(Error::row(
                        &self.path,
                        row as u64,
                        format!("column {column}"),
                        NOT_FINITE,
                    ));
                }
                entries_in_file[row as usize] += 1;
                if let Some(local) = columns.local(column as u32) {
                    kept.push((row as u32, local, *value));
                }
            }
        }
        // Stable, so that entries at one place are added in their order.
        kept.sort_by_key(|(row, column, _)| (*row, *column));
        kept.dedup_by(|next, first| {
            let same = (next.0, next.1) == (first.0, first.1);
            if same {
                first.2 += next.2;
            }
            same
        });
        let mut indptr = vec![0; self.rows as usize + 1];
        kept.iter().for_each(|(row, ..)| indptr[*row as usize + 1] += 1);
        indptr.iter_mut().fold(0, |sum, count| {
            *count += sum;
            *count
        });
        let (indices, values) = kept.into_iter().map(|(_, column, value)| (column, value)).unzip();
        Ok(Turned { indptr, indices, values, entries_in_file })
    }
}

impl Table for TransposedTable {
    fn features(&self) -> Result<usize, Error> {
        Ok(self.features)
    }

    fn rows(&self) -> Result<u64, Error> {
        Ok(self.rows)
    }

    fn is_sparse(&self) -> bool {
        true
    }

    fn reader(&self, columns: &Columns, _bounds: Bounds) -> Result<Box<dyn Reader>, Error> {
        let labels =
            self.labels.as_ref().map(|labels| labels.reader(self.non_finite)).transpose()?;
        Ok(Box::new(RowReader::new(self.turn(columns)?, labels)))
    }

    fn instead(&self) -> Option<&'static str> {
        None
    }

    fn unbounded(&self) -> Option<&'static str> {
        Some("compressed rows (`.tocsr()`)")
    }
}

/// Rows and columns of the entries, piece by piece.
struct Places<'a> {
    row_values: Values,
    column_values: Option<Values>,
    starts: &'a [u64],
    /// The column that the next entry may be in, by the starts.
    column: usize,
    rows: Vec<i64>,
    columns: Vec<i64>,
}

impl<'a> Places<'a> {
    fn new(table: &'a TransposedTable) -> Result<Self, Error> {
        let row_values = table.row_indices.values()?;
        let (column_values, starts) = match &table.columns_of {
            ColumnsOf::Starts(starts) => (None, starts.as_slice()),
            ColumnsOf::Coordinates(array) => (Some(array.values()?), &[][..]),
        };
        Ok(Self {
            row_values,
            column_values,
            starts,
            column: 0,
            rows: Vec::new(),
            columns: Vec::new(),
        })
    }

    fn read(&mut self, start: u64, entries: usize) -> Result<(), Error> {
        self.rows.resize(entries, 0);
        self.columns.resize(entries, 0);
        self.row_values.read(start, &mut self.rows)?;
        if let Some(values) = &mut self.column_values {
            return values.read(start, &mut self.columns);
        }
        for (column, entry) in self.columns.iter_mut().zip(start..) {
            while self.starts[self.column + 1] <= entry {
                self.column += 1;
            }
            *column = self.column as i64;
        }
        Ok(())
    }
}

struct Turned {
    indptr: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f32>,
    entries_in_file: Vec<u32>,
}

impl Rows for Turned {
    fn count(&self) -> usize {
        self.entries_in_file.len()
    }

    fn add(&mut self, row: usize, chunk: &mut Chunk) -> Result<(), Error> {
        let range = self.indptr[row]..self.indptr[row + 1];
        chunk.kept_row(
            &self.indices[range.clone()],
            &self.values[range],
            self.entries_in_file[row] as usize,
        );
        Ok(())
    }
}
