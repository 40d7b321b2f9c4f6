//! The totals of a sum's groups at its master (R-QRY-18, 28, 34).

use std::collections::HashMap;

use netfold_num::Sum;
use netfold_wire::Sums;

use netfold_worker::rows::{MasterSlot, Survivors};

/// The groups of a sum, with their accumulators, and the attempts that they are of.
#[derive(Debug, Default)]
pub struct Totals {
    sums: Vec<Sum>,
    /// By partition.
    attempts: Vec<Option<u32>>,
    /// By key: the words of all accumulators, one after the other.
    groups: HashMap<u64, Box<[u64]>>,
    /// Rows that the switch has forwarded, if they are kept apart.
    rows: Option<Vec<Survivors>>,
}

impl Totals {
    /// Begins without a group.
    pub fn new(sums: Sums, partitions: u32) -> Self {
        let attempts = vec![None; partitions as usize];
        Self { sums: sums.iter().collect(), attempts, groups: HashMap::new(), rows: None }
    }

    /// Begins without a group. Rows that the switch forwards are kept as they are, for an engine
    /// that adds them itself.
    pub fn with_rows(sums: Sums, partitions: u32) -> Self {
        Self { rows: Some(Vec::new()), ..Self::new(sums, partitions) }
    }

    /// Adds a partition that is committed: rows that the switch has forwarded, and slots that the
    /// shared table has not taken in.
    pub fn commit(
        &mut self,
        partition: u32,
        attempt: u32,
        survivors: Vec<Survivors>,
        slots: &[MasterSlot],
    ) {
        self.attempts[partition as usize] = Some(attempt);
        self.merge(slots);
        if let Some(rows) = &mut self.rows {
            return rows.extend(survivors);
        }
        for rows in survivors {
            for (row, key) in rows.keys.iter().enumerate() {
                let columns = rows.columns.iter();
                self.each(*key, columns, |sum, words, column| sum.add(words, column[row]));
            }
        }
    }

    /// Adds slots of the switch.
    pub fn merge(&mut self, slots: &[MasterSlot]) {
        let sums = self.sums.clone();
        for slot in slots {
            let mut rest = &slot.accumulators[..];
            let words = sums.iter().map(|sum| {
                let (own, behind) = rest.split_at(sum.words());
                rest = behind;
                own
            });
            self.each(slot.key, words, |sum, words, own| sum.merge(words, own));
        }
    }

    /// Calls `add` with each sum of a group, its accumulator, and the value for it.
    fn each<T>(
        &mut self,
        key: u64,
        values: impl Iterator<Item = T>,
        add: impl Fn(Sum, &mut [u64], T),
    ) {
        let words = self.sums.iter().map(|sum| sum.words()).sum();
        let group = self.groups.entry(key).or_insert_with(|| vec![0; words].into());
        let mut rest = &mut group[..];
        for (sum, value) in self.sums.iter().zip(values) {
            let (own, behind) = rest.split_at_mut(sum.words());
            add(*sum, own, value);
            rest = behind;
        }
    }

    /// Returns the bytes that the groups and the rows take.
    pub fn bytes(&self) -> u64 {
        let words: usize = self.sums.iter().map(|sum| sum.words()).sum();
        // A key, a pointer and a length, and about half of that for free places of the map.
        let groups = self.groups.len() * (8 * words + 48);
        let rows: usize = self.rows().iter().map(Survivors::bytes).sum();
        (groups + rows) as u64
    }

    /// Returns the first partition whose rows are of another attempt than these, which are by
    /// partition.
    pub fn mismatch(&self, attempts: &[u32]) -> Option<usize> {
        let same = |(at, known): (usize, &Option<u32>)| *known == attempts.get(at).copied();
        self.attempts.iter().enumerate().position(|pair| !same(pair))
    }

    /// Returns the sums.
    pub fn sums(&self) -> &[Sum] {
        &self.sums
    }

    /// Returns the groups: a key, and the words of the accumulators of all sums.
    pub fn groups(&self) -> impl Iterator<Item = (u64, &[u64])> {
        self.groups.iter().map(|(key, words)| (*key, &**words))
    }

    /// Returns the rows that are kept apart.
    pub fn rows(&self) -> &[Survivors] {
        self.rows.as_deref().unwrap_or_default()
    }

    /// Returns the number of groups.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}
