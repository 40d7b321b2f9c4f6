//! Symbolic execution of a function for a number of elements that is known (R-CGRA-2).
//!
//! Loops whose rounds are known are unrolled, calls are put in their place, and paths that meet
//! again are joined by choices. What is left is the list of effects: stores and traps.

use wasmparser::{Operator, ValType};

use super::bdd::Condition;
use super::bytes::{Byte, Written, lane, of_value};
use super::module::{Function, Module};
use super::pool::{Address, Expression, Id, Region};
use super::scalar;
use super::state::{State, Terms, Value};
use super::vector::word;
use crate::op::{Op, Ty};
use crate::refusal::Refusal;

/// Most values of an extraction.
const MOST_VALUES: usize = 60_000;

/// Most rounds of a loop whose end depends on operands.
const MOST_OPEN_ROUNDS: usize = 64;

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

/// A loop that is kept: what its locals are at first, and behind a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// The carried value, its first value and its next.
    pub(crate) carried: Vec<(Id, Id, Id)>,
    pub(crate) written: Written,
}

struct Label {
    arity: usize,
    height: usize,
    arrived: Vec<State>,
}

/// A function in execution.
pub(crate) struct Executor<'e, 'm> {
    module: &'e Module<'m>,
    pub(crate) terms: Terms,
    pub(crate) effects: Vec<Effect>,
    labels: Vec<Label>,
    /// Labels of functions: where `return` goes.
    functions: Vec<usize>,
    /// Parameters that are pointers.
    pointers: Vec<Id>,
    pub(crate) steps: u64,
    /// Set if the first loop that runs is kept.
    keep: bool,
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
    /// Returns
    /// the memory at its end.
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

    fn open(&mut self, arity: usize, state: &State) {
        self.labels.push(Label { arity, height: state.stack.len(), arrived: Vec::new() });
    }

    /// Ends a block: joins the paths that have come to its end.
    fn close(&mut self, state: Option<State>) -> Option<State> {
        let label = self.labels.pop()?;
        self.join(state, label.arrived)
    }

