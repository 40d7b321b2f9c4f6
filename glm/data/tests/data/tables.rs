//! Random tables, written in every format, and what must hold for each of them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use netfold_data::{Bounds, Columns, Features, Options, Samples, Source};
use npyz::WriterBuilder;
use proptest::prelude::*;

/// A table as the test knows it: for each row the values that it has, by column, and a label.
#[derive(Clone, Debug)]
pub struct Table {
    pub columns: u32,
    pub rows: Vec<Vec<(u32, f32)>>,
    pub labels: Vec<f64>,
}

/// Tables of up to 40 rows and 12 columns, with empty rows, zeros, and numbers of every size.
pub fn any_table() -> impl Strategy<Value = Table> {
    let finite32 = any::<f32>().prop_filter("finite", |value| value.is_finite());
    let finite64 = any::<f64>().prop_filter("finite", |value| value.is_finite());
    (1_u32..12, 0_usize..40).prop_flat_map(move |(columns, rows)| {
        let row = prop::collection::btree_map(0..columns, finite32.clone(), 0..=columns as usize);
        let rows_of = prop::collection::vec(row.prop_map(|row| row.into_iter().collect()), rows);
        let labels = prop::collection::vec(finite64.clone(), rows);
        (rows_of, labels).prop_map(move |(rows, labels)| Table { columns, rows, labels })
    })
}

pub fn any_bounds() -> impl Strategy<Value = Bounds> {
    (1_usize..50, 1_usize..2000).prop_map(|(rows, bytes)| Bounds { rows, bytes })
}

pub fn any_columns() -> impl Strategy<Value = Columns> {
    prop_oneof![
        (0_u32..14, 0_u32..14).prop_map(|(a, b)| Columns::Range(a.min(b)..a.max(b))),
        (1_u32..5)
            .prop_flat_map(|of| (0..of, Just(of)))
            .prop_map(|(first, of)| Columns::Dealt { first, of }),
    ]
}

impl Table {
    /// Row by row, with zeros where a row has no value.
    pub fn dense(&self) -> Vec<f32> {
        let mut values = vec![0.0; self.rows.len() * self.columns as usize];
        for (row, entries) in self.rows.iter().enumerate() {
            for (column, value) in entries {
                values[row * self.columns as usize + *column as usize] = *value;
            }
        }
        values
    }

    /// The starts of rows, the columns and the values.
    pub fn csr(&self) -> (Vec<i64>, Vec<i32>, Vec<f32>) {
        let mut indptr = vec![0];
        let (mut indices, mut values) = (Vec::new(), Vec::new());
        for row in &self.rows {
            indices.extend(row.iter().map(|(column, _)| *column as i32));
            values.extend(row.iter().map(|(_, value)| *value));
            indptr.push(values.len() as i64);
        }
        (indptr, indices, values)
    }

    /// The table with the columns for which `keep` says so, numbered again.
    fn only(&self, keep: impl Fn(u32) -> bool) -> Self {
        let kept: Vec<u32> = (0..self.columns).filter(|column| keep(*column)).collect();
        let row = |row: &Vec<(u32, f32)>| {
            let number = |column: u32| kept.iter().position(|known| *known == column);
            row.iter()
                .filter_map(|(column, value)| Some((number(*column)? as u32, *value)))
                .collect()
        };
        Self {
            columns: kept.len() as u32,
            rows: self.rows.iter().map(row).collect(),
            labels: self.labels.clone(),
        }
    }

    fn part(&self, samples: &Samples) -> Self {
        let rows = samples.first_row() as usize..samples.first_row() as usize + samples.rows();
        Self {
            columns: self.columns,
            rows: self.rows[rows.clone()].to_vec(),
            labels: self.labels[rows].to_vec(),
        }
    }
}

/// Checks every way to read a file that holds `table`.
pub fn check(path: &Path, options: &Options, table: &Table, bounds: Bounds, columns: &Columns) {
    let whole = Source::with(path, options.clone()).unwrap();
    assert_same(&whole.read().unwrap(), table);
    assert_same(&whole.read().unwrap(), table);
    assert_eq!(whole.features().unwrap(), table.columns as usize);
    assert_eq!(whole.rows().unwrap(), table.rows.len() as u64);

    let filtered = table.only(|column| match columns {
        Columns::Range(range) => range.contains(&column),
        Columns::Dealt { first, of } => column % of == *first,
        _ => true,
    });
    let options = Options { columns: columns.clone(), bounds, ..options.clone() };
    let source = Source::with(path, options.clone()).unwrap();
    assert_same(&source.read().unwrap(), &filtered);
    let starts = check_chunks(source.open().unwrap(), &filtered, table, bounds);
    assert!(starts.is_sorted());

    // Every worker cuts the same chunks, whatever it keeps.
    let all = Source::with(path, Options { columns: Columns::All, ..options }).unwrap();
    assert_eq!(check_chunks(all.open().unwrap(), table, table, bounds), starts);

    if let Ok(chunks) = source.open_shuffled(7) {
        let shuffled = check_chunks(chunks, &filtered, table, bounds);
        assert_eq!(check_chunks(all.open_shuffled(7).unwrap(), table, table, bounds), shuffled);
        let mut sorted = shuffled;
        sorted.sort_unstable();
        assert_eq!(sorted, starts);
    }
}

