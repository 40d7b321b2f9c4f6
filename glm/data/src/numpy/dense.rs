//! An array of two dimensions as a table.

use super::array::{Array, Values};
use super::check_shape;
use super::labels::{LabelArray, LabelReader};
use crate::chunk::{Chunk, Position, Reader};
use crate::number::{Label, NOT_FINITE};
use crate::table::{Given, Table};
use crate::{Bounds, Columns, Error};

/// Number of values that are read at once, where not all of them are kept.
const BLOCK_VALUES: usize = 64 << 10;

/// See the module.
pub struct DenseTable {
    array: Array,
    labels: Option<LabelArray>,
    /// The column of the array that has the labels.
    label_column: Option<usize>,
    rows: u64,
    features: usize,
    non_finite: bool,
}

impl DenseTable {
    pub fn new(
        array: Array,
        labels: Option<LabelArray>,
        label_column: Option<usize>,
        given: Given,
    ) -> Result<Self, Error> {
        let [rows, columns] = *array.shape() else {
            let what = format!(
                "{} has {} dimensions, not rows and columns; reshape it",
                array.name(),
                array.shape().len()
            );
            return Err(Error::layout(array.path(), what));
        };
        if columns == 0 {
            return Err(Error::layout(
                array.path(),
                format!("{} has no columns; save one with features", array.name()),
            ));
        }
        let columns = usize::try_from(columns).unwrap_or(usize::MAX);
        if let Some(column) = label_column.filter(|column| *column >= columns) {
            let what =
                format!("no column {column} of labels, the columns are 0 to before {columns}");
            return Err(Error::layout(array.path(), what));
        }
        let features = columns - usize::from(label_column.is_some());
        check_shape(array.path(), rows, features, labels.as_ref(), given)?;
        Ok(Self { array, labels, label_column, rows, features, non_finite: given.non_finite })
    }
}

impl Table for DenseTable {
    fn features(&self) -> Result<usize, Error> {
        Ok(self.features)
    }

    fn rows(&self) -> Result<u64, Error> {
        Ok(self.rows)
    }

    fn is_sparse(&self) -> bool {
        false
    }

    fn reader(&self, columns: &Columns, _bounds: Bounds) -> Result<Box<dyn Reader>, Error> {
        let after = |column: usize| self.label_column.is_some_and(|label| column >= label);
        let kept = columns
            .of(self.features)
            .map(|feature| feature as usize + usize::from(after(feature as usize)));
        let labels =
            self.labels.as_ref().map(|labels| labels.reader(self.non_finite)).transpose()?;
        Ok(Box::new(DenseReader {
            values: self.array.values()?,
            array: self.array.clone(),
            labels,
            label_column: self.label_column,
            kept: kept.collect(),
            rows: self.rows,
            features: self.features,
            non_finite: self.non_finite,
            row: 0,
        }))
    }

    fn instead(&self) -> Option<&'static str> {
        let compressed = self.array.is_compressed()
            || self.labels.as_ref().is_some_and(LabelArray::is_compressed);
        compressed.then_some("an .npz without compression (`numpy.savez`)")
    }

    fn positions(&self, bounds: Bounds) -> Result<Vec<Position>, Error> {
        let step = bounds.dense_rows(self.features);
        Ok((0..self.rows)
            .step_by(step)
            .map(|row| Position { row, ..Position::default() })
            .collect())
    }
}

struct DenseReader {
    array: Array,
    values: Values,
    labels: Option<LabelReader>,
    label_column: Option<usize>,
    /// The columns of the array that are kept.
    kept: Vec<usize>,
    rows: u64,
    features: usize,
    non_finite: bool,
    row: u64,
}

