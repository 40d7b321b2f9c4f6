//! Samples as the caller has them: borrowed slices, dense or sparse (R-GLM-1).

use crate::error::{Error, expect_len};
use netfold_glm_kernels::{Found, Kernels};

/// Most features of a model: indices are 32 bits.
pub(crate) const MOST_FEATURES: usize = u32::MAX as usize;
/// Most rows: their numbers are 32 bits.
pub(crate) const MOST_ROWS: usize = u32::MAX as usize;

/// Samples in rows, `rows x features`.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a> {
    values: &'a [f32],
    rows: usize,
    features: usize,
    below_zero: bool,
}

impl<'a> Dense<'a> {
    /// Row-major values of samples with so many features.
    pub fn new(values: &'a [f32], features: usize) -> Result<Self, Error> {
        if features == 0 || features > MOST_FEATURES {
            return Err(Error::setting("features", features, format!("1 to {MOST_FEATURES}")));
        }
        let rows = values.len() / features;
        expect_len("values of dense samples", values.len(), rows * features)?;
        check_rows(rows)?;
        let Found { not_finite: refused, below_zero } = Kernels::best().look_through(values);
        if refused {
            let (place, value) = not_finite(values);
            return Err(Error::Value { row: place / features, value });
        }
        Ok(Self { values, rows, features, below_zero })
    }

    pub(crate) fn values(&self) -> &'a [f32] {
        self.values
    }

    pub(crate) fn row(&self, row: usize) -> &'a [f32] {
        &self.values[row * self.features..][..self.features]
    }
}

/// Samples of which only what is not zero is stored, as SciPy's CSR: row r has the entries from
/// `indptr[r]` to `indptr[r + 1]`.
#[derive(Clone, Copy, Debug)]
pub struct Csr<'a> {
    features: usize,
    indptr: &'a [u64],
    indices: &'a [u32],
    values: &'a [f32],
    below_zero: bool,
}

impl<'a> Csr<'a> {
    /// Rows with ascending indices, each once.
    pub fn new(
        features: usize,
        indptr: &'a [u64],
        indices: &'a [u32],
        values: &'a [f32],
    ) -> Result<Self, Error> {
        if features == 0 || features > MOST_FEATURES {
            return Err(Error::setting("features", features, format!("1 to {MOST_FEATURES}")));
        }
        expect_len("values of sparse samples", values.len(), indices.len())?;
        if indptr.first() != Some(&0) || indptr.last() != Some(&(indices.len() as u64)) {
            return Err(Error::Row {
                row: 0,
                what: "indptr must begin with 0 and end with the number of entries",
            });
        }
        check_rows(indptr.len() - 1)?;
        let kernels = Kernels::best();
        // Within rows indices rise if they fall no more often than from the end of a row to the
        // beginning of the next one.
        let (mut falls, mut ended) = (0, None);
        for (row, bounds) in indptr.windows(2).enumerate() {
            if bounds[0] > bounds[1] || bounds[1] > indices.len() as u64 {
                return Err(Error::Row { row, what: "indptr must not fall" });
            }
            let columns = &indices[bounds[0] as usize..bounds[1] as usize];
            let (Some(first), Some(last)) = (columns.first(), columns.last()) else { continue };
            if *last as usize >= features {
                return Err(Error::Row {
                    row,
                    what: "an index is beyond the features; give the matrix's width",
                });
            }
            falls += usize::from(ended.is_some_and(|ended| first <= ended));
            ended = Some(last);
        }
        if kernels.falls(indices) != falls {
            let rises = |bounds: &[u64]| {
                kernels.falls(&indices[bounds[0] as usize..bounds[1] as usize]) == 0
            };
            let row = indptr.windows(2).position(|bounds| !rises(bounds)).unwrap_or_default();
            return Err(Error::Row {
                row,
                what: "indices must ascend, each once; sort them and sum duplicates",
            });
        }
        let Found { not_finite: refused, below_zero } = kernels.look_through(values);
        if refused {
            let (place, value) = not_finite(values);
            let row = indptr.partition_point(|&start| start <= place as u64) - 1;
            return Err(Error::Value { row, value });
        }
        Ok(Self { features, indptr, indices, values, below_zero })
    }

    pub(crate) fn parts(&self) -> (&'a [u64], &'a [u32], &'a [f32]) {
        (self.indptr, self.indices, self.values)
    }

    pub(crate) fn rows(&self) -> usize {
        self.indptr.len() - 1
    }

    pub(crate) fn row(&self, row: usize) -> (&'a [u32], &'a [f32]) {
        let entries = self.indptr[row] as usize..self.indptr[row + 1] as usize;
        (&self.indices[entries.clone()], &self.values[entries])
    }
}

/// Either of them.
#[derive(Clone, Copy, Debug)]
pub enum Samples<'a> {
    /// Samples of which all values are stored.
    Dense(Dense<'a>),
    /// Samples of which the non-zero values are stored.
    Csr(Csr<'a>),
}

impl Samples<'_> {
    /// Returns the number of samples.
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.rows,
            Self::Csr(csr) => csr.rows(),
        }
    }

    /// Features of each.
    pub fn features(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.features,
            Self::Csr(csr) => csr.features,
        }
    }

    /// Returns whether a value is below zero.
    pub fn below_zero(&self) -> bool {
        match self {
            Self::Dense(dense) => dense.below_zero,
            Self::Csr(csr) => csr.below_zero,
        }
    }

    /// Calls `each` with the place and the value of everything that is stored of a row.
    pub(crate) fn for_each(&self, row: usize, mut each: impl FnMut(usize, f32)) {
        match self {
            Self::Dense(dense) => {
                dense.row(row).iter().enumerate().for_each(|(index, &value)| each(index, value))
            }
            Self::Csr(csr) => {
                let (indices, values) = csr.row(row);
                indices.iter().zip(values).for_each(|(&index, &value)| each(index as usize, value));
            }
        }
    }
}

fn check_rows(rows: usize) -> Result<(), Error> {
    if rows <= MOST_ROWS {
        Ok(())
    } else {
        Err(Error::setting("rows", rows, format!("at most {MOST_ROWS} at once")))
    }
}

/// The first value that is not finite, where there is one, and its place.
fn not_finite(values: &[f32]) -> (usize, f32) {
    let found = values.iter().copied().enumerate().find(|(_, value)| !value.is_finite());
    found.expect("not all values are finite")
}
