//! Tests with files that scikit-learn, NumPy, SciPy and pyarrow have written. `../files/make.py`
//! made the files; the table is computed again here.

use std::path::{Path, PathBuf};

use netfold_data::{Features, Fields, Format, Labels, Options, Samples, Source};

const ROWS: usize = 7;
const COLUMNS: usize = 5;

fn value(row: usize, column: usize) -> f32 {
    if (row + column).is_multiple_of(3) {
        0.0
    } else {
        ((row * COLUMNS + column) * 7 % 11) as f32 / 4.0 - 1.25
    }
}

fn label(row: usize) -> f64 {
    (row * 2 % 3) as f64 - 1.0
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

fn assert_is_the_table(samples: &Samples, name: &str) {
    assert_eq!((samples.rows(), samples.features().columns()), (ROWS, COLUMNS), "{name}");
    let labels: Vec<f64> = (0..ROWS).map(label).collect();
    assert_eq!(samples.labels(), labels, "{name}");
    for row in 0..ROWS {
        let expected: Vec<f32> = (0..COLUMNS).map(|column| value(row, column)).collect();
        let mut read = vec![0.0; COLUMNS];
        match samples.features() {
            Features::Dense(dense) => {
                read.copy_from_slice(&dense.values()[row * COLUMNS..][..COLUMNS])
            }
            Features::Csr(csr) => {
                let (indices, values) = csr.row(row);
                assert!(values.iter().all(|value| *value != 0.0), "{name} has zeros");
                indices
                    .iter()
                    .zip(values)
                    .for_each(|(index, value)| read[*index as usize] = *value);
            }
        }
        assert_eq!(read, expected, "{name}, row {row}");
    }
}

#[test]
fn files_with_labels() {
    for (name, format) in [
        ("zero_based.svm", Format::Libsvm),
        ("one_based.svm", Format::Libsvm),
        ("plain.npz", Format::Npz),
        ("compressed.npz", Format::Npz),
        ("columns.parquet", Format::Parquet),
        ("columns.feather", Format::ArrowFile),
        ("columns.arrows", Format::ArrowStream),
        ("vectors.parquet", Format::Parquet),
    ] {
        assert_eq!(Source::format_of(file(name)).unwrap(), format, "{name}");
        let source = Source::new(file(name)).unwrap();
        assert_eq!(source.format(), format, "{name}");
        assert_eq!(source.classes().unwrap().labels(), [-1.0, 0.0, 1.0], "{name}");
        assert_is_the_table(&source.read().unwrap(), name);
        for chunk in source.open().unwrap() {
            assert_is_the_table(&chunk.unwrap(), name);
        }
    }
}

/// The column `label` would give away the values that a model has to predict.
#[test]
fn a_column_named_like_a_label_is_no_feature_where_labels_are_in_a_file() {
    let options = Options { labels: Labels::File(file("labels.npy")), ..Options::default() };
    let source = Source::with(file("columns.parquet"), options).unwrap();
    assert_is_the_table(&source.read().unwrap(), "columns.parquet");
    assert_eq!(source.left_out(), ["`label` (Int64)"]);
    assert!(Source::new(file("columns.parquet")).unwrap().left_out().is_empty());
}

#[test]
fn a_compression_that_is_not_read_is_named() {
    let error = Source::new(file("brotli.parquet")).unwrap_err().to_string();
    assert!(
        error.contains("BROTLI") && error.contains("Zstandard") && !error.contains("damaged"),
        "{error}"
    );
}

/// Rows of a width that only the whole file tells.
#[test]
fn what_is_beyond_the_features_is_dropped_where_that_is_asked_for() {
    const KEPT: usize = 3;
    let target = Labels::Named("target".into());
    for (name, labels) in [
        ("zero_based.svm", Labels::Usual),
        ("one_based.svm", Labels::Usual),
        ("sparse.parquet", target),
    ] {
        let options = Options { labels, features: Some(KEPT), beyond: true, ..Options::default() };
        let narrow = Source::with(file(name), options.clone()).unwrap();
        assert_eq!(narrow.features().unwrap(), KEPT, "{name}");
        let refused =
            Source::with(file(name), Options { beyond: false, ..options.clone() }).unwrap().read();
        assert!(refused.is_err(), "{name}");
        for samples in [narrow.read(), narrow.open().unwrap().next().unwrap()] {
            let samples = samples.unwrap();
            let Features::Csr(csr) = samples.features() else { panic!("{name} is sparse") };
            assert_eq!((csr.rows(), csr.columns()), (ROWS, KEPT), "{name}");
            for row in 0..ROWS {
                let expected =
                    (0..KEPT).map(|column| value(row, column)).filter(|value| *value != 0.0);
                assert_eq!(csr.row(row).1, expected.collect::<Vec<_>>(), "{name}, row {row}");
            }
        }
    }
    let nowhere =
        Source::with(file("zero_based.svm"), Options { beyond: true, ..Options::default() });
    assert!(nowhere.unwrap_err().to_string().contains("say how many"));
}

#[test]
fn files_with_labels_beside_them() {
    let labels = Labels::File(file("labels.npy"));
    let options = Options { labels, ..Options::default() };
    for (name, format) in [
        ("c_order.npy", Format::Npy),
        ("fortran_order.npy", Format::Npy),
        ("big_endian.npy", Format::Npy),
        ("csr.npz", Format::SciPy),
        ("csr_array_plain.npz", Format::SciPy),
        ("csc.npz", Format::SciPy),
        ("coo.npz", Format::SciPy),
        ("coo_duplicates.npz", Format::SciPy),
        ("sparse.parquet", Format::Parquet),
    ] {
        let mut options = options.clone();
        if name == "sparse.parquet" {
            // Its column `target` is neither the label nor a feature.
            options.fields = Fields::Sparse { indices: "indices".into(), values: "values".into() };
        }
        let source = Source::with(file(name), options).unwrap();
        assert_eq!(source.format(), format, "{name}");
        assert_is_the_table(&source.read().unwrap(), name);
    }
}

#[test]
fn truth_values_are_labels() {
    let read = Source::new(file("sparse.parquet")).unwrap().read().unwrap();
    let expected: Vec<f64> = (0..ROWS).map(|row| f64::from(u8::from(label(row) != 0.0))).collect();
    assert_eq!(read.labels(), expected);
}

#[test]
fn faults_in_such_files_are_named() {
    let absent = Options { labels: Labels::Absent, ..Options::default() };
    let refused = |name: &str, options: &Options| {
        let read = Source::with(file(name), options.clone()).and_then(|source| source.read());
        read.unwrap_err().to_string()
    };
    for (name, options, words) in [
        ("dia.npz", &absent, ["`dia`", ".tocsr()"]),
        ("unsorted.npz", &absent, ["row 1 (from 0), column 1", ".sum_duplicates()"]),
        ("nulls.parquet", &Options::default(), ["row 1 (from 0), column `x`", "null"]),
        ("csr.npz", &Options::default(), ["no labels", "say in which file"]),
        ("c_order.npy", &Options::default(), ["no names", "say which column"]),
    ] {
        let error = refused(name, options);
        assert!(words.iter().all(|word| error.contains(word)), "{name}: {error}");
    }
    let named = Options { fields: Fields::Named(vec!["x9".into()]), ..Options::default() };
    let error = refused("columns.parquet", &named);
    assert!(error.contains("no column `x9`") && error.contains("`x0` (Float64)"), "{error}");
}
