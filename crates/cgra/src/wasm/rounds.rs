//! Loops in symbolic execution: unrolled, or kept with what they carry (R-CGRA-2, R-CGRA-4).

use wasmparser::{Operator, ValType};

use super::bytes::Written;
use super::execute::Executor;
use super::module::Function;
use super::pool::{Expression, Id};
use super::state::{State, Value};
use crate::refusal::Refusal;

/// Most rounds of a loop whose end depends on operands.
const MOST_OPEN_ROUNDS: usize = 64;

/// A loop that is kept: what its locals are at first, and behind a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// The carried value, its first value and its next.
    pub(crate) carried: Vec<(Id, Id, Id)>,
    pub(crate) written: Written,
}

impl<'m> Executor<'_, 'm> {
    /// Runs a loop to its end.
    pub(super) fn rounds(
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
}
