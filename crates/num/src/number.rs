//! Numbers of the types that rows of tables have.

use crate::{ByteOrder, ElementType};

/// A number that a row of a table may have: `f32`, `f64`, `i32` or `i64` (R-KEY-1).
pub trait Number: Copy + Default + PartialEq + core::fmt::Debug + Send + Sync + 'static {
    /// Its type on the wire.
    const TYPE: ElementType;

    /// Returns the nearest `f64`.
    fn to_f64(self) -> f64;

    /// Returns the nearest number of this type: an integer rounds towards 0, and saturates.
    fn from_f64(number: f64) -> Self;

    /// Writes the number as a lane.
    ///
    /// # Panics
    /// If `lane` is not as long as the type.
    fn write_lane(self, order: ByteOrder, lane: &mut [u8]);

    /// Reads a lane.
    ///
    /// # Panics
    /// As [`write_lane`](Self::write_lane).
    fn read_lane(order: ByteOrder, lane: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($type:ty => $name:ident),*) => {
        $(
            impl Number for $type {
                const TYPE: ElementType = ElementType::$name;

                #[inline]
                fn to_f64(self) -> f64 {
                    self as f64
                }

                #[inline]
                fn from_f64(number: f64) -> Self {
                    number as Self
                }

                #[inline]
                fn write_lane(self, order: ByteOrder, lane: &mut [u8]) {
                    lane.copy_from_slice(&match order {
                        ByteOrder::Little => self.to_le_bytes(),
                        ByteOrder::Network => self.to_be_bytes(),
                    });
                }

                #[inline]
                fn read_lane(order: ByteOrder, lane: &[u8]) -> Self {
                    let bytes = lane.try_into().expect("a lane is as long as its type");
                    match order {
                        ByteOrder::Little => Self::from_le_bytes(bytes),
                        ByteOrder::Network => Self::from_be_bytes(bytes),
                    }
                }
            }
        )*
    };
}

numbers! { f32 => F32, f64 => F64, i32 => I32, i64 => I64 }
