//! Output to the user: results to standard output, errors to standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{ContentArrangement, Row, Table};

use crate::error::Error;

/// Columns of the narrowest terminal to which tables are fitted.
const NARROWEST: u16 = 60;

/// Writes a result to standard output, whole and at once. That nobody reads on (`| head`) is no
/// failure.
pub(crate) fn say(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::Output(error)),
        _ => Ok(()),
    }
}

/// Writes an error to standard error.
pub(crate) fn complain(error: &Error) {
    // Nothing is left to tell it to when that fails.
    let _ = writeln!(io::stderr(), "netfold: {error}");
}

/// Writes something to heed to standard error.
pub(crate) fn warn(text: &str) {
    // Nothing is left to tell it to when that fails.
    let _ = writeln!(io::stderr(), "netfold: warning: {text}");
}

/// Writes to standard error how something goes that takes its time.
pub(crate) fn tell(text: &str) {
    // Nothing is left to tell it to when that fails.
    let _ = writeln!(io::stderr(), "{text}");
}

/// A table with this header. Its colours, if it has any, are for terminals only, and not with
/// `NO_COLOR`.
pub(crate) fn table(header: impl Into<Row>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(header);
    // Cells wrap to fit a terminal, unless that would leave a few letters in each.
    if table.width().is_some_and(|columns| columns >= NARROWEST) {
        table.set_content_arrangement(ContentArrangement::Dynamic);
    }
    table
}

/// Returns whether standard error may carry colours and bars.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}
