//! Flags of `netfold p4`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use netfold_pisa::catalog::{self, Name, Record, Rows};
use netfold_pisa::programs;
use netfold_pisa::programs::fpisa::Variant;
use netfold_pisa::programs::libra::Sums;

/// Commands about programs for a switch.
#[derive(Debug, Subcommand)]
pub(crate) enum P4 {
    /// Write a program in P4_16, or the description for its control plane
    Emit(EmitFlags),
    /// Report the resources that a program uses on a Tofino-like switch, beside published figures
    Report {
        #[command(flatten)]
        program: ProgramFlags,
        /// Hardware to compare it with [default: the hardware that the program is for]
        #[arg(long, value_name = "NAME")]
        target: Option<Hardware>,
        /// Print the report as JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ProgramFlags {
    /// Program
    #[arg(long, value_name = "NAME", default_value = "switchml")]
    pub program: Program,
    /// Arithmetic of switchml, switchml-roce and libra, which decides the type of their lanes
    /// [default: block]
    #[arg(long, value_name = "NAME")]
    pub arithmetic: Option<Arithmetic>,
    /// Protocol for reusing the slots of switchml: with shadow copies, or with acknowledged results
    /// (P4SGD)
    #[arg(long, value_name = "NAME", default_value = "shadow")]
    pub protocol: Protocol,
    /// Order of a lane's bytes in switchml's packets: the parser of fpisa-ext and bmv2 converts
    /// little-endian lanes
    #[arg(long, value_name = "NAME", default_value = "network")]
    pub byte_order: ByteOrder,
    /// Lanes of a full packet [default: what a pipeline holds: 64 integers, 1 of fpisa-a, 4 of
    /// fpisa; 8 for p4sgd]; pairs for libra [default: 13]; cells of a row, or thresholds,
    /// for a query's program [default: 2 cells, 3 of top-matrix, 8 thresholds]
    #[arg(long, value_name = "E")]
    pub elements: Option<u16>,
    /// Number of workers of a job
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub workers: u16,
    /// Number of slots of all jobs together; for libra and queries, words of each register
    #[arg(long, value_name = "S", default_value_t = 512)]
    pub slots: u32,
}

#[derive(Args, Debug)]
pub(crate) struct EmitFlags {
    #[command(flatten)]
    pub program: ProgramFlags,
    /// Target switch: bmv2 or Tofino
    #[arg(long, value_name = "NAME", default_value = "v1model")]
    pub target: Target,
    /// Print the description for the control plane instead of the program
    #[arg(long)]
    pub runtime: bool,
    /// Folder to write program and description to, instead of printing one
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write every program of the repository's folder p4
    #[arg(long, conflicts_with_all = ["runtime"])]
    pub all: bool,
}

/// Hardware whose limits a program is held to.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Hardware {
    /// A Tofino-like switch
    Tofino,
    /// A Tofino-like switch with FPISA's extensions
    FpisaExt,
    /// bmv2, which has no limits
    Bmv2,
}

impl From<Hardware> for netfold_pisa::Target {
    fn from(hardware: Hardware) -> Self {
        match hardware {
            Hardware::Tofino => Self::tofino(),
            Hardware::FpisaExt => Self::fpisa_ext(),
            Hardware::Bmv2 => Self::bmv2(),
        }
    }
}

/// A program by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Program {
    /// Sums of integers or floats, in slots with a shadow copy
    Switchml,
    /// The same, in messages over `RoCE` v2
    SwitchmlRoce,
    /// Sums of integers, in slots that acknowledgements free
    P4sgd,
    /// Sums of floats without slots, as the paper presents them, on switches of today
    FpisaA,
    /// Sums of floats without slots, on a switch with extensions
    Fpisa,
    /// Sums of a table's hot rows, which workers push to and pull (Libra)
    Libra,
    /// The same, with the switch's CPU as the record of pushes
    LibraCpu,
    /// The same, with a Bloom filter as the record of pushes
    LibraBloom,
    /// The rows of a query that satisfy comparisons with constants
    Filter,
    /// The rows of a query with the largest codes, by thresholds (Cheetah)
    TopThresholds,
    /// The same by a matrix of rolling minima
    TopMatrix,
    /// Different keys of a query
    Distinct,
    /// The largest code of each key
    GroupExtreme,
    /// Rows whose key may be in a Bloom filter
    BloomJoin,
    /// Sums of FP32 by key
    GroupSum,
}

/// A protocol by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Protocol {
    /// Two copies of each slot
    Shadow,
    /// One copy of each slot, and acknowledged results
    Acked,
}

