//! Refusals: their places, reasons and remedies.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use crate::columnar::{Kind, write};
use crate::tables::{TempFile, npy, npy_text, npz};
use arrow_array::types::{Float32Type, Int64Type};
use arrow_array::{ArrayRef, Float64Array, Int32Array, ListArray, StringArray};
use netfold_data::{
    Bounds, Columns, Compression, Csr, Error, Features, Fields, Format, IndexBase, Labels, Options,
    Samples, Source,
};
use npyz::Order;
use proptest::prelude::*;

fn read(path: &Path, options: &Options) -> Result<Samples, Error> {
    Source::with(path, options.clone())?.read()
}

/// Checks that reading whole and in chunks is refused, with all these words.
pub fn assert_refused(path: &Path, options: &Options, words: &[&str]) -> Error {
    let error = read(path, options).expect_err(&words.concat());
    let message = error.to_string();
    for word in words {
        assert!(message.contains(word), "`{word}` is not in: {message}");
    }
    let chunked = Source::with(path, options.clone()).and_then(|source| {
        let chunks: Result<Vec<Samples>, Error> = source.open()?.collect();
        chunks.map(drop)
    });
    assert_eq!(chunked.expect_err("in chunks").to_string(), message);
    error
}

pub fn absent() -> Options {
    Options { labels: Labels::Absent, ..Options::default() }
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_bad_line_is_named_with_line_and_column() {
    for (text, words) in [
        ("# head\n1 1:1\n\n1 2:x\n", [":4:5: ", "a number after `:`", "`x`"]),
        ("1 1:1\n1 3:1 2:1", [":2:7: ", "above the one before", "`2:1`"]),
        ("1 1:1\n1 3:1 3:1\n", [":2:7: ", "above the one before", "`3:1`"]),
        ("1 1:1\n1 4294967296:1\n", [":2:3: ", "32 bits", "`4294967296:1`"]),
        ("1 1:nan\n", [":1:5: ", "finite", "`nan`"]),
        ("1 1:1 2:1e99\n", [":1:9: ", "32-bit", "`1e99`"]),
        ("1 1:1\r\n1 2:\r\n", [":2:5: ", "a number", "a space"]),
        ("1 1:1\n1 2", [":2:4: ", "`:`", "the end of the line"]),
        ("1 1:1\n1 \u{ff}:2", [":2:3: ", "an index", "`\u{fffd}"]),
    ] {
        let bytes: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
        for (name, bytes) in [("table.svm", bytes.clone()), ("table.svm.gz", gzip(&bytes))] {
            let file = TempFile::with(name, &bytes);
            let error = assert_refused(&file.path, &Options::default(), &words[..2]);
            assert!(matches!(error, Error::Line { .. }), "{error:?}");
            if text.is_ascii() {
                assert!(error.to_string().contains(words[2]), "{error}");
            }
        }
    }
}

#[test]
fn rows_before_a_bad_line_are_given_and_none_after() {
    let file = TempFile::with("table.svm", b"1 1:1\n2 1:2\n3 bad\n4 1:4\n");
    let bounds = Bounds { rows: 1, ..Bounds::default() };
    let options =
        Options { bounds, features: Some(1), index_base: IndexBase::One, ..Options::default() };
    let source = Source::with(&file.path, options).unwrap();
    let mut chunks = source.open().unwrap();
    assert_eq!(chunks.next().unwrap().unwrap().labels(), [1.0]);
    assert_eq!(chunks.next().unwrap().unwrap().labels(), [2.0]);
    assert!(matches!(chunks.next(), Some(Err(Error::Line { line: 3, .. }))));
    assert!(chunks.next().is_none());
}

#[test]
fn indices_must_be_as_was_said() {
    let file = TempFile::with("table.svm", b"1 0:1 4:1\n");
    let options = Options { index_base: IndexBase::One, ..Options::default() };
    assert_refused(&file.path, &options, &[":1:3: ", "from 1"]);
    for index_base in [IndexBase::Zero, IndexBase::Auto] {
        let options = Options { index_base, features: Some(4), ..Options::default() };
        assert_refused(&file.path, &options, &["features"]);
        let options = Options { features: Some(5), ..options };
        assert_eq!(read(&file.path, &options).unwrap().features().columns(), 5);
    }
}

#[test]
fn compressed_text_that_is_cut_or_changed_is_seen() {
    let text: String = (0..2000).map(|row| format!("{row} 1:{row}\n")).collect();
    for (name, whole) in
        [("gzip", gzip(text.as_bytes())), ("zstd", zstd::encode_all(text.as_bytes(), 1).unwrap())]
    {
        for cut in [1, 8, whole.len() / 2, whole.len() - 20] {
            let file = TempFile::with("table.svm", &whole[..whole.len() - cut]);
            let error = read(&file.path, &Options::default()).unwrap_err();
            assert!(matches!(error, Error::Truncated { .. }), "{name} less {cut}: {error}");
            assert!(error.to_string().contains("after line"), "{error}");
        }
        let mut changed = whole.clone();
        let middle = changed.len() - 6;
        changed[middle] ^= 0x55;
        let file = TempFile::with("table.svm", &changed);
        assert!(read(&file.path, &Options::default()).is_err(), "{name}");
    }
}

#[test]
fn formats_that_are_not_read_are_named() {
    for (name, bytes, words) in [
        ("a.csv", &b"a,b\n1,2\n"[..], &["csv", "pyarrow.csv.read_csv"][..]),
        ("a.txt", b"# x\n1.5,2\n", &["CSV", "pyarrow.csv.read_csv"]),
        ("a.h5", b"\x89HDF\r\n\x1a\n....", &["HDF5", "numpy.save"]),
        ("a.feather", b"FEA1....", &["version 1", "version 2"]),
        ("a.svm.bz2", b"BZh9....", &["bzip2", "gzip or zstd"]),
        ("a.pkl", b"\x80\x04\x95....", &["pickle", "numpy.save"]),
        ("a.bin", b"\x01\x00\x02", &["no text", "libsvm text, .npy"]),
        ("a.parquet", b"1 1:1\n", &["Parquet", "does not begin like one"]),
        ("a.npy", b"", &["empty"]),
        (
            "a.npy",
            b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            &["NumPy array (.npy)", ".npz"],
        ),
    ] {
        let file = TempFile::with(name, bytes);
        let error = assert_refused(&file.path, &absent(), words);
        assert!(matches!(error, Error::Format { .. }), "{error:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_refused(folder.path(), &absent(), &["no file"]);
    assert!(matches!(Source::new(folder.path().join("none")), Err(Error::Io { .. })));
    let text = TempFile::with("a.svm", b"1 1:1\n");
    assert_refused(
        &text.path,
        &Options { format: Some(Format::Npy), ..absent() },
        &["taken for NumPy"],
    );
    let text = TempFile::with("a.npy", b"1 1:1\n");
    let source =
        Source::with(&text.path, Options { format: Some(Format::Libsvm), ..absent() }).unwrap();
    assert_eq!((source.format(), source.compression()), (Format::Libsvm, Compression::Plain));
    assert_eq!(source.read().unwrap().rows(), 1);
}

#[test]
fn options_without_a_use_are_refused() {
    let text = TempFile::with("a.svm", b"1 1:1\n");
    let array = TempFile::with("a.npy", &npy(&[1.0_f32], &[1, 1], Order::C));
    let names = Fields::Named(vec!["x".into()]);
    for (path, options, word) in [
        (&text.path, Options { fields: names.clone(), ..Options::default() }, "names of features"),
        (
            &text.path,
            Options { labels: Labels::Column(0), ..Options::default() },
            "begin each line",
        ),
        (&array.path, Options { index_base: IndexBase::One, ..absent() }, "base"),
        (
            &array.path,
            Options { labels: Labels::Named("y".into()), ..Options::default() },
            "name of labels",
        ),
        (&array.path, Options { features: Some(2), ..absent() }, "1 features, not the 2"),
        (
            &text.path,
            Options { columns: Columns::Dealt { first: 3, of: 2 }, ..Options::default() },
            "dealt to 2",
        ),
        (
            &text.path,
            Options { bounds: Bounds { rows: 0, bytes: 1 }, ..Options::default() },
            "0 rows",
        ),
    ] {
        assert_refused(path, &options, &[word]);
    }
}

#[test]
fn arrays_that_are_not_tables_of_numbers() {
    let whole = npy(&[1.0_f32; 6], &[2, 3], Order::C);
    let header = |descr: &str, shape: &str| {
        let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.bytes());
        bytes
    };
    for (bytes, words) in [
        (whole[..whole.len() - 1].to_vec(), ["ends in the middle", "[2, 3]"]),
        (whole[..20].to_vec(), ["ends in the middle", "header"]),
        (whole[..7].to_vec(), ["ends in the middle", "header"]),
        (b"\x93NUMPY\x04\x00 4567890".to_vec(), ["header", "version"]),
        (b"\x93NUMPY\x01\x00\x03\x00{} ".to_vec(), ["header", "without `fortran_order`"]),
        (b"\x93NUMPY\x01\x00\x03\x00{x ".to_vec(), ["header", "literal"]),
        (b"\x93NUMPY\x02\x00\x00\x00\x01\x00{ ".to_vec(), ["header", "10,000"]),
        (header("'<f4'", "(2, -3)"), ["header", "`shape`"]),
        (
            header("'<f4'", "(9223372036854775807, 4)"),
            ["ends in the middle", "9223372036854775807"],
        ),
        (header("'|O'", "(1, 1)"), ["`|O`", "astype"]),
        (header("'<c8'", "(1, 1)"), ["`<c8`", "astype"]),
        (header("[('a', '<f4')]", "(1,)"), ["records", "one array"]),
        (header("'<f4'", "(0, 0)"), ["no columns", "features"]),
        (npy(&[1.0_f32; 6], &[6], Order::C), ["1 dimensions", "reshape"]),
        (npy(&[1.0_f32; 8], &[2, 2, 2], Order::C), ["3 dimensions", "reshape"]),
        (npy(&[1.0, f32::NAN], &[1, 2], Order::C), ["row 0 (from 0), column 1", "not finite"]),
        (npy(&[1.0, 1e300], &[2, 1], Order::C), ["row 1 (from 0), column 0", "32-bit"]),
    ] {
        let file = TempFile::with("a.npy", &bytes);
        assert_refused(&file.path, &absent(), &words);
    }
    let file = TempFile::with("a.npy", &npy(&[1.0, f32::NAN], &[1, 2], Order::C));
    assert!(read(&file.path, &Options { non_finite: true, ..absent() }).is_ok());
    for (labels, word) in [(vec![1.0, 2.0], "2 labels"), (vec![f64::NAN], "label is NaN")] {
        let labels = TempFile::with("y.npy", &npy(&labels, &[labels.len() as u64], Order::C));
        let file = TempFile::with("a.npy", &npy(&[1.0_f32], &[1, 1], Order::C));
        let labels = Labels::File(labels.path.clone());
        assert_refused(&file.path, &Options { labels, ..Options::default() }, &[word]);
    }
    let file = TempFile::with("a.npy", &whole);
    assert_refused(
        &file.path,
        &Options { labels: Labels::Column(3), ..Options::default() },
        &["no column 3"],
    );
}

#[test]
fn archives_that_are_damaged_or_unclear() {
    let table = npy(&[0.5_f32; 400], &[20, 20], Order::C);
    let two = npz(&[("a", table.clone()), ("b", table.clone())], false);
    assert_refused(&two.path, &absent(), &["`a`, `b`", "2 of them"]);
    assert_refused(&two.path, &Options::default(), &["no array `y`"]);
    let named = Options { labels: Labels::Named("c".into()), ..Options::default() };
    assert_refused(&two.path, &named, &["no `c`"]);

    let file = npz(&[("a", table)], false);
    let mut bytes = std::fs::read(&file.path).unwrap();
    let at = bytes.windows(4).position(|window| window == 0.5_f32.to_le_bytes()).unwrap();
    bytes[at] ^= 1;
    let changed = TempFile::with("a.npz", &bytes);
    assert_refused(&changed.path, &absent(), &["checksum", "make the file again"]);
    let cut = TempFile::with("a.npz", &bytes[..bytes.len() - 30]);
    assert_refused(&cut.path, &absent(), &["zip"]);

    // Compressed columns cannot be cut into rows, but read as a whole.
    let fortran = npz(&[("a", npy(&[1.0_f32; 8], &[4, 2], Order::Fortran))], true);
    let options = Options { bounds: Bounds { rows: 2, ..Bounds::default() }, ..absent() };
    let source = Source::with(&fortran.path, options).unwrap();
    assert_eq!(source.read().unwrap().rows(), 4);
    let error = source.open().unwrap().next().unwrap().unwrap_err().to_string();
    assert!(error.contains("ascontiguousarray"), "{error}");
}

#[test]
fn sparse_matrices_that_break_a_promise() {
    let one = |values: &[i64]| npy(values, &[values.len() as u64], Order::C);
    let floats = |values: &[f64]| npy(values, &[values.len() as u64], Order::C);
    let csr = |indptr: &[i64], indices: &[i64], data: &[f64], shape: [i64; 2]| {
        npz(
            &[
                ("indices", one(indices)),
                ("indptr", one(indptr)),
                ("format", npy_text("csr")),
                ("shape", one(&shape)),
                ("data", floats(data)),
            ],
            false,
        )
    };
    for (file, words) in [
        (csr(&[0, 1, 3], &[0, 1, 1], &[1.0; 3], [2, 3]), &["row 1 (from 0), column 1", "rise"][..]),
        (
            csr(&[0, 1, 3], &[0, 2, 1], &[1.0; 3], [2, 3]),
            &["row 1 (from 0), column 1", "sum_duplicates"],
        ),
        (csr(&[0, 1], &[3], &[1.0], [1, 3]), &["row 0 (from 0), column 3", "3 columns"]),
        (csr(&[0, 1], &[-1], &[1.0], [1, 3]), &["column -1", "from 0"]),
        (csr(&[0, 2, 1], &[0], &[1.0], [2, 3]), &["indptr", "rise"]),
        (csr(&[0, 1], &[0], &[1.0], [2, 3]), &["2 starts for 2 rows"]),
        (csr(&[0, 2], &[0], &[1.0], [1, 3]), &["indptr", "to 1 at most"]),
        (csr(&[0, 2], &[0], &[1.0, 2.0], [1, 3]), &["1 indices for 2 values"]),
        (csr(&[0, 1], &[0], &[f64::INFINITY], [1, 3]), &["row 0 (from 0), column 0", "finite"]),
        (csr(&[0, 1], &[0], &[1.0], [1, 1 << 32]), &["4294967296 features are too many"]),
        (csr(&[0, 1], &[0], &[1.0], [1, -3]), &["1 by -3"]),
    ] {
        assert_refused(&file.path, &absent(), words);
    }
    let missing = npz(&[("format", npy_text("csr")), ("shape", one(&[1, 1]))], false);
    assert_refused(&missing.path, &absent(), &["no `indices`"]);
    let coo = npz(
        &[
            ("row", one(&[2])),
            ("col", one(&[0])),
            ("format", npy_text("coo")),
            ("shape", one(&[2, 2])),
            ("data", floats(&[1.0])),
        ],
        true,
    );
    assert_refused(&coo.path, &absent(), &["row 2, column 0", "2 by 2"]);
}

#[test]
fn columns_that_cannot_be_taken() {
    let numbers = |values: Vec<Option<f64>>| -> ArrayRef { Arc::new(Float64Array::from(values)) };
    let lists = |rows: Vec<Option<Vec<Option<f32>>>>| -> ArrayRef {
        Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(rows))
    };
    let indices = |rows: Vec<Vec<i64>>| -> ArrayRef {
        let rows = rows.into_iter().map(|row| Some(row.into_iter().map(Some).collect::<Vec<_>>()));
        Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(rows))
    };
    let some = |values: &[f32]| Some(values.iter().map(|value| Some(*value)).collect::<Vec<_>>());
    let y: ArrayRef = Arc::new(Int32Array::from(vec![0, 1, 2]));
    let good = || numbers(vec![Some(1.0); 3]);
    let named = |columns: Vec<(&str, ArrayRef)>| -> Vec<(String, ArrayRef)> {
        columns.into_iter().map(|(name, array)| (name.to_owned(), array)).collect()
    };
    let sparse = |rows: Vec<Vec<i64>>| {
        let values = lists(rows.iter().map(|row| some(&vec![1.0; row.len()])).collect());
        vec![("indices", indices(rows)), ("values", values), ("y", y.clone())]
    };
    let cases = vec![
        (
            vec![("x", numbers(vec![Some(1.0), Some(2.0), None])), ("y", y.clone())],
            vec!["row 2 (from 0), column `x`", "null"],
        ),
        (
            vec![("x", good()), ("y", numbers(vec![Some(1.0), None, None]))],
            vec!["row 1 (from 0), column `y`", "null"],
        ),
        (
            vec![("x", numbers(vec![Some(1.0), Some(1e99), Some(1.0)])), ("y", y.clone())],
            vec!["row 1 (from 0), column `x`", "finite"],
        ),
        (
            vec![("x", good()), ("y", numbers(vec![Some(1.0), Some(f64::NAN), Some(1.0)]))],
            vec!["row 1 (from 0), column `y`", "label"],
        ),
        (
            vec![("x", good()), ("label", y.clone()), ("target", y.clone())],
            vec!["`label`, `target` are all named like labels", "say which"],
        ),
        (
            [sparse(vec![vec![0], vec![1], vec![]]), vec![("w", good())]].concat(),
            vec!["`indices` and `values` are sparse rows", "`w` (Float64)", "leave these out"],
        ),
        (
            vec![("x", good()), ("z", y.clone())],
            vec!["no such column of labels", "`x` (Float64), `z` (Int32)"],
        ),
        (
            vec![("x", good()), ("y", Arc::new(StringArray::from(vec!["a"; 3])))],
            vec!["column `y` are Utf8", "give each class a number"],
        ),
        (
            vec![("x", Arc::new(StringArray::from(vec!["a"; 3]))), ("y", y.clone())],
            vec!["no column of numbers"],
        ),
        (
            vec![
                ("v", lists(vec![some(&[1.0, 2.0]), some(&[1.0]), some(&[1.0, 2.0])])),
                ("y", y.clone()),
            ],
            vec!["row 1 (from 0), column `v`", "1 values, the first one 2"],
        ),
        (
            vec![("v", lists(vec![some(&[1.0]), some(&[1.0]), None])), ("y", y.clone())],
            vec!["row 2 (from 0), column `v`", "null"],
        ),
        (
            vec![
                ("v", lists(vec![some(&[1.0]), Some(vec![None]), some(&[1.0])])),
                ("y", y.clone()),
            ],
            vec!["row 1 (from 0), column `v`", "null"],
        ),
        (
            sparse(vec![vec![0], vec![0, 3, 2], vec![]]),
            vec!["row 1 (from 0), column `indices`", "2 is not above"],
        ),
        (
            sparse(vec![vec![0], vec![], vec![3, 3]]),
            vec!["row 2 (from 0), column `indices`", "3 is not above"],
        ),
        (
            sparse(vec![vec![-1], vec![], vec![]]),
            vec!["row 0 (from 0), column `indices`", "below 0"],
        ),
        (
            sparse(vec![vec![0], vec![1 << 32], vec![]]),
            vec!["row 1 (from 0), column `indices`", "4294967296"],
        ),
        (
            vec![
                ("indices", indices(vec![vec![0], vec![1], vec![]])),
                ("values", lists(vec![some(&[1.0]), some(&[]), some(&[1.0])])),
                ("y", y.clone()),
            ],
            vec!["row 1 (from 0), column `indices`", "as many indices as values"],
        ),
    ];
    for (columns, words) in cases {
        for (kind, batch) in [(Kind::Parquet, 2), (Kind::File, 1), (Kind::Stream, 3)] {
            let file = write(kind, named(columns.clone()), batch);
            let error = assert_refused(&file.path, &Options::default(), &words);
            assert!(matches!(error, Error::Row { .. } | Error::Layout { .. }), "{error:?}");
        }
    }
    let file = write(Kind::File, named(sparse(vec![vec![0], vec![4], vec![]])), 2);
    assert_refused(
        &file.path,
        &Options { features: Some(4), ..Options::default() },
        &["row 1 (from 0)", "not below 4"],
    );
}

