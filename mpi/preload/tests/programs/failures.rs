//! Programs that lose a rank or the switch, or whose ranks make different calls.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::mpi::{ALL, Family, Mpi, built, limited, programs};

/// Seconds of silence after which a rank or a switch counts as lost.
const TIMEOUT: u64 = 5;

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

/// R-MPI-10: a rank is killed in the middle of its collectives.
#[test]
fn a_killed_rank_ends_the_program_within_the_time_out() {
    for_each_program(|mpi, program, settings| {
        let command = |word| mpi.command(3, program, &[word, "1"], settings);
        let text = failed(&command("killed"), || {});
        assert!(!text.contains("goes on"), "{}: {text}", mpi.name);
        // Launchers end the other ranks. MPICH's may do so before these have told, whatever its
        // options are: there all that have gone on must have told.
        let of_open = mpi.family == Family::Open;
        let with_survivors = |word| {
            let option = of_open.then_some("--enable-recovery");
            ended(&with_options(&command(word), option), || {}).0
        };
        let text = with_survivors("killed");
        assert!(!of_open || has_line(&text, 0..3, "rank 1 was lost"), "{}: {text}", mpi.name);
        let text = with_survivors("killed-returned");
        for rank in [0, 2] {
            let goes_on = text.contains(&format!("rank {rank} goes on after class 1"));
            let told = has_line(&text, rank..rank + 1, "rank 1 was lost");
            assert!((goes_on || !of_open) && (told || !goes_on), "{}: {text}", mpi.name);
        }
    });
}

/// R-MPI-10: the switch is killed in the middle of the collectives.
#[test]
fn a_lost_switch_ends_the_program_within_the_time_out() {
    for_each_program(|mpi, program, settings| {
        let run = |word| {
            let (mut switch, address) = switch();
            let settings = [settings, &[("NETFOLD_SWITCH", &*address)]].concat();
            let text = failed(&mpi.command(2, program, &[word], &settings), || {
                switch.kill().expect("it runs");
            });
            switch.wait().expect("it has ended");
            (text, format!("the connection to the switch at {address} is lost"))
        };
        let (text, reason) = run("lost");
        assert!(has_line(&text, 0..2, &reason), "{}: {text}", mpi.name);
        assert!(!text.contains("goes on"), "{}: {text}", mpi.name);
        let (text, reason) = run("lost-returned");
        for rank in 0..2 {
            assert!(has_line(&text, rank..rank + 1, &reason), "{}: {text}", mpi.name);
            assert!(text.contains(&format!("rank {rank} goes on after class 1")), "{text}");
        }
    });
}

/// Tries each MPI over each transport.
fn for_each_program(test: impl Fn(&Mpi, &PathBuf, &[(&str, &str)])) {
    for (mpi, program) in programs("faults.c") {
        for transport in ["shm", "udp"] {
            let timeout = TIMEOUT.to_string();
            test(
                &mpi,
                &program,
                &[ALL, ("NETFOLD_TIMEOUT", &timeout), ("NETFOLD_TRANSPORT", transport)],
            );
        }
    }
}

/// Returns whether a rank of these tells this reason, on a line of its own.
fn has_line(text: &str, ranks: std::ops::Range<usize>, reason: &str) -> bool {
    ranks.into_iter().any(|rank| {
        let start = format!("netfold: rank {rank} of ");
        text.lines().any(|line| line.starts_with(&start) && line.contains(reason))
    })
}

/// Returns the command with an option of the launcher before all others.
fn with_options(command: &Command, option: Option<&str>) -> Command {
    let mut all = Command::new(command.get_program());
    all.args(option).args(command.get_args());
    all
}

/// Returns what a program has printed that is to fail within the time-out, after something has been
/// done to it when its collectives are under way.
fn failed(command: &Command, meanwhile: impl FnOnce()) -> String {
    let (text, status) = ended(command, meanwhile);
    assert!(!status.success(), "{text}");
    text
}

/// Runs a program that is to end within the time-out, and returns what it has printed.
fn ended(command: &Command, meanwhile: impl FnOnce()) -> (String, ExitStatus) {
    let mut limited = limited(command, 30);
    let mut child = limited.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    // Launchers do not keep the order of lines of different ranks.
    while !text.ends_with("under way\n") {
        assert_ne!(stdout.read_line(&mut text).unwrap(), 0, "{text}");
    }
    let start = Instant::now();
    meanwhile();
    stdout.read_to_string(&mut text).unwrap();
    let output = child.wait_with_output().unwrap();
    text += &String::from_utf8_lossy(&output.stderr);
    // Beyond the time-out: the launcher's own end.
    assert!(start.elapsed() < Duration::from_secs(TIMEOUT + 10), "{:?}: {text}", start.elapsed());
    (text, output.status)
}

/// Starts a switch, and returns it and its address.
fn switch() -> (Child, String) {
    let mut command = Command::new(built("netfold"));
    command.args(["switch", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let address = lines.into_iter().find_map(|line| {
        line.split_once("NETFOLD_SWITCH=").map(|(_, address)| address.trim().to_owned())
    });
    (child, address.expect("the switch says where it is"))
}
