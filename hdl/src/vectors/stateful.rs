//! Accesses for the stateful ALUs (R-HDL-6 to 10).

use netfold_num::{Fold, Operation};
use rand::{RngExt, SeedableRng};

use super::{Dice, Vectors, distance, mask, signed, word};

/// The value that is written. The numbers are the codes of `hdl/common/stateful_ops.vh`, as those
/// of the other types here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Op {
    /// The operand.
    Set = 0,
    /// The sum, modulo the width.
    Add = 1,
    /// The word minus the operand.
    Sub = 2,
    /// Bits set in either.
    Or = 3,
    /// Bits set in both.
    And = 4,
    /// Bits of the word that the operand does not have.
    AndNot = 5,
    /// The lesser of two signed numbers.
    Min = 6,
    /// The greater of two signed numbers.
    Max = 7,
    /// The word, shifted right with its sign by the second field, plus the operand.
    ShiftAdd = 8,
}

impl Op {
    const ALL: [Self; 9] = [
        Self::Set,
        Self::Add,
        Self::Sub,
        Self::Or,
        Self::And,
        Self::AndNot,
        Self::Min,
        Self::Max,
        Self::ShiftAdd,
    ];

    /// Returns the operations that a unit of this kind can write.
    pub fn of(kind: Kind) -> &'static [Self] {
        match (kind.lean, kind.shift) {
            (true, false) => &Self::ALL[..2],
            (true, true) => &[Self::Set, Self::Add, Self::ShiftAdd],
            (false, false) => &Self::ALL[..8],
            (false, true) => &Self::ALL,
        }
    }
}

/// Relation of the word to the value that it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Relation {
    /// The difference is negative.
    Behind = 0,
    /// It is 0.
    Equal = 1,
    /// It is positive.
    Ahead = 2,
}

/// An operand of a condition or of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum From {
    /// 0.
    None = 0,
    /// The first field.
    X = 1,
    /// The second field.
    Y = 2,
    /// The instruction's constant. In conditions only the lean unit has it (R-HDL-10); the others
    /// add it to the difference.
    Constant = 3,
}

/// The output of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Output {
    /// 0.
    None = 0,
    /// The word as it was.
    Old = 1,
    /// The word as it is now.
    New = 2,
    /// 1, 2, 4 or 8: 2 to the power of the first condition plus twice the second.
    Outcome = 3,
}

/// A kind of stateful ALU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Width of the word, 8, 16 or 32.
    pub width: u32,
    /// One condition and one write, which sets or adds (R-HDL-10), instead of all of R-PISA-3.
    pub lean: bool,
    /// The word can be shifted before it is added to.
    pub shift: bool,
}

/// A condition.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// The relation that must hold.
    pub relation: Relation,
    /// The value that the word is compared with.
    pub from: From,
    /// The constant: a summand of the difference or, in the lean unit, an operand.
    pub plus: u32,
}

/// A write.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// The outcomes for which it is done: bit a + 2b stands for the first condition being a and the
    /// second b.
    pub when: u32,
    /// The operation.
    pub op: Op,
    /// The operand.
    pub from: From,
    /// The instruction's constant.
    pub constant: u32,
}

/// An instruction of a stateful ALU. A lean one looks at the first of each two.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// The conditions.
    pub conditions: [Condition; 2],
    /// The writes. The first one that applies is done.
    pub updates: [Update; 2],
    /// The output.
    pub output: Output,
}

/// Does one access: changes the word, and returns the output.
pub fn access(kind: Kind, instruction: &Instruction, stored: &mut u32, x: u32, y: u32) -> u32 {
    let bits = kind.width;
    let old = *stored;
    let count = if kind.lean { 1 } else { 2 };
    let input = |from, constant| match from {
        From::None => 0,
        From::X => x,
        From::Y => y,
        From::Constant => constant,
    };
    let mut outcome = 0;
    for (at, condition) in instruction.conditions[..count].iter().enumerate() {
        let plus = if kind.lean { 0 } else { condition.plus };
        let difference = old.wrapping_sub(input(condition.from, condition.plus)).wrapping_add(plus);
        let difference = signed(difference & mask(bits), bits);
        let holds = match condition.relation {
            Relation::Behind => difference < 0,
            Relation::Equal => difference == 0,
            Relation::Ahead => difference > 0,
        };
        outcome += u32::from(holds) << at;
    }
    if let Some(update) =
        instruction.updates[..count].iter().find(|update| update.when >> outcome & 1 == 1)
    {
        let operand = input(update.from, update.constant);
        *stored = compute(update.op, old, operand, y, bits);
    }
    match instruction.output {
        Output::None => 0,
        Output::Old => old,
        Output::New => *stored,
        Output::Outcome => 1 << outcome,
    }
}

