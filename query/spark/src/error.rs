//! Errors, as Spark's log has them.

use netfold_net::{ClientError, Refusal};
use thiserror::Error;

/// Error of a call of the library.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The switch, or the way to it.
    #[error(transparent)]
    Net(#[from] netfold_net::Error),
    /// The system.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A text that is not the place of a query.
    #[error(transparent)]
    Place(#[from] netfold_net::NotAPlace),
    /// A text that is not the address of a switch.
    #[error("{0} is not the address of a switch: HOST:PORT is")]
    Address(String),
    /// A handle that is not open.
    #[error("the {0} is closed")]
    Closed(&'static str),
    /// The jar and the library are of different versions.
    #[error("the jar asks for {0}, which this libnetfold_spark.so does not know; build both anew")]
    Unknown(String),
    /// A sum has no totals.
    #[error("the switch has no totals: {0}")]
    Totals(String),
    /// All indices of queries are taken.
    #[error("the switch has {0} queries already; ask again when some have ended")]
    Queries(usize),
    /// The Java machine.
    #[error(transparent)]
    Jni(#[from] jni::errors::Error),
}

impl Error {
    /// Returns whether a query was refused for want of room, which others make when they end.
    pub fn wants_room(&self) -> bool {
        let Self::Net(netfold_net::Error::Join(error)) = self else { return false };
        let ClientError::Refused(refusal) = &**error else { return false };
        matches!(refusal, Refusal::QueryMemory { .. } | Refusal::TooManyQueries { .. })
    }
}
