//! The switch's end: a listener, two threads for each connection, and one that owns the state machine: a [`Registry`](crate::Registry), or a
//! [`Relay`](crate::Relay), which has connections of its own to its parent.
//!
//! Every event goes through one bounded queue to the thread that owns the state machine and the data plane, so neither needs a lock.
//! A connection's reader blocks when that queue is full, which slows its peer down. What is sent to a peer waits in a bounded
//! queue of its own, and a peer that does not read is lost.

mod threads;

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tracing::{debug, info, warn};

use self::threads::{dial, spawn};
use crate::failure::Loss;
use crate::frame::encode;
use crate::limits::micros;
use crate::management::Management;
use crate::message::Message;
use crate::plane::{DataPlane, Incident};
use crate::registry::{ConnectionId, Output};
use crate::report::StatsReport;

/// Events that wait for the registry's thread.
const EVENT_QUEUE: usize = 1024;

/// How long [`ServerHandle::stop`] waits for the last messages to leave.
const STOP_PATIENCE: Duration = Duration::from_secs(2);

/// How long the listener rests when the system refuses it a connection, for want of files or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The longest time without an event or a deadline.
const IDLE: Duration = Duration::from_secs(60);

enum Event {
    Accepted(TcpStream, SocketAddr),
    Received(ConnectionId, Message),
    Ended(ConnectionId, Loss),
    /// There are incidents in the mailbox.
    Incidents,
    Stats(SyncSender<StatsReport>),
    Stop,
}

/// Runs a [`Management`] behind a listener.
pub struct Server;

impl Server {
    /// Starts to serve. The state machine and the data plane move to a thread of the server.
    ///
    /// # Errors
    /// The system's, if the listener has no address or a thread does not start.
    pub fn start(
        listener: TcpListener,
        management: impl Management + 'static,
        plane: Box<dyn DataPlane + Send>,
    ) -> io::Result<ServerHandle> {
        let address = listener.local_addr()?;
        let (events, queue) = sync_channel(EVENT_QUEUE);
        let (census, all_closed) = sync_channel(0);
        let mailbox = Mailbox::default();
        let stopping = Arc::new(AtomicBool::new(false));
        let manager = Manager {
            management: Box::new(management),
            plane,
            queue,
            events: events.clone(),
            mailbox: mailbox.clone(),
            connections: HashMap::new(),
            next_connection: 0,
            census: Arc::new(census),
            all_closed,
            start: Instant::now(),
        };
        let manager = thread::Builder::new().name("netfold-manager".into()).spawn(move || manager.run())?;
        let acceptor = thread::Builder::new().name("netfold-accept".into()).spawn({
            let (events, stopping) = (events.clone(), stopping.clone());
            move || accept(&listener, &events, &stopping)
        })?;
        info!(%address, "listening for workers");
        Ok(ServerHandle { address, events, mailbox, stopping, threads: vec![manager, acceptor] })
    }
}

/// A server that runs. Dropping it stops it.
pub struct ServerHandle {
    address: SocketAddr,
    events: SyncSender<Event>,
    mailbox: Mailbox,
    stopping: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl ServerHandle {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// For the data plane to report incidents with.
    pub fn incident_sender(&self) -> IncidentSender {
        IncidentSender { mailbox: self.mailbox.clone(), events: self.events.clone() }
    }

    /// Asks for counters and memory, as [`Metrics::serve`](crate::Metrics::serve) wants it; `None` once the server has stopped.
    pub fn stats_source(&self) -> impl Fn() -> Option<StatsReport> + Send + Sync + use<> {
        let events = self.events.clone();
        move || {
            let (reply, answer) = sync_channel(1);
            events.send(Event::Stats(reply)).ok()?;
            answer.recv().ok()
        }
    }

    /// Tells every worker that the switch stops, releases every job, and ends.
    pub fn stop(mut self) {
        self.shut_down();
    }

    fn shut_down(&mut self) {
        if self.stopping.swap(true, Ordering::AcqRel) {
            return;
        }
        // An error means that the registry's thread has ended already.
        if self.events.send(Event::Stop).is_err() {
            debug!("the registry's thread has ended before the server was stopped");
        }
        wake(self.address);
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                warn!("a thread of the control server has panicked");
            }
        }
    }
}

impl Drop for ServerHandle {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// Incidents that the registry's thread has not seen. A shard reports one for a job at most.
type Mailbox = Arc<Mutex<Vec<Incident>>>;

/// Takes incidents from the data plane to the registry. Never blocks on the registry: that may itself be waiting for
/// the data plane.
#[derive(Clone)]
pub struct IncidentSender {
    mailbox: Mailbox,
    events: SyncSender<Event>,
}

impl IncidentSender {
    /// Reports an incident. None is lost while the server runs.
    pub fn report(&self, incident: Incident) {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner).push(incident);
        // When the queue is full the registry's thread is about to look into the mailbox anyway: it does so after each event.
        if self.events.try_send(Event::Incidents).is_err() {
            debug!("the event queue is full or closed; the incident waits in the mailbox");
        }
    }
}

/// Counts the connections whose threads live.
type Census = Arc<SyncSender<()>>;

/// The thread that owns the state machine.
struct Manager {
    management: Box<dyn Management>,
    plane: Box<dyn DataPlane + Send>,
    queue: Receiver<Event>,
    events: SyncSender<Event>,
    mailbox: Mailbox,
    /// The send queues of open connections.
    connections: HashMap<ConnectionId, SyncSender<Vec<u8>>>,
    next_connection: u64,
    /// Each connection's writer holds a copy until the connection is closed. The count bounds threads.
    census: Census,
    /// Ends when the last copy is gone; nothing is sent on it.
    all_closed: Receiver<()>,
    start: Instant,
}

