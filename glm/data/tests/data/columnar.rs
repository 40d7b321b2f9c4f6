//! Parquet and Arrow files of given columns.

use std::fs::File;
use std::io::BufWriter;
use std::sync::Arc;

use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{ArrayRef, FixedSizeListArray, LargeListArray, ListArray, RecordBatch};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::tables::TempFile;

/// A format of tables with named columns.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Parquet,
    File,
    Stream,
}

/// A file with these columns, in batches (or row groups) of so many rows. The compression depends
/// on the number of rows, so that all are seen.
pub fn write(kind: Kind, columns: Vec<(String, ArrayRef)>, batch_rows: usize) -> TempFile {
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, array)| Field::new(name, array.data_type().clone(), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let arrays: Vec<ArrayRef> = columns.into_iter().map(|(_, array)| array).collect();
    let all = RecordBatch::try_new(schema.clone(), arrays).unwrap();
    let batches: Vec<RecordBatch> = (0..all.num_rows())
        .step_by(batch_rows)
        .map(|start| all.slice(start, batch_rows.min(all.num_rows() - start)))
        .collect();
    let body =
        [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)][batch_rows % 3];
    let options = IpcWriteOptions::default().try_with_compression(body).unwrap();
    let name = match kind {
        Kind::Parquet => "table.parquet",
        Kind::File => "table.feather",
        Kind::Stream => "table.arrows",
    };
    TempFile::new(name, |file: &mut BufWriter<File>| match kind {
        Kind::Parquet => {
            let pages = [
                Compression::UNCOMPRESSED,
                Compression::SNAPPY,
                Compression::GZIP(Default::default()),
                Compression::LZ4_RAW,
                Compression::ZSTD(ZstdLevel::default()),
            ];
            let properties = WriterProperties::builder()
                .set_compression(pages[batch_rows % pages.len()])
                .set_max_row_group_row_count(Some(batch_rows))
                .build();
            let mut writer = ArrowWriter::try_new(file, schema, Some(properties)).unwrap();
            writer.write(&all).unwrap();
            writer.close().unwrap();
        }
        Kind::File => {
            let mut writer = FileWriter::try_new_with_options(file, &schema, options).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
        }
        Kind::Stream => {
            let mut writer = StreamWriter::try_new_with_options(file, &schema, options).unwrap();
            batches.iter().for_each(|batch| writer.write(batch).unwrap());
            writer.finish().unwrap();
        }
    })
}

/// Vectors of one length, in the type that says so.
pub fn fixed_lists(rows: &[Vec<f32>], width: usize) -> ArrayRef {
    let rows = rows.iter().map(|row| Some(row.iter().map(|value| Some(*value))));
    Arc::new(FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(rows, width as i32))
}

/// Lists of any length.
pub fn lists(rows: &[Vec<f32>]) -> ArrayRef {
    let rows = rows.iter().map(|row| Some(row.iter().map(|value| Some(*value))));
    Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(rows))
}

/// The columns and the values of sparse rows.
pub fn sparse_lists(rows: &[Vec<(u32, f32)>]) -> (ArrayRef, ArrayRef) {
    let indices = rows.iter().map(|row| Some(row.iter().map(|(column, _)| Some(*column as i32))));
    let indices = LargeListArray::from_iter_primitive::<Int32Type, _, _>(indices);
    let values: Vec<Vec<f32>> =
        rows.iter().map(|row| row.iter().map(|(_, value)| *value).collect()).collect();
    (Arc::new(indices), lists(&values))
}
