//! The shards of a switch and the memory that it shares, as its management plane sees them.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender, SyncSender};
use std::thread::JoinHandle;
use std::time::Duration;

use netfold_management::{
    Admission, AdmissionError, DataPlane, JobStatus, QueryReport, ShardStatus, Spare, TableStatus,
    Ticket,
};
use netfold_shm::{Channel, Segment};
use netfold_switch::query::{QueryCounters, QuerySpec};
use netfold_switch::{Counters, JobSpec, TableSpec};
use netfold_wire::{Epoch, JobId, WorkerId};

use crate::commands::CommandSender;
use crate::endpoint::Endpoint;
use crate::notify::WakeSocket;
use crate::pin::CoreList;
use crate::rounds::RoundLog;
use crate::shard_loop::{self, Command, Members, OnEvent, Snapshot, TableChannel};
use crate::shared::{ChannelOffer, MemoryServer};

/// Time that a shard may take to answer. It answers between two batches of packets, which takes
/// microseconds.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// Flows of a job in shared memory: every worker runs the slots on its own core already.
pub(crate) const SHARED_FLOWS: u16 = 1;

/// The threads of a switch's shards.
pub(crate) struct Shards {
    senders: Vec<CommandSender<Command>>,
    threads: Vec<JoinHandle<()>>,
    addresses: Vec<SocketAddr>,
    receive_buffer_bytes: usize,
}

impl Shards {
    /// Opens `cores` sockets, at `address` with the ports from its own on (port 0: any), and starts
    /// a shard on each. The shards divide `memory_bytes` between them. With `pin`, each stays on a
    /// core. `on_event` makes the handler of a shard's events. Rounds go to `log`, if there is one.
    pub(crate) fn start(
        address: SocketAddr,
        cores: u16,
        pin: Option<&CoreList>,
        memory_bytes: u64,
        on_event: impl Fn(u16) -> OnEvent,
        log: Option<&Arc<RoundLog>>,
    ) -> io::Result<Self> {
        let mut shards = Self {
            senders: vec![],
            threads: vec![],
            addresses: vec![],
            receive_buffer_bytes: usize::MAX,
        };
        for index in 0..cores {
            let port = if address.port() == 0 {
                0
            } else {
                address.port().checked_add(index).ok_or(io::ErrorKind::AddrNotAvailable)?
            };
            let endpoint = Endpoint::bind(SocketAddr::new(address.ip(), port))?;
            shards.addresses.push(endpoint.local_addr()?);
            shards.receive_buffer_bytes =
                shards.receive_buffer_bytes.min(endpoint.receive_buffer_bytes());
            let name = format!("netfold-shard-{index}");
            let core = pin.map(|cores| cores.of(index.into()));
            let memory_bytes = memory_bytes / u64::from(cores);
            let (sender, thread) = shard_loop::start(
                name,
                core,
                endpoint,
                memory_bytes,
                on_event(index),
                log.map(|log| (index, log.clone())),
            )?;
            shards.senders.push(sender);
            shards.threads.push(thread);
        }
        Ok(shards)
    }

    /// UDP addresses of the shards.
    pub(crate) fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Bytes of the smallest receive buffer among the shards' sockets.
    pub(crate) fn receive_buffer_bytes(&self) -> usize {
        self.receive_buffer_bytes
    }

