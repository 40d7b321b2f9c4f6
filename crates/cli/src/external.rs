//! Commands of other packages: `netfold NAME ...` runs the program `netfold-NAME`, as git does. So
//! what builds on large libraries, such as the laboratory on PyTorch, is installed by those who
//! need it.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;

/// A command that netfold has in another package.
struct Known {
    name: &'static str,
    about: &'static str,
    install: &'static str,
}

/// The commands that netfold has in other packages.
const KNOWN: [Known; 4] = [
    Known {
        name: "lab",
        about: "Compare the arithmetics on gradients of real training",
        install: "pip install 'netfold[lab]'",
    },
    Known {
        name: "query",
        about: "Answer SQL over files; the switch prunes and adds rows on their way",
        install: "make query in netfold's checkout",
    },
    Known {
        name: "survey",
        about: "Count what MPI programs call, in their sources",
        install: "pip install 'netfold[mpi]'",
    },
    Known {
        name: "translate",
        about: "Rewrite MPI programs in C so that chains of collectives are fused",
        install: "pip install 'netfold[mpi]'",
    },
];

/// Most single-letter mistakes in a name that is taken for a misspelling.
const MISTAKES: usize = 2;

/// Becomes the program of this command, which gets this process: signals reach it, and its exit
/// status is this one's. Returns only if there is no such program.
pub(crate) fn run(command: &[OsString]) -> Error {
    let Some((name, arguments)) = command.split_first() else {
        return Error::Usage("no command is named; netfold --help lists them".into());
    };
    let mut program = OsString::from("netfold-");
    program.push(name);
    let own = env::current_exe().ok();
    let folders = folders(env::var_os("VIRTUAL_ENV"), own.as_deref(), env::var_os("PATH"));
    match folders.iter().map(|folder| folder.join(&program)).find(|path| path.is_file()) {
        Some(path) => {
            Error::system("the command cannot be run")(Command::new(path).args(arguments).exec())
        }
        None => Error::Usage(missing(&name.to_string_lossy())),
    }
}

/// Returns the commands of other packages, for the help of this one.
pub(crate) fn help() -> String {
    KNOWN.iter().fold("Commands of other packages:\n".into(), |text, known| {
        format!("{text}  {:<13}{} ({})\n", known.name, known.about, known.install)
    })
}

/// Lists the folders that may have the program, those first that the user means: of the active
/// virtual environment, of this program, and of the path.
fn folders(
    environment: Option<OsString>,
    own: Option<&Path>,
    path: Option<OsString>,
) -> Vec<PathBuf> {
    let active = environment
        .filter(|folder| !folder.is_empty())
        .map(|folder| PathBuf::from(folder).join("bin"));
    let beside = own.and_then(Path::parent).map(Path::to_path_buf);
    let path = path.unwrap_or_default();
    active.into_iter().chain(beside).chain(env::split_paths(&path)).collect()
}

/// Says how to get a command that is not there, or which one was probably meant.
fn missing(name: &str) -> String {
    if let Some(known) = KNOWN.iter().find(|known| known.name == name) {
        return format!(
            "netfold {name} is not installed: no program netfold-{name} is in the active virtual environment, beside netfold or on the path; {}",
            known.install
        );
    }
    let others = KNOWN.iter().map(|known| known.name.to_owned());
    let distance = |known: &String| strsim::osa_distance(known, name);
    let nearest = crate::cli::names().into_iter().chain(others).min_by_key(distance);
    let advice = nearest.filter(|known| distance(known) <= MISTAKES).map_or_else(
        || "netfold --help lists the commands".into(),
        |known| format!("did you mean {known}?"),
    );
    format!(
        "there is no command {name:?}, nor a program netfold-{} on the path; {advice}",
        name.escape_debug()
    )
}
