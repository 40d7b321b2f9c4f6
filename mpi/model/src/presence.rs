//! Reports of ranks that they have the library, and the verdict of the command that has started
//! them (R-MPI-19). No rank relies on the library before it knows that all ranks have it.

use std::collections::BTreeSet;
use std::time::Duration;

/// Most ranks of a program, which are those of a job.
const MOST_RANKS: u32 = 1024;

/// The place where ranks report, as the command tells them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Address of the command.
    pub address: String,
    /// Token that all reports have.
    pub token: String,
    /// Longest time from the first report to the last.
    pub limit: Duration,
}

impl Meeting {
    /// The variable that has it: no setting, since only the command gives it.
    pub const VARIABLE: &str = "LIBNETFOLD_MPI_PRESENCE";

    /// Returns it as text, as [`Meeting::parse`] reads it.
    pub fn text(&self) -> String {
        format!("{}/{}/{}", self.address, self.token, self.limit.as_secs_f64())
    }

    /// Reads it; `None` if the text is of another kind.
    pub fn parse(text: &str) -> Option<Self> {
        let (address, rest) = text.split_once('/')?;
        let (token, limit) = rest.split_once('/')?;
        let limit = Duration::try_from_secs_f64(limit.parse().ok()?).ok()?;
        Some(Self { address: address.to_owned(), token: token.to_owned(), limit })
    }
}

/// The report of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present {
    /// Token of the command.
    pub token: String,
    /// The library's version of netfold.
    pub version: String,
    /// The rank's number in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// Number of ranks.
    pub size: u32,
}

impl Present {
    /// Most bytes of the line of a report.
    pub const MOST_BYTES: u64 = 256;

    /// The answer to a report when all ranks have reported. Any other one is that they have not.
    pub const ALL: &str = "all\n";

    /// Returns it as a line, as [`Present::parse`] reads it.
    pub fn line(&self) -> String {
        format!("{} {} {} {}\n", self.token, self.version, self.rank, self.size)
    }

    /// Reads it; `None` if the line is of another kind.
    pub fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [token, version, rank, size] = words[..] else { return None };
        let (rank, size) = (rank.parse().ok()?, size.parse().ok()?);
        Some(Self { token: token.to_owned(), version: version.to_owned(), rank, size })
    }
}

/// The ranks that have reported to a command. When all of a program have, another one may begin.
#[derive(Debug, Default)]
pub struct Roll {
    token: String,
    programs: u64,
    version: String,
    size: u32,
    present: BTreeSet<u32>,
    refused: bool,
}

impl Roll {
    /// Returns one that takes reports with this token.
    pub fn new(token: String) -> Self {
        Self { token, ..Self::default() }
    }

    /// Takes a report, and returns the number of the program that it belongs to.
    ///
    /// # Errors
    /// All calls of the rank are its host's. The text says why, unless that has been said, or the
    /// report is not that of a rank of the command.
    pub fn report(&mut self, report: &Present) -> Result<u64, Option<String>> {
        if self.refused || report.token != self.token {
            return Err(None);
        }
        if self.present.is_empty() {
            (self.version, self.size) = (report.version.clone(), report.size);
        }
        let Present { version, rank, size, .. } = report;
        let why = if *size > MOST_RANKS {
            format!("{size} ranks are more than the {MOST_RANKS} of a job")
        } else if *size != self.size || rank >= size {
            format!(
                "rank {rank} of {size} is not one of the {} that others have reported",
                self.size
            )
        } else if *version != self.version {
            format!("rank {rank} has netfold {version}, and others have {}", self.version)
        } else if self.present.contains(rank) {
            format!("rank {rank} has reported twice")
        } else {
            self.present.insert(*rank);
            let number = self.programs;
            if self.present.len() == self.size as usize {
                self.programs += 1;
                self.present.clear();
            }
            return Ok(number);
        };
        self.refused = true;
        Err(Some(why))
    }

    /// Returns whether all ranks of a program are there; `None` if that is not known yet.
    pub fn verdict(&self, program: u64) -> Option<bool> {
        if program < self.programs { Some(true) } else { self.refused.then_some(false) }
    }

    /// Returns whether no rank has reported.
    pub fn is_empty(&self) -> bool {
        self.programs == 0 && self.present.is_empty() && !self.refused
    }

