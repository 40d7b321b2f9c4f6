//! Operations that users bring along (R-OP), as the switch sees them.
//!
//! The switch knows no more of an operation than this: how operands are combined, in which order,
//! and how that can fail. What runs it is another crate's.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use netfold_num::UserOperation;
use thiserror::Error;

/// An operation that has been admitted, wherever it is run.
pub trait TypedOperation: fmt::Debug + Send + Sync {
    /// Its identity: SHA-256 of its module (R-OP-1).
    fn hash(&self) -> [u8; 32];

    /// Its name, of at most 32 bytes; it need not be unique.
    fn name(&self) -> &str;

    /// Returns the module, as it was admitted.
    fn module(&self) -> &[u8];

    /// Returns the signature with which it was admitted, if there was one (R-OP-22).
    fn signature(&self) -> Option<&[u8]> {
        None
    }

    /// Bytes of an element as it travels: lanes are whole elements (R-OP-2, R-OP-30).
    fn element_bytes(&self) -> usize;

    /// Most elements of a message, if it folds whole ones (R-OP-3).
    fn message_elements(&self) -> Option<u32> {
        None
    }

    /// Most bytes of an operand: a packet of the job has no more (R-OP-8).
    fn batch_bytes(&self) -> usize;

    /// Returns whether operands may be folded as they arrive; others are folded in rank order
    /// (R-OP-13).
    fn any_order(&self) -> bool;

    /// Returns whether switches below each other may fold it, each the operands of workers with
    /// consecutive ranks (R-OP-13).
    fn is_associative(&self) -> bool;

    /// Returns whether results are mapped before they are sent (R-OP-28).
    fn has_map(&self) -> bool {
        false
    }

    /// Returns whether elements are encoded before they travel (R-OP-30). Operands are then folded
    /// all at once.
    fn has_codec(&self) -> bool {
        false
    }

    /// Returns whether something is left to do when all operands of a round are folded, so that a
    /// round of one is no copy: a map, or the end of a codec (R-OP-28, R-OP-30).
    fn finishes(&self) -> bool {
        self.has_map() || self.has_codec()
    }

    /// Bytes of the data that it keeps from one call to the next, if it keeps any (R-OP-31).
    fn state_bytes(&self) -> Option<u64> {
        None
    }

    /// Returns whether it folds operands.
    fn folds(&self) -> bool {
        true
    }

    /// Returns whether it answers requests (R-OP-32).
    fn answers(&self) -> bool {
        false
    }

    /// Returns an instance, for one thread.
    ///
    /// # Errors
    /// The cause for which it does not start, such as [`TrapCause::Instances`].
    fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause>;
}

/// An operation that one shard, or one process, runs.
pub trait TypedFold: fmt::Debug + Send + Sync {
    /// Folds operands into the accumulator, one after the other. The accumulator is the left
    /// operand of the first fold (R-OP-8). When the round is `complete`, the result is mapped, and
    /// encoded (R-OP-28, R-OP-30): operands with a codec all come then.
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
        complete: bool,
    ) -> Result<(), TrapCause>;

    /// Replaces the request of a worker by the reply to it (R-OP-32).
    ///
    /// # Errors
    /// The cause for which it has ended; the request is then as it was.
    fn answer(&mut self, request: &mut [u8], rank: u16) -> Result<(), TrapCause> {
        let _ = (request, rank);
        Err(TrapCause::Other)
    }

    /// Returns the totals since it was made.
    fn usage(&self) -> Usage;
}

/// The work of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Calls of its function.
    pub calls: u64,
    /// Bytes of the operands that were folded.
    pub bytes: u64,
    /// Calls that have trapped.
    pub traps: u64,
    /// Nanoseconds of its calls, as sampled.
    pub time_ns: u64,
}

impl Usage {
    /// Returns the sum of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            bytes: self.bytes + other.bytes,
            traps: self.traps + other.traps,
            time_ns: self.time_ns + other.time_ns,
        }
    }
}

/// Admits modules that users bring along (R-OP-16).
pub trait OperationLoader: fmt::Debug + Send + Sync {
    /// Admits a module. One that was admitted before, and is in use, is not compiled again.
    ///
    /// # Errors
    /// The reason for which it is refused, in words.
    fn load(
        &self,
        module: &[u8],
        signature: Option<&[u8]>,
    ) -> Result<Arc<dyn TypedOperation>, String>;

    /// Takes note that the operation with this hash has trapped in a job (R-OP-29).
    fn trapped(&self, hash: [u8; 32], cause: TrapCause);
}

/// The operations of a job, by their numbers (R-OP-23). Clones are the same operations.
#[derive(Clone, Debug, Default)]
pub struct Operations(Arc<[Arc<dyn TypedOperation>]>);

impl Operations {
    /// The most that a job has.
    pub const MOST: usize = UserOperation::MOST as usize;

    /// Most bytes of their modules together: they travel in one message.
    pub const MOST_BYTES: usize = 384 * 1024;