fn compute(op: Op, stored: u32, operand: u32, distance: u32, bits: u32) -> u32 {
    let [word, with] = [stored, operand].map(|value| signed(value, bits));
    let written = match op {
        Op::Set => word.fold(Operation::Copy, with),
        Op::Add => word.fold(Operation::Sum, with),
        Op::Sub => word.wrapping_sub(with),
        Op::Or => word | with,
        Op::And => word & with,
        Op::AndNot => word & !with,
        Op::Min => word.fold(Operation::Min, with),
        Op::Max => word.fold(Operation::Max, with),
        // R-FPI-8: by the width or more, 0 or -1.
        Op::ShiftAdd => (word >> distance.min(bits - 1)).fold(Operation::Sum, with),
    };
    written as u32 & mask(bits)
}

/// Accesses to one word: whether there is one, two fields, and the instruction; the word, and what
/// has been given back last.
pub struct Stateful {
    kind: Kind,
    dice: Dice,
    /// None before the first access.
    stored: Option<u32>,
    given: u32,
}

impl Stateful {
    /// Accesses for a unit of this kind.
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self { kind, dice: Dice::seed_from_u64(seed), stored: None, given: 0 }
    }

    fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.dice.random_range(0..among.len())]
    }

    /// Any instruction that the unit has.
    pub fn instruction(&mut self) -> Instruction {
        let kind = self.kind;
        let conditions = std::array::from_fn(|_| Condition {
            relation: self.pick(&[Relation::Behind, Relation::Equal, Relation::Ahead]),
            from: if kind.lean {
                self.pick(&[From::X, From::Y, From::Constant])
            } else {
                self.pick(&[From::None, From::X, From::Y])
            },
            plus: if self.dice.random_bool(0.5) { 0 } else { word(&mut self.dice, kind.width) },
        });
        let updates = std::array::from_fn(|_| Update {
            when: self.dice.random_range(0..16),
            op: self.pick(Op::of(kind)),
            from: self.pick(&[From::None, From::X, From::Y, From::Constant]),
            constant: word(&mut self.dice, kind.width),
        });
        let output = self.pick(&[Output::None, Output::Old, Output::New, Output::Outcome]);
        Instruction { conditions, updates, output }
    }

    /// A word near the stored one, so that conditions come out in every way; or any.
    fn field(&mut self, stored: u32) -> u32 {
        let width = self.kind.width;
        match self.dice.random_range(0..4) {
            0 => stored.wrapping_add(self.dice.random_range(0..5)).wrapping_sub(2) & mask(width),
            _ => word(&mut self.dice, width),
        }
    }
}

impl Vectors for Stateful {
    fn next(&mut self, record: &mut Vec<u32>) {
        let kind = self.kind;
        let mut instruction = self.instruction();
        let mut enable = self.dice.random_bool(15.0 / 16.0);
        if self.stored.is_none() {
            // A register begins with whatever is in it: the first access sets it.
            enable = true;
            instruction.output = Output::New;
            instruction.updates[0] =
                Update { when: 15, op: Op::Set, from: From::Constant, constant: 0 };
        }
        let mut stored = self.stored.unwrap_or_default();
        let x = self.field(stored);
        let mut y = self.field(stored);
        if kind.shift && self.dice.random_bool(0.5) {
            y = distance(&mut self.dice, kind.width) & mask(kind.width);
        }
        if enable {
            self.given = access(kind, &instruction, &mut stored, x, y);
        }
        self.stored = Some(stored);
        let [first, second] = instruction.conditions;
        let [write, other] = instruction.updates;
        record.extend([
            enable.into(),
            x,
            y,
            pack(kind, 2, first.relation as u32, second.relation as u32),
            pack(kind, 2, first.from as u32, second.from as u32),
            first.plus,
            if kind.lean { 0 } else { second.plus },
            pack(kind, 4, write.when, other.when),
            pack(kind, 4, write.op as u32, other.op as u32),
            pack(kind, 2, write.from as u32, other.from as u32),
            write.constant,
            if kind.lean { 0 } else { other.constant },
            instruction.output as u32,
            stored,
            self.given,
        ]);
    }
}

/// Both parts of an instruction side by side, the first in the lowest bits; of a lean one only the
/// first.
fn pack(kind: Kind, bits: u32, first: u32, second: u32) -> u32 {
    if kind.lean { first } else { first | second << bits }
}
