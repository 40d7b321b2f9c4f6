//! MPI as netfold's peer: processes that carry out collectives by messages, each of which costs the
//! sender and the receiver their part of MPI's overhead.
//!
//! A message is one datagram that stands for all of its packets: it holds a link for as long as
//! they take, and goes on as soon as the first of them has come (virtual cut-through). Nothing is
//! lost, nothing is acknowledged, and a message waits wherever its next link is busy: a network
//! with flow control by credit, without limits on its buffers. Adding up costs nothing. All of that
//! favours MPI.
//!
//! A chunk of a vector is a number that stands for its elements, so that results are checked.

mod schedule;

use std::collections::{BTreeMap, VecDeque};

use netfold_worker::{Collective, Counters};
use serde::Deserialize;

use crate::datagram::OVERHEAD_BYTES;
use crate::error::Error;
use crate::peers::{Done, HEADER_BYTES, sum_of_ranks, weight};
use crate::setup::JobSetup;
pub use schedule::Algorithm;
use schedule::Step;

/// Bytes of a message in the simulator's memory (the rank that sends it, its tag), and of each of
/// its chunks.
const MESSAGE_BYTES: usize = 4;
const CHUNK_BYTES: usize = 12;

/// The algorithms by which a job of MPI's carries its calls out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MpiSetup {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Segments of a vector that goes through a chain or a tree; through each of two trees.
    #[serde(default = "one")]
    pub segments: u32,
    /// Bytes from each rank to each, row by row, for an all-to-all; as the call has them by
    /// default.
    #[serde(default)]
    pub lengths: Vec<u64>,
}

fn one() -> u32 {
    1
}

impl MpiSetup {
    /// An algorithm without segments.
    pub fn new(algorithm: Algorithm) -> Self {
        Self { algorithm, segments: one(), lengths: Vec::new() }
    }

    /// Refuses a collective that it does not carry out.
    pub(crate) fn check(&self, collective: Collective, job: &JobSetup) -> Result<(), Error> {
        let n = usize::from(job.workers);
        let refused = |what, instead| Err(Error::Peer { job: job.name.clone(), what, instead });
        if !self.algorithm.can(collective, job.workers) {
            let instead = "give another; doubling and halving need a power of two of workers";
            return refused("the algorithm does not carry out this collective", instead);
        }
        if !self.lengths.is_empty()
            && (self.lengths.len() != n * n || collective != Collective::AllToAll)
        {
            let instead = "give one for each pair of workers, and all-to-alls";
            return refused("lengths are for all pairs of an all-to-all", instead);
        }
        Ok(())
    }
}

/// A call as a rank carries it out.
pub(crate) struct Program {
    pub(crate) collective: Collective,
    /// Bytes of a rank's vector, or of its part.
    pub(crate) bytes: u64,
    pub(crate) setup: MpiSetup,
}

impl Program {
    /// Bytes of a chunk.
    fn chunk_bytes(&self, chunk: u32, workers: u16) -> u64 {
        match self.collective {
            Collective::AllToAll => {
                self.setup.lengths.get(chunk as usize).copied().unwrap_or(self.bytes)
            }
            Collective::AllReduce | Collective::Broadcast { .. } => {
                let MpiSetup { algorithm, segments, .. } = self.setup;
                let chunks = u64::from(algorithm.chunks(self.collective, workers, segments));
                let until = |chunk: u64| self.bytes * chunk / chunks;
                until(u64::from(chunk) + 1) - until(chunk.into())
            }
            _ => self.bytes,
        }
    }

    /// Chunks that a rank begins with: their numbers and values.
    fn first(&self, rank: u16, workers: u16) -> BTreeMap<u32, u64> {
        let (own, n) = (u32::from(rank), u32::from(workers));
        let MpiSetup { algorithm, segments, .. } = self.setup;
        let all = 0..algorithm.chunks(self.collective, workers, segments);
        let valued = |chunk: u32, by: u64| (chunk, weight(chunk.into()) * by);
        let of_rank = |chunk| valued(chunk, u64::from(rank) + 1);
        match self.collective {
            Collective::AllReduce => all.map(of_rank).collect(),
            Collective::Broadcast { root } | Collective::Scatter { root } if root.0 == rank => {
                all.map(|chunk| valued(chunk, 1)).collect()
            }
            Collective::Broadcast { .. } | Collective::Scatter { .. } => BTreeMap::new(),
            Collective::ReduceScatter => all.map(of_rank).collect(),
            Collective::Reduce { .. } | Collective::Scan => [of_rank(0)].into(),
            Collective::AllToAll => (own * n..(own + 1) * n).map(of_rank).collect(),
            Collective::Gather { root } => [of_rank((own + n - u32::from(root.0)) % n)].into(),
            _ => [of_rank(own)].into(),
        }
    }

