//! The thread that owns the state machine, and waits for all its sockets at once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mio::event::Event;
use mio::net::TcpListener;
use mio::{Events, Interest, Poll, Token, Waker};
use netfold_management::{
    Agenda, ConnectionId, DataPlane, Loading, Loss, Management, Message, Output, Quota, Refusal,
    encode, micros,
};
use socket2::SockRef;
use tracing::{debug, error, warn};

use super::loading::Loads;
use super::peer::{MAX_UNSENT_BYTES, Peer, Phase};
use super::post::Post;

const LISTENER: Token = Token(0);
const POST: Token = Token(1);
const FIRST_PEER: usize = 2;

/// Sockets that one turn looks at.
const EVENTS_PER_TURN: usize = 1024;

/// Turns in succession that put off what is due: with more to take in each, a heartbeat may still
/// be among it.
const TURNS_PUT_OFF: u32 = 64;

/// Times that one turn reads from a connection, so that a peer with much to say does not keep the
/// others waiting.
const READS_PER_TURN: usize = 4;

/// Connections that the system keeps until they are taken. It may have a lower limit of its own
/// (`net.core.somaxconn`).
const BACKLOG: i32 = 4096;

const READ_BYTES: usize = 64 * 1024;

/// Longest time that [`ServerHandle::stop`](super::ServerHandle::stop) waits for the last messages
/// to leave, in microseconds.
const STOP_TIMEOUT_US: u64 = 2_000_000;

/// The longest time without an event or a deadline.
const IDLE: Duration = Duration::from_secs(60);

pub(super) struct EventLoop {
    pub(super) poll: Poll,
    /// `None` once the server stops.
    pub(super) listener: Option<TcpListener>,
    /// Time at which to look for connections; `None` until the listener has some.
    pub(super) accept_at_us: Option<u64>,
    pub(super) post: Arc<Post>,
    pub(super) management: Box<dyn Management>,
    pub(super) plane: Box<dyn DataPlane + Send>,
    pub(super) peers: BTreeMap<Token, Peer>,
    /// Those connections that the state machine knows.
    pub(super) tokens: HashMap<ConnectionId, Token>,
    /// Connections to the parent while its name is being looked up, with the bytes to send to it.
    pub(super) undialed: BTreeMap<ConnectionId, Vec<u8>>,
    /// Operations of users that are being admitted.
    loads: Loads,
    /// Times at which peers have taken too long.
    pub(super) deadlines: Agenda<Token>,
    /// Peers with more to read than one turn takes.
    unread: BTreeSet<Token>,
    /// Peers to which there may be something to write.
    unwritten: BTreeSet<Token>,
    buffer: Box<[u8]>,
    /// For lines about connections of strangers.
    pub(super) lines: Quota,
    pub(super) next_connection: u64,
    pub(super) next_peer: usize,
    pub(super) start: Instant,
}

impl EventLoop {
    pub(super) fn new(
        listener: std::net::TcpListener,
        management: Box<dyn Management>,
        plane: Box<dyn DataPlane + Send>,
    ) -> io::Result<(Self, Arc<Post>)> {
        listener.set_nonblocking(true)?;
        // The standard library lets so few wait that the workers of a large job, which all come at
        // once, would be turned away and try again a second later.
        SockRef::from(&listener).listen(BACKLOG)?;
        let mut listener = TcpListener::from_std(listener);
        let poll = Poll::new()?;
        poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
        let post = Arc::new(Post::new(Waker::new(poll.registry(), POST)?));
        let event_loop = Self {
            poll,
            listener: Some(listener),
            accept_at_us: None,
            post: post.clone(),
            management,
            plane,
            peers: BTreeMap::new(),
            tokens: HashMap::new(),
            undialed: BTreeMap::new(),
            loads: Loads::default(),
            deadlines: Agenda::default(),
            unread: BTreeSet::new(),
            unwritten: BTreeSet::new(),
            buffer: vec![0; READ_BYTES].into(),
            lines: Quota::default(),
            next_connection: 0,
            next_peer: FIRST_PEER,
            start: Instant::now(),
        };
        Ok((event_loop, post))
    }

    /// Runs until it is told to stop.
    pub(super) fn run(mut self) {
        if let Err(error) = self.serve() {
            error!(%error, "the control server has stopped: the system does not tell of its sockets any more");
        }
    }

