//! Places and routes (R-CGRA-11 to 15).

use netfold_cgra::{Array, Effort, Hop, Mapping, check, compile, expand, extract, map};

use crate::kernels::{ALL, Kernel};

fn mapped(kernel: &Kernel, array: &Array) -> (netfold_cgra::graph::Graph, Mapping) {
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
    early.orders.push(netfold_cgra::graph::Order { delay: 1000, ..*order });
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
