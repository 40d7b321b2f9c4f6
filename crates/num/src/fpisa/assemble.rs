//! From sign, magnitude and scale to a pattern: normalise, round, assemble.

use super::Format;

/// Rounding of a magnitude that does not fit a format's mantissa (R-FPI-11; appendix A.1). A
/// magnitude out of range is infinite in every mode (R-FPI-12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Truncation, as by a switch that only shifts (section 3.2).
    #[default]
    TowardZero,
    /// Rounding to the next value below.
    TowardNegative,
    /// Rounding to the next value above.
    TowardPositive,
    /// Rounding to the nearest value, to the one with an even mantissa of two.
    NearestEven,
    /// Rounding to the nearest value, to the one of the larger magnitude of two.
    NearestAway,
}

impl Rounding {
    /// Every mode.
    pub const ALL: [Self; 5] = [
        Self::TowardZero,
        Self::TowardNegative,
        Self::TowardPositive,
        Self::NearestEven,
        Self::NearestAway,
    ];

    /// The short name, `toward-zero`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TowardZero => "toward-zero",
            Self::TowardNegative => "toward-negative",
            Self::TowardPositive => "toward-positive",
            Self::NearestEven => "nearest-even",
            Self::NearestAway => "nearest-away",
        }
    }

    /// The mode of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// Returns whether a magnitude that ends in `odd` and loses `lost` goes up. In the units of
    /// `lost`, half of a last place is `half`.
    const fn goes_up(self, negative: bool, odd: bool, lost: u64, half: u64) -> bool {
        match self {
            Self::TowardZero => false,
            Self::TowardNegative => negative && lost != 0,
            Self::TowardPositive => !negative && lost != 0,
            Self::NearestEven => lost > half || (lost == half && odd),
            Self::NearestAway => lost >= half,
        }
    }
}

/// The pattern of `magnitude` * 2^`scale` times the smallest subnormal, with its sign; rounded
/// once.
///
/// `magnitude` is at most 2^63, which a register of 64 bits reaches, and below that if `scale` is
/// -64 or less.
#[inline]
pub(super) const fn assemble(
    format: Format,
    negative: bool,
    magnitude: u64,
    scale: i32,
    rounding: Rounding,
) -> u32 {
    if magnitude == 0 {
        return format.sign(negative);
    }
    let leading = magnitude.ilog2() as i32;
    let mantissa_bits = format.mantissa_bits() as i32;
    // The bits that fall off: those below the mantissa, or below the smallest subnormal if that is
    // more.
    let normal = leading - mantissa_bits;
    let dropped = if normal > -scale { normal } else { -scale };
    let rounded = if dropped <= 0 {
        magnitude << -dropped
    } else if dropped < 64 {
        let kept = magnitude >> dropped;
        let lost = magnitude - (kept << dropped);
        kept + rounding.goes_up(negative, kept & 1 != 0, lost, 1 << (dropped - 1)) as u64
    } else {
        // Products and conversions get here, registers do not: what is left is below half of the
        // smallest subnormal.
        rounding.goes_up(negative, false, 1, u64::MAX) as u64
    };
    // The leading one, where there is one, adds itself to the exponent; so does a carry out of the
    // mantissa.
    let pattern = ((scale + dropped) as u64) << mantissa_bits;
    let pattern = pattern + rounded;
    if pattern > format.largest() as u64 {
        format.beyond(negative)
    } else {
        pattern as u32 | format.sign(negative)
    }
}
