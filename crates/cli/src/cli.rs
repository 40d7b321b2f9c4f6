//! The command line: what can be written, and the help for it. Values of settings are read in
//! `settings`, the same way from every place.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use netfold_net::{ElementType, Query};

use crate::settings::Layer;
use netfold_settings::Size;

/// Most workers of a job.
const MAX_WORKERS: i64 = 1024;

/// In-network aggregation: a switch that sums the vectors of its workers while they pass through
#[derive(Debug, Parser)]
#[command(
    name = "netfold",
    version,
    arg_required_else_help = true,
    after_help = "A setting is looked up in the flags, then in the environment (NETFOLD_LISTEN for --listen), then in a TOML file (listen = \"...\")."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub general: General,
}

/// What every command takes.
#[derive(Args, Debug)]
pub(crate) struct General {
    /// TOML file with settings [default: ./netfold.toml, else /etc/netfold.toml, if there] [env:
    /// NETFOLD_CONFIG]
    #[arg(long, global = true, display_order = 100, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What to log: error, warn, info, debug or trace [default: info for switch, else warn] [env:
    /// NETFOLD_LOG]
    #[arg(long, global = true, display_order = 101, value_name = "LEVEL")]
    pub log: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a switch until SIGINT or SIGTERM
    Switch(SwitchFlags),
    /// Ask a running switch about itself
    Ctl {
        /// What to ask
        what: What,
        #[command(flatten)]
        switch: SwitchAddress,
        /// Print the answer as JSON
        #[arg(long)]
        json: bool,
    },
    /// Measure
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// See what each arithmetic does to the gradients of real training; `lab --help` lists what the
    /// Python package offers
    #[command(disable_help_flag = true)]
    Lab {
        /// For the laboratory, as they are
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
        arguments: Vec<OsString>,
    },
    /// Simulate a cluster in virtual time
    Sim(SimulateFlags),
    /// The switch as hardware: programs in P4, and what they take of a switch
    P4 {
        #[command(subcommand)]
        what: crate::p4::flags::P4,
    },
    /// Linear models whose features are split over workers
    Glm {
        #[command(subcommand)]
        what: crate::glm::flags::Glm,
    },
    /// Put traces together, and see how much of the folds' time was hidden behind computation
    Trace(crate::trace::TraceFlags),
    /// One worker of a benchmark, for `bench` itself: takes its orders from standard input
    #[command(hide = true)]
    BenchWorker,
}

#[derive(Args, Debug)]
pub(crate) struct SwitchFlags {
    /// Address to listen at, HOST:PORT; UDP takes PORT and, with more cores, those after it
    /// [default: 127.0.0.1:5555] [env: NETFOLD_LISTEN]
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    #[command(flatten)]
    resources: Resources,
    /// Address at which to serve Prometheus metrics over HTTP, HOST:PORT [default: nowhere] [env:
    /// NETFOLD_METRICS]
    #[arg(long, value_name = "ADDR")]
    metrics: Option<String>,
    /// Switch above this one, HOST:PORT: this one folds for the workers that join here, and sends
    /// one stream up [default: none] [env: NETFOLD_PARENT]
    #[arg(long, value_name = "ADDR")]
    parent: Option<String>,
    /// With udp, workers on this host get no shared memory from the switch [default: they do] [env:
    /// NETFOLD_TRANSPORT]
    #[arg(long, value_name = "NAME")]
    transport: Option<String>,
    /// Where to write in the end when each round began and ended, in Chrome's trace format: the
    /// latest 2^20, of jobs over UDP
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    #[command(flatten)]
    token: TokenFlags,
}

#[derive(Args, Debug)]
pub(crate) struct Resources {
    /// Threads that fold [default: 1] [env: NETFOLD_CORES]
    #[arg(long, value_name = "N")]
    cores: Option<String>,
    /// Cores on which these threads stay, such as 0,2-5 [default: wherever the system puts them]
    /// [env: NETFOLD_PIN]
    #[arg(long, value_name = "LIST")]
    pin: Option<String>,
    /// Memory for the slots of all jobs [default: 64MiB] [env: NETFOLD_MEMORY]
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
}

