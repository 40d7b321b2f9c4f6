//! The pushes of a worker, from when they are made until servers have stored them (R-KEY-3,
//! R-KEY-10).

use std::collections::VecDeque;

use netfold_num::ByteOrder;
use netfold_wire::{PARTS, RANK_BYTES, is_newer, part, ranks};

use crate::recovery::Sent;

/// The stage of a push.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    Waiting,
    Sent(Sent),
    Acknowledged,
}

/// A push: ranks, then rows, as they travel.
#[derive(Clone, Debug)]
struct Push {
    pairs: u16,
    body: Box<[u8]>,
    /// Parts that its ranks belong to, a bit for each.
    parts: u64,
    stage: Stage,
}

/// A push that is kept, as it is replayed to a server (R-KEY-10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its number.
    pub number: u32,
    /// Ranks of its pairs.
    pub ranks: Vec<u32>,
    /// Its rows, in the job's byte order.
    pub rows: Vec<u8>,
}

/// The pushes of a worker that are kept, in the order of their numbers.
#[derive(Clone, Debug)]
pub(super) struct Pushes {
    order: ByteOrder,
    pushes: VecDeque<Push>,
    /// Number of the first of them.
    first: u32,
    /// Those before this one, counted from the first, were sent.
    sent: usize,
    /// Those before this one are acknowledged.
    settled: usize,
    /// Those that are not acknowledged.
    unacknowledged: usize,
    /// Bytes of ranks and rows.
    bytes: usize,
    /// The server of each part has stored those before this one.
    stored: [u32; PARTS as usize],
}

impl Pushes {
    pub(super) fn new(order: ByteOrder) -> Self {
        Self {
            order,
            pushes: VecDeque::new(),
            first: 0,
            sent: 0,
            settled: 0,
            unacknowledged: 0,
            bytes: 0,
            stored: [0; PARTS as usize],
        }
    }

    pub(super) fn add(&mut self, pairs: u16, body: Vec<u8>) {
        let ranks = ranks(&body[..usize::from(pairs) * RANK_BYTES], self.order);
        let parts = ranks.fold(0, |parts, rank| parts | 1 << part(rank));
        self.bytes += body.len();
        self.unacknowledged += 1;
        self.pushes.push_back(Push { pairs, body: body.into(), parts, stage: Stage::Waiting });
    }

    /// Number of the next push to be sent for the first time, if there is one and R-KEY-3 lets it
    /// go: the one `window` numbers before it is acknowledged.
    pub(super) fn next(&self, window: u32) -> Option<u32> {
        let number = self.first.wrapping_add(self.sent as u32);
        self.pushes.get(self.sent)?;
        let before = self.sent.checked_sub(window as usize);
        let free =
            before.is_none_or(|index| matches!(self.pushes[index].stage, Stage::Acknowledged));
        free.then_some(number)
    }

    fn index(&self, number: u32) -> usize {
        number.wrapping_sub(self.first) as usize
    }

    /// Returns the pairs of a push, and what follows the header.
    pub(super) fn body(&self, number: u32) -> (u16, &[u8]) {
        let push = &self.pushes[self.index(number)];
        (push.pairs, &push.body)
    }

    /// Returns the latest transmission of a push that waits for its acknowledgement.
    pub(super) fn outstanding(&self, number: u32) -> Option<Sent> {
        match self.pushes.get(self.index(number))?.stage {
            Stage::Sent(sent) => Some(sent),
            Stage::Waiting | Stage::Acknowledged => None,
        }
    }

    pub(super) fn note_sent(&mut self, number: u32, sent: Sent) {
        let index = self.index(number);
        self.sent = self.sent.max(index + 1);
        self.pushes[index].stage = Stage::Sent(sent);
    }

    /// Notes the acknowledgement of a push that is outstanding.
    pub(super) fn acknowledge(&mut self, number: u32) {
        let index = self.index(number);
        self.pushes[index].stage = Stage::Acknowledged;
        self.unacknowledged -= 1;
        let is_settled = |push: &Push| matches!(push.stage, Stage::Acknowledged);
        while self.pushes.get(self.settled).is_some_and(is_settled) {
            self.settled += 1;
        }
        self.forget();
    }

    /// Notes that the servers of `parts` have stored the pushes before this one.
    pub(super) fn note_stored(&mut self, parts: u64, before: u32) {
        for part in (0..PARTS).filter(|part| parts >> part & 1 == 1) {
            let stored = &mut self.stored[part as usize];
            if is_newer(before, *stored) {
                *stored = before;
            }
        }
        self.forget();
    }

    /// Returns the number of the next push to be made.
    pub(super) fn made(&self) -> u32 {
        self.first.wrapping_add(self.pushes.len() as u32)
    }

    /// Drops pushes that all servers concerned have stored, the oldest first.
    fn forget(&mut self) {
        while let Some(Push { stage: Stage::Acknowledged, parts, body, .. }) = self.pushes.front() {
            let mut own = (0..PARTS).filter(|part| parts >> part & 1 == 1);
            if !own.all(|part| is_newer(self.stored[part as usize], self.first)) {
                return;
            }
            self.bytes -= body.len();
            self.pushes.pop_front();
            self.first = self.first.wrapping_add(1);
            self.sent -= 1;
            self.settled -= 1;
        }
    }

    /// Number of the oldest push that was sent and is not acknowledged.
    pub(super) fn oldest(&self) -> Option<u32> {
        (self.settled < self.sent).then(|| self.first.wrapping_add(self.settled as u32))
    }

    /// Returns the number of the first push that is kept, the stages of all, and for each part the
    /// push before which its server has stored all.
    pub(super) fn progress(&self) -> (u32, impl Iterator<Item = &Stage>, &[u32]) {
        (self.first, self.pushes.iter().map(|push| &push.stage), &self.stored)
    }

    pub(super) fn unacknowledged(&self) -> usize {
        self.unacknowledged
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the pushes that are kept, with their pairs of `parts`; those without such pairs are
    /// left out.
    pub(super) fn kept(&self, parts: u64, row_bytes: usize) -> impl Iterator<Item = Kept> {
        let numbered = self.pushes.iter().enumerate();
        numbered.filter(move |(_, push)| push.parts & parts != 0).map(move |(index, push)| {
            let (bytes, rows) = push.body.split_at(usize::from(push.pairs) * RANK_BYTES);
            let own = ranks(bytes, self.order)
                .zip(rows.chunks_exact(row_bytes))
                .filter(|(rank, _)| netfold_wire::in_parts(parts, *rank));
            let (ranks, rows): (Vec<u32>, Vec<&[u8]>) = own.unzip();
            Kept { number: self.first.wrapping_add(index as u32), ranks, rows: rows.concat() }
        })
    }
}
