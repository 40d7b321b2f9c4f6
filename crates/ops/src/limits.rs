//! Limits of an operation's use of the switch.

use std::fmt;
use std::time::Duration;

use crate::declaration::Declaration;

/// Bytes that a call has in each of its two buffers, unless one element has more.
pub const BATCH_BYTES: usize = 64 * 1024;

/// Time for which a switch refuses an operation that it had to stop (R-OP-29).
pub(crate) const REST: Duration = Duration::from_secs(60);

#[cfg(any(test, feature = "run"))]
/// Rest of a switch after a call that it had to stop, in times that a call may take: for so long it
/// admits nothing new (R-OP-42).
pub(crate) const RESTS: u32 = 39;

#[cfg(any(test, feature = "run"))]
/// Bytes of state for which a call has [`STATE_PAGE_TIME`] more: a page of a machine's memory.
const STATE_PAGE_BYTES: u64 = 4096;

#[cfg(any(test, feature = "run"))]
/// Time of a call for each page of its operation's state (R-OP-15).
const STATE_PAGE_TIME: Duration = Duration::from_micros(10);

#[cfg(any(test, feature = "run"))]
/// Times as long as it took to refuse or to admit a module, in which nothing new is admitted
/// (R-OP-46).
pub(crate) const CHECKS: u32 = 9;

#[cfg(any(test, feature = "run"))]
/// Time before a refusal is told, and in which nothing new is admitted after a trap (R-OP-46).
pub(crate) const PAUSE: Duration = Duration::from_millis(200);

#[cfg(any(test, feature = "run"))]
/// The longest rest that a worker waits for; it is refused if more is left. A module that was
/// admitted adds no more (R-OP-46).
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Most bytes of an element.
pub const MAX_ELEMENT_BYTES: usize = 4096;

/// Most bytes of memory for the data that an operation keeps (R-OP-31).
pub(crate) const MAX_STATE_BYTES: usize = 1 << 28;

/// The limits of an operation (R-OP-15).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the module.
    pub module_bytes: usize,
    /// Functions.
    pub functions: u32,
    /// Bytes of a function's body.
    pub body_bytes: u32,
    /// Locals of a function.
    pub locals: u32,
    /// Types, globals, exports, data segments and element segments, of each.
    pub items: u32,
    /// Elements of the table.
    pub table_elements: u32,
    /// Bytes of the memory with the buffers of a call; at most [`Limits::MAX_MEMORY_BYTES`].
    pub memory_bytes: u64,
    /// Time of a call of an operation without state.
    pub time: Duration,
    /// Work of a call, whatever the batch has.
    pub work: u64,
    /// Work of a call for each byte of the batch.
    pub work_per_byte: u64,
}

impl Limits {
    /// Most bytes of an instance's memory, whatever the limits of its operation.
    pub const MAX_MEMORY_BYTES: u64 = 16 << 20;

    /// Most elements of an instance's table, whatever the limits of its operation.
    pub const MAX_TABLE_ELEMENTS: u32 = 16 * 1024;

    /// Returns the bytes of memory that an operation may have: those for its state are added
    /// (R-OP-31).
    pub(crate) fn memory_of(&self, declaration: &Declaration) -> u64 {
        self.memory_bytes.min(Self::MAX_MEMORY_BYTES) + declaration.state.unwrap_or(0)
    }

    #[cfg(any(test, feature = "run"))]
    /// Returns the time that a call of an operation may take (R-OP-15).
    pub(crate) fn time_of(&self, declaration: &Declaration) -> Duration {
        let pages = declaration.state.unwrap_or(0).div_ceil(STATE_PAGE_BYTES);
        self.time + STATE_PAGE_TIME * pages as u32
    }

    #[cfg(any(test, feature = "run"))]
    /// Returns the units of work that a call may take.
    pub(crate) fn work_of(&self, bytes: usize) -> u64 {
        self.work.saturating_add(self.work_per_byte.saturating_mul(bytes as u64))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            module_bytes: 256 * 1024,
            functions: 1000,
            body_bytes: 32 * 1024,
            locals: 256,
            items: 1000,
            table_elements: 1024,
            memory_bytes: 4 << 20,
            time: Duration::from_millis(100),
            work: 100_000,
            work_per_byte: 256,
        }
    }
}

/// A kind of item that is counted in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Count {
    /// Types.
    Types,
    /// Functions.
    Functions,
    /// Bytes of a function's body.
    BodyBytes,
    /// Locals of a function.
    Locals,
    /// Tables.
    Tables,
    /// Memories.
    Memories,
    /// Globals.
    Globals,
    /// Exports.
    Exports,
    /// Data segments.
    Data,
    /// Element segments.
    Elements,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Types => "types",
            Self::Functions => "functions",
            Self::BodyBytes => "bytes of a function",
            Self::Locals => "locals of a function",
            Self::Tables => "tables",
            Self::Memories => "memories",
            Self::Globals => "globals",
            Self::Exports => "exports",
            Self::Data => "data segments",
            Self::Elements => "element segments",
        })
    }
}
