//! `netfold switch`.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Instant;

use netfold_management::DRAIN_LIMIT;
use netfold_net::{Error as NetError, OperationLoader, Switch, SwitchOptions};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::raise;

use crate::error::Error;
use crate::trace::file::{Slots, TraceFile};
use crate::{SUCCESS, terminal};
use netfold_settings::{Settings, Size};

/// Runs a switch until a signal comes, and then writes its rounds to `trace`, if that is named.
pub(crate) fn run(settings: &Settings, trace: Option<&Path>) -> Result<i32, Error> {
    let (sender, requests) = mpsc::channel();
    let options = SwitchOptions {
        times_rounds: trace.is_some(),
        stop_requests: Some(sender),
        operations: operations(settings)?,
        ..settings.switch_options()?
    };
    let mut file = TraceFile::default();
    if let Some(path) = trace {
        // A file that cannot be written is better told of now.
        file.write(path)?;
    }
    // Before the switch starts, so that no signal is missed in between.
    let mut signals = Signals::new([SIGINT, SIGTERM])
        .map_err(Error::system("signals cannot be listened for, and only they end a switch"))?;
    allow_all_files();
    let switch = start(&options)?;
    thread::spawn(move || stop_as_asked(&requests));
    if options.tokens.is_empty() && !switch.address().ip().is_loopback() {
        tracing::warn!(
            "whoever reaches {} can use this switch; give it a token (NETFOLD_TOKEN, --token-file) if that is not meant",
            switch.address()
        );
    }
    terminal::say(&greeting(&options, &switch))?;
    for signal in signals.forever().take(1) {
        tracing::info!("signal {signal}: telling the workers, and stopping");
    }
    let start = Instant::now();
    // A second signal ends it at once.
    let over = || start.elapsed() >= DRAIN_LIMIT || signals.pending().next().is_some();
    if !switch.drain(over) {
        tracing::warn!("servers have not read all that tables have: workers send it to them");
    }
    let port = switch.address().port();
    let rounds = switch.stop();
    if let Some(path) = trace {
        file.add_rounds(Slots::Switch(port), &rounds);
        file.write(path)?;
    }
    Ok(SUCCESS)
}

#[cfg(feature = "ops")]
fn operations(settings: &Settings) -> Result<Option<Arc<dyn OperationLoader>>, Error> {
    crate::op::loader(settings)
}

/// A build without operations of users refuses jobs that have some.
#[cfg(not(feature = "ops"))]
fn operations(_settings: &Settings) -> Result<Option<Arc<dyn OperationLoader>>, Error> {
    Ok(None)
}

/// Ends the program as SIGTERM does, when a client that may do so asks for it (R-CTRL-21).
fn stop_as_asked(requests: &Receiver<()>) {
    if requests.recv().is_ok()
        && let Err(error) = raise(SIGTERM)
    {
        tracing::error!(%error, "the switch cannot stop as it was asked to");
    }
}

/// Every worker's connection is an open file, and by default a process may have fewer than the
/// workers of one large job.
fn allow_all_files() {
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::debug!(%error, "the limit of open files stays");
    }
}

/// Returns the options of a switch that a command starts for its own workers.
pub(crate) fn embedded(settings: &Settings) -> Result<SwitchOptions, Error> {
    let options = settings.switch_options()?;
    Ok(SwitchOptions { listen: "127.0.0.1:0".into(), metrics: None, parent: None, ..options })
}

/// Starts a switch, or says what to do so that it starts.
pub(crate) fn start(options: &SwitchOptions) -> Result<Switch, Error> {
    Switch::start(options)
        .map_err(|error| Error::Start { advice: advice(&error).to_owned(), error })
}

fn advice(error: &NetError) -> &'static str {
    let error = match error {
        NetError::Io { error, .. } => error,
        NetError::NoMemory => return "give it some, such as 64MiB (--memory, NETFOLD_MEMORY)",
        _ => return "see the message",
    };
    match kind(error) {
        ErrorKind::AddrInUse => {
            "another program has that port, maybe another switch: end it, or choose another port (--listen, --metrics)"
        }
        ErrorKind::PermissionDenied => {
            "ports below 1024 need privileges: choose a higher one (--listen, --metrics)"
        }
        ErrorKind::AddrNotAvailable => {
            "give an address of this machine, or 0.0.0.0 for all of them, and a port with room above it for the cores"
        }
        _ => "give addresses as HOST:PORT, such as 127.0.0.1:5555",
    }
}

/// The kind of an error, or of the one that it wraps.
fn kind(error: &io::Error) -> ErrorKind {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.map_or(error.kind(), io::Error::kind)
}

fn greeting(options: &SwitchOptions, switch: &Switch) -> String {
    let address = switch.address();
    let SwitchOptions { cores, memory_bytes, .. } = options;
    let cores = if *cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    let mut text =
        format!("netfold switch at {address}: {cores}, {} for slots\n", Size(*memory_bytes));
    let of_machine = std::thread::available_parallelism().map_or(1, usize::from);
    text += &cores_left(options.cores, of_machine).unwrap_or_default();
    if let Some(parent) = switch.parent() {
        text += &format!("below the switch at {parent}, which decides about jobs\n");
    }
    if let Some(metrics) = switch.metrics_address() {
        text += &format!("metrics at http://{metrics}/metrics\n");
    }
    text += &if address.ip().is_unspecified() {
        format!(
            "for the workers: NETFOLD_SWITCH=HOST:{}, where HOST is this machine as they reach it\n",
            address.port()
        )
    } else {
        format!("for the workers: NETFOLD_SWITCH={address}\n")
    };
    text
}

/// Cores of a machine from which on one core of the switch may be the limit: each of a few workers
/// on it has one, and the switch another (docs/profile.md, "More flows than one").
const MANY_CORES: usize = 8;

/// A line about cores of the machine that fold nothing, if one thread of the switch may be the
/// limit.
fn cores_left(cores: u16, of_machine: usize) -> Option<String> {
    (cores == 1 && of_machine >= MANY_CORES).then(|| {
        format!(
            "one of {of_machine} cores of this machine folds; with --cores 4 calls from 1 MiB on \
             may take half as long (docs/operating.md)\n"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::cores_left;

    #[test]
    fn a_machine_with_many_cores_is_told_of_them() {
        let told = cores_left(1, 16).unwrap();
        assert!(told.contains("one of 16 cores") && told.contains("--cores 4"), "{told}");
        for (cores, of_machine) in [(1, 2), (1, 7), (2, 16), (16, 16)] {
            assert_eq!(cores_left(cores, of_machine), None);
        }
    }
}