/// Checks that chunks are parts of the table, as long as the bounds let them be, and all of it.
/// `whole` is the table with all its columns. Gives their first rows.
fn check_chunks(
    chunks: netfold_data::Chunks<'_>,
    table: &Table,
    whole: &Table,
    bounds: Bounds,
) -> Vec<u64> {
    let mut starts = Vec::new();
    let mut rows = 0;
    for samples in chunks.map(Result::unwrap) {
        assert_same(&samples, &table.part(&samples));
        starts.push(samples.first_row());
        rows += samples.rows();

        // By the definition of `Bounds`.
        let row_bytes = |row: &Vec<(u32, f32)>| match samples.features() {
            Features::Dense(_) => 4 * whole.columns as usize + 8,
            Features::Csr(_) => 8 * row.len() + 16,
        };
        let bytes: Vec<usize> = whole.part(&samples).rows.iter().map(row_bytes).collect();
        let is_full = |rows: &[usize]| {
            rows.len() >= bounds.rows || rows.iter().sum::<usize>() >= bounds.bytes
        };
        let (_, but_last) = bytes.split_last().expect("a chunk has a row");
        let is_last = samples.first_row() as usize + samples.rows() == table.rows.len();
        assert!(!is_full(but_last) && (is_full(&bytes) || is_last), "{bounds:?}: {bytes:?}");
    }
    assert_eq!(rows, table.rows.len());
    starts
}

/// Bit by bit, so that a zero keeps its sign.
fn assert_same(samples: &Samples, table: &Table) {
    assert_eq!(
        (samples.rows(), samples.features().columns()),
        (table.rows.len(), table.columns as usize)
    );
    let bits64 = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    let bits32 = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits64(samples.labels()), bits64(&table.labels));
    match samples.features() {
        Features::Dense(dense) => assert_eq!(bits32(dense.values()), bits32(&table.dense())),
        Features::Csr(csr) => {
            let (indptr, indices, values) = table.csr();
            assert_eq!(csr.indptr(), indptr.iter().map(|start| *start as u64).collect::<Vec<_>>());
            assert_eq!(
                csr.indices(),
                indices.iter().map(|index| *index as u32).collect::<Vec<_>>()
            );
            assert_eq!(bits32(csr.values()), bits32(&values));
        }
    }
}

/// A file in a folder that goes with it.
pub struct TempFile {
    _folder: tempfile::TempDir,
    pub path: PathBuf,
}

impl TempFile {
    pub fn new(name: &str, write: impl FnOnce(&mut BufWriter<File>)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut file = BufWriter::new(File::create(&path).unwrap());
        write(&mut file);
        file.flush().unwrap();
        Self { _folder: folder, path }
    }

    pub fn with(name: &str, bytes: &[u8]) -> Self {
        Self::new(name, |file| file.write_all(bytes).unwrap())
    }
}

/// The bytes of an `.npy` file.
pub fn npy<T: npyz::AutoSerialize>(values: &[T], shape: &[u64], order: npyz::Order) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = npyz::WriteOptions::new()
        .default_dtype()
        .shape(shape)
        .order(order)
        .writer(&mut bytes)
        .begin_nd()
        .unwrap();
    writer.extend(values).unwrap();
    writer.finish().unwrap();
    bytes
}

/// An `.npz` file of these arrays.
pub fn npz(arrays: &[(&str, Vec<u8>)], compressed: bool) -> TempFile {
    TempFile::new("table.npz", |file| {
        let mut archive = zip::ZipWriter::new(file);
        let method = if compressed {
            zip::CompressionMethod::Deflated
        } else {
            zip::CompressionMethod::Stored
        };
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        for (name, bytes) in arrays {
            archive.start_file(format!("{name}.npy"), options).unwrap();
            archive.write_all(bytes).unwrap();
        }
        archive.finish().unwrap();
    })
}

/// An array of one string, as `numpy.array(b"csr")` is saved.
pub fn npy_text(text: &str) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '|S{}', 'fortran_order': False, 'shape': (), }}", text.len());
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(text.bytes());
    bytes
}
