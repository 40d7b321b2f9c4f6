//! Record batches out of a file, from its beginning or from a place in it.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};

use parquet::basic::CompressionCodec;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use crate::chunk::Position;
use crate::{Error, Format};

/// End of a stream of Arrow.
const END_OF_STREAM: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// An opened file and its metadata.
pub struct Opened {
    pub path: PathBuf,
    pub format: Format,
    pub schema: SchemaRef,
    metadata: Option<ArrowReaderMetadata>,
}

impl Opened {
    pub fn new(path: &Path, format: Format) -> Result<Self, Error> {
        let mut file = File::open(path).map_err(Error::io(path))?;
        let mut metadata = None;
        let schema = match format {
            Format::Parquet => {
                let read = || Ok(ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())?);
                let metadata = metadata.insert(guarded(path, format, read)?);
                check_compression(path, metadata.metadata())?;
                metadata.schema().clone()
            }
            Format::ArrowFile => guarded(path, format, || {
                Ok(FileReader::try_new(BufReader::new(file), None)?.schema())
            })?,
            _ => {
                check_end_of_stream(path, &mut file)?;
                guarded(path, format, || {
                    Ok(StreamReader::try_new(BufReader::new(file), None)?.schema())
                })?
            }
        };
        Ok(Self { path: path.into(), format, schema, metadata })
    }

    /// Returns the number of rows, if the file states it.
    pub fn rows(&self) -> Option<u64> {
        let rows = self.metadata.as_ref()?.metadata().file_metadata().num_rows();
        u64::try_from(rows).ok()
    }

    /// Batches with these columns, in the order of the file, from where `from` says. Of Parquet
    /// they have `batch_rows` rows and begin at the row; of an Arrow file they are as they were
    /// written, and begin with the one in which the row is.
    pub fn batches(
        &self,
        columns: &[usize],
        batch_rows: usize,
        from: Position,
    ) -> Result<Batches, Error> {
        let file = File::open(&self.path).map_err(Error::io(&self.path))?;
        let open = || match (&self.metadata, self.format) {
            (Some(metadata), _) => {
                let groups = metadata.metadata().row_groups();
                let mut skip = from.row;
                let rows = |group: usize| groups[group].num_rows() as u64;
                let mut group = 0;
                while group < groups.len() && skip >= rows(group) {
                    skip -= rows(group);
                    group += 1;
                }
                let count = groups.len();
                let builder =
                    ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone());
                let mask = ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied());
                let builder = builder.with_projection(mask).with_batch_size(batch_rows);
                let builder =
                    builder.with_row_groups((group..count).collect()).with_offset(skip as usize);
                Ok(Input::Parquet(builder.build()?))
            }
            (None, Format::ArrowFile) => {
                let mut reader = FileReader::try_new(BufReader::new(file), Some(columns.to_vec()))?;
                if from.at > 0 {
                    reader.set_index(from.at as usize)?;
                }
                Ok(Input::File(Box::new(reader)))
            }
            (None, _) => Ok(Input::Stream(Box::new(StreamReader::try_new(
                BufReader::new(file),
                Some(columns.to_vec()),
            )?))),
        };
        let input = guarded(&self.path, self.format, open)?;
        Ok(Batches { path: self.path.clone(), format: self.format, input })
    }
}

/// Record batches, one after the other.
pub struct Batches {
    path: PathBuf,
    format: Format,
    input: Input,
}

enum Input {
    Parquet(ParquetRecordBatchReader),
    File(Box<FileReader<BufReader<File>>>),
    Stream(Box<StreamReader<BufReader<File>>>),
}

impl Batches {
    pub fn next(&mut self) -> Result<Option<RecordBatch>, Error> {
        let Self { path, format, input } = self;
        let batch = guarded(path, *format, || match input {
            Input::Parquet(reader) => reader.next().transpose(),
            Input::File(reader) => reader.next().transpose(),
            Input::Stream(reader) => reader.next().transpose(),
        })?;
        Ok(batch)
    }
}

/// Parquet may be compressed in ways that are not read here.
fn check_compression(path: &Path, metadata: &ParquetMetaData) -> Result<(), Error> {
    let mut columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let unknown = columns.find_map(|column| match column.compression_codec() {
        unknown @ (CompressionCodec::BROTLI | CompressionCodec::LZO) => Some(unknown),
        _ => None,
    });
    match unknown {
        None => Ok(()),
        Some(unknown) => Err(Error::Format {
            path: path.into(),
            found: format!("this is Parquet compressed with {unknown:?}"),
            advice: "write it with Zstandard, Snappy, gzip or LZ4, or without compression",
        }),
    }
}

/// A stream may end anywhere between two batches. Only the mark tells that it ends where it should.
fn check_end_of_stream(path: &Path, file: &mut File) -> Result<(), Error> {
    let mut end = [0; END_OF_STREAM.len()];
    let read =
        file.seek(SeekFrom::End(-(end.len() as i64))).and_then(|_| file.read_exact(&mut end));
    read.and_then(|()| file.seek(SeekFrom::Start(0))).map_err(Error::io(path))?;
    if end != END_OF_STREAM {
        return Err(Error::Truncated {
            path: path.into(),
            what: "the stream, which has no mark at its end".into(),
        });
    }
    Ok(())
}

/// Runs what decodes bytes of a file. On some damaged files the decoders panic instead of saying
/// so; what they were reading with is dropped then, as after an error.
fn guarded<T>(
    path: &Path,
    format: Format,
    decode: impl FnOnce() -> Result<T, ArrowError>,
) -> Result<T, Error> {
    let name = if format == Format::Parquet { "Parquet" } else { "Arrow" };
    let damaged = |reason: String| Error::Damaged { path: path.into(), format: name, reason };
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(decoded)) => Ok(decoded),
        Ok(Err(ArrowError::IoError(what, source))) => Err(Error::read(path, name, what)(source)),
        Ok(Err(error)) => Err(damaged(error.to_string())),
        Err(_) => Err(damaged("the decoder gave up".into())),
    }
}
