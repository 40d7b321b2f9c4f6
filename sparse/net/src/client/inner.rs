//! A table that is not closed: what its calls do.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use netfold_sparse::{Change, Hello, Optimizer, Request};

use super::link::Link;
use super::plane::Plane;
use super::pull::Puller;
use super::split::{Piece, Split};
use super::{TableOptions, TableStats};
use crate::error::Error;
use crate::frame::framed;
use crate::hot::{HotRows, Waiting};
use crate::ranks::Ranks;

/// Bytes of pairs in a message: so that one is read while the next is written.
const MESSAGE_BYTES: usize = 512 << 10;

/// Bytes of a message beside its pairs.
pub(super) const HEADER_BYTES: usize = 32;

/// Interval at which a wait for the switch looks whether its caller is interrupted.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// The parts of a table that is not closed.
pub(super) struct Inner {
    pub(super) width: u16,
    pub(super) staleness: Option<u32>,
    pub(super) resident: bool,
    /// As of this worker's last change of the learning rate.
    pub(super) optimizer: Mutex<Optimizer>,
    pub(super) timeout: Duration,
    pub(super) split: Split,
    pub(super) plane: Arc<Plane>,
    pub(super) links: Vec<Link>,
    pub(super) puller: Mutex<Option<Puller>>,
    /// The last step that this worker has ended.
    pub(super) ended: Mutex<Option<u32>>,
    pub(super) counted: Counted,
}

#[derive(Default)]
pub(super) struct Counted {
    pub(super) updates: AtomicU64,
    pub(super) hot_updates: AtomicU64,
    pub(super) pulled: AtomicU64,
    pub(super) hot_pulled: AtomicU64,
}

impl Inner {
    pub(super) fn open(
        options: TableOptions,
        hot: Option<Arc<dyn HotRows>>,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        let TableOptions { table, rank, workers, servers, hot_keys, token, timeout } = options;
        let most_rows = netfold_sparse::MOST_ROWS;
        let input = |what: String| Err(Error::Input(what));
        if !(1..=most_rows).contains(&table.rows) {
            return input(format!("a table has 1 to {most_rows} rows, not {}", table.rows));
        }
        if table.width == 0 {
            return input("a row has at least 1 number".into());
        }
        if rank >= workers {
            return input(format!("rank {rank} is none of {workers} workers, from 0"));
        }
        let count = match u16::try_from(servers.len()) {
            Ok(count @ 1..=64) => count,
            _ => return input(format!("a table has 1 to 64 servers, not {}", servers.len())),
        };
        if table.resident && table.staleness == Some(0) {
            return input(
                "resident rows are not synchronous: the switch applies each push at once; give a staleness of at least 1, or none, or the mode \"drained\"".into(),
            );
        }
        let ranks = Ranks::new(&hot_keys, table.rows)?;
        let plane = Arc::new(Plane::new(&table.name, hot));
        let switch = plane.hot().map(|hot| hot.table());
        let (width, staleness, resident) = (table.width, table.staleness, table.resident);
        let optimizer = Mutex::new(table.optimizer.clone());
        let split = Split::new(table.rows, ranks, count);
        let mut hello = Hello {
            table,
            rank,
            workers,
            session: rand::random(),
            server: 0,
            servers: count,
            hot_keys,
            switch,
        };
        let mut links = Vec::with_capacity(servers.len());
        for (address, server) in servers.iter().zip(0..) {
            hello.server = server;
            let notified = plane.clone();
            let listener = Arc::new(move |notice| notified.notice(notice));
            links.push(Link::open(address, &hello, token.clone(), timeout, listener, waiting)?);
        }
        plane.set_links(links.iter().map(|link| link.state().clone()).collect());
        Ok(Self {
            width,
            staleness,
            resident,
            optimizer,
            timeout,
            split,
            plane,
            links,
            puller: Mutex::default(),
            ended: Mutex::default(),
            counted: Counted::default(),
        })
    }