    fn ask<R>(&self, shard: usize, command: impl FnOnce(SyncSender<R>) -> Command) -> Option<R> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.senders[shard].send(command(reply));
        answer.recv_timeout(ANSWER_TIMEOUT).ok()
    }

    fn admit(&mut self, spec: &JobSpec, job: &Admission) -> Result<(), AdmissionError> {
        for shard in 0..usize::from(job.flows) {
            let each = job
                .members
                .iter()
                .filter_map(|member| Some((WorkerId(member.rank), *member.addresses.get(shard)?)));
            let parent = job.parent.as_ref().and_then(|parent| parent.shards.get(shard).copied());
            let members =
                Members { each: each.collect(), all: job.groups.get(shard).copied(), parent };
            let answer =
                self.ask(shard, |reply| Command::Admit { spec: spec.clone(), members, reply });
            let admitted = match answer {
                Some(Ok(())) => continue,
                Some(Err(error)) => AdmissionError::of_shard(&error, job.flows),
                None => AdmissionError::Other(format!("shard {shard} does not answer")),
            };
            self.release(spec.job);
            return Err(admitted);
        }
        Ok(())
    }

    /// Takes a table in, at the first shard (R-KEY-1).
    fn admit_table(
        &self,
        spec: TableSpec,
        job: &Admission,
        channels: Vec<TableChannel>,
    ) -> Result<(), AdmissionError> {
        let leaves = job.leaves().map(|(leaf, address)| (leaf.name, address)).collect();
        match self.ask(0, |reply| Command::AdmitTable { spec, leaves, channels, reply }) {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(AdmissionError::of_shard(&error, 1)),
            None => Err(AdmissionError::Other("shard 0 does not answer".into())),
        }
    }

    /// Makes a channel of a table at the first shard: its end there, and what its worker gets
    /// (R-KEY-20).
    fn channel(&self, job: JobId) -> io::Result<(TableChannel, ChannelOffer)> {
        let channel = Channel::create().map_err(io::Error::other)?;
        let (own, worker) = WakeSocket::pair()?;
        let end = channel.switch_end();
        Ok((TableChannel { job, end, worker: own }, ChannelOffer { channel, wake: worker }))
    }

    /// Returns the way to ask whether the tables are drained (R-KEY-16).
    pub(crate) fn drain(&self) -> Drain {
        Drain(self.senders[0].clone())
    }

    /// Returns the way to admit queries.
    pub(crate) fn queries(&self) -> Queries {
        Queries(self.senders[0].clone())
    }

    /// Lends a job slots at the shards of its flows, or at none.
    fn lend(&self, job: JobId, flows: u16) -> bool {
        let lent = |shard| self.ask(shard, |reply| Command::Lend { job, reply });
        let all = (0..usize::from(flows)).all(|shard| matches!(lent(shard), Some(Ok(()))));
        if !all {
            self.take_back(job);
        }
        all
    }

    fn take_back(&self, job: JobId) {
        for sender in &self.senders {
            sender.send(Command::TakeBack(job));
        }
    }

    fn release(&mut self, job: JobId) {
        for sender in &self.senders {
            sender.send(Command::Release(job));
        }
    }
}

/// The tables of a switch, which are at its first shard.
pub(crate) struct Drain(CommandSender<Command>);

impl Drain {
    /// Has them answer that the switch is to stop. Returns whether all are drained.
    pub(crate) fn ask(&self) -> bool {
        let (reply, answer) = mpsc::sync_channel(1);
        self.0.send(Command::DrainTables(reply));
        answer.recv_timeout(ANSWER_TIMEOUT).unwrap_or(true)
    }
}

/// The queries of a switch, which are at its first shard.
pub(crate) struct Queries(CommandSender<Command>);

impl Queries {
    pub(crate) fn admit(
        &self,
        spec: QuerySpec,
        master: Option<SocketAddr>,
    ) -> Result<(), AdmissionError> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.0.send(Command::AdmitQuery { spec, master, reply });
        let silent = || AdmissionError::Other("shard 0 does not answer".into());
        let admitted = answer.recv_timeout(ANSWER_TIMEOUT).map_err(|_| silent())?;
        admitted.map_err(|error| AdmissionError::of_shard(&error, 1))
    }

    pub(crate) fn release(&self, job: JobId, epoch: Epoch) {
        self.0.send(Command::ReleaseQuery(job, epoch));
    }

    pub(crate) fn counters(&self, job: JobId, epoch: Epoch) -> Option<QueryCounters> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.0.send(Command::QueryCounters { job, epoch, reply });
        answer.recv_timeout(ANSWER_TIMEOUT).ok()?
    }
}

