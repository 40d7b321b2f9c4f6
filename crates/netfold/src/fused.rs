//! Chains of collectives in one pass over the network.

use bytemuck::{cast_slice, cast_slice_mut};
use netfold_net::fused::{self, FusedCall, FusedError, Part, Step};
use netfold_net::{Call, Collective, ElementType, Operation, Reduction, WorkerId};

use crate::communicator::Communicator;
use crate::element::Element;
use crate::error::Error;
use crate::options::Op;
use crate::pending::Pending;

/// A stage of a chain; see [`Communicator::fused`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    of: fused::Stage,
    /// Its parts differ in length.
    lengths: bool,
}

impl Stage {
    fn new(step: Step) -> Self {
        Self { of: step.into(), lengths: false }
    }

    /// Every worker gets every worker's vector.
    pub fn all_gather() -> Self {
        Self::new(Step::AllGather)
    }

    /// Each worker gets the fold of the vectors of the ranks up to its own.
    pub fn scan(op: Op) -> Self {
        Self::new(Step::Scan(op.into()))
    }

    /// Every worker gets the fold of all vectors.
    pub fn all_reduce(op: Op) -> Self {
        Self::new(Step::AllReduce(op.into()))
    }

    /// The worker `root` gets the fold of all vectors.
    pub fn reduce(op: Op, root: u16) -> Self {
        Self::new(Step::Reduce(op.into(), WorkerId(root)))
    }

    /// The worker `root` gets every worker's vector.
    pub fn gather(root: u16) -> Self {
        Self::new(Step::Gather(WorkerId(root)))
    }

    /// Worker r gets part r of every worker's vector.
    pub fn all_to_all() -> Self {
        Self::new(Step::AllToAll)
    }

    /// Worker r gets part r of every worker's vector, and the parts differ in length: a chain with
    /// this stage is carried out by [`Fused::run_v`].
    pub fn all_to_all_v() -> Self {
        Self { lengths: true, ..Self::all_to_all() }
    }

    /// The switch maps what the stage before has folded, by the map of the same operation.
    pub fn map(op: Op) -> Self {
        Self::new(Step::Map(op.into()))
    }

    /// Every worker gets what the stage before leaves with one: behind a scan with the last rank,
    /// behind a reduce or a gather with the root.
    pub fn broadcast() -> Self {
        Self::new(Step::Broadcast(None))
    }

    /// Any other stage by its name, such as `exscan`: to learn why no chain has it. `None` if no
    /// collective has the name.
    pub fn named(name: &str, op: Op, root: Option<u16>) -> Option<Self> {
        Step::named(name, op.into(), root.map(WorkerId)).map(Self::new)
    }

    /// The same stage with its result delivered, too, though another one follows.
    #[must_use]
    pub fn kept(self) -> Self {
        Self { of: fused::Stage { keep: true, ..self.of }, ..self }
    }
}

/// A chain of collectives that was planned by [`Communicator::fused`], to be carried out any number
/// of times.
#[derive(Clone)]
pub struct Fused {
    comm: Communicator,
    stages: Vec<Stage>,
    plan: fused::Fused,
}

impl Communicator {
    /// Plans a chain of collectives that is carried out in one pass over the network. Each stage
    /// takes what the one before gives, and its results have the bits of these calls one after the
    /// other. The stages that a chain may consist of, one group after the other, each with an input
    /// of its own:
    ///
    /// | stages | carried out as |
    /// | --- | --- |
    /// | (`all_gather`,) `scan`, `all_gather` | one call that gives all prefixes (R-STREAM-19) |
    /// | `scan`, `broadcast` | one call that gives prefix and total (R-STREAM-20) |
    /// | `reduce` (, `map`), `broadcast` | an all-reduce |
    /// | `all_reduce`, `map` (, `broadcast`) | an all-reduce, mapped in the switch (R-OP-28) |
    /// | `gather`, `broadcast` | an all-gather |
    /// | `all_reduce` | beside other groups: all are under way at once |
    /// | `all_to_all`, `all_to_all_v` | beside other groups: all are under way at once |
    ///
    /// All workers plan the same chain and carry it out at the same place among their calls.
    ///
    /// ```
    /// # use netfold::{Communicator, Op, Stage};
    /// # fn offsets(comm: &Communicator, mine: &[i64]) -> Result<Vec<i64>, Box<dyn std::error::Error>> {
    /// let chain = comm.fused(&[Stage::all_gather(), Stage::scan(Op::Sum), Stage::all_gather()])?;
    /// let every_prefix = chain.run(&[mine])?.remove(0);
    /// # Ok(every_prefix.unwrap())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FusedError`] names the stage that cannot be fused, the reason, and what to call instead.
    pub fn fused(&self, stages: &[Stage]) -> Result<Fused, FusedError> {
        let steps: Vec<_> = stages.iter().map(|stage| stage.of).collect();
        let plan = fused::Fused::new(&steps, self.size())?;
        Ok(Fused { comm: self.clone(), stages: stages.to_vec(), plan })
    }
}

