//! A worker's end of a control connection: whole messages in, heartbeats out, silence noticed (R-CTRL-4).

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::frame::{Decoder, FrameError, encode};
use crate::message::Message;

/// Heartbeats go out this many times within a job's time-out.
pub(crate) const HEARTBEATS_PER_TIMEOUT: u32 = 4;

const READ_BYTES: usize = 4096;

/// The shortest wait for bytes: zero would wait for ever.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

/// Why a connection is of no more use.
#[derive(Debug, Error)]
pub(crate) enum Gone {
    #[error("it closed the connection")]
    Closed,
    #[error("nothing was heard from it for {0:?}")]
    Silent(Duration),
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("it sent {0}")]
    Garbage(#[from] FrameError),
}

/// The sending half, which threads share.
#[derive(Clone)]
pub(crate) struct Writer(Arc<Mutex<TcpStream>>);

impl Writer {
    pub(crate) fn send(&self, message: &Message) -> Result<(), Gone> {
        let frame = encode(message)?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(&frame)?;
        Ok(())
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
    timeout: Duration,
    /// `None` until the switch expects heartbeats.
    heartbeat: Option<Duration>,
    last_heard: Instant,
    last_sent: Instant,
}

impl Link {
    /// Takes over a connection. Whatever is expected from the peer must come within `timeout`.
    pub(crate) fn new(stream: TcpStream, timeout: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        let timeout = timeout.max(SHORTEST_WAIT);
        stream.set_write_timeout(Some(timeout))?;
        let writer = Writer(Arc::new(Mutex::new(stream.try_clone()?)));
        let peer = stream.peer_addr()?;
        let now = Instant::now();
        Ok(Self {
            stream,
            writer,
            decoder: Decoder::default(),
            peer,
            timeout,
            heartbeat: None,
            last_heard: now,
            last_sent: now,
        })
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

    /// From now on heartbeats go out, and the peer's are expected, for a job with this time-out.
    pub(crate) fn keep_alive(&mut self, timeout: Duration) -> io::Result<()> {
        let timeout = timeout.max(SHORTEST_WAIT);
        self.stream.set_write_timeout(Some(timeout))?;
        self.timeout = timeout;
        self.heartbeat = Some(timeout / HEARTBEATS_PER_TIMEOUT);
        self.last_heard = Instant::now();
        self.last_sent = self.last_heard;
        Ok(())
    }

    /// The next message, or `None` when none has come after `wait`.
    pub(crate) fn receive(&mut self, wait: Duration) -> Result<Option<Message>, Gone> {
        let until = Instant::now() + wait;
        loop {
            if let Some(message) = self.decoder.next_message()? {
                return Ok(Some(message));
            }
            let now = Instant::now();
            let mut wake = until.min(self.last_heard + self.timeout);
            if let Some(interval) = self.heartbeat {
                if now >= self.last_sent + interval {
                    self.writer.send(&Message::Heartbeat)?;
                    self.last_sent = now;
                }
                wake = wake.min(self.last_sent + interval);
            }
            self.stream.set_read_timeout(Some(wake.saturating_duration_since(now).max(SHORTEST_WAIT)))?;
            let mut bytes = [0; READ_BYTES];
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Gone::Closed),
                Ok(count) => {
                    self.last_heard = Instant::now();
                    self.decoder.push(&bytes[..count]);
                }
                // Silence counts only when nothing is there to be read: this process may itself have been stopped.
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) =>
                {
                    let now = Instant::now();
                    if now >= self.last_heard + self.timeout {
                        return Err(Gone::Silent(self.timeout));
                    }
                    if now >= until {
                        return Ok(None);
                    }
                }
                Err(error) => return Err(Gone::Io(error)),
            }
        }
    }
}
