//! A worker's connection to one server, and what it has for it (R-SERVE-2). What callers do
//! with it is here; its threads are in `sender`.

use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use netfold_management::Token;
use netfold_sparse::{Hello, Pushed, Reply, Request};

use super::outbox::Outbox;
use super::sender::Sender;
use crate::error::Error;
use crate::frame::framed;
use crate::hot::Waiting;

/// Bytes of changes that a link keeps before it makes callers wait.
const KEPT_BYTES: usize = 64 << 20;

/// Interval at which a wait looks whether its caller is interrupted.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// Longest time that a server may take to start before its workers.
pub(super) const START_LIMIT: Duration = Duration::from_secs(5);

/// News from a link, told on a thread of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The server's parts, and the pushes of this worker that it has stored.
    Stored { parts: u64, pushed: Pushed },
    /// An epoch that is sealed (R-KEY-10).
    Sealed { epoch: u32 },
    /// The server is away.
    Away { address: String, why: String },
    /// The server is back.
    Back { address: String },
}

/// Takes notices.
pub(crate) type Listener = Arc<dyn Fn(Notice) + Send + Sync>;

/// One server's link. Dropping it ends its threads.
pub(crate) struct Link {
    shared: Arc<LinkState>,
    sender: Option<JoinHandle<()>>,
}

/// State that the threads of a link share with its users.
pub(crate) struct LinkState {
    pub(super) address: String,
    pub(super) timeout: Duration,
    pub(super) state: Mutex<State>,
    /// The sender has something to do.
    pub(super) work: Condvar,
    /// Something that callers wait for has changed.
    pub(super) news: Condvar,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) outbox: Outbox,
    /// Replies to questions; `None` until they come.
    pub(super) answers: BTreeMap<u32, Option<Reply>>,
    pub(super) last_id: u32,
    /// The epoch that is sealed, which each connection says first.
    pub(super) sealed: Option<u32>,
    pub(super) stepped: Option<u32>,
    pub(super) connection: Connection,
    /// Reason for which the server will never be reached again.
    pub(super) ended: Option<Error>,
    pub(super) closing: bool,
    pub(super) sent_bytes: u64,
    pub(super) parts: u64,
}

#[derive(Default)]
pub(super) enum Connection {
    #[default]
    Never,
    Up(TcpStream),
    Down {
        since: Instant,
        why: String,
    },
}

impl Link {
    /// Connects to a server, and returns when it has welcomed this worker.
    pub(crate) fn open(
        address: &str,
        hello: &Hello,
        token: Option<Token>,
        timeout: Duration,
        listener: Listener,
        waiting: Waiting<'_>,
    ) -> Result<Self, Error> {
        let shared = Arc::new(LinkState {
            address: address.to_owned(),
            timeout,
            state: Mutex::default(),
            work: Condvar::new(),
            news: Condvar::new(),
        });
        let hello = framed(0, |out| Request::Hello(Box::new(hello.clone())).encode(out));
        let sender = Sender { shared: shared.clone(), hello, token, listener };
        let sender = thread::Builder::new()
            .name("netfold-table".into())
            .spawn(move || sender.run())
            .map_err(Error::io("a thread for the connection to a server"))?;
        let link = Self { shared, sender: Some(sender) };
        link.wait("joining a table", Some(timeout.min(START_LIMIT)), waiting, |state| {
            matches!(state.connection, Connection::Up(_)).then_some(())
        })?;
        Ok(link)
    }

    /// Its state, which does not keep its threads going.
    pub(crate) fn state(&self) -> &Arc<LinkState> {
        &self.shared
    }

    /// Waits until there is room for changes.
    pub(crate) fn wait_for_room(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        self.wait("room for what the server has yet to store", None, waiting, |state| {
            (state.outbox.kept_bytes() < KEPT_BYTES).then_some(())
        })
    }

    /// Asks a question, whose frame is made with its id. Returns the id.
    pub(crate) fn ask(&self, frame: impl FnOnce(u32) -> Vec<u8>) -> u32 {
        let mut state = self.shared.lock();
        state.last_id = state.last_id.wrapping_add(1);
        let id = state.last_id;
        state.answers.insert(id, None);
        state.outbox.ask(id, frame(id));
        self.shared.work.notify_one();
        id
    }

    /// Waits for the answer to a question.
    pub(crate) fn answer(
        &self,
        what: &'static str,
        id: u32,
        waiting: Waiting<'_>,
    ) -> Result<Reply, Error> {
        self.answer_within(what, self.shared.timeout, id, waiting)
    }

    /// Waits for the answer to a question for so long.
    pub(crate) fn answer_within(
        &self,
        what: &'static str,
        limit: Duration,
        id: u32,
        waiting: Waiting<'_>,
    ) -> Result<Reply, Error> {
        let reply = self.wait(what, Some(limit), waiting, |state| {
            state.answers.get_mut(&id).and_then(Option::take)
        });
        self.forget(id);
        reply
    }

