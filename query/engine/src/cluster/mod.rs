//! Workers as processes on other hosts: each has a part of the files, and runs the fragments of a
//! query over it. The master plans the query, and its process has the programs of the switch.

mod frame;
mod master;
mod serve;
mod table;
mod workers;

use serde::{Deserialize, Serialize};

use crate::exchange::{Ways, Wired};

pub(crate) use master::{Remote, stream};
pub use serve::serve;
pub use workers::Cluster;

/// A worker's table.
#[derive(Debug, Serialize, Deserialize)]
struct Listing {
    name: String,
    kind: String,
    /// Files with their sizes.
    files: Vec<(String, u64)>,
    /// Rows, if the files tell.
    rows: Option<u64>,
    /// A stream of Arrow without rows.
    schema: Vec<u8>,
}

/// A worker's task with a fragment; the bytes of the plan follow it.
#[derive(Debug, Serialize, Deserialize)]
struct Run {
    partition: u32,
    seed: u64,
    /// Most bytes that are not worth the way to the switch.
    small: usize,
    offer: Wired,
    /// The plan is a partial aggregate, whose rows are offered one by one.
    rows: bool,
    probes: Vec<Vec<usize>>,
    builds: Vec<Vec<usize>>,
    /// Rows that are offered at a time.
    batch: usize,
    /// The ways to a switch elsewhere, as far as that has the programs.
    ways: Ways,
}

/// Report of a worker on a partition at its end.
#[derive(Debug, Default, Serialize, Deserialize)]
struct End {
    best_dropped: Option<i64>,
    scanned: u64,
    /// The reason why a switch elsewhere was done without.
    without: Option<String>,
    /// Packets that were sent again to it.
    repeated: u64,
}
