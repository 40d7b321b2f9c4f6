//! Caches of keys: distinct (R-QRY-11) and group extreme (R-QRY-12).

use netfold_kernels::Kernels;
use netfold_num::hash_key;
use netfold_wire::{Replacement, Ties};

use super::rows::Rows;

/// Keys whose hashes are computed at a time.
const GROUP: usize = 64;

/// The place of keys in rows: 2^bits rows, chosen by a hash. A key of another row marks a cell that
/// is free, so that cells need no flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Buckets {
    seed: u64,
    bits: u32,
    width: usize,
    /// The row of key 0.
    first: usize,
    /// A key of another row.
    other: u64,
}

impl Buckets {
    /// Rows are at least two, so that there are keys of other rows.
    pub(super) fn new(rows: u32, width: u8, seed: u64) -> Self {
        let bits = rows.trailing_zeros();
        let row = |key| (hash_key(key, seed) >> (64 - bits)) as usize;
        let first = row(0);
        let other = (1..).find(|key| row(*key) != first).expect("there are two rows");
        Self { seed, bits, width: width.into(), first, other }
    }

    /// Returns the key that marks the free cells of a row.
    pub(super) fn free_key(self, row: usize) -> u64 {
        if row == self.first { self.other } else { 0 }
    }

    /// Returns a key for each cell that marks it as free.
    pub(super) fn free_keys(self) -> Box<[u64]> {
        let rows = 0..1_usize << self.bits;
        rows.flat_map(|row| std::iter::repeat_n(self.free_key(row), self.width)).collect()
    }

    /// Returns whether a cell of a row is free: it has the key of another row.
    #[inline]
    pub(super) fn is_free(self, row: usize, key: u64) -> bool {
        key == self.free_key(row)
    }

    pub(super) fn row_of(self, key: u64) -> usize {
        self.row(hash_key(key, self.seed))
    }

    fn row(self, hash: u64) -> usize {
        (hash >> (64 - self.bits)) as usize
    }

    pub(super) fn width(self) -> usize {
        self.width
    }

    pub(super) fn cells(self, row: usize) -> std::ops::Range<usize> {
        row * self.width..(row + 1) * self.width
    }

    /// Calls `f` with the number, the row and the key of each row of a batch.
    pub(super) fn for_each(self, keys: &[u64], mut f: impl FnMut(usize, usize, u64)) {
        let kernels = Kernels::best();
        let mut hashes = [0; GROUP];
        for (group, keys) in keys.chunks(GROUP).enumerate() {
            let hashes = &mut hashes[..keys.len()];
            kernels.hash_keys(keys, self.seed, hashes);
            for (at, (key, hash)) in keys.iter().zip(hashes).enumerate() {
                f(group * GROUP + at, self.row(*hash), *key);
            }
        }
    }
}

/// Keys that were seen (R-QRY-11).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Distinct {
    buckets: Buckets,
    replacement: Replacement,
    keys: Box<[u64]>,
    /// Second passes.
    pub(super) recirculated: u64,
}

impl Distinct {
    pub(super) fn new(rows: u32, width: u8, seed: u64, replacement: Replacement) -> Self {
        let buckets = Buckets::new(rows, width, seed);
        Self { buckets, replacement, keys: buckets.free_keys(), recirculated: 0 }
    }

    pub(super) fn forwards(&mut self, key: u64) -> bool {
        self.forwards_in(self.buckets.row_of(key), key)
    }

    #[inline]
    fn forwards_in(&mut self, row: usize, key: u64) -> bool {
        let cells = &mut self.keys[self.buckets.cells(row)];
        let hit = cells.iter().position(|cell| *cell == key);
        let moved = match (hit, self.replacement) {
            (Some(_), Replacement::Fifo) => return false,
            (Some(at), Replacement::Lru) => &mut cells[..=at],
            (None, Replacement::Lru) => cells,
            (None, Replacement::Fifo) => {
                self.recirculated += 1;
                cells
            }
        };
        moved.copy_within(..moved.len() - 1, 1);
        moved[0] = key;
        hit.is_none()
    }

    pub(super) fn offer(&mut self, rows: &Rows<'_>, bits: &mut [u64]) {
        bits.fill(0);
        self.buckets.for_each(rows.keys, |at, row, key| {
            bits[at / 64] |= u64::from(self.forwards_in(row, key)) << (at % 64);
        });
    }
}

/// The largest code of each of the keys that are cached (R-QRY-12).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroupExtreme {
    buckets: Buckets,
    ties: Ties,
    keys: Box<[u64]>,
    codes: Box<[i64]>,
    /// Second passes.
    pub(super) recirculated: u64,
}

impl GroupExtreme {
    pub(super) fn new(rows: u32, width: u8, seed: u64, ties: Ties) -> Self {
        let buckets = Buckets::new(rows, width, seed);
        let keys = buckets.free_keys();
        let codes = vec![i64::MIN; keys.len()].into();
        Self { buckets, ties, keys, codes, recirculated: 0 }
    }

    pub(super) fn forwards(&mut self, key: u64, code: i64) -> bool {
        self.forwards_in(self.buckets.row_of(key), key, code)
    }

    #[inline]
    fn forwards_in(&mut self, row: usize, key: u64, code: i64) -> bool {
        let cells = self.buckets.cells(row);
        let (keys, codes) = (&mut self.keys[cells.clone()], &mut self.codes[cells]);
        if let Some(at) = keys.iter().position(|cell| *cell == key) {
            let known = &mut codes[at];
            let forwards = code > *known || code == *known && self.ties == Ties::Keep;
            *known = code.max(*known);
            return forwards;
        }
        self.recirculated += 1;
        keys.copy_within(..keys.len() - 1, 1);
        codes.copy_within(..codes.len() - 1, 1);
        (keys[0], codes[0]) = (key, code);
        true
    }

    pub(super) fn offer(&mut self, rows: &Rows<'_>, bits: &mut [u64]) {
        bits.fill(0);
        let codes = rows.columns[0];
        self.buckets.for_each(rows.keys, |at, row, key| {
            bits[at / 64] |= u64::from(self.forwards_in(row, key, codes[at])) << (at % 64);
        });
    }
}
