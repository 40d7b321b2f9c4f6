//! The parts of a table's action: instructions that write fields, and at most one access to a
//! register array.

use super::{Access, FieldId, Source};

/// An input of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A field.
    Field(FieldId),
    /// A number that stands in the action.
    Const(u64),
    /// A parameter of the action, which comes from the table's entry.
    Param(usize),
}

impl From<FieldId> for Operand {
    fn from(field: FieldId) -> Self {
        Self::Field(field)
    }
}

/// An operation of an ALU on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
    /// The sum, modulo the width.
    Add,
    /// The difference, modulo the width.
    Sub,
    /// The difference, or 0 where it would be negative.
    SaturatingSub,
    /// Bits set in both.
    And,
    /// Bits set in either.
    Or,
    /// Bits set in one.
    Xor,
}

/// The direction of a shift, and the bits that fill it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// Left, with zeros.
    Left,
    /// Right, with zeros.
    Right,
    /// Right, with the sign.
    RightSigned,
}

/// A part of a field that is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Bits of a field.
    Bits {
        /// The field.
        field: FieldId,
        /// The lowest bit.
        low: u32,
        /// Number of bits.
        bits: u32,
    },
    /// A number.
    Const {
        /// The number.
        value: u64,
        /// Number of bits.
        bits: u32,
    },
}

impl Part {
    /// Returns the number of its bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bits { bits, .. } | Self::Const { bits, .. } => bits,
        }
    }
}

/// The initial state and the last step of a CRC-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crc {
    /// From all ones, and inverted at the end, as Ethernet's frame check.
    Ethernet,
    /// From 0, and as it is: a linear map of the bits.
    Linear,
}

/// An instruction of an action: it writes one field.
#[derive(Clone, Debug)]
pub enum Op {
    /// A copy.
    Set {
        /// The field that is written.
        to: FieldId,
        /// The operand that is copied.
        from: Operand,
    },
    /// Two operands.
    Binary {
        /// The field that is written.
        to: FieldId,
        /// The operation.
        op: BinOp,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
    /// A shift.
    Shift {
        /// The field that is written.
        to: FieldId,
        /// The direction.
        shift: Shift,
        /// The field that is shifted.
        from: FieldId,
        /// Number of bits; as many as the field has, or more, leave only the filling.
        by: Operand,
    },
    /// Bits of a field.
    Slice {
        /// The field that is written; it is as wide as the slice.
        to: FieldId,
        /// The field that is read.
        from: FieldId,
        /// The lowest bit.
        low: u32,
    },
    /// Bits side by side, the first the highest: the hash unit's identity, unless it is one field
    /// above zeros.
    Concat {
        /// The field that is written; it is as wide as all of them.
        to: FieldId,
        /// The parts that are read.
        from: Vec<Part>,
    },
    /// CRC-32 (IEEE 802.3, reflected) of the parts in network order, one after the other: whole
    /// bytes altogether.
    Crc32 {
        /// The field that is written, 32 bits.
        to: FieldId,
        /// The parts that are read.
        from: Vec<Part>,
        /// Its initial state and last step.
        form: Crc,
    },
}

impl Op {
    /// Returns whether a hash unit does it.
    pub fn is_hashed(&self) -> bool {
        matches!(self, Self::Crc32 { .. })
            || matches!(self, Self::Concat { .. }) && self.deposit().is_none()
    }

    /// Returns the part that is put above zeros, and the number of zeros: an ALU does that.
    pub(crate) fn deposit(&self) -> Option<(Part, u32)> {
        match self {
            Self::Concat { from, .. } => match from[..] {
                [part @ Part::Bits { .. }, Part::Const { value: 0, bits }] => Some((part, bits)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The field that it writes.
    pub fn writes(&self) -> FieldId {
        match *self {
            Self::Set { to, .. }
            | Self::Binary { to, .. }
            | Self::Shift { to, .. }
            | Self::Slice { to, .. }
            | Self::Concat { to, .. }
            | Self::Crc32 { to, .. } => to,
        }
    }
}

/// The action of a table on a match.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name, unique in its table.
    pub name: String,
    /// Names and widths of its parameters, which the entries fill in.
    pub params: Vec<(String, u32)>,
    /// Its instructions; all read the fields as they were before the stage.
    pub ops: Vec<Op>,
    /// The register array that it uses.
    pub access: Option<Access>,
    /// The line that declares it.
    pub source: Source,
}
