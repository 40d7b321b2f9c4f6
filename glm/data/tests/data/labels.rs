//! Labels that are whole numbers, and how large these may be.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, UInt64Array};
use netfold_data::{Labels, Options, Source};
use npyz::Order;

use crate::columnar::{Kind, write};
use crate::refused::assert_refused;
use crate::tables::{TempFile, npy, npz};

/// The first whole number that 64-bit floating point does not have is one more.
const EXACT: i64 = 1 << 53;

/// Words of the message about a number that it does not have.
const WORDS: &str = "no 64-bit floating point number";

fn beside(labels: &TempFile) -> Options {
    Options { labels: Labels::File(labels.path.clone()), ..Options::default() }
}

fn read(file: &TempFile, options: Options) -> Vec<f64> {
    Source::with(&file.path, options).unwrap().read().unwrap().labels().to_vec()
}

#[test]
fn in_text() {
    for label in [
        "9007199254740993",
        "-9007199254740993",
        "+9223372036854775807",
        "1234567890123456789012345678901234567890",
    ] {
        let file = TempFile::with("a.svm", format!("1 1:1\n{label} 1:1\n").as_bytes());
        assert_refused(&file.path, &Options::default(), &[":2:1: ", WORDS, "number the classes"]);
    }
    // Beyond it there are some; and what is written as floating point is rounded, as any.
    let text = "9007199254740992 1:1\n-18014398509481984 1:1\n0000000000000000001 1:1\n9007199254740993.0 1:1\n1e300 1:1\n";
    let file = TempFile::with("a.svm", text.as_bytes());
    let expected = [EXACT as f64, -2.0 * EXACT as f64, 1.0, EXACT as f64, 1e300];
    assert_eq!(read(&file, Options::default()), expected);
}

#[test]
fn in_arrays() {
    let features = || npy(&[1.0_f32, 2.0], &[2, 1], Order::C);
    let table = TempFile::with("x.npy", &features());
    for order in [Order::C, Order::Fortran] {
        let labels = TempFile::with("y.npy", &npy(&[EXACT, EXACT + 1], &[2, 1], order));
        assert_refused(
            &table.path,
            &beside(&labels),
            &["row 1 (from 0)", WORDS, "number the classes"],
        );
        let matrix = TempFile::with("z.npy", &npy(&[1, -EXACT - 1, 2, 3], &[2, 2], order));
        let options = |column| Options { labels: Labels::Column(column), ..Options::default() };
        let (row, column) = if matches!(order, Order::C) { (0, 1) } else { (1, 0) };
        let place = format!("row {row} (from 0), column {column}");
        assert_refused(&matrix.path, &options(column), &[&place, WORDS]);
        assert_eq!(read(&matrix, options(1 - column)).len(), 2);
    }
    let inside = npz(&[("X", features()), ("y", npy(&[u64::MAX, 0], &[2], Order::C))], true);
    assert_refused(&inside.path, &Options::default(), &["row 0 (from 0), array `y`", WORDS]);
    let exact = TempFile::with("y.npy", &npy(&[1_u64 << 63, EXACT as u64], &[2], Order::C));
    assert_eq!(read(&table, beside(&exact)), [9_223_372_036_854_775_808.0, EXACT as f64]);
}

#[test]
fn in_tables() {
    let x: ArrayRef = Arc::new(Int64Array::from(vec![EXACT + 1, 1]));
    for kind in [Kind::Parquet, Kind::File, Kind::Stream] {
        let with = |y: ArrayRef| write(kind, vec![("x".into(), x.clone()), ("y".into(), y)], 2);
        for y in [
            Arc::new(Int64Array::from(vec![EXACT, -EXACT - 1])) as ArrayRef,
            Arc::new(UInt64Array::from(vec![0, u64::MAX])),
        ] {
            let file = with(y);
            assert_refused(&file.path, &Options::default(), &["row 1 (from 0), column `y`", WORDS]);
            assert_refused(
                &file.path,
                &Options { non_finite: true, ..Options::default() },
                &[WORDS],
            );
        }
        let file = with(Arc::new(Int64Array::from(vec![EXACT, i64::MIN])));
        assert_eq!(read(&file, Options::default()), [EXACT as f64, -9_223_372_036_854_775_808.0]);
    }
}
