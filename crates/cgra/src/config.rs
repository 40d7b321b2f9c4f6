//! Configuration words: what an array is told to do (R-CGRA-16, R-CGRA-17).

use crate::array::{Array, Direction};
use crate::graph::{Access, Graph, Input, Kernel, Region};
use crate::map::{Hop, Mapping};
use crate::op::{Op, Ty};

/// A source of an operand, a link or a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The number 0.
    Zero,
    /// The number 1.
    One,
    /// The instruction's constant.
    Immediate,
    /// The functional unit's result.
    Result,
    /// The link that comes from a neighbour.
    Link(Direction),
    /// A register.
    Register(u8),
}

impl Source {
    /// Returns its code: five bits.
    pub const fn code(self) -> u64 {
        match self {
            Self::Zero => 0,
            Self::One => 1,
            Self::Immediate => 2,
            Self::Result => 3,
            Self::Link(direction) => 4 + direction as u64,
            Self::Register(number) => 8 + number as u64,
        }
    }

    fn of(code: u64) -> Self {
        match code {
            0 => Self::Zero,
            1 => Self::One,
            2 => Self::Immediate,
            3 => Self::Result,
            4..=7 => Self::Link(Direction::ALL[(code - 4) as usize]),
            _ => Self::Register((code - 8) as u8),
        }
    }
}

/// The instruction of a processing element in one cycle of the interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Operation; `None` for a unit that rests.
    pub op: Option<Op>,
    /// Its type.
    pub ty: Ty,
    /// Sources of the operands a, b and c.
    pub operands: [Source; 3],
    /// Operands that are `initial` in the first round, as bits.
    pub carried: u8,
    /// Number of intervals by which the operation is behind the sequencer's round.
    pub stage: u32,
    /// A constant.
    pub immediate: u64,
    /// The value of carried operands in the first round.
    pub initial: u64,
    /// Memory, of a load or a store.
    pub access: Option<Access>,
    /// Content of each link.
    pub links: [Source; 4],
    /// Source of each register; its own value, if it is held.
    pub registers: Vec<Source>,
}

/// The program of an array for one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Initiation interval.
    pub interval: u32,
    /// Instances in an element.
    pub instances: u32,
    /// Lanes.
    pub lanes: u32,
    /// Cycles from the first operation of a round to its last.
    pub depth: u32,
    /// For each processing element its instruction memory, packed.
    pub memories: Vec<Vec<u64>>,
    registers: usize,
}

/// Widths of a word's fields.
const OP: u32 = 7;
const TY: u32 = 3;
const SOURCE: u32 = 5;
const STAGE: u32 = 10;
const REGION: u32 = 2;
const BYTES: u32 = 4;
const ADDRESS: u32 = 32;

/// Bits of an instruction of a processing element with so many registers.
pub const fn word_bits(registers: usize) -> u32 {
    OP + TY
        + 3 * SOURCE
        + 3
        + STAGE
        + 64
        + 64
        + REGION
        + BYTES
        + 3 * ADDRESS
        + (4 + registers as u32) * SOURCE
}

struct Packer {
    words: Vec<u64>,
    bits: u32,
}

impl Packer {
    fn put(&mut self, value: u64, width: u32) {
        for bit in 0..width {
            if self.bits.is_multiple_of(64) {
                self.words.push(0);
            }
            let last = self.words.len() - 1;
            self.words[last] |= (value >> bit & 1) << (self.bits % 64);
            self.bits += 1;
        }
    }
}

struct Unpacker<'u> {
    words: &'u [u64],
    bits: usize,
}

impl Unpacker<'_> {
    fn take(&mut self, width: u32) -> u64 {
        let mut value = 0;
        for bit in 0..width {
            let word = self.words.get(self.bits / 64).copied().unwrap_or(0);
            value |= (word >> (self.bits % 64) & 1) << bit;
            self.bits += 1;
        }
        value
    }

    fn signed(&mut self) -> i64 {
        i64::from(self.take(ADDRESS) as u32 as i32)
    }
}

impl Word {
    /// The instruction of an element that does nothing but keep its registers.
    pub fn rest(registers: usize) -> Self {
        Self {
            op: None,
            ty: Ty::I32,
            operands: [Source::Zero; 3],
            carried: 0,
            stage: 0,
            immediate: 0,
            initial: 0,
            access: None,
            links: [Source::Zero; 4],
            registers: (0..registers).map(|number| Source::Register(number as u8)).collect(),
        }
    }

