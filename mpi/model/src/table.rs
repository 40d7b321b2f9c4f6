//! The table of decisions: where a collective is faster (R-MPI-3, R-MPI-4).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::kind::{Form, Kind};

/// The place where the ranks of a communicator are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// All on one host, which folds in shared memory.
    Host,
    /// On several hosts, or at a switch over UDP.
    Network,
}

impl Place {
    const ALL: [Self; 2] = [Self::Host, Self::Network];

    const fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Network => "network",
        }
    }
}

/// The sizes of each collective that netfold takes, by place and number of ranks.
///
/// A row holds for communicators of at least as many ranks as it names, and of fewer than the next
/// row of the same place and collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    rows: BTreeMap<Key, Vec<(u64, u64)>>,
}

/// Place, form, collective and number of ranks of a row.
type Key = (Place, Form, Kind, u16);

/// The sizes of each call that netfold takes on communicators of one place and number of ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes(Vec<Vec<(u64, u64)>>);

impl Sizes {
    fn of(&self, (form, kind): (Form, Kind)) -> &[(u64, u64)] {
        self.0.get(form as usize * Kind::ALL.len() + kind as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a call pays: of so many bytes, which are those of one rank's vector or part.
    #[inline]
    pub fn take(&self, call: (Form, Kind), bytes: u64) -> bool {
        self.of(call).iter().any(|(from, to)| (*from..=*to).contains(&bytes))
    }

    /// Returns whether a call pays at some size.
    #[inline]
    pub fn take_any(&self, call: (Form, Kind)) -> bool {
        !self.of(call).is_empty()
    }

    /// Returns whether no call pays.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }
}

/// Error of a table that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// A line that cannot be read.
    #[error(
        "line {line} of the table is {text:?}; write `PLACE COLLECTIVE RANKS FROM-TO,...`, as in `host allreduce 2 0-2048`"
    )]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The line.
        text: String,
    },
}

impl Table {
    /// A table that takes no call.
    pub fn none() -> Self {
        Self { rows: BTreeMap::new() }
    }

    /// A table that takes every call that netfold can make.
    pub fn all() -> Self {
        let mut table = Self::none();
        for place in Place::ALL {
            for (form, kind) in all_calls() {
                table.set(place, form, kind, 0, vec![(0, u64::MAX)]);
            }
        }
        table
    }

    /// Returns the sizes for communicators of so many ranks.
    pub fn sizes(&self, place: Place, ranks: u16) -> Sizes {
        let of = |(form, kind)| {
            let rows = self.rows.range((place, form, kind, 0)..=(place, form, kind, ranks));
            rows.last().map(|(_, sizes)| sizes.clone()).unwrap_or_default()
        };
        Sizes(all_calls().map(of).collect())
    }

    /// Sets the sizes, each from and to in bytes, for communicators of at least so many ranks.
    pub fn set(
        &mut self,
        place: Place,
        form: Form,
        kind: Kind,
        ranks: u16,
        sizes: Vec<(u64, u64)>,
    ) {
        self.rows.insert((place, form, kind, ranks), sizes);
    }

    /// Returns a hash of it, which all ranks of a job must have in common.
    pub fn hash(&self) -> u64 {
        xxh3_64(self.text().as_bytes())
    }

    /// Returns it as text, as [`Table::parse`] reads it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for ((place, form, kind, ranks), sizes) in &self.rows {
            let sizes: Vec<String> = sizes
                .iter()
                .map(|(from, to)| match *to {
                    u64::MAX => format!("{from}-"),
                    to => format!("{from}-{to}"),
                })
                .collect();
            let sizes = if sizes.is_empty() { "none".to_owned() } else { sizes.join(",") };
            let _ = writeln!(text, "{} {} {ranks} {sizes}", place.name(), form.name(*kind));
        }
        text
    }

    /// Reads a table. What follows a `#` is a comment.
    ///
    /// # Errors
    /// [`TableError`] names a line that cannot be read.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let mut table = Self::none();
        for (number, line) in (1..).zip(text.lines()) {
            let content = line.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let row = row(content);
            let (place, form, kind, ranks, sizes) =
                row.ok_or_else(|| TableError::Line { line: number, text: line.to_owned() })?;
            table.set(place, form, kind, ranks, sizes);
        }
        Ok(table)
    }
}

/// A row: place, collective, ranks, and the sizes, each from and to in bytes.
type Row = (Place, Form, Kind, u16, Vec<(u64, u64)>);

/// Returns every collective in every form.
fn all_calls() -> impl Iterator<Item = (Form, Kind)> {
    Form::ALL.into_iter().flat_map(|form| Kind::ALL.into_iter().map(move |kind| (form, kind)))
}

