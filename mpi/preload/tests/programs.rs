//! Programs that are compiled here and run by `mpirun`, with the library preloaded: under each MPI
//! that is installed, or under that of the folder which `NETFOLD_TEST_MPI` names. Those of an MPI
//! that is missing are passed over, by name.

#[path = "programs/failures.rs"]
mod failures;
#[path = "programs/mpi.rs"]
mod mpi;
#[path = "programs/operations.rs"]
mod operations;
#[path = "programs/presence.rs"]
mod presence;
#[path = "programs/requests.rs"]
mod requests;
#[path = "programs/signals.rs"]
mod signals;
#[path = "programs/traces.rs"]
mod traces;

use std::io::{BufRead as _, BufReader};
use std::ops::RangeInclusive;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mpi::{ALL, REPORT, UDP, limited, programs, taken};

/// Collectives that fold, in the order of the report.
const FOLDING: [&str; 6] =
    ["allreduce", "reduce", "reduce_scatter_block", "reduce_scatter", "scan", "exscan"];

/// R-MPI-3, R-MPI-5 to R-MPI-9
#[test]
fn every_collective_gives_what_its_own_mpi_gives() {
    for (mpi, program) in programs("collectives.c") {
        for (ranks, seed) in [(2, "11"), (3, "12")] {
            let run = mpi.run(ranks, &program, &[seed, "250"], &[ALL, REPORT]);
            let text = run.succeeded();
            assert!(text.contains(&format!("checks of seed {seed}")), "{text}");
            let all = [
                "allreduce",
                "reduce",
                "bcast",
                "allgather",
                "allgatherv",
                "gather",
                "gatherv",
                "scatter",
                "scatterv",
                "reduce_scatter_block",
                "reduce_scatter",
                "alltoall",
                "alltoallv",
                "scan",
                "exscan",
                "barrier",
            ];
            assert_eq!(taken(&text), all, "{text}");
        }
    }
}

/// R-MPI-17
#[test]
fn pairs_are_found_as_their_own_mpi_finds_them() {
    for (mpi, program) in programs("pairs.c") {
        let text = mpi.run(3, &program, &["51", "4"], &[ALL, REPORT]).succeeded();
        assert!(text.contains("64 checks of seed 51"), "{text}");
        assert_eq!(taken(&text), FOLDING, "{text}");
        let text = mpi.run(2, &program, &["52", "4", "short"], &[ALL, REPORT, UDP]).succeeded();
        assert!(text.contains("64 checks of seed 52"), "{text}");
        assert!(!text.contains("no such fold"), "{text}");
        assert_eq!(taken(&text), ["allreduce", "reduce", "scan", "exscan"], "{text}");
    }
}

/// R-MPI-3, R-MPI-9, R-MPI-10, R-MPI-13
#[test]
fn programs_do_as_they_like_around_their_collectives() {
    for (mpi, program) in programs("robust.c") {
        for part in ["threads", "forks", "interrupts", "arguments", "communicators"] {
            let text = mpi.run(3, &program, &[part], &[ALL]).succeeded();
            assert!(text.contains(&format!("{part} went well")), "{text}");
        }
    }
}

/// R-MPI-9: calls on inter-communicators are the host's.
#[test]
fn calls_between_groups_are_left_to_the_host() {
    for (mpi, program) in programs("robust.c") {
        let text = mpi.run(3, &program, &["inter"], &[ALL, REPORT]).succeeded();
        assert!(text.contains("inter went well"), "{text}");
        let rows = text.lines().filter(|line| line.ends_with("an inter-communicator"));
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split_whitespace().collect()).collect();
        let calls: Vec<[&str; 2]> = rows.iter().map(|row| [row[0], row[3]]).collect();
        // Three calls of each of three ranks.
        for name in ["allreduce", "bcast", "allgather", "barrier"] {
            assert!(calls.contains(&[name, "9"]), "{name}, {}: {text}", mpi.name);
        }
        assert!(rows.iter().all(|row| row[2] == "host"), "{text}");
        assert_eq!(taken(&text), ["allreduce"], "{text}");
    }
}

