//! The switch's registers for an element, and the effect of a step on them.

/// Sticky conditions of a register (R-FPI-4, R-FPI-9), four bits. A switch folds them by OR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u8);

impl Flags {
    /// All operands so far were finite, and the mantissa has not overflowed.
    pub const NONE: Self = Self(0);
    /// An operand was +infinity.
    pub const POSITIVE_INFINITY: Self = Self(1);
    /// An operand was -infinity.
    pub const NEGATIVE_INFINITY: Self = Self(2);
    /// An operand was NaN.
    pub const NAN: Self = Self(4);
    /// A sum did not fit the mantissa register.
    pub const OVERFLOW: Self = Self(8);

    /// The flags with these bits; those above the fourth are dropped.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// The flags as bits: +infinity 1, -infinity 2, NaN 4, overflow 8.
    pub const fn to_bits(self) -> u8 {
        self.0
    }

    /// Returns whether all of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether no flag is set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those set in either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The sum so far of one element (R-FPI-2). Its value is `mantissa` * 2^(`exponent` - B - M - g):
/// bias, mantissa bits and guard bits are those of the [`Adder`](super::Adder).
///
/// Arrays of registers are best kept as three planes; the mantissa fits the signed integer of the
/// adder's register width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Register {
    /// Biased exponent; 0 before the first operand.
    pub exponent: u8,
    /// Mantissa in two's complement, not normalised.
    pub mantissa: i64,
    /// Conditions seen on the way.
    pub flags: Flags,
}

impl Register {
    /// A register before its first operand: zero.
    pub const EMPTY: Self = Self { exponent: 0, mantissa: 0, flags: Flags::NONE };

    /// Returns whether the mantissa has overflowed at any step.
    pub const fn overflowed(&self) -> bool {
        self.flags.contains(Flags::OVERFLOW)
    }
}

/// The movement of mantissas in a step (R-FPI-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Movement {
    /// The operand was zero: nothing.
    Zero,
    /// The operand was NaN or infinite: it only set a flag.
    Special,
    /// The register was zero and took the operand.
    First,
    /// The operand moved right, or the exponents were equal.
    IncomingRight,
    /// The register moved right.
    StoredRight,
    /// The operand moved left, into the headroom.
    IncomingLeft,
    /// The register was replaced: the operand would have moved left by more than the headroom.
    Overwritten,
}

impl Movement {
    /// The short name, `incoming-right`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::Special => "special",
            Self::First => "first",
            Self::IncomingRight => "incoming-right",
            Self::StoredRight => "stored-right",
            Self::IncomingLeft => "incoming-left",
            Self::Overwritten => "overwritten",
        }
    }
}

/// Effect of adding one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a step may have overflowed; `Register::overflowed` says so later, too"]
pub struct Step {
    /// The movement of mantissas.
    pub movement: Movement,
    /// This step's sum did not fit the mantissa register (R-FPI-9).
    pub overflow: bool,
}
