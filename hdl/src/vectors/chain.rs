//! Loops for the chain of three units: drawn, mapped, and run by the simulator of arrays
//! (R-CGRA-23).

use std::collections::VecDeque;

use netfold_cgra::graph::{Access, Graph, Input, Kernel, Node, Order, Region};
use netfold_cgra::op::{Op, Ty};
use netfold_cgra::{Array, Effort, Image, Machine, Memories, map};
use rand::{RngExt, SeedableRng};

use super::element::{PACKED, array, operation};
use super::{Dice, Vectors, word};

/// Bytes of a buffer.
const BUFFER: usize = 128;

/// Runs of each loop.
const RUNS: usize = 6;

const RECORD: usize = 27;

/// A loop on the chain, and bytes of an element in each buffer.
struct Loaded {
    image: Image,
    sizes: [usize; 2],
}

/// Records: configuration, the loop's numbers, streams; the streams behind the edge.
pub struct Chains {
    dice: Dice,
    array: Array,
    ready: VecDeque<[u32; RECORD]>,
}

impl Chains {
    /// Draws from a seed.
    pub fn new(seed: u64) -> Self {
        let array = array(3, 2, 2, "[0]");
        Self { dice: Dice::seed_from_u64(seed), array, ready: VecDeque::new() }
    }

    /// Draws a loop: loads, operations on them and on what the round before has made, stores.
    fn kernel(&mut self) -> (Kernel, [usize; 2]) {
        let dice = &mut self.dice;
        let instances = dice.random_range(1..4_usize);
        let mut sizes = [4 * instances, 4 * instances * dice.random_range(0..2_usize)];
        let mut graph = Graph::default();
        let access = |dice: &mut Dice, region: Region| {
            let bytes = 1_u8 << dice.random_range(0..3_u32);
            let offset = i64::from(bytes) * dice.random_range(0..i64::from(4 / bytes));
            let outer = sizes[region as usize] as i64;
            Some(Access { region, bytes, offset, outer, inner: 4 })
        };
        let ty = |access: Option<Access>| match access.map(|access| access.bytes) {
            Some(1) => Ty::I8,
            Some(2) => Ty::I16,
            _ => Ty::I32,
        };
        let zero = Input::Constant(0);
        for _ in 0..dice.random_range(1..4) {
            let region = if sizes[1] > 0 && dice.random() { Region::Second } else { Region::First };
            let access = access(dice, region);
            let inputs = [zero, zero, zero];
            graph.nodes.push(Node { op: Op::Load, ty: ty(access), inputs, access });
        }
        let loads = graph.nodes.len();
        for number in loads..loads + dice.random_range(1..9_usize) {
            let (op, ty) = operation(dice, true);
            let immediate = u64::from(word(dice, 32));
            let initial = u64::from(word(dice, 32));
            let inputs = std::array::from_fn(|_| match dice.random_range(0..8) {
                0 => Input::Constant(dice.random_range(0..2)),
                1 => Input::Constant(immediate),
                2 => Input::Edge { from: dice.random_range(0..=number), distance: 1, initial },
                _ => Input::Edge { from: dice.random_range(0..number), distance: 0, initial: 0 },
            });
            graph.nodes.push(Node { op, ty, inputs, access: None });
        }
        let made = graph.nodes.len();
        let value = |dice: &mut Dice| Input::Edge {
            from: dice.random_range(0..made),
            distance: 0,
            initial: 0,
        };
        if dice.random_ratio(1, 6) {
            let inputs = [value(dice), zero, zero];
            graph.nodes.push(Node { op: Op::Trap, ty: Ty::I32, inputs, access: None });
        }
        let condition = if dice.random() { Input::Constant(1) } else { value(dice) };
        let access = access(dice, Region::First);
        let inputs = [value(dice), zero, condition];
        graph.nodes.push(Node { op: Op::Store, ty: ty(access), inputs, access });
        // A round loads before it stores.
        let store = graph.nodes.len() - 1;
        graph.orders.extend((0..loads).map(|load| Order {
            from: load,
            to: store,
            distance: 0,
            delay: 0,
        }));
        sizes[1] = if graph.nodes.iter().any(of_second) { sizes[1] } else { 0 };
        (Kernel { graph, instances: instances as u32, lanes: false }, sizes)
    }

    /// Draws loops until one has a place, and loads it.
    fn load(&mut self) -> Loaded {
        loop {
            let (kernel, sizes) = self.kernel();
            let effort = Effort { seed: self.dice.random(), places: 4_000, ..Effort::default() };
            let Ok(mapping) = map(&kernel.graph, &self.array, effort) else { continue };
            let image = Image::new(&kernel, &kernel.graph, &self.array, &mapping);
            for element in 0..self.array.elements() {
                for slot in 0..image.interval as usize {
                    let mut record = [0; RECORD];
                    record[..3].copy_from_slice(&[1, element as u32, slot as u32]);
                    record[3..3 + PACKED].copy_from_slice(&image.packed(element, slot));
                    record[22] = 1;
                    self.ready.push_back(record);
                }
            }
            return Loaded { image, sizes };
        }
    }

    /// Operands in, the loop, results out.
    fn run(&mut self, Loaded { image, sizes }: &Loaded) {
        let most = BUFFER / sizes[0].max(sizes[1]);
        let elements = self.dice.random_range(1..=most);
        let [first, second]: [Vec<u32>; 2] =
            sizes.map(|size| (0..size * elements / 4).map(|_| word(&mut self.dice, 32)).collect());
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut memories =
            Memories { first: bytes(&first), second: bytes(&second), ..Memories::default() };
        let run = Machine::new(&self.array, image).run(&mut memories, elements);
        let mut common = [0; RECORD];
        let rounds = elements as u32 * image.instances;
        let numbers =
            [image.interval, rounds, image.instances, run.cycles as u32, first.len() as u32];
        common[13..18].copy_from_slice(&numbers);
        let sent: Vec<u32> = first.iter().chain(&second).copied().collect();
        for (at, word) in sent.iter().enumerate() {
            let last = at + 1 == sent.len();
            while self.dice.random_ratio(1, 4) {
                let mut record = common;
                (record[19], record[22]) = (self.dice.random(), 1);
                self.ready.push_back(record);
            }
            let mut record = common;
            record[18..21].copy_from_slice(&[1, *word, last.into()]);
            record[22] = (!last).into();
            self.ready.push_back(record);
        }
        let made: Vec<u32> =
            memories.first.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let shown = |mut record: [u32; RECORD], at: usize| {
            let last = at + 1 == made.len();
            record[22..].copy_from_slice(&match made.get(at) {
                Some(word) => [0, 1, *word, last.into(), run.trapped.into()],
                None => [1, 0, 0, 0, 0],
            });
            record
        };
        self.ready.extend((1..run.cycles).map(|_| common));
        self.ready.push_back(shown(common, 0));
        let mut at = 0;
        while at < made.len() {
            let mut record = common;
            record[21] = self.dice.random::<bool>().into();
            at += record[21] as usize;
            self.ready.push_back(shown(record, at));
        }
    }
}

fn of_second(node: &Node) -> bool {
    node.access.is_some_and(|access| access.region == Region::Second)
}

impl Vectors for Chains {
    fn next(&mut self, record: &mut Vec<u32>) {
        if self.ready.is_empty() {
            let loaded = self.load();
            (0..RUNS).for_each(|_| self.run(&loaded));
        }
        record.extend(self.ready.pop_front().unwrap_or([0; RECORD]));
    }
}
