//! Traces of MPI programs as they are replayed (`spec/mpi-trace.md`).

use serde::Deserialize;

use crate::error::Error;
use crate::setup::CollectiveName;

/// Version of the format.
const VERSION: u64 = 1;

/// The calls of all ranks of a run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Ranks in `MPI_COMM_WORLD`.
    pub(super) size: u32,
    /// Calls by rank, in the order in which it made them.
    pub(super) ranks: Vec<Vec<Call>>,
}

/// A call of a rank.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub(super) n: u64,
    pub(super) collective: CollectiveName,
    pub(super) comm: String,
    pub(super) size: u32,
    /// Bytes of its vector or part.
    pub(super) bytes: u64,
    pub(super) start: u64,
    /// Return of the call; before its end if it does not block.
    pub(super) returned: u64,
    /// Entry into what completes it.
    pub(super) waited: u64,
    pub(super) end: u64,
    /// Nanoseconds before the call that the trace itself has taken.
    pub(super) spent: u64,
}

/// A line, as far as it is used.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Header { trace: u64, rank: u32, size: u32 },
    Call(Record),
}

#[derive(Deserialize)]
struct Record {
    rank: u32,
    n: u64,
    call: String,
    comm: String,
    size: u32,
    bytes: u64,
    received: u64,
    start: u64,
    returned: Option<u64>,
    waited: Option<u64>,
    end: u64,
    #[serde(default)]
    spent: u64,
}

impl Trace {
    /// Reads the files of one run (R-MTR-1, R-MTR-2).
    ///
    /// # Errors
    /// [`Error::Trace`] names the first line that is not of a trace; [`Error::EmptyTrace`].
    pub fn parse<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Error> {
        let mut trace = Self::default();
        for (name, text) in files {
            // What has no line feed is the last line of a rank that was killed.
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            for (number, line) in (1..).zip(whole.lines()) {
                let not = |why: String| Error::Trace { file: name.to_owned(), number, why };
                let line = serde_json::from_str(line).map_err(|error| not(error.to_string()))?;
                trace.add(line).map_err(not)?;
            }
        }
        if trace.ranks.iter().all(Vec::is_empty) {
            return Err(Error::EmptyTrace);
        }
        trace.ranks.iter_mut().for_each(|calls| calls.sort_by_key(|call| call.n));
        Ok(trace)
    }

    fn add(&mut self, line: Line) -> Result<(), String> {
        let record = match line {
            Line::Header { trace, .. } if trace != VERSION => {
                return Err(format!("version {trace}; this netfold reads version {VERSION}"));
            }
            Line::Header { rank, size, .. } => {
                self.size = self.size.max(size).max(rank + 1);
                self.ranks.resize_with(self.size as usize, Vec::new);
                return Ok(());
            }
            Line::Call(record) => record,
        };
        if record.rank >= self.size {
            return Err(format!("a call of rank {}, which has no header", record.rank));
        }
        let Some(collective) = collective(&record.call) else {
            // Collectives that netfold never carries out stay part of what lies between calls.
            return Ok(());
        };
        let Record { n, comm, size, bytes, received, start, returned, waited, .. } = record;
        let size = size.max(1);
        // R-MTR-9
        let bytes = match collective {
            CollectiveName::AllToAll | CollectiveName::ReduceScatter => bytes / u64::from(size),
            CollectiveName::Scatter => received,
            _ => bytes,
        };
        let (end, spent) = (record.end.max(start), record.spent);
        let [returned, waited] = [returned, waited].map(|at| at.unwrap_or(end).clamp(start, end));
        let call = Call { n, collective, comm, size, bytes, start, returned, waited, end, spent };
        self.ranks[record.rank as usize].push(call);
        Ok(())
    }
}

/// Returns the collective of a function of MPI, whichever form its name has.
pub(super) fn collective(name: &str) -> Option<CollectiveName> {
    let name = name.strip_prefix("MPI_")?.to_ascii_lowercase();
    let name = name.strip_suffix("_init").unwrap_or(&name);
    Some(match name.strip_prefix('i').unwrap_or(name) {
        "allreduce" => CollectiveName::AllReduce,
        "reduce" => CollectiveName::Reduce,
        "bcast" => CollectiveName::Broadcast,
        "allgather" | "allgatherv" => CollectiveName::AllGather,
        "gather" | "gatherv" => CollectiveName::Gather,
        "scatter" | "scatterv" => CollectiveName::Scatter,
        "reduce_scatter" | "reduce_scatter_block" => CollectiveName::ReduceScatter,
        "alltoall" | "alltoallv" => CollectiveName::AllToAll,
        "scan" | "exscan" => CollectiveName::Scan,
        "barrier" => CollectiveName::Barrier,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"{"trace":1,"rank":0,"size":2,"program":"p","mpi":"m","host":"h"}"#;

    fn line(call: &str, bytes: u64) -> String {
        format!(
            r#"{{"rank":0,"n":0,"call":"{call}","comm":"world","size":2,"count":1,"bytes":{bytes},"received":6,"type":"i32","op":null,"root":null,"start":5,"end":9,"path":"host","site":null,"new":[1]}}"#
        )
    }

    fn parse(lines: &[&str], end: &str) -> Result<Trace, Error> {
        Trace::parse([("t", &*(lines.join("\n") + end))])
    }

    #[test]
    fn calls_have_the_bytes_of_a_part() {
        // R-MTR-9, R-MTR-1: keys that are not known do not count.
        for (name, expected) in [
            ("MPI_Allreduce", 8),
            ("MPI_Ialltoallv", 4),
            ("MPI_Scatter", 6),
            ("MPI_Reduce_scatter_block", 4),
            ("MPI_Gather_init", 8),
        ] {
            let trace = parse(&[HEADER, &line(name, 8)], "\n").unwrap();
            assert_eq!(trace.ranks[0][0].bytes, expected, "{name}");
            assert!(trace.ranks[1].is_empty());
        }
        let trace = parse(&[HEADER, &line("MPI_Ialltoall", 8)], "\n").unwrap();
        assert_eq!(trace.ranks[0][0].collective, CollectiveName::AllToAll);
    }

    #[test]
    fn a_line_that_was_cut_is_skipped_and_others_are_named() {
        // R-MTR-1
        let (scan, cut) = (line("MPI_Scan", 8), &line("MPI_Scan", 8)[..40]);
        assert_eq!(parse(&[HEADER, &scan, cut], "").unwrap().ranks[0].len(), 1);
        let error = parse(&[HEADER, &scan, cut], "\n").unwrap_err().to_string();
        assert!(error.contains("line 3"), "{error}");
        // R-MTR-3
        let other = HEADER.replace(":1,", ":7,");
        let error = parse(&[&other], "\n").unwrap_err().to_string();
        assert!(error.contains("version 7"), "{error}");
        let error = parse(&[HEADER], "\n").unwrap_err().to_string();
        assert!(error.contains("no call"), "{error}");
        assert!(parse(&[&scan], "\n").unwrap_err().to_string().contains("no header"));
    }
}
