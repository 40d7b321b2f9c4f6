//! The state machine of the management plane: connections, jobs, and the messages between them.

mod admit;
mod compare;
mod connection;
mod ended;
mod examine;
mod job;
mod joining;
mod layout;
mod lending;
mod lifecycle;
mod pending_calls;
mod queries;
mod report;
mod resume;
mod terms;
#[cfg(test)]
pub(crate) mod tests;

use core::net::{IpAddr, SocketAddr};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use netfold_switch::OperationLoader;
use netfold_wire::VERSION;
use tracing::info;

use self::connection::{Connection, Role};
use self::ended::Ended;
use self::examine::Examination;
use self::job::{Job, Phase};
use crate::agenda::Agenda;
use crate::drain::{self, Drain};
use crate::failure::{Loss, Refusal, clip};
use crate::limits::Limits;
use crate::message::{Message, Query, reach};
use crate::operations::Loading;
use crate::plane::{DataPlane, Incident};
use crate::quota::Quota;
use crate::report::Report;
use crate::token::{Challenge, Proof, Token};
use crate::trapped::Trapped;
use crate::tree::{Hop, checked_path};

/// A control connection, numbered by whoever runs the sockets, from 0. A number is never used
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

impl ConnectionId {
    /// Set in the names of connections that were asked for by [`Output::Dial`].
    const DIALED: u64 = 1 << 63;

    /// The name of a connection that is asked for, which none has that was accepted.
    pub(crate) fn dialed(number: u64) -> Self {
        Self(Self::DIALED | number)
    }
}

/// Action that a state machine of the management plane asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Send a message.
    Send(ConnectionId, Message),
    /// Close the connection when what was sent before is out. Nothing follows for it, and nothing
    /// about it need be reported.
    Close(ConnectionId),
    /// Open a connection to the parent, which is called so (R-CTRL-14). If that fails it is as if
    /// it had been open and closed.
    Dial(ConnectionId),
    /// Admit the operations that the worker at this connection has brought along, while everything
    /// else goes on, and tell [`Management::loaded`](crate::Management::loaded) what came of it.
    Load(ConnectionId, Loading),
}

/// A job in the registry, whatever its name or number: names and numbers are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct JobKey(u64);

/// Jobs and their workers (R-CTRL), without I/O.
///
/// The caller owns the sockets and the clock. It tells the registry what happens
/// ([`connected`](Self::connected), [`handle`](Self::handle), [`disconnected`](Self::disconnected),
/// [`incident`](Self::incident)) and, when [`poll_timeout`](Self::poll_timeout) says so, that time
/// has passed ([`handle_timeout`](Self::handle_timeout)). After each of these it does what
/// [`poll_output`](Self::poll_output) gives until that gives nothing.
///
/// `now_us` is a clock in microseconds from any origin that never goes back.
pub struct Registry {
    limits: Limits,
    shards: Vec<SocketAddr>,
    /// Socket at which shared memory is handed out.
    shared_memory: Option<String>,
    tokens: Vec<Token>,
    /// Admits operations of users; `None` if the switch runs none.
    loader: Option<Arc<dyn OperationLoader>>,
    connections: BTreeMap<ConnectionId, Connection>,
    /// Times at which there is something to do for each of them.
    agenda: Agenda<ConnectionId>,
    jobs: BTreeMap<JobKey, Job>,
    /// Jobs that are forming or running, by name: a job that is failing has given its name free
    /// (R-CTRL-3).
    names: BTreeMap<String, JobKey>,
    /// Epochs that jobs go on from, or have gone on from (R-RES-12).
    ended: BTreeMap<JobKey, Ended>,
    /// Operations that have ended their jobs.
    trapped: Trapped,
    /// The last epoch of each number, so that no two epochs in succession share one.
    epochs: BTreeMap<u16, u32>,
    /// The last epoch of each query's number, and whether the query is here.
    queries: BTreeMap<u16, (u32, bool)>,
    next_job: u64,
    /// Examination of what is not right, while switches below are asked for it.
    examination: Option<Examination>,
    /// A drain that was asked for.
    drain: Drain,
    /// For lines about those who are in no job.
    lines: Quota,
    output: VecDeque<Output>,
}

impl Registry {
    /// A registry without jobs, for a switch with these shards (their UDP addresses).
    ///
    /// With `tokens`, each worker must prove that it knows one of them, the same one throughout a
    /// job; without, none may (R-CTRL-8).
    ///
    /// # Panics
    /// If there are no shards, or more than 65,535.
    pub fn new(limits: Limits, shards: Vec<SocketAddr>, tokens: Vec<Token>) -> Self {
        assert!(
            (1..=usize::from(u16::MAX)).contains(&shards.len()),
            "a switch has 1 to 65535 shards"
        );
        Self {
            limits,
            shards,
            shared_memory: None,
            tokens,
            loader: None,
            connections: BTreeMap::new(),
            agenda: Agenda::default(),
            jobs: BTreeMap::new(),
            names: BTreeMap::new(),
            ended: BTreeMap::new(),
            trapped: Trapped::default(),
            epochs: BTreeMap::new(),
            queries: BTreeMap::new(),
            next_job: 0,
            examination: None,
            drain: Drain::default(),
            lines: Quota::default(),
            output: VecDeque::new(),
        }
    }

