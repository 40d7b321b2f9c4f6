//! A worker's side of a table: a thread that drives the client machine, and calls from others.

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use netfold_num::Number;
use netfold_worker::keyed::{Client, ClientConfig, ClientCounters, ClientEvent, Kept};

use super::driver::{Shared, State};
use super::link::Link;
use super::{TableAddress, TablePath};
use crate::communicator::Communicator;
use crate::error::Error;
use crate::notify::Notifier;
use crate::pin::spawn;
use crate::process::ProcessLocal;

/// Pushes that wait to be sent, beyond which a caller waits. Those that are under way come to
/// that.
const MOST_WAITING: usize = 2048;

/// Totals of a worker's table.
pub type TableStats = ClientCounters;

/// A worker's side of the table of its job. Calls may be made from any thread.
///
/// It belongs to its process: a copy in a fork refuses every call.
pub struct TableClient {
    running: ProcessLocal<Running>,
    address: TableAddress,
    near: SocketAddr,
}

struct Running {
    shared: Arc<Shared>,
    notifier: Notifier,
    thread: Option<JoinHandle<()>>,
}

impl TableClient {
    /// Returns the client of the table of a job. If the switch does not answer for the job's
    /// time-out, it counts as lost.
    ///
    /// # Errors
    /// [`Error::Forked`]; or [`Error::Io`] if there can be no socket or thread.
    ///
    /// # Panics
    /// If the job has no table.
    pub fn open(communicator: &Communicator, scale: i32) -> Result<Self, Error> {
        Self::open_for(communicator, scale, None)
    }

    /// Returns the client of a table that is in a pipeline, if `registers` are given: those over
    /// which its rows are laid (R-HOT-6).
    ///
    /// # Errors
    /// As [`open`](Self::open).
    ///
    /// # Panics
    /// As [`open`](Self::open); or if a row does not fit a packet of a pipeline.
    pub fn open_for(
        communicator: &Communicator,
        scale: i32,
        registers: Option<NonZeroU32>,
    ) -> Result<Self, Error> {
        let path = communicator.table(scale)?;
        Self::start(path, registers).map_err(Error::io("the table cannot be reached"))
    }

    fn start(path: TablePath, registers: Option<NonZeroU32>) -> io::Result<Self> {
        let TablePath { address, near, memory, stream, timeout } = path;
        let (link, bell) = match memory {
            Some(way) => Link::memory(way)?,
            None => Link::udp(address.endpoint()?, near, address.shard)?,
        };
        let (table, datagram_bytes) = (address.table, address.datagram_bytes);
        let client = Client::new(ClientConfig { stream, table, datagram_bytes });
        let client = registers.into_iter().fold(client, Client::for_pipeline);
        let shared = Arc::new(Shared::new(client, link, timeout));
        let (own, notifier) = (shared.clone(), bell.notifier());
        let thread = Some(spawn("netfold-table".into(), None, move || own.serve(bell))?);
        let running = ProcessLocal::new(Running { shared, notifier, thread })?;
        Ok(Self { running, address, near })
    }

    /// Returns the table as servers find it.
    pub fn address(&self) -> &TableAddress {
        &self.address
    }

