//! A worker's end of a control connection: whole messages in and out of a socket.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use netfold_management::{Decoder, FrameError, Message, encode};
use thiserror::Error;

const READ_BYTES: usize = 4096;

/// The shortest wait for bytes: zero would wait for ever.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

/// Reason for which a connection is of no more use.
#[derive(Debug, Error)]
pub(crate) enum Gone {
    #[error("it closed the connection")]
    Closed,
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("it sent {0}")]
    Garbage(#[from] FrameError),
}

/// The sending half, which threads share.
#[derive(Clone)]
pub(crate) struct Writer(Arc<Mutex<TcpStream>>);

impl Writer {
    /// Sends a message, within the time that a write may take. After an error nothing more goes
    /// out: the last message may have gone in part.
    pub(crate) fn send(&self, message: &Message) -> Result<(), Gone> {
        let frame = encode(message)?;
        let sent = self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(&frame);
        if sent.is_err() {
            self.shutdown(Shutdown::Write);
        }
        Ok(sent?)
    }

    /// Bounds how long a write may take.
    pub(crate) fn set_timeout(&self, timeout: Duration) -> io::Result<()> {
        let stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stream.set_write_timeout(Some(timeout.max(SHORTEST_WAIT)))
    }

    /// Closes the connection in the directions of `how`. That it is closed already is as good.
    pub(crate) fn shutdown(&self, how: Shutdown) {
        let stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = stream.shutdown(how) {
            tracing::debug!("closing the control connection: {error}");
        }
    }
}

/// The receiving half.
pub(crate) struct Link {
    stream: TcpStream,
    writer: Writer,
    decoder: Decoder,
    peer: SocketAddr,
}

impl Link {
    /// Takes over a connection, on which a write takes at most `timeout`.
    pub(crate) fn new(stream: TcpStream, timeout: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let writer = Writer(Arc::new(Mutex::new(stream.try_clone()?)));
        writer.set_timeout(timeout)?;
        let peer = stream.peer_addr()?;
        Ok(Self { stream, writer, decoder: Decoder::default(), peer })
    }

    pub(crate) fn writer(&self) -> Writer {
        self.writer.clone()
    }

    pub(crate) fn peer(&self) -> SocketAddr {
        self.peer
    }

    pub(crate) fn local(&self) -> io::Result<SocketAddr> {
        self.stream.local_addr()
    }

    /// The next message, or `None` when none has come after `wait`. It looks at the socket at least
    /// once.
    pub(crate) fn receive(&mut self, wait: Duration) -> Result<Option<Message>, Gone> {
        let until = Instant::now() + wait;
        loop {
            if let Some(message) = self.decoder.next_message()? {
                return Ok(Some(message));
            }
            let left = until.saturating_duration_since(Instant::now());
            self.stream.set_read_timeout(Some(left.max(SHORTEST_WAIT)))?;
            let mut bytes = [0; READ_BYTES];
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Gone::Closed),
                Ok(count) => self.decoder.push(&bytes[..count]),
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                    ) => {}
                Err(error) => return Err(Gone::Io(error)),
            }
            if Instant::now() >= until {
                return Ok(self.decoder.next_message()?);
            }
        }
    }
}
