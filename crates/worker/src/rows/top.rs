//! Verification of a Top-N answer that came through a matrix (R-QRY-10).

use std::collections::BTreeMap;

use netfold_wire::{RowProgram, Ties, matrix_row};

/// The master's check of the survivors of [`RowProgram::TopMatrix`].
#[derive(Clone, Debug)]
pub struct MatrixCheck {
    n: usize,
    seed: u64,
    row_bits: u32,
    width: u64,
    ties: Ties,
    /// Codes by identity.
    survivors: BTreeMap<u64, i64>,
    /// Rows of attempts that are not in the answer may be in the matrix.
    mixed: bool,
}

/// The rows that may be missing: those of some rows of the matrix with a code beyond the last one
/// of the answer so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recall {
    threshold: i64,
    ties: Ties,
    seed: u64,
    row_bits: u32,
    /// Rows of the matrix, in order.
    rows: Vec<usize>,
}

impl MatrixCheck {
    /// Begins the check of an answer of `n` rows; nothing if the program is another.
    pub fn new(program: &RowProgram, n: usize) -> Option<Self> {
        let RowProgram::TopMatrix { rows, width, seed, ties } = *program else { return None };
        let (row_bits, width) = (rows.trailing_zeros(), width.into());
        Some(Self { n, seed, row_bits, width, ties, survivors: BTreeMap::new(), mixed: false })
    }

    /// Notes a survivor: its identity and its code. Rows that are sent again are noted once.
    pub fn note(&mut self, identity: u64, code: i64) {
        self.survivors.insert(identity, code);
    }

    /// An attempt that passed is in the answer, or the query has gone on at another switch: the
    /// matrix may have met rows under other identities, so that none of its rows can be trusted.
    pub fn note_mixed(&mut self) {
        self.mixed = true;
    }

    /// Returns the rows that workers are to send; nothing if the survivors have the whole answer.
    pub fn recall(&self) -> Option<Recall> {
        let Self { n, seed, row_bits, ties, .. } = *self;
        let mut codes: Vec<i64> = self.survivors.values().copied().collect();
        let last = n.checked_sub(1)?;
        let (threshold, ties) = if codes.len() < n {
            (i64::MIN, Ties::Keep)
        } else {
            (*codes.select_nth_unstable_by(last, |a, b| b.cmp(a)).1, ties)
        };
        let rows = self.full_rows(threshold, ties);
        (!rows.is_empty()).then_some(Recall { threshold, ties, seed, row_bits, rows })
    }

    /// Rows of the matrix that have w survivors beyond a code.
    fn full_rows(&self, threshold: i64, ties: Ties) -> Vec<usize> {
        let mut counts = vec![0; 1 << self.row_bits];
        for identity in self.beyond(threshold, ties) {
            counts[matrix_row(identity, self.seed, self.row_bits)] += 1;
        }
        let is_full = |count: u64| self.mixed || count >= self.width;
        let full = counts.iter().enumerate().filter(|(_, count)| is_full(**count));
        full.map(|(row, _)| row).collect()
    }

    /// Identities of the survivors beyond a code.
    fn beyond(&self, threshold: i64, ties: Ties) -> impl Iterator<Item = u64> {
        let rows = self.survivors.iter();
        rows.filter(move |row| is_beyond(*row.1, threshold, ties)).map(|row| *row.0)
    }
}

impl Recall {
    /// Returns whether a worker is to send a row that was dropped.
    pub fn wants(&self, identity: u64, code: i64) -> bool {
        let row = matrix_row(identity, self.seed, self.row_bits);
        is_beyond(code, self.threshold, self.ties) && self.rows.binary_search(&row).is_ok()
    }

    /// Returns the code from which on rows are wanted, or above which if ties are dropped.
    pub fn threshold(&self) -> i64 {
        self.threshold
    }

    /// Returns the rows of the matrix whose rows are wanted.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }
}

fn is_beyond(code: i64, threshold: i64, ties: Ties) -> bool {
    code > threshold || code == threshold && ties == Ties::Keep
}
