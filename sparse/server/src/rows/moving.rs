//! Rows that go to another server, with the state of their optimizer (R-SERVE-21).

use super::pages::{ABSENT, Pages};
use super::{Rows, RowsError};
use crate::message::{Hello, Taken};
use crate::store::Store;

/// Pages that one answer looks at, at most: a table may have many that nobody has touched.
const MOST_PAGES: u32 = 1 << 16;

impl<S: Store> Rows<S> {
    /// Returns rows of every so many pages from one on: whole pages, of at most so many lanes but
    /// at least one. Pages that nobody has touched are left out. Nothing is brought into memory for
    /// it, or dropped.
    pub fn take(&self, from: u64, stride: u32, most_lanes: usize) -> Result<Taken, RowsError> {
        let mut taken = Taken::default();
        let page_lanes = self.pages.stride << self.pages.shift;
        let pages = (from..self.pages.directory.len() as u64).step_by(stride.max(1) as usize);
        for (looked, page) in (0..).zip(pages) {
            let full = !taken.keys.is_empty() && taken.lanes.len() + page_lanes > most_lanes;
            if full || looked == MOST_PAGES {
                taken.next = Some(page);
                break;
            }
            match self.pages.directory[page as usize] {
                ABSENT => {
                    let Some(store) = &self.store else { continue };
                    let Some(bytes) = store.page(page)? else { continue };
                    let lanes = self.pages.check(page, &bytes)?;
                    self.take_page(page, &lanes, &mut taken);
                }
                frame => {
                    let lanes = self.pages.frames[frame as usize].lanes.get();
                    self.take_page(page, lanes, &mut taken);
                }
            }
        }
        Ok(taken)
    }

    fn take_page(&self, page: u64, lanes: &[f32], taken: &mut Taken) {
        let slots = (page << self.pages.shift)..self.slots.count();
        for (lanes, slot) in lanes.chunks_exact(self.pages.stride).zip(slots) {
            let Some(key) = self.slots.key(slot, self.hot_keys.by_rank()) else { continue };
            // A key that was hot when the table began has its row among those.
            if self.slot(key) == Some(slot) {
                taken.keys.push(key);
                taken.lanes.extend_from_slice(lanes);
            }
        }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.pages = Pages { shift: self.pages.shift, ..Pages::new(0, self.pages.stride) };
    }

    /// Begins anew, for other parts, with the same store.
    pub fn replaced(&mut self, terms: &Hello) -> Self {
        let place = (terms.server, terms.servers);
        Self::new(&terms.table, &terms.hot_keys, place, self.store.take(), self.limit)
    }

    /// Puts rows with their state in place of those that are there: all, or none if one of them is
    /// another server's.
    pub fn put(&mut self, keys: &[u32], lanes: &[f32]) -> Result<(), RowsError> {
        let stride = self.pages.stride;
        if keys.len().checked_mul(stride) != Some(lanes.len()) {
            let (found, keys) = (lanes.len(), keys.len());
            return Err(RowsError::Width { found, keys, width: stride });
        }
        let mut slots = Vec::new();
        self.find(keys, &mut slots)?;
        for (slot, lanes) in slots.into_iter().zip(lanes.chunks_exact(stride)) {
            let (frame, at) = (self.frame(slot)?, self.pages.row(slot) * stride);
            self.pages.writable(frame)[at..at + stride].copy_from_slice(lanes);
        }
        Ok(())
    }
}
