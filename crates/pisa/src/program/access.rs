//! Register arrays, and the accesses of a stateful ALU to a word of one (R-PISA-3).

use super::{ArrayId, FieldId, Operand, Source};

/// Width of the words of a register array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// One number of 8, 16 or 32 bits.
    Single(u32),
    /// Two numbers of 32 bits, read and written together.
    Pair,
}

impl Word {
    /// Bits of one word.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Single(bits) => bits,
            Self::Pair => 64,
        }
    }

    /// Bits of each number in it.
    pub const fn half_bits(self) -> u32 {
        match self {
            Self::Single(bits) => bits,
            Self::Pair => 32,
        }
    }
}

/// A register array.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Its words.
    pub word: Word,
    /// Number of words.
    pub size: u32,
    /// Its purpose, in a line: a comment in P4.
    pub doc: String,
    /// The line that declares it.
    pub source: Source,
}

/// One number of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The only one, or the first of a pair.
    Lo,
    /// The second of a pair.
    Hi,
}

/// The outcome of a comparison of a register: the sign of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The number in the register is behind, in serial-number order.
    Behind,
    /// It is the same.
    Equal,
    /// It is ahead.
    Ahead,
}

/// A comparison in a stateful ALU: the register minus the operand plus a number, modulo the width,
/// against 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The number of the word that is compared.
    pub half: Half,
    /// Its relation to the operand.
    pub relation: Relation,
    /// The operand.
    pub with: Operand,
    /// The number that is added.
    pub plus: u32,
}

/// The outcomes of the two conditions for which something happens: bit a + 2b stands for the first
/// being a and the second b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When(pub u8);

impl When {
    /// In any case.
    pub const ALWAYS: Self = Self(0b1111);
    /// The first condition holds.
    pub const FIRST: Self = Self(0b1010);
    /// The first does not hold.
    pub const NOT_FIRST: Self = Self(0b0101);
    /// Neither holds.
    pub const NEITHER: Self = Self(0b0001);

    /// Returns whether this outcome of the conditions is one of them.
    pub const fn holds(self, first: bool, second: bool) -> bool {
        self.0 >> outcome(first, second) & 1 == 1
    }
}

/// The number of an outcome of two conditions.
pub(crate) const fn outcome(first: bool, second: bool) -> u32 {
    first as u32 + 2 * second as u32
}

/// An operation of a stateful ALU on a number of the word and an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AluOp {
    /// The operand.
    Set,
    /// The sum, modulo the width.
    Add,
    /// The register minus the operand.
    Sub,
    /// Bits that are set in either.
    Or,
    /// Bits that are set in both.
    And,
    /// Bits of the register that the operand does not have.
    AndNot,
    /// The lesser of two signed numbers.
    MinSigned,
    /// The greater of two signed numbers.
    MaxSigned,
    /// The register shifted right, with its sign, by the amount, plus the operand: the unit of
    /// FPISA, section 4.2, which no switch of today has.
    ShiftAdd {
        /// The amount.
        by: FieldId,
    },
}

/// A write to one number of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The number that is written.
    pub half: Half,
    /// The outcomes for which it is written.
    pub when: When,
    /// The operation.
    pub op: AluOp,
    /// The operand.
    pub with: Operand,
}

/// The one word that a stateful ALU gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The number as it was before.
    Old(Half),
    /// The number as it is now.
    New(Half),
    /// The conditions: 1, 2, 4 or 8, that is 2 to the power of the outcome's number.
    Outcome,
}

/// One access to a register array: read, decide, write, give back.
#[derive(Clone, Debug)]
pub struct Access {
    /// The array.
    pub array: ArrayId,
    /// The field that holds the word's index.
    pub index: FieldId,
    /// Up to two comparisons.
    pub conditions: Vec<Condition>,
    /// Up to two writes to each number of the word; the first whose `when` holds is done.
    pub updates: Vec<Update>,
    /// The output, and the field that it goes to.
    pub output: Option<(FieldId, Output)>,
}
