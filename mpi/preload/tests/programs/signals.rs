//! Signals to `netfold mpirun`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::mpi::programs;
use crate::presence::script;

/// Longest time for a program to end by a signal.
const LIMIT: Duration = Duration::from_secs(20);

/// R-MPI-20: a signal of a process, which has only the command, and one of a terminal, which its
/// launcher has, too.
#[test]
fn a_signal_to_the_command_ends_all_ranks() {
    let folder = TempDir::new().expect("a folder");
    let start = script(&folder, "numbered", "echo process $$");
    for (mpi, program) in programs("robust.c") {
        for (signal, to_all) in [("-TERM", false), ("-INT", false), ("-INT", true)] {
            let what = format!("{}, {signal}, {to_all}", mpi.name);
            let words = [start.as_os_str(), program.as_os_str(), "waits".as_ref()];
            // Calls of netfold would end with its switch.
            let mut command = mpi.by_netfold(2, &words, &[("NETFOLD_MPI_TABLE", "none")]);
            let mut child =
                command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
            let child = child.as_mut().expect("it runs");
            let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
            let (mut ranks, mut waits) = (Vec::new(), false);
            while ranks.len() < 2 || !waits {
                let line = lines.next().expect("ranks wait").expect("a line");
                waits |= line == "waiting";
                ranks.extend(line.strip_prefix("process ").map(str::to_owned));
            }
            assert!(ranks.iter().all(|rank| runs(rank)), "{what}");
            let target = if to_all { format!("-{}", child.id()) } else { child.id().to_string() };
            let sent = Command::new("kill").args([signal, "--", &target]).status().unwrap();
            assert!(sent.success(), "{what}");
            let start = Instant::now();
            let left = |ranks: &[String]| ranks.iter().any(|rank| runs(rank));
            while start.elapsed() < LIMIT && (left(&ranks) || child.try_wait().unwrap().is_none()) {
                std::thread::yield_now();
            }
            // Its status is that of the launcher, and Hydra's is 0 at times.
            if child.try_wait().unwrap().is_none() || left(&ranks) {
                // Nothing of it stays behind.
                let all = ranks.iter().map(String::as_str).filter(|rank| runs(rank));
                let _ = Command::new("kill").arg("-KILL").args(all).status();
                let _ = child.kill();
                panic!("{what}: the command or its ranks go on");
            }
        }
    }
}

/// Returns whether a process is there, and has not ended.
fn runs(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
}
