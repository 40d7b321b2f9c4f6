//! One worker's connection: a thread that reads requests, and one that writes replies.

use std::collections::VecDeque;
use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use netfold_management::Token;
use netfold_sparse::{Reply, Request};

use super::Registry;
use super::engine::Event;
use crate::connect::set_up;
use crate::frame::{FrameReader, Gone, MAX_FRAME_BYTES, framed};
use crate::greeting::{self, GreetingError};

/// Longest time until a worker has said hello.
const HELLO_LIMIT: Duration = Duration::from_secs(30);

/// Longest message after the hello; workers cut pushes and pulls to a fraction of it, but a row may
/// be long.
const MOST_REQUEST_BYTES: usize = 8 << 20;

/// Bytes of replies that wait for a worker to read them before its next request is read.
const MOST_WAITING_BYTES: usize = 16 << 20;

/// Bytes that are written with one call of the system.
const WRITE_BYTES: usize = 1 << 20;

/// Bytes of a message beside its rows, about.
const HEADER_BYTES: usize = 64;

/// Replies that wait to be written.
#[derive(Default)]
pub(super) struct Outgoing {
    state: Mutex<Waiting>,
    /// There is something to write, or room again.
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    replies: VecDeque<Reply>,
    bytes: usize,
    /// Nothing is written after the last of them.
    ends: bool,
}

impl Outgoing {
    /// Adds a reply.
    pub(super) fn send(&self, reply: Reply) {
        let mut state = self.lock();
        if !state.ends {
            state.ends = matches!(reply, Reply::Refused { .. });
            state.bytes += size(&reply);
            state.replies.push_back(reply);
            self.changed.notify_all();
        }
    }

    /// Ends the connection when all that is there is written.
    pub(super) fn end(&self) {
        self.lock().ends = true;
        self.changed.notify_all();
    }

    /// Waits until the worker has read most of its replies. Returns whether the connection goes on.
    fn wait_for_room(&self) -> bool {
        let room = |state: &mut Waiting| !state.ends && state.bytes > MOST_WAITING_BYTES;
        let state = self.changed.wait_while(self.lock(), room);
        !state.unwrap_or_else(PoisonError::into_inner).ends
    }