    /// Offers shared memory at an abstract Unix socket of this name (R-CTRL-10). The data plane
    /// must serve it.
    pub fn offer_shared_memory(mut self, socket: String) -> Self {
        self.shared_memory = Some(socket);
        self
    }

    /// Takes jobs with operations of users that a loader admits (R-OP-23).
    pub fn run_operations(mut self, loader: Arc<dyn OperationLoader>) -> Self {
        self.loader = Some(loader);
        self
    }

    /// The limits that it was made with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// A connection has been made from `peer_ip`. `challenge` must be random and used for nothing
    /// else.
    pub fn connected(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        peer_ip: IpAddr,
        challenge: Challenge,
    ) {
        let full = self.connections.len() >= self.limits.connections;
        self.connections.insert(conn, Connection::new(now_us, peer_ip, challenge));
        self.plan(conn);
        let (shards, shared_memory) = (self.shards.len() as u16, self.shared_memory.clone());
        self.send(conn, Message::Hello { version: VERSION, challenge, shards, shared_memory });
        if full {
            self.refuse(conn, Refusal::TooManyConnections { limit: self.limits.connections });
        }
    }

    /// A message has come. `entropy` must be random: a job that starts takes its epoch and its
    /// ticket from it.
    pub fn handle(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        message: Message,
        plane: &mut dyn DataPlane,
        entropy: u128,
    ) {
        // A message can cross with the registry's own closing of the connection; then it is of no
        // interest.
        let Some(connection) = self.connections.get_mut(&conn) else { return };
        connection.last_heard_us = now_us;
        match (connection.role, message) {
            (Role::Guest, Message::Greet { path }) => self.greeted(conn, path),
            (Role::Guest, Message::Join(join)) => self.join(now_us, conn, *join, plane, entropy),
            (Role::Guest, Message::Query { what }) => {
                let report = match what {
                    Query::Jobs => self.job_reports(now_us, plane),
                    Query::Stats => Report::Stats(self.stats(plane)),
                    Query::Operations => self.operation_reports(plane),
                    Query::Doctor => return self.examine(now_us, conn, plane),
                };
                self.send(conn, Message::Report { report });
                self.close(conn);
            }
            (Role::Guest, Message::Drain { proof }) if connection.path.is_empty() => {
                self.drain(now_us, conn, proof.as_ref(), plane);
            }
            (Role::Guest, Message::AdmitQuery(asked)) if connection.path.is_empty() => {
                self.admit_query(now_us, conn, &asked, plane, entropy as u32);
            }
            (Role::Worker { .. } | Role::Loading | Role::Client { .. }, Message::Heartbeat) => {}
            // A switch below admits what a worker has brought along (R-OP-40).
            (Role::Guest, Message::Heartbeat) if !connection.path.is_empty() => {}
            (Role::Worker { job, rank }, Message::Leave { calls }) => {
                self.leave(conn, job, rank, calls, plane)
            }
            (Role::Worker { job, rank }, Message::Description { shard, slot, position, text }) => {
                self.described(job, rank, (shard, slot, position), text);
            }
            (Role::Worker { job, .. }, Message::Incident { shard, slot, position, cause }) => {
                if let Some(epoch) = self.jobs.get(&job).and_then(Job::running) {
                    let (job, epoch) = (epoch.job, epoch.id);
                    self.incident(
                        now_us,
                        Incident { job, epoch, position, slot, shard, cause },
                        plane,
                    );
                }
            }
            (Role::Worker { job, rank }, Message::InProgress { calls }) => {
                self.in_progress(job, rank, calls, plane);
            }
            (Role::Worker { job, rank }, Message::NeedSlots { call }) => {
                self.need_slots(conn, job, rank, call, plane);
            }
            (Role::Worker { job, rank }, Message::ReturnSlots { calls }) => {
                self.return_slots(job, rank, calls, plane);
            }
            (Role::Worker { job, rank }, Message::Lost { why }) if !connection.path.is_empty() => {
                self.lost(now_us, conn, job, rank, why.clipped(), plane);
            }
            (Role::Worker { job, .. }, Message::Unable { mut switch, reason })
                if !connection.path.is_empty() =>
            {
                reach([&mut switch], connection.peer_ip);
                self.unable(job, switch, clip(&reason), plane);
            }
            (Role::Worker { job, .. }, Message::Examined { switch, findings })
                if !connection.path.is_empty() =>
            {
                self.examined(now_us, job, switch, findings, plane);
            }
            // R-RES-11: messages that were on their way when the epoch ended are of no interest.
            (
                Role::Survivor { .. },
                Message::Heartbeat
                | Message::Description { .. }
                | Message::Incident { .. }
                | Message::InProgress { .. }
                | Message::NeedSlots { .. }
                | Message::ReturnSlots { .. }
                | Message::Examined { .. },
            ) => {}
            (Role::Survivor { job, rank }, Message::Leave { .. }) => {
                self.lost_since(conn, job, rank, &Loss::Closed)
            }
            (Role::Survivor { job, rank }, Message::Lost { why })
                if !connection.path.is_empty() =>
            {
                self.lost_since(conn, job, rank, &why.clipped());
            }
            (_, unexpected) => {
                let what =
                    format!("it sent a message that has no place here ({})", unexpected.kind());
                self.disconnected(now_us, conn, Loss::Misbehaved { what }, plane);
            }
        }
    }

