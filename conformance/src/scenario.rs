//! A whole job drawn from a seed: workers, calls, inputs, times and faults; and the check of
//! everything that comes out.

pub(crate) mod draw;
pub(crate) mod inputs;
mod timed;

use netfold_num::Protocol;
use netfold_switch::Shard;
use netfold_wire::Terms;
use netfold_worker::{Call, Collective};

use crate::fabric::{Fabric, Setup};
use crate::hardware::{HardwareTarget, Interpreter};
use crate::oracle::Fold;
use crate::target::{ShardTarget, Target};
use crate::tree::{InnerFaults, TreeTarget};

/// The time that links and workers of a scenario may take to finish after the last call, in virtual
/// microseconds.
const WAIT_LIMIT_US: u64 = 120_000_000;

/// The faults of a scenario's network, and the pace of its workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultProfile {
    /// No faults, and every call is made at once: the stream never pauses.
    Clean,
    /// Loss, duplicates, reordering, damage, cuts, and workers that come late.
    Heavy,
    /// Few losses, but copies of packets that turn up many round trips later (R-SLOT-8).
    LateDuplicates,
}

/// A call as all workers make it.
#[derive(Clone, Debug)]
pub struct PlannedCall {
    /// The call.
    pub call: Call,
    /// Output and input are the same memory.
    pub in_place: bool,
    /// Each worker's input.
    pub inputs: Vec<Vec<u8>>,
    /// The time at which each worker makes it, in microseconds.
    pub at_us: Vec<u64>,
}

/// A job, drawn from a seed.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The seed that it was drawn from.
    pub seed: u64,
    /// The job and its network.
    pub setup: Setup,
    /// The calls of its workers.
    pub calls: Vec<PlannedCall>,
}

impl Scenario {
    /// Draws a scenario.
    pub fn draw(seed: u64, profile: FaultProfile) -> Self {
        draw::scenario(seed, profile)
    }

    /// Draws one of those that a switch as hardware folds (R-PISA-16): sums in `block`, and what
    /// their packets need.
    pub fn for_pipelines(seed: u64, profile: FaultProfile) -> Self {
        draw::for_pipelines(seed, profile)
    }

    /// Runs it on switches in process, and checks every output: each within its bound of the exact
    /// result, the same bits at every worker that gets the same elements, and nothing left behind
    /// at the switches.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn run(&self) -> Result<Fabric<ShardTarget>, String> {
        let mut fabric = self.run_on(1, ShardTarget::default)?;
        fabric.targets().try_for_each(|target| at_rest(target.shard()))?;
        Ok(fabric)
    }

    /// The same on trees of switches (R-TREE), one for each flow. Links between switches lose,
    /// repeat and delay as well, unless the profile is clean.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn run_on_trees(&self, faults: InnerFaults) -> Result<Fabric<TreeTarget>, String> {
        let mut trees = self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)..;
        let mut fabric = self.run_on(TreeTarget::MOST_SWITCHES, || {
            TreeTarget::new(trees.next().unwrap_or(0), faults, 1 << 20)
        })?;
        fabric.targets().try_for_each(|tree| tree.shards().try_for_each(at_rest))?;
        Ok(fabric)
    }

    /// The same on pipelines that are checked, one for each flow (R-PISA-2, R-PISA-10).
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn run_on_pipelines(&self) -> Result<Fabric<HardwareTarget<Interpreter>>, String> {
        let elements = (self.setup.payload_bytes / 4) as u16;
        self.run_on(1, || HardwareTarget::checked_for(elements, self.setup.terms.protocol))
    }

    /// The same as a job that can go on elsewhere, and whose switches are lost one to four times
    /// (R-RES).
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn run_with_losses<T: Target>(
        &self,
        switches: usize,
        target: impl FnMut() -> T,
    ) -> Result<Fabric<T>, String> {
        let mut fabric = Fabric::new(
            Setup { terms: Terms { resumable: true, ..self.setup.terms }, ..self.setup.clone() },
            self.seed,
            target,
        );
        draw::losses(self.seed, self.last_us())
            .into_iter()
            .for_each(|at_us| fabric.lose_switch_at(at_us));
        self.run_in(fabric, switches)
    }

    fn run_on<T: Target>(
        &self,
        switches: usize,
        target: impl FnMut() -> T,
    ) -> Result<Fabric<T>, String> {
        self.run_in(Fabric::new(self.setup.clone(), self.seed, target), switches)
    }

    /// Returns the time of the last call.
    fn last_us(&self) -> u64 {
        self.calls.iter().flat_map(|planned| planned.at_us.iter().copied()).max().unwrap_or(0)
    }

    fn run_in<T: Target>(
        &self,
        mut fabric: Fabric<T>,
        switches: usize,
    ) -> Result<Fabric<T>, String> {
        for planned in &self.calls {
            for (worker, (input, at_us)) in (0..).zip(planned.inputs.iter().zip(&planned.at_us)) {
                fabric.submit_at(*at_us, worker, planned.call, input.clone(), planned.in_place);
            }
        }
        fabric.run(self.last_us() + WAIT_LIMIT_US)?;
        self.check_all(switches, |rank, call| fabric.result(rank, call))?;
        Ok(fabric)
    }

    /// Checks the output of each rank of each call.
    fn check_all<'a>(
        &self,
        switches: usize,
        result: impl Fn(u16, usize) -> &'a [u8],
    ) -> Result<(), String> {
        let check = |(number, planned)| {
            let of_call = |rank| result(rank, number);
            self.check(switches, planned, of_call)
                .map_err(|wrong| format!("call {number}: {wrong}"))
        };
        self.calls.iter().enumerate().try_for_each(check)
    }

    fn check<'a>(
        &self,
        switches: usize,
        planned: &PlannedCall,
        result: impl Fn(u16) -> &'a [u8],
    ) -> Result<(), String> {
        let Setup { workers, terms, payload_bytes, .. } = self.setup;
        let fold = Fold {
            call: planned.call,
            arithmetic: terms.arithmetic,
            payload_bytes,
            switches,
            inputs: &planned.inputs,
        };
        for rank in 0..workers {
            fold.check(rank, result(rank)).map_err(|wrong| format!("worker {rank}: {wrong}"))?;
        }
        let same_for_all = planned.call.collective == Collective::AllReduce;
        if same_for_all && (1..workers).any(|rank| result(rank) != result(0)) {
            return Err("workers have different bits".to_owned());
        }
        Ok(())
    }
}

