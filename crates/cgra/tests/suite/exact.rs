//! The search beside exact mappings (R-CGRA-20).

use netfold_cgra::{Array, Effort, expand, extract, fits, map};

use crate::kernels::{ALL, Kernel};

/// Cycles in which a round has to begin all of its operations, beyond those of the search's
/// mapping.
const SLACK: u32 = 2;

fn is_least(kernel: &Kernel, array: &Array) -> bool {
    let program = extract(&kernel.module(), &kernel.request()).unwrap();
    let graph = expand(&program.kernels[0], array);
    let mapping = map(&graph, array, Effort::default()).unwrap();
    let last = mapping.places.iter().map(|place| place.time).max().unwrap();
    let less = mapping.bounds.interval()..mapping.interval;
    !less.into_iter().any(|interval| fits(&graph, array, interval, last + 1 + SLACK))
}

#[test]
fn the_search_finds_the_least_interval_of_nine_loops_in_twelve() {
    for text in [Array::GRID, Array::SMALL] {
        let array = Array::parse(text).unwrap();
        let least: Vec<_> = ALL
            .iter()
            .filter(|kernel| is_least(kernel, &array))
            .map(|kernel| kernel.name)
            .collect();
        assert!(least.len() >= 9, "{}: only {least:?}", array.name);
    }
}

/// The clauses have a model where the search has a mapping, and none below the bounds.
#[test]
fn exact_mappings_are_between_the_bounds_and_the_search() {
    let array = Array::parse(Array::SMALL).unwrap();
    for name in ["add", "prefix sum", "histogram", "decay"] {
        let kernel = Kernel::named(name);
        let program = extract(&kernel.module(), &kernel.request()).unwrap();
        let graph = &program.kernels[0].graph;
        let mapping = map(graph, &array, Effort::default()).unwrap();
        let last = mapping.places.iter().map(|place| place.time).max().unwrap();
        assert!(fits(graph, &array, mapping.interval, last + 1), "{name}");
        let below = mapping.bounds.interval() - 1;
        assert!(below == 0 || !fits(graph, &array, below, last + 6), "{name}");
    }
}
