//! Programs that are not netfold's.

use std::env;
use std::process::Command;

/// Returns whether a program is on the path.
pub fn is_there(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Says what is missing to run a switch between cables, in words; `None` if nothing is.
pub fn missing() -> Option<String> {
    let tools = ["p4c-bm2-ss", "simple_switch", "simple_switch_CLI", "ip", "ethtool"];
    if let Some(tool) = tools.into_iter().find(|tool| !is_there(tool)) {
        return Some(format!("{tool} is not on the path"));
    }
    (!rustix::process::geteuid().is_root()).then(|| "network namespaces need root".to_owned())
}

/// Runs a command to its end.
///
/// # Errors
/// Its output, if it has failed.
pub(super) fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}
