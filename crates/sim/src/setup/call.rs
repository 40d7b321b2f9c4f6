//! The calls of a job in a scenario.

use netfold_num::{ElementType, Operation};
use netfold_worker::Priority;
use serde::{Deserialize, Deserializer};

use super::named;

/// A collective, by the name that users know it by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CollectiveName {
    /// Everyone gets the fold.
    #[default]
    AllReduce,
    /// The root gets the fold.
    Reduce,
    /// Everyone gets the root's vector.
    Broadcast,
    /// Everyone gets every vector.
    AllGather,
    /// Each gets its part of the fold.
    ReduceScatter,
    /// The root gets every vector.
    Gather,
    /// Each gets its part of the root's vector.
    Scatter,
    /// Each gets its part of every vector.
    AllToAll,
    /// Each gets the fold up to its rank.
    Scan,
    /// Each gets the fold below its rank.
    #[serde(rename = "exscan")]
    ExScan,
    /// Everyone gets the fold up to each rank.
    Prefixes,
    /// Each gets the whole fold, and the fold up to its rank.
    ScanTotal,
    /// No vector.
    Barrier,
}

/// A call of a job.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallSetup {
    /// The collective.
    #[serde(default)]
    pub collective: CollectiveName,
    /// Elements of one vector; bytes where they are only moved.
    #[serde(default)]
    pub elements: u64,
    /// Their type.
    #[serde(default = "f32", deserialize_with = "named")]
    pub element_type: ElementType,
    /// Operation that combines them.
    #[serde(default = "sum", deserialize_with = "named")]
    pub operation: Operation,
    /// The root, where there is one.
    #[serde(default)]
    pub root: u16,
    /// The stream; by default the length decides (R-STREAM-9).
    #[serde(default, deserialize_with = "priority")]
    pub priority: Option<Priority>,
    /// Time at which the workers make it, in microseconds.
    #[serde(default)]
    pub start_us: u64,
}

impl Default for CallSetup {
    /// An all-reduce of no elements, with everything else as scenarios have it by default.
    fn default() -> Self {
        Self {
            collective: CollectiveName::default(),
            elements: 0,
            element_type: f32(),
            operation: sum(),
            root: 0,
            priority: None,
            start_us: 0,
        }
    }
}

fn f32() -> ElementType {
    ElementType::F32
}

fn sum() -> Operation {
    Operation::Sum
}

fn priority<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Priority>, D::Error> {
    named(input).map(Some)
}
