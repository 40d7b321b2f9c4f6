//! The worker's end: joining a job, hearing of the others, and taking leave; and questions to a
//! switch.

use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use netfold_management::{
    Cause, ClientError, Failure, Greeting, JoinRequest, LEAVE_WAIT_LIMIT, LocalSockets, Membership,
    Message, Notice, Outgoing, Progress, Query, Rejection, Report, SHORTEST_TIMEOUT, TablesLeft,
    Token, Transport, Waiting, Welcome, micros,
};
use netfold_wire::Integrity;
use tracing::debug;

use crate::link::{Gone, Link, Writer};

/// Longest time between two calls of `waiting`, which let a front end show that it lives and be
/// interrupted.
const WAITING_TICK: Duration = Duration::from_millis(100);

/// The longest time without a look at the clock.
const IDLE: Duration = Duration::from_secs(60);

/// The way to the switch, for whoever opens the sockets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The switch's end of the control connection.
    pub switch: SocketAddr,
    /// This host's address on the path, to which the UDP sockets are bound: the switch sends
    /// results there.
    pub local: IpAddr,
    /// Number of sockets to open.
    pub shards: u16,
    /// Name of the abstract Unix socket at which the switch hands out shared memory, if it does and
    /// the worker may use it.
    pub shared_memory: Option<String>,
    /// The worker may share memory with others on its host.
    pub shares_memory: bool,
}

/// A [`Membership`] with its driver: a clock, and the sending half of its connection. Any thread
/// may act on it; one receives.
struct Driver {
    machine: Mutex<Membership>,
    /// Notified when nothing more comes of the machine.
    over: Condvar,
    writer: Writer,
    start: Instant,
}

impl Driver {
    /// Drives a worker that has just connected.
    fn new(link: &Link, address: &str, request: JoinRequest) -> Self {
        let mut machine = Membership::new(0, link.peer(), address, request);
        machine.connected(0);
        let driver = Self {
            machine: Mutex::new(machine),
            over: Condvar::new(),
            writer: link.writer(),
            start: Instant::now(),
        };
        driver.act(|_, _| ());
        driver
    }

    fn machine(&self) -> MutexGuard<'_, Membership> {
        // The machine is whole between any two statements that can panic.
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the machine, at the time of the clock in microseconds. Then it carries
    /// out the machine's actions. The receiving thread reports a message that cannot be sent: the
    /// switch may have said why before it went.
    fn act(&self, act: impl FnOnce(&mut Membership, u64)) {
        let mut machine = self.machine();
        act(&mut machine, micros(self.start.elapsed()));
        while let Some(output) = machine.poll_output() {
            match output {
                Outgoing::Send(message) => {
                    if let Err(gone) = self.writer.send(&message) {
                        debug!("not sent to the switch: {gone}");
                    }
                }
                Outgoing::Close => self.writer.shutdown(Shutdown::Both),
            }
        }
        if machine.is_over() {
            self.over.notify_all();
        }
    }

    /// Waits for a message, at most until the machine's next time-out and for `limit`, and has the
    /// machine handle it.
    fn receive(&self, link: &mut Link, limit: Duration) {
        // Time-outs count up to here: what comes while this process is stopped is read before the
        // switch is taken for silent.
        let looked = self.start.elapsed();
        let due = self.machine().poll_timeout().map(Duration::from_micros);
        let wait = due.map_or(IDLE, |due| due.saturating_sub(looked));
        let received = link.receive(wait.min(limit));
        self.act(|machine, now_us| {
            match received {
                Ok(Some(message)) => machine.handle(now_us, message),
                Ok(None) => {}
                Err(gone) => machine.disconnected(gone.to_string()),
            }
            machine.handle_timeout(micros(looked));
        });
    }

    fn progress(&self) -> Option<Progress> {
        self.machine().poll_progress()
    }
}

/// A worker that is in a job which runs, before it listens. Heartbeats start with
/// [`start`](Self::start): call it soon.
pub struct Joined {
    link: Link,
    driver: Arc<Driver>,
    welcome: Welcome,
    integrity: Integrity,
}

impl Joined {
    /// Returns the terms that were negotiated.
    pub fn welcome(&self) -> &Welcome {
        &self.welcome
    }

    /// Returns the integrity check of the job's packets, with the key if it needs one.
    pub fn integrity(&self) -> Integrity {
        self.integrity
    }

