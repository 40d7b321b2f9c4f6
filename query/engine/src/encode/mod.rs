//! Columns of Arrow as a program of the switch takes them: codes that compare (R-QRY-2), keys that
//! identify (R-QRY-1).

mod keys;

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, BooleanArray, PrimitiveArray};
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Date64Type, Decimal32Type, Decimal64Type,
    Decimal128Type, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use datafusion::arrow::error::ArrowError;
use datafusion::error::Result;
use netfold_num::{
    FloatOrder, code_of_bytes, code_of_decimal, code_of_f32, code_of_f64, descending,
};

pub use keys::Keys;

/// Most digits of a decimal that has a code of its own (R-QRY-2).
const EXACT_DIGITS: u8 = 18;

/// Quality of the codes of a type (R-QRY-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Different values have different codes.
    Exact,
    /// Codes never contradict the order, but different values may have the same.
    Monotone,
}

/// Returns how values of a type are encoded, or `None` if the switch has no order for it.
pub fn precision(data_type: &DataType) -> Option<Precision> {
    use DataType as T;
    match data_type {
        T::Boolean
        | T::Int8
        | T::Int16
        | T::Int32
        | T::Int64
        | T::UInt8
        | T::UInt16
        | T::UInt32
        | T::UInt64
        | T::Float32
        | T::Float64
        | T::Date32
        | T::Date64
        | T::Time32(_)
        | T::Time64(_)
        | T::Timestamp(..)
        | T::Duration(_)
        | T::Decimal32(..)
        | T::Decimal64(..) => Some(Precision::Exact),
        T::Decimal128(digits, _) if *digits <= EXACT_DIGITS => Some(Precision::Exact),
        T::Decimal128(..)
        | T::Utf8
        | T::LargeUtf8
        | T::Utf8View
        | T::Binary
        | T::LargeBinary
        | T::BinaryView => Some(Precision::Monotone),
        _ => None,
    }
}

/// Returns the codes of a column's values in ascending order; of a NULL some code.
fn ascending(column: &dyn Array) -> Result<Vec<i64>> {
    fn each<T: ArrowPrimitiveType>(
        column: &dyn Array,
        code: impl Fn(T::Native) -> i64,
    ) -> Vec<i64> {
        column.as_primitive::<T>().values().iter().map(|value| code(*value)).collect()
    }
    macro_rules! signed {
        ($type:ty) => {
            each::<$type>(column, |value| value.into())
        };
    }
    fn bytes<'a>(values: impl Iterator<Item = Option<&'a [u8]>>) -> Vec<i64> {
        values.map(|value| code_of_bytes(value.unwrap_or_default())).collect()
    }
    fn text<'a>(values: impl Iterator<Item = Option<&'a str>>) -> Vec<i64> {
        values.map(|value| code_of_bytes(value.unwrap_or_default().as_bytes())).collect()
    }
    use DataType as T;
    use TimeUnit as U;
    Ok(match column.data_type() {
        T::Boolean => column.as_boolean().values().iter().map(i64::from).collect(),
        T::Int8 => signed!(Int8Type),
        T::Int16 => signed!(Int16Type),
        T::Int32 => signed!(Int32Type),
        T::Int64 => signed!(Int64Type),
        T::UInt8 => signed!(UInt8Type),
        T::UInt16 => signed!(UInt16Type),
        T::UInt32 => signed!(UInt32Type),
        T::UInt64 => each::<UInt64Type>(column, |value| (value ^ 1 << 63) as i64),
        T::Float32 => each::<Float32Type>(column, |value| code_of_f32(value, FloatOrder::Total)),
        T::Float64 => each::<Float64Type>(column, |value| code_of_f64(value, FloatOrder::Total)),
        T::Date32 => signed!(Date32Type),
        T::Date64 => signed!(Date64Type),
        T::Time32(U::Second) => signed!(Time32SecondType),
        T::Time32(_) => signed!(Time32MillisecondType),
        T::Time64(U::Nanosecond) => signed!(Time64NanosecondType),
        T::Time64(_) => signed!(Time64MicrosecondType),
        T::Timestamp(U::Second, _) => signed!(TimestampSecondType),
        T::Timestamp(U::Millisecond, _) => signed!(TimestampMillisecondType),
        T::Timestamp(U::Microsecond, _) => signed!(TimestampMicrosecondType),
        T::Timestamp(U::Nanosecond, _) => signed!(TimestampNanosecondType),
        T::Duration(U::Second) => signed!(DurationSecondType),
        T::Duration(U::Millisecond) => signed!(DurationMillisecondType),
        T::Duration(U::Microsecond) => signed!(DurationMicrosecondType),
        T::Duration(U::Nanosecond) => signed!(DurationNanosecondType),
        T::Decimal32(..) => signed!(Decimal32Type),
        T::Decimal64(..) => signed!(Decimal64Type),
        T::Decimal128(..) => each::<Decimal128Type>(column, code_of_decimal),
        T::Utf8 => text(column.as_string::<i32>().iter()),
        T::LargeUtf8 => text(column.as_string::<i64>().iter()),
        T::Utf8View => text(column.as_string_view().iter()),
        T::Binary => bytes(column.as_binary::<i32>().iter()),
        T::LargeBinary => bytes(column.as_binary::<i64>().iter()),
        T::BinaryView => bytes(column.as_binary_view().iter()),
        other => {
            let reason = format!("the switch has no order for {other}");
            return Err(ArrowError::NotYetImplemented(reason).into());
        }
    })
}

