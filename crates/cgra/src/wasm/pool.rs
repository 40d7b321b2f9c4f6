//! Values of a function as expressions: two that are made in the same way are the same number.

use std::collections::BTreeMap;

use crate::op::{Op, Ty};

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(u32);

/// A part of memory that no other overlaps (R-CGRA-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// Buffer of the first pointer: the accumulator, or the destination.
    First,
    /// Buffer of the second pointer: the operand, or the source.
    Second,
    /// The module's own memory.
    Own,
}

impl Region {
    /// All regions, in the order of their codes in a configuration word.
    pub const ALL: [Self; 3] = [Self::First, Self::Second, Self::Own];

    /// Returns the name in graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Own => "own",
        }
    }
}

/// An address: an offset from a value, or of nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Address {
    pub(crate) base: Option<Id>,
    pub(crate) offset: i64,
}

/// Origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Expression {
    Constant(u64),
    /// A parameter of the function.
    Parameter(u32),
    /// Values that a loop carries from one round to the next.
    Carried {
        local: u32,
        bytes: u8,
    },
    /// Bytes of memory before or after the effects that precede `version`.
    Load {
        address: Address,
        bytes: u8,
        version: u32,
    },
    Apply(Op, Ty, [Id; 3]),
}

/// All values of an extraction.
#[derive(Default)]
pub(crate) struct Pool {
    expressions: Vec<Expression>,
    known: BTreeMap<Expression, Id>,
}

impl Pool {
    pub(crate) fn len(&self) -> usize {
        self.expressions.len()
    }

    pub(crate) fn get(&self, id: Id) -> Expression {
        self.expressions[id.0 as usize]
    }

    pub(crate) fn add(&mut self, expression: Expression) -> Id {
        let next = Id(self.expressions.len() as u32);
        *self.known.entry(expression).or_insert_with(|| {
            self.expressions.push(expression);
            next
        })
    }

    pub(crate) fn constant(&mut self, bits: u64) -> Id {
        self.add(Expression::Constant(bits))
    }

