//! The examples on arrays, beside WebAssembly (R-CGRA-14, R-CGRA-18).

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use super::{built, example, text};
use crate::support::{Ended, ended, netfold};

/// Functions that the paper's array does not carry out, and a part of the reason.
const REFUSED: [(&str, &str); 10] = [
    ("checksum.c decode", "ResMII 215"),
    ("checksum.c encode", "ResMII 213"),
    ("features.c answer", "a loop whose number of rounds depends on operands"),
    ("log.c answer", "a loop whose number of rounds depends on operands"),
    ("one_bit.c encode", "RecMII 1042"),
    ("sgd_momentum.c answer", "no mapping on `acis`"),
    ("sgd_momentum.c map", "processing elements of the first SPU"),
    // A sort is no loop of a known length. Not seen yet where no Rust compiler has wasm32.
    ("sparse_pairs.rs fold", "a loop whose number of rounds depends on operands"),
    ("top_k.c fold", "the loop is not the whole function"),
    ("top_k_feedback.c encode", "a graph of more than"),
];

/// Operations with a codec or a map whose functions are all mapped: a round goes through several
/// (R-CGRA-29).
const CHAINS: [&str; 4] = ["bfloat_16.c", "quantise_4.c", "quantise_8.c", "sgd_step.c"];

fn cgra(arguments: &[&str]) -> Ended {
    ended(&mut netfold(&[&["cgra"], arguments].concat()))
}

/// Runs all functions of an example on an array, and their chain, on random operands; returns
/// those that are refused, with the reason. All others do what they do as WebAssembly. `None` on a
/// machine without the compiler.
fn refused(name: &str, array: &str, folder: &Path) -> Option<Vec<String>> {
    let module = built(name, folder)?;
    let run =
        cgra(&["simulate", text(&module), "--array", array, "--elements", "37", "--seed", "2"]);
    assert!(!run.stdout.contains("NOT as WebAssembly"), "{name}: {}", run.stdout);
    let chain = run.stdout.lines().find(|line| line.contains(" chain of 3 operands: 37 elements"));
    assert_eq!(chain.is_some(), CHAINS.contains(&name), "{name}: {}", run.stdout);
    let (run, not): (Vec<_>, Vec<_>) =
        run.stdout.lines().partition(|line| line.contains("as WebAssembly"));
    assert!(!run.is_empty() || !not.is_empty(), "{name}");
    Some(not.into_iter().map(str::to_owned).collect())
}