impl Resources {
    /// Returns whether any was given.
    pub(crate) fn given(&self) -> bool {
        self.cores.is_some() || self.pin.is_some() || self.memory.is_some()
    }
}

#[derive(Args, Debug)]
pub(crate) struct TokenFlags {
    /// Secret of the jobs; others on this machine can read it in the list of processes: prefer
    /// --token-file or the environment [env: NETFOLD_TOKEN]
    #[arg(long, value_name = "TEXT", conflicts_with = "token_file")]
    token: Option<String>,
    /// File that holds the secret of the jobs [env: NETFOLD_TOKEN_FILE]
    #[arg(long, value_name = "FILE")]
    token_file: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct SwitchAddress {
    /// The switch, HOST:PORT, or several with commas between: a job goes on at the next one when
    /// its own is lost [env: NETFOLD_SWITCH]
    #[arg(long, value_name = "ADDR")]
    switch: Option<String>,
}

/// Questions that a switch answers.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum What {
    /// The jobs and who has joined them
    Jobs,
    /// Packets by kind and reason, and memory
    Stats,
    /// What does not look right; exit status 1 if anything does not
    Doctor,
}

impl From<What> for Query {
    fn from(what: What) -> Self {
        match what {
            What::Jobs => Self::Jobs,
            What::Stats => Self::Stats,
            What::Doctor => Self::Doctor,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Bench {
    /// Time all-reduces among workers on this machine, and check their result
    Allreduce(AllreduceFlags),
}

#[derive(Args, Debug)]
pub(crate) struct AllreduceFlags {
    #[command(flatten)]
    switch: SwitchAddress,
    #[command(flatten)]
    pub resources: Resources,
    #[command(flatten)]
    token: TokenFlags,
    /// Workers, all on this machine
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=MAX_WORKERS))]
    pub workers: u16,
    /// Sizes of the vector, one after the other
    #[arg(long, value_name = "SIZE,...", default_value = "25MiB", value_delimiter = ',')]
    pub size: Vec<Size>,
    /// Timed all-reduces of each size, after one that is not timed
    #[arg(long, value_name = "K", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,
    /// Element type: f32, f16, bf16, f64, i32, i64 or u8
    #[arg(long = "type", value_name = "TYPE", default_value = "f32")]
    pub element_type: ElementType,
    /// What is added: block, native, fpisa, fpisa-a or logtable [default: block] [env:
    /// NETFOLD_ARITHMETIC]
    #[arg(long, value_name = "NAME")]
    arithmetic: Option<String>,
    /// Policy for blocks whose sum overflows a register of fpisa or fpisa-a: error, or native,
    /// which folds them again [default: error] [env: NETFOLD_OVERFLOW]
    #[arg(long, value_name = "NAME")]
    overflow: Option<String>,
    /// Order of a lane's bytes in packets: little or network [default: little] [env:
    /// NETFOLD_BYTE_ORDER]
    #[arg(long, value_name = "NAME")]
    byte_order: Option<String>,
    /// When a slot may be used again: shadow or acked [default: shadow] [env: NETFOLD_PROTOCOL]
    #[arg(long, value_name = "NAME")]
    protocol: Option<String>,
    /// How packets prove themselves: transport, checksum or token [default: token if there is one,
    /// else transport] [env: NETFOLD_INTEGRITY]
    #[arg(long, value_name = "NAME")]
    integrity: Option<String>,
    /// How workers reach the slots: udp or shm [default: shm if the switch runs on this host, else
    /// udp] [env: NETFOLD_TRANSPORT]
    #[arg(long, value_name = "NAME")]
    transport: Option<String>,
    /// Lanes of a packet, a multiple of 8 [default: as many as the path takes] [env:
    /// NETFOLD_PACKET_ELEMENTS]
    #[arg(long, value_name = "E")]
    packet_elements: Option<String>,
    /// Slots of each flow, a power of two [default: the switch decides] [env: NETFOLD_SLOTS]
    #[arg(long, value_name = "S")]
    slots: Option<String>,
    /// The job's part of a queue that it shares with others, 1 to 100 [default: 1] [env:
    /// NETFOLD_WEIGHT]
    #[arg(long, value_name = "W")]
    weight: Option<String>,
    /// File to write everything to, as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub(crate) struct SimulateFlags {
    #[command(subcommand)]
    pub what: Option<Simulate>,
    /// TOML file that says what is simulated
    pub scenario: Option<PathBuf>,
    /// What everything random is drawn from: the same seed is the same run
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// File to write everything to, as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// File to write a plot of a sweep to, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// What datagrams cost, as `calibrate` writes it [default: the calibration that comes with
    /// netfold]
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Runs of a sweep at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Tell how fast the simulator was
    #[arg(long)]
    pub figures: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PlanFlags {
    /// TOML files of plans
    #[arg(required = true, value_name = "FILE")]
    pub plans: Vec<PathBuf>,
    /// Their short forms, which take seconds
    #[arg(long)]
    pub quick: bool,
    /// What everything random is drawn from: the same seed is the same run
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Folder to write tables (Markdown), everything (JSON) and plots (SVG) to, by the plan's name
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// What datagrams cost, as `calibrate` writes it [default: the calibration that comes with
    /// netfold]
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Runs at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Simulate {
    /// Run plans: figures of papers, with the paper's numbers beside ours
    Plan(PlanFlags),
    /// Measure what datagrams cost this machine, for scenarios with costs = "measured"
    Calibrate {
        /// File to write it to
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

impl Cli {
    /// The settings among the flags.
    pub(crate) fn flags(&self) -> Layer {
        let of_command = match &self.command {
            Command::Switch(flags) => {
                let SwitchFlags { listen, resources, metrics, parent, transport, token, trace: _ } =
                    flags;
                let own = [
                    ("listen", listen.as_ref()),
                    ("metrics", metrics.as_ref()),
                    ("parent", parent.as_ref()),
                    ("transport", transport.as_ref()),
                ];
                own.into_iter().chain(resources.settings()).chain(token.settings()).collect()
            }
            Command::Ctl { switch, .. } => vec![("switch", switch.switch.as_ref())],
            Command::Bench { what: Bench::Allreduce(flags) } => {
                let own = [
                    ("switch", flags.switch.switch.as_ref()),
                    ("arithmetic", flags.arithmetic.as_ref()),
                    ("overflow", flags.overflow.as_ref()),
                    ("byte_order", flags.byte_order.as_ref()),
                    ("protocol", flags.protocol.as_ref()),
                    ("integrity", flags.integrity.as_ref()),
                    ("transport", flags.transport.as_ref()),
                    ("packet_elements", flags.packet_elements.as_ref()),
                    ("slots", flags.slots.as_ref()),
                    ("weight", flags.weight.as_ref()),
                ];
                own.into_iter()
                    .chain(flags.resources.settings())
                    .chain(flags.token.settings())
                    .collect()
            }
            Command::Glm { what: crate::glm::flags::Glm::Train(flags) } => {
                let own = [
                    ("switch", flags.switch.switch.as_ref()),
                    ("protocol", flags.protocol.as_ref()),
                    ("transport", flags.transport.as_ref()),
                ];
                own.into_iter().chain(flags.token.settings()).collect()
            }
            Command::Lab { .. }
            | Command::Sim(_)
            | Command::P4 { .. }
            | Command::Trace(_)
            | Command::BenchWorker => Vec::new(),
        };
        Layer::flags(of_command.into_iter().chain([("log", self.general.log.as_ref())]))
    }
}

type Setting<'a> = (&'static str, Option<&'a String>);

impl Resources {
    fn settings(&self) -> [Setting<'_>; 3] {
        [
            ("cores", self.cores.as_ref()),
            ("pin", self.pin.as_ref()),
            ("memory", self.memory.as_ref()),
        ]
    }
}

impl TokenFlags {
    fn settings(&self) -> [Setting<'_>; 2] {
        [("token", self.token.as_ref()), ("token_file", self.token_file.as_ref())]
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
