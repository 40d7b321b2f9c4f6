//! The description of a table, and what it takes.

use netfold_num::{Arithmetic, ElementType};
use netfold_wire::{Epoch, JobId, TableTerms, Terms, WINDOW, WorkerId};
use thiserror::Error;

use super::gather::Gather;
use super::rows::Rows;

/// The description of a table that a shard is given when it is admitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The job's index at this switch.
    pub job: JobId,
    /// Its epoch.
    pub epoch: Epoch,
    /// Workers of the job.
    pub workers: u16,
    /// Most bytes of a datagram that the switch sends.
    pub datagram_bytes: u32,
    /// Rows, and their form.
    pub table: TableTerms,
    /// Terms on which the job folds.
    pub terms: Terms,
    /// The switches with which it shares the table.
    pub tree: TableTree,
}

/// The place of a table in a tree of switches (R-KEY-17). By default the switch is the only one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableTree {
    /// The switches below this one, which it reads.
    pub leaves: Vec<Leaf>,
    /// It is read by the switch above, which tells it when to go (R-KEY-11).
    pub has_parent: bool,
}

/// A switch below, in a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// Its name, a rank of its workers (R-TREE-1).
    pub name: WorkerId,
    /// The workers that it stands for.
    pub workers: Vec<WorkerId>,
}

/// The reason why a table cannot be like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// No rows, or rows without lanes.
    #[error("a table has at least one hot row, and a row at least one lane")]
    Empty,
    /// A row that does not fit a packet.
    #[error(
        "a row of {row_bytes} bytes does not fit a packet of {datagram_bytes} bytes; ask for a smaller width, or for longer packets"
    )]
    Width {
        /// Bytes of a row.
        row_bytes: usize,
        /// Bytes of a datagram.
        datagram_bytes: u32,
    },
    /// Lanes that the arithmetic does not add.
    #[error("{arithmetic} does not add rows of {element_type}; {instead}")]
    Type {
        /// The job's arithmetic.
        arithmetic: Arithmetic,
        /// The type of a lane.
        element_type: ElementType,
        /// Types that it adds.
        instead: &'static str,
    },
}

impl TableSpec {
    /// Returns the memory that the table takes from the shard's budget, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        let windows = 2 * u64::from(self.workers) * u64::from(WINDOW) * 4;
        windows + Rows::memory_bytes(self) + Gather::memory_bytes(self)
    }

    /// Checks that a table can be like this at all.
    ///
    /// # Errors
    /// The first reason for which it cannot.
    pub fn checked(&self) -> Result<(), TableError> {
        let Self { table, datagram_bytes, terms, .. } = self;
        if table.rows == 0 || table.width == 0 {
            return Err(TableError::Empty);
        }
        if table.pairs_in(*datagram_bytes as usize) == 0 {
            let (row_bytes, datagram_bytes) = (table.row_bytes(), *datagram_bytes);
            return Err(TableError::Width { row_bytes, datagram_bytes });
        }
        let (arithmetic, element_type) = (terms.arithmetic, table.element_type);
        let is_integer = matches!(element_type, ElementType::I32 | ElementType::I64);
        let is_float = matches!(element_type, ElementType::F32 | ElementType::F64);
        let instead = match arithmetic {
            Arithmetic::Block if !is_integer => "it adds rows of i32, which stand for floats",
            Arithmetic::Native if !is_integer && !is_float => {
                "it adds rows of f32, f64, i32 and i64"
            }
            Arithmetic::Fpisa | Arithmetic::FpisaA | Arithmetic::LogTable
                if element_type != ElementType::F32 =>
            {
                "it adds rows of f32"
            }
            _ => return Ok(()),
        };
        Err(TableError::Type { arithmetic, element_type, instead })
    }
}
