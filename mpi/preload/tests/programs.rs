//! Programs that are compiled here and run by `mpirun`, under each MPI that is installed, with the
//! library preloaded. Those of an MPI that is missing are passed over, by name.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// An MPI, as Debian names its commands.
#[derive(Clone, Copy, Debug)]
enum Mpi {
    Open,
    Mpich,
}

impl Mpi {
    const fn name(self) -> &'static str {
        match self {
            Self::Open => "openmpi",
            Self::Mpich => "mpich",
        }
    }

    /// Compiles one of the programs beside this file; `None` if a compiler is missing.
    fn compile(self, folder: &Path, source: &str) -> Option<PathBuf> {
        let compiler = if source.ends_with(".c") { "mpicc" } else { "mpifort" };
        let compiler = format!("{compiler}.{}", self.name());
        if !is_installed(&compiler) {
            println!("passed over: {source}, since there is no {compiler}");
            return None;
        }
        let name = Path::new(source).file_name().and_then(|name| name.to_str()).expect("a name");
        let program = folder.join(format!("{name}.{}", self.name()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(source);
        let mut command = Command::new(compiler);
        command
            .args(["-O1", "-g", "-pthread", "-o"])
            .arg(&program)
            .arg(source)
            .arg("-ldl")
            .current_dir(folder);
        let output = command.output().expect("the compiler runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(program)
    }

    /// Runs a program on so many ranks with these settings, the library preloaded.
    fn run(self, ranks: usize, program: &Path, words: &[&str], settings: &[(&str, &str)]) -> Run {
        let mut command = self.command(ranks, program, words, settings);
        let start = Instant::now();
        let output = command.output().expect("mpirun runs");
        Run {
            output,
            took: start.elapsed(),
            what: format!("{self:?}, {ranks} ranks, {words:?}, {settings:?}"),
        }
    }

    fn command(
        self,
        ranks: usize,
        program: &Path,
        words: &[&str],
        settings: &[(&str, &str)],
    ) -> Command {
        let library = library();
        let mut command = Command::new(format!("mpirun.{}", self.name()));
        let preload = ("LD_PRELOAD", library.to_str().expect("a path in UTF-8"));
        let all = settings.iter().copied().chain([preload]);
        match self {
            Self::Open => {
                command.args(["--oversubscribe", "--allow-run-as-root"]);
                all.for_each(|(name, value)| {
                    command.arg("-x").arg(format!("{name}={value}"));
                });
            }
            Self::Mpich => all.for_each(|(name, value)| {
                command.args(["-genv", name, value]);
            }),
        }
        command.args(["-n", &ranks.to_string()]).arg(program).args(words);
        command
    }
}

/// A program that has ended.
struct Run {
    output: Output,
    took: Duration,
    what: String,
}

impl Run {
    fn text(&self) -> String {
        let Output { stdout, stderr, .. } = &self.output;
        [stdout, stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
    }

    fn succeeded(&self) -> String {
        let text = self.text();
        assert!(self.output.status.success(), "{}: {text}", self.what);
        text
    }
}

fn is_installed(command: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(command).is_file())
}

/// Returns the library, which is built beside this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let library = test.parent().expect("a folder").join("libnetfold_mpi.so");
    assert!(library.is_file(), "{} is missing", library.display());
    library
}

/// Returns the programs of a source, one for each MPI that is installed.
fn programs(source: &'static str) -> Vec<(Mpi, PathBuf)> {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| TempDir::new().expect("a folder"));
    let build = |mpi: Mpi| Some((mpi, mpi.compile(folder.path(), source)?));
    [Mpi::Open, Mpi::Mpich].into_iter().filter_map(build).collect()
}

const ALL: (&str, &str) = ("NETFOLD_MPI_TABLE", "all");
const REPORT: (&str, &str) = ("NETFOLD_MPI_REPORT", "1");
const UDP: (&str, &str) = ("NETFOLD_TRANSPORT", "udp");

/// Collectives that fold, in the order of the report.
const FOLDING: [&str; 6] =
    ["allreduce", "reduce", "reduce_scatter_block", "reduce_scatter", "scan", "exscan"];

/// Returns the collectives that the report says netfold has carried out.
fn taken(text: &str) -> Vec<&str> {
    let of_netfold = |line: &&str| line.split_whitespace().nth(2) == Some("netfold");
    let mut taken: Vec<&str> =
        text.lines().filter(of_netfold).filter_map(|line| line.split_whitespace().next()).collect();
    taken.dedup();
    taken
}

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

/// R-MPI-13
#[test]
fn calls_that_return_requests_are_completed_in_every_way() {
    for (mpi, program) in programs("requests.c") {
        for (ranks, seed, transport) in [(2, "31", "shm"), (3, "32", "shm"), (3, "33", "udp")] {
            let transport = ("NETFOLD_TRANSPORT", transport);
            let run = mpi.run(ranks, &program, &[seed, "60"], &[ALL, REPORT, transport]);
            let text = run.succeeded();
            assert!(text.contains(&format!("checks of seed {seed}")), "{text}");
            let taken = taken(&text);
            for name in ["iallreduce", "ibcast", "iallgather", "iexscan", "ibarrier"] {
                assert!(taken.contains(&name), "{name}: {text}");
            }
        }
        // By default they are the host's.
        let text = mpi.run(2, &program, &["34", "10"], &[REPORT]).succeeded();
        assert!(!taken(&text).iter().any(|name| name.starts_with('i')), "{text}");
    }
}

/// R-MPI-14
#[test]
fn persistent_calls_are_started_again_and_again() {
    // Open MPI has them from its version 5 on.
    for (mpi, program) in programs("requests.c") {
        let run = |ranks, seed, word, settings: &[(&str, &str)]| {
            let text = mpi.run(ranks, &program, &[seed, "40", word], settings).succeeded();
            assert!(text.contains(&format!("checks of seed {seed}")), "{text}");
            text
        };
        // By default they are the host's.
        if !run(2, "51", "persistent-of-host", &[REPORT]).contains("by MPI 4") {
            println!("passed over: persistent calls of {mpi:?}, which has none");
            continue;
        }
        for (ranks, seed, transport) in [(2, "52", "shm"), (3, "53", "shm"), (3, "54", "udp")] {
            let text =
                run(ranks, seed, "persistent", &[ALL, REPORT, ("NETFOLD_TRANSPORT", transport)]);
            let taken = taken(&text);
            for name in ["allreduce", "bcast", "allgather", "alltoall", "exscan", "barrier"] {
                assert!(taken.contains(&&*format!("{name}_init")), "{name}: {text}");
            }
        }
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

/// R-MPI-1: lengths that no `int` holds, also where the host lacks functions for them.
#[test]
#[ignore = "takes 5 GB of memory; make soak runs it"]
fn counts_may_be_larger_than_an_int() {
    for (mpi, program) in programs("robust.c") {
        let text = mpi.run(2, &program, &["counts"], &[ALL]).succeeded();
        assert!(text.contains("counts went well"), "{text}");
    }
}

/// R-MPI-11: the system's own end of a program is not in the library's way.
#[test]
fn an_interrupt_ends_a_program() {
    for (mpi, program) in programs("robust.c") {
        let command = mpi.command(2, &program, &["waits"], &[ALL]);
        // Signals are passed on; a program that goes on is killed.
        let mut limited = Command::new("timeout");
        limited.args(["--signal=KILL", "20"]).arg(command.get_program()).args(command.get_args());
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

/// The lines of a trace: headers, and calls by rank and number.
fn lines(files: impl IntoIterator<Item = PathBuf>) -> (Vec<Value>, Vec<Value>) {
    let texts = files.into_iter().map(|file| fs::read_to_string(file).expect("a trace"));
    let text: String = texts.collect();
    assert!(text.ends_with('\n'), "{text}");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line"));
    let (headers, mut calls): (Vec<_>, Vec<_>) =
        lines.partition(|line| line.get("trace").is_some());
    calls.sort_by_key(|call| (call["rank"].as_u64(), call["n"].as_u64()));
    (headers, calls)
}

/// R-MTR-2 to R-MTR-6, R-MPI-15: what `traced.c` calls, as rank 2 of 3 writes it down.
#[test]
fn a_trace_has_every_call() {
    let folder = TempDir::new().unwrap();
    for (mpi, program) in programs("traced.c") {
        for (table, killed, path) in [("all", false, "switch"), ("none", true, "host")] {
            let trace = folder.path().join(format!("{}.{table}", mpi.name()));
            let shared = trace.to_str().unwrap();
            // A trace of an earlier run goes.
            fs::write(&trace, "old\n").unwrap();
            let settings = [("NETFOLD_MPI_TABLE", table), ("NETFOLD_MPI_TRACE", shared)];
            let run = mpi.run(3, &program, if killed { &["killed"] } else { &[] }, &settings);
            assert_eq!(run.output.status.success(), !killed, "{}", run.text());
            let (headers, calls) = lines([trace]);
            assert_eq!(headers.len(), 3);
            assert!(headers.iter().all(|header| header["trace"] == 1 && header["size"] == 3));
            let program = program.canonicalize().unwrap();
            assert_eq!(headers[0]["program"].as_str(), program.to_str());
            let of = |rank: u64| calls.iter().filter(move |call| call["rank"] == rank);
            assert!((0..3).all(|rank| of(rank).count() == 8), "{calls:#?}");
            let told: Vec<String> = of(2)
                .map(|call| {
                    let keys = ["call", "size", "count", "bytes", "received", "type", "op", "root"];
                    keys.map(|key| call[key].to_string().replace('"', "")).join(" ")
                })
                .collect();
            let expected = [
                "MPI_Allreduce 3 3 24 24 f64 sum null",
                "MPI_Bcast 3 5 20 20 i32 null 1",
                "MPI_Gather 3 2 8 24 f32 null 2",
                "MPI_Alltoallv 3 3 6 6 i16 null null",
                "MPI_Barrier 2 0 0 0 bytes null null",
                "MPI_Allreduce 3 1 8 8 i64 bor null",
                "MPI_Iallreduce 3 4 16 16 i32 max null",
                "MPI_Allreduce 1 1 12 12 f64,i32 minloc null",
            ];
            assert_eq!(told, expected, "{mpi:?}");
            let comms: Vec<Vec<_>> = (0..3)
                .map(|rank| of(rank).map(|call| call["comm"].as_str().unwrap()).collect())
                .collect();
            let (part, twin) = (comms[2][4], comms[2][5]);
            assert_eq!(comms[2], ["world", "world", "world", "world", part, twin, "world", "self"]);
            assert_eq!((comms[1][4], comms[1][5]), (part, twin));
            // Rank 0 is alone in its part, whose name is another one.
            assert!(comms[0][4] != part && part != twin && comms[0][5] == twin, "{comms:?}");
            for call in of(1) {
                let at = |key: &str| call[key].as_u64().unwrap_or_else(|| panic!("{key}: {call}"));
                assert!(at("start") <= at("end"), "{call}");
                if call["call"] == "MPI_Iallreduce" {
                    assert!(at("start") <= at("returned") && at("returned") <= at("waited"));
                    assert!(at("waited") <= at("end"), "{call}");
                }
                let site = call["site"].as_str().unwrap();
                assert!(site.starts_with(&format!("{}+0x", program.display())), "{site}");
            }
            assert_eq!(of(1).next().unwrap()["path"], path);
        }
    }
}

/// R-MTR-2: files of ranks, and a trace that cannot be written.
#[test]
fn ranks_may_have_a_file_each() {
    let folder = TempDir::new().unwrap();
    for (mpi, program) in programs("traced.c") {
        let each = folder.path().join(format!("{}.%r", mpi.name()));
        mpi.run(3, &program, &[], &[("NETFOLD_MPI_TRACE", each.to_str().unwrap())]).succeeded();
        let file =
            |rank: u32| PathBuf::from(each.to_str().unwrap().replace("%r", &rank.to_string()));
        for rank in 0..3 {
            let (headers, calls) = lines([file(rank)]);
            assert_eq!((headers.len(), calls.len()), (1, 8));
            assert_eq!(headers[0]["rank"], rank);
        }
        let nowhere = folder.path().join("missing/trace");
        let nowhere = ("NETFOLD_MPI_TRACE", nowhere.to_str().unwrap());
        let text = mpi.run(3, &program, &[], &[nowhere]).succeeded();
        assert!(text.contains("no trace is written"), "{text}");
    }
}

/// R-MPI-6: over UDP operands arrive in another order in every run.
#[test]
fn folds_of_floats_are_the_same_in_every_run() {
    for (mpi, program) in programs("collectives.c") {
        let digests = || {
            let run = mpi.run(3, &program, &["21", "120", "world"], &[ALL, UDP]);
            let text = run.succeeded();
            assert!(text.contains("checks of seed 21"), "{text}");
            let mut lines: Vec<String> =
                text.lines().filter(|line| line.starts_with("digest")).map(str::to_owned).collect();
            lines.sort_unstable();
            assert_eq!(lines.len(), 3, "{text}");
            lines
        };
        assert_eq!(digests(), digests(), "{mpi:?}");
    }
}

/// R-MPI-16: the program of `netfold mpi tune` times each collective by both.
#[test]
fn all_collectives_are_timed_by_turns() {
    for (mpi, program) in programs("../../../crates/cli/src/mpi/tune.c") {
        let text = mpi.run(2, &program, &["16"], &[ALL, REPORT]).succeeded();
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
        // Those of requests with private lengths are the host's (R-MPI-13).
        let taken = taken(&text);
        assert!(names.iter().all(|name| taken.contains(name)), "{taken:?}");
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
        let mut expected = vec!["allreduce", "reduce", "bcast", "allgather", "scan"];
        // MPICH's module mpi_f08 calls a barrier by its profiling name.
        expected.extend(matches!(mpi, Mpi::Open).then_some("barrier"));
        assert_eq!(taken(&text), expected, "{mpi:?}: {text}");
    }
}

/// R-MPI-10
#[test]
fn calls_that_differ_end_the_program_as_its_mpi_would() {
    for (mpi, program) in programs("faults.c") {
        let run = mpi.run(2, &program, &["mismatch"], &[ALL]);
        let text = run.text();
        assert!(!run.output.status.success() && !text.contains("goes on"), "{text}");
        assert!(text.contains("netfold: rank") && text.contains("all_reduce(max"), "{text}");
        // At once, and by a function that completes a persistent call (R-MPI-14).
        for word in ["returned", "returned-later"] {
            let text = mpi.run(2, &program, &[word], &[ALL]).text();
            for rank in 0..2 {
                let line = format!("rank {rank} goes on after class 1");
                assert!(text.contains(&line), "{word}: {text}");
            }
        }
    }
}

/// R-MPI-10
#[test]
fn a_killed_rank_ends_the_program_within_the_time_out() {
    for (mpi, program) in programs("faults.c") {
        let run = mpi.run(3, &program, &["killed"], &[ALL, ("NETFOLD_TIMEOUT", "5")]);
        assert!(!run.output.status.success(), "{}", run.text());
        assert!(!run.text().contains("not reached"), "{}", run.text());
        assert!(run.took < Duration::from_secs(20), "{:?}", run.took);
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
