//! Programs that are compiled here and run by `mpirun`, under each MPI that is installed, with the
//! library preloaded. Those of an MPI that is missing are passed over, by name.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

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
        let program = folder.join(format!("{source}.{}", self.name()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(source);
        let mut command = Command::new(compiler);
        command.arg("-O1").arg("-o").arg(&program).arg(source).current_dir(folder);
        let output = command.output().expect("the compiler runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(program)
    }

    /// Runs a program on so many ranks with these settings, the library preloaded.
    fn run(self, ranks: usize, program: &Path, words: &[&str], settings: &[(&str, &str)]) -> Run {
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
        let start = Instant::now();
        let output = command.output().expect("mpirun runs");
        Run {
            output,
            took: start.elapsed(),
            what: format!("{self:?}, {ranks} ranks, {settings:?}"),
        }
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

/// R-MPI-6: over UDP all sums of floats fold in the order of ranks.
#[test]
fn floats_fold_in_the_order_of_ranks() {
    for (mpi, program) in programs("collectives.c") {
        let run = mpi.run(3, &program, &["21", "120", "exact"], &[ALL, UDP]);
        assert!(run.succeeded().contains("checks of seed 21"), "{}", run.text());
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

/// R-MPI-2
#[test]
fn programs_in_fortran_are_taken() {
    for (mpi, program) in programs("collectives.f90") {
        let text = mpi.run(3, &program, &[], &[ALL, REPORT]).succeeded();
        assert!(text.contains("failures: 0"), "{text}");
        let mut expected = vec!["allreduce", "reduce", "bcast", "allgather"];
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
        let run = mpi.run(2, &program, &["returned"], &[ALL]);
        let text = run.text();
        for rank in 0..2 {
            let line = format!("rank {rank} goes on after class 1");
            assert!(text.contains(&line), "{text}");
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
        assert!(text.contains("rank 1: 1") && text.contains("no such fold in netfold"), "{text}");
        let nowhere = ("NETFOLD_SWITCH", "127.0.0.1:1");
        let text = mpi.run(2, &program, &["user"], &[ALL, nowhere]).succeeded();
        assert!(text.contains("rank 0: 1"), "{text}");
        assert!(text.contains("the program's MPI carries out all collectives"), "{text}");
    }
}
