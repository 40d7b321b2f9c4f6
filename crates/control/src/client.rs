//! The worker's end: joining a job, hearing of the others, and taking leave; and questions to a switch.

use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use netfold_num::{Arithmetic, ByteOrder};
use netfold_wire::{Integrity, VERSION};
use thiserror::Error;
use tracing::debug;

use crate::failure::{Failure, Refusal};
use crate::limits::{DEFAULT_TIMEOUT, millis};
use crate::link::{Gone, Link, Writer};
use crate::message::{HostOffer, IntegrityKind, Join, Message, Query, Transport, Welcome, reach};
use crate::plane::Cause;
use crate::report::Report;
use crate::token::{Challenge, Token, integrity};

const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How often `waiting` is called at least, so that a front end can show that it lives and be interrupted.
const WAITING_TICK: Duration = Duration::from_millis(100);

/// A worker looks at its calls so many times within a job's time-out (R-CTRL-12).
const PULSES_PER_TIMEOUT: u32 = 8;

/// How long [`Session::leave`] waits for the switch to take note.
const LEAVE_PATIENCE: Duration = Duration::from_secs(2);

/// What a worker wants of a job. What is left `None` the switch decides.
#[derive(Clone, Debug)]
pub struct JoinRequest {
    /// Name of the job: 1 to 128 bytes, no control characters.
    pub job: String,
    /// This worker's rank, 0 to `size` - 1.
    pub rank: u16,
    /// Workers of the job.
    pub size: u16,
    /// What is added.
    pub arithmetic: Arithmetic,
    /// The order of a lane's bytes in packets (R-NUM-19).
    pub byte_order: ByteOrder,
    /// How packets prove themselves (R-PKT-3). `None` means by token if there is one, else by the transport's checksum.
    pub integrity: Option<IntegrityKind>,
    /// Lanes of a packet, in lanes of 4 bytes: a power of two from 8 to 8192.
    pub packet_elements: Option<u16>,
    /// Slots of each flow's bulk stream, a power of two.
    pub slots: Option<u16>,
    /// The job's part of a queue that it shares with others, 1 to [`MAX_WEIGHT`](crate::MAX_WEIGHT) (R-ECN-4).
    pub weight: u16,
    /// How to reach the slots. `None`: by shared memory where all workers run on the switch's host, else by UDP (R-CTRL-10).
    pub transport: Option<Transport>,
    /// The longest that a lost worker or switch may go unnoticed.
    pub timeout: Duration,
    /// How long the switch may take to answer the connection.
    pub connect_timeout: Duration,
    /// The job's token (R-CTRL-8).
    pub token: Option<Token>,
}

impl JoinRequest {
    /// A request with every choice at its default: block arithmetic, little-endian lanes, a time-out of [`DEFAULT_TIMEOUT`].
    pub fn new(job: impl Into<String>, rank: u16, size: u16) -> Self {
        Self {
            job: job.into(),
            rank,
            size,
            arithmetic: Arithmetic::Block,
            byte_order: ByteOrder::Little,
            integrity: None,
            packet_elements: None,
            slots: None,
            weight: 1,
            transport: None,
            timeout: DEFAULT_TIMEOUT,
            connect_timeout: DEFAULT_CONNECT_TIMEOUT,
            token: None,
        }
    }

    fn message(&self, sockets: LocalSockets, challenge: &Challenge) -> Join {
        let default = if self.token.is_some() { IntegrityKind::Token } else { IntegrityKind::Transport };
        Join {
            version: VERSION,
            job: self.job.clone(),
            rank: self.rank,
            size: self.size,
            arithmetic: self.arithmetic.to_string(),
            byte_order: self.byte_order.to_string(),
            integrity: self.integrity.unwrap_or(default),
            packet_elements: self.packet_elements,
            slots: self.slots,
            weight: self.weight,
            max_datagram: sockets.max_datagram,
            receive_buffer: sockets.receive_buffer,
            udp_ports: sockets.udp_ports,
            transport: self.transport,
            shares_memory: sockets.shares_memory,
            host: sockets.host,
            timeout_ms: millis(self.timeout),
            proof: self.token.as_ref().map(|token| token.prove(challenge)),
        }
    }
}

/// The way to the switch, for whoever opens the sockets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The switch's end of the control connection.
    pub switch: SocketAddr,
    /// This host's address on the path, to which the UDP sockets are bound: the switch sends results there.
    pub local: IpAddr,
    /// How many sockets to open.
    pub shards: u16,
    /// Name of the abstract Unix socket at which the switch hands out shared memory, if it does and the worker may use it.
    pub shared_memory: Option<String>,
    /// Whether the worker may share memory with others on its host.
    pub shares_memory: bool,
}

