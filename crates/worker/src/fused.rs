//! Chains of collectives that are carried out in one pass over the network (ACiS's type 4), as
//! data: which calls take the place of a chain, and where its results are.
//!
//! A chain is a list of [`Stage`]s, each of which takes what the one before gives, until a stage
//! begins that has data of its own. [`Fused::new`] is the whole planner. A chain that it does not
//! know is refused by name.

#[cfg(test)]
mod tests;

use netfold_wire::WorkerId;
use thiserror::Error;

use crate::call::{Collective, Reduction};

/// A step of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Every worker gets every worker's vector.
    AllGather,
    /// Each worker gets the fold up to its rank.
    Scan(Reduction),
    /// Every worker gets the fold.
    AllReduce(Reduction),
    /// The root gets the fold.
    Reduce(Reduction, WorkerId),
    /// The root gets every worker's vector.
    Gather(WorkerId),
    /// Each worker gets its part of every worker's vector.
    AllToAll,
    /// The map of an operation of a user (R-OP-28).
    Map(Reduction),
    /// Every worker gets what one has: the worker of this rank, or the one that the step before
    /// leaves it with.
    Broadcast(Option<WorkerId>),
    /// A collective that no chain has.
    Other(Collective),
}

impl Step {
    /// Returns the name that users know it by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllGather => "all_gather",
            Self::Scan(_) => "scan",
            Self::AllReduce(_) => "all_reduce",
            Self::Reduce(..) => "reduce",
            Self::Gather(_) => "gather",
            Self::AllToAll => "all_to_all",
            Self::Map(_) => "map",
            Self::Broadcast(_) => "broadcast",
            Self::Other(collective) => collective.name(),
        }
    }

    /// Returns the step with this name, and where it has them this fold and this root; `None` if
    /// there is none.
    pub fn named(name: &str, fold: Reduction, root: Option<WorkerId>) -> Option<Self> {
        let of_root = root.unwrap_or(WorkerId(0));
        let known = [
            Self::AllGather,
            Self::Scan(fold),
            Self::AllReduce(fold),
            Self::Reduce(fold, of_root),
            Self::Gather(of_root),
            Self::AllToAll,
            Self::Map(fold),
            Self::Broadcast(root),
        ];
        let other = || Collective::named(name, of_root).map(Self::Other);
        known.into_iter().find(|step| step.name() == name).or_else(other)
    }
}

/// A step, and whether the caller keeps what it gives though another one follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The step.
    pub step: Step,
    /// Its result is delivered, too.
    pub keep: bool,
}

impl From<Step> for Stage {
    fn from(step: Step) -> Self {
        Self { step, keep: false }
    }
}

/// A call of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FusedCall {
    /// The collective.
    pub collective: Collective,
    /// The number of the stage that says how elements combine; `None` if they are only moved.
    pub fold: Option<usize>,
    /// The number of the input that it takes. Several calls may take one.
    pub input: usize,
}

/// The part of a call's output that is the result of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// That of this worker's rank, where there is one for each.
    Own,
    /// The first of two vectors: the fold of all.
    Total,
    /// The second of two vectors: the fold up to this worker's rank. The last rank's is the total.
    Prefix,
    /// All of it, at this worker alone.
    AtRoot(WorkerId),
}

/// A result of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FusedResult {
    /// The number of the stage that gives it.
    pub stage: usize,
    /// The number of the call that has it.
    pub call: usize,
    /// The part of the call's output that it is.
    pub part: Part,
}

/// The calls that carry a chain out, all of them at once, and its results in the order of stages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fused {
    calls: Vec<FusedCall>,
    results: Vec<FusedResult>,
    inputs: usize,
}

/// The reason why a chain cannot be fused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FusedError {
    /// Fewer stages than two.
    #[error("a chain has two stages or more, not {0}; make a call of one stage by its own name")]
    Short(usize),
    /// A stage that nothing around it can be fused with.
    #[error("stage {} of the chain, {stage}, cannot be fused: {why}", at + 1)]
    Stage {
        /// Its number, from 0.
        at: usize,
        /// Its name.
        stage: &'static str,
        /// The reason, and what to call instead.
        why: String,
    },
}

