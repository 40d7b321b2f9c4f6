//! The registers of a table.

use super::{LeafState, Table};

/// The registers of a table, which decide what it does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableMemory<'a> {
    /// W registers for each worker (R-KEY-3).
    pub windows: &'a [u32],
    /// These as they were when the last generation was closed (R-KEY-8).
    pub closed_windows: &'a [u32],
    /// The generation that is open.
    pub open: u32,
    /// The last generation that the server of each part has stored.
    pub stored: &'a [u32],
    /// The job is over (R-KEY-11).
    pub ended: bool,
    /// The two copies of the rows (R-KEY-6).
    pub copies: [CopyRegisters<'a>; 2],
    /// The values of resident rows, and which of them are loaded (R-KEY-12).
    pub values: Option<(&'a [u8], &'a [bool])>,
    /// Its part in a tree of switches (R-KEY-17).
    pub tree: TreeRegisters<'a>,
}

/// The registers of a table for the switches around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreeRegisters<'a> {
    /// The switches below, as far as they are known (R-KEY-18).
    pub leaves: &'a [LeafState],
    /// Leaves that are found empty now may have been pushed to since.
    pub doubted: bool,
    /// The parts of servers that have asked for what is being gathered.
    pub awaited: u64,
    /// The parts of servers that are to be told that there was nothing.
    pub empty: u64,
    /// The switch above is to stop (R-KEY-19).
    pub parent_going: bool,
    /// The switch above will not ask again (R-KEY-19).
    pub dismissed: bool,
}

/// The registers of a copy of a table's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CopyRegisters<'a> {
    /// The sums, as lanes or as registers of the arithmetic.
    pub sums: &'a [u8],
    /// The tag of each row.
    pub tags: &'a [u32],
    /// Ranks of the rows that were folded in the copy's generation, in the order of their first
    /// push.
    pub order: &'a [u32],
}

impl Table {
    /// Returns its registers.
    pub(crate) fn memory(&self) -> TableMemory<'_> {
        TableMemory {
            windows: self.windows.as_flattened(),
            closed_windows: self.closed_windows.as_flattened(),
            open: self.open,
            stored: &self.stored,
            ended: self.ended,
            copies: self.rows.copies(),
            values: self.rows.values(),
            tree: TreeRegisters {
                parent_going: self.parent_going,
                dismissed: self.dismissed,
                ..self.gather.registers()
            },
        }
    }
}
