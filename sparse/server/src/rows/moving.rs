//! Rows that go to another server, with the state of their optimizer (R-SERVE-21).

use super::RowsError;
use super::pages::{ABSENT, Pages};
use super::typed::TypedRows;
use crate::message::Taken;
use crate::numbers::{Numbers, RowNumber};
use crate::store::Store;

/// Pages that one answer looks at, at most: a table may have many that nobody has touched.
const MOST_PAGES: u32 = 1 << 16;

impl<S: Store, E: RowNumber> TypedRows<S, E> {
    /// See [`Rows::take`](super::Rows::take).
    pub fn take(&self, from: u64, stride: u32, most_lanes: usize) -> Result<Taken, RowsError> {
        let (mut taken, mut all) = (Taken::default(), Vec::new());
        let page_lanes = self.pages.stride << self.pages.shift;
        let pages = (from..self.pages.directory.len() as u64).step_by(stride.max(1) as usize);
        for (looked, page) in (0..).zip(pages) {
            let full = !all.is_empty() && all.len() + page_lanes > most_lanes;
            if full || looked == MOST_PAGES {
                taken.next = Some(page);
                break;
            }
            match self.pages.directory[page as usize] {
                ABSENT => {
                    let Some(store) = &self.store else { continue };
                    let Some(bytes) = store.page(page)? else { continue };
                    let lanes = self.pages.check(page, &bytes)?;
                    self.take_page(page, &lanes, &mut taken.keys, &mut all);
                }
                frame => {
                    let lanes = self.pages.frames[frame as usize].lanes.get();
                    self.take_page(page, lanes, &mut taken.keys, &mut all);
                }
            }
        }
        taken.lanes = E::wrap(all);
        Ok(taken)
    }

    fn take_page(&self, page: u64, lanes: &[E], keys: &mut Vec<u32>, all: &mut Vec<E>) {
        let slots = (page << self.pages.shift)..self.slots.count();
        for (lanes, slot) in lanes.chunks_exact(self.pages.stride).zip(slots) {
            let Some(key) = self.slots.key(slot, self.hot_keys.by_rank()) else { continue };
            // A key that was hot when the table began has its row among those.
            if self.slot(key) == Some(slot) {
                keys.push(key);
                all.extend_from_slice(lanes);
            }
        }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.pages = Pages { shift: self.pages.shift, ..Pages::new(0, self.pages.stride) };
    }

    /// See [`Rows::put`](super::Rows::put).
    pub fn put(&mut self, keys: &[u32], lanes: &Numbers) -> Result<(), RowsError> {
        let stride = self.pages.stride;
        let lanes = self.numbers(keys.len(), stride, lanes)?;
        let mut slots = Vec::new();
        self.find(keys, &mut slots)?;
        for (slot, lanes) in slots.into_iter().zip(lanes.chunks_exact(stride)) {
            let (frame, at) = (self.frame(slot)?, self.pages.row(slot) * stride);
            self.pages.writable(frame)[at..at + stride].copy_from_slice(lanes);
        }
        Ok(())
    }
}
