//! What `netfold p4` can be told.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use netfold_pisa::catalog;

/// What is done with a program for a switch.
#[derive(Debug, Subcommand)]
pub(crate) enum P4 {
    /// Write a program as P4_16, and what its control plane is told
    Emit(EmitFlags),
    /// What a program takes of a Tofino-like switch, beside published figures
    Report {
        #[command(flatten)]
        program: ProgramFlags,
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
    /// Lanes of a full packet, a power of two [default: 64 for switchml, 8 for p4sgd, 1 for fpisa-a, 4 for fpisa]
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

/// A program by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Program {
    /// Sums of integers, in slots with a shadow copy
    Switchml,
    /// Sums of integers, in slots that acknowledgements free
    P4sgd,
    /// Sums of floats, on switches of today
    FpisaA,
    /// Sums of floats, on a switch with extensions
    Fpisa,
}

impl From<Program> for catalog::Name {
    fn from(program: Program) -> Self {
        match program {
            Program::Switchml => Self::SwitchMl,
            Program::P4sgd => Self::P4Sgd,
            Program::FpisaA => Self::FpisaA,
            Program::Fpisa => Self::Fpisa,
        }
    }
}

impl Program {
    /// Lanes of a full packet, where none are asked for.
    pub(crate) const fn usual_elements(self) -> u16 {
        match self {
            Self::Switchml => 64,
            Self::P4sgd => 8,
            Self::FpisaA => 1,
            Self::Fpisa => 4,
        }
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
