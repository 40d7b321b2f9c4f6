//! Errors with which a command ends.

use std::io;
use std::path::{Path, PathBuf};

use netfold_management::ClientError;
use thiserror::Error;

use crate::{FAILURE, USAGE};

/// Error with which a command ends, and advice on what to do next.
#[derive(Debug, Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// A setting that cannot be read.
    #[error(transparent)]
    Settings(#[from] netfold_settings::Error),
    /// A file that was named and cannot be read.
    #[error("{what} {path} cannot be read: {source}; correct its name or its permissions", path = path.display())]
    File {
        /// Its purpose.
        what: &'static str,
        /// Its name.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A log level that cannot be read.
    #[error(
        "{0} is no level of the log; use error, warn, info, debug or trace (--log, NETFOLD_LOG)"
    )]
    Log(String),
    /// Arguments that do not go together.
    #[error("{0}")]
    Usage(String),
    /// A switch that cannot start.
    #[error("{error}; {advice}")]
    Start {
        /// The failure.
        error: netfold_net::Error,
        /// Advice on what to do next.
        advice: String,
    },
    /// A server of sparse tables that cannot start or stop.
    #[error(
        "{0}; give a free address of this machine as HOST:PORT (--listen), and a folder that can be written (--data)"
    )]
    Server(#[source] netfold_sparse_net::Error),
    /// A server of sparse tables that does not answer a question.
    #[error(transparent)]
    Table(netfold_sparse_net::Error),
    /// A switch that does not answer a question.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// A switch that answers something else.
    #[error(
        "the switch at {0} gave an answer that this program does not know; install the same netfold on both"
    )]
    Answer(String),
    /// A worker of a benchmark has failed.
    #[error("no figures: rank {rank}: {why}")]
    Worker {
        /// Its rank.
        rank: u16,
        /// Its message.
        why: String,
    },
    /// A worker that trains a linear model has failed.
    #[error("no model: rank {rank}: {why}")]
    Learner {
        /// Its rank.
        rank: u16,
        /// Its message.
        why: String,
    },
    /// A linear model is there, but could not be tried.
    #[error("{}, but it cannot be tried: {why}", trained(saved.as_deref()))]
    Untried {
        /// The file of the model, if it was saved.
        saved: Option<PathBuf>,
        /// The fault of the test.
        why: String,
    },
    /// A scenario, or a calibration, that cannot be simulated.
    #[error("{path}: {error}", path = path.display())]
    Scenario {
        /// Its file.
        path: PathBuf,
        /// The fault of the file.
        error: netfold_sim::Error,
    },
    /// A simulated run in which something did not go well.
    #[error("run {run}: {why}; --seed {seed} replays it")]
    Unwell {
        /// The run, counted from 1.
        run: usize,
        /// Seed of the run.
        seed: u64,
        /// The thing that did not go well.
        why: String,
    },
    /// An operation that is refused, or traps.
    #[cfg(feature = "ops")]
    #[error("{path}: {why}", path = path.display())]
    Operation {
        /// Its file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// An operation that cannot be built.
    #[cfg(feature = "ops")]
    #[error("{0}")]
    Build(String),
    /// A plot that cannot be drawn.
    #[error("the plot cannot be drawn: {0}")]
    Plot(String),
    /// The result of a benchmark cannot be written.
    #[error("the results cannot be written to {path}: {source}; name a file that can be written", path = path.display())]
    Results {
        /// The file to write to.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Standard output fails.
    #[error("standard output cannot be written: {0}")]
    Output(#[source] io::Error),
    /// The system refuses something that a command needs.
    #[error("{what}: {source}")]
    System {
        /// The operation that was tried.
        what: &'static str,
        /// The system's error.
        source: io::Error,
    },
}

impl Error {
    /// For `map_err`: the system has refused `what`.
    pub(crate) fn system(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::System { what, source }
    }

    /// The exit status that goes with it.
    pub(crate) fn status(&self) -> i32 {
        match self {
            Self::Settings(_)
            | Self::File { .. }
            | Self::Scenario { .. }
            | Self::Log(_)
            | Self::Usage(_) => USAGE,
            _ => FAILURE,
        }
    }
}

/// For a message: where a model is.
fn trained(saved: Option<&Path>) -> String {
    saved.map_or_else(
        || "the model is trained".into(),
        |path| format!("the model is saved to {}", path.display()),
    )
}
