//! A small query, and its exact answer.

use std::collections::BTreeMap;

use netfold_wire::{QUERY_HEADER_BYTES, RowProgram};

use super::state::Answer;

/// A row: its key, and its column.
pub(super) type Row = (u64, i64);

/// Bytes of a datagram of an attempt, which has room for one row beside a word of bits.
pub(super) const ROW_DATAGRAM_BYTES: u32 = QUERY_HEADER_BYTES as u32 + 16 + 16;

/// Bytes of a datagram of the query, which has room for a slot of one sum.
pub(super) const DATAGRAM_BYTES: u32 = QUERY_HEADER_BYTES as u32 + 16 + 24;

/// A query whose packets have one row each.
#[derive(Clone, Debug)]
pub struct QueryJob {
    program: RowProgram,
    partitions: Vec<Vec<Row>>,
    most_attempts: usize,
    tables: u16,
    gives_up: bool,
    most_lost: u32,
    verdicts: bool,
}

impl QueryJob {
    /// Returns a query of this program, of which so many attempts begin at most. A sum has a table
    /// for each of them.
    pub fn new(program: RowProgram, most_attempts: usize) -> Self {
        let tables = most_attempts as u16;
        let partitions = Vec::new();
        let (gives_up, most_lost, verdicts) = (false, 0, false);
        Self { program, partitions, most_attempts, tables, gives_up, most_lost, verdicts }
    }

    /// Adds a partition with these rows: keys, and columns.
    #[must_use]
    pub fn partition(mut self, rows: &[(u64, i64)]) -> Self {
        self.partitions.push(rows.into());
        self
    }

    /// The same with fewer tables of attempts (R-QRY-31).
    #[must_use]
    pub fn with_tables(self, tables: u16) -> Self {
        Self { tables, ..self }
    }

    /// The same with tasks of which the master hears that they have failed.
    #[must_use]
    pub fn gives_up_attempts(self) -> Self {
        Self { gives_up: true, ..self }
    }

    /// The same with a switch that is lost so often.
    #[must_use]
    pub fn loses_switches(self, most_lost: u32) -> Self {
        Self { most_lost, ..self }
    }

    /// The same with rows that stay at the worker (R-QRY-36).
    #[must_use]
    pub fn for_verdicts(self) -> Self {
        Self { verdicts: true, ..self }
    }

    pub(super) fn program(&self) -> RowProgram {
        self.program
    }

    pub(super) fn partitions(&self) -> &[Vec<Row>] {
        &self.partitions
    }

    pub(super) fn most_attempts(&self) -> usize {
        self.most_attempts
    }

    pub(super) fn tables(&self) -> u16 {
        if self.sum_words() > 0 { self.tables } else { 0 }
    }

    pub(super) fn gives_up(&self) -> bool {
        self.gives_up
    }

    pub(super) fn most_lost(&self) -> u32 {
        self.most_lost
    }

    pub(super) fn asks_for_verdicts(&self) -> bool {
        self.verdicts
    }

    pub(super) fn sum_words(&self) -> usize {
        match self.program {
            RowProgram::GroupSum { sums, .. } => sums.words(),
            _ => 0,
        }
    }

    /// Returns whether the answer of a query that is done is exact.
    pub(super) fn is_exact(&self, answer: &Answer) -> bool {
        let rows: Vec<Row> = answer.rows.values().flatten().copied().collect();
        if self.sum_words() == 0 {
            return self.is_answered_by(&rows);
        }
        let slots = answer
            .slots
            .iter()
            .map(|(key, words)| (*key, i128::from(words[1] as i64) << 64 | i128::from(words[0])));
        let rows = rows.iter().map(|(key, value)| (*key, i128::from(*value)));
        let all = self.partitions.iter().flatten();
        sums(rows.chain(slots)) == sums(all.map(|(key, value)| (*key, i128::from(*value))))
    }

    /// Returns whether these rows have the answer to a query that drops rows, and are rows of the
    /// table.
    pub(super) fn is_answered_by(&self, rows: &[Row]) -> bool {
        let all: Vec<Row> = self.partitions.iter().flatten().copied().collect();
        rows.iter().all(|row| all.contains(row)) && self.answer(rows) == self.answer(&all)
    }

    /// Returns the answer to a query that drops rows.
    fn answer(&self, rows: &[Row]) -> Vec<Row> {
        match self.program {
            RowProgram::Distinct { .. } => {
                let keys: BTreeMap<u64, i64> = rows.iter().map(|(key, _)| (*key, 0)).collect();
                keys.into_iter().collect()
            }
            RowProgram::GroupExtreme { .. } => {
                let mut largest = BTreeMap::new();
                for (key, value) in rows {
                    let known = largest.entry(*key).or_insert(*value);
                    *known = (*known).max(*value);
                }
                largest.into_iter().collect()
            }
            RowProgram::TopThresholds { n, .. } => {
                let mut values: Vec<Row> = rows.iter().map(|(_, value)| (0, *value)).collect();
                values.sort_unstable_by(|a, b| b.cmp(a));
                values.truncate(n as usize);
                values
            }
            _ => unreachable!("a model has no such query"),
        }
    }
}

fn sums(values: impl Iterator<Item = (u64, i128)>) -> BTreeMap<u64, i128> {
    values.fold(BTreeMap::new(), |mut sums, (key, value)| {
        *sums.entry(key).or_default() += value;
        sums
    })
}
