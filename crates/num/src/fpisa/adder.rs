//! The switch's side: align, add, and read.

use super::assemble::assemble;
use super::{Flags, Format, Movement, Register, Rounding, Step};
use core::fmt;

/// The one of two operands that an adder can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// `fpisa`: the one with the smaller exponent, the stored one included. It needs a unit that
    /// shifts and adds in one stage (section 4.2).
    Full,
    /// `fpisa-a`: only the incoming one, left into the headroom if need be. Switches of today can
    /// do it (section 4.3).
    Approximate,
}

impl Variant {
    /// Both variants.
    pub const ALL: [Self; 2] = [Self::Full, Self::Approximate];

    /// The name of the arithmetic, `fpisa` or `fpisa-a`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "fpisa",
            Self::Approximate => "fpisa-a",
        }
    }

    /// The variant with this name, `fpisa` or `fpisa-a`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }
}

/// Description of one adder of a switch: a format, a variant, and the width of the mantissa
/// register.
///
/// With an adder that is a constant, such as [`Adder::FP32`], the compiler leaves nothing of the
/// description in [`add`](Self::add).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Adder {
    format: Format,
    variant: Variant,
    register_bits: u32,
    guard_bits: u32,
}

/// The mantissa register is too wide, or too narrow for the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WidthError {
    /// No register of this many bits; the largest has 64.
    TooWide(u32),
    /// The register does not hold the sign, the leading one, the mantissa and the guard bits.
    TooNarrow {
        /// The register's width asked for.
        register_bits: u32,
        /// The width that format and guard bits need.
        needed: u32,
    },
}

impl fmt::Display for WidthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooWide(bits) => {
                write!(f, "a mantissa register of {bits} bits is too wide; give at most 64")
            }
            Self::TooNarrow { register_bits, needed } => write!(
                f,
                "a mantissa register of {register_bits} bits is too narrow for the format and its guard bits; give at least {needed}"
            ),
        }
    }
}

impl core::error::Error for WidthError {}

/// The alignment of two mantissas under one exponent.
pub(super) struct Alignment {
    pub movement: Movement,
    /// The exponent of the sum.
    pub exponent: u8,
    /// The stored mantissa is dropped.
    pub replaces: bool,
    stored_right: u32,
    incoming_right: u32,
    incoming_left: u32,
}

impl Adder {
    /// `fpisa` of FP32 in 32 bits.
    pub const FP32: Self = Self::of_32_bits(Format::FP32, Variant::Full);
    /// `fpisa-a` of FP32 in 32 bits.
    pub const FP32_A: Self = Self::of_32_bits(Format::FP32, Variant::Approximate);
    /// `fpisa` of FP16 in 32 bits.
    pub const FP16: Self = Self::of_32_bits(Format::FP16, Variant::Full);
    /// `fpisa-a` of FP16 in 32 bits.
    pub const FP16_A: Self = Self::of_32_bits(Format::FP16, Variant::Approximate);
    /// `fpisa` of bfloat16 in 32 bits.
    pub const BF16: Self = Self::of_32_bits(Format::BF16, Variant::Full);
    /// `fpisa-a` of bfloat16 in 32 bits.
    pub const BF16_A: Self = Self::of_32_bits(Format::BF16, Variant::Approximate);

    /// An adder with mantissas of `register_bits`, `guard_bits` of them below the format's last
    /// place (appendix A.1).
    ///
    /// # Errors
    /// [`WidthError`], if the register has more than 64 bits, or fewer than sign, leading one,
    /// mantissa and guard bits need.
    pub const fn new(
        format: Format,
        variant: Variant,
        register_bits: u32,
        guard_bits: u32,
    ) -> Result<Self, WidthError> {
        if register_bits > 64 {
            return Err(WidthError::TooWide(register_bits));
        }
        let needed = (format.mantissa_bits() + 2).saturating_add(guard_bits);
        if register_bits < needed {
            return Err(WidthError::TooNarrow { register_bits, needed });
        }
        Ok(Self { format, variant, register_bits, guard_bits })
    }

    const fn of_32_bits(format: Format, variant: Variant) -> Self {
        Self { format, variant, register_bits: 32, guard_bits: 0 }
    }

    /// The format of the operands and of the result.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Returns the variant: the operand that moves.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Width of the mantissa register, R.
    pub const fn register_bits(&self) -> u32 {
        self.register_bits
    }

    /// Bits of the mantissa register below the format's last place, g.
    pub const fn guard_bits(&self) -> u32 {
        self.guard_bits
    }

    /// Bits of the mantissa register above the leading one and below the sign, H: 7 for FP32 in 32
    /// bits.
    pub const fn headroom(&self) -> u32 {
        self.register_bits - 2 - self.format.mantissa_bits() - self.guard_bits
    }

