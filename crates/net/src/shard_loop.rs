//! The event loop of one shard of a switch: one thread, one socket, no state that another thread
//! sees.

mod channels;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use netfold_switch::query::{Query, QueryCounters, QueryHandled, QuerySpec, Receiver};
use netfold_switch::{
    AdmissionError, Counters, Event, JobSpec, JobStatus, MAX_ANSWER_BYTES, Recipients, Shard,
    TableSpec, TableStatus,
};
use netfold_wire::{Epoch, JobId, QueryPacket, TablePacket, WorkerId};
use rustix::event::{PollFd, PollFlags};

pub(crate) use channels::TableChannel;

use crate::awake::Waiter;
use crate::commands::{CommandSender, Commands};
use crate::endpoint::{Endpoint, MAX_BURST_BYTES, MAX_BURST_SEGMENTS};
use crate::pin::spawn;
use crate::rounds::{RoundLog, Stopwatch};
use channels::Channels;

/// Most bytes of a datagram of a short call. Long calls fill their packets, and have several under
/// way: a switch loses nothing if it sleeps until more of them have come.
const SHORT_BYTES: usize = 1200;

/// Command to a shard's thread.
pub(crate) enum Command {
    Admit {
        spec: JobSpec,
        members: Members,
        reply: SyncSender<Result<(), AdmissionError>>,
    },
    AdmitTable {
        spec: TableSpec,
        /// The switches below, at their first shards (R-KEY-17).
        leaves: Vec<(WorkerId, SocketAddr)>,
        /// Ways of its workers in shared memory (R-KEY-20).
        channels: Vec<TableChannel>,
        reply: SyncSender<Result<(), AdmissionError>>,
    },
    Release(JobId),
    /// R-CTRL-25
    Lend {
        job: JobId,
        reply: SyncSender<Result<(), AdmissionError>>,
    },
    TakeBack(JobId),
    AdmitQuery {
        spec: QuerySpec,
        /// The socket of its master, if it has one.
        master: Option<SocketAddr>,
        reply: SyncSender<Result<(), AdmissionError>>,
    },
    ReleaseQuery(JobId, Epoch),
    QueryCounters {
        job: JobId,
        epoch: Epoch,
        reply: SyncSender<Option<QueryCounters>>,
    },
    /// R-KEY-16: asks whether all tables are drained.
    DrainTables(SyncSender<bool>),
    Status(SyncSender<Snapshot>),
    Stop,
}

/// Addresses at which a job's members take results, and a parent takes folds.
pub(crate) struct Members {
    /// Each member at its own socket.
    pub(crate) each: Vec<(WorkerId, SocketAddr)>,
    /// All of them at once (R-CTRL-9).
    pub(crate) all: Option<SocketAddr>,
    /// The shard of the switch above, if there is one (R-TREE-2).
    pub(crate) parent: Option<SocketAddr>,
}

impl Members {
    fn addresses(&self, to: Recipients) -> impl Iterator<Item = SocketAddr> {
        let group = self.all.filter(|_| to == Recipients::All);
        let each =
            self.each.iter().filter(move |(member, _)| group.is_none() && to.include(*member));
        let parent = self.parent.filter(|_| to == Recipients::Parent);
        parent.into_iter().chain(group).chain(each.map(|(_, address)| *address))
    }
}

/// Addresses of a query's workers, as they were met last, and of its master.
struct QueryMembers {
    workers: Vec<Option<SocketAddr>>,
    master: Option<SocketAddr>,
}

impl QueryMembers {
    /// Notes the sender of a packet that the shard has taken, and returns the receiver of the one
    /// that follows.
    fn receiver(
        &mut self,
        handled: &QueryHandled,
        from: SocketAddr,
    ) -> Option<(SocketAddr, usize)> {
        match handled.from {
            Receiver::Worker(worker) => self.workers[usize::from(worker.0)] = Some(from),
            Receiver::Master => self.master = Some(from),
        }
        let (to, len) = handled.to?;
        let address = match to {
            Receiver::Worker(worker) => *self.workers.get(usize::from(worker.0))?,
            Receiver::Master => self.master,
        };
        Some((address?, len))
    }
}

