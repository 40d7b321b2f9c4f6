//! The roles of a table's columns, and the reading of its batches.

use std::path::Path;
use std::sync::Arc;

use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{ArrayRef, FixedSizeListArray, Float64Array, Int32Array, ListArray};
use arrow_schema::{DataType, Field};
use netfold_data::{Bounds, Features, Fields, Labels, Options, Samples, Source};

use crate::columnar::{Kind, write};
use crate::refused::assert_refused;
use crate::tables::TempFile;

const KINDS: [Kind; 3] = [Kind::Parquet, Kind::File, Kind::Stream];

fn numbers(values: &[i32]) -> ArrayRef {
    Arc::new(Int32Array::from(values.to_vec()))
}

fn table(kind: Kind, columns: &[(&str, ArrayRef)], batch_rows: usize) -> TempFile {
    let columns = columns.iter().map(|(name, array)| ((*name).to_owned(), array.clone()));
    write(kind, columns.collect(), batch_rows)
}

fn rows_at_once(rows: usize) -> Options {
    Options { bounds: Bounds { rows, ..Bounds::default() }, ..Options::default() }
}

/// Nothing tells how many features such a column is, and without it the others would be trained on
/// alone.
#[test]
fn a_column_whose_first_list_says_no_length_is_refused() {
    let lists = |first: Option<Vec<Option<f32>>>| -> ArrayRef {
        let rows = [first, Some(vec![Some(1.0), Some(2.0)]), Some(vec![Some(3.0), Some(4.0)])];
        Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(rows))
    };
    for (first, word) in [(None, "null"), (Some(vec![]), "no values")] {
        for (kind, batch) in KINDS.into_iter().flat_map(|kind| [(kind, 1), (kind, 3)]) {
            let columns = [
                ("x", numbers(&[1, 2, 3])),
                ("v", lists(first.clone())),
                ("y", numbers(&[0, 1, 1])),
            ];
            let file = table(kind, &columns, batch);
            assert_refused(&file.path, &Options::default(), &["row 0 (from 0), column `v`", word]);
        }
    }
    let item = Arc::new(Field::new_list_field(DataType::Int32, true));
    let none = FixedSizeListArray::try_new_with_length(item, 0, numbers(&[]), None, 2).unwrap();
    let file = table(
        Kind::File,
        &[("x", numbers(&[1, 2])), ("v", Arc::new(none)), ("y", numbers(&[0, 1]))],
        2,
    );
    assert_refused(
        &file.path,
        &Options::default(),
        &["column `v`", "no values", "leave the column out"],
    );
}

/// A list of one value is not a number.
#[test]
fn sparse_rows_may_have_one_value_each() {
    let one = |values: [i32; 3]| -> ArrayRef {
        let rows = values.map(|value| Some([Some(value)]));
        Arc::new(FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>(rows, 1))
    };
    let columns =
        [("indices", one([4, 0, 2])), ("values", one([7, 8, 9])), ("y", numbers(&[0, 1, 1]))];
    let said = Fields::Sparse { indices: "indices".into(), values: "values".into() };
    for (kind, fields) in
        KINDS.into_iter().flat_map(|kind| [(kind, Fields::Numbers), (kind, said.clone())])
    {
        let file = table(kind, &columns, 2);
        let samples = Source::with(&file.path, Options { fields, ..Options::default() })
            .unwrap()
            .read()
            .unwrap();
        let Features::Csr(csr) = samples.features() else { panic!("two lists are sparse rows") };
        assert_eq!(
            (csr.columns(), csr.indices(), csr.values()),
            (5, &[4, 0, 2][..], &[7.0, 8.0, 9.0][..])
        );
    }
}

#[test]
fn columns_of_one_name_are_not_chosen_from() {
    let (x, zero, one) = (numbers(&[5, 6]), numbers(&[0, 1]), numbers(&[1, 0]));
    let named = |name: &str| Options { labels: Labels::Named(name.into()), ..Options::default() };
    let features = Options { fields: Fields::Named(vec!["x".into()]), ..Options::default() };
    for kind in KINDS {
        let labels =
            table(kind, &[("x", x.clone()), ("label", zero.clone()), ("label", one.clone())], 2);
        assert_refused(
            &labels.path,
            &Options::default(),
            &["2 columns are called `label`", "rename"],
        );
        assert_refused(&labels.path, &named("label"), &["2 columns are called `label`", "rename"]);
        let others = table(kind, &[("x", x.clone()), ("is", zero.clone()), ("is", one.clone())], 2);
        assert_refused(&others.path, &named("is"), &["2 columns are called `is`", "rename"]);
        let twice = table(kind, &[("x", x.clone()), ("x", one.clone()), ("y", zero.clone())], 2);
        assert_refused(&twice.path, &features, &["2 columns are called `x`", "rename"]);
    }
}

/// Only as many rows of a batch are converted as a chunk may hold.
#[test]
fn rows_before_a_fault_in_their_batch_are_given() {
    let x: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0, f64::NAN]));
    for kind in KINDS {
        let file = table(kind, &[("x", x.clone()), ("y", numbers(&[0, 1, 1]))], 3);
        let source = Source::with(&file.path, rows_at_once(1)).unwrap();
        let rows: Vec<_> =
            source.open().unwrap().map(|chunk| chunk.map(|chunk| chunk.first_row()).ok()).collect();
        assert_eq!(rows, [Some(0), Some(1), None], "{kind:?}");
    }
}

/// The file is gone after the first chunk, so the others come out of what was read for it.
#[test]
fn a_batch_is_read_once_for_all_chunks_in_it() {
    // The last chunk is full, too: it does not ask for another batch.
    const ROWS: i32 = 99;
    let all: Vec<i32> = (0..ROWS).collect();
    let file = table(Kind::File, &[("x", numbers(&all)), ("y", numbers(&all))], ROWS as usize);
    let source = Source::with(&file.path, rows_at_once(3)).unwrap();
    let mut chunks = source.open_shuffled(5).unwrap();
    let first = chunks.next().unwrap().unwrap();
    remove(&file.path);
    let mut read: Vec<Samples> = std::iter::once(first).chain(chunks.map(Result::unwrap)).collect();
    assert!(!read.is_sorted_by_key(Samples::first_row));
    read.sort_by_key(Samples::first_row);
    let labels: Vec<f64> = read.iter().flat_map(|samples| samples.labels().to_vec()).collect();
    assert_eq!(labels, all.iter().map(|row| f64::from(*row)).collect::<Vec<_>>());
}

fn remove(path: &Path) {
    std::fs::remove_file(path).unwrap();
}
