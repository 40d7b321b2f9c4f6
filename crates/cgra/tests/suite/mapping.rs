//! Places and routes (R-CGRA-11 to 15, 21).

use std::hash::{DefaultHasher, Hash, Hasher};

use netfold_cgra::graph::{Access, Graph, Input, Node, Order, Region};
use netfold_cgra::op::{Op, Ty};
use netfold_cgra::{Array, Effort, Hop, Mapping, check, compile, expand, extract, map};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::kernels::{ALL, Kernel};

fn mapped(kernel: &Kernel, array: &Array) -> (Graph, Mapping) {
    let program = extract(&kernel.module(), &kernel.request()).unwrap();
    let graph = expand(&program.kernels[0], array).into_owned();
    let mapping = map(&graph, array, Effort::default()).unwrap();
    (graph, mapping)
}

/// On one SPU of 4 by 4 whose units count addresses and rounds, as OpenCGRA's do.
#[test]
fn intervals_are_within_one_of_the_published_mapper() {
    let array = Array::parse(Array::GRID).unwrap();
    for kernel in &ALL {
        let (graph, mapping) = mapped(kernel, &array);
        check(&graph, &array, &mapping).unwrap();
        if let Some(published) = kernel.published {
            assert!(mapping.interval <= published + 1, "{}: {}", kernel.name, mapping.interval);
        }
    }
}

#[test]
fn mappings_are_legal_on_all_arrays() {
    for text in [Array::ACIS, Array::GRID, Array::SMALL] {
        let array = Array::parse(text).unwrap();
        for kernel in &ALL {
            let (graph, mapping) = mapped(kernel, &array);
            check(&graph, &array, &mapping).unwrap();
            assert!(mapping.interval >= mapping.bounds.interval());
        }
    }
}

#[test]
fn a_seed_gives_one_mapping() {
    let array = Array::parse(Array::GRID).unwrap();
    let kernel = Kernel::named("complex multiply");
    assert_eq!(mapped(kernel, &array), mapped(kernel, &array));
}

/// R-CGRA-12, by hand. prefix sum: the sum takes a cycle of itself. hash: exclusive or and product,
/// 1 + 2. histogram: load 2, sum 1, and the store a cycle before the next load.
#[test]
fn bounds_of_recurrences() {
    let array = Array::parse(Array::ACIS).unwrap();
    for (name, least) in
        [("add", 1), ("prefix sum", 1), ("hash", 3), ("decay", 2), ("histogram", 4)]
    {
        let (_, mapping) = mapped(Kernel::named(name), &array);
        assert_eq!(mapping.bounds.recurrence, least, "{name}");
    }
}

/// R-CGRA-12, by hand: complex multiply has four loads and two stores, and the small array one
/// memory unit in each of four elements.
#[test]
fn bounds_of_resources() {
    let array = Array::parse(Array::SMALL).unwrap();
    let (graph, mapping) = mapped(Kernel::named("complex multiply"), &array);
    assert_eq!(graph.nodes.len(), 12);
    assert_eq!(mapping.bounds.resource(), 3);
}

/// A number that is divided so many times, and added to the last quotient.
fn divided(times: usize) -> netfold_cgra::graph::Program {
    let x = "(f32.load (local.get $l))".to_owned();
    let quotient = (0..times).fold(x.clone(), |x, _| format!("(f32.div {x} (f32.const 3))"));
    let text = format!("(f32.store (local.get $l) (f32.add {quotient} {x}))");
    crate::extraction::fold(&text, [4, 4]).unwrap()
}

/// R-CGRA-12, by hand: the number waits for 20 quotients of 12 cycles each. There are 48 elements
/// with 8 registers, 24 links each way in each SPU, and 4 from one SPU to the next.
#[test]
fn bounds_of_values_that_wait() {
    let array = Array::parse(Array::ACIS).unwrap();
    let program = divided(20);
    let bounds = netfold_cgra::Bounds::of(&program.kernels[0].graph, &array).unwrap();
    assert_eq!(bounds.waits, (20 * 12, 48 * 8 + 3 * 48 + 2 * 4));
    assert_eq!((bounds.waiting(), bounds.interval()), (1, 1));
    // With one register in an element it needs two cycles, where units need one.
    let array = Array::parse(&Array::ACIS.replace("registers = 8", "registers = 1")).unwrap();
    let bounds = netfold_cgra::Bounds::of(&program.kernels[0].graph, &array).unwrap();
    assert_eq!(bounds.waits, (20 * 12, 48 + 3 * 48 + 2 * 4));
    assert_eq!((bounds.resource(), bounds.recurrence), (1, 1));
    assert_eq!((bounds.waiting(), bounds.interval()), (2, 2));
    let said = bounds.to_string();
    assert!(said.ends_with("2 for 240 cycles of waiting in 200 registers and links"), "{said}");
}

