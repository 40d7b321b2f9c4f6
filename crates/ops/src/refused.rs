//! The reasons for which a module is not admitted.

use thiserror::Error;

use crate::limits::{Count, REST};
use netfold_switch::TrapCause;

/// A module that is refused at admission (R-OP-16). [`name`](Self::name) is the rule's name of the
/// reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refused {
    /// The switch takes no operations of users.
    #[error("this switch takes no operations of users; ask its operator")]
    Policy,
    /// The switch takes signed operations, and this one has no signature, or that of another key.
    #[error("the operation has no signature of the switch's key; ask its operator to sign it")]
    Unsigned,
    /// A call of the operation was stopped for its time, a short while ago.
    #[error(
        "a call of the operation took longer than it may, less than {} s ago, and held up the switch; find out with `netfold op test` and `bench` which operands take so long",
        REST.as_secs()
    )]
    Slow,
    /// The switch had to stop so many calls lately that it takes nothing new for longer than a
    /// worker waits (R-OP-42).
    #[error(
        "the switch had to stop calls of operations lately, which held up its jobs, and admits no others for {seconds} s; join again then"
    )]
    Busy {
        /// Seconds that are left of its rest.
        seconds: u64,
    },
    /// The module has too many bytes.
    #[error("the module has {bytes} bytes, and {limit} are allowed; strip names, or shorten it")]
    Size {
        /// Its bytes.
        bytes: usize,
        /// The most that are allowed.
        limit: usize,
    },
    /// These bytes are no WebAssembly module of version 1.
    #[error("this is no WebAssembly module; compile one: netfold op build")]
    NotWasm,
    /// The module ends in the middle of a section.
    #[error("the module ends in the middle of a section; build or copy it again")]
    Truncated,
    /// The module does not validate.
    #[error("the module does not validate: {0}; it may use nothing beyond WebAssembly 2.0")]
    Invalid(String),
    /// The module imports something.
    #[error("the module imports {0}, and an operation imports nothing; link it without a library")]
    Import(String),
    /// The module has a start function.
    #[error("the module has a start function; link it with --no-entry")]
    Start,
    /// There are too many of something.
    #[error("{found} {what}, and {limit} are allowed; make the operation smaller")]
    Count {
        /// The things that are counted.
        what: Count,
        /// Their number.
        found: u64,
        /// The most that are allowed.
        limit: u64,
    },
    /// The memory does not leave room for the buffers.
    #[error(
        "the memory needs {bytes} bytes with the buffers of a call, and {limit} are allowed; \
         use less, or a smaller stack (-z stack-size)"
    )]
    Memory {
        /// Bytes of the memory, with the buffers.
        bytes: u64,
        /// The most that the switch or the module's own maximum allows.
        limit: u64,
    },
    /// The table has too many elements.
    #[error("the table has {elements} elements, and {limit} are allowed; use fewer pointers")]
    Table {
        /// Its elements.
        elements: u64,
        /// The most that are allowed.
        limit: u64,
    },
    /// An export is missing, or has another type.
    #[error("the module does not export {0}; see R-OP-8 in spec/operations.md")]
    Export(String),
    /// The declaration is missing or cannot be read.
    #[error("the declaration (section netfold.operation): {0}; see R-OP-11 in spec/operations.md")]
    Declaration(String),
    /// The compiler has refused the module.
    #[error("the module cannot be compiled: {0}; make its functions smaller")]
    Compile(String),
    /// A call in the trial took too much work.
    #[error("a call of {bytes} bytes takes more than {limit} units of work; do less in a call")]
    Work {
        /// Bytes of the call's operand.
        bytes: usize,
        /// The most units.
        limit: u64,
    },
    /// A call in the trial has trapped.
    #[error("the operation trapped in its trial: {0}; try it: netfold op test")]
    Trap(TrapCause),
    /// The switch has as many instances as it can.
    #[error("there are as many instances of operations as can be; end a job first")]
    Instances,
    /// The machine cannot run WebAssembly.
    #[error("operations cannot run on this machine: {0}; start the switch without them")]
    Machine(String),
}

impl Refused {
    /// The name of the reason.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Policy | Self::Unsigned => "policy",
            Self::Slow => "slow",
            Self::Busy { .. } => "busy",
            Self::Size { .. } => "size",
            Self::NotWasm => "not-wasm",
            Self::Truncated => "truncated",
            Self::Invalid(_) => "invalid",
            Self::Import(_) => "import",
            Self::Start => "start",
            Self::Count { .. } => "count",
            Self::Memory { .. } => "memory",
            Self::Table { .. } => "table",
            Self::Export(_) => "export",
            Self::Declaration(_) => "declaration",
            Self::Compile(_) => "compile",
            Self::Work { .. } => "work",
            Self::Trap(_) => "trap",
            Self::Instances => "instances",
            Self::Machine(_) => "machine",
        }
    }
}
