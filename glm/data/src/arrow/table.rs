//! A file of record batches as a table.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use arrow_array::{Array, RecordBatch};

use super::batch::{Decoder, NULL, Rows};
use super::input::{Batches, Opened};
use super::layout::{DenseColumn, FeatureColumns, Layout};
use super::numbers::lists;
use crate::chunk::{Chunk, Position, Reader};
use crate::numpy::{LabelArray, LabelReader};
use crate::samples::MAX_FEATURES;
use crate::table::{Field, Given, Table, check_features};
use crate::{Bounds, Columns, Error, Fields, Format, Labels};

/// Number of rows, at most, that are read at once or taken out of a batch of Arrow.
const MAX_BATCH_ROWS: usize = 8192;

/// The same for sparse rows: their lengths are not known before.
const SPARSE_BATCH_ROWS: usize = 1024;

/// See the module.
pub struct ColumnarTable {
    opened: Arc<Opened>,
    layout: Layout,
    labels: Option<LabelArray>,
    /// Number of features: known from the beginning for dense rows, and for sparse ones if it was
    /// given.
    features: Option<usize>,
    /// True if sparse rows may reach beyond them.
    beyond: bool,
    non_finite: bool,
    survey: OnceLock<Survey>,
}

/// Facts that only reading the whole file tells.
#[derive(Clone, Copy, Debug, Default)]
struct Survey {
    rows: u64,
    features: usize,
}

impl ColumnarTable {
    pub fn new(
        path: &Path,
        format: Format,
        labels: &Labels,
        label_array: Option<LabelArray>,
        fields: &Fields,
        given: Given,
    ) -> Result<Self, Error> {
        let opened = Opened::new(path, format)?;
        let mut layout = Layout::of(path, &opened.schema, labels, fields)?;
        let mut features = given.features;
        match &mut layout.features {
            FeatureColumns::Dense(columns) => {
                let mut first = 0_usize;
                for column in columns {
                    let width = match column.width {
                        Some(width) => width,
                        None => first_length(&opened, column)?,
                    };
                    (column.first, column.width) = (first, Some(width));
                    first = first.saturating_add(width);
                }
                check_features(path, first, given.features)?;
                features = Some(first);
            }
            FeatureColumns::Sparse { .. } => {
                if let Some(features) = features {
                    check_features(path, features, None)?;
                }
            }
        }
        let (opened, Given { beyond, non_finite, .. }) = (Arc::new(opened), given);
        let table = Self {
            opened,
            layout,
            labels: label_array,
            features,
            beyond,
            non_finite,
            survey: OnceLock::new(),
        };
        if let Some(labels) = &table.labels {
            let rows = table.rows()?;
            if labels.rows() != rows {
                let what = format!(
                    "{rows} rows, but {} labels in {}; give one for each",
                    labels.rows(),
                    labels.name()
                );
                return Err(Error::layout(path, what));
            }
        }
        Ok(table)
    }

    fn survey(&self) -> Result<Survey, Error> {
        if let Some(survey) = self.survey.get() {
            return Ok(*survey);
        }
        let columns = if self.is_sparse() { Columns::All } else { Columns::Range(0..0) };
        let mut reader = self.reader_with(&columns, Bounds::default())?;
        let mut survey =
            Survey { features: self.features.unwrap_or_default(), ..Survey::default() };
        while reader.next_rows()? {
            reader.pass(reader.rows.count());
            if let (None, Some(highest)) = (self.features, reader.rows.highest()) {
                survey.features = survey.features.max(highest as usize + 1);
            }
        }
        survey.rows = reader.next.row;
        Ok(*self.survey.get_or_init(|| survey))
    }

    fn reader_with(&self, columns: &Columns, bounds: Bounds) -> Result<BatchReader, Error> {
        let beyond = self.beyond && self.is_sparse();
        let width = self.features.filter(|_| !beyond).unwrap_or(MAX_FEATURES);
        let mut projection: Vec<usize> = match &self.layout.features {
            FeatureColumns::Dense(dense) => {
                let features = |first: usize, width: Option<usize>| {
                    first as u32..(first + width.unwrap_or_default()) as u32
                };
                let kept = dense.iter().filter(|column| {
                    features(column.first, column.width)
                        .any(|feature| columns.local(feature).is_some())
                });
                kept.map(|column| column.column).collect()
            }
            FeatureColumns::Sparse { indices, values } => vec![*indices, *values],
        };
        projection.extend(self.layout.label);
        if let (true, FeatureColumns::Dense(dense)) = (projection.is_empty(), &self.layout.features)
        {
            // For the number of its rows.
            projection.extend(dense.first().map(|column| column.column));
        }
        projection.sort_unstable();
        projection.dedup();
        let batch_rows = if self.is_sparse() {
            SPARSE_BATCH_ROWS.min(bounds.rows)
        } else {
            MAX_BATCH_ROWS.min(bounds.dense_rows(width))
        };
        let batches = self.opened.batches(&projection, batch_rows, Position::default())?;
        let decoder = Decoder {
            path: self.opened.path.as_path().into(),
            features: self.layout.features.clone(),
            width,
            label: self.layout.label,
            columns: columns.clone(),
            non_finite: self.non_finite,
            projection,
        };
        Ok(BatchReader {
            opened: self.opened.clone(),
            batches,
            decoder,
            batch_rows,
            labels: self
                .labels
                .as_ref()
                .map(|labels| labels.reader(self.non_finite))
                .transpose()?,
            batch: None,
            rows: Rows::default(),
            start: 0,
            next: Position::default(),
        })
    }
}

