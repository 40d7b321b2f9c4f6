//! Symbolic execution of a function for a number of elements that is known (R-CGRA-2).
//!
//! Loops whose rounds are known are unrolled, calls are put in their place, and paths that meet
//! again are joined by choices. What is left is the list of effects: stores and traps.

use wasmparser::{Operator, ValType};

use super::bdd::Condition;
use super::bytes::{Byte, Written};
use super::module::{Function, Module};
use super::pool::{Address, Expression, Id, Region};
use super::rounds::Kept;
use super::state::{State, Terms, Value};
use super::vector::word;
use crate::op::{Op, Ty};
use crate::refusal::Refusal;

/// Most values of an extraction.
const MOST_VALUES: usize = 60_000;

/// Most instructions that are carried out.
const MOST_STEPS: u64 = 400_000;

/// Most calls inside of each other.
const MOST_CALLS: usize = 16;

/// Effects of a function besides its return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) op: Op,
    pub(crate) address: Address,
    pub(crate) bytes: u8,
    /// Value to be stored; of a trap the condition.
    pub(crate) value: Id,
    /// The condition of a store.
    pub(crate) condition: Id,
    /// Number of effects that came before.
    pub(crate) version: u32,
}

/// A block that is open, and the paths that have branched to its end.
pub(super) struct Label {
    arity: usize,
    height: usize,
    pub(super) arrived: Vec<State>,
}

/// A function in execution.
pub(crate) struct Executor<'e, 'm> {
    module: &'e Module<'m>,
    pub(crate) terms: Terms,
    pub(crate) effects: Vec<Effect>,
    pub(super) labels: Vec<Label>,
    /// Labels of functions: where `return` goes.
    functions: Vec<usize>,
    /// Parameters that are pointers.
    pointers: Vec<Id>,
    pub(crate) steps: u64,
    /// Set if the first loop that runs is kept.
    pub(super) keep: bool,
    pub(crate) kept: Option<Kept>,
    /// The least address of the stack, and its end.
    pub(crate) stack: u64,
    pub(crate) top: u64,
}

impl<'e, 'm> Executor<'e, 'm> {
    pub(crate) fn new(module: &'e Module<'m>, keep: bool) -> Self {
        let stack = module.globals.first().copied().unwrap_or(0);
        Self {
            module,
            terms: Terms::default(),
            effects: Vec::new(),
            labels: Vec::new(),
            functions: Vec::new(),
            pointers: Vec::new(),
            steps: 0,
            keep,
            kept: None,
            stack,
            top: stack,
        }
    }

    pub(crate) fn constant(&mut self, bits: u64) -> Id {
        self.terms.pool.constant(bits)
    }

    /// Runs an exported function for `count` elements, whose number is parameter `count_at`.
    /// Returns the memory at its end.
    pub(crate) fn run(
        &mut self,
        name: &str,
        count_at: usize,
        count: u32,
    ) -> Result<Written, Refusal> {
        let module = self.module;
        let function = module.exported(name).ok_or_else(|| Refusal::NoFunction(name.to_owned()))?;
        let mut stack = Vec::new();
        for parameter in 0..function.parameters {
            let id = if parameter == count_at {
                self.constant(count.into())
            } else {
                self.terms.pool.add(Expression::Parameter(parameter as u32))
            };
            if parameter < count_at {
                self.pointers.push(id);
            }
            stack.push(Value::Word(id));
        }
        let globals =
            module.globals.iter().map(|bits| Value::Word(self.terms.pool.constant(*bits)));
        let globals = globals.collect();
        let state = State { stack, globals, ..State::empty() };
        let end = self.function(function, state)?;
        Ok(end.map(|state| state.written).unwrap_or_default())
    }

    /// Returns the memory that an address is in.
    pub(crate) fn region(&self, address: Address) -> Region {
        let of = |id| match self.pointers.iter().position(|pointer| *pointer == id) {
            Some(0) => Some(Region::First),
            Some(_) => Some(Region::Second),
            None => match &self.kept {
                // A carried pointer points where it did at first.
                Some(kept) => kept
                    .carried
                    .iter()
                    .find(|(carried, ..)| *carried == id)
                    .map(|(_, first, _)| self.region(self.terms.pool.address(*first)))
                    .filter(|region| *region != Region::Own),
                None => None,
            },
        };
        self.terms.pool.region(address, &of)
    }

    fn function(
        &mut self,
        function: &Function<'m>,
        mut state: State,
    ) -> Result<Option<State>, Refusal> {
        if self.functions.len() >= MOST_CALLS {
            return Err(Refusal::Instruction(format!(
                "more than {MOST_CALLS} calls inside of each other"
            )));
        }
        let split = state.stack.len() - function.parameters;
        let mut locals = state.stack.split_off(split);
        let zero = self.constant(0);
        for ty in &function.locals[function.parameters..] {
            locals.push(match ty {
                ValType::V128 => Value::Vector([Byte::Of(zero, 0); 16]),
                _ => Value::Word(zero),
            });
        }
        let outer = std::mem::replace(&mut state.locals, locals);
        self.functions.push(self.labels.len());
        self.open(function.results, &state);
        let end = function.code.len() - 1;
        let state = self.sequence(function, 0, end, Some(state))?;
        let state = self.close(state);
        self.functions.pop();
        Ok(state.map(|mut state| {
            state.locals = outer;
            state
        }))
    }

    pub(super) fn open(&mut self, arity: usize, state: &State) {
        self.labels.push(Label { arity, height: state.stack.len(), arrived: Vec::new() });
    }

    /// Ends a block: joins the paths that have come to its end.
    fn close(&mut self, state: Option<State>) -> Option<State> {
        let label = self.labels.pop()?;
        self.join(state, label.arrived)
    }

