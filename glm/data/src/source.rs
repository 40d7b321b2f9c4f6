//! A file as a source of samples: options, the file itself, its chunks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use crate::chunk::{Position, Reader};
use crate::format::{self, Compression, Format};
use crate::libsvm::{IndexBase, LibsvmTable};
use crate::table::{Field, Given, Table};
use crate::{Bounds, Classes, Columns, Error, Samples};

/// The options of reading a file. The defaults find out as much as they can.
///
/// An option that the file's format has no use for is refused, not passed over.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format; found out by the file's first bytes and its extension if not given.
    pub format: Option<Format>,
    /// Place of the labels.
    pub labels: Labels,
    /// The columns of the features that are kept.
    pub columns: Columns,
    /// The size of a chunk.
    pub bounds: Bounds,
    /// Number of features of a row: for sparse rows, which may not reach to the last one. Formats
    /// that know it refuse another number.
    pub features: Option<usize>,
    /// True if rows that say which columns they have may have some beyond `features`. Those are
    /// dropped.
    pub beyond: bool,
    /// The number that the indices of libsvm text count from.
    pub index_base: IndexBase,
    /// True if values and labels may be infinite or not a number. Otherwise the row is refused.
    pub non_finite: bool,
    /// The columns of a Parquet or Arrow table that are features.
    pub fields: Fields,
}

/// Place of the labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Labels {
    /// The usual place of the format: the beginning of each line of libsvm text, the array `y` of
    /// an `.npz` file, or the column `label`, `labels`, `target` or `y` of a Parquet or Arrow
    /// table, which may have one of them.
    #[default]
    Usual,
    /// Nowhere: there are no labels, or they are not wanted. Samples come without.
    Absent,
    /// The array of an `.npz` file, or the column of a Parquet or Arrow table, with this name.
    Named(String),
    /// The column with this number, from 0, of a dense matrix or a Parquet or Arrow table. It is no
    /// feature: those after it move down by one.
    Column(usize),
    /// A file of its own: an `.npy` array of one dimension, or of one column.
    File(PathBuf),
}

/// The columns of a Parquet or Arrow table that are features.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fields {
    /// All numbers and vectors, in the table's order, except the label and, unless labels are
    /// [`Labels::Absent`], columns that are named like one. Lists `indices` and `values` are sparse
    /// rows, and must be the only ones.
    #[default]
    Numbers,
    /// The columns with these names, in this order. A list is as many features as it has values.
    Named(Vec<String>),
    /// Sparse rows: a list of indices from 0, which rise, and a list of as many values.
    Sparse {
        /// The column with the indices.
        indices: String,
        /// The column with the values.
        values: String,
    },
}

/// A file of samples. It can be read as often as wanted, whole or in chunks, in its order or
/// shuffled.
pub struct Source {
    path: PathBuf,
    options: Options,
    format: Format,
    compression: Compression,
    table: Box<dyn Table>,
    stamp: Stamp,
    positions: OnceLock<Vec<Position>>,
}

impl Source {
    /// Takes the file at `path` with defaults.
    ///
    /// # Errors
    /// See [`Source::with`].
    pub fn new(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::with(path, Options::default())
    }

    /// Finds out what the file is, and reads what it says about itself. libsvm text says nothing,
    /// and is not yet read.
    ///
    /// # Errors
    /// If the file is of no format that is read, or what the options ask for is not in it.
    pub fn with(path: impl AsRef<Path>, mut options: Options) -> Result<Self, Error> {
        let path = path.as_ref();
        options.columns.check()?;
        if options.beyond {
            options.columns = within(&options)?;
        }
        if options.bounds.rows == 0 || options.bounds.bytes == 0 {
            return Err(Error::Invalid(
                "a chunk of 0 rows or bytes holds nothing; give at least 1".into(),
            ));
        }
        let stamp = Stamp::of(path)?;
        let (format, compression) = format::detect(path, options.format)?;
        check_options(path, format, &options)?;
        let given = Given {
            features: options.features,
            beyond: options.beyond,
            non_finite: options.non_finite,
        };
        let table: Box<dyn Table> = match format {
            Format::Libsvm => {
                let labels = options.labels != Labels::Absent;
                Box::new(LibsvmTable::new(path, compression, options.index_base, labels, &given))
            }
            Format::Npy => crate::numpy::open_npy(path, &options.labels, given)?,
            Format::Npz => crate::numpy::open_npz(path, &options.labels, given)?,
            Format::SciPy => crate::numpy::open_scipy(path, &options.labels, given)?,
            Format::Parquet | Format::ArrowFile | Format::ArrowStream => {
                crate::arrow::open(path, format, &options.labels, &options.fields, given)?
            }
        };
        Ok(Self {
            path: path.into(),
            options,
            format,
            compression,
            table,
            stamp,
            positions: OnceLock::new(),
        })
    }

