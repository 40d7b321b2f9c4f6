//! `netfold mpirun`: an MPI program by its own `mpirun`, with `libnetfold_mpi.so` preloaded to all
//! ranks (R-MPI-11).

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread;

use netfold_mpi::Meeting;
use netfold_net::Switch;
use netfold_settings::{PREFIX, SETTINGS, Settings};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::presence::Presence;
use crate::cli::MpirunFlags;
use crate::error::Error;
use crate::{FAILURE, switch, terminal};

/// The file of the library.
const LIBRARY: &str = "libnetfold_mpi.so";

/// Time for a launcher to end by a signal that has reached it, too.
const ORDERLY: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

/// Ways of an `mpirun` to give variables to all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Launcher {
    /// Open MPI's: `-x NAME=VALUE`
    OpenMpi,
    /// Hydra, which MPICH has: `-genv NAME VALUE`
    Hydra,
}

/// Runs the program, and returns its exit status.
pub(crate) fn run(flags: &MpirunFlags, settings: &Settings) -> Result<i32, Error> {
    let given = flags.settings.given();
    let mut run = Run::new(&flags.mpirun, flags.library.as_deref(), given, &[], settings)?;
    run.command.args(&flags.arguments);
    let status = run.start()?.wait()?;
    if status.success() && run.presence.is_empty() {
        terminal::warn("no rank has begun MPI with libnetfold_mpi.so: netfold had no part in this");
    }
    Ok(status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(FAILURE))
}

/// A program that is about to run.
pub(super) struct Run {
    /// The launcher, with what it is told of netfold.
    pub(super) command: Command,
    /// The place where its ranks report.
    presence: Presence,
    /// The switch of the program, if no setting names one: until it has ended.
    _switch: Option<Switch>,
}

