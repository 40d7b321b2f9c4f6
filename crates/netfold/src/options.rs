//! Operations, and options of calls.

use std::time::Duration;

use netfold_net::{Operation, Priority, Reduction, UserFold};

/// The combination of the workers' elements, one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Op {
    /// The sum.
    Sum,
    /// The sum divided by the number of workers; floating point only.
    Average,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The product: of floats in jobs of [`Arithmetic::Native`](crate::Arithmetic), `Fpisa` and
    /// `FpisaA`, of integers in all.
    Product,
    /// The fold by an operation that the job's workers have brought along
    /// ([`Connect::operations`](crate::Connect::operations)). It sees the elements' bytes.
    User(UserFold),
}

impl From<Op> for Reduction {
    fn from(op: Op) -> Self {
        match op {
            Op::Sum => Self::Fold(Operation::Sum),
            Op::Average => Self::Average,
            Op::Min => Self::Fold(Operation::Min),
            Op::Max => Self::Fold(Operation::Max),
            Op::Product => Self::Fold(Operation::Product),
            Op::User(fold) => Self::User(fold),
        }
    }
}

/// Options of calls; see [`Communicator::with`](crate::Communicator::with).
///
/// ```
/// use std::time::Duration;
///
/// use netfold::{CallOptions, Priority};
///
/// let options = CallOptions::new().priority(Priority::Urgent).timeout(Duration::from_secs(30));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallOptions {
    pub(crate) priority: Option<Priority>,
    pub(crate) timeout: Option<Duration>,
}

impl CallOptions {
    /// Returns the defaults: a priority by length, and no time-out of the call's own.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the priority, the same at every worker. Urgent calls go before the bulk that is in
    /// progress (R-STREAM-8). By default the length decides: calls up to 16 KiB are urgent
    /// (R-STREAM-9).
    #[must_use]
    pub fn priority(self, priority: Priority) -> Self {
        Self { priority: Some(priority), ..self }
    }

    /// Sets the longest that one call may take, the other workers' lateness included. A call that
    /// is not done then fails with [`JobError::Timeout`](crate::JobError), and the job ends. By
    /// default a call waits as long as the other workers live.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }
}
