//! The programs by name, as commands ask for them, and the files that are made of them.

use netfold_wire::HEADER_BYTES;
use thiserror::Error;

use crate::control::Control;
use crate::p4::{self, EmitError};
use crate::program::Program;
use crate::programs::switchml::{self, SwitchMl};
use crate::programs::{Address, FrameConfig};
use crate::report::{Comparison, goodput};

/// A program by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// SwitchML with netfold's rounds.
    SwitchMl,
}

impl Name {
    /// Every program.
    pub const ALL: [Self; 1] = [Self::SwitchMl];

    /// The name in commands and files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SwitchMl => "switchml",
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
}

/// Most lanes that all pipelines of a switch fold.
pub const MOST_ELEMENTS: u16 = 256;

/// Most slots that a program is made for.
pub const MOST_SLOTS: u32 = 32768;

/// Most workers of a job.
pub const MOST_WORKERS: u16 = 256;

/// Why a program cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A number of lanes that no program has.
    #[error("{elements} lanes cannot be: a power of two from 2 to {MOST_ELEMENTS}")]
    Elements {
        /// Lanes asked for.
        elements: u16,
    },
    /// Workers or slots that cannot be.
    #[error("{workers} workers and {slots} slots cannot be: 1 to {MOST_WORKERS} workers, 1 to {MOST_SLOTS} slots")]
    Size {
        /// Workers asked for.
        workers: u16,
        /// Slots asked for.
        slots: u32,
    },
}

/// A program that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which.
    pub name: Name,
    /// Lanes of a full packet.
    pub elements: u16,
    /// Workers of a job.
    pub workers: u16,
    /// Slots of all jobs.
    pub slots: u32,
    /// Whether all lanes go through one pipeline: bmv2 has no other, and no limits.
    pub one_pipeline: bool,
}

/// A program, and the control plane of a job that shows how it is used.
#[derive(Clone, Debug)]
pub struct Made {
    /// The program.
    pub program: Program,
    /// A job with all slots: worker i at port i + 1 with the address 10.0.0.(i + 1).
    pub controls: Vec<Control>,
    /// Pipelines that a packet goes through.
    pub pipelines: u16,
}

impl Request {
    /// What is asked for, if it can be.
    ///
    /// # Errors
    /// [`RequestError`] names the number that cannot be.
    pub fn checked(self) -> Result<Self, RequestError> {
        let Self { elements, workers, slots, .. } = self;
        if !elements.is_power_of_two() || !(2..=MOST_ELEMENTS).contains(&elements) {
            return Err(RequestError::Elements { elements });
        }
        if !(1..=MOST_WORKERS).contains(&workers) || !(1..=MOST_SLOTS).contains(&slots) {
            return Err(RequestError::Size { workers, slots });
        }
        Ok(self)
    }

    fn switchml(self) -> SwitchMl {
        let spread = SwitchMl::new(self.elements);
        let pipelines = if self.one_pipeline { 1 } else { spread.pipelines };
        let (slots, workers) = (self.slots, self.workers.into());
        SwitchMl { pipelines, slots, workers, frame: FrameConfig::new(pipelines), ..spread }
    }

    /// The program, and a job for it.
    pub fn make(self) -> Made {
        match self.name {
            Name::SwitchMl => {
                let config = self.switchml();
                let program = config.program();
                let controls = example_job(self).controls(&config, &program);
                Made { program, controls, pipelines: config.pipelines }
            }
        }
    }

    /// The program's figures beside those of its paper.
    pub fn comparisons(self) -> Vec<Comparison> {
        match self.name {
            Name::SwitchMl => switchml_comparisons(self),
        }
    }
}

