//! Traces that MPI programs write (`spec/mpi-trace.md`): their calls, by collective.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use comfy_table::{Cell, CellAlignment};
use serde::Deserialize;

use crate::error::Error;
use crate::terminal;

/// Version of the format.
const VERSION: u64 = 1;

/// Beginnings of lines of such a trace: of a header, and of a call (R-MTR-3, R-MTR-4).
const BEGINNINGS: [&[u8]; 2] = [br#"{"trace":"#, br#"{"rank":"#];

/// Returns whether a file is a trace of an MPI program, by its first bytes.
pub(super) fn is_one(path: &Path) -> Result<bool, Error> {
    let mut first = Vec::new();
    let longest = BEGINNINGS.map(<[u8]>::len).into_iter().max().unwrap_or(0) as u64;
    File::open(path)
        .and_then(|file| file.take(longest).read_to_end(&mut first))
        .map_err(|source| refused(path, source))?;
    Ok(BEGINNINGS.iter().any(|beginning| first.starts_with(beginning)))
}

fn refused(path: &Path, source: std::io::Error) -> Error {
    Error::File { what: "the trace", path: path.to_owned(), source }
}

/// A line, as far as it is used.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Header { trace: u64, rank: u32, size: u32, program: String, mpi: String },
    Call(Call),
}

#[derive(Deserialize)]
struct Call {
    rank: u32,
    call: String,
    bytes: u64,
    start: u64,
    returned: Option<u64>,
    waited: Option<u64>,
    end: u64,
    path: String,
}

impl Call {
    /// Returns the nanoseconds that the rank was in the call: of one that does not block, until it
    /// returned, and in what completed it (R-MTR-10).
    fn nanoseconds(&self) -> u64 {
        let to = |from: u64, to: u64| to.saturating_sub(from);
        match (self.returned, self.waited) {
            (Some(returned), Some(waited)) => to(self.start, returned) + to(waited, self.end),
            _ => to(self.start, self.end),
        }
    }
}

/// Calls of one collective, by all ranks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    calls: u64,
    /// Those that netfold has carried out.
    by_netfold: u64,
    bytes: u64,
    nanoseconds: u64,
}

/// The calls of one run.
#[derive(Debug, Default)]
pub(super) struct Calls {
    program: String,
    mpi: String,
    /// Ranks of the run, and those whose lines are there.
    size: u32,
    ranks: BTreeSet<u32>,
    by_collective: BTreeMap<String, Tally>,
}

impl Calls {
    /// Reads a file of the run.
    ///
    /// # Errors
    /// A file that cannot be read, or the first line that is not of a trace.
    pub(super) fn read(&mut self, path: &Path) -> Result<(), Error> {
        let text = fs::read_to_string(path).map_err(|source| refused(path, source))?;
        // What has no line feed is the last line of a rank that was killed (R-MTR-1).
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        if whole.is_empty() {
            return Err(Error::Usage(format!(
                "{} was cut in its first line; name a trace of MPI calls as its program wrote it",
                path.display()
            )));
        }
        for (number, line) in (1..).zip(whole.lines()) {
            let not = |why: String| {
                let path = path.display();
                Error::Usage(format!(
                    "{path}, line {number}, is not of a trace of MPI calls: {why}"
                ))
            };
            let line = serde_json::from_str(line).map_err(|error| not(error.to_string()))?;
            self.add(line).map_err(not)?;
        }
        Ok(())
    }

    fn add(&mut self, line: Line) -> Result<(), String> {
        let call = match line {
            Line::Header { trace, .. } if trace != VERSION => {
                return Err(format!("version {trace}; this netfold reads version {VERSION}"));
            }
            Line::Header { rank, size, program, mpi, .. } => {
                if !self.ranks.insert(rank) {
                    return Err(format!("rank {rank} again; name each file of one run once"));
                }
                self.size = self.size.max(size);
                (self.program, self.mpi) = (program, mpi);
                return Ok(());
            }
            Line::Call(call) => call,
        };
        if !self.ranks.contains(&call.rank) {
            return Err(format!("a call of rank {}, which has no header", call.rank));
        }
        let nanoseconds = call.nanoseconds();
        let tally = self.by_collective.entry(call.call).or_default();
        tally.calls += 1;
        tally.by_netfold += u64::from(call.path == "switch");
        tally.bytes = tally.bytes.saturating_add(call.bytes);
        tally.nanoseconds = tally.nanoseconds.saturating_add(nanoseconds);
        Ok(())
    }

    /// Returns the calls as text: those on which ranks spent most time come first.
    pub(super) fn text(&self) -> String {
        let Self { program, mpi, size, ranks, by_collective } = self;
        let calls: u64 = by_collective.values().map(|tally| tally.calls).sum();
        let mut text = format!("{program}: {size} ranks with {mpi}, {calls} calls\n");
        if ranks.len() < *size as usize {
            let have = ranks.len();
            let _ = writeln!(text, "{have} of {size} ranks have lines; name the files of all");
        }
        if calls == 0 {
            return text + "no collective was called\n";
        }
        let mut rows: Vec<(&String, &Tally)> = by_collective.iter().collect();
        rows.sort_by_key(|(_, tally)| Reverse(tally.nanoseconds));
        let mut table =
            terminal::table(["collective", "calls", "by netfold", "bytes", "ms", "mean us"]);
        for (name, tally) in rows {
            let Tally { calls, by_netfold, bytes, nanoseconds } = tally;
            let numbers = [
                calls.to_string(),
                by_netfold.to_string(),
                bytes.to_string(),
                format!("{:.3}", *nanoseconds as f64 / 1e6),
                format!("{:.1}", *nanoseconds as f64 / 1e3 / *calls as f64),
            ];
            let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
            table.add_row([Cell::new(name)].into_iter().chain(numbers.map(right)));
        }
        let _ = writeln!(text, "{table}");
        text
    }
}
