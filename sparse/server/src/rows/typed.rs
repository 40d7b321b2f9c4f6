//! Rows of a type, in pages of which a limited part is in memory.
//!
//! A page is some rows with the state of their optimizer. It is made when a row of it is first
//! touched, and read from the store if a checkpoint has it. A page that has changed since the last
//! checkpoint stays in memory; any other is dropped when memory is short, and comes back from the
//! store, or is made again.

use std::sync::Arc;

use netfold_kernels::prefetch;

use super::hot::HotSlots;
use super::keys::HotKeys;
use super::pages::{ABSENT, Pages};
use super::{RowsError, Slot};
use crate::numbers::{Numbers, RowNumber};
use crate::optimizer::{Kernel, Rule, WithKernel};
use crate::parts::Slots;
use crate::store::{Page, Store};
use crate::{Layout, Ranking, TableSpec};

/// Rows that are found before the first of them is touched. Rows are all over the memory: found
/// one after the other, each would wait for the memory on its own.
const AT_A_TIME: usize = 64;

/// The frame of a row, and its first lane there, as long as no page is dropped.
type Place = (u32, u32);

/// The rows of one server, of one type.
#[derive(Debug)]
pub(crate) struct TypedRows<S, E> {
    pub(super) store: Option<S>,
    pub(super) pages: Pages<E>,
    pub(super) spec: TableSpec,
    pub(super) slots: Slots,
    /// Those that were hot when the table began: their rows are side by side.
    pub(super) hot_keys: HotKeys,
    servers: u16,
    limit: usize,
}

impl<S: Store, E: RowNumber> TypedRows<S, E> {
    /// Begins with no page in memory. Without a store, rows are in memory only.
    pub fn new(
        spec: &TableSpec,
        hot_keys: &[u32],
        (server, servers): (u16, u16),
        store: Option<S>,
        limit: usize,
    ) -> Self {
        let layout = Layout::new(spec.rows);
        let ranking = Ranking::new(&layout, servers, hot_keys);
        let slots = Slots::new(layout, ranking.ranks(), server, servers);
        let stride = spec.optimizer.lanes(usize::from(spec.width));
        let pages = Pages::new(slots.count(), stride);
        let (spec, hot_keys) = (spec.clone(), HotKeys::new(ranking.keys()));
        Self { store, pages, spec, slots, hot_keys, servers, limit }
    }

    /// Takes the store away, and returns the limit of memory, too.
    pub fn take_store(&mut self) -> (Option<S>, usize) {
        (self.store.take(), self.limit)
    }

    /// Takes other options of the optimizer, with the same state.
    pub fn renew(&mut self, spec: &TableSpec) {
        debug_assert_eq!(spec.optimizer.lanes(usize::from(spec.width)), self.pages.stride);
        self.spec = spec.clone();
    }

    /// Finds the slots of `keys`.
    pub fn find(&self, keys: &[u32], slots: &mut Vec<Slot>) -> Result<(), RowsError> {
        slots.clear();
        slots.reserve(keys.len());
        for &key in keys {
            if u64::from(key) >= self.spec.rows {
                return Err(RowsError::Key { key, rows: self.spec.rows });
            }
            let slot = self.slot(key);
            slots.push(slot.ok_or(RowsError::Elsewhere { what: "key", number: key })?);
        }
        Ok(())
    }

    /// Returns the slot of a key, if its part is the server's.
    #[inline]
    pub(super) fn slot(&self, key: u32) -> Option<Slot> {
        match self.hot_keys.rank(key) {
            None => self.slots.cold(key),
            Some(rank) => self.slots.hot(rank),
        }
    }

    /// Returns the slots of a plane's hot keys, which are below the number of rows.
    pub fn hot_slots(&self, hottest_first: &[u32]) -> HotSlots {
        let ranking = Ranking::new(&Layout::new(self.spec.rows), self.servers, hottest_first);
        HotSlots::new(ranking.keys(), |key| self.slot(key))
    }

    /// Checks that `rows` has as many numbers as `keys` rows have, of this type.
    pub fn check(&self, keys: usize, rows: &Numbers) -> Result<(), RowsError> {
        self.numbers(keys, self.width(), rows).map(drop)
    }

