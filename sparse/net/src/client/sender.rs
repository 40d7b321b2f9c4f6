//! The threads of a link: one connects, sends, and connects again; another one receives as long as
//! a connection lasts.

use std::io::{self, IoSlice, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netfold_management::Token;
use netfold_sparse::{Reply, Request};

use super::link::{Connection, LinkState, Listener, Notice, START_LIMIT};
use super::outbox::Shared;
use crate::connect::connect;
use crate::error::Error;
use crate::frame::{FrameReader, MAX_FRAME_BYTES, framed};

/// Bytes that are handed to the system at a time.
const SEND_BYTES: usize = 1 << 20;

/// First and longest pause between two attempts to connect.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// The sending thread.
pub(super) struct Sender {
    pub(super) shared: Arc<LinkState>,
    pub(super) hello: Vec<u8>,
    pub(super) token: Option<Token>,
    pub(super) listener: Listener,
}

/// Reason for which a link has no connection.
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
    pub(super) fn run(self) {
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
        let (stored, pushed, parts) = match self.decode(&reply)? {
            Reply::Welcome { stored, pushed, parts } => (stored, pushed, parts),
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
        (self.listener)(Notice::Stored { parts, pushed });
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
            Reply::Rows { id, .. } | Reply::Flushed { id } | Reply::Taken { id, .. } => {
                // Nobody waits for one that was forgotten.
                if let Some(answer) = state.answers.get_mut(&id) {
                    *answer = Some(reply);
                    state.outbox.forget(id);
                }
            }
            Reply::Stored { number, pushed } => {
                state.outbox.stored(number);
                let parts = state.parts;
                drop(state);
                (self.listener)(Notice::Stored { parts, pushed });
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
