//! Lines of a trace (`spec/mpi-trace.md`).

use serde::Serialize;

use crate::fold::{Element, Op};

/// Version of the format.
const VERSION: u32 = 1;

/// Most bytes of a line (R-MTR-1).
const LINE_BYTES: usize = 4096;

/// The first line of a rank (R-MTR-3).
#[derive(Clone, Debug, Serialize)]
pub struct Header {
    trace: u32,
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: i32,
    /// Its ranks.
    pub size: i32,
    /// Path of the program.
    pub program: String,
    /// The library's own name and version.
    pub mpi: String,
    /// Name of the host.
    pub host: String,
}

impl Header {
    /// Returns the header of a rank.
    pub fn new((rank, size): (i32, i32), program: String, mpi: String, host: String) -> Self {
        Self { trace: VERSION, rank, size, program, mpi, host }
    }

    /// Returns its line, with texts cut to what a line has room for.
    pub fn line(&self) -> String {
        let cut = |text: &str| text.chars().take(LINE_BYTES / 32).collect::<String>();
        let program = if self.program.len() < LINE_BYTES / 2 { &self.program } else { "" };
        let (program, mpi, host) = (program.to_owned(), cut(&self.mpi), cut(&self.host));
        line(&Self { program, mpi, host, ..*self })
    }
}

/// A call of a rank (R-MTR-4).
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: i32,
    /// Number of the call among those of its rank.
    pub n: u64,
    /// Name in C.
    pub call: String,
    /// Communicator (R-MTR-5).
    pub comm: String,
    /// Its ranks.
    pub size: i32,
    /// The lengths.
    #[serde(flatten)]
    pub lengths: Lengths,
    /// Operation.
    pub op: Option<&'static str>,
    /// Rank of the root.
    pub root: Option<i32>,
    /// Entry, in nanoseconds.
    pub start: u64,
    /// Return of a call that does not block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returned: Option<u64>,
    /// Entry into what completes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited: Option<u64>,
    /// End.
    pub end: u64,
    /// Nanoseconds that the trace itself has taken since the rank's last line began.
    pub spent: u64,
    /// `switch` or `host`.
    pub path: &'static str,
    /// Place in the program.
    pub site: Option<String>,
}

impl Record {
    /// Returns its line. A site that is too long is left out.
    pub fn line(&self) -> String {
        let text = line(self);
        if text.len() <= LINE_BYTES {
            return text;
        }
        line(&Self { site: None, ..self.clone() })
    }
}

/// Lengths of a call at one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lengths {
    /// Elements that it sends.
    pub count: u64,
    /// Bytes that it sends.
    pub bytes: u64,
    /// Bytes that it receives.
    pub received: u64,
    /// Type of what it sends.
    #[serde(rename = "type")]
    pub of: &'static str,
}

fn line(of: &impl Serialize) -> String {
    // Numbers and texts can always be written.
    serde_json::to_string(of).unwrap_or_default() + "\n"
}

impl Element {
    /// Returns the name of the type in a trace.
    pub const fn traced(self) -> &'static str {
        match self {
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::C32 => "c64",
            Self::C64 => "c128",
            Self::Bool | Self::Logical => "bytes",
            Self::Pair(pair) => pair.traced(),
        }
    }
}

impl Op {
    /// Returns the name of the operation in a trace.
    pub const fn traced(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Prod => "prod",
            Self::Min => "min",
            Self::Max => "max",
            Self::Land => "land",
            Self::Lor => "lor",
            Self::Lxor => "lxor",
            Self::Band => "band",
            Self::Bor => "bor",
            Self::Bxor => "bxor",
            Self::Minloc => "minloc",
            Self::Maxloc => "maxloc",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn record(site: Option<String>) -> Record {
        Record {
            rank: 3,
            n: 7,
            call: "MPI_Allreduce".into(),
            comm: "world".into(),
            size: 4,
            lengths: Lengths { count: 2, bytes: 16, received: 16, of: "f64" },
            op: Some("sum"),
            root: None,
            start: 10,
            returned: None,
            waited: None,
            end: 30,
            spent: 5,
            path: "host",
            site,
        }
    }

    #[test]
    fn lines_have_the_keys_of_the_rules() {
        // R-MTR-4
        let line = record(Some("/bin/app+0x1f".into())).line();
        let found: Value = serde_json::from_str(&line).unwrap();
        let keys = [
            "rank", "n", "call", "comm", "size", "count", "bytes", "received", "type", "op",
            "root", "start", "end", "path", "site",
        ];
        for key in keys {
            assert!(found.get(key).is_some(), "{key}: {line}");
        }
        assert_eq!((found["type"].as_str(), found["root"].is_null()), (Some("f64"), true));
    }

    #[test]
    fn no_line_is_longer_than_readers_take() {
        // R-MTR-1
        let line = record(Some("/x".repeat(LINE_BYTES))).line();
        assert!(line.len() <= LINE_BYTES && line.ends_with("}\n"), "{line}");
        let long = || "é\"".repeat(LINE_BYTES);
        let line = Header::new((0, 1), long(), long(), long()).line();
        assert!(line.len() <= LINE_BYTES && line.ends_with("}\n"), "{line}");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["trace"], 1);
    }
}
