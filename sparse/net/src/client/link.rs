//! A worker's connection to one server, and what it has for it (R-SERVE-2). A thread connects,
//! sends, and connects again; another one receives as long as a connection lasts.

use std::collections::BTreeMap;
use std::io::{self, IoSlice, Write};
use std::net::{Shutdown, TcpStream};
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use netfold_management::Token;
use netfold_sparse::{Hello, Reply, Request};

use super::outbox::{Outbox, Shared};
use crate::connect::connect;
use crate::error::Error;
use crate::frame::{FrameReader, MAX_FRAME_BYTES, framed};
use crate::hot::Waiting;

/// Bytes that are handed to the system at a time.
const SEND_BYTES: usize = 1 << 20;

/// Bytes of changes that a link keeps before it makes callers wait.
const KEPT_BYTES: usize = 64 << 20;

/// Interval at which a wait looks whether its caller is interrupted.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// First and longest pause between two attempts to connect.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// Longest time that a server may take to start before its workers.
const START_LIMIT: Duration = Duration::from_secs(5);

/// What a link tells of, on a thread of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The server's parts and the last generation that it has stored.
    Stored { parts: u64, generation: u32 },
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

/// What the threads of a link and its users share.
pub(crate) struct LinkState {
    address: String,
    timeout: Duration,
    state: Mutex<State>,
    /// The sender has something to do.
    work: Condvar,
    /// Something that callers wait for has changed.
    news: Condvar,
}

#[derive(Default)]
struct State {
    outbox: Outbox,
    /// Replies to questions; `None` until they come.
    answers: BTreeMap<u32, Option<Reply>>,
    last_id: u32,
    /// The epoch that is sealed, which each connection says first.
    sealed: Option<u32>,
    stepped: Option<u32>,
    connection: Connection,
    /// Why the server will never be reached again.
    ended: Option<Error>,
    closing: bool,
    sent_bytes: u64,
    parts: u64,
}

