//! Samples in memory: a matrix of features, dense or sparse, and a label for each row.

use crate::Error;

/// The most features a table may have: an index is a `u32`.
pub const MAX_FEATURES: usize = u32::MAX as usize;

/// Some rows of a table: those of a chunk or of a whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    features: Features,
    labels: Vec<f64>,
    first_row: u64,
}

impl Samples {
    /// Samples that begin at row 0.
    ///
    /// # Errors
    /// [`Error::Invalid`] if there are labels, but not one for each row.
    pub fn new(features: Features, labels: Vec<f64>) -> Result<Self, Error> {
        if !labels.is_empty() && labels.len() != features.rows() {
            return Err(Error::Invalid(format!(
                "{} labels for {} rows; give one for each, or none",
                labels.len(),
                features.rows()
            )));
        }
        Ok(Self { features, labels, first_row: 0 })
    }

    /// Does the same as [`Samples::new`], for readers that have kept the promises.
    pub(crate) fn read(features: Features, labels: Vec<f64>, first_row: u64) -> Self {
        Self { features, labels, first_row }
    }

    /// The features.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// One label for each row, or none at all if the file has none.
    pub fn labels(&self) -> &[f64] {
        &self.labels
    }

    /// The row of the file that is the first one here, from 0.
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.features.rows()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows() == 0
    }

    /// Takes the samples apart without a copy.
    pub fn into_parts(self) -> (Features, Vec<f64>) {
        (self.features, self.labels)
    }
}

/// A matrix of features, one row for each sample.
#[derive(Clone, Debug, PartialEq)]
pub enum Features {
    /// Every value stands in memory.
    Dense(Dense),
    /// The values that the file has, and no others.
    Csr(Csr),
}

impl Features {
    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.rows,
            Self::Csr(csr) => csr.rows(),
        }
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.columns,
            Self::Csr(csr) => csr.columns,
        }
    }

    /// Every `step`-th row from `first` on.
    ///
    /// # Panics
    /// If `step` is 0.
    pub fn every(&self, first: usize, step: usize) -> Self {
        match self {
            Self::Dense(dense) => Self::Dense(dense.every(first, step)),
            Self::Csr(csr) => Self::Csr(csr.every(first, step)),
        }
    }

    /// The row and the column of the first value that is not finite.
    pub fn non_finite(&self) -> Option<(usize, usize)> {
        let values = match self {
            Self::Dense(dense) => &dense.values,
            Self::Csr(csr) => &csr.values,
        };
        let at = values.iter().position(|value| !value.is_finite())?;
        Some(match self {
            Self::Dense(dense) => (at / dense.columns, at % dense.columns),
            Self::Csr(csr) => (
                csr.indptr.partition_point(|start| *start <= at as u64) - 1,
                csr.indices[at] as usize,
            ),
        })
    }
}

/// A dense matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) values: Vec<f32>,
}

impl Dense {
    /// A matrix of `rows` by `columns`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if there are not `rows * columns` values.
    pub fn new(rows: usize, columns: usize, values: Vec<f32>) -> Result<Self, Error> {
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(Error::Invalid(format!(
                "{} values do not make {rows} rows of {columns}",
                values.len()
            )));
        }
        Ok(Self { rows, columns, values })
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All values, row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Every `step`-th row from `first` on.
    ///
    /// # Panics
    /// If `step` is 0.
    pub fn every(&self, first: usize, step: usize) -> Self {
        let chosen = (first..self.rows).step_by(step);
        let (rows, columns) = (chosen.len(), self.columns);
        let values =
            chosen.flat_map(|row| &self.values[row * columns..][..columns]).copied().collect();
        Self { rows, columns, values }
    }

    /// Takes the values out.
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }
}

/// A sparse matrix as compressed rows: row i has the values `indptr[i]..indptr[i + 1]`, their
/// columns rise.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr {
    pub(crate) columns: usize,
    pub(crate) indptr: Vec<u64>,
    pub(crate) indices: Vec<u32>,
    pub(crate) values: Vec<f32>,
}

impl Csr {
    /// A matrix of `indptr.len() - 1` rows by `columns`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `indptr` does not rise from 0 to the number of values, if there are
    /// not as many indices as values, or if a row's indices do not rise or reach `columns`.
    pub fn new(
        columns: usize,
        indptr: Vec<u64>,
        indices: Vec<u32>,
        values: Vec<f32>,
    ) -> Result<Self, Error> {
        let invalid = |what: String| Err(Error::Invalid(what));
        if indices.len() != values.len() {
            return invalid(format!(
                "{} indices for {} values; give one for each",
                indices.len(),
                values.len()
            ));
        }
        if indptr.first() != Some(&0)
            || indptr.last() != Some(&(values.len() as u64))
            || !indptr.is_sorted()
        {
            return invalid(format!(
                "the starts of rows do not rise from 0 to {}, the number of values",
                values.len()
            ));
        }
        if columns > MAX_FEATURES {
            return invalid(format!(
                "{columns} columns are too many, at most {MAX_FEATURES} can be"
            ));
        }
        for (row, bounds) in indptr.windows(2).enumerate() {
            let indices = &indices[bounds[0] as usize..bounds[1] as usize];
            if !indices.is_sorted_by(|left, right| left < right) {
                return invalid(format!(
                    "the indices of row {row} do not rise; sort them and add up repeated ones"
                ));
            }
            if let Some(last) = indices.last().filter(|last| **last as usize >= columns) {
                return invalid(format!("row {row} has a value in column {last} of {columns}"));
            }
        }
        Ok(Self { columns, indptr, indices, values })
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.indptr.len() - 1
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the beginning of each row among the values, and the end of the last one.
    pub fn indptr(&self) -> &[u64] {
        &self.indptr
    }

    /// The column of each value.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The values.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The columns and the values of one row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> (&[u32], &[f32]) {
        let range = self.indptr[row] as usize..self.indptr[row + 1] as usize;
        (&self.indices[range.clone()], &self.values[range])
    }

