//! The registry against a data plane that only keeps books. Nothing here has a socket or a clock.

mod drain;
mod ended;
mod exchange;
mod forming;
mod idle;
mod lending;
mod operations;
mod property;
pub(crate) mod queries;
mod resuming;
mod running;
mod tables;

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::collections::{BTreeMap, BTreeSet};

use netfold_switch::query::QuerySpec;

use super::{ConnectionId, Output, Registry};
use crate::{
    Admission, AdmissionError, DataPlane, Failure, HostOffer, JobReport, Join, Limits, Loading,
    Loss, Message, NamedTerms, Query, Refusal, Report, ShardStatus, Spare, Token, Transport,
    Waiting, Welcome,
};

pub(crate) const TIMEOUT_MS: u64 = 1000;
pub(crate) const SECOND_US: u64 = 1_000_000;

/// Admits what fits its budget.
#[derive(Default)]
pub(crate) struct Books {
    pub(crate) budget: u64,
    pub(crate) admitted: BTreeMap<u16, Admission>,
    pub(crate) lends: bool,
    /// Jobs that have their lent slots.
    pub(crate) lent: BTreeSet<u16>,
    pub(crate) shards: Vec<ShardStatus>,
    /// Queries with the sockets of their masters, by number and epoch.
    pub(crate) queries: BTreeMap<(u16, u32), (QuerySpec, Option<SocketAddr>)>,
    /// Times that the switch was to stop; `None` if nobody would hear that.
    pub(crate) stops: Option<u32>,
}

impl Books {
    fn bytes(&self, job: &Admission) -> u64 {
        let lent = if self.lent.contains(&job.job) { job.lent_slots } else { 0 };
        let slots = job.slots - job.lent_slots + lent;
        2 * u64::from(slots) * u64::from(job.payload_bytes) * u64::from(job.flows)
    }

    fn free(&self) -> u64 {
        let queries: u64 = self.queries.values().map(|(spec, _)| spec.memory_bytes()).sum();
        let jobs: u64 = self.admitted.values().map(|job| self.bytes(job)).sum();
        self.budget.saturating_sub(jobs + queries)
    }
}

impl DataPlane for Books {
    fn admit(&mut self, job: &Admission) -> Result<(), AdmissionError> {
        let (needed, free) = (self.bytes(job), self.free());
        if needed > free {
            return Err(AdmissionError::Memory { needed, free });
        }
        assert!(
            self.admitted.insert(job.job, job.clone()).is_none(),
            "number {} admitted twice",
            job.job
        );
        Ok(())
    }

    fn release(&mut self, job: u16) {
        assert!(
            self.admitted.remove(&job).is_some(),
            "number {job} released without being admitted"
        );
        self.lent.remove(&job);
    }

    fn lends(&self) -> bool {
        self.lends
    }

    fn lend(&mut self, job: u16) -> bool {
        assert!(self.lent.insert(job), "{job} has them");
        true
    }

    fn take_back(&mut self, job: u16) {
        assert!(self.lent.remove(&job), "{job} has none");
    }

    fn status(&mut self) -> Vec<ShardStatus> {
        self.shards.clone()
    }

    fn spare(&self) -> Spare {
        // Of the two shards of its switch.
        Spare { flow_bytes: self.free() / 2, jobs: self.admitted.len() }
    }

    fn admit_query(
        &mut self,
        query: &QuerySpec,
        master: Option<SocketAddr>,
    ) -> Result<(), AdmissionError> {
        let (needed, free) = (query.memory_bytes(), self.free());
        if needed > free {
            return Err(AdmissionError::Memory { needed, free });
        }
        let place = (query.job.0, query.epoch.0);
        assert!(self.queries.insert(place, (query.clone(), master)).is_none(), "{place:?} twice");
        Ok(())
    }

    fn release_query(&mut self, job: u16, epoch: u32) {
        assert!(self.queries.remove(&(job, epoch)).is_some(), "{job} released twice");
    }

