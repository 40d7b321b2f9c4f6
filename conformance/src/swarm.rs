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
mod typed;
mod wide;

use netfold_sim::{Calibration, Cluster, Input, Setup, Time};

use crate::scenario::PlannedCall;

pub use blame::Blame;

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

/// The events of a run, by which a test can tell whether it has tested anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Jobs of which all workers have left with all calls done.
    pub completed: u64,
    /// Those among them that have gone on after a switch of theirs had stopped.
    pub resumed: u64,
    /// Others.
    pub ended: u64,
    /// Results that were checked.
    pub results: u64,
    /// Those of them that have done so at a switch of another tree.
    pub elsewhere: u64,
    /// Jobs of which workers have gone on without others, and completed.
    pub regrouped: u64,
    /// Those among them that have lost several.
    pub without_several: u64,
    /// Those of more than 12 workers of which results were checked.
    pub large: u64,
    /// Results of 1000 elements or more.
    pub long: u64,
    /// Runs in which links have marked datagrams.
    pub marked: u64,
    /// Runs with TCP flows that have carried something.
    pub shared: u64,
    /// Jobs with a worker whose host has stopped while they ran.
    pub bereft: u64,
    /// Jobs that have completed with blocks that were folded again (R-SLOT-12).
    pub refolded: u64,
    /// Those among them that have gone on after a switch of theirs had stopped, or without workers.
    pub refolded_and_on: u64,
    /// Results of calls by operations of users.
    pub typed: u64,
    /// Those among them that were encoded on their way.
    pub coded: u64,
    /// Those among them that are replies from the state at a switch.
    pub answered: u64,
    /// Jobs with calls whose results are mapped that have gone on after a switch of theirs had
    /// stopped, or without workers, and completed.
    pub mapped_and_on: u64,
}

impl Tally {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            completed: self.completed + other.completed,
            resumed: self.resumed + other.resumed,
            ended: self.ended + other.ended,
            results: self.results + other.results,
            elsewhere: self.elsewhere + other.elsewhere,
            regrouped: self.regrouped + other.regrouped,
            without_several: self.without_several + other.without_several,
            large: self.large + other.large,
            long: self.long + other.long,
            marked: self.marked + other.marked,
            shared: self.shared + other.shared,
            bereft: self.bereft + other.bereft,
            refolded: self.refolded + other.refolded,
            refolded_and_on: self.refolded_and_on + other.refolded_and_on,
            typed: self.typed + other.typed,
            coded: self.coded + other.coded,
            answered: self.answered + other.answered,
            mapped_and_on: self.mapped_and_on + other.mapped_and_on,
        }
    }
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
