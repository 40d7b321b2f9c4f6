//! Instructions for a processing element, with the answers of the simulator of arrays (R-CGRA-22).

use std::collections::VecDeque;

use netfold_cgra::op::{Op, Ty};
use netfold_cgra::{Array, Direction, Image, Machine, Memories, Source, Word};
use rand::{RngExt, SeedableRng};

use super::{Dice, Vectors, word};

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

/// Draws an operation of the unit, and its type.
pub(super) fn operation(dice: &mut Dice) -> (Op, Ty) {
    if dice.random_ratio(1, 12) {
        return (SIGNS[dice.random_range(0..SIGNS.len())], Ty::F32);
    }
    let ty = [Ty::I32, Ty::I32, Ty::I16, Ty::I8][dice.random_range(0..4_usize)];
    (INTEGERS[dice.random_range(0..INTEGERS.len())], ty)
}

/// Cycles of an interval, and rounds, of a program that is drawn.
const INTERVAL: usize = 48;
const ROUNDS: usize = 3;

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
    ready: VecDeque<[u32; RECORD]>,
}

impl Elements {
    /// Draws from a seed.
    pub fn new(seed: u64) -> Self {
        let array = array(1, 3, 3, "[]");
        Self { dice: Dice::seed_from_u64(seed), array, ready: VecDeque::new() }
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
        let (op, ty) = operation(&mut self.dice);
        Word {
            op: (!self.dice.random_ratio(1, 12)).then_some(op),
            ty,
            operands: std::array::from_fn(|_| self.source()),
            carried: if self.dice.random_ratio(1, 4) { self.dice.random_range(0..8) } else { 0 },
            stage: self.dice.random_range(0..2),
            immediate: word(&mut self.dice, 32).into(),
            initial: word(&mut self.dice, 32).into(),
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
        for (element, direction) in AROUND {
            for at in &mut words[element] {
                at.immediate = word(&mut self.dice, 32).into();
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

impl Vectors for Elements {
    fn next(&mut self, record: &mut Vec<u32>) {
        while self.ready.is_empty() {
            self.run();
        }
        record.extend(self.ready.pop_front().unwrap_or([0; RECORD]));
    }
}