    fn serve(&mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(EVENTS_PER_TURN);
        let mut put_off = 0;
        loop {
            self.take_turn(&mut events, IDLE)?;
            let left = self.post.take();
            for incident in left.incidents {
                self.management.incident(self.now_us(), incident, &mut *self.plane);
                self.carry_out();
            }
            for (conn, loaded) in left.loaded {
                let entropy = rand::random();
                self.management.loaded(self.now_us(), conn, loaded, &mut *self.plane, entropy);
                self.carry_out();
            }
            for question in left.questions {
                // Whoever asked may have given up.
                if question.try_send(self.management.stats(&mut *self.plane)).is_err() {
                    debug!("nobody waits for the statistics any more");
                }
            }
            if let Some(parent) = left.parent {
                self.found_parent(parent);
            }
            if left.stop {
                return self.stop(&mut events);
            }
            // Messages that have arrived are taken before time-outs are judged.
            let is_more = !self.unread.is_empty() || events.iter().count() == EVENTS_PER_TURN;
            put_off = if is_more && put_off < TURNS_PUT_OFF { put_off + 1 } else { 0 };
            if put_off == 0 {
                self.management.handle_timeout(self.now_us(), &mut *self.plane);
                self.carry_out();
            }
            self.write_out();
            self.expire();
            self.tell_omitted(self.now_us());
        }
    }

    /// Waits, at most for `longest`, and takes what has come.
    fn take_turn(&mut self, events: &mut Events, longest: Duration) -> io::Result<()> {
        let now_us = self.now_us();
        let dues = [
            self.management.poll_timeout(),
            self.deadlines.next_us(),
            self.accept_at_us,
            self.lines.poll_timeout(),
        ];
        let until_due = dues
            .into_iter()
            .flatten()
            .min()
            .map(|at| Duration::from_micros(at.saturating_sub(now_us)));
        let wait = if self.unread.is_empty() {
            until_due.map_or(longest, |wait| wait.min(longest))
        } else {
            Duration::ZERO
        };
        match self.poll.poll(events, Some(wait)) {
            Err(error) if error.kind() == ErrorKind::Interrupted => events.clear(),
            polled => polled?,
        }
        let unread = std::mem::take(&mut self.unread);
        for event in events.iter() {
            match event.token() {
                LISTENER => self.accept_at_us = Some(now_us),
                POST => {}
                peer => self.ready(peer, event),
            }
        }
        for peer in unread {
            self.read(peer);
        }
        if self.accept_at_us.is_some_and(|at_us| at_us <= self.now_us()) {
            self.accept();
        }
        Ok(())
    }

