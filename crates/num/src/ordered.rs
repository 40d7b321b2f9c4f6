//! Floats as integers that compare alike, so that a switch without floats finds an exact minimum or
//! maximum.

use crate::Operation;

/// The key of +infinity; that of -infinity is `!INFINITY`.
const INFINITY: i32 = 0x7F80_0000;

/// The lane of an element under minimum or maximum (R-NUM-15): -0 comes right before +0, and NaN
/// takes the extreme that wins the operation.
///
/// The bits of an `f32` order by magnitude; with the magnitude of the negative ones inverted they
/// order by value.
///
/// # Panics
/// If the operation is neither [`Operation::Min`] nor [`Operation::Max`].
pub const fn to_ordered(operation: Operation, x: f32) -> i32 {
    if x.is_nan() {
        return match operation {
            Operation::Min => i32::MIN,
            Operation::Max => i32::MAX,
            _ => panic!("only min and max order their lanes"),
        };
    }
    invert_negative(x.to_bits() as i32)
}

/// The element that a lane stands for (R-NUM-15). Keys beyond the infinities are NaN.
pub const fn from_ordered(key: i32) -> f32 {
    if key > INFINITY || key < !INFINITY {
        f32::NAN
    } else {
        f32::from_bits(invert_negative(key) as u32)
    }
}

/// Inverts the lower 31 bits of a negative number; its own inverse.
const fn invert_negative(bits: i32) -> i32 {
    bits ^ ((bits >> 31) & i32::MAX)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::Fold;
    use proptest::prelude::*;

    fn element() -> impl Strategy<Value = f32> {
        prop_oneof![
            any::<u32>().prop_map(f32::from_bits),
            prop::sample::select(std::vec![
                0.0,
                -0.0,
                f32::NAN,
                f32::INFINITY,
                f32::NEG_INFINITY,
                f32::MAX,
                f32::MIN,
                1e-45,
                -1e-45
            ]),
        ]
    }

    proptest! {
        #[test]
        fn integers_find_what_the_ieee_operation_finds(a in element(), b in element()) {
            for operation in [Operation::Min, Operation::Max] {
                let lane = to_ordered(operation, a).fold(operation, to_ordered(operation, b));
                prop_assert_eq!(from_ordered(lane).to_bits(), a.fold(operation, b).to_bits());
            }
        }

        #[test]
        fn the_way_there_and_back_is_exact(x in element()) {
            for operation in [Operation::Min, Operation::Max] {
                let back = from_ordered(to_ordered(operation, x));
                prop_assert_eq!(back.to_bits(), if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() });
            }
        }
    }
}
