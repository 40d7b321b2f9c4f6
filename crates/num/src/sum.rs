//! Sums of a query's columns, and their accumulators (R-QRY-19).

use crate::fpisa::{Adder, Flags, Register, Rounding};
use crate::{ExactFormat, logtable};

/// A column's sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sum {
    /// Integers and decimals, in 128 bits.
    Integer,
    /// Floats, exact (R-QRY-20).
    Exact(ExactFormat),
    /// `f32`, by IEEE additions.
    NativeF32,
    /// `f64`, by IEEE additions.
    NativeF64,
    /// `f32`, by FPISA's registers.
    Fpisa,
    /// `f32`, by FPISA-A's registers.
    FpisaA,
    /// `f32`, by Libra's tables.
    LogTable,
}

impl Sum {
    /// Every sum.
    pub const ALL: [Self; 8] = [
        Self::Integer,
        Self::Exact(ExactFormat::F32),
        Self::Exact(ExactFormat::F64),
        Self::NativeF32,
        Self::NativeF64,
        Self::Fpisa,
        Self::FpisaA,
        Self::LogTable,
    ];

    /// Returns the words of 64 bits of an accumulator. One whose words are 0 is a sum of nothing.
    pub const fn words(self) -> usize {
        match self {
            Self::Integer => 2,
            Self::Exact(format) => format.words(),
            _ => 1,
        }
    }

    /// Returns whether the result depends neither on the order nor on the grouping of the values.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Integer | Self::Exact(_))
    }

    /// Adds a value of the column: an integer, or the bits of a float, those of an `f32` in the
    /// lower half.
    ///
    /// # Panics
    /// If the accumulator has not [`words`](Self::words).
    pub fn add(self, accumulator: &mut [u64], value: i64) {
        assert_eq!(accumulator.len(), self.words(), "an accumulator of the sum");
        let bits = value as u64;
        match self {
            Self::Integer => add_wide(accumulator, value.into()),
            Self::Exact(ExactFormat::F32) => {
                ExactFormat::F32.add(accumulator, f32::from_bits(bits as u32).into());
            }
            Self::Exact(ExactFormat::F64) => {
                ExactFormat::F64.add(accumulator, f64::from_bits(bits));
            }
            Self::NativeF64 => {
                let sum = f64::from_bits(accumulator[0]) + f64::from_bits(bits);
                accumulator[0] = sum.to_bits();
            }
            Self::NativeF32 => {
                let sum = f32::from_bits(accumulator[0] as u32) + f32::from_bits(bits as u32);
                accumulator[0] = sum.to_bits().into();
            }
            Self::Fpisa | Self::FpisaA => {
                let mut register = unpack(accumulator[0]);
                // An overflow stays in the register's flags.
                let _ = self.adder().add(&mut register, bits as u32);
                accumulator[0] = pack(&register);
            }
            Self::LogTable => {
                accumulator[0] = logtable::add(accumulator[0] as u32, bits as u32).into();
            }
        }
    }

    /// Adds an accumulator to another (R-QRY-21). A register of FPISA is read, as a leaf's is
    /// (R-FPI-24).
    ///
    /// # Panics
    /// If one of them has not [`words`](Self::words).
    pub fn merge(self, accumulator: &mut [u64], other: &[u64]) {
        assert_eq!(other.len(), self.words(), "an accumulator of the sum");
        match self {
            Self::Integer => add_wide(accumulator, wide(other)),
            Self::Exact(format) => format.merge(accumulator, other),
            Self::Fpisa | Self::FpisaA => {
                let value = self.adder().read(&unpack(other[0]), Rounding::TowardZero);
                self.add(accumulator, value.into());
            }
            _ => self.add(accumulator, other[0] as i64),
        }
    }

    /// Returns the sum of floats, exact ones rounded once; of integers, the nearest float.
    ///
    /// # Panics
    /// If the accumulator has not [`words`](Self::words).
    pub fn to_f64(self, accumulator: &[u64]) -> f64 {
        assert_eq!(accumulator.len(), self.words(), "an accumulator of the sum");
        match self {
            Self::Integer => wide(accumulator) as f64,
            Self::Exact(format) => format.to_f64(accumulator),
            Self::NativeF64 => f64::from_bits(accumulator[0]),
            Self::NativeF32 | Self::LogTable => f32::from_bits(accumulator[0] as u32).into(),
            Self::Fpisa | Self::FpisaA => {
                let value = self.adder().read(&unpack(accumulator[0]), Rounding::TowardZero);
                f32::from_bits(value).into()
            }
        }
    }

    /// Returns the sum of integers; nothing for floats.
    ///
    /// # Panics
    /// If the accumulator has not [`words`](Self::words).
    pub fn to_i128(self, accumulator: &[u64]) -> Option<i128> {
        assert_eq!(accumulator.len(), self.words(), "an accumulator of the sum");
        (self == Self::Integer).then(|| wide(accumulator))
    }

    const fn adder(self) -> Adder {
        match self {
            Self::FpisaA => Adder::FP32_A,
            _ => Adder::FP32,
        }
    }
}

