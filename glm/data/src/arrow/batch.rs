//! One record batch as rows.

use std::path::Path;

use arrow_array::{Array, RecordBatch};

use super::layout::{DenseColumn, FeatureColumns};
use super::numbers::{first_null, lists, numbers};
use crate::chunk::Chunk;
use crate::number::{Label, NOT_FINITE};
use crate::{Columns, Error};

/// The roles of a batch's columns, and the columns and values that are kept and refused.
pub struct Decoder {
    pub path: Box<Path>,
    pub features: FeatureColumns,
    /// Number of features of a row. For sparse rows, the most that one may have.
    pub width: usize,
    pub label: Option<usize>,
    pub columns: Columns,
    pub non_finite: bool,
    /// The columns that batches have, in the order of the file.
    pub projection: Vec<usize>,
}

/// Rows in memory.
#[derive(Default)]
pub struct Rows {
    count: usize,
    labels: Vec<f64>,
    /// Kept values of dense rows, or all values of sparse ones.
    values: Vec<f32>,
    /// Starts of the rows, and their columns: for sparse rows only.
    starts: Vec<usize>,
    indices: Vec<u32>,
}

impl Rows {
    pub fn count(&self) -> usize {
        self.count
    }

    /// The highest column of sparse rows.
    pub fn highest(&self) -> Option<u32> {
        self.indices.iter().max().copied()
    }

    /// Adds rows from `start` on to a chunk, until it is full. Gives how many.
    pub fn put(&self, start: usize, features: usize, chunk: &mut Chunk) -> usize {
        let mut end = start;
        if self.starts.is_empty() {
            end = self.count.min(start + chunk.room(features));
            let width = self.values.len() / self.count.max(1);
            chunk
                .dense_rows(end - start, features)
                .copy_from_slice(&self.values[start * width..end * width]);
        } else {
            while end < self.count && !chunk.is_full() {
                let range = self.starts[end]..self.starts[end + 1];
                chunk.sparse_row(&self.indices[range.clone()], &self.values[range]);
                end += 1;
            }
        }
        if !self.labels.is_empty() {
            chunk.labels().extend_from_slice(&self.labels[start..end]);
        }
        end - start
    }
}

impl Decoder {
    /// Reads a batch, whose first row is `first_row` of the file.
    pub fn decode(&self, batch: &RecordBatch, first_row: u64) -> Result<Rows, Error> {
        let mut rows = Rows { count: batch.num_rows(), ..Rows::default() };
        if let Some(label) = self.label {
            let array = self.column(batch, label);
            let name = self.name(batch, label);
            self.refuse_null(array, name, first_row)?;
            let labels: Vec<Label> = numbers(array);
            for (row, label) in (first_row..).zip(&labels) {
                if let Some(problem) = label.problem(self.non_finite) {
                    return Err(self.fault(row, name, problem));
                }
            }
            rows.labels = labels.into_iter().map(|label| label.value).collect();
        }
        match &self.features {
            FeatureColumns::Dense(columns) => {
                let width = self.columns.kept(self.width);
                rows.values = vec![0.0; rows.count * width];
                for column in columns {
                    self.dense(batch, column, first_row, width, &mut rows.values)?;
                }
            }
            FeatureColumns::Sparse { indices, values } => {
                self.sparse(batch, *indices, *values, first_row, &mut rows)?;
            }
        }
        Ok(rows)
    }

    fn dense(
        &self,
        batch: &RecordBatch,
        column: &DenseColumn,
        first_row: u64,
        kept: usize,
        out: &mut [f32],
    ) -> Result<(), Error> {
        let width = column.width.unwrap_or_default();
        let features = column.first as u32..(column.first + width) as u32;
        // A column of which nothing is kept may be in the batch for its number of rows only.
        if !features.clone().any(|feature| self.columns.local(feature).is_some()) {
            return Ok(());
        }
        let array = self.column(batch, column.column);
        self.refuse_null(array, &column.name, first_row)?;
        let values: Vec<f32> = if array.data_type().is_nested() {
            let (starts, items) = lists(array);
            if let Some(row) = starts.windows(2).position(|row| row[1] - row[0] != width) {
                let problem = format!(
                    "the list has {} values, the first one {width}; make all equally long",
                    starts[row + 1] - starts[row]
                );
                return Err(self.fault(first_row + row as u64, &column.name, problem));
            }
            self.refuse_null_items(&items, &starts, &column.name, first_row)?;
            numbers(&items)
        } else {
            numbers(array)
        };
        self.refuse_non_finite(&values, |at| first_row + (at / width) as u64, &column.name)?;
        for (at, feature) in features.enumerate() {
            if let Some(local) = self.columns.local(feature) {
                let column = out.iter_mut().skip(local as usize).step_by(kept);
                column
                    .zip(values.iter().skip(at).step_by(width))
                    .for_each(|(out, value)| *out = *value);
            }
        }
        Ok(())
    }

