//! Types of elements.

use half::{bf16, f16};
use netfold_net::ElementType;

mod sealed {
    /// A type of this crate's choice, any pattern of whose bits is a value.
    pub trait Sealed: bytemuck::Pod + Send + Sync {}
}

/// An element of a vector: `f32`, `f64`, [`f16`](struct@f16), [`bf16`], `i32`, `i64` or `u8`.
///
/// A job's [`Arithmetic`](crate::Arithmetic) decides which operations it folds on them; what it
/// lacks is refused by name before anything is sent.
///
/// ```compile_fail,E0277
/// # fn wrong(comm: &netfold::Communicator) -> Result<(), netfold::Error> {
/// comm.all_reduce(&mut [1_u16, 2, 3], netfold::Op::Sum) // no switch folds u16
/// # }
/// ```
pub trait Element: sealed::Sealed {
    /// The type's name on the wire.
    const TYPE: ElementType;
}

macro_rules! elements {
    ($($type:ty => $name:ident),* $(,)?) => {
        $(
            impl sealed::Sealed for $type {}

            impl Element for $type {
                const TYPE: ElementType = ElementType::$name;
            }
        )*
    };
}

elements! {
    f32 => F32,
    f64 => F64,
    f16 => F16,
    bf16 => Bf16,
    i32 => I32,
    i64 => I64,
    u8 => U8,
}
