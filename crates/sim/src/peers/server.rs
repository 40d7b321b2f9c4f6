//! A parameter server as SwitchML's section 6.1 has it: servers that add what workers stream to
//! them, and stream the sums back.
//!
//! Each server has a shard of the vector. A segment's sum goes to all workers as soon as the last
//! of them has sent that segment; nothing waits for a whole shard. Servers are hosts of their own
//! (dedicated), or the workers' (colocated); what stays on a host takes no link.

use std::collections::VecDeque;

use super::connection::Segment;
use super::{Done, Pieces, sum_of_ranks, weight};
use crate::setup::JobSetup;

/// The weight of a segment of a server.
fn weight_of(server: u16, number: u64) -> u64 {
    weight(u64::from(server) << 48 | number)
}

/// A call: the same number of segments for each server.
struct Calling {
    call: u32,
    base: u64,
    pieces: Pieces,
}

/// A worker.
pub(super) struct Client {
    rank: u64,
    workers: u16,
    servers: u64,
    payload_bytes: u32,
    calls: Vec<Calling>,
    /// The call under way, and whether its segments were offered.
    current: usize,
    offered: bool,
    wrong: u64,
}

impl Client {
    pub(super) fn new(job: &JobSetup, rank: u16) -> Self {
        Self {
            rank: rank.into(),
            workers: job.workers,
            servers: job.servers().into(),
            payload_bytes: job.payload_bytes,
            calls: Vec::new(),
            current: 0,
            offered: false,
            wrong: 0,
        }
    }

    pub(super) fn submit(&mut self, call: u32, bytes: u64) {
        let base = self.calls.last().map_or(0, |last| last.base + last.pieces.segments);
        let pieces = Pieces::of(bytes.div_ceil(self.servers), self.payload_bytes);
        self.calls.push(Calling { call, base, pieces });
    }

    /// All below `received` has come from every server. Returns up to where segments may be sent to
    /// each, if that is new.
    pub(super) fn advance(&mut self, received: u64, done: &mut VecDeque<Done>) -> Option<u64> {
        while let Some(Calling { call, base, pieces }) = self.calls.get(self.current) {
            let end = base + pieces.segments;
            if !std::mem::replace(&mut self.offered, true) {
                return Some(end);
            }
            if received < end {
                break;
            }
            done.push_back(Done { call: *call, wrong: std::mem::take(&mut self.wrong) });
            self.current += 1;
            self.offered = false;
        }
        None
    }

    /// The segment of this number for a server.
    pub(super) fn segment(&mut self, server: usize, number: u64) -> Segment {
        let value = (self.rank + 1).wrapping_mul(weight_of(server as u16, number));
        let calling = self.calls.iter().rev().find(|calling| calling.base <= number);
        Segment {
            value,
            bytes: calling.map_or(0, |calling| calling.pieces.bytes(number - calling.base)),
        }
    }

    /// A sum has come.
    pub(super) fn take(&mut self, server: u16, number: u64, value: u64) {
        let expected = sum_of_ranks(self.workers).wrapping_mul(weight_of(server, number));
        self.wrong += u64::from(value != expected);
    }
}

/// A segment at a server.
#[derive(Clone, Copy)]
struct Sum {
    segment: Segment,
    /// Workers that it has not come from.
    missing: u16,
    /// Workers that the sum was not sent to.
    unsent: u16,
}

/// A server.
pub(super) struct Server {
    workers: u16,
    sums: VecDeque<Sum>,
    first: u64,
    complete: u64,
}

impl Server {
    pub(super) fn new(workers: u16) -> Self {
        Self { workers, sums: VecDeque::new(), first: 0, complete: 0 }
    }

    /// A worker's segment has come.
    pub(super) fn take(&mut self, number: u64, segment: Segment) {
        let place = (number - self.first) as usize;
        if place >= self.sums.len() {
            let nothing = Segment { value: 0, bytes: 0 };
            self.sums.resize(
                place + 1,
                Sum { segment: nothing, missing: self.workers, unsent: self.workers },
            );
        }
        let sum = &mut self.sums[place];
        let value = sum.segment.value.wrapping_add(segment.value);
        (sum.segment, sum.missing) = (Segment { value, bytes: segment.bytes }, sum.missing - 1);
    }

    /// All sums below this are complete.
    pub(super) fn complete(&mut self) -> u64 {
        while self
            .sums
            .get((self.complete - self.first) as usize)
            .is_some_and(|sum| sum.missing == 0)
        {
            self.complete += 1;
        }
        self.complete
    }

    /// A sum, which goes to one of the workers for the first time.
    pub(super) fn segment(&mut self, number: u64) -> Segment {
        let sum = &mut self.sums[(number - self.first) as usize];
        sum.unsent -= 1;
        let segment = sum.segment;
        while self.sums.front().is_some_and(|sum| sum.unsent == 0) {
            self.sums.pop_front();
            self.first += 1;
        }
        segment
    }
}
