//! A ring: every worker sends to its right neighbour, and takes from its left.
//!
//! An all-reduce is a reduce-scatter and an all-gather: with the vector in n chunks, rank r sends
//! chunk r - s in step s, of 2 (n - 1), counted modulo n: in the first n - 1 steps what it has
//! received and its own share, afterwards the sum. Compressed vectors cannot be added, so they are
//! gathered: n - 1 steps, each of a whole compressed vector. Steps are pipelined by segments: a
//! segment goes on as soon as it has come.

use std::collections::VecDeque;

use super::connection::Segment;
use super::{Done, Pieces, sum_of_ranks, weight};
use crate::setup::JobSetup;

/// The connection to the right neighbour, by its number at every worker.
pub(super) const RIGHT: u16 = 0;

/// And that to the left one.
pub(super) const LEFT: u16 = 1;

/// A call.
struct Calling {
    call: u32,
    /// The number of its first segment.
    base: u64,
    /// The pieces that a step sends.
    pieces: Pieces,
    steps: u64,
    wrong: u64,
}

impl Calling {
    fn end(&self) -> u64 {
        self.base + self.steps * self.pieces.segments
    }

    /// Step, and segment of the step.
    fn place(&self, number: u64) -> (u64, u64) {
        let from_base = number - self.base;
        (from_base / self.pieces.segments, from_base % self.pieces.segments)
    }
}

/// A worker's part of a ring.
pub(super) struct Ring {
    rank: u64,
    workers: u16,
    payload_bytes: u32,
    /// The share that a vector is compressed to, if it is.
    compressed_to: Option<f64>,
    calls: Vec<Calling>,
    /// The call that is under way, and the one whose segments are sent for the first time.
    receiving: usize,
    sending: usize,
    /// The number of the next segment that is sent for the first time.
    next: u64,
    /// Values that have come, from number `held_from` on, until they are sent on and checked.
    held: VecDeque<u64>,
    held_from: u64,
    checked: u64,
}

impl Ring {
    pub(super) fn new(job: &JobSetup, rank: u16) -> Self {
        Self {
            rank: rank.into(),
            workers: job.workers,
            payload_bytes: job.payload_bytes,
            compressed_to: job.compression.map(|compression| compression.ratio),
            calls: Vec::new(),
            receiving: 0,
            sending: 0,
            next: 0,
            held: VecDeque::new(),
            held_from: 0,
            checked: 0,
        }
    }

    pub(super) fn submit(&mut self, call: u32, bytes: u64) {
        let n = u64::from(self.workers);
        let (steps, step_bytes) = match self.compressed_to {
            None => (2 * (n - 1), bytes.div_ceil(n)),
            Some(share) => (n - 1, (bytes as f64 * share).ceil() as u64),
        };
        let base = self.calls.last().map_or(0, Calling::end);
        let pieces = Pieces::of(step_bytes, self.payload_bytes);
        self.calls.push(Calling { call, base, pieces, steps, wrong: 0 });
    }

    /// A segment has come from the left.
    pub(super) fn take(&mut self, number: u64, value: u64) {
        let place = (number - self.held_from) as usize;
        if place >= self.held.len() {
            self.held.resize(place + 1, 0);
        }
        self.held[place] = value;
    }

    /// All below `received` has come. Returns up to where segments may be sent.
    pub(super) fn advance(&mut self, received: u64, done: &mut VecDeque<Done>) -> u64 {
        let mut offered = 0;
        while let Some(calling) = self.calls.get(self.receiving) {
            let (end, segments) = (calling.end(), calling.pieces.segments);
            // The first step is the worker's own; each segment after that needs the one of the step
            // before.
            offered = end.min(received.max(calling.base) + segments);
            while self.checked < received.min(end) {
                let wrong = self.is_wrong(&self.calls[self.receiving], self.checked);
                self.calls[self.receiving].wrong += u64::from(wrong);
                self.checked += 1;
            }
            if received < end {
                break;
            }
            let Calling { call, wrong, .. } = self.calls[self.receiving];
            done.push_back(Done { call, wrong });
            self.receiving += 1;
        }
        self.release();
        offered
    }

    /// The segment of this number, which is sent for the first time; they come one after the other.
    pub(super) fn segment(&mut self, number: u64) -> Segment {
        while self.calls[self.sending].end() <= number {
            self.sending += 1;
        }
        let calling = &self.calls[self.sending];
        let (step, segment) = calling.place(number);
        let n = u64::from(self.workers);
        let before = || self.held[(number - calling.pieces.segments - self.held_from) as usize];
        let own = || {
            (self.rank + 1).wrapping_mul(self.weight(calling, self.rank + step * (n - 1), segment))
        };
        let value = match step {
            0 => own(),
            step if self.compressed_to.is_none() && step < n => before().wrapping_add(own()),
            _ => before(),
        };
        let bytes = calling.pieces.bytes(segment);
        self.next = number + 1;
        self.release();
        Segment { value, bytes }
    }

    /// The weight of a segment of a chunk, which is a number modulo n.
    fn weight(&self, calling: &Calling, chunk: u64, segment: u64) -> u64 {
        weight(calling.base + chunk % u64::from(self.workers) * calling.pieces.segments + segment)
    }

    /// Returns whether the value that has come is wrong. It was sent by the left neighbour in the
    /// step that its number tells.
    fn is_wrong(&self, calling: &Calling, number: u64) -> bool {
        let (step, segment) = calling.place(number);
        let n = u64::from(self.workers);
        // Of rank r - 1 in step s, modulo n: n - 1 is -1.
        let chunk = self.rank + (step + 1) * (n - 1);
        let expected = match self.compressed_to {
            Some(_) => chunk % n + 1,
            None if step + 1 < n => return false,
            None => sum_of_ranks(self.workers),
        };
        self.held[(number - self.held_from) as usize]
            != expected.wrapping_mul(self.weight(calling, chunk, segment))
    }

    /// Forgets what was checked and sent on.
    fn release(&mut self) {
        let needed = match self.calls.iter().find(|calling| calling.end() > self.next) {
            None => u64::MAX,
            // The segment sent last came a step before.
            Some(Calling { base, pieces, .. }) => {
                self.next.saturating_sub(pieces.segments).max(*base)
            }
        };
        let keep_from = needed.min(self.checked);
        let gone = (keep_from - self.held_from.min(keep_from)).min(self.held.len() as u64);
        self.held.drain(..gone as usize);
        self.held_from += gone;
    }
}
