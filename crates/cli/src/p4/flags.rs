//! Flags of `netfold p4`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use netfold_pisa::catalog::{self, Name};
use netfold_pisa::programs;
use netfold_pisa::programs::fpisa::Variant;

/// What is done with a program for a switch.
#[derive(Debug, Subcommand)]
pub(crate) enum P4 {
    /// Write a program as P4_16, and what its control plane is told
    Emit(EmitFlags),
    /// What a program takes of a Tofino-like switch, beside published figures
    Report {
        #[command(flatten)]
        program: ProgramFlags,
        /// The switch that it is held to [default: the one that it is for]
        #[arg(long, value_name = "NAME")]
        target: Option<Hardware>,
        /// Print the report as JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ProgramFlags {
    /// Which program
    #[arg(long, value_name = "NAME", default_value = "switchml")]
    pub program: Program,
    /// What the lanes of switchml are, and how they are added [default: block]
    #[arg(long, value_name = "NAME")]
    pub arithmetic: Option<Arithmetic>,
    /// How switchml uses its slots again: with shadow copies, or by results that are acknowledged
    /// (P4SGD)
    #[arg(long, value_name = "NAME", default_value = "shadow")]
    pub protocol: Protocol,
    /// Lanes of a full packet, a power of two [default: what a pipeline holds: 64 of integers, 1 of
    /// fpisa-a, 4 of fpisa; 64 for switchml-roce; 8 for p4sgd]
    #[arg(long, value_name = "E")]
    pub elements: Option<u16>,
    /// Workers of a job
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub workers: u16,
    /// Slots of all jobs together
    #[arg(long, value_name = "S", default_value_t = 512)]
    pub slots: u32,
}

#[derive(Args, Debug)]
pub(crate) struct EmitFlags {
    #[command(flatten)]
    pub program: ProgramFlags,
    /// For which switch: bmv2, or Tofino
    #[arg(long, value_name = "NAME", default_value = "v1model")]
    pub target: Target,
    /// Print what the control plane is told instead of the program
    #[arg(long)]
    pub runtime: bool,
    /// Folder to write both to, instead of printing one
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write every program that is checked in under p4/
    #[arg(long, conflicts_with_all = ["runtime"])]
    pub all: bool,
}

/// Hardware whose limits a program is held to.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Hardware {
    /// A Tofino-like switch
    Tofino,
    /// The same with FPISA's extensions
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
}

/// A protocol by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Protocol {
    /// Each slot has two copies
    Shadow,
    /// Each slot has one, and its results are acknowledged
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

/// Kind of lanes, by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Arithmetic {
    /// Integers of 32 bits
    Block,
    /// FP32, on switches of today
    FpisaA,
    /// FP32, on a switch with extensions
    Fpisa,
}

impl From<Arithmetic> for programs::Arithmetic {
    fn from(arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Block => Self::Block,
            Arithmetic::FpisaA => Self::Fpisa(Variant::Approximate),
            Arithmetic::Fpisa => Self::Fpisa(Variant::Full),
        }
    }
}

impl ProgramFlags {
    /// The program that is meant; `None` for an arithmetic beside one that has its own.
    pub(crate) fn name(&self) -> Option<Name> {
        Some(match (self.program, self.arithmetic) {
            (Program::Switchml, arithmetic) => {
                Name::SwitchMl(arithmetic.unwrap_or(Arithmetic::Block).into())
            }
            (Program::SwitchmlRoce, None) => Name::SwitchMlRoce,
            (Program::P4sgd, None) => Name::P4Sgd,
            (Program::FpisaA, None) => Name::FpisaA,
            (Program::Fpisa, None) => Name::Fpisa,
            (_, Some(_)) => return None,
        })
    }
}

/// Returns the lanes of a full packet, if the flags ask for no number.
pub(crate) const fn usual_elements(name: Name) -> u16 {
    match name {
        Name::SwitchMl(arithmetic) => arithmetic.lanes(),
        Name::SwitchMlRoce => 64,
        Name::P4Sgd => 8,
        Name::FpisaA => 1,
        Name::Fpisa => 4,
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
