//! Rows on their way into memory: a chunk that a reader fills, and its size.

use crate::{Columns, Csr, Dense, Error, Features, Samples};

/// The size of a chunk. It ends with the row that reaches one of the two bounds.
///
/// Bytes are those of the rows with all their columns as they would stand in memory, whichever are
/// kept: all workers of a model-parallel job cut the same chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Rows, at least 1.
    pub rows: usize,
    /// Bytes: 4 for each value of a dense row and 8 for its label; 8 for each value of a sparse row
    /// and 16 for its start and label.
    pub bytes: usize,
}

impl Default for Bounds {
    /// 65,536 rows or 64 MiB.
    fn default() -> Self {
        Self { rows: 1 << 16, bytes: 64 << 20 }
    }
}

impl Bounds {
    /// No end but the file's.
    pub const NONE: Self = Self { rows: usize::MAX, bytes: usize::MAX };

    /// Returns the number of dense rows of `columns` in a chunk.
    pub(crate) fn dense_rows(&self, columns: usize) -> usize {
        self.rows.min(self.bytes.div_ceil(dense_row_bytes(columns))).max(1)
    }
}

/// The beginning of a chunk, for the reader that has given it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The row of the file, from 0.
    pub row: u64,
    /// The reader's own: a byte of the file, or a record batch.
    pub at: u64,
    /// The reader's own: a line of the file, or a row of the record batch.
    pub within: u64,
}

/// A reader of rows, one after the other.
pub trait Reader: Send {
    /// Adds rows until the chunk is full or no row is left.
    fn fill(&mut self, chunk: &mut Chunk) -> Result<(), Error>;

    /// Returns the position of the next row.
    fn position(&self) -> Position;

    /// Goes to where a row stands. Only asked of tables that can be read in any order.
    fn seek(&mut self, to: Position) -> Result<(), Error>;
}

/// A chunk that is being filled.
pub struct Chunk {
    bounds: Bounds,
    columns: Columns,
    body: Body,
    labels: Vec<f64>,
    rows: usize,
    bytes: usize,
}

enum Body {
    Dense { width: usize, values: Vec<f32> },
    Sparse { indptr: Vec<u64>, indices: Vec<u32>, values: Vec<f32> },
}

impl Chunk {
    /// Creates a chunk of rows that have a value in each of `features` columns.
    pub fn dense(bounds: Bounds, columns: Columns, features: usize) -> Self {
        let body = Body::Dense { width: columns.kept(features), values: Vec::new() };
        Self { bounds, columns, body, labels: Vec::new(), rows: 0, bytes: 0 }
    }

    /// Creates a chunk of rows that say which columns they have.
    pub fn sparse(bounds: Bounds, columns: Columns) -> Self {
        let body = Body::Sparse { indptr: vec![0], indices: Vec::new(), values: Vec::new() };
        Self { bounds, columns, body, labels: Vec::new(), rows: 0, bytes: 0 }
    }

    pub fn is_full(&self) -> bool {
        self.rows >= self.bounds.rows || self.bytes >= self.bounds.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Returns the number of dense rows of `columns` that still fit, at least 1 while it is not
    /// full.
    pub fn room(&self, columns: usize) -> usize {
        let bytes = self.bounds.bytes.saturating_sub(self.bytes).div_ceil(dense_row_bytes(columns));
        bytes.min(self.bounds.rows.saturating_sub(self.rows))
    }

    /// Adds `rows` dense rows and gives their kept values to be written, row by row. The file has
    /// `columns` of them.
    pub fn dense_rows(&mut self, rows: usize, columns: usize) -> &mut [f32] {
        self.rows += rows;
        self.bytes = self.bytes.saturating_add(rows.saturating_mul(dense_row_bytes(columns)));
        match &mut self.body {
            Body::Dense { width, values } => {
                let start = values.len();
                values.resize(start + rows * *width, 0.0);
                &mut values[start..]
            }
            Body::Sparse { .. } => unreachable!("a reader of dense rows fills dense chunks"),
        }
    }

    /// Adds a sparse row that has these values in the file.
    #[inline]
    pub fn sparse_row(&mut self, row_indices: &[u32], row_values: &[f32]) {
        if self.columns == Columns::All {
            return self.kept_row(row_indices, row_values, row_values.len());
        }
        let (indptr, indices, values) = self.body.sparse();
        for (column, value) in row_indices.iter().zip(row_values) {
            if let Some(local) = self.columns.local(*column) {
                indices.push(local);
                values.push(*value);
            }
        }
        indptr.push(indices.len() as u64);
        self.count_sparse(row_values.len());
    }

    /// Adds the entries that are kept of a sparse row that has `entries` values in the file.
    #[inline]
    pub fn kept_row(&mut self, row_indices: &[u32], row_values: &[f32], entries: usize) {
        let (indptr, indices, values) = self.body.sparse();
        indices.extend_from_slice(row_indices);
        values.extend_from_slice(row_values);
        indptr.push(indices.len() as u64);
        self.count_sparse(entries);
    }

    fn count_sparse(&mut self, entries: usize) {
        self.rows += 1;
        self.bytes = self.bytes.saturating_add(16 + 8 * entries);
    }

    pub fn labels(&mut self) -> &mut Vec<f64> {
        &mut self.labels
    }

    /// The samples, of a table with `features` columns.
    pub fn finish(self, first_row: u64, features: usize) -> Samples {
        let columns = self.columns.kept(features);
        let features = match self.body {
            Body::Dense { values, .. } => {
                Features::Dense(Dense { rows: self.rows, columns, values })
            }
            Body::Sparse { indptr, indices, values } => {
                Features::Csr(Csr { columns, indptr, indices, values })
            }
        };
        Samples::read(features, self.labels, first_row)
    }
}

impl Body {
    fn sparse(&mut self) -> (&mut Vec<u64>, &mut Vec<u32>, &mut Vec<f32>) {
        match self {
            Self::Sparse { indptr, indices, values } => (indptr, indices, values),
            Self::Dense { .. } => unreachable!("a reader of sparse rows fills sparse chunks"),
        }
    }
}

fn dense_row_bytes(columns: usize) -> usize {
    4 * columns + 8
}