    fn pack(&self, packer: &mut Packer) {
        let op = self.op.and_then(|op| Op::ALL.iter().position(|other| *other == op));
        packer.put(op.map_or(0, |op| op as u64 + 1), OP);
        packer.put(self.ty as u64, TY);
        self.operands.iter().for_each(|source| packer.put(source.code(), SOURCE));
        packer.put(self.carried.into(), 3);
        packer.put(self.stage.into(), STAGE);
        packer.put(self.immediate, 64);
        packer.put(self.initial, 64);
        let access = self.access;
        packer.put(access.map_or(0, |access| access.region as u64), REGION);
        packer.put(access.map_or(0, |access| access.bytes.into()), BYTES);
        for address in access.map_or([0; 3], |access| [access.offset, access.outer, access.inner]) {
            packer.put(u64::from(address as u32), ADDRESS);
        }
        self.links.iter().for_each(|source| packer.put(source.code(), SOURCE));
        self.registers.iter().for_each(|source| packer.put(source.code(), SOURCE));
    }

    fn unpack(from: &mut Unpacker<'_>, registers: usize) -> Self {
        let op = from.take(OP).checked_sub(1).and_then(|op| Op::ALL.get(op as usize).copied());
        let ty = Ty::ALL[(from.take(TY) as usize).min(5)];
        let operands = std::array::from_fn(|_| Source::of(from.take(SOURCE)));
        let (carried, stage) = (from.take(3) as u8, from.take(STAGE) as u32);
        let (immediate, initial) = (from.take(64), from.take(64));
        let (region, bytes) = (from.take(REGION) as usize, from.take(BYTES) as u8);
        let [offset, outer, inner] = std::array::from_fn(|_| from.signed());
        let region = Region::ALL[region.min(2)];
        let access = matches!(op, Some(Op::Load | Op::Store)).then_some(Access {
            region,
            bytes,
            offset,
            outer,
            inner,
        });
        let links = std::array::from_fn(|_| Source::of(from.take(SOURCE)));
        let registers = (0..registers).map(|_| Source::of(from.take(SOURCE))).collect();
        Self { op, ty, operands, carried, stage, immediate, initial, access, links, registers }
    }
}

impl Image {
    /// Returns the rounds of so many elements.
    pub(crate) fn rounds(&self, elements: u64) -> u64 {
        elements.div_ceil(self.lanes.into()) * u64::from(self.instances)
    }

    /// Returns the cycles from the first operation of so many elements to that of those behind
    /// them.
    pub fn busy(&self, elements: u64) -> u64 {
        self.rounds(elements) * u64::from(self.interval)
    }

    /// Returns the cycles from the first operation of so many elements to their last result.
    pub fn cycles(&self, elements: u64) -> u64 {
        let before_last = self.rounds(elements).checked_sub(1);
        before_last.map_or(0, |rounds| rounds * u64::from(self.interval) + u64::from(self.depth))
    }

    /// Makes the configuration of a mapping. The graph is the one that was mapped.
    pub fn new(kernel: &Kernel, graph: &Graph, array: &Array, mapping: &Mapping) -> Self {
        let end = graph.nodes.iter().zip(&mapping.places);
        let end = end.map(|(node, place)| place.time + array.latency(node.op.class())).max();
        let lanes = if kernel.lanes && kernel.word_bits() <= array.vector_bits {
            array.vector_bits / kernel.word_bits()
        } else {
            1
        };
        Self {
            instances: kernel.instances,
            lanes,
            depth: end.unwrap_or(0),
            ..Self::of_words(array, &words(graph, array, mapping))
        }
    }

    /// Packs instructions: for each processing element one for each cycle of the interval. The
    /// image is for one lane and one instance, and its rounds take one interval.
    pub fn of_words(array: &Array, words: &[Vec<Word>]) -> Self {
        let interval = words.first().map_or(0, Vec::len) as u32;
        let pack = |element: &Vec<Word>| {
            let mut packer = Packer { words: Vec::new(), bits: 0 };
            element.iter().for_each(|word| word.pack(&mut packer));
            packer.words
        };
        let memories = words.iter().map(pack).collect();
        let registers = array.registers;
        Self { interval, instances: 1, lanes: 1, depth: interval, memories, registers }
    }

    /// Returns the instruction of a processing element in a slot as hardware is given it: its bits,
    /// the lowest first, in words of 32.
    pub fn packed(&self, element: usize, slot: usize) -> Vec<u32> {
        let bits = word_bits(self.registers);
        let mut from = Unpacker { words: &self.memories[element], bits: slot * bits as usize };
        (0..bits).step_by(32).map(|at| from.take(32.min(bits - at)) as u32).collect()
    }

