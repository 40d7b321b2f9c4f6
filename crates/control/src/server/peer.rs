//! One connection of the event loop: bytes in, bytes out, and how it ends.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr};

use mio::net::TcpStream;
use netfold_management::{ConnectionId, Decoder, FrameError, MAX_FRAME_BYTES, Message};
use socket2::{Domain, Protocol, Socket, Type};

/// Most bytes that wait for a peer to read. All that a worker is told while a large job forms and
/// ends is a tenth of it.
pub(super) const MAX_UNSENT_BYTES: usize = 4 * MAX_FRAME_BYTES;

/// Longest time for which a peer may take nothing of the bytes that wait for it, in microseconds.
const WRITE_TIMEOUT_US: u64 = 5_000_000;

/// Longest time that a peer may take to close its end after the switch has closed its own, in
/// microseconds. Until then the switch reads and drops all that the peer still sends. Closing over
/// unread bytes would reset the connection, and the peer might not see the last message.
const LINGER_US: u64 = 1_000_000;

/// Longest time that a connection to the parent may take, in microseconds.
const DIAL_TIMEOUT_US: u64 = 2_000_000;

/// A connection, which never blocks.
pub(super) struct Peer {
    pub(super) stream: TcpStream,
    pub(super) conn: ConnectionId,
    /// Address of the other end.
    pub(super) address: SocketAddr,
    pub(super) phase: Phase,
    decoder: Decoder,
    unsent: Vec<u8>,
    /// Nothing more comes from the peer.
    ended: bool,
    /// Time at which the peer has taken too long for the event that its phase waits for.
    pub(super) deadline_us: Option<u64>,
}

/// Phase of a connection. It only goes on from each to one further down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It is being made.
    Dialing,
    /// Messages go both ways.
    Open,
    /// The state machine is done with it: what waits for the peer still goes out.
    Closing,
    /// All is sent, and this end closed. The peer's is waited for.
    Lingering,
}

impl Peer {
    pub(super) fn accepted(
        stream: TcpStream,
        conn: ConnectionId,
        address: SocketAddr,
    ) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self::new(stream, conn, address, Phase::Open, None))
    }

    /// Begins to connect to the parent, from the address `local` if that is one. Bytes sent to it
    /// meanwhile wait.
    pub(super) fn dial(
        parent: SocketAddr,
        local: IpAddr,
        conn: ConnectionId,
        now_us: u64,
    ) -> io::Result<Self> {
        let socket = Socket::new(Domain::for_address(parent), Type::STREAM, Some(Protocol::TCP))?;
        socket.set_nonblocking(true)?;
        socket.set_tcp_nodelay(true)?;
        if !local.is_unspecified() {
            socket.bind(&SocketAddr::new(local, 0).into())?;
        }
        match socket.connect(&parent.into()) {
            Err(error) if !is_under_way(&error) => return Err(error),
            _ => {}
        }
        let stream = TcpStream::from_std(socket.into());
        Ok(Self::new(stream, conn, parent, Phase::Dialing, Some(now_us + DIAL_TIMEOUT_US)))
    }

    fn new(
        stream: TcpStream,
        conn: ConnectionId,
        address: SocketAddr,
        phase: Phase,
        deadline_us: Option<u64>,
    ) -> Self {
        let (decoder, unsent) = (Decoder::default(), Vec::new());
        Self { stream, conn, address, phase, decoder, unsent, ended: false, deadline_us }
    }

    /// Returns whether a dialed connection has been made by now.
    ///
    /// # Errors
    /// The reason for which it has not been made, and never will be.
    pub(super) fn is_made(&mut self) -> io::Result<bool> {
        if let Some(error) = self.stream.take_error()? {
            return Err(error);
        }
        match self.stream.peer_addr() {
            Ok(_) => {
                (self.phase, self.deadline_us) = (Phase::Open, None);
                Ok(true)
            }
            Err(error) if is_under_way(&error) || error.kind() == ErrorKind::NotConnected => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads what has come, as much as `buffer` holds. `None` if nothing is there now.
    ///
    /// # Errors
    /// The end of the connection: nothing more comes.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<Option<()>> {
        let end = match retry(|| self.stream.read(buffer)) {
            Ok(0) => ErrorKind::UnexpectedEof.into(),
            Ok(count) => {
                if self.phase == Phase::Open {
                    self.decoder.push(&buffer[..count]);
                }
                return Ok(Some(()));
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(error) => error,
        };
        self.ended = true;
        Err(end)
    }

    /// The next message of an open connection.
    pub(super) fn next_message(&mut self) -> Result<Option<Message>, FrameError> {
        if self.phase == Phase::Open { self.decoder.next_message() } else { Ok(None) }
    }

    /// Puts a frame behind what waits for the peer. `false` if there is no room, also after it has
    /// been sent what it takes.
    pub(super) fn push(&mut self, now_us: u64, frame: &[u8]) -> bool {
        let has_room = |peer: &Self| peer.unsent.len() + frame.len() <= MAX_UNSENT_BYTES;
        if !has_room(self) && (self.write(now_us).is_err() || !has_room(self)) {
            return false;
        }
        if self.unsent.is_empty() && self.phase == Phase::Open {
            self.deadline_us = Some(now_us + WRITE_TIMEOUT_US);
        }
        self.unsent.extend_from_slice(frame);
        true
    }

    /// The state machine is done with the connection.
    pub(super) fn close(&mut self, now_us: u64) {
        self.phase = Phase::Closing;
        self.deadline_us = Some(now_us + WRITE_TIMEOUT_US);
    }

    /// Sends what the peer takes now. Returns whether the connection has come to its end.
    ///
    /// # Errors
    /// The system's: the peer takes nothing any more.
    pub(super) fn write(&mut self, now_us: u64) -> io::Result<bool> {
        if let Phase::Dialing = self.phase {
            return Ok(false);
        }
        let mut sent = 0;
        while sent < self.unsent.len() {
            match retry(|| self.stream.write(&self.unsent[sent..])) {
                Ok(count) => sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        self.unsent.drain(..sent);
        if !self.unsent.is_empty() {
            if sent > 0 || self.deadline_us.is_none() {
                self.deadline_us = Some(now_us + WRITE_TIMEOUT_US);
            }
            return Ok(false);
        }
        match self.phase {
            Phase::Closing => {
                self.stream.shutdown(Shutdown::Write)?;
                (self.phase, self.deadline_us) = (Phase::Lingering, Some(now_us + LINGER_US));
            }
            Phase::Open => self.deadline_us = None,
            Phase::Dialing | Phase::Lingering => {}
        }
        Ok(self.phase == Phase::Lingering && self.ended)
    }
}

/// Returns whether a connection is still being made.
fn is_under_way(error: &io::Error) -> bool {
    error.kind() == ErrorKind::WouldBlock || error.raw_os_error() == Some(libc::EINPROGRESS)
}

/// Does it again for as long as a signal has come in between.
fn retry<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
