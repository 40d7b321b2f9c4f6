//! Requests that can be repeated: each is sent until its answer has come (R-KEY-7, R-KEY-12).

use std::collections::{BTreeMap, VecDeque};

use netfold_wire::{Integrity, RANK_BYTES, TABLE_HEADER_BYTES, TableKind, TableRepr};

use crate::rtt::{RttEstimator, Timing};

/// Most requests of a server that wait for their answers at a time.
pub(super) const MOST_REQUESTS: usize = 16;

/// A request: its header, and what follows it.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) repr: TableRepr,
    pub(super) body: Vec<u8>,
}

impl Request {
    fn bytes(&self) -> usize {
        TABLE_HEADER_BYTES + self.body.len()
    }
}

/// A request that was sent.
#[derive(Clone, Debug)]
struct Pending {
    request: Request,
    sent_us: u64,
    /// The number of its transmission among all of the asker.
    transmission: u64,
    /// It was sent more than once.
    repeated: bool,
}

/// A request that is answered.
pub(super) struct Answered {
    pub(super) request: Request,
    pub(super) transmission: u64,
    /// The round trip, if the request was sent once.
    pub(super) rtt_us: Option<u64>,
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
    pub(super) fn answered(&mut self, now_us: u64, answer: &TableRepr) -> Option<Answered> {
        let waits = |pending: &Pending| pending.request.repr.kind == answer.kind;
        self.outstanding.get(&answer.sequence).filter(|pending| waits(pending))?;
        let Pending { request, sent_us, transmission, repeated } =
            self.outstanding.remove(&answer.sequence)?;
        let rtt_us = (!repeated).then(|| now_us.saturating_sub(sent_us));
        if let Some(rtt_us) = rtt_us {
            self.rtt.sample(rtt_us);
        }
        self.rtt.end_back_off();
        Some(Answered { request, transmission, rtt_us })
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

    /// Returns how many were sent and are not answered.
    pub(super) fn outstanding(&self) -> usize {
        self.outstanding.len()
    }

    /// Returns the length of the datagram that [`Requests::poll_transmit`] writes next; `None` if
    /// it has none. At most `most` requests are under way.
    pub(super) fn next_bytes(&mut self, most: usize) -> Option<usize> {
        while let Some(sequence) = self.again.front() {
            if let Some(pending) = self.outstanding.get(sequence) {
                return Some(pending.request.bytes());
            }
            self.again.pop_front();
        }
        let next = self.waiting.front().filter(|_| self.outstanding.len() < most)?;
        Some(next.bytes())
    }

    /// Writes the next datagram to `buffer`, as transmission number `transmission` of the asker.
    /// Returns its length; `None` if there is nothing to send now.
    pub(super) fn poll_transmit(
        &mut self,
        now_us: u64,
        most: usize,
        transmission: u64,
        buffer: &mut [u8],
    ) -> Option<usize> {
        self.next_bytes(most)?;
        if let Some(sequence) = self.again.pop_front() {
            let pending = self.outstanding.get_mut(&sequence)?;
            (pending.sent_us, pending.transmission) = (now_us, transmission);
            pending.repeated = true;
            self.repeated += 1;
            return Some(write(&pending.request, &self.integrity, buffer));
        }
        let request = self.waiting.pop_front()?;
        let len = write(&request, &self.integrity, buffer);
        let sequence = request.repr.sequence;
        let pending = Pending { request, sent_us: now_us, transmission, repeated: false };
        self.outstanding.insert(sequence, pending);
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
    let len = request.bytes();
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
