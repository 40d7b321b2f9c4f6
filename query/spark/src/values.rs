//! Codes of a column's values in Spark's order (R-QRY-2).

use netfold_num::{FloatOrder, code_of_f32, code_of_f64, descending};

use crate::error::Error;

/// The words that a column's values come as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Integers, and what is stored as one.
    Integer,
    /// The pattern of an `f32`, in the lower half.
    Single,
    /// The pattern of an `f64`.
    Double,
    /// The first eight bytes of a string, the first one highest.
    Bytes,
}

impl Kind {
    /// Returns the kind that the jar names by a number.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub fn numbered(number: i64) -> Result<Self, Error> {
        const ALL: [Kind; 4] = [Kind::Integer, Kind::Single, Kind::Double, Kind::Bytes];
        let kind = usize::try_from(number).ok().and_then(|number| ALL.get(number));
        kind.copied().ok_or_else(|| Error::Unknown(format!("values of the kind {number}")))
    }
}

/// The order of a column: the first row in it has the largest code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// The words.
    pub kind: Kind,
    /// The largest value comes first.
    pub descending: bool,
    /// NULL comes before all values, not after them.
    pub nulls_first: bool,
    /// Rows with the same code replace one another. Those that Spark tells apart, or may, have no
    /// code then.
    pub exact: bool,
}

impl Values {
    /// Returns the code of a value, or of NULL; nothing if its row goes past the switch.
    pub fn code(&self, word: Option<i64>) -> Option<i64> {
        let null = if self.nulls_first { i64::MAX } else { i64::MIN };
        let Some(word) = word else { return Some(null) };
        let single = f32::from_bits(word as u32);
        let double = f64::from_bits(word as u64);
        let (code, zero) = match self.kind {
            Kind::Integer => (word, false),
            Kind::Single => (code_of_f32(single, FloatOrder::Sql), single == 0.0),
            Kind::Double => (code_of_f64(double, FloatOrder::Sql), double == 0.0),
            Kind::Bytes => (word ^ i64::MIN, false),
        };
        let code = if self.descending { code } else { descending(code) };
        // Zeros of both signs are equal, and an answer shows which it was.
        let told_apart = zero || code == null;
        (!(self.exact && told_apart)).then_some(code)
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;

    use super::*;

    /// Spark's order of doubles: NaN is the largest and equals itself, and so do zeros.
    fn compare(a: f64, b: f64) -> Ordering {
        a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
    }

    fn doubles() -> impl Strategy<Value = f64> {
        const HARD: [f64; 8] =
            [0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0];
        prop_oneof![any::<u64>().prop_map(f64::from_bits), prop::sample::select(&HARD[..])]
    }

    proptest! {
        /// R-QRY-3: codes never contradict the order; if they are to be exact, rows with the same
        /// code have the same value.
        #[test]
        fn codes_are_in_the_order_of_spark(
            a in prop::option::weighted(0.9, doubles()),
            b in prop::option::weighted(0.9, doubles()),
            descending: bool,
            nulls_first: bool,
            exact: bool,
        ) {
            let values = Values { kind: Kind::Double, descending, nulls_first, exact };
            let code = |x: Option<f64>| values.code(x.map(|x| x.to_bits() as i64));
            // How a comes in the order, and b.
            let order = match (a, b) {
                (Some(a), Some(b)) if descending => compare(b, a),
                (Some(a), Some(b)) => compare(a, b),
                (None, None) => Ordering::Equal,
                (None, Some(_)) => if nulls_first { Ordering::Less } else { Ordering::Greater },
                (Some(_), None) => if nulls_first { Ordering::Greater } else { Ordering::Less },
            };
            if let (Some(x), Some(y)) = (code(a), code(b)) {
                // The first in the order has the largest code.
                prop_assert_eq!(y.cmp(&x), order);
            } else {
                prop_assert!(exact && (a == Some(0.0) || b == Some(0.0)));
            }
        }

        #[test]
        fn integers_beside_null_are_told_apart(word: i64, descending: bool, nulls_first: bool) {
            let values = Values { kind: Kind::Integer, descending, nulls_first, exact: true };
            for word in [word, i64::MIN, i64::MAX] {
                prop_assert!(values.code(Some(word)) != values.code(None));
            }
        }

        /// Bytes compare as unsigned.
        #[test]
        fn strings_are_in_the_order_of_their_bytes(a: [u8; 8], b: [u8; 8]) {
            let values =
                Values { kind: Kind::Bytes, descending: true, nulls_first: true, exact: false };
            let code = |bytes| values.code(Some(i64::from_be_bytes(bytes)));
            prop_assert_eq!(code(a).cmp(&code(b)), a.cmp(&b));
        }
    }

    #[test]
    fn unknown_kinds_are_refused() {
        assert_eq!(Kind::numbered(3).unwrap(), Kind::Bytes);
        Kind::numbered(4).unwrap_err();
        Kind::numbered(-1).unwrap_err();
    }
}
