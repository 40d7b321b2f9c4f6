//! The examples on arrays, beside WebAssembly (R-CGRA-18).

use std::path::Path;

use super::{built, text};
use crate::support::{Ended, ended, netfold};

fn cgra(arguments: &[&str]) -> Ended {
    ended(&mut netfold(&[&["cgra"], arguments].concat()))
}

/// Runs all functions of an example on an array; returns those that are refused, with the reason.
fn refused(name: &str, array: &str, folder: &Path) -> Vec<String> {
    let Some(module) = built(name, folder) else { return Vec::new() };
    let mut refused = Vec::new();
    for (elements, seed) in [("1", "1"), ("37", "2"), ("16", "3")] {
        let run = cgra(&[
            "simulate",
            text(&module),
            "--array",
            array,
            "--elements",
            elements,
            "--seed",
            seed,
        ]);
        assert!(!run.stdout.contains("NOT as WebAssembly"), "{name}: {}", run.stdout);
        let (run, not): (Vec<_>, Vec<_>) =
            run.stdout.lines().partition(|line| line.contains("as WebAssembly"));
        assert!(!run.is_empty() || !not.is_empty(), "{name}");
        refused = not.into_iter().map(str::to_owned).collect();
    }
    refused
}

/// Folds, maps and codecs that are mapped in no time.
#[test]
fn examples_do_on_arrays_what_they_do_as_webassembly() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "sum_i32.c",
        "argmax.c",
        "bitwise.c",
        "count_min.c",
        "histogram.c",
        "complex_sum.c",
        "hyperloglog.c",
        "bfloat_16.c",
        "sgd_step.c",
    ] {
        for array in ["acis", "small-2x2"] {
            assert_eq!(refused(name, array, folder.path()), [""; 0], "{name} on {array}");
        }
    }
}

/// All examples on the paper's array. Each is mapped, or refused for a reason that is known here.
#[test]
#[ignore = "large elements take minutes; make soak runs it"]
fn every_example_is_mapped_or_refused_for_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let sources = std::fs::read_dir(super::example("")).unwrap();
    for source in sources {
        let name = source.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".h") {
            continue;
        }
        for line in refused(&name, "acis", folder.path()) {
            let reason = line.split_once(": ").map(|(_, reason)| reason).unwrap_or_default();
            let known = [
                "an interval of",
                "no mapping on",
                "a loop whose",
                "a graph of",
                "the loop is not",
            ];
            assert!(known.iter().any(|known| reason.starts_with(known)), "{name}: {line}");
            eprintln!("{name} {line}");
        }
    }
}

#[test]
fn graphs_and_reports_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(module) = built("argmax.c", folder.path()) else { return };
    let graph = cgra(&["graph", text(&module)]);
    assert!(graph.stdout.starts_with("digraph \"argmax fold\" {"), "{}", graph.stdout);
    assert_eq!(graph.stdout.matches("select").count(), 2, "{}", graph.stdout);
    let none = cgra(&["graph", text(&module), "--function", "map"]);
    assert_eq!(none.status, Some(2));
    assert!(none.stderr.contains("the operation has fold"), "{}", none.stderr);
    let map = cgra(&["map", text(&module), "--array", "small-2x2"]);
    assert!(map.stdout.contains("13 operations, 1 times an element; interval 4"), "{}", map.stdout);
    let report = super::op(&["report", text(&module)]);
    assert!(report.stdout.contains("PISA: none, since"), "{}", report.stdout);
    assert!(report.stdout.contains("argmax fold"), "{}", report.stdout);
    let sum = built("sum_i32.c", folder.path()).unwrap();
    let report = super::op(&["report", text(&sum)]);
    assert!(report.stdout.contains("PISA: add of a register"), "{}", report.stdout);
    assert!(report.stdout.contains("128.0"), "{}", report.stdout);
}