    /// The same wait, in which the loss of the switch is noticed: what is waited for may wait for
    /// the switch.
    pub(super) fn watch<'a>(
        &'a self,
        waiting: Waiting<'a>,
    ) -> impl FnMut() -> ControlFlow<()> + 'a {
        || {
            self.plane.at_switch();
            waiting()
        }
    }

    pub(super) fn push(
        &self,
        keys: &[u32],
        rows: &[f32],
        waiting: Waiting<'_>,
    ) -> Result<(), Error> {
        self.split.check(keys, rows.len(), self.width)?;
        self.counted.updates.fetch_add(keys.len() as u64, Ordering::Relaxed);
        let at_switch = self.plane.at_switch();
        self.send(keys, rows, at_switch, waiting, |keys, rows| Change::Push { keys, rows })
    }

    /// Puts weights in place of those that are there. A resident row has what is missing from it
    /// added at the switch (R-KEY-12).
    pub(super) fn set(
        self: &Arc<Self>,
        keys: &[u32],
        rows: &[f32],
        waiting: Waiting<'_>,
    ) -> Result<(), Error> {
        let change = |keys, rows| Change::Set { keys, rows };
        let parted = self.split.part(keys, self.resident && self.plane.at_switch());
        if parted.ranks.is_empty() {
            return self.send(keys, rows, false, waiting, change);
        }
        for positions in parted.cold {
            for piece in positions.pieces(usize::MAX) {
                let (keys, rows) = (piece.gather(keys, 1), piece.gather(rows, self.width));
                self.send(&keys, &rows, false, waiting, change)?;
            }
        }
        let hot = Piece::Some(parted.hot);
        let (keys, rows) = (hot.gather(keys, 1), hot.gather(rows, self.width));
        let mut found = vec![0.0; rows.len()];
        Self::pull(self, &keys, None)?.wait(&mut found, waiting)?;
        let missing: Vec<f32> = rows.iter().zip(&found).map(|(new, old)| new - old).collect();
        if self.plane.push(&parted.ranks, &missing) {
            // A pull after this is to find it.
            return self.wait_acknowledged(waiting);
        }
        self.send(&keys, &rows, false, waiting, change)
    }

    /// Sends pairs to their places.
    pub(super) fn send(
        &self,
        keys: &[u32],
        rows: &[f32],
        at_switch: bool,
        waiting: Waiting<'_>,
        change: impl Fn(Vec<u32>, Vec<f32>) -> Change + Copy,
    ) -> Result<(), Error> {
        let parted = self.split.part(keys, at_switch);
        let lanes = usize::from(self.width);
        for (link, positions) in self.links.iter().zip(parted.cold) {
            for piece in positions.pieces(self.message_pairs()) {
                link.wait_for_room(waiting)?;
                let room = HEADER_BYTES + 4 * piece.len() * (1 + lanes);
                let change = change(piece.gather(keys, 1), piece.gather(rows, self.width));
                link.state().change(|number| {
                    framed(room, |out| Request::Change { number, change }.encode(out))
                });
            }
        }
        if parted.ranks.is_empty() {
            return Ok(());
        }
        self.wait_applied(waiting)?;
        let hot = Piece::Some(parted.hot);
        let hot_rows = hot.gather(rows, self.width);
        let mut added = hot_rows.clone();
        if self.resident {
            // R-KEY-12
            let factor = -self.lr() as f32;
            added.iter_mut().for_each(|lane| *lane *= factor);
        }
        if self.plane.push(&parted.ranks, &added) {
            self.counted.hot_updates.fetch_add(parted.ranks.len() as u64, Ordering::Relaxed);
            return Ok(());
        }
        self.send(&hot.gather(keys, 1), &hot_rows, false, waiting, change)
    }

    /// R-SERVE-5: in a synchronous table, nothing of a step goes to the switch before all servers
    /// have told that the step before is applied.
    fn wait_applied(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        let ended = *self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(ended) = ended.filter(|_| self.staleness == Some(0)) else { return Ok(()) };
        self.links.iter().try_for_each(|link| link.wait_stepped(ended, waiting))
    }

    fn lr(&self) -> f64 {
        self.optimizer.lock().unwrap_or_else(PoisonError::into_inner).lr()
    }

    /// R-SERVE-16.
    pub(super) fn set_lr(&self, lr: f64) -> Result<(), Error> {
        let mut optimizer = self.optimizer.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = optimizer.with_lr(lr);
        changed.check().map_err(Error::Input)?;
        *optimizer = changed;
        let ended = *self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let step = ended.map_or(0, |step| step.saturating_add(1));
        self.tell_all(Change::Rate { step, lr });
        Ok(())
    }

    pub(super) fn tell_all(&self, change: Change) {
        for link in &self.links {
            let change = change.clone();
            link.state().change(|number| {
                framed(HEADER_BYTES, |out| Request::Change { number, change }.encode(out))
            });
        }
    }

    /// Waits until the switch has acknowledged what was pushed, or is lost.
    pub(super) fn wait_acknowledged(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        let start = Instant::now();
        while self.plane.at_switch() {
            let Some(hot) = self.plane.hot() else { break };
            match self.plane.unless_lost(hot.wait_acknowledged(LOOK_INTERVAL)) {
                Some(false) => {}
                Some(true) | None => break,
            }
            if waiting().is_break() {
                return Err(Error::Interrupted);
            }
            if start.elapsed() >= self.timeout {
                let (what, seconds) = ("the switch's acknowledgement", self.timeout.as_secs_f64());
                return Err(Error::Timeout { what, seconds });
            }
        }
        Ok(())
    }

    pub(super) fn flush(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        self.wait_acknowledged(waiting)?;
        let ask = |link: &Link| {
            link.ask(|id| framed(HEADER_BYTES, |out| Request::Flush { id }.encode(out)))
        };
        let asked: Vec<u32> = self.links.iter().map(ask).collect();
        let mut outcome = Ok(());
        for (link, id) in self.links.iter().zip(asked) {
            if outcome.is_ok() {
                outcome = link.answer("a flush", id, waiting).map(drop);
            } else {
                link.forget(id);
            }
        }
        outcome
    }

    pub(super) fn stats(&self) -> TableStats {
        let total = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let hot = self.plane.hot().map(|hot| hot.stats()).unwrap_or_default();
        let traffic = self.links.iter().map(Link::traffic);
        let (server_bytes, repeated_messages) =
            traffic.fold((0, 0), |(bytes, repeated), one| (bytes + one.0, repeated + one.1));
        let hot_updates = total(&self.counted.hot_updates);
        TableStats {
            updates: total(&self.counted.updates),
            hot_updates,
            pulled: total(&self.counted.pulled),
            hot_pulled: total(&self.counted.hot_pulled),
            switch_bytes: hot.bytes,
            server_bytes,
            saved_bytes: hot_updates * 4 * (1 + u64::from(self.width)),
            retransmissions: hot.retransmissions,
            repeated_messages,
            at_switch: self.plane.at_switch(),
        }
    }

    /// Pairs of a message.
    pub(super) fn message_pairs(&self) -> usize {
        (MESSAGE_BYTES / (4 * (1 + usize::from(self.width)))).max(1)
    }
}