    fn ready(&mut self, token: Token, event: &Event) {
        let Some(peer) = self.peers.get_mut(&token) else { return };
        if peer.phase == Phase::Dialing {
            match peer.is_made() {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    return self.drop_peer(token, Loss::Unreachable { error: error.to_string() });
                }
            }
        }
        self.unwritten.insert(token);
        if event.is_readable() || event.is_read_closed() || event.is_error() {
            self.read(token);
        }
    }

    fn read(&mut self, token: Token) {
        for _ in 0..READS_PER_TURN {
            let Some(peer) = self.peers.get_mut(&token) else { return };
            match peer.read(&mut self.buffer) {
                Ok(Some(())) => self.hear(token),
                Ok(None) => return,
                Err(error) if peer.phase == Phase::Open => {
                    // It may have closed its end only: what it is still to be told goes out.
                    let conn = peer.conn;
                    debug!(peer = %peer.address, "reading from a control connection: {error}");
                    self.disconnected(conn, Loss::Closed);
                    return self.carry_out();
                }
                Err(_) => {
                    self.unwritten.insert(token);
                    return;
                }
            }
        }
        self.unread.insert(token);
    }

    /// Hands over the messages that have arrived whole.
    fn hear(&mut self, token: Token) {
        while let Some(peer) = self.peers.get_mut(&token) {
            let (conn, address) = (peer.conn, peer.address);
            match peer.next_message() {
                Ok(Some(message)) => {
                    let now_us = self.now_us();
                    self.management.handle(now_us, conn, message, &mut *self.plane, rand::random());
                    self.carry_out();
                }
                Ok(None) => return,
                Err(error) => {
                    let what = format!("it sent {error}");
                    if self.lines.allows(self.now_us()) {
                        warn!(peer = %address, "closing a control connection: {what}");
                    }
                    self.disconnected(conn, Loss::Misbehaved { what });
                    self.close(conn);
                    return self.carry_out();
                }
            }
        }
    }

    /// Does what the state machine wants done.
    pub(super) fn carry_out(&mut self) {
        while let Some(output) = self.management.poll_output() {
            match output {
                Output::Send(conn, message) => self.send(conn, &message),
                Output::Close(conn) => self.close(conn),
                Output::Dial(conn) => self.dial(conn),
                Output::Load(conn, loading) => self.load(conn, loading),
            }
        }
    }

    fn load(&mut self, conn: ConnectionId, loading: Loading) {
        if let Err(error) = self.loads.push(conn, loading, &self.post) {
            let reason = format!("the system starts no thread to admit operations: {error}");
            let refused = Refusal::Operation { number: 0, reason };
            self.post.loaded(conn, Err(refused));
        }
    }

    fn send(&mut self, conn: ConnectionId, message: &Message) {
        let now_us = self.now_us();
        let token = self.tokens.get(&conn);
        let peer = token.and_then(|token| self.peers.get_mut(token));
        let undialed = self.undialed.get_mut(&conn);
        if peer.is_none() && undialed.is_none() {
            return;
        }
        let put = match (encode(message), peer, undialed) {
            (Ok(frame), Some(peer), _) => {
                peer.push(now_us, &frame).then_some(()).ok_or(Loss::Unread)
            }
            (Ok(frame), _, Some(unsent)) if unsent.len() + frame.len() <= MAX_UNSENT_BYTES => {
                unsent.extend_from_slice(&frame);
                Ok(())
            }
            (Ok(_), ..) => Err(Loss::Unread),
            (Err(error), ..) => {
                warn!("closing a control connection: its next message would be {error}");
                Err(Loss::Closed)
            }
        };
        self.unwritten.extend(token);
        if let Err(why) = put {
            self.close(conn);
            self.disconnected(conn, why);
        }
    }

    /// Closes a connection when what waits for its peer is out. The state machine has no more to do
    /// with it.
    fn close(&mut self, conn: ConnectionId) {
        self.undialed.remove(&conn);
        self.loads.forget(conn);
        let Some(token) = self.tokens.remove(&conn) else { return };
        let now_us = self.now_us();
        match self.peers.get_mut(&token) {
            Some(peer) if peer.phase == Phase::Open => {
                peer.close(now_us);
                self.unwritten.insert(token);
            }
            _ => self.forget(token),
        }
    }

    /// Sends to all peers what they take now.
    fn write_out(&mut self) {
        while let Some(token) = self.unwritten.pop_first() {
            let now_us = self.now_us();
            let Some(peer) = self.peers.get_mut(&token) else { continue };
            match peer.write(now_us) {
                Ok(false) => self.deadlines.set(token, peer.deadline_us),
                Ok(true) => self.forget(token),
                Err(error) => {
                    debug!(peer = %peer.address, "writing to a control connection: {error}");
                    self.drop_peer(token, Loss::Closed);
                }
            }
        }
    }

    /// Drops those peers that have taken too long.
    fn expire(&mut self) {
        for token in self.deadlines.take_due(self.now_us()) {
            let why = match self.peers.get(&token).map(|peer| peer.phase) {
                Some(Phase::Dialing) => {
                    Loss::Unreachable { error: io::Error::from(ErrorKind::TimedOut).to_string() }
                }
                _ => Loss::Unread,
            };
            self.drop_peer(token, why);
        }
        self.write_out();
    }

    /// Drops a peer to which nothing gets through, and tells the state machine, if that still
    /// counts on it.
    fn drop_peer(&mut self, token: Token, why: Loss) {
        let Some(conn) = self.peers.get(&token).map(|peer| peer.conn) else { return };
        let is_known = self.tokens.contains_key(&conn);
        self.forget(token);
        if is_known {
            self.disconnected(conn, why);
            self.carry_out();
        }
    }

    pub(super) fn disconnected(&mut self, conn: ConnectionId, why: Loss) {
        self.management.disconnected(self.now_us(), conn, why, &mut *self.plane);
    }

    fn forget(&mut self, token: Token) {
        let Some(mut peer) = self.peers.remove(&token) else { return };
        self.tokens.remove(&peer.conn);
        self.deadlines.set(token, None);
        if let Err(error) = self.poll.registry().deregister(&mut peer.stream) {
            debug!(%error, "a control connection was not known to the system any more");
        }
    }

    /// Tells everyone, and waits a little until the last messages are out.
    fn stop(&mut self, events: &mut Events) -> io::Result<()> {
        // R-CTRL-4: a worker that was lost before is named to the others first.
        self.take_turn(events, Duration::ZERO)?;
        self.post.close();
        (self.listener, self.accept_at_us) = (None, None);
        self.management.stop(&mut *self.plane);
        self.carry_out();
        let open: Vec<_> = self.tokens.keys().chain(self.undialed.keys()).copied().collect();
        for conn in open {
            self.close(conn);
        }
        let until_us = self.now_us() + STOP_TIMEOUT_US;
        loop {
            self.write_out();
            self.expire();
            let left_us = until_us.saturating_sub(self.now_us());
            if self.peers.is_empty() || left_us == 0 {
                break;
            }
            self.take_turn(events, Duration::from_micros(left_us))?;
        }
        if !self.peers.is_empty() {
            debug!("{} control connections have not closed in time", self.peers.len());
        }
        self.tell_omitted(u64::MAX);
        Ok(())
    }

    /// Logs how many lines were left out of a period that is over at `now_us`.
    fn tell_omitted(&mut self, now_us: u64) {
        if let Some(omitted) = self.lines.expire(now_us) {
            warn!("{omitted} more lines about connections were left out");
        }
    }

    pub(super) fn now_us(&self) -> u64 {
        micros(self.start.elapsed())
    }
}

impl Drop for EventLoop {
    fn drop(&mut self) {
        self.post.close();
    }
}
