//! The programs by name, as commands ask for them, and the files that are made of them.

mod by_packet;
mod compiled;
mod includes;
mod over_roce;
mod published;
mod tables;

use netfold_num::{ByteOrder, Protocol};
use thiserror::Error;

use crate::control::Control;
use crate::p4::{self, Arch, EmitError};
use crate::program::{Pattern, Program};
use crate::programs::fpisa::{Fpisa, MOST_OPERANDS, Variant};
use crate::programs::libra::MOST_PAIRS;
use crate::programs::p4sgd::P4Sgd;
use crate::programs::roce::{self, Roce};
use crate::programs::rows::{RowsKind, RowsProgram};
use crate::programs::switchml::SwitchMl;
use crate::programs::{Address, Arithmetic, FrameConfig, Job};
use crate::report::Comparison;
use crate::target::Target;

use self::includes::Sharer;

pub use self::by_packet::ByPacket;
pub use self::compiled::{COMPILED, COMPILER, Compiled};

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
    /// Libra's table, with this record of pushes.
    Libra(Record),
    /// A query's program.
    Rows(Rows),
}

/// A query's program by its name (R-PISA-80 to 86).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
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
    pub const ALL: [Self; 18] = [
        Self::SwitchMl(Arithmetic::Block),
        Self::SwitchMl(Arithmetic::Fpisa(Variant::Approximate)),
        Self::SwitchMl(Arithmetic::Fpisa(Variant::Full)),
        Self::SwitchMlRoce(Arithmetic::Block),
        Self::SwitchMlRoce(Arithmetic::Fpisa(Variant::Approximate)),
        Self::SwitchMlRoce(Arithmetic::Fpisa(Variant::Full)),
        Self::P4Sgd,
        Self::FpisaA,
        Self::Fpisa,
        Self::Libra(Record::Windows),
        Self::Libra(Record::Cpu),
        Self::Libra(Record::Bloom),
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
            Self::Libra(Record::Windows) => "libra",
            Self::Libra(Record::Cpu) => "libra-cpu",
            Self::Libra(Record::Bloom) => "libra-bloom",
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
            | Self::Libra(_)
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
    const fn arch(self) -> Arch {
        match self {
            Self::V1Model => Arch::V1Model,
            Self::Tna => Arch::Tna,
        }
    }
}

/// Most lanes that all pipelines of a switch fold.
pub const MOST_ELEMENTS: u16 = 256;

/// Most pipelines of a switch.
const MOST_PIPELINES: u16 = 4;

/// Most slots that a program is made for.
pub const MOST_SLOTS: u32 = 32768;

/// Rows of the answer that the Top-N program is emitted for.
const TOP: u32 = 250;

/// Most workers of a job.
pub const MOST_WORKERS: u16 = 256;

/// The reason why a program cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A number of lanes that the program has not.
    #[error(
        "{elements} lanes cannot be in a packet; the nearest number that can is {nearest} (--elements)"
    )]
    Elements {
        /// Lanes asked for.
        elements: u16,
        /// The nearest number that can be.
        nearest: u16,
    },
    /// A protocol beside a program that has its own.
    #[error("--protocol is for switchml; the other programs have one of their own")]
    Protocol,
    /// A byte order beside a program that has its own packets.
    #[error("--byte-order is for switchml; the packets of the other programs are in network order")]
    ByteOrder,
    /// Workers or slots that cannot be.
    #[error(
        "{workers} workers and {slots} slots cannot be; give 1 to {most_workers} workers and 1 to {most_slots} slots (--workers, --slots)"
    )]
    Size {
        /// Workers asked for.
        workers: u16,
        /// Slots asked for.
        slots: u32,
        /// The most workers of this program.
        most_workers: u16,
        /// The most slots.
        most_slots: u32,
    },
    /// More workers than a Tofino has ports for (R-PISA-6).
    #[error(
        "{workers} workers cannot be at one Tofino, whose first pipeline has ports for {most} of them; give --workers {most} or fewer, or bmv2 as the target (--target)"
    )]
    Ports {
        /// Workers asked for.
        workers: u16,
        /// The most that there are ports for.
        most: u16,
    },
}

