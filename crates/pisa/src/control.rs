//! The control plane's steps at a switch, as data: for the interpreter, for bmv2, for Tofino.

use crate::machine::{Pipeline, Replica};
use crate::program::{ArrayId, Pattern};
use crate::refusal::Refusal;

/// A step of the control plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// Adds an entry to a table.
    Insert {
        /// The table.
        table: &'static str,
        /// A pattern for each key.
        patterns: Vec<Pattern>,
        /// The action.
        action: &'static str,
        /// A value for each parameter.
        values: Vec<u64>,
    },
    /// Sets the recipients of a multicast group's packets.
    Group {
        /// The group, from 1.
        group: u16,
        /// Its copies.
        replicas: Vec<Replica>,
    },
    /// Takes an entry out of a table.
    Remove {
        /// The table.
        table: &'static str,
        /// Its patterns.
        patterns: Vec<Pattern>,
    },
    /// Ends a multicast group.
    Dissolve {
        /// The group.
        group: u16,
    },
    /// Sets the first words of an array, each of one number, in every pipeline.
    Fill {
        /// The array.
        array: ArrayId,
        /// The numbers.
        values: Vec<u64>,
    },
    /// Sets words of an array to 0, in every pipeline.
    Clear {
        /// The array.
        array: ArrayId,
        /// The first word.
        first: u32,
        /// Number of words.
        words: u32,
    },
}

impl Control {
    /// Returns the step that takes this one back, if one is needed.
    pub fn undone(self) -> Option<Self> {
        match self {
            Self::Insert { table, patterns, .. } => Some(Self::Remove { table, patterns }),
            Self::Group { group, .. } => Some(Self::Dissolve { group }),
            Self::Remove { .. }
            | Self::Dissolve { .. }
            | Self::Fill { .. }
            | Self::Clear { .. } => None,
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// The refusal of [`Pipeline::insert`].
    pub fn apply(&self, pipeline: &mut Pipeline) -> Result<(), Refusal> {
        match self {
            Self::Insert { table, patterns, action, values } => {
                pipeline.insert(table, patterns, action, values)?
            }
            Self::Group { group, replicas } => pipeline.set_group(*group, replicas),
            Self::Remove { table, patterns } => {
                pipeline.remove(table, |entry| entry.patterns == *patterns)
            }
            Self::Dissolve { group } => pipeline.dissolve(*group),
            Self::Fill { array, values } => pipeline.fill(*array, values),
            Self::Clear { array, first, words } => {
                pipeline.clear(*array, *first as usize..(first + words) as usize);
            }
        }
        Ok(())
    }
}
