//! The state of a function on one of its paths, and the meeting of paths (if-conversion: Allen,
//! Kennedy, Porterfield and Warren, POPL 1983).

use std::collections::BTreeMap;

use super::bdd::{Condition, Diagrams};
use super::bytes::{Byte, Written, lane, of_value, run_length};
use super::pool::{Expression, Id, Pool};
use crate::op::{Op, Ty};

/// A value of a local or of the stack.
#[expect(clippy::large_enum_variant, reason = "modules are small, and values are copied on paths")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Word(Id),
    Vector([Byte; 16]),
}

/// The state on a path.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) stack: Vec<Value>,
    pub(crate) locals: Vec<Value>,
    pub(crate) globals: Vec<Value>,
    pub(crate) written: Written,
    /// The condition of the path.
    pub(crate) condition: Condition,
}

impl State {
    /// The state of a function that has done nothing.
    pub(crate) fn empty() -> Self {
        Self {
            stack: Vec::new(),
            locals: Vec::new(),
            globals: Vec::new(),
            written: Written::default(),
            condition: Condition::TRUE,
        }
    }
}

/// Values and conditions.
#[derive(Default)]
pub(crate) struct Terms {
    pub(crate) pool: Pool,
    pub(crate) diagrams: Diagrams,
    variables: BTreeMap<Id, u32>,
    of_variable: Vec<Id>,
    words: BTreeMap<Condition, Id>,
    /// Effects so far: what memory is loaded from after.
    pub(crate) version: u32,
}

impl Terms {
    /// Returns the condition that a word is not zero.
    pub(crate) fn condition(&mut self, word: Id) -> Condition {
        if let Some(bits) = self.pool.value(word) {
            return if bits == 0 { Condition::FALSE } else { Condition::TRUE };
        }
        if let Expression::Apply(op, ty, [a, b, _]) = self.pool.get(word) {
            let bits = self.pool.is_bit(a) && self.pool.is_bit(b);
            match (op, self.pool.value(b)) {
                (Op::And, None) if bits => {
                    let (a, b) = (self.condition(a), self.condition(b));
                    return self.diagrams.and(a, b);
                }
                (Op::Or, None) if bits => {
                    let (a, b) = (self.condition(a), self.condition(b));
                    return self.diagrams.or(a, b);
                }
                (Op::Eq, Some(0)) | (Op::Xor, Some(1)) if op == Op::Eq || self.pool.is_bit(a) => {
                    let of = self.condition(a);
                    return self.diagrams.not(of);
                }
                (Op::Ne, Some(0)) => return self.condition(a),
                _ => {}
            }
            let opposite = match op {
                Op::Ne => Some((Op::Eq, a, b)),
                Op::LeS => Some((Op::LtS, b, a)),
                Op::LeU => Some((Op::LtU, b, a)),
                Op::FNe => Some((Op::FEq, a, b)),
                _ => None,
            };
            if let Some((op, a, b)) = opposite {
                let positive = self.pool.binary(op, ty, a, b);
                let of = self.condition(positive);
                return self.diagrams.not(of);
            }
        }
        let next = self.of_variable.len() as u32;
        let variable = *self.variables.entry(word).or_insert_with(|| {
            self.of_variable.push(word);
            next
        });
        self.diagrams.variable(variable)
    }

    /// Returns a condition as a word: 1 or 0.
    pub(crate) fn word(&mut self, condition: Condition) -> Id {
        let Some(choice) = self.diagrams.choice(condition) else {
            return self.pool.constant(u64::from(condition == Condition::TRUE));
        };
        if let Some(known) = self.words.get(&condition) {
            return *known;
        }
        let of = self.of_variable[choice.variable as usize];
        let of = if self.pool.is_bit(of) {
            of
        } else {
            let zero = self.pool.constant(0);
            self.pool.binary(Op::Ne, Ty::I32, of, zero)
        };
        let word = match (choice.then, choice.otherwise) {
            (Condition::TRUE, Condition::FALSE) => of,
            (Condition::FALSE, Condition::TRUE) => self.opposite(of),
            (Condition::TRUE, rest) => self.joined(Op::Or, of, rest),
            (rest, Condition::FALSE) => self.joined(Op::And, of, rest),
            (Condition::FALSE, rest) => {
                let not = self.opposite(of);
                self.joined(Op::And, not, rest)
            }
            (rest, Condition::TRUE) => {
                let not = self.opposite(of);
                self.joined(Op::Or, not, rest)
            }
            (then, otherwise) => {
                let (then, otherwise) = (self.word(then), self.word(otherwise));
                self.pool.apply(Op::Select, Ty::I32, [then, otherwise, of])
            }
        };
        self.words.insert(condition, word);
        word
    }

