//! The repository's own chores: generated code, and the rules that no stock linter knows.
//!
//! It refuses to build, test or install anything: that is cargo's and the Makefile's work. Open
//! [`codegen`] for what is made from `spec/wire.toml`, `spec/table.toml` and `spec/settings.toml`,
//! [`tidy`] for the rules.
#![forbid(unsafe_code)]

mod codegen;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the netfold repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Make the code of spec/wire.toml, spec/table.toml and spec/settings.toml.
    Codegen {
        /// Write nothing; fail if a generated file differs from the specification.
        #[arg(long)]
        check: bool,
    },
    /// Check file lengths, banned words, the layer law and `forbid(unsafe_code)`.
    Tidy,
}

fn main() -> ExitCode {
    let root = repository_root();
    let outcome = match Arguments::parse().chore {
        Chore::Codegen { check: true } => codegen::check(&root).map_err(|error| error.to_string()),
        Chore::Codegen { check: false } => codegen::write(&root).map_err(|error| error.to_string()),
        Chore::Tidy => tidy::run(&root).map_err(|error| error.to_string()),
    };
    match outcome {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The checkout that this program was built from.
fn repository_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}
