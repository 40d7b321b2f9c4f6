//! Reading sparse rows that can be had by their number, with their labels.

use super::labels::LabelReader;
use crate::Error;
use crate::chunk::{Chunk, Position, Reader};

/// Rows of a sparse matrix.
pub trait Rows: Send {
    /// Returns the number of rows.
    fn count(&self) -> usize;

    /// Adds a row to a chunk.
    fn add(&mut self, row: usize, chunk: &mut Chunk) -> Result<(), Error>;
}

/// Reads one after the other.
pub struct RowReader<R> {
    rows: R,
    labels: Option<LabelReader>,
    row: usize,
}

impl<R: Rows> RowReader<R> {
    /// Creates a reader that begins with the first row.
    pub fn new(rows: R, labels: Option<LabelReader>) -> Self {
        Self { rows, labels, row: 0 }
    }
}

impl<R: Rows> Reader for RowReader<R> {
    fn fill(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        let first = self.row;
        while !chunk.is_full() && self.row < self.rows.count() {
            self.rows.add(self.row, chunk)?;
            self.row += 1;
        }
        match &mut self.labels {
            Some(labels) => labels.read(first as u64, self.row - first, chunk.labels()),
            None => Ok(()),
        }
    }

    fn position(&self) -> Position {
        Position { row: self.row as u64, ..Position::default() }
    }

    fn seek(&mut self, to: Position) -> Result<(), Error> {
        self.row = to.row as usize;
        Ok(())
    }
}