/// A shard as it stands.
pub(crate) struct Snapshot {
    pub(crate) counters: Counters,
    pub(crate) send_calls: u64,
    pub(crate) receive_calls: u64,
    pub(crate) memory_used: u64,
    pub(crate) memory_total: u64,
    pub(crate) jobs: Vec<JobStatus>,
    pub(crate) tables: Vec<TableStatus>,
    pub(crate) queries: Vec<(QuerySpec, QueryCounters)>,
    /// The time of this, on the clock of the tables.
    pub(crate) now_us: u64,
}

fn of_query(query: &Query) -> (QuerySpec, QueryCounters) {
    (query.spec().clone(), query.counters())
}

/// Called for every mismatch, from the shard's thread.
pub(crate) type OnEvent = Box<dyn Fn(Event) + Send>;

/// Answers to requests of tables, each for the sender of its request (R-KEY-2). One transmission
/// takes those of equal length that follow each other to one sender.
struct Answers {
    /// It has room for another answer after those in use.
    bytes: Vec<u8>,
    used: usize,
    /// Sender, end in `bytes` and length of each answer of a transmission.
    runs: Vec<(SocketAddr, usize, usize)>,
}

impl Answers {
    fn new() -> Self {
        Self { bytes: vec![0; MAX_ANSWER_BYTES], used: 0, runs: Vec::new() }
    }

    /// Adds the answer that `write` writes, for a receiver that it names, unless it writes none.
    fn add(&mut self, write: impl FnOnce(&mut [u8]) -> Option<(SocketAddr, usize)>) {
        let Some((to, len)) = write(&mut self.bytes[self.used..]).filter(|(_, len)| *len > 0)
        else {
            return;
        };
        self.used += len;
        let begins = self.runs.iter().rev().nth(1).map_or(0, |(_, end, _)| *end);
        let most = MAX_BURST_BYTES.min(MAX_BURST_SEGMENTS * len);
        match self.runs.last_mut() {
            Some((last, end, each))
                if (*last, *each) == (to, len) && self.used - begins <= most =>
            {
                *end = self.used;
            }
            _ => self.runs.push((to, self.used, len)),
        }
        if self.bytes.len() < self.used + MAX_ANSWER_BYTES {
            self.bytes.resize(2 * self.bytes.len() + MAX_ANSWER_BYTES, 0);
        }
    }

    fn send(&mut self, endpoint: &mut Endpoint) {
        let mut start = 0;
        for (to, end, each) in self.runs.drain(..) {
            if let Err(error) = endpoint.send(to, &self.bytes[start..end], each) {
                tracing::debug!(%error, %to, "answers could not be sent");
            }
            start = end;
        }
        self.used = 0;
    }
}

struct ShardLoop {
    shard: Shard,
    endpoint: Endpoint,
    commands: Commands<Command>,
    members: HashMap<JobId, Members>,
    /// The switches below in tables, which outlive their jobs.
    leaves: HashMap<(JobId, Epoch), Vec<(WorkerId, SocketAddr)>>,
    channels: Channels,
    queries: HashMap<(JobId, Epoch), QueryMembers>,
    burst: Box<[u8]>,
    answers: Answers,
    on_event: OnEvent,
    waiter: Waiter,
    /// All datagrams of the last read were short, so that the next ones may come soon, and few.
    short: bool,
    /// Times rounds, if somebody asks for that.
    stopwatch: Option<(Stopwatch, Arc<RoundLog>)>,
    started: Instant,
}

