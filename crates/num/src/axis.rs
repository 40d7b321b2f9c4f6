//! The axes of a fold: element types, operations, arithmetics, the coding they agree on, and the
//! order of a lane's bytes.
//!
//! The numbers of [`ElementType`] and [`Operation`] are those of the header fields of the same
//! names (`wire.toml`).

mod arithmetic;
mod element;
mod names;
mod operation;
mod terms;

pub use arithmetic::{Arithmetic, Coding, Form, Unsupported};
pub use element::ElementType;
pub use names::UnknownName;
pub use operation::{Operation, UserOperation};
pub use terms::{ByteOrder, Overflow, Protocol};

#[cfg(test)]
mod tests;
