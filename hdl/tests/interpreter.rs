//! The operations that units are held to are those of the checked interpreter (R-PISA-3, R-HDL-3 to
//! 9): `netfold-pisa` runs them as programs.

use netfold_hdl::vectors::{Dice, stateful, stateless};
use netfold_pisa::program::{
    AluOp, BinOp, FieldId, Gress, Half, Intrinsic, Match, Operand, Output, Pattern, Relation,
    Shift, When, Word,
};
use netfold_pisa::{AccessSpec, ActionSpec, Builder, Pipeline, TableSpec, Target};
use rand::{RngExt, SeedableRng};

/// Instructions of a program, and packets that run them.
const INSTRUCTIONS: usize = 64;
const PACKETS: usize = 2000;

/// A program with one table, whose actions a packet chooses by its first byte; then come two fields
/// and what is found.
struct Bench {
    builder: Builder,
    fields: [FieldId; 3],
    table: TableSpec,
    width: u32,
}

impl Bench {
    fn new(width: u32) -> Self {
        let mut builder = Builder::new("bench", &[]);
        let header =
            builder.header("packet", &[("which", 8), ("x", width), ("y", width), ("found", width)]);
        builder.state("start", &[header]);
        let fields = ["x", "y", "found"].map(|name| builder.of(header, name));
        let table =
            TableSpec::new("instructions", 0, "").key(builder.of(header, "which"), Match::Exact);
        Self { builder, fields, table, width }
    }

    fn add(&mut self, number: usize, action: impl FnOnce(ActionSpec, [FieldId; 3]) -> ActionSpec) {
        let name = format!("instruction{number}");
        let spec =
            action(ActionSpec::new(&name).put(Intrinsic::EgressPort.field(), 1), self.fields);
        self.table =
            self.table.clone().action(spec).entry(&[Pattern::Is(number as u64)], &name, &[]);
    }

    fn load(mut self) -> Loaded {
        self.builder.table(Gress::Ingress, self.table);
        let pipeline = Pipeline::load(self.builder.finish(), Target::bmv2())
            .unwrap_or_else(|refusal| panic!("{refusal}"));
        Loaded { pipeline, bytes: self.width as usize / 8 }
    }
}

struct Loaded {
    pipeline: Pipeline,
    bytes: usize,
}

impl Loaded {
    /// Returns the result of instruction `number` for two fields.
    fn run(&mut self, number: usize, x: u32, y: u32) -> u32 {
        let mut packet = vec![number as u8];
        for value in [x, y, 0] {
            packet.extend_from_slice(&value.to_be_bytes()[4 - self.bytes..]);
        }
        let outcome =
            self.pipeline.process(0, &packet).unwrap_or_else(|refusal| panic!("{refusal}"));
        let found = &outcome.sent[0].bytes[1 + 2 * self.bytes..];
        found.iter().fold(0, |value, byte| value << 8 | u32::from(*byte))
    }
}

fn random_word(dice: &mut Dice, width: u32) -> u32 {
    let value = match dice.random_range(0..3) {
        0 => dice.random_range(0..width + 3),
        1 => u32::MAX - dice.random_range(0..3),
        _ => dice.random(),
    };
    value & netfold_hdl::vectors::mask(width)
}

#[test]
fn stateless_operations_are_those_of_actions() {
    for (seed, (width, shift_by_field)) in
        (0..).zip([(32, false), (32, true), (16, false), (8, true)])
    {
        let kind = stateless::Kind { width, shift_by_field, float: false };
        let dice = &mut Dice::seed_from_u64(seed);
        let instructions: Vec<_> = (0..INSTRUCTIONS)
            .map(|number| {
                let op = stateless::Op::INTEGERS[number % stateless::Op::INTEGERS.len()];
                let constants: [bool; 2] =
                    [dice.random_bool(0.25) && !op.shifts(), dice.random_bool(0.25)];
                // A distance in an instruction is below the width (R-HDL-4).
                let distance = op.shifts() && !shift_by_field;
                let constant =
                    if distance { dice.random_range(0..width) } else { random_word(dice, width) };
                (op, constants, constant)
            })
            .collect();
        let mut bench = Bench::new(width);
        for (number, (op, [a_is_constant, b_is_constant], constant)) in
            instructions.iter().copied().enumerate()
        {
            bench.add(number, |action, [x, y, found]| {
                let constant = Operand::Const(constant.into());
                let a = if a_is_constant { constant } else { x.into() };
                let b = if b_is_constant { constant } else { y.into() };
                let by = if shift_by_field { b } else { constant };
                match op {
                    stateless::Op::Set => action.set(found, a),
                    stateless::Op::Add => action.binary(found, BinOp::Add, a, b),
                    stateless::Op::Sub => action.binary(found, BinOp::Sub, a, b),
                    stateless::Op::SaturatingSub => {
                        action.binary(found, BinOp::SaturatingSub, a, b)
                    }
                    stateless::Op::And => action.binary(found, BinOp::And, a, b),
                    stateless::Op::Or => action.binary(found, BinOp::Or, a, b),
                    stateless::Op::Xor => action.binary(found, BinOp::Xor, a, b),
                    stateless::Op::ShiftLeft => action.shift(found, Shift::Left, x, by),
                    stateless::Op::ShiftRight => action.shift(found, Shift::Right, x, by),
                    stateless::Op::ShiftSigned => action.shift(found, Shift::RightSigned, x, by),
                    stateless::Op::FloatAdd => unreachable!("no action adds floats"),
                }
            });
        }
        let mut loaded = bench.load();
        for _ in 0..PACKETS {
            let number = dice.random_range(0..INSTRUCTIONS);
            let [x, y] = [random_word(dice, width), random_word(dice, width)];
            let (op, [a_is_constant, b_is_constant], constant) = instructions[number];
            let a = if a_is_constant { constant } else { x };
            let b = if b_is_constant { constant } else { y };
            let expected = stateless::compute(kind, op, a, b, constant);
            assert_eq!(
                loaded.run(number, x, y),
                expected,
                "{op:?} of {a:x} and {b:x}, {constant:x}, in {kind:?}"
            );
        }
    }
}

