//! The numbers that formats have, as those that are asked for.

/// A number that is asked for: `f32` for features, [`Label`] for labels, `i64` for indices.
pub trait Number: Copy {
    fn of_float(value: f64) -> Self;
    fn of_signed(value: i64) -> Self;
    fn of_unsigned(value: u64) -> Self;
}

impl Number for f32 {
    fn of_float(value: f64) -> Self {
        value as Self
    }
    fn of_signed(value: i64) -> Self {
        value as Self
    }
    fn of_unsigned(value: u64) -> Self {
        value as Self
    }
}

/// A label, which may not be the number that the file has: 64-bit floating point has not all whole
/// numbers beyond 2^53.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    pub value: f64,
    exact: bool,
}

impl Label {
    /// A label that is not read yet.
    pub const NONE: Self = Self { value: 0.0, exact: true };

    /// Returns the fault and its remedy, if it has one.
    pub fn problem(self, non_finite: bool) -> Option<String> {
        if !self.exact {
            return Some(format!(
                "the label is a whole number near {}, for which there is {INEXACT}",
                self.value
            ));
        }
        (!self.value.is_finite() && !non_finite)
            .then(|| format!("the label is {}; give each row a finite one", self.value))
    }
}

/// Up to it 64-bit floating point has all whole numbers.
pub const ALL_WHOLE: u64 = 1 << 53;

/// Message for a feature's value that is refused, with the remedy.
pub const NOT_FINITE: &str = "the value is not finite in 32-bit floating point; replace it";

/// Message for a whole number that is refused, with the remedy.
const INEXACT: &str =
    "no 64-bit floating point number; number the classes from 0, or write it as floating point";

impl Number for Label {
    fn of_float(value: f64) -> Self {
        Self { value, exact: true }
    }
    fn of_signed(whole: i64) -> Self {
        let value = whole as f64;
        Self {
            value,
            exact: whole.unsigned_abs() <= ALL_WHOLE || value as i128 == i128::from(whole),
        }
    }
    fn of_unsigned(whole: u64) -> Self {
        let value = whole as f64;
        Self { value, exact: whole <= ALL_WHOLE || value as u128 == u128::from(whole) }
    }
}

/// For indices: a value that cannot be an index becomes negative.
impl Number for i64 {
    fn of_float(_value: f64) -> Self {
        -1
    }
    fn of_signed(value: i64) -> Self {
        value
    }
    fn of_unsigned(value: u64) -> Self {
        Self::try_from(value).unwrap_or(-1)
    }
}
