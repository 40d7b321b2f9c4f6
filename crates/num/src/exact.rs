//! Exact sums of floats: superaccumulators of bounded width (R-QRY-20).
//!
//! An accumulator is a slice of words, lowest first: an integer in two's complement in units of the
//! smallest number of its format, and a word of flags behind it.

/// The format whose values an accumulator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExactFormat {
    /// `f32`: 320 bits, in units of 2^-149.
    F32,
    /// `f64`: 2176 bits, in units of 2^-1074.
    F64,
}

const NAN: u64 = 1;
const PLUS_INFINITY: u64 = 2;
const MINUS_INFINITY: u64 = 4;

/// Bits of the mantissa of an `f64` that are stored.
const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const FRACTION: u64 = (1 << FRACTION_BITS) - 1;
const EXPONENT: u64 = 0x7FF;

impl ExactFormat {
    /// Returns the words of an accumulator, the one of its flags among them.
    pub const fn words(self) -> usize {
        match self {
            Self::F32 => 6,
            Self::F64 => 35,
        }
    }

    /// Returns e, if the unit is 2^-e.
    const fn unit(self) -> u32 {
        match self {
            Self::F32 => 149,
            Self::F64 => 1074,
        }
    }

    /// Adds a value of the format, which an `f64` holds.
    ///
    /// # Panics
    /// If the accumulator has not [`words`](Self::words), or if the value is not of the format.
    pub fn add(self, accumulator: &mut [u64], x: f64) {
        let (flags, limbs) = self.split(accumulator);
        if x.is_nan() {
            *flags |= NAN;
            return;
        } else if x.is_infinite() {
            *flags |= if x > 0.0 { PLUS_INFINITY } else { MINUS_INFINITY };
            return;
        }
        let field = x.to_bits() >> FRACTION_BITS & EXPONENT;
        let hidden = u64::from(field > 0) << FRACTION_BITS;
        let mantissa = x.to_bits() & FRACTION | hidden;
        // The value is the mantissa times 2^(place - 1074).
        let place = field.max(1) as u32 - 1;
        let below = 1074 - self.unit();
        let (mantissa, at) = if place >= below {
            (mantissa, place - below)
        } else {
            let shift = (below - place).min(63);
            assert!(mantissa & ((1 << shift) - 1) == 0, "the value is one of the format");
            (mantissa >> shift, 0)
        };
        let part = u128::from(mantissa) << (at % 64);
        let parts = [part as u64, (part >> 64) as u64];
        if x.is_sign_negative() {
            subtract(&mut limbs[(at / 64) as usize..], parts);
        } else {
            add(&mut limbs[(at / 64) as usize..], parts.into_iter());
        }
    }

    /// Adds an accumulator to another of the format.
    ///
    /// # Panics
    /// If one of them has not [`words`](Self::words).
    pub fn merge(self, accumulator: &mut [u64], other: &[u64]) {
        assert_eq!(other.len(), self.words(), "an accumulator of the format");
        let (flags, limbs) = self.split(accumulator);
        let (others, rest) = other.split_at(limbs.len());
        *flags |= rest[0];
        add(limbs, others.iter().copied());
    }

    /// Returns the sum, rounded to the nearest `f64`, ties to even.
    ///
    /// # Panics
    /// If the accumulator has not [`words`](Self::words).
    pub fn to_f64(self, accumulator: &[u64]) -> f64 {
        self.rounded(accumulator, f64::MANTISSA_DIGITS, 1074)
    }

    /// Returns the sum, rounded to the nearest `f32`, ties to even.
    ///
    /// # Panics
    /// If the accumulator has not [`words`](Self::words).
    pub fn to_f32(self, accumulator: &[u64]) -> f32 {
        // Exact: it was rounded to as many bits. A sum beyond the range becomes an infinity here.
        self.rounded(accumulator, f32::MANTISSA_DIGITS, 149) as f32
    }