/// R-CGRA-21: it is loaded again instead, before it is stored to, and a number that waits for less
/// is not.
#[test]
fn values_that_would_wait_long_are_made_again() {
    let array = Array::parse(Array::ACIS).unwrap();
    for (times, more) in [(20, 1), (2, 0)] {
        let program = divided(times);
        let graph = &program.kernels[0].graph;
        let again = expand(&program.kernels[0], &array);
        assert_eq!(again.nodes.len(), graph.nodes.len() + more, "{times}");
        assert_eq!(again.orders.len(), graph.orders.len() + more, "{times}");
        let compiled = compile(program.clone(), &array, Effort::default()).unwrap();
        check(&again, &array, &compiled.mappings[0]).unwrap();
        let numbers: Vec<f32> = (0..40).map(|at| at as f32 * 1.7 - 30.0).collect();
        let bytes = |numbers: &[f32]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut memories = netfold_cgra::Memories { first: bytes(&numbers), ..Default::default() };
        compiled.run(&array, &mut memories, numbers.len());
        let expected: Vec<f32> =
            numbers.iter().map(|x| (0..times).fold(*x, |quotient, _| quotient / 3.0) + x).collect();
        assert_eq!(memories.first, bytes(&expected) as Vec<u8>, "{times}");
    }
}

/// Draws a loop: sums and quotients of four numbers and of each other, of which three are stored in
/// the place of the first numbers.
fn drawn(dice: &mut Pcg64Mcg) -> Graph {
    let access = |offset| Access { region: Region::First, bytes: 4, offset, outer: 16, inner: 0 };
    let (zero, one) = (Input::Constant(0), Input::Constant(1));
    let edge = |from| Input::Edge { from, distance: 0, initial: 0 };
    let node = |op, inputs, access| Node { op, ty: Ty::F32, inputs, access };
    let load = |number: i64| node(Op::Load, [zero; 3], Some(access(4 * number)));
    let mut graph = Graph { nodes: (0..4).map(load).collect(), orders: Vec::new() };
    for number in 4..40 {
        let op = if dice.random_ratio(1, 3) { Op::FDiv } else { Op::FAdd };
        let operand = |dice: &mut Pcg64Mcg| {
            let first = if dice.random() { 0 } else { number - 3 };
            edge(dice.random_range(first..number))
        };
        graph.nodes.push(node(op, [operand(dice), operand(dice), zero], None));
    }
    for at in 0..3 {
        graph.nodes.push(node(Op::Store, [edge(39 - at), zero, one], Some(access(4 * at as i64))));
        graph.orders.push(Order { from: at, to: 40 + at, distance: 0, delay: 0 });
    }
    graph
}

/// Returns a number for each node's expression; others have other numbers.
fn expressions(graph: &Graph) -> Vec<u64> {
    fn of(graph: &Graph, node: usize, known: &mut [Option<u64>]) -> u64 {
        if let Some(known) = known[node] {
            return known;
        }
        let Node { op, ty, inputs, access } = graph.nodes[node];
        let inputs = inputs.map(|input| match input {
            Input::Edge { from, .. } => of(graph, from, known),
            Input::Constant(value) => value,
        });
        let mut hasher = DefaultHasher::new();
        format!("{op:?} {ty:?} {inputs:?} {access:?}").hash(&mut hasher);
        *known[node].insert(hasher.finish())
    }
    let mut known = vec![None; graph.nodes.len()];
    (0..graph.nodes.len()).map(|node| of(graph, node, &mut known)).collect()
}

