//! Tables: the keys that are looked up, the patterns that they are compared with, and the actions
//! that follow.

use super::{Action, FieldId, Source};

/// A pattern that a key is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Everything matches.
    Any,
    /// This value.
    Is(u64),
    /// The bits of the mask are those of the value.
    Masked(u64, u64),
    /// From the first to the second, both included.
    Range(u64, u64),
    /// The upper bits, as many as the second says, are those of the value.
    Prefix(u64, u32),
}

impl Pattern {
    /// Returns whether `value`, `bits` wide, matches.
    pub const fn matches(self, value: u64, bits: u32) -> bool {
        match self {
            Self::Any => true,
            Self::Is(wanted) => value == wanted,
            Self::Masked(wanted, mask) => value & mask == wanted & mask,
            Self::Range(low, high) => low <= value && value <= high,
            Self::Prefix(_, 0) => true,
            Self::Prefix(wanted, length) => (value ^ wanted) >> (bits - length) == 0,
        }
    }
}

/// The way in which a key is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The value itself: SRAM.
    Exact,
    /// A value and a mask: TCAM.
    Ternary,
    /// The longest prefix: TCAM.
    Prefix,
    /// From one value to another: TCAM.
    Range,
}

/// An entry of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// A pattern for each key.
    pub patterns: Vec<Pattern>,
    /// The action: a place in [`Table::actions`].
    pub action: usize,
    /// A value for each of its parameters.
    pub values: Vec<u64>,
}

/// A test that stands before a table: the field is, or is not, this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The field.
    pub field: FieldId,
    /// True if the field must be equal to the number, false if it must not.
    pub equal: bool,
    /// The number.
    pub value: u64,
}

impl Gate {
    /// Returns whether the two cannot both hold.
    const fn excludes(self, other: Self) -> bool {
        let same = self.value == other.value;
        self.field.0 == other.field.0
            && match (self.equal, other.equal) {
                (true, true) => !same,
                (false, false) => false,
                _ => same,
            }
    }
}

/// A match-action table, or, without keys, an action that is always done.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name, unique in the program.
    pub name: String,
    /// The stage that it is in, from 0.
    pub stage: usize,
    /// Gates, which must all hold for it to be looked at.
    pub gates: Vec<Gate>,
    /// Fields that are looked up.
    pub keys: Vec<(FieldId, Match)>,
    /// Its actions.
    pub actions: Vec<Action>,
    /// The action that is done where nothing matches, with its parameters' values. Without it,
    /// nothing is done.
    pub otherwise: Option<(usize, Vec<u64>)>,
    /// Entries that belong to the program; of ternary ones the first that matches counts.
    pub entries: Vec<Entry>,
    /// The most entries that it can hold, with those of the control plane.
    pub capacity: u32,
    /// Its purpose, with the numbers of rules: a comment in P4.
    pub doc: String,
    /// The line that declares it.
    pub source: Source,
}

impl Table {
    /// Returns whether every packet is looked at by one of the two.
    pub(crate) fn complements(&self, other: &Self) -> bool {
        matches!((&self.gates[..], &other.gates[..]), ([gate], [other]) if Gate { equal: !gate.equal, ..*gate } == *other)
    }

    /// Returns whether no packet is looked at by both, as far as their gates say.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        self.gates.iter().any(|gate| other.gates.iter().any(|others| gate.excludes(*others)))
    }
}