#[derive(Default)]
enum Connection {
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
        let reply = self.wait(what, Some(self.shared.timeout), waiting, |state| {
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

    /// Tells the server that the epoch is sealed, before all changes that come after this.
    pub(crate) fn seal(&self, epoch: u32) {
        let mut state = self.lock();
        state.sealed = Some(epoch);
        state.outbox.announce(framed(8, |out| Request::Seal { epoch }.encode(out)));
        self.work.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
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

/// The sending thread.
struct Sender {
    shared: Arc<LinkState>,
    hello: Vec<u8>,
    token: Option<Token>,
    listener: Listener,
}

/// Why a link has no connection.
enum Fault {
    /// It may come back.
    Passing(String),
    /// It will not.
    Final(Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Passing(error.to_string())
    }
}

impl Sender {
    fn run(self) {
        let start = Instant::now();
        let mut pause = PAUSES.0;
        loop {
            let fault = match self.meet() {
                Ok((stream, reader)) => {
                    pause = PAUSES.0;
                    self.serve(stream, reader)
                }
                Err(fault) => fault,
            };
            let mut state = self.shared.lock();
            if state.closing {
                return;
            }
            match fault {
                Fault::Final(error) => {
                    state.ended.get_or_insert(error);
                    self.shared.news.notify_all();
                    return;
                }
                Fault::Passing(why) => {
                    let over = start.elapsed() >= self.shared.timeout.min(START_LIMIT);
                    match &mut state.connection {
                        Connection::Never if over => {
                            let address = self.shared.address.clone();
                            state.ended = Some(Error::NoServer { address, why });
                            self.shared.news.notify_all();
                            return;
                        }
                        Connection::Never => {}
                        Connection::Down { why: last, .. } => *last = why,
                        Connection::Up(_) => {
                            let address = self.shared.address.clone();
                            let away = Notice::Away { address, why: why.clone() };
                            state.connection = Connection::Down { since: Instant::now(), why };
                            drop(state);
                            (self.listener)(away);
                            state = self.shared.lock();
                        }
                    }
                }
            }
            self.shared.pause(state, pause);
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// Connects, and says hello.
    fn meet(&self) -> Result<(TcpStream, FrameReader<TcpStream>), Fault> {
        let LinkState { address, timeout, .. } = &*self.shared;
        let mut stream = connect(address, self.token.as_ref(), *timeout).map_err(|refused| {
            if refused.is_final {
                let (address, why) = (address.clone(), refused.why);
                Fault::Final(Error::Refused { address, why })
            } else {
                Fault::Passing(refused.why)
            }
        })?;
        stream.write_all(&self.hello)?;
        let mut reader = FrameReader::new(stream.try_clone()?);
        stream.set_read_timeout(Some(*timeout))?;
        let reply =
            reader.next_frame(MAX_FRAME_BYTES).map_err(|gone| Fault::Passing(gone.to_string()))?;
        let (stored, generation, parts) = match self.decode(&reply)? {
            Reply::Welcome { stored, generation, parts } => (stored, generation, parts),
            other => return Err(self.surprised(&other)),
        };
        stream.set_read_timeout(None)?;
        let mut state = self.shared.lock();
        if state.closing {
            return Err(Fault::Passing(String::new()));
        }
        let back = matches!(state.connection, Connection::Down { .. });
        if stored < state.outbox.last_stored() {
            // R-SERVE-2
            let address = address.clone();
            return Err(Fault::Final(Error::RowsLost { address }));
        }
        state.outbox.connected(stored);
        state.parts = parts;
        if let Some(epoch) = state.sealed {
            state.outbox.announce(framed(8, |out| Request::Seal { epoch }.encode(out)));
        }
        state.connection = Connection::Up(stream.try_clone()?);
        self.shared.news.notify_all();
        drop(state);
        if back {
            (self.listener)(Notice::Back { address: address.clone() });
        }
        (self.listener)(Notice::Stored { parts, generation });
        Ok((stream, reader))
    }

    /// Sends until the connection ends; another thread receives meanwhile.
    fn serve(&self, stream: TcpStream, reader: FrameReader<TcpStream>) -> Fault {
        let received = Mutex::new(None);
        thread::scope(|scope| {
            scope.spawn(|| {
                let fault = self.receive(reader);
                *received.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
                // The sender may be in the middle of a write.
                let _ = stream.shutdown(Shutdown::Both);
                let _state = self.shared.lock();
                self.shared.work.notify_one();
            });
            let over = || received.lock().unwrap_or_else(PoisonError::into_inner).is_some();
            if let Err(error) = self.send(&stream, over) {
                tracing::debug!("sending to the server at {}: {error}", self.shared.address);
            }
            let _ = stream.shutdown(Shutdown::Both);
        });
        let fault = received.into_inner().unwrap_or_else(PoisonError::into_inner);
        fault.unwrap_or_else(|| Fault::Passing("the thread that receives has panicked".into()))
    }

    fn send(&self, stream: &TcpStream, over: impl Fn() -> bool) -> io::Result<()> {
        let mut frames: Vec<Shared> = Vec::new();
        loop {
            frames.clear();
            {
                let mut state = self.shared.lock();
                while !state.outbox.has_more() && !state.closing && !over() {
                    state = self.shared.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                if state.closing || over() {
                    return Ok(());
                }
                state.outbox.take(SEND_BYTES, &mut frames);
                state.sent_bytes += frames.iter().map(|frame| frame.len() as u64).sum::<u64>();
            }
            write_all(stream, &frames)?;
        }
    }

    fn receive(&self, mut reader: FrameReader<TcpStream>) -> Fault {
        loop {
            let frame = match reader.next_frame(MAX_FRAME_BYTES) {
                Ok(frame) => frame,
                Err(gone) => return Fault::Passing(gone.to_string()),
            };
            match self.decode(&frame) {
                Ok(reply) => {
                    if let Err(fault) = self.take(reply) {
                        return fault;
                    }
                }
                Err(fault) => return fault,
            }
        }
    }

    /// Takes in what the server says.
    fn take(&self, reply: Reply) -> Result<(), Fault> {
        let mut state = self.shared.lock();
        match reply {
            Reply::Rows { id, .. } | Reply::Flushed { id } => {
                // Nobody waits for one that was forgotten.
                if let Some(answer) = state.answers.get_mut(&id) {
                    *answer = Some(reply);
                    state.outbox.forget(id);
                }
            }
            Reply::Stored { number, generation } => {
                state.outbox.stored(number);
                let parts = state.parts;
                drop(state);
                (self.listener)(Notice::Stored { parts, generation });
            }
            Reply::Stepped { step } => state.stepped = state.stepped.max(Some(step)),
            Reply::Sealed { epoch } => {
                drop(state);
                (self.listener)(Notice::Sealed { epoch });
            }
            other => return Err(self.surprised(&other)),
        }
        self.shared.news.notify_all();
        Ok(())
    }

    fn decode(&self, frame: &[u8]) -> Result<Reply, Fault> {
        let address = || self.shared.address.clone();
        Reply::decode(frame).map_err(|error| {
            Fault::Final(Error::Refused { address: address(), why: error.to_string() })
        })
    }

    /// The fault of a reply that ends the link.
    fn surprised(&self, reply: &Reply) -> Fault {
        let why = match reply {
            Reply::Refused { why } => why.clone(),
            _ => "it answers another question than was asked; install the same netfold on both"
                .to_owned(),
        };
        Fault::Final(Error::Refused { address: self.shared.address.clone(), why })
    }
}

impl LinkState {
    /// Waits before the next attempt, unless the link is closed.
    fn pause(&self, mut state: MutexGuard<'_, State>, pause: Duration) {
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

/// Writes frames one after the other, with few calls of the system.
fn write_all(mut stream: &TcpStream, frames: &[Shared]) -> io::Result<()> {
    let mut slices: Vec<IoSlice<'_>> = frames.iter().map(|frame| IoSlice::new(frame)).collect();
    let mut left = &mut slices[..];
    while !left.is_empty() {
        match stream.write_vectored(left) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut left, count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
