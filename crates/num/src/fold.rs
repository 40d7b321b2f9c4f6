//! The fold of two lanes into one: the switch's part.

use crate::{Operation, bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32};
use half::{bf16, f16};

const OF_A_USER: &str = "lanes do not fold by an operation of a user";

/// A lane that an operation can fold another into.
pub trait Fold: Copy {
    /// `self` operation `input`. [`Operation::Copy`] gives `input`.
    ///
    /// Integers wrap (R-NUM-3). Floats round to nearest, ties to even, after every step, the 16-bit
    /// ones from `f32` (R-NUM-4). Minimum and maximum are IEEE 754-2019 `minimum` and `maximum`:
    /// NaN propagates and -0 is below +0 (R-NUM-5). A NaN result is the canonical one (R-NUM-1).
    ///
    /// # Panics
    /// If the operation is a user's, which folds elements of its own.
    #[must_use]
    fn fold(self, operation: Operation, input: Self) -> Self;
}

macro_rules! fold_integers {
    ($($integer:ty),*) => {$(
        impl Fold for $integer {
            fn fold(self, operation: Operation, input: Self) -> Self {
                match operation {
                    Operation::Sum => self.wrapping_add(input),
                    Operation::Min => self.min(input),
                    Operation::Max => self.max(input),
                    Operation::Product => self.wrapping_mul(input),
                    Operation::Copy => input,
                    Operation::User(_) => panic!("{OF_A_USER}"),
                }
            }
        }
    )*};
}

macro_rules! fold_floats {
    ($($float:ty),*) => {$(
        impl Fold for $float {
            fn fold(self, operation: Operation, input: Self) -> Self {
                let result = match operation {
                    Operation::Sum => self + input,
                    Operation::Product => self * input,
                    Operation::Copy => return input,
                    Operation::Min | Operation::Max if self.is_nan() || input.is_nan() => <$float>::NAN,
                    // Equal operands differ at most in the sign of zero.
                    Operation::Min if self < input || (self == input && self.is_sign_negative()) => self,
                    Operation::Max if self > input || (self == input && self.is_sign_positive()) => self,
                    Operation::Min | Operation::Max => input,
                    Operation::User(_) => panic!("{OF_A_USER}"),
                };
                if result.is_nan() { <$float>::NAN } else { result }
            }
        }
    )*};
}

fold_integers!(i32, i64, u8);
fold_floats!(f32, f64);

impl Fold for f16 {
    fn fold(self, operation: Operation, input: Self) -> Self {
        if operation == Operation::Copy {
            return input;
        }
        let wide = f16_to_f32(self.to_bits()).fold(operation, f16_to_f32(input.to_bits()));
        Self::from_bits(f16_from_f32(wide))
    }
}

impl Fold for bf16 {
    fn fold(self, operation: Operation, input: Self) -> Self {
        if operation == Operation::Copy {
            return input;
        }
        let wide = bf16_to_f32(self.to_bits()).fold(operation, bf16_to_f32(input.to_bits()));
        Self::from_bits(bf16_from_f32(wide))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn integers_wrap() {
        // R-NUM-3
        assert_eq!(i32::MAX.fold(Operation::Sum, 1), i32::MIN);
        assert_eq!(255u8.fold(Operation::Sum, 2), 1);
        assert_eq!(16u8.fold(Operation::Product, 17), 16);
        assert_eq!(i64::MIN.fold(Operation::Product, -1), i64::MIN);
    }

    #[test]
    fn zeros_and_nan_order_as_ieee_says() {
        // R-NUM-5
        let bits = |x: f32| x.to_bits();
        for (a, b) in [(0.0, -0.0), (-0.0, 0.0f32)] {
            assert_eq!(bits(a.fold(Operation::Min, b)), bits(-0.0));
            assert_eq!(bits(a.fold(Operation::Max, b)), bits(0.0));
        }
        let signalling = f32::from_bits(0xFF80_0001);
        for operation in [Operation::Sum, Operation::Min, Operation::Max, Operation::Product] {
            assert_eq!(bits(1.0.fold(operation, signalling)), bits(f32::NAN));
            assert_eq!(bits(signalling.fold(operation, f32::NEG_INFINITY)), bits(f32::NAN));
        }
        assert_eq!(bits(1.0.fold(Operation::Copy, signalling)), 0xFF80_0001);
        assert_eq!(bits(f32::INFINITY.fold(Operation::Sum, f32::NEG_INFINITY)), bits(f32::NAN));
    }

    /// Returns whether `bits` is the pattern of a 16-bit float nearest to `exact`, with ties to an
    /// even fraction.
    fn is_nearest(exact: f64, bits: u16, widen: fn(u16) -> f32, largest: u16) -> bool {
        let sign = bits & 0x8000;
        let magnitude = bits & 0x7FFF;
        let value = |magnitude: u16| {
            // The pattern after the largest finite one stands for the value that a wider exponent
            // would give it.
            let beyond = f64::from(widen(largest)) * 2.0 - f64::from(widen(largest - 1));
            let x = if magnitude > largest { beyond } else { f64::from(widen(magnitude)) };
            if sign == 0 { x } else { -x }
        };
        let distance = |magnitude| (value(magnitude) - exact).abs();
        let here = distance(magnitude);
        let neighbours =
            [magnitude.checked_sub(1), (magnitude <= largest).then_some(magnitude + 1)];
        // At zero the neighbour on the other side has the same magnitude as the one on this side.
        neighbours
            .into_iter()
            .flatten()
            .all(|n| here < distance(n) || (here == distance(n) && magnitude.is_multiple_of(2)))
    }

    proptest! {
        #[test]
        fn halves_round_once(a: u16, b: u16) {
            // R-NUM-4: rounding twice, to f32 and then to 16 bits, is rounding once. The oracle
            // computes in f64, which holds every sum and product of two f16 exactly, every product
            // of two bf16, and their sums if the exponents are within 40.
            let (x, y) = (f64::from(f16_to_f32(a)), f64::from(f16_to_f32(b)));
            if x.is_finite() && y.is_finite() {
                let sum = f16::from_bits(a).fold(Operation::Sum, f16::from_bits(b)).to_bits();
                prop_assert!(is_nearest(x + y, sum, f16_to_f32, 0x7BFF));
                let product = f16::from_bits(a).fold(Operation::Product, f16::from_bits(b)).to_bits();
                prop_assert!(is_nearest(x * y, product, f16_to_f32, 0x7BFF));
            }
            let (x, y) = (f64::from(bf16_to_f32(a)), f64::from(bf16_to_f32(b)));
            if x.is_finite() && y.is_finite() {
                let product = bf16::from_bits(a).fold(Operation::Product, bf16::from_bits(b)).to_bits();
                // A product below the range of f32 rounds in f32 first, and may then round again.
                if x * y == 0.0 || (x * y).abs() >= f64::from(f32::MIN_POSITIVE) {
                    prop_assert!(is_nearest(x * y, product, bf16_to_f32, 0x7F7F));
                }
                let near = (x.abs().log2() - y.abs().log2()).abs() < 40.0;
                if near {
                    let sum = bf16::from_bits(a).fold(Operation::Sum, bf16::from_bits(b)).to_bits();
                    prop_assert!(is_nearest(x + y, sum, bf16_to_f32, 0x7F7F));
                }
            }
        }

        #[test]
        fn the_order_of_two_does_not_matter(a: u32, b: u32) {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            for operation in [Operation::Sum, Operation::Min, Operation::Max, Operation::Product] {
                prop_assert_eq!(a.fold(operation, b).to_bits(), b.fold(operation, a).to_bits());
            }
        }
    }
}