    fn opposite(&mut self, bit: Id) -> Id {
        match self.pool.negated(bit) {
            Some(opposite) => opposite,
            None => {
                let zero = self.pool.constant(0);
                self.pool.binary(Op::Eq, Ty::I32, bit, zero)
            }
        }
    }

    fn joined(&mut self, op: Op, of: Id, rest: Condition) -> Id {
        let rest = self.word(rest);
        self.pool.binary(op, Ty::I32, of, rest)
    }

    /// Joins two paths. Values that differ are chosen by a condition.
    pub(crate) fn merge(&mut self, a: State, b: State) -> State {
        let either = self.diagrams.or(a.condition, b.condition);
        let choice = self.diagrams.restrict(a.condition, either);
        let mut join = |a: &[Value], b: &[Value]| -> Vec<Value> {
            a.iter().zip(b).map(|(a, b)| self.chosen(choice, *a, *b)).collect()
        };
        let stack = join(&a.stack, &b.stack);
        let locals = join(&a.locals, &b.locals);
        let globals = join(&a.globals, &b.globals);
        let written = self.merge_written(choice, &a.written, &b.written);
        State { stack, locals, globals, written, condition: either }
    }

    /// Returns `a` where a condition holds, else `b`.
    pub(crate) fn chosen(&mut self, choice: Condition, a: Value, b: Value) -> Value {
        match (a, b) {
            _ if a == b => a,
            (Value::Word(a), Value::Word(b)) => Value::Word(self.select(choice, a, b)),
            (Value::Vector(a), Value::Vector(b)) => {
                let mut joined = a;
                let mut at = 0;
                while at < 16 {
                    let length = run_length(&a[at..]).min(run_length(&b[at..])).min(8);
                    let end = at + length;
                    if a[at..end] != b[at..end] {
                        let (a, b) =
                            (lane(&mut self.pool, &a[at..end]), lane(&mut self.pool, &b[at..end]));
                        let id = self.select(choice, a, b);
                        joined[at..end].copy_from_slice(&of_value(id, length).collect::<Vec<_>>());
                    }
                    at = end;
                }
                Value::Vector(joined)
            }
            // A local that only one path has given a value is not read behind the other.
            _ => a,
        }
    }

    fn select(&mut self, choice: Condition, a: Id, b: Id) -> Id {
        if a == b {
            return a;
        }
        let word = self.word(choice);
        let needs = |id: Id| match self.pool.value(id) {
            Some(bits) => (8 - bits.leading_zeros() / 8).max(1),
            None => self.pool.width(id).unwrap_or(8),
        };
        let ty = match needs(a).max(needs(b)) {
            1 => Ty::I8,
            2 => Ty::I16,
            3 | 4 => Ty::I32,
            _ => Ty::I64,
        };
        self.pool.apply(Op::Select, ty, [a, b, word])
    }

    fn merge_written(&mut self, choice: Condition, a: &Written, b: &Written) -> Written {
        if a == b {
            return a.clone();
        }
        let mut joined = Written::default();
        let places: Vec<_> = {
            let mut all: Vec<_> = a.places().chain(b.places()).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut at = 0;
        while at < places.len() {
            let first = places[at];
            let near: Vec<_> = places[at..]
                .iter()
                .take(8)
                .enumerate()
                .take_while(|(step, place)| {
                    place.base == first.base && place.offset == first.offset + *step as i64
                })
                .map(|(_, place)| *place)
                .collect();
            let of = |from: &Written| -> Vec<Byte> {
                near.iter().map(|place| from.get(*place, self.version)).collect()
            };
            let (of_a, of_b) = (of(a), of(b));
            let length = run_length(&of_a).min(run_length(&of_b));
            let (of_a, of_b) = (&of_a[..length], &of_b[..length]);
            if of_a == of_b {
                near.iter().zip(of_a).for_each(|(place, byte)| joined.put(*place, *byte));
            } else {
                let (a, b) = (lane(&mut self.pool, of_a), lane(&mut self.pool, of_b));
                let id = self.select(choice, a, b);
                near.iter()
                    .zip(of_value(id, length))
                    .for_each(|(place, byte)| joined.put(*place, byte));
            }
            at += length;
        }
        joined
    }
}

impl Terms {
    /// Returns the bit that a mask of a type's width is made of: all ones, or zero.
    pub(crate) fn as_mask(&mut self, mask: Id, ty: Ty) -> Option<Id> {
        let Expression::Apply(Op::Select, _, [then, otherwise, bit]) = self.pool.get(mask) else {
            return None;
        };
        match (self.pool.value(then)?, self.pool.value(otherwise)?) {
            (ones, 0) if ones == ty.mask() => Some(bit),
            (0, ones) if ones == ty.mask() => self.pool.negated(bit),
            _ => None,
        }
    }
}
