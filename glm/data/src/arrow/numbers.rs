//! Arrow's arrays as numbers and as lists of numbers.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

use crate::number::Number;

/// The first place that has no value.
pub fn first_null(array: &dyn Array) -> Option<usize> {
    array
        .nulls()
        .filter(|nulls| nulls.null_count() > 0)
        .and_then(|nulls| nulls.iter().position(|valid| !valid))
}

/// Returns the values of an array of numbers. At a null the value has no meaning.
pub fn numbers<T: Number>(array: &dyn Array) -> Vec<T> {
    macro_rules! all {
        ($type:ty, $of:expr) => {
            array.as_primitive::<$type>().values().iter().map(|value| $of(*value)).collect()
        };
    }
    match array.data_type() {
        DataType::Int8 => all!(Int8Type, |value| T::of_signed(i64::from(value))),
        DataType::Int16 => all!(Int16Type, |value| T::of_signed(i64::from(value))),
        DataType::Int32 => all!(Int32Type, |value| T::of_signed(i64::from(value))),
        DataType::Int64 => all!(Int64Type, T::of_signed),
        DataType::UInt8 => all!(UInt8Type, |value| T::of_unsigned(u64::from(value))),
        DataType::UInt16 => all!(UInt16Type, |value| T::of_unsigned(u64::from(value))),
        DataType::UInt32 => all!(UInt32Type, |value| T::of_unsigned(u64::from(value))),
        DataType::UInt64 => all!(UInt64Type, T::of_unsigned),
        DataType::Float16 => all!(Float16Type, |value: half::f16| T::of_float(value.to_f64())),
        DataType::Float32 => all!(Float32Type, |value| T::of_float(f64::from(value))),
        DataType::Float64 => all!(Float64Type, T::of_float),
        DataType::Boolean => {
            array.as_boolean().values().iter().map(|bit| T::of_unsigned(u64::from(bit))).collect()
        }
        other => unreachable!("a layout takes no column of {other}"),
    }
}

/// Lists as one array of items, and where the items of each row begin and those of the last one
/// end.
pub fn lists(array: &dyn Array) -> (Vec<usize>, ArrayRef) {
    let (starts, items): (Vec<usize>, &ArrayRef) = match array.data_type() {
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            (lists.value_offsets().iter().map(|start| *start as usize).collect(), lists.values())
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            (lists.value_offsets().iter().map(|start| *start as usize).collect(), lists.values())
        }
        DataType::FixedSizeList(..) => {
            let lists = array.as_fixed_size_list();
            let size = lists.value_length() as usize;
            let start = if lists.is_empty() { 0 } else { lists.value_offset_at(0) };
            ((0..=lists.len()).map(|row| start + row * size).collect(), lists.values())
        }
        other => unreachable!("a layout takes no column of {other} for lists"),
    };
    let (first, last) = (starts[0], starts[starts.len() - 1]);
    (starts.iter().map(|start| start - first).collect(), items.slice(first, last - first))
}
