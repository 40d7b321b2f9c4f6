//! Requests that can be repeated: each is sent until its answer has come (R-KEY-7, R-KEY-12).

use std::collections::VecDeque;

use netfold_wire::{
    Integrity, RANK_BYTES, SlotIndex, TABLE_HEADER_BYTES, TableKind, TableRepr, WINDOW,
};

use crate::recovery::{Recovery, Sent};

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

/// The requests of one asker. Each is a round in a slot of its own: its transmissions are known to
/// the asker's [`Recovery`], which tells what is lost (R-KEY-5).
#[derive(Clone, Debug)]
pub(super) struct Requests {
    integrity: Integrity,
    /// The slots of requests begin here.
    first_slot: u16,
    next: u32,
    waiting: VecDeque<Request>,
    /// Requests that were sent and their latest transmission, by their numbers from `first` on.
    sent: VecDeque<Option<(Request, Sent)>>,
    first: u32,
    outstanding: usize,
    /// Numbers of those to be sent again.
    again: VecDeque<u32>,
    pub(super) repeated: u64,
}

impl Requests {
    /// Returns requests that are numbered from `next` on, and have the slots from `first_slot` on.
    pub(super) fn new(integrity: Integrity, first_slot: u16, next: u32) -> Self {
        Self {
            integrity,
            first_slot,
            next,
            waiting: VecDeque::new(),
            sent: VecDeque::new(),
            first: next,
            outstanding: 0,
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

    fn pending(&self, sequence: u32) -> Option<&(Request, Sent)> {
        self.sent.get(sequence.wrapping_sub(self.first) as usize)?.as_ref()
    }

    fn slot(&self, sequence: u32) -> SlotIndex {
        SlotIndex(self.first_slot + (sequence % WINDOW) as u16)
    }

    /// Takes the request that an answer is for, and its latest transmission; `None` if none waits
    /// for it.
    pub(super) fn answered(&mut self, answer: &TableRepr) -> Option<(Request, Sent)> {
        let (request, _) = self.pending(answer.sequence)?;
        if request.repr.kind != answer.kind {
            return None;
        }
        let answered = self.sent[answer.sequence.wrapping_sub(self.first) as usize].take();
        self.outstanding -= 1;
        while let Some(None) = self.sent.front() {
            self.sent.pop_front();
            self.first = self.first.wrapping_add(1);
        }
        answered
    }

    /// Returns the number of the next request, and those that wait to be answered or sent.
    pub(super) fn progress(&self) -> (u32, impl Iterator<Item = &Request>) {
        let outstanding = self.sent.iter().flatten().map(|(request, _)| request);
        (self.next, outstanding.chain(&self.waiting))
    }

    /// Returns whether nothing waits to be sent or answered.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.outstanding == 0
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.sent.clear();
        self.first = self.next;
        self.outstanding = 0;
        self.again.clear();
    }

    /// Returns how many were sent and are not answered.
    pub(super) fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// Returns the length of the datagram that [`Requests::poll_transmit`] writes next; `None` if
    /// it has none. At most `most` requests are under way.
    pub(super) fn next_bytes(&mut self, most: usize) -> Option<usize> {
        while let Some(sequence) = self.again.front() {
            if let Some((request, _)) = self.pending(*sequence) {
                return Some(request.bytes());
            }
            self.again.pop_front();
        }
        let room = self.outstanding < most && self.sent.len() < WINDOW as usize;
        self.waiting.front().filter(|_| room).map(Request::bytes)
    }

    /// Writes the next datagram to `buffer`. Returns its length; `None` if there is nothing to send
    /// now.
    pub(super) fn poll_transmit(
        &mut self,
        now_us: u64,
        most: usize,
        recovery: &mut Recovery,
        buffer: &mut [u8],
    ) -> Option<usize> {
        self.next_bytes(most)?;
        let sequence = match self.again.pop_front() {
            Some(sequence) => {
                self.repeated += 1;
                let (request, before) = self.pending(sequence)?.clone();
                let slot = self.slot(sequence);
                let sent = recovery.note_sent(now_us, slot, Some(before), false, true);
                self.sent[sequence.wrapping_sub(self.first) as usize] = Some((request, sent));
                sequence
            }
            None => {
                let request = self.waiting.pop_front()?;
                let sequence = request.repr.sequence;
                let sent = recovery.note_sent(now_us, self.slot(sequence), None, false, true);
                if self.sent.is_empty() {
                    self.first = sequence;
                }
                self.sent.push_back(Some((request, sent)));
                self.outstanding += 1;
                sequence
            }
        };
        let (request, _) = self.pending(sequence)?;
        Some(write(request, &self.integrity, buffer))
    }

    /// Returns the number of the request in a slot; `None` if none is under way there.
    fn number_in(&self, slot: SlotIndex) -> Option<u32> {
        let place = u32::from(slot.0.checked_sub(self.first_slot)?);
        let sequence = self.first.wrapping_add(place.wrapping_sub(self.first) % WINDOW);
        self.pending(sequence).map(|_| sequence)
    }

    /// Returns whether a transmission is the latest of a request that is under way.
    pub(super) fn is_latest(&self, sent: &Sent) -> bool {
        let pending = self.number_in(sent.slot).and_then(|sequence| self.pending(sequence));
        pending.is_some_and(|(_, latest)| latest.transmission == sent.transmission)
    }

    /// Returns the slot of the oldest request that is under way.
    pub(super) fn oldest(&self) -> Option<SlotIndex> {
        self.sent.front().map(|_| self.slot(self.first))
    }

    /// Sends the request in a slot again. Returns whether there is one.
    pub(super) fn lose(&mut self, slot: SlotIndex) -> bool {
        let Some(sequence) = self.number_in(slot) else { return false };
        if !self.again.contains(&sequence) {
            self.again.push_back(sequence);
        }
        true
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
