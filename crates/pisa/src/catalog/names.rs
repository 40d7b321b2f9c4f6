//! Programs and languages by name, as commands ask for them.

use crate::p4::Arch;
use crate::programs::Arithmetic;
use crate::programs::fpisa::Variant;
use crate::programs::libra::Sums;
use crate::target::Target;

/// A program by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// SwitchML with netfold's rounds, for lanes of this arithmetic.
    SwitchMl(Arithmetic),
    /// SwitchML over RoCE v2, for lanes of this arithmetic.
    SwitchMlRoce(Arithmetic),
    /// P4SGD's acknowledged protocol.
    P4Sgd,
    /// FPISA-A, for switches of today.
    FpisaA,
    /// FPISA, for a switch with its extensions.
    Fpisa,
    /// Libra's table, with this record of pushes, of these numbers.
    Libra(Record, Sums),
    /// A query's program.
    Rows(Rows),
}

/// A query's program by its name (R-PISA-80 to 87).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Comparisons with constants.
    Filter,
    /// Top-N by thresholds.
    Thresholds,
    /// Top-N by a matrix.
    Matrix,
    /// Different keys.
    Distinct,
    /// The largest code of each key.
    Extreme,
    /// A join by a Bloom filter.
    Bloom,
    /// Sums by key.
    Sum,
}

/// A record of pushes by its name (R-PISA-74 to 76).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// Exact windows.
    Windows,
    /// The switch's CPU.
    Cpu,
    /// A Bloom filter.
    Bloom,
}

impl Name {
    /// Every program.
    pub const ALL: [Self; 21] = [
        Self::SwitchMl(Arithmetic::Block),
        Self::SwitchMl(Arithmetic::Fpisa(Variant::Approximate)),
        Self::SwitchMl(Arithmetic::Fpisa(Variant::Full)),
        Self::SwitchMlRoce(Arithmetic::Block),
        Self::SwitchMlRoce(Arithmetic::Fpisa(Variant::Approximate)),
        Self::SwitchMlRoce(Arithmetic::Fpisa(Variant::Full)),
        Self::P4Sgd,
        Self::FpisaA,
        Self::Fpisa,
        Self::Libra(Record::Windows, Sums::Integers),
        Self::Libra(Record::Cpu, Sums::Integers),
        Self::Libra(Record::Bloom, Sums::Integers),
        Self::Libra(Record::Windows, Sums::FpisaA),
        Self::Libra(Record::Windows, Sums::LogTable),
        Self::Rows(Rows::Filter),
        Self::Rows(Rows::Thresholds),
        Self::Rows(Rows::Matrix),
        Self::Rows(Rows::Distinct),
        Self::Rows(Rows::Extreme),
        Self::Rows(Rows::Bloom),
        Self::Rows(Rows::Sum),
    ];

    /// The name in commands.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SwitchMl(_) => "switchml",
            Self::SwitchMlRoce(_) => "switchml-roce",
            Self::P4Sgd => "p4sgd",
            Self::FpisaA => "fpisa-a",
            Self::Fpisa => "fpisa",
            Self::Libra(Record::Windows, _) => "libra",
            Self::Libra(Record::Cpu, _) => "libra-cpu",
            Self::Libra(Record::Bloom, _) => "libra-bloom",
            Self::Rows(Rows::Filter) => "filter",
            Self::Rows(Rows::Thresholds) => "top-thresholds",
            Self::Rows(Rows::Matrix) => "top-matrix",
            Self::Rows(Rows::Distinct) => "distinct",
            Self::Rows(Rows::Extreme) => "group-extreme",
            Self::Rows(Rows::Bloom) => "bloom-join",
            Self::Rows(Rows::Sum) => "group-sum",
        }
    }

    /// The switch that it is for, beside bmv2.
    pub const fn target(self) -> Target {
        match self {
            Self::SwitchMl(Arithmetic::Fpisa(Variant::Full))
            | Self::SwitchMlRoce(Arithmetic::Fpisa(Variant::Full))
            | Self::Fpisa
            | Self::Rows(Rows::Sum) => Target::fpisa_ext(),
            Self::SwitchMl(_)
            | Self::SwitchMlRoce(_)
            | Self::P4Sgd
            | Self::FpisaA
            | Self::Libra(..)
            | Self::Rows(_) => Target::tofino(),
        }
    }
}

/// A language of the emitters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// bmv2.
    V1Model,
    /// Tofino.
    Tna,
}

impl Dialect {
    /// Both.
    pub const ALL: [Self; 2] = [Self::V1Model, Self::Tna];

    /// The name in commands and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1Model => "v1model",
            Self::Tna => "tna",
        }
    }

    /// The architecture that it is written for.
    pub(super) const fn arch(self) -> Arch {
        match self {
            Self::V1Model => Arch::V1Model,
            Self::Tna => Arch::Tna,
        }
    }
}