impl Fused {
    /// Returns the plan of a chain for a job of so many workers. It is the same at all of them.
    ///
    /// # Errors
    /// [`FusedError`], with what to call instead.
    pub fn new(stages: &[Stage], workers: u16) -> Result<Self, FusedError> {
        if stages.len() < 2 {
            return Err(FusedError::Short(stages.len()));
        }
        let mut plan = Self::default();
        let mut at = 0;
        while at < stages.len() {
            at = plan.take(stages, at, workers)?;
            plan.inputs += 1;
        }
        Ok(plan)
    }

    /// Returns the calls. None waits for another.
    pub fn calls(&self) -> &[FusedCall] {
        &self.calls
    }

    /// Returns the results.
    pub fn results(&self) -> &[FusedResult] {
        &self.results
    }

    /// Returns the number of inputs: one for each stage that has data of its own.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Takes the stages from `at` on that have data of one input, and returns the number of the
    /// next one.
    fn take(&mut self, stages: &[Stage], at: usize, workers: u16) -> Result<usize, FusedError> {
        let step = |at: usize| stages.get(at).map(|stage| stage.step);
        let refuse = |at: usize, why: &str| refused(stages, at, why);
        match stages[at].step {
            Step::AllGather => match (step(at + 1), step(at + 2)) {
                (Some(Step::Scan(fold)), Some(Step::AllGather)) => {
                    self.prefixes(stages, at + 1, fold)?;
                    if stages[at].keep {
                        let gathered = self.call(Collective::AllGather, None);
                        self.results.insert(
                            self.results.len() - 1 - usize::from(stages[at + 1].keep),
                            FusedResult { stage: at, call: gathered, part: Part::Whole },
                        );
                    }
                    Ok(at + 3)
                }
                _ => Err(refuse(
                    at,
                    "an all_gather is fused with a scan and an all_gather behind it; otherwise call all_gather",
                )),
            },
            Step::Scan(fold) => match step(at + 1) {
                Some(Step::AllGather) => {
                    self.prefixes(stages, at, fold)?;
                    Ok(at + 2)
                }
                Some(Step::Broadcast(root)) => self.total(stages, at, (fold, root), workers),
                _ => Err(refuse(
                    at,
                    "a scan is fused with an all_gather or a broadcast behind it; otherwise call scan",
                )),
            },
            Step::AllReduce(fold) => self.all_reduce(stages, at, fold),
            Step::Reduce(fold, root) => self.reduce(stages, at, fold, root),
            Step::Gather(root) => {
                self.spread(stages, at, root)?;
                let call = self.call(Collective::AllGather, None);
                self.keep(stages, at, call, Part::AtRoot(root));
                self.give(at + 1, call, Part::Whole);
                Ok(at + 2)
            }
            Step::AllToAll => {
                let call = self.call(Collective::AllToAll, None);
                self.give(at, call, Part::Whole);
                Ok(at + 1)
            }
            Step::Map(_) => Err(refuse(
                at,
                "a map follows the all_reduce or the reduce by the operation that has it; to map what you have, call the function",
            )),
            Step::Broadcast(_) => Err(refuse(
                at,
                "a broadcast follows a scan, a reduce or a gather, and spreads its result; otherwise call broadcast",
            )),
            Step::Other(collective) => {
                Err(refuse(at, &format!("no chain has one; call {} by itself", collective.name())))
            }
        }
    }

    /// R-STREAM-19: the scan at `at`, and the all-gather behind it.
    fn prefixes(&mut self, stages: &[Stage], at: usize, fold: Reduction) -> Result<(), FusedError> {
        unmapped(stages, at, &fold)?;
        let call = self.call(Collective::Prefixes, Some(at));
        self.keep(stages, at, call, Part::Own);
        self.give(at + 1, call, Part::Whole);
        Ok(())
    }

    /// R-STREAM-20: the scan at `at`, and the broadcast behind it.
    fn total(
        &mut self,
        stages: &[Stage],
        at: usize,
        (fold, root): (Reduction, Option<WorkerId>),
        workers: u16,
    ) -> Result<usize, FusedError> {
        unmapped(stages, at, &fold)?;
        if let Some(root) = root.filter(|root| root.0 + 1 != workers) {
            let why = format!(
                "behind a scan it spreads the prefix of the last rank, {}, not of rank {}; for others use scan and all_gather, whose row r is the prefix of rank r",
                workers - 1,
                root.0
            );
            return Err(refused(stages, at + 1, &why));
        }
        let call = self.call(Collective::ScanTotal, Some(at));
        self.keep(stages, at, call, Part::Prefix);
        self.give(at + 1, call, Part::Total);
        Ok(at + 2)
    }

