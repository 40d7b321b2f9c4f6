//! The reasons for which a worker is refused or a job fails: the messages that people read.

use core::net::SocketAddr;
use std::fmt;

use netfold_num::Arithmetic;
use netfold_switch::TrapCause;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Reason for which the switch refuses a worker. The job that others are forming goes on without
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "refusal", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Refusal {
    /// Another worker holds the rank (R-CTRL-3).
    #[error(
        "rank {rank} of job {job:?} is taken by a worker at {by}; give each worker a rank of its own, choose another job name, or wait until the other job has ended"
    )]
    RankTaken {
        /// The job's name.
        job: String,
        /// The rank asked for.
        rank: u16,
        /// Address of the worker that holds it.
        by: String,
    },
    /// Two workers want different things of one job (R-CTRL-1).
    #[error(
        "the workers of job {job:?} do not agree on its {what}: rank {rank_a} has {value_a}, rank {rank_b} has {value_b}; start all of them with the same {what}"
    )]
    Disagreement {
        /// The job's name.
        job: String,
        /// The term on which they do not agree.
        what: String,
        /// The worker that was there first.
        rank_a: u16,
        /// Its value.
        value_a: String,
        /// The worker that is refused.
        rank_b: u16,
        /// Its value.
        value_b: String,
    },
    /// The rank is not below the size.
    #[error("rank {rank} cannot be in a job of {size} workers; ranks go from 0 to size - 1")]
    BadRank {
        /// The rank asked for.
        rank: u16,
        /// The size asked for.
        size: u16,
    },
    /// More workers than a job can have.
    #[error("a job has at most {limit} workers, not {asked}; split it into several jobs")]
    TooManyWorkers {
        /// The size asked for.
        asked: u16,
        /// The limit.
        limit: u16,
    },
    /// A switch would have more members than its slots tell apart (R-CTRL-2, R-TREE-1).
    #[error(
        "{} would fold for {members} members of the job {job:?}, and can for {limit}; start switches below it (`netfold switch --parent`), and let some of the workers join through those",
        AtSwitch(*switch)
    )]
    TooManyMembers {
        /// The job's name.
        job: String,
        /// Address at which the switch listens; `None` for the root.
        switch: Option<SocketAddr>,
        /// Members that it would have: workers, hosts and switches that send to it.
        members: usize,
        /// The limit.
        limit: u16,
    },
    /// The job does not fit the memory that is left (R-CTRL-2).
    #[error(
        "the job {job:?} needs {needed} bytes of switch memory and {free} are free; ask for fewer slots or smaller packets, end another job, or start the switch with more --memory"
    )]
    OutOfMemory {
        /// The job's name.
        job: String,
        /// Bytes that the job needs.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// As many jobs as the switch takes.
    #[error(
        "this switch has its limit of {limit} jobs; end one of them (`netfold ctl jobs` lists them) or use another switch"
    )]
    TooManyJobs {
        /// The limit.
        limit: u16,
    },
    /// As many connections as the switch takes.
    #[error(
        "this switch has its limit of {limit} connections; try again when a job has ended, or use another switch"
    )]
    TooManyConnections {
        /// The limit.
        limit: usize,
    },
    /// The worker does not know the switch's token (R-CTRL-8).
    #[error(
        "the token is not one that this switch accepts; set NETFOLD_TOKEN to the token that the switch was started with"
    )]
    WrongToken,
    /// The switch asks for a token, or the integrity does, and the worker gave none (R-CTRL-8).
    #[error(
        "this job needs a token and the worker gave none; set NETFOLD_TOKEN to the token that the switch was started with"
    )]
    NoToken,
    /// The worker gave a token, and the switch has none to compare it with (R-CTRL-8).
    #[error(
        "the worker gave a token and this switch was started without one; start the switch with NETFOLD_TOKEN, or unset it for the worker"
    )]
    TokenNotExpected,
    /// A client would have a switch with tokens stop, and has given none (R-CTRL-21).
    #[error(
        "this switch has a token, and stops only for those who know it; set NETFOLD_TOKEN to the token that the switch was started with"
    )]
    DrainNeedsToken,
    /// A client on another host would have a switch without tokens stop (R-CTRL-21).
    #[error(
        "this switch was started without a token, and stops only for clients on its own host, by a loopback address; run the command there, send the switch SIGTERM, or start it with NETFOLD_TOKEN"
    )]
    DrainFromElsewhere,
    /// Nobody but its program can stop the switch (R-CTRL-21).
    #[error(
        "this switch runs inside a program, which alone can stop it; only `netfold switch` stops when it is asked to"
    )]
    DrainNotOffered,
    /// A client asks a switch with tokens for a query, and has given none (R-CTRL-24).
    #[error(
        "this switch has a token, and takes queries of those who know it; set NETFOLD_TOKEN to the token that the switch was started with"
    )]
    QueryNeedsToken,
    /// The query does not fit the memory that is left (R-CTRL-24).
    #[error(
        "the query needs {needed} bytes of switch memory and {free} are free; ask for smaller tables, end another query or job, or start the switch with more --memory"
    )]
    QueryMemory {
        /// Bytes that the query needs.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// As many queries as the switch takes.
    #[error("this switch has its limit of {limit} queries; end one of them or use another switch")]
    TooManyQueries {
        /// The limit.
        limit: u16,
    },
    /// The data plane cannot take the query, for a reason of its own.
    #[error("the switch cannot run the query: {reason}")]
    Query {
        /// The data plane's reason.
        reason: String,
    },
    /// A rack switch is asked for a query (R-CTRL-24).
    #[error(
        "the switch at {switch} is below another, and takes no queries; name a switch that was started without --parent"
    )]
    QueryAtRackSwitch {
        /// Address at which the rack switch listens.
        switch: SocketAddr,
    },
    /// The two ends are of different versions.
    #[error(
        "the switch speaks version {switch} of the protocol and the worker version {worker}; install the same netfold on both"
    )]
    Version {
        /// The switch's version.
        switch: u8,
        /// The worker's version.
        worker: u8,
    },
    /// The packet does not fit the path of a worker.
    #[error(
        "packets of {asked} elements do not fit the path of rank {rank}, which takes datagrams of {max_datagram} bytes and so at most {fits} elements; ask for fewer elements or raise the MTU"
    )]
    PacketTooLarge {
        /// Elements asked for (or the fewest that a packet can have).
        asked: u16,
        /// Elements that fit, a multiple of 8; 0 if not even the smallest packet does.
        fits: u16,
        /// The worker with the narrowest path.
        rank: u16,
        /// Bytes of UDP payload that fit that path.
        max_datagram: u32,
    },
    /// A worker asks for shared memory, and not every worker can have it (R-CTRL-10).
    #[error(
        "rank {rank} cannot share memory with the switch, and a worker of the job asks for it; run the switch and all workers on one host (and in one network namespace), or set NETFOLD_TRANSPORT=udp or leave it unset"
    )]
    NoSharedMemory {
        /// A worker that cannot.
        rank: u16,
    },
    /// A value that is outside what the switch takes.
    #[error("{what} cannot be {value}; it must be {allowed}")]
    BadValue {
        /// Name of the value.
        what: String,
        /// The value given.
        value: String,
        /// The values that it may have.
        allowed: String,
    },
    /// The others did not come.
    #[error(
        "job {job:?} did not form within {waited_s} s: of {size} workers these are missing: {}; start them, or check that they name the same job and switch",
        Ranks(missing, *more)
    )]
    JoinTimeout {
        /// The job's name.
        job: String,
        /// The workers that the job was to have.
        size: u16,
        /// Ranks that have not joined, the lowest of them: all workers that wait are told.
        missing: Vec<u16>,
        /// Number of further ranks that have not joined.
        more: usize,
        /// Seconds that the first worker has waited.
        waited_s: u64,
    },
    /// The worker was silent while the job was forming.
    #[error(
        "nothing was heard from this worker for {for_ms} ms while the job was forming; check the network between it and the switch, or raise the time-out"
    )]
    Silent {
        /// Milliseconds of silence.
        for_ms: u64,
    },
    /// A job cannot go on here (R-RES-3).
    #[error(
        "the job to go on here has {flows} flows, and the switch {shards} shards; start a standby switch with at least as many --cores as the switch that it stands by"
    )]
    FewerShards {
        /// Flows of the job.
        flows: usize,
        /// Shards on the way to the switch.
        shards: usize,
    },
    /// An operation of a user is refused (R-OP-16).
    #[error(
        "the switch refuses the operation number {number} of this worker: {reason}; `netfold op show` and `netfold op test` say more of it"
    )]
    Operation {
        /// Its place among the worker's operations.
        number: u16,
        /// The reason.
        reason: String,
    },
    /// The switch runs no operations of users.
    #[error(
        "this switch runs no operations of users; start it with --ops any or --ops signed, and a netfold that was built with them"
    )]
    NoOperations,
    /// A rack switch refuses what a worker below it brings along (R-OP-40).
    #[error("of the operations of this worker, at the switch at {switch} on its way: {reason}")]
    OperationAt {
        /// Address at which it listens.
        switch: SocketAddr,
        /// Its reason.
        reason: String,
    },
    /// A switch below another, or the workers of one host, would fold an operation by themselves
    /// that is not associative (R-OP-26).
    #[error(
        "the operation {operation:?} of the job {job:?} folds at one switch, since it is not associative, or has a codec that is not lossless or that keeps state, and the switch at {switch} would fold operands of the ranks {} by themselves; connect all workers to one switch",
        Ranks(ranks, *more)
    )]
    NotAssociative {
        /// Name of the job.
        job: String,
        /// Name of the operation.
        operation: String,
        /// Address at which the switch listens.
        switch: SocketAddr,
        /// The lowest ranks below it.
        ranks: Vec<u16>,
        /// Further ranks.
        more: usize,
    },
    /// A switch below another would fold operands out of rank order (R-OP-26).
    #[error(
        "the operation {operation:?} of the job {job:?} is not commutative, and the ranks at the switch at {switch} are not consecutive: {}; number the workers switch by switch, or connect them to one",
        Ranks(ranks, *more)
    )]
    NotConsecutive {
        /// Name of the job.
        job: String,
        /// Name of the operation.
        operation: String,
        /// Address at which the switch listens.
        switch: SocketAddr,
        /// The lowest ranks below it.
        ranks: Vec<u16>,
        /// Further ranks.
        more: usize,
    },
    /// A worker wants a job with state in a switch to go on at another one, or without a worker
    /// (R-OP-34).
    #[error(
        "rank {rank} asks for a job that goes on after a loss, and its operations keep state at the switch, which would be lost; leave out the standby switches and `elastic`, or the operations with state"
    )]
    StateIsLost {
        /// The worker.
        rank: u16,
    },
    /// The data plane cannot take the job, for a reason of its own.
    #[error("the switch cannot run the job {job:?}: {reason}")]
    DataPlane {
        /// The job's name.
        job: String,
        /// The data plane's reason.
        reason: String,
    },
    /// A rack switch has met itself on the way to the root (R-CTRL-14).
    #[error(
        "the switches are in a circle: the switch at {switch} is below itself; start one of them without --parent (NETFOLD_PARENT)"
    )]
    Circle {
        /// Address at which it listens.
        switch: SocketAddr,
    },
    /// Too many switches on the way to the root (R-CTRL-14).
    #[error(
        "more than {limit} switches lie between the worker and the root of their tree; put fewer below each other"
    )]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// A rack switch has no way to its parent (R-CTRL-18).
    #[error(
        "the switch at {switch} has no connection to its parent at {parent}: {why}; start the parent, or correct --parent (NETFOLD_PARENT) of that switch"
    )]
    NoParent {
        /// Address at which the rack switch listens.
        switch: SocketAddr,
        /// Address at which it looks for its parent.
        parent: SocketAddr,
        /// The sign by which it was noticed.
        why: Loss,
    },
    /// Other workers are lost as well from the epoch that has ended, and those that are left go on
    /// without them (R-RES-11).
    #[error(
        "of the workers of job {job:?} these are lost as well: {}; join again without them",
        Ranks(lost, 0)
    )]
    OthersLost {
        /// Name of the job.
        job: String,
        /// Ranks that were lost since, by those of that epoch, in the order in which they were.
        lost: Vec<u16>,
    },
    /// The job does not go on with this worker (R-RES-12).
    #[error(
        "the job {job:?} does not go on with this worker, which was lost from it, or its switch does not know of its \
         last epoch any more; find out what held the worker up or raise the time-out, and start the job again"
    )]
    GoneOn {
        /// Name of the job.
        job: String,
    },
    /// The switch is being stopped.
    #[error("the switch is stopping; start it again and then the workers")]
    SwitchStopping,
}

