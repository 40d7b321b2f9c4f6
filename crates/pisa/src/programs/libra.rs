//! Tables in a pipeline (Libra, sections 3.4 to 3.6; R-KEY with resident rows): workers push pairs
//! of rank and row whenever they like, and pull what has become of the rows.

mod answer;
mod floats;
mod frame;
mod guard;
mod lanes;
mod logtable;

use netfold_wire::{Epoch, JobId, WINDOW};

pub use self::guard::RECORD;
pub use self::logtable::LOOKUPS;
use crate::builder::Builder;
use crate::control::Control;
use crate::program::{ArrayId, Pattern, Program};
use crate::programs::frame::{Address, FrameConfig};

use self::frame::Frame;
use self::guard::Verdict;

/// Most pairs of a packet: 13 of them, and all headers before them, fit 192 bytes (section 3.4).
pub const MOST_PAIRS: u16 = 13;

/// Most registers: two are served by each of eight stages.
pub const MOST_REGISTERS: u16 = 16;

/// The record by which a push that is sent again is known (R-PISA-74 to 76).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The windows of R-KEY-3.
    Windows,
    /// The switch's CPU, behind this port (section 3.6).
    Cpu {
        /// The port.
        port: u16,
    },
    /// A Bloom filter of two arrays (section 3.6).
    Bloom {
        /// Words of each array, a power of two up to 65536.
        words: u32,
    },
}

/// The numbers that are added up (R-PISA-70, R-PISA-77).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    /// Integers.
    Integers,
    /// Floats, by FPISA-A.
    FpisaA,
    /// Floats, by Libra's tables.
    LogTable,
}

/// The parameters of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Libra {
    /// The numbers that are added up.
    pub sums: Sums,
    /// Registers that the rows are spread over, m: a power of two, from 2 to [`MOST_REGISTERS`];
    /// 1 for floats.
    pub registers: u16,
    /// Words of each register, a power of two: the table has m times as many rows.
    pub words: u32,
    /// Most pairs of a packet, 1 to [`MOST_PAIRS`].
    pub pairs: u16,
    /// Most workers of a job, 1 to 256.
    pub workers: u16,
    /// The record of pushes.
    pub guard: Guard,
    /// Frames and ports.
    pub frame: FrameConfig,
}

/// A job's table at the switch, for the control plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableJob {
    /// The job.
    pub job: JobId,
    /// Its epoch.
    pub epoch: Epoch,
    /// Port and address of each worker, by number.
    pub workers: Vec<(u16, Address)>,
    /// The same of servers, which load rows.
    pub servers: Vec<(u16, Address)>,
}

impl Libra {
    /// Sixteen registers of 2048 words, packets of 13 pairs, exact windows.
    pub fn new(workers: u16) -> Self {
        Self {
            sums: Sums::Integers,
            registers: MOST_REGISTERS,
            words: 2048,
            pairs: MOST_PAIRS,
            workers,
            guard: Guard::Windows,
            frame: FrameConfig::new(1),
        }
    }

    /// The same for floats: one register of 32,768 rows.
    pub fn of_floats(sums: Sums, workers: u16) -> Self {
        Self { sums, registers: 1, words: 32_768, ..Self::new(workers) }
    }

    /// Rows of the table.
    pub const fn rows(&self) -> u32 {
        self.registers as u32 * self.words
    }

    /// The program.
    pub fn program(&self) -> Program {
        build(self)
    }

    /// Returns the control plane's steps: registers to 0 (R-PISA-5), and who takes part.
    pub fn controls(&self, program: &Program, job: &TableJob) -> Vec<Control> {
        let clear = |(at, array): (usize, &crate::program::Array)| Control::Clear {
            array: ArrayId(at),
            first: 0,
            words: array.size,
        };
        let member = |worker: usize| Control::Insert {
            table: "members",
            patterns: vec![
                Pattern::Is(job.job.0.into()),
                Pattern::Is(job.epoch.0.into()),
                Pattern::Is(worker as u64),
            ],
            action: "find",
            values: vec![worker as u64],
        };
        let sender = |(port, address): &(u16, Address)| Control::Insert {
            table: "senders",
            patterns: vec![Pattern::Is(address.mac)],
            action: "answer_by",
            values: vec![(*port).into()],
        };
        let cleared = program.arrays.iter().enumerate().map(clear);
        let filled = logtable::fill(program);
        let members = (0..job.workers.len()).map(member);
        cleared
            .chain(filled)
            .chain(members)
            .chain(job.workers.iter().chain(&job.servers).map(sender))
            .collect()
    }

    /// Bits of a register's number.
    const fn register_bits(&self) -> u32 {
        self.registers.trailing_zeros()
    }

    /// Bits of a word's index.
    const fn index_bits(&self) -> u32 {
        self.words.trailing_zeros()
    }

    /// Words of all windows.
    const fn window_words(&self) -> u32 {
        self.workers as u32 * WINDOW
    }
}

/// Values of [`Frame::what`]: the request that a packet is, and how far it has come.
mod what {
    /// Other traffic, or a packet that is refused.
    pub const OTHER: u64 = 0;
    /// A push in its first pass.
    pub const PUSH: u64 = 1;
    /// A push that is new, in a later pass.
    pub const FOLD: u64 = 2;
    /// A load in its first pass.
    pub const LOAD: u64 = 3;
    /// A load in a later pass.
    pub const LOAD_ON: u64 = 4;
    /// A pull.
    pub const PULL: u64 = 5;
    /// A push whose sum has been looked up, and is to be written (R-PISA-79).
    pub const STORE: u64 = 6;
    /// The same of a load.
    pub const STORE_LOAD: u64 = 7;
}

fn build(config: &Libra) -> Program {
    let Libra { registers, words, pairs, workers, .. } = config;
    let record = match config.guard {
        Guard::Windows => "a window for each worker".to_owned(),
        Guard::Cpu { port } => format!("the CPU behind port {port}"),
        Guard::Bloom { words } => format!("a Bloom filter of two arrays of {words} words"),
    };
    let (name, title) = match config.sums {
        Sums::Integers => (
            "libra",
            format!(
                "Tables: {registers} registers of {words} words, {pairs} pairs, {workers} workers."
            ),
        ),
        Sums::FpisaA | Sums::LogTable => (
            if config.sums == Sums::FpisaA { "libra_fpisa_a" } else { "libra_logtable" },
            format!("Tables of floats: {words} words, {pairs} pairs, {workers} workers."),
        ),
    };
    let record = format!("Record of pushes: {record}.");
    let rules = "Rules: R-PISA-70 to 79 in spec/pisa.md.";
    let mut builder = Builder::new(name, &[&title, &record, rules]);
    builder.state("start", &[]);
    let frame = Frame::declare(&mut builder, config);
    frame.parse(&mut builder, config);
    let verdict = Verdict::declare(&mut builder, config, &frame);
    guard::begin(&mut builder, config, &frame, &verdict);
    let registers = lanes::fold(&mut builder, config, &frame, &verdict);
    answer::outcome(&mut builder, config, &frame, &verdict, &registers);
    registers.egress(&mut builder);
    answer::leave(&mut builder, config, &frame);
    builder.finish()
}
