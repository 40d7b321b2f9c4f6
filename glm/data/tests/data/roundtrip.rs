//! Round trips: samples written in any format are read back the same, whole, in chunks of any size,
//! with any columns, in any order.

use std::io::Write;
use std::sync::Arc;

use crate::columnar::{Kind, fixed_lists, lists, sparse_lists, write};
use arrow_array::{ArrayRef, Float32Array, Float64Array};

use crate::tables::{
    Table, TempFile, any_bounds, any_columns, any_table, check, npy, npy_text, npz,
};
use netfold_data::{
    Bounds, Columns, Csr, Dense, Features, Fields, IndexBase, Labels, Options, Samples, Source,
    write_libsvm,
};
use npyz::Order;
use proptest::prelude::*;

fn samples(table: &Table) -> Samples {
    let (indptr, indices, values) = table.csr();
    let indptr = indptr.into_iter().map(|start| start as u64).collect();
    let indices = indices.into_iter().map(|index| index as u32).collect();
    let csr = Csr::new(table.columns as usize, indptr, indices, values).unwrap();
    Samples::new(Features::Csr(csr), table.labels.clone()).unwrap()
}

fn libsvm_text(table: &Table, base: IndexBase) -> Vec<u8> {
    let mut text = Vec::new();
    write_libsvm(&samples(table), base, &mut text).unwrap();
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The columns of a dense table, one after the other.
fn by_columns<T: Copy>(values: &[T], columns: usize) -> Vec<T> {
    (0..columns).flat_map(|column| values.iter().skip(column).step_by(columns).copied()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn libsvm(
        table in any_table(), bounds in any_bounds(), columns in any_columns(),
        one in any::<bool>(), packing in 0..3, cut in any::<prop::sample::Index>(),
    ) {
        let base = if one { IndexBase::One } else { IndexBase::Zero };
        let text = libsvm_text(&table, base);
        let bytes = match packing {
            0 => text,
            // Several members are one text.
            1 => { let (head, tail) = text.split_at(cut.index(text.len() + 1)); [gzip(head), gzip(tail)].concat() }
            _ => zstd::encode_all(text.as_slice(), 1).unwrap(),
        };
        let file = TempFile::with("table.svm", &bytes);
        let options = Options { features: Some(table.columns as usize), index_base: base, ..Options::default() };
        check(&file.path, &options, &table, bounds, &columns);
        prop_assert_eq!(Source::with(&file.path, options).unwrap().open_shuffled(1).is_err(), packing > 0);
    }

    #[test]
    fn libsvm_that_says_nothing_about_itself(
        mut table in any_table(), bounds in any_bounds(), columns in any_columns(), one in any::<bool>(),
    ) {
        // The first and the last column are there: the file tells how wide it is and from where it
        // counts.
        table.rows.push((0..table.columns).map(|column| (column, 1.5)).collect());
        table.labels.push(-1.0);
        let file = TempFile::with("table", &libsvm_text(&table, if one { IndexBase::One } else { IndexBase::Zero }));
        check(&file.path, &Options::default(), &table, bounds, &columns);
    }

    #[test]
    fn npy_of_either_order(
        table in any_table(), bounds in any_bounds(), columns in any_columns(),
        fortran in any::<bool>(), place in 0..3, at in any::<prop::sample::Index>(),
    ) {
        let (rows, width) = (table.labels.len(), table.columns as usize);
        let mut values: Vec<f64> = table.dense().into_iter().map(f64::from).collect();
        let labels = TempFile::with("labels.npy", &npy(&table.labels, &[rows as u64], Order::C));
        let (labels, table, width) = match place {
            0 => (Labels::File(labels.path.clone()), table, width),
            1 => (Labels::Absent, Table { labels: vec![], ..table }, width),
            _ => {
                let at = at.index(width + 1);
                for row in (0..rows).rev() {
                    values.insert(row * width + at, table.labels[row]);
                }
                (Labels::Column(at), table, width + 1)
            }
        };
        if fortran {
            values = by_columns(&values, width);
        }
        let order = if fortran { Order::Fortran } else { Order::C };
        let file = TempFile::with("table.npy", &npy(&values, &[rows as u64, width as u64], order));
        if table.labels.is_empty() {
            let read = Source::with(&file.path, Options { labels, ..Options::default() }).unwrap().read().unwrap();
            prop_assert!(read.labels().is_empty());
        } else {
            check(&file.path, &Options { labels, ..Options::default() }, &table, bounds, &columns);
        }
    }

    #[test]
    fn npz_compressed_or_not(
        table in any_table(), bounds in any_bounds(), columns in any_columns(), compressed in any::<bool>(), named in any::<bool>(),
    ) {
        let rows = table.labels.len() as u64;
        let name = if named { "target" } else { "y" };
        let features = npy(&table.dense(), &[rows, u64::from(table.columns)], Order::C);
        let file = npz(&[("features", features), (name, npy(&table.labels, &[rows, 1], Order::C))], compressed);
        let labels = if named { Labels::Named("target".into()) } else { Labels::Usual };
        check(&file.path, &Options { labels, ..Options::default() }, &table, bounds, &columns);
    }

    #[test]
    fn sparse_npz(
        table in any_table(), bounds in any_bounds(), columns in any_columns(), compressed in any::<bool>(), form in 0..3,
        shuffle in any::<u64>(),
    ) {
        let rows = table.labels.len();
        let (indptr, indices, values) = table.csr();
        let shape = npy(&[rows as i64, i64::from(table.columns)], &[2], Order::C);
        let one = |values: &[i32]| npy(values, &[values.len() as u64], Order::C);
        let floats = |values: &[f32]| npy(values, &[values.len() as u64], Order::C);
        let mut entries: Vec<(u32, u32, f32)> = (0_u32..)
            .zip(&table.rows)
            .flat_map(|(row, entries)| entries.iter().map(move |(column, value)| (row, *column, *value)))
            .collect();
        let file = match form {
            0 => npz(&[
                ("indices", one(&indices)), ("indptr", npy(&indptr, &[indptr.len() as u64], Order::C)),
                ("format", npy_text("csr")), ("shape", shape), ("data", floats(&values)),
            ], compressed),
            1 => {
                entries.sort_by_key(|(row, column, _)| (*column, *row));
                let starts: Vec<i32> = (0..=table.columns)
                    .map(|column| entries.iter().filter(|entry| entry.1 < column).count() as i32)
                    .collect();
                npz(&[
                    ("indices", one(&entries.iter().map(|entry| entry.0 as i32).collect::<Vec<_>>())),
                    ("indptr", one(&starts)), ("format", npy_text("csc")), ("shape", shape),
                    ("data", floats(&entries.iter().map(|entry| entry.2).collect::<Vec<_>>())),
                ], compressed)
            }
            _ => {
                entries.sort_by_key(|entry| (u64::from(entry.0) * 31 + u64::from(entry.1)).wrapping_mul(shuffle | 1));
                npz(&[
                    ("row", one(&entries.iter().map(|entry| entry.0 as i32).collect::<Vec<_>>())),
                    ("col", one(&entries.iter().map(|entry| entry.1 as i32).collect::<Vec<_>>())),
                    ("format", npy_text("coo")), ("shape", shape),
                    ("data", floats(&entries.iter().map(|entry| entry.2).collect::<Vec<_>>())),
                ], compressed)
            }
        };
        let labels = TempFile::with("labels.npy", &npy(&table.labels, &[rows as u64], Order::C));
        let options = Options { labels: Labels::File(labels.path.clone()), ..Options::default() };
        check(&file.path, &options, &table, bounds, &columns);
    }

    #[test]
    fn columns_of_numbers(
        table in any_table(), bounds in any_bounds(), columns in any_columns(), kind in 0..3, batch in 1_usize..20,
        label_at in any::<prop::sample::Index>(), vectors in 0..4,
    ) {
        let kind = [Kind::Parquet, Kind::File, Kind::Stream][kind as usize];
        let (values, width) = (table.dense(), table.columns as usize);
        let column = |from: usize, to: usize| -> Vec<Vec<f32>> {
            values.chunks(width).map(|row| row[from..to].to_vec()).collect()
        };
        // The first half of the features as one vector of either kind, the others as columns.
        let half = if vectors == 0 || table.rows.is_empty() { 0 } else { width / 2 };
        let mut fields: Vec<(String, ArrayRef)> = Vec::new();
        if half > 0 {
            fields.push(("v".into(), if vectors == 1 { fixed_lists(&column(0, half), half) } else { lists(&column(0, half)) }));
        }
        for feature in half..width {
            let scalars: Vec<f32> = column(feature, feature + 1).concat();
            let array: ArrayRef = match feature % 2 {
                0 => Arc::new(Float32Array::from(scalars)),
                _ => Arc::new(Float64Array::from_iter_values(scalars.into_iter().map(f64::from))),
            };
            fields.push((format!("x{feature}"), array));
        }
        let names: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
        let at = label_at.index(fields.len() + 1);
        fields.insert(at, ("target".into(), Arc::new(Float64Array::from(table.labels.clone()))));
        fields.push(("text".into(), Arc::new(arrow_array::StringArray::from(vec!["a"; table.rows.len()]))));
        let file = write(kind, fields, batch);
        check(&file.path, &Options::default(), &table, bounds, &columns);
        let source = Source::new(&file.path).unwrap();
        prop_assert_eq!(source.left_out(), ["`text` (Utf8)"]);
        let options = Options { labels: Labels::Column(at), fields: Fields::Named(names.clone()), ..Options::default() };
        check(&file.path, &options, &table, bounds, &columns);
        let taken = Source::with(&file.path, options).unwrap().fields();
        prop_assert_eq!(taken.into_iter().map(|field| field.name).collect::<Vec<_>>(), names);
    }

    #[test]
    fn pairs_of_lists(
        mut table in any_table(), bounds in any_bounds(), columns in any_columns(), kind in 0..3, batch in 1_usize..20,
        given in any::<bool>(), outside in any::<bool>(),
    ) {
        if !given {
            // The last column is there: the file tells how wide it is.
            table.rows.push(vec![(table.columns - 1, 0.5)]);
            table.labels.push(3.0);
        }
        let (indices, values) = sparse_lists(&table.rows);
        let mut fields: Vec<(String, ArrayRef)> = vec![("indices".into(), indices), ("values".into(), values)];
        let label_file = TempFile::with("labels.npy", &npy(&table.labels, &[table.labels.len() as u64], Order::C));
        let labels = if outside {
            Labels::File(label_file.path.clone())
        } else {
            fields.insert(0, ("label".into(), Arc::new(Float64Array::from(table.labels.clone()))));
            Labels::Usual
        };
        let file = write([Kind::Parquet, Kind::File, Kind::Stream][kind as usize], fields, batch);
        let features = given.then_some(table.columns as usize);
        check(&file.path, &Options { features, labels: labels.clone(), ..Options::default() }, &table, bounds, &columns);
        let fields = Fields::Sparse { indices: "indices".into(), values: "values".into() };
        check(&file.path, &Options { features, fields, labels, ..Options::default() }, &table, bounds, &columns);
    }

    #[test]
    fn every_type_of_array(values in prop::collection::vec(0_u8..=127, 12), version in 1_u8..=3, big in any::<bool>()) {
        let numbers = |convert: &dyn Fn(u8) -> Vec<u8>| values.iter().flat_map(|value| {
            let mut raw = convert(*value);
            if big { raw.reverse(); }
            raw
        }).collect::<Vec<u8>>();
        let types: [(&str, Vec<u8>); 12] = [
            ("i1", numbers(&|v| (v as i8).to_le_bytes().to_vec())),
            ("i2", numbers(&|v| i16::from(v).to_le_bytes().to_vec())),
            ("i4", numbers(&|v| i32::from(v).to_le_bytes().to_vec())),
            ("i8", numbers(&|v| i64::from(v).to_le_bytes().to_vec())),
            ("u1", numbers(&|v| v.to_le_bytes().to_vec())),
            ("u2", numbers(&|v| u16::from(v).to_le_bytes().to_vec())),
            ("u4", numbers(&|v| u32::from(v).to_le_bytes().to_vec())),
            ("u8", numbers(&|v| u64::from(v).to_le_bytes().to_vec())),
            ("f2", numbers(&|v| half::f16::from_f32(f32::from(v)).to_le_bytes().to_vec())),
            ("f4", numbers(&|v| f32::from(v).to_le_bytes().to_vec())),
            ("f8", numbers(&|v| f64::from(v).to_le_bytes().to_vec())),
            ("b1", numbers(&|v| vec![u8::from(v > 63)])),
        ];
        for (name, raw) in types {
            let order = if name.ends_with('1') { '|' } else if big { '>' } else { '<' };
            let mut header = format!("{{'descr': '{order}{name}', 'fortran_order': False, 'shape': (4, 3), }}");
            header.push('\n');
            let mut bytes = b"\x93NUMPY".to_vec();
            bytes.extend([version, 0]);
            if version == 1 {
                bytes.extend((header.len() as u16).to_le_bytes());
            } else {
                bytes.extend((header.len() as u32).to_le_bytes());
            }
            bytes.extend(header.bytes());
            bytes.extend(raw);
            let file = TempFile::with("table.npy", &bytes);
            let options = Options { labels: Labels::Absent, ..Options::default() };
            let read = Source::with(&file.path, options).unwrap().read().unwrap();
            let expected: Vec<f32> = values.iter().map(|v| if name == "b1" { f32::from(u8::from(*v > 63)) } else { f32::from(*v) }).collect();
            let Features::Dense(dense) = read.features() else { panic!("an array is dense") };
            prop_assert_eq!(dense.values(), expected, "{}", name);
        }
    }
}

#[test]
fn zeros_of_dense_samples_are_not_written() {
    let dense = Dense::new(2, 3, vec![0.0, 2.5, 0.0, -1.0, 0.0, 3.0]).unwrap();
    let samples = Samples::new(Features::Dense(dense), vec![1.0, -1.0]).unwrap();
    let mut text = Vec::new();
    write_libsvm(&samples, IndexBase::Auto, &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "1 2:2.5\n-1 1:-1 3:3\n");
}

#[test]
fn classes_are_found_over_all_chunks() {
    let file = TempFile::with("table.svm", b"3 1:1\n1 2:1\n3\n-2.5 1:1\n");
    let bounds = Bounds { rows: 1, ..Bounds::default() };
    let columns = Columns::Dealt { first: 1, of: 2 };
    let source =
        Source::with(&file.path, Options { bounds, columns, ..Options::default() }).unwrap();
    assert_eq!(source.classes().unwrap().labels(), [-2.5, 1.0, 3.0]);
}

#[test]
fn a_line_longer_than_the_buffer_is_one_row() {
    let entries: Vec<(u32, f32)> = (0..60_000).map(|column| (column, 0.25)).collect();
    let table = Table {
        columns: 60_000,
        rows: vec![entries.clone(), vec![], entries],
        labels: vec![1.0, 2.0, 3.0],
    };
    let file = TempFile::with("table.svm", &libsvm_text(&table, IndexBase::Zero));
    let bounds = Bounds { rows: 2, ..Bounds::default() };
    check(&file.path, &Options::default(), &table, bounds, &Columns::Range(5..30_000));
}
