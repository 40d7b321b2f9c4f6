//! Chains of collectives that are carried out in one pass over the network (ACiS's type 4), as
//! data: which calls take the place of a chain, and where its results are.
//!
//! A chain is a list of [`Stage`]s, each of which takes what the one before gives, until a stage
//! begins that has data of its own. [`Fused::new`] is the whole planner. A chain that it does not
//! know is refused by name.

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

#[cfg(test)]
mod tests {
    use netfold_num::{Operation, UserOperation};

    use super::*;
    use crate::call::{FoldTraits, UserFold};

    const SUM: Reduction = Reduction::Fold(Operation::Sum);

    fn user(mapped: bool) -> Reduction {
        let number = UserOperation::new(u8::from(mapped)).unwrap();
        let fold = UserFold::new(number, if mapped { "sgd" } else { "plain" }, 4, None);
        Reduction::User(fold.with(FoldTraits { has_map: mapped, ..*fold.traits() }))
    }

    fn kept(step: Step) -> Stage {
        Stage { step, keep: true }
    }

    /// The calls of a plan by name and input, and its results.
    type Planned = (Vec<(&'static str, usize)>, Vec<(usize, usize, Part)>);

    fn planned(stages: &[Stage]) -> Planned {
        let plan = Fused::new(stages, 4).unwrap();
        let calls = plan.calls().iter().map(|call| (call.collective.name(), call.input));
        let results = plan.results().iter().map(|it| (it.stage, it.call, it.part));
        (calls.collect(), results.collect())
    }

    fn why(stages: &[Step]) -> String {
        let stages: Vec<Stage> = stages.iter().map(|step| (*step).into()).collect();
        Fused::new(&stages, 4).unwrap_err().to_string()
    }

    #[test]
    fn prefixes_take_the_place_of_gather_scan_and_gather() {
        let (gather, scan) = (Step::AllGather, Step::Scan(SUM));
        let all = [gather.into(), scan.into(), gather.into()];
        assert_eq!(planned(&all), (vec![("prefixes", 0)], vec![(2, 0, Part::Whole)]));
        assert_eq!(planned(&all[1..]), (vec![("prefixes", 0)], vec![(1, 0, Part::Whole)]));
        let (calls, results) = planned(&[kept(gather), kept(scan), gather.into()]);
        assert_eq!(calls, [("prefixes", 0), ("all_gather", 0)]);
        assert_eq!(results, [(0, 1, Part::Whole), (1, 0, Part::Own), (2, 0, Part::Whole)]);
        let (_, results) = planned(&[kept(gather), scan.into(), gather.into()]);
        assert_eq!(results, [(0, 1, Part::Whole), (2, 0, Part::Whole)]);
        let plan = Fused::new(&all, 4).unwrap();
        assert_eq!((plan.calls()[0].fold, plan.inputs()), (Some(1), 1));
    }

    #[test]
    fn a_total_takes_the_place_of_scan_and_broadcast() {
        let chain = |root| [kept(Step::Scan(SUM)), Step::Broadcast(root).into()];
        let expected = (vec![("scan_total", 0)], vec![(0, 0, Part::Prefix), (1, 0, Part::Total)]);
        assert_eq!(planned(&chain(None)), expected);
        assert_eq!(planned(&chain(Some(WorkerId(3)))), expected);
        let other = Fused::new(&chain(Some(WorkerId(2))), 4).unwrap_err().to_string();
        assert!(
            ["stage 2", "broadcast", "rank, 3", "rank 2"].iter().all(|it| other.contains(it)),
            "{other}"
        );
    }

    #[test]
    fn a_reduction_that_is_spread_is_an_all_reduce() {
        let (root, sgd) = (WorkerId(1), user(true));
        let one = vec![("all_reduce", 0)];
        let broadcast = Stage::from(Step::Broadcast(None));
        let reduce = [kept(Step::Reduce(SUM, root)), broadcast];
        let results = vec![(0, 0, Part::AtRoot(root)), (1, 0, Part::Whole)];
        assert_eq!(planned(&reduce), (one.clone(), results.clone()));
        let gather = [kept(Step::Gather(root)), Step::Broadcast(Some(root)).into()];
        assert_eq!(planned(&gather), (vec![("all_gather", 0)], results));
        let mapped = |first| [Stage::from(first), Step::Map(sgd).into(), broadcast];
        for first in [Step::AllReduce(sgd), Step::Reduce(sgd, root)] {
            assert_eq!(planned(&mapped(first)), (one.clone(), vec![(2, 0, Part::Whole)]));
        }
        let two = &mapped(Step::AllReduce(sgd))[..2];
        assert_eq!(planned(two), (one, vec![(1, 0, Part::Whole)]));
    }

    #[test]
    fn stages_with_data_of_their_own_go_at_once() {
        let all_reduce = Step::AllReduce(SUM).into();
        let chain = [all_reduce, Step::AllToAll.into(), all_reduce];
        let calls = vec![("all_reduce", 0), ("all_to_all", 1), ("all_reduce", 2)];
        let results = [0, 1, 2].map(|at| (at, at, Part::Whole)).to_vec();
        assert_eq!(planned(&chain), (calls, results));
        assert_eq!(Fused::new(&chain, 4).unwrap().inputs(), 3);
        let mixed = [Step::Scan(SUM).into(), Step::Broadcast(None).into(), all_reduce];
        assert_eq!(planned(&mixed).0, [("scan_total", 0), ("all_reduce", 1)]);
    }

    /// What cannot be fused is refused by its name, and the message says what to call.
    #[test]
    fn the_rest_is_refused_by_name() {
        let root = WorkerId(2);
        let (plain, sgd) = (user(false), user(true));
        let cases: &[(&[Step], &[&str])] = &[
            (&[], &["two stages", "not 0"]),
            (&[Step::AllToAll], &["two stages", "not 1"]),
            (&[Step::AllGather, Step::AllGather], &["stage 1", "all_gather", "call all_gather"]),
            (&[Step::AllReduce(SUM), Step::Scan(SUM)], &["stage 2", "scan", "call scan"]),
            (&[Step::AllReduce(SUM), Step::Broadcast(None)], &["stage 2", "leave it out"]),
            (&[Step::Broadcast(None), Step::AllToAll], &["stage 1", "call broadcast"]),
            (
                &[Step::Reduce(SUM, root), Step::Broadcast(Some(WorkerId(1)))],
                &["stage 2", "broadcast from rank 2"],
            ),
            (&[Step::Reduce(SUM, root), Step::AllToAll], &["stage 1", "reduce", "call reduce"]),
            (&[Step::Gather(root), Step::AllToAll], &["stage 1", "gather", "call gather"]),
            (&[Step::Other(Collective::ExScan), Step::AllGather], &["exscan", "call exscan"]),
            (&[Step::Map(sgd), Step::AllToAll], &["stage 1", "map", "call the function"]),
            (&[Step::AllReduce(plain), Step::Map(plain)], &["stage 2", "plain has no map"]),
            (&[Step::AllReduce(sgd), Step::Map(plain)], &["stage 2", "another one"]),
            (&[Step::Scan(sgd), Step::AllGather], &["stage 1", "scan", "sgd transforms"]),
        ];
        for (stages, words) in cases {
            let message = why(stages);
            assert!(words.iter().all(|word| message.contains(word)), "{message}");
        }
        let kept = [kept(Step::AllReduce(sgd)), Step::Map(sgd).into()];
        let message = Fused::new(&kept, 4).unwrap_err().to_string();
        assert!(message.contains("stage 1") && message.contains("keep"), "{message}");
    }

    #[test]
    fn steps_are_found_by_name() {
        let root = Some(WorkerId(3));
        for name in ["all_gather", "scan", "all_reduce", "reduce", "gather", "map", "broadcast"] {
            assert_eq!(Step::named(name, SUM, root).unwrap().name(), name);
        }
        assert_eq!(Step::named("exscan", SUM, root), Some(Step::Other(Collective::ExScan)));
        assert_eq!(Step::named("fold", SUM, root), None);
    }
}