/// Returns the values of exact codes in ascending order.
fn decode(data_type: &DataType, codes: &[i64]) -> ArrayRef {
    fn each<T: ArrowPrimitiveType>(
        data_type: &DataType,
        codes: &[i64],
        value: impl Fn(i64) -> T::Native,
    ) -> ArrayRef {
        let values = PrimitiveArray::<T>::from_iter_values(codes.iter().map(|code| value(*code)));
        Arc::new(values.with_data_type(data_type.clone()))
    }
    macro_rules! signed {
        ($type:ty) => {
            each::<$type>(data_type, codes, |code| code as <$type as ArrowPrimitiveType>::Native)
        };
    }
    // The codes of floats are involutions of their patterns.
    let single = |code: i64| f32::from_bits((code ^ code >> 63 & i64::from(i32::MAX)) as u32);
    let double = |code: i64| f64::from_bits((code ^ code >> 63 & i64::MAX) as u64);
    use DataType as T;
    use TimeUnit as U;
    match data_type {
        T::Boolean => Arc::new(BooleanArray::from_iter(codes.iter().map(|code| Some(*code != 0)))),
        T::Int8 => signed!(Int8Type),
        T::Int16 => signed!(Int16Type),
        T::Int32 => signed!(Int32Type),
        T::Int64 => signed!(Int64Type),
        T::UInt8 => signed!(UInt8Type),
        T::UInt16 => signed!(UInt16Type),
        T::UInt32 => signed!(UInt32Type),
        T::UInt64 => each::<UInt64Type>(data_type, codes, |code| code as u64 ^ 1 << 63),
        T::Float32 => each::<Float32Type>(data_type, codes, single),
        T::Float64 => each::<Float64Type>(data_type, codes, double),
        T::Date32 => signed!(Date32Type),
        T::Date64 => signed!(Date64Type),
        T::Time32(U::Second) => signed!(Time32SecondType),
        T::Time32(_) => signed!(Time32MillisecondType),
        T::Time64(U::Nanosecond) => signed!(Time64NanosecondType),
        T::Time64(_) => signed!(Time64MicrosecondType),
        T::Timestamp(U::Second, _) => signed!(TimestampSecondType),
        T::Timestamp(U::Millisecond, _) => signed!(TimestampMillisecondType),
        T::Timestamp(U::Microsecond, _) => signed!(TimestampMicrosecondType),
        T::Timestamp(U::Nanosecond, _) => signed!(TimestampNanosecondType),
        T::Duration(U::Second) => signed!(DurationSecondType),
        T::Duration(U::Millisecond) => signed!(DurationMillisecondType),
        T::Duration(U::Microsecond) => signed!(DurationMicrosecondType),
        T::Duration(U::Nanosecond) => signed!(DurationNanosecondType),
        T::Decimal32(..) => signed!(Decimal32Type),
        T::Decimal64(..) => signed!(Decimal64Type),
        T::Decimal128(..) => signed!(Decimal128Type),
        other => unreachable!("{other} has no exact codes"),
    }
}

/// Codes of which a larger one comes first, and the rows that have to go past the switch because
/// their code is that of NULL.
#[derive(Debug)]
pub struct Codes {
    /// A code for each row.
    pub codes: Vec<i64>,
    /// Rows that are forwarded without being offered.
    pub past: Vec<usize>,
}