    /// The number of operands that never overflow the mantissa under [`Variant::Full`], whatever
    /// they are (R-FPI-16).
    pub const fn capacity(&self) -> u64 {
        let largest_sum = i64::MAX as u64 >> (64 - self.register_bits);
        let largest_operand = ((2u64 << self.format.mantissa_bits()) - 1) << self.guard_bits;
        largest_sum / largest_operand
    }

    /// Adds a float of the adder's format to a register (R-FPI-3 to 9).
    ///
    /// An overflow sets [`Flags::OVERFLOW`], and the mantissa wraps around. NaN and infinity only
    /// set their flag.
    #[inline]
    pub const fn add(&self, register: &mut Register, bits: u32) -> Step {
        let operand = self.format.extract(bits);
        let incoming = (operand.mantissa as i64) << self.guard_bits;
        let alignment =
            self.align(register.exponent, register.mantissa == 0, operand.exponent, incoming == 0);
        let (mantissa, overflow) = self.sum(&alignment, register.mantissa, incoming);
        let overflow_flag = if overflow { Flags::OVERFLOW } else { Flags::NONE };
        register.exponent = alignment.exponent;
        register.mantissa = mantissa;
        register.flags = register.flags.union(operand.flags).union(overflow_flag);
        let movement =
            if operand.flags.is_empty() { alignment.movement } else { Movement::Special };
        Step { movement, overflow }
    }

    /// Folds the operands of one element, in order, into an empty register.
    pub fn fold(&self, operands: impl IntoIterator<Item = u32>) -> Register {
        operands.into_iter().fold(Register::EMPTY, |mut register, bits| {
            // The register's flags keep what the step says about overflow.
            let _ = self.add(&mut register, bits);
            register
        })
    }

    /// The float that a register stands for (R-FPI-10 to 12). The register stays as it is.
    ///
    /// Underflow is gradual; what is out of the format's range is infinite, NaN if it has no
    /// infinities. A register whose mantissa has overflowed reads as NaN.
    #[inline]
    pub const fn read(&self, register: &Register, rounding: Rounding) -> u32 {
        if let Some(pattern) = self.format.special(register.flags) {
            return pattern;
        }
        let scale = register.exponent as i32 - 1 - self.guard_bits as i32;
        assemble(
            self.format,
            register.mantissa < 0,
            register.mantissa.unsigned_abs(),
            scale,
            rounding,
        )
    }

    /// Decides what moves, and how far (R-FPI-5 to 7). Only exponents count, and whether one side
    /// is zero.
    #[inline]
    pub(super) const fn align(
        &self,
        stored_exponent: u8,
        stored_is_zero: bool,
        incoming_exponent: u8,
        incoming_is_zero: bool,
    ) -> Alignment {
        let distance = incoming_exponent as i32 - stored_exponent as i32;
        let too_far =
            matches!(self.variant, Variant::Approximate) && distance > self.headroom() as i32;
        let replaces = !incoming_is_zero && (stored_is_zero || too_far);
        // A zero, and what replaces the register, moves by nothing.
        let distance = if incoming_is_zero || replaces { 0 } else { distance };
        let (right, left) = (positive_part(-distance), positive_part(distance));
        let (stored_right, incoming_left, takes_exponent) = match self.variant {
            Variant::Full => (left, 0, left > 0),
            Variant::Approximate => (0, left, false),
        };
        Alignment {
            movement: if incoming_is_zero {
                Movement::Zero
            } else if stored_is_zero {
                Movement::First
            } else if replaces {
                Movement::Overwritten
            } else if left == 0 {
                Movement::IncomingRight
            } else if matches!(self.variant, Variant::Full) {
                Movement::StoredRight
            } else {
                Movement::IncomingLeft
            },
            exponent: if replaces || takes_exponent { incoming_exponent } else { stored_exponent },
            replaces,
            stored_right,
            incoming_right: right,
            incoming_left,
        }
    }

    /// The sum of two mantissas under an alignment, wrapped around at the register's width, and
    /// whether it had to be (R-FPI-8, R-FPI-9).
    #[inline]
    pub(super) const fn sum(
        &self,
        alignment: &Alignment,
        stored: i64,
        incoming: i64,
    ) -> (i64, bool) {
        let stored = if alignment.replaces { 0 } else { stored };
        let stored = shift_right(stored, alignment.stored_right);
        let incoming = shift_right(incoming << alignment.incoming_left, alignment.incoming_right);
        let (sum, carried) = stored.overflowing_add(incoming);
        let unused = 64 - self.register_bits;
        let wrapped = (sum << unused) >> unused;
        (wrapped, carried || wrapped != sum)
    }
}

/// `value` / 2^`distance`, rounded to negative infinity; 0 or -1 for 63 and more.
#[inline]
pub(super) const fn shift_right(value: i64, distance: u32) -> i64 {
    value >> if distance < 63 { distance } else { 63 }
}

/// max(`x`, 0).
#[inline]
const fn positive_part(x: i32) -> u32 {
    if x > 0 { x as u32 } else { 0 }
}