/// The worker's UDP sockets, one for each shard of the switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalSockets {
    /// Their ports, in the order of the shards.
    pub udp_ports: Vec<u16>,
    /// Bytes of UDP payload that fit the path to the switch.
    pub max_datagram: u32,
    /// Bytes of the receive buffer of one of them.
    pub receive_buffer: u64,
    /// Whether the switch's Unix socket was reached.
    pub shares_memory: bool,
    /// What the worker offers to others on its host (R-CTRL-11).
    pub host: Option<HostOffer>,
}

/// Why a worker is not in a job, or a question has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address cannot be resolved.
    #[error("{address:?} is no address of a switch ({source}); give it as HOST:PORT in NETFOLD_SWITCH")]
    Address {
        /// The address given.
        address: String,
        /// What the resolver says.
        source: io::Error,
    },
    /// Nothing listens there.
    #[error(
        "no netfold switch answers at {address} ({source}); start one with `netfold switch --listen {address}`, or unset NETFOLD_SWITCH to let rank 0 start one of its own"
    )]
    NoSwitch {
        /// The address given.
        address: String,
        /// What the connection attempt says.
        source: io::Error,
    },
    /// Something listens there and is not a netfold switch.
    #[error("what answers at {address} is not a netfold switch: {why}; check NETFOLD_SWITCH")]
    NotASwitch {
        /// The address given.
        address: String,
        /// What it did.
        why: String,
    },
    /// The switch is of another version.
    #[error(
        "the switch at {address} speaks version {switch} of the protocol and this worker version {VERSION}; install the same netfold on both"
    )]
    Version {
        /// The address given.
        address: String,
        /// The switch's version.
        switch: u8,
    },
    /// The switch has gone before it had answered.
    #[error("the switch at {address} was lost: {why}; see its output, start it again and then the job")]
    Lost {
        /// The address given.
        address: String,
        /// How it was noticed.
        why: String,
    },
    /// The switch does not take the worker.
    #[error("{0}")]
    Refused(Refusal),
    /// The job has failed as it began, before this worker was told that it runs.
    #[error("{0}")]
    Failed(Failure),
    /// The worker's own sockets could not be opened.
    #[error("the worker's sockets or threads could not be set up: {0}; check the limits on open files and processes")]
    Local(#[source] io::Error),
    /// The caller has ended the wait.
    #[error("interrupted while waiting for the other workers of the job")]
    Interrupted,
}

/// What a worker is told while its job runs. After `Failed` and `SwitchLost` nothing follows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Notice {
    /// The job has failed.
    Failed(Failure),
    /// Another worker is done and makes no more calls (R-CTRL-5).
    Left {
        /// Its rank.
        rank: u16,
        /// Calls that it has made.
        calls: u64,
    },
    /// The switch asks what this worker calls there: answer with [`Session::describe`] (R-CTRL-6).
    Describe {
        /// The flow.
        shard: u16,
        /// The slot.
        slot: u16,
        /// The block in the slot's stream.
        position: u32,
        /// A lane of the block, if one is meant.
        lane: Option<u16>,
    },
    /// Another worker waits for this call: answer with [`Session::in_progress`] if it is in progress here (R-CTRL-12).
    AskInProgress {
        /// Its number in the job, from 0.
        call: u64,
    },
    /// An eighth of the job's time-out has gone by: tell with [`Session::in_progress`] of a call that has been in progress all the time (R-CTRL-12).
    Pulse,
    /// The switch has gone (R-CTRL-7).
    SwitchLost {
        /// Its address.
        address: SocketAddr,
        /// How it was noticed.
        why: String,
    },
}

/// A worker that is in a job which runs, before it listens. Heartbeats start with [`start`](Self::start): call it soon.
pub struct Joined {
    link: Link,
    welcome: Welcome,
    token: Option<Token>,
}

impl Joined {
    /// What was negotiated.
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// How the job's packets prove themselves, with the key if they need one.
    pub fn integrity(&self) -> Integrity {
        // Integrity by token is what the worker has asked for, and that takes a token (R-CTRL-8).
        integrity(self.welcome.integrity, self.token.as_ref(), self.welcome.epoch)
    }