#[test]
fn columnar_files_that_are_cut() {
    for kind in [Kind::Parquet, Kind::File, Kind::Stream] {
        let x: ArrayRef = Arc::new(Float64Array::from_iter_values((0..300).map(f64::from)));
        let file = write(kind, vec![("x".into(), x.clone()), ("y".into(), x)], 100);
        let whole = std::fs::read(&file.path).unwrap();
        assert_eq!(read(&file.path, &Options::default()).unwrap().rows(), 300);
        for kept in [whole.len() - 1, whole.len() - 8, whole.len() / 2, 16] {
            let name = file.path.file_name().unwrap().to_str().unwrap();
            let cut = TempFile::with(name, &whole[..kept]);
            let error = read(&cut.path, &Options::default()).unwrap_err();
            assert!(
                matches!(error, Error::Truncated { .. } | Error::Damaged { .. }),
                "{kind:?} {kept}: {error:?}"
            );
        }
    }
}

#[test]
fn what_is_compressed_as_a_whole_is_not_shuffled() {
    let file = TempFile::with("a.svm.gz", &gzip(b"1 1:1\n"));
    let source = Source::new(&file.path).unwrap();
    assert_eq!(source.compression(), Compression::Gzip);
    let error = source.open_shuffled(0).err().unwrap();
    assert!(matches!(error, Error::InOrderOnly { .. }), "{error:?}");
    assert!(error.to_string().contains("plain text"), "{error}");
}

