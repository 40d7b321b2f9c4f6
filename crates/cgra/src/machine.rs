//! The array, cycle by cycle, from its configuration words alone (R-CGRA-18).

use std::collections::BTreeMap;

use crate::array::{Array, Direction};
use crate::config::{Image, Source, Word};
use crate::graph::{Access, Program, Region};
use crate::op::Op;

/// Contents of the memories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memories {
    /// Buffer of the first pointer.
    pub first: Vec<u8>,
    /// Buffer of the second.
    pub second: Vec<u8>,
    /// The module's own memory.
    pub own: Vec<u8>,
}

impl Memories {
    /// The memories of a program before its first call: `own` bytes of the module's own memory.
    pub fn new(program: &Program, first: Vec<u8>, second: Vec<u8>, own: usize) -> Self {
        let mut memory = vec![0; own];
        for (at, bytes) in &program.memory {
            let at = *at as usize;
            if let Some(place) = memory.get_mut(at..at + bytes.len()) {
                place.copy_from_slice(bytes);
            }
        }
        Self { first, second, own: memory }
    }

    fn region(&mut self, region: Region) -> &mut Vec<u8> {
        match region {
            Region::First => &mut self.first,
            Region::Second => &mut self.second,
            Region::Own => &mut self.own,
        }
    }

    /// Bytes that are not there are 0: a load whose result nobody takes may be anywhere.
    fn load(&mut self, access: &Access, at: i64) -> u64 {
        let memory = self.region(access.region);
        (0..i64::from(access.bytes)).rev().fold(0, |word, k| {
            let byte = usize::try_from(at + k).ok().and_then(|at| memory.get(at));
            word << 8 | u64::from(byte.copied().unwrap_or(0))
        })
    }

    fn store(&mut self, access: &Access, at: i64, word: u64) -> bool {
        let memory = self.region(access.region);
        let Ok(at) = usize::try_from(at) else { return false };
        let bytes = usize::from(access.bytes);
        match memory.get_mut(at..at + bytes) {
            Some(place) => {
                place.copy_from_slice(&word.to_le_bytes()[..bytes]);
                true
            }
            None => false,
        }
    }
}

/// The end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Run {
    /// Cycles from the first operation to the last result.
    pub cycles: u64,
    /// Operations that were carried out, of all lanes.
    pub operations: u64,
    /// Steps over links, of all lanes.
    pub hops: u64,
    /// Energy in picojoules, by the array's model.
    pub picojoules: f64,
    /// Set if an operation has trapped, or stored where there is no memory.
    pub trapped: bool,
}

impl Run {
    /// Adds a run that came behind this one.
    pub(crate) fn add(&mut self, behind: &Self) {
        self.cycles += behind.cycles;
        self.operations += behind.operations;
        self.hops += behind.hops;
        self.picojoules += behind.picojoules;
        self.trapped |= behind.trapped;
    }
}

struct Element {
    words: Vec<Word>,
    registers: Vec<Vec<u64>>,
    links: [Vec<u64>; 4],
    result: Vec<u64>,
    /// Results on their way, by the cycle in which they come out.
    coming: BTreeMap<u64, Vec<u64>>,
}

/// An array with a configuration.
pub struct Machine<'m> {
    array: &'m Array,
    image: &'m Image,
    elements: Vec<Element>,
}

impl<'m> Machine<'m> {
    /// Loads a configuration.
    pub fn new(array: &'m Array, image: &'m Image) -> Self {
        let zero = vec![0; image.lanes as usize];
        let element = |number| Element {
            words: image.words(number),
            registers: vec![zero.clone(); array.registers],
            links: std::array::from_fn(|_| zero.clone()),
            result: zero.clone(),
            coming: BTreeMap::new(),
        };
        Self { array, image, elements: (0..array.elements()).map(element).collect() }
    }

    /// Runs the loop for so many elements.
    pub fn run(&mut self, memories: &mut Memories, elements: usize) -> Run {
        self.watch(memories, elements, |_, _| {})
    }

    /// Runs the loop, and shows the array behind each cycle.
    pub fn watch(
        &mut self,
        memories: &mut Memories,
        elements: usize,
        mut seen: impl FnMut(&Self, u64),
    ) -> Run {
        let rounds = self.image.rounds(elements as u64);
        let mut run = Run { cycles: self.image.cycles(elements as u64), ..Run::default() };
        for cycle in 0..run.cycles {
            self.cycle(cycle, rounds, elements, memories, &mut run);
            seen(self, cycle);
        }
        run
    }

    /// Returns what is on a link of a processing element, in all lanes.
    pub fn link(&self, element: usize, direction: Direction) -> &[u64] {
        &self.elements[element].links[direction as usize]
    }

    /// Returns the result that a processing element has in a cycle, the one behind the last that
    /// was run.
    pub fn result(&self, element: usize, cycle: u64) -> &[u64] {
        let element = &self.elements[element];
        element.coming.get(&cycle).unwrap_or(&element.result)
    }

