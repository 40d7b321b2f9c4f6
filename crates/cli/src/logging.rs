//! Log lines, to standard error.

use tracing_subscriber::EnvFilter;

use crate::error::Error;
use crate::terminal;

/// The compiler of users' operations tells of every step, which is of no use to users; directives
/// that name it come later, and count.
const COMPILER: &str = "cranelift=warn,regalloc2=warn,wasmtime=warn";

/// Logs from now on at `level`: error, warn, info, debug, trace, or directives such as
/// `warn,netfold_net=debug`. Only the first call of a process counts.
pub(crate) fn start(level: &str) -> Result<(), Error> {
    let filter = EnvFilter::try_new(format!("{COMPILER},{level}"))
        .map_err(|error| Error::Log(format!("{level:?}: {error}")))?;
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(terminal::stderr_is_terminal() && !no_color);
    if let Err(already) = subscriber.try_init() {
        tracing::debug!("the log of this process is kept as it is: {already}");
    }
    Ok(())
}
