//! The command line: what can be written, and the help for it. Settings are in `options`.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use netfold_net::ElementType;

use netfold_settings::{Program, Size};
use netfold_sim::replay::Sizes;

use crate::options::{General, Options};

/// Most workers of a job.
const MAX_WORKERS: i64 = 1024;

/// Order in which settings are looked up.
const SETTINGS: &str = "A setting is looked up in the options, then in the environment (NETFOLD_LISTEN for --listen), then in a TOML file (listen = \"...\").";

/// Aggregate inside the network: a switch sums the vectors of its workers as they pass through it
#[derive(Debug, Parser)]
#[command(
    name = "netfold",
    version,
    arg_required_else_help = true,
    after_help = after_help()
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub general: General,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a switch until SIGINT or SIGTERM
    Switch(SwitchFlags),
    /// Run a server of sparse tables, which keeps their rows, until SIGINT or SIGTERM
    Server {
        #[command(flatten)]
        settings: Options<{ Program::Server as u8 }>,
    },
    /// Query a running switch, and servers of sparse tables; or have the switch stop
    Ctl {
        /// Query to send, or what to do
        what: What,
        #[command(flatten)]
        settings: Options<{ Program::Ctl as u8 }>,
        /// Print the answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Measure throughput and latency
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// Simulate a cluster in virtual time
    Sim(SimulateFlags),
    /// Generate P4 programs of the switch, and report the hardware resources they use
    P4 {
        #[command(subcommand)]
        what: crate::p4::flags::P4,
    },
    /// Build, check, test and time operations of users, in WebAssembly
    #[cfg(feature = "ops")]
    Op {
        #[command(subcommand)]
        what: crate::op::flags::Op,
    },
    /// Put operations of users on an array of processing elements in the switch (a CGRA), and
    /// simulate it
    #[cfg(feature = "ops")]
    Cgra {
        #[command(subcommand)]
        what: crate::cgra::flags::Cgra,
    },
    /// Train linear models whose features are split over workers
    Glm {
        #[command(subcommand)]
        what: crate::glm::flags::Glm,
    },
    /// Run an MPI program by its own mpirun, its collectives carried out by netfold where that pays
    Mpirun(MpirunFlags),
    /// Measure what netfold takes from MPI programs
    Mpi {
        #[command(subcommand)]
        what: Mpi,
    },
    /// Merge traces, and report how much of the communication time was hidden behind computation;
    /// or count the collectives in those of an MPI program
    Trace(crate::trace::TraceFlags),
    /// Run one worker of a benchmark; for `bench` itself, which gives orders on standard input
    #[command(hide = true)]
    BenchWorker,
    /// A command of another package, with its name before its arguments
    #[command(external_subcommand)]
    External(Vec<OsString>),
}

#[derive(Args, Debug)]
pub(crate) struct SwitchFlags {
    #[command(flatten)]
    settings: Options<{ Program::Switch as u8 }>,
    /// File to write a trace of rounds to on exit, in Chrome's trace format: the latest 2^20 rounds
    /// of jobs over UDP
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct MpirunFlags {
    #[command(flatten)]
    pub settings: Options<{ Program::Mpi as u8 }>,
    /// The mpirun of the program's MPI: Open MPI's or MPICH's
    #[arg(long, value_name = "COMMAND", default_value = "mpirun")]
    pub mpirun: OsString,
    /// The library that is preloaded; by default libnetfold_mpi.so beside this program
    #[arg(long, value_name = "FILE")]
    pub library: Option<PathBuf>,
    /// Arguments of mpirun, from the first that is no option of netfold, as in -n 8 ./app
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true,
        value_name = "ARGUMENTS"
    )]
    pub arguments: Vec<OsString>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Mpi {
    /// Time every collective by the program's MPI and by netfold on this machine, and write the
    /// table of those that netfold takes
    Tune(TuneFlags),
}

#[derive(Args, Debug)]
pub(crate) struct TuneFlags {
    #[command(flatten)]
    pub settings: Options<{ Program::Mpi as u8 }>,
    /// Numbers of ranks to measure with; a row of the table holds up to the next one
    #[arg(long, value_name = "N,...", default_value = "2,4", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(2..=MAX_WORKERS))]
    pub ranks: Vec<u16>,
    /// Largest vector or part to measure
    #[arg(long, value_name = "SIZE", default_value = "4MiB")]
    pub largest: Size,
    /// File to write the table to
    #[arg(long, value_name = "FILE", default_value = "netfold-mpi.table")]
    pub out: PathBuf,
    /// The mpirun of the MPI: Open MPI's or MPICH's
    #[arg(long, value_name = "COMMAND", default_value = "mpirun")]
    pub mpirun: OsString,
    /// Its compiler for C
    #[arg(long, value_name = "COMMAND", default_value = "mpicc")]
    pub mpicc: OsString,
    /// The library that is preloaded; by default libnetfold_mpi.so beside this program
    #[arg(long, value_name = "FILE")]
    pub library: Option<PathBuf>,
    /// Further arguments of mpirun
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<OsString>,
}