    /// Returns the instructions of a processing element, one for each cycle of the interval.
    pub fn words(&self, element: usize) -> Vec<Word> {
        let mut from = Unpacker { words: &self.memories[element], bits: 0 };
        (0..self.interval).map(|_| Word::unpack(&mut from, self.registers)).collect()
    }
}

/// Place of a value in a cycle of an element.
struct Locator<'l> {
    array: &'l Array,
    graph: &'l Graph,
    mapping: &'l Mapping,
    /// The register of each hop that holds.
    register: std::collections::BTreeMap<Hop, u8>,
}

impl Locator<'_> {
    fn source(&self, value: usize, element: usize, time: u32) -> Source {
        let place = self.mapping.places[value];
        let latency = self.array.latency(self.graph.nodes[value].op.class());
        if (place.element, place.time + latency) == (element, time) {
            return Source::Result;
        }
        let Some(before) = time.checked_sub(1) else { return Source::Zero };
        let held = Hop { value, time: before, from: element, to: element };
        if let Some(register) = self.register.get(&held) {
            return Source::Register(*register);
        }
        for direction in Direction::ALL {
            if let Some(from) = self.array.neighbour(element, direction)
                && self
                    .mapping
                    .hops
                    .binary_search(&Hop { value, time: before, from, to: element })
                    .is_ok()
            {
                return Source::Link(direction);
            }
        }
        // A link that only goes one way is not seen from its end.
        let above = element.checked_sub(self.array.columns);
        match above {
            Some(from)
                if self
                    .mapping
                    .hops
                    .binary_search(&Hop { value, time: before, from, to: element })
                    .is_ok() =>
            {
                Source::Link(Direction::North)
            }
            _ => Source::Zero,
        }
    }
}

/// Gives each held value a register: the one that it had, if that is free (R-CGRA-15).
fn registers(array: &Array, mapping: &Mapping) -> std::collections::BTreeMap<Hop, u8> {
    let mut taken = std::collections::BTreeSet::new();
    let mut register = std::collections::BTreeMap::new();
    let mut held: Vec<_> = mapping.hops.iter().filter(|hop| hop.from == hop.to).collect();
    held.sort_by_key(|hop| (hop.from, hop.time));
    for hop in held {
        let slot = (hop.from, hop.time % mapping.interval);
        let before = hop.time.checked_sub(1).map(|time| Hop { time, ..*hop });
        let before = before.and_then(|before| register.get(&before).copied());
        let all = 0..array.registers as u8;
        let free = before.into_iter().chain(all).find(|number| !taken.contains(&(slot, *number)));
        let number = free.unwrap_or(0);
        taken.insert((slot, number));
        register.insert(*hop, number);
    }
    register
}

fn words(graph: &Graph, array: &Array, mapping: &Mapping) -> Vec<Vec<Word>> {
    let interval = mapping.interval;
    let mut words = vec![vec![Word::rest(array.registers); interval as usize]; array.elements()];
    let locator = Locator { array, graph, mapping, register: registers(array, mapping) };
    for hop in &mapping.hops {
        let source = locator.source(hop.value, hop.from, hop.time);
        let word = &mut words[hop.from][(hop.time % interval) as usize];
        if hop.from == hop.to {
            word.registers[usize::from(locator.register[hop])] = source;
        } else {
            let leads =
                |direction: &Direction| array.neighbour(hop.from, *direction) == Some(hop.to);
            let direction = Direction::ALL.iter().position(leads).unwrap_or(0);
            word.links[direction] = source;
        }
    }
    for (node, place) in graph.nodes.iter().zip(&mapping.places) {
        let word = &mut words[place.element][(place.time % interval) as usize];
        (word.op, word.ty, word.access) = (Some(node.op), node.ty, node.access);
        word.stage = place.time / interval;
        for (operand, input) in node.inputs.iter().enumerate() {
            word.operands[operand] = match *input {
                Input::Constant(0) => Source::Zero,
                Input::Constant(1) => Source::One,
                Input::Constant(bits) => {
                    word.immediate = bits;
                    Source::Immediate
                }
                Input::Edge { from, distance, initial } => {
                    if distance > 0 {
                        word.carried |= 1 << operand;
                        word.initial = initial;
                    }
                    locator.source(from, place.element, place.time + distance * interval)
                }
            };
        }
    }
    words
}