impl From<Protocol> for netfold_net::Protocol {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Shadow => Self::Shadow,
            Protocol::Acked => Self::Acked,
        }
    }
}

/// An order of bytes by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ByteOrder {
    /// The least significant byte first
    Little,
    /// The most significant byte first
    Network,
}

impl From<ByteOrder> for netfold_net::ByteOrder {
    fn from(order: ByteOrder) -> Self {
        match order {
            ByteOrder::Little => Self::Little,
            ByteOrder::Network => Self::Network,
        }
    }
}

/// Kind of lanes, by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Arithmetic {
    /// Integers of 32 bits
    Block,
    /// FP32, on switches of today
    FpisaA,
    /// FP32, on a switch with extensions
    Fpisa,
    /// FP32 by Libra's tables, for libra alone
    Logtable,
}

impl ProgramFlags {
    /// The program that is meant; `None` for an arithmetic beside one that does not have it.
    pub(crate) fn name(&self) -> Option<Name> {
        Some(match (self.program, self.arithmetic) {
            (Program::Switchml, arithmetic) => Name::SwitchMl(lanes(arithmetic)?),
            (Program::SwitchmlRoce, arithmetic) => Name::SwitchMlRoce(lanes(arithmetic)?),
            (Program::P4sgd, None) => Name::P4Sgd,
            (Program::FpisaA, None) => Name::FpisaA,
            (Program::Fpisa, None) => Name::Fpisa,
            (Program::Libra, arithmetic) => Name::Libra(Record::Windows, sums(arithmetic)?),
            (Program::LibraCpu, arithmetic) => Name::Libra(Record::Cpu, sums(arithmetic)?),
            (Program::LibraBloom, arithmetic) => Name::Libra(Record::Bloom, sums(arithmetic)?),
            (Program::Filter, None) => Name::Rows(Rows::Filter),
            (Program::TopThresholds, None) => Name::Rows(Rows::Thresholds),
            (Program::TopMatrix, None) => Name::Rows(Rows::Matrix),
            (Program::Distinct, None) => Name::Rows(Rows::Distinct),
            (Program::GroupExtreme, None) => Name::Rows(Rows::Extreme),
            (Program::BloomJoin, None) => Name::Rows(Rows::Bloom),
            (Program::GroupSum, None) => Name::Rows(Rows::Sum),
            (_, Some(_)) => return None,
        })
    }
}

/// Returns the arithmetic of slots; `None` for those of tables.
const fn lanes(arithmetic: Option<Arithmetic>) -> Option<programs::Arithmetic> {
    match arithmetic {
        None | Some(Arithmetic::Block) => Some(programs::Arithmetic::Block),
        Some(Arithmetic::FpisaA) => Some(programs::Arithmetic::Fpisa(Variant::Approximate)),
        Some(Arithmetic::Fpisa) => Some(programs::Arithmetic::Fpisa(Variant::Full)),
        Some(Arithmetic::Logtable) => None,
    }
}

/// Returns the numbers that a table's program adds up; `None` for those that it does not.
const fn sums(arithmetic: Option<Arithmetic>) -> Option<Sums> {
    match arithmetic {
        None | Some(Arithmetic::Block) => Some(Sums::Integers),
        Some(Arithmetic::FpisaA) => Some(Sums::FpisaA),
        Some(Arithmetic::Logtable) => Some(Sums::LogTable),
        Some(Arithmetic::Fpisa) => None,
    }
}

/// Returns the lanes of a full packet, if the flags ask for no number.
pub(crate) const fn usual_elements(name: Name) -> u16 {
    match name {
        Name::SwitchMl(arithmetic) | Name::SwitchMlRoce(arithmetic) => arithmetic.lanes(),
        Name::P4Sgd => 8,
        Name::FpisaA => 1,
        Name::Fpisa => 4,
        Name::Libra(..) => programs::libra::MOST_PAIRS,
        Name::Rows(Rows::Filter) => 6,
        Name::Rows(Rows::Thresholds) => 8,
        Name::Rows(Rows::Matrix) => 3,
        Name::Rows(Rows::Distinct | Rows::Extreme) => 2,
        Name::Rows(Rows::Bloom | Rows::Sum) => 1,
    }
}

/// A language by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Target {
    /// bmv2's simple_switch
    V1model,
    /// Tofino 1 and 2
    Tna,
}

impl From<Target> for catalog::Dialect {
    fn from(target: Target) -> Self {
        match target {
            Target::V1model => Self::V1Model,
            Target::Tna => Self::Tna,
        }
    }
}
