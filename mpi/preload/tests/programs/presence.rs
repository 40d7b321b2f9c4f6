//! Programs that `netfold mpirun` runs: all their ranks have the library, or none uses it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::mpi::{ALL, REPORT, built, limited, programs, taken};

/// Seconds after which ranks are missing.
const LIMIT: (&str, &str) = ("NETFOLD_TIMEOUT", "2");

/// Seconds after which a program counts as hung.
const MOST_SECONDS: u32 = 60;

/// R-MPI-19
#[test]
fn ranks_that_all_have_the_library_use_it() {
    for (mpi, program) in programs("faults.c") {
        let text = succeeded(&mpi.by_netfold(3, &[&program], &[]));
        assert!(!text.contains("netfold:"), "{}: {text}", mpi.name);
    }
    for (mpi, program) in programs("traced.c") {
        let text = succeeded(&mpi.by_netfold(3, &[&program], &[ALL, REPORT]));
        assert!(taken(&text).contains(&"allreduce"), "{}: {text}", mpi.name);
    }
}

/// R-MPI-19: a rank of another environment.
#[test]
fn all_ranks_leave_their_calls_to_the_host_if_one_lacks_the_library() {
    let folder = TempDir::new().expect("a folder");
    for (name, condition, missing) in [
        ("first", "= 0", "rank 0 of 3 has"),
        ("others", "!= 1", "ranks 0, 2 of 3 have"),
        ("last", "= 2", "rank 2 of 3 has"),
    ] {
        let start = without(&folder, name, condition);
        for (mpi, program) in programs("faults.c") {
            let trace = folder.path().join("trace");
            let settings = [ALL, REPORT, LIMIT, ("NETFOLD_MPI_TRACE", trace.to_str().unwrap())];
            let words = [start.as_os_str(), program.as_os_str(), OsStr::new("user")];
            let text = succeeded(&mpi.by_netfold(3, &words, &settings));
            let line = format!(
                "netfold: {missing} not begun MPI with libnetfold_mpi.so; the program's MPI \
                 carries out all collectives\n"
            );
            assert_eq!(text.matches(&line).count(), 1, "{}: {text}", mpi.name);
            for rank in 0..3 {
                assert!(text.contains(&format!("rank {rank}: 1\n")), "{}: {text}", mpi.name);
            }
            assert!(taken(&text).is_empty() && !trace.exists(), "{}: {text}", mpi.name);
        }
    }
}

/// R-MPI-19: a rank that cannot report.
#[test]
fn a_rank_that_does_not_reach_the_command_says_so() {
    let folder = TempDir::new().expect("a folder");
    let start = script(&folder, "lost", "LIBNETFOLD_MPI_PRESENCE=127.0.0.1:1/0/2");
    for (mpi, program) in programs("faults.c") {
        let words = [start.as_os_str(), program.as_os_str(), OsStr::new("user")];
        let text = succeeded(&mpi.by_netfold(2, &words, &[ALL, REPORT, LIMIT]));
        for rank in 0..2 {
            let line = format!("netfold: rank {rank}: netfold mpirun at 127.0.0.1:1 has not");
            assert_eq!(text.matches(&line).count(), 1, "{}: {text}", mpi.name);
            assert!(text.contains(&format!("rank {rank}: 1\n")), "{}: {text}", mpi.name);
        }
        assert!(text.contains("warning: no rank has begun MPI"), "{}: {text}", mpi.name);
    }
}

/// R-MPI-19: the times of a host are not compared with the host's.
#[test]
fn no_table_is_written_of_a_program_that_netfold_has_no_part_in() {
    let folder = TempDir::new().expect("a folder");
    let table = folder.path().join("table");
    for mpi in crate::mpi::all() {
        let mut command = Command::new(built("netfold"));
        command.args(["mpi", "tune", "--ranks", "2", "--largest", "4", "--switch", "127.0.0.1:1"]);
        command.args([OsStr::new("--out"), table.as_os_str()]);
        if !mpi.names_commands(&mut command) {
            continue;
        }
        let (output, text) = ended(&command);
        assert!(!output.status.success() && !table.exists(), "{}: {text}", mpi.name);
        let line = "netfold has carried out no call of 2 ranks, and no table is written";
        assert!(text.contains(line), "{}: {text}", mpi.name);
    }
}

/// Returns a program that starts another one without what is preloaded, at ranks of which this
/// holds.
fn without(folder: &TempDir, name: &str, condition: &str) -> PathBuf {
    let rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}";
    script(folder, name, &format!("[ \"{rank}\" {condition} ] && unset LD_PRELOAD"))
}

/// Returns a program that starts another one after a command.
pub(crate) fn script(folder: &TempDir, name: &str, first: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, format!("#!/bin/sh\n{first}\nexec \"$@\"\n")).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    path
}

fn succeeded(command: &Command) -> String {
    let (output, text) = ended(command);
    assert!(output.status.success(), "{command:?}: {text}");
    text
}

fn ended(command: &Command) -> (Output, String) {
    let output = limited(command, MOST_SECONDS).output().expect("it runs");
    let text = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    let text = text.concat();
    (output, text)
}
