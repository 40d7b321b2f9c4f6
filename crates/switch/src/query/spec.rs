//! The description of a query that a switch is given when it is admitted.

use netfold_wire::{
    Epoch, Integrity, JobId, QueryKind, QueryRepr, RowProgram, RowProgramError, WorkerId,
};
use thiserror::Error;

/// Most bytes of a datagram: those of UDP over IPv4.
const MAX_DATAGRAM_BYTES: u32 = 65_507;

/// A query at a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuerySpec {
    /// Its index at this switch.
    pub job: JobId,
    /// Its epoch (R-QRY-30).
    pub epoch: Epoch,
    /// Workers.
    pub workers: u16,
    /// Partitions of all its inputs.
    pub partitions: u32,
    /// Attempts of a sum that may be open at a time (R-QRY-31).
    pub attempts: u16,
    /// Most bytes of a datagram.
    pub datagram_bytes: u32,
    /// The program.
    pub program: RowProgram,
    /// The protection of its packets.
    pub integrity: Integrity,
}

/// The reason why a query cannot be like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The program cannot be like this.
    #[error(transparent)]
    Program(#[from] RowProgramError),
    /// No worker or no partition.
    #[error("a query has at least one worker and one partition")]
    Empty,
    /// Datagrams that do not hold a row, or a slot.
    #[error(
        "a {what} of {bytes} bytes does not fit a datagram of {datagram_bytes} bytes (at most {MAX_DATAGRAM_BYTES}); sum fewer columns, or ask for longer datagrams"
    )]
    Datagram {
        /// A row or a slot.
        what: &'static str,
        /// Its bytes.
        bytes: usize,
        /// The bytes of a datagram.
        datagram_bytes: u32,
    },
}

impl QuerySpec {
    /// Returns the memory that the query takes from the switch's budget, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        let registers = 24 * u64::from(self.partitions);
        let addresses = 32 * u64::from(self.workers);
        // Keys, columns and bits of the packet that is looked at.
        let scratch = 2 * u64::from(self.datagram_bytes);
        let program = self.program.memory_bytes(self.attempts);
        program.saturating_add(registers + addresses + scratch)
    }

    /// Checks that a query can be like this at all.
    ///
    /// # Errors
    /// The first reason for which it cannot.
    pub fn checked(&self) -> Result<(), QueryError> {
        self.program.checked()?;
        if self.workers == 0 || self.partitions == 0 {
            return Err(QueryError::Empty);
        }
        let datagram_bytes = self.datagram_bytes;
        let request = |kind, columns: usize| {
            let repr = QueryRepr::request(kind, self.job, self.epoch, WorkerId(0));
            QueryRepr { columns: columns as u8, keys: true, ..repr }
        };
        let row = request(QueryKind::Rows, self.program.columns());
        let slot = match self.program {
            RowProgram::GroupSum { sums, .. } => sums.words(),
            _ => 0,
        };
        // Words of a slot are counted in 8 bits: eight exact sums of f64 are more.
        let read = request(QueryKind::Read, slot);
        let slot_repr = QueryRepr { answer: true, first: slot as u64, ..read };
        for (what, repr, fits) in [("row", row, true), ("slot", slot_repr, slot < 256)] {
            let bytes = repr.row_bytes();
            let one = QueryRepr { rows: 1, ..repr };
            if !fits
                || repr.rows_in(datagram_bytes as usize) == 0
                || one.datagram_bytes() > datagram_bytes as usize
                || datagram_bytes > MAX_DATAGRAM_BYTES
            {
                return Err(QueryError::Datagram { what, bytes, datagram_bytes });
            }
        }
        Ok(())
    }
}