/// Questions that a switch and servers answer, and what a switch does when it is asked to.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum What {
    /// List jobs and the workers that have joined them; of servers, their tables
    Jobs,
    /// Count packets by kind and reason, and show memory use
    Stats,
    /// Report what looks wrong; the exit status is 1 if anything does
    Doctor,
    /// List the operations that users have brought along, and their work at the switch
    Ops,
    /// Have the switch hand its tables over to their servers and stop, as SIGTERM does; the exit
    /// status is 1 if it has stopped before it had handed over all
    Drain,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Time all-reduces among workers on this machine, and check their results
    Allreduce(AllreduceFlags),
}

#[derive(Args, Debug)]
pub(crate) struct AllreduceFlags {
    #[command(flatten)]
    pub settings: Options<{ Program::Bench as u8 }>,
    /// Number of workers, all on this machine
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=MAX_WORKERS))]
    pub workers: u16,
    /// Sizes of the vector to measure, in turn
    #[arg(long, value_name = "SIZE,...", default_value = "25MiB", value_delimiter = ',')]
    pub size: Vec<Size>,
    /// Timed all-reduces per size, after one untimed
    #[arg(long, value_name = "K", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,
    /// Element type: f32, f16, bf16, f64, i32, i64 or u8
    #[arg(long = "type", value_name = "TYPE", default_value = "f32")]
    pub element_type: ElementType,
    /// File to write all results to, as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(crate) struct SimulateFlags {
    #[command(subcommand)]
    pub what: Option<Simulate>,
    /// TOML file that describes what to simulate
    pub scenario: Option<PathBuf>,
    /// Seed of all random numbers: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// File to write all results to, as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// File to write a plot of a sweep to, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// File with the costs of datagrams, written by `calibrate` [default: the calibration that
    /// comes with netfold]
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Runs of a sweep in parallel [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Print how fast the simulator was
    #[arg(long)]
    pub figures: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PlanFlags {
    /// TOML files of plans
    #[arg(required = true, value_name = "FILE")]
    pub plans: Vec<PathBuf>,
    /// Run the short form of each plan, which takes seconds
    #[arg(long)]
    pub quick: bool,
    /// Seed of all random numbers: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for tables (Markdown), all results (JSON) and plots (SVG), named after the plan
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// File with the costs of datagrams, written by `calibrate` [default: the calibration that
    /// comes with netfold]
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Runs in parallel [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
}

#[derive(Args, Debug)]
pub(crate) struct ReplayFlags {
    /// Traces (NETFOLD_MPI_TRACE), one of each application: a file, or a folder with all files of
    /// one run; or a folder of such files and folders
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
    /// Nodes of the networks, each with one rank
    #[arg(long, value_name = "N,...", default_value = "64,128", value_delimiter = ',')]
    pub nodes: Vec<u32>,
    /// Put all nodes at one switch; by default each has one, in a torus
    #[arg(long)]
    pub one_switch: bool,
    /// Rule by which lengths follow the nodes: what stays the same is a part, what a rank sends, or
    /// the total; for all collectives (rank), or for one (alltoallv=rank)
    #[arg(long, value_name = "RULE,...", value_parser = <Sizes as std::str::FromStr>::from_str)]
    pub sizes: Option<Sizes>,
    /// TOML file with the parameters of the network [default: those of ACiS, table II]
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// Seed of all random numbers: the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder for tables (Markdown), all results (JSON) and a plot (SVG)
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Runs in parallel [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Simulate {
    /// Run plans: reproduce figures of papers, with the papers' numbers beside ours
    Plan(PlanFlags),
    /// Replay traces of MPI programs on networks of any size, by MPI and with netfold (ACiS,
    /// figure 6)
    Replay(ReplayFlags),
    /// Measure the costs of datagrams on this machine, for scenarios with costs = "measured"
    Calibrate {
        /// File to write them to, besides printing them
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// Returns the text below the list of commands.
fn after_help() -> String {
    format!("{}\n{SETTINGS}", crate::external::help())
}

/// Returns the names of the commands of this program.
pub(crate) fn names() -> Vec<String> {
    let shown = |command: &clap::Command| !command.is_hide_set();
    let command = Cli::command();
    command.get_subcommands().filter(|one| shown(one)).map(|one| one.get_name().into()).collect()
}

impl Cli {
    /// Returns the program that this is, and the settings among its options.
    pub(crate) fn settings(&self) -> (Program, Vec<(&'static str, String)>) {
        let (program, own) = match &self.command {
            Command::Switch(flags) => (Program::Switch, flags.settings.given()),
            Command::Server { settings } => (Program::Server, settings.given()),
            Command::Mpirun(flags) => (Program::Mpi, flags.settings.given()),
            Command::Mpi { what: Mpi::Tune(flags) } => (Program::Mpi, flags.settings.given()),
            Command::Ctl { settings, .. } => (Program::Ctl, settings.given()),
            Command::Bench { what: Bench::Allreduce(flags) } => {
                (Program::Bench, flags.settings.given())
            }
            Command::Glm { what: crate::glm::flags::Glm::Train(flags) } => {
                (Program::Glm, flags.settings.given())
            }
            #[cfg(feature = "ops")]
            Command::Op { .. } | Command::Cgra { .. } => (Program::Command, [].as_slice()),
            Command::Sim(_)
            | Command::P4 { .. }
            | Command::Trace(_)
            | Command::BenchWorker
            | Command::External(_) => (Program::Command, [].as_slice()),
        };
        (program, [own, self.general.given()].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
