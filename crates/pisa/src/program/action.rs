//! What an action of a table is made of: instructions that write fields, and at most one access to
//! a register array.

use super::{Access, FieldId, Source};

/// What an operation takes in.
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

/// What an ALU computes from two operands.
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

/// Which way, and with what, bits are shifted.
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
        /// How many.
        bits: u32,
    },
    /// A number.
    Const {
        /// The number.
        value: u64,
        /// How many bits.
        bits: u32,
    },
}

impl Part {
    /// How many bits it has.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bits { bits, .. } | Self::Const { bits, .. } => bits,
        }
    }
}

/// Where a CRC-32 begins and ends.
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
        /// What is written.
        to: FieldId,
        /// What with.
        from: Operand,
    },
    /// Two operands.
    Binary {
        /// What is written.
        to: FieldId,
        /// What is computed.
        op: BinOp,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
    /// A shift.
    Shift {
        /// What is written.
        to: FieldId,
        /// Which way.
        shift: Shift,
        /// What is shifted.
        from: FieldId,
        /// By how many bits; as many as the field has, or more, leave the filling alone.
        by: Operand,
    },
    /// Bits of a field.
    Slice {
        /// What is written; it is as wide as the slice.
        to: FieldId,
        /// What is read.
        from: FieldId,
        /// The lowest bit.
        low: u32,
    },
    /// Bits side by side, the first the highest: the hash unit's identity, unless it is one field
    /// above zeros.
    Concat {
        /// What is written; it is as wide as all of them.
        to: FieldId,
        /// What is read.
        from: Vec<Part>,
    },
    /// CRC-32 (IEEE 802.3, reflected) of the parts in network order, one after the other: whole
    /// bytes altogether.
    Crc32 {
        /// What is written, 32 bits.
        to: FieldId,
        /// What is read.
        from: Vec<Part>,
        /// Where it begins and ends.
        form: Crc,
    },
}

impl Op {
    /// Whether a hash unit does it.
    pub fn is_hashed(&self) -> bool {
        matches!(self, Self::Crc32 { .. })
            || matches!(self, Self::Concat { .. }) && self.deposit().is_none()
    }

    /// The part that is put above zeros, and how many: an ALU does that.
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

/// What a table does on a match.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name, unique in its table.
    pub name: String,
    /// Names and widths of its parameters, which the entries fill in.
    pub params: Vec<(String, u32)>,
    /// What it writes; all read what was there before the stage.
    pub ops: Vec<Op>,
    /// The register array that it uses.
    pub access: Option<Access>,
    /// Where it was written.
    pub source: Source,
}