impl Drop for Shards {
    fn drop(&mut self) {
        for sender in &self.senders {
            sender.send(Command::Stop);
        }
        for thread in self.threads.drain(..) {
            // A shard that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

/// Resources that a job holds.
struct Held {
    bytes: u64,
    /// Of these, bytes at each shard whose flow it has.
    flow_bytes: u64,
    slots: u16,
    flows: u16,
    /// Bytes that can be lent to it at each of them (R-CTRL-25), and whether they are; those that
    /// are lent are among the others.
    lendable: u64,
    is_lent: bool,
    /// Memory of the slots, if they are not at the shards.
    shared: Option<(Ticket, Arc<Segment>)>,
}

impl Held {
    /// Counts what is lent to the job from now on, or is not.
    fn lend(&mut self, is_lent: bool) {
        let (all, each) = (self.lendable * u64::from(self.flows), self.lendable);
        match (self.is_lent, is_lent) {
            (false, true) => {
                (self.bytes, self.flow_bytes) = (self.bytes + all, self.flow_bytes + each)
            }
            (true, false) => {
                (self.bytes, self.flow_bytes) = (self.bytes - all, self.flow_bytes - each)
            }
            _ => {}
        }
        self.is_lent = is_lent;
    }
}

/// The data plane of a switch: its shards, and its server of shared memory, which take their memory
/// from one budget.
pub(crate) struct Plane {
    shards: Shards,
    memory_server: Option<MemoryServer>,
    memory_bytes: u64,
    /// Told when a client has asked for the switch to stop.
    stop_requests: Option<Sender<()>>,
    jobs: BTreeMap<u16, Held>,
    /// Bytes of queries, by number and epoch: all are at the first shard.
    queries: BTreeMap<(u16, u32), u64>,
    /// Totals of jobs in shared memory that have ended.
    ended: Counters,
}

impl Plane {
    pub(crate) fn new(
        shards: Shards,
        memory_server: Option<MemoryServer>,
        memory_bytes: u64,
        stop_requests: Option<Sender<()>>,
    ) -> Self {
        Self {
            shards,
            memory_server,
            memory_bytes,
            stop_requests,
            jobs: BTreeMap::new(),
            queries: BTreeMap::new(),
            ended: Counters::default(),
        }
    }

    fn free(&self) -> u64 {
        let jobs: u64 = self.jobs.values().map(|held| held.bytes).sum();
        self.memory_bytes - jobs - self.queries.values().sum::<u64>()
    }

    fn share(
        &self,
        spec: &JobSpec,
        ticket: Ticket,
        channels: Vec<ChannelOffer>,
    ) -> Result<Arc<Segment>, AdmissionError> {
        let memory_server = self
            .memory_server
            .as_ref()
            .ok_or_else(|| AdmissionError::Other("the switch shares no memory".into()))?;
        let segment = Segment::create(spec, SHARED_FLOWS).map_err(unshared)?;
        memory_server.offer(ticket, segment.clone(), channels);
        Ok(segment)
    }

    /// Makes the channels of a table for workers that share the switch's memory, in the order of
    /// their ranks, if there is room for them beside the table and the slots. Without them its
    /// packets go over UDP.
    fn channels(
        &self,
        job: &Admission,
        table_bytes: u64,
    ) -> (Vec<TableChannel>, Vec<ChannelOffer>) {
        let slots = Segment::memory_bytes(&job.spec(), SHARED_FLOWS).unwrap_or(u64::MAX);
        let needed = slots
            .saturating_add(table_bytes)
            .saturating_add(Channel::BYTES * u64::from(job.workers));
        if job.ticket.is_none() || job.elsewhere || needed > self.free() {
            return Default::default();
        }
        let made = (0..job.workers).map(|_| self.shards.channel(JobId(job.job)));
        let made: io::Result<Vec<_>> = made.collect();
        made.inspect_err(|error| tracing::info!(%error, "a table shares no memory"))
            .map_or_else(|_| Default::default(), |made| made.into_iter().unzip())
    }

    /// Takes the slots of a job in, whose table takes so many bytes. Returns what they hold.
    fn admit_slots(
        &mut self,
        job: &Admission,
        taken: u64,
        channels: Vec<ChannelOffer>,
    ) -> Result<Held, AdmissionError> {
        let (spec, slots, flows) = (job.spec(), job.slots, job.flows);
        let held = Held {
            bytes: 0,
            flow_bytes: 0,
            slots,
            flows,
            lendable: spec.lent_bytes(),
            is_lent: false,
            shared: None,
        };
        if job.elsewhere {
            return Ok(held);
        }
        let (bytes, flow_bytes) = match job.ticket {
            Some(_) => (Segment::memory_bytes(&spec, SHARED_FLOWS).map_err(unshared)?, 0),
            None => (spec.memory_bytes() * u64::from(job.flows), spec.memory_bytes()),
        };
        let needed = bytes + taken;
        if needed > self.free() {
            return Err(AdmissionError::Memory { needed, free: self.free() });
        }
        let shared = match job.ticket {
            Some(ticket) => Some((ticket, self.share(&spec, ticket, channels)?)),
            None => {
                self.shards.admit(&spec, job)?;
                None
            }
        };
        Ok(Held { bytes, flow_bytes, shared, ..held })
    }
}

impl DataPlane for Plane {
    fn admit(&mut self, job: &Admission) -> Result<(), AdmissionError> {
        let table = job.table();
        let table_bytes = table.as_ref().map_or(0, TableSpec::memory_bytes);
        if table_bytes > self.free() {
            return Err(AdmissionError::Memory { needed: table_bytes, free: self.free() });
        }
        let (mut offers, mut channel_bytes) = (Vec::new(), 0);
        if let Some(spec) = table {
            let channels;
            (channels, offers) = self.channels(job, table_bytes);
            channel_bytes = Channel::BYTES * channels.len() as u64;
            self.shards.admit_table(spec, job, channels)?;
        }
        let taken = table_bytes + channel_bytes;
        let held = self
            .admit_slots(job, taken, offers)
            .inspect_err(|_| self.shards.release(JobId(job.job)))?;
        let bytes = held.bytes + taken;
        let flow_bytes = held.flow_bytes + table_bytes;
        self.jobs.insert(job.job, Held { bytes, flow_bytes, ..held });
        Ok(())
    }

    fn lends(&self) -> bool {
        true
    }

    fn lend(&mut self, job: u16) -> bool {
        let Some(held) = self.jobs.get_mut(&job) else { return false };
        if !held.is_lent && self.shards.lend(JobId(job), held.flows) {
            held.lend(true);
        }
        held.is_lent
    }

    fn take_back(&mut self, job: u16) {
        self.shards.take_back(JobId(job));
        if let Some(held) = self.jobs.get_mut(&job) {
            held.lend(false);
        }
    }

    fn release(&mut self, job: u16) {
        // A table is at the shards, wherever the slots are.
        self.shards.release(JobId(job));
        let Some(Held { shared: Some((ticket, segment)), .. }) = self.jobs.remove(&job) else {
            return;
        };
        if let Some(memory_server) = &self.memory_server {
            memory_server.withdraw(ticket);
        }
        segment.fail();
        self.ended = self.ended.plus(&segment.counters());
    }

    fn status(&mut self) -> Vec<ShardStatus> {
        let (shards, indices) = (&self.shards, 0..self.shards.senders.len());
        let mut snapshots: Vec<Snapshot> =
            indices.filter_map(|shard| shards.ask(shard, Command::Status)).collect();
        let mut shared = Vec::new();
        // A job in shared memory has one flow, and stands with the first shard's.
        if let Some(first) = snapshots.first_mut() {
            first.counters = first.counters.plus(&self.ended);
            for (&job, held) in &self.jobs {
                if let Some((_, segment)) = &held.shared {
                    let counters = segment.counters();
                    // The table is at the shard, and counted there.
                    first.memory_used += held.bytes - held.flow_bytes;
                    first.counters = first.counters.plus(&counters);
                    let status = JobStatus::of(job, held.slots, &counters, segment.waiting());
                    shared.push(status.with_operations(segment.operations(), &segment.usage()));
                }
            }
        }
        let mut status: Vec<ShardStatus> = snapshots.into_iter().map(shard_status).collect();
        if let Some(first) = status.first_mut() {
            first.jobs.extend(shared);
        }
        status
    }

    fn spare(&self) -> Spare {
        let shards = self.shards.senders.len() as u64;
        // Every job at the shards is at the first of them, and every query.
        let jobs: u64 = self.jobs.values().map(|held| held.flow_bytes).sum();
        let at_first = jobs + self.queries.values().sum::<u64>();
        let flow_bytes =
            (self.memory_bytes / shards).saturating_sub(at_first).min(self.free() / shards);
        Spare { flow_bytes, jobs: self.jobs.values().filter(|held| held.bytes > 0).count() }
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
        self.shards.queries().admit(query.clone(), master)?;
        self.queries.insert((query.job.0, query.epoch.0), needed);
        Ok(())
    }

    fn release_query(&mut self, job: u16, epoch: u32) {
        if self.queries.remove(&(job, epoch)).is_some() {
            self.shards.queries().release(JobId(job), Epoch(epoch));
        }
    }

    fn stop(&mut self) -> bool {
        self.stop_requests.as_ref().is_some_and(|requests| requests.send(()).is_ok())
    }
}

fn unshared(error: netfold_shm::Error) -> AdmissionError {
    AdmissionError::Other(error.to_string())
}

fn report(spec: &QuerySpec, counters: &QueryCounters) -> QueryReport {
    let counters = counters.iter().map(|(name, count)| (name.to_owned(), count)).collect();
    let (program, bytes) = (spec.program.name().to_owned(), spec.memory_bytes());
    QueryReport { job: spec.job.0, epoch: spec.epoch.0, program, bytes, counters }
}

fn shard_status(snapshot: Snapshot) -> ShardStatus {
    let system_calls =
        [("send_calls", snapshot.send_calls), ("receive_calls", snapshot.receive_calls)];
    ShardStatus {
        counters: snapshot.counters.iter().chain(system_calls).collect(),
        memory_used: snapshot.memory_used,
        memory_total: snapshot.memory_total,
        jobs: snapshot
            .jobs
            .into_iter()
            .map(|job| {
                JobStatus::of(job.spec.job.0, job.slots, &job.counters, job.waiting)
                    .with_operations(&job.spec.operations, &job.usage)
            })
            .collect(),
        tables: snapshot
            .tables
            .iter()
            .map(|table| TableStatus::of(table, snapshot.now_us))
            .collect(),
        queries: snapshot.queries.iter().map(|(spec, counters)| report(spec, counters)).collect(),
    }
}
