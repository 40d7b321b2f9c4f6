//! The common interface of formats: a table that can be read again and again.

use std::path::Path;

use crate::chunk::{Chunk, Position, Reader};
use crate::libsvm::IndexBase;
use crate::{Bounds, Columns, Error, MAX_FEATURES, Samples};

/// A file whose format is known.
pub trait Table: Send + Sync {
    /// Returns the number of features of a row. It may have to read the file.
    fn features(&self) -> Result<usize, Error>;

    /// The named columns that the features come from.
    fn fields(&self) -> Vec<Field> {
        Vec::new()
    }

    /// The named columns that are neither features nor labels.
    fn left_out(&self) -> &[String] {
        &[]
    }

    /// Returns the number of rows. It may have to read the file.
    fn rows(&self) -> Result<u64, Error>;

    /// Returns whether rows say which columns they have.
    fn is_sparse(&self) -> bool;

    /// Returns the number that the indices of its rows count from, where they are text. It may have
    /// to read the file.
    fn index_base(&self) -> Result<Option<IndexBase>, Error> {
        Ok(None)
    }

    /// Rows from the beginning. Chunks that the reader fills keep `columns`, and should end within
    /// `bounds`: how much is read ahead.
    fn reader(&self, columns: &Columns, bounds: Bounds) -> Result<Box<dyn Reader>, Error>;

    /// Nothing if chunks can be read in any order; otherwise in what other form of the file they
    /// could.
    fn instead(&self) -> Option<&'static str>;

    /// Nothing if a reader holds no more than its chunk, and something to read ahead; otherwise in
    /// what other form of the file it would.
    fn unbounded(&self) -> Option<&'static str> {
        None
    }

    /// The whole table, where there is a faster way than through a reader.
    fn whole(&self) -> Result<Option<Samples>, Error> {
        Ok(None)
    }

    /// Returns the positions at which chunks begin.
    fn positions(&self, bounds: Bounds) -> Result<Vec<Position>, Error> {
        // No column is kept: only the ends of rows count.
        let none = Columns::Range(0..0);
        let features = self.features()?;
        let mut reader = self.reader(&none, bounds)?;
        let mut positions = Vec::new();
        loop {
            let position = reader.position();
            let mut chunk = self.chunk(&none, bounds, features);
            reader.fill(&mut chunk)?;
            if chunk.is_empty() {
                return Ok(positions);
            }
            positions.push(position);
        }
    }

    /// An empty chunk for the table's rows.
    fn chunk(&self, columns: &Columns, bounds: Bounds, features: usize) -> Chunk {
        match self.is_sparse() {
            true => Chunk::sparse(bounds, columns.clone()),
            false => Chunk::dense(bounds, columns.clone(), features),
        }
    }
}

/// A named column, and how many features it is: more than one if it holds vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Number of its features.
    pub features: usize,
}

/// The caller's options for any table.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Number of features of a row.
    pub features: Option<usize>,
    /// True if sparse rows may have more: the caller keeps the columns that it wants.
    pub beyond: bool,
    /// True if values and labels may be infinite or not a number.
    pub non_finite: bool,
}

/// Refuses tables that are too wide, or not as wide as was given.
pub fn check_features(path: &Path, features: usize, given: Option<usize>) -> Result<(), Error> {
    if features > MAX_FEATURES {
        return Err(Error::layout(
            path,
            format!("{features} features are too many, at most {MAX_FEATURES} can be"),
        ));
    }
    match given {
        Some(given) if given != features => Err(Error::layout(
            path,
            format!(
                "has {features} features, not the {given} that are needed; give samples that have as many"
            ),
        )),
        _ => Ok(()),
    }
}