    /// Returns the numbers of `keys` rows of a width.
    pub(super) fn numbers<'n>(
        &self,
        keys: usize,
        width: usize,
        rows: &'n Numbers,
    ) -> Result<&'n [E], RowsError> {
        let (found, expected) = (rows.element_type(), E::TYPE);
        let numbers = E::of(rows).ok_or(RowsError::Type { found, expected })?;
        match keys.checked_mul(width) == Some(numbers.len()) {
            true => Ok(numbers),
            false => Err(RowsError::Width { found: numbers.len(), keys, width }),
        }
    }

    /// Returns the weights of `slots`.
    pub fn read(&mut self, slots: &[Slot]) -> Result<Numbers, RowsError> {
        let (width, stride) = (self.width(), self.pages.stride);
        let mut rows = Vec::with_capacity(slots.len() * width);
        let mut places = [(0, 0); AT_A_TIME];
        for slots in slots.chunks(AT_A_TIME) {
            let places = &mut places[..slots.len()];
            if !self.find_places(slots, places, false)? {
                for &slot in slots {
                    let frame = self.frame(slot)?;
                    let at = self.pages.row(slot) * stride;
                    rows.extend_from_slice(&self.pages.frames[frame].lanes.get()[at..at + width]);
                }
                continue;
            }
            let lanes = |place: &Place| self.pages.frames[place.0 as usize].lanes.get();
            if width == 1 {
                rows.extend(places.iter().map(|place| lanes(place)[place.1 as usize]));
            } else {
                for place in places {
                    let at = place.1 as usize;
                    rows.extend_from_slice(&lanes(place)[at..at + width]);
                }
            }
        }
        Ok(E::wrap(rows))
    }

    /// Changes the rows of `slots`, which are distinct or changed one after the other.
    pub fn change(
        &mut self,
        rule: Rule<'_>,
        slots: &[Slot],
        rows: &Numbers,
    ) -> Result<(), RowsError> {
        let gradients = self.numbers(slots.len(), self.width(), rows)?;
        self.change_typed(rule, slots, gradients)
    }

    fn change_typed(
        &mut self,
        rule: Rule<'_>,
        slots: &[Slot],
        gradients: &[E],
    ) -> Result<(), RowsError> {
        E::dispatch(rule, Changing { rows: self, slots, gradients })
    }

    /// Changes each row that `sources` name once, by the sum of what they have for it, added up in
    /// their order.
    pub fn change_by_sums(
        &mut self,
        rule: Rule<'_>,
        sources: &[(Vec<Slot>, Numbers)],
    ) -> Result<(), RowsError> {
        let width = self.width();
        let mut all: Vec<(Slot, &[E])> = Vec::new();
        for (slots, rows) in sources {
            let rows = self.numbers(slots.len(), width, rows)?.chunks_exact(width);
            all.extend(slots.iter().copied().zip(rows));
        }
        // Stable: numbers are added in the order of the sources, whatever came first.
        all.sort_by_key(|(slot, _)| *slot);
        let mut slots: Vec<Slot> = Vec::with_capacity(all.len());
        let mut sums: Vec<E> = Vec::with_capacity(all.len() * width);
        for (slot, row) in all {
            if slots.last() == Some(&slot) {
                let begin = sums.len() - width;
                sums[begin..]
                    .iter_mut()
                    .zip(row)
                    .for_each(|(sum, number)| *sum = sum.plus(*number));
            } else {
                slots.push(slot);
                sums.extend_from_slice(row);
            }
        }
        self.change_typed(rule, &slots, &sums)
    }

    /// Returns the frame of a slot's page, which is brought into memory if need be.
    #[inline]
    pub(super) fn frame(&mut self, slot: Slot) -> Result<usize, RowsError> {
        match self.pages.directory[(slot >> self.pages.shift) as usize] {
            ABSENT => self.bring(slot >> self.pages.shift),
            frame => {
                self.pages.frames[frame as usize].touched = true;
                Ok(frame as usize)
            }
        }
    }

    /// Finds the places of rows, which are brought into memory if need be. Returns whether they
    /// still hold: a page that was brought may have taken the memory of another.
    fn find_places(
        &mut self,
        slots: &[Slot],
        places: &mut [Place],
        writable: bool,
    ) -> Result<bool, RowsError> {
        let dropped = self.pages.dropped;
        for (&slot, place) in slots.iter().zip(places) {
            let frame = self.frame(slot)?;
            if writable {
                self.pages.writable(frame);
            }
            let at = self.pages.row(slot) * self.pages.stride;
            prefetch(&self.pages.frames[frame].lanes.get()[at..][..self.pages.stride]);
            *place = (frame as u32, at as u32);
        }
        Ok(dropped == self.pages.dropped)
    }

    #[cold]
    fn bring(&mut self, page: u64) -> Result<usize, RowsError> {
        let bytes = self.pages.page_bytes();
        while self.pages.bytes + bytes > self.limit {
            if !self.pages.drop_one() {
                if self.store.is_none() {
                    return Err(RowsError::Memory { limit: self.limit });
                }
                // What has changed must stay until it is in a checkpoint.
                break;
            }
        }
        let stored = match &self.store {
            Some(store) => store.page(page)?,
            None => None,
        };
        let lanes = match stored {
            Some(bytes) => self.pages.check(page, &bytes)?,
            None => self.make(page),
        };
        Ok(self.pages.place(page, lanes))
    }

    /// Makes the rows of a page (R-SERVE-7).
    fn make(&self, page: u64) -> Vec<E> {
        let width = self.width();
        let mut lanes = vec![E::default(); self.pages.stride << self.pages.shift];
        let slots = (page << self.pages.shift)..self.slots.count();
        for (row, slot) in lanes.chunks_exact_mut(self.pages.stride).zip(slots) {
            if let Some(key) = self.slots.key(slot, self.hot_keys.by_rank()) {
                let (weights, state) = row.split_at_mut(width);
                self.spec.initialiser.fill(self.spec.seed, key, weights);
                self.spec.optimizer.begin(state);
            }
        }
        lanes
    }

    /// Returns the bytes of pages in memory, and of those that have changed since the last
    /// checkpoint.
    pub fn bytes(&self) -> (usize, usize) {
        (self.pages.bytes, self.pages.dirty)
    }

    /// Takes what has changed since the last checkpoint, for the next one.
    pub fn take_changed(&mut self) -> Vec<(u64, Page)> {
        let mut changed = Vec::new();
        for frame in self.pages.frames.iter_mut().filter(|frame| frame.dirty) {
            (frame.dirty, frame.writing) = (false, true);
            changed.push((frame.page, Page(frame.lanes.share() as Arc<_>)));
        }
        self.pages.dirty = 0;
        changed
    }

    /// Learns that the checkpoint is stored.
    pub fn written(&mut self) {
        self.pages.frames.iter_mut().for_each(|frame| frame.writing = false);
        while self.pages.bytes > self.limit && self.pages.drop_one() {}
    }
}

