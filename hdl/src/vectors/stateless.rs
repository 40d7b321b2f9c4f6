//! Operations for the stateless ALUs (R-HDL-2 to 5, R-HDL-11).

use netfold_num::fpisa::Format;
use netfold_num::{Fold, Operation};
use rand::{RngExt, SeedableRng};

use super::{Dice, Vectors, distance, mask, signed, word};

/// Operation of a stateless ALU. The numbers are the codes of `hdl/common/stateless_ops.vh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Op {
    /// The first operand.
    Set = 0,
    /// The sum, modulo the width.
    Add = 1,
    /// The difference, modulo the width.
    Sub = 2,
    /// The difference of unsigned numbers, or 0 where it would be negative.
    SaturatingSub = 3,
    /// Bits set in both.
    And = 4,
    /// Bits set in either.
    Or = 5,
    /// Bits set in one.
    Xor = 6,
    /// Left, with zeros.
    ShiftLeft = 8,
    /// Right, with zeros.
    ShiftRight = 9,
    /// Right, with the sign.
    ShiftSigned = 10,
    /// The sum of two FP32 values.
    FloatAdd = 12,
}

impl Op {
    /// The operations that every stateless ALU has.
    pub const INTEGERS: [Self; 10] = [
        Self::Set,
        Self::Add,
        Self::Sub,
        Self::SaturatingSub,
        Self::And,
        Self::Or,
        Self::Xor,
        Self::ShiftLeft,
        Self::ShiftRight,
        Self::ShiftSigned,
    ];

    /// Returns whether it is a shift.
    pub const fn shifts(self) -> bool {
        matches!(self, Self::ShiftLeft | Self::ShiftRight | Self::ShiftSigned)
    }
}

/// A kind of stateless ALU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Width of operands and result, a power of two from 8 to 32.
    pub width: u32,
    /// A shift goes as far as the second operand says.
    pub shift_by_field: bool,
    /// It has a hard FP32 adder.
    pub float: bool,
}

/// Returns the ALU's result for two operands and the instruction's constant.
pub fn compute(kind: Kind, op: Op, a: u32, b: u32, constant: u32) -> u32 {
    let bits = kind.width;
    // R-HDL-5: a distance in a field may be as long as the field; one in an instruction has only
    // the bits that it needs (R-HDL-4).
    let by = if kind.shift_by_field { b } else { constant % bits };
    let result = match op {
        Op::Set => a,
        Op::Add => (a as i32).fold(Operation::Sum, b as i32) as u32,
        Op::Sub => a.wrapping_sub(b),
        Op::SaturatingSub => a.saturating_sub(b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::ShiftLeft if by < bits => a << by,
        Op::ShiftRight if by < bits => a >> by,
        Op::ShiftLeft | Op::ShiftRight => 0,
        Op::ShiftSigned => (signed(a, bits) >> by.min(bits - 1)) as u32,
        // R-HDL-11: `native` addition (R-NUM-1).
        Op::FloatAdd => f32::from_bits(a).fold(Operation::Sum, f32::from_bits(b)).to_bits(),
    };
    result & mask(bits)
}

/// Operations with their results: code, two fields, constant, for which operands it stands; result.
pub struct Stateless {
    kind: Kind,
    dice: Dice,
}

impl Stateless {
    /// Operations for an ALU of this kind.
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self { kind, dice: Dice::seed_from_u64(seed) }
    }

    fn op(&mut self) -> Op {
        // The adder has more cases than all others together.
        if self.kind.float && self.dice.random_bool(0.75) {
            return Op::FloatAdd;
        }
        Op::INTEGERS[self.dice.random_range(0..Op::INTEGERS.len())]
    }
}

impl Vectors for Stateless {
    fn next(&mut self, record: &mut Vec<u32>) {
        let (kind, op) = (self.kind, self.op());
        let dice = &mut self.dice;
        let [mut field_a, mut field_b, mut constant] =
            std::array::from_fn(|_| word(dice, kind.width));
        let (a_is_constant, b_is_constant) = (dice.random_bool(0.25), dice.random_bool(0.25));
        if op == Op::FloatAdd {
            let first = float(dice);
            [field_a, field_b, constant] = [first, beside(dice, first), beside(dice, first)];
        } else if op.shifts() {
            field_b = distance(dice, kind.width) & mask(kind.width);
            if dice.random_bool(0.5) {
                constant = distance(dice, kind.width) & mask(kind.width);
            }
        } else if dice.random_bool(0.125) {
            // Operands that differ by little: borrows, and results of 0.
            field_b =
                field_a.wrapping_add(dice.random_range(0..3)).wrapping_sub(1) & mask(kind.width);
        }
        let a = if a_is_constant { constant } else { field_a };
        let b = if b_is_constant { constant } else { field_b };
        let result = compute(kind, op, a, b, constant);
        record.extend([
            op as u32,
            field_a,
            field_b,
            constant,
            a_is_constant.into(),
            b_is_constant.into(),
            result,
        ]);
    }
}

/// A float of every sort: zeros, subnormals, the limits of each range, infinities, NaN, and any
/// other.
pub(super) fn float(dice: &mut Dice) -> u32 {
    let sign = dice.random::<u32>() & 1 << 31;
    sign | match dice.random_range(0..32) {
        0 | 1 => 0,
        2 => 1,
        3 | 4 => dice.random_range(1..1 << 23),
        5 => mask(23),
        6 => 1 << 23,
        7 => Format::FP32.largest(),
        8 => Format::FP32.infinity().unwrap_or_default(),
        9 => Format::FP32.nan(),
        10 => 0x7F80_0000 | dice.random_range(1..1 << 23),
        // Exponents at the lower and upper end.
        11 | 12 => dice.random_range(1..30) << 23 | dice.random_range(0..1 << 23),
        13 | 14 => dice.random_range(230..255) << 23 | dice.random_range(0..1 << 23),
        // A mantissa of ones: a carry through all of it.
        15 | 16 => dice.random_range(0..255) << 23 | mask(23),
        17 => dice.random_range(0..255) << 23,
        _ => dice.random::<u32>() & mask(31),
    }
}

/// A float whose sum with another is a hard case: near in exponent, or nearly its negative; or any.
pub(super) fn beside(dice: &mut Dice, other: u32) -> u32 {
    let sign = dice.random::<u32>() & 1 << 31;
    let exponent = other >> 23 & 0xFF;
    match dice.random_range(0..8) {
        0 => other ^ 1 << 31,
        1 => (other ^ 1 << 31).wrapping_add(dice.random_range(0..16)).wrapping_sub(8),
        2..=4 => {
            let near = (exponent + dice.random_range(0..60)).saturating_sub(30).min(254);
            let fraction = match dice.random_range(0..4) {
                // Few bits, so that ties and exact sums come about.
                0 => 0,
                1 => 1 << dice.random_range(0..23),
                2 => mask(23) & u32::MAX << dice.random_range(0..23),
                _ => dice.random_range(0..1 << 23),
            };
            sign | near << 23 | fraction
        }
        _ => float(dice),
    }
}
