//! The origin of connections: those from below are accepted, those to the parent are dialed. The
//! parent's name is looked up first.

use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::thread;

use mio::net::TcpStream;
use mio::{Interest, Token};
use netfold_management::{ConnectionId, Loss, Uplink};
use tracing::warn;

use super::event_loop::EventLoop;
use super::peer::Peer;
use super::post::Post;

/// Connections that one turn takes.
const ACCEPTS_PER_TURN: usize = 256;

/// Pause of the listener, in microseconds, when the system refuses it a connection for want of
/// files or memory.
const ACCEPT_PAUSE_US: u64 = 100_000;

impl EventLoop {
    /// Takes the connections that wait at the listener.
    pub(super) fn accept(&mut self) {
        let now_us = self.now_us();
        let Some(listener) = &mut self.listener else { return };
        let mut accepted = Vec::new();
        self.accept_at_us = Some(now_us);
        while accepted.len() < ACCEPTS_PER_TURN {
            match listener.accept() {
                Ok(connection) => accepted.push(connection),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.accept_at_us = None;
                    break;
                }
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::Interrupted | ErrorKind::ConnectionAborted
                    ) => {}
                Err(error) => {
                    if self.lines.allows(now_us) {
                        warn!("cannot accept a connection: {error}");
                    }
                    self.accept_at_us = Some(now_us + ACCEPT_PAUSE_US);
                    break;
                }
            }
        }
        for (stream, address) in accepted {
            self.open(stream, address);
        }
    }

    fn open(&mut self, stream: TcpStream, address: SocketAddr) {
        // Each may have one to the parent, and as many may be closing.
        let each = if self.management.uplink().is_some() { 4 } else { 2 };
        let limit = each * self.management.limits().connections;
        if self.peers.len() >= limit {
            return self.dropped(address, format_args!("over {limit} are open or closing"));
        }
        let conn = ConnectionId(self.next_connection);
        self.next_connection += 1;
        match Peer::accepted(stream, conn, address).and_then(|peer| self.enter(peer)) {
            Ok(()) => {
                let ip = address.ip().to_canonical();
                self.management.connected(self.now_us(), conn, ip, rand::random());
                self.carry_out();
            }
            Err(error) => self.dropped(address, error),
        }
    }

    fn dropped(&mut self, peer: SocketAddr, why: impl fmt::Display) {
        if self.lines.allows(self.now_us()) {
            warn!(%peer, "connection dropped: {why}");
        }
    }

    /// Opens a connection to the parent, once it is known where that is.
    pub(super) fn dial(&mut self, conn: ConnectionId) {
        let Some(uplink) = self.management.uplink() else { return };
        if let Ok(parent) = uplink.parent.parse() {
            return self.dial_at(parent, uplink.local, conn, &[]);
        }
        let is_first = self.undialed.is_empty();
        self.undialed.insert(conn, Vec::new());
        // One answer is for all that wait for it.
        if is_first && let Err(error) = look_up(uplink, self.post.clone()) {
            self.found_parent(Err(error));
        }
    }

    /// The parent's name has been looked up.
    pub(super) fn found_parent(&mut self, parent: io::Result<SocketAddr>) {
        let Some(Uplink { local, .. }) = self.management.uplink() else { return };
        if let Ok(parent) = &parent {
            self.management.found_parent(*parent);
        }
        for (conn, unsent) in std::mem::take(&mut self.undialed) {
            match &parent {
                Ok(parent) => self.dial_at(*parent, local, conn, &unsent),
                Err(error) => {
                    self.disconnected(conn, Loss::Unreachable { error: error.to_string() })
                }
            }
        }
        self.carry_out();
    }

    fn dial_at(&mut self, parent: SocketAddr, local: IpAddr, conn: ConnectionId, unsent: &[u8]) {
        let now_us = self.now_us();
        let dialed = Peer::dial(parent, local, conn, now_us).and_then(|mut peer| {
            // There was room for it where it has waited.
            peer.push(now_us, unsent);
            self.enter(peer)
        });
        if let Err(error) = dialed {
            self.disconnected(conn, Loss::Unreachable { error: error.to_string() });
        }
    }

    fn enter(&mut self, mut peer: Peer) -> io::Result<()> {
        let token = Token(self.next_peer);
        self.next_peer += 1;
        self.poll.registry().register(
            &mut peer.stream,
            token,
            Interest::READABLE | Interest::WRITABLE,
        )?;
        self.deadlines.set(token, peer.deadline_us);
        self.tokens.insert(peer.conn, token);
        self.peers.insert(token, peer);
        Ok(())
    }
}

/// Begins to look for the parent, on a thread of its own: the system makes a thread that asks it
/// wait, and that may take a while. The result goes to the post.
///
/// # Errors
/// The system's, if the thread does not start.
fn look_up(uplink: Uplink, post: Arc<Post>) -> io::Result<()> {
    let look = move || post.find(find(&uplink));
    thread::Builder::new().name("netfold-lookup".into()).spawn(look).map(drop)
}

/// The first address of the parent of the kind from which to connect.
fn find(uplink: &Uplink) -> io::Result<SocketAddr> {
    let same_kind = |candidate: &SocketAddr| candidate.is_ipv4() == uplink.local.is_ipv4();
    uplink.parent.to_socket_addrs()?.find(same_kind).ok_or(ErrorKind::AddrNotAvailable.into())
}
