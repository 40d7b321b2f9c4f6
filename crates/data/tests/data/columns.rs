//! Which columns of a table are what.

use std::sync::Arc;

use arrow_array::types::Float32Type;
use arrow_array::{ArrayRef, FixedSizeListArray, Int32Array, ListArray};
use arrow_schema::{DataType, Field};
use netfold_data::Options;

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

/// Nothing tells how many features such a column is, and without it the others would be trained on alone.
#[test]
fn a_column_whose_first_list_says_no_length_is_refused() {
    let lists = |first: Option<Vec<Option<f32>>>| -> ArrayRef {
        let rows = [first, Some(vec![Some(1.0), Some(2.0)]), Some(vec![Some(3.0), Some(4.0)])];
        Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(rows))
    };
    for (first, word) in [(None, "null"), (Some(vec![]), "no values")] {
        for (kind, batch) in KINDS.into_iter().flat_map(|kind| [(kind, 1), (kind, 3)]) {
            let columns = [("x", numbers(&[1, 2, 3])), ("v", lists(first.clone())), ("y", numbers(&[0, 1, 1]))];
            let file = table(kind, &columns, batch);
            assert_refused(&file.path, &Options::default(), &["row 0 (from 0), column `v`", word]);
        }
    }
    let item = Arc::new(Field::new_list_field(DataType::Int32, true));
    let none = FixedSizeListArray::try_new_with_length(item, 0, numbers(&[]), None, 2).unwrap();
    let file = table(Kind::File, &[("x", numbers(&[1, 2])), ("v", Arc::new(none)), ("y", numbers(&[0, 1]))], 2);
    assert_refused(&file.path, &Options::default(), &["column `v`", "no values", "leave the column out"]);
}