    /// Makes a job's list.
    ///
    /// # Errors
    /// [`TooManyOperations`] for more than [`MOST`](Self::MOST), or
    /// [`MOST_BYTES`](Self::MOST_BYTES).
    pub fn new(
        operations: impl IntoIterator<Item = Arc<dyn TypedOperation>>,
    ) -> Result<Self, TooManyOperations> {
        let operations: Arc<[Arc<dyn TypedOperation>]> = operations.into_iter().collect();
        let bytes = operations.iter().map(|operation| operation.module().len()).sum();
        Self::check(operations.len(), bytes)?;
        Ok(Self(operations))
    }

    /// Checks that a job can have so many operations, of so many bytes together.
    ///
    /// # Errors
    /// [`TooManyOperations`]
    pub fn check(count: usize, bytes: usize) -> Result<(), TooManyOperations> {
        if count > Self::MOST || bytes > Self::MOST_BYTES {
            return Err(TooManyOperations { count, bytes });
        }
        Ok(())
    }

    /// Returns the operation with this number, if the job has one.
    pub fn of(&self, number: UserOperation) -> Option<&Arc<dyn TypedOperation>> {
        self.0.get(usize::from(number.number()))
    }

    /// Returns whether all are folded as operands arrive, so that no operands are kept apart
    /// (R-OP-25).
    pub fn any_order(&self) -> bool {
        self.0.iter().all(|operation| operation.any_order())
    }

    /// Returns whether one of them keeps data from one call to the next (R-OP-34).
    pub fn keep_state(&self) -> bool {
        self.0.iter().any(|operation| operation.state_bytes().is_some())
    }

    /// Bytes of the data that they keep, all together (R-OP-31).
    pub(crate) fn state_bytes(&self) -> u64 {
        self.0.iter().filter_map(|operation| operation.state_bytes()).sum()
    }

    fn hashes(&self) -> impl Iterator<Item = [u8; 32]> {
        self.0.iter().map(|operation| operation.hash())
    }
}

/// More operations than a job has (R-OP-23).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{count} operations of {bytes} bytes together are too many for a job; it has at most {}, of {} bytes: bring the \
     others to another job",
    Operations::MOST,
    Operations::MOST_BYTES
)]
pub struct TooManyOperations {
    /// Their number.
    pub count: usize,
    /// Bytes of their modules.
    pub bytes: usize,
}

impl Deref for Operations {
    type Target = [Arc<dyn TypedOperation>];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl PartialEq for Operations {
    fn eq(&self, other: &Self) -> bool {
        self.hashes().eq(other.hashes())
    }
}

impl Eq for Operations {}

/// The instances in which one shard, or one process, runs a job's operations. Clones have instances
/// of their own.
#[derive(Debug, Default)]
pub struct Instances {
    operations: Operations,
    /// By number; made at the first fold.
    running: Vec<Option<Box<dyn TypedFold>>>,
}

impl Instances {
    /// Returns the instances of a job's operations, none of which runs.
    pub fn new(operations: &Operations) -> Self {
        let running = operations.iter().map(|_| None).collect();
        Self { operations: operations.clone(), running }
    }

    /// Returns the work of each operation here, by their numbers.
    pub fn usage(&self) -> impl Iterator<Item = Usage> {
        self.running
            .iter()
            .map(|running| running.as_deref().map(|it| it.usage()).unwrap_or_default())
    }

    /// Folds operands into the accumulator, from left to right; see [`TypedFold::fold`].
    pub(crate) fn fold(
        &mut self,
        number: UserOperation,
        accumulator: &mut [u8],
        operands: &mut dyn Iterator<Item = &[u8]>,
        complete: bool,
    ) -> Result<(), TrapCause> {
        self.running(number)?.fold(accumulator, operands, complete)
    }

    /// Does what is left to do with the lanes of a round that is complete, if there is anything;
    /// see [`TypedOperation::finishes`].
    pub(crate) fn finish(
        &mut self,
        number: UserOperation,
        lanes: &mut [u8],
    ) -> Result<(), TrapCause> {
        if !self.operations[usize::from(number.number())].finishes() {
            return Ok(());
        }
        self.fold(number, lanes, &mut std::iter::empty(), true)
    }

    /// Answers the requests of a round, in rank order; see [`TypedFold::answer`].
    pub(crate) fn answer<'r>(
        &mut self,
        number: UserOperation,
        requests: impl Iterator<Item = (u16, &'r mut [u8])>,
    ) -> Result<(), TrapCause> {
        let running = self.running(number)?;
        let mut requests = requests;
        requests.try_for_each(|(rank, request)| running.answer(request, rank))
    }

    fn running(&mut self, number: UserOperation) -> Result<&mut dyn TypedFold, TrapCause> {
        let place = usize::from(number.number());
        Ok(match &mut self.running[place] {
            Some(running) => &mut **running,
            none => &mut **none.insert(self.operations[place].instance()?),
        })
    }
}

impl Clone for Instances {
    fn clone(&self) -> Self {
        Self::new(&self.operations)
    }
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
    /// Every cause.
    pub const ALL: [Self; 9] = [
        Self::Unreachable,
        Self::Memory,
        Self::Table,
        Self::Stack,
        Self::Arithmetic,
        Self::Time,
        Self::Work,
        Self::Instances,
        Self::Other,
    ];

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