/// Returns the codes of a column in the order of `options`: the first row in that order has the
/// largest code.
///
/// # Errors
/// If the type has no [`precision`].
pub fn codes(column: &dyn Array, options: SortOptions) -> Result<Codes> {
    let mut codes = ascending(column)?;
    if !options.descending {
        codes.iter_mut().for_each(|code| *code = descending(*code));
    }
    let mut past = Vec::new();
    if let Some(nulls) = column.logical_nulls() {
        let null = if options.nulls_first { i64::MAX } else { i64::MIN };
        for (at, code) in codes.iter_mut().enumerate() {
            if nulls.is_null(at) {
                *code = null;
            } else if *code == null {
                past.push(at);
                // It comes after NULL: of as many as are needed, it must not stand for one.
                *code -= i64::from(options.nulls_first);
            }
        }
    }
    Ok(Codes { codes, past })
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{
        Date32Array, Decimal128Array, Float32Array, Float64Array, Int64Array, StringArray,
        UInt64Array,
    };
    use datafusion::arrow::row::{RowConverter, SortField};
    use proptest::prelude::*;

    use super::*;

    /// Columns of hard values, with NULL.
    pub(super) fn columns() -> impl Strategy<Value = ArrayRef> {
        fn some<T: std::fmt::Debug + Clone>(
            values: impl Strategy<Value = T>,
        ) -> impl Strategy<Value = Vec<Option<T>>> {
            prop::collection::vec(prop::option::weighted(0.9, values), 1..20)
        }
        let singles = prop_oneof![
            any::<u32>().prop_map(f32::from_bits),
            prop::sample::select(vec![0.0, -0.0, f32::NAN, -f32::NAN, f32::from_bits(u32::MAX)]),
        ];
        let doubles = prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            prop::sample::select(vec![0.0, -0.0, f64::from_bits(u64::MAX), f64::INFINITY]),
        ];
        let integers = prop_oneof![
            any::<i64>(),
            prop::sample::select(vec![i64::MIN, i64::MIN + 1, 0, i64::MAX]),
        ];
        let decimal = |values| {
            let array: Decimal128Array = Vec::into_iter(values).collect();
            Arc::new(array.with_precision_and_scale(38, 2).expect("any")) as ArrayRef
        };
        prop_oneof![
            some(singles).prop_map(|values| Arc::new(Float32Array::from(values)) as ArrayRef),
            some(doubles).prop_map(|values| Arc::new(Float64Array::from(values)) as ArrayRef),
            some(integers).prop_map(|values| Arc::new(Int64Array::from(values)) as ArrayRef),
            some(any::<u64>()).prop_map(|values| Arc::new(UInt64Array::from(values)) as ArrayRef),
            some(any::<i32>()).prop_map(|values| Arc::new(Date32Array::from(values)) as ArrayRef),
            some("[a-c]{0,12}").prop_map(|values| Arc::new(StringArray::from(values)) as ArrayRef),
            some(-10_i128.pow(37)..10_i128.pow(37)).prop_map(decimal),
        ]
    }

    proptest! {
        /// R-QRY-2, R-QRY-3: a row with a larger code comes first in the order that DataFusion
        /// sorts by; of exact codes, rows with the same code are equal, but for those that go past.
        #[test]
        fn codes_are_in_the_order_of_the_engine(
            column in columns(),
            descending: bool,
            nulls_first: bool,
        ) {
            let options = SortOptions { descending, nulls_first };
            let field = SortField::new_with_options(column.data_type().clone(), options);
            let rows = RowConverter::new(vec![field]).unwrap();
            let rows = rows.convert_columns(&[Arc::clone(&column)]).unwrap();
            let Codes { codes, past } = codes(&column, options).unwrap();
            let exact = precision(column.data_type()) == Some(Precision::Exact);
            for a in 0..column.len() {
                for b in 0..column.len() {
                    if codes[a] > codes[b] {
                        prop_assert!(rows.row(a) < rows.row(b), "{column:?} {a} {b}");
                    }
                    let offered = !past.contains(&a) && !past.contains(&b);
                    if exact && offered && codes[a] == codes[b] {
                        prop_assert!(rows.row(a) == rows.row(b), "{column:?} {a} {b}");
                    }
                }
            }
        }
    }
}