impl Fused {
    /// Returns the number of inputs: one for each group of stages.
    pub fn inputs(&self) -> usize {
        self.plan.inputs()
    }

    /// Carries the chain out on these inputs, in the order of their groups. Returns the results of
    /// the stages that are kept, and of the last stage of each group, in the order of stages;
    /// `None` for that of a `reduce` or a `gather` at workers other than its root.
    ///
    /// # Errors
    /// [`Error::Inputs`] if there are more inputs or fewer, [`Error::Length`] if the input of an
    /// `all_to_all` cannot be divided among the workers, or the chain has an `all_to_all_v`, and
    /// [`Error::Job`].
    pub fn run<T: Element>(&self, inputs: &[&[T]]) -> Result<Vec<Option<Vec<T>>>, Error> {
        Ok(self.run_v(inputs, &[])?.0)
    }

    /// Carries a chain with `all_to_all_v` out. `lengths` has a list for each of these stages, in
    /// their order: the numbers of elements of its input that go to each worker. Returns what
    /// [`Fused::run`] returns, and for each of these stages the numbers of elements that have come
    /// from each worker.
    ///
    /// The workers tell each other their lengths while the other calls are under way.
    ///
    /// # Errors
    /// As [`Fused::run`], and [`Error::Length`] if the lengths of a stage are not one for each
    /// worker, or are not those of its input.
    #[expect(clippy::type_complexity, reason = "results as `run` gives them, and lengths")]
    pub fn run_v<T: Element>(
        &self,
        inputs: &[&[T]],
        lengths: &[&[usize]],
    ) -> Result<(Vec<Option<Vec<T>>>, Vec<Vec<usize>>), Error> {
        let (needed, given) = (self.plan.inputs(), inputs.len());
        if needed != given {
            return Err(Error::Inputs { needed, given });
        }
        let planned = self.plan.calls();
        let differing = self.calls_with_lengths(inputs, lengths)?;
        let calls = (0..planned.len()).filter(|number| !differing.contains(number));
        let calls = calls.map(|number| Ok((number, self.call(planned[number], inputs)?)));
        let calls = calls.collect::<Result<Vec<_>, Error>>()?;
        let mut outputs = vec![Vec::new(); planned.len()];
        let mut received = Vec::new();
        if let ([(number, (call, elements))], []) = (&calls[..], &differing[..]) {
            outputs[*number] = self.run_one(*call, inputs[planned[*number].input], *elements)?;
        } else {
            let begun = calls.iter().map(|(number, (call, elements))| {
                let (input, output) =
                    (inputs[planned[*number].input].to_vec(), vec![T::zeroed(); *elements]);
                let call = self.comm.raw().submit_owned_into(*call, input, output)?;
                Ok((*number, Pending::new(call, self.comm.timeout())))
            });
            let begun = begun.collect::<Result<Vec<_>, Error>>()?;
            let told = lengths.iter().map(|own| self.tell(own));
            let told = told.collect::<Result<Vec<_>, Error>>()?;
            for (number, call) in begun {
                outputs[number] = call.wait()?;
            }
            let told = told.into_iter().map(Pending::wait);
            let told = told.collect::<Result<Vec<_>, Error>>()?;
            for (number, pairs) in differing.into_iter().zip(told) {
                let (output, from) = self.exchange(inputs[planned[number].input], &pairs)?;
                outputs[number] = output;
                received.push(from);
            }
        }
        let part = |result: &fused::FusedResult| self.part(result.part, &outputs[result.call]);
        Ok((self.plan.results().iter().map(part).collect(), received))
    }

    /// Returns the calls whose parts differ in length, and checks these lengths.
    fn calls_with_lengths<T>(
        &self,
        inputs: &[&[T]],
        lengths: &[&[usize]],
    ) -> Result<Vec<usize>, Error> {
        let differs = |result: &&fused::FusedResult| self.stages[result.stage].lengths;
        let calls: Vec<usize> =
            self.plan.results().iter().filter(differs).map(|result| result.call).collect();
        let size = self.comm.size();
        let wrong = |input: usize, output: usize| Error::Length {
            call: "all_to_all_v",
            size,
            needed: "the lengths of the input's parts, one for each worker, by run_v",
            input,
            output,
        };
        if calls.len() != lengths.len() {
            return Err(wrong(calls.len(), lengths.len()));
        }
        for (call, own) in calls.iter().zip(lengths) {
            let (given, mut all) = (inputs[self.plan.calls()[*call].input].len(), own.iter());
            let all = all.try_fold(0_usize, |all, length| all.checked_add(*length));
            if own.len() != usize::from(size) || all != Some(given) {
                return Err(wrong(given, all.unwrap_or(usize::MAX)));
            }
        }
        Ok(calls)
    }