    /// Returns the format that [`Source::new`] takes the file at `path` for, whatever is in it.
    ///
    /// # Errors
    /// If the file is of no format that is read.
    pub fn format_of(path: impl AsRef<Path>) -> Result<Format, Error> {
        let path = path.as_ref();
        Stamp::of(path)?;
        Ok(format::detect(path, None)?.0)
    }

    /// Returns the format that the file was taken for.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the compression of the file as a whole. Compression inside a format is the format's.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Returns the number of features of a row in the file, kept or not. For libsvm text and sparse
    /// lists, only reading the whole file tells it, unless [`Options::features`] does.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn features(&self) -> Result<usize, Error> {
        self.stamp.check(&self.path)?;
        self.table.features()
    }

    /// The columns of a Parquet or Arrow table that the features come from, in their order. Other
    /// formats have no names.
    pub fn fields(&self) -> Vec<Field> {
        self.table.fields()
    }

    /// The columns of a Parquet or Arrow table, with their types, that are left out since they are
    /// neither features nor labels. None if features are named.
    pub fn left_out(&self) -> &[String] {
        self.table.left_out()
    }

    /// Returns the number of rows of the file. libsvm text and Arrow must be read for it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn rows(&self) -> Result<u64, Error> {
        self.stamp.check(&self.path)?;
        self.table.rows()
    }

    /// Returns the number that the indices of libsvm text count from: the one given, or else the
    /// one that the whole file tells. `None` for other formats, whose indices count from 0.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn index_base(&self) -> Result<Option<IndexBase>, Error> {
        self.stamp.check(&self.path)?;
        self.table.index_base()
    }

    /// Nothing if chunks bound the memory that reading takes, or those and a record batch of Arrow,
    /// which is held whole. Otherwise all that is kept of the file stands in memory, whatever the
    /// bounds: in what other form it would not.
    pub fn unbounded(&self) -> Option<&'static str> {
        self.table.unbounded()
    }

    /// All rows at once, without bounds.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(&self) -> Result<Samples, Error> {
        self.stamp.check(&self.path)?;
        if self.options.columns == Columns::All
            && let Some(samples) = self.table.whole()?
        {
            return Ok(samples);
        }
        self.read_with(&self.options.columns, Bounds::NONE)
    }

    /// The chunks in the file's order: one epoch.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn open(&self) -> Result<Chunks<'_>, Error> {
        self.stamp.check(&self.path)?;
        let features = self.table.features()?;
        let reader = self.table.reader(&self.options.columns, self.options.bounds)?;
        Ok(Chunks { source: self, reader, features, order: Order::File, failed: false })
    }

    /// The same chunks in an order drawn from `seed`: the same for everyone who has the file. Give
    /// each epoch a seed of its own. Rows keep their order within a chunk. The first call may read
    /// the whole file to find where chunks begin.
    ///
    /// # Errors
    /// [`Error::InOrderOnly`] for files that are compressed as a whole and for Arrow's stream
    /// format; or if the file cannot be read.
    pub fn open_shuffled(&self, seed: u64) -> Result<Chunks<'_>, Error> {
        self.stamp.check(&self.path)?;
        if let Some(instead) = self.table.instead() {
            return Err(Error::InOrderOnly {
                path: self.path.clone(),
                format: self.format,
                instead,
            });
        }
        let features = self.table.features()?;
        let mut order = self.positions()?.to_vec();
        order.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
        let reader = self.table.reader(&self.options.columns, self.options.bounds)?;
        Ok(Chunks {
            source: self,
            reader,
            features,
            order: Order::Drawn(order.into_iter()),
            failed: false,
        })
    }

    /// The classes that the labels of the whole file name.
    ///
    /// # Errors
    /// If there are no labels, or more than [`MAX_CLASSES`](crate::MAX_CLASSES) different ones, or
    /// the file cannot be read.
    pub fn classes(&self) -> Result<Classes, Error> {
        self.stamp.check(&self.path)?;
        let none = Columns::Range(0..0);
        let mut reader = self.table.reader(&none, self.options.bounds)?;
        let features = self.table.features()?;
        let mut classes = Classes::default();
        loop {
            let mut chunk = self.table.chunk(&none, self.options.bounds, features);
            reader.fill(&mut chunk)?;
            if chunk.is_empty() {
                break;
            }
            if chunk.labels().is_empty() {
                return Err(Error::layout(&self.path, "there are no labels; say where they are"));
            }
            classes.see(chunk.labels()).map_err(|what| Error::layout(&self.path, what))?;
        }
        Ok(classes)
    }

    fn read_with(&self, columns: &Columns, bounds: Bounds) -> Result<Samples, Error> {
        let features = self.table.features()?;
        let mut chunk = self.table.chunk(columns, bounds, features);
        self.table.reader(columns, bounds)?.fill(&mut chunk)?;
        Ok(chunk.finish(0, features))
    }

    fn positions(&self) -> Result<&[Position], Error> {
        if let Some(positions) = self.positions.get() {
            return Ok(positions);
        }
        let positions = self.table.positions(self.options.bounds)?;
        Ok(self.positions.get_or_init(|| positions))
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = formatter.debug_struct("Source");
        text.field("path", &self.path)
            .field("format", &self.format)
            .field("compression", &self.compression);
        text.field("options", &self.options).finish_non_exhaustive()
    }
}

