//! The arithmetic of netfold, one number at a time: what a lane holds, how it rounds and how two
//! lanes fold.
//!
//! This crate is the scalar reference that every faster form (SIMD, XDP, P4) is held to, bit for
//! bit. The rules are numbered in `spec/numerics.md`, and the code quotes them (`R-NUM-9`).
//!
//! Four arithmetics are here, all of them for switches that may have nothing but integers:
//!
//! | arithmetic | a lane is | open |
//! | --- | --- | --- |
//! | `block` | a float times the factor of its block, as an integer or as an f16 for it (SwitchML) | [`Scale`], [`half_of_sum`] |
//! | `fpisa`, `fpisa-a` | a float; the switch holds exponent, mantissa and flags apart (FPISA) | [`fpisa::Adder`] |
//! | `logtable` | an FP32, added by table lookup (Libra) | [`logtable::add`] |
//! | `native` | a float, or an integer, in its own type | [`Fold`] |
//!
//! Each works on a single element: [`fpisa::Adder::add`] on a [`fpisa::Register`]. Code that folds
//! arrays keeps the register's three fields as planes. The slot of a switch and the elements of an
//! array are loops around it.
//!
//! It refuses to touch buffers, to allocate, to use `std`, and to depend on the rounding mode or
//! the NaN payloads of the processor that it runs on. Whole tensors are the business of
//! `netfold-kernels`.
//!
//! Open [`Arithmetic::coding`] first: it says how the elements of a tensor travel. Then see
//! [`Exponent`] and [`Scale`] for block fixed point (SwitchML, section 4.6 and appendix E),
//! [`class_of`] for NaN and infinity, [`to_ordered`] for minimum and maximum, and [`Fold`] for what
//! the switch does with two lanes.
//!
//! Tables are constants, computed when the crate is compiled; a program that does not look one up
//! does not carry it.
#![no_std]
#![forbid(unsafe_code)]

mod axis;
mod block;
mod classes;
mod code;
mod exact;
mod exponent;
mod fixed;
mod float;
mod fold;
pub mod fpisa;
mod halves;
pub mod logtable;
mod number;
mod ordered;
mod sum;

pub use axis::{
    Arithmetic, ByteOrder, Coding, ElementType, Form, Operation, Overflow, Protocol, UnknownName,
    Unsupported, UserOperation,
};
pub use block::{Scale, ScaleError};
pub use classes::{MAX_WORKERS, class_of, resolve};
pub use code::{
    Comparison, FloatOrder, code_of_bytes, code_of_decimal, code_of_f32, code_of_f64, descending,
    hash_key,
};
pub use exact::ExactFormat;
pub use exponent::Exponent;
pub use float::{bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32};
pub use fold::Fold;
pub use halves::{HALF_UNIT, half_of_sum, sum_of_half};
pub use number::Number;
pub use ordered::{from_ordered, to_ordered};
pub use sum::Sum;