    pub(crate) fn value(&self, id: Id) -> Option<u64> {
        match self.get(id) {
            Expression::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// Returns how many low bytes of the word a value has; of a constant as many as one asks for.
    pub(crate) fn width(&self, id: Id) -> Option<u32> {
        match self.get(id) {
            Expression::Constant(_) => None,
            Expression::Parameter(_) => Some(4),
            Expression::Carried { bytes, .. } => Some(bytes.into()),
            Expression::Load { bytes, .. } => Some(bytes.into()),
            Expression::Apply(op, ty, _) => Some(match op {
                Op::Eq | Op::Ne | Op::LtS | Op::LtU | Op::LeS | Op::LeU => 4,
                Op::FEq | Op::FNe | Op::FLt | Op::FLe => 4,
                Op::ToS32 | Op::ToU32 | Op::Demote => 4,
                Op::ToS64 | Op::ToU64 | Op::Promote => 8,
                _ => ty.bits() / 8,
            }),
        }
    }

    /// Returns whether a value is 0 or 1.
    pub(crate) fn is_bit(&self, id: Id) -> bool {
        match self.get(id) {
            Expression::Constant(bits) => bits <= 1,
            Expression::Apply(op, _, [a, b, _]) => match op {
                Op::Eq | Op::Ne | Op::LtS | Op::LtU | Op::LeS | Op::LeU => true,
                Op::FEq | Op::FNe | Op::FLt | Op::FLe => true,
                Op::And => self.is_bit(a) || self.is_bit(b),
                Op::Or | Op::Xor => self.is_bit(a) && self.is_bit(b),
                _ => false,
            },
            _ => false,
        }
    }

    pub(crate) fn unary(&mut self, op: Op, ty: Ty, a: Id) -> Id {
        let zero = self.constant(0);
        self.apply(op, ty, [a, zero, zero])
    }

    pub(crate) fn binary(&mut self, op: Op, ty: Ty, a: Id, b: Id) -> Id {
        let zero = self.constant(0);
        self.apply(op, ty, [a, b, zero])
    }

    /// Makes a value, in its simplest form.
    pub(crate) fn apply(&mut self, op: Op, ty: Ty, [mut a, mut b, c]: [Id; 3]) -> Id {
        if let [Some(x), Some(y), Some(z)] = [a, b, c].map(|id| self.value(id)) {
            return self.constant(op.eval(ty, [x, y, z]));
        }
        if op.commutes() && (self.value(a).is_some(), a) > (self.value(b).is_some(), b) {
            std::mem::swap(&mut a, &mut b);
        }
        if let Some(simple) = self.simpler(op, ty, a, b, c) {
            return simple;
        }
        self.add(Expression::Apply(op, ty, [a, b, c]))
    }

    fn simpler(&mut self, op: Op, ty: Ty, a: Id, b: Id, c: Id) -> Option<Id> {
        let right = self.value(b).map(|bits| bits & ty.mask());
        match (op, right) {
            (
                Op::Add | Op::Sub | Op::Or | Op::Xor | Op::Shl | Op::ShrS | Op::ShrU | Op::Rotl,
                Some(0),
            ) => self.as_wide(a, ty),
            (Op::And, Some(0)) => Some(b),
            (Op::And, Some(mask)) => self.masked(a, ty, mask),
            (Op::Mul, Some(1)) => self.as_wide(a, ty),
            (Op::Mul, Some(factor)) if factor.is_power_of_two() => {
                let distance = self.constant(factor.trailing_zeros().into());
                Some(self.binary(Op::Shl, ty, a, distance))
            }
            (Op::Sub, Some(amount)) => {
                let negative = self.constant(amount.wrapping_neg() & ty.mask());
                Some(self.binary(Op::Add, ty, a, negative))
            }
            (Op::Add, Some(amount)) => self.sum(a, ty, amount),
            (Op::And | Op::Or, None) if a == b => Some(a),
            (Op::Sub | Op::Xor, None) if a == b => Some(self.constant(0)),
            (Op::Select, _) => self.choice(a, b, c),
            (Op::Eq, Some(0)) => self.negated(a),
            (Op::Ne, Some(0)) if self.is_bit(a) => Some(a),
            (Op::Wrap, _) => self.as_wide(a, ty),
            (Op::DivS, Some(by)) if by.is_power_of_two() && by > 1 => {
                Some(self.halved(a, ty, by.trailing_zeros()))
            }
            (Op::DivU, Some(by)) if by.is_power_of_two() => {
                let distance = self.constant(by.trailing_zeros().into());
                Some(self.binary(Op::ShrU, ty, a, distance))
            }
            (Op::RemU, Some(by)) if by.is_power_of_two() => {
                let mask = self.constant(by - 1);
                Some(self.binary(Op::And, ty, a, mask))
            }
            _ => None,
        }
    }

    /// Returns the bits that a value may have set.
    fn possible(&self, id: Id, depth: u32) -> u64 {
        let width = self.width(id).map_or(u64::MAX, |bytes| u64::MAX >> (64 - 8 * bytes));
        match self.get(id) {
            Expression::Constant(bits) => bits,
            _ if self.is_bit(id) => 1,
            Expression::Apply(op, _, [a, b, _]) if depth > 0 => match (op, self.value(b)) {
                (Op::And, _) => self.possible(a, depth - 1) & self.possible(b, depth - 1),
                (Op::ShrU, Some(by)) if by < 64 => self.possible(a, depth - 1) >> by & width,
                (Op::Select, _) => self.possible(a, depth - 1) | self.possible(b, depth - 1),
                _ => width,
            },
            _ => width,
        }
    }

    /// Returns `a` itself, if it has no bits beyond a type's.
    fn as_wide(&self, a: Id, ty: Ty) -> Option<Id> {
        (self.possible(a, 3) & !ty.mask() == 0).then_some(a)
    }

    fn masked(&mut self, a: Id, ty: Ty, mask: u64) -> Option<Id> {
        if self.possible(a, 3) & !mask == 0 {
            return Some(a);
        }
        // (x & m) & n
        if let Expression::Apply(Op::And, inner, [x, y, _]) = self.get(a)
            && let (true, Some(first)) = (inner == ty, self.value(y))
        {
            let both = self.constant(first & mask);
            return Some(self.binary(Op::And, ty, x, both));
        }
        None
    }

    fn sum(&mut self, a: Id, ty: Ty, amount: u64) -> Option<Id> {
        let Expression::Apply(Op::Add, inner, [x, y, _]) = self.get(a) else { return None };
        let first = self.value(y)?;
        (inner == ty).then(|| {
            let both = self.constant(first.wrapping_add(amount) & ty.mask());
            self.binary(Op::Add, ty, x, both)
        })
    }

    fn choice(&mut self, a: Id, b: Id, c: Id) -> Option<Id> {
        if let Some(bits) = self.value(c) {
            return Some(if bits != 0 { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        // The opposite of a condition changes the two.
        if let Expression::Apply(Op::Xor | Op::Eq, ty, [condition, one, _]) = self.get(c) {
            let opposite = match (self.get(c), self.value(one)) {
                (Expression::Apply(Op::Xor, ..), Some(1)) => self.is_bit(condition),
                (Expression::Apply(Op::Eq, ..), Some(0)) => true,
                _ => false,
            };
            if opposite {
                let bytes = [a, b].iter().filter_map(|id| self.width(*id)).max();
                let of = if bytes.unwrap_or(ty.bits() / 8) > 4 { Ty::I64 } else { Ty::I32 };
                return Some(self.apply(Op::Select, of, [b, a, condition]));
            }
        }
        match (self.value(a), self.value(b)) {
            (Some(1), Some(0)) if self.is_bit(c) => Some(c),
            _ => None,
        }
    }

    /// Returns the opposite of a condition.
    pub(crate) fn negated(&mut self, a: Id) -> Option<Id> {
        let Expression::Apply(op, ty, [x, y, _]) = self.get(a) else { return None };
        Some(match op {
            Op::Eq => self.binary(Op::Ne, ty, x, y),
            Op::Ne => self.binary(Op::Eq, ty, x, y),
            Op::FEq => self.binary(Op::FNe, ty, x, y),
            Op::FNe => self.binary(Op::FEq, ty, x, y),
            Op::LtS => self.binary(Op::LeS, ty, y, x),
            Op::LtU => self.binary(Op::LeU, ty, y, x),
            Op::LeS => self.binary(Op::LtS, ty, y, x),
            Op::LeU => self.binary(Op::LtU, ty, y, x),
            _ if self.is_bit(a) => {
                let one = self.constant(1);
                self.binary(Op::Xor, Ty::I32, a, one)
            }
            _ => return None,
        })
    }

    /// A quotient by 2^n, rounded towards zero.
    fn halved(&mut self, a: Id, ty: Ty, distance: u32) -> Id {
        let bits = u64::from(ty.bits());
        let [all, rest, by] = [bits - 1, bits - u64::from(distance), distance.into()]
            .map(|amount| self.constant(amount));
        let sign = self.binary(Op::ShrS, ty, a, all);
        let bias = self.binary(Op::ShrU, ty, sign, rest);
        let biased = self.binary(Op::Add, ty, a, bias);
        self.binary(Op::ShrS, ty, biased, by)
    }

    /// Splits a value into what an address is counted from, and a constant.
    pub(crate) fn address(&self, id: Id) -> Address {
        match self.get(id) {
            Expression::Constant(bits) => Address { base: None, offset: bits as u32 as i64 },
            Expression::Apply(Op::Add, _, [base, by, _]) if self.value(by).is_some() => {
                let offset = i64::from(self.value(by).unwrap_or(0) as u32 as i32);
                Address { base: Some(base), offset }
            }
            _ => Address { base: Some(id), offset: 0 },
        }
    }

    /// Returns the memory that an address is in: that of the pointer which it is counted from.
    pub(crate) fn region(
        &self,
        address: Address,
        pointer: &dyn Fn(Id) -> Option<Region>,
    ) -> Region {
        let mut below = vec![address.base];
        while let Some(next) = below.pop() {
            let Some(id) = next else { continue };
            if let Some(region) = pointer(id) {
                return region;
            }
            if let Expression::Apply(Op::Add | Op::Sub, _, [a, b, _]) = self.get(id) {
                below.extend([Some(a), Some(b)]);
            }
        }
        Region::Own
    }
}