    fn join(&mut self, state: Option<State>, arrived: Vec<State>) -> Option<State> {
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

    fn sequence(
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

    /// Runs a loop to its end.
    fn rounds(
        &mut self,
        function: &Function<'m>,
        begin: usize,
        end: usize,
        first: State,
    ) -> Result<Option<State>, Refusal> {
        if std::mem::take(&mut self.keep) {
            return self.round_kept(function, begin, end, first);
        }
        let (mut next, mut left, mut open) = (Some(first), Vec::new(), 0);
        while let Some(state) = next.take() {
            let before = state.condition;
            self.open(0, &state);
            let behind = self.sequence(function, begin, end, Some(state))?;
            let arrived = self.labels.pop().map(|label| label.arrived).unwrap_or_default();
            left.extend(behind);
            next = self.join(None, arrived);
            open += usize::from(next.as_ref().is_some_and(|state| state.condition != before));
            if open > MOST_OPEN_ROUNDS {
                return Err(Refusal::Loop(format!("it has not ended after {open} of them")));
            }
        }
        Ok(self.join(None, left))
    }

    /// Runs one round of a loop with what it carries unknown (R-CGRA-4).
    fn round_kept(
        &mut self,
        function: &Function<'m>,
        begin: usize,
        end: usize,
        mut state: State,
    ) -> Result<Option<State>, Refusal> {
        if !state.written.is_empty() || !self.effects.is_empty() {
            return Err(Refusal::Loop("there are stores in front of it".into()));
        }
        let mut carried: Vec<(u32, Id, Id)> = Vec::new();
        for operator in &function.code[begin..end] {
            let (Operator::LocalSet { local_index } | Operator::LocalTee { local_index }) =
                operator
            else {
                continue;
            };
            let local = *local_index;
            if carried.iter().any(|(known, ..)| *known == local) {
                continue;
            }
            let bytes = match function.locals[local as usize] {
                ValType::I32 | ValType::F32 => 4,
                ValType::I64 | ValType::F64 => 8,
                _ => return Err(Refusal::Loop("it carries a vector".into())),
            };
            let Value::Word(initial) = state.locals[local as usize] else { continue };
            let id = self.terms.pool.add(Expression::Carried { local, bytes });
            state.locals[local as usize] = Value::Word(id);
            carried.push((local, id, initial));
        }
        let mut kept = Kept::default();
        kept.carried.extend(carried.iter().map(|(_, id, initial)| (*id, *initial, *initial)));
        self.kept = Some(kept.clone());
        self.open(0, &state);
        let behind = self.sequence(function, begin, end, Some(state))?;
        let arrived = self.labels.pop().map(|label| label.arrived).unwrap_or_default();
        let round = self.join(behind, arrived);
        let round = round.ok_or_else(|| Refusal::Loop("it does not end".into()))?;
        for (entry, (local, ..)) in kept.carried.iter_mut().zip(&carried) {
            if let Value::Word(next) = round.locals[*local as usize] {
                entry.2 = next;
            }
        }
        kept.written = round.written;
        self.kept = Some(kept);
        Ok(None)
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

    fn trap(&mut self, condition: Condition) {
        let value = self.terms.word(condition);
        if self.terms.pool.value(value) != Some(0) {
            let address = Address { base: None, offset: 0 };
            let condition = self.constant(1);
            let version = self.effects.len() as u32;
            self.effects.push(Effect {
                op: Op::Trap,
                address,
                bytes: 0,
                value,
                condition,
                version,
            });
        }
    }

    /// Carries out an instruction that does not branch.
    fn straight(&mut self, operator: &Operator<'_>, state: &mut State) -> Result<(), Refusal> {
        let made = match *operator {
            Operator::Nop => return Ok(()),
            Operator::Drop => {
                state.stack.pop();
                return Ok(());
            }
            Operator::LocalGet { local_index } => state.locals[local_index as usize],
            Operator::LocalSet { local_index } => {
                let value = state.stack.pop();
                state.locals[local_index as usize] = value.ok_or_else(empty)?;
                return Ok(());
            }
            Operator::LocalTee { local_index } => {
                let value = *state.stack.last().ok_or_else(empty)?;
                state.locals[local_index as usize] = value;
                return Ok(());
            }
            Operator::GlobalGet { global_index } => state.globals[global_index as usize],
            Operator::GlobalSet { global_index } => {
                let value = state.stack.pop().ok_or_else(empty)?;
                if let (0, Value::Word(id)) = (global_index, value) {
                    self.stack = self.stack.min(self.terms.pool.value(id).unwrap_or(u64::MAX));
                }
                state.globals[global_index as usize] = value;
                return Ok(());
            }
            Operator::I32Const { value } => Value::Word(self.constant(u64::from(value as u32))),
            Operator::I64Const { value } => Value::Word(self.constant(value as u64)),
            Operator::F32Const { value } => Value::Word(self.constant(value.bits().into())),
            Operator::F64Const { value } => Value::Word(self.constant(value.bits())),
            Operator::Select | Operator::TypedSelect { .. } => {
                let condition = word(state)?;
                let (b, a) = (state.stack.pop(), state.stack.pop());
                let (a, b) = (a.ok_or_else(empty)?, b.ok_or_else(empty)?);
                let condition = self.terms.condition(condition);
                self.terms.chosen(condition, a, b)
            }
            Operator::I32Eqz => self.is_zero(state, Ty::I32)?,
            Operator::I64Eqz => self.is_zero(state, Ty::I64)?,
            Operator::MemoryCopy { .. } => return self.copy(state),
            Operator::MemoryFill { .. } => return self.fill(state),
            _ if scalar::store(operator).is_some() => return self.store_word(operator, state),
            _ => match self.numeric(operator, state)? {
                Some(value) => value,
                None if self.vector(operator, state)? => return Ok(()),
                None => {
                    let text = format!("{operator:?}");
                    let name = text.split([' ', '{']).next().unwrap_or_default();
                    return Err(Refusal::Instruction(format!("`{name}`")));
                }
            },
        };
        state.stack.push(made);
        Ok(())
    }

    fn is_zero(&mut self, state: &mut State, ty: Ty) -> Result<Value, Refusal> {
        let (a, zero) = (word(state)?, self.constant(0));
        Ok(Value::Word(self.terms.pool.binary(Op::Eq, ty, a, zero)))
    }

    /// An instruction on numbers, or a load or store of one. `None` if it is another.
    fn numeric(
        &mut self,
        operator: &Operator<'_>,
        state: &mut State,
    ) -> Result<Option<Value>, Refusal> {
        if let Some((op, ty, swapped)) = scalar::binary(operator) {
            let (b, a) = (word(state)?, word(state)?);
            let (a, b) = if swapped { (b, a) } else { (a, b) };
            return Ok(Some(Value::Word(self.terms.pool.binary(op, ty, a, b))));
        }
        if let Some((op, ty)) = scalar::unary(operator) {
            let a = word(state)?;
            if let Some((limit, unsigned)) = scalar::bounded(operator) {
                self.check_range(operator, state.condition, ty, a, limit, unsigned)?;
            }
            return Ok(Some(Value::Word(self.terms.pool.unary(op, ty, a))));
        }
        if let Some((op, ty)) = scalar::quotient(operator) {
            let (b, a) = (word(state)?, word(state)?);
            self.check_divisor(op, ty, a, b, state.condition);
            return Ok(Some(Value::Word(self.terms.pool.binary(op, ty, a, b))));
        }
        if let Some((memarg, bytes, extend)) = scalar::load(operator) {
            let from = self.read(state, memarg.offset, bytes)?;
            let id = lane(&mut self.terms.pool, &from);
            let id = extend.map_or(id, |(op, ty)| self.terms.pool.unary(op, ty, id));
            return Ok(Some(Value::Word(id)));
        }
        Ok(None)
    }

    fn store_word(&mut self, operator: &Operator<'_>, state: &mut State) -> Result<(), Refusal> {
        let Some((memarg, bytes)) = scalar::store(operator) else { return Ok(()) };
        let id = word(state)?;
        self.write(state, memarg.offset, &of_value(id, bytes).collect::<Vec<_>>())
    }

    /// Traps where a divisor is zero, or a quotient has no place.
    fn check_divisor(&mut self, op: Op, ty: Ty, a: Id, b: Id, path: Condition) {
        let (zero, least) = (self.constant(0), self.constant(1 << (ty.bits() - 1)));
        let is_zero = self.terms.pool.binary(Op::Eq, ty, b, zero);
        let mut wrong = self.terms.condition(is_zero);
        if op == Op::DivS {
            let minus_one = self.constant(ty.mask());
            let is_least = self.terms.pool.binary(Op::Eq, ty, a, least);
            let is_minus = self.terms.pool.binary(Op::Eq, ty, b, minus_one);
            let (least, minus) = (self.terms.condition(is_least), self.terms.condition(is_minus));
            let both = self.terms.diagrams.and(least, minus);
            wrong = self.terms.diagrams.or(wrong, both);
        }
        let wrong = self.terms.diagrams.and(path, wrong);
        self.trap(wrong);
    }

    /// Refuses a conversion that the path does not keep from trapping.
    fn check_range(
        &mut self,
        operator: &Operator<'_>,
        path: Condition,
        ty: Ty,
        a: Id,
        limit: u64,
        unsigned: bool,
    ) -> Result<(), Refusal> {
        let (limit, zero) = (self.constant(limit), self.constant(0));
        let pool = &mut self.terms.pool;
        let magnitude = if unsigned { a } else { pool.unary(Op::FAbs, ty, a) };
        let below = pool.binary(Op::FLt, ty, magnitude, limit);
        let above = pool.binary(Op::FLe, ty, zero, a);
        let mut right = self.terms.condition(below);
        if unsigned {
            let above = self.terms.condition(above);
            right = self.terms.diagrams.and(right, above);
        }
        let wrong = self.terms.diagrams.not(right);
        if self.terms.diagrams.and(path, wrong) == Condition::FALSE {
            return Ok(());
        }
        Err(Refusal::Instruction(format!("{operator:?}, which traps on numbers that do not fit,")))
    }
}

fn arity(ty: &wasmparser::BlockType) -> usize {
    usize::from(!matches!(ty, wasmparser::BlockType::Empty))
}

pub(super) fn empty() -> Refusal {
    Refusal::Module("the stack is empty".into())
}