    /// Returns the job's failure, if it has failed or fails before its time-out is over. It serves
    /// a worker that finds that it cannot take part.
    pub fn failure(&mut self) -> Option<Failure> {
        let deadline = Instant::now() + Duration::from_millis(self.welcome.timeout_ms);
        loop {
            match self.driver.progress() {
                Some(Progress::Notice(Notice::Failed(failure))) => return Some(failure),
                Some(Progress::Notice(Notice::SwitchLost { .. })) => return None,
                Some(_) => {}
                None => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return None;
                    }
                    self.driver.receive(&mut self.link, left);
                }
            }
        }
    }

    /// Listens from now on. `notify` is called from a thread of the session; it may use the
    /// session, but neither [`leave`](Session::leave) it nor block.
    ///
    /// # Errors
    /// [`ClientError::Local`] if the thread does not start.
    pub fn start(self, notify: Box<dyn Fn(Notice) + Send>) -> Result<Session, ClientError> {
        let Self { mut link, driver, .. } = self;
        let listening = driver.clone();
        let thread = thread::Builder::new()
            .name("netfold-control".into())
            .spawn(move || {
                while !listening.machine().is_over() {
                    listening.receive(&mut link, IDLE);
                    while let Some(progress) = listening.progress() {
                        if let Progress::Notice(notice) = progress {
                            notify(notice);
                        }
                    }
                }
            })
            .map_err(ClientError::Local)?;
        Ok(Session { driver, thread: Some(thread) })
    }
}

/// A worker's place in a running job. To drop it without [`leave`](Self::leave) is to be lost, and
/// fails the job (R-CTRL-4).
pub struct Session {
    driver: Arc<Driver>,
    thread: Option<JoinHandle<()>>,
}

impl Session {
    /// Joins a job and waits until all its workers are there.
    ///
    /// `open_sockets` opens one UDP socket for each shard. `waiting` hears of the workers that have
    /// joined, at each change and at least ten times a second. It ends the wait by `Break`.
    ///
    /// # Errors
    /// [`ClientError`], which says what to do next.
    pub fn join(
        address: &str,
        request: &JoinRequest,
        open_sockets: impl FnOnce(&Path) -> io::Result<LocalSockets>,
        mut waiting: impl FnMut(&Waiting) -> ControlFlow<()>,
    ) -> Result<Joined, ClientError> {
        let mut link = connect(address, request.connect_timeout)?;
        let driver = Arc::new(Driver::new(&link, address, request.clone()));
        let mut open_sockets = Some(open_sockets);
        let mut known = Waiting { joined: 1, size: request.size, missing: Vec::new() };
        loop {
            match driver.progress() {
                Some(Progress::Greeted(greeting)) => {
                    let path = path(&link, request, greeting)?;
                    if let Some(open_sockets) = open_sockets.take() {
                        let sockets = open_sockets(&path).map_err(ClientError::Local)?;
                        link.writer()
                            .set_timeout(request.timeout.max(SHORTEST_TIMEOUT))
                            .map_err(ClientError::Local)?;
                        driver.act(|machine, now_us| machine.join(now_us, sockets));
                    }
                    continue;
                }
                Some(Progress::Waiting(now)) => known = now,
                Some(Progress::Welcome(welcome)) => {
                    let integrity = request.integrity(&welcome);
                    return Ok(Joined { link, driver, welcome, integrity });
                }
                Some(Progress::Rejected(why)) => return Err(ClientError::rejected(address, why)),
                Some(Progress::Notice(_) | Progress::Left) => {}
                None => driver.receive(&mut link, WAITING_TICK),
            }
            if open_sockets.is_none() && waiting(&known).is_break() {
                return Err(ClientError::Interrupted);
            }
        }
    }

    /// Answers [`Notice::Describe`]: what this worker calls at a position, in words.
    pub fn describe(&self, shard: u16, slot: u16, position: u32, text: impl Into<String>) {
        self.driver.act(|machine, _| machine.describe(shard, slot, position, text));
    }

    /// Tells what is wrong in a round, which this worker has seen in shared memory.
    pub fn report(&self, shard: u16, slot: u16, position: u32, cause: Cause) {
        self.driver.act(|machine, _| machine.report(shard, slot, position, cause));
    }

    /// Tells of calls that are in progress here, so that the switch can compare them with what
    /// others call: [`Notice::Pulse`], [`Notice::AskInProgress`]. Each has its number, and is
    /// described as every worker does that makes the same call.
    pub fn in_progress(&self, calls: Vec<(u64, String)>) {
        self.driver.act(|machine, _| machine.in_progress(calls));
    }

    /// Asks for lent slots, for the call of this number among those that need them; the answer is
    /// [`Notice::Slots`] (R-CTRL-25).
    pub fn need_slots(&self, call: u64) {
        self.driver.act(|machine, _| machine.need_slots(call));
    }

    /// Returns lent slots, after so many calls that have needed them.
    pub fn return_slots(&self, calls: u64) {
        self.driver.act(|machine, _| machine.return_slots(calls));
    }

