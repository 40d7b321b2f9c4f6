//! Flags of `netfold cgra`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Seed of the search for places, unless another one is given.
pub(crate) const SEED: u64 = 1;

/// Commands about operations of users on an array in the switch.
#[derive(Debug, Subcommand)]
pub(crate) enum Cgra {
    /// Draw the data flow of a function, as Graphviz's DOT (`dot -Tsvg` makes an image of it)
    Graph {
        /// Module: .wasm
        module: PathBuf,
        /// Function: fold, map, decode, encode or answer
        #[arg(long, value_name = "NAME", default_value = "fold")]
        function: String,
        /// Number of the loop, if there are several
        #[arg(long, value_name = "N", default_value_t = 0)]
        kernel: usize,
    },
    /// Find places on an array for all functions of an operation, and print them
    Map {
        #[command(flatten)]
        map: MapFlags,
        /// Draw the places and the links between them, too: an image in SVG
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// Run all functions of an operation on an array, cycle by cycle, on random operands, and
    /// compare with WebAssembly
    Simulate {
        #[command(flatten)]
        map: MapFlags,
        /// Elements of each operand
        #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
        elements: u32,
    },
    /// Print what operations take of an array: intervals, latency, throughput, units, energy
    Report {
        /// Modules: .wasm
        #[arg(required = true)]
        modules: Vec<PathBuf>,
        #[command(flatten)]
        array: ArrayFlags,
    },
}

#[derive(Args, Debug)]
pub(crate) struct MapFlags {
    /// Module: .wasm
    pub module: PathBuf,
    #[command(flatten)]
    pub array: ArrayFlags,
}

#[derive(Args, Debug)]
pub(crate) struct ArrayFlags {
    /// Array: acis, grid-4x4, small-2x2, or a file in TOML
    #[arg(long, value_name = "NAME", default_value = "acis")]
    pub array: String,
    /// Seed of the search, and of random operands
    #[arg(long, value_name = "N", default_value_t = SEED)]
    pub seed: u64,
}