    /// Ends the wait for the ranks that are missing, and returns what is to be said of them; `None`
    /// if there is no wait.
    pub fn end(&mut self) -> Option<String> {
        if self.refused || self.present.is_empty() {
            return None;
        }
        self.refused = true;
        let missing: Vec<u32> =
            (0..self.size).filter(|rank| !self.present.contains(rank)).collect();
        let (ranks, verb) = if missing.len() == 1 { ("rank", "has") } else { ("ranks", "have") };
        let (numbers, size) = (ranges(&missing), self.size);
        Some(format!("{ranks} {numbers} of {size} {verb} not begun MPI with libnetfold_mpi.so"))
    }
}

/// Returns numbers in ascending order as text, those that follow each other by the first and the
/// last.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let texts: Vec<String> = runs
        .map(|run| match run {
            [one] => one.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => String::new(),
        })
        .collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn present(rank: u32, size: u32) -> Present {
        Present { token: "t".into(), version: "1.2.3".into(), rank, size }
    }

    #[test]
    fn texts_are_read_as_they_were_written() {
        let limit = Duration::from_millis(2500);
        let meeting = Meeting { address: "[::1]:7".into(), token: "0a".into(), limit };
        assert_eq!(Meeting::parse(&meeting.text()), Some(meeting));
        assert_eq!(Present::parse(&present(3, 4).line()), Some(present(3, 4)));
        for line in ["", "t 1.2.3 3", "t 1.2.3 3 4 5", "t 1.2.3 -3 4"] {
            assert_eq!(Present::parse(line), None, "{line}");
        }
        for text in ["", "a:1/t", "a:1/t/-1", "a:1/t/soon"] {
            assert_eq!(Meeting::parse(text), None, "{text}");
        }
    }

    #[test]
    fn all_ranks_are_there_when_the_last_one_is() {
        // R-MPI-19
        let mut roll = Roll::new("t".into());
        assert!(roll.is_empty());
        assert_eq!(roll.report(&present(2, 3)), Ok(0));
        assert_eq!(roll.report(&present(0, 3)), Ok(0));
        assert_eq!((roll.verdict(0), roll.is_empty()), (None, false));
        assert_eq!(roll.report(&present(1, 3)), Ok(0));
        assert_eq!(roll.verdict(0), Some(true));
        // Another program by the same command, which loses none of this.
        assert_eq!(roll.end(), None);
        assert_eq!(roll.report(&present(0, 2)), Ok(1));
        assert_eq!(roll.end().unwrap(), "rank 1 of 2 has not begun MPI with libnetfold_mpi.so");
        assert_eq!((roll.verdict(0), roll.verdict(1)), (Some(true), Some(false)));
    }

    #[test]
    fn a_rank_that_comes_too_late_hears_so() {
        // R-MPI-19
        let mut roll = Roll::new("t".into());
        assert_eq!(roll.report(&present(4, 8)), Ok(0));
        let line = "ranks 0-3, 5-7 of 8 have not begun MPI with libnetfold_mpi.so";
        assert_eq!(roll.end().as_deref(), Some(line));
        assert_eq!(roll.verdict(0), Some(false));
        assert_eq!(roll.report(&present(0, 8)), Err(None));
        assert_eq!(roll.end(), None);
    }

    #[test]
    fn reports_that_contradict_each_other_end_it() {
        // R-MPI-19
        let refused = |second: Present, reason: &str| {
            let mut roll = Roll::new("t".into());
            assert_eq!(roll.report(&present(0, 3)), Ok(0));
            let why = roll.report(&second).unwrap_err().unwrap();
            assert!(why.contains(reason), "{why}");
            assert_eq!(roll.verdict(0), Some(false));
        };
        refused(present(1, 2), "rank 1 of 2");
        refused(present(3, 3), "rank 3 of 3");
        refused(present(0, 3), "twice");
        refused(Present { version: "1.2.4".into(), ..present(1, 3) }, "netfold 1.2.4");
        let mut roll = Roll::new("t".into());
        let stranger = Present { token: "u".into(), ..present(1, 3) };
        assert_eq!(roll.report(&stranger), Err(None));
        assert!(roll.is_empty());
        assert!(roll.report(&present(0, 1025)).unwrap_err().unwrap().contains("1024"));
    }
}