    /// Chunks that a rank ends with.
    fn last(&self, rank: u16, workers: u16) -> BTreeMap<u32, u64> {
        let (own, n) = (u32::from(rank), u32::from(workers));
        let MpiSetup { algorithm, segments, .. } = self.setup;
        let all = 0..algorithm.chunks(self.collective, workers, segments);
        let valued = |chunk: u32, by: u64| (chunk, weight(chunk.into()) * by);
        match self.collective {
            Collective::AllReduce => {
                all.map(|chunk| valued(chunk, sum_of_ranks(workers))).collect()
            }
            Collective::Broadcast { .. } => all.map(|chunk| valued(chunk, 1)).collect(),
            Collective::Scatter { root } => [valued((own + n - u32::from(root.0)) % n, 1)].into(),
            Collective::ReduceScatter => [valued(own, sum_of_ranks(workers))].into(),
            Collective::Reduce { root } if root.0 == rank => {
                [valued(0, sum_of_ranks(workers))].into()
            }
            Collective::Scan => [valued(0, sum_of_ranks(rank + 1))].into(),
            Collective::AllGather => all.map(|chunk| valued(chunk, u64::from(chunk) + 1)).collect(),
            Collective::Gather { root } if root.0 == rank => {
                let from = |chunk: u32| u64::from((chunk + u32::from(root.0)) % n) + 1;
                all.map(|chunk| valued(chunk, from(chunk))).collect()
            }
            Collective::AllToAll => (0..n)
                .filter(|from| self.chunk_bytes(from * n + own, workers) > 0)
                .map(|from| valued(from * n + own, u64::from(from) + 1))
                .collect(),
            _ => BTreeMap::new(),
        }
    }
}

/// A call under way.
struct Running {
    call: u32,
    program: Program,
    /// Steps of each strand that have not been taken.
    strands: Vec<VecDeque<Step>>,
    /// The strand that has sent last.
    sent: usize,
    values: BTreeMap<u32, u64>,
}

/// A message that no step has taken.
struct Arrived {
    tag: u16,
    chunks: Vec<(u32, u64)>,
}

/// A message to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// Bytes in the buffer.
    pub(crate) len: usize,
    pub(crate) to: u16,
    /// Bytes of all packets that it stands for, without what is around the last of them.
    pub(crate) bytes: u32,
    /// Bytes of the first packet on a link.
    pub(crate) lead: u32,
}

/// A rank.
pub(crate) struct Process {
    rank: u16,
    workers: u16,
    /// Bytes of data in a packet.
    packet_bytes: u32,
    calls: VecDeque<Running>,
    /// Messages that no step has taken, by the ranks that have sent them.
    arrived: Vec<VecDeque<Arrived>>,
    done: VecDeque<Done>,
    counters: Counters,
}

impl Process {
    pub(crate) fn new(rank: u16, workers: u16, packet_bytes: u32) -> Self {
        Self {
            rank,
            workers,
            packet_bytes,
            calls: VecDeque::new(),
            arrived: (0..workers).map(|_| VecDeque::new()).collect(),
            done: VecDeque::new(),
            counters: Counters::default(),
        }
    }

    /// Bytes of the longest message in memory.
    pub(crate) fn most_bytes(setup: &MpiSetup, workers: u16) -> usize {
        MESSAGE_BYTES + CHUNK_BYTES * usize::from(workers).max(setup.segments as usize)
    }

    /// Makes this rank's part of a call.
    pub(crate) fn submit(&mut self, call: u32, program: Program) {
        let numbering = (self.rank, self.workers);
        let MpiSetup { algorithm, segments, .. } = program.setup;
        let has = |chunk| program.chunk_bytes(chunk, self.workers) > 0;
        let strands = algorithm.strands(program.collective, numbering, segments, has);
        let strands = strands.into_iter().map(VecDeque::from).collect();
        let values = program.first(self.rank, self.workers);
        self.calls.push_back(Running { call, program, strands, sent: 0, values });
        self.advance();
    }

