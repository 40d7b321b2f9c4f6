//! The operations that combine lanes.

/// The operation that combines the lanes of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Operation {
    /// Addition.
    Sum = 1,
    /// The smaller of two.
    Min = 2,
    /// The larger of two.
    Max = 3,
    /// Multiplication.
    Product = 4,
    /// One contributor, whose bytes travel as they are (broadcast, all-gather).
    Copy = 5,
}

impl Operation {
    /// Every operation, in the order of their wire numbers.
    pub const ALL: [Self; 5] = [Self::Sum, Self::Min, Self::Max, Self::Product, Self::Copy];

    /// Returns the short name, `sum`, as [`Display`](core::fmt::Display) writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Product => "product",
            Self::Copy => "copy",
        }
    }

    /// The operation with this number in a header, if there is one.
    pub const fn from_wire(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Sum,
            2 => Self::Min,
            3 => Self::Max,
            4 => Self::Product,
            5 => Self::Copy,
            _ => return None,
        })
    }

    /// The number that stands for this operation in a header.
    pub const fn to_wire(self) -> u8 {
        self as u8
    }
}
