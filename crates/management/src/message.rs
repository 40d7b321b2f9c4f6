//! The messages of the two ends of a control connection.

use core::net::{IpAddr, SocketAddr};
use std::fmt;
use std::str::FromStr;

use netfold_wire::IntegrityKind;
use serde::{Deserialize, Serialize};

use crate::drain::TablesLeft;
use crate::failure::{Failure, Loss, Refusal};
use crate::operations::Brought;
use crate::plane::Cause;
use crate::query::{AdmitQuery, QueryAdmitted};
use crate::report::{Finding, Report};
use crate::resume::{FlowRounds, Replay, Resume};
use crate::terms::NamedTerms;
use crate::token::{Challenge, Proof};
use crate::tree::Hop;
use crate::waiting::Waiting;

/// One message. On the connection it is JSON behind its length ([`encode`](crate::encode)).
///
/// The end that connects says `Greet`, and the switch `Hello`. A worker answers `Join`, hears
/// `Waiting` until all are there, then `Welcome` or `Refused`. A client that only asks answers
/// `Query` and hears `Report`. One that has the switch stop says `Drain`, and hears `Draining`
/// until it hears `Drained`. One that has rows pass through the switch says `AdmitQuery`, hears
/// `QueryAdmitted`, and keeps the connection for as long as the query goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Message {
    /// The end that connects: its first message (R-CTRL-14).
    Greet {
        /// The rack switches through which it comes, the receiver's neighbour last. A worker that
        /// connects by itself has none.
        path: Vec<Hop>,
    },
    /// Switch: its first message.
    Hello {
        /// Version of the protocol, [`netfold_wire::VERSION`].
        version: u8,
        /// Challenge over which a token is proven (R-CTRL-8). Drawn anew for each connection.
        challenge: Challenge,
        /// Shards of the switch: a worker opens one UDP socket for each.
        shards: u16,
        /// Name of the abstract Unix socket at which the switch hands out shared memory
        /// (R-CTRL-10); `None` if it has none.
        shared_memory: Option<String>,
    },
    /// Worker: wants to be part of a job (R-CTRL-1).
    Join(Box<Join>),
    /// Switch: the job is forming.
    Waiting(Waiting),
    /// Switch: all have joined, the job runs (R-CTRL-2).
    Welcome(Box<Welcome>),
    /// Switch: the worker is not taken. The connection closes.
    Refused {
        /// The reason.
        reason: Refusal,
    },
    /// Either: I am here (R-CTRL-4). Sent every quarter of the job's time-out.
    Heartbeat,
    /// Worker: done (R-CTRL-5). The connection closes.
    Leave {
        /// Calls that it has made.
        calls: u64,
    },
    /// Switch: another worker is done (R-CTRL-5).
    Left {
        /// The worker.
        rank: u16,
        /// Calls that it has made.
        calls: u64,
    },
    /// Switch: the job has failed. The connection closes.
    Failed {
        /// The cause.
        cause: Failure,
    },
    /// Switch: what do you call at this position? (R-CTRL-6)
    Describe {
        /// The shard, which is the flow.
        shard: u16,
        /// The slot.
        slot: u16,
        /// The block in the slot's stream.
        position: u32,
        /// A lane of the block, if one is meant.
        lane: Option<u16>,
    },
    /// Worker: the answer to `Describe`.
    Description {
        /// The shard asked about.
        shard: u16,
        /// The slot asked about.
        slot: u16,
        /// The position asked about.
        position: u32,
        /// The call, in words.
        text: String,
    },
    /// Worker: something is wrong in a round. In shared memory the worker that runs the slot is the
    /// first to see it.
    Incident {
        /// The shard, which is the flow.
        shard: u16,
        /// The slot.
        slot: u16,
        /// The block in the slot's stream.
        position: u32,
        /// The fault in the round.
        cause: Cause,
    },
    /// Worker: calls that have been in progress for long, or one that is given up (R-CTRL-12); and
    /// the answer to [`AskInProgress`](Self::AskInProgress).
    InProgress {
        /// The number in the job, from 0, of each call, and the call in words: the same at every
        /// worker that makes it.
        calls: Vec<(u64, String)>,
    },
    /// Switch: another worker waits for these calls; say what you call there, of those that are in
    /// progress (R-CTRL-12).
    AskInProgress {
        /// Their numbers in the job, from 0.
        calls: Vec<u64>,
    },
    /// Worker: it needs lent slots, for the call of this number among those that do (R-CTRL-25).
    NeedSlots {
        /// The number, from 0.
        call: u64,
    },
    /// Switch: the answer to `NeedSlots`.
    Slots {
        /// The job's epoch.
        epoch: u32,
        /// The call asked about.
        call: u64,
        /// The worker has the slots, until it returns them.
        lent: bool,
    },
    /// Worker: it returns the lent slots (R-CTRL-25).
    ReturnSlots {
        /// Number of its calls that have needed them.
        calls: u64,
    },
    /// Rack switch: the worker for which this connection stands is lost (R-CTRL-18). The connection
    /// closes.
    Lost {
        /// The sign by which it was noticed.
        why: Loss,
    },
    /// Rack switch: it cannot take in the job of the worker for which this connection stands
    /// (R-CTRL-17).
    Unable {
        /// Address at which it listens.
        switch: SocketAddr,
        /// The reason.
        reason: String,
    },
    /// Root: for whom do the slots of this worker's job wait at one of the rack switches on the way
    /// to it, and which of the workers below it are quiet? Those above that switch pass it on
    /// (R-CTRL-19).
    Examine {
        /// Its identity.
        switch: u64,
    },
    /// Rack switch: the answer to `Examine`.
    Examined {
        /// Its identity.
        switch: u64,
        /// Its findings.
        findings: Vec<Finding>,
    },
    /// Anyone: a question about the switch. Needs no token.
    Query {
        /// The question.
        what: Query,
    },
    /// Switch: the answer to `Query`. The connection closes.
    Report {
        /// The answer.
        report: Report,
    },
    /// Anyone who may: hand the tables over, and stop (R-CTRL-21).
    Drain {
        /// Proof that the client knows a token of the switch, for this purpose.
        proof: Option<Proof>,
    },
    /// Switch: it is to stop, and servers have not read these tables to the end.
    Draining {
        /// The tables.
        left: TablesLeft,
    },
    /// Switch: it stops, without having handed these tables over. The connection closes.
    Drained {
        /// The tables.
        left: TablesLeft,
    },
    /// Anyone who may: take a query in, until this connection closes (R-CTRL-24).
    AdmitQuery(AdmitQuery),
    /// Switch: it has the query.
    QueryAdmitted(QueryAdmitted),
}