    /// Rounds to `digits` bits, none of them below 2^-`least`.
    fn rounded(self, accumulator: &[u64], digits: u32, least: u32) -> f64 {
        assert_eq!(accumulator.len(), self.words(), "an accumulator of the format");
        let (limbs, flags) = accumulator.split_at(self.words() - 1);
        match flags[0] {
            0 => {}
            PLUS_INFINITY => return f64::INFINITY,
            MINUS_INFINITY => return f64::NEG_INFINITY,
            _ => return f64::NAN,
        }
        let negative = limbs[limbs.len() - 1] >> 63 == 1;
        let mut magnitude = [0; ExactFormat::F64.words() - 1];
        let magnitude = &mut magnitude[..limbs.len()];
        if negative {
            let mut carry = true;
            for (to, from) in magnitude.iter_mut().zip(limbs) {
                (*to, carry) = (!from).overflowing_add(carry.into());
            }
        } else {
            magnitude.copy_from_slice(limbs);
        }
        let Some(top) = (0..magnitude.len()).rev().find(|at| magnitude[*at] != 0) else {
            return 0.0;
        };
        let high = top as u32 * 64 + 63 - magnitude[top].leading_zeros();
        // The lowest bit that is kept.
        let low = (high + 1).saturating_sub(digits).max(self.unit().saturating_sub(least));
        let bit = |at: u32| magnitude[at as usize / 64] >> (at % 64) & 1;
        let mut kept = (low..=high).rev().fold(0, |kept: u64, at| kept << 1 | bit(at));
        if low > 0 && bit(low - 1) == 1 {
            let under = low - 1;
            let (words, rest) = (under as usize / 64, under % 64);
            let sticky = magnitude[..words].iter().any(|word| *word != 0)
                || magnitude[words] & ((1 << rest) - 1) != 0;
            kept += u64::from(sticky || kept & 1 == 1);
        }
        let value = times_power(kept as f64, i64::from(low) - i64::from(self.unit()));
        if negative { -value } else { value }
    }

    fn split(self, accumulator: &mut [u64]) -> (&mut u64, &mut [u64]) {
        assert_eq!(accumulator.len(), self.words(), "an accumulator of the format");
        accumulator.split_last_mut().expect("a word of flags")
    }
}

/// Adds words and the carry that they cause.
fn add(limbs: &mut [u64], mut words: impl Iterator<Item = u64>) {
    let mut carry = false;
    for limb in limbs {
        let word = words.next();
        if word.is_none() && !carry {
            return;
        }
        let (sum, over) = limb.overflowing_add(word.unwrap_or(0));
        let (sum, more) = sum.overflowing_add(carry.into());
        (*limb, carry) = (sum, over || more);
    }
}

/// Subtracts words and the borrow that they cause.
fn subtract(limbs: &mut [u64], words: [u64; 2]) {
    let (mut borrow, mut words) = (false, words.into_iter());
    for limb in limbs {
        let word = words.next();
        if word.is_none() && !borrow {
            return;
        }
        let (difference, under) = limb.overflowing_sub(word.unwrap_or(0));
        let (difference, more) = difference.overflowing_sub(borrow.into());
        (*limb, borrow) = (difference, under || more);
    }
}

