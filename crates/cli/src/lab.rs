//! `netfold lab`: the laboratory of the Python package, with the arguments as they are.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::Error;

/// Module that is run.
const MODULE: &str = "netfold.lab";

/// Ends well where the module is, without loading what it needs.
const PROBE: &str =
    "import importlib.util, sys; sys.exit(importlib.util.find_spec('netfold.lab') is None)";

/// Becomes the laboratory: it gets this process, so that signals reach it and its exit status is
/// this one's. Returns only if no interpreter has the laboratory.
pub(crate) fn run(arguments: &[OsString]) -> Error {
    let program = env::current_exe().ok();
    let asked = interpreters(env::var_os("VIRTUAL_ENV"), program.as_deref());
    let Some(python) = asked.iter().find(|python| has_laboratory(python)) else {
        return Error::NoLaboratory { asked };
    };
    Error::system("Python cannot be run")(
        Command::new(python).args(["-m", MODULE]).args(arguments).exec(),
    )
}

/// Interpreters that may have the package, those first that the user means: of the virtual
/// environment that is active, of the one in which this program is installed, and the first on the
/// path.
fn interpreters(environment: Option<OsString>, program: Option<&Path>) -> Vec<PathBuf> {
    let active = environment
        .filter(|folder| !folder.is_empty())
        .map(|folder| PathBuf::from(folder).join("bin/python"));
    let beside =
        program.map(|program| program.with_file_name("python")).filter(|python| python.exists());
    active.into_iter().chain(beside).chain([PathBuf::from("python3")]).collect()
}

/// Returns whether this interpreter is there and has the package.
fn has_laboratory(python: &Path) -> bool {
    let mut probe = Command::new(python);
    probe.args(["-c", PROBE]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}
