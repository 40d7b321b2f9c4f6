//! The command `netfold`: it runs a switch (`netfold switch`), asks one how it is (`netfold ctl`),
//! measures one (`netfold bench`), simulates clusters (`netfold sim`), writes programs for hardware
//! switches (`netfold p4`), builds and tests operations of users (`netfold op`), trains linear
//! models (`netfold glm`), runs MPI programs (`netfold mpirun`, `netfold mpi`) and commands of
//! other packages (`netfold lab`).
//!
//! It is a front end: it reads settings, calls `netfold-net`, `netfold-management` and
//! `netfold-sim`, and shows what they say. No rule of the protocol and no arithmetic is decided
//! here, and no setting is stored. Settings come from options, then the environment, then a file;
//! `docs/settings.md` lists them.
//!
//! Open [`run`] first.

#![forbid(unsafe_code)]

mod bench;
#[cfg(feature = "ops")]
mod cgra;
mod cli;
mod ctl;
mod error;
mod external;
mod glm;
mod logging;
mod mpi;
#[cfg(feature = "ops")]
mod op;
mod options;
mod output;
mod p4;
mod server;
mod sim;
mod switch;
mod terminal;
mod trace;
mod waiting;

use std::env;
use std::ffi::OsString;

use clap::Parser;
use netfold_settings::{Settings, unknown_variables};

use crate::cli::{Bench, Cli, Command, Mpi};
use crate::error::Error;

/// Exit status when everything went well.
const SUCCESS: i32 = 0;

/// Exit status of a failure, and of `netfold ctl doctor` when it has findings.
const FAILURE: i32 = 1;

/// Exit status when the command line, the environment or the file is wrong.
const USAGE: i32 = 2;

/// Runs the command with these arguments, the first of which is the program's name. Returns the
/// exit status: 0 when all went well, 1 after a failure (or findings of `ctl doctor`), 2 when the
/// arguments or settings are wrong. Messages go to standard error. A command of another package
/// does not return, since it gets this process.
pub fn run(args: impl IntoIterator<Item = OsString>) -> i32 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(refused) => {
            // Nothing is left to tell it to when the terminal is gone.
            let _ = refused.print();
            return refused.exit_code();
        }
    };
    dispatch(&cli).unwrap_or_else(|error| {
        terminal::complain(&error);
        error.status()
    })
}

fn dispatch(cli: &Cli) -> Result<i32, Error> {
    let (program, given) = cli.settings();
    let settings = Settings::load(program, given, |name| env::var_os(name))?;
    logging::start(&settings.log)?;
    if !matches!(cli.command, Command::BenchWorker) {
        let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        unknown_variables(names).iter().for_each(|warning| terminal::warn(warning));
    }
    match &cli.command {
        Command::Switch(flags) => switch::run(&settings, flags.trace.as_deref()),
        Command::Server { .. } => server::run(&settings),
        Command::Ctl { what, json, .. } => ctl::run(*what, *json, &settings),
        Command::Bench { what: Bench::Allreduce(flags) } => bench::run(flags, &settings),
        Command::Sim(flags) => sim::run(flags),
        Command::P4 { what } => p4::run(what),
        #[cfg(feature = "ops")]
        Command::Op { what } => op::run(what),
        #[cfg(feature = "ops")]
        Command::Cgra { what } => cgra::run(what),
        Command::Glm { what } => glm::run(what, &settings),
        Command::Mpirun(flags) => mpi::run(flags, &settings),
        Command::Mpi { what: Mpi::Tune(flags) } => mpi::tune(flags, &settings),
        Command::Trace(flags) => trace::run(flags),
        Command::BenchWorker => bench::run_worker_process(),
        Command::External(command) => Err(external::run(command)),
    }
}
