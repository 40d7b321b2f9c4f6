//! The management plane of a netfold switch, without I/O: the workers of a job, the terms on which
//! they have agreed, and the workers that have gone (R-CTRL).
//!
//! A worker joins a job over a control connection, waits for the others, is told what was
//! negotiated, and keeps the connection for the whole epoch, so that everyone learns within a
//! bounded time that someone is lost.
//!
//! [`Registry`] and [`Relay`] are the switch's end of such connections, behind the trait
//! [`Management`]. [`Membership`] is the worker's end. [`Participant`] decides for a worker on the
//! messages that it hears there. Time, messages, random bits and addresses are arguments; the
//! messages to send are taken out of the machines. `netfold_control` drives them with sockets and
//! threads, the simulator in virtual time.
//!
//! This crate folds nothing: the switch's shards are behind [`DataPlane`]. It opens no socket,
//! starts no thread, reads no clock and draws no random number. It encrypts nothing: a token keeps
//! strangers out of a job (R-CTRL-8), and anyone that reads the network can read the messages.
//!
//! Open [`Registry`] first.

#![forbid(unsafe_code)]

mod agenda;
mod columns;
mod data;
mod drain;
mod error;
mod failover;
mod failure;
mod frame;
mod join;
mod limits;
mod management;
mod membership;
mod message;
mod named;
mod negotiate;
mod operations;
mod participant;
mod plane;
mod query;
mod quota;
mod registry;
mod relay;
mod report;
mod resume;
mod roster;
mod status;
mod terms;
mod token;
mod trapped;
mod tree;
mod waiting;

pub use agenda::Agenda;
pub use data::fold_by;
pub use drain::{DRAIN_LIMIT, TablesLeft};
pub use error::ClientError;
pub use failover::{Attempt, Failover, Onward};
pub use failure::{Failure, Loss, Refusal};
pub use frame::{Decoder, FrameError, MAX_FRAME_BYTES, encode};
pub use join::{JoinRequest, LocalSockets};
pub use limits::{
    DEFAULT_TIMEOUT, Limits, MAX_NAME_BYTES, MAX_SHARING, MAX_WEIGHT, Number, micros,
};
pub use management::{Management, Uplink};
pub use membership::{
    Ending, Greeting, LEAVE_WAIT_LIMIT, Membership, Notice, Outgoing, Progress, Rejection,
    SHORTEST_TIMEOUT,
};
pub use message::{
    HostGroup, HostOffer, Join, Message, Query, Ticket, Transport, UnknownTransport, Welcome,
};
pub use negotiate::{DEFAULT_MAX_ELEMENTS, MAX_ELEMENTS, MIN_ELEMENTS};
pub use operations::{Brought, Bytes, Loaded, Loading, OperationReport};
pub use participant::{Action, Participant, Step};
pub use plane::{
    Admission, AdmissionError, Cause, DataPlane, Incident, JobStatus, Parent, ShardStatus,
    SlotStatus, Spare, TableStatus,
};
pub use query::{AdmitQuery, QueryAdmitted, QueryHold, QueryTerms, query_integrity};
pub use quota::Quota;
pub use registry::{ConnectionId, Output, Registry};
pub use relay::{RackSwitch, Relay};
pub use report::{
    Finding, JobPhase, JobReport, MAX_FINDINGS, MAX_REPORTED_JOBS, MAX_REPORTED_OPERATIONS,
    QueryReport, Report, ShardReport, StatsReport, TableReport,
};
pub use resume::{FlowRounds, MAX_RESUMABLE_SLOTS, Regroup, Replay, Resume, first_call, replays};
pub use terms::NamedTerms;
pub use token::{Challenge, Proof, Token, TokenError};
pub use tree::{Hop, MAX_LEVELS, Member};
pub use waiting::{Reminder, SILENCE, Waiting};
