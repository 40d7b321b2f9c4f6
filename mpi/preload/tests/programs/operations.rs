//! Operations of the program, and programs in Fortran.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::FOLDING;
use crate::mpi::{ALL, Family, REPORT, programs, taken};

/// Writes a module that folds elements of a type, by `step` from `$left` and `$right`.
fn module(folder: &Path, name: &str, (element, bytes): (&str, u32), claims: &str, step: &str) {
    let text = format!(
        r#"(module
            (@custom "netfold.operation" "abi 1\nname {name}\nelement {element}\n{claims}")
            (memory (export "memory") 1)
            (func (export "fold") (param $left i32) (param $right i32) (param $count i32)
                (local $a i32) (local $b i32) (local $c i32)
                (loop $next
                    {step}
                    (local.set $left (i32.add (local.get $left) (i32.const {bytes})))
                    (local.set $right (i32.add (local.get $right) (i32.const {bytes})))
                    (br_if $next
                        (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))"#
    );
    let module = wat::parse_str(text).expect("a module");
    fs::write(folder.join(format!("{name}.wasm")), module).expect("a file");
}

const BOTH: &str = r"associative yes\ncommutative yes";

/// Puts the smaller of two numbers in the place of the left one.
const LEAST: &str = "(if (i32.lt_s (i32.load (local.get $right)) (i32.load (local.get $left)))
    (then (i32.store (local.get $left) (i32.load (local.get $right)))))";

/// Writes bodies of the operations of `operations.c`, and returns the list of them.
fn list(folder: &Path) -> PathBuf {
    module(folder, "least", ("i32", 4), BOTH, LEAST);
    let number = |side: &str, at: u32| format!("(i32.load offset={} (local.get ${side}))", 4 * at);
    let dot = |row: u32, column: u32| {
        let [first, second] = [0, 1].map(|k| {
            format!("(i32.mul {} {})", number("left", 2 * row + k), number("right", 2 * k + column))
        });
        format!("(i32.add {first} {second})")
    };
    let (a, b, c, d) = (dot(0, 0), dot(0, 1), dot(1, 0), dot(1, 1));
    let product = format!(
        "(local.set $a {a}) (local.set $b {b}) (local.set $c {c})
        (i32.store offset=12 (local.get $left) {d})
        (i32.store (local.get $left) (local.get $a))
        (i32.store offset=4 (local.get $left) (local.get $b))
        (i32.store offset=8 (local.get $left) (local.get $c))"
    );
    module(folder, "compose", ("u32x4", 16), "associative yes", &product);
    let larger = "(if (i32.or
            (f64.gt (f64.load (local.get $right)) (f64.load (local.get $left)))
            (i32.and (f64.eq (f64.load (local.get $right)) (f64.load (local.get $left)))
                (i32.lt_s (i32.load offset=8 (local.get $right))
                    (i32.load offset=8 (local.get $left)))))
        (then (f64.store (local.get $left) (f64.load (local.get $right)))
            (i32.store offset=8 (local.get $left) (i32.load offset=8 (local.get $right)))))";
    module(folder, "first-largest", ("f64,i32", 16), BOTH, larger);
    let list = folder.join("operations");
    let lines = "least least.wasm # of int\ncompose compose.wasm\n\
        compose_large compose.wasm\n\
        first_largest first-largest.wasm\nmissing least.wasm\n";
    fs::write(&list, lines).expect("a file");
    list
}

