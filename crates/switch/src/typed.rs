//! Folds of operations that users bring along (R-OP), as the switch sees them.
//!
//! The switch knows no more of an operation than this: how operands are combined, in which order,
//! and how that can fail. What runs it is another crate's.

use std::fmt;

/// An operation that one shard, or one process, runs.
pub trait TypedFold: fmt::Debug + Send {
    /// Bytes of an element: lanes are whole elements (R-OP-2).
    fn element_bytes(&self) -> usize;

    /// Most bytes of an operand: a packet of the job has no more
    /// (R-OP-8).
    fn batch_bytes(&self) -> usize;

    /// Returns whether operands may be folded as they arrive; others are folded in rank order
    /// (R-OP-13).
    fn any_order(&self) -> bool;

    /// Folds operands into the accumulator, one after the other. The accumulator is the left
    /// operand of the first fold (R-OP-8).
    ///
    /// # Errors
    /// The cause for which it has ended; the accumulator is then as it was (R-OP-19).
    ///
    /// # Panics
    /// If an operand is not as long as the accumulator, or has no whole number of elements, or more
    /// than those of a batch.
    fn fold(
        &mut self,
        accumulator: &mut [u8],
        operands: &mut dyn Iterator<Item = &[u8]>,
    ) -> Result<(), TrapCause>;
}

/// The cause of a trap (R-OP-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrapCause {
    /// An instruction that must not be reached.
    Unreachable,
    /// An access beyond the memory.
    Memory,
    /// A call through the table that finds no function of its type.
    Table,
    /// A recursion deeper than the stack.
    Stack,
    /// A division by zero, or a result that does not fit.
    Arithmetic,
    /// A call that takes longer than it may.
    Time,
    /// A call that takes more work than it may; in trials alone.
    Work,
    /// No instance left to run in.
    Instances,
    /// Any other.
    Other,
}

impl TrapCause {
    /// The name of the cause.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Memory => "memory",
            Self::Table => "table",
            Self::Stack => "stack",
            Self::Arithmetic => "arithmetic",
            Self::Time => "time",
            Self::Work => "work",
            Self::Instances => "instances",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for TrapCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Unreachable => "it reached an instruction that must not be reached",
            Self::Memory => "an access beyond its memory",
            Self::Table => "a call through its table that finds no function of the type",
            Self::Stack => "its calls are nested deeper than its stack",
            Self::Arithmetic => "a division by zero, or a result that does not fit",
            Self::Time => "a call took longer than it may",
            Self::Work => "a call took more work than it may",
            Self::Instances => "no instance is left to run in",
            Self::Other => "it trapped",
        };
        write!(f, "{text} ({})", self.name())
    }
}