impl Refusal {
    pub(crate) fn bad_value(
        what: &str,
        value: impl fmt::Display,
        allowed: impl Into<String>,
    ) -> Self {
        Self::BadValue { what: what.into(), value: value.to_string(), allowed: allowed.into() }
    }
}

/// Names what overflows the registers of an arithmetic, and what to do about it (R-FPI-16,
/// R-FPI-27).
fn room(arithmetic: &str) -> &'static str {
    if arithmetic == Arithmetic::FpisaA.name() {
        "in fpisa-a two values of f32 may do so, if one is some 128 times the other: use fpisa, which holds any 128 values at a switch, or native or block, or have such blocks folded again with overflow=native"
    } else {
        "in fpisa more than 128 values of f32 may do so: put switches below this one, each for up to 128 workers, or use native or block, or have such blocks folded again with overflow=native"
    }
}

/// Reason for which a running job has failed. Every worker that is left is told the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "failure", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Failure {
    /// A worker has gone without taking its leave (R-CTRL-4).
    #[error("rank {rank} was lost: {why}; see that worker's own output, then start the job again")]
    WorkerLost {
        /// The worker.
        rank: u16,
        /// The sign by which it was noticed.
        why: Loss,
    },
    /// The worker that is told this was taken for lost (R-CTRL-4); the others are told
    /// [`Failure::WorkerLost`].
    #[error(
        "the switch has expelled this worker, rank {rank}, from its job: {why}; find out what held it up or raise the \
         time-out, and start the job again"
    )]
    Expelled {
        /// The worker's rank.
        rank: u16,
        /// The way in which its loss was noticed.
        why: Loss,
    },
    /// Two workers made different calls (R-CTRL-6).
    #[error(
        "the workers made different calls: rank {rank_a} called {call_a}, rank {rank_b} called {call_b}; every worker must make the same calls in the same order, with the same priority"
    )]
    Mismatch {
        /// The worker whose call came first.
        rank_a: u16,
        /// Its description of the call.
        call_a: String,
        /// The worker that did not agree.
        rank_b: u16,
        /// Its description of the call.
        call_b: String,
    },
    /// A sum has overflowed its register at the switch (R-FPI-9).
    #[error(
        "a sum of the job {job:?} has overflowed its register at the switch when the value of rank {rank} was added, in {element}; {}; scaling does not help, since mantissas overflow whatever their exponents",
        room(arithmetic)
    )]
    Overflow {
        /// Name of the job.
        job: String,
        /// Name of its arithmetic.
        arithmetic: String,
        /// The worker whose value was added last.
        rank: u16,
        /// Its description of the element and the call.
        element: String,
    },
    /// An operation of a user has trapped (R-OP-20).
    #[error(
        "the operation {operation:?} of the job {job:?} trapped when the operand of rank {rank} came: {why}; its block begins at {block}; `netfold op test` looks for operands with which it does"
    )]
    Trapped {
        /// Name of the job.
        job: String,
        /// Name of the operation.
        operation: String,
        /// The cause.
        #[serde(with = "crate::operations::cause")]
        why: TrapCause,
        /// The worker whose operand came last.
        rank: u16,
        /// Its description of where the block begins, and of the call.
        block: String,
    },
    /// A rack switch cannot take the job in (R-CTRL-17).
    #[error("the switch at {switch} cannot run the job {job:?}: {reason}")]
    SwitchUnable {
        /// The job's name.
        job: String,
        /// Address at which it listens.
        switch: SocketAddr,
        /// Its reason.
        reason: String,
    },
    /// A rack switch has lost its parent (R-CTRL-18).
    #[error(
        "the switch at {switch} has lost its parent at {parent}: {why}; see the parent's output, start it again and then the job"
    )]
    ParentLost {
        /// Address at which the rack switch listens.
        switch: SocketAddr,
        /// Address at which its parent was.
        parent: SocketAddr,
        /// The sign by which it was noticed.
        why: Loss,
    },
    /// The switch is being stopped.
    #[error("the switch is stopping; start it again and then the job")]
    SwitchStopping,
}

