//! A file of record batches as a table.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use arrow_array::Array;

use super::batch::{Decoder, NULL, Rows};
use super::input::{Batches, Opened};
use super::layout::{DenseColumn, FeatureColumns, Layout};
use super::numbers::lists;
use crate::chunk::{Chunk, Position, Reader};
use crate::numpy::{LabelArray, LabelReader};
use crate::samples::MAX_FEATURES;
use crate::table::{Field, Given, Table, check_features};
use crate::{Bounds, Columns, Error, Fields, Format, Labels};

/// How many rows of Parquet are read at once at most.
const MAX_BATCH_ROWS: usize = 8192;

/// How many sparse rows of Parquet are read at once: how long they are is not known before.
const SPARSE_BATCH_ROWS: usize = 1024;

/// See the module.
pub struct ColumnarTable {
    opened: Arc<Opened>,
    layout: Layout,
    labels: Option<LabelArray>,
    /// Of dense rows known from the beginning, of sparse ones if it was given.
    features: Option<usize>,
    /// Whether sparse rows may reach beyond them.
    beyond: bool,
    non_finite: bool,
    survey: OnceLock<Survey>,
}

/// What only the whole file tells.
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
        let table = Self { opened, layout, labels: label_array, features, beyond, non_finite, survey: OnceLock::new() };
        if let Some(labels) = &table.labels {
            let rows = table.rows()?;
            if labels.rows() != rows {
                let what = format!("{rows} rows, but {} labels in {}; give one for each", labels.rows(), labels.name());
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
        let mut survey = Survey { features: self.features.unwrap_or_default(), ..Survey::default() };
        while reader.next_rows()? {
            reader.next.row += reader.rows.count() as u64;
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
                let features =
                    |first: usize, width: Option<usize>| first as u32..(first + width.unwrap_or_default()) as u32;
                let kept = dense.iter().filter(|column| {
                    features(column.first, column.width).any(|feature| columns.local(feature).is_some())
                });
                kept.map(|column| column.column).collect()
            }
            FeatureColumns::Sparse { indices, values } => vec![*indices, *values],
        };
        projection.extend(self.layout.label);
        if let (true, FeatureColumns::Dense(dense)) = (projection.is_empty(), &self.layout.features) {
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
            labels: self.labels.as_ref().map(|labels| labels.reader(self.non_finite)).transpose()?,
            rows: Rows::default(),
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

/// How long the first list of a column is, as all others must be.
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
    /// The batch that is being given.
    rows: Rows,
    /// The row of the file that comes next, the number of the batch after this one, and the row of this batch that comes next.
    next: Position,
}

impl BatchReader {
    /// Reads the next batch that has rows.
    fn next_rows(&mut self) -> Result<bool, Error> {
        while let Some(batch) = self.batches.next()? {
            let first_row = self.next.row - self.next.within;
            self.rows = self.decoder.decode(&batch, first_row)?;
            self.next.at += 1;
            if self.rows.count() > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Reader for BatchReader {
    fn fill(&mut self, chunk: &mut Chunk) -> Result<(), Error> {
        let first = self.next.row;
        while !chunk.is_full() {
            if self.next.within as usize >= self.rows.count() {
                self.next.within = 0;
                self.rows = Rows::default();
                if !self.next_rows()? {
                    break;
                }
            }
            let added = self.rows.put(self.next.within as usize, self.decoder.width, chunk) as u64;
            self.next.row += added;
            self.next.within += added;
        }
        match &mut self.labels {
            Some(labels) => labels.read(first, (self.next.row - first) as usize, chunk.labels()),
            None => Ok(()),
        }
    }

    fn position(&self) -> Position {
        let Position { row, at, within } = self.next;
        match self.rows.count() as u64 > within {
            true => Position { row, at: at - 1, within },
            false => Position { row, at, within: 0 },
        }
    }

    fn seek(&mut self, to: Position) -> Result<(), Error> {
        self.rows = Rows::default();
        self.batches = self.opened.batches(&self.decoder.projection, self.batch_rows, to)?;
        // Parquet begins at the row itself.
        let within = if self.opened.format == Format::Parquet { 0 } else { to.within };
        self.next = Position { within, ..to };
        if self.next_rows()? || within == 0 {
            return Ok(());
        }
        Err(Error::Changed { path: self.opened.path.clone() })
    }
}