#[test]
fn a_file_that_changes_is_seen() {
    let file = TempFile::with("a.svm", b"1 1:1\n");
    let source = Source::new(&file.path).unwrap();
    assert_eq!(source.rows().unwrap(), 1);
    std::fs::write(&file.path, b"1 1:1\n2 1:1\n").unwrap();
    assert!(matches!(source.open(), Err(Error::Changed { .. })));
    assert!(matches!(source.read(), Err(Error::Changed { .. })));
}

#[test]
fn labels_that_are_not_there_name_no_classes() {
    let array = TempFile::with("a.npy", &npy(&[1.0_f32], &[1, 1], Order::C));
    let error = Source::with(&array.path, absent()).unwrap().classes().unwrap_err().to_string();
    assert!(error.contains("no labels"), "{error}");
}

proptest! {
    /// A damaged file is refused, or its damage is not seen. It never ends the process, and never
    /// takes more memory than is there. Files of Arrow are not among them: its decoder believes the
    /// lengths that compressed buffers announce.
    #[test]
    fn damaged_files_do_no_harm(
        file in prop::sample::select(FILES), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
    ) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(file);
        let mut bytes = std::fs::read(path).unwrap();
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        let damaged = TempFile::with(file, &bytes);
        for labels in [Labels::Usual, Labels::Absent] {
            let options = Options { labels, ..Options::default() };
            if let Ok(samples) = read(&damaged.path, &options) {
                prop_assert!(samples.labels().is_empty() || samples.labels().len() == samples.rows());
                prop_assert_eq!(samples.features().non_finite(), None);
                if let Features::Csr(csr) = samples.features().clone() {
                    let columns = csr.columns();
                    let (indptr, indices, values) = csr.into_parts();
                    prop_assert!(Csr::new(columns, indptr, indices, values).is_ok());
                }
            }
        }
    }
}

const FILES: &[&str] = &[
    "zero_based.svm",
    "one_based.svm",
    "c_order.npy",
    "fortran_order.npy",
    "plain.npz",
    "compressed.npz",
    "csr.npz",
    "csr_array_plain.npz",
    "csc.npz",
    "coo.npz",
    "columns.parquet",
    "vectors.parquet",
    "sparse.parquet",
];