/// R-MPI-1: functions of a later MPI, also where the host has none.
#[test]
fn functions_that_the_host_lacks_are_there() {
    for (mpi, program) in programs("missing.c") {
        for table in ["none", "all"] {
            let text = mpi.run(3, &program, &[table], &[("NETFOLD_MPI_TABLE", table)]).succeeded();
            assert!(text.contains("missing went well"), "{table}, {}: {text}", mpi.name);
        }
    }
}

/// R-MPI-1, R-MPI-2: a program of `mpif.h`.
#[test]
fn programs_in_fortran_77_are_taken() {
    for (mpi, program) in programs("fixed.f") {
        let text = mpi.run(3, &program, &[], &[ALL, REPORT]).succeeded();
        assert!(text.contains("failures: 0"), "{text}");
        let expected = ["allreduce", "allgather", "ibcast", "barrier"];
        let mut taken = taken(&text);
        taken.sort_by_key(|name| expected.iter().position(|of| of == name));
        assert_eq!(taken, expected, "{}: {text}", mpi.name);
    }
}

/// R-MPI-1: a program of Python, by mpi4py, if the `python3` on the path has that.
#[test]
fn programs_of_mpi4py_are_taken() {
    let has = Command::new("python3").args(["-c", "import mpi4py"]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        println!("passed over: python.py, since there is no mpi4py");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python.py");
    for mpi in mpi::all() {
        let abi = ("MPI4PY_MPIABI", mpi.name);
        let run = mpi.run(3, "python3".as_ref(), &[script, mpi.name], &[ALL, REPORT, abi]);
        let text = run.succeeded();
        if text.contains("another MPI") {
            println!("passed over: python.py, since mpi4py is not that of {}", mpi.name);
            continue;
        }
        assert!(text.contains("went well"), "{text}");
        let taken = taken(&text);
        for name in ["allreduce", "iallreduce", "bcast", "allgather", "barrier"] {
            assert!(taken.contains(&name), "{name}, {}: {text}", mpi.name);
        }
    }
}

/// R-MPI-1: lengths that no `int` holds, also where the host lacks functions for them.
#[test]
#[ignore = "takes 5 GB of memory; make soak runs it"]
fn counts_may_be_larger_than_an_int() {
    for (mpi, program) in programs("robust.c") {
        let text = mpi.run(2, &program, &["counts"], &[ALL]).succeeded();
        assert!(text.contains("missing went well"), "{text}");
    }
}

/// R-MPI-11: the system's own end of a program is not in the library's way.
#[test]
fn an_interrupt_ends_a_program() {
    for (mpi, program) in programs("robust.c") {
        let mut limited = limited(&mpi.command(2, &program, &["waits"], &[ALL]), 20);
        let mut child = limited.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let start = Instant::now();
        let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        let status = child.wait().unwrap();
        assert_eq!(line, "waiting\n", "{mpi:?}");
        assert!(interrupt.unwrap().success());
        assert!(start.elapsed() < Duration::from_secs(19), "{mpi:?}: the program goes on");
        assert!(!status.success(), "{mpi:?}");
    }
}

/// R-MPI-6: over UDP operands arrive in another order in every run, and at a switch that all ranks
/// share in shared memory, too, but on the eager path.
#[test]
fn folds_of_floats_are_the_same_in_every_run() {
    let longest = u64::MAX;
    for (mpi, program) in programs("collectives.c") {
        for (ranks, transport, sizes, way) in [
            (3, "shm", 8..=1023, "netfold"),
            (2, "udp", 8..=longest, "netfold"),
            (3, "udp", 8..=longest, "host"),
        ] {
            let digests = || {
                let settings = [ALL, REPORT, ("NETFOLD_TRANSPORT", transport)];
                let text = mpi.run(ranks, &program, &["24", "120", "floats"], &settings);
                let text = text.succeeded();
                assert!(text.contains("checks of seed 24"), "{text}");
                let ways = ways_of_all_reduces(&text, &sizes);
                // At the end two ranks are by themselves, which netfold always takes.
                let all = way == "host" || ways.iter().all(|of| *of == way);
                assert!(all && ways.contains(&way), "{text}");
                let lines = text.lines().filter(|line| line.starts_with("digest"));
                let mut lines: Vec<String> = lines.map(str::to_owned).collect();
                lines.sort_unstable();
                assert_eq!(lines.len(), ranks, "{text}");
                lines
            };
            assert_eq!(digests(), digests(), "{}, {ranks} by {transport}", mpi.name);
        }
    }
}

/// Returns the report's words for the way of each all-reduce of these sizes. It leaves out those
/// that were to be timed, and those of a rank that was alone.
fn ways_of_all_reduces<'a>(text: &'a str, sizes: &RangeInclusive<u64>) -> Vec<&'a str> {
    let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let rows = rows.filter(|row| row.len() > 3 && row[0] == "allreduce");
    let rows = rows.filter(|row| !row.contains(&"sampled") && !row.ends_with(&["one", "rank"]));
    let from = |row: &Vec<&str>| row[1].split('-').next().and_then(|from| from.parse().ok());
    rows.filter(|row| sizes.contains(&from(row).expect("a size"))).map(|row| row[2]).collect()
}

