//! Instructions for a processing element, with the answers of the simulator of arrays (R-CGRA-22).

use std::collections::VecDeque;
use std::ops::Range;

use netfold_cgra::op::{Op, Ty};
use netfold_cgra::{Array, Direction, Image, Machine, Memories, Source, Word};
use rand::{RngExt, SeedableRng};

use super::stateless::beside;
use super::{Dice, Vectors, mask, word};

/// Operations of the unit on integers.
pub const INTEGERS: [Op; 29] = [
    Op::Pass,
    Op::Add,
    Op::Sub,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shl,
    Op::ShrS,
    Op::ShrU,
    Op::Rotl,
    Op::Clz,
    Op::Ctz,
    Op::Popcnt,
    Op::Eq,
    Op::Ne,
    Op::LtS,
    Op::LtU,
    Op::LeS,
    Op::LeU,
    Op::MinS,
    Op::MinU,
    Op::MaxS,
    Op::MaxU,
    Op::Select,
    Op::Extend8,
    Op::Extend16,
    Op::Extend32,
    Op::Wrap,
    Op::Mul,
];

/// Operations on the sign of a float.
pub const SIGNS: [Op; 3] = [Op::FAbs, Op::FNeg, Op::FCopysign];

/// Operations of the unit for floats.
pub const FLOATS: [Op; 17] = [
    Op::FAdd,
    Op::FSub,
    Op::FMul,
    Op::FMin,
    Op::FMax,
    Op::FEq,
    Op::FNe,
    Op::FLt,
    Op::FLe,
    Op::FCeil,
    Op::FFloor,
    Op::FTrunc,
    Op::FNearest,
    Op::ToS32,
    Op::ToU32,
    Op::OfS32,
    Op::OfU32,
];

/// Draws an operation of an element, and its type.
pub(super) fn operation(dice: &mut Dice, floats: bool) -> (Op, Ty) {
    if floats && dice.random_ratio(1, 3) {
        // Sums and products, the first three, are the hard cases.
        let most = if dice.random() { 3 } else { FLOATS.len() };
        return (FLOATS[dice.random_range(0..most)], Ty::F32);
    }
    if dice.random_ratio(1, 12) {
        return (SIGNS[dice.random_range(0..SIGNS.len())], Ty::F32);
    }
    let ty = [Ty::I32, Ty::I32, Ty::I16, Ty::I8][dice.random_range(0..4_usize)];
    (INTEGERS[dice.random_range(0..INTEGERS.len())], ty)
}

/// Cycles of an interval, and rounds, of a program that is drawn.
const INTERVAL: usize = 48;
const ROUNDS: usize = 3;

/// Cycles from the operands of a float's operation to its result.
const FLOAT_LATENCY: usize = 4;

/// The element that is looked at, in the middle of 3 by 3, with its neighbours and the links by
/// which they send.
const MIDDLE: usize = 4;
const AROUND: [(usize, Direction); 4] =
    [(1, Direction::South), (5, Direction::West), (7, Direction::North), (3, Direction::East)];

/// Words of a packed instruction, and of a record.
pub(super) const PACKED: usize = 10;
const RECORD: usize = PACKED + 12;