/// A program that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The program's name.
    pub name: Name,
    /// The way in which slots are used again, by [`Name::SwitchMl`]; the others have protocols of
    /// their own.
    pub protocol: Protocol,
    /// The order of a lane's bytes, of [`Name::SwitchMl`].
    pub byte_order: ByteOrder,
    /// Lanes of a full packet; of [`Name::Libra`] its pairs; of [`Name::Rows`] the cells of a row,
    /// or the thresholds.
    pub elements: u16,
    /// Workers of a job.
    pub workers: u16,
    /// Slots of all jobs; of [`Name::Libra`] and [`Name::Rows`] the words of each register.
    pub slots: u32,
    /// True if all lanes go through one pipeline: bmv2 has no other, and no limits.
    pub one_pipeline: bool,
}

/// A program, and the control plane of a job that shows how it is used.
#[derive(Clone, Debug)]
pub struct Made {
    /// The program.
    pub program: Program,
    /// A job with all slots, its workers where R-PISA-6 says.
    pub controls: Vec<Control>,
}

/// Passes of a SwitchML packet through pipelines (R-PISA-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Passes of a contribution that is folded.
    pub fold: u16,
    /// Passes of the one that completes its round, with the result that it brings.
    pub result: u16,
}

impl Passes {
    /// Of floats over RoCE, in one pipeline: one pass reads, and the next fits the ICRC
    /// (R-PISA-61).
    pub const FLOATS_OVER_ROCE: Self = Self { fold: 1, result: 3 };

    /// Returns the passes with so many pipelines, each of which folds its share of the lanes. A
    /// pass gives back half of a pipeline's, and the first half comes with the last pass in.
    pub const fn over(pipelines: u16) -> Self {
        Self { fold: pipelines, result: pipelines + 2 * pipelines - 1 }
    }

    /// The same for floats: a pass adds a pipeline's, or reads them (R-PISA-35).
    pub const fn of_floats(pipelines: u16) -> Self {
        Self { fold: pipelines, result: 2 * pipelines }
    }
}

impl Request {
    /// Makes a request for a switch with several pipelines: shadow copies, network order, 8
    /// workers, 512 slots.
    pub const fn new(name: Name, elements: u16) -> Self {
        Self {
            name,
            protocol: Protocol::Shadow,
            byte_order: ByteOrder::Network,
            elements,
            workers: 8,
            slots: 512,
            one_pipeline: false,
        }
    }

    /// Returns the request if a program can be made for it.
    ///
    /// # Errors
    /// [`RequestError`] names the number that cannot be.
    pub fn checked(self) -> Result<Self, RequestError> {
        let Self { elements, workers, slots, .. } = self;
        let (most_workers, most_slots) = match self.name {
            // R-FPI-16
            Name::SwitchMl(Arithmetic::Fpisa(Variant::Full)) => (MOST_OPERANDS, MOST_SLOTS),
            Name::SwitchMl(_) => (MOST_WORKERS, MOST_SLOTS),
            // Queue pairs of 32 workers with all slots are numbered by 16 bits.
            Name::SwitchMlRoce(_) => (32, 2048 * u32::from(roce::packets(elements))),
            Name::P4Sgd => (32, 65536),
            Name::FpisaA => (MOST_WORKERS, 65536),
            // R-FPI-16
            Name::Fpisa => (MOST_OPERANDS, 65536),
            Name::Libra(_) | Name::Rows(_) => (MOST_WORKERS, tables::MOST_WORDS),
        };
        if self.protocol == Protocol::Acked && !matches!(self.name, Name::SwitchMl(_)) {
            return Err(RequestError::Protocol);
        }
        if self.byte_order == ByteOrder::Little && !matches!(self.name, Name::SwitchMl(_)) {
            return Err(RequestError::ByteOrder);
        }
        if !self.takes(elements) {
            let all = (1..=MOST_ELEMENTS).filter(|other| self.takes(*other));
            let nearest = all.min_by_key(|other| other.abs_diff(elements)).unwrap_or(1);
            return Err(RequestError::Elements { elements, nearest });
        }
        if !(1..=most_workers).contains(&workers) || !(1..=most_slots).contains(&slots) {
            return Err(RequestError::Size { workers, slots, most_workers, most_slots });
        }
        let most = self.frame(1).worker_ports().count() as u16;
        if workers > most {
            return Err(RequestError::Ports { workers, most });
        }
        Ok(self)
    }