    pub(super) fn join(&mut self, state: Option<State>, arrived: Vec<State>) -> Option<State> {
        let live = state.into_iter().chain(arrived);
        let live: Vec<_> = live.filter(|state| state.condition != Condition::FALSE).collect();
        live.into_iter().rev().reduce(|later, earlier| self.terms.merge(earlier, later))
    }

    fn branch(&mut self, depth: u32, mut state: State) {
        let at = self.labels.len() - 1 - depth as usize;
        let label = &mut self.labels[at];
        let values = state.stack.split_off(state.stack.len() - label.arity);
        state.stack.truncate(label.height);
        state.stack.extend(values);
        label.arrived.push(state);
    }

    /// Splits a path by a condition.
    fn split(&mut self, state: State, condition: Condition) -> (Option<State>, Option<State>) {
        let diagrams = &mut self.terms.diagrams;
        let no = diagrams.not(condition);
        let yes = diagrams.and(state.condition, condition);
        let no = diagrams.and(state.condition, no);
        let of = |condition, state| {
            (condition != Condition::FALSE).then_some(State { condition, ..state })
        };
        match (yes, no) {
            (Condition::FALSE, no) => (None, of(no, state)),
            (yes, Condition::FALSE) => (of(yes, state), None),
            (yes, no) => (of(yes, state.clone()), of(no, state)),
        }
    }

    pub(super) fn sequence(
        &mut self,
        function: &Function<'m>,
        begin: usize,
        end: usize,
        mut state: Option<State>,
    ) -> Result<Option<State>, Refusal> {
        let mut at = begin;
        while at < end {
            let operator = &function.code[at];
            let Some(mut now) = state.take() else {
                at = match operator {
                    Operator::Block { .. } | Operator::Loop { .. } => function.ends[at] + 1,
                    Operator::If { .. } => self.end_of_if(function, at) + 1,
                    _ => at + 1,
                };
                continue;
            };
            self.steps += 1;
            if self.steps > MOST_STEPS || self.terms.pool.len() > MOST_VALUES {
                return Err(Refusal::Size { limit: MOST_VALUES });
            }
            match operator {
                Operator::Block { blockty } => {
                    self.open(arity(blockty), &now);
                    let last = function.ends[at];
                    let inside = self.sequence(function, at + 1, last, Some(now))?;
                    state = self.close(inside);
                    at = last;
                }
                Operator::Loop { .. } => {
                    let last = function.ends[at];
                    state = self.rounds(function, at + 1, last, now)?;
                    at = last;
                }
                Operator::If { blockty } => {
                    let condition = word(&mut now)?;
                    let last = self.end_of_if(function, at);
                    let middle = function.ends[at];
                    let condition = self.terms.condition(condition);
                    self.open(arity(blockty), &now);
                    let (then, otherwise) = self.split(now, condition);
                    let then = self.sequence(function, at + 1, middle, then)?;
                    let otherwise =
                        self.sequence(function, middle + 1, last.max(middle), otherwise)?;
                    let label = self.labels.pop();
                    let arrived = label.map(|label| label.arrived).unwrap_or_default();
                    let arrived = otherwise.into_iter().chain(arrived).collect();
                    state = self.join(then, arrived);
                    at = last;
                }
                _ => state = self.control(operator, now)?,
            }
            at += 1;
        }
        Ok(state)
    }

    fn end_of_if(&self, function: &Function<'m>, at: usize) -> usize {
        let middle = function.ends[at];
        if matches!(function.code[middle], Operator::Else) { function.ends[middle] } else { middle }
    }

    /// Carries out an instruction that is no block. `None` where the path ends.
    fn control(
        &mut self,
        operator: &Operator<'m>,
        mut state: State,
    ) -> Result<Option<State>, Refusal> {
        match operator {
            Operator::Br { relative_depth } => {
                self.branch(*relative_depth, state);
                return Ok(None);
            }
            Operator::BrIf { relative_depth } => {
                let condition = word(&mut state)?;
                let condition = self.terms.condition(condition);
                let (taken, not) = self.split(state, condition);
                if let Some(taken) = taken {
                    self.branch(*relative_depth, taken);
                }
                return Ok(not);
            }
            Operator::BrTable { targets } => {
                let index = word(&mut state)?;
                let mut rest = Some(state);
                for (number, target) in targets.targets().enumerate() {
                    let target = target.map_err(|error| Refusal::Module(error.to_string()))?;
                    let Some(state) = rest.take() else { break };
                    let number = self.constant(number as u64);
                    let is = self.terms.pool.binary(Op::Eq, Ty::I32, index, number);
                    let is = self.terms.condition(is);
                    let (taken, not) = self.split(state, is);
                    taken.into_iter().for_each(|state| self.branch(target, state));
                    rest = not;
                }
                rest.into_iter().for_each(|state| self.branch(targets.default(), state));
                return Ok(None);
            }
            Operator::Return => {
                let depth = self.labels.len() - 1 - self.functions.last().copied().unwrap_or(0);
                self.branch(depth as u32, state);
                return Ok(None);
            }
            Operator::Unreachable => {
                self.trap(state.condition);
                return Ok(None);
            }
            Operator::Call { function_index } => {
                let module = self.module;
                let function = module.functions.get(*function_index as usize);
                let function =
                    function.ok_or_else(|| Refusal::NoFunction("a called function".into()))?;
                return self.function(function, state);
            }
            _ => {}
        }
        self.straight(operator, &mut state)?;
        Ok(Some(state))
    }
}

fn arity(ty: &wasmparser::BlockType) -> usize {
    usize::from(!matches!(ty, wasmparser::BlockType::Empty))
}

pub(super) fn empty() -> Refusal {
    Refusal::Module("the stack is empty".into())
}
