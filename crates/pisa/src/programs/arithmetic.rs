//! The arithmetic of the lanes of SwitchML's program.

use netfold_num::ElementType;

use crate::programs::fpisa::Variant;

/// The type of lanes, and the way in which they are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Integers of 32 bits: SwitchML's block fixed point.
    Block,
    /// FP32 values, by a module each (R-PISA-35). At most 128 workers with [`Variant::Full`]
    /// (R-FPI-16).
    Fpisa(Variant),
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Self; 3] =
        [Self::Block, Self::Fpisa(Variant::Approximate), Self::Fpisa(Variant::Full)];

    /// The name in commands and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Fpisa(Variant::Approximate) => "fpisa-a",
            Self::Fpisa(Variant::Full) => "fpisa",
        }
    }

    /// Lanes that one pipeline adds, of the switch that the arithmetic is for.
    pub const fn lanes(self) -> u16 {
        match self {
            Self::Block => 64,
            Self::Fpisa(Variant::Approximate) => 1,
            Self::Fpisa(Variant::Full) => 4,
        }
    }

    pub(crate) const fn element_type(self) -> ElementType {
        match self {
            Self::Block => ElementType::I32,
            Self::Fpisa(_) => ElementType::F32,
        }
    }
}