struct Changing<'a, S, E> {
    rows: &'a mut TypedRows<S, E>,
    slots: &'a [Slot],
    gradients: &'a [E],
}

impl<S: Store, E: RowNumber> WithKernel<E> for Changing<'_, S, E> {
    type Output = Result<(), RowsError>;

    fn with(self, kernel: impl Kernel<E>) -> Self::Output {
        let Self { rows, slots, gradients } = self;
        let stride = rows.pages.stride;
        let width = rows.width();
        let mut places = [(0, 0); AT_A_TIME];
        let batches = slots.chunks(AT_A_TIME).zip(gradients.chunks(AT_A_TIME * width));
        for (slots, gradients) in batches {
            let places = &mut places[..slots.len()];
            let gradients = gradients.chunks_exact(width);
            if rows.find_places(slots, places, true)? {
                for ((frame, at), gradient) in places.iter().zip(gradients) {
                    let lanes = rows.pages.frames[*frame as usize].lanes.get_mut();
                    kernel.update(&mut lanes[*at as usize..][..stride], gradient);
                }
                continue;
            }
            for (&slot, gradient) in slots.iter().zip(gradients) {
                let at = rows.pages.row(slot) * stride;
                let frame = rows.frame(slot)?;
                let lanes = rows.pages.writable(frame);
                kernel.update(&mut lanes[at..at + stride], gradient);
            }
        }
        Ok(())
    }
}

impl<S, E> TypedRows<S, E> {
    fn width(&self) -> usize {
        usize::from(self.spec.width)
    }
}