impl Table for ColumnarTable {
    fn features(&self) -> Result<usize, Error> {
        match self.features {
            Some(features) => Ok(features),
            None => Ok(self.survey()?.features),
        }
    }

    fn fields(&self) -> Vec<Field> {
        match &self.layout.features {
            FeatureColumns::Dense(columns) => {
                let field = |column: &DenseColumn| Field {
                    name: column.name.clone(),
                    features: column.width.unwrap_or_default(),
                };
                columns.iter().map(field).collect()
            }
            FeatureColumns::Sparse { .. } => Vec::new(),
        }
    }

    fn left_out(&self) -> &[String] {
        &self.layout.left_out
    }

    fn rows(&self) -> Result<u64, Error> {
        match self.opened.rows() {
            Some(rows) => Ok(rows),
            None => Ok(self.survey()?.rows),
        }
    }

    fn is_sparse(&self) -> bool {
        matches!(self.layout.features, FeatureColumns::Sparse { .. })
    }

    fn reader(&self, columns: &Columns, bounds: Bounds) -> Result<Box<dyn Reader>, Error> {
        Ok(Box::new(self.reader_with(columns, bounds)?))
    }

    fn instead(&self) -> Option<&'static str> {
        (self.opened.format == Format::ArrowStream).then_some("an Arrow file or Parquet")
    }
}

/// Returns the length of a column's first list, which all others must have.
fn first_length(opened: &Opened, column: &DenseColumn) -> Result<usize, Error> {
    let mut batches = opened.batches(&[column.column], 1, Position::default())?;
    while let Some(batch) = batches.next()? {
        if batch.num_rows() == 0 {
            continue;
        }
        let array = batch.column(0);
        let length = lists(array).0[1];
        if array.is_valid(0) && length > 0 {
            return Ok(length);
        }
        let problem = if array.is_null(0) { NULL } else { EMPTY };
        return Err(Error::row(&opened.path, 0, format!("column `{}`", column.name), problem));
    }
    Ok(0)
}

const EMPTY: &str = "the list has no values; make all lists equally long, or leave the column out";

/// Rows in the order of the file.
struct BatchReader {
    opened: Arc<Opened>,
    batches: Batches,
    decoder: Decoder,
    batch_rows: usize,
    labels: Option<LabelReader>,
    /// The batch that is being given. One of Arrow may be much longer than a chunk.
    batch: Option<RecordBatch>,
    /// Some of its rows, and which of them is the first one.
    rows: Rows,
    start: usize,
    /// The row of the file that comes next, the number of the batch after this one, and the row of
    /// this batch that comes next.
    next: Position,
}

impl BatchReader {
    /// Reads the rows that come next, unless they are there. False where none are left.
    fn next_rows(&mut self) -> Result<bool, Error> {
        while self.left() == 0 {
            if !self.next_batch()? {
                return Ok(false);
            }
        }
        let within = self.next.within as usize;
        if let Some(batch) = &self.batch
            && !(self.start..self.start + self.rows.count()).contains(&within)
        {
            self.rows = Rows::default();
            let rows = self.batch_rows.min(batch.num_rows() - within);
            self.rows = self.decoder.decode(&batch.slice(within, rows), self.next.row)?;
            self.start = within;
        }
        Ok(true)
    }

    fn next_batch(&mut self) -> Result<bool, Error> {
        // Not two of them at a time.
        (self.batch, self.rows) = (None, Rows::default());
        self.batch = self.batches.next()?;
        if self.batch.is_some() {
            (self.next.at, self.next.within) = (self.next.at + 1, 0);
        }
        Ok(self.batch.is_some())
    }

    /// Returns the number of rows of the batch that are not yet given.
    fn left(&self) -> u64 {
        self.batch
            .as_ref()
            .map_or(0, |batch| (batch.num_rows() as u64).saturating_sub(self.next.within))
    }

    fn pass(&mut self, rows: usize) {
        self.next.row += rows as u64;
        self.next.within += rows as u64;
    }
}

impl Reader for BatchReader {
    fn fill(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        let first = self.next.row;
        while !chunk.is_full() && self.next_rows()? {
            let added =
                self.rows.put(self.next.within as usize - self.start, self.decoder.width, chunk);
            self.pass(added);
        }
        match &mut self.labels {
            Some(labels) => labels.read(first, (self.next.row - first) as usize, chunk.labels()),
            None => Ok(()),
        }
    }

    fn position(&self) -> Position {
        let Position { row, at, within } = self.next;
        match self.left() {
            0 => Position { row, at, within: 0 },
            _ => Position { row, at: at - 1, within },
        }
    }

    fn seek(&mut self, to: Position) -> Result<(), Error> {
        let parquet = self.opened.format == Format::Parquet;
        if parquet || self.batch.is_none() || self.next.at != to.at + 1 {
            (self.batch, self.rows) = (None, Rows::default());
            self.batches = self.opened.batches(&self.decoder.projection, self.batch_rows, to)?;
            self.next = Position { within: 0, ..to };
            // Parquet begins at the row itself.
            if parquet || to.within == 0 {
                return Ok(());
            }
            self.next_batch()?;
        }
        self.next = Position { row: to.row, at: to.at + 1, within: to.within };
        match self.left() {
            0 => Err(Error::Changed { path: self.opened.path.clone() }),
            _ => Ok(()),
        }
    }
}