    /// Begins to tell the other workers the lengths of this one's parts, and to learn theirs.
    fn tell(&self, own: &[usize]) -> Result<Pending<i64>, Error> {
        let own: Vec<i64> = own.iter().map(|length| *length as i64).collect();
        let call = Call {
            collective: Collective::AllGather,
            reduction: Reduction::Fold(Operation::Copy),
            element_type: ElementType::U8,
            elements: size_of_val(&own[..]) as u64,
            priority: self.comm.priority(),
        };
        let all = vec![0; own.len() * own.len()];
        let call = self.comm.raw().submit_owned_into(call, own, all)?;
        Ok(Pending::new(call, self.comm.timeout()))
    }

    /// Makes an all-to-all whose parts have these lengths, from each worker to each. Returns what
    /// has come, and how much from each worker.
    fn exchange<T: Element>(
        &self,
        input: &[T],
        pairs: &[i64],
    ) -> Result<(Vec<T>, Vec<usize>), Error> {
        let (rank, size) = (usize::from(self.comm.rank()), usize::from(self.comm.size()));
        let pairs: Vec<usize> = pairs.iter().map(|length| *length as usize).collect();
        let from: Vec<usize> = pairs.iter().skip(rank).step_by(size).copied().collect();
        let mut output = vec![T::zeroed(); from.iter().sum()];
        self.comm.all_to_all_v(input, &mut output, &pairs)?;
        Ok((output, from))
    }

    fn run_one<T: Element>(
        &self,
        call: Call,
        input: &[T],
        elements: usize,
    ) -> Result<Vec<T>, Error> {
        let mut output = vec![T::zeroed(); elements];
        let (from, to) = (cast_slice(input), cast_slice_mut(&mut output));
        self.comm.raw().run(call, from, to, self.comm.timeout())?;
        Ok(output)
    }

    /// Returns a call of the plan on its input, and the elements of its output.
    fn call<T: Element>(&self, of: FusedCall, inputs: &[&[T]]) -> Result<(Call, usize), Error> {
        let input = inputs[of.input];
        let (n, size) = (input.len(), usize::from(self.comm.size()));
        let parts = if of.collective == Collective::AllToAll { size } else { 1 };
        let elements = match of.collective {
            Collective::Prefixes | Collective::AllGather => n * size,
            Collective::ScanTotal if !self.is_last() => 2 * n,
            _ => n,
        };
        if !n.is_multiple_of(parts) {
            return Err(Error::Length {
                call: of.collective.name(),
                size: self.comm.size(),
                needed: "an input of as many elements for each worker, and an output as long",
                input: n,
                output: elements,
            });
        }
        let reduction = of.fold.map(|stage| self.reduction(stage));
        let (element_type, bytes) = match reduction {
            Some(Reduction::Fold(_) | Reduction::Average) => (T::TYPE, 1),
            // R-OP-24, and what is moved.
            _ => (ElementType::U8, size_of::<T>()),
        };
        let call = Call {
            collective: of.collective,
            reduction: reduction.unwrap_or(Reduction::Fold(Operation::Copy)),
            element_type,
            elements: (n / parts * bytes) as u64,
            priority: self.comm.priority(),
        };
        Ok((call, elements))
    }

    fn reduction(&self, stage: usize) -> Reduction {
        match self.stages[stage].of.step {
            Step::Scan(fold) | Step::AllReduce(fold) | Step::Reduce(fold, _) => fold,
            step => unreachable!("{} folds nothing", step.name()),
        }
    }

    fn is_last(&self) -> bool {
        self.comm.rank() + 1 == self.comm.size()
    }

    /// Returns the part of a call's output that is a result.
    fn part<T: Element>(&self, part: Part, output: &[T]) -> Option<Vec<T>> {
        let size = usize::from(self.comm.size());
        let nth = |vector: usize, of: usize| {
            let elements = output.len() / of;
            output[vector * elements..][..elements].to_vec()
        };
        Some(match part {
            Part::Whole => output.to_vec(),
            Part::Own => nth(self.comm.rank().into(), size),
            // The last rank has its prefix once.
            Part::Total | Part::Prefix if self.is_last() => output.to_vec(),
            Part::Total => nth(0, 2),
            Part::Prefix => nth(1, 2),
            Part::AtRoot(root) => {
                return (root.0 == self.comm.rank()).then(|| output.to_vec());
            }
        })
    }
}
