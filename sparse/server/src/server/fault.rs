//! Faults that end a connection, and those that end a server.

use thiserror::Error;

use crate::rows::RowsError;
use crate::{CodecError, StoreError};

/// A reason why a server cannot go on. All of its connections are refused with it.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ServerError {
    /// Rows that cannot be had.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A generation of the switch that this server never had.
    #[error(
        "generation {found} of epoch {epoch} came after {read}: sums were stored by a server that \
         has lost its rows; start the training from a checkpoint, with another job"
    )]
    Generation {
        /// The epoch.
        epoch: u32,
        /// The generation that came.
        found: u32,
        /// The last one that was read.
        read: u32,
    },
    /// A generation that is not what the table's is.
    #[error("generation {number}: {why}; all must run one version")]
    Sums {
        /// The generation.
        number: u32,
        /// The fault, in words.
        why: String,
    },
    /// A log that cannot be read.
    #[error("the log in the store: {0}; restore the server's folder for data from a copy")]
    Log(#[from] CodecError),
    /// A log that does not fit its checkpoint.
    #[error("the log in the store does not fit: {0}; restore the folder for data from a copy")]
    Replay(String),
}

/// Consequence of an input that was not carried out.
#[derive(Debug)]
pub(super) enum Fault {
    /// The connection ends.
    Refused(String),
    /// The server ends.
    Fatal(ServerError),
}

impl From<RowsError> for Fault {
    fn from(error: RowsError) -> Self {
        match error {
            RowsError::Memory { .. } | RowsError::Store(_) => Self::Fatal(error.into()),
            other => Self::Refused(other.to_string()),
        }
    }
}

impl From<ServerError> for Fault {
    fn from(error: ServerError) -> Self {
        Self::Fatal(error)
    }
}

impl Fault {
    /// Takes a refusal as the end of the server: of a log, or of the switch's sums.
    pub fn fatal(self, refused: impl FnOnce(String) -> ServerError) -> ServerError {
        match self {
            Self::Refused(why) => refused(why),
            Self::Fatal(error) => error,
        }
    }
}
