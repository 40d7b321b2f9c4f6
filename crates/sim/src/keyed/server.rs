//! A server of a table: it takes what workers push, answers what they pull, and reads the sums of
//! hot rows from the switch.

use std::collections::BTreeMap;

use netfold_wire::{in_parts, pushes_in};
use netfold_worker::keyed::{Generation, Reader, ReaderConfig, ReaderEvent};

use super::message::Message;
use super::{LANE_BYTES, Outgoing, Part, segments, swap};
use crate::admit::EPOCH;
use crate::peers::connection::Segment;
use crate::time::Time;

/// Messages of a worker: they come in any order, and are taken in that of their numbers.
#[derive(Clone, Debug, Default)]
struct Inbox {
    early: BTreeMap<u64, Segment>,
    next: u64,
}

impl Inbox {
    fn take(&mut self) -> Option<Segment> {
        let segment = self.early.remove(&self.next)?;
        self.next += 1;
        Some(segment)
    }
}

/// A server of a table.
pub(crate) struct Server {
    part: Part,
    /// Towards the switch; `None` if no key is hot.
    reader: Option<Reader>,
    inboxes: Vec<Inbox>,
    outgoing: Vec<Outgoing>,
    /// Sums of hot lanes, of the generations that it has stored.
    sums: Vec<i64>,
    /// Sum of the numbers that stand for pairs of cold keys.
    prints: u64,
    loading: bool,
    /// Time at which it asks for the open generation; `None` if it has what was pushed in all steps
    /// that have ended.
    asks_at: Option<Time>,
    /// Pushes of each worker in steps that have ended, and those in the generations that it has
    /// stored.
    pushes: Vec<(u32, u32)>,
    last_asked: Time,
    /// Generations that it has missed, and messages that make no sense.
    wrong: u64,
}

impl Server {
    pub(crate) fn new(part: Part) -> Self {
        let Part { job, workers, terms, timing, table, .. } = part;
        let parts = part.parts_of(part.rank - workers);
        let reader = part.terms_of_table().map(|table| {
            let (epoch, stored) = (EPOCH, 0);
            let datagram_bytes = part.datagram_bytes();
            Reader::new(ReaderConfig {
                job,
                epoch,
                workers,
                terms,
                table,
                datagram_bytes,
                parts,
                stored,
                first_request: 0,
                timing,
            })
        });
        Self {
            reader,
            inboxes: vec![Inbox::default(); workers.into()],
            outgoing: vec![Outgoing::default(); workers.into()],
            sums: vec![0; table.hot as usize * usize::from(table.width)],
            prints: 0,
            loading: false,
            asks_at: None,
            pushes: vec![(0, 0); workers.into()],
            last_asked: Time::ZERO,
            wrong: 0,
            part,
        }
    }

    /// The job begins: loads zeros into its hot rows (R-KEY-12).
    pub(crate) fn begin(&mut self) {
        let Some(reader) = &mut self.reader else { return };
        if !std::mem::replace(&mut self.loading, true) {
            let parts = self.part.parts_of(self.part.rank - self.part.workers);
            let own = (0..self.part.table.hot).filter(|rank| in_parts(parts, *rank));
            let own: Vec<u32> = own.collect();
            let (_, row_bytes) = self.part.pair_bytes();
            reader.load(&own, &vec![0; own.len() * row_bytes as usize]);
        }
    }

    /// A message of a worker.
    pub(crate) fn take(&mut self, now: Time, worker: u16, number: u64, segment: Segment) {
        let worker = usize::from(worker);
        self.inboxes[worker].early.insert(number, segment);
        while let Some(segment) = self.inboxes[worker].take() {
            match Message::of(segment) {
                Message::Push(print) => self.prints = self.prints.wrapping_add(print),
                Message::Pull(keys) => {
                    let (_, row_bytes) = self.part.pair_bytes();
                    for keys in segments(keys.into(), row_bytes, self.part.payload_bytes) {
                        let rows = Message::Rows(keys).segment(keys * row_bytes);
                        self.outgoing[worker].push(rows);
                    }
                }
                Message::EndStep(pushes) => {
                    self.pushes[worker].0 = pushes;
                    if self.is_behind() {
                        let age = Time::from_us(self.part.table.max_age_us);
                        self.asks_at = self.asks_at.or(Some(now.max(self.last_asked + age)));
                    }
                }
                Message::Rows(_) | Message::Stored(_) => self.wrong += 1,
            }
        }
    }