impl Run {
    /// Returns a run with the library preloaded to all ranks, with these settings before all
    /// others.
    pub(super) fn new(
        mpirun: &OsStr,
        named: Option<&Path>,
        given: &[(&'static str, String)],
        own: &[(&str, &str)],
        settings: &Settings,
    ) -> Result<Self, Error> {
        let launcher = launcher(mpirun)?;
        let library = library(named)?;
        let mut all: Vec<(OsString, OsString)> =
            own.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let others = variables(given, env::vars_os());
        all.extend(others.into_iter().filter(|(name, _)| own.iter().all(|(of, _)| name != of)));
        let switch = match settings.switch {
            Some(_) => None,
            None => Some(switch::start(&settings.switch_options()?)?),
        };
        let address = switch.as_ref().map(|switch| switch.address().to_string());
        let named = address.as_ref().or(settings.switch.as_ref()).map_or("", String::as_str);
        let presence = Presence::listen(named, settings.timeout.into())?;
        all.push((Meeting::VARIABLE.into(), presence.meeting().text().into()));
        all.extend(address.map(|address| (format!("{PREFIX}SWITCH").into(), address.into())));
        all.push(("LD_PRELOAD".into(), preloads(&library, env::var_os("LD_PRELOAD"))));
        let mut command = Command::new(mpirun);
        command.args(launcher.arguments(&all));
        Ok(Self { command, presence, _switch: switch })
    }

    /// Starts the program.
    pub(super) fn start(&mut self) -> Result<Started, Error> {
        // Before there is a program that a signal could miss.
        let signals = Signals::new([SIGINT, SIGTERM])
            .map_err(Error::system("signals cannot be listened for"))?;
        let child = self.command.spawn().map_err(Error::system("mpirun cannot be run"))?;
        Ok(Started { child, signals })
    }
}

/// A program that runs.
pub(super) struct Started {
    pub(super) child: Child,
    signals: Signals,
}

impl Started {
    /// Waits until it has ended. Signals that would end this process are passed on to the launcher,
    /// which ends all ranks.
    pub(super) fn wait(self) -> Result<ExitStatus, Error> {
        let Self { mut child, mut signals } = self;
        let failed = "mpirun has not ended";
        let process = pidfd_open(Pid::from_child(&child), PidfdFlags::empty())
            .map_err(|error| Error::system(failed)(error.into()))?;
        let handle = signals.handle();
        thread::scope(|scope| {
            scope.spawn(|| {
                for signal in signals.forever() {
                    // A terminal, and `timeout`, signal the launcher as well, which takes a second
                    // signal for an order to leave its ranks behind.
                    let ended = PollFd::new(&process, PollFlags::IN);
                    let _ = poll(&mut [ended], Some(&ORDERLY));
                    // It may have ended.
                    let _ = Signal::from_named_raw(signal)
                        .map(|signal| pidfd_send_signal(&process, signal));
                }
            });
            let status = child.wait().map_err(Error::system(failed));
            handle.close();
            status
        })
    }
}

/// Returns the kind of an `mpirun`, as it says itself.
fn launcher(mpirun: &OsStr) -> Result<Launcher, Error> {
    let shown = mpirun.to_string_lossy();
    let output = Command::new(mpirun).arg("--version").output().map_err(|error| {
        Error::Usage(format!(
            "{shown} cannot be run: {error}; install an MPI, or name its mpirun with --mpirun"
        ))
    })?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Launcher::of(&text).ok_or_else(|| {
        Error::Usage(format!(
            "{shown} is that of no MPI known here (Open MPI, MPICH); set LD_PRELOAD for all ranks by its own means"
        ))
    })
}

impl Launcher {
    /// Returns it by what it prints for `--version`.
    fn of(version: &str) -> Option<Self> {
        if version.contains("Open MPI") || version.contains("OpenRTE") {
            Some(Self::OpenMpi)
        } else if version.contains("HYDRA") {
            Some(Self::Hydra)
        } else {
            None
        }
    }

    /// Returns the arguments that give the variables to all ranks.
    fn arguments(self, variables: &[(OsString, OsString)]) -> Vec<OsString> {
        let one = |(name, value): &(OsString, OsString)| match self {
            Self::OpenMpi => {
                let mut both = name.clone();
                both.push("=");
                both.push(value);
                vec!["-x".into(), both]
            }
            Self::Hydra => vec!["-genv".into(), name.clone(), value.clone()],
        };
        variables.iter().flat_map(one).collect()
    }
}

/// Returns the variables that ranks get: those of the environment that are settings, and the
/// options that were given, which come first.
fn variables(
    given: &[(&'static str, String)],
    environment: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let of_option = |(key, value): &(&str, String)| {
        let setting = SETTINGS.iter().find(|setting| setting.key == *key)?;
        Some((OsString::from(setting.variable), OsString::from(value)))
    };
    let mut all: Vec<_> = given.iter().filter_map(of_option).collect();
    for (name, value) in environment {
        let is_setting = SETTINGS.iter().any(|setting| name == setting.variable);
        if is_setting && all.iter().all(|(known, _)| *known != name) {
            all.push((name, value));
        }
    }
    all
}

/// Returns what is preloaded: the library, and whatever was preloaded before.
fn preloads(library: &Path, before: Option<OsString>) -> OsString {
    let mut all = library.as_os_str().to_owned();
    if let Some(before) = before.filter(|before| !before.is_empty()) {
        all.push(":");
        all.push(before);
    }
    all
}

/// Returns the library: the one that was named, or one beside this program or in the `lib` folder
/// next to it.
fn library(named: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(named) = named {
        return std::path::absolute(named).map_err(Error::system("the library has no path"));
    }
    let program = env::current_exe().map_err(Error::system("this program has no path"))?;
    let folder = program.parent().unwrap_or(Path::new("/"));
    let places = [folder.join(LIBRARY), folder.join("../lib").join(LIBRARY)];
    places.iter().find(|place| place.is_file()).cloned().ok_or_else(|| {
        Error::Usage(format!(
            "{} is not there; build it (cargo build --release -p netfold-mpi-preload), or name it with --library",
            places[0].display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_are_told_apart_by_their_version() {
        assert_eq!(Launcher::of("mpirun (Open MPI) 4.1.4"), Some(Launcher::OpenMpi));
        assert_eq!(Launcher::of("HYDRA build details:\n    Version: 4.0.2"), Some(Launcher::Hydra));
        assert_eq!(Launcher::of("srun 23"), None);
    }

    #[test]
    fn all_ranks_get_options_before_the_environment() {
        let environment = [("NETFOLD_TIMEOUT", "3"), ("NETFOLD_MPI_TABLE", "all"), ("HOME", "/")];
        let environment = environment.map(|(name, value)| (name.into(), value.into()));
        let all = variables(&[("timeout", "9".into())], environment.into_iter());
        let expected = [("NETFOLD_TIMEOUT", "9"), ("NETFOLD_MPI_TABLE", "all")];
        assert_eq!(all, expected.map(|(name, value)| (name.into(), value.into())));
        let words = Launcher::OpenMpi.arguments(&all);
        assert_eq!(words, ["-x", "NETFOLD_TIMEOUT=9", "-x", "NETFOLD_MPI_TABLE=all"]);
        let words = Launcher::Hydra.arguments(&all[..1]);
        assert_eq!(words, ["-genv", "NETFOLD_TIMEOUT", "9"]);
    }

    #[test]
    fn what_was_preloaded_stays() {
        let library = Path::new("/lib/x.so");
        assert_eq!(preloads(library, Some("/y.so".into())), "/lib/x.so:/y.so");
        assert_eq!(preloads(library, Some("".into())), "/lib/x.so");
        assert_eq!(preloads(library, None), "/lib/x.so");
    }
}