impl Message {
    /// The name of its kind, without what it holds: that is a peer's, and the name goes into logs
    /// and to other workers.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Greet { .. } => "greet",
            Self::Hello { .. } => "hello",
            Self::Join(_) => "join",
            Self::Waiting(_) => "waiting",
            Self::Welcome(_) => "welcome",
            Self::Refused { .. } => "refused",
            Self::Heartbeat => "heartbeat",
            Self::Leave { .. } => "leave",
            Self::Left { .. } => "left",
            Self::Failed { .. } => "failed",
            Self::Describe { .. } => "describe",
            Self::Description { .. } => "description",
            Self::Incident { .. } => "incident",
            Self::InProgress { .. } => "in_progress",
            Self::AskInProgress { .. } => "ask_in_progress",
            Self::NeedSlots { .. } => "need_slots",
            Self::Slots { .. } => "slots",
            Self::ReturnSlots { .. } => "return_slots",
            Self::Lost { .. } => "lost",
            Self::Unable { .. } => "unable",
            Self::Examine { .. } => "examine",
            Self::Examined { .. } => "examined",
            Self::Query { .. } => "query",
            Self::Report { .. } => "report",
            Self::Drain { .. } => "drain",
            Self::Draining { .. } => "draining",
            Self::Drained { .. } => "drained",
            Self::AdmitQuery(_) => "admit_query",
            Self::QueryAdmitted(_) => "query_admitted",
        }
    }
}

