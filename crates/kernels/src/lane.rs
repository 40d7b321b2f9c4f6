//! The operations on a lane of each type, without branches.

use crate::float::{Bf16, F16};

/// A lane of N bytes. Semantics as in [`netfold_num::Fold`].
pub(crate) trait Lane<const N: usize>: Copy {
    fn from_ne(bytes: [u8; N]) -> Self;
    fn to_ne(self) -> [u8; N];
    fn min(self, input: Self) -> Self;
    fn max(self, input: Self) -> Self;
}

/// A lane that is added and multiplied in its own type.
pub(crate) trait Arithmetic<const N: usize>: Lane<N> {
    fn sum(self, input: Self) -> Self;
    fn product(self, input: Self) -> Self;
}

/// An integer that compares as the float does, with -0 below +0.
trait Order {
    type Key: Ord;
    fn order(self) -> Self::Key;
}

/// Integers wrap (R-NUM-3).
macro_rules! integer_lane {
    ($integer:ty, $bytes:literal) => {
        impl Lane<$bytes> for $integer {
            #[inline(always)]
            fn from_ne(bytes: [u8; $bytes]) -> Self {
                Self::from_ne_bytes(bytes)
            }
            #[inline(always)]
            fn to_ne(self) -> [u8; $bytes] {
                self.to_ne_bytes()
            }
            #[inline(always)]
            fn min(self, input: Self) -> Self {
                if input < self { input } else { self }
            }
            #[inline(always)]
            fn max(self, input: Self) -> Self {
                if input > self { input } else { self }
            }
        }

        impl Arithmetic<$bytes> for $integer {
            #[inline(always)]
            fn sum(self, input: Self) -> Self {
                self.wrapping_add(input)
            }
            #[inline(always)]
            fn product(self, input: Self) -> Self {
                self.wrapping_mul(input)
            }
        }
    };
}

/// Floats have one NaN (R-NUM-1). Their bits, with those of negative ones inverted but for the
/// sign, order as IEEE 754-2019 `minimum` and `maximum` do (R-NUM-5), so that a comparison of
/// integers settles zeros too.
macro_rules! order {
    ($float:ty, $signed:ty) => {
        impl Order for $float {
            type Key = $signed;

            #[inline(always)]
            fn order(self) -> $signed {
                let bits = self.to_bits() as $signed;
                bits ^ ((bits >> (<$signed>::BITS - 1)) & <$signed>::MAX)
            }
        }
    };
}

macro_rules! float_lane {
    ($float:ty, $signed:ty, $bytes:literal) => {
        order!($float, $signed);

        impl Lane<$bytes> for $float {
            #[inline(always)]
            fn from_ne(bytes: [u8; $bytes]) -> Self {
                Self::from_ne_bytes(bytes)
            }
            #[inline(always)]
            fn to_ne(self) -> [u8; $bytes] {
                self.to_ne_bytes()
            }
            #[inline(always)]
            fn min(self, input: Self) -> Self {
                let smaller = if input.order() < self.order() { input } else { self };
                if self.is_nan() | input.is_nan() { Self::NAN } else { smaller }
            }
            #[inline(always)]
            fn max(self, input: Self) -> Self {
                let larger = if input.order() > self.order() { input } else { self };
                if self.is_nan() | input.is_nan() { Self::NAN } else { larger }
            }
        }

        impl Arithmetic<$bytes> for $float {
            #[inline(always)]
            fn sum(self, input: Self) -> Self {
                let sum = self + input;
                if sum.is_nan() { Self::NAN } else { sum }
            }
            #[inline(always)]
            fn product(self, input: Self) -> Self {
                let product = self * input;
                if product.is_nan() { Self::NAN } else { product }
            }
        }
    };
}

/// The 16-bit floats, which compare as the others do. (Their sums and products are rounded:
/// `fold.rs`.)
macro_rules! half_lane {
    ($half:ty) => {
        order!($half, i16);

        impl Lane<2> for $half {
            #[inline(always)]
            fn from_ne(bytes: [u8; 2]) -> Self {
                Self(u16::from_ne_bytes(bytes))
            }
            #[inline(always)]
            fn to_ne(self) -> [u8; 2] {
                self.0.to_ne_bytes()
            }
            #[inline(always)]
            fn min(self, input: Self) -> Self {
                let smaller = if input.order() < self.order() { input } else { self };
                if self.is_nan() | input.is_nan() { Self::NAN } else { smaller }
            }
            #[inline(always)]
            fn max(self, input: Self) -> Self {
                let larger = if input.order() > self.order() { input } else { self };
                if self.is_nan() | input.is_nan() { Self::NAN } else { larger }
            }
        }
    };
}

integer_lane!(i32, 4);
integer_lane!(i64, 8);
integer_lane!(u8, 1);
float_lane!(f32, i32, 4);
float_lane!(f64, i64, 8);
half_lane!(F16);
half_lane!(Bf16);
