//! Top-N: by thresholds (R-QRY-7), and by a matrix of rolling minima (R-QRY-8).

use netfold_kernels::Kernels;
use netfold_num::Comparison;
use netfold_wire::{Steps, Ties, matrix_row};

use super::rows::{Rows, for_set, set_all};

/// Rows of a batch after which the bound that most rows are compared with is looked up again.
const CHUNK: usize = 512;

/// Thresholds (R-QRY-7).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Thresholds {
    n: u64,
    width: u8,
    steps: Steps,
    /// Rows that came while t_0 was not known.
    seen: u64,
    /// The smallest code of these: t_0, once N have come.
    smallest: i64,
    /// Rows of at least t_i, up to N; t_0 is the first.
    counters: Box<[u64]>,
    /// Thresholds, as many as fit 63 bits.
    thresholds: Vec<i64>,
    /// Thresholds whose counter has N: the first ones, as each row of at least one threshold is of
    /// at least those before it.
    full: usize,
}

impl Thresholds {
    pub(super) fn new(n: u32, width: u8, steps: Steps) -> Self {
        Self {
            n: n.into(),
            width,
            steps,
            seen: 0,
            smallest: i64::MAX,
            counters: vec![0; usize::from(width) + 1].into(),
            thresholds: Vec::with_capacity(usize::from(width) + 1),
            full: 0,
        }
    }

    /// Returns whether a row is forwarded.
    pub(super) fn forwards(&mut self, code: i64) -> bool {
        if self.seen < self.n {
            self.seen += 1;
            self.smallest = self.smallest.min(code);
            if self.seen == self.n {
                let all = (0..=self.width).map_while(|i| self.steps.threshold(self.smallest, i));
                self.thresholds.extend(all);
                (self.counters[0], self.full) = (self.n, 1);
            }
            return true;
        }
        if self.bound().is_some_and(|bound| code < bound) {
            return false;
        }
        // Counters before these have N; those behind a threshold above the code stay as they are.
        let reached = self.thresholds[self.full..].iter().take_while(|reached| code >= **reached);
        let reached = self.full..self.full + reached.count();
        for counter in &mut self.counters[reached] {
            *counter += 1;
            self.full += usize::from(*counter == self.n);
        }
        true
    }

    /// The highest threshold below which rows are dropped.
    fn bound(&self) -> Option<i64> {
        self.full.checked_sub(1).map(|last| self.thresholds[last])
    }

    pub(super) fn offer(&mut self, rows: &Rows<'_>, bits: &mut [u64]) {
        let column = rows.columns[0];
        for (codes, bits) in column.chunks(CHUNK).zip(bits.chunks_mut(CHUNK / 64)) {
            // A row below the bound raises no counter that is not full: those of the thresholds
            // below the bound are.
            candidates(self.bound(), Comparison::AtLeast, codes, bits);
            refine(bits, |at| self.forwards(codes[at]));
        }
    }
}

/// A matrix of rolling minima (R-QRY-8).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Matrix {
    width: usize,
    seed: u64,
    ties: Ties,
    /// Bits of the number of a row.
    row_bits: u32,
    /// The cells of each row, the largest first.
    cells: Box<[i64]>,
    /// Rows that have come to each row of the matrix, up to w.
    filled: Box<[u64]>,
    /// Rows of the matrix that have fewer.
    open: usize,
    /// The smallest of all cells, once all are filled: below it no row is forwarded.
    bound: Option<i64>,
}

impl Matrix {
    pub(super) fn new(rows: u32, width: u16, seed: u64, ties: Ties) -> Self {
        let width = usize::from(width);
        Self {
            width,
            seed,
            ties,
            row_bits: rows.trailing_zeros(),
            cells: vec![i64::MIN; rows as usize * width].into(),
            filled: vec![0; rows as usize].into(),
            open: rows as usize,
            bound: None,
        }
    }

    /// Returns whether a row is forwarded.
    pub(super) fn forwards(&mut self, identity: u64, code: i64) -> bool {
        let row = matrix_row(identity, self.seed, self.row_bits);
        let cells = &mut self.cells[row * self.width..][..self.width];
        let smallest = cells[self.width - 1];
        let full = self.filled[row] == self.width as u64;
        if full && (code < smallest || code == smallest && self.ties == Ties::Drop) {
            return false;
        }
        // The rolling minimum: a code takes the place of the first that it exceeds.
        let place = cells.partition_point(|cell| code <= *cell);
        cells[place..].rotate_right(usize::from(place < self.width));
        if let Some(cell) = cells.get_mut(place) {
            *cell = code;
        }
        self.filled[row] += u64::from(!full);
        self.open -= usize::from(!full && self.filled[row] == self.width as u64);
        if self.open == 0 && self.bound.is_none_or(|bound| bound == smallest) {
            self.bound = self.cells.chunks_exact(self.width).map(|row| row[self.width - 1]).min();
        }
        true
    }

    pub(super) fn offer(&mut self, rows: &Rows<'_>, bits: &mut [u64]) {
        let column = rows.columns[0];
        let comparison = match self.ties {
            Ties::Keep => Comparison::AtLeast,
            Ties::Drop => Comparison::Greater,
        };
        let mut identity = rows.identity;
        for (codes, bits) in column.chunks(CHUNK).zip(bits.chunks_mut(CHUNK / 64)) {
            candidates(self.bound, comparison, codes, bits);
            refine(bits, |at| self.forwards(identity.wrapping_add(at as u64), codes[at]));
            identity = identity.wrapping_add(codes.len() as u64);
        }
    }
}

/// Marks rows that have to be looked at one by one.
fn candidates(bound: Option<i64>, comparison: Comparison, codes: &[i64], bits: &mut [u64]) {
    match bound {
        Some(bound) => Kernels::best().compare(comparison, codes, bound, bits),
        None => set_all(bits, codes.len()),
    }
}

/// Clears the bits of rows that are not forwarded.
fn refine(bits: &mut [u64], mut forwards: impl FnMut(usize) -> bool) {
    for (index, word) in bits.iter_mut().enumerate() {
        let mut kept = *word;
        for_set(&[*word], |at| {
            if !forwards(index * 64 + at) {
                kept &= !(1 << at);
            }
        });
        *word = kept;
    }
}
