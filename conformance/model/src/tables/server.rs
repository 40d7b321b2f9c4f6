//! A server of a table.

use std::collections::BTreeMap;
use std::sync::Arc;

use netfold_wire::{FRESH_WINDOW, Window, has_push, in_parts};
use netfold_worker::keyed::{Generation, Kept, Reader, ReaderEvent, ReaderProgress};

use super::job::TableJob;
use super::worker::DATAGRAM_BYTES;
use super::{Fault, TableRule};
use crate::network::digest;

/// The part of a server that outlives its loss.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Store {
    /// The last generation that is in its sums.
    pub(super) generation: u32,
    /// The windows of that generation.
    pub(super) windows: Vec<Window>,
    /// By rank.
    pub(super) sums: BTreeMap<u32, u32>,
    /// It reads and stores nothing more of the epoch (R-KEY-10).
    pub(super) sealed: bool,
    /// The plane of all this, and the workers that have opened the next one, a bit for each
    /// (R-KEY-13).
    pub(super) plane: usize,
    pub(super) opened: u64,
}

/// All of a server that tells one state from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct View {
    pub(super) store: Store,
    progress: ReaderProgress,
    /// Number of times that it has asked.
    pub(super) asks: u32,
    /// Number of times that it was lost.
    losses: u32,
}

/// A server.
#[derive(Clone)]
pub(super) struct Server {
    reader: Reader,
    view: View,
    digest: u64,
    /// Nothing was pushed in the generation that was open when it asked last. Only
    /// [`recovery`](super::recovery) looks at it.
    pub(super) empty: bool,
}

impl Server {
    pub(super) fn new(job: &TableJob, server: u16) -> Self {
        let store = Store {
            generation: 0,
            windows: vec![FRESH_WINDOW; job.workers().into()],
            sums: BTreeMap::new(),
            sealed: false,
            plane: 0,
            opened: 0,
        };
        let reader = Reader::new(job.reader_config(server, 0, 0, 0));
        let view = View { store, progress: reader.progress(), asks: 0, losses: 0 };
        Self { reader, digest: digest(&view), view, empty: false }
    }

    pub(super) fn view(&self) -> &View {
        &self.view
    }

    pub(super) fn digest(&self) -> u64 {
        self.digest
    }

    /// Returns whether it may take an answer to the request of this number, now or later.
    pub(super) fn awaits(&self, number: u32) -> bool {
        let progress = &self.view.progress;
        number >= progress.next
            || progress.requests.iter().any(|(request, _)| request.sequence == number)
    }

    pub(super) fn is_busy(&self) -> bool {
        self.reader.is_busy()
    }

    pub(super) fn poll_timeout(&mut self) -> Option<u64> {
        self.reader.poll_timeout()
    }

    /// Asks for the next generation, and closes it if that is possible.
    pub(super) fn ask(
        &mut self,
        server: u16,
        job: &TableJob,
        now_us: u64,
    ) -> Result<Vec<Arc<[u8]>>, Fault> {
        if !self.reader.is_busy() {
            self.view.asks += 1;
            self.reader.ask(true);
        }
        self.drain(server, job, now_us)
    }

    pub(super) fn handle(
        &mut self,
        server: u16,
        job: &TableJob,
        now_us: u64,
        datagram: &[u8],
    ) -> Result<Vec<Arc<[u8]>>, Fault> {
        self.reader.handle(now_us, datagram);
        self.drain(server, job, now_us)
    }

    /// Looks at its timers.
    pub(super) fn look(
        &mut self,
        server: u16,
        job: &TableJob,
        now_us: u64,
    ) -> Result<Vec<Arc<[u8]>>, Fault> {
        self.reader.handle_timeout(now_us);
        self.drain(server, job, now_us)
    }