    /// Pushes rows, one after the other, for distinct ranks, as soon as there is room. Returns
    /// whether there was within `limit`; otherwise nothing was pushed.
    ///
    /// # Errors
    /// [`Error::Forked`]; [`Error::SwitchLost`], after which nothing of this push is kept.
    ///
    /// # Panics
    /// If there are not as many rows as ranks, or they are of another type than the table's.
    pub fn try_push<T: Number>(
        &self,
        ranks: &[u32],
        rows: &[T],
        limit: Duration,
    ) -> Result<bool, Error> {
        let running = self.running.get()?;
        let full =
            |state: &mut State| state.is_open() && state.client.unacknowledged() > MOST_WAITING;
        let waited = running.shared.changed.wait_timeout_while(running.shared.lock(), limit, full);
        let (state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        self.check(&state)?;
        if waited.timed_out() {
            return Ok(false);
        }
        drop(state);
        let mut lanes = Vec::new();
        self.address.lanes().encode(rows, &mut lanes);
        // Other threads may have taken the room meanwhile: there is more for each of them.
        let mut state = running.shared.lock();
        self.check(&state)?;
        state.client.push(ranks, &lanes);
        running.send(state);
        Ok(true)
    }

    /// Pushes rows, however long there is no room; see [`TableClient::try_push`].
    ///
    /// # Errors
    /// As [`TableClient::try_push`].
    pub fn push<T: Number>(&self, ranks: &[u32], rows: &[T]) -> Result<(), Error> {
        while !self.try_push(ranks, rows, Duration::MAX)? {}
        Ok(())
    }

    /// Pulls the values of resident rows into `rows`, one after the other. Returns the positions of
    /// ranks that are not loaded.
    ///
    /// # Errors
    /// [`Error::Forked`] or [`Error::SwitchLost`].
    ///
    /// # Panics
    /// As [`TableClient::try_push`].
    pub fn pull<T: Number>(&self, ranks: &[u32], rows: &mut [T]) -> Result<Vec<usize>, Error> {
        let running = self.running.get()?;
        let changed = &running.shared.changed;
        let wait_while = |state, condition: fn(&mut State) -> bool| {
            changed.wait_while(state, condition).unwrap_or_else(PoisonError::into_inner)
        };
        // One pull at a time.
        let busy = |state: &mut State| state.is_open() && state.pulling;
        let mut state = wait_while(running.shared.lock(), busy);
        self.check(&state)?;
        state.pulling = true;
        state.client.pull(ranks);
        running.send(state);
        let missing = |state: &mut State| state.is_open() && !state.client.has_pulled();
        let state = running.shared.watch(missing);
        let mut state = wait_while(state, missing);
        state.pulling = false;
        let pulled = std::mem::take(&mut state.pulled);
        let checked = self.check(&state);
        drop(state);
        changed.notify_all();
        checked?;
        Ok(self.place(ranks, rows, &pulled))
    }

    /// Puts rows that were pulled where their ranks stand.
    fn place<T: Number>(
        &self,
        ranks: &[u32],
        rows: &mut [T],
        pulled: &[ClientEvent],
    ) -> Vec<usize> {
        let (width, row_bytes) =
            (usize::from(self.address.table.width), self.address.table.row_bytes());
        assert_eq!(rows.len(), ranks.len() * width, "a row for each rank");
        let mut order: Vec<u32> = (0..ranks.len() as u32).collect();
        order.sort_unstable_by_key(|position| ranks[*position as usize]);
        let mut missing = vec![true; ranks.len()];
        for ClientEvent::Pulled { ranks: found, rows: lanes, .. } in pulled {
            for (rank, lanes) in found.iter().zip(lanes.chunks_exact(row_bytes)) {
                let at = order.partition_point(|position| ranks[*position as usize] < *rank);
                let own = order[at..].iter().map(|position| *position as usize);
                for position in own.take_while(|position| ranks[*position] == *rank) {
                    let row = &mut rows[position * width..][..width];
                    self.address.lanes().decode(lanes, row);
                    missing[position] = false;
                }
            }
        }
        (0..ranks.len()).filter(|position| missing[*position]).collect()
    }

    fn check(&self, state: &State) -> Result<(), Error> {
        let sealed = state.sealed.then(|| "its epoch is sealed".to_owned());
        match state.lost.clone().or(sealed) {
            None => Ok(()),
            Some(why) => Err(Error::SwitchLost { address: self.near.to_string(), why }),
        }
    }

    /// Waits at most `limit` until all pushes are acknowledged, and returns whether they are.
    ///
    /// # Errors
    /// [`Error::Forked`] or [`Error::SwitchLost`].
    pub fn wait_acknowledged(&self, limit: Duration) -> Result<bool, Error> {
        let running = self.running.get()?;
        let waits = |state: &mut State| state.is_open() && state.client.unacknowledged() > 0;
        let waited = running.shared.changed.wait_timeout_while(running.shared.lock(), limit, waits);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        self.check(&state)?;
        Ok(state.client.unacknowledged() == 0)
    }

    /// Returns how many pushes were made, modulo 2^32.
    pub fn made(&self) -> u32 {
        self.running.get().map_or(0, |running| running.shared.lock().client.made())
    }

    /// Notes that the servers of `parts`, a bit for each, have stored all pushes numbered below
    /// `before` (R-KEY-10).
    pub fn note_stored(&self, parts: u64, before: u32) {
        if let Ok(running) = self.running.get() {
            running.shared.lock().client.note_stored(parts, before);
        }
    }

    /// Stops pushing for good. Calls that wait return (R-KEY-10).
    pub fn seal(&self) {
        if let Ok(running) = self.running.get() {
            running.shared.lock().sealed = true;
            running.shared.changed.notify_all();
            running.notifier.wake();
        }
    }

    /// Counts the switch as lost.
    pub fn lose(&self, why: impl Into<String>) {
        if let Ok(running) = self.running.get() {
            running.shared.lose(why.into());
        }
    }

    /// Returns why the switch counts as lost, once it does.
    pub fn lost(&self) -> Option<String> {
        self.running.get().ok().and_then(|running| running.shared.lock().lost.clone())
    }

    /// Returns the pushes that are kept, with their pairs of `parts`: number, ranks and rows
    /// (R-KEY-10).
    pub fn kept<T: Number>(&self, parts: u64) -> Vec<(u32, Vec<u32>, Vec<T>)> {
        let Ok(running) = self.running.get() else { return vec![] };
        let (state, lanes) = (running.shared.lock(), self.address.lanes());
        let kept = state.client.kept(parts);
        kept.map(|Kept { number, ranks, rows }| (number, ranks, lanes.numbers(&rows))).collect()
    }

    /// Returns the bytes of pushes that are kept.
    pub fn kept_bytes(&self) -> usize {
        self.running.get().map_or(0, |running| running.shared.lock().client.kept_bytes())
    }

    /// Returns the totals.
    pub fn stats(&self) -> TableStats {
        let running = self.running.get().ok();
        running.map_or_else(TableStats::default, |running| running.shared.lock().client.counters())
    }
}

impl Running {
    /// Sends what is to be sent, and has the thread wait no longer than for its answers.
    fn send(&self, state: MutexGuard<'_, State>) {
        if self.shared.send(state) {
            self.notifier.wake();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.notifier.wake();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}