    /// Forgets a question, whether or not it is answered.
    pub(crate) fn forget(&self, id: u32) {
        let mut state = self.shared.lock();
        if matches!(state.answers.remove(&id), Some(None)) {
            state.outbox.forget(id);
        }
    }

    /// Waits until the server has told that the steps up to this one are applied (R-SERVE-5).
    pub(crate) fn wait_stepped(&self, step: u32, waiting: Waiting<'_>) -> Result<(), Error> {
        self.wait("a pull", Some(self.shared.timeout), waiting, |state| {
            state.stepped.is_some_and(|stepped| stepped >= step).then_some(())
        })
    }

    /// Waits until everything that was changed is stored.
    pub(crate) fn wait_stored(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        self.wait("storing what was pushed", Some(self.shared.timeout), waiting, |state| {
            (state.outbox.kept_bytes() == 0).then_some(())
        })
    }

    /// Bytes that were sent, and frames that were sent again.
    pub(crate) fn traffic(&self) -> (u64, u64) {
        let state = self.shared.lock();
        (state.sent_bytes, state.outbox.repeated())
    }

    /// Waits for something that `look` finds. A server that is away makes it wait for at most the
    /// time-out, whatever the limit.
    fn wait<T>(
        &self,
        what: &'static str,
        limit: Option<Duration>,
        waiting: Waiting<'_>,
        mut look: impl FnMut(&mut State) -> Option<T>,
    ) -> Result<T, Error> {
        let start = Instant::now();
        let mut looked = start;
        let mut state = self.shared.lock();
        loop {
            if let Some(found) = look(&mut state) {
                return Ok(found);
            }
            if state.closing {
                return Err(Error::Closed);
            }
            if let Some(ended) = &state.ended {
                return Err(ended.clone());
            }
            let over = limit.is_some_and(|limit| start.elapsed() >= limit);
            if let Some(error) = self.shared.away(&state, over, start) {
                return Err(error);
            }
            if over {
                return Err(Error::Timeout { what, seconds: start.elapsed().as_secs_f64() });
            }
            let news = self.shared.news.wait_timeout(state, LOOK_INTERVAL);
            state = news.unwrap_or_else(PoisonError::into_inner).0;
            if looked.elapsed() >= LOOK_INTERVAL {
                looked = Instant::now();
                drop(state);
                if let ControlFlow::Break(()) = waiting() {
                    return Err(Error::Interrupted);
                }
                state = self.shared.lock();
            }
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        {
            let mut state = self.shared.lock();
            state.closing = true;
            if let Connection::Up(stream) = &state.connection {
                // One that is gone already is as good.
                let _ = stream.shutdown(Shutdown::Both);
            }
            self.shared.work.notify_all();
            self.shared.news.notify_all();
        }
        if let Some(sender) = self.sender.take()
            && sender.join().is_err()
        {
            tracing::error!("the thread of a link to a server has panicked");
        }
    }
}

impl LinkState {
    /// The server's parts.
    pub(crate) fn parts(&self) -> u64 {
        self.lock().parts
    }

    /// Adds a change, without waiting.
    pub(crate) fn change(&self, frame: impl FnOnce(u64) -> Vec<u8>) {
        let mut state = self.lock();
        state.outbox.change(frame);
        self.work.notify_one();
    }

    /// Sends nothing of a seal any more: another plane is open, and the replays have told.
    pub(crate) fn unseal(&self) {
        self.lock().sealed = None;
    }

    /// Tells the server that the epoch is sealed, before all changes that come after this.
    pub(crate) fn seal(&self, epoch: u32) {
        let mut state = self.lock();
        state.sealed = Some(epoch);
        state.outbox.announce(framed(8, |out| Request::Seal { epoch }.encode(out)));
        self.work.notify_one();
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // It is whole between any two statements that can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The error of a server that is away for too long.
    fn away(&self, state: &State, over: bool, start: Instant) -> Option<Error> {
        let (address, timeout) = (self.address.clone(), self.timeout);
        match &state.connection {
            Connection::Down { since, why } if over || since.max(&start).elapsed() >= timeout => {
                let (why, seconds) = (why.clone(), timeout.as_secs_f64());
                Some(Error::ServerLost { address, why, seconds })
            }
            Connection::Never if over => {
                let why = "it has not answered".to_owned();
                Some(Error::NoServer { address, why })
            }
            _ => None,
        }
    }
}

impl LinkState {
    /// Waits before the next attempt, unless the link is closed.
    pub(super) fn pause(&self, mut state: MutexGuard<'_, State>, pause: Duration) {
        let until = Instant::now() + pause;
        while !state.closing {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.work.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
