//! The rule by which the lengths of a trace grow with the nodes (R-MTR-9).

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::trace::collective;
use crate::setup::CollectiveName;

/// Length that stays the same when more ranks do the same work (R-MTR-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The part of a rank in what another one sends or gets.
    Part,
    /// All that a rank sends.
    Rank,
    /// All that the ranks send together.
    Total,
}

const RULES: [(&str, Rule); 3] =
    [("part", Rule::Part), ("rank", Rule::Rank), ("total", Rule::Total)];

/// Rules of collectives: those that were given, and the others' own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes(BTreeMap<CollectiveName, Rule>);

/// Error of an unknown rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} is no rule of lengths; give part, rank or total, or one of them for a collective, as in alltoallv=rank"
)]
pub struct SizesError(String);

/// The collectives, with the names that they have in tables.
const COLLECTIVES: [(CollectiveName, &str); 9] = [
    (CollectiveName::AllReduce, "all-reduce"),
    (CollectiveName::Reduce, "reduce"),
    (CollectiveName::Broadcast, "broadcast"),
    (CollectiveName::AllGather, "all-gather"),
    (CollectiveName::Gather, "gather"),
    (CollectiveName::Scatter, "scatter"),
    (CollectiveName::ReduceScatter, "reduce-scatter"),
    (CollectiveName::AllToAll, "all-to-all"),
    (CollectiveName::Scan, "scan"),
];

/// Returns the name of a collective.
pub(super) fn name(collective: CollectiveName) -> &'static str {
    COLLECTIVES.iter().find(|(of, _)| *of == collective).map_or("", |(_, name)| name)
}

impl FromStr for Sizes {
    type Err = SizesError;

    /// Reads rules with commas between them, the later ones before the earlier.
    fn from_str(text: &str) -> Result<Self, SizesError> {
        let mut rules = BTreeMap::new();
        for word in text.split(',').map(str::trim) {
            let wrong = || SizesError(word.to_owned());
            let (of, rule) =
                word.split_once('=').map_or((None, word), |(of, rule)| (Some(of), rule));
            let rule = RULES.iter().find(|(name, _)| *name == rule).ok_or_else(wrong)?.1;
            match of {
                None => rules.extend(COLLECTIVES.map(|(collective, _)| (collective, rule))),
                Some(of) => {
                    let of = of.to_ascii_lowercase();
                    let name = if of.starts_with("mpi_") { of } else { format!("mpi_{of}") };
                    let name = name.replacen("mpi_", "MPI_", 1);
                    let known = |of: &CollectiveName| COLLECTIVES.iter().any(|(it, _)| it == of);
                    rules.insert(collective(&name).filter(known).ok_or_else(wrong)?, rule);
                }
            }
        }
        Ok(Self(rules))
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (collective, title)) in COLLECTIVES.into_iter().enumerate() {
            let rule = self.of(collective);
            let rule = RULES.iter().find(|(_, of)| *of == rule).map_or("", |(name, _)| name);
            write!(f, "{}{title} {rule}", if number == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl Sizes {
    fn of(&self, collective: CollectiveName) -> Rule {
        let own = match collective {
            CollectiveName::AllGather
            | CollectiveName::Gather
            | CollectiveName::Scatter
            | CollectiveName::AllToAll => Rule::Total,
            _ => Rule::Rank,
        };
        self.0.get(&collective).copied().unwrap_or(own)
    }

    /// Returns the bytes of a vector or part where the share `shrunk` of the nodes had `bytes`, in
    /// whole elements, and rounded so that lengths that are nearly the same are one.
    pub(super) fn scaled(&self, collective: CollectiveName, bytes: u64, shrunk: f64) -> u64 {
        let divided = match (collective, self.of(collective)) {
            (_, Rule::Part) => 0,
            (CollectiveName::AllToAll | CollectiveName::ReduceScatter, Rule::Rank) => 1,
            (_, Rule::Rank) => 0,
            (CollectiveName::AllToAll | CollectiveName::ReduceScatter, Rule::Total) => 2,
            (_, Rule::Total) => 1,
        };
        rounded((bytes as f64 * shrunk.powi(divided)).round() as u64)
    }
}

/// Bytes of an element that is folded.
const ELEMENT_BYTES: u64 = 4;

/// Significant bits of a length.
const BITS: u32 = 5;

/// Returns a length of whole elements, at least one, that is off by 1/32 at most where it is long.
fn rounded(bytes: u64) -> u64 {
    let bytes = bytes.max(1).next_multiple_of(ELEMENT_BYTES);
    let unit = 1 << (bytes.ilog2() + 1).saturating_sub(BITS);
    ((bytes + unit / 2) / unit * unit).next_multiple_of(ELEMENT_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_follow_their_rule() {
        // R-MTR-9: from 4 ranks to 64.
        let scaled = |rules: &str, collective, bytes| {
            let sizes = if rules.is_empty() { Sizes::default() } else { rules.parse().unwrap() };
            sizes.scaled(collective, bytes, 1.0 / 16.0)
        };
        use CollectiveName::{AllGather, AllReduce, AllToAll, ReduceScatter};
        assert_eq!(scaled("", AllReduce, 4096), 4096);
        assert_eq!(scaled("", AllGather, 4096), 256);
        assert_eq!(scaled("", AllToAll, 1 << 20), 4096);
        assert_eq!(scaled("", ReduceScatter, 4096), 256);
        assert_eq!(scaled("part", AllToAll, 1 << 20), 1 << 20);
        assert_eq!(scaled("part,alltoallv=rank", AllToAll, 1 << 20), 1 << 16);
        assert_eq!(scaled("MPI_Allreduce=total", AllReduce, 4096), 256);
        assert_eq!(scaled("MPI_Allreduce=total", AllGather, 4096), 256);
    }

    #[test]
    fn lengths_that_are_nearly_the_same_are_one() {
        assert_eq!([0, 1, 4, 5, 63].map(rounded), [4, 4, 4, 8, 64]);
        for bytes in 1..100_000_u64 {
            // Up to a whole element, at most 3 bytes, and then to the nearer of two numbers of five
            // bits, which are at most 1/16 apart.
            let most = 3.0 + (bytes + 3) as f64 / 32.0;
            let found = rounded(bytes);
            assert!(found.is_multiple_of(4) && found.abs_diff(bytes) as f64 <= most, "{bytes}");
        }
    }

    #[test]
    fn what_is_no_rule_is_told() {
        for text in ["", "all", "scan=part=rank", "send=total", "barrier=rank"] {
            let told = text.parse::<Sizes>().unwrap_err().to_string();
            assert!(told.contains("is no rule of lengths"), "{told}");
        }
        assert!(Sizes::default().to_string().contains("all-to-all total"));
    }
}
