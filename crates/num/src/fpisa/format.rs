//! Floating-point formats by their widths, and how a pattern is taken apart.

use super::assemble::assemble;
use super::{Flags, Rounding};
use core::fmt;

/// Meaning of the largest exponent of a format (R-FPI-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Infinities and NaN, as in IEEE 754.
    Ieee,
    /// Finite values, but for the mantissa of all ones, which is NaN; there is no infinity (E4M3 of
    /// OCP's 8-bit floating point, 1.0).
    NanOnly,
}

/// A binary floating-point format of at most 32 bits: sign, biased exponent, mantissa without its
/// leading one (R-FPI-1).
///
/// Patterns are right-aligned in a `u32`; bits above the format's width are not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    exponent_bits: u32,
    mantissa_bits: u32,
    encoding: Encoding,
}

/// There is no format of these widths here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// The exponent is not 2 to 8 bits wide.
    ExponentBits(u32),
    /// The mantissa is not 1 to 23 bits wide.
    MantissaBits(u32),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExponentBits(bits) => {
                write!(f, "an exponent of {bits} bits does not fit; give 2 to 8")
            }
            Self::MantissaBits(bits) => {
                write!(f, "a mantissa of {bits} bits does not fit; give 1 to 23")
            }
        }
    }
}

impl core::error::Error for FormatError {}

/// A float taken apart (R-FPI-3): its value is `mantissa` times the last place under `exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Biased exponent, at least 1; that of a subnormal or a zero is 1.
    pub exponent: u8,
    /// Signed mantissa with the leading one; 0 for zeros, NaN and infinities.
    pub mantissa: i32,
    /// The class of a NaN or an infinity (R-FPI-4); no flag for finite values.
    pub flags: Flags,
}

impl Format {
    /// IEEE 754 binary32.
    pub const FP32: Self = Self { exponent_bits: 8, mantissa_bits: 23, encoding: Encoding::Ieee };
    /// IEEE 754 binary16.
    pub const FP16: Self = Self { exponent_bits: 5, mantissa_bits: 10, encoding: Encoding::Ieee };
    /// The upper half of a binary32 (bfloat16).
    pub const BF16: Self = Self { exponent_bits: 8, mantissa_bits: 7, encoding: Encoding::Ieee };
    /// The upper 19 bits of a binary32 (TF32), right-aligned.
    pub const TF32: Self = Self { exponent_bits: 8, mantissa_bits: 10, encoding: Encoding::Ieee };
    /// Five exponent bits of eight (OCP 8-bit floating point, 1.0).
    pub const E5M2: Self = Self { exponent_bits: 5, mantissa_bits: 2, encoding: Encoding::Ieee };
    /// Four exponent bits of eight, no infinities, up to 448 (OCP 8-bit floating point, 1.0).
    pub const E4M3: Self = Self { exponent_bits: 4, mantissa_bits: 3, encoding: Encoding::NanOnly };

    /// The formats that have a name.
    pub const NAMED: [(&str, Self); 6] = [
        ("fp32", Self::FP32),
        ("fp16", Self::FP16),
        ("bf16", Self::BF16),
        ("tf32", Self::TF32),
        ("e5m2", Self::E5M2),
        ("e4m3", Self::E4M3),
    ];

    /// A format of `exponent_bits` and `mantissa_bits` (without the leading one) beside the sign.
    ///
    /// # Errors
    /// [`FormatError`], if the exponent has fewer than 2 bits or more than 8, or the mantissa has
    /// no bits or more than 23.
    pub const fn new(
        exponent_bits: u32,
        mantissa_bits: u32,
        encoding: Encoding,
    ) -> Result<Self, FormatError> {
        if exponent_bits < 2 || exponent_bits > 8 {
            return Err(FormatError::ExponentBits(exponent_bits));
        }
        if mantissa_bits == 0 || mantissa_bits > 23 {
            return Err(FormatError::MantissaBits(mantissa_bits));
        }
        Ok(Self { exponent_bits, mantissa_bits, encoding })
    }

