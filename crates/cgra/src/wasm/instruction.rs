//! Instructions on numbers, locals and memory in symbolic execution (R-CGRA-2, R-CGRA-6).

use wasmparser::Operator;

use super::bdd::Condition;
use super::bytes::{lane, of_value};
use super::execute::{Effect, Executor, empty};
use super::pool::{Address, Id};
use super::scalar;
use super::state::{State, Value};
use super::vector::word;
use crate::op::{Op, Ty};
use crate::refusal::Refusal;

impl Executor<'_, '_> {
    pub(super) fn trap(&mut self, condition: Condition) {
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
    pub(super) fn straight(
        &mut self,
        operator: &Operator<'_>,
        state: &mut State,
    ) -> Result<(), Refusal> {
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