/// Starts the thread of a shard that has `memory_bytes` and serves `endpoint`, on `core` if one is
/// given. Its rounds go to the log with the shard's number, if there is one.
pub(crate) fn start(
    name: String,
    core: Option<usize>,
    endpoint: Endpoint,
    memory_bytes: u64,
    on_event: OnEvent,
    log: Option<(u16, Arc<RoundLog>)>,
) -> io::Result<(CommandSender<Command>, JoinHandle<()>)> {
    let (mut shard_loop, sender) = ShardLoop::new(endpoint, memory_bytes, on_event, log)?;
    let thread = spawn(name, core, move || {
        if let Err(error) = shard_loop.run() {
            tracing::error!(%error, "a shard of the switch has stopped: its socket failed");
        }
    })?;
    Ok((sender, thread))
}

impl ShardLoop {
    fn new(
        endpoint: Endpoint,
        memory_bytes: u64,
        on_event: OnEvent,
        log: Option<(u16, Arc<RoundLog>)>,
    ) -> io::Result<(Self, CommandSender<Command>)> {
        let (sender, commands) = Commands::new()?;
        let mut shard = Shard::new(memory_bytes);
        let stopwatch = log.map(|(number, log)| (Stopwatch::of(&mut shard, number), log));
        let burst = vec![0; MAX_BURST_BYTES].into();
        let (members, leaves) = (HashMap::new(), HashMap::new());
        let (answers, started) = (Answers::new(), Instant::now());
        let shard_loop = Self {
            shard,
            endpoint,
            commands,
            members,
            leaves,
            channels: Channels::default(),
            queries: HashMap::new(),
            burst,
            answers,
            on_event,
            waiter: Waiter::new(),
            short: false,
            stopwatch,
            started,
        };
        Ok((shard_loop, sender))
    }

    fn run(&mut self) -> io::Result<()> {
        loop {
            let mut fds = vec![
                PollFd::new(&self.endpoint, PollFlags::IN),
                PollFd::new(&self.commands, PollFlags::IN),
            ];
            fds.extend(self.channels.polled());
            let limit = (!self.channels.sleep()).then_some(Duration::ZERO);
            self.waiter.wait(&mut fds, limit, self.short)?;
            let mut ready = fds.iter().map(|fd| !fd.revents().is_empty());
            let (readable, commanded) = (ready.next() == Some(true), ready.next() == Some(true));
            let woken: Vec<bool> = ready.collect();
            self.channels.reset(woken);
            if commanded && self.obey() {
                return Ok(());
            }
            if readable {
                self.serve()?;
            }
            if !self.channels.is_empty() {
                self.shard.set_time(self.now_us());
                self.channels.serve(&mut self.shard);
            }
        }
    }

    /// Takes what one read brings, and sends every result of it before anything else is read
    /// (R-ECN-6).
    fn serve(&mut self) -> io::Result<()> {
        let now_us = self.now_us();
        let Self { shard, stopwatch, answers, queries, short, .. } = self;
        shard.set_time(now_us);
        *short = true;
        self.endpoint.receive(|datagram, arrival| {
            *short &= datagram.len() <= SHORT_BYTES;
            if let (true, Some(from)) = (TablePacket::is_one(datagram), arrival.from) {
                answers.add(|answer| {
                    Some((from, shard.handle_table(datagram, arrival.marked.into(), answer)))
                });
                return;
            }
            if let (true, Some(from)) = (QueryPacket::is_one(datagram), arrival.from) {
                answers.add(|out| {
                    let handled = shard.handle_query(datagram, out)?;
                    queries.get_mut(&(handled.job, handled.epoch))?.receiver(&handled, from)
                });
                return;
            }
            shard.handle(datagram, arrival.marked.into());
            if let Some((stopwatch, _)) = stopwatch {
                stopwatch.look(shard);
            }
        })?;
        self.answers.send(&mut self.endpoint);
        self.ask_leaves();
        self.send_results();
        if let Some((stopwatch, log)) = &mut self.stopwatch {
            stopwatch.sent(log);
        }
        while let Some(event) = self.shard.poll_event() {
            (self.on_event)(event);
        }
        Ok(())
    }