/// R-CGRA-21: whatever is made again, every node makes what it made before, and a second load has
/// the orders of the first one.
#[test]
fn what_is_made_again_is_the_same() {
    let array = Array::parse(&Array::ACIS.replace("registers = 8", "registers = 1")).unwrap();
    let mut again = 0;
    for seed in 0..200 {
        let graph = drawn(&mut Pcg64Mcg::seed_from_u64(seed));
        let kernel = netfold_cgra::graph::Kernel { graph, instances: 1, lanes: true };
        let expanded = expand(&kernel, &array);
        let before = expressions(&kernel.graph);
        assert_eq!(expressions(&expanded)[..before.len()], before, "seed {seed}");
        for load in &expanded.nodes[before.len()..] {
            again += 1;
            let Some(access) = load.access else { continue };
            let of = |node: &Node| node.op == Op::Load && node.access == Some(access);
            let loads = expanded.nodes.iter().filter(|node| of(node)).count();
            let orders = expanded.orders.iter().filter(|order| of(&expanded.nodes[order.from]));
            // The fourth number is not stored to.
            let ordered = if access.offset < 12 { loads } else { 0 };
            assert_eq!(orders.count(), ordered, "seed {seed}");
        }
    }
    assert!(again > 200, "{again}");
}

/// Each rule of R-CGRA-11 is looked at: a mapping that breaks it is found.
#[test]
fn what_is_illegal_is_found() {
    let array = Array::parse(Array::GRID).unwrap();
    let kernel = Kernel::named("mac");
    let (graph, good) = mapped(kernel, &array);
    let broken = |change: &dyn Fn(&mut Mapping)| {
        let mut mapping = good.clone();
        change(&mut mapping);
        check(&graph, &array, &mapping).unwrap_err()
    };
    let memory = graph.nodes.iter().position(|node| node.access.is_some()).unwrap();
    let no_memory = broken(&|mapping| mapping.places[memory].element = 3);
    assert!(no_memory.contains("no memory unit"), "{no_memory}");
    let taken = broken(&|mapping| mapping.places[1] = mapping.places[0]);
    assert!(taken.contains("that another one has"), "{taken}");
    for at in 0..good.hops.len() {
        let lost = broken(&|mapping| {
            mapping.hops.remove(at);
        });
        assert!(lost.contains("does not reach"), "{lost}");
    }
    let far = broken(&|mapping| mapping.hops.push(Hop { value: 0, time: 0, from: 0, to: 5 }));
    assert!(far.contains("no link"), "{far}");
    let link = *good.hops.iter().find(|hop| hop.from != hop.to).unwrap();
    let two = broken(&|mapping| {
        mapping.hops.push(Hop { time: link.time + good.interval, ..link });
    });
    assert!(two.contains("two values on the link"), "{two}");
    let full = broken(&|mapping| {
        let held = |time| Hop { value: 0, time: time * good.interval, from: 9, to: 9 };
        mapping.hops.extend((0..=array.registers as u32).map(held));
    });
    assert!(full.contains("too few registers"), "{full}");
    let long = broken(&|mapping| mapping.interval = array.instructions + 1);
    assert!(long.contains("interval"), "{long}");
}

/// An order that is broken is found: a bin is loaded before it was stored.
#[test]
fn orders_are_kept() {
    let array = Array::parse(Array::ACIS).unwrap();
    let (graph, good) = mapped(Kernel::named("histogram"), &array);
    let order = graph.orders.iter().find(|order| order.distance == 1 && order.delay == 1).unwrap();
    let mut early = graph.clone();
    early.orders.push(Order { delay: 1000, ..*order });
    let found = check(&early, &array, &good).unwrap_err();
    assert!(found.contains("wrong order"), "{found}");
}

/// Words are packed and unpacked without loss: their number is that of the interval, and what is
/// read back makes the same memory again.
#[test]
fn configuration_words_are_read_back() {
    let array = Array::parse(Array::ACIS).unwrap();
    let kernel = Kernel::named("filter");
    let program = extract(&kernel.module(), &kernel.request()).unwrap();
    let compiled = compile(program, &array, Effort::default()).unwrap();
    let image = &compiled.images[0];
    let operations: usize = (0..array.elements())
        .flat_map(|element| image.words(element))
        .filter(|word| word.op.is_some())
        .count();
    assert_eq!(operations, compiled.mappings[0].places.len());
    let bits = netfold_cgra::word_bits(array.registers) * image.interval;
    assert_eq!(image.memories[0].len(), bits.div_ceil(64) as usize);
}