    /// Waits for replies, and encodes some of them. None are left when it returns false.
    fn take(&self, bytes: &mut Vec<u8>) -> bool {
        bytes.clear();
        let mut taken = Vec::new();
        {
            let empty = |state: &mut Waiting| !state.ends && state.replies.is_empty();
            let state = self.changed.wait_while(self.lock(), empty);
            let mut state = state.unwrap_or_else(PoisonError::into_inner);
            let mut left = WRITE_BYTES;
            while let Some(reply) = state.replies.pop_front() {
                let size = size(&reply);
                state.bytes -= size;
                taken.push(reply);
                if size >= left {
                    break;
                }
                left -= size;
            }
            self.changed.notify_all();
        }
        for reply in &taken {
            bytes.extend_from_slice(&framed(size(reply), |out| reply.encode(out)));
        }
        !taken.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes of a reply, about.
fn size(reply: &Reply) -> usize {
    match reply {
        Reply::Rows { rows, .. } => HEADER_BYTES + 4 * rows.len(),
        Reply::Taken { taken, .. } => HEADER_BYTES + 4 * (taken.keys.len() + taken.lanes.len()),
        Reply::Refused { why } => HEADER_BYTES + why.len(),
        _ => HEADER_BYTES,
    }
}

/// Serves a connection until it ends.
pub(super) fn serve(registry: &Arc<Registry>, id: u64, mut stream: TcpStream) {
    let peer = stream.peer_addr().map_or_else(|_| "a worker".to_owned(), |peer| peer.to_string());
    let token = registry.options.token.as_ref();
    match greet(&mut stream, token) {
        Ok(()) => {}
        Err(error) => {
            tracing::warn!("{peer}: {error}");
            return;
        }
    }
    let (Ok(reading), Ok(writing)) = (stream.try_clone(), stream.try_clone()) else {
        tracing::warn!("{peer}: no more files for connections");
        return;
    };
    let outgoing = Arc::new(Outgoing::default());
    thread::scope(|scope| {
        let written = outgoing.clone();
        let writer = thread::Builder::new().name("netfold-reply".into());
        let started = writer.spawn_scoped(scope, move || write(writing, &written));
        if let Err(error) = started {
            tracing::warn!("{peer}: no thread for replies: {error}");
            return;
        }
        if let Err(gone) = read(registry, id, reading, &outgoing) {
            tracing::debug!("{peer}: {gone}");
            if !matches!(gone, End::Gone(Gone::Closed | Gone::Io(_))) {
                outgoing.send(Reply::Refused { why: gone.to_string() });
            }
        }
        outgoing.end();
    });
    // Whoever else holds it has a copy.
    let _ = stream.shutdown(Shutdown::Both);
}

fn greet(stream: &mut TcpStream, token: Option<&Token>) -> Result<(), GreetingError> {
    set_up(stream)?;
    stream.set_read_timeout(Some(HELLO_LIMIT))?;
    greeting::welcome(stream, token)
}

/// The reason why a connection is read no further.
#[derive(Debug, thiserror::Error)]
enum End {
    #[error("{0}")]
    Gone(#[from] Gone),
    #[error("{0}")]
    Codec(#[from] netfold_sparse::CodecError),
    #[error("the first message is no hello; install the same netfold on both")]
    NoHello,
    #[error("{0}")]
    Table(#[from] crate::Error),
}

impl End {
    fn of_table(error: crate::Error) -> Self {
        match error {
            // The worker is to come again when the server does.
            crate::Error::Closed => Gone::Closed.into(),
            error => Self::Table(error),
        }
    }
}

/// Reads requests, and hands them to the table's engine.
fn read(
    registry: &Arc<Registry>,
    id: u64,
    stream: TcpStream,
    outgoing: &Arc<Outgoing>,
) -> Result<(), End> {
    let limits = stream.try_clone().map_err(Gone::from)?;
    let mut reader = FrameReader::new(stream);
    let hello = match Request::decode(&reader.next_frame(MAX_FRAME_BYTES)?)? {
        Request::Hello(hello) => hello,
        Request::Report => {
            outgoing.send(Reply::Report(Box::new(registry.report())));
            return Ok(());
        }
        Request::Locate { name, least } => {
            let located = registry.locate(&name, least).map_err(End::of_table)?;
            outgoing.send(Reply::Located(located));
            return Ok(());
        }
        _ => return Err(End::NoHello),
    };
    limits.set_read_timeout(None).map_err(Gone::from)?;
    let engine = registry.engine(&hello.table.name, hello.list).map_err(End::of_table)?;
    let mut told = engine.tell(Event::Joined { id, hello, outgoing: outgoing.clone() });
    let ended = loop {
        if !told || !outgoing.wait_for_room() {
            break Ok(());
        }
        let frame = match reader.next_frame(MOST_REQUEST_BYTES) {
            Ok(frame) => frame,
            Err(gone) => break Err(gone.into()),
        };
        match Request::decode(&frame) {
            Ok(request) => told = engine.tell(Event::Request { id, request }),
            Err(error) => break Err(error.into()),
        }
    };
    engine.tell(Event::Gone { id });
    ended
}

/// Writes replies until the connection ends.
fn write(mut stream: TcpStream, outgoing: &Outgoing) {
    let mut bytes = Vec::with_capacity(WRITE_BYTES);
    while outgoing.take(&mut bytes) {
        if let Err(error) = stream.write_all(&bytes) {
            tracing::debug!("a reply was not sent: {error}");
            break;
        }
    }
    outgoing.end();
    // The thread that reads ends with it.
    let _ = stream.shutdown(Shutdown::Both);
}
