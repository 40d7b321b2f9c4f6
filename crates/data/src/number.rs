//! The numbers that formats have, as those that are asked for.

/// A number that is asked for: `f32` for features, `f64` for labels, `i64` for indices.
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

impl Number for f64 {
    fn of_float(value: f64) -> Self {
        value
    }
    fn of_signed(value: i64) -> Self {
        value as Self
    }
    fn of_unsigned(value: u64) -> Self {
        value as Self
    }
}

/// For indices: what is none is negative.
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