    /// Stores what has been read, and sends what is due.
    fn drain(&mut self, server: u16, job: &TableJob, now_us: u64) -> Result<Vec<Arc<[u8]>>, Fault> {
        let mut buffer = vec![0; DATAGRAM_BYTES];
        let mut sent = Vec::new();
        while let Some(len) = self.reader.poll_transmit(now_us, &mut buffer) {
            sent.push(Arc::from(&buffer[..len]));
        }
        while let Some(event) = self.reader.poll_event() {
            match event {
                ReaderEvent::Open { empty, .. } => self.empty = empty,
                ReaderEvent::Read(generation) => self.store(server, job, generation)?,
                ReaderEvent::Ahead { .. } => return Err(Fault::Overwritten { server }),
                ReaderEvent::Loaded => {}
            }
        }
        self.changed();
        Ok(sent)
    }

    fn changed(&mut self) {
        self.view.progress = self.reader.progress();
        self.digest = digest(&self.view);
    }

    /// Stores a generation, whole, with its windows (R-KEY-10).
    fn store(&mut self, server: u16, job: &TableJob, read: Generation) -> Result<(), Fault> {
        let store = &mut self.view.store;
        let own = |rank: &u32| in_parts(job.parts(server), *rank);
        if read.number != store.generation + 1 || !read.ranks.iter().all(own) {
            return Err(Fault::WrongSum { server });
        }
        (store.generation, store.windows) = (read.number, read.windows);
        let (rows, _) = read.rows.as_chunks::<4>();
        for (rank, row) in read.ranks.iter().zip(rows) {
            self.add(*rank, u32::from_le_bytes(*row));
        }
        self.reader.note_stored(read.number);
        self.checked(server, job)
    }

    fn add(&mut self, rank: u32, row: u32) {
        let sum = self.view.store.sums.entry(rank).or_default();
        *sum = sum.wrapping_add(row);
    }

    fn checked(&self, server: u16, job: &TableJob) -> Result<(), Fault> {
        let possible = |(rank, sum): (&u32, &u32)| job.is_possible(*rank, *sum);
        let right = self.view.store.sums.iter().all(possible);
        right.then_some(()).ok_or(Fault::WrongSum { server })
    }

    /// Seals the epoch, unless that is the rule that is broken.
    pub(super) fn seal(&mut self, broken: Option<TableRule>) {
        self.view.store.sealed = true;
        if broken != Some(TableRule::Seal) {
            self.reader.seal();
        }
        self.changed();
    }

    /// Takes what a worker replays and what is in no generation that it has stored (R-KEY-10).
    pub(super) fn take_replay(
        &mut self,
        server: u16,
        job: &TableJob,
        worker: u16,
        kept: &[Kept],
        broken: Option<TableRule>,
    ) -> Result<(), Fault> {
        for kept in kept {
            let window = &self.view.store.windows[usize::from(worker)];
            if !has_push(window, kept.number) || broken == Some(TableRule::Replay) {
                let (rows, _) = kept.rows.as_chunks::<4>();
                for (rank, row) in kept.ranks.iter().zip(rows) {
                    self.add(*rank, u32::from_le_bytes(*row));
                }
            }
        }
        self.changed();
        self.checked(server, job)
    }

    /// Hears that a worker has opened the next plane, which it reads when all have.
    pub(super) fn open(
        &mut self,
        server: u16,
        job: &TableJob,
        worker: u16,
        broken: Option<TableRule>,
    ) {
        let store = &mut self.view.store;
        store.opened |= 1 << worker;
        let all = store.opened.count_ones() == u32::from(job.workers());
        if store.plane == 0 && (all || broken == Some(TableRule::Opened)) {
            (store.generation, store.sealed, store.plane) = (0, false, 1);
            store.windows.fill(FRESH_WINDOW);
            self.reader = Reader::new(job.reader_config(server, 1, 0, self.view.losses));
        }
        self.changed();
    }

    /// Comes back after a loss with what it has stored.
    pub(super) fn lose(&mut self, server: u16, job: &TableJob, broken: Option<TableRule>) {
        self.view.losses += 1;
        if broken == Some(TableRule::StoredSeal) {
            self.view.store.sealed = false;
        }
        let numbered = if broken == Some(TableRule::Numbers) { 0 } else { self.view.losses };
        let Store { plane, generation, .. } = self.view.store;
        let config = job.reader_config(server, plane, generation, numbered);
        self.reader = Reader::new(config);
        self.changed();
    }
}