/// Sign of the loss of a peer, which is a worker or a parent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "loss", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Loss {
    /// The connection closed.
    #[error("its connection to the switch closed (the process ended or was killed)")]
    Closed,
    /// Nothing came for the job's time-out.
    #[error(
        "nothing was heard from it for {for_ms} ms (the process hangs, or the network is down)"
    )]
    Silent {
        /// Milliseconds of silence.
        for_ms: u64,
    },
    /// It does not take what the switch sends.
    #[error("it does not read what the switch sends")]
    Unread,
    /// A rack switch through which the worker had joined has gone, or stops (R-CTRL-18).
    #[error("the switch at {switch}, through which it had joined, has stopped or was lost")]
    SwitchGone {
        /// Address at which that switch listened.
        switch: SocketAddr,
    },
    /// It could not be connected to.
    #[error("it cannot be reached ({error})")]
    Unreachable {
        /// The system's error.
        error: String,
    },
    /// It sent what the protocol does not allow.
    #[error("it broke the control protocol: {what}")]
    Misbehaved {
        /// Its breach of the protocol.
        what: String,
    },
}

/// Most ranks that a message to all workers names: to tell each of thousands of thousands would
/// take as many bytes as there are pairs of them.
pub(crate) const MAX_NAMED: usize = 64;

