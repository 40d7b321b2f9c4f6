//! Requests that can be repeated: each is sent until its answer has come (R-KEY-7, R-KEY-12).

use std::collections::{BTreeMap, VecDeque};

use netfold_wire::{Integrity, RANK_BYTES, TABLE_HEADER_BYTES, TableKind, TableRepr};

use crate::rtt::{RttEstimator, Timing};

/// Most requests that wait for their answers at a time.
const OUTSTANDING: usize = 16;

/// A request: its header, and what follows it.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) repr: TableRepr,
    pub(super) body: Vec<u8>,
}

/// A request that was sent.
#[derive(Clone, Debug)]
struct Pending {
    request: Request,
    sent_us: u64,
    /// It was sent more than once.
    repeated: bool,
}

/// The requests of one asker.
#[derive(Clone, Debug)]
pub(super) struct Requests {
    integrity: Integrity,
    rtt: RttEstimator,
    next: u32,
    waiting: VecDeque<Request>,
    /// By their number.
    outstanding: BTreeMap<u32, Pending>,
    /// Numbers of those to be sent again.
    again: VecDeque<u32>,
    pub(super) repeated: u64,
}

impl Requests {
    /// Returns requests that are numbered from `next` on.
    pub(super) fn new(integrity: Integrity, timing: Timing, next: u32) -> Self {
        Self {
            integrity,
            rtt: RttEstimator::new(timing),
            next,
            waiting: VecDeque::new(),
            outstanding: BTreeMap::new(),
            again: VecDeque::new(),
            repeated: 0,
        }
    }

    /// Takes a request. Returns its number.
    pub(super) fn submit(&mut self, repr: TableRepr, body: Vec<u8>) -> u32 {
        let sequence = self.next;
        self.next = self.next.wrapping_add(1);
        self.waiting.push_back(Request { repr: TableRepr { sequence, ..repr }, body });
        sequence
    }

    /// Takes the request that an answer is for; `None` if none waits for it.
    pub(super) fn answered(&mut self, now_us: u64, answer: &TableRepr) -> Option<Request> {
        let waits = |pending: &Pending| pending.request.repr.kind == answer.kind;
        self.outstanding.get(&answer.sequence).filter(|pending| waits(pending))?;
        let pending = self.outstanding.remove(&answer.sequence)?;
        if !pending.repeated {
            self.rtt.sample(now_us.saturating_sub(pending.sent_us));
        }
        self.rtt.end_back_off();
        Some(pending.request)
    }

    /// Returns the number of the next request, and those that wait to be answered or sent.
    pub(super) fn progress(&self) -> (u32, impl Iterator<Item = &Request>) {
        let outstanding = self.outstanding.values().map(|pending| &pending.request);
        (self.next, outstanding.chain(&self.waiting))
    }

    /// Returns whether nothing waits to be sent or answered.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.outstanding.is_empty()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.outstanding.clear();
        self.again.clear();
    }

    /// Writes the next datagram to `buffer`. Returns its length; `None` if there is nothing to send
    /// now.
    pub(super) fn poll_transmit(&mut self, now_us: u64, buffer: &mut [u8]) -> Option<usize> {
        while let Some(sequence) = self.again.pop_front() {
            if let Some(pending) = self.outstanding.get_mut(&sequence) {
                (pending.sent_us, pending.repeated) = (now_us, true);
                self.repeated += 1;
                return Some(write(&pending.request, &self.integrity, buffer));
            }
        }
        if self.outstanding.len() >= OUTSTANDING {
            return None;
        }
        let request = self.waiting.pop_front()?;
        let len = write(&request, &self.integrity, buffer);
        let sequence = request.repr.sequence;
        self.outstanding.insert(sequence, Pending { request, sent_us: now_us, repeated: false });
        Some(len)
    }

    /// Returns the time at which [`Requests::handle_timeout`] has something to do.
    pub(super) fn poll_timeout(&self) -> Option<u64> {
        let oldest = self.outstanding.values().map(|pending| pending.sent_us).min()?;
        Some(oldest + self.rtt.timeout_us(true))
    }

    /// Sends again what has waited too long.
    pub(super) fn handle_timeout(&mut self, now_us: u64) {
        let timeout_us = self.rtt.timeout_us(true);
        let late = |pending: &Pending| pending.sent_us + timeout_us <= now_us;
        self.again = self
            .outstanding
            .iter()
            .filter(|(_, pending)| late(pending))
            .map(|(sequence, _)| *sequence)
            .collect();
        if !self.again.is_empty() {
            self.rtt.back_off();
        }
    }
}

/// Writes a request as a datagram.
pub(super) fn write(request: &Request, integrity: &Integrity, buffer: &mut [u8]) -> usize {
    let len = TABLE_HEADER_BYTES + request.body.len();
    buffer[TABLE_HEADER_BYTES..len].copy_from_slice(&request.body);
    request.repr.seal(integrity, &mut buffer[..len]);
    len
}

/// Cuts pairs into the bodies of packets, each of at most `room` pairs; a kind without rows has
/// none. Gives the number of pairs with each.
pub(super) fn bodies<'a>(
    kind: TableKind,
    ranks: &'a [u32],
    rows: &'a [u8],
    row_bytes: usize,
    room: usize,
    rank: impl Fn(u32) -> [u8; RANK_BYTES] + 'a,
) -> impl Iterator<Item = (u16, Vec<u8>)> + 'a {
    let with_rows = matches!(kind, TableKind::Push | TableKind::Load);
    let mut rows = rows;
    ranks.chunks(room.max(1)).map(move |chunk| {
        let own = if with_rows { chunk.len() * row_bytes } else { 0 };
        let mut body = Vec::with_capacity(chunk.len() * RANK_BYTES + own);
        chunk.iter().for_each(|number| body.extend_from_slice(&rank(*number)));
        let (first, rest) = rows.split_at(own);
        body.extend_from_slice(first);
        rows = rest;
        (chunk.len() as u16, body)
    })
}