    /// Returns whether a packet can have so many lanes (R-PISA-19).
    fn takes(self, elements: u16) -> bool {
        let at_most = |most| (1..=most).contains(&elements);
        let one = self.one_pipeline;
        match self.name {
            Name::SwitchMl(_) if one => at_most(MOST_ELEMENTS),
            Name::SwitchMlRoce(Arithmetic::Fpisa(_)) => at_most(MOST_ELEMENTS),
            Name::SwitchMl(arithmetic) => {
                at_most((MOST_PIPELINES * arithmetic.lanes()).min(MOST_ELEMENTS))
            }
            Name::SwitchMlRoce(arithmetic) => {
                let spread = Roce::with(arithmetic, elements);
                let pipelines = if one { 1 } else { spread.pipelines };
                at_most(MOST_ELEMENTS) && Roce { pipelines, ..spread }.has_equal_windows()
            }
            Name::P4Sgd => at_most(16),
            Name::FpisaA => at_most(if one { 16 } else { 1 }),
            Name::Fpisa => at_most(if one { 16 } else { 4 }),
            Name::Libra(_) => at_most(MOST_PAIRS),
            Name::Rows(Rows::Thresholds) => at_most(if one { 16 } else { 12 }),
            Name::Rows(Rows::Matrix) => at_most(if one { 16 } else { 3 }),
            Name::Rows(Rows::Distinct) => at_most(if one { 16 } else { 9 }),
            Name::Rows(Rows::Extreme) => at_most(if one { 16 } else { 7 }),
            Name::Rows(Rows::Bloom | Rows::Sum) => at_most(1),
        }
    }

    /// The name of its file, without the dialect's end: one that P4's tools take for an identifier.
    pub fn file_stem(self) -> String {
        let arithmetic = match self.name {
            Name::SwitchMl(arithmetic @ Arithmetic::Fpisa(_))
            | Name::SwitchMlRoce(arithmetic @ Arithmetic::Fpisa(_)) => {
                format!("_{}", arithmetic.as_str())
            }
            _ => String::new(),
        };
        let protocol = if self.protocol == Protocol::Acked { "_acked" } else { "" };
        let order = if self.byte_order == ByteOrder::Little { "_little" } else { "" };
        let (name, elements) = (self.name.as_str(), self.elements);
        format!("{name}{arithmetic}{protocol}{order}_{elements}").replace('-', "_")
    }

    /// Frames and ports of the switch.
    fn frame(self, pipelines: u16) -> FrameConfig {
        if self.one_pipeline { FrameConfig::bmv2() } else { FrameConfig::new(pipelines) }
    }

    /// Port and address of each worker (R-PISA-6).
    fn workers(self) -> impl Iterator<Item = (u16, Address)> {
        let ports: Vec<_> = self.frame(1).worker_ports().take(self.workers.into()).collect();
        ports.into_iter().zip((1..).map(example_address))
    }

    fn switchml(self, arithmetic: Arithmetic) -> SwitchMl {
        let spread = SwitchMl::with(arithmetic, self.elements);
        let pipelines = if self.one_pipeline { 1 } else { spread.pipelines };
        let (slots, workers) = (self.slots, self.workers.into());
        let Self { protocol, byte_order, .. } = self;
        let frame = self.frame(pipelines);
        SwitchMl { pipelines, slots, workers, frame, protocol, byte_order, ..spread }
    }

    fn roce(self, arithmetic: Arithmetic) -> Roce {
        let spread = Roce::with(arithmetic, self.elements);
        let pipelines = if self.one_pipeline { 1 } else { spread.pipelines };
        Roce { pipelines, ..spread }.sized(self.slots, self.workers.into())
    }

    fn p4sgd(self) -> P4Sgd {
        P4Sgd {
            elements: self.elements,
            slots: self.slots.next_power_of_two(),
            ..P4Sgd::new(self.workers)
        }
    }

    fn rows(self, rows: Rows) -> RowsProgram {
        let width = self.elements as u8;
        let kind = match rows {
            // Doubling an f32.
            Rows::Thresholds => RowsKind::Thresholds { n: TOP, width, step: 1 << 23 },
            Rows::Matrix => RowsKind::Matrix { width },
            Rows::Distinct => RowsKind::Distinct { width },
            Rows::Extreme => RowsKind::Extreme { width },
            Rows::Bloom => RowsKind::Bloom,
            Rows::Sum => RowsKind::Sum,
        };
        let loopback = self.frame(1).loopbacks[0];
        RowsProgram { rows: self.slots.next_power_of_two(), loopback, ..RowsProgram::new(kind) }
    }