impl Reader for DenseReader {
    fn fill(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        let rows = (self.rows - self.row).min(chunk.room(self.features) as u64) as usize;
        if rows == 0 {
            return Ok(());
        }
        if self.array.is_fortran() && self.array.is_compressed() && (rows as u64) < self.rows {
            let what = format!(
                "{} is compressed column by column, its rows are only there when all is read; save `numpy.ascontiguousarray` of it",
                self.array.name()
            );
            return Err(Error::layout(self.array.path(), what));
        }
        let mut labels = Vec::new();
        let out = chunk.dense_rows(rows, self.features);
        if self.array.is_fortran() {
            self.read_columns(rows, out, &mut labels)?;
        } else {
            self.read_rows(rows, out, &mut labels)?;
        }
        self.check(out, &labels)?;
        chunk.labels().extend(labels.iter().map(|label| label.value));
        if let Some(reader) = &mut self.labels {
            reader.read(self.row, rows, chunk.labels())?;
        }
        self.row += rows as u64;
        Ok(())
    }

    fn position(&self) -> Position {
        Position { row: self.row, ..Position::default() }
    }

    fn seek(&mut self, to: Position) -> Result<(), Error> {
        self.row = to.row;
        Ok(())
    }
}

impl DenseReader {
    /// Rows stand together.
    fn read_rows(
        &mut self,
        rows: usize,
        out: &mut [f32],
        labels: &mut Vec<Label>,
    ) -> Result<(), Error> {
        let columns = self.array.shape()[1] as usize;
        let first = self.row * columns as u64;
        if self.kept.len() == columns {
            return self.values.read(first, out);
        }
        if self.kept.is_empty() && self.label_column.is_none() {
            return Ok(());
        }
        // As labels, since one of the columns may have them.
        let rows_at_once = (BLOCK_VALUES / columns).max(1);
        let mut block = vec![Label::NONE; rows_at_once * columns];
        for start in (0..rows).step_by(rows_at_once) {
            let block = &mut block[..rows_at_once.min(rows - start) * columns];
            self.values.read(first + (start * columns) as u64, block)?;
            for (row, values) in block.chunks_exact(columns).enumerate() {
                let out = &mut out[(start + row) * self.kept.len()..][..self.kept.len()];
                for (out, column) in out.iter_mut().zip(&self.kept) {
                    *out = values[*column].value as f32;
                }
                labels.extend(self.label_column.map(|column| values[column]));
            }
        }
        Ok(())
    }

    /// Columns stand together: only those that are kept are read.
    fn read_columns(
        &mut self,
        rows: usize,
        out: &mut [f32],
        labels: &mut Vec<Label>,
    ) -> Result<(), Error> {
        let width = self.kept.len();
        let mut column_values = vec![0.0_f32; rows];
        // In the order of the file, for what can only be read forwards.
        let label_after = self.kept.partition_point(|column| Some(*column) < self.label_column);
        for local in 0..=width {
            if let Some(column) = self.label_column.filter(|_| local == label_after) {
                labels.resize(rows, Label::NONE);
                self.values.read(column as u64 * self.rows + self.row, labels)?;
            }
            let Some(column) = self.kept.get(local) else {
                break;
            };
            self.values.read(*column as u64 * self.rows + self.row, &mut column_values)?;
            for (out, value) in out.iter_mut().skip(local).step_by(width).zip(&column_values) {
                *out = *value;
            }
        }
        Ok(())
    }

    fn check(&self, values: &[f32], labels: &[Label]) -> Result<(), Error> {
        if let Some(at) = values.iter().position(|value| !value.is_finite() && !self.non_finite) {
            let (row, column) =
                (self.row + (at / self.kept.len()) as u64, self.kept[at % self.kept.len()]);
            return Err(Error::row(self.array.path(), row, format!("column {column}"), NOT_FINITE));
        }
        for (row, label) in (self.row..).zip(labels) {
            if let Some(problem) = label.problem(self.non_finite) {
                let column = format!("column {}", self.label_column.unwrap_or_default());
                return Err(Error::row(self.array.path(), row, column, problem));
            }
        }
        Ok(())
    }
}
