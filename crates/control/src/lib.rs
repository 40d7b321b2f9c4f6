//! The management plane of a netfold switch: who is in a job, what they have agreed on, and who has gone (R-CTRL).
//!
//! A worker joins a job over TCP, waits for the others, is told what was negotiated, and keeps the connection for the life
//! of the job, so that everyone learns within a bounded time that someone is lost.
//!
//! The rules live in state machines without sockets, threads, clock or randomness: [`Registry`] and [`Relay`] are the switch's end, [`Membership`] is the worker's,
//! and [`Participant`] what a worker makes of what it hears there. [`Server`] runs the former behind a listener, [`Session`] a membership on a socket; [`query`] asks a running switch about itself, and [`Metrics`] shows its
//! counters to Prometheus.
//!
//! This crate folds nothing, sends no datagram and opens no UDP socket: the switch's shards are behind [`DataPlane`]. It
//! encrypts nothing: a token keeps strangers out of a job (R-CTRL-8), and who reads the network can read what is said.
//!
//! Open [`Registry`] first.

#![forbid(unsafe_code)]

mod agenda;
mod client;
mod columns;
mod data;
mod failover;
mod failure;
mod frame;
mod join;
mod limits;
mod link;
mod management;
mod membership;
mod message;
mod metrics;
mod negotiate;
mod participant;
mod plane;
mod quota;
mod registry;
mod relay;
mod report;
mod resume;
mod roster;
mod server;
mod status;
mod token;
mod tree;
mod waiting;

pub use client::{ClientError, Joined, Path, Session, query};
pub use failover::{Attempt, Failover, Onward};
pub use failure::{Failure, Loss, Refusal};
pub use frame::{Decoder, FrameError, MAX_FRAME_BYTES, encode};
pub use join::{JoinRequest, LocalSockets};
pub use limits::{DEFAULT_TIMEOUT, Limits, MAX_SHARING, MAX_WEIGHT, Number};
pub use management::{Management, Uplink};
pub use membership::{Ending, Greeting, Membership, Notice, Outgoing, Progress, Rejection};
pub use message::{
    HostGroup, HostOffer, IntegrityKind, Join, Message, Query, Ticket, Transport, UnknownIntegrity, UnknownTransport,
    Welcome,
};
pub use metrics::Metrics;
pub use negotiate::{DEFAULT_MAX_ELEMENTS, MAX_ELEMENTS, MIN_ELEMENTS};
pub use participant::{Action, Participant, Step};
pub use plane::{
    Admission, AdmissionError, Cause, DataPlane, Incident, JobStatus, Parent, ShardStatus, SlotStatus, Spare,
};
pub use registry::{ConnectionId, Output, Registry};
pub use relay::{RackSwitch, Relay};
pub use report::{Finding, JobPhase, JobReport, MAX_FINDINGS, MAX_REPORTED_JOBS, Report, ShardReport, StatsReport};
pub use resume::{FlowRounds, MAX_RESUMABLE_SLOTS, Regroup, Replay, Resume, first_call, replays};
pub use server::{IncidentSender, Server, ServerHandle};
pub use token::{Challenge, Proof, Token, TokenError};
pub use tree::{Hop, MAX_LEVELS, Member};
pub use waiting::{Reminder, SILENCE, Waiting};
