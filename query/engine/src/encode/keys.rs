//! Keys of a group's columns (R-QRY-1): values, or hashes of them.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray,
    StringArray, StringViewArray,
};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::hash_utils::{RandomState, create_hashes};
use datafusion::error::Result;

use super::{Precision, ascending, decode, precision};

/// Bytes of a key.
const BYTES: usize = 8;

/// The first byte of the key of an empty value; that of a longer one is larger by its length.
const SHORT: u8 = 0x80;

/// The first three bits of a key that is a hash: its first byte is 0xA0 to 0xBF.
const HASH: u64 = 0b101 << 61;

/// Makes keys of a group's columns.
#[derive(Clone, Debug)]
pub enum Keys {
    /// One column whose codes are exact; the key is the code.
    Exact(DataType),
    /// One column of strings or bytes: the key is the value if that fits, and else a hash
    /// (R-QRY-41).
    Packed(DataType, RandomState),
    /// Hashes of the values (R-QRY-15).
    Hashed(RandomState),
}

impl Keys {
    /// Returns how columns of these types become keys.
    pub fn new(types: &[DataType], seed: u64) -> Self {
        use DataType as T;
        match types {
            [one] if precision(one) == Some(Precision::Exact) => Self::Exact(one.clone()),
            [
                one @ (T::Utf8
                | T::LargeUtf8
                | T::Utf8View
                | T::Binary
                | T::LargeBinary
                | T::BinaryView),
            ] => Self::Packed(one.clone(), RandomState::with_seed(seed)),
            _ => Self::hashed(seed),
        }
    }

    /// Returns keys that are hashes; equal values, such as zeros of both signs, have equal ones.
    pub fn hashed(seed: u64) -> Self {
        Self::Hashed(RandomState::with_seed(seed))
    }

    /// Returns whether a key is a hash, which two values may share.
    pub fn is_hash(&self, key: u64) -> bool {
        match self {
            Self::Exact(_) => false,
            Self::Packed(..) => key >> 61 == HASH >> 61,
            Self::Hashed(_) => true,
        }
    }

    /// Returns whether all keys are values.
    pub fn are_values(&self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// Returns the column of values whose keys these are.
    ///
    /// # Panics
    /// If one of them is a hash.
    pub fn values(&self, keys: &[u64]) -> ArrayRef {
        match self {
            Self::Exact(data_type) => {
                decode(data_type, &keys.iter().map(|key| *key as i64).collect::<Vec<_>>())
            }
            Self::Packed(data_type, _) => unpacked(data_type, keys),
            Self::Hashed(_) => panic!("a hash is no value"),
        }
    }

    /// Returns a key for each of `rows` rows, and the rows that have none and go past the switch.
    ///
    /// # Errors
    /// If a column has a type that cannot be hashed.
    pub fn keys(
        &self,
        columns: &[ArrayRef],
        rows: usize,
    ) -> Result<(Vec<u64>, Option<NullBuffer>)> {
        match self {
            Self::Exact(_) => {
                let keys = ascending(&columns[0])?.into_iter().map(|code| code as u64).collect();
                Ok((keys, columns[0].logical_nulls()))
            }
            Self::Packed(_, state) => Ok((packed(&columns[0], state)?, None)),
            Self::Hashed(state) => {
                let mut keys = vec![0; rows];
                create_hashes(columns, state, &mut keys)?;
                Ok((keys, None))
            }
        }
    }
}

/// Returns the key that a value is; nothing if it is too long, or of eight bytes that begin as
/// other keys do. No text does so.
fn key(value: &[u8]) -> Option<u64> {
    if let Ok(whole) = <[u8; BYTES]>::try_from(value) {
        return (!(0x80..0xC0).contains(&whole[0])).then(|| u64::from_be_bytes(whole));
    }
    let mut key = [0; BYTES];
    key.get_mut(1..=value.len())?.copy_from_slice(value);
    key[0] = SHORT + value.len() as u8;
    Some(u64::from_be_bytes(key))
}

/// Returns the bytes of a value that is a key, which are a part of the key's.
fn value(key: &[u8; BYTES]) -> &[u8] {
    match key[0].checked_sub(SHORT).map(usize::from) {
        Some(len @ 0..BYTES) => &key[1..=len],
        _ => key,
    }
}

/// Returns the keys of a column of strings or bytes; the hash of a NULL is one of its own, or that
/// of a value.
fn packed(column: &ArrayRef, state: &RandomState) -> Result<Vec<u64>> {
    fn each<'a>(values: impl Iterator<Item = Option<&'a [u8]>>) -> (Vec<u64>, Vec<usize>) {
        let mut without = Vec::new();
        let keys = values.enumerate().map(|(at, value)| {
            value.and_then(key).unwrap_or_else(|| {
                without.push(at);
                0
            })
        });
        (keys.collect(), without)
    }
    fn text<'a>(values: impl Iterator<Item = Option<&'a str>>) -> (Vec<u64>, Vec<usize>) {
        each(values.map(|value| value.map(str::as_bytes)))
    }
    use DataType as T;
    let (mut keys, without) = match column.data_type() {
        T::Utf8 => text(column.as_string::<i32>().iter()),
        T::LargeUtf8 => text(column.as_string::<i64>().iter()),
        T::Utf8View => text(column.as_string_view().iter()),
        T::Binary => each(column.as_binary::<i32>().iter()),
        T::LargeBinary => each(column.as_binary::<i64>().iter()),
        T::BinaryView => each(column.as_binary_view().iter()),
        other => unreachable!("{other} is not packed"),
    };
    if !without.is_empty() {
        let mut hashes = vec![0; keys.len()];
        create_hashes([column], state, &mut hashes)?;
        for at in without {
            keys[at] = HASH | hashes[at] >> 3;
        }
    }
    Ok(keys)
}

