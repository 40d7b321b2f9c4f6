//! Samples in memory with their labels: a file, or a chunk of it.

use netfold_data::{Classes, Features};
use netfold_glm::{Csr, Data, Dense, RowNumbers, Samples, Targets};

/// Samples that a worker holds at a time.
pub(crate) struct Block {
    features: Features,
    labels: Vec<f64>,
    /// Numbers of these samples in the file.
    rows: RowNumbers,
}

/// The labels of a block, as the engine wants them.
pub(crate) enum Coded {
    /// Numbers of classes, and how many there are.
    Classes(Vec<u32>, u32),
    Values(Vec<f32>),
}

impl Block {
    /// These samples.
    pub(crate) fn of(samples: netfold_data::Samples) -> Self {
        let rows = RowNumbers::from(samples.first_row());
        let (features, labels) = samples.into_parts();
        Self { features, labels, rows }
    }

    /// Every `size`-th row from `rank` on.
    pub(crate) fn every(&self, rank: usize, size: usize) -> Self {
        let labels = self.labels.iter().skip(rank).step_by(size).copied().collect();
        Self {
            features: self.features.every(rank, size),
            labels,
            rows: self.rows.every(rank as u64, size as u64),
        }
    }

    /// The samples, as the engine wants them.
    pub(crate) fn samples(&self) -> Result<Samples<'_>, netfold_glm::Error> {
        match &self.features {
            Features::Dense(dense) => {
                Dense::new(dense.values(), dense.columns()).map(Samples::Dense)
            }
            Features::Csr(csr) => {
                Csr::new(csr.columns(), csr.indptr(), csr.indices(), csr.values()).map(Samples::Csr)
            }
        }
    }

    /// The samples, held as `pattern` is.
    pub(crate) fn held_like(&self, pattern: &Data<'_>) -> Result<Data<'_>, netfold_glm::Error> {
        pattern.like_rows(self.samples()?, self.rows)
    }

    /// The labels by their number among `classes`, or as numbers; or the row of the file whose
    /// label cannot be taken, and why.
    pub(crate) fn coded(&self, classes: Option<&Classes>) -> Result<Coded, String> {
        let Some(classes) = classes else {
            let value = |label| {
                let value = Some(label as f32).filter(|value| value.is_finite());
                value.ok_or_else(|| {
                    format!(
                        "the label {label:e} does not fit 32-bit floating point; scale the labels"
                    )
                })
            };
            return self.each_label(value).map(Coded::Values);
        };
        let class = |label| classes.encode(label).map_err(|why| why.to_string());
        Ok(Coded::Classes(self.each_label(class)?, classes.labels().len() as u32))
    }

    fn each_label<T>(&self, coded: impl Fn(f64) -> Result<T, String>) -> Result<Vec<T>, String> {
        let RowNumbers { first, step } = self.rows;
        let rows = (0..).map(|row: u64| first + step * row);
        let each = rows.zip(&self.labels);
        each.map(|(row, &label)| coded(label).map_err(|why| format!("row {row} (from 0): {why}")))
            .collect()
    }
}

impl Coded {
    /// Returns the labels of no samples.
    pub(crate) fn none(classes: Option<&Classes>) -> Self {
        match classes {
            Some(classes) => Self::Classes(Vec::new(), classes.labels().len() as u32),
            None => Self::Values(Vec::new()),
        }
    }

    pub(crate) fn targets(&self) -> Result<Targets<'_>, netfold_glm::Error> {
        match self {
            Self::Classes(labels, classes) => Targets::classes(labels, *classes),
            Self::Values(values) => Targets::values(values),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, RowNumbers};
    use netfold_data::{Bounds, Options, Source};
    use std::{env, fs, process};

    /// R-GLM-20: rows are those of the file, whatever is read of it at a time.
    #[test]
    fn rows_of_chunks_and_shares_keep_their_numbers() {
        let path = env::temp_dir().join(format!("netfold-block-{}.svm", process::id()));
        fs::write(&path, "1 1:1\n".repeat(10)).unwrap();
        let bounds = Bounds { rows: 4, ..Bounds::default() };
        let source = Source::with(&path, Options { bounds, ..Options::default() }).unwrap();
        let blocks: Vec<Block> =
            source.open().unwrap().map(|chunk| Block::of(chunk.unwrap())).collect();
        fs::remove_file(&path).unwrap();
        let rows = |of: &dyn Fn(&Block) -> RowNumbers| blocks.iter().map(of).collect::<Vec<_>>();
        assert_eq!(rows(&|block| block.rows), [0, 4, 8].map(RowNumbers::from));
        let shares = rows(&|block| block.every(1, 3).rows);
        assert_eq!(shares, [1, 5, 9].map(|first| RowNumbers { first, step: 3 }));
    }
}