/// Shows ranks as `1, 2, 5`; of many only the first ones and how many there are besides, with those
/// that are only counted.
pub(crate) struct Ranks<'a>(pub(crate) &'a [u16], pub(crate) usize);

impl fmt::Display for Ranks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 16;
        for (i, rank) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}{rank}", if i == 0 { "" } else { ", " })?;
        }
        match self.0.len().saturating_sub(SHOWN) + self.1 {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// A switch by its address; the root, if it has none in messages.
struct AtSwitch(Option<SocketAddr>);

impl fmt::Display for AtSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(address) => write!(f, "the switch at {address}"),
            None => f.write_str("the switch without a parent"),
        }
    }
}

/// Most characters of a name that are quoted: it is a stranger's, of any length.
const MAX_QUOTED: usize = 128;

/// A name in quotation marks, with its control characters written out, cut to what is shown.
pub(crate) fn quoted(name: &str) -> String {
    let shown: String = name.chars().take(MAX_QUOTED).collect();
    match name.chars().count().saturating_sub(MAX_QUOTED) {
        0 => format!("{shown:?}"),
        more => format!("{shown:?} and {more} more characters"),
    }
}

/// Most characters of a peer's text that are passed on.
const MAX_TEXT: usize = 1000;

/// A peer's text, cut to what is passed on.
pub(crate) fn clip(text: &str) -> String {
    text.chars().take(MAX_TEXT).collect()
}

impl Loss {
    /// The same with what a peer has written cut to what is passed on.
    pub(crate) fn clipped(self) -> Self {
        match self {
            Self::Misbehaved { what } => Self::Misbehaved { what: clip(&what) },
            Self::Unreachable { error } => Self::Unreachable { error: clip(&error) },
            other => other,
        }
    }
}
