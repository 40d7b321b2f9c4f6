//! Caches of keys: distinct (R-QRY-11) and group extreme (R-QRY-12).

use netfold_kernels::Kernels;
use netfold_num::hash_key;
use netfold_wire::{Replacement, Ties};

use super::rows::Rows;

/// Keys whose hashes are computed at a time.
pub(super) const GROUP: usize = 64;

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

    /// Sets the bits of those rows of a batch for which `f`, with number, row and key, says so.
    #[inline(always)]
    pub(super) fn mark(
        self,
        keys: &[u64],
        bits: &mut [u64],
        mut f: impl FnMut(usize, usize, u64) -> bool,
    ) {
        let kernels = Kernels::best();
        let mut hashes = [0; GROUP];
        for ((group, keys), bits) in keys.chunks(GROUP).enumerate().zip(bits) {
            let hashes = &mut hashes[..keys.len()];
            kernels.hash_keys(keys, self.seed, hashes);
            *bits = 0;
            for (at, (key, hash)) in keys.iter().zip(hashes).enumerate() {
                *bits |= u64::from(f(group * GROUP + at, self.row(*hash), *key)) << at;
            }
        }
    }
}

/// Returns the cell that has a key, or the number of cells if none has. Which cell it is cannot be
/// predicted, so that a branch for each would cost more than to look at all.
#[inline(always)]
fn find(cells: &[u64], key: u64) -> usize {
    (0..cells.len()).fold(cells.len(), |found, at| if cells[at] == key { at } else { found })
}

/// Moves the cells before `at` on by one, and puts a value in front.
#[inline(always)]
fn put_first<T: Copy>(cells: &mut [T], at: usize, value: T) {
    for next in (1..cells.len()).rev() {
        cells[next] = if next <= at { cells[next - 1] } else { cells[next] };
    }
    cells[0] = value;
}

/// Calls a method with the width of a cache's rows, as a constant where it is a common one: then
/// the cells of a row are registers.
macro_rules! by_width {
    ($cache:ident.$offer:ident($($argument:expr),*)) => {
        match $cache.buckets.width {
            1 => $cache.$offer($($argument),*, 1),
            2 => $cache.$offer($($argument),*, 2),
            4 => $cache.$offer($($argument),*, 4),
            width => $cache.$offer($($argument),*, width),
        }
    };
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
        self.forwards_in(self.buckets.row_of(key), key, self.buckets.width)
    }

    #[inline(always)]
    fn forwards_in(&mut self, row: usize, key: u64, width: usize) -> bool {
        let cells = &mut self.keys[row * width..][..width];
        let at = find(cells, key);
        let is_new = at == width;
        match self.replacement {
            Replacement::Lru => put_first(cells, at, key),
            Replacement::Fifo if is_new => {
                self.recirculated += 1;
                put_first(cells, at, key);
            }
            Replacement::Fifo => {}
        }
        is_new
    }

    pub(super) fn offer(&mut self, rows: &Rows<'_>, bits: &mut [u64]) {
        by_width!(self.offer_in(rows, bits));
    }

    #[inline(always)]
    fn offer_in(&mut self, rows: &Rows<'_>, bits: &mut [u64], width: usize) {
        self.buckets.mark(rows.keys, bits, |_, row, key| self.forwards_in(row, key, width));
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
        self.forwards_in(self.buckets.row_of(key), (key, code), self.buckets.width)
    }

    #[inline(always)]
    fn forwards_in(&mut self, row: usize, (key, code): (u64, i64), width: usize) -> bool {
        let keys = &mut self.keys[row * width..][..width];
        let codes = &mut self.codes[row * width..][..width];
        let at = find(keys, key);
        if let Some(known) = codes.get_mut(at) {
            let forwards = code > *known || code == *known && self.ties == Ties::Keep;
            *known = code.max(*known);
            return forwards;
        }
        self.recirculated += 1;
        put_first(keys, at, key);
        put_first(codes, at, code);
        true
    }

    pub(super) fn offer(&mut self, rows: &Rows<'_>, bits: &mut [u64]) {
        by_width!(self.offer_in(rows, bits));
    }

    #[inline(always)]
    fn offer_in(&mut self, rows: &Rows<'_>, bits: &mut [u64], width: usize) {
        let codes = rows.columns[0];
        self.buckets
            .mark(rows.keys, bits, |at, row, key| self.forwards_in(row, (key, codes[at]), width));
    }
}