    fn sparse(
        &self,
        batch: &RecordBatch,
        indices: usize,
        values: usize,
        first_row: u64,
        rows: &mut Rows,
    ) -> Result<(), Error> {
        let (index_name, value_name) = (self.name(batch, indices), self.name(batch, values));
        let (index_lists, value_lists) = (self.column(batch, indices), self.column(batch, values));
        self.refuse_null(index_lists, index_name, first_row)?;
        self.refuse_null(value_lists, value_name, first_row)?;
        let (starts, index_items) = lists(index_lists);
        let (value_starts, value_items) = lists(value_lists);
        if let Some(row) = (1..starts.len()).find(|row| starts[*row] != value_starts[*row]) {
            let problem = "there are not as many indices as values; give one for each";
            return Err(self.fault(first_row + row as u64 - 1, index_name, problem));
        }
        self.refuse_null_items(&index_items, &starts, index_name, first_row)?;
        self.refuse_null_items(&value_items, &starts, value_name, first_row)?;
        rows.values = numbers(&value_items);
        let row_of =
            |at: usize| first_row + starts.partition_point(|start| *start <= at) as u64 - 1;
        self.refuse_non_finite(&rows.values, row_of, value_name)?;
        let wide: Vec<i64> = numbers(&index_items);
        for (row, bounds) in starts.windows(2).enumerate() {
            let mut lowest = 0;
            for index in &wide[bounds[0]..bounds[1]] {
                let problem = if *index < lowest && *index >= 0 {
                    format!(
                        "the index {index} is not above the one before; sort each list and add up repeated ones"
                    )
                } else if *index < 0 {
                    format!("the index {index} is below 0, or no whole number")
                } else if *index >= self.width as i64 {
                    format!("the index {index} is not below {}, the number of features", self.width)
                } else {
                    lowest = index + 1;
                    continue;
                };
                return Err(self.fault(first_row + row as u64, index_name, problem));
            }
        }
        rows.indices = wide.into_iter().map(|index| index as u32).collect();
        rows.starts = starts;
        Ok(())
    }

    fn column<'a>(&self, batch: &'a RecordBatch, column: usize) -> &'a dyn Array {
        batch.column(self.place(column)).as_ref()
    }

    fn name<'a>(&self, batch: &'a RecordBatch, column: usize) -> &'a str {
        batch.schema_ref().field(self.place(column)).name()
    }

    /// Returns the place in a batch of a column of the file.
    fn place(&self, column: usize) -> usize {
        self.projection.partition_point(|projected| *projected < column)
    }

    fn refuse_null(&self, array: &dyn Array, name: &str, first_row: u64) -> Result<(), Error> {
        match first_null(array) {
            Some(row) => Err(self.fault(first_row + row as u64, name, NULL)),
            None => Ok(()),
        }
    }

    fn refuse_null_items(
        &self,
        items: &dyn Array,
        starts: &[usize],
        name: &str,
        first_row: u64,
    ) -> Result<(), Error> {
        match first_null(items) {
            Some(at) => {
                let row = starts.partition_point(|start| *start <= at) as u64 - 1;
                Err(self.fault(first_row + row, name, NULL))
            }
            None => Ok(()),
        }
    }

    fn refuse_non_finite(
        &self,
        values: &[f32],
        row_of: impl Fn(usize) -> u64,
        name: &str,
    ) -> Result<(), Error> {
        match values.iter().position(|value| !value.is_finite()) {
            Some(at) if !self.non_finite => Err(self.fault(row_of(at), name, NOT_FINITE)),
            _ => Ok(()),
        }
    }

    fn fault(&self, row: u64, name: &str, problem: impl Into<String>) -> Error {
        Error::row(&self.path, row, format!("column `{name}`"), problem)
    }
}

pub const NULL: &str = "there is no value (null); fill it in or leave the row out";