    /// An all-reduce at `at`, with a map in the switch and a broadcast behind it (R-OP-28), or with
    /// data of its own beside that of others.
    fn all_reduce(
        &mut self,
        stages: &[Stage],
        at: usize,
        fold: Reduction,
    ) -> Result<usize, FusedError> {
        let call = self.call(Collective::AllReduce, Some(at));
        let mut last = at;
        if mapped(stages, at, &fold)? {
            last = at + 1;
        }
        if let Some(Stage { step: Step::Broadcast(_), .. }) = stages.get(last + 1) {
            if last == at {
                let why = "every worker has the result of the all_reduce before; leave it out";
                return Err(refused(stages, at + 1, why));
            }
            self.keep(stages, last, call, Part::Whole);
            last += 1;
        }
        self.give(last, call, Part::Whole);
        Ok(last + 1)
    }

    /// A reduce at `at`, a map if there is one, and the broadcast behind it.
    fn reduce(
        &mut self,
        stages: &[Stage],
        at: usize,
        fold: Reduction,
        root: WorkerId,
    ) -> Result<usize, FusedError> {
        let last = at + usize::from(mapped(stages, at, &fold)?);
        self.spread(stages, last, root)?;
        let call = self.call(Collective::AllReduce, Some(at));
        self.keep(stages, last, call, Part::AtRoot(root));
        self.give(last + 1, call, Part::Whole);
        Ok(last + 2)
    }

    /// Checks that behind the stage at `at` there is a broadcast of what worker `root` has.
    fn spread(&self, stages: &[Stage], at: usize, root: WorkerId) -> Result<(), FusedError> {
        match stages.get(at + 1).map(|stage| stage.step) {
            Some(Step::Broadcast(from)) if from.is_none_or(|from| from == root) => Ok(()),
            Some(Step::Broadcast(Some(from))) => {
                let why = format!(
                    "rank {} has the result of the stage before, and not rank {}; broadcast from rank {}",
                    root.0, from.0, root.0
                );
                Err(refused(stages, at + 1, &why))
            }
            _ => {
                let name = stages[at].step.name();
                let why =
                    format!("it is fused with a broadcast from its root; otherwise call {name}");
                Err(refused(stages, at, &why))
            }
        }
    }

    /// Adds a call of the input that is being planned.
    fn call(&mut self, collective: Collective, fold: Option<usize>) -> usize {
        self.calls.push(FusedCall { collective, fold, input: self.inputs });
        self.calls.len() - 1
    }

    fn give(&mut self, stage: usize, call: usize, part: Part) {
        self.results.push(FusedResult { stage, call, part });
    }

    /// Adds the result of a stage that another one follows, if its caller keeps it.
    fn keep(&mut self, stages: &[Stage], stage: usize, call: usize, part: Part) {
        if stages[stage].keep {
            self.give(stage, call, part);
        }
    }
}

fn refused(stages: &[Stage], at: usize, why: &str) -> FusedError {
    FusedError::Stage { at, stage: stages[at].step.name(), why: why.to_owned() }
}

/// Refuses a scan by an operation that transforms results, which a scan does not do (R-OP-28,
/// R-OP-30).
fn unmapped(stages: &[Stage], at: usize, fold: &Reduction) -> Result<(), FusedError> {
    match fold {
        Reduction::User(fold) if fold.traits().finishes() => {
            let why = format!(
                "the operation {} transforms results at the switch, which no scan does; use one without a map and a codec",
                fold.name()
            );
            Err(refused(stages, at, &why))
        }
        _ => Ok(()),
    }
}

/// Returns whether the map of the operation follows the reduction at `at` (R-OP-28).
fn mapped(stages: &[Stage], at: usize, fold: &Reduction) -> Result<bool, FusedError> {
    let Some(Stage { step: Step::Map(map), .. }) = stages.get(at + 1) else { return Ok(false) };
    let has_map = matches!(fold, Reduction::User(fold) if fold.traits().has_map);
    if map != fold || !has_map {
        let why = format!(
            "the switch maps by the operation that has folded, and {} {}; bring an operation along that has both, or map what you get",
            fold.name(),
            if has_map { "is another one" } else { "has no map" }
        );
        return Err(refused(stages, at + 1, &why));
    }
    if stages[at].keep {
        let why = "the switch maps its result where it is, and so it leaves the switch as the map alone; leave `keep` out, or map at the workers by an operation without a map";
        return Err(refused(stages, at, why));
    }
    Ok(true)
}
