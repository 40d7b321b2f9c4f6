//! Reasons why a fused call fails.

use std::error::Error as Source;

use thiserror::Error;

/// The reason why a chain or a job cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A chain that is not written as chains are.
    #[error("in the chain {chain:?}, {stage:?} is not a stage: {why}")]
    Stage {
        /// The chain.
        chain: String,
        /// The stage.
        stage: String,
        /// The reason.
        why: String,
    },
    /// Groups of a chain that have elements of other types.
    #[error("the chain {0:?} has groups of two types; its groups have one")]
    Types(String),
    /// Pointers, numbers or results that are not those of the chain.
    #[error("the chain {chain:?} has {needed} {what}, not {given}")]
    Number {
        /// The chain.
        chain: String,
        /// The things that are counted.
        what: &'static str,
        /// The right number.
        needed: usize,
        /// The number given.
        given: usize,
    },
    /// A result that is taken before the chain has run, or twice.
    #[error("result {at} of the chain {chain:?} was not kept, or was taken already")]
    Taken {
        /// The chain.
        chain: String,
        /// The number of the result.
        at: usize,
    },
    /// Counts or displacements that are negative.
    #[error("the chain {0:?} has a negative count or displacement")]
    Negative(String),
    /// A string that is not UTF-8, or a null pointer.
    #[error("{0} is not a string of UTF-8")]
    Text(&'static str),
    /// More ranks than a job has.
    #[error("rank {rank} of {size}: a job of netfold has at most 32767 ranks, numbered from 0")]
    Rank {
        /// The rank.
        rank: i32,
        /// Ranks of the communicator.
        size: i32,
    },
    /// An operation that cannot be loaded.
    #[error("operation {at}: {source}")]
    Operation {
        /// Its number among those given.
        at: usize,
        /// The reason.
        source: Box<dyn Source + Send + Sync>,
    },
    /// A chain that no plan is for.
    #[error(transparent)]
    Plan(#[from] netfold::FusedError),
    /// A setting that cannot be read.
    #[error(transparent)]
    Settings(#[from] netfold_settings::Error),
    /// The job could not be joined, or has failed.
    #[error(transparent)]
    Job(#[from] netfold::Error),
    /// The library itself is wrong.
    #[error("a panic in libnetfold_fused: please report it")]
    Panic,
}