    /// The program of a query; the master is behind the workers.
    fn query(self, rows: Rows) -> Made {
        let config = self.rows(rows);
        let program = config.program();
        let master = self.frame(1).worker_ports().nth(self.workers.into()).unwrap_or(0);
        let workers = self.workers().map(|(port, address)| (port, address.mac));
        let controls = config.controls(&program, workers, master);
        Made { program, controls }
    }

    fn fpisa(self) -> Made {
        let variant = if self.name == Name::Fpisa { Variant::Full } else { Variant::Approximate };
        let config =
            Fpisa { words: self.slots.next_power_of_two(), ..Fpisa::new(variant, self.elements) };
        let answer = |(port, Address { mac, .. }): (u16, Address)| Control::Insert {
            table: "ports",
            patterns: vec![Pattern::Is(mac)],
            action: "answer",
            values: vec![port.into()],
        };
        Made { program: config.program(), controls: self.workers().map(answer).collect() }
    }

    /// The program, and a job for it.
    pub fn make(self) -> Made {
        self.make_with_job(self.slots)
    }

    /// The program, and a job for it with so many slots.
    fn make_with_job(self, slots: u32) -> Made {
        let job = Self { slots, ..self };
        match self.name {
            Name::SwitchMl(arithmetic) => {
                let config = self.switchml(arithmetic);
                let program = config.program();
                let controls = example_job(job).controls(&config, &program);
                Made { program, controls }
            }
            Name::SwitchMlRoce(arithmetic) => {
                let config = self.roce(arithmetic);
                let program = config.program();
                let example = over_roce::example_job(job, &job.roce(arithmetic));
                let controls = example.controls(&config, &program);
                Made { program, controls }
            }
            Name::P4Sgd => {
                let config = self.p4sgd();
                let ports: Vec<u16> = self.workers().map(|(port, _)| port).collect();
                Made { program: config.program(), controls: config.controls(&ports) }
            }
            Name::FpisaA | Name::Fpisa => self.fpisa(),
            Name::Libra(record) => tables::make(self, record),
            Name::Rows(rows) => self.query(rows),
        }
    }

    /// The program's figures beside those of its paper.
    pub fn comparisons(self) -> Vec<Comparison> {
        match self.name {
            Name::SwitchMl(Arithmetic::Block) => published::switchml(self),
            Name::SwitchMl(Arithmetic::Fpisa(_)) => published::slots_of_floats(self),
            Name::SwitchMlRoce(arithmetic) => over_roce::comparisons(arithmetic),
            Name::P4Sgd => published::p4sgd(self),
            Name::FpisaA | Name::Fpisa => published::fpisa(),
            Name::Libra(record) => tables::comparisons(self, record),
            Name::Rows(_) => Vec::new(),
        }
    }
}

/// The job in the files for control planes.
fn example_job(request: Request) -> Job {
    Job {
        job: 1,
        epoch: 1,
        slots: request.slots.min(u16::MAX.into()) as u16,
        first_slot: 0,
        first_word: 0,
        workers: request.workers().collect(),
        switch: example_switch(),
        group: 1,
    }
}

/// The last byte of the switch's addresses in the job of [`Request::make`].
const SWITCH: u16 = 254;

/// The addresses of a worker, counted from 1, in the job of [`Request::make`] (R-PISA-6).
pub fn example_address(worker: u16) -> Address {
    example_host(if worker < SWITCH { worker } else { worker + 3 })
}

/// The addresses of the switch there.
pub fn example_switch() -> Address {
    example_host(SWITCH)
}

fn example_host(number: u16) -> Address {
    Address {
        mac: 0x0200_0000_0000 | u64::from(number),
        ip: 0x0A00_0000 | u32::from(number),
        port: 5555,
    }
}