/// Reads one row.
fn row(line: &str) -> Option<Row> {
    let mut words = line.split_whitespace();
    let place = words.next()?;
    let place = Place::ALL.into_iter().find(|of| of.name() == place)?;
    let (form, kind) = Form::named(words.next()?)?;
    let ranks = words.next()?.parse().ok()?;
    let sizes = words.next()?;
    if words.next().is_some() {
        return None;
    }
    let range = |range: &str| {
        let (from, to) = range.split_once('-')?;
        let to = if to.is_empty() { u64::MAX } else { to.parse().ok()? };
        Some((from.parse().ok()?, to))
    };
    let sizes = match sizes {
        "none" => Vec::new(),
        sizes => sizes.split(',').map(range).collect::<Option<_>>()?,
    };
    Some((place, form, kind, ranks, sizes))
}

impl Default for Table {
    /// The table of machines that nobody has measured: what paid on all those that were, and by a
    /// margin.
    fn default() -> Self {
        let mut table = Self::none();
        let from = |least: u64| (least, u64::MAX);
        // What is faster both in bench/results/loopback and, up to 1 MiB, in OSU's benchmark
        // (bench/results/mpi and mpi_short): between two ranks shorter calls of Open MPI in shared
        // memory are as fast or faster. From 2 KiB to 64 KiB ranks of OSU's floats have to fold in
        // order, which is the host's (R-MPI-6).
        let mut set = |place, kind, ranks, sizes| {
            table.set(place, Form::Blocking, kind, ranks, sizes);
        };
        set(Place::Host, Kind::Allreduce, 2, vec![from(128 << 10)]);
        set(Place::Host, Kind::Allreduce, 4, vec![(0, 2 << 10), from(64 << 10)]);
        set(Place::Host, Kind::Allreduce, 8, vec![(0, 1 << 10), from(64 << 10)]);
        set(Place::Host, Kind::Allgather, 4, vec![(256, 2 << 10)]);
        set(Place::Host, Kind::Allgather, 5, vec![(256, 1 << 10)]);
        set(Place::Host, Kind::Allgather, 8, vec![(32, 1 << 10)]);
        // More ranks have not been measured: each reads the messages of all (R-EAGER-1), where the
        // host combines them in a tree.
        set(Place::Host, Kind::Allreduce, 9, vec![(512, 1 << 10), from(64 << 10)]);
        set(Place::Host, Kind::Allgather, 9, Vec::new());
        // bench/results/rack: a vector goes up and two come down, where a ring sends two of each.
        set(Place::Network, Kind::Allreduce, 4, vec![from(256 << 10)]);
        // bench/results/mpi_rack_long and mpi_rack_long_int.
        set(Place::Network, Kind::Allreduce, 8, vec![from(64 << 10)]);
        set(Place::Network, Kind::Bcast, 8, vec![from(64 << 10)]);
        set(Place::Network, Kind::Allgather, 8, vec![from(512 << 10)]);
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_holds_up_to_the_next_number_of_ranks() {
        // R-MPI-4
        let table = Table::parse(
            "# measured\nhost iscan 2 0-\nhost allreduce 2 0-64,1024-  # short and long\nhost allreduce 8 none\n",
        )
        .unwrap();
        let call = (Form::Blocking, Kind::Allreduce);
        let takes = |ranks, bytes| table.sizes(Place::Host, ranks).take(call, bytes);
        assert!(takes(2, 0) && takes(2, 64) && takes(7, 1024) && takes(3, u64::MAX));
        assert!(!takes(2, 65) && !takes(1, 8) && !takes(8, 8) && !takes(9, 8));
        let paying = |ranks| {
            let sizes = table.sizes(Place::Host, ranks);
            all_calls().filter(|call| sizes.take_any(*call)).collect::<Vec<_>>()
        };
        assert_eq!(paying(7), [call, (Form::Started, Kind::Scan)]);
        assert_eq!(paying(8), [(Form::Started, Kind::Scan)]);
        assert!(paying(1).is_empty() && table.sizes(Place::Network, 2).is_empty());
        assert_eq!(Table::parse(&table.text()), Ok(table));
    }

    #[test]
    fn tables_that_differ_have_other_hashes() {
        let mut other = Table::default();
        assert_eq!(other.hash(), Table::default().hash());
        other.set(Place::Host, Form::Started, Kind::Scan, 2, vec![(0, 8)]);
        assert_ne!(other.hash(), Table::default().hash());
    }

    #[test]
    fn lines_that_are_none_are_named() {
        for line in [
            "host",
            "host allreduce x 0-",
            "rack bcast 2 0-",
            "host bcast 2 8",
            "host bcast 2 0- 1",
        ] {
            let error = Table::parse(&format!("\n{line}")).unwrap_err();
            assert_eq!(error, TableError::Line { line: 2, text: line.into() });
        }
    }
}