/// `x`, an integer of up to 53 bits, times a power of two; exact unless it is beyond the range, for
/// then it is an infinity. No factor is a subnormal number.
fn times_power(x: f64, exponent: i64) -> f64 {
    let power = |exponent: i64| f64::from_bits(((exponent + 1023) as u64) << FRACTION_BITS);
    let half = exponent / 2;
    // The first product is a normal number: half is at least -537, and at most 550.
    x * power(half) * power(exponent - half)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;
    use proptest::prelude::*;

    /// The oracle: a counter for each binary digit, and long division by hand.
    struct Digits(Vec<i64>);

    impl Digits {
        fn sum(values: &[f64]) -> Self {
            let mut digits = std::vec![0_i64; 2300];
            for x in values {
                let bits = x.to_bits();
                let field = (bits >> 52 & 0x7FF) as usize;
                let sign = if bits >> 63 == 1 { -1 } else { 1 };
                for at in 0..52 {
                    digits[field.max(1) - 1 + at] += sign * (bits >> at & 1) as i64;
                }
                digits[field.max(1) - 1 + 52] += if field > 0 { sign } else { 0 };
            }
            Self(digits)
        }

        /// The sign, and binary digits of the magnitude, in units of 2^-1074.
        fn magnitude(&self) -> (bool, Vec<u8>) {
            let carried = |sign: i64| {
                let mut carry = 0;
                let digits: Vec<u8> = self
                    .0
                    .iter()
                    .map(|digit| {
                        let all = sign * digit + carry;
                        carry = all.div_euclid(2);
                        all.rem_euclid(2) as u8
                    })
                    .collect();
                (carry, digits)
            };
            let (carry, digits) = carried(1);
            if carry < 0 { (true, carried(-1).1) } else { (false, digits) }
        }

        /// Returns whether `x` is the nearest value with `digits` digits: the difference is at most
        /// half of its last place, and of an even one if it is half.
        fn rounds_to(&self, x: f64, digits: usize, least: usize) -> bool {
            let (negative, magnitude) = self.magnitude();
            let Some(high) = (0..magnitude.len()).rev().find(|at| magnitude[*at] == 1) else {
                return x == 0.0 && x.is_sign_positive();
            };
            let low = (high + 1).saturating_sub(digits).max(1074 - least);
            let mut kept: u128 = 0;
            for at in (low..=high.max(low)).rev() {
                kept = kept * 2 + u128::from(magnitude[at]);
            }
            let half = low > 0 && magnitude[low - 1] == 1;
            let more = low > 1 && magnitude[..low - 1].contains(&1);
            if half && (more || kept % 2 == 1) {
                kept += 1;
            }
            // kept * 2^(low - 1074), from text of the digits that a parser of decimals rounds.
            let mut value = kept as f64;
            for _ in 1074..low {
                value *= 2.0;
            }
            let below = 1074_usize.saturating_sub(low);
            let mut left = below;
            while left > 0 {
                // Exact: kept has no more digits than the format.
                value /= 2.0;
                left -= 1;
            }
            let value = if negative { -value } else { value };
            value == x
        }
    }

    fn finite() -> impl Strategy<Value = f64> {
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite())
    }

    fn near() -> impl Strategy<Value = f64> {
        (-40..40i32, any::<i32>()).prop_map(|(e, m)| f64::from(m) * 2.0_f64.powi(e))
    }

    fn single() -> impl Strategy<Value = f32> {
        prop_oneof![
            any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |x| x.is_finite()),
            (-20..20i32, any::<i16>()).prop_map(|(e, m)| f32::from(m) * 2.0_f32.powi(e)),
        ]
    }

    proptest! {
        /// R-QRY-20: no addition rounds, in any order and grouping.
        #[test]
        fn a_sum_of_f64_is_rounded_once(
            values in prop::collection::vec(prop_oneof![finite(), near()], 0..40),
            cut in any::<prop::sample::Index>(),
        ) {
            let format = ExactFormat::F64;
            let mut all = std::vec![0; format.words()];
            values.iter().for_each(|x| format.add(&mut all, *x));
            let cut = cut.index(values.len() + 1);
            let (mut one, mut two) = (std::vec![0; 35], std::vec![0; 35]);
            values[..cut].iter().rev().for_each(|x| format.add(&mut one, *x));
            values[cut..].iter().rev().for_each(|x| format.add(&mut two, *x));
            format.merge(&mut one, &two);
            prop_assert_eq!(&all, &one);
            let digits = Digits::sum(&values);
            prop_assert!(digits.rounds_to(format.to_f64(&all), 53, 1074), "{values:?}");
        }

        #[test]
        fn a_sum_of_f32_is_rounded_once(values in prop::collection::vec(single(), 0..40)) {
            let format = ExactFormat::F32;
            let mut all = std::vec![0; format.words()];
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            values.iter().for_each(|x| format.add(&mut all, *x));
            let digits = Digits::sum(&values);
            prop_assert!(digits.rounds_to(format.to_f64(&all), 53, 1074));
            let short = format.to_f32(&all);
            prop_assert!(short.is_infinite() || digits.rounds_to(short.into(), 24, 149));
        }
    }

    #[test]
    fn special_values_are_flags() {
        let sum = |values: &[f64]| {
            let mut all = [0; 35];
            values.iter().for_each(|x| ExactFormat::F64.add(&mut all, *x));
            ExactFormat::F64.to_f64(&all)
        };
        assert!(sum(&[1.0, f64::NAN]).is_nan());
        assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
        assert_eq!(sum(&[f64::INFINITY, -1e308]), f64::INFINITY);
        assert_eq!(sum(&[f64::NEG_INFINITY]), f64::NEG_INFINITY);
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
        assert_eq!(sum(&[-0.0]).to_bits(), 0);
        assert_eq!(sum(&[5e-324, -1e-323]), -5e-324);
    }
}