    /// The format with this name, one of [`NAMED`](Self::NAMED).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find_map(|(known, format)| (known == name).then_some(format))
    }

    /// Width of the exponent, E.
    pub const fn exponent_bits(self) -> u32 {
        self.exponent_bits
    }

    /// Width of the mantissa without the leading one, M.
    pub const fn mantissa_bits(self) -> u32 {
        self.mantissa_bits
    }

    /// Returns the meaning of the largest exponent.
    pub const fn encoding(self) -> Encoding {
        self.encoding
    }

    /// Width of a pattern: sign, exponent and mantissa.
    pub const fn bits(self) -> u32 {
        1 + self.exponent_bits + self.mantissa_bits
    }

    /// The exponent that stands for 2^0, B.
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The pattern of the canonical NaN (R-FPI-1).
    pub const fn nan(self) -> u32 {
        match self.encoding {
            Encoding::Ieee => self.exponent_field() | 1 << (self.mantissa_bits - 1),
            Encoding::NanOnly => self.exponent_field() | self.fraction_field(),
        }
    }

    /// Returns the pattern of +infinity; `None` if the format lacks it.
    pub const fn infinity(self) -> Option<u32> {
        match self.encoding {
            Encoding::Ieee => Some(self.exponent_field()),
            Encoding::NanOnly => None,
        }
    }

    /// The pattern of the largest finite value.
    pub const fn largest(self) -> u32 {
        match self.encoding {
            Encoding::Ieee => self.exponent_field() - 1,
            Encoding::NanOnly => self.exponent_field() | (self.fraction_field() - 1),
        }
    }

    /// Takes a pattern apart (R-FPI-3, R-FPI-4).
    #[inline]
    pub const fn extract(self, bits: u32) -> Operand {
        let magnitude = bits & self.magnitude_field();
        let (field, fraction) =
            (magnitude >> self.mantissa_bits, magnitude & self.fraction_field());
        let subnormal = field == 0;
        let special = magnitude > self.largest();
        let unsigned =
            if special { 0 } else { (fraction | (!subnormal as u32) << self.mantissa_bits) as i32 };
        let negative = self.is_negative(bits);
        Operand {
            exponent: field as u8 + subnormal as u8,
            mantissa: if negative { -unsigned } else { unsigned },
            flags: if !special {
                Flags::NONE
            } else if matches!(self.encoding, Encoding::NanOnly) || fraction != 0 {
                Flags::NAN
            } else if negative {
                Flags::NEGATIVE_INFINITY
            } else {
                Flags::POSITIVE_INFINITY
            },
        }
    }

    /// The value of a pattern in another format, rounded once. NaN becomes the canonical one, an
    /// infinity that the other format lacks NaN.
    ///
    /// The conversion to [`FP32`](Self::FP32) is exact from every format.
    pub const fn convert(self, bits: u32, to: Self, rounding: Rounding) -> u32 {
        let operand = self.extract(bits);
        if let Some(pattern) = to.special(operand.flags) {
            return pattern;
        }
        let scale = operand.exponent as i32 - 1 + self.lowest_power() - to.lowest_power();
        assemble(
            to,
            self.is_negative(bits),
            operand.mantissa.unsigned_abs() as u64,
            scale,
            rounding,
        )
    }

    /// Returns the result that flags dictate (R-FPI-10); `None` if it is that of the registers.
    pub(super) const fn special(self, flags: Flags) -> Option<u32> {
        let infinities =
            (flags.contains(Flags::POSITIVE_INFINITY), flags.contains(Flags::NEGATIVE_INFINITY));
        if flags.contains(Flags::NAN) {
            return Some(self.nan());
        }
        match infinities {
            (true, true) => Some(self.nan()),
            (true, false) => Some(self.beyond(false)),
            (false, true) => Some(self.beyond(true)),
            (false, false) if flags.contains(Flags::OVERFLOW) => Some(self.nan()),
            (false, false) => None,
        }
    }

    /// Returns the pattern for a magnitude above the largest finite one: the infinity, or NaN in a
    /// format without one (R-FPI-12).
    pub(super) const fn beyond(self, negative: bool) -> u32 {
        match self.infinity() {
            Some(infinity) => infinity | self.sign(negative),
            None => self.nan(),
        }
    }

    /// The sign bit of a pattern, set if `negative`.
    pub(super) const fn sign(self, negative: bool) -> u32 {
        (negative as u32) << (self.exponent_bits + self.mantissa_bits)
    }

    pub(super) const fn is_negative(self, bits: u32) -> bool {
        bits & self.sign(true) != 0
    }

    /// The power of two of the smallest subnormal, 1 - B - M.
    pub(super) const fn lowest_power(self) -> i32 {
        1 - self.bias() - self.mantissa_bits as i32
    }

    /// The mask of exponent and mantissa.
    pub(super) const fn magnitude_field(self) -> u32 {
        self.exponent_field() | self.fraction_field()
    }

    const fn exponent_field(self) -> u32 {
        ((1 << self.exponent_bits) - 1) << self.mantissa_bits
    }

    const fn fraction_field(self) -> u32 {
        (1 << self.mantissa_bits) - 1
    }
}