fn wide(words: &[u64]) -> i128 {
    (u128::from(words[1]) << 64 | u128::from(words[0])) as i128
}

fn add_wide(words: &mut [u64], value: i128) {
    let sum = wide(words).wrapping_add(value) as u128;
    (words[0], words[1]) = (sum as u64, (sum >> 64) as u64);
}

/// Registers have mantissas of 32 bits (R-FPI-28).
fn pack(register: &Register) -> u64 {
    let mantissa = u64::from(register.mantissa as u32);
    mantissa | u64::from(register.exponent) << 32 | u64::from(register.flags.to_bits()) << 40
}

fn unpack(word: u64) -> Register {
    Register {
        mantissa: i64::from(word as i32),
        exponent: (word >> 32) as u8,
        flags: Flags::from_bits((word >> 40) as u8),
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn integers_are_added_in_128_bits(
            values in prop::collection::vec(any::<i64>(), 0..30),
            cut in any::<prop::sample::Index>(),
        ) {
            let cut = cut.index(values.len() + 1);
            let (mut one, mut two) = ([0; 2], [0; 2]);
            values[..cut].iter().for_each(|x| Sum::Integer.add(&mut one, *x));
            values[cut..].iter().for_each(|x| Sum::Integer.add(&mut two, *x));
            Sum::Integer.merge(&mut one, &two);
            let wanted: i128 = values.iter().map(|x| i128::from(*x)).sum();
            prop_assert_eq!(Sum::Integer.to_i128(&one), Some(wanted));
        }

        /// Small integers are floats that every arithmetic but that of tables adds without error,
        /// and that one when there is a single value.
        #[test]
        fn small_integers_are_exact(values in prop::collection::vec(-500..500i16, 1..60)) {
            let wanted = values.iter().map(|x| f64::from(*x)).sum::<f64>();
            for sum in Sum::ALL {
                let value = |x: i16| match sum {
                    Sum::Integer => x.into(),
                    Sum::NativeF64 | Sum::Exact(ExactFormat::F64) => {
                        f64::from(x).to_bits() as i64
                    }
                    _ => f32::from(x).to_bits().into(),
                };
                let single = matches!(sum, Sum::LogTable | Sum::FpisaA);
                let values = if single { &values[..1] } else { &values[..] };
                let wanted = if single { values[0].into() } else { wanted };
                let mut all = vec![0; sum.words()];
                values.iter().for_each(|x| sum.add(&mut all, value(*x)));
                prop_assert_eq!(sum.to_f64(&all), wanted, "{:?}", sum);
                let mut merged = vec![0; sum.words()];
                sum.merge(&mut merged, &all);
                prop_assert_eq!(sum.to_f64(&merged), wanted, "{:?}", sum);
            }
        }
    }
}
