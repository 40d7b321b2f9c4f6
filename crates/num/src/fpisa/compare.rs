//! Comparison of floats by comparison of integers (R-FPI-20), for queries (section 6).

use super::Format;
use core::cmp::Ordering;

impl Format {
    /// An integer that orders as the value does: -0 right below +0, infinities at the ends. `None`
    /// for NaN.
    pub const fn order_key(self, bits: u32) -> Option<i32> {
        let operand = self.extract(bits);
        if operand.flags.contains(super::Flags::NAN) {
            return None;
        }
        let magnitude = (bits & self.magnitude_field()) as i32;
        Some(if self.is_negative(bits) { !magnitude } else { magnitude })
    }

    /// Compares two values in the total order in which -0 is below +0. Returns `None` if one is
    /// NaN.
    pub fn compare(self, a: u32, b: u32) -> Option<Ordering> {
        Some(self.order_key(a)?.cmp(&self.order_key(b)?))
    }

    /// The pattern of the smaller of two values; the canonical NaN if one is NaN.
    pub const fn minimum(self, a: u32, b: u32) -> u32 {
        match (self.order_key(a), self.order_key(b)) {
            (Some(key_a), Some(key_b)) => self.pattern(if key_a < key_b { a } else { b }),
            _ => self.nan(),
        }
    }

    /// The pattern of the larger of two values; the canonical NaN if one is NaN.
    pub const fn maximum(self, a: u32, b: u32) -> u32 {
        match (self.order_key(a), self.order_key(b)) {
            (Some(key_a), Some(key_b)) => self.pattern(if key_a > key_b { a } else { b }),
            _ => self.nan(),
        }
    }

    /// `bits` without those above the format's width.
    const fn pattern(self, bits: u32) -> u32 {
        bits & (self.sign(true) | self.magnitude_field())
    }
}