    /// Carries out what was asked. Returns whether to stop.
    fn obey(&mut self) -> bool {
        let now_us = self.now_us();
        for command in self.commands.drain() {
            // Those that asked may have stopped waiting for the answer.
            match command {
                Command::Admit { spec, members, reply } => {
                    let job = spec.job;
                    let admitted = self.shard.admit(spec);
                    if admitted.is_ok() {
                        self.members.insert(job, members);
                    }
                    let _ = reply.send(admitted);
                }
                Command::AdmitTable { spec, leaves, channels, reply } => {
                    let table = (spec.job, spec.epoch);
                    let admitted = self.shard.admit_table(spec);
                    let here = self.shard.tables();
                    self.leaves.retain(|table, _| {
                        here.iter().any(|other| (other.spec.job, other.spec.epoch) == *table)
                    });
                    if admitted.is_ok() {
                        if !leaves.is_empty() {
                            self.leaves.insert(table, leaves);
                        }
                        self.channels.add(channels);
                    }
                    let _ = reply.send(admitted);
                }
                Command::Release(job) => {
                    self.shard.release(job);
                    self.members.remove(&job);
                    self.channels.remove(job);
                    if let Some((stopwatch, _)) = &mut self.stopwatch {
                        stopwatch.forget(job);
                    }
                }
                Command::Lend { job, reply } => {
                    let _ = reply.send(self.shard.lend(job));
                }
                Command::TakeBack(job) => self.shard.take_back(job),
                Command::AdmitQuery { spec, master, reply } => {
                    let (query, workers) = ((spec.job, spec.epoch), spec.workers);
                    let admitted = self.shard.admit_query(spec);
                    if admitted.is_ok() {
                        let workers = vec![None; workers.into()];
                        self.queries.insert(query, QueryMembers { workers, master });
                    }
                    let _ = reply.send(admitted);
                }
                Command::ReleaseQuery(job, epoch) => {
                    self.shard.release_query(job, epoch);
                    self.queries.remove(&(job, epoch));
                }
                Command::QueryCounters { job, epoch, reply } => {
                    let _ = reply.send(self.shard.query_counters(job, epoch));
                }
                Command::DrainTables(reply) => {
                    let _ = reply.send(self.shard.drain_tables());
                }
                Command::Status(reply) => {
                    let (send_calls, receive_calls) = self.endpoint.system_calls();
                    let _ = reply.send(Snapshot {
                        counters: self.shard.counters(),
                        send_calls,
                        receive_calls,
                        memory_used: self.shard.memory_used(),
                        memory_total: self.shard.memory_total(),
                        jobs: self.shard.status(),
                        tables: self.shard.tables(),
                        queries: self.shard.queries().map(of_query).collect(),
                        now_us,
                    });
                }
                Command::Stop => return true,
            }
        }
        self.ask_leaves();
        false
    }

    fn now_us(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Sends what tables ask the switches below (R-KEY-18).
    fn ask_leaves(&mut self) {
        while let Some(request) = self.shard.poll_leaf_request() {
            let leaves = self.leaves.get(&(request.job, request.epoch)).into_iter().flatten();
            for (_, address) in leaves.filter(|(leaf, _)| *leaf == request.leaf) {
                let datagram = request.datagram();
                if let Err(error) = self.endpoint.send(*address, datagram, datagram.len()) {
                    tracing::debug!(%error, %address, "a request could not be sent");
                }
            }
        }
    }

    fn send_results(&mut self) {
        while let Some(transmit) = self.shard.poll_transmit(&mut self.burst, MAX_BURST_SEGMENTS) {
            let Some(members) = self.members.get(&transmit.job) else { continue };
            for address in members.addresses(transmit.to) {
                // A peer that cannot be reached loses its packets, like on any path; the control
                // plane notices that it is gone.
                if let Err(error) =
                    self.endpoint.send(address, &self.burst[..transmit.len], transmit.segment)
                {
                    tracing::debug!(%error, %address, "a result or a fold could not be sent");
                }
            }
        }
    }
}
