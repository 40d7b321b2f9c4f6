//! Rows that go to another server, with the state of their optimizer (R-SERVE-21).

use super::pages::ABSENT;
use super::{Rows, RowsError};
use crate::store::Store;

/// Rows from a place on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Moving {
    pub keys: Vec<u32>,
    /// The weights of each key, and the state of its optimizer.
    pub lanes: Vec<f32>,
    /// The place to go on from, if there are more.
    pub next: Option<u64>,
}

impl<S: Store> Rows<S> {
    /// Returns rows from a page on, of keys that are wanted: whole pages, of at most so many lanes
    /// but at least one. Pages that nobody has touched are left out. Nothing is brought into memory
    /// for it, or dropped.
    pub fn moving(
        &self,
        from: u64,
        most_lanes: usize,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Moving, RowsError> {
        let mut moving = Moving::default();
        let page_lanes = self.pages.stride << self.pages.shift;
        for page in from..self.pages.directory.len() as u64 {
            if !moving.keys.is_empty() && moving.lanes.len() + page_lanes > most_lanes {
                moving.next = Some(page);
                break;
            }
            match self.pages.directory[page as usize] {
                ABSENT => {
                    let Some(store) = &self.store else { continue };
                    let Some(bytes) = store.page(page)? else { continue };
                    let lanes = self.pages.check(page, &bytes)?;
                    self.take_page(page, &lanes, &wanted, &mut moving);
                }
                frame => {
                    let lanes = self.pages.frames[frame as usize].lanes.get();
                    self.take_page(page, lanes, &wanted, &mut moving);
                }
            }
        }
        Ok(moving)
    }

    /// Takes what is wanted of a page.
    fn take_page(
        &self,
        page: u64,
        lanes: &[f32],
        wanted: impl Fn(u32) -> bool,
        moving: &mut Moving,
    ) {
        let slots = (page << self.pages.shift)..self.slots.count();
        for (lanes, slot) in lanes.chunks_exact(self.pages.stride).zip(slots) {
            let Some(key) = self.slots.key(slot, self.hot_keys.by_rank()) else { continue };
            // A key that was hot when the table began has its row among those.
            if self.slot(key) == Some(slot) && wanted(key) {
                moving.keys.push(key);
                moving.lanes.extend_from_slice(lanes);
            }
        }
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