    fn stop(&mut self) -> bool {
        self.stops = self.stops.map(|times| times + 1);
        self.stops.is_some()
    }
}

/// A registry with its surroundings.
pub(super) struct Rig {
    pub(super) registry: Registry,
    pub(super) plane: Books,
    pub(super) now_us: u64,
    /// Address from which the next connection comes.
    pub(super) from: IpAddr,
    connections: u64,
    entropy: u64,
    /// Messages that each connection was sent and that have not been looked at.
    inbox: BTreeMap<ConnectionId, Vec<Message>>,
    pub(super) closed: BTreeSet<ConnectionId>,
    /// Operations that wait to be admitted.
    pub(super) loading: Vec<(ConnectionId, Loading)>,
}

impl Rig {
    pub(super) fn new() -> Self {
        Self::with(Limits::default(), &[])
    }

    pub(super) fn with(limits: Limits, tokens: &[&str]) -> Self {
        let shards = [9000, 9001].map(|port| (Ipv4Addr::LOCALHOST, port).into()).to_vec();
        let tokens = tokens.iter().map(|text| Token::new(text).unwrap()).collect();
        Self {
            registry: Registry::new(limits, shards, tokens),
            plane: Books { budget: 1 << 30, ..Books::default() },
            now_us: 0,
            from: Ipv4Addr::new(10, 0, 0, 1).into(),
            connections: 0,
            entropy: 7,
            inbox: BTreeMap::new(),
            closed: BTreeSet::new(),
            loading: Vec::new(),
        }
    }

    /// The challenge of a connection: its number, sixteen times.
    pub(super) fn challenge(conn: ConnectionId) -> [u8; 16] {
        [conn.0 as u8; 16]
    }

    pub(super) fn connect(&mut self) -> ConnectionId {
        let conn = ConnectionId(self.connections);
        self.connections += 1;
        self.registry.connected(self.now_us, conn, self.from, Self::challenge(conn));
        self.drain();
        conn
    }

    pub(super) fn say(&mut self, conn: ConnectionId, message: Message) {
        self.entropy += 1;
        let entropy = u128::from(self.entropy) << 64 | u128::from(self.entropy);
        self.registry.handle(self.now_us, conn, message, &mut self.plane, entropy);
        self.drain();
    }

    pub(super) fn hang_up(&mut self, conn: ConnectionId) {
        self.registry.disconnected(self.now_us, conn, Loss::Closed, &mut self.plane);
        self.drain();
    }

    /// Lets time pass, and wakes the registry whenever it has asked for it.
    pub(super) fn advance(&mut self, by_us: u64) {
        let end = self.now_us + by_us;
        while let Some(at) = self.registry.poll_timeout().filter(|&at| at <= end) {
            self.now_us = self.now_us.max(at);
            self.registry.handle_timeout(self.now_us, &mut self.plane);
            assert!(
                self.registry.poll_timeout().is_none_or(|next| next > self.now_us),
                "a deadline stays in the past"
            );
            self.drain();
        }
        self.now_us = end;
    }

    /// As `advance`, while these workers send their heartbeats.
    pub(super) fn advance_alive(&mut self, by_us: u64, alive: &[ConnectionId]) {
        let step = TIMEOUT_MS * 1000 / 4;
        for _ in 0..by_us.div_ceil(step) {
            self.advance(step);
            for &conn in alive {
                self.say(conn, Message::Heartbeat);
            }
        }
    }

    pub(super) fn join(&mut self, join: Join) -> ConnectionId {
        let conn = self.connect();
        self.say(conn, Message::Join(join.into()));
        conn
    }

    /// A job of `size` that runs: its connections by rank.
    pub(super) fn running(&mut self, name: &str, size: u16) -> (Vec<ConnectionId>, Welcome) {
        let conns: Vec<_> = (0..size).map(|rank| self.join(join(name, rank, size))).collect();
        let welcomes: Vec<_> =
            conns.iter().map(|&conn| self.welcome(conn).expect("everyone is welcome")).collect();
        assert!(welcomes.iter().all(|welcome| *welcome == welcomes[0]));
        (conns, welcomes[0].clone())
    }