    /// A connection has closed, or must be: its peer has sent bytes that are no message, or does
    /// not read.
    pub fn disconnected(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        why: Loss,
        plane: &mut dyn DataPlane,
    ) {
        let Some(connection) = self.connections.get(&conn) else { return };
        match connection.role {
            Role::Guest | Role::Loading => {
                if why != Loss::Closed && self.lines.allows(now_us) {
                    info!(peer = %connection.peer_ip, "connection closed: {why}");
                }
                self.close(conn);
            }
            Role::Worker { job, rank } => {
                // R-CTRL-18: a rack switch says how it has lost a worker, so one that does not has
                // gone itself.
                let why = match (why, connection.path.last()) {
                    (Loss::Closed, Some(hop)) => Loss::SwitchGone { switch: hop.at },
                    (why, _) => why,
                };
                self.lost(now_us, conn, job, rank, why, plane);
            }
            Role::Survivor { job, rank } => self.lost_since(conn, job, rank, &why),
            Role::Client { .. } => {
                if why != Loss::Closed {
                    info!(peer = %connection.peer_ip, "the client of a query is lost: {why}");
                }
                self.end_query(conn, plane);
                self.close(conn);
            }
        }
    }

    /// R-CTRL-14: handles the introduction of the other end.
    fn greeted(&mut self, conn: ConnectionId, path: Vec<Hop>) {
        let Some(connection) = self.connections.get_mut(&conn) else { return };
        match checked_path(path, connection.peer_ip) {
            Ok(path) => connection.path = path,
            Err(refusal) => self.refuse(conn, refusal),
        }
    }

    /// R-CTRL-21: a client would have the switch stop.
    fn drain(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        proof: Option<&Proof>,
        plane: &mut dyn DataPlane,
    ) {
        let Some(Connection { peer_ip, challenge, .. }) = self.connections.get(&conn) else {
            return;
        };
        info!(peer = %peer_ip, "asked to hand the tables over, and to stop");
        let refusal = drain::refusal(*peer_ip, challenge, proof, &self.tokens);
        let taken = refusal.map_or_else(|| self.drain.ask(now_us, conn, plane), Err);
        if let Err(refusal) = taken {
            self.refuse(conn, refusal);
        }
    }

    /// Does what is due at `now_us`: heartbeats, and whatever has run out of time.
    pub fn handle_timeout(&mut self, now_us: u64, plane: &mut dyn DataPlane) {
        let due = self.agenda.take_due(now_us);
        self.expire_connections(now_us, &due, plane);
        self.expire_jobs(now_us);
        self.answer_if_examined(now_us, plane);
        if self.drain.is_due(now_us) {
            self.output.extend(self.drain.news(&self.tables_left(plane)));
        }
        self.send_heartbeats(now_us, &due);
        if let Some(omitted) = self.lines.expire(now_us) {
            info!("{omitted} more lines about connections and refusals were left out");
        }
    }

    /// Returns the time at which [`handle_timeout`](Self::handle_timeout) has something to look at
    /// next, in microseconds of the caller's clock.
    pub fn poll_timeout(&self) -> Option<u64> {
        let jobs = self.jobs.values().filter_map(|job| match job.phase {
            Phase::Forming { deadline_us } | Phase::Describing { deadline_us, .. } => {
                Some(deadline_us)
            }
            Phase::Running(_) => None,
        });
        let others = [
            self.agenda.next_us(),
            self.examined_at_us(),
            self.drain.poll_timeout(),
            self.lines.poll_timeout(),
        ];
        others.into_iter().flatten().chain(jobs).min()
    }

    /// Returns the next output to carry out.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.output.pop_front()
    }

    fn send(&mut self, conn: ConnectionId, message: Message) {
        self.output.push_back(Output::Send(conn, message));
    }

    fn refuse(&mut self, conn: ConnectionId, reason: Refusal) {
        self.send(conn, Message::Refused { reason });
        self.close(conn);
    }

    /// Forgets a connection and has it closed.
    fn close(&mut self, conn: ConnectionId) {
        if self.connections.remove(&conn).is_some() {
            self.agenda.set(conn, None);
            self.drain.forget(conn);
            self.output.push_back(Output::Close(conn));
        }
    }
}
