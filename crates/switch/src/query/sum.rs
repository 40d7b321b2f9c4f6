//! Sums by key (R-QRY-18, R-QRY-19, R-QRY-21).

use netfold_num::Sum;
use netfold_wire::Sums;

use super::cache::Buckets;
use super::rows::Rows;

/// A table of slots: a key, and an accumulator for each sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SumTable {
    buckets: Buckets,
    sums: Vec<Sum>,
    /// Words of a slot's accumulators.
    words: usize,
    keys: Box<[u64]>,
    accumulators: Box<[u64]>,
}

/// A slot that is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<'a> {
    /// Its key.
    pub key: u64,
    /// Its accumulators, one after the other.
    pub accumulators: &'a [u64],
}

impl SumTable {
    pub(super) fn new(rows: u32, width: u8, seed: u64, sums: &Sums) -> Self {
        let buckets = Buckets::new(rows, width, seed);
        let (keys, words) = (buckets.free_keys(), sums.words());
        Self {
            buckets,
            sums: sums.iter().collect(),
            words,
            accumulators: vec![0; keys.len() * words].into(),
            keys,
        }
    }

    /// Frees all slots.
    pub(super) fn clear(&mut self) {
        self.keys = self.buckets.free_keys();
        self.accumulators.fill(0);
    }

    /// Returns the number of slots.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Returns whether there is no slot; a table has some.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns a slot by its index, if it is in use.
    pub fn slot(&self, index: usize) -> Option<Slot<'_>> {
        let key = *self.keys.get(index)?;
        let row = index / self.buckets.width();
        let accumulators = &self.accumulators[index * self.words..][..self.words];
        (!self.buckets.is_free(row, key)).then_some(Slot { key, accumulators })
    }

    /// Returns the slot of a key in its row, and gives it a free one if there is one.
    #[inline]
    fn take(&mut self, row: usize, key: u64) -> Option<usize> {
        let cells = self.buckets.cells(row);
        let keys = &mut self.keys[cells.clone()];
        for (at, cell) in keys.iter_mut().enumerate() {
            if *cell == key {
                return Some(cells.start + at);
            }
            if self.buckets.is_free(row, *cell) {
                *cell = key;
                return Some(cells.start + at);
            }
        }
        None
    }

    #[inline]
    fn add(&mut self, index: usize, value: impl Fn(usize) -> i64) {
        let mut rest = &mut self.accumulators[index * self.words..][..self.words];
        for (column, sum) in self.sums.iter().enumerate() {
            let (accumulator, others) = rest.split_at_mut(sum.words());
            sum.add(accumulator, value(column));
            rest = others;
        }
    }

    /// Absorbs a row, if a slot has its key or is free.
    pub(super) fn absorbs(&mut self, key: u64, columns: &[i64]) -> bool {
        let slot = self.take(self.buckets.row_of(key), key);
        if let Some(index) = slot {
            self.add(index, |column| columns[column]);
        }
        slot.is_some()
    }

    /// Absorbs the rows of a batch, and marks those that are forwarded.
    pub(super) fn offer(&mut self, rows: &Rows<'_>, bits: &mut [u64]) {
        self.buckets.mark(rows.keys, bits, |at, row, key| {
            let slot = self.take(row, key);
            if let Some(index) = slot {
                self.add(index, |column| rows.columns[column][at]);
            }
            slot.is_none()
        });
    }

    /// Marks the rows of a batch that were forwarded when it was offered: those whose key no slot
    /// has (R-QRY-18).
    pub(super) fn judge_again(&self, rows: &Rows<'_>, bits: &mut [u64]) {
        self.buckets.mark(rows.keys, bits, |_, row, key| {
            !self.keys[self.buckets.cells(row)].contains(&key)
        });
    }

    /// Absorbs a slot of another table (R-QRY-21).
    pub(super) fn merge(&mut self, slot: Slot<'_>) -> bool {
        let found = self.take(self.buckets.row_of(slot.key), slot.key);
        if let Some(index) = found {
            let own = &mut self.accumulators[index * self.words..][..self.words];
            merge_accumulators(&self.sums, own, slot.accumulators);
        }
        found.is_some()
    }

    /// Returns the words of a slot's accumulators.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Frees a slot.
    pub(super) fn free(&mut self, index: usize) {
        let row = index / self.buckets.width();
        self.keys[index] = self.buckets.free_key(row);
        self.accumulators[index * self.words..][..self.words].fill(0);
    }
}

fn merge_accumulators(sums: &[Sum], mut own: &mut [u64], mut others: &[u64]) {
    for sum in sums {
        let (accumulator, rest) = own.split_at_mut(sum.words());
        let (other, left) = others.split_at(sum.words());
        sum.merge(accumulator, other);
        (own, others) = (rest, left);
    }
}