/// Means of a worker, and its request for the job (R-CTRL-1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Join {
    /// Version of the protocol that the worker speaks.
    pub version: u8,
    /// Name of the job: 1 to 128 bytes, no control characters.
    pub job: String,
    /// The worker's rank.
    pub rank: u16,
    /// Workers of the job.
    pub size: u16,
    /// Terms that the worker asks for.
    #[serde(flatten)]
    pub terms: NamedTerms,
    /// Lanes of a packet, in lanes of 4 bytes: a multiple of 8 up to 8192. `None` leaves it to the
    /// switch.
    pub packet_elements: Option<u16>,
    /// Slots of each flow's bulk stream, a power of two. `None` leaves it to the switch.
    pub slots: Option<u16>,
    /// The worker asks for lent slots before it uses them (R-CTRL-25).
    #[serde(default)]
    pub asks_for_slots: bool,
    /// Bytes that the rack switches on the way have for each flow of a job that asks for no number
    /// of slots (R-CTRL-20). `None`: there are no rack switches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Bytes of UDP payload that fit the worker's path to the switch.
    pub max_datagram: u32,
    /// Bytes of the receive buffer of one of the worker's UDP sockets.
    pub receive_buffer: u64,
    /// The worker's UDP ports, one for each shard that the switch has named, at the address that
    /// the connection comes from.
    pub udp_ports: Vec<u16>,
    /// The transport that the worker insists on. `None` leaves it to the switch (R-CTRL-10).
    pub transport: Option<Transport>,
    /// The worker has reached the switch's socket for shared memory.
    pub shares_memory: bool,
    /// Offer of the worker to the others on its host; `None` if it shares no memory with them
    /// (R-CTRL-11).
    pub host: Option<HostOffer>,
    /// The longest that a lost worker may go unnoticed, in milliseconds.
    pub timeout_ms: u64,
    /// State that the worker brings from an epoch of the job that has ended (R-RES-2). `None`: the
    /// job begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<Resume>,
    /// Operations of users that the job may fold by, in the order of their numbers (R-OP-23).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<Brought>,
    /// Proof that the worker knows the token (R-CTRL-8).
    pub proof: Option<Proof>,
}

impl Join {
    /// Returns the epoch from which the worker goes on without others (R-RES-8); `None` if it
    /// does not.
    pub(crate) fn regroups_from(&self) -> Option<u32> {
        self.resume.as_ref().filter(|resume| resume.regroup.is_some()).map(|resume| resume.epoch)
    }

    /// Returns the number of slots of a flow with which the worker goes on (R-RES-3); `None` if it
    /// does not, or begins with new ones.
    pub(crate) fn resumes_slots(&self) -> Option<usize> {
        let resume = self.resume.as_ref().filter(|resume| resume.regroup.is_none())?;
        resume.flows.first().map(FlowRounds::slots)
    }
}

/// Terms that were negotiated, the same for every worker of the job (R-CTRL-2) but for its host and
/// for the destination of its packets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The job's number at this switch.
    pub job: u16,
    /// Its epoch: a random number, another for each run under the same name or number.
    pub epoch: u32,
    /// Its workers.
    pub workers: u16,
    /// Slots of each flow's bulk stream.
    pub slots: u16,
    /// Slots of its urgent stream, which follow them (R-STREAM-8).
    pub urgent_slots: u16,
    /// Slots of its stream of long calls, which follow those (R-STREAM-21); 0 if it has none. If it
    /// has, these and the exchange slots are lent (R-CTRL-25).
    #[serde(default)]
    pub long_slots: u16,
    /// Slots of its stream of exchanges, which follow those (R-STREAM-16); 0 if it has none.
    #[serde(default)]
    pub exchange_slots: u16,
    /// Bytes of lanes that a packet holds at most, and a slot: those of the longest message.
    pub payload_bytes: u32,
    /// Those of a packet without a message of an operation of users, if that holds fewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<u32>,
    /// UDP address of the shard of each flow. `Session::join` has put the
    /// switch's address where the switch itself knows only that it listens everywhere.
    pub shards: Vec<SocketAddr>,
    /// For each flow, the address at which every worker listens for the results that are meant for
    /// all (R-CTRL-9). Empty when each gets them at its own socket.
    pub groups: Vec<SocketAddr>,
    /// With it the worker gets the job's memory at the switch's Unix socket (R-CTRL-10). `None`:
    /// the job runs over UDP.
    pub ticket: Option<Ticket>,
    /// The workers of this worker's host that fold together first (R-CTRL-11). `None` if it sends
    /// to the switch by itself.
    pub host: Option<HostGroup>,
    /// For each rack switch on the way to the worker, the next one first: how many of the job's
    /// workers are below it (R-CTRL-17). Each takes its own away, so that nothing is left for the
    /// worker.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<u16>,
    /// The shard at which servers read the job's table, if that is not the first of `shards`
    /// (R-KEY-17).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_top: Option<SocketAddr>,
    /// The rounds with which the workers of a job that resumes an epoch begin (R-RES-4).
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::columns")]
    pub replays: Vec<Replay>,
    /// The number of the first call, if the job goes on without a worker (R-RES-9); else 0.
    #[serde(default)]
    pub first_call: u64,
    /// Integrity check of packets.
    #[serde(with = "crate::named")]
    pub integrity: IntegrityKind,
    /// The longest that a lost worker goes unnoticed, in milliseconds.
    pub timeout_ms: u64,
}