    fn read(&self, element: usize, source: Source, immediate: u64) -> Vec<u64> {
        let lanes = self.image.lanes as usize;
        let this = &self.elements[element];
        match source {
            Source::Zero => vec![0; lanes],
            Source::One => vec![1; lanes],
            Source::Immediate => vec![immediate; lanes],
            Source::Result => this.result.clone(),
            Source::Register(number) => this.registers[usize::from(number)].clone(),
            Source::Link(direction) => {
                // What comes from the north is on the southward link of the element there.
                let columns = self.array.columns;
                let (from, link) = match direction {
                    Direction::North => (element.checked_sub(columns), Direction::South),
                    Direction::East => (Some(element + 1), Direction::West),
                    Direction::South => (Some(element + columns), Direction::North),
                    Direction::West => (element.checked_sub(1), Direction::East),
                };
                let from = from.and_then(|from| self.elements.get(from));
                from.map_or_else(|| vec![0; lanes], |from| from.links[link as usize].clone())
            }
        }
    }

    fn cycle(
        &mut self,
        cycle: u64,
        rounds: u64,
        elements: usize,
        memories: &mut Memories,
        run: &mut Run,
    ) {
        let interval = u64::from(self.image.interval);
        let slot = (cycle % interval) as usize;
        let lanes = f64::from(self.image.lanes);
        let [hop, register, instruction] = self.array.energy;
        for element in &mut self.elements {
            if let Some(result) = element.coming.remove(&cycle) {
                element.result = result;
            }
        }
        let (mut next, mut stores) = (Vec::new(), Vec::new());
        for number in 0..self.elements.len() {
            let word = self.elements[number].words[slot].clone();
            let read = |source: &Source| self.read(number, *source, word.immediate);
            let links: [Vec<u64>; 4] = std::array::from_fn(|link| read(&word.links[link]));
            let registers: Vec<_> = word.registers.iter().map(read).collect();
            let used = word.links.iter().filter(|source| **source != Source::Zero).count();
            run.hops += (used as f64 * lanes) as u64;
            run.picojoules += hop * used as f64 * lanes
                + register * self.array.registers as f64 * lanes
                + instruction;
            let round =
                (cycle / interval).checked_sub(word.stage.into()).filter(|round| *round < rounds);
            let mut result = None;
            if let (Some(op), Some(round)) = (word.op, round) {
                let mut operands = word.operands.each_ref().map(read);
                for (place, operand) in operands.iter_mut().enumerate() {
                    if round == 0 && word.carried >> place & 1 == 1 {
                        operand.fill(word.initial);
                    }
                }
                run.operations += u64::from(self.image.lanes);
                run.picojoules += self.array.picojoules(op.class()) * lanes;
                result = Some(self.operate(
                    &word,
                    op,
                    round,
                    &operands,
                    elements,
                    memories,
                    &mut stores,
                    run,
                ));
            }
            next.push((links, registers, word.op, result));
        }
        for (access, at, value) in stores {
            run.trapped |= !memories.store(&access, at, value);
        }
        for (element, (links, registers, op, result)) in self.elements.iter_mut().zip(next) {
            (element.links, element.registers) = (links, registers);
            if let (Some(op), Some(result)) = (op, result)
                && !op.is_effect()
            {
                element.coming.insert(cycle + u64::from(self.array.latency(op.class())), result);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "an operation meets all parts of the machine")]
    fn operate(
        &self,
        word: &Word,
        op: Op,
        round: u64,
        operands: &[Vec<u64>; 3],
        elements: usize,
        memories: &mut Memories,
        stores: &mut Vec<(Access, i64, u64)>,
        run: &mut Run,
    ) -> Vec<u64> {
        let instances = u64::from(self.image.instances);
        let (group, instance) = ((round / instances) as i64, (round % instances) as i64);
        let lanes = self.image.lanes as usize;
        let lane = |lane: usize| {
            let [a, b, c] = operands.each_ref().map(|operand| operand[lane]);
            let element = group * lanes as i64 + lane as i64;
            let present = (element as usize) < elements;
            let address = |operand: u64| {
                let access = word.access.as_ref();
                access.map_or(0, |access| {
                    let base = i64::from(operand as u32 as i32) + access.offset;
                    base + access.outer * element + access.inner * instance
                })
            };
            (a, b, c, present, address(a), address(b))
        };
        let mut made = Vec::with_capacity(lanes);
        for number in 0..lanes {
            let (a, b, c, present, load, store) = lane(number);
            made.push(match (op, &word.access) {
                (Op::Load, Some(access)) if present => memories.load(access, load),
                (Op::Load, _) => 0,
                (Op::Store, Some(access)) => {
                    if present && c != 0 {
                        stores.push((*access, store, a));
                    }
                    0
                }
                (Op::Trap, _) => {
                    run.trapped |= present && a != 0;
                    0
                }
                _ => op.eval(word.ty, [a, b, c]),
            });
        }
        made
    }
}
