//! Flags of `netfold op`.

use std::path::PathBuf;

use clap::Subcommand;

/// Commands about operations of users.
#[derive(Debug, Subcommand)]
pub(crate) enum Op {
    /// Compile an operation in C (with clang) or Rust (with rustc), and check what comes out
    Build {
        /// Source file: .c or .rs
        source: PathBuf,
        /// File to write the module to [default: the source's name with .wasm]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Check an operation as a switch does, and show its declaration and its hash
    Show {
        /// Module: .wasm
        module: PathBuf,
    },
    /// Draw operands at random, and look for some that disprove what an operation claims; the exit
    /// status is 1 if there are any
    Test {
        /// Module: .wasm
        module: PathBuf,
        /// Rounds for each claim, of 64 operands or of a message each
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
        rounds: u32,
        /// Seed of all random numbers: the same seed draws the same operands
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// Sign an operation for switches that were started with --ops signed; the signature goes to
    /// the module's name with .sig
    Sign {
        /// Module: .wasm
        module: PathBuf,
        /// File that holds the key of the switches
        #[arg(long, value_name = "FILE")]
        key_file: PathBuf,
    },
    /// Time folds of 1 KiB beside the built-in sum of 256 i32
    Bench {
        /// Module: .wasm
        module: PathBuf,
    },
    /// Print what an operation costs as WebAssembly, whether a pipeline of match-action stages
    /// (PISA)
    /// could carry it out, and what it takes of an array (CGRA)
    Report {
        /// Module: .wasm
        module: PathBuf,
        #[command(flatten)]
        array: crate::cgra::flags::ArrayFlags,
    },
}