    /// A message has come, whole.
    pub(crate) fn handle(&mut self, message: &[u8]) {
        let Some((&[from, more, tag, high], chunks)) = message.split_first_chunk() else { return };
        let chunks = chunks.as_chunks::<CHUNK_BYTES>().0.iter().map(|chunk| {
            let mut number = [0; 4];
            let mut value = [0; 8];
            number.copy_from_slice(&chunk[..4]);
            value.copy_from_slice(&chunk[4..]);
            (u32::from_le_bytes(number), u64::from_le_bytes(value))
        });
        if let Some(of_rank) = self.arrived.get_mut(usize::from(u16::from_le_bytes([from, more]))) {
            let tag = u16::from_le_bytes([tag, high]);
            of_rank.push_back(Arrived { tag, chunks: chunks.collect() });
            self.counters.packets_received += 1;
        }
        self.advance();
    }

    /// Takes all steps of each strand up to the next message to send, or the next that has not
    /// come.
    fn advance(&mut self) {
        while let Some(running) = self.calls.front_mut() {
            let Running { strands, values, .. } = running;
            for steps in &mut *strands {
                while let Some(&Step::Receive { from, tag, adds }) = steps.front() {
                    let of_rank = &mut self.arrived[usize::from(from)];
                    let place = of_rank.iter().position(|arrived| arrived.tag == tag);
                    let Some(arrived) = place.and_then(|place| of_rank.remove(place)) else {
                        break;
                    };
                    for (chunk, value) in arrived.chunks {
                        let held = values.entry(chunk).or_default();
                        *held = if adds { held.wrapping_add(value) } else { value };
                    }
                    steps.pop_front();
                }
            }
            if strands.iter().any(|steps| !steps.is_empty()) {
                return;
            }
            let last = running.program.last(self.rank, self.workers);
            let wrong =
                last.iter().filter(|(chunk, value)| running.values.get(chunk) != Some(*value));
            self.done.push_back(Done { call: running.call, wrong: wrong.count() as u64 });
            self.calls.pop_front();
        }
    }

    /// The next message.
    pub(crate) fn poll_transmit(&mut self, buffer: &mut [u8]) -> Option<Message> {
        let running = self.calls.front_mut()?;
        // Strands take turns.
        let count = running.strands.len();
        let sends =
            |strand: &usize| matches!(running.strands[*strand].front(), Some(Step::Send { .. }));
        let strand = (1..=count).map(|after| (running.sent + after) % count).find(sends)?;
        let Some(Step::Send { to, tag, chunks }) = running.strands[strand].pop_front() else {
            return None;
        };
        running.sent = strand;
        let (mut len, mut bytes) = (MESSAGE_BYTES, 0);
        buffer[..2].copy_from_slice(&self.rank.to_le_bytes());
        buffer[2..MESSAGE_BYTES].copy_from_slice(&tag.to_le_bytes());
        for chunk in chunks {
            bytes += running.program.chunk_bytes(chunk, self.workers);
            let value = running.values.get(&chunk).copied().unwrap_or_default();
            buffer[len..len + 4].copy_from_slice(&chunk.to_le_bytes());
            buffer[len + 4..len + CHUNK_BYTES].copy_from_slice(&value.to_le_bytes());
            len += CHUNK_BYTES;
        }
        let (on_link, lead) = packets(bytes, self.packet_bytes);
        self.counters.packets_sent += 1;
        self.counters.bytes_sent += bytes;
        self.advance();
        Some(Message { len, to, bytes: (on_link - u64::from(OVERHEAD_BYTES)) as u32, lead })
    }

    /// The next call that has ended.
    pub(crate) fn poll_done(&mut self) -> Option<Done> {
        self.done.pop_front()
    }

    pub(crate) fn counters(&self) -> Counters {
        self.counters
    }
}

/// Bytes that a message takes on a link, and those of its first packet.
fn packets(bytes: u64, packet_bytes: u32) -> (u64, u32) {
    let around = HEADER_BYTES + OVERHEAD_BYTES;
    let packets = bytes.div_ceil(packet_bytes.into()).max(1);
    let lead = bytes.min(packet_bytes.into()) as u32 + around;
    (bytes + packets * u64::from(around), lead)
}
