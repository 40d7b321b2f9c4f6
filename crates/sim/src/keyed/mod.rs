//! Tables of sparse models (R-KEY): workers that push and pull, and servers that keep the table.
//!
//! Hot keys go through the switch by netfold's own state machines ([`netfold_worker::keyed`]), cold
//! ones to the servers over the [`connection`](crate::peers::connection)s of peers; a table without
//! hot keys is a parameter server alone. A worker's call is a mini-batch: it pushes a pair for each
//! of its keys, and then pulls the rows of as many. Workers do not wait for each other.
//!
//! Rows of hot keys are real, and are added up by the servers for [`Cluster`](crate::Cluster) to
//! check. Pairs of cold keys are numbers that stand for them, as with other peers.

mod load;
mod message;
mod place;
mod server;
mod worker;

use std::collections::VecDeque;

use netfold_num::ByteOrder;
use netfold_wire::{JobId, PARTS, TableTerms, Terms};
use netfold_worker::Timing;

pub(crate) use load::{Batch, Load};
pub(crate) use place::{TablePlace, TableWays};
pub(crate) use server::Server;
pub(crate) use worker::Worker;

use crate::peers::connection::Segment;
use crate::setup::{JobSetup, TableSetup};

/// Part of a job in its table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) job: JobId,
    pub(crate) rank: u16,
    pub(crate) workers: u16,
    pub(crate) payload_bytes: u32,
    pub(crate) terms: Terms,
    pub(crate) timing: Timing,
    pub(crate) table: TableSetup,
}

impl Part {
    /// That of a rank; servers come after workers. `None` if the job has no table.
    pub(crate) fn of(setup: &JobSetup, terms: Terms, job: JobId, rank: u16) -> Option<Self> {
        let &JobSetup { workers, payload_bytes, timing, .. } = setup;
        setup.table.map(|table| Self { job, rank, workers, payload_bytes, terms, timing, table })
    }

    /// Most bytes of a datagram to and from the switch.
    pub(crate) fn datagram_bytes(&self) -> u32 {
        netfold_wire::TABLE_HEADER_BYTES as u32 + self.payload_bytes
    }

    /// The table at the switch; `None` if no key is hot.
    pub(crate) fn terms_of_table(&self) -> Option<TableTerms> {
        self.table.terms()
    }

    /// Bytes of a key with its row, and of a row alone.
    fn pair_bytes(&self) -> (u32, u32) {
        (self.table.pair_bytes(), self.table.row_bytes())
    }

    /// Parts of the table that a server has, a bit for each (R-SERVE-1).
    fn parts_of(&self, server: u16) -> u64 {
        let (server, servers) = (u32::from(server), u32::from(self.table.servers));
        let own = (0..PARTS).filter(|part| part % servers == server);
        own.fold(0, |parts, part| parts | 1 << part)
    }
}

/// Messages that wait to be sent over a connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outgoing {
    queue: VecDeque<Segment>,
    /// Messages so far, sent or not.
    all: u64,
}

impl Outgoing {
    fn push(&mut self, segment: Segment) {
        self.queue.push_back(segment);
        self.all += 1;
    }

    /// Messages so far: up to here segments may be sent.
    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    /// The next of them, which is sent for the first time.
    ///
    /// # Panics
    /// If there is none: a connection asks for no segment that was not offered.
    pub(crate) fn next(&mut self) -> Segment {
        self.queue.pop_front().expect("a connection sends what it was offered")
    }
}

/// Bytes of a key, and of a lane of a row.
const KEY_BYTES: u32 = netfold_wire::RANK_BYTES as u32;
const LANE_BYTES: u32 = 4;

/// A lane of a row as it travels, and back.
fn swap(order: ByteOrder, lane: [u8; 4]) -> [u8; 4] {
    let [a, b, c, d] = lane;
    if order == ByteOrder::Little { lane } else { [d, c, b, a] }
}

/// Number that all segments of a worker to a server stand for together, if there are so many.
pub(crate) fn print_of_all(rank: u16, server: u16, segments: u64) -> u64 {
    (0..segments)
        .fold(0, |sum, segment| sum.wrapping_add(message::print_of(rank, server.into(), segment)))
}

/// Segments of so many things of `bytes` each: the number in a full one, and that of all of them.
fn segments(things: u64, bytes: u32, payload_bytes: u32) -> impl Iterator<Item = u32> {
    let full = u64::from((payload_bytes / bytes).max(1));
    (0..things.div_ceil(full)).map(move |segment| full.min(things - segment * full) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_all_things() {
        assert_eq!(segments(0, 8, 1432).count(), 0);
        assert_eq!(segments(400, 8, 1432).collect::<Vec<_>>(), [179, 179, 42]);
        // A row that is longer than a segment has one for itself.
        assert_eq!(segments(2, 4000, 1432).collect::<Vec<_>>(), [1, 1]);
    }
}