/// The files under `p4/`: path from there, and text. Programs include the text that they
/// share, and long lists of entries, each of which is there once.
///
/// # Errors
/// [`EmitError`] does not occur for the programs that are checked in.
pub fn files() -> Result<Vec<(String, String)>, EmitError> {
    let (mut files, mut programs) = (Vec::new(), Vec::new());
    let of_name = |name| Protocol::ALL.map(|protocol| (name, protocol));
    for (name, protocol) in Name::ALL.into_iter().flat_map(of_name) {
        for dialect in Dialect::ALL {
            for elements in sizes(name, protocol, dialect) {
                let (elements, one_pipeline) = (*elements, dialect == Dialect::V1Model);
                let request =
                    Request { protocol, slots: 128, one_pipeline, ..Request::new(name, elements) };
                let stem = request.file_stem();
                // Floats over RoCE have an entry for each queue pair of each worker.
                let floats_over_roce = matches!(name, Name::SwitchMlRoce(Arithmetic::Fpisa(_)));
                let made = request.make_with_job(if floats_over_roce { 8 } else { request.slots });
                let (parts, runtime) =
                    (p4::parts(&made.program, dialect.arch())?, runtime(&made, dialect, &stem));
                let stem = format!("{}/{stem}", dialect.as_str());
                let suffix = match dialect {
                    Dialect::V1Model => "commands",
                    Dialect::Tna => "bfrt.py",
                };
                programs.push(Sharer { path: format!("{stem}.p4"), dialect, parts });
                files.push((format!("{stem}.{suffix}"), runtime));
            }
        }
    }
    files.extend(includes::shared(&programs));
    Ok(files)
}

fn sizes(name: Name, protocol: Protocol, dialect: Dialect) -> &'static [u16] {
    match (name, dialect) {
        _ if protocol == Protocol::Acked => match name {
            Name::SwitchMl(Arithmetic::Block) => &[64],
            _ => &[],
        },
        (Name::SwitchMl(Arithmetic::Block), Dialect::V1Model) => &[64],
        (Name::SwitchMl(Arithmetic::Block), Dialect::Tna) => &[64, 256],
        (Name::SwitchMl(Arithmetic::Fpisa(Variant::Approximate)), Dialect::V1Model) => &[4],
        (Name::SwitchMl(Arithmetic::Fpisa(Variant::Approximate)), Dialect::Tna) => &[1, 4],
        (Name::SwitchMl(Arithmetic::Fpisa(Variant::Full)), Dialect::V1Model) => &[8],
        (Name::SwitchMlRoce(Arithmetic::Block), Dialect::V1Model) => &[64],
        (Name::SwitchMlRoce(Arithmetic::Block), Dialect::Tna) => &[64, 256],
        (Name::P4Sgd, _) => &[8],
        (Name::FpisaA, _) => &[1],
        (Name::Fpisa, Dialect::V1Model) => &[4],
        (Name::Libra(_), Dialect::V1Model) => &[MOST_PAIRS],
        // It is emitted on request: no compiler has placed it yet (R-PISA-41).
        (Name::Libra(_), Dialect::Tna) => &[],
        (Name::Rows(Rows::Thresholds), Dialect::V1Model) => &[8],
        (Name::Rows(Rows::Matrix), Dialect::V1Model) => &[12],
        (Name::Rows(Rows::Distinct | Rows::Extreme), Dialect::V1Model) => &[2],
        (Name::Rows(Rows::Bloom | Rows::Sum), Dialect::V1Model) => &[1],
        // As those of Libra.
        (Name::Rows(_), Dialect::Tna) => &[],
        (Name::SwitchMlRoce(Arithmetic::Fpisa(Variant::Full)), Dialect::V1Model) => &[4],
        // FPISA-A takes more stages than are left, and its text is longest.
        (Name::SwitchMlRoce(Arithmetic::Fpisa(Variant::Approximate)), _) => &[],
        // They need extensions that Tofino does not have.
        (
            Name::SwitchMl(Arithmetic::Fpisa(Variant::Full))
            | Name::SwitchMlRoce(Arithmetic::Fpisa(Variant::Full))
            | Name::Fpisa,
            Dialect::Tna,
        ) => &[],
    }
}

/// Returns a program and its control plane's steps in one language. `stem` is the name of its file,
/// without the dialect's end.
///
/// # Errors
/// [`EmitError`] if the language cannot express the program.
pub fn emit(made: &Made, dialect: Dialect, stem: &str) -> Result<(String, String), EmitError> {
    let text = match dialect {
        Dialect::V1Model => p4::v1model(&made.program)?,
        Dialect::Tna => p4::tna(&made.program)?,
    };
    Ok((text, runtime(made, dialect, stem)))
}

/// Returns the control plane's steps in one language.
fn runtime(made: &Made, dialect: Dialect, stem: &str) -> String {
    match dialect {
        Dialect::V1Model => p4::Commands::new(made.program.clone()).text(&made.controls),
        Dialect::Tna => p4::bfrt(&made.program, stem, &made.controls),
    }
}
