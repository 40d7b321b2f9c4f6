//! Packets that a shard has to send, and the batches that are made of them.

use std::collections::VecDeque;

use netfold_wire::{JobId, Kind, Pool, Position, Repr, SlotIndex};

use crate::job::Job;
use crate::shard::{Recipients, Transmit};

/// The result of a round, to be sent as long as the round's copy holds it; or the answer to a
/// query.
#[derive(Clone, Copy)]
pub(crate) struct Emission {
    pub(crate) job: JobId,
    pub(crate) slot: SlotIndex,
    pub(crate) pool: Pool,
    pub(crate) position: Position,
    pub(crate) kind: Kind,
    pub(crate) to: Recipients,
    /// A query or a recall, instead of the result (R-SLOT-10, R-TREE-4).
    pub(crate) short: Option<Repr>,
}

impl Emission {
    /// Returns the result of the round that a contribution belongs to.
    pub(crate) fn of(&Repr { job, slot, pool, position, kind, .. }: &Repr, to: Recipients) -> Self {
        Self { job, slot, pool, position, kind, to, short: None }
    }

    /// Returns its header, and the lanes that follow it; `None` if the copy has gone on to another
    /// round.
    fn packet<'a>(&self, job: &'a Job) -> Option<(Repr, [&'a [u8]; 2])> {
        if let Some(short) = self.short {
            return Some((short, [&[], &[]]));
        }
        let header = job.slots.header(&job.spec, self.slot, self.pool, self.to)?;
        if (header.position, header.kind) != (self.position, self.kind) {
            return None;
        }
        let Some(lanes) = (if header.empty { None } else { job.lanes(&header, self.to) }) else {
            return Some((Repr { empty: true, ..header }, [&[], &[]]));
        };
        // R-SLOT-13: a result may have several folds.
        let bytes: usize = lanes.iter().map(|part| part.len()).sum();
        let elements = (bytes / header.element_type.bytes()) as u16;
        Some((Repr { empty: false, elements, ..header }, lanes))
    }
}

/// Emissions in the order in which they go out.
pub(crate) trait Queue {
    /// Returns the next one.
    fn next(&mut self, jobs: &[Option<Job>]) -> Option<Emission>;

    /// Takes it out.
    fn pop(&mut self);
}

impl Queue for VecDeque<Emission> {
    fn next(&mut self, _: &[Option<Job>]) -> Option<Emission> {
        self.front().copied()
    }

    fn pop(&mut self) {
        self.pop_front();
    }
}

/// Results of complete rounds that differ from member to member (R-SLOT-13). Those of several
/// rounds for one member follow each other, so that they form batches.
#[derive(Clone, Default)]
pub(crate) struct Exchanges {
    rounds: VecDeque<Emission>,
    /// The first rounds, all of one job, whose results are being sent.
    batch: usize,
    /// Number of the member, and index of the round, whose result is next.
    at: (usize, usize),
    /// Members of the job.
    members: usize,
}

impl Exchanges {
    /// Adds a round.
    pub(crate) fn push(&mut self, round: Emission) {
        self.rounds.push_back(round);
    }

    /// Leaves out the rounds of a job that is released.
    pub(crate) fn forget(&mut self, job: JobId) {
        if self.rounds.front().is_some_and(|round| round.job == job) {
            (self.batch, self.at) = (0, (0, 0));
        }
        self.rounds.retain(|round| round.job != job);
    }
}

impl Queue for Exchanges {
    fn next(&mut self, jobs: &[Option<Job>]) -> Option<Emission> {
        let first = self.rounds.front()?.job;
        let place = &jobs[usize::from(first.0)].as_ref()?.spec.place;
        if self.batch == 0 {
            self.batch = self.rounds.iter().take_while(|round| round.job == first).count();
            self.members = place.members().len();
        }
        let (member, round) = self.at;
        let to = Recipients::One(*place.members().get(member)?);
        Some(Emission { to, ..*self.rounds.get(round)? })
    }

    fn pop(&mut self) {
        let (member, round) = &mut self.at;
        *round += 1;
        if *round == self.batch {
            (*member, *round) = (*member + 1, 0);
        }
        if *member == self.members {
            self.rounds.drain(..self.batch);
            (self.batch, self.at) = (0, (0, 0));
        }
    }
}

/// Fills `buffer` from the front of `queue`, as [`Shard::poll_transmit`](crate::Shard) says.
pub(crate) fn fill(
    jobs: &[Option<Job>],
    queue: &mut dyn Queue,
    buffer: &mut [u8],
    max_segments: usize,
) -> Option<Transmit> {
    let mut transmit: Option<Transmit> = None;
    let mut segments = 0;
    while let Some(emission) = queue.next(jobs) {
        let job = jobs[usize::from(emission.job.0)]
            .as_ref()
            .expect("release() drops the emissions of a job");
        let Some((header, lanes)) = emission.packet(job) else {
            queue.pop();
            continue;
        };
        let bytes = header.datagram_bytes();
        let batch = transmit.get_or_insert(Transmit {
            job: emission.job,
            to: emission.to,
            len: 0,
            segment: bytes,
        });
        let fits = bytes <= batch.segment && batch.len + bytes <= buffer.len();
        assert!(fits || segments > 0, "the buffer does not hold one datagram of {bytes} bytes");
        if !fits || (emission.job, emission.to) != (batch.job, batch.to) {
            break;
        }
        write(job, &header, &lanes, &mut buffer[batch.len..batch.len + bytes]);
        queue.pop();
        batch.len += bytes;
        segments += 1;
        // Only the last datagram of a batch may be shorter.
        if bytes < batch.segment || segments >= max_segments {
            break;
        }
    }
    transmit
}

fn write(job: &Job, packet: &Repr, [first, second]: &[&[u8]; 2], datagram: &mut [u8]) {
    let (header, rest) = datagram.split_first_chunk_mut().expect("a datagram has a header");
    packet.emit(header);
    let (before, after) = rest.split_at_mut(first.len());
    before.copy_from_slice(first);
    after.copy_from_slice(second);
    job.spec.terms.integrity.seal(datagram);
}