/// Nothing is left at a switch, and it has found nothing wrong.
fn at_rest(shard: &Shard) -> Result<(), String> {
    let open: Vec<_> = shard.status().into_iter().flat_map(|job| job.waiting).collect();
    if !open.is_empty() {
        return Err(format!("rounds are open at the end: {open:?}"));
    }
    if shard.counters().mismatches > 0 {
        return Err("workers that make the same calls are said not to".to_owned());
    }
    Ok(())
}

/// Runs scenarios drawn from [`seeds`].
///
/// # Panics
/// If a scenario fails; the message has its seed. If a variable names no seeds.
pub fn run_all(
    profile: FaultProfile,
    seeds: impl IntoIterator<Item = u64>,
    mut run_one: impl FnMut(&Scenario) -> Result<(), String>,
) {
    run_drawn(|seed| Scenario::draw(seed, profile), profile, seeds, &mut run_one);
}

/// The same of those for pipelines.
///
/// # Panics
/// As [`run_all`].
pub fn run_on_pipelines(
    profile: FaultProfile,
    protocol: Protocol,
    seeds: impl IntoIterator<Item = u64>,
) {
    let draw = |seed| {
        let mut scenario = Scenario::for_pipelines(seed, profile);
        scenario.setup.terms.protocol = protocol;
        scenario
    };
    run_drawn(draw, profile, seeds, &mut |scenario| scenario.run_on_pipelines().map(drop));
}

fn run_drawn(
    draw: impl Fn(u64) -> Scenario,
    profile: FaultProfile,
    seeds: impl IntoIterator<Item = u64>,
    run_one: &mut dyn FnMut(&Scenario) -> Result<(), String>,
) {
    let run = |seed: u64| {
        let scenario = draw(seed);
        let outcome = run_one(&scenario);
        if let Err(wrong) = outcome {
            panic!(
                "{profile:?} scenario: {wrong}\n{:?}\nreplay it with NETFOLD_SEED={seed}",
                scenario.setup
            );
        }
    };
    self::seeds(seeds).for_each(run);
}

/// The seeds to run: these; or those that the environment variable `NETFOLD_SEEDS` names, as in
/// `10000..200000`; or only the one that `NETFOLD_SEED` names.
///
/// # Panics
/// If a variable names no seeds.
pub fn seeds<'a>(
    seeds: impl IntoIterator<Item = u64, IntoIter: 'a>,
) -> Box<dyn Iterator<Item = u64> + 'a> {
    let one = std::env::var("NETFOLD_SEED").ok();
    let one = one.map(|seed| seed.parse().expect("NETFOLD_SEED is the number of a seed"));
    let others = std::env::var("NETFOLD_SEEDS").ok();
    let others = others.map(|range| {
        range_of(&range).expect("NETFOLD_SEEDS is a range of seeds, as in 10000..200000")
    });
    match (one, others) {
        (Some(seed), _) => Box::new(std::iter::once(seed)),
        (None, Some(range)) => Box::new(range),
        (None, None) => Box::new(seeds.into_iter()),
    }
}

/// Returns whether a single seed is replayed.
pub fn replayed() -> bool {
    std::env::var_os("NETFOLD_SEED").is_some()
}

fn range_of(range: &str) -> Option<std::ops::Range<u64>> {
    let (first, end) = range.split_once("..")?;
    let range = first.parse().ok()?..end.parse().ok()?;
    (!range.is_empty()).then_some(range)
}