    /// Every `step`-th row from `first` on.
    ///
    /// # Panics
    /// If `step` is 0.
    pub fn every(&self, first: usize, step: usize) -> Self {
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in (first..self.rows()).step_by(step) {
            let (row_indices, row_values) = self.row(row);
            indices.extend_from_slice(row_indices);
            values.extend_from_slice(row_values);
            indptr.push(indices.len() as u64);
        }
        Self { columns: self.columns, indptr, indices, values }
    }

    /// Takes the matrix apart: starts of rows, columns, values.
    pub fn into_parts(self) -> (Vec<u64>, Vec<u32>, Vec<f32>) {
        (self.indptr, self.indices, self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::{Csr, Dense, Features, Samples};

    /// Rows are dealt: each is in one hand, in its place, dense and sparse alike.
    #[test]
    fn rows_are_given_out_in_turn() {
        let (rows, columns) = (7, 3);
        let value = |row: usize, column: usize| {
            if column == row % columns { 0.0 } else { (10 * row + column) as f32 }
        };
        let all: Vec<f32> =
            (0..rows).flat_map(|row| (0..columns).map(move |column| value(row, column))).collect();
        let places = |row: usize| (0..columns).filter(move |&column| column != row % columns);
        let indices = (0..rows).flat_map(|row| places(row).map(|column| column as u32)).collect();
        let values =
            (0..rows).flat_map(|row| places(row).map(move |column| value(row, column))).collect();
        let csr =
            Csr::new(columns, (0..=rows as u64).map(|row| 2 * row).collect(), indices, values)
                .unwrap();
        let matrices =
            [Features::Dense(Dense::new(rows, columns, all).unwrap()), Features::Csr(csr)];
        for (matrix, step) in
            matrices.iter().flat_map(|matrix| (1..=8).map(move |step| (matrix, step)))
        {
            for first in 0..step {
                let hand = matrix.every(first, step);
                assert_eq!(
                    (hand.rows(), hand.columns()),
                    ((first..rows).step_by(step).count(), columns)
                );
                for (place, row) in (first..rows).step_by(step).enumerate() {
                    for column in 0..columns {
                        let found = match &hand {
                            Features::Dense(dense) => dense.values()[place * columns + column],
                            Features::Csr(csr) => {
                                let (indices, values) = csr.row(place);
                                indices
                                    .iter()
                                    .position(|&index| index as usize == column)
                                    .map_or(0.0, |at| values[at])
                            }
                        };
                        assert_eq!(found, value(row, column));
                    }
                }
            }
        }
    }

    #[test]
    fn a_sparse_matrix_that_breaks_a_promise_is_refused() {
        let csr = |columns, indptr: &[u64], indices: &[u32]| {
            Csr::new(columns, indptr.to_vec(), indices.to_vec(), vec![1.0; indices.len()])
        };
        assert!(csr(3, &[0, 2, 2, 3], &[0, 2, 1]).is_ok());
        for (columns, indptr, indices, word) in [
            (3, &[0, 2][..], &[1, 1][..], "rise"),
            (3, &[0, 2], &[2, 0], "rise"),
            (3, &[0, 1], &[3], "column 3 of 3"),
            (3, &[0, 3, 2], &[0, 1], "starts"),
            (3, &[1, 2], &[0, 1], "starts"),
            (3, &[], &[], "starts"),
        ] {
            let error = csr(columns, indptr, indices).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
        assert!(Csr::new(3, vec![0, 1], vec![0], vec![]).is_err());
    }

    #[test]
    fn shapes_must_agree() {
        assert!(Dense::new(2, 3, vec![0.0; 5]).is_err());
        assert!(Dense::new(usize::MAX, 2, vec![]).is_err());
        let dense = Dense::new(2, 2, vec![0.0; 4]).unwrap();
        assert!(Samples::new(Features::Dense(dense.clone()), vec![1.0]).is_err());
        assert_eq!(Samples::new(Features::Dense(dense), vec![]).unwrap().rows(), 2);
    }

    #[test]
    fn the_first_value_that_is_not_finite_is_found() {
        let csr = Csr::new(9, vec![0, 0, 1, 3], vec![4, 0, 7], vec![1.0, 2.0, f32::NAN]).unwrap();
        assert_eq!(Features::Csr(csr).non_finite(), Some((2, 7)));
        let dense = Dense::new(2, 2, vec![0.0, 1.0, f32::INFINITY, 0.0]).unwrap();
        assert_eq!(Features::Dense(dense).non_finite(), Some((1, 0)));
    }
}