/// R-MPI-18
#[test]
fn operations_of_the_program_fold_by_their_bodies() {
    let folder = TempDir::new().unwrap();
    let list = list(folder.path());
    let list = ("NETFOLD_MPI_OPERATIONS", list.to_str().unwrap());
    let missing = "the program has no function missing";
    let refused = "an operation of the program";
    for (mpi, program) in programs("operations.c") {
        for (ranks, seed, transport) in [(3, "61", "shm"), (2, "62", "udp")] {
            let settings = [ALL, REPORT, list, ("NETFOLD_TRANSPORT", transport)];
            let text = mpi.run(ranks, &program, &[seed, "9"], &settings).succeeded();
            assert!(text.contains(&format!("36 checks of seed {seed}")), "{text}");
            assert_eq!(taken(&text), FOLDING, "{text}");
            assert!(!text.contains(refused) && !text.contains("no such fold"), "{text}");
            assert_eq!(text.matches(missing).count(), ranks, "{text}");
        }
        // Another type, a function that is in no list, and one that shall not commute.
        for (how, why) in [("unsigned", "no such fold"), ("unknown", refused), ("ordered", refused)]
        {
            let settings = [ALL, REPORT, list];
            let text = mpi.run(2, &program, &["63", "3", how], &settings).succeeded();
            assert!(text.contains("3 checks of seed 63") && text.contains(why), "{text}");
            assert!(taken(&text).is_empty(), "{text}");
        }
        let settings = [ALL, ("NETFOLD_MPI_OPERATIONS", "/missing/list")];
        let text = mpi.run(2, &program, &["64", "1"], &settings).succeeded();
        assert!(text.contains("/missing/list cannot be read"), "{text}");
    }
}

/// R-MPI-2, R-MPI-18
#[test]
fn programs_in_fortran_are_taken() {
    let folder = TempDir::new().unwrap();
    // The compiler puts a mark behind the names of functions.
    module(folder.path(), "least", ("i32", 4), BOTH, LEAST);
    let list = folder.path().join("operations");
    fs::write(&list, "least_ least.wasm\n").expect("a file");
    let list = ("NETFOLD_MPI_OPERATIONS", list.to_str().unwrap());
    for (mpi, program) in programs("collectives.f90") {
        let text = mpi.run(3, &program, &[], &[ALL, REPORT, list]).succeeded();
        assert!(text.contains("failures: 0"), "{text}");
        // A scan by an operation of the program.
        let expected = ["allreduce", "reduce", "bcast", "allgather", "scan", "barrier"];
        assert_eq!(taken(&text), expected, "{mpi:?}: {text}");
    }
}

/// R-MPI-1, R-MPI-13, R-MPI-18: a program that knows no other functions than those of `mpi_f08`.
#[test]
fn programs_in_modern_fortran_are_taken() {
    let folder = TempDir::new().unwrap();
    module(folder.path(), "least", ("i32", 4), BOTH, LEAST);
    let list = folder.path().join("operations");
    fs::write(&list, "__folds_MOD_least least.wasm\n").expect("a file");
    let list = ("NETFOLD_MPI_OPERATIONS", list.to_str().unwrap());
    for (mpi, program) in programs("modern.f90") {
        let text = mpi.run(3, &program, &[], &[ALL, REPORT, list]).succeeded();
        assert!(text.contains("failures: 0"), "{text}");
        let expected = ["allreduce", "iallreduce", "ibcast", "scan", "barrier", "ibarrier"];
        assert_eq!(taken(&text), expected, "{}: {text}", mpi.name);
    }
}

/// R-MPI-2
#[test]
fn long_integers_of_fortran_are_left_to_the_host() {
    for (mpi, program) in programs("integers.c") {
        let long = mpi.behind("integers.c").expect("a compiler");
        let long = ("LD_PRELOAD", long.to_str().unwrap());
        let text = mpi.run(2, &program, &[], &[ALL, REPORT, long]).succeeded();
        assert!(text.contains("sums: 2 2"), "{text}");
        let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let rows: Vec<Vec<&str>> = rows.filter(|row| row.first() == Some(&"allreduce")).collect();
        let ways: Vec<[&str; 2]> = rows.iter().map(|row| [row[1], row[2]]).collect();
        assert_eq!(ways, [["4-7", "netfold"], ["8-15", "host"]], "{text}");
        assert!(text.contains("no such fold"), "{text}");
    }
    for (mpi, program) in programs("collectives.f90") {
        let long = mpi.behind("integers.c").expect("a compiler");
        let long = ("LD_PRELOAD", long.to_str().unwrap());
        let text = mpi.run(3, &program, &[], &[ALL, REPORT, long]).succeeded();
        assert!(text.contains("failures: 0"), "{text}");
        // In Open MPI the library reads what Fortran gives; in MPICH it gets what C's functions do.
        let is_open = mpi.family == Family::Open;
        assert_eq!(text.matches("MPI_INTEGER has 8 bytes").count(), usize::from(is_open), "{text}");
        assert_eq!(taken(&text).is_empty(), is_open, "{text}");
    }
}