/// Every example on the paper's array. Each function is mapped, or refused for the reason that is
/// known here, and no other one is listed.
#[test]
fn every_example_is_mapped_or_refused_for_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let names = fs::read_dir(example("")).unwrap();
    let names = names.map(|source| source.unwrap().file_name().into_string().unwrap());
    let left: Mutex<Vec<String>> = Mutex::new(names.filter(|name| !name.ends_with(".h")).collect());
    let found: Mutex<Vec<String>> = Mutex::default();
    let known: Mutex<Vec<(&str, &str)>> = Mutex::default();
    let next = || left.lock().unwrap().pop();
    let work = || {
        while let Some(name) = next() {
            let Some(lines) = refused(&name, "acis", folder.path()) else { continue };
            let of_it = REFUSED.into_iter().filter(|(function, _)| function.starts_with(&name));
            known.lock().unwrap().extend(of_it);
            found.lock().unwrap().extend(lines.iter().map(|line| format!("{name} {line}")));
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let (mut found, mut known) = (found.into_inner().unwrap(), known.into_inner().unwrap());
    found.sort();
    known.sort_unstable();
    let as_known = |(line, (function, reason)): (&String, &(&str, &str))| {
        line.strip_prefix(function).is_some_and(|rest| rest.contains(reason))
    };
    let agree = found.len() == known.len() && found.iter().zip(&known).all(as_known);
    assert!(agree, "found {found:#?}, known {known:#?}");
}

/// A small array carries out what is small.
#[test]
fn small_examples_do_on_a_small_array_what_they_do_as_webassembly() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["sum_i32.c", "argmax.c", "bitwise.c", "histogram.c", "bfloat_16.c", "sgd_step.c"] {
        let refused = refused(name, "small-2x2", folder.path()).unwrap_or_default();
        assert_eq!(refused, [""; 0], "{name}");
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
    let svg = folder.path().join("places.svg");
    let map = cgra(&["map", text(&module), "--array", "small-2x2", "--svg", text(&svg)]);
    assert!(map.stdout.contains("13 operations, 1 times an element; interval 4"), "{}", map.stdout);
    let svg = fs::read_to_string(svg).unwrap();
    // A rectangle for the ground, and two for each element; each operation once.
    assert_eq!(svg.matches("<rect").count(), 1 + 2 * 4, "{svg}");
    assert_eq!(svg.matches("load.i32").count(), 4, "{svg}");
    assert_eq!(svg.matches("store.i32").count(), 2, "{svg}");
    let report = super::op(&["report", text(&module)]);
    assert!(report.stdout.contains("PISA: none, since"), "{}", report.stdout);
    assert!(report.stdout.contains("argmax fold"), "{}", report.stdout);
    let sum = built("sum_i32.c", folder.path()).unwrap();
    let report = super::op(&["report", text(&sum)]);
    assert!(report.stdout.contains("PISA: add of a register"), "{}", report.stdout);
    assert!(report.stdout.contains("128.0"), "{}", report.stdout);
    let codec = built("checksum.c", folder.path()).unwrap();
    let report = super::op(&["report", text(&codec)]);
    let chain = report.stdout.lines().find(|line| line.contains("checksum chain")).unwrap();
    assert!(chain.contains("its decode is refused"), "{}", report.stdout);
    // Intervals of the fold and the map, one cycle each: 16 lanes of 64 bits at 250 MHz, by two.
    let mapped = built("sgd_step.c", folder.path()).unwrap();
    let report = super::op(&["report", text(&mapped)]);
    let chain = report.stdout.lines().find(|line| line.contains("sgd-step chain")).unwrap();
    assert!(chain.contains("1/1x1 1/1x1") && chain.contains("128.0"), "{}", report.stdout);
}

/// `netfold sim` reads the operation that a job names, from the scenario's folder, and has its
/// packets go around (R-CGRA-28).
#[test]
fn a_scenario_has_an_operation_on_an_array() {
    let folder = tempfile::tempdir().unwrap();
    if built("bfloat_16.c", folder.path()).is_none() {
        return;
    }
    let simulated = |name: &str, array: &str, operation: &str| {
        let scenario = format!(
            "[switches]\n{array}\n
             [[layers]]\nfan_out = 4\nrate_gbps = 100\ndelay_ns = 500\n
             [[jobs]]\nworkers = 4\narithmetic = \"native\"\n{operation}\n
             calls = [{{ element_type = \"i32\", elements = 64 }}]\n"
        );
        let path = folder.path().join(name);
        fs::write(&path, scenario).unwrap();
        let json = path.with_extension("json");
        let run = ended(&mut netfold(&["sim", text(&path), "--json", text(&json)]));
        (run, fs::read_to_string(json).unwrap_or_default())
    };
    let (acis, operation) = ("array = \"acis\"", "operation = \"bfloat_16.wasm\"");
    let (run, report) = simulated("operation.toml", acis, operation);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    // Each of four packets is decoded and folded, and the result is encoded.
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["runs"][0]["recirculations"], 5, "{report}");
    let (run, _) = simulated("none.toml", "latency_ns = 0", operation);
    assert!(run.stderr.contains("give switches.array"), "{}", run.stderr);
    let (run, _) = simulated("missing.toml", acis, "operation = \"no.wasm\"");
    assert!(run.stderr.contains("no.wasm cannot be read"), "{}", run.stderr);
    built("checksum.c", folder.path()).unwrap();
    let (run, _) = simulated("refused.toml", acis, "operation = \"checksum.wasm\"");
    assert!(run.stderr.contains("checksum.wasm: its decode is refused"), "{}", run.stderr);
}
