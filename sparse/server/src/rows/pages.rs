//! Pages in memory, and which of them can be dropped.

use std::sync::Arc;

use super::Slot;
use crate::codec;
use crate::numbers::RowNumber;
use crate::store::StoreError;

/// Bytes of a page, unless a row has more.
pub(super) const PAGE_BYTES: usize = 16 << 10;

/// The most pages of a server. Tables with more rows than this allows have larger pages.
const MOST_PAGES: u64 = 1 << 26;

/// A page that is not in memory, in the directory.
pub(super) const ABSENT: u32 = u32::MAX;

/// The pages in memory.
#[derive(Debug)]
pub(super) struct Pages<E> {
    /// The frame of each page, or [`ABSENT`].
    pub directory: Vec<u32>,
    pub frames: Vec<Frame<E>>,
    pub free: Vec<u32>,
    /// A page has 2^shift rows.
    pub shift: u32,
    /// The lanes of a row with its state.
    pub stride: usize,
    /// Bytes of the pages in memory, and of those that have changed.
    pub bytes: usize,
    pub dirty: usize,
    /// The next frame to look at for one that can be dropped.
    pub hand: usize,
    /// Pages that have been dropped so far.
    pub dropped: u64,
}

#[derive(Debug)]
pub(super) struct Frame<E> {
    pub lanes: Lanes<E>,
    pub page: u64,
    /// Changed since the last checkpoint was taken.
    pub dirty: bool,
    /// In a checkpoint that is being written.
    pub writing: bool,
    /// Touched since the hand went by.
    pub touched: bool,
}

/// Lanes that a checkpoint may hold on to: then a change makes a copy.
#[derive(Debug)]
pub(super) enum Lanes<E> {
    Own(Vec<E>),
    Shared(Arc<Vec<E>>),
}

impl<E: Copy> Lanes<E> {
    #[inline]
    pub fn get(&self) -> &[E] {
        match self {
            Self::Own(lanes) => lanes,
            Self::Shared(lanes) => lanes,
        }
    }

    #[inline]
    pub fn get_mut(&mut self) -> &mut [E] {
        if let Self::Shared(shared) = self {
            *self = Self::Own(Arc::unwrap_or_clone(core::mem::take(shared)));
        }
        match self {
            Self::Own(lanes) => lanes,
            Self::Shared(_) => unreachable!("it was made its own above"),
        }
    }

    pub fn share(&mut self) -> Arc<Vec<E>> {
        let shared = match self {
            Self::Own(lanes) => Arc::new(core::mem::take(lanes)),
            Self::Shared(lanes) => Arc::clone(lanes),
        };
        *self = Self::Shared(Arc::clone(&shared));
        shared
    }
}

impl<E: RowNumber> Pages<E> {
    /// Begins with no page in memory, for this many rows of `stride` lanes.
    pub fn new(rows: u64, stride: usize) -> Self {
        let fitting = (PAGE_BYTES / (size_of::<E>() * stride)).max(1).ilog2();
        let needed = rows.div_ceil(MOST_PAGES).next_power_of_two().ilog2();
        let shift = fitting.max(needed);
        let directory = vec![ABSENT; (rows >> shift) as usize + 1];
        let (frames, free) = (Vec::new(), Vec::new());
        Self { directory, frames, free, shift, stride, bytes: 0, dirty: 0, hand: 0, dropped: 0 }
    }

    pub fn page_bytes(&self) -> usize {
        size_of::<E>() * (self.stride << self.shift)
    }

    /// Returns the place of a slot's row in its page.
    #[inline]
    pub fn row(&self, slot: Slot) -> usize {
        (slot & ((1 << self.shift) - 1)) as usize
    }

    #[inline]
    pub fn writable(&mut self, frame: usize) -> &mut [E] {
        let bytes = self.page_bytes();
        let frame = &mut self.frames[frame];
        if !frame.dirty {
            frame.dirty = true;
            self.dirty += bytes;
        }
        frame.lanes.get_mut()
    }

    /// Drops a page that can be had again, the one that has not been touched for long (the clock
    /// algorithm: two rounds of the hand, in the first of which pages lose their marks).
    pub fn drop_one(&mut self) -> bool {
        if self.dirty == self.bytes {
            return false;
        }
        for _ in 0..2 * self.frames.len() {
            let at = self.hand;
            self.hand = (self.hand + 1) % self.frames.len();
            let frame = &mut self.frames[at];
            if frame.lanes.get().is_empty() || frame.dirty || frame.writing {
                continue;
            }
            if core::mem::take(&mut frame.touched) {
                continue;
            }
            frame.lanes = Lanes::Own(Vec::new());
            self.directory[frame.page as usize] = ABSENT;
            self.free.push(at as u32);
            self.bytes -= self.page_bytes();
            self.dropped += 1;
            return true;
        }
        false
    }

    pub fn place(&mut self, page: u64, lanes: Vec<E>) -> usize {
        self.bytes += self.page_bytes();
        let lanes = Lanes::Own(lanes);
        let frame = Frame { lanes, page, dirty: false, writing: false, touched: true };
        let at = match self.free.pop() {
            Some(at) => {
                self.frames[at as usize] = frame;
                at as usize
            }
            None => {
                self.frames.push(frame);
                self.frames.len() - 1
            }
        };
        self.directory[page as usize] = at as u32;
        at
    }

    pub fn check(&self, page: u64, bytes: &[u8]) -> Result<Vec<E>, StoreError> {
        let lanes =
            codec::get_words(bytes).filter(|lanes| lanes.len() == self.stride << self.shift);
        lanes.ok_or_else(|| StoreError(format!("page {page} has {} bytes", bytes.len())))
    }
}
