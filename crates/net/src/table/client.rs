//! A worker's side of a table: a thread that drives the client machine, and calls from others.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use netfold_num::Number;
use netfold_wire::{TableKind, TablePacket};
use netfold_worker::StreamConfig;
use netfold_worker::keyed::{Client, ClientConfig, ClientCounters, ClientEvent, Kept};
use rustix::event::{PollFd, PollFlags};

use super::TableAddress;
use crate::clock::Clock;
use crate::communicator::Communicator;
use crate::endpoint::{Endpoint, MAX_BURST_BYTES, MAX_BURST_SEGMENTS, wait};
use crate::error::Error;
use crate::notify::{EventFd, Notifier};
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

/// State that callers share with the thread.
struct Shared {
    state: Mutex<State>,
    /// Notified when something was acknowledged, has come, or is lost.
    changed: Condvar,
}

struct State {
    client: Client,
    /// Rows that were pulled and not fetched.
    pulled: Vec<ClientEvent>,
    /// A pull is in progress.
    pulling: bool,
    /// Reason for which the switch counts as lost.
    lost: Option<String>,
    /// Nothing is pushed any more.
    sealed: bool,
    stopped: bool,
}

impl State {
    /// Returns whether the switch is asked, and pushed to.
    fn is_open(&self) -> bool {
        self.lost.is_none() && !self.sealed
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lose(&self, why: String) {
        self.lock().lost.get_or_insert(why);
        self.changed.notify_all();
    }
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
        let (address, near, stream, timeout) = communicator.table(scale)?;
        Self::start(address, near, stream, timeout)
            .map_err(Error::io("the table cannot be reached"))
    }

    fn start(
        address: TableAddress,
        near: SocketAddr,
        stream: StreamConfig,
        timeout: Duration,
    ) -> io::Result<Self> {
        let (table, datagram_bytes) = (address.table, address.datagram_bytes);
        let client = Client::new(ClientConfig { stream, table, datagram_bytes });
        let state = State {
            client,
            pulled: Vec::new(),
            pulling: false,
            lost: None,
            sealed: false,
            stopped: false,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let wake = EventFd::new()?;
        let (notifier, endpoint) = (wake.notifier(), address.endpoint()?);
        let driver = Driver {
            shared: shared.clone(),
            top: address.shard,
            near,
            endpoint,
            wake,
            clock: Clock::start(),
            heard: Instant::now(),
            timeout,
            burst: vec![0; MAX_BURST_BYTES].into(),
        };
        let thread = Some(spawn("netfold-table".into(), None, move || driver.run())?);
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
        drop(state);
        running.notifier.wake();
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
        running.notifier.wake();
        let missing = |state: &mut State| state.is_open() && !state.client.has_pulled();
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

    /// Returns the totals.
    pub fn stats(&self) -> TableStats {
        let running = self.running.get().ok();
        running.map_or_else(TableStats::default, |running| running.shared.lock().client.counters())
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

/// The thread of a client.
struct Driver {
    shared: Arc<Shared>,
    /// The shard to which it pushes: of the switch that the worker has joined at (R-KEY-17).
    near: SocketAddr,
    /// That from which it pulls.
    top: SocketAddr,
    endpoint: Endpoint,
    wake: EventFd,
    clock: Clock,
    /// When the switch was last heard, or not waited for.
    heard: Instant,
    timeout: Duration,
    burst: Box<[u8]>,
}

impl Driver {
    fn run(mut self) {
        if let Err(error) = self.drive() {
            self.shared.lose(format!("its socket failed: {error}"));
        }
    }

    fn drive(&mut self) -> io::Result<()> {
        while let Some(due_us) = self.send()? {
            let now_us = self.clock.now_us();
            let limit = due_us.map(|due| Duration::from_micros(due.saturating_sub(now_us)));
            let mut fds = [
                PollFd::new(&self.endpoint, PollFlags::IN),
                PollFd::new(&self.wake, PollFlags::IN),
            ];
            wait(&mut fds, limit)?;
            let (readable, woken) = (!fds[0].revents().is_empty(), !fds[1].revents().is_empty());
            if woken {
                self.wake.reset();
            }
            if readable {
                self.receive()?;
            }
        }
        Ok(())
    }

    /// Sends what is due. Returns the time at which to look again, which may be never; `None` when
    /// the client is dropped.
    fn send(&mut self) -> io::Result<Option<Option<u64>>> {
        loop {
            let mut state = self.shared.lock();
            if state.stopped {
                return Ok(None);
            }
            if !state.is_open() {
                return Ok(Some(None));
            }
            let now_us = self.clock.now_us();
            if state.client.poll_timeout().is_some_and(|due| due <= now_us) {
                state.client.handle_timeout(now_us);
            }
            let sent = state.client.poll_transmit(now_us, &mut self.burst, MAX_BURST_SEGMENTS);
            let due_us = state.client.poll_timeout();
            drop(state);
            match (sent, due_us) {
                (Some((len, segment)), _) => {
                    let datagrams = &self.burst[..len];
                    let pulls = TablePacket::is_of(datagrams, TableKind::Pull);
                    let to = if pulls { self.top } else { self.near };
                    self.endpoint.send(to, datagrams, segment)?;
                }
                (None, None) => {
                    self.heard = Instant::now();
                    return Ok(Some(None));
                }
                (None, Some(due_us)) => {
                    if self.heard.elapsed() > self.timeout {
                        let seconds = self.timeout.as_secs_f64();
                        self.shared.lose(format!("it has not answered for {seconds:.1} s"));
                    }
                    return Ok(Some(Some(due_us)));
                }
            }
        }
    }

    fn receive(&mut self) -> io::Result<()> {
        let now_us = self.clock.now_us();
        let mut state = self.shared.lock();
        let State { client, pulled, .. } = &mut *state;
        let before = client.unacknowledged();
        self.endpoint.receive(|datagram, arrival| {
            client.handle(now_us, datagram, arrival.marked.into());
        })?;
        while let Some(event) = client.poll_event() {
            pulled.push(event);
        }
        let answered = client.unacknowledged() < before || !pulled.is_empty();
        drop(state);
        if answered {
            self.heard = Instant::now();
            self.shared.changed.notify_all();
        }
        Ok(())
    }
}
