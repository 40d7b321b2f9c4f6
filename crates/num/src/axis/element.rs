//! The types of elements and lanes.

/// The type of a tensor's element, or of a lane of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ElementType {
    /// IEEE 754 binary32.
    F32 = 1,
    /// IEEE 754 binary16.
    F16 = 2,
    /// The upper half of a binary32 (bfloat16).
    Bf16 = 3,
    /// IEEE 754 binary64.
    F64 = 4,
    /// Signed 32-bit integer, two's complement.
    I32 = 5,
    /// Signed 64-bit integer, two's complement.
    I64 = 6,
    /// Unsigned 8-bit integer.
    U8 = 7,
}

impl ElementType {
    /// Every element type, in the order of their wire numbers.
    pub const ALL: [Self; 7] =
        [Self::F32, Self::F16, Self::Bf16, Self::F64, Self::I32, Self::I64, Self::U8];

    /// Size of one element in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::F16 | Self::Bf16 => 2,
            Self::F32 | Self::I32 => 4,
            Self::F64 | Self::I64 => 8,
        }
    }

    /// Returns the short name, `f32`, as [`Display`](core::fmt::Display) writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F64 => "f64",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
        }
    }

    /// The type with this number in a header, if there is one.
    pub const fn from_wire(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::F32,
            2 => Self::F16,
            3 => Self::Bf16,
            4 => Self::F64,
            5 => Self::I32,
            6 => Self::I64,
            7 => Self::U8,
            _ => return None,
        })
    }

    /// The number that stands for this type in a header.
    pub const fn to_wire(self) -> u8 {
        self as u8
    }

    /// Returns whether this is one of the floating-point types.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F16 | Self::Bf16 | Self::F64)
    }
}