impl Manager {
    fn run(mut self) {
        loop {
            let wait = self
                .management
                .poll_timeout()
                .map_or(IDLE, |at| Duration::from_micros(at.saturating_sub(self.now_us())));
            let mut next = match self.queue.recv_timeout(wait) {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            // What has arrived is taken before time-outs are judged: a heartbeat may be waiting in the queue.
            let mut budget = EVENT_QUEUE;
            while let Some(event) = next {
                if let Event::Stop = event {
                    return self.stop();
                }
                self.take(event);
                budget -= 1;
                next = if budget > 0 { self.queue.try_recv().ok() } else { None };
            }
            let now_us = self.now_us();
            self.management.handle_timeout(now_us, &mut *self.plane);
            self.flush();
        }
    }

    fn take(&mut self, event: Event) {
        let now_us = self.now_us();
        match event {
            Event::Accepted(stream, peer) => self.open(now_us, stream, peer),
            Event::Received(conn, message) => {
                self.management.handle(now_us, conn, message, &mut *self.plane, rand::random());
            }
            Event::Ended(conn, why) => self.management.disconnected(now_us, conn, why, &mut *self.plane),
            Event::Stats(reply) => {
                // Whoever asked may have given up.
                if reply.try_send(self.management.stats(&mut *self.plane)).is_err() {
                    debug!("nobody waits for the statistics any more");
                }
            }
            Event::Incidents | Event::Stop => {}
        }
        let incidents = std::mem::take(&mut *self.mailbox.lock().unwrap_or_else(PoisonError::into_inner));
        for incident in incidents {
            self.management.incident(now_us, incident, &mut *self.plane);
        }
        self.flush();
    }

    fn open(&mut self, now_us: u64, stream: TcpStream, peer: SocketAddr) {
        // Each may have one to the parent.
        let each = if self.management.uplink().is_some() { 4 } else { 2 };
        let limit = each * self.management.limits().connections;
        if Arc::strong_count(&self.census) > limit {
            return warn!(%peer, "connection dropped: over {limit} are open or closing");
        }
        let conn = ConnectionId(self.next_connection);
        self.next_connection += 1;
        match spawn(stream, conn, peer, self.events.clone(), self.census.clone()) {
            Ok(sender) => {
                self.connections.insert(conn, sender);
                self.management.connected(now_us, conn, peer.ip().to_canonical(), rand::random());
            }
            Err(error) => warn!(%peer, "connection dropped: {error}"),
        }
    }

    /// Opens a connection to the parent. What is sent to it meanwhile waits.
    fn dial(&mut self, conn: ConnectionId) {
        let Some(uplink) = self.management.uplink() else { return };
        match dial(uplink, conn, self.events.clone(), self.census.clone()) {
            Ok(sender) => drop(self.connections.insert(conn, sender)),
            Err(error) => {
                let (now_us, why) = (self.now_us(), Loss::Unreachable { error: error.to_string() });
                self.management.disconnected(now_us, conn, why, &mut *self.plane);
            }
        }
    }

    /// Does what the state machine wants done.
    fn flush(&mut self) {
        while let Some(output) = self.management.poll_output() {
            match output {
                Output::Send(conn, message) => self.send(conn, &message),
                Output::Close(conn) => drop(self.connections.remove(&conn)),
                Output::Dial(conn) => self.dial(conn),
            }
        }
    }

    fn send(&mut self, conn: ConnectionId, message: &Message) {
        let Some(sender) = self.connections.get(&conn) else { return };
        let sent = match encode(message) {
            Ok(frame) => sender.try_send(frame).map_err(|error| match error {
                TrySendError::Full(_) => Loss::Unread,
                TrySendError::Disconnected(_) => Loss::Closed,
            }),
            Err(error) => {
                warn!("closing a control connection: its next message would be {error}");
                Err(Loss::Closed)
            }
        };
        if let Err(why) = sent {
            let now_us = self.now_us();
            self.management.disconnected(now_us, conn, why, &mut *self.plane);
        }
    }

    fn stop(mut self) {
        self.management.stop(&mut *self.plane);
        self.flush();
        // Without senders the writers send what is queued and end; without receiver the readers end.
        let Self { connections, queue, census, all_closed, .. } = self;
        drop((connections, queue, census));
        if let Err(RecvTimeoutError::Timeout) = all_closed.recv_timeout(STOP_PATIENCE) {
            debug!("some control connections have not closed in time");
        }
    }

    fn now_us(&self) -> u64 {
        micros(self.start.elapsed())
    }
}

fn accept(listener: &TcpListener, events: &SyncSender<Event>, stopping: &AtomicBool) {
    while !stopping.load(Ordering::Acquire) {
        match listener.accept() {
            Ok(_) if stopping.load(Ordering::Acquire) => return,
            Ok((stream, peer)) => {
                if events.send(Event::Accepted(stream, peer)).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted || error.kind() == ErrorKind::ConnectionAborted => {}
            Err(error) => {
                warn!("cannot accept a connection: {error}");
                thread::sleep(ACCEPT_PAUSE);
            }
        }
    }
}

/// Makes a blocked `accept` return, by connecting to it.
fn wake(mut address: SocketAddr) {
    if address.ip().is_unspecified() {
        address.set_ip(if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
    }
    if let Err(error) = TcpStream::connect_timeout(&address, STOP_PATIENCE) {
        debug!("waking the listener: {error}");
    }
}