/// Returns the column of values that are keys.
fn unpacked(data_type: &DataType, keys: &[u64]) -> ArrayRef {
    let bytes: Vec<[u8; BYTES]> = keys.iter().map(|key| key.to_be_bytes()).collect();
    let values = bytes.iter().map(value);
    let texts = values.clone().map(|value| str::from_utf8(value).expect("a key of a text"));
    use DataType as T;
    match data_type {
        T::Utf8 => Arc::new(StringArray::from_iter_values(texts)),
        T::LargeUtf8 => Arc::new(LargeStringArray::from_iter_values(texts)),
        T::Utf8View => Arc::new(StringViewArray::from_iter_values(texts)),
        T::Binary => Arc::new(BinaryArray::from_iter_values(values)),
        T::LargeBinary => Arc::new(LargeBinaryArray::from_iter_values(values)),
        T::BinaryView => Arc::new(BinaryViewArray::from_iter_values(values)),
        other => unreachable!("{other} is not packed"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use datafusion::arrow::compute::cast;
    use proptest::prelude::*;

    use super::super::tests::columns;
    use super::*;

    /// Bytes that keys of other values begin with, or end with, are likely.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let hard = prop::sample::select(vec![0, 1, 0x7F, 0x80, 0x81, 0x87, 0x88, 0xA0, 0xBF, 0xC0]);
        prop::collection::vec(prop_oneof![hard, any::<u8>()], 0..=12)
    }

    fn texts() -> impl Strategy<Value = String> {
        prop_oneof!["[\\x00ab]{0,12}", "\\PC{0,5}"]
    }

    /// The values in a column of each type that is packed, of texts or of bytes.
    fn columns_of(values: &ArrayRef) -> Vec<ArrayRef> {
        use DataType as T;
        let types = match values.data_type() {
            T::Utf8 => [T::Utf8, T::LargeUtf8, T::Utf8View],
            _ => [T::Binary, T::LargeBinary, T::BinaryView],
        };
        types.iter().map(|one| cast(values, one).expect("a cast")).collect()
    }

    /// R-QRY-41: different values have different keys, unless these are hashes, and the values are
    /// made from keys again.
    fn check<'a>(
        array: &ArrayRef,
        values: impl Iterator<Item = Option<&'a [u8]>> + Clone,
    ) -> Result<(), TestCaseError> {
        for column in columns_of(array) {
            let keys = Keys::new(&[column.data_type().clone()], 1);
            let (words, past) = keys.keys(&[Arc::clone(&column)], column.len()).unwrap();
            prop_assert!(past.is_none(), "every value has a key");
            let mut known = HashMap::new();
            for (key, value) in words.iter().zip(values.clone()) {
                let fits = value.is_some_and(|value| {
                    value.len() < 8 || value.len() == 8 && !(0x80..=0xBF).contains(&value[0])
                });
                prop_assert_eq!(keys.is_hash(*key), !fits, "{:?} {:x}", value, key);
                if fits {
                    prop_assert_eq!(*known.entry(*key).or_insert(value), value);
                }
            }
            let own: Vec<u64> = words.iter().copied().filter(|key| !keys.is_hash(*key)).collect();
            let decoded = keys.values(&own);
            prop_assert_eq!(decoded.data_type(), column.data_type());
            let kept = words.iter().map(|key| Some(!keys.is_hash(*key))).collect();
            let expected = datafusion::arrow::compute::filter(&column, &kept).unwrap();
            prop_assert_eq!(&decoded, &expected);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn keys_of_texts_are_values(
            values in prop::collection::vec(prop::option::weighted(0.9, texts()), 1..40),
        ) {
            let array: ArrayRef = Arc::new(StringArray::from(values.clone()));
            check(&array, values.iter().map(|value| value.as_deref().map(str::as_bytes)))?;
        }

        #[test]
        fn keys_of_bytes_are_values(
            values in prop::collection::vec(prop::option::weighted(0.9, bytes()), 1..40),
        ) {
            let values: Vec<Option<&[u8]>> = values.iter().map(Option::as_deref).collect();
            let array: ArrayRef = Arc::new(BinaryArray::from(values.clone()));
            check(&array, values.iter().copied())?;
        }

        /// A sum's groups are made from keys again, bit by bit.
        #[test]
        fn exact_keys_are_values(column in columns()) {
            let types = [column.data_type().clone()];
            let keys = Keys::new(&types, 1);
            if keys.are_values() {
                let (words, nulls) = keys.keys(&[Arc::clone(&column)], column.len()).unwrap();
                let values = keys.values(&words);
                prop_assert_eq!(values.data_type(), column.data_type());
                let here: Vec<usize> = (0..column.len())
                    .filter(|at| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(*at)))
                    .collect();
                for at in here {
                    let value = |array: &ArrayRef| array.slice(at, 1).to_data();
                    let bytes = |array: &ArrayRef| value(array).buffers()[0].to_vec();
                    prop_assert_eq!(bytes(&values), bytes(&column));
                }
            }
        }
    }
}
