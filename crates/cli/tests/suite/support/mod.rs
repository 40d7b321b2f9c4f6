//! The program as a process.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// Longer than anything here takes; a test that waits so long has failed.
pub const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// Output of a program that has ended.
pub struct Ended {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The program with these arguments, and none of the settings of whoever runs the tests.
pub fn netfold(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_netfold"));
    let settings =
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("NETFOLD_"));
    settings.for_each(|(name, _)| {
        command.env_remove(name);
    });
    // A directory without a netfold.toml.
    command.args(args).current_dir(env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Runs it to its end.
pub fn ended(command: &mut Command) -> Ended {
    end(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

fn end(child: Child) -> Ended {
    let pid = Pid::from_child(&child);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    let output = receiver.recv_timeout(WAIT_LIMIT).unwrap_or_else(|_| {
        kill_process(pid, Signal::KILL).unwrap();
        panic!("the program did not end within {WAIT_LIMIT:?}")
    });
    Ended {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A switch that runs until it is stopped or dropped.
pub struct RunningSwitch {
    child: Option<Child>,
    stdout: BufReader<ChildStdout>,
    /// Everything up to where to find it.
    pub greeting: String,
    /// Address that the workers are told to set.
    pub address: String,
}

impl RunningSwitch {
    /// Starts it, and waits until it says where it is.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut greeting = String::new();
        let address = loop {
            let start = greeting.len();
            if stdout.read_line(&mut greeting).unwrap() == 0 {
                panic!("the switch has ended: {}", end(child).stderr);
            }
            if let Some((_, address)) = greeting[start..].split_once("NETFOLD_SWITCH=") {
                break address.trim().to_owned();
            }
        };
        Self { child: Some(child), stdout, greeting, address }
    }

    /// Sends the signal, and waits for the end.
    pub fn stop(self, signal: Signal) -> Ended {
        kill_process(Pid::from_child(self.child.as_ref().unwrap()), signal).unwrap();
        self.end()
    }

    /// Waits for the end.
    pub fn end(mut self) -> Ended {
        let child = self.child.take().unwrap();
        let mut ended = end(child);
        self.stdout.read_to_string(&mut ended.stdout).unwrap();
        ended
    }
}

impl Drop for RunningSwitch {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A file with this text, for one test: each has its own name.
pub fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}
