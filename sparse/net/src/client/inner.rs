//! A table that is not closed: what its calls do.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use netfold_sparse::{Change, ElementType, Hello, Optimizer, Request};

use super::link::Link;
use super::plane::Plane;
use super::pull::Puller;
use super::split::Split;
use super::{TableOptions, TableStats};
use crate::error::Error;
use crate::frame::framed;
use crate::hot::{HotRows, Planes, Waiting};
use crate::ranks::Ranks;

/// Bytes of pairs in a message: so that one is read while the next is written.
const MESSAGE_BYTES: usize = 512 << 10;

/// Bytes of a message beside its pairs.
pub(super) const HEADER_BYTES: usize = 32;

/// Interval at which a wait for the switch looks whether its caller is interrupted.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// A list of servers, as a worker comes to it (R-SERVE-18).
pub(super) struct List {
    pub(super) number: u32,
    /// The former servers, if the worker brings rows from them.
    pub(super) former: Vec<String>,
    pub(super) session: u64,
}

impl List {
    /// A list that a new session comes to, and no rows with it.
    pub(super) fn whole(number: u32) -> Self {
        Self { number, former: Vec::new(), session: rand::random() }
    }
}

/// The parts of a table that is not closed, at one list of servers.
pub(super) struct Inner {
    pub(super) options: TableOptions,
    pub(super) list: List,
    pub(super) width: u16,
    pub(super) element_type: ElementType,
    pub(super) staleness: Option<u32>,
    pub(super) resident: bool,
    /// As of this worker's last change of the learning rate.
    pub(super) optimizer: Mutex<Optimizer>,
    pub(super) timeout: Duration,
    rows: u64,
    servers: u16,
    pub(super) plane: Arc<Plane>,
    pub(super) links: Vec<Link>,
    pub(super) puller: Mutex<Option<Puller>>,
    pub(super) planes: Option<Arc<dyn Planes>>,
    /// The last step that this worker has ended.
    pub(super) ended: Mutex<Option<u32>>,
    /// It has pushed since.
    pub(super) in_step: AtomicBool,
    pub(super) counted: Counted,
    /// The totals at the former lists.
    pub(super) before: Mutex<TableStats>,
}

#[derive(Default)]
pub(super) struct Counted {
    pub(super) updates: AtomicU64,
    pub(super) hot_updates: AtomicU64,
    pub(super) pulled: AtomicU64,
    pub(super) hot_pulled: AtomicU64,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // A table that was not closed looks for no other plane, either.
        self.plane.close();
    }
}

