//! The setup of the management plane, and of what befalls it.

use netfold_num::{Arithmetic, ByteOrder};
use serde::Deserialize;

use super::{CallSetup, named};

/// The management plane: workers connect to the switch above their host, join, live and leave, and
/// switches decide and tell, as they do in earnest. The root of a tree runs a registry, every other
/// switch a relay.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Management {
    /// Time that a job may take to form, from its first worker on, in milliseconds.
    pub forming_ms: u64,
    /// Time that two workers have to describe a call after a mismatch (R-CTRL-6), in milliseconds.
    pub describe_ms: u64,
    /// Time for which a control connection bears that its link is cut, or that the other end says
    /// nothing to what was sent, in milliseconds.
    pub patience_ms: u64,
    /// Trees of switches over the same hosts, all of the shape and with the links that the layers
    /// have.
    pub trees: u32,
}

impl Default for Management {
    /// As switches have it, on a system that gives up after a quarter of an hour.
    fn default() -> Self {
        Self { forming_ms: 300_000, describe_ms: 1_000, patience_ms: 900_000, trees: 1 }
    }
}

/// A worker that does not do as the others of its job do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// The worker.
    pub rank: u16,
    /// Its behaviour.
    pub does: Behaviour,
}

/// Behaviour of a single worker.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// It never comes.
    Absent,
    /// It comes so many microseconds later than the others.
    Late(u64),
    /// It leaves after so many calls.
    Leaves(u64),
    /// Its process ends at this moment, in microseconds, and its system closes its connection.
    Dies(u64),
    /// It makes another call than the others.
    Calls {
        /// The number of the call in the job, from 0.
        number: usize,
        /// The call that it makes there, at the time of the others.
        call: CallSetup,
    },
    /// It asks for another arithmetic.
    #[serde(deserialize_with = "named")]
    Arithmetic(Arithmetic),
    /// It asks for another order of bytes.
    #[serde(deserialize_with = "named")]
    ByteOrder(ByteOrder),
    /// It tries these trees.
    Trees(Vec<u32>),
    /// It proves another token than the switches know.
    WrongToken,
}

/// A switch that does nothing for a while: its threads wait for a processor.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchStall {
    /// The switch, counted from 0 at the root, layer by layer and tree by tree.
    pub switch: u32,
    /// Start, in microseconds.
    pub from_us: u64,
    /// End, in microseconds.
    pub until_us: u64,
}

/// A switch that stops, for good or for a while.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchCrash {
    /// The switch, counted from 0 at the root, layer by layer and tree by tree.
    pub switch: u32,
    /// Time at which it stops, in microseconds.
    pub at_us: u64,
    /// Way in which it stops.
    #[serde(default)]
    pub how: Stop,
    /// Time at which its process starts anew, with nothing of what it knew, in microseconds; never
    /// by default. Not for a switch that goes without a word.
    #[serde(default)]
    pub restarts_us: Option<u64>,
}

/// Way in which a switch stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// Without a word: its connections stay open and silent.
    #[default]
    Silent,
    /// Its process ends, and its system closes its connections.
    Killed,
    /// It is told to, and tells its workers.
    Stopped,
}
