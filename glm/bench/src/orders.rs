//! The messages to and from the controller (bench/p4sgd/crew.py): a line of JSON each.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A worker's account of itself, sent once.
#[derive(Debug, Serialize)]
pub struct Hello {
    pub rank: usize,
    pub size: usize,
    /// Name and version of the MPI library, if it is there.
    pub mpi: Option<String>,
}

/// An order to a worker. It answers with [`Answer`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// Join jobs of a switch, one for each protocol.
    Join {
        switch: String,
        job: String,
        /// `udp` or `shm`.
        transport: String,
    },
    /// Hold these samples from now on, and not those before.
    Hold(Holding),
    /// Train on what is held, from zeros.
    Fit(Fit),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holding {
    pub samples: Source,
    /// Bits of a feature; 32 are floats.
    pub bits: u8,
    /// Numbers of engines over which a worker's features are split, each in turn.
    pub engines: Vec<usize>,
    /// Samples are held both ways: by features, and by rows.
    pub rows_too: bool,
}

/// The source of samples.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Source {
    /// Made up: every feature has a value, as the paper's accelerators read them.
    Dense { rows: usize, features: usize },
    /// A sparse matrix of SciPy's, and its labels, 0 and 1, as `.npy`.
    File { features: PathBuf, labels: PathBuf },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    pub through: Through,
    pub spread: By,
    pub batch: usize,
    pub micro_batch: usize,
    /// One of those that samples are held for; 1 where they are split by rows.
    pub engines: usize,
    pub epochs: usize,
    /// The step, constant.
    pub eta: f64,
    /// The worker's stages are timed (R-GLM-30). From then on the job's calls are, too.
    pub traced: bool,
}

/// The way by which workers meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Through {
    /// Netfold's own choice: short sums by the eager path, others in slots, which are acknowledged.
    Netfold,
    /// Slots with acknowledgements (P4SGD).
    Acked,
    /// Slots with shadow copies (SwitchML).
    Shadow,
    /// `MPI_Iallreduce`: a fold goes on beside what is computed.
    MpiBeside,
    /// `MPI_Allreduce`: a fold is waited for at once.
    MpiWaited,
}

/// The part of a training that is split over workers: the model or the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    Model,
    Data,
}

/// A worker's answer to an order.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Done,
    Fitted(Fitted),
    Failed(String),
}

/// The outcome of a [`Fit`].
#[derive(Debug, Serialize)]
pub struct Fitted {
    /// Its epochs, in order.
    pub epochs: Vec<Told>,
    /// Seconds of this worker's folds, if it was traced.
    pub folds: Option<Folds>,
}

/// Time with a fold under way.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Folds {
    pub total: f64,
    /// The part in which this worker computed.
    pub hidden: f64,
}

/// An epoch.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Told {
    pub loss: f64,
    pub seconds: f64,
    /// That this worker has submitted.
    pub bytes: u64,
}