/// The chunks of a file, one after the other. After an error there are no more.
pub struct Chunks<'a> {
    source: &'a Source,
    reader: Box<dyn Reader>,
    features: usize,
    order: Order,
    failed: bool,
}

enum Order {
    File,
    Drawn(std::vec::IntoIter<Position>),
}

impl Chunks<'_> {
    fn read(&mut self) -> Result<Option<Samples>, Error> {
        if let Order::Drawn(order) = &mut self.order {
            let Some(position) = order.next() else {
                return Ok(None);
            };
            self.reader.seek(position)?;
        }
        let options = &self.source.options;
        let first_row = self.reader.position().row;
        let mut chunk = self.source.table.chunk(&options.columns, options.bounds, self.features);
        self.reader.fill(&mut chunk)?;
        Ok((!chunk.is_empty()).then(|| chunk.finish(first_row, self.features)))
    }
}

impl Iterator for Chunks<'_> {
    type Item = Result<Samples, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let chunk = self.read().transpose();
        self.failed = !matches!(chunk, Some(Ok(_)));
        chunk
    }
}

/// The columns to keep where rows may have more than there are features.
fn within(options: &Options) -> Result<Columns, Error> {
    match (options.features, &options.columns) {
        (Some(features), Columns::All) => {
            Ok(Columns::Range(0..features.try_into().unwrap_or(u32::MAX)))
        }
        _ => Err(Error::Invalid(
            "to drop what is beyond the features, say how many there are, and keep all of them"
                .into(),
        )),
    }
}

/// Refuses options that the format has no use for.
fn check_options(path: &Path, format: Format, options: &Options) -> Result<(), Error> {
    let columnar = matches!(format, Format::Parquet | Format::ArrowFile | Format::ArrowStream);
    let refuse = |what: &str| {
        Err(Error::layout(path, format!("{format} has no use for {what}; leave it out")))
    };
    if format != Format::Libsvm && options.index_base != IndexBase::Auto {
        return refuse("a base of indices");
    }
    if !columnar && options.fields != Fields::Numbers {
        return refuse("names of features");
    }
    match &options.labels {
        Labels::Usual | Labels::Absent => Ok(()),
        _ if format == Format::Libsvm => refuse("a place of labels, they begin each line"),
        Labels::Named(_) if !columnar && format != Format::Npz => refuse("a name of labels"),
        Labels::Column(_) if format == Format::SciPy => refuse("a column of labels"),
        _ => Ok(()),
    }
}

/// Marks by which a file is known again.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> Result<Self, Error> {
        let metadata = fs::metadata(path).map_err(Error::io(path))?;
        if !metadata.is_file() {
            let found = "this is no file".into();
            return Err(Error::Format {
                path: path.into(),
                found,
                advice: "give one file of samples",
            });
        }
        Ok(Self { bytes: metadata.len(), modified: metadata.modified().ok() })
    }

    fn check(&self, path: &Path) -> Result<(), Error> {
        (Self::of(path)? == *self).then_some(()).ok_or_else(|| Error::Changed { path: path.into() })
    }
}