/// The job in the files for control planes.
fn example_job(request: Request) -> switchml::Job {
    let address = |number: u16| Address {
        mac: 0x0200_0000_0000 | u64::from(number),
        ip: 0x0A00_0000 | u32::from(number),
        port: 5555,
    };
    switchml::Job {
        job: 1,
        epoch: 1,
        slots: request.slots.min(u16::MAX.into()) as u16,
        first_slot: 0,
        first_word: 0,
        workers: (1..=request.workers).map(|number| (number, address(number))).collect(),
        switch: address(254),
        group: 1,
    }
}

fn switchml_comparisons(request: Request) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for (slots, published) in [(128u64, "256 KB"), (512, "1 MB")] {
        let lanes = slots * 2 * 4 * 256;
        let control = slots * (2 * (8 + 8 + 2 + 1 + 2) + 4 * u64::from(request.workers));
        comparisons.push(Comparison {
            what: format!("register space of {slots} slots of 256 lanes"),
            here: format!("{} KiB of lanes, {} KiB beside them in each pipeline", lanes / 1024, control.div_ceil(1024)),
            published: format!("{published} (appendix C)"),
            why: "the paper counts lanes; a round's number, digest and first worker, and each worker's latest round stand beside them".into(),
        });
    }
    // Lanes, and what the paper says of them: section 5.
    for (elements, published) in [(32, "63 %"), (64, "77 %"), (256, "93 %")] {
        comparisons.push(Comparison {
            what: format!("goodput at {elements} lanes"),
            here: format!("{:.1} % of line rate", 100.0 * goodput(elements, HEADER_BYTES as u32)),
            published: format!("{published} (section 5)"),
            why: format!("netfold's header has {HEADER_BYTES} bytes, where the paper's figures leave about 10"),
        });
    }
    let passes = |pipelines: u16| (pipelines, pipelines + 2 * pipelines - 1);
    for (elements, pipelines) in [(64, 1), (256, 4)] {
        let (fold, result) = passes(pipelines);
        comparisons.push(Comparison {
            what: format!("passes at {elements} lanes"),
            here: format!("{fold} to fold, {result} for the packet that completes a round"),
            published: if pipelines == 1 {
                "1, and 2".into()
            } else {
                "through all pipelines, and again (section 5)".into()
            },
            why: if pipelines == 1 {
                String::new()
            } else {
                "a pass gives back half of a pipeline's lanes, and the first half comes with the last pass in".into()
            },
        });
    }
    comparisons
}

/// The files under `p4/`: path from there, and text.
///
/// # Errors
/// [`EmitError`] does not occur for the programs that are checked in.
pub fn files() -> Result<Vec<(String, String)>, EmitError> {
    let mut files = Vec::new();
    for name in Name::ALL {
        for dialect in Dialect::ALL {
            for elements in sizes(name, dialect) {
                let one_pipeline = dialect == Dialect::V1Model;
                let made = Request { name, elements: *elements, workers: 8, slots: 128, one_pipeline }.make();
                let stem = format!("{}/{}_{elements}", dialect.as_str(), name.as_str());
                let (text, runtime) = emit(&made, dialect)?;
                let suffix = match dialect {
                    Dialect::V1Model => "commands",
                    Dialect::Tna => "bfrt.py",
                };
                files.push((format!("{stem}.p4"), text));
                files.push((format!("{stem}.{suffix}"), runtime));
            }
        }
    }
    Ok(files)
}

fn sizes(name: Name, dialect: Dialect) -> &'static [u16] {
    match (name, dialect) {
        (Name::SwitchMl, Dialect::V1Model) => &[64],
        (Name::SwitchMl, Dialect::Tna) => &[64, 256],
    }
}

/// A program, and what its control plane is told, in one language.
///
/// # Errors
/// [`EmitError`] if the language cannot express the program.
pub fn emit(made: &Made, dialect: Dialect) -> Result<(String, String), EmitError> {
    Ok(match dialect {
        Dialect::V1Model => (p4::v1model(&made.program)?, p4::commands(&made.program, &made.controls)),
        Dialect::Tna => (p4::tna(&made.program)?, p4::bfrt(&made.program, &made.controls)),
    })
}