/// Makes an array of one lane of 32 bits, with four registers in an element.
///
/// # Panics
/// If its text is wrong.
pub(super) fn array(spus: usize, rows: usize, columns: usize, memories: &str) -> Array {
    let text = format!(
        r#"
            name = "bench"
            spus = {spus}
            rows = {rows}
            columns = {columns}
            registers = 4
            instructions = 64
            word_bits = 32
            vector_bits = 32
            megahertz = 250.0
            stack_links = true
            upward = false
            counting = "ports"
            hop_picojoules = 0.0
            register_picojoules = 0.0
            instruction_picojoules = 0.0
            units = [
                {{ class = "alu", latency = 1, picojoules = 0.0 }},
                {{ class = "multiply", latency = 2, picojoules = 0.0 }},
                {{ class = "float", latency = {FLOAT_LATENCY}, picojoules = 0.0 }},
                {{ class = "memory", latency = 2, columns = {memories}, picojoules = 0.0 }},
            ]
        "#
    );
    Array::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// Records: the instruction of a cycle, its round, what neighbours send; links and result behind
/// it.
pub struct Elements {
    dice: Dice,
    array: Array,
    floats: bool,
    /// The float that was drawn last.
    last: u32,
    ready: VecDeque<[u32; RECORD]>,
}

impl Elements {
    /// Draws from a seed, with operations on floats or without.
    pub fn new(floats: bool, seed: u64) -> Self {
        let array = array(1, 3, 3, "[]");
        let dice = Dice::seed_from_u64(seed);
        Self { dice, array, floats, last: 0, ready: VecDeque::new() }
    }

    /// Draws a word; of an element with floats often a float, and one that is near the last.
    fn word(&mut self) -> u64 {
        let dice = &mut self.dice;
        let value = match dice.random_range(0..7) {
            0 | 1 if self.floats => beside(dice, self.last),
            // About those whose point is within their bits, and up to where numbers of 32 bits end.
            2 if self.floats => float_between(dice, 124..162),
            // Whose product is too small for any float.
            3 if self.floats => float_between(dice, 16..36),
            4 if self.floats => {
                let magnitudes = [0.0, 0.5, 1.5, f32::INFINITY];
                let magnitude = magnitudes[dice.random_range(0..magnitudes.len())];
                magnitude.to_bits() | dice.random_range(0..2) << 31
            }
            // Numbers that often lie half way between two floats.
            5 if self.floats => dice.random::<u32>() & u32::MAX << dice.random_range(4..8),
            _ => word(dice, 32),
        };
        self.last = value;
        value.into()
    }

    fn source(&mut self) -> Source {
        match self.dice.random_range(0..12) {
            0 => Source::Zero,
            1 => Source::One,
            2 | 3 => Source::Immediate,
            4 | 5 => Source::Result,
            6 | 7 => Source::Link(Direction::ALL[self.dice.random_range(0..4_usize)]),
            _ => Source::Register(self.dice.random_range(0..4)),
        }
    }

    fn instruction(&mut self) -> Word {
        let (op, ty) = operation(&mut self.dice, self.floats);
        Word {
            op: (!self.dice.random_ratio(1, 12)).then_some(op),
            ty,
            operands: std::array::from_fn(|_| self.source()),
            carried: if self.dice.random_ratio(1, 4) { self.dice.random_range(0..8) } else { 0 },
            stage: self.dice.random_range(0..2),
            immediate: self.word(),
            initial: self.word(),
            access: None,
            links: std::array::from_fn(|_| self.source()),
            registers: (0..4).map(|_| self.source()).collect(),
        }
    }

    /// Runs a program, and keeps the outputs of the middle element.
    fn run(&mut self) {
        let mut words = vec![vec![Word::rest(4); INTERVAL]; self.array.elements()];
        words[MIDDLE].fill_with(|| self.instruction());
        // The registers of the unit are random at first, those of the simulator zeros.
        words[MIDDLE][0] =
            Word { op: Some(Op::Pass), registers: vec![Source::Zero; 4], ..Word::rest(4) };
        // What the program before has begun comes out meanwhile, and is not seen.
        for begins in &mut words[MIDDLE][1..FLOAT_LATENCY] {
            (begins.op, begins.ty, begins.stage) = (Some(Op::Pass), Ty::I32, 0);
        }
        for (element, direction) in AROUND {
            for at in &mut words[element] {
                at.immediate = self.word();
                at.links[direction as usize] = Source::Immediate;
            }
        }
        let image = Image::of_words(&self.array, &words);
        let ready = &mut self.ready;
        let mut sent = [0; 4];
        let low = |values: &[u64]| values[0] as u32;
        Machine::new(&self.array, &image).watch(
            &mut Memories::default(),
            ROUNDS,
            |machine, cycle| {
                let (slot, number) = (cycle as usize % INTERVAL, cycle as usize / INTERVAL);
                let mut record = [0; RECORD];
                record[..PACKED].copy_from_slice(&image.packed(MIDDLE, slot));
                record[PACKED..PACKED + 2].copy_from_slice(&[number as u32, ROUNDS as u32]);
                record[PACKED + 2..PACKED + 6].copy_from_slice(&sent);
                let found = &mut record[PACKED + 7..];
                for (place, direction) in Direction::ALL.into_iter().enumerate() {
                    found[place] = low(machine.link(MIDDLE, direction));
                }
                found[4] = low(machine.result(MIDDLE, cycle + 1));
                ready.push_back(record);
                sent = AROUND.map(|(element, direction)| low(machine.link(element, direction)));
            },
        );
    }
}

/// Draws a float with an exponent of a range, often with few bits.
fn float_between(dice: &mut Dice, exponents: Range<u32>) -> u32 {
    let fraction = match dice.random_range(0..4) {
        0 => 0,
        1 => 1 << dice.random_range(0..23),
        2 => mask(23) & u32::MAX << dice.random_range(0..23),
        _ => dice.random::<u32>() & mask(23),
    };
    dice.random::<u32>() & 1 << 31 | dice.random_range(exponents) << 23 | fraction
}

impl Vectors for Elements {
    fn next(&mut self, record: &mut Vec<u32>) {
        while self.ready.is_empty() {
            self.run();
        }
        record.extend(self.ready.pop_front().unwrap_or([0; RECORD]));
    }
}