/// R-MPI-16, R-MPI-19: the program of `netfold mpi tune` times each collective by both, and has a
/// row only for those that the library has taken.
#[test]
fn all_collectives_are_timed_by_turns() {
    for (mpi, program) in programs("../../../crates/cli/src/mpi/tune.c") {
        let text = mpi.run(2, &program, &["16"], &[ALL]).succeeded();
        let rows: Vec<Vec<&str>> = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .filter(|words| words.len() == 2 + 30)
            .collect();
        // 29 collectives at 4 and 16 bytes, but for two barriers, which have no length.
        assert_eq!(rows.len(), 2 * 29 - 2, "{text}");
        for row in &rows {
            let times = row[2..].iter().map(|time| time.parse::<f64>().expect("a time"));
            assert!(times.clone().all(|time| time > 0.0 && time < 10.0), "{row:?}");
        }
        let mut names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
        names.dedup();
        assert_eq!(names.len(), 29);
        let none = ("NETFOLD_MPI_TABLE", "none");
        let text = mpi.run(2, &program, &["16"], &[none]).succeeded();
        assert!(!text.contains("allreduce"), "{text}");
    }
}

/// R-MPI-4
#[test]
fn a_table_that_takes_nothing_leaves_all_to_the_host() {
    for (mpi, program) in programs("faults.c") {
        let none = ("NETFOLD_MPI_TABLE", "none");
        let text = mpi.run(2, &program, &["user"], &[none, REPORT]).succeeded();
        assert!(taken(&text).is_empty() && text.contains("by the table"), "{text}");
    }
}

/// R-MPI-6, R-MPI-11
#[test]
fn what_cannot_be_taken_is_left_to_the_host() {
    for (mpi, program) in programs("faults.c") {
        let text = mpi.run(2, &program, &["user"], &[ALL, REPORT]).succeeded();
        assert!(
            text.contains("rank 1: 1") && text.contains("an operation of the program"),
            "{text}"
        );
        let line = "netfold: operations of the program's own are carried out by its MPI";
        assert_eq!(text.matches(line).count(), 1, "{text}");
        let nowhere = ("NETFOLD_SWITCH", "127.0.0.1:1");
        let text = mpi.run(2, &program, &["user"], &[ALL, nowhere]).succeeded();
        assert!(text.contains("rank 0: 1"), "{text}");
        assert!(text.contains("the program's MPI carries out all collectives"), "{text}");
    }
}

#[test]
fn a_variable_that_netfold_does_not_read_is_told_once() {
    for (mpi, program) in programs("faults.c") {
        let misspelt = ("NETFOLD_MPI_REPROT", "1");
        let text = mpi.run(2, &program, &["user"], &[ALL, misspelt]).succeeded();
        let hint = "which netfold does not read; did you mean NETFOLD_MPI_REPORT?";
        assert_eq!(text.matches(hint).count(), 1, "{}: {text}", mpi.name);
    }
}
