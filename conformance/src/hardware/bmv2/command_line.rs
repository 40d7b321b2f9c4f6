//! `simple_switch_CLI`, spoken to through pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A name that no command has. Its echo says that all commands before it are done.
const MARK: &str = "netfold_mark";

/// A command line. It is empty before its start and after its end.
#[derive(Default)]
pub(super) struct CommandLine {
    running: Option<Running>,
}

struct Running {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl CommandLine {
    /// Starts it for the switch behind this port.
    pub(super) fn start(&mut self, mut command: Command, thrift_port: u16) -> Result<(), String> {
        command.args(["--thrift-port", &thrift_port.to_string()]).env("PYTHONUNBUFFERED", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| format!("simple_switch_CLI: {error}"))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("simple_switch_CLI has no pipes".into());
        };
        self.running = Some(Running { process, input, output: BufReader::new(output) });
        self.run("")
    }

    /// Has commands carried out, a line each. It tells of errors in words only.
    pub(super) fn run(&mut self, commands: &str) -> Result<(), String> {
        let Some(Running { input, output, .. }) = &mut self.running else {
            return Err("simple_switch_CLI does not run".into());
        };
        let asked = input.write_all(commands.as_bytes()).and_then(|()| writeln!(input, "{MARK}"));
        asked
            .and_then(|()| input.flush())
            .map_err(|error| format!("simple_switch_CLI: {error}"))?;
        let mut complaints = Vec::new();
        loop {
            let mut line = String::new();
            match output.read_line(&mut line) {
                Ok(0) => return Err("simple_switch_CLI has ended".into()),
                Ok(_) if line.contains(MARK) => break,
                Ok(_) => {}
                Err(error) => return Err(format!("simple_switch_CLI: {error}")),
            }
            let bad = ["Error", "Invalid", "Unknown", "DUPLICATE", "FULL", "not found"];
            if bad.iter().any(|word| line.contains(word)) {
                complaints.push(line);
            }
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints.concat()) }
    }

    /// Ends it.
    pub(super) fn end(&mut self) {
        if let Some(Running { mut process, .. }) = self.running.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