/// Replaces unspecified addresses by that of the switch. A switch that listens on every address
/// does not know the one by which it is reached; a peer that reaches it does.
pub(crate) fn reach<'a>(addresses: impl IntoIterator<Item = &'a mut SocketAddr>, switch: IpAddr) {
    for address in addresses.into_iter().filter(|address| address.ip().is_unspecified()) {
        address.set_ip(switch);
    }
}

impl Welcome {
    /// Returns the slots of each flow, those of all streams together, at most [`u16::MAX`].
    pub fn all_slots(&self) -> u16 {
        let others = [self.urgent_slots, self.long_slots, self.exchange_slots];
        others.into_iter().fold(self.slots, u16::saturating_add)
    }

    /// Returns the number of the last slots of each flow that are lent (R-CTRL-25).
    pub fn lent_slots(&self) -> u16 {
        match self.long_slots {
            0 => 0,
            long => long.saturating_add(self.exchange_slots),
        }
    }

    /// Returns the bytes of lanes that a packet without a message holds at most (R-CTRL-2).
    pub fn block_bytes(&self) -> u32 {
        self.block_bytes.unwrap_or(self.payload_bytes)
    }

    /// Returns the transport by which the slots are reached.
    pub fn transport(&self) -> Transport {
        if self.ticket.is_some() || self.has_one_host() { Transport::Shm } else { Transport::Udp }
    }

    /// Returns whether all workers are on one host, and the slots in memory that they share there
    /// (R-CTRL-11).
    pub fn has_one_host(&self) -> bool {
        self.host.as_ref().is_some_and(|group| group.ranks.len() == usize::from(self.workers))
    }
}

/// Offer of a worker to others on its host, should it become their leader (R-CTRL-11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostOffer {
    /// The host: the same for processes that can share memory, and hardly for others.
    pub id: u64,
    /// Name of the abstract Unix socket at which the worker would hand out memory.
    pub memory_server: String,
}

/// Workers of one host that fold in memory that they share, so that one stream leaves the host
/// (R-CTRL-11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostGroup {
    /// The worker that makes the memory and sends for all of them: the lowest rank.
    pub leader: u16,
    /// Their ranks, in order.
    pub ranks: Vec<u16>,
    /// Name of the abstract Unix socket at which the leader hands out the memory.
    pub memory_server: String,
    /// With it they get the memory there.
    pub ticket: Ticket,
}

/// Proof of membership that a worker shows to get the memory of its job: a process that has it is a
/// member (R-CTRL-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Ticket(pub u64);

/// Transport between a worker and the slots of its job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    /// Datagrams to the shards of the switch.
    #[default]
    Udp,
    /// Slots in memory that the processes of one host share (R-CTRL-10).
    Shm,
}

impl Transport {
    /// Every transport.
    pub const ALL: [Self; 2] = [Self::Udp, Self::Shm];

    /// Its name, as it is configured and shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Udp => "udp",
            Self::Shm => "shm",
        }
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Transport {
    type Err = UnknownTransport;

    fn from_str(name: &str) -> Result<Self, UnknownTransport> {
        Self::ALL.into_iter().find(|transport| transport.name() == name).ok_or(UnknownTransport)
    }
}

/// A name that stands for no [`Transport`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown transport; choose udp or shm, or leave it out: shared memory is taken where all workers run on the switch's host"
)]
pub struct UnknownTransport;

/// Question that a switch answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Query {
    /// The jobs.
    Jobs,
    /// Counters and memory.
    Stats,
    /// Findings of what does not look right.
    Doctor,
    /// The operations of users.
    Operations,
}
