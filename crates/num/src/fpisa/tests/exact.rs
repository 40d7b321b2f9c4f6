//! The references. They share no code with the code that they check but the widths of the formats.

use crate::fpisa::{Adder, Encoding, Format, Movement, Rounding, Variant};

/// A finite pattern's exponent, at least 1, and its signed mantissa.
fn parts(format: Format, bits: u32) -> (i32, i128) {
    let mantissa_bits = format.mantissa_bits();
    let exponent = (bits >> mantissa_bits & ((1 << format.exponent_bits()) - 1)) as i32;
    let fraction = i128::from(bits & ((1 << mantissa_bits) - 1));
    let magnitude = if exponent == 0 { fraction } else { fraction + (1 << mantissa_bits) };
    let negative = bits >> (format.bits() - 1) & 1 == 1;
    (exponent.max(1), if negative { -magnitude } else { magnitude })
}

/// Returns whether a pattern is a NaN or an infinity.
pub fn is_special(format: Format, bits: u32) -> bool {
    let magnitude = bits & ((1 << (format.bits() - 1)) - 1);
    match format.encoding() {
        Encoding::Ieee => magnitude >> format.mantissa_bits() == (1 << format.exponent_bits()) - 1,
        Encoding::NanOnly => magnitude == (1 << (format.bits() - 1)) - 1,
    }
}

/// The power of two of the last place under an exponent.
fn last_place(format: Format, exponent: i32) -> i32 {
    exponent - format.bias() - format.mantissa_bits() as i32
}

/// The exact value of a finite pattern in units of 2^`base`, of which it is a multiple.
pub fn value(format: Format, bits: u32, base: i32) -> i128 {
    let (exponent, mantissa) = parts(format, bits);
    let distance = last_place(format, exponent) - base;
    if distance >= 0 {
        return mantissa << distance;
    }
    // Zero has the least exponent, which may lie more places below the unit than a shift has.
    if mantissa == 0 {
        return 0;
    }
    // A small result of large operands has zeros where its exponent has places below the unit.
    let whole = mantissa >> -distance;
    assert_eq!(whole << -distance, mantissa, "{bits:#x} is no multiple of 2^{base}");
    whole
}

/// The magnitude of a pattern, the one above the largest finite included, where it matters beside a
/// value of at least 2^(M + 2) units and below 2^120 of them: 0 if it is much smaller, 2^120 if it
/// is larger.
fn clipped(format: Format, magnitude: u32, base: i32) -> i128 {
    let (exponent, mantissa) = parts(format, magnitude);
    let distance = last_place(format, exponent) - base;
    match distance {
        ..0 => 0,
        0..96 => mantissa << distance,
        _ => {
            if mantissa == 0 {
                0
            } else {
                1 << 120
            }
        }
    }
}

/// The pattern that an exact value rounds to: its neighbours are found by bisection over all
/// magnitudes (R-FPI-11, R-FPI-12).
///
/// `exact` is 0 or at least 2^(M + 2) in magnitude.
pub fn round(format: Format, exact: i128, base: i32, rounding: Rounding) -> u32 {
    if exact == 0 {
        return 0;
    }
    let (negative, magnitude) = (exact < 0, exact.abs());
    let largest = if format.encoding() == Encoding::Ieee {
        (((1 << format.exponent_bits()) - 1) << format.mantissa_bits()) - 1
    } else {
        (1 << (format.bits() - 1)) - 2
    };
    // Without an end to the exponents the next pattern would be one last place up; in both
    // encodings that is what its bits say.
    let (mut below, mut above) = (0, largest + 2);
    while above - below > 1 {
        let middle = (below + above) / 2;
        if middle <= largest + 1 && clipped(format, middle, base) <= magnitude {
            below = middle;
        } else {
            above = middle;
        }
    }
    let lost = magnitude - clipped(format, below, base);
    let missing = clipped(format, below + 1, base) - magnitude;
    let up = lost > 0
        && match rounding {
            Rounding::TowardZero => false,
            Rounding::TowardNegative => negative,
            Rounding::TowardPositive => !negative,
            Rounding::NearestEven => lost > missing || (lost == missing && below % 2 == 1),
            Rounding::NearestAway => lost >= missing,
        };
    let rounded = below + u32::from(up);
    let sign = u32::from(negative) << (format.bits() - 1);
    if rounded <= largest {
        rounded | sign
    } else if format.encoding() == Encoding::Ieee {
        (largest + 1) | sign
    } else {
        format.nan()
    }
}

/// A register by its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    adder: Adder,
    base: i32,
    pub exponent: i32,
    /// The value of the register, in units of 2^base.
    pub value: i128,
    /// The amount that overwriting has dropped so far, in the same unit.
    pub dropped: i128,
}

impl Model {
    pub fn new(adder: Adder, base: i32) -> Self {
        Self { adder, base, exponent: 0, value: 0, dropped: 0 }
    }

    /// Returns the value of one unit of the mantissa under an exponent, u(e), in units of 2^base.
    pub fn unit(&self, exponent: i32) -> i128 {
        1 << (last_place(self.adder.format(), exponent)
            - self.adder.guard_bits() as i32
            - self.base)
    }

    pub fn mantissa(&self) -> i128 {
        if self.value == 0 {
            return 0;
        }
        assert_eq!(self.value % self.unit(self.exponent), 0, "a value is a whole number of units");
        self.value / self.unit(self.exponent)
    }

    /// R-FPI-5 to 9 in terms of values. Returns the movement, and whether the sum overflowed.
    pub fn add(&mut self, bits: u32) -> (Movement, bool) {
        let (exponent, _) = parts(self.adder.format(), bits);
        let operand = value(self.adder.format(), bits, self.base);
        let floor = |value: i128, unit: i128| value - value.rem_euclid(unit);
        if operand == 0 {
            return (Movement::Zero, false);
        }
        let movement = if self.value == 0 {
            (self.exponent, self.value) = (exponent, operand);
            Movement::First
        } else if exponent <= self.exponent {
            self.value += floor(operand, self.unit(self.exponent));
            Movement::IncomingRight
        } else if self.adder.variant() == Variant::Full {
            self.value = floor(self.value, self.unit(exponent)) + operand;
            self.exponent = exponent;
            Movement::StoredRight
        } else if exponent - self.exponent <= self.adder.headroom() as i32 {
            self.value += operand;
            Movement::IncomingLeft
        } else {
            self.dropped += self.value;
            (self.exponent, self.value) = (exponent, operand);
            Movement::Overwritten
        };
        let unit = self.unit(self.exponent);
        let half = unit << (self.adder.register_bits() - 1);
        let wrapped = (self.value + half).rem_euclid(2 * half) - half;
        let overflow = wrapped != self.value;
        self.value = wrapped;
        (movement, overflow)
    }
}
