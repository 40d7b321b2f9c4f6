//! Switches as hardware has them: what SwitchML's program on a Tofino-like switch
//! ([`netfold_pisa`]) holds, and how often a packet goes through its pipelines.
//!
//! The slots fold as in any other switch; what differs is the budget, and the time that a pass
//! takes.

use netfold_num::{Arithmetic, ByteOrder};
use netfold_pisa::catalog::{Name, Passes, Request};
use netfold_pisa::programs;
use netfold_pisa::programs::switchml::SwitchMl;
use netfold_pisa::{Pipeline, Target};
use netfold_wire::Terms;
use serde::Deserialize;

use crate::error::Error;
use crate::setup::{JobSetup, Setup};
use crate::time::Time;
use crate::topology::{Topology, memberships};

/// The hardware of every switch.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hardware {
    /// Lanes of a full packet that the program folds: 64 in one pipeline, up to 256 in four that
    /// are folded into one.
    pub elements: u16,
    /// Time for which a pass occupies a pipeline, in nanoseconds: one packet for each cycle of a
    /// clock of 1 GHz, unless said otherwise.
    #[serde(default = "a_cycle")]
    pub pass_ns: f64,
}

fn a_cycle() -> f64 {
    1.0
}

/// Cost of the program for each packet. Packets that are shorter, or EMPTY, are charged as full
/// ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Charge {
    pub(crate) passes: Passes,
    pub(crate) pass: Time,
}

impl Hardware {
    /// Loads the program for all jobs of a setup into a switch.
    ///
    /// # Errors
    /// The first job that asks for what the program, or the target, cannot do, and the reason.
    pub(crate) fn load(&self, setup: &Setup, topology: &Topology) -> Result<Charge, Error> {
        if !self.pass_ns.is_finite() || self.pass_ns < 0.0 {
            return Err(Error::Cost { what: "switches.hardware.pass_ns", cost: self.pass_ns });
        }
        // Of all switches the fullest, as if it had every job.
        let slots =
            setup.jobs.iter().map(|job| u32::from(job.slots) + u32::from(job.urgent_slots())).sum();
        let members = |job: &JobSetup| {
            let of_switch = memberships(topology, job.first_host, job.workers);
            of_switch.iter().flatten().map(|membership| membership.members.len()).max().unwrap_or(0)
        };
        let workers = setup.jobs.iter().map(members).max().unwrap_or(1) as u16;
        let name = Name::SwitchMl(programs::Arithmetic::Block);
        let request = Request { workers, slots, ..Request::new(name, self.elements) };
        let all = || setup.jobs.iter().map(|job| job.name.as_str()).collect::<Vec<_>>().join(", ");
        let request = request
            .checked()
            .map_err(|why| Error::Hardware { job: all(), why: why.to_string() })?;
        for job in &setup.jobs {
            if let Some(why) = self.refuses(job) {
                return Err(Error::Hardware { job: job.name.clone(), why });
            }
        }
        let made = request.make();
        let passes = Passes::over(made.program.pipelines() as u16);
        Pipeline::load(made.program, Target::tofino())
            .map_err(|why| Error::Hardware { job: all(), why: why.to_string() })?;
        const PS_PER_NS: f64 = 1e3;
        let pass = Time::from_ps((self.pass_ns * PS_PER_NS).round() as u64);
        Ok(Charge { passes, pass })
    }

    /// Returns the reason why the program does not fold a job's packets, if it does not
    /// (R-PISA-18).
    fn refuses(&self, job: &JobSetup) -> Option<String> {
        if job.terms.arithmetic != Arithmetic::Block {
            return Some(
                "the program adds 32-bit integers alone; give arithmetic = \"block\"".into(),
            );
        }
        let terms = Terms { byte_order: ByteOrder::Network, ..job.terms };
        SwitchMl::new(self.elements)
            .agrees(&terms, job.payload_bytes)
            .err()
            .map(|error| error.to_string())
    }
}