impl Inner {
    /// Returns the number of servers, and the ranks of the hot keys, unless an option makes no
    /// sense.
    pub(super) fn check(options: &TableOptions) -> Result<(u16, Ranks), Error> {
        let TableOptions { table, servers, hot_keys, .. } = options;
        let (rank, workers) = (options.rank, options.workers);
        let most_rows = netfold_sparse::MOST_ROWS;
        let input = |what: String| Err(Error::Input(what));
        if !(1..=most_rows).contains(&table.rows) {
            return input(format!("a table has 1 to {most_rows} rows, not {}", table.rows));
        }
        if table.width == 0 {
            return input("a row has at least 1 number".into());
        }
        if rank >= workers {
            return input(format!("rank {rank} is not one of the {workers} workers, from 0"));
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
        Ok((count, Ranks::new(hot_keys, table.rows, count)?))
    }

    pub(super) fn open(
        options: TableOptions,
        hot: Option<Arc<dyn HotRows>>,
        planes: Option<Arc<dyn Planes>>,
        list: List,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        let (count, ranks) = Self::check(&options)?;
        let TableOptions { table, rank, workers, servers, hot_keys, token, timeout } =
            options.clone();
        let split = Split::new(table.rows, ranks, count);
        let switch = hot.as_ref().map(|hot| hot.table());
        let plane = Plane::new(&table.name, (split, &hot_keys), hot, planes.clone());
        let (width, staleness, resident) = (table.width, table.staleness, table.resident);
        let optimizer = Mutex::new(table.optimizer.clone());
        let (rows, element_type) = (table.rows, table.element_type);
        let mut hello = Hello {
            table,
            rank,
            workers,
            session: list.session,
            server: 0,
            servers: count,
            list: list.number,
            former: list.former.clone(),
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
            options,
            list,
            width,
            element_type,
            staleness,
            resident,
            optimizer,
            timeout,
            rows,
            servers: count,
            plane,
            links,
            puller: Mutex::default(),
            planes,
            ended: Mutex::default(),
            in_step: AtomicBool::new(false),
            counted: Counted::default(),
            before: Mutex::default(),
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

    /// Makes other keys hot (R-KEY-15).
    pub(super) fn set_hot(&self, keys: &[u32], waiting: Waiting<'_>) -> Result<(), Error> {
        let ranks = Ranks::new(keys, self.rows, self.servers)?;
        let count = ranks.count();
        let split = Arc::new(Split::new(self.rows, ranks, self.servers));
        self.flush(waiting)?;
        let number = self.plane.end_last();
        let hot = match &self.planes {
            Some(planes) if count > 0 => planes.replace(count, waiting).map(Some),
            _ => Ok(None),
        };
        let (hot, outcome) = match hot {
            Ok(hot) => (hot, Ok(())),
            Err(error) => (None, Err(error)),
        };
        self.plane.open(number, hot, split, keys.into());
        outcome
    }

    pub(super) fn lr(&self) -> Option<f64> {
        self.optimizer.lock().unwrap_or_else(PoisonError::into_inner).lr()
    }

    /// R-SERVE-16.
    pub(super) fn set_lr(&self, lr: f64) -> Result<(), Error> {
        let mut optimizer = self.optimizer.lock().unwrap_or_else(PoisonError::into_inner);
        *optimizer = optimizer.with_lr(lr).map_err(Error::Input)?;
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
        while let Some((hot, epoch)) = self.plane.view().hot {
            match hot.wait_acknowledged(LOOK_INTERVAL) {
                Ok(true) => break,
                Ok(false) => {}
                // There may be another plane, with pushes that are not acknowledged, either.
                Err(lost) => self.plane.lose(epoch, &lost.0),
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
        self.flush_within(self.timeout, waiting)
    }

    pub(super) fn flush_within(&self, limit: Duration, waiting: Waiting<'_>) -> Result<(), Error> {
        self.wait_acknowledged(waiting)?;
        let asked: Vec<u32> = self.plane.with_pushed(|pushed| {
            let flush = |id| framed(HEADER_BYTES, |out| Request::Flush { id, pushed }.encode(out));
            self.links.iter().map(|link| link.ask(flush)).collect()
        });
        let mut outcome = Ok(());
        for (link, id) in self.links.iter().zip(asked) {
            if outcome.is_ok() {
                outcome = link.answer_within("a flush", limit, id, waiting).map(drop);
            } else {
                link.forget(id);
            }
        }
        outcome
    }

    pub(super) fn stats(&self) -> TableStats {
        let total = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let hot = self.plane.stats();
        let traffic = self.links.iter().map(Link::traffic);
        let (server_bytes, repeated_messages) =
            traffic.fold((0, 0), |(bytes, repeated), one| (bytes + one.0, repeated + one.1));
        let hot_updates = total(&self.counted.hot_updates);
        let before = *self.before.lock().unwrap_or_else(PoisonError::into_inner);
        let saved_bytes = hot_updates * self.pair_bytes() as u64;
        TableStats {
            updates: before.updates + total(&self.counted.updates),
            hot_updates: before.hot_updates + hot_updates,
            pulled: before.pulled + total(&self.counted.pulled),
            hot_pulled: before.hot_pulled + total(&self.counted.hot_pulled),
            switch_bytes: before.switch_bytes + hot.bytes,
            server_bytes: before.server_bytes + server_bytes,
            saved_bytes: before.saved_bytes + saved_bytes,
            retransmissions: before.retransmissions + hot.retransmissions,
            recirculations: before.recirculations + hot.recirculations,
            repeated_messages: before.repeated_messages + repeated_messages,
            at_switch: self.plane.at_switch(),
        }
    }

    /// Pairs of a message.
    pub(super) fn message_pairs(&self) -> usize {
        (MESSAGE_BYTES / self.pair_bytes()).max(1)
    }

    /// Bytes of a key and its row.
    pub(super) fn pair_bytes(&self) -> usize {
        size_of::<u32>() + usize::from(self.width) * self.element_type.bytes()
    }
}