#[test]
fn stateful_operations_are_those_of_accesses() {
    for (seed, (width, lean)) in (10..).zip([(32, false), (32, true), (16, false), (8, false)]) {
        let kind = stateful::Kind { width, lean, shift: true };
        let dice = &mut Dice::seed_from_u64(seed);
        let mut source = stateful::Stateful::new(kind, seed);
        let instructions: Vec<_> = (0..INSTRUCTIONS).map(|_| source.instruction()).collect();
        let mut bench = Bench::new(width);
        let array = bench.builder.array("word", Word::Single(width), 1, "");
        let index = bench.builder.meta("index", 8);
        let count = if lean { 1 } else { 2 };
        for (number, instruction) in instructions.iter().enumerate() {
            bench.add(number, |action, [x, y, found]| {
                let operand = |from, constant: u32| match from {
                    stateful::From::None => Operand::Const(0),
                    stateful::From::X => x.into(),
                    stateful::From::Y => y.into(),
                    stateful::From::Constant => Operand::Const(constant.into()),
                };
                let mut access = AccessSpec::new(array, index);
                for condition in &instruction.conditions[..count] {
                    let relation = match condition.relation {
                        stateful::Relation::Behind => Relation::Behind,
                        stateful::Relation::Equal => Relation::Equal,
                        stateful::Relation::Ahead => Relation::Ahead,
                    };
                    let plus = if lean { 0 } else { condition.plus };
                    access = access.compare_plus(
                        Half::Lo,
                        relation,
                        operand(condition.from, condition.plus),
                        plus,
                    );
                }
                for update in &instruction.updates[..count] {
                    let op = match update.op {
                        stateful::Op::Set => AluOp::Set,
                        stateful::Op::Add => AluOp::Add,
                        stateful::Op::Sub => AluOp::Sub,
                        stateful::Op::Or => AluOp::Or,
                        stateful::Op::And => AluOp::And,
                        stateful::Op::AndNot => AluOp::AndNot,
                        stateful::Op::Min => AluOp::MinSigned,
                        stateful::Op::Max => AluOp::MaxSigned,
                        stateful::Op::ShiftAdd => AluOp::ShiftAdd { by: y },
                    };
                    let when = When(update.when as u8);
                    access =
                        access.update(Half::Lo, when, op, operand(update.from, update.constant));
                }
                action.access(match instruction.output {
                    stateful::Output::None => access,
                    stateful::Output::Old => access.output(found, Output::Old(Half::Lo)),
                    stateful::Output::New => access.output(found, Output::New(Half::Lo)),
                    stateful::Output::Outcome => access.output(found, Output::Outcome),
                })
            });
        }
        let mut loaded = bench.load();
        let mut stored = 0;
        for _ in 0..PACKETS {
            let number = dice.random_range(0..INSTRUCTIONS);
            let [x, y] = [random_word(dice, width), random_word(dice, width)];
            let before = stored;
            let given = stateful::access(kind, &instructions[number], &mut stored, x, y);
            let what = || {
                format!("{:?} on {before:x} with {x:x} and {y:x} in {kind:?}", instructions[number])
            };
            assert_eq!(loaded.run(number, x, y), given, "{}", what());
            assert_eq!(loaded.pipeline.word(0, array, 0)[0], u64::from(stored), "{}", what());
        }
    }
}
