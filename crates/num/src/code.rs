//! Codes: values of a query's columns as signed integers that compare alike (R-QRY-2, R-QRY-3;
//! FPISA, section 6).

/// The order of floats in a query (R-QRY-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatOrder {
    /// IEEE 754's total order: -NaN, -infinity, .. -0, +0, .. +infinity, +NaN. Arrow and DataFusion
    /// sort so.
    Total,
    /// NaN is equal to itself and above +infinity, and -0 is equal to 0. Spark sorts so.
    Sql,
}

/// Returns the code of an `f64`; exact in the total order, and in that of SQL for what it tells
/// apart.
pub const fn code_of_f64(x: f64, order: FloatOrder) -> i64 {
    let bits = match order {
        FloatOrder::Total => x.to_bits(),
        FloatOrder::Sql if x.is_nan() => f64::NAN.to_bits() & (u64::MAX >> 1),
        FloatOrder::Sql if x == 0.0 => 0,
        FloatOrder::Sql => x.to_bits(),
    } as i64;
    bits ^ ((bits >> 63) & i64::MAX)
}

/// Returns the code of an `f32`, of 32 bits extended by the sign.
pub const fn code_of_f32(x: f32, order: FloatOrder) -> i64 {
    let bits = match order {
        FloatOrder::Total => x.to_bits(),
        FloatOrder::Sql if x.is_nan() => f32::NAN.to_bits() & (u32::MAX >> 1),
        FloatOrder::Sql if x == 0.0 => 0,
        FloatOrder::Sql => x.to_bits(),
    } as i32;
    (bits ^ ((bits >> 31) & i32::MAX)) as i64
}

/// Returns the code of a decimal: itself, clamped to 64 bits. Exact for up to 18 digits, otherwise
/// monotone.
pub const fn code_of_decimal(x: i128) -> i64 {
    if x > i64::MAX as i128 {
        i64::MAX
    } else if x < i64::MIN as i128 {
        i64::MIN
    } else {
        x as i64
    }
}

/// Returns the code of a string of bytes that compare as unsigned: its first eight, with zeros
/// behind a shorter one. Monotone.
pub fn code_of_bytes(bytes: &[u8]) -> i64 {
    let mut first = [0; 8];
    let len = bytes.len().min(8);
    first[..len].copy_from_slice(&bytes[..len]);
    (u64::from_be_bytes(first) ^ 1 << 63) as i64
}

/// Returns the code for the descending order: its complement.
pub const fn descending(code: i64) -> i64 {
    !code
}

/// A comparison of a column with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Below it.
    Less,
    /// Not above it.
    AtMost,
    /// The same.
    Equal,
    /// Another.
    Unequal,
    /// Not below it.
    AtLeast,
    /// Above it.
    Greater,
}

impl Comparison {
    /// Returns whether it holds.
    #[inline(always)]
    pub const fn holds(self, code: i64, constant: i64) -> bool {
        match self {
            Self::Less => code < constant,
            Self::AtMost => code <= constant,
            Self::Equal => code == constant,
            Self::Unequal => code != constant,
            Self::AtLeast => code >= constant,
            Self::Greater => code > constant,
        }
    }
}

/// Hashes a key (R-QRY-16).
#[inline(always)]
pub const fn hash_key(key: u64, seed: u64) -> u64 {
    let first = (key ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let second = (first ^ first >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    second ^ second >> 32
}

#[cfg(test)]
mod tests {
    extern crate std;

    use core::cmp::Ordering;

    use super::*;
    use proptest::prelude::*;

    fn any_f64() -> impl Strategy<Value = f64> {
        let special = std::vec![0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, -f64::INFINITY];
        prop_oneof![any::<u64>().prop_map(f64::from_bits), prop::sample::select(special)]
    }

    fn any_f32() -> impl Strategy<Value = f32> {
        let special = std::vec![0.0, -0.0, f32::NAN, -f32::NAN, f32::INFINITY, -f32::INFINITY];
        prop_oneof![any::<u32>().prop_map(f32::from_bits), prop::sample::select(special)]
    }

    /// Spark: NaN is larger than any other value, and equal to itself; -0 equals 0.
    fn by_sql(a: f64, b: f64) -> Ordering {
        a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
    }

    proptest! {
        /// R-QRY-2
        #[test]
        fn codes_compare_as_floats_do(
            (a, b) in (any_f64(), any_f64()),
            (c, d) in (any_f32(), any_f32()),
        ) {
            let codes = |order| (code_of_f64(a, order), code_of_f64(b, order));
            let short = |order| (code_of_f32(c, order), code_of_f32(d, order));
            let (x, y) = codes(FloatOrder::Total);
            prop_assert_eq!(x.cmp(&y), a.total_cmp(&b));
            prop_assert_eq!(descending(x).cmp(&descending(y)), b.total_cmp(&a));
            let (x, y) = codes(FloatOrder::Sql);
            prop_assert_eq!(x.cmp(&y), by_sql(a, b));
            let (x, y) = short(FloatOrder::Total);
            prop_assert_eq!(x.cmp(&y), c.total_cmp(&d));
            let (x, y) = short(FloatOrder::Sql);
            prop_assert_eq!(x.cmp(&y), by_sql(c.into(), d.into()));
        }

        /// R-QRY-3
        #[test]
        fn decimals_and_strings_are_monotone(
            (a, b) in any::<(i128, i128)>(),
            (s, t) in (".{0,12}", ".{0,12}"),
            shift in 0..127_u32,
        ) {
            let (a, b) = (a >> shift, b >> shift);
            let order = code_of_decimal(a).cmp(&code_of_decimal(b));
            prop_assert!(order == a.cmp(&b) || order == Ordering::Equal && shift < 64);
            let order = code_of_bytes(s.as_bytes()).cmp(&code_of_bytes(t.as_bytes()));
            prop_assert!(order == s.cmp(&t) || order == Ordering::Equal);
        }
    }
}
