//! The operations that combine lanes.

/// The operation that combines the lanes of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Addition.
    Sum,
    /// The smaller of two.
    Min,
    /// The larger of two.
    Max,
    /// Multiplication.
    Product,
    /// One contributor, whose bytes travel as they are (broadcast, all-gather).
    Copy,
    /// An operation that a user brings along (R-OP). Its lanes are bytes.
    User(UserOperation),
}

/// The number of an operation of users in its job, from 0 (R-OP-23).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UserOperation(u8);

impl UserOperation {
    /// The most that a job has.
    pub const MOST: u8 = 16;

    /// The operation with this number, which is below [`MOST`](Self::MOST).
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::MOST { Some(Self(number)) } else { None }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// The number in a header of the first operation of users.
const FIRST_USER: u8 = 16;

impl Operation {
    /// Every operation that netfold has of its own, in the order of their wire numbers.
    pub const ALL: [Self; 5] = [Self::Sum, Self::Min, Self::Max, Self::Product, Self::Copy];

    /// Returns the short name, `sum`, as [`Display`](core::fmt::Display) writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Product => "product",
            Self::Copy => "copy",
            Self::User(_) => "operation of a user",
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
            FIRST_USER.. => match UserOperation::new(number - FIRST_USER) {
                Some(operation) => Self::User(operation),
                None => return None,
            },
            _ => return None,
        })
    }

    /// The number that stands for this operation in a header.
    pub const fn to_wire(self) -> u8 {
        match self {
            Self::Sum => 1,
            Self::Min => 2,
            Self::Max => 3,
            Self::Product => 4,
            Self::Copy => 5,
            Self::User(operation) => FIRST_USER + operation.0,
        }
    }
}
