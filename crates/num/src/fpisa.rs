//! FPISA and FPISA-A: floating-point addition from integer operations that a switch has (NSDI 2022,
//! sections 3 and 4).
//!
//! A [`Register`] holds an exponent and a signed mantissa apart and is normalised only when it is
//! read, so that adding needs no loop and no way back in a pipeline. An [`Adder`] says what is
//! added, and how: a [`Format`], a [`Variant`], and the width of the mantissa register. The rules
//! are R-FPI in `spec/numerics.md`, with the bounds of the error.
//!
//! ```
//! use netfold_num::fpisa::{Adder, Register, Rounding};
//!
//! let mut register = Register::EMPTY;
//! for x in [3.0f32, 1.0] {
//!     Adder::FP32.add(&mut register, x.to_bits());
//! }
//! // 4 under the exponent of 2: figure 4 of the paper.
//! assert_eq!((register.exponent, register.mantissa), (128, 2 << 23));
//! assert_eq!(Adder::FP32.read(&register, Rounding::TowardZero), 4.0f32.to_bits());
//! ```
//!
//! Beyond addition there are [block floating point](Shared), comparison ([`Format::minimum`]), and
//! multiplication, logarithm and square root by table ([`Format::multiply`], [`Format::log2`],
//! [`Format::square_root`]; appendix A.2).

mod adder;
mod assemble;
mod compare;
mod format;
mod multiply;
mod register;
mod roots;
mod shared;

pub use adder::{Adder, Variant, WidthError};
pub use assemble::Rounding;
pub use format::{Encoding, Format, FormatError, Operand};
pub use multiply::QUARTER_SQUARES_BYTES;
pub use register::{Flags, Movement, Register, Step};
pub use roots::{LOG2_FRACTION_BITS, LOG2_TABLE_BYTES, SQUARE_ROOT_TABLE_BYTES};
pub use shared::{Element, Shared};

#[cfg(test)]
mod tests;