    /// Returns the messages that a connection was sent since the last such question, without
    /// heartbeats.
    pub(super) fn heard(&mut self, conn: ConnectionId) -> Vec<Message> {
        let mut messages = self.inbox.remove(&conn).unwrap_or_default();
        messages.retain(|message| *message != Message::Heartbeat);
        messages
    }

    pub(super) fn heartbeats(&self, conn: ConnectionId) -> usize {
        self.inbox.get(&conn).map_or(0, |inbox| {
            inbox.iter().filter(|message| **message == Message::Heartbeat).count()
        })
    }

    pub(super) fn welcome(&mut self, conn: ConnectionId) -> Option<Welcome> {
        self.heard(conn).into_iter().find_map(|message| match message {
            Message::Welcome(welcome) => Some(*welcome),
            _ => None,
        })
    }

    /// Returns the reason for which the connection was refused. Being refused is to be told and
    /// closed.
    pub(super) fn refusal(&mut self, conn: ConnectionId) -> Refusal {
        let Some(Message::Refused { reason }) = self.heard(conn).pop() else {
            panic!("{conn:?} was not refused")
        };
        assert!(self.closed.contains(&conn));
        reason
    }

    /// Returns the cause of the failure of the connection's job. A failure is told once and closes
    /// the connection.
    pub(super) fn failure(&mut self, conn: ConnectionId) -> Failure {
        let Some(Message::Failed { cause }) = self.heard(conn).pop() else {
            panic!("{conn:?} was told of no failure")
        };
        assert!(self.closed.contains(&conn));
        cause
    }

    pub(super) fn ask(&mut self, what: Query) -> Report {
        let conn = self.connect();
        self.say(conn, Message::Query { what });
        let Some(Message::Report { report }) = self.heard(conn).pop() else {
            panic!("no answer to {what:?}")
        };
        report
    }

    pub(super) fn jobs(&mut self) -> Vec<JobReport> {
        let Report::Jobs { jobs, .. } = self.ask(Query::Jobs) else { panic!("another report") };
        jobs
    }

    pub(super) fn drain(&mut self) {
        while let Some(output) = self.registry.poll_output() {
            match output {
                Output::Send(conn, message) => {
                    assert!(
                        !self.closed.contains(&conn),
                        "{message:?} after the close of {conn:?}"
                    );
                    self.inbox.entry(conn).or_default().push(message);
                }
                Output::Close(conn) => assert!(self.closed.insert(conn), "{conn:?} closed twice"),
                Output::Dial(_) => panic!("the root has no parent"),
                Output::Load(conn, loading) => self.loading.push((conn, loading)),
            }
        }
    }
}

/// Returns the message to a worker while others are missing.
pub(super) fn waiting(joined: u16, size: u16, missing: impl IntoIterator<Item = u16>) -> Message {
    Message::Waiting(Waiting { joined, size, missing: missing.into_iter().collect() })
}

/// The same join on other terms.
pub(crate) fn on(join: Join, change: impl FnOnce(&mut NamedTerms)) -> Join {
    let mut join = join;
    change(&mut join.terms);
    join
}

/// A join with nothing special.
pub(crate) fn join(job: &str, rank: u16, size: u16) -> Join {
    Join {
        version: netfold_wire::VERSION,
        job: job.into(),
        rank,
        size,
        terms: NamedTerms::default(),
        packet_elements: None,
        slots: None,
        asks_for_slots: false,
        memory: None,
        max_datagram: 1472,
        receive_buffer: 4 << 20,
        udp_ports: vec![5000 + rank, 6000 + rank],
        transport: None,
        shares_memory: false,
        host: None,
        resume: None,
        operations: Vec::new(),
        timeout_ms: TIMEOUT_MS,
        proof: None,
    }
}