    /// Takes a datagram of the switch.
    pub(crate) fn handle(&mut self, now: Time, datagram: &[u8]) {
        let Some(reader) = &mut self.reader else { return };
        reader.handle(now.us(), datagram);
        while let Some(event) = self.reader.as_mut().and_then(Reader::poll_event) {
            let goes_on = match event {
                ReaderEvent::Open { empty, .. } => !empty,
                ReaderEvent::Read(generation) => {
                    self.store(&generation);
                    true
                }
                ReaderEvent::Ahead { .. } => {
                    self.wrong += 1;
                    false
                }
                ReaderEvent::Loaded => continue,
            };
            let age = Time::from_us(self.part.table.max_age_us);
            self.asks_at = (goes_on || self.is_behind()).then_some(now.max(self.last_asked + age));
        }
    }

    fn store(&mut self, generation: &Generation) {
        let width = usize::from(self.part.table.width);
        let (lanes, _) = generation.rows.as_chunks::<{ LANE_BYTES as usize }>();
        for (rank, row) in generation.ranks.iter().zip(lanes.chunks(width)) {
            let sums = self.sums[*rank as usize * width..].iter_mut();
            let order = self.part.terms.byte_order;
            let values = row.iter().map(|lane| i64::from(i32::from_le_bytes(swap(order, *lane))));
            sums.zip(values).for_each(|(sum, value)| *sum += value);
        }
        if let Some(reader) = &mut self.reader {
            reader.note_stored(generation.number);
        }
        let workers = self.outgoing.iter_mut().zip(&mut self.pushes);
        for ((queue, (_, stored)), window) in workers.zip(&generation.windows) {
            *stored = pushes_in(window);
            queue.push(Message::Stored(*stored).short());
        }
    }

    /// Returns whether a step that has ended waits for pushes (R-SERVE-6). In a tree the switch's
    /// word that nothing was pushed does not tell: it is about an earlier question (R-KEY-18).
    fn is_behind(&self) -> bool {
        self.pushes.iter().any(|(ended, stored)| stored < ended)
    }

    /// Messages for a worker.
    pub(crate) fn outgoing(&mut self, worker: usize) -> &mut Outgoing {
        &mut self.outgoing[worker]
    }

    /// Looks at the clock: asks for the open generation when it is old enough (R-SERVE-6).
    pub(crate) fn handle_timeout(&mut self, now: Time) {
        let Some(reader) = &mut self.reader else { return };
        reader.handle_timeout(now.us());
        if !reader.is_busy() && self.asks_at.take_if(|at| *at <= now).is_some() {
            self.last_asked = now;
            reader.ask(true);
        }
    }

    /// Returns the time at which to look at the clock next.
    pub(crate) fn poll_timeout(&mut self) -> Option<Time> {
        let reader = self.reader.as_mut()?;
        let asks_at = self.asks_at.filter(|_| !reader.is_busy());
        reader.poll_timeout().map(Time::from_us).into_iter().chain(asks_at).min()
    }

    /// Writes the next datagram for the switch.
    pub(crate) fn poll_transmit(&mut self, now: Time, buffer: &mut [u8]) -> Option<usize> {
        self.reader.as_mut()?.poll_transmit(now.us(), buffer)
    }

    /// Sums of the hot lanes, and of the numbers that stand for pairs of cold keys.
    pub(crate) fn sums(&self) -> (&[i64], u64) {
        (&self.sums, self.prints)
    }

    /// Number of messages that it did not understand.
    pub(crate) fn wrong(&self) -> u64 {
        self.wrong
    }
}
