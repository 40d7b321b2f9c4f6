//! The exponent that all workers agree on before they quantise a block.

use core::fmt;

/// The exponent of a block: the smallest m with h <= 2^m, where h is the largest magnitude in the
/// block (R-NUM-6).
///
/// The order of exponents is their rule of agreement: the switch keeps the maximum of what the
/// workers say, so one worker with a NaN makes the block [`SPECIAL`](Self::SPECIAL) for all, and
/// one that does not know its block yet makes it [`UNKNOWN`](Self::UNKNOWN) (R-NUM-7).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exponent(i16);

impl Exponent {
    /// Exponent of a block that has no element but zeros, or no element at all.
    pub const ZERO: Self = Self(i16::MIN);
    /// The exponent of the smallest subnormal `f32`.
    pub const SMALLEST: Self = Self(-149);
    /// The exponent of the largest finite `f32`.
    pub const LARGEST: Self = Self(128);
    /// The block holds a NaN or an infinity: a Classes round is needed first.
    pub const SPECIAL: Self = Self(0x7FFE);
    /// The worker does not have the block yet: an Exponents round is needed first.
    pub const UNKNOWN: Self = Self(0x7FFF);

    /// The exponent of a block whose largest magnitude has these bits as an `f32` (R-NUM-6). The
    /// sign bit is ignored.
    ///
    /// Magnitudes of `f32` order as their bits do, so a block's largest magnitude is an unsigned
    /// maximum over the bits.
    pub const fn of_magnitude_bits(bits: u32) -> Self {
        let magnitude = bits & 0x7FFF_FFFF;
        let (biased, fraction) = ((magnitude >> 23) as i16, magnitude & 0x007F_FFFF);
        match biased {
            0xFF => Self::SPECIAL,
            0 if fraction == 0 => Self::ZERO,
            // A subnormal is fraction * 2^-149; the exponent of an integer is the number of bits of
            // its predecessor.
            0 => Self((u32::BITS - (fraction - 1).leading_zeros()) as i16 - 149),
            _ => Self(biased - 127 + (fraction != 0) as i16),
        }
    }

    /// Reads a header field. `None` for a number that stands for no exponent, which no netfold
    /// worker sends.
    pub const fn from_wire(number: i16) -> Option<Self> {
        match Self(number) {
            Self::ZERO | Self::SPECIAL | Self::UNKNOWN => Some(Self(number)),
            Self(Self::SMALLEST_POWER..=Self::LARGEST_POWER) => Some(Self(number)),
            _ => None,
        }
    }

    /// The number that stands for this exponent in a header.
    pub const fn to_wire(self) -> i16 {
        self.0
    }

    /// m, where the block has one: it is neither zero, nor special, nor unknown.
    pub const fn power(self) -> Option<i16> {
        match self.0 {
            Self::SMALLEST_POWER..=Self::LARGEST_POWER => Some(self.0),
            _ => None,
        }
    }

    const SMALLEST_POWER: i16 = Self::SMALLEST.0;
    const LARGEST_POWER: i16 = Self::LARGEST.0;
}

impl fmt::Display for Exponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ZERO => f.write_str("zero"),
            Self::SPECIAL => f.write_str("special"),
            Self::UNKNOWN => f.write_str("unknown"),
            Self(power) => write!(f, "2^{power}"),
        }
    }
}

impl fmt::Debug for Exponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Exponent({self})")
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use proptest::prelude::*;

    /// 2^power by repeated doubling or halving, exact over the whole range.
    fn power_of_two(power: i16) -> f64 {
        let step = if power < 0 { 0.5 } else { 2.0 };
        (0..power.unsigned_abs()).fold(1.0, |product, _| product * step)
    }

    fn check(x: f32) {
        let exponent = Exponent::of_magnitude_bits(x.to_bits());
        let h = f64::from(x).abs();
        if !x.is_finite() {
            assert_eq!(exponent, Exponent::SPECIAL);
        } else if x == 0.0 {
            assert_eq!(exponent, Exponent::ZERO);
        } else {
            // R-NUM-6: h <= 2^m, and m is the smallest such.
            let power = exponent.power().unwrap();
            assert!(h <= power_of_two(power), "{x:e}: {exponent}");
            assert!(h > power_of_two(power - 1), "{x:e}: {exponent}");
        }
        assert_eq!(Exponent::from_wire(exponent.to_wire()), Some(exponent));
    }

    #[test]
    fn the_exponent_is_the_next_power_of_two_at_every_edge() {
        for biased in 0..=0xFFu32 {
            for fraction in [0, 1, 2, 3, 0x0040_0000, 0x007F_FFFE, 0x007F_FFFF] {
                check(f32::from_bits(biased << 23 | fraction));
                check(f32::from_bits(1 << 31 | biased << 23 | fraction));
            }
        }
        for bit in 0..23 {
            for fraction in [(1u32 << bit) - 1, 1 << bit, (1 << bit) + 1] {
                check(f32::from_bits(fraction));
            }
        }
        assert_eq!(Exponent::of_magnitude_bits(1), Exponent::SMALLEST);
        assert_eq!(Exponent::of_magnitude_bits(f32::MAX.to_bits()), Exponent::LARGEST);
    }

    #[test]
    fn the_maximum_is_the_agreement() {
        // R-NUM-7
        let order = [
            Exponent::ZERO,
            Exponent::SMALLEST,
            Exponent::LARGEST,
            Exponent::SPECIAL,
            Exponent::UNKNOWN,
        ];
        assert!(order.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn the_wire_is_not_believed() {
        let known =
            (i16::MIN..=i16::MAX).filter(|&number| Exponent::from_wire(number).is_some()).count();
        assert_eq!(known, (128 + 149 + 1) + 3);
        assert_eq!(Exponent::from_wire(-150), None);
        assert_eq!(Exponent::from_wire(129), None);
    }

    proptest! {
        #[test]
        fn the_exponent_is_the_next_power_of_two(bits: u32) {
            check(f32::from_bits(bits));
        }
    }
}