    /// Takes leave after so many calls (R-CTRL-5), and waits, at most two seconds, until the switch
    /// has taken note, so that the process can end.
    pub fn leave(&self, calls: u64) {
        self.driver.act(|machine, now_us| machine.leave(now_us, calls));
        self.driver.writer.shutdown(Shutdown::Write);
        let here = |machine: &mut Membership| !machine.is_over();
        let waited =
            self.driver.over.wait_timeout_while(self.driver.machine(), LEAVE_WAIT_LIMIT, here);
        if waited.is_ok_and(|(machine, _)| !machine.is_over()) {
            debug!("the switch has not confirmed the leave");
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.driver.act(|machine, _| machine.abandon());
        // The session may be dropped by what `notify` calls, on the thread itself, which then ends
        // when that returns.
        if let Some(thread) =
            self.thread.take().filter(|thread| thread.thread().id() != thread::current().id())
            && thread.join().is_err()
        {
            debug!("the thread that listens to the switch has panicked");
        }
    }
}

/// Asks a running switch about itself. `timeout` bounds each step: the connection, its greeting,
/// the answer.
///
/// # Errors
/// [`ClientError`], which says what to do next.
pub fn query(address: &str, what: Query, timeout: Duration) -> Result<Report, ClientError> {
    let (mut client, _) = Client::greet(address, timeout)?;
    client.send(&Message::Query { what })?;
    match client.receive()? {
        Message::Report { report } => Ok(report),
        other => Err(client.misplaced(other)),
    }
}

/// Has a running switch hand its tables over to their servers and stop, and waits until it does
/// (R-CTRL-21). `progress` hears several times a second which tables are not handed over. Returns
/// those that were not in the end. `timeout` bounds each step, as that of [`query`].
///
/// # Errors
/// [`ClientError`], which says what to do next.
pub fn drain(
    address: &str,
    token: Option<&Token>,
    timeout: Duration,
    mut progress: impl FnMut(&TablesLeft),
) -> Result<TablesLeft, ClientError> {
    let (mut client, greeting) = Client::greet(address, timeout)?;
    let proof = token.map(|token| greeting.prove_for_drain(token));
    client.send(&Message::Drain { proof })?;
    loop {
        match client.receive()? {
            Message::Draining { left } => progress(&left),
            Message::Drained { left } => return Ok(left),
            other => return Err(client.misplaced(other)),
        }
    }
}

/// A client of a switch that is no worker.
pub(crate) struct Client<'a> {
    pub(crate) link: Link,
    address: &'a str,
    timeout: Duration,
}

impl<'a> Client<'a> {
    /// Connects, and exchanges greetings.
    pub(crate) fn greet(
        address: &'a str,
        timeout: Duration,
    ) -> Result<(Self, Greeting), ClientError> {
        let mut link = connect(address, timeout)?;
        let rejected = |why| ClientError::rejected(address, why);
        let not_a_switch = |gone: Gone| rejected(Rejection::not_a_switch(&gone.to_string()));
        // R-CTRL-14
        link.writer().send(&Message::Greet { path: Vec::new() }).map_err(not_a_switch)?;
        let Some(greeting) = link.receive(timeout).map_err(not_a_switch)? else {
            return Err(rejected(Rejection::not_a_switch("it says nothing")));
        };
        let greeting = Greeting::of(greeting).map_err(rejected)?;
        Ok((Self { link, address, timeout }, greeting))
    }

    pub(crate) fn send(&self, message: &Message) -> Result<(), ClientError> {
        self.link.writer().send(message).map_err(|gone| self.lost(&gone))
    }

    pub(crate) fn receive(&mut self) -> Result<Message, ClientError> {
        let received = self.link.receive(self.timeout).map_err(|gone| self.lost(&gone))?;
        received.ok_or_else(|| self.rejected(Rejection::silent(self.timeout)))
    }

    /// The error that an answer of another kind is.
    pub(crate) fn misplaced(&self, answer: Message) -> ClientError {
        self.rejected(match answer {
            Message::Refused { reason } => Rejection::Refused(reason),
            _ => Rejection::not_a_switch("its answer to a question has no place there"),
        })
    }

    fn lost(&self, gone: &Gone) -> ClientError {
        self.rejected(Rejection::Lost { why: gone.to_string() })
    }

    fn rejected(&self, why: Rejection) -> ClientError {
        ClientError::rejected(self.address, why)
    }
}

fn connect(address: &str, timeout: Duration) -> Result<Link, ClientError> {
    let no_switch = |source| ClientError::NoSwitch { address: address.to_owned(), source };
    let resolve = |source| ClientError::Address { address: address.to_owned(), source };
    let mut error = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for candidate in address.to_socket_addrs().map_err(resolve)? {
        match TcpStream::connect_timeout(&candidate, timeout) {
            Ok(stream) => return Link::new(stream, timeout).map_err(no_switch),
            Err(failed) => error = failed,
        }
    }
    Err(no_switch(error))
}

fn path(link: &Link, request: &JoinRequest, greeting: Greeting) -> Result<Path, ClientError> {
    let local = link.local().map_err(ClientError::Local)?.ip();
    let shares_memory = request.transport != Some(Transport::Udp);
    let shared_memory = greeting.shared_memory.filter(|_| shares_memory);
    Ok(Path { switch: link.peer(), local, shards: greeting.shards, shared_memory, shares_memory })
}
