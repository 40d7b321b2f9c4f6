//! The names of all axes, read and written.

use core::fmt;
use core::str::FromStr;

use super::{Arithmetic, ByteOrder, ElementType, Operation, Overflow, Protocol};

/// A name that stands for no element type, operation, arithmetic, byte order or protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownName {
    /// No [`ElementType`] has the name.
    ElementType,
    /// No [`Operation`] has the name.
    Operation,
    /// No [`Arithmetic`] has the name.
    Arithmetic,
    /// No [`ByteOrder`] has the name.
    ByteOrder,
    /// No [`Protocol`] has the name.
    Protocol,
    /// No [`Overflow`] has the name.
    Overflow,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ElementType => list(f, "element type", ElementType::ALL),
            Self::Operation => list(f, "operation", Operation::ALL),
            Self::Arithmetic => list(f, "arithmetic", Arithmetic::ALL),
            Self::ByteOrder => list(f, "byte order", ByteOrder::ALL),
            Self::Protocol => list(f, "protocol", Protocol::ALL),
            Self::Overflow => list(f, "policy for overflows", Overflow::ALL),
        }
    }
}

impl core::error::Error for UnknownName {}

fn list(
    f: &mut fmt::Formatter<'_>,
    what: &str,
    names: impl IntoIterator<Item: fmt::Display>,
) -> fmt::Result {
    write!(f, "unknown {what}; choose one of")?;
    for (i, name) in names.into_iter().enumerate() {
        write!(f, "{} {name}", if i == 0 { "" } else { "," })?;
    }
    Ok(())
}

impl FromStr for ElementType {
    type Err = UnknownName;

    /// Reads a short name (`f32`) or the name that NumPy and torch use (`float32`).
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Ok(match name {
            "f32" | "float32" => Self::F32,
            "f16" | "float16" => Self::F16,
            "bf16" | "bfloat16" => Self::Bf16,
            "f64" | "float64" => Self::F64,
            "i32" | "int32" => Self::I32,
            "i64" | "int64" => Self::I64,
            "u8" | "uint8" => Self::U8,
            _ => return Err(UnknownName::ElementType),
        })
    }
}

/// Reads an axis by the names that it has.
macro_rules! read_by_name {
    ($($axis:ident),*) => {$(
        impl FromStr for $axis {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::ALL.into_iter().find(|one| one.name() == name).ok_or(UnknownName::$axis)
            }
        }
    )*};
}

/// Writes an axis by its name.
macro_rules! write_by_name {
    ($($axis:ident),*) => {$(
        impl fmt::Display for $axis {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    )*};
}

read_by_name!(Operation, Arithmetic, ByteOrder, Protocol, Overflow);
write_by_name!(ElementType, Operation, Arithmetic, ByteOrder, Protocol, Overflow);
