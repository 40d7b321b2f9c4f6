//! Reasons why a call cannot be made.

use netfold_num::Unsupported;
use thiserror::Error;

/// A reason why a call cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The job's arithmetic does not have this fold.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// An average of integers.
    #[error(
        "an average of {0} is not defined here: integers would be truncated; sum them and divide, or convert to floating point first"
    )]
    IntegerAverage(&'static str),
    /// Elements of a type where only bytes are moved.
    #[error("{collective} moves bytes: give it u8 and a length in bytes, not {element_type}")]
    MovesBytes {
        /// The collective asked for.
        collective: &'static str,
        /// The type given.
        element_type: &'static str,
    },
    /// A root that is no worker of the job.
    #[error("root {root} is not a rank of this job, which has ranks 0 to {last}")]
    Root {
        /// The root asked for.
        root: u16,
        /// The last rank.
        last: u16,
    },
    /// An average over some of the workers.
    #[error("{0} has no average: each worker gets the fold of other ranks; sum and divide instead")]
    PrefixAverage(&'static str),
    /// Lengths of parts for a collective that has no parts, or not as many as it has parts.
    #[error("{collective} takes {needed} lengths of parts in this job, not {given}")]
    Lengths {
        /// The collective asked for.
        collective: &'static str,
        /// The number that it takes.
        needed: usize,
        /// The number given.
        given: usize,
    },
    /// Input and output in one where results would take the place of elements still to be sent.
    #[error("{0} cannot be in place: give it an output apart from its input")]
    InPlace(&'static str),
    /// A message in a job of other workers than a sender and a receiver.
    #[error("a message is a call of a job of two workers, not of {0}")]
    Message(u16),
    /// Elements of a type where an operation of a user has its own.
    #[error(
        "the operation {operation} folds bytes: give it u8 and a length in bytes, not {element_type}"
    )]
    UserElements {
        /// The operation's name.
        operation: String,
        /// The type given.
        element_type: &'static str,
    },
    /// A scan by an operation of a user that maps or encodes results (R-OP-28, R-OP-30).
    #[error(
        "the operation {0} transforms results at the switch, which the prefix of rank 0 does not pass; use exscan, or an operation without a map and a codec"
    )]
    MappedScan(String),
    /// A fold by an operation of a user that only answers requests, or requests to one that only
    /// folds (R-OP-8, R-OP-32).
    #[error(
        "the operation {operation} {}",
        if *answers { "answers requests, and folds nothing: call it by look_aside" } else { "answers no requests: look_aside takes one that exports `answer`" }
    )]
    NotItsCall {
        /// The operation's name.
        operation: String,
        /// It answers requests.
        answers: bool,
    },
    /// A look-aside call without an operation of a user.
    #[error("look_aside takes an operation that the job's workers have brought along")]
    NoAnswer,
    /// A look-aside call in a job without exchange slots (R-OP-32, R-CTRL-23).
    #[error(
        "this job has no slots for look_aside: its workers do not all send to one switch, or the switch has too little memory; ask for more slots"
    )]
    NoExchangeSlots,
    /// A call by an operation with state while another one is in progress (R-OP-33).
    #[error(
        "the operation {0} keeps state, and a call by an operation with state is in progress; wait for it first"
    )]
    StateInUse(String),
    /// An operation of a user that the job does not have.
    #[error("the job does not have the operation {0}; bring it along when you connect")]
    NotBrought(String),
    /// Lengths that are no whole elements of an operation of a user.
    #[error(
        "the operation {operation} folds elements of {element_bytes} bytes; {bytes} bytes are no whole number of them"
    )]
    Fraction {
        /// The operation's name.
        operation: String,
        /// Bytes of an element.
        element_bytes: u16,
        /// Bytes of a vector, or of a part.
        bytes: u64,
    },
    /// A message, or an element, that an operation of a user cannot fold in this job (R-OP-24).
    #[error(
        "the operation {operation} cannot fold {bytes} bytes at once: a message has at most {most} in this job, {}",
        if *in_packet { "which is the most that a packet can have; shorten messages" } else { "as the operation declares" }
    )]
    Whole {
        /// The operation's name.
        operation: String,
        /// Bytes of the message, or of an element.
        bytes: u64,
        /// Most bytes.
        most: u64,
        /// The limit is that of a packet.
        in_packet: bool,
    },
    /// More elements than can be addressed.
    #[error("{0} elements are more than a call can have")]
    TooLong(u64),
}

impl PlanError {
    /// Returns true if the job's arithmetic lacks the fold: every call of this reduction and
    /// element type is refused. Any other error is a mistake in one call.
    pub const fn is_of_the_arithmetic(&self) -> bool {
        matches!(self, Self::Unsupported(_) | Self::IntegerAverage(_))
    }
}