    /// Why the job has failed, if it has, or does before its time-out is over: for a worker that finds that it cannot take part. It gives up its place.
    pub fn failure(mut self) -> Option<Failure> {
        let deadline = Instant::now() + Duration::from_millis(self.welcome.timeout_ms);
        loop {
            match self.link.receive(deadline.saturating_duration_since(Instant::now())) {
                Ok(Some(Message::Failed { cause })) => return Some(cause),
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Listens from now on. `notify` is called from a thread of the session; it may use the session, but neither
    /// [`leave`](Session::leave) it nor block.
    ///
    /// # Errors
    /// [`ClientError::Local`] if the thread does not start.
    pub fn start(self, notify: Box<dyn Fn(Notice) + Send>) -> Result<Session, ClientError> {
        let writer = self.link.writer();
        let shared = Arc::new(Shared::default());
        let pulse = Duration::from_millis(self.welcome.timeout_ms) / PULSES_PER_TIMEOUT;
        let listener =
            Listener { link: self.link, shared: shared.clone(), notify, pulse, next_pulse: Instant::now() + pulse };
        let thread = thread::Builder::new()
            .name("netfold-control".into())
            .spawn(move || listener.run())
            .map_err(ClientError::Local)?;
        Ok(Session { writer, shared, thread: Some(thread) })
    }
}

/// A worker's place in a running job. To drop it without [`leave`](Self::leave) is to be lost, and fails the job (R-CTRL-4).
pub struct Session {
    writer: Writer,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the session and its thread share.
#[derive(Default)]
struct Shared {
    /// The worker goes by itself: that the switch closes the connection is no loss.
    going: AtomicBool,
    closed: Mutex<bool>,
    changed: Condvar,
}

impl Session {
    /// Joins a job and waits until all its workers are there.
    ///
    /// `open_sockets` opens one UDP socket for each shard. `waiting` is told how many workers of how many have joined, at once
    /// when that changes and at least ten times a second; it ends the wait by `Break`.
    ///
    /// # Errors
    /// [`ClientError`], which says what to do next.
    pub fn join(
        address: &str,
        request: &JoinRequest,
        open_sockets: impl FnOnce(&Path) -> io::Result<LocalSockets>,
        mut waiting: impl FnMut(u16, u16) -> ControlFlow<()>,
    ) -> Result<Joined, ClientError> {
        let (mut link, Greeting { challenge, shards, shared_memory }) = connect(address, request.connect_timeout)?;
        let local = link.local().map_err(ClientError::Local)?.ip();
        let shares_memory = request.transport != Some(Transport::Udp);
        let shared_memory = shared_memory.filter(|_| shares_memory);
        let path = Path { switch: link.peer(), local, shards, shared_memory, shares_memory };
        let sockets = open_sockets(&path).map_err(ClientError::Local)?;
        let lost = |gone: Gone| ClientError::Lost { address: address.to_owned(), why: gone.to_string() };
        link.writer().send(&Message::Join(request.message(sockets, &challenge))).map_err(lost)?;
        link.keep_alive(request.timeout).map_err(ClientError::Local)?;
        let (mut joined, mut size) = (1, request.size);
        loop {
            match link.receive(WAITING_TICK).map_err(lost)? {
                Some(Message::Welcome(mut welcome)) => {
                    reach(&mut welcome.shards, link.peer().ip());
                    return Ok(Joined { link, welcome, token: request.token.clone() });
                }
                Some(Message::Refused { reason }) => return Err(ClientError::Refused(reason)),
                Some(Message::Failed { cause }) => return Err(ClientError::Failed(cause)),
                Some(Message::Waiting { joined: now, size: all }) => (joined, size) = (now, all),
                Some(Message::Heartbeat) | None => {}
                Some(_) => return Err(not_a_switch(address, "its answer to a join has no place there")),
            }
            if waiting(joined, size).is_break() {
                return Err(ClientError::Interrupted);
            }
        }
    }

    /// Answers [`Notice::Describe`]: what this worker calls at a position, in words.
    pub fn describe(&self, shard: u16, slot: u16, position: u32, text: impl Into<String>) {
        self.say(&Message::Description { shard, slot, position, text: text.into() });
    }

    /// Tells what is wrong in a round, which this worker has seen in shared memory.
    pub fn report(&self, shard: u16, slot: u16, position: u32, cause: Cause) {
        self.say(&Message::Incident { shard, slot, position, cause });
    }

    /// Tells of a call that is in progress here, so that the switch can compare it with what others call: [`Notice::Pulse`], [`Notice::AskInProgress`]. `text`
    /// describes it as every worker does that makes the same call.
    pub fn in_progress(&self, call: u64, text: impl Into<String>) {
        self.say(&Message::InProgress { call, text: text.into() });
    }

    /// Takes leave after so many calls (R-CTRL-5), and waits, at most two seconds, until the switch has taken note, so that the
    /// process can end.
    pub fn leave(&self, calls: u64) {
        self.shared.going.store(true, Ordering::Release);
        self.say(&Message::Leave { calls });
        self.writer.shutdown(Shutdown::Write);
        let closed = self.shared.closed.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.shared.changed.wait_timeout_while(closed, LEAVE_PATIENCE, |closed| !*closed);
        if waited.is_ok_and(|(closed, _)| !*closed) {
            debug!("the switch has not confirmed the leave");
        }
    }

    /// Sends what needs no answer. If the connection is gone, the listening thread notices and tells.
    fn say(&self, message: &Message) {
        if let Err(gone) = self.writer.send(message) {
            debug!("not sent to the switch: {gone}");
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.shared.going.store(true, Ordering::Release);
        self.writer.shutdown(Shutdown::Both);
        // The session may be dropped by what `notify` calls, on the thread itself, which then ends when that returns.
        if let Some(thread) = self.thread.take().filter(|thread| thread.thread().id() != thread::current().id())
            && thread.join().is_err()
        {
            debug!("the thread that listens to the switch has panicked");
        }
    }
}

/// The session's thread.
struct Listener {
    link: Link,
    shared: Arc<Shared>,
    notify: Box<dyn Fn(Notice) + Send>,
    /// Between two pulses.
    pulse: Duration,
    next_pulse: Instant,
}

impl Listener {
    fn run(mut self) {
        while self.step().is_continue() {}
        *self.shared.closed.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.changed.notify_all();
    }

    fn step(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        if self.next_pulse <= now {
            self.next_pulse = now + self.pulse;
            (self.notify)(Notice::Pulse);
        }
        let notice = match self.link.receive(self.next_pulse.saturating_duration_since(now)) {
            Ok(Some(Message::Failed { cause })) => Notice::Failed(cause),
            Ok(Some(Message::Left { rank, calls })) => Notice::Left { rank, calls },
            Ok(Some(Message::Describe { shard, slot, position, lane })) => {
                Notice::Describe { shard, slot, position, lane }
            }
            Ok(Some(Message::AskInProgress { call })) => Notice::AskInProgress { call },
            Ok(_) => return ControlFlow::Continue(()),
            Err(_) if self.shared.going.load(Ordering::Acquire) => return ControlFlow::Break(()),
            Err(gone) => Notice::SwitchLost { address: self.link.peer(), why: gone.to_string() },
        };
        let last = matches!(notice, Notice::Failed(_) | Notice::SwitchLost { .. });
        (self.notify)(notice);
        if last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Asks a running switch about itself. `timeout` bounds each step: the connection, its greeting, the answer.
///
/// # Errors
/// [`ClientError`], which says what to do next.
pub fn query(address: &str, what: Query, timeout: Duration) -> Result<Report, ClientError> {
    let (mut link, ..) = connect(address, timeout)?;
    let lost = |gone: Gone| ClientError::Lost { address: address.to_owned(), why: gone.to_string() };
    link.writer().send(&Message::Query { what }).map_err(lost)?;
    match link.receive(timeout).map_err(lost)? {
        Some(Message::Report { report }) => Ok(report),
        Some(Message::Refused { reason }) => Err(ClientError::Refused(reason)),
        Some(_) => Err(not_a_switch(address, "its answer to a question has no place there")),
        None => Err(lost(Gone::Silent(timeout))),
    }
}

/// How a switch introduces itself.
struct Greeting {
    challenge: Challenge,
    shards: u16,
    shared_memory: Option<String>,
}

/// Connects and hears the switch's greeting.
fn connect(address: &str, timeout: Duration) -> Result<(Link, Greeting), ClientError> {
    let no_switch = |source| ClientError::NoSwitch { address: address.to_owned(), source };
    let resolve = |source| ClientError::Address { address: address.to_owned(), source };
    let mut error = io::Error::from(io::ErrorKind::AddrNotAvailable);
    let mut stream = None;
    for candidate in address.to_socket_addrs().map_err(resolve)? {
        match TcpStream::connect_timeout(&candidate, timeout) {
            Ok(connected) => {
                stream = Some(connected);
                break;
            }
            Err(failed) => error = failed,
        }
    }
    let Some(stream) = stream else { return Err(no_switch(error)) };
    let mut link = Link::new(stream, timeout).map_err(no_switch)?;
    // R-CTRL-14
    link.writer()
        .send(&Message::Greet { path: Vec::new() })
        .map_err(|gone| not_a_switch(address, &gone.to_string()))?;
    match link.receive(timeout) {
        Ok(Some(Message::Hello { version: VERSION, challenge, shards, shared_memory })) => {
            Ok((link, Greeting { challenge, shards, shared_memory }))
        }
        Ok(Some(Message::Hello { version, .. })) => {
            Err(ClientError::Version { address: address.to_owned(), switch: version })
        }
        // R-CTRL-18: a rack switch may have no way to the root.
        Ok(Some(Message::Refused { reason })) => Err(ClientError::Refused(reason)),
        Ok(Some(_)) => Err(not_a_switch(address, "it does not begin with a greeting")),
        Ok(None) => Err(not_a_switch(address, "it says nothing")),
        Err(gone) => Err(not_a_switch(address, &gone.to_string())),
    }
}

fn not_a_switch(address: &str, why: &str) -> ClientError {
    ClientError::NotASwitch { address: address.to_owned(), why: why.to_owned() }
}
