//! The swarm: a whole cluster drawn from a seed, with its switches, its jobs and whatever befalls
//! them, in virtual time; and what must hold of it whatever does.
//!
//! - A result that is completed is right, and its bits are the same at all workers.
//! - A job completes, or every worker of it is told why not, in time, with the right cause and
//!   ranks.
//! - A resumable job goes on when its switch stops and it has another, or its own starts again in
//!   time, unless a worker was not there yet, or not any more.
//! - A job that nothing befalls completes, whatever becomes of others on the same hosts, links and
//!   switches.
//! - In the end nothing is left: no memory at switches, no connection, no datagram.

mod blame;
mod check;
mod draw;
mod spare;
mod tally;
mod traps;
mod typed;
mod wide;

use netfold_sim::{Calibration, Cluster, Input, Setup, Time};

use crate::scenario::PlannedCall;

pub use blame::{Blame, Trap};
pub use tally::Tally;

/// The time that a job may take to form, in virtual milliseconds.
const FORMING_MS: u64 = 2_000;

/// The time that workers may take for their last calls when nothing else holds them up, in virtual
/// microseconds. With losses each timeout of 50 ms may pass many times.
const WAIT_LIMIT_US: u64 = 20_000_000;

/// Most events of one run; a run that needs more makes no progress.
const MAX_EVENTS: u64 = 5_000_000;

/// The latest end of a run, in virtual milliseconds.
const UNTIL_MS: u64 = 120_000;

/// A cluster with its jobs, drawn from a seed.
#[derive(Clone, Debug)]
pub struct Swarm {
    /// The seed that it was drawn from.
    pub seed: u64,
    /// The cluster, and the faults that befall it.
    pub setup: Setup,
    /// Its jobs, each with its calls and the faults that befall it.
    pub jobs: Vec<Planned>,
}

/// A job as it was drawn.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Its calls.
    pub calls: Vec<PlannedCall>,
    /// The faults that befall it.
    pub blame: Blame,
}

impl Swarm {
    /// Draws a swarm.
    pub fn draw(seed: u64) -> Self {
        draw::swarm(seed)
    }

    /// Runs it, and checks all that must hold. With `log`, what the management plane hears and does
    /// is printed.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn run(&self, log: bool) -> Result<Tally, String> {
        let told = |error: netfold_sim::Error| error.to_string();
        let mut cluster =
            Cluster::new(&self.setup, &Calibration::built_in(), self.seed).map_err(told)?;
        if log {
            cluster.keep_log();
        }
        for (number, job) in self.jobs.iter().enumerate() {
            for planned in &job.calls {
                let at = Time::from_us(planned.at_us.iter().copied().max().unwrap_or(0));
                let input =
                    Input::Bytes { inputs: planned.inputs.clone(), in_place: planned.in_place };
                cluster.submit(number, planned.call, at, input).map_err(told)?;
            }
        }
        let ends = cluster.run_at_most(MAX_EVENTS);
        for line in cluster.log() {
            println!("{line}");
        }
        if ends {
            self.check(&mut cluster)
        } else {
            Err(format!("{MAX_EVENTS} events are not enough"))
        }
    }
}
